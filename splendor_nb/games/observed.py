"""Whole games by agents written in Python, which see observations only."""

from __future__ import annotations

from typing import Any

import numpy as np

from splendor_nb.agents.referee import ask, resolve_agent
from splendor_nb.agents.registry import Agent
from splendor_nb.engine import rules
from splendor_nb.engine.notation import read_action
from splendor_nb.engine.position import Position
from splendor_nb.engine.records import Fault
from splendor_nb.engine.rng import Rng
from splendor_nb.engine.state import Observation, State
from splendor_nb.games import playouts
from splendor_nb.games.setup import Chunk, Setup


def play_chunk(setup: Setup, agents: tuple[Any, ...], first: int, games: int) -> Chunk:
    """Return some games by any agents: each gets what its seat may know, and is checked.

    A class is called anew for each game, so that nothing is carried from one to the next.
    """
    turns, ended, ends = (np.zeros(games, np.int64) for _ in range(3))
    outcomes = np.zeros((games * setup.players, playouts.OUTCOMES), np.int32)
    log: list[int] = []
    faults: list[tuple[int, Fault]] = []
    position = Position(setup.tables, setup.players)
    for i in range(games):
        rows = outcomes[i * setup.players : (i + 1) * setup.players]
        fault = play_game(setup, agents, first + i, position, log, rows)
        if fault is not None:
            faults.append((first + i, fault))
        turns[i], ends[i] = position.turn, len(log)
        ended[i] = position.ended if fault is None else playouts.FORFEITED
    return Chunk(first, turns, ended, outcomes, np.array(log, np.uint8), ends, faults)


def play_game(
    setup: Setup, given: tuple[Any, ...], game: int, s: Position, log: list[int], rows: Any
) -> Fault | None:
    """Play a game on a position that is used again and again; return the fault that ended it."""
    t, players = setup.tables, setup.players
    number, rotation = setup.deal(game), setup.rotation(game)
    agents = [made_late(given[(i + rotation) % players], i) for i in range(players)]
    rngs = [Rng.stream(setup.seed, number, role) for role in range(players + 1)]
    rules.lay_out(s, t, players, 0)
    rules.deal(s, t, rngs[0].stream_state)
    outcomes = [[0] * playouts.OUTCOMES for _ in range(players)]
    state = State(s, t)  # a window on the position, which moves on below
    fault = None
    while s.phase != rules.OVER:
        answer = ask(agents[s.current], state, rngs[s.current + 1])
        if isinstance(answer, Fault):
            fault = answer
            break
        action = read_action(s, t, answer)
        playouts.count_action(s, t, action, outcomes[s.current])
        rules.apply_action(s, t, action)
        log.append(action or 0)
    playouts.write_outcomes(s, t, outcomes, 0, -1 if fault is None else fault.seat)
    rows[:] = outcomes
    return fault


def made_late(given: Any, seat: int) -> Agent:
    """Return an agent; one of a class is made when first asked, so that errors are its own."""
    if not isinstance(given, type):
        return resolve_agent(given, seat)
    made: list[Agent] = []

    def agent(observation: Observation, rng: Rng) -> str:
        if not made:
            made.append(resolve_agent(given, seat))
        return made[0](observation, rng)

    return agent
