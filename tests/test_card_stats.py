"""The tables of cards and nobles, against the files in data/ read by themselves."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from test_takes import searched

from splendor_nb import Card, Gems, Noble, base_cards, base_nobles
from splendor_nb.analysis.card_stats import card_table, deck_of, noble_table, shape_of

DATA = Path(__file__).parents[1] / "data"
NAMES = dict(zip("WUGRK", ("white", "blue", "green", "red", "black"), strict=True))
LETTERS = {name: letter for letter, name in NAMES.items()}
TINY = [
    {"level": 1, "bonus": "K", "points": 0, "cost": {}},
    {"level": 3, "bonus": "W", "points": 10, "cost": {"W": 10, "U": 1}},
    {"level": 3, "bonus": "W", "points": 9, "cost": {"G": 10, "R": 1}},
]


def rows_of(file: str) -> list[dict[str, str]]:
    with (DATA / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def costs_of(row: dict[str, str]) -> list[int]:
    return [int(row[name]) for name in NAMES.values()]


def expected_card(row: dict[str, str], number: int) -> dict[str, Any]:
    """A row of the table, worked out from a row of cards.csv."""
    costs = costs_of(row)
    asked = sorted((cost for cost in costs if cost), reverse=True)
    bonus, points = LETTERS[row["bonus"]], int(row["points"])
    shape = "+".join(str(cost) for cost in asked)
    takes = searched(tuple(sorted(costs)))
    return {
        "name": f"{row['level']}{bonus}{number}",
        "level": int(row["level"]),
        "bonus": bonus,
        "points": points,
        **dict(zip("WUGRK", costs, strict=True)),
        "total_cost": sum(costs),
        "colors": len(asked),
        "largest_cost": asked[0],
        "takes": takes,
        "points_per_gem": points / sum(costs),
        "points_per_take": points / takes,
        "own_color": int(row[row["bonus"]]) > 0,
        "shape": shape,
        "family": f"L{row['level']} {shape} {points}p",
    }


def test_every_column_of_every_card_agrees_with_the_file() -> None:
    seen: Counter[tuple[str, str]] = Counter()
    expected = []
    for row in rows_of("cards.csv"):
        seen[row["level"], row["bonus"]] += 1
        expected.append(expected_card(row, seen[row["level"], row["bonus"]]))
    assert card_table().to_dict("records") == expected


def test_every_column_of_every_noble_agrees_with_the_file() -> None:
    expected = [
        {
            "name": "".join(x for x, cost in zip("WUGRK", costs_of(row), strict=True) if cost),
            "title": row["name"],
            "points": 3,
            **dict(zip("WUGRK", costs_of(row), strict=True)),
            "total_cost": sum(costs_of(row)),
            "colors": sum(cost > 0 for cost in costs_of(row)),
            "largest_cost": max(costs_of(row)),
            "points_per_bonus": 3 / sum(costs_of(row)),
            "shape": "4+4" if max(costs_of(row)) == 4 else "3+3+3",
        }
        for row in rows_of("nobles.csv")
    ]
    assert noble_table().to_dict("records") == expected


def test_the_sums_are_those_of_the_rules() -> None:
    levels = card_table().groupby("level", observed=True)
    assert levels.size().to_dict() == {1: 40, 2: 30, 3: 20}
    assert levels.points.sum().to_dict() == {1: 5, 2: 55, 3: 80}
    assert levels[list("WUGRK")].sum().to_numpy().tolist() == [[33] * 5, [41] * 5, [43] * 5]
    assert levels.bonus.value_counts().groupby("level", observed=True).unique().tolist() == [
        [8],
        [6],
        [4],
    ]


def test_the_deck_is_made_of_18_families_with_a_card_of_each_bonus() -> None:
    families = card_table().groupby("family", observed=True)
    assert families["level"].first().value_counts().to_dict() == {1: 8, 2: 6, 3: 4}
    assert families.bonus.agg(lambda bonus: "".join(sorted(bonus))).unique() == ["GKRUW"]


def test_levels_colors_and_families_have_an_order() -> None:
    table = card_table()
    assert table.level.max() == 3
    assert table.bonus.sort_values().drop_duplicates().tolist() == list("WUGRK")
    in_order = table.sort_values("family")
    assert in_order.level.is_monotonic_increasing
    same_level = in_order[in_order.level == 3]
    assert same_level.points.is_monotonic_increasing


def test_columns_have_the_types_that_are_documented() -> None:
    numbers = ["points", *"WUGRK", "total_cost", "colors", "largest_cost", "takes"]
    table = card_table()
    assert set(table[numbers].dtypes) == {pd.Series([0], dtype="int64").dtype}
    assert table.own_color.dtype == bool
    assert table[["points_per_gem", "points_per_take"]].dtypes.eq(float).all()
    assert [str(table[column].dtype) for column in ("name", "shape")] == ["str", "str"]
    assert [str(table[column].dtype) for column in ("level", "bonus", "family")] == ["category"] * 3


def test_every_column_is_documented() -> None:
    for make in (card_table, noble_table):
        text = make.__doc__ or ""
        lines = [line.strip() for line in text.split("Returns")[1].splitlines()]
        named = ", ".join(line.split(" : ")[0] for line in lines if " : " in line)
        assert named.split(", ") == list(make())


def test_a_table_without_cards_has_the_same_columns() -> None:
    assert list(card_table([])) == list(card_table())
    assert card_table([]).level.dtype == card_table().level.dtype
    assert list(noble_table([])) == list(noble_table())


def test_own_cards_may_be_given_as_new_game_takes_them() -> None:
    table = card_table(TINY)
    assert table.name.tolist() == ["1K1", "3W1", "3W2"]
    assert table["shape"].tolist() == ["0", "10+1", "10+1"]
    assert table.own_color.tolist() == [False, True, False]
    assert table.family.cat.categories.tolist() == ["L1 0 0p", "L3 10+1 9p", "L3 10+1 10p"]


def test_what_costs_nothing_has_no_price_per_point() -> None:
    free = card_table(TINY).iloc[0]
    assert pd.isna(free.points_per_gem)
    assert pd.isna(free.points_per_take)


def test_cards_and_nobles_may_be_given_as_values() -> None:
    card = Card("2K9", 2, "K", 1, Gems([0, 0, 0, 0, 3]))
    assert deck_of([card]) == (card,)
    assert card_table([card]).name.tolist() == ["2K9"]
    assert card_table(base_cards()).equals(card_table())
    assert noble_table(base_nobles()).equals(noble_table())
    assert noble_table([Noble("W", 5, Gems([4, 0, 0, 0, 0]))]).points_per_bonus.tolist() == [1.25]


def test_own_nobles_may_be_given_as_new_game_takes_them() -> None:
    assert noble_table([{"points": 4, "cost": {"K": 2, "W": 1}}]).name.tolist() == ["WK"]


@pytest.mark.parametrize(
    ("cards", "error", "sentence"),
    [
        ("3W4", TypeError, "cards is a list of mappings, not '3W4'"),
        ("", TypeError, "cards is a list of mappings, not ''"),
        (7, TypeError, "cards is a list of mappings, not 7"),
        ([{"level": 4}], ValueError, r"cards\[0\] is a mapping with the fields"),
        ([*TINY, TINY[0] | {"level": 4}], ValueError, r"cards\[3\]: level is a whole number"),
        ([*TINY, TINY[0] | {"bonus": "B"}], ValueError, r"cards\[3\]: bonus is one of 'W'"),
        ([TINY[0] | {"cost": {"W": -1}}], ValueError, r"cards\[0\]: cost: W is a whole number"),
        ([base_cards()[0], TINY[0]], ValueError, r"cards\[0\] is a mapping"),
    ],
)
def test_what_is_no_list_of_cards_is_refused(
    cards: object, error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        card_table(cards)


def test_what_is_no_list_of_nobles_is_refused() -> None:
    with pytest.raises(TypeError, match="nobles is a list of mappings, not 'WK'"):
        noble_table("WK")
    with pytest.raises(ValueError, match=r"nobles\[0\]: cost asks for nothing"):
        noble_table([{"points": 3, "cost": {}}])


def test_a_shape_forgets_the_colors() -> None:
    assert shape_of(Gems([0, 3, 0, 5, 0])) == shape_of(Gems([5, 0, 0, 0, 3])) == "5+3"
