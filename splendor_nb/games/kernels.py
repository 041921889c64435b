"""Whole games in compiled code, and what it needs: records for the rules, rooms for results."""

from __future__ import annotations

import functools
import threading
from types import SimpleNamespace
from typing import Any

import numpy as np

from splendor_nb.agents import policies
from splendor_nb.engine import compiled, rng, rules
from splendor_nb.engine.position import Position, Tables
from splendor_nb.engine.rng import master_seeds
from splendor_nb.games import playouts, replays
from splendor_nb.games.setup import Chunk, Setup

ENTRIES = ("play_games", "start_deal", "go_on", "list_events")
POLICIES = {"random": policies.RANDOM, "greedy": policies.GREEDY}
_ONE_AT_A_TIME = threading.Lock()  # threads that all begin at once would all compile

ACTIONS_A_GAME = 128  # room in the log: enough for most games, and made larger where it is not


def plays_compiled(agents: tuple[Any, ...]) -> bool:
    """Return whether all agents have a policy that compiles."""
    return all(isinstance(agent, str) and agent in POLICIES for agent in agents)


def play_chunk(setup: Setup, agents: tuple[str, ...], first: int, games: int) -> Chunk:
    """Return some games by agents that have a policy, compiled where Numba is there."""
    s, t, generators = workspace(setup.tables, setup.players)
    legal, chosen = np.zeros(rules.ACTIONS, np.int64), [POLICIES[agent] for agent in agents]
    twin, per_game = kernels(), ACTIONS_A_GAME
    turns, ended, ends = (np.zeros(games, np.int64) for _ in range(3))
    while True:
        log = np.zeros(games * per_game, np.uint8)
        outcomes = np.zeros((games * setup.players, playouts.OUTCOMES), np.int32)
        found_room = twin.play_games(
            *(s, t, masters_of(setup), first, games, setup.players, setup.rotate),
            *(np.array(chosen), generators, legal, log, ends, turns, ended, outcomes),
        )
        if found_room == games:
            return Chunk(first, turns, ended, outcomes, log[: ends[-1]].copy(), ends, [])
        per_game *= 4


def list_events(
    setup: Setup, chunk: Chunk, *, decisions: bool = False
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return the purchases, the visits and, if asked for, the decisions of games, from their log.

    Each is an array of rows; `replays` names the columns.
    """
    s, t, generators = workspace(setup.tables, setup.players)
    rows = [
        np.zeros((int(chunk.outcomes[:, playouts.BOUGHT].sum()) + 1, replays.PURCHASE), np.int32),
        np.zeros((int(chunk.outcomes[:, playouts.NOBLES].sum()), replays.VISIT), np.int32),
        np.zeros((len(chunk.log) * decisions, replays.DECISION), np.int32),
    ]
    log = chunk.log if compiled.has_numba() else chunk.log.tolist()
    kernels().list_events(
        *(s, t, masters_of(setup), chunk.first, chunk.games, setup.players, setup.rotate),
        *(generators, log, chunk.ends, *rows),
    )
    # A price is written before it is known whether the card is bought or the payment goes on.
    return rows[0][:-1], rows[1], rows[2]


def kernels() -> SimpleNamespace:
    """Return the functions that play and replay games, compiled where Numba is there."""
    with _ONE_AT_A_TIME:
        return _kernels()


@functools.cache
def _kernels() -> SimpleNamespace:
    modules = (rng, rules, policies, playouts, replays)
    return compiled.compile_modules(*modules, entries=ENTRIES)


def workspace(tables: Tables, players: int) -> tuple[Any, Any, Any]:
    """Return a position, the tables and a generator for each role, as the kernels take them."""
    if not compiled.has_numba():
        return Position(tables, players), tables, [[0] for _ in range(players + 1)]
    position = compiled.pack_position(Position(tables, players), tables)[0]
    return position, compiled.packed_tables(tables), np.zeros((players + 1, 1), np.int64)


def masters_of(setup: Setup) -> Any:
    """Return the master seed of each role, as the kernels take them."""
    seeds = master_seeds(setup.seed, setup.players)
    return np.array(seeds) if compiled.has_numba() else seeds
