"""Chances around cards that nobody has seen yet, all exact."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import comb, prod
from typing import TypeAlias

import pandas as pd

from splendor_nb.analysis.card_stats import card_table, colors, deck_of, levels
from splendor_nb.engine.cards import COLORS, LEVELS, Back, Card
from splendor_nb.engine.forms import check_whole_number, shortened
from splendor_nb.engine.state import Observation

SHOWN = 4  # open cards of each level [R4]

Wish: TypeAlias = Callable[[Card], bool]


def chance_of_one(wanted: int, unseen: int, drawn: int) -> float:
    """Return the chance that among cards drawn without putting back there is one that is wanted.

    It is 1 less the chance of none, C(unseen − wanted, drawn) / C(unseen, drawn): the
    hypergeometric distribution.

    Parameters
    ----------
    wanted
        Cards that would do, from 0 to `unseen`.
    unseen
        Cards that are drawn from.
    drawn
        Cards drawn, from 0 to `unseen`.

    Raises
    ------
    TypeError, ValueError
        Where a number is out of its range.

    Examples
    --------
    One of eight black cards among four of forty:

    >>> round(chance_of_one(wanted=8, unseen=40, drawn=4), 4)
    0.6065
    """
    unseen = check_whole_number("unseen", unseen, 0)
    wanted = check_whole_number("wanted", wanted, 0, unseen)
    drawn = check_whole_number("drawn", drawn, 0, unseen)
    return float(1 - _chance_of_none(wanted, unseen, drawn))


def market_chances(wish: Wish, cards: object = None) -> pd.DataFrame:
    """Return the chances that a fresh market shows at least one card with a property, by level.

    Parameters
    ----------
    wish
        The property: a function of a `Card`.
    cards
        What the market is dealt from, as for `card_table`.

    Returns
    -------
    DataFrame
        level : 1 < 2 < 3
        cards : cards of the level
        wanted : those with the property
        shown : how many are shown, four or all that there are [R4]
        expected : those with the property among the shown, on average
        chance : that at least one of them is there

    Raises
    ------
    TypeError
        Where the property is no function.

    Examples
    --------
    >>> market_chances(lambda card: card.bonus == "K").round(3)[["wanted", "chance"]].T
                0      1      2
    wanted  8.000  6.000  4.000
    chance  0.607  0.612  0.624
    """
    deck = deck_of(cards)
    rows = [_chance_on(level, deck, _checked(wish)) for level in LEVELS]
    return pd.DataFrame(rows).assign(level=levels(LEVELS))


def market_chance(wish: Wish, cards: object = None) -> float:
    """Return the chance that a fresh market shows at least one card with a property.

    Parameters
    ----------
    wish, cards
        As for `market_chances`.

    Raises
    ------
    TypeError
        Where the property is no function.

    Examples
    --------
    >>> round(market_chance(lambda card: card.bonus == "K"), 3)
    0.943
    """
    return 1 - prod((1 - market_chances(wish, cards).chance).tolist(), start=1.0)


def waits(wish: str | Wish, level: int | None = None, *, among: object = None) -> pd.DataFrame:
    """Return how many cards must leave the market before one that is wanted lies open.

    Each card that leaves, bought or reserved, makes the next one of its deck come up [R12].

    Parameters
    ----------
    wish
        The name of a card, or a property: a function of a `Card`.
    level
        The level whose cards leave and come; that of the card where one is named.
    among
        An `Observation`: from there on, as far as its seat can know. Or what a fresh market is
        dealt from, as for `card_table`.

    Returns
    -------
    DataFrame
        left : cards of the level that have left since, from 0
        chance : that just then the first one that is wanted lies open
        by_then : that one does by then
        All chances come to 1 unless one may lie in somebody's unseen reserve, or all have gone.

    Raises
    ------
    TypeError, ValueError
        Where there is no such card or level, or the level is missing.

    Examples
    --------
    One card of level 1 waits for almost 17 others to leave, on average; any black one for 1.6:

    >>> table = waits("1K8")
    >>> float((table.left * table.chance).sum())
    16.65
    >>> table = waits(lambda card: card.bonus == "K", level=1)
    >>> round(float((table.left * table.chance).sum()), 3)
    1.618
    """
    wish, level = _wish_and_level(wish, level, _deck_among(among))
    pile = _pile(among, level)
    by_then = [Fraction(1)] if any(map(wish, pile.known)) else _by_then(wish, pile)
    steps = [now - before for before, now in pairwise([Fraction(0), *by_then])]
    return pd.DataFrame(
        {
            "left": range(len(by_then)),
            "chance": [float(step) for step in steps],
            "by_then": [float(chance) for chance in by_then],
        }
    )


def what_is_left(observation: Observation) -> pd.DataFrame:
    """Return how many cards a seat has not seen yet, by level and color of the bonus.

    They lie in the decks or, reserved unseen, before somebody else [R18].

    Parameters
    ----------
    observation
        The seat's view, ``state.observation(player=0)``.

    Returns
    -------
    DataFrame
        level, bonus : every pair of them has a row
        cards : cards in the game
        unseen : those that the seat has not seen
        points : points on the unseen ones
        chance : that the next card of the deck, or any that the seat cannot see, is one of them;
        NaN where the level has none left

    Raises
    ------
    TypeError
        Where it is no observation.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> table = what_is_left(new_game(players=2, seed=7).observation(player=0))
    >>> table.groupby("level", observed=True).unseen.sum().tolist()
    [36, 26, 16]
    """
    deck, unseen = _table_of(observation), unseen_cards(observation)
    rows = [_left_of(deck, unseen, level, bonus) for level in LEVELS for bonus in COLORS]
    table = pd.DataFrame(rows)
    table = table.assign(level=levels(table.level), bonus=colors(table.bonus))
    of_level = table.groupby("level", observed=True).unseen.transform("sum")
    return table.assign(chance=table.unseen / of_level.where(of_level > 0))


def unseen_reserve(observation: Observation, level: int) -> pd.DataFrame:
    """Return what a card of a level that was reserved unseen may be, from a seat's view.

    The same holds for the next card of that deck. Every card that the seat has not seen has the
    same chance: what others do with a card is not taken for a sign of what it is.

    Parameters
    ----------
    observation
        The seat's view, ``state.observation(player=0)``.
    level
        1, 2 or 3.

    Returns
    -------
    DataFrame
        The rows of `card_table` that it may be, and as the last column
        chance : that it is this one; they come to 1

    Raises
    ------
    TypeError, ValueError
        Where it is no observation, or there is no such level.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> seen = new_game(players=2, seed=7).observation(player=0)
    >>> table = unseen_reserve(seen, level=3)
    >>> table.groupby("points").chance.sum().to_dict()
    {3: 0.3125, 4: 0.4375, 5: 0.25}
    """
    level = check_whole_number("level", level, 1, 3)
    unseen = [card for card in unseen_cards(observation) if card.level == level]
    return card_table(unseen).assign(chance=1 / len(unseen) if unseen else 1.0)


def unseen_cards(observation: Observation) -> list[Card]:
    """Return the cards that a seat has not seen yet, in table order.

    Raises
    ------
    TypeError
        Where it is no observation.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> len(unseen_cards(new_game(players=2, seed=7).observation(player=0)))
    78
    """
    seen = set(_seen(observation))
    return [card for card in _table_of(observation) if card not in seen]


# -- what lies where -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Pile:
    """The cards of a level that lie open or will; which of the unseen ones lie where is chance.

    Attributes
    ----------
    known
        Open cards.
    unseen
        Cards that have not been seen.
    turned
        How many of those lie open by now, without having been seen.
    deck
        How many of those will come.
    """

    known: tuple[Card, ...]
    unseen: tuple[Card, ...]
    turned: int
    deck: int


def _pile(among: object, level: int) -> _Pile:
    if isinstance(among, Observation):
        return _pile_seen(among, level)
    unseen = tuple(card for card in deck_of(among) if card.level == level)
    shown = min(SHOWN, len(unseen))
    return _Pile((), unseen, shown, len(unseen) - shown)


def _pile_seen(observation: Observation, level: int) -> _Pile:
    """Return the pile of a level; a slot that an action of the view has refilled holds a back."""
    row = observation.market[level - 1]
    return _Pile(
        known=tuple(card for card in row if isinstance(card, Card)),
        unseen=tuple(card for card in unseen_cards(observation) if card.level == level),
        turned=sum(isinstance(card, Back) for card in row),
        deck=observation.deck_sizes[level - 1],
    )


def _by_then(wish: Wish, pile: _Pile) -> list[Fraction]:
    """Return the chance that a wanted card has come up, after 0, 1, 2 … have left."""
    unseen, wanted = len(pile.unseen), sum(map(wish, pile.unseen))
    turned = range(pile.turned, pile.turned + pile.deck + 1)
    return [1 - _chance_of_none(wanted, unseen, number) for number in turned]


def _chance_of_none(wanted: int, unseen: int, drawn: int) -> Fraction:
    return Fraction(comb(unseen - wanted, drawn), comb(unseen, drawn))


def _chance_on(level: int, deck: Sequence[Card], wish: Wish) -> dict[str, float]:
    of_level = [card for card in deck if card.level == level]
    number, wanted = len(of_level), sum(map(wish, of_level))
    shown = min(SHOWN, number)
    return {
        "level": level,
        "cards": number,
        "wanted": wanted,
        "shown": shown,
        "expected": shown * wanted / number if number else 0.0,
        "chance": chance_of_one(wanted, number, shown),
    }


def _left_of(
    deck: Sequence[Card], unseen: Iterable[Card], level: int, bonus: str
) -> dict[str, object]:
    left = [card for card in unseen if (card.level, card.bonus) == (level, bonus)]
    return {
        "level": level,
        "bonus": bonus,
        "cards": sum((card.level, card.bonus) == (level, bonus) for card in deck),
        "unseen": len(left),
        "points": sum(card.points for card in left),
    }


def _seen(observation: Observation) -> Iterator[Card]:
    """Yield the cards that lie face up or in the seat's own hand."""
    rows = [*observation.market]
    for seat in observation.seats:
        rows += [seat.bought, seat.reserved]
    yield from (card for row in rows for card in row if isinstance(card, Card))


