"""Rules for bandits: what they cost, what they find, and that a seed gives the same again."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from splendor_nb.analysis.bandits import RULES, arm_rewards, run_bandit
from splendor_nb.charts.figures.bandits import pull_bars, regret_curves, right_curves

ARMS = {"good": 0.6, "fair": 0.5, "poor": 0.2}


def last(runs: Any, column: str) -> dict[str, float]:
    curves = runs.curves
    part = curves[curves["pull"] == curves["pull"].max()]
    return dict(zip(part["rule"], part[column], strict=True))


@pytest.fixture(scope="module")
def runs() -> Any:
    return run_bandit(ARMS, pulls=400, repetitions=200, seed=3)


def test_pulling_each_in_turn_costs_the_mean_gap(runs: Any) -> None:
    gap = (0.0 + 0.1 + 0.4) / 3
    assert last(runs, "regret")["uniform"] == pytest.approx(400 * gap, rel=0.01)


def test_every_other_rule_costs_less_than_that_and_learns(runs: Any) -> None:
    regret = last(runs, "regret")
    for rule in ("epsilon_greedy", "ucb1", "thompson"):
        assert regret[rule] < 0.8 * regret["uniform"]
        curve = runs.curves[runs.curves["rule"] == rule].set_index("pull")["regret"]
        assert curve[400] - curve[300] < curve[100] - curve[3]


def test_ucb1_keeps_its_bound() -> None:
    gap, pulls = 0.8, 4000
    bound = 8 * math.log(pulls) / gap + (1 + math.pi**2 / 3) * gap
    runs = run_bandit({"a": 0.9, "b": 0.1}, ["uniform", "ucb1"], pulls=pulls, repetitions=50)
    regret = last(runs, "regret")
    assert regret["ucb1"] < bound < regret["uniform"]


def test_two_arms_are_named_as_often_as_the_binomial_says() -> None:
    runs = run_bandit({"a": 1.0, "b": 0.0}, ["uniform"], pulls=10, repetitions=50)
    assert last(runs, "right") == {"uniform": 1.0}
    close = run_bandit({"a": 0.6, "b": 0.5}, ["uniform"], pulls=2 * 133, repetitions=4000)
    assert last(close, "right")["uniform"] == pytest.approx(0.95, abs=0.02)


def test_before_anything_is_known_each_arm_is_named_as_often() -> None:
    chances = {"best": 0.02, "second": 0.01, "third": 0.01}
    runs = run_bandit(chances, ["uniform"], pulls=3, repetitions=4000)
    assert runs.curves["right"].iloc[0] == pytest.approx(1 / 3, abs=0.05)


def test_the_shares_of_pulls_add_up_and_go_to_the_best(runs: Any) -> None:
    for rule, part in runs.pulls.groupby("rule"):
        assert part["share"].sum() == pytest.approx(1)
        if rule != "uniform":
            assert part.set_index("arm")["share"].idxmax() == "good"
    assert runs.pulls.set_index("arm").loc["fair", "mean"].iloc[0] == 0.5


def test_the_band_of_the_regret_holds_the_truth_about_as_often_as_it_says() -> None:
    truth = run_bandit(
        {"a": 0.75, "b": 0.25}, ["epsilon_greedy"], pulls=30, repetitions=40_000, seed=99
    )
    wanted, inside = last(truth, "regret")["epsilon_greedy"], 0
    for seed in range(40):
        runs = run_bandit({"a": 0.75, "b": 0.25}, ["epsilon_greedy"], pulls=30, seed=seed)
        row = runs.curves.iloc[-1]
        inside += row["low"] <= wanted <= row["high"]
    assert inside >= 34


def test_a_seed_gives_the_same_again_and_another_does_not() -> None:
    first = run_bandit(ARMS, pulls=60, repetitions=20, seed=5)
    pd.testing.assert_frame_equal(
        first.curves, run_bandit(ARMS, pulls=60, repetitions=20, seed=5).curves
    )
    other = run_bandit(ARMS, pulls=60, repetitions=20, seed=6)
    assert not first.curves.equals(other.curves)


def test_rewards_are_those_of_the_games_of_each_agent() -> None:
    rewards = arm_rewards({"weak": "random", "same": "greedy"}, "greedy", games=20)
    assert [len(found) for found in rewards.values()] == [20, 20]
    assert np.mean(rewards["weak"]) < 0.1
    assert np.mean(rewards["same"]) == 0.5
    assert set(rewards["same"]) <= {0.0, 0.5, 1.0}


@pytest.mark.parametrize(
    ("arms", "settings", "said"),
    [
        ({"a": 0.5}, {}, "two names or more"),
        ([0.5, 0.6], {}, "two names or more"),
        ({"a": 0.5, "b": 1.5}, {}, "from 0 to 1, not 1.5"),
        ({"a": 0.5, "b": True}, {}, "not True"),
        ({"a": 0.5, "b": []}, {}, "list of numbers"),
        ({"a": 0.5, "b": [0.5, 2]}, {}, "list of numbers"),
        (ARMS, {"rules": ["best"]}, "rules lists some of"),
        (ARMS, {"rules": "ucb1"}, "rules lists some of"),
        (ARMS, {"rules": []}, "rules lists some of"),
        (ARMS, {"rules": None}, "rules lists some of"),
        (ARMS, {"rules": [["ucb1"]]}, "rules lists some of"),
        (ARMS, {"rules": ["ucb1", "ucb1"]}, "each rule once"),
        ({"a": 0.5, "b": "x"}, {}, "list of numbers"),
        ({"a": 0.5, "b": [0.1, [2]]}, {}, "list of numbers"),
        ({1: 0.5, "1": 0.4}, {}, "names are texts"),
        (ARMS, {"pulls": 2}, "from 3"),
        (ARMS, {"repetitions": 0}, "from 1"),
        (ARMS, {"seed": -1}, "from 0"),
    ],
)
def test_bad_input_gets_a_sentence(arms: Any, settings: dict[str, Any], said: str) -> None:
    with pytest.raises((TypeError, ValueError)) as caught:
        run_bandit(arms, **settings)
    assert said in str(caught.value)


@pytest.mark.parametrize("agents", [{}, ["greedy"], {1: "greedy"}])
def test_agents_come_by_name(agents: Any) -> None:
    with pytest.raises(TypeError, match=r"by name|names are texts"):
        arm_rewards(agents)


def test_the_title_names_all_rules_that_may_be_the_best() -> None:
    curves = pd.DataFrame(
        {"rule": list("abc"), "pull": 9, "regret": [1, 2, 9], "low": [0, 1, 8], "high": [3, 4, 9]}
    )
    assert regret_curves(curves).layout.title.text == "After 9 games a and b have lost fewest wins"


def test_charts_have_a_line_and_a_band_for_each_rule(runs: Any) -> None:
    for drawn in (regret_curves(runs.curves), right_curves(runs.curves)):
        assert [trace.name for trace in drawn.data if trace.name] == list(RULES)
        assert len({trace.line.dash for trace in drawn.data if trace.name}) == 4
    regret = runs.curves[runs.curves["rule"] == "ucb1"]["regret"]
    line = next(trace for trace in regret_curves(runs.curves).data if trace.name == "ucb1")
    assert line.y[-1] == pytest.approx(regret.iloc[-1])
    assert line.x[-1] == 400


def test_bars_show_where_the_games_go(runs: Any) -> None:
    drawn = pull_bars(runs.pulls)
    assert [bar.name for bar in drawn.data] == list(RULES)
    assert drawn.data[0].x[0] == "good<br>0.600"
