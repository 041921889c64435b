"""The checks of the exercises on nobles say what is wrong, and when nothing is."""

from __future__ import annotations

from typing import Any

import pytest

from splendor_nb.analysis.noble_plans import noble_plan
from splendor_nb.lessons.nobles import LONGEST_PLAN, UNSOLVED, check_both, check_missing, check_plan

COLORS = "WUGRK"


def nothing(*_given: Any) -> None:
    """An exercise that nobody has begun."""


def lacks(seat: Any, noble: Any) -> int:
    return sum(max(0, noble.cost[color] - seat.bonuses[color]) for color in COLORS)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda a, b: sum(max(a.cost[c], b.cost[c]) for c in COLORS), "Right, for all 45 pairs."),
        (lambda a, b: sum(a.cost.values()) + sum(b.cost.values()), "That is the sum"),
        (
            lambda a, b: max(sum(a.cost.values()), sum(b.cost.values())),
            "9 cards, but 11 are needed. That is what the dearer one asks for",
        ),
        (lambda a, b: 12, "you count 12 cards, not 11."),
        (nothing, UNSOLVED),
        (11, "Give a function of two nobles: this is 11."),
    ],
)
def test_the_cards_for_two_nobles(answer: Any, said: str) -> None:
    assert said in check_both(answer)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lacks, "Right, for every seat and noble of a whole game."),
        (lambda seat, noble: sum(noble.cost.values()), "Bonuses that are there count."),
        (
            lambda seat, noble: sum(noble.cost[c] - seat.bonuses[c] for c in COLORS),
            "do not make up for another color",
        ),
        (
            lambda seat, noble: sum(
                max(0, noble.cost[c] - seat.bonuses[c] - seat.tokens[c]) for c in COLORS
            ),
            "Tokens do not count for a noble",
        ),
        (lambda seat, noble: lacks(seat, noble) + 5, "missing, not"),
        (nothing, UNSOLVED),
        ("8", "Give a function of a seat and a noble: this is '8'."),
    ],
)
def test_the_bonuses_missing(answer: Any, said: str) -> None:
    assert said in check_missing(answer)


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        (["take WUG", "buy 1W1"], "Action 2, 'buy 1W1': You cannot pay 1W1"),
        (["take WRK", "take WRK", "buy 1W1"], "WU does not come: bonuses missing are 3 white"),
        (["take RRK"], "'take RRK' is no action"),
        (["buy 1W99"], "'buy 1W99' names a card that this game does not have"),
        ([], "the plan is empty"),
        ("take WUG", "Give a list of at most"),
        (["take WUG"] * (LONGEST_PLAN + 1), "Give a list of at most"),
    ],
)
def test_a_plan_that_does_not_work_says_where(plan: Any, said: str) -> None:
    assert said in check_plan("WU", plan, most_tokens=14)


def test_a_plan_is_measured_by_its_tokens() -> None:
    dear = noble_plan("WU", most_cards=8)
    assert check_plan("WU", dear.actions, most_tokens=14) == (
        "WU comes, but for 15 tokens; 14 are to suffice."
    )
    cheap = noble_plan("WU", most_cards=9)
    assert check_plan("WU", list(cheap.actions), most_tokens=14) == (
        "Right: WU comes, for 12 tokens and with 9 cards."
    )


def test_a_plan_for_another_noble_does_not_do() -> None:
    said = check_plan("WU", noble_plan("RK", most_cards=8).actions, most_tokens=20)
    assert said.startswith("WU does not come")


def test_there_is_no_plan_for_a_noble_that_is_none() -> None:
    with pytest.raises(ValueError, match="There is no noble 'XY'"):
        check_plan("XY", ["take WUG"], most_tokens=9)
