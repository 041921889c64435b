"""The look that all charts share: paper, letters, colors that can be told apart in grey."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import plotly.graph_objects as go

from splendor_nb.charts.theme import DARK, FONT, LINE, LOOKS, PAPER

if TYPE_CHECKING:
    from collections.abc import Iterable

HEIGHT: Final = 420  # pixels; the width is that of the cell

_AXIS: Final = {
    "automargin": True,
    "gridcolor": "#e4dfd3",
    "linecolor": LINE,
    "ticks": "outside",
    "tickcolor": LINE,
    "title": {"standoff": 10},
    "zeroline": False,
}

# Much smaller than the template that plotly stores in every figure by itself.
TEMPLATE: Final = go.layout.Template(
    layout={
        "font": {"family": FONT, "size": 14, "color": DARK},
        "paper_bgcolor": PAPER,
        "plot_bgcolor": PAPER,
        "title": {"x": 0, "xref": "paper", "xanchor": "left", "font": {"size": 18}},
        "margin": {"l": 60, "r": 24, "t": 70, "b": 56},
        "xaxis": _AXIS,
        "yaxis": _AXIS,
        "hoverlabel": {"font": {"family": FONT, "size": 14}, "align": "left"},
        "legend": {"bgcolor": "rgba(0,0,0,0)"},
    }
)


class Series(NamedTuple):
    """How one of several series is drawn, so that it is told apart by more than its color."""

    color: str
    symbol: str
    dash: str
    pattern: str


# In grey some of these come close: symbol, dash and pattern part them there.
SERIES: Final = (
    Series("#1f4e79", "circle", "solid", ""),
    Series("#d1622b", "diamond", "dash", "/"),
    Series("#2f8f83", "square", "dot", "x"),
    Series("#a0178c", "triangle-up", "dashdot", "\\"),
    Series("#8a6d00", "cross", "longdash", "-"),
    Series("#7d8794", "star", "longdashdot", "|"),
)


def series(number: int) -> Series:
    """Return the look of a series by its number, from 0; they begin anew after the sixth.

    Examples
    --------
    >>> series(1).symbol, series(6) == series(0)
    ('diamond', True)
    """
    return SERIES[number % len(SERIES)]


def figure(title: str, *, x: str, y: str, height: int = HEIGHT) -> go.Figure:
    """Return an empty figure in the look of the kit.

    Parameters
    ----------
    title
        What the figure finds, or the question that it answers; ``<br>`` breaks its line.
    x, y
        The titles of the axes, with their units.
    height
        In pixels; the width is that of the cell.

    Examples
    --------
    >>> figure("What cards cost", x="gems", y="cards").layout.xaxis.title.text
    'gems'
    """
    drawn = go.Figure(layout={"template": TEMPLATE, "height": height})
    drawn.update_layout(title_text=title, xaxis_title_text=x, yaxis_title_text=y)
    return drawn


def between(middle: Iterable[float], low: Iterable[float], high: Iterable[float]) -> dict[str, Any]:
    """Return error bars that reach from `low` to `high`, for values in the middle.

    Examples
    --------
    >>> between([0.5], [0.25], [1.0])["array"], between([0.5], [0.25], [1.0])["arrayminus"]
    ([0.5], [0.25])
    """
    middle = list(middle)
    return {
        "type": "data",
        "symmetric": False,
        "array": [top - value for value, top in zip(middle, high, strict=True)],
        "arrayminus": [value - bottom for value, bottom in zip(middle, low, strict=True)],
        "thickness": 1.5,
        "width": 4,
    }


def plain(text: object) -> str:
    """Return a name so that a figure shows it as it stands, and never as markup.

    Examples
    --------
    >>> plain("<b>me</b>")
    '&lt;b&gt;me&lt;/b&gt;'
    """
    return html.escape(str(text), quote=False)


def gem_label(letter: str) -> str:
    """Return how a gem is written on an axis: its letter beside its color.

    Examples
    --------
    >>> gem_label("K")
    'K black'
    """
    return f"{letter} {LOOKS[letter].name}"


def gem_marker(letter: str, size: int = 11) -> dict[str, Any]:
    """Return the marker of a gem in a scatter plot: its color, its shape, an edge.

    Examples
    --------
    >>> gem_marker("R")["symbol"]
    'triangle-up'
    """
    look = LOOKS[letter]
    return {
        "color": look.fill,
        "symbol": look.marker,
        "size": size,
        "line": {"color": look.edge, "width": 1.5},
    }


def live(drawn: go.Figure) -> go.FigureWidget:
    """Return a figure as a widget, which a panel can change in place."""
    from splendor_nb.charts.figures.live import LiveFigure

    return LiveFigure(drawn)
