"""Charts of bandits: what each rule costs, how often it is right, and where its games go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from splendor_nb.charts.figures.simulation import faint
from splendor_nb.charts.figures.style import figure, plain, series
from splendor_nb.engine.cards import join_words

if TYPE_CHECKING:
    import pandas as pd

MOST_POINTS = 100


def regret_curves(curves: pd.DataFrame) -> go.Figure:
    """Return the regret of each rule against the number of pulls, with 95 % bands.

    Parameters
    ----------
    curves
        Of `BanditRuns`.

    Examples
    --------
    >>> from splendor_nb.analysis.bandits import run_bandit
    >>> drawn = regret_curves(run_bandit({"a": 0.7, "b": 0.5}, ["ucb1"], pulls=50).curves)
    >>> drawn.layout.title.text
    'After 50 games ucb1 has lost fewest wins'
    """
    drawn = figure(
        _regret_title(curves[curves["pull"] == curves["pull"].max()]),
        x="games",
        y="regret: wins lost against always pulling the best",
    )
    _draw(drawn, curves, "regret", "low", "high", 1.0, "after %{x} games: %{y:.1f} wins lost")
    return drawn


def _regret_title(last: pd.DataFrame) -> str:
    """Return which rules have lost fewest wins: all whose intervals reach to that of the best."""
    edge = last["high"][last["regret"] == last["regret"].min()].iloc[0]
    best = last["rule"][last["low"] <= edge].tolist()
    verb = "has" if len(best) == 1 else "have"
    return f"After {last['pull'].iloc[0]} games {join_words(best)} {verb} lost fewest wins"


def right_curves(curves: pd.DataFrame) -> go.Figure:
    """Return how often each rule would name the best arm after so many pulls, with 95 % bands.

    Parameters
    ----------
    curves
        Of `BanditRuns`.

    Examples
    --------
    >>> from splendor_nb.analysis.bandits import run_bandit
    >>> drawn = right_curves(run_bandit({"a": 0.7, "b": 0.5}, ["ucb1"], pulls=50).curves)
    >>> drawn.layout.yaxis.title.text
    'names the best arm, %'
    """
    drawn = figure("How often is the best one known by then?", x="games", y="names the best arm, %")
    hover = "after %{x} games: %{y:.0f} %"
    _draw(drawn, curves, "right", "right_low", "right_high", 100.0, hover)
    drawn.update_yaxes(range=[0, 102])
    return drawn


def _draw(
    drawn: go.Figure,
    curves: pd.DataFrame,
    value: str,
    low: str,
    high: str,
    scale: float,
    hover: str,
) -> None:
    """Draw a line and a band for each rule."""
    for number, (rule, whole) in enumerate(curves.groupby("rule", sort=False)):
        part = whole.iloc[(len(whole) - 1) % _every(len(whole)) :: _every(len(whole))]
        look, x = series(number), part["pull"].tolist()
        edge = {"mode": "lines", "line_width": 0, "hoverinfo": "skip", "showlegend": False}
        # Rounded: the last digits of a float may differ from machine to machine.
        lower, upper, middle = ((scale * part[name]).round(4) for name in (low, high, value))
        drawn.add_scatter(x=x, y=lower.tolist(), **edge)
        drawn.add_scatter(
            x=x,
            y=upper.tolist(),
            fill="tonexty",
            fillcolor=faint(look.color),
            **edge,
        )
        drawn.add_scatter(
            x=x,
            y=middle.tolist(),
            mode="lines",
            name=str(rule),
            line={"color": look.color, "dash": look.dash, "width": 2.5},
            hovertemplate=hover,
        )


def _every(pulls: int) -> int:
    """Return which of so many pulls are drawn: the last one is among them."""
    return max(1, pulls // MOST_POINTS)


def pull_bars(pulls: pd.DataFrame) -> go.Figure:
    """Return how each rule divided the games between the arms.

    Parameters
    ----------
    pulls
        Of `BanditRuns`.

    Examples
    --------
    >>> from splendor_nb.analysis.bandits import run_bandit
    >>> drawn = pull_bars(run_bandit({"a": 0.7, "b": 0.5}, ["uniform"], pulls=50).pulls)
    >>> list(drawn.data[0].y)
    [50.0, 50.0]
    """
    drawn = figure("Where the games go", x="arm, with its mean reward", y="share of the games, %")
    for number, (rule, part) in enumerate(pulls.groupby("rule", sort=False)):
        look = series(number)
        names = [
            f"{plain(arm)}<br>{mean:.3f}"
            for arm, mean in zip(part["arm"], part["mean"], strict=True)
        ]
        drawn.add_bar(
            x=names,
            y=(100 * part["share"]).round(4).tolist(),
            name=str(rule),
            marker={"color": look.color, "pattern": {"shape": look.pattern}},
            hovertemplate="%{x}: %{y:.0f} %",
        )
    drawn.update_layout(barmode="group")
    return drawn
