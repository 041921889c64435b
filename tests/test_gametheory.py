"""The game of agents, on tables whose answers are known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from splendor_nb import tournament
from splendor_nb.analysis.gametheory import (
    PayoffTable,
    dominated,
    equilibria,
    equilibrium_uncertainty,
    exploitability,
    games_needed,
    payoff_table,
    replicator,
)
from splendor_nb.analysis.zero_sum import METHODS, is_equilibrium
from splendor_nb.games.tournament import Tournament

PENNIES = pd.DataFrame([[1.0, -1.0], [-1.0, 1.0]], ["heads", "tails"], ["heads", "tails"])
ROCK = pd.DataFrame(
    [[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]],
    ["rock", "paper", "scissors"],
    ["rock", "paper", "scissors"],
)
LADDER = pd.DataFrame([[0.5, 0.9, 1.0], [0.1, 0.5, 0.8], [0.0, 0.2, 0.5]])
TIES = pd.DataFrame(np.full((3, 3), 0.5))
# The upper two are alike, and together they are all that a third would need to beat.
TWINS = pd.DataFrame([[0.5, 0.5, 0.7], [0.5, 0.5, 0.7], [0.3, 0.3, 0.5]])


@pytest.fixture(scope="module")
def played() -> Tournament:
    return tournament(["random", "greedy", "greedy"], games=60, seed=4, progress=False)


@pytest.mark.parametrize("method", ["all", *METHODS])
@pytest.mark.parametrize(
    ("table", "mix", "value"),
    [
        (PENNIES, [0.5, 0.5], 0.0),
        (ROCK, [1 / 3] * 3, 0.5),
        (LADDER, [1.0, 0.0, 0.0], 0.5),
        (pd.DataFrame([[2.0, 5.0], [4.0, 3.0]]), [0.25, 0.75], 3.5),  # by hand: p = 1/4
    ],
)
def test_a_known_game_has_its_known_equilibrium(
    table: pd.DataFrame, mix: list[float], value: float, method: str
) -> None:
    found = equilibria(table, method)
    assert found.choice.row.to_numpy() == pytest.approx(mix, abs=1e-7)
    assert found.choice.value == pytest.approx(value)


@pytest.mark.parametrize("method", ["all", *METHODS])
@pytest.mark.parametrize("table", [TIES, TWINS, PENNIES, ROCK, LADDER])
def test_each_equilibrium_passes_the_best_response_check(table: pd.DataFrame, method: str) -> None:
    found = equilibria(table, method)
    assert len(found.found) >= 1
    matrix = table.to_numpy()
    for one in (*found.found, found.choice):
        value = one.row @ matrix @ one.column
        assert (matrix @ one.column).max() <= value + 1e-7
        assert (one.row.to_numpy() @ matrix).min() >= value - 1e-7


def test_among_twins_the_choice_uses_both() -> None:
    found = equilibria(TWINS)
    assert len(found.found) > 1
    assert (found.choice.row[:2] > 0.2).all()
    assert found.choice.row[2] == pytest.approx(0.0, abs=1e-9)


def test_a_mix_that_can_be_beaten_is_no_equilibrium() -> None:
    third = np.full(3, 1 / 3)
    assert is_equilibrium(ROCK.to_numpy(), third, third)
    assert not is_equilibrium(ROCK.to_numpy(), np.array([1.0, 0.0, 0.0]), third)
    assert not is_equilibrium(ROCK.to_numpy(), np.array([0.5, 0.5, 0.5]), third)


def test_a_large_table_gets_one_equilibrium_quickly() -> None:
    rng = np.random.default_rng(5)
    above = np.triu(rng.random((30, 30)), 1)
    table = above + np.tril(1 - above.T, -1) + 0.5 * np.eye(30)
    found = equilibria(table)
    assert exploitability(table, found.choice.row.to_list()) < 1e-7


@pytest.mark.parametrize(
    ("mix", "loss"), [([1, 0, 0], 0.5), ([1 / 3] * 3, 0.0), ([0.5, 0.5, 0.0], 0.25)]
)
def test_exploitability_is_what_the_best_reply_takes(mix: list[float], loss: float) -> None:
    assert exploitability(ROCK, mix) == pytest.approx(loss, abs=1e-9)


def test_dominance_takes_out_one_after_the_other() -> None:
    table = dominated(LADDER)
    assert table["agent"].to_list() == [1, 2]
    assert table["kind"].to_list() == ["strict", "strict"]
    chain = pd.DataFrame([[3.0, 0.0], [2.0, 2.0], [0.0, 3.0], [1.4, 1.4]], columns=["x", "y"])
    assert dominated(chain)["agent"].to_list() == [3]


def test_a_row_can_fall_to_a_mix_of_two() -> None:
    table = pd.DataFrame([[4.0, 0.0], [0.0, 4.0], [1.0, 1.0]], ["a", "b", "c"], ["x", "y"])
    (row,) = dominated(table).to_dict("records")
    assert row["agent"] == "c"
    assert row["kind"] == "strict"
    mix = row["by"]
    assert all(mix["a"] * table["x"]["a"] + mix["b"] * table["x"]["b"] > 1.0 for _ in "x")
    assert set(mix) == {"a", "b"}


def test_weak_dominance_is_told_from_strict() -> None:
    table = pd.DataFrame([[1.0, 1.0], [1.0, 0.0]], ["a", "b"], ["x", "y"])
    (row,) = dominated(table).to_dict("records")
    assert (row["agent"], row["kind"], row["by"]) == ("b", "weak", {"a": 1.0})


@pytest.mark.parametrize("table", [ROCK, PENNIES, TIES])
def test_where_none_is_dominated_the_table_is_empty(table: pd.DataFrame) -> None:
    assert dominated(table).empty


def test_the_population_moves_to_the_best() -> None:
    path = replicator(LADDER, time=100.0)
    assert path.iloc[-1].to_numpy() == pytest.approx([1, 0, 0], abs=1e-3)
    assert path.sum(axis=1).to_numpy() == pytest.approx(1.0)


def test_rock_paper_scissors_circles_for_ever() -> None:
    path = replicator(ROCK, [0.5, 0.25, 0.25], time=60.0)
    product = path.prod(axis=1)  # a constant of the motion in a zero-sum cycle
    assert product.to_numpy() == pytest.approx(product.iloc[0], rel=1e-3)
    assert path["rock"].max() - path["rock"].min() > 0.2


def test_two_agents_follow_the_solution_by_hand() -> None:
    path = replicator([[0.5, 0.75], [0.25, 0.5]], [0.1, 0.9], time=8.0, steps=9)
    odds = (0.1 / 0.9) * np.exp(0.25 * path.index.to_numpy())  # the odds grow at the difference
    assert path[0].to_numpy() == pytest.approx(odds / (1 + odds), rel=1e-5)


def test_a_payoff_table_holds_the_pairs_of_its_tournament(played: Tournament) -> None:
    payoffs = payoff_table(played)
    for row in played.pairs().to_dict("records"):
        assert payoffs.scores.loc[row["a"], row["b"]] == row["score"]
        assert payoffs.games.loc[row["a"], row["b"]] == row["games"]
        assert payoffs.low.loc[row["a"], row["b"]] == row["low"]
    assert (np.diag(payoffs.scores) == 0.5).all()
    assert equilibria(payoffs).choice.row["random"] == pytest.approx(0.0, abs=1e-9)


def test_three_at_a_table_are_refused_with_the_reason() -> None:
    three = tournament(["random"] * 3, games=3, seed=1, players=3, progress=False)
    with pytest.raises(ValueError, match="depends on all the others at once"):
        payoff_table(three)


def test_uncertainty_is_the_same_for_the_same_seed(played: Tournament) -> None:
    one, other = (equilibrium_uncertainty(played, draws=40, seed=2) for _ in range(2))
    pd.testing.assert_frame_equal(one, other)
    assert (one["low"] <= one["share"]).all()
    assert (one["share"] <= one["high"]).all()
    assert one.set_index("agent")["used"]["random"] == 0.0


@pytest.mark.parametrize(
    ("agents", "epsilon", "delta", "games"),
    [(6, 0.05, 0.05, 1455), (2, 0.1, 0.05, 254), (["a", "b"], 0.1, 0.05, 254)],
)
def test_games_needed_follows_the_bound(
    agents: Any, epsilon: float, delta: float, games: int
) -> None:
    assert games_needed(agents, epsilon, delta) == games


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: equilibria("x"), TypeError, "a table of numbers"),
        (lambda: equilibria([[0.5, np.nan]]), ValueError, "a finite number for every pair"),
        (lambda: equilibria(ROCK, "magic"), ValueError, "method is one of"),
        (lambda: exploitability(ROCK, [1, 0]), ValueError, "A mix has 3 chances"),
        (lambda: exploitability(ROCK, {"rock": 1, "well": 0}), ValueError, "There is no 'well'"),
        (lambda: exploitability(ROCK, [0.5, 0.6, -0.1]), ValueError, "Chances are not negative"),
        (lambda: replicator(PENNIES.iloc[:1]), ValueError, "the table is square"),
        (lambda: replicator(ROCK, time=-1), ValueError, "time is a number above 0"),
        (lambda: games_needed(1, 0.1), ValueError, "agents is a whole number from 2"),
        (lambda: games_needed(3, 0), ValueError, "epsilon is a number between 0 and 1"),
        (lambda: payoff_table(ROCK), TypeError, "takes a Tournament"),
    ],
)
def test_bad_input_gets_a_sentence(call: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        call()


@pytest.mark.slow
def test_the_interval_of_an_equilibrium_holds_the_truth() -> None:
    """Of two agents the better one is the equilibrium; close ones are told apart only by luck."""
    rng = np.random.default_rng(11)
    held = 0
    truth = np.array([[0.5, 0.7, 0.2], [0.3, 0.5, 0.8], [0.8, 0.2, 0.5]])
    exact = equilibria(truth).choice.row.to_numpy()
    for _ in range(50):
        found = equilibrium_uncertainty(_played_by(truth, rng, deals=100), draws=80, seed=1)
        held += ((found["low"] <= exact + 1e-9) & (exact - 1e-9 <= found["high"])).to_numpy()
    assert (held >= 42).all()


def _played_by(truth: np.ndarray, rng: np.random.Generator, deals: int) -> Tournament:
    """Return a tournament with results drawn from a table, in place of games."""
    parts, names = [], ["a", "b", "c"]
    for group, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        score = (rng.random(deals) < truth[i, j]).astype(float)
        table = pd.DataFrame({"score": score, "group": group, "deal": range(deals)})
        parts.append(table.assign(game=table["deal"], a=names[i], b=names[j]))
    played = Tournament.__new__(Tournament)
    played.agents, played.players, played.seed = tuple(names), 2, 0
    played.__dict__["duels"] = pd.concat(parts, ignore_index=True)
    return played


def test_a_table_of_payoffs_shows_itself_in_a_notebook(played: Tournament) -> None:
    payoffs = payoff_table(played)
    assert isinstance(payoffs, PayoffTable)
    assert "50.0%" in payoffs._repr_html_()


def test_a_mix_may_be_a_series_as_equilibria_return_it() -> None:
    table = pd.DataFrame([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], list("rps"), list("rps"))
    assert exploitability(table, equilibria(table).choice.row) == pytest.approx(0, abs=1e-9)
