"""Tables of the cards and of the nobles, with what can be worked out from their numbers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

import pandas as pd

from splendor_nb.analysis.takes import fewest_takes
from splendor_nb.engine.cards import COLORS, LEVELS, Card, Gems, Noble, base_cards, base_nobles
from splendor_nb.engine.options import make_components

Piece = TypeVar("Piece", Card, Noble)

LEVEL: Final = pd.CategoricalDtype([*LEVELS], ordered=True)
"""The type of a column of levels: 1 < 2 < 3."""

COLOR: Final = pd.CategoricalDtype([*COLORS], ordered=True)
"""The type of a column of colors: W < U < G < R < K."""


def card_table(cards: object = None) -> pd.DataFrame:
    """Return a table with a row for each card, in the order of the cards.

    Parameters
    ----------
    cards
        Cards, or mappings as `new_game` takes them; by default the 90 of the base game.

    Returns
    -------
    DataFrame
        name : text, ``"2U5"``
        level : 1 < 2 < 3
        bonus : the color of the bonus, W < U < G < R < K
        points : prestige points
        W, U, G, R, K : gems asked for, by color
        total_cost : gems asked for in all
        colors : the number of colors asked for
        largest_cost : the largest number of gems asked for in one color
        takes : the fewest takes that bring the cost; see `fewest_takes`
        points_per_gem : points by total cost; NaN for a card that costs nothing
        points_per_take : points by takes; NaN for a card that costs nothing
        own_color : whether the color of the bonus is among those asked for
        shape : the numbers of the cost without their colors, the largest first, ``"4+2+1"``
        family : the cards of one level with one shape and the same points, ``"L2 4+2+1 2p"``;
        in the base game always five, one of each bonus; ordered by level, points and cost

    Raises
    ------
    TypeError, ValueError
        Where a card has not the form; the message names the place.

    Examples
    --------
    >>> table = card_table()
    >>> table.loc[table.name == "2U4", ["total_cost", "shape", "family", "takes"]].to_dict("list")
    {'total_cost': [7], 'shape': ['4+2+1'], 'family': ['L2 4+2+1 2p'], 'takes': [3]}
    >>> table.family.nunique(), set(table.family.value_counts())
    (18, {5})
    """
    deck = deck_of(cards)
    table = pd.DataFrame(
        {
            "name": pd.Series([card.name for card in deck], dtype="str"),
            "level": levels(card.level for card in deck),
            "bonus": colors(card.bonus for card in deck),
            "points": _numbers(card.points for card in deck),
            **_cost_columns([card.cost for card in deck]),
        }
    )
    table["takes"] = _numbers(fewest_takes(card.cost) for card in deck)
    table["points_per_gem"] = table.points / table.total_cost.where(table.total_cost > 0)
    table["points_per_take"] = table.points / table.takes.where(table.takes > 0)
    own = [card.cost[card.bonus] > 0 for card in deck]
    table["own_color"] = pd.Series(own, dtype="bool")
    table["shape"] = pd.Series([shape_of(card.cost) for card in deck], dtype="str")
    table["family"] = _families(deck)
    return table


def noble_table(nobles: object = None) -> pd.DataFrame:
    """Return a table with a row for each noble, in the order of the nobles.

    Parameters
    ----------
    nobles
        Nobles, or mappings as `new_game` takes them; by default the 10 of the base game.

    Returns
    -------
    DataFrame
        name : the colors asked for, ``"WUK"``
        title : the historical name; empty for a noble of one's own
        points : prestige points
        W, U, G, R, K : bonuses asked for, by color
        total_cost : bonuses asked for in all
        colors : the number of colors asked for
        largest_cost : the largest number of bonuses asked for in one color
        points_per_bonus : points by total cost
        shape : the numbers without their colors, ``"3+3+3"``

    Raises
    ------
    TypeError, ValueError
        Where a noble has not the form; the message names the place.

    Examples
    --------
    >>> noble_table().query("shape == '4+4'").name.tolist()
    ['RK', 'GR', 'UG', 'WK', 'WU']
    """
    tiles = _tiles(nobles)
    table = pd.DataFrame(
        {
            "name": pd.Series([noble.name for noble in tiles], dtype="str"),
            "title": pd.Series([noble.title for noble in tiles], dtype="str"),
            "points": _numbers(noble.points for noble in tiles),
            **_cost_columns([noble.cost for noble in tiles]),
        }
    )
    table["points_per_bonus"] = table.points / table.total_cost
    table["shape"] = pd.Series([shape_of(noble.cost) for noble in tiles], dtype="str")
    return table


def deck_of(cards: object = None) -> tuple[Card, ...]:
    """Return cards as they are, or made from mappings; by default the 90 of the base game.

    Raises
    ------
    TypeError, ValueError
        Where they are neither; the message names the place.

    Examples
    --------
    >>> deck_of([{"level": 1, "bonus": "K", "points": 0, "cost": {"G": 3}}])
    (<card 1K1: 0 points, costs 3 green>,)
    """
    if cards is None:
        return base_cards()
    if (given := _all_of(Card, cards)) is not None:
        return given
    return make_components(cards=cards).cards


def shape_of(cost: Gems) -> str:
    """Return the numbers of a cost without their colors, the largest first.

    Examples
    --------
    >>> shape_of(Gems([0, 1, 4, 0, 2]))
    '4+2+1'
    >>> shape_of(Gems([0, 0, 0, 0, 0]))
    '0'
    """
    return "+".join(map(str, sorted(filter(None, cost.values()), reverse=True))) or "0"


def family_of(card: Card) -> str:
    """Return the level, the shape of the cost and the points, which a family has in common.

    Examples
    --------
    >>> family_of(base_cards()[-1])
    'L3 7+3 5p'
    """
    return f"L{card.level} {shape_of(card.cost)} {card.points}p"


def levels(values: Iterable[int]) -> pd.Series:
    """Return a column of levels in their order.

    Examples
    --------
    >>> levels([3, 1]).sort_values().tolist()
    [1, 3]
    """
    return pd.Series(list(values), dtype=LEVEL)


def colors(letters: Iterable[str]) -> pd.Series:
    """Return a column of colors in the order ``W U G R K``.

    Examples
    --------
    >>> colors("KW").sort_values().tolist()
    ['W', 'K']
    """
    return pd.Series(list(letters), dtype=COLOR)


def _numbers(values: Iterable[int]) -> pd.Series:
    return pd.Series(list(values), dtype="int64")


def _cost_columns(costs: Sequence[Gems]) -> dict[str, pd.Series]:
    """Return a column a color, and what is counted from them."""
    by_color: dict[str, pd.Series] = {
        color: _numbers(cost[color] for cost in costs) for color in COLORS
    }
    return {
        **by_color,
        "total_cost": _numbers(sum(cost.values()) for cost in costs),
        "colors": _numbers(sum(number > 0 for number in cost.values()) for cost in costs),
        "largest_cost": _numbers(max(cost.values()) for cost in costs),
    }


def _families(deck: Sequence[Card]) -> pd.Series:
    """Return the family of each card, ordered as the text of their names is not: 10 after 9."""
    ordered = sorted(deck, key=lambda c: (c.level, c.points, sum(c.cost.values()), family_of(c)))
    names = list(dict.fromkeys(family_of(card) for card in ordered))
    dtype = pd.CategoricalDtype(pd.Index(names, dtype="str"), ordered=True)
    return pd.Series([family_of(card) for card in deck], dtype=dtype)


def _tiles(nobles: object) -> tuple[Noble, ...]:
    if nobles is None:
        return base_nobles()
    if (given := _all_of(Noble, nobles)) is not None:
        return given
    return make_components(nobles=nobles).nobles


def _all_of(kind: type[Piece], rows: object) -> tuple[Piece, ...] | None:
    """Return rows of which all are of this kind; None where they have to be read first."""
    if not isinstance(rows, (list, tuple)) or not all(isinstance(row, kind) for row in rows):
        return None
    return tuple(rows)
