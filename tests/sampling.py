"""States of whole games under each rule option, sampled once for all contracts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any, NamedTuple

from positions import (
    CARDS,
    COLORS,
    GEMS,
    NOBLES,
    card_names,
    first_cards,
    new_noble,
    noble_names,
    tally,
    walk,
)

from splendor_nb import State, new_game

NOBLE_PRICES = ("WW", "UU", "GR", "WU", "RK", "WUK")
SMALL: dict[str, Any] = {
    "cards": first_cards(12, 9, 6),
    "nobles": [new_noble(price, points) for points, price in enumerate(NOBLE_PRICES)],
    "tokens": tally("WWWWUUUUGGGGRRRRRKKK**"),
}
SETTINGS: dict[str, dict[str, Any]] = {
    "standard": {},
    "four_only": {"gold": "four_only"},
    "free": {"take_fewer": "free"},
    "choose": {"payment": "choose"},
    "no_tie_break": {"tie_break": "none"},
    "target_5": {"target": 5},
    "no_unseen": {"unseen_reserve": "off"},
    "limit_31": {"turn_limit": 31},
    "uzbek_sundanese": {"rules": "uzbek_sundanese"},
    "small": {**SMALL, "turn_limit": 120},
    "all_at_once": {
        **SMALL,
        "tokens": tally("WWWWUUUUGGGGRRRRRKKK" + "*" * 12),
        "take_fewer": "free",
        "payment": "choose",
        "tie_break": "none",
        "target": 9,
        "turn_limit": 90,
    },
}
# Payments by choice are rare, so they are sampled twice.
TABLES = [(setting, players) for setting in (*SETTINGS, "choose") for players in (2, 3, 4)]
QUICK = [(*table, seed) for seed, table in enumerate(TABLES)]


class Sample(NamedTuple):
    """One game: each state with the action that was chosen there, and its end."""

    setting: str
    players: int
    steps: list[tuple[State, str]]
    end: State


def chooser(seed: int) -> Any:
    """Pick at random, but buy, choose a noble or spend gold more often than chance would."""
    draw = random.Random(seed)
    eager = draw.choice([0.0, 0.3, 0.8])

    def choose(legal: Sequence[str]) -> str:
        wanted = [a for a in legal if str(a).startswith(("buy", "gold"))]
        return draw.choice(wanted if wanted and draw.random() < eager else list(legal))

    return choose


@cache
def game(setting: str, players: int, seed: int) -> Sample:
    """One whole game."""
    first = seed % players
    start = new_game(players=players, seed=seed, first_player=first, **SETTINGS[setting])
    steps = list(walk(start, chooser(seed)))
    last, action = steps[-1]
    return Sample(setting, players, steps, last.apply(action))


@cache
def vocabulary(setting: str) -> tuple[str, ...]:
    """Every action that can be written in a game with these components."""
    options = SETTINGS[setting]
    cards = card_names(options.get("cards", CARDS))
    nobles = noble_names(options.get("nobles", NOBLES))
    takes = ["".join(gems) for size in (1, 2, 3) for gems in combinations(COLORS, size)]
    return (
        *(f"take {gems}" for gems in [*takes, *(color * 2 for color in COLORS)]),
        *(f"reserve {name}" for name in [*cards, "L1", "L2", "L3"]),
        *(f"buy {name}" for name in cards),
        *(f"return {gem}" for gem in GEMS),
        *(f"noble {name}" for name in nobles),
        *(f"gold {color}" for color in COLORS),
        "pay",
        "pass",
    )
