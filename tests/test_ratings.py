"""Ratings against values worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest

from splendor_nb.games.ratings import fit_ratings


def duels(*results: tuple[str, str, float], group: int = 0) -> pd.DataFrame:
    """Return one deal for each result of a against b."""
    table = pd.DataFrame(results, columns=["a", "b", "score"])
    return table.assign(group=group, deal=range(len(table)))


def rating(table: pd.DataFrame, agent: str) -> float:
    return float(table.set_index("agent")["rating"][agent])


def test_two_agents_are_apart_by_their_odds_with_one_more_tie() -> None:
    table = fit_ratings(duels(*[("x", "y", 1.0)] * 3, ("x", "y", 0.0)), ["x", "y"], "y")
    assert rating(table, "x") == pytest.approx(400 * math.log10(3.5 / 1.5))
    assert rating(table, "y") == 0.0


def test_ties_count_half_a_win_for_each() -> None:
    ties = fit_ratings(duels(*[("x", "y", 0.5)] * 6, ("x", "y", 1.0)), ["x", "y"], "y")
    halves = fit_ratings(duels(*[("x", "y", 1.0)] * 4, *[("x", "y", 0.0)] * 3), ["x", "y"], "y")
    assert rating(ties, "x") == pytest.approx(rating(halves, "x"))


def test_symmetric_results_give_symmetric_ratings() -> None:
    cycle = duels(("x", "y", 1.0), ("y", "z", 1.0), ("z", "x", 1.0))
    table = fit_ratings(cycle, ["x", "y", "z"], "x")
    assert table["rating"].to_numpy() == pytest.approx(0.0, abs=1e-9)


def test_the_order_of_results_is_no_matter() -> None:
    rng = np.random.default_rng(1)
    names = ["a", "b", "c", "d"]
    pairs = [rng.choice(names, 2, replace=False) for _ in range(200)]
    results = [(str(a), str(b), float(rng.integers(0, 3)) / 2) for a, b in pairs]
    table = duels(*results)
    shuffled = table.sample(frac=1, random_state=2)
    one, other = (fit_ratings(rows, names, "a") for rows in (table, shuffled))
    pd.testing.assert_frame_equal(one, other)


def test_turning_all_results_around_turns_the_ratings_around() -> None:
    table = duels(*[("x", "y", 1.0)] * 5, *[("y", "z", 1.0)] * 2, ("x", "z", 0.5))
    turned = table.rename(columns={"a": "b", "b": "a"})
    there = fit_ratings(table, ["x", "y", "z"], "y").set_index("agent")["rating"]
    back = fit_ratings(turned, ["x", "y", "z"], "y").set_index("agent")["rating"]
    assert there.sort_index().to_numpy() == pytest.approx(-back.sort_index().to_numpy())


def test_the_fit_gives_each_agent_as_many_wins_as_it_had() -> None:
    rng = np.random.default_rng(3)
    names = ["a", "b", "c"]
    rows = [
        (a, b, float(rng.random() < 0.6)) for a in names for b in names if a < b for _ in range(40)
    ]
    table = fit_ratings(duels(*rows), names, "a").set_index("agent")["rating"]
    chance = {(a, b): 1 / (1 + 10 ** ((table[b] - table[a]) / 400)) for a in names for b in names}
    for agent in names:
        had = sum(s if a == agent else 1 - s for a, b, s in rows if agent in (a, b))
        others = [name for name in names if name != agent]
        expected = sum(41 * chance[agent, other] for other in others)
        assert expected == pytest.approx(had + 0.5 * len(others))


def test_agents_that_never_met_have_no_rating() -> None:
    table = fit_ratings(duels(("x", "y", 1.0)), ["x", "y", "z"], "x").set_index("agent")
    assert math.isnan(table["rating"]["z"])
    assert not math.isnan(table["rating"]["y"])
    assert table["games"]["z"] == 0


def test_games_of_one_deal_count_once_in_the_interval() -> None:
    rows = duels(*[("x", "y", float(i % 3 > 0)) for i in range(60)])
    doubled = pd.concat([rows, rows], ignore_index=True)
    once, twice = (
        fit_ratings(table, ["x", "y"], "y").set_index("agent") for table in (rows, doubled)
    )
    width = [float(table["high"]["x"] - table["low"]["x"]) for table in (once, twice)]
    assert width[1] == pytest.approx(width[0], rel=0.05)


def test_the_interval_holds_the_truth_in_95_of_100_studies() -> None:
    rng = np.random.default_rng(7)
    truth = 400 * math.log10(0.6 / 0.4)
    held = 0
    for _ in range(300):
        wins = (rng.random(200) < 0.6).astype(float)
        table = fit_ratings(duels(*[("x", "y", win) for win in wins]), ["x", "y"], "y")
        row = table.set_index("agent").loc["x"]
        held += row["low"] <= truth <= row["high"]
    assert 0.91 <= held / 300 <= 0.985
