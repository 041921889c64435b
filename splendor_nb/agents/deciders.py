"""Agents that decide by a policy: functions on numbers, which run plain here and also compile."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from splendor_nb.agents import ladder, policies
from splendor_nb.agents.rooms import Room, make_room
from splendor_nb.agents.weights import checked_weights, weight_row
from splendor_nb.engine import rules
from splendor_nb.engine.notation import Action, write_action
from splendor_nb.engine.position import Tables
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
        legal = [0] * rules.ACTIONS
        count = rules.legal_actions(s, t, legal)
        room = _room_for(t, s.players, self.name, tuple(self._weights.items()))
        return write_action(s, t, ladder.decide(0, s, t, rng.stream_state, legal, count, room))

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


_here = threading.local()  # two threads that decide need two rooms


def _room_for(
    tables: Tables, players: int, name: str, weights: tuple[tuple[str, float], ...]
) -> Room:
    """Return a plain room for an agent, made once in each thread."""
    rooms: dict[Any, Room] = _here.__dict__.setdefault("rooms", {})
    key = tables, players, name, weights
    if key not in rooms:
        if len(rooms) == MOST_ROOMS:
            rooms.clear()
        row = PolicyAgent(name, dict(weights)).row(players)
        rooms[key] = make_room(tables, players, [row], plain=True)
    return rooms[key]


def check_turn(observation: Observation) -> None:
    """Check that the decision is the observation's seat's.

    Raises
    ------
    ValueError
        Where it is not.
    """
    if observation.player != observation.current_player:
        raise ValueError(f"Seat {observation.player} has no decision to take now.")
