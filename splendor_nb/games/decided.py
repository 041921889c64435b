"""Whole games by the kit's agents that decide on numbers, the rest of each game compiled."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from splendor_nb.agents.champion import ChampionAgent
from splendor_nb.agents.deciders import PolicyAgent
from splendor_nb.agents.registry import AGENTS, get_agent
from splendor_nb.agents.search import SearchAgent
from splendor_nb.engine import rules
from splendor_nb.games import kernels, playouts
from splendor_nb.games.setup import Chunk, Setup

DECIDERS = (PolicyAgent, SearchAgent, ChampionAgent)


def decides_on_numbers(agents: tuple[Any, ...]) -> bool:
    """Return whether all agents are the kit's own; those look at what their seat may know."""
    return all(
        agent in AGENTS if isinstance(agent, str) else type(agent) in DECIDERS for agent in agents
    )


def play_chunk(setup: Setup, agents: tuple[Any, ...], first: int, games: int) -> Chunk:
    """Return some games by agents of the kit, the same as if each had been asked in Python."""
    table = _Table(setup, agents)
    turns, ended, ends = (np.zeros(games, np.int64) for _ in range(3))
    outcomes = np.zeros((games, setup.players, playouts.OUTCOMES), np.int32)
    logs, played = [], 0
    for i in range(games):
        logs.append(table.play(first + i, outcomes[i]))
        played += len(logs[-1])
        ends[i], turns[i], ended[i] = played, table.number("turn"), table.number("ended")
    rows = outcomes.reshape(-1, playouts.OUTCOMES)
    return Chunk(first, turns, ended, rows, np.concatenate(logs), ends, [])


class _Table:
    """A position on which games are played one after another, and who sits at it."""

    def __init__(self, setup: Setup, agents: tuple[Any, ...]) -> None:
        self._setup, self._tables = setup, setup.tables
        self._s, self._t, self._generators = kernels.workspace(self._tables, setup.players)
        self._legal = np.zeros(rules.ACTIONS, np.int64)
        self._log = np.zeros(kernels.ACTIONS_A_GAME, np.uint8)
        # Other threads play by agents of their own.
        self._agents: list[Any] = [
            get_agent(agent) if isinstance(agent, str) else copy.copy(agent) for agent in agents
        ]
        self._policies = np.array([_policy(agent) for agent in self._agents])
        self._masters = kernels.masters_of(setup)

    def number(self, name: str) -> int:
        """Return a number of the position, or of its record."""
        return int(getattr(self._s, name) if hasattr(self._s, name) else self._s[name])

    def play(self, game: int, outcomes: Any) -> np.ndarray[Any, Any]:
        """Play a game, and return its actions."""
        twin, setup = kernels.kernels(), self._setup
        rotation, s, t, streams = setup.rotation(game), self._s, self._t, self._generators
        twin.start_deal(s, t, self._masters, setup.deal(game), setup.players, streams)
        end, action = 0, -1
        while self.number("phase") != rules.OVER:
            end, seat = twin.go_on(
                *(s, t, action, rotation, self._policies, streams, self._legal, self._log, end),
                outcomes,
            )
            action = -1
            if seat >= 0:
                agent = self._agents[(seat + rotation) % setup.players]
                action = agent.decide(s, self._tables, streams[seat + 1])
            elif end == len(self._log):
                self._log = np.append(self._log, np.zeros_like(self._log))
        return self._log[:end].copy()


def _policy(agent: Any) -> int:
    """Return the policy of an agent, if it is one that plays whole games compiled."""
    if isinstance(agent, PolicyAgent):
        return kernels.POLICIES.get(agent.name, playouts.ASKED)
    return playouts.ASKED
