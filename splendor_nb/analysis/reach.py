"""How many points a seat can have at most after some turns: quickly, and never too few."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from splendor_nb.engine import rules
from splendor_nb.engine.position import Position, Tables

_A_TURN = 3  # tokens that a turn brings at most [R7]


def most_points(
    s: Position, t: Tables, seat: int, turns: int, *, coming: Iterable[int] = ()
) -> int:
    """Return a bound on the points that a seat has after so many more turns of its own.

    Each of its turns buys a card, or brings tokens: three colors, or two of one. The bound lets
    every purchase have all tokens and all bonuses for itself.

    Parameters
    ----------
    s, t
        The position and the tables of the game.
    seat
        Whose points.
    turns
        How many turns, from 0.
    coming
        Cards that may be revealed meanwhile.

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> start = tiny_games()["blackboard"].start
    >>> [most_points(start.numbers(), start.tables, 0, turns) for turns in (1, 2)]
    [0, 1]
    """
    offers = _offers(s, t, seat, coming)
    purse = sum(s.tokens[seat])
    best = 0
    for bought in range(turns + 1):
        takes = turns - bought
        points = _best_cards(offers, bought, takes, purse + _A_TURN * takes)
        if points is not None:
            best = max(best, points + _noble_points(s, t, seat, bought, turns))
    return s.points[seat] + best


class _Offer(NamedTuple):
    """A card that could be bought: its points, its price, and what of that is missing."""

    points: int
    price: int
    missing: int
    of_one_color: int


def _offers(s: Position, t: Tables, seat: int, coming: Iterable[int]) -> list[_Offer]:
    """Return the cards that the seat may buy sooner or later."""
    gold = s.tokens[seat][rules.GOLD]
    bonuses = s.bonuses[seat]
    owned = [b + k for b, k in zip(bonuses, s.tokens[seat], strict=False)]
    white, blue, green, red, black = (t.missing[color][owned[color]] for color in range(5))
    prices = [t.missing[color][bonuses[color]] for color in range(5)]
    offers = []
    for card in (*s.market, *s.reserved[seat], *coming):
        if card < t.empty:
            w, u, g, r, k = white[card], blue[card], green[card], red[card], black[card]
            price = sum([row[card] for row in prices])
            missing, of_one_color = w + u + g + r + k - gold, max(w, u, g, r, k) - gold
            offers.append(_Offer(t.points[card], price, missing, of_one_color))
    return offers


def _best_cards(offers: list[_Offer], bought: int, takes: int, purse: int) -> int | None:
    """Return the most points of just so many purchases; `None` where they are too many.

    A color of which more is missing than there are turns needs turns that take two of it, and each
    of these brings one token less. Each purchase makes the later ones cheaper by one gem at most.
    """
    bonuses = bought - 1
    near = [
        offer
        for offer in offers
        if offer.missing <= bonuses + _A_TURN * takes - max(0, offer.of_one_color - bonuses - takes)
    ]
    purse += bought * bonuses // 2
    return max(
        (
            sum([offer.points for offer in chosen])
            for chosen in combinations(near, bought)
            if sum([offer.price for offer in chosen]) <= purse
        ),
        default=None,
    )


def _noble_points(s: Position, t: Tables, seat: int, bought: int, turns: int) -> int:
    """Return the most points of nobles that can visit within so many turns [R14]."""
    if not s.nobles:
        return 0
    bonuses = s.bonuses[seat]
    near = [
        points
        for noble, points in enumerate(t.noble_points)
        if s.nobles >> noble & 1 and _lacking(t, noble, bonuses) <= bought
    ]
    return sum(sorted(near, reverse=True)[:turns])


def _lacking(t: Tables, noble: int, bonuses: list[int]) -> int:
    """Return how many bonuses a seat lacks for a noble."""
    lacking = 0
    for wanted, owned in zip(_noble_costs(t)[noble], bonuses, strict=True):
        if wanted > owned:
            lacking += wanted - owned
    return lacking


@functools.lru_cache(maxsize=8)
def _noble_costs(t: Tables) -> list[tuple[int, ...]]:
    return [tuple(noble.cost.values()) for noble in t.components.nobles]