# -- what is asked ---------------------------------------------------------------------------------


def _deck_among(among: object) -> tuple[Card, ...]:
    return _table_of(among) if isinstance(among, Observation) else deck_of(among)


def _table_of(observation: object) -> tuple[Card, ...]:
    if not isinstance(observation, Observation):
        raise TypeError(
            "observation is what a seat sees, state.observation(player=0), "
            f"not a {type(observation).__name__}."
        )
    return observation.tables.components.cards


def _wish_and_level(wish: str | Wish, level: int | None, deck: Sequence[Card]) -> tuple[Wish, int]:
    if isinstance(wish, str):
        card = _named(wish, deck)
        if level not in {None, card.level}:
            raise ValueError(f"The card {card.name} is of level {card.level}, not {level!r}.")
        return card.__eq__, card.level
    if level is None:
        raise ValueError("level is 1, 2 or 3 where the wish is a property and names no card.")
    return _checked(wish), check_whole_number("level", level, LEVELS[0], LEVELS[-1])


def _named(name: str, deck: Sequence[Card]) -> Card:
    found = [card for card in deck if card.name == name]
    if not found:
        raise ValueError(f"There is no card {shortened(name)} among these {len(deck)}.")
    return found[0]


def _checked(wish: object) -> Wish:
    if not callable(wish):
        raise TypeError(f"wish is a function of a Card, not {shortened(wish)}.")
    return wish
