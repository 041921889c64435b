"""Charts of tournaments: who beats whom, how strong agents are, and how long they think."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from splendor_nb.charts.figures.style import between, figure, plain, series

if TYPE_CHECKING:
    import pandas as pd

# Dark enough for light numbers at both ends; the middle, where nobody is better, is pale.
SHADES = [[0.0, "#a34a1a"], [0.5, "#f4efe4"], [1.0, "#1f4e79"]]
TIMES_MS = [digit * 10.0**power for power in range(-3, 5) for digit in (1, 2, 5)]


def pair_map(pairs: pd.DataFrame) -> go.Figure:
    """Return a map of how each agent, a row, fares against each other one, a column.

    Parameters
    ----------
    pairs
        Of `Tournament.pairs`: ``a``, ``b``, ``score``, ``low``, ``high``, ``games``.

    Examples
    --------
    >>> from splendor_nb import match
    >>> pairs = match("greedy", "random", games=20, seed=1, progress=False).pairs()
    >>> pair_map(pairs).layout.title.text
    'Wins of the agent in a row against the one in a column'
    """
    agents = list(dict.fromkeys(pairs["a"]))
    place = {agent: number for number, agent in enumerate(agents)}
    scores = np.full((len(agents), len(agents)), np.nan)
    words = np.full(scores.shape, "", object)
    for row in pairs.itertuples():
        at = place[row.a], place[row.b]
        scores[at] = row.score
        words[at] = (
            f"{plain(row.a)} against {plain(row.b)}: {row.score:.1%}<br>"
            f"95 % interval {row.low:.1%} to "
            f"{row.high:.1%}<br>{row.games:,} games"
        )
    drawn = figure(
        "Wins of the agent in a row against the one in a column",
        x="against",
        y="",
        height=160 + 52 * len(agents),
    )
    drawn.add_heatmap(
        z=scores,
        x=[plain(agent) for agent in agents],
        y=[plain(agent) for agent in agents],
        zmin=0,
        zmax=1,
        colorscale=SHADES,
        text=np.where(np.isnan(scores), "", np.char.mod("%.0f %%", 100 * scores)),
        texttemplate="%{text}",
        customdata=words,
        hovertemplate="%{customdata}<extra></extra>",
        hoverongaps=False,
        xgap=2,
        ygap=2,
        colorbar={"title": {"text": "share"}, "tickformat": ".0%"},
    )
    drawn.update_yaxes(autorange="reversed", showgrid=False, ticks="")
    drawn.update_xaxes(showgrid=False, ticks="")
    return drawn


def rating_chart(ratings: pd.DataFrame) -> go.Figure:
    """Return the ratings of agents with their intervals, the best on top.

    Parameters
    ----------
    ratings
        Of `Tournament.ratings`: ``agent``, ``rating``, ``low``, ``high``, ``games``.

    Examples
    --------
    >>> from splendor_nb import match
    >>> ratings = match("greedy", "random", games=20, seed=1, progress=False).ratings("random")
    >>> list(rating_chart(ratings).data[0].y)
    ['greedy', 'random']
    """
    anchor = ratings.loc[ratings["rating"] == 0, "agent"]
    name = plain(anchor.iloc[0]) if len(anchor) else "the anchor"
    drawn = figure(
        "How strong the agents are",
        x=f"rating, Elo points above {name}; bars: 95 % interval",
        y="",
        height=150 + 40 * len(ratings),
    )
    drawn.add_scatter(
        x=ratings["rating"],
        y=ratings["agent"].map(plain),
        mode="markers",
        marker={"color": series(0).color, "size": 11, "symbol": "diamond"},
        error_x=between(ratings["rating"], ratings["low"], ratings["high"]),
        customdata=ratings["games"],
        hovertemplate="%{y}: %{x:.0f} (%{customdata:,} games)<extra></extra>",
        showlegend=False,
    )
    drawn.update_yaxes(autorange="reversed", ticks="")
    return drawn


def strength_and_time(ratings: pd.DataFrame, moves: pd.DataFrame) -> go.Figure:
    """Return ratings against the time that a move takes.

    Parameters
    ----------
    ratings, moves
        Of `Tournament.ratings` and `Tournament.moves`.

    Examples
    --------
    >>> from splendor_nb import match
    >>> result = match("greedy", "random", games=20, seed=1, progress=False)
    >>> strength_and_time(result.ratings("random"), result.moves()).layout.xaxis.type
    'log'
    """
    table = ratings.merge(moves, on="agent")
    drawn = figure(
        "What thinking longer is worth",
        x="time for a move, ms: median and 95 % quantile",
        y="rating, Elo points",
    )
    drawn.add_scatter(
        x=table["median_ms"],
        y=table["rating"],
        mode="markers+text",
        text=table["agent"].map(plain),
        textposition="top right",
        marker={"color": series(0).color, "size": 11, "symbol": "diamond"},
        error_y=between(table["rating"], table["low"], table["high"]),
        error_x=between(table["median_ms"], table["median_ms"], table["q95_ms"]),
        hovertemplate="%{text}: %{y:.0f} at %{x:.2f} ms<extra></extra>",
        showlegend=False,
    )
    drawn.update_xaxes(type="log", tickvals=TIMES_MS, tickformat="~g")
    return drawn
