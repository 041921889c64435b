"""The checks of the exercises: what is right, and what each wrong answer is told."""

from __future__ import annotations

from math import comb

import pytest

from splendor_nb import Card, Gems
from splendor_nb.lessons.cards import check_price, check_row_chance, check_single_color

SINGLE = {"2W6", "2U3", "2U6", "2G3", "2G6", "2R6", "2K6"}


def honest_price(card: Card, bonuses: Gems) -> int:
    return sum(cost - min(cost, bonuses[color]) for color, cost in card.cost.items())


# -- one color -------------------------------------------------------------------------------------


def test_the_cards_of_one_color_are_right() -> None:
    assert check_single_color(SINGLE).startswith("Right: 7 cards, 2G3, 2G6")
    assert check_single_color(sorted(SINGLE)).startswith("Right")


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (SINGLE - {"2W6"}, "Cards missing: 1."),
        (SINGLE | {"3K4"}, "3K4 does not belong: it costs 7 red and 3 black."),
        (SINGLE | {"1W6"}, "1W6 does not belong: it costs 3 blue."),
        (SINGLE | {"9Z9"}, "There is no card '9Z9'."),
        ("2W6", "Give a set of names"),
        (None, "Give a set of names"),
    ],
)
def test_wrong_cards_are_told_from_missing_ones(answer: object, sentence: str) -> None:
    assert sentence in check_single_color(answer)
    assert "Right" not in check_single_color(answer)


# -- a chance --------------------------------------------------------------------------------------


def test_the_chance_of_a_row_is_right_to_four_places() -> None:
    chance = 1 - comb(25, 4) / comb(30, 4)
    assert check_row_chance(chance).startswith("Right: 0.5384")
    assert check_row_chance(round(chance, 4)).startswith("Right")
    assert not check_row_chance(round(chance, 2)).startswith("Right")


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (comb(25, 4) / comb(30, 4), "chance of none"),
        (4 * 5 / 30, "on average"),
        (1 - (25 / 30) ** 4, "went back"),
        (5 / 30, "for one slot"),
        (1 - (85 / 90) ** 4, "from the 30 cards of its level"),
        (0.4, "Too low"),
        (0.9, "Too high"),
        (54, "from 0 to 1"),
        ("half", "Give a number"),
        (True, "Give a number"),
        (None, "Give a number"),
    ],
)
def test_each_way_to_miss_the_chance_is_told_apart(answer: object, sentence: str) -> None:
    assert sentence in check_row_chance(answer)
    assert "Right" not in check_row_chance(answer)


# -- a price ---------------------------------------------------------------------------------------


def test_a_price_that_keeps_to_the_rules_is_right() -> None:
    assert check_price(honest_price) == "Right, for every card of the game."


def test_a_price_that_forgets_the_bonuses_is_shown_a_card() -> None:
    answer = check_price(lambda card, bonuses: sum(card.cost.values()))
    assert "after bonuses of 1 white 4 are left to pay, not 5" in answer


def test_a_price_that_counts_bonuses_that_are_not_needed_is_shown_a_card() -> None:
    answer = check_price(lambda card, bonuses: sum(card.cost.values()) - sum(bonuses.values()))
    assert answer.startswith("1W1 costs 2 red and 1 black; after bonuses of 1 white 3 are left")


def test_a_price_below_nothing_is_shown_a_card() -> None:
    def below(card: Card, bonuses: Gems) -> int:
        return sum(card.cost[x] - bonuses[x] for x in bonuses if card.cost[x])

    assert "after bonuses of 9 blue" in check_price(below)


def test_a_price_of_one_color_alone_is_shown_a_card() -> None:
    def only_white(card: Card, bonuses: Gems) -> int:
        return sum(card.cost.values()) - min(card.cost["W"], bonuses["W"])

    assert "9 blue" in check_price(only_white)


def test_an_answer_that_is_no_function_is_told() -> None:
    assert check_price(3).startswith("Give a function")
    assert "not None" in check_price(lambda card, bonuses: None)
