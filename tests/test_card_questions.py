"""Answers about the cards, each against a slower way to find it."""

from __future__ import annotations

from itertools import permutations

import pandas as pd
import pytest
from test_takes import searched

from splendor_nb import base_cards
from splendor_nb.analysis.card_questions import (
    color_flow,
    color_sums,
    family_table,
    own_color_cards,
    relabellings,
    savings,
)

COLORS = "WUGRK"
# White pays for blue and blue for white: exchanging the two gives the same cards.
PAIR = [
    {"level": 1, "bonus": "U", "points": 1, "cost": {"W": 2}},
    {"level": 1, "bonus": "W", "points": 1, "cost": {"U": 2}},
]


def test_no_color_is_better_than_another_in_sums() -> None:
    sums = color_sums().drop(columns="color").drop_duplicates().set_index("level")
    assert sums.bonuses.tolist() == [8, 6, 4]
    assert sums.points.tolist() == [1, 11, 16]
    assert sums.paid.tolist() == sums.cost.tolist() == [33, 41, 43]
    assert sums.asked_by.tolist() == [20, 13, 10]


def test_sums_of_one_color_are_those_of_its_cards() -> None:
    row = color_sums().query("level == 2 and color == 'R'").iloc[0]
    red = [card for card in base_cards() if card.name.startswith("2R")]
    level = [card for card in base_cards() if card.level == 2]
    assert (row.bonuses, row.points) == (len(red), sum(card.points for card in red))
    assert row.cost == sum(sum(card.cost.values()) for card in red)
    assert row.paid == sum(card.cost["R"] for card in level)
    assert row.asked_by == len([card for card in level if card.cost["R"]])


# -- symmetry --------------------------------------------------------------------------------------


def test_only_level_3_is_the_same_under_other_names_of_the_colors() -> None:
    maps = relabellings().query("maps").groupby("scope", observed=True).relabelling.agg(list)
    turns = ["WUGRK", "UGRKW", "GRKWU", "RKWUG", "KWUGR"]
    assert maps.to_dict() == {
        "deck": ["WUGRK"],
        "level 1": ["WUGRK"],
        "level 2": ["WUGRK"],
        "level 3": turns,
    }


def test_kept_cards_are_counted_one_by_one() -> None:
    table = relabellings().set_index(["scope", "relabelling"]).kept
    cards = {(c.level, c.points, c.bonus, tuple(c.cost.values())) for c in base_cards()}
    for letters in list(permutations(COLORS))[::17]:
        place = [letters.index(color) for color in COLORS]  # what turns into each color
        images = {
            (level, points, letters[COLORS.index(bonus)], tuple(cost[at] for at in place))
            for level, points, bonus, cost in cards
        }
        assert table["deck", "".join(letters)] == len(images & cards)
        for level in (1, 2, 3):
            kept = sum(image[0] == level for image in images & cards)
            assert table[f"level {level}", "".join(letters)] == kept


def test_all_120_exchanges_are_tried_in_every_scope() -> None:
    table = relabellings()
    assert table.groupby("scope", observed=True).relabelling.nunique().tolist() == [120] * 4
    assert table.groupby("scope", observed=True).cards.first().tolist() == [90, 40, 30, 20]


def test_equal_cards_count_as_often_as_they_are_there() -> None:
    table = relabellings([*PAIR, PAIR[0]])
    exchanged = table.query("relabelling == 'UWGRK'").set_index("scope")
    assert exchanged.kept["deck"] == 2
    assert not exchanged.maps["deck"]
    assert relabellings([*PAIR, *PAIR]).query("relabelling == 'UWGRK'").kept.tolist()[:2] == [4, 4]
    assert relabellings(PAIR).query("relabelling == 'UWGRK'").maps.all()


# -- flow ------------------------------------------------------------------------------------------


def test_the_flow_adds_up_the_costs() -> None:
    flow = color_flow()
    assert len(flow) == 75
    for row in flow.itertuples():
        costs = [c.cost[row.paid] for c in base_cards() if c.name[:2] == f"{row.level}{row.bonus}"]
        assert (row.gems, row.cards) == (sum(costs), len([cost for cost in costs if cost]))


def test_the_flow_of_level_3_runs_around_the_ring() -> None:
    flow = color_flow().query("level == 3").set_index(["paid", "bonus"]).gems
    for paid, bonus in zip("KWUGR", "WUGRK", strict=True):
        assert flow[paid, bonus] == flow.max() == 23


def test_cards_that_ask_for_their_own_color() -> None:
    own = own_color_cards()
    expected = {card.name: card.cost[card.bonus] for card in base_cards() if card.cost[card.bonus]}
    assert dict(zip(own.name, own.own_cost, strict=True)) == expected
    assert len(expected) == 32


# -- worth -----------------------------------------------------------------------------------------


def test_families_are_ranked_by_gems_and_by_takes() -> None:
    table = family_table().set_index("family")
    assert table.gems_per_point.min() == table.gems_per_point["L3 7 4p"] == 7 / 4
    cheapest = table[table.takes_per_point == table.takes_per_point.min()]
    assert cheapest.index.tolist() == ["L2 6 3p", "L3 7 4p", "L3 7+3 5p"]
    assert cheapest.takes_per_point.unique() == [1]


def test_a_family_holds_what_its_cards_have_in_common() -> None:
    table = family_table()
    assert table.cards.tolist() == [5] * 18
    for family in table.itertuples():
        assert family.points_per_gem == family.points / family.total_cost
        assert family.points_per_take == family.points / family.takes
        assert pd.isna(family.gems_per_point) == pd.isna(family.takes_per_point)
        assert pd.isna(family.gems_per_point) == (family.points == 0)


def test_families_of_own_cards_may_have_any_size() -> None:
    assert family_table([*PAIR, PAIR[0]]).cards.tolist() == [3]


# -- savings ---------------------------------------------------------------------------------------


def less(cost: dict[str, int], color: str, bonuses: int) -> dict[str, int]:
    """A cost after some bonuses of one color."""
    return {x: max(number - bonuses * (x == color), 0) for x, number in cost.items()}


def takes_for(cost: dict[str, int]) -> int:
    return searched(tuple(sorted(cost.values())))


@pytest.mark.parametrize("level", [1, 2, 3])
def test_savings_are_the_gems_and_takes_that_cards_cost_less(level: int) -> None:
    costs = [dict(card.cost) for card in base_cards() if card.level == level]
    for row in savings().query(f"level == {level} and color in ['W', 'R']").itertuples():
        after = [less(cost, row.color, row.bonuses) for cost in costs]
        before = [less(cost, row.color, row.bonuses - 1) for cost in costs]
        gems = sum(sum(cost.values()) for cost in costs)
        assert row.saved == gems - sum(sum(cost.values()) for cost in after)
        assert row.marginal == sum(sum(c.values()) for c in before) - (gems - row.saved)
        assert row.takes_saved == sum(map(takes_for, costs)) - sum(map(takes_for, after))


def test_every_color_saves_the_same() -> None:
    table = savings().groupby(["color", "bonuses"], observed=True).marginal.sum().unstack()
    assert table.drop_duplicates().to_numpy().tolist() == [[43, 31, 21, 9, 7, 4, 2]]


def test_savings_of_own_cards_go_as_far_as_their_largest_cost() -> None:
    table = savings(PAIR).query("level == 1 and color == 'W'")
    assert table.bonuses.tolist() == [1, 2]
    assert table.saved.tolist() == [1, 2]
    assert table.takes_saved.tolist() == [0, 1]


def test_no_cards_have_no_savings() -> None:
    assert savings([]).empty
    assert list(savings([])) == list(savings())
