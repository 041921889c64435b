"""Decisions with two truths that the seat to move cannot tell apart, for tests of agents."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from sampling import SETTINGS, game

from splendor_nb import State
from splendor_nb.engine import compiled


@cache
def decisions(setting: str, players: int, seed: int) -> tuple[State, ...]:
    """Return the states of a game in which its seat has a choice."""
    steps = game(setting, players, seed).steps
    return tuple(state for state, _ in steps if len(state.legal_actions()) > 1)


def two_truths(setting: str, players: int, seed: int, every: int = 1) -> Iterator[list[State]]:
    """Yield pairs of different states that the seat to move sees in the same way."""
    for number, state in enumerate(decisions(setting, players, seed)[::every]):
        seen = state.observation(player=state.current_player or 0)
        other = seen.determinize(number)
        if other != state:
            yield [state, other]


def choices(agent: Any, truths: list[State]) -> set[int]:
    """Return what an agent decides on numbers: the truths, their views, and the records of all."""
    t, r = truths[0].tables, [12345]
    views = [state.observation(player=state.current_player or 0) for state in truths]
    numbers = [one.numbers() for one in (*truths, *views)]
    records = [compiled.pack_position(one, t)[0] for one in numbers]
    chosen = {agent.decide(one, t, r[:]) for one in numbers}
    return chosen | {agent.decide(record, t, np.array(r)) for record in records}


SOME = [
    pytest.param(setting, players, marks=[] if setting == "standard" else pytest.mark.slow)
    for setting in SETTINGS
    for players in (2, 3, 4)
]
