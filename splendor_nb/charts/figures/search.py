"""The chart of a search: what more thinking brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from splendor_nb.charts.figures.style import between, figure, plain, series

if TYPE_CHECKING:
    import pandas as pd


def budget_curve(table: pd.DataFrame, rival: str) -> go.Figure:
    """Return how often a search wins against a rival, by the number of its iterations.

    Parameters
    ----------
    table
        A row for each budget: ``iterations``, ``score``, ``low``, ``high``, shares 0 to 1.
    rival
        The name of the rival.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"iterations": [10], "score": [0.6], "low": [0.5], "high": [0.7]})
    >>> budget_curve(table, "planner").layout.xaxis.title.text
    'iterations a decision'
    """
    first, last = table.iloc[0], table.iloc[-1]
    drawn = figure(
        f"From {first['iterations']:.0f} to {last['iterations']:.0f} iterations: from "
        f"{first['score']:.0%} to {last['score']:.0%} of the wins",
        x="iterations a decision",
        y=f"wins against {plain(rival)}, %",
    )
    look = series(0)
    # Rounded: the last digits of a float may differ from machine to machine.
    scores, low, high = ((100 * table[name]).round(4) for name in ("score", "low", "high"))
    drawn.add_scatter(
        x=table["iterations"].tolist(),
        y=scores.tolist(),
        error_y=between(scores, low, high),
        mode="lines+markers",
        line={"color": look.color, "width": 2},
        marker={"symbol": look.symbol, "size": 9},
        hovertemplate="%{x} iterations: %{y:.0f} %<extra></extra>",
        showlegend=False,
    )
    drawn.add_hline(y=50, line={"color": series(5).color, "dash": "dot", "width": 1.5})
    ticks = table["iterations"].tolist()
    drawn.update_xaxes(type="log", tickvals=ticks, ticktext=[str(n) for n in ticks])
    drawn.update_yaxes(range=[0, 102])
    return drawn
