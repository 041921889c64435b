"""Charts of the game of agents: what they hold, and that names stay text."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from splendor_nb import tournament
from splendor_nb.analysis.gametheory import (
    dominated,
    equilibria,
    equilibrium_uncertainty,
    games_needed,
    payoff_table,
    replicator,
)
from splendor_nb.charts.figures.gametheory import (
    EPSILONS,
    equilibrium_bars,
    exploitability_bars,
    games_needed_curve,
    payoff_map,
    replicator_figure,
)
from splendor_nb.games.tournament import Tournament

NAMES = ["rock", "paper", "scissors"]
ROCK = pd.DataFrame([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], NAMES, NAMES)
LADDER = pd.DataFrame([[0.5, 0.9, 1.0], [0.1, 0.5, 0.8], [0.0, 0.2, 0.5]], list("abc"), list("abc"))


@pytest.fixture(scope="module")
def league() -> Tournament:
    return tournament(["random", "greedy", "planner"], games=20, seed=1, progress=False)


def test_the_map_holds_the_scores_and_tells_games_and_intervals(league: Tournament) -> None:
    payoffs = payoff_table(league)
    (shown,) = payoff_map(payoffs).data
    assert np.array_equal(shown.z, payoffs.scores.to_numpy())
    assert shown.text[0][1] == f"{payoffs.scores.iloc[0, 1]:.2f}"
    told = shown.customdata[0][1]
    assert "random against greedy" in told
    assert "20 games" in told
    assert f"{payoffs.low.iloc[0, 1]:.3f} to {payoffs.high.iloc[0, 1]:.3f}" in told
    assert (shown.zmin, shown.zmax) == (0.0, 1.0)


def test_dominated_agents_are_marked_with_their_round() -> None:
    drawn = payoff_map(LADDER, dominated(LADDER))
    assert list(drawn.data[0].y) == ["a", "✗1 b", "✗1 c"]
    assert drawn.layout.title.text.endswith("b, c")
    none = dominated(ROCK)
    assert payoff_map(ROCK, none).layout.title.text.startswith("No agent is dominated")


def test_an_agent_that_is_only_weakly_dominated_has_no_round() -> None:
    table = pd.DataFrame([[0.5, 0.5], [0.5, 0.4]], list("ab"), list("ab"))
    drawn = payoff_map(table, dominated(table))
    assert list(drawn.data[0].y) == ["a", "✗weak b"]
    assert "or weakly" in drawn.layout.title.text


def test_names_are_shown_as_text() -> None:
    names = ["<b>x</b>", "y"]
    table = pd.DataFrame([[0.5, 1], [0, 0.5]], names, names)
    assert payoff_map(table).data[0].x[0] == "&lt;b&gt;x&lt;/b&gt;"
    assert equilibrium_bars(equilibria(table)).data[0].x[0] == "&lt;b&gt;x&lt;/b&gt;"
    assert replicator_figure(replicator(table)).data[0].name == "&lt;b&gt;x&lt;/b&gt;"


def test_bars_of_an_equilibrium_have_intervals_where_they_are_known(league: Tournament) -> None:
    sure = equilibrium_uncertainty(league, draws=20)
    (bars,) = equilibrium_bars(sure).data
    top = np.asarray(bars.y) + np.asarray(bars.error_y.array)
    assert np.allclose(top, 100 * sure["high"])
    assert equilibrium_bars(equilibria(ROCK)).data[0].error_y.array is None
    assert "20 draws" in equilibrium_bars(sure).layout.title.text


def test_what_can_be_exploited_is_told_for_each_agent_and_for_the_mix() -> None:
    (bars,) = exploitability_bars(ROCK, {"rock": 0.5, "paper": 0.5}).data
    assert list(bars.y) == ["always rock", "always paper", "always scissors", "the mix"]
    assert list(bars.x) == [1.0, 1.0, 1.0, 0.5]


def test_three_agents_are_a_triangle_and_more_are_lines() -> None:
    paths = [replicator(ROCK, [0.5, 0.3, 0.2], time=3), replicator(ROCK, [0.8, 0.1, 0.1], time=3)]
    drawn = replicator_figure(paths)
    lines = [trace for trace in drawn.data if trace.mode == "lines"]
    assert [trace.type for trace in drawn.data] == ["scatterternary"] * 6
    assert np.allclose(lines[0].a, paths[0]["rock"])
    assert lines[0].line.dash != lines[1].line.dash
    four = pd.DataFrame(np.full((4, 4), 0.5), list("wxyz"), list("wxyz"))
    assert [trace.name for trace in replicator_figure(replicator(four)).data] == list("wxyz")


def test_paths_of_different_populations_are_refused() -> None:
    with pytest.raises(ValueError, match="one population"):
        replicator_figure([replicator(ROCK), replicator(LADDER)])


def test_the_curve_is_the_bound() -> None:
    drawn = games_needed_curve([2, 30])
    assert list(drawn.data[1].y) == [games_needed(30, epsilon) for epsilon in EPSILONS]
    with pytest.raises(ValueError, match="1 to 6 numbers"):
        games_needed_curve([])
