"""Intervals: published values, textbook formulas, and how often they hold the truth."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isnan, sqrt
from typing import Any

import pytest

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")
stats = pytest.importorskip("scipy.stats")

from splendor_nb import simulate  # noqa: E402  (where pandas is missing, there are no intervals)
from splendor_nb.games.intervals import (  # noqa: E402
    Interval,
    clustered,
    clustered_share,
    mean_interval,
    wilson,
)

# R. G. Newcombe, Two-sided confidence intervals for the single proportion, 1998, table I, method 3.
NEWCOMBE = {
    (81, 263): (0.2553, 0.3662),
    (15, 148): (0.0624, 0.1605),
    (0, 20): (0.0000, 0.1611),
    (1, 29): (0.0061, 0.1718),
}
REPETITIONS = 1000


def coverage(truth: float, make: Callable[[Any], Interval], seed: int = 1) -> float:
    """How often the interval of a made-up study holds the truth."""
    rng = np.random.default_rng(seed)
    held = [interval.low <= truth <= interval.high for interval in studies(rng, make)]
    return sum(held) / len(held)


def studies(rng: Any, make: Callable[[Any], Interval]) -> list[Interval]:
    """The intervals of many made-up studies."""
    return [make(rng) for _ in range(REPETITIONS)]


# --- Wilson


@pytest.mark.parametrize("case", NEWCOMBE)
def test_wilson_gives_the_published_values(case: tuple[int, int]) -> None:
    found = wilson(*case)
    assert (round(found.low, 4), round(found.high, 4)) == NEWCOMBE[case]
    assert found.estimate == case[0] / case[1]
    assert found.n == case[1]


@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
@pytest.mark.parametrize("n", [1, 7, 1000])
def test_wilson_is_where_the_score_test_just_rejects(n: int, level: float) -> None:
    z = stats.norm.ppf(0.5 + level / 2)
    for successes in range(0, n + 1, max(1, n // 7)):
        found, share = wilson(successes, n, level), successes / n
        for end in (found.low, found.high):
            assert abs(share - end) == pytest.approx(z * sqrt(end * (1 - end) / n), abs=1e-9)
        assert found.low <= share <= found.high


def test_wilson_turns_around_with_the_question() -> None:
    for successes in (0, 3, 10.5, 40):
        yes, no = wilson(successes, 40), wilson(40 - successes, 40)
        assert (yes.low, yes.high) == pytest.approx((1 - no.high, 1 - no.low))


def test_wilson_stays_between_0_and_1() -> None:
    for n in (1, 2, 3, 10, 100_000):
        assert wilson(0, n).low == 0
        assert wilson(n, n).high == 1
        assert wilson(0, n).high == pytest.approx(1 - wilson(n, n).low)
        assert 0 < wilson(0, n).high < 1


def test_wilson_of_nothing_is_unknown() -> None:
    nothing = wilson(0, 0)
    assert nothing.n == 0
    assert all(isnan(number) for number in nothing[:3])


@pytest.mark.parametrize(("successes", "n"), [(-1, 10), (11, 10), (0.1, 0), (float("nan"), 10)])
def test_wilson_refuses_more_successes_than_trials(successes: float, n: int) -> None:
    with pytest.raises(ValueError, match="Successes are from 0 to n"):
        wilson(successes, n)


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5, 0.55])
def test_wilson_holds_the_truth_95_times_in_100(share: float) -> None:
    held = coverage(share, lambda rng: wilson(int(rng.binomial(150, share)), 150))
    assert 0.93 <= held <= 0.97


# --- means


def test_the_interval_of_a_mean_is_students() -> None:
    values = [3.0, 5.0, 10.0, 4.0, 4.5]
    expected = stats.t.interval(0.9, 4, np.mean(values), stats.sem(values))
    assert mean_interval(values, 0.9)[:3] == pytest.approx((5.3, *expected))


def test_one_value_has_a_mean_but_no_interval() -> None:
    assert mean_interval([4.0]) == Interval(4.0, -inf, inf, 1)


def test_no_values_have_no_mean() -> None:
    nothing = mean_interval([])
    assert nothing.n == 0
    assert all(isnan(number) for number in nothing[:3])


@pytest.mark.parametrize("n", [4, 60])
def test_the_interval_of_a_mean_holds_the_truth_95_times_in_100(n: int) -> None:
    assert 0.93 <= coverage(2.0, lambda rng: mean_interval(rng.normal(2, 5, n))) <= 0.97


# --- values that come in clusters


def with_luck(rng: Any, sizes: list[int]) -> tuple[Any, Any]:
    """Values around 10 of which those of one cluster share most of their luck."""
    clusters = np.repeat(np.arange(len(sizes)), sizes)
    luck = rng.normal(10, 2, len(sizes))
    return pd.Series(luck[clusters] + rng.normal(0, 1, len(clusters))), pd.Series(clusters)


def test_clusters_of_one_are_independent_values() -> None:
    values = pd.Series([1.0, 4.0, 2.0, 2.5])
    assert clustered(values, pd.Series([7, 3, 4, 1])) == pytest.approx(mean_interval(values))


def test_clusters_of_one_size_count_as_their_means() -> None:
    values, deals = pd.Series([1.0, 3.0, 5.0, 9.0, 4.0, 4.0]), pd.Series([0, 1, 0, 1, 2, 2])
    assert clustered(values, deals) == pytest.approx(mean_interval([3.0, 6.0, 4.0]))


def test_the_order_of_rows_does_not_matter() -> None:
    values, deals = with_luck(np.random.default_rng(3), [3, 1, 2, 3, 3, 2])
    order = np.random.default_rng(4).permutation(len(values))
    mixed = clustered(values.iloc[order], deals.iloc[order])
    assert mixed == pytest.approx(clustered(values, deals))


def test_the_mean_of_clusters_of_several_sizes_is_that_of_all_values() -> None:
    values, deals = with_luck(np.random.default_rng(3), [3, 1, 2, 3, 3, 2])
    assert clustered(values, deals).estimate == pytest.approx(values.mean())


@pytest.mark.parametrize("sizes", [[3] * 40, [1, 2, 3, 4] * 15], ids=["same", "several"])
def test_clustered_intervals_hold_the_truth_where_naive_ones_fail(sizes: list[int]) -> None:
    assert 0.93 <= coverage(10, lambda rng: clustered(*with_luck(rng, sizes))) <= 0.97
    assert coverage(10, lambda rng: mean_interval(with_luck(rng, sizes)[0])) < 0.85


def test_pairs_that_balance_each_other_make_the_interval_narrow() -> None:
    def balanced(rng: Any) -> tuple[Any, Any]:
        luck = rng.normal(0, 5, 40)
        values = np.column_stack([luck, -luck]) + rng.normal(0, 1, (40, 2))
        return pd.Series(values.ravel()), pd.Series(np.repeat(np.arange(40), 2))

    assert 0.93 <= coverage(0, lambda rng: clustered(*balanced(rng))) <= 0.97
    values, deals = balanced(np.random.default_rng(1))
    paired, naive = clustered(values, deals), mean_interval(values)
    assert paired.high - paired.low < (naive.high - naive.low) / 3


# --- shares of wins that come in clusters


def wins_by_deal(rng: Any, deals: int, games: int = 2) -> tuple[Any, Any]:
    """Wins of 60 %, in deals of which some are good for one side and some for the other."""
    chance = rng.beta(0.6, 0.4, deals)
    wins = rng.random((deals, games)) < chance[:, None]
    return pd.Series(wins.ravel() * 1.0), pd.Series(np.repeat(np.arange(deals), games))


@pytest.mark.parametrize(("deals", "games"), [(40, 4), (200, 2)])
def test_clustered_shares_hold_the_truth_where_wilson_fails(deals: int, games: int) -> None:
    held = coverage(0.6, lambda rng: clustered_share(*wins_by_deal(rng, deals, games)))
    assert 0.93 <= held <= 0.97
    naive = coverage(
        0.6, lambda rng: wilson(wins_by_deal(rng, deals, games)[0].sum(), deals * games)
    )
    assert naive < 0.91


def test_clustered_shares_stay_between_0_and_1() -> None:
    rng = np.random.default_rng(5)
    for deals in (1, 2, 3, 10):
        for _ in range(50):
            found = clustered_share(*wins_by_deal(rng, deals))
            assert 0 <= found.low <= found.estimate <= found.high <= 1


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_wins_alone_are_no_certainty(share: float) -> None:
    found = clustered_share(pd.Series([share] * 40), pd.Series(np.repeat(np.arange(20), 2)))
    expected = wilson(20 * share, 20)
    assert found == pytest.approx(expected)
    assert found.high - found.low > 0.1


# --- games


@pytest.mark.slow
def test_win_rates_of_seats_hold_the_truth_in_real_games() -> None:
    """By one agent both games of a deal are the same, which Wilson's interval does not know."""
    sim = simulate(["random", "random"], 160_000, 23)
    seats = sim.seats.merge(sim.games[["game", "deal"]], on="game")
    first = seats[seats["seat"] == 0]
    truth = first["win_share"].mean()
    blocks = [part for _, part in first.groupby(first["deal"] // 80)]
    paired = [clustered_share(part["win_share"], part["deal"]) for part in blocks]
    naive = [wilson(part["win_share"].sum(), len(part)) for part in blocks]
    assert 0.93 <= np.mean([found.low <= truth <= found.high for found in paired]) <= 0.97
    assert np.mean([found.low <= truth <= found.high for found in naive]) < 0.88
