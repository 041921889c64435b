"""What is asked about the cards, each answer a table: balance, symmetry, efficiency, savings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from typing import Final

import pandas as pd

from splendor_nb.analysis.card_stats import card_table, colors, deck_of, levels
from splendor_nb.analysis.takes import fewest_takes
from splendor_nb.engine.cards import COLORS, LEVELS, Card

DECK: Final = "deck"
SCOPE: Final = pd.CategoricalDtype([DECK, *(f"level {level}" for level in LEVELS)], ordered=True)
"""The type of a column that tells which cards are meant: the deck or a level of it."""


# -- balance ---------------------------------------------------------------------------------------


def color_sums(cards: object = None) -> pd.DataFrame:
    """Return what each color gives and what it pays, by level.

    Parameters
    ----------
    cards
        As for `card_table`.

    Returns
    -------
    DataFrame
        level, color : every pair of them has a row
        bonuses : cards with a bonus of the color
        points : points on those cards
        cost : gems asked for by those cards, in all colors
        asked_by : cards that ask for the color
        paid : gems of the color asked for, by all cards of the level

    Examples
    --------
    In sums no color is better than another:

    >>> sums = color_sums().drop(columns=["color", "asked_by"])
    >>> sums.drop_duplicates().to_numpy().tolist()
    [[1, 8, 1, 33, 33], [2, 6, 11, 41, 41], [3, 4, 16, 43, 43]]
    """
    deck = deck_of(cards)
    rows = [_sums_of(deck, level, color) for level in LEVELS for color in COLORS]
    return _typed(pd.DataFrame(rows))


def _sums_of(deck: Sequence[Card], level: int, color: str) -> dict[str, object]:
    of_level = [card for card in deck if card.level == level]
    of_color = [card for card in of_level if card.bonus == color]
    return {
        "level": level,
        "color": color,
        "bonuses": len(of_color),
        "points": sum(card.points for card in of_color),
        "cost": sum(sum(card.cost.values()) for card in of_color),
        "asked_by": sum(card.cost[color] > 0 for card in of_level),
        "paid": sum(card.cost[color] for card in of_level),
    }


def relabellings(cards: object = None) -> pd.DataFrame:
    """Return how many cards each way to exchange the colors turns into cards that exist.

    A deck in which the colors play the same part is turned into itself by some exchange other
    than the one that leaves all as it is.

    Parameters
    ----------
    cards
        As for `card_table`.

    Returns
    -------
    DataFrame
        scope : the ``deck``, or ``level 1`` to ``level 3``
        relabelling : what W, U, G, R and K turn into; ``"WUGRK"`` leaves all as it is
        kept : cards whose image is a card too; of equal cards as many as there are
        cards : cards in all
        maps : whether all are kept, so that the exchange maps the cards onto themselves

    Examples
    --------
    >>> table = relabellings()
    >>> table[table.maps].groupby("scope", observed=True).relabelling.agg(list)["level 3"]
    ['WUGRK', 'UGRKW', 'GRKWU', 'RKWUG', 'KWUGR']
    >>> table[table.maps].scope.value_counts(sort=False).tolist()
    [1, 1, 1, 5]
    """
    rows = [row for scope, deck in _scopes(deck_of(cards)) for row in _relabelled(scope, deck)]
    table = pd.DataFrame(rows, columns=["scope", "relabelling", "kept", "cards"])
    table["scope"] = table.scope.astype(SCOPE)
    table["maps"] = table.kept == table.cards
    return table


def _scopes(deck: Sequence[Card]) -> Iterator[tuple[str, list[Card]]]:
    yield DECK, list(deck)
    for level in LEVELS:
        yield f"level {level}", [card for card in deck if card.level == level]


def _relabelled(scope: str, deck: Sequence[Card]) -> Iterator[tuple[str, str, int, int]]:
    """Yield a row for each of the 120 ways to exchange five colors."""
    there = Counter(_turned(card, COLORS) for card in deck)
    for letters in permutations(COLORS):
        kept = there & Counter(_turned(card, letters) for card in deck)
        yield scope, "".join(letters), kept.total(), len(deck)


def _turned(card: Card, letters: Sequence[str]) -> tuple[object, ...]:
    """Return all but the name of a card in which each color has turned into another letter."""
    into: dict[str, str] = dict(zip(COLORS, letters, strict=True))
    cost = frozenset((into[color], number) for color, number in card.cost.items())
    return card.level, card.points, into[card.bonus], cost


# -- which colors pay for which --------------------------------------------------------------------


def color_flow(cards: object = None) -> pd.DataFrame:
    """Return how many gems of each color go into bonuses of each color, by level.

    Parameters
    ----------
    cards
        As for `card_table`.

    Returns
    -------
    DataFrame
        level, bonus, paid : every triple of a level, the color of a bonus and a color of gems
        gems : gems of that color asked for by the cards with that bonus
        cards : cards with that bonus that ask for that color

    Examples
    --------
    Black gems go into the white cards of level 3, white gems into the blue ones, and so on:

    >>> flow = color_flow()
    >>> flow[(flow.level == 3) & (flow.gems == 23)][["paid", "bonus"]].agg("".join, axis=1).tolist()
    ['KW', 'WU', 'UG', 'GR', 'RK']
    """
    deck = deck_of(cards)
    rows = [_flow_of(deck, *triple) for triple in product(LEVELS, COLORS, COLORS)]
    table = pd.DataFrame(rows)
    return table.assign(
        level=levels(table.level), bonus=colors(table.bonus), paid=colors(table.paid)
    )


def _flow_of(deck: Sequence[Card], level: int, bonus: str, paid: str) -> dict[str, object]:
    costs = [card.cost[paid] for card in deck if (card.level, card.bonus) == (level, bonus)]
    asking = sum(cost > 0 for cost in costs)
    return {"level": level, "bonus": bonus, "paid": paid, "gems": sum(costs), "cards": asking}


def own_color_cards(cards: object = None) -> pd.DataFrame:
    """Return the cards that ask for the color of their own bonus.

    Parameters
    ----------
    cards
        As for `card_table`.

    Returns
    -------
    DataFrame
        name, level, bonus, points, shape, total_cost : as in `card_table`
        own_cost : gems asked for in the color of the bonus

    Examples
    --------
    Every second card of levels 2 and 3, but only 6 of the 40 of level 1:

    >>> own_color_cards().level.value_counts(sort=False).to_dict()
    {1: 6, 2: 16, 3: 10}
    """
    deck = deck_of(cards)
    table = card_table(deck)
    table["own_cost"] = pd.Series([card.cost[card.bonus] for card in deck], dtype="int64")
    columns = ["name", "level", "bonus", "points", "shape", "total_cost", "own_cost"]
    return table.loc[table.own_color, columns].reset_index(drop=True)


# -- what is cheap ---------------------------------------------------------------------------------


def family_table(cards: object = None) -> pd.DataFrame:
    """Return a table with a row for each family of cards, which cost the same but for colors.

    Parameters
    ----------
    cards
        As for `card_table`.

    Returns
    -------
    DataFrame
        family, level, shape, points, total_cost, takes : as in `card_table`
        cards : cards of the family
        points_per_gem, points_per_take : as in `card_table`
        gems_per_point, takes_per_point : the price of a point; NaN where there are none

    Examples
    --------
    In gems a point is cheapest on the cards of seven gems, in takes three families are level:

    >>> table = family_table()
    >>> table.loc[table.gems_per_point.idxmin(), "family"]
    'L3 7 4p'
    >>> table.query("takes_per_point == takes_per_point.min()").family.tolist()
    ['L2 6 3p', 'L3 7 4p', 'L3 7+3 5p']
    """
    table = card_table(cards)
    same = ["level", "shape", "points", "total_cost", "takes", "points_per_gem", "points_per_take"]
    families = table.groupby("family", observed=True)
    rows = families[same].first().assign(cards=families.size()).reset_index()
    worth = rows.points.where(rows.points > 0)
    rows["gems_per_point"] = rows.total_cost / worth
    rows["takes_per_point"] = rows.takes / worth
    first = ["family", "level", "shape", "points", "cards"]
    return rows[[*first, *(column for column in rows if column not in first)]]


def savings(cards: object = None) -> pd.DataFrame:
    """Return what bonuses of one color save over all cards, by level.

    A card asks for that much less as there are bonuses, but never for less than nothing [R10].

    Parameters
    ----------
    cards
        As for `card_table`.

    Returns
    -------
    DataFrame
        level, color : every pair of them has rows
        bonuses : bonuses of the color, from 1 to the largest cost in any color
        saved : gems saved over the cards of the level
        marginal : gems saved by the last of these bonuses
        takes_saved : fewest takes saved over the cards of the level; see `fewest_takes`

    Examples
    --------
    The first bonus of a color saves 43 gems over the deck, the seventh 2, whatever the color:

    >>> table = savings()
    >>> by_color = table.groupby(["color", "bonuses"], observed=True).marginal.sum().unstack()
    >>> by_color.drop_duplicates().to_numpy().tolist()
    [[43, 31, 21, 9, 7, 4, 2]]
    """
    deck = deck_of(cards)
    most = max((max(card.cost.values()) for card in deck), default=0)
    rows = [_saved_by(deck, *case) for case in product(LEVELS, COLORS, range(1, most + 1))]
    columns = ["level", "color", "bonuses", "saved", "marginal", "takes_saved"]
    return _typed(pd.DataFrame(rows, columns=columns))


def _saved_by(deck: Sequence[Card], level: int, color: str, bonuses: int) -> dict[str, object]:
    of_level = [card.cost for card in deck if card.level == level]
    costs = [cost[color] for cost in of_level]
    less = [{**cost, color: max(cost[color] - bonuses, 0)} for cost in of_level]
    return {
        "level": level,
        "color": color,
        "bonuses": bonuses,
        "saved": sum(min(cost, bonuses) for cost in costs),
        "marginal": sum(cost >= bonuses for cost in costs),
        "takes_saved": sum(map(fewest_takes, of_level)) - sum(map(fewest_takes, less)),
    }


def _typed(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of levels and colors with its columns in their types."""
    return table.assign(level=levels(table.level), color=colors(table.color))
