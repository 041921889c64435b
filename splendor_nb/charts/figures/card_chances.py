"""Charts of chance: how long one waits for a card, and what a seat has not seen yet.

Each takes a table of `splendor_nb.analysis` and returns a figure, never shown by itself.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from splendor_nb.charts.figures.cards import SHADES
from splendor_nb.charts.figures.style import figure, gem_label, series
from splendor_nb.charts.theme import DARK, PAPER
from splendor_nb.engine.cards import COLORS, LEVELS


def waiting(tables: Mapping[str, pd.DataFrame]) -> go.Figure:
    """Return how likely it is that a wanted card has come, against how many have left.

    Parameters
    ----------
    tables
        Of `waits`, by what is waited for: ``{"card 1K8": …}``.

    Examples
    --------
    >>> from splendor_nb.analysis.card_chances import waits
    >>> drawn = waiting({"1K8": waits("1K8"), "3K1": waits("3K1")})
    >>> [line.name for line in drawn.data]
    ['1K8, after 16.6 on average', '3K1, after 6.8 on average']
    """
    drawn = figure(
        "How many cards must leave the market first?",
        x="cards of its level that have left the market",
        y="chance that it has come, %",
    )
    for number, (name, table) in enumerate(tables.items()):
        look = series(number)
        drawn.add_scatter(
            x=table.left.tolist(),
            y=(100 * table.by_then).tolist(),
            name=f"{name}, {_mean_wait(table)}",
            mode="lines",
            line={"color": look.color, "dash": look.dash, "shape": "hv", "width": 2.5},
            hovertemplate="after %{x} cards: %{y:.1f} %<extra></extra>",
        )
    low_right = {"x": 1, "xanchor": "right", "y": 0, "yanchor": "bottom", "bgcolor": PAPER}
    drawn.update_layout(legend=low_right, showlegend=True)
    drawn.update_yaxes(range=[0, 104])
    return drawn


def _mean_wait(table: pd.DataFrame) -> str:
    """Return the mean wait in words, or how likely the card is not to come at all."""
    never = 1 - table.by_then.iloc[-1]
    if never > 1e-12:
        return f"{100 * never:.0f} % never"
    return f"after {(table.left * table.chance).sum():.1f} on average"


def left_map(left: pd.DataFrame) -> go.Figure:
    """Return a map of the cards that a seat has not seen yet, by level and color of the bonus.

    Parameters
    ----------
    left
        Of `what_is_left`.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> from splendor_nb.analysis.card_chances import what_is_left
    >>> seen = new_game(players=2, seed=7).observation(player=0)
    >>> print(left_map(what_is_left(seen)).layout.title.text)
    78 of 90 cards are still unseen: how many of each, and the chance
    """
    title = f"{left.unseen.sum()} of {left.cards.sum()} cards are still unseen"
    drawn = figure(f"{title}: how many of each, and the chance", x="bonus", y="", height=320)
    by_level = left.sort_values(["level", "bonus"])
    chance = by_level.chance.to_numpy().reshape(len(LEVELS), len(COLORS))
    written = [
        f"{row.unseen} of {row.cards}" + (f"<br>{row.chance:.0%}" if row.unseen else "")
        for row in by_level.itertuples()
    ]
    drawn.add_heatmap(
        x=[gem_label(color) for color in COLORS],
        y=[f"level {level}" for level in LEVELS],
        z=chance,
        text=np.reshape(written, chance.shape),
        texttemplate="%{text}",
        textfont={"color": DARK},
        colorscale=SHADES,
        zmin=0,
        showscale=False,
        xgap=2,
        ygap=2,
        hovertemplate="%{y}, bonus %{x}: %{text}<extra></extra>",
    )
    drawn.update_xaxes(ticks="", showgrid=False)
    drawn.update_yaxes(ticks="", showgrid=False)
    return drawn
