"""Agents that decide by a policy: functions on numbers, which run plain here and also compile."""

from __future__ import annotations

import functools
import threading
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from splendor_nb.agents import evaluation, ladder, planner, policies
from splendor_nb.agents.rooms import Room, make_room
from splendor_nb.agents.weights import checked_weights, weight_row
from splendor_nb.engine import compiled, rules
from splendor_nb.engine import rng as chance
from splendor_nb.engine.notation import Action, write_action
from splendor_nb.engine.position import Position, Tables
from splendor_nb.engine.rng import Rng
from splendor_nb.engine.state import Observation

POLICIES = {
    "random": policies.RANDOM,
    "greedy": policies.GREEDY,
    "planner": ladder.PLANNER,
}
MOST_ROOMS = 16


class PolicyAgent:
    """An agent that decides by a policy.

    Parameters
    ----------
    name
        ``"random"``, ``"greedy"`` or ``"planner"``.
    weights
        What replaces fitted weights of the planner, by feature.

    Attributes
    ----------
    name
        The name in the registry.

    Examples
    --------
    >>> from splendor_nb import Rng, new_game
    >>> PolicyAgent("planner")(new_game(players=2, seed=7).observation(0), Rng(1)).kind
    'take'
    """

    def __init__(self, name: str, weights: Mapping[str, float] | None = None) -> None:
        self.name = name
        self._weights = {} if weights is None else checked_weights(weights)

    def row(self, players: int) -> dict[str, Any]:
        """Return the settings of the agent as a row of a room."""
        row: dict[str, Any] = {"policy": POLICIES[self.name]}
        if self.name == "planner":
            row["weights"] = weight_row(players, self._weights)
        return row

    def __call__(self, observation: Observation, rng: Rng) -> Action:
        """Return the action that the policy chooses.

        Raises
        ------
        ValueError
            Where the decision is not the observation's seat's.
        """
        check_turn(observation)
        s, t = observation.numbers(), observation.tables
        if self.name == "planner" and compiled.has_numba():
            return write_action(s, t, self._decide_compiled(s, t, rng))
        return write_action(s, t, self.decide(s, t, rng.stream_state))

    def decide(self, s: Any, t: Tables, r: Any) -> int:
        """Return the number of the action of the seat to move, for games played on numbers.

        The same choice as from an observation. The position may be the whole truth: what the seat
        cannot know is covered before a planner looks at it.

        Parameters
        ----------
        s
            A `Position`, or where Numba is installed its record.
        t
            The tables of the game.
        r
            The state of a generator: a sequence of length 1, an array where `s` is a record.
        """
        plain = isinstance(s, Position)
        players = s.players if plain else int(s["players"])
        room = _room_for(t, players, self.name, tuple(self._weights.items()), plain=plain)
        if plain:
            return int(ladder.decide_next(0, s, t, r, room))
        return int(kernels().decide_next(0, s, compiled.packed_tables(t), r, room))

    def _decide_compiled(self, s: Position, t: Tables, rng: Rng) -> int:
        import numpy as np

        stream = np.array(rng.stream_state)
        chosen = self.decide(compiled.pack_position(s, t)[0], t, stream)
        rng.stream_state[0] = int(stream[0])
        return chosen

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


_here = threading.local()  # two threads that decide need two rooms


def _room_for(
    tables: Tables, players: int, name: str, weights: tuple[tuple[str, float], ...], *, plain: bool
) -> Room:
    """Return a room for an agent, made once in each thread."""
    rooms: dict[Any, Room] = _here.__dict__.setdefault("rooms", {})
    key = tables, players, name, weights, plain
    if key not in rooms:
        if len(rooms) == MOST_ROOMS:
            rooms.clear()
        row = PolicyAgent(name, dict(weights)).row(players)
        rooms[key] = make_room(tables, players, [row], plain=plain)
    return rooms[key]


@functools.cache
def kernels() -> SimpleNamespace:
    """Return the functions by which agents decide, compiled where Numba is there."""
    modules = chance, rules, policies, evaluation, planner, ladder
    return compiled.compile_modules(*modules, entries=["decide_next"])


def check_turn(observation: Observation) -> None:
    """Check that the decision is the observation's seat's.

    Raises
    ------
    ValueError
        Where it is not.
    """
    if observation.player != observation.current_player:
        raise ValueError(f"Seat {observation.player} has no decision to take now.")
