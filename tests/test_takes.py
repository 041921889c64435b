"""The fewest takes that bring a cost, against every way to take gems."""

from __future__ import annotations

from functools import cache
from itertools import combinations, combinations_with_replacement

import pytest
from hypothesis import given
from hypothesis import strategies as st

from splendor_nb.analysis.takes import fewest_takes
from splendor_nb.engine.cards import COLORS, base_cards

COSTS = st.lists(st.integers(0, 9), min_size=5, max_size=5)
TAKES = [
    *(tuple(int(color in three) for color in range(5)) for three in combinations(range(5), 3)),
    *(tuple(2 * int(color == two) for color in range(5)) for two in range(5)),
]


@cache
def searched(cost: tuple[int, ...]) -> int:
    """The answer found by trying every take first, for a cost in ascending order."""
    if not any(cost):
        return 0
    after = {
        tuple(sorted(max(need - got, 0) for need, got in zip(cost, take, strict=True)))
        for take in TAKES
    }
    return 1 + min(searched(rest) for rest in after if rest != cost)


def test_every_small_cost_takes_as_few_as_a_search_finds() -> None:
    for cost in combinations_with_replacement(range(6), 5):
        assert fewest_takes(cost) == searched(cost), cost


def test_every_card_of_the_game_takes_as_few_as_a_search_finds() -> None:
    for card in base_cards():
        assert fewest_takes(card.cost) == searched(tuple(sorted(card.cost.values()))), card


@given(COSTS, st.permutations(range(5)))
def test_the_colors_play_no_part(cost: list[int], order: list[int]) -> None:
    assert fewest_takes(cost) == fewest_takes([cost[at] for at in order])


@given(COSTS, st.integers(0, 4))
def test_one_gem_more_costs_at_most_one_take_more(cost: list[int], color: int) -> None:
    more = [number + (at == color) for at, number in enumerate(cost)]
    assert 0 <= fewest_takes(more) - fewest_takes(cost) <= 1


@given(COSTS)
def test_a_take_brings_two_or_three_gems_at_most(cost: list[int]) -> None:
    assert fewest_takes(cost) >= max(sum(cost) / 3, max(cost) / 2)


def test_a_mapping_may_leave_colors_out() -> None:
    assert fewest_takes({}) == 0
    assert fewest_takes({"K": 7}) == fewest_takes([0, 0, 0, 0, 7]) == 4


def test_one_gem_of_each_color_takes_two() -> None:
    assert fewest_takes(dict.fromkeys(COLORS, 1)) == 2


@pytest.mark.parametrize(
    ("cost", "error", "sentence"),
    [
        ([1, 2], ValueError, r"five numbers, or a mapping of 'W', .* not \[1, 2\]"),
        ({"*": 1}, ValueError, r"five numbers, or a mapping of 'W'"),
        ("WWUGR", ValueError, r"five numbers, or a mapping"),
        (7, ValueError, r"five numbers, or a mapping .* not 7"),
        ([0, 0, -1, 0, 0], ValueError, r"cost\[2\] is a whole number from 0, not -1"),
        ({"G": 1.5}, TypeError, r"cost: G is a whole number from 0, not 1.5"),
        ([True, 0, 0, 0, 0], TypeError, r"cost\[0\] is a whole number"),
    ],
)
def test_what_is_no_cost_is_refused(cost: object, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        fewest_takes(cost)  # type: ignore[arg-type]
