"""Checks for the exercises of the notebooks: each says what is wrong, not only that it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import isclose
from typing import Final

from splendor_nb.analysis.card_chances import chance_of_one
from splendor_nb.engine.cards import COLORS, Card, Gems, base_cards, gems_in_words, join_words
from splendor_nb.engine.forms import shortened

# Bonuses that show one mistake each: none, fewer than asked for, more, and some of all.
_BONUSES: Final = (
    Gems([0, 0, 0, 0, 0]),
    Gems([1, 0, 0, 0, 0]),
    Gems([0, 9, 0, 0, 0]),
    Gems([2, 1, 3, 0, 2]),
)


def check_single_color(names: object) -> str:
    """Return what is right and wrong in a set of the cards that are paid in their own color alone.

    Parameters
    ----------
    names
        The names, ``{"2W6", …}``.

    Examples
    --------
    >>> print(check_single_color({"2W6", "2U3", "2U6", "2G3", "2G6", "2K6", "3K4"}))
    3K4 does not belong: it costs 7 red and 3 black. Cards missing: 1.
    """
    if isinstance(names, str) or not isinstance(names, Iterable):
        return f'Give a set of names, such as {{"2W6"}}: this is {shortened(names)}.'
    given, cards = set(names), {card.name: card for card in base_cards()}
    if unknown := [name for name in given if name not in cards]:
        return f"There is no card {shortened(unknown[0])}."
    wanted = {name for name, card in cards.items() if _asked(card) == [card.bonus]}
    found = [
        f"{name} does not belong: it costs {gems_in_words(cards[name].cost)}."
        for name in sorted(given - wanted)
    ]
    if missing := wanted - given:
        found.append(f"Cards missing: {len(missing)}.")
    return " ".join(found) or f"Right: {len(wanted)} cards, {join_words(sorted(wanted))}."


def check_row_chance(chance: object) -> str:
    """Return what is right or wrong in the chance of a six-gem card among four of level 2.

    Parameters
    ----------
    chance
        From 0 to 1.

    Examples
    --------
    >>> print(check_row_chance(4 * 5 / 30))
    That is how many there are on average; a row with two of them counts once for the chance.
    """
    if isinstance(chance, bool) or not isinstance(chance, (int, float)):
        return f"Give a number from 0 to 1: this is {shortened(chance)}."
    right = chance_of_one(wanted=5, unseen=30, drawn=4)
    known = {
        right: f"Right: {right:.4f}, one less C(25, 4) / C(30, 4).",
        1 - right: "That is the chance of none of them: take it from 1.",
        4 * 5 / 30: "That is how many there are on average; a row with two of them counts once "
        "for the chance.",
        1 - (25 / 30) ** 4: "That would hold if each card went back before the next is drawn: "
        "after one other card 24 of 29 are others, not 25 of 30.",
        5 / 30: "That is the chance for one slot; the row has four.",
        1 - (1 - 5 / 90) ** 4: "The row is dealt from the 30 cards of its level, not from all 90.",
    }
    for value, answer in known.items():
        if isclose(chance, value, abs_tol=5e-5):
            return answer
    if not 0 <= chance <= 1:
        return f"A chance lies from 0 to 1: this is {chance}."
    return f"Too {'low' if chance < right else 'high'}: begin with the chance that none is there."


def check_price(price: object) -> str:
    """Return what is right, or the first thing that is wrong, in a function for prices [R10].

    Parameters
    ----------
    price
        Gets a card and the bonuses of a player, and returns how many gems the card costs then.

    Examples
    --------
    >>> print(check_price(lambda card, bonuses: sum(card.cost.values())))
    1W7 costs 3 white, 1 blue and 1 black; after bonuses of 1 white 4 are left to pay, not 5.
    """
    if not callable(price):
        return f"Give a function of a card and bonuses: this is {shortened(price)}."
    for card, bonuses in _cases():
        got, right = price(card, bonuses), _left_to_pay(card, bonuses)
        if got != right:
            return (
                f"{card.name} costs {gems_in_words(card.cost)}; after bonuses of "
                f"{gems_in_words(bonuses)} {right} are left to pay, not {shortened(got)}."
            )
    return "Right, for every card of the game."


def _cases() -> Iterator[tuple[Card, Gems]]:
    yield from ((card, bonuses) for bonuses in _BONUSES for card in base_cards())


def _asked(card: Card) -> list[str]:
    return [color for color in COLORS if card.cost[color]]


def _left_to_pay(card: Card, bonuses: Gems) -> int:
    return sum(max(card.cost[color] - bonuses[color], 0) for color in COLORS)
