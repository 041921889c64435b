"""The chart of one game, decision by decision: who was winning, and where it was given away."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from splendor_nb.charts.figures.style import figure, plain, series

if TYPE_CHECKING:
    import pandas as pd


def win_share_course(table: pd.DataFrame, names: Sequence[str] | None = None) -> go.Figure:
    """Return each seat's chance of winning at its own decisions, the largest mistakes marked.

    What is drawn is the chance with the best action: the height of a mark's drop is what was
    given away there.

    Parameters
    ----------
    table
        Of `analyze_game`.
    names
        The names of the seats.

    Examples
    --------
    >>> from splendor_nb import analyze_game, play_game
    >>> record = play_game(["greedy", "random"], seed=1)
    >>> drawn = win_share_course(analyze_game(record, "search", iterations=40))
    >>> [trace.name for trace in drawn.data][:2]
    ['seat 0', 'seat 1']
    """
    worst = table[table["step"].isin(table.attrs.get("mistakes", []))]
    drawn = figure(_title(worst), x="turns finished", y="chance of winning, %")
    for seat, part in table.dropna(subset="best_share").groupby("seat"):
        number = int(str(seat))
        drawn.add_trace(_course(part, _name(names, number), number))
    for seat, part in worst.groupby("seat"):
        number = int(str(seat))
        drawn.add_trace(_mistakes(part, _name(names, number), number))
    drawn.update_yaxes(range=[-2, 102])
    drawn.update_layout(
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom"}, margin_t=120
    )
    return drawn


def _title(worst: pd.DataFrame) -> str:
    if worst.empty:
        return "No decision gave away a twentieth of a win"
    most = max(worst.itertuples(), key=lambda row: float(str(row.loss)))
    return (
        f"In turn {most.turn} seat {most.seat} gave away most: {most.loss:.0%} of a win,"
        f"<br>by '{most.action}' in place of '{most.best}'"
    )


def _course(part: pd.DataFrame, name: str, number: int) -> go.Scatter:
    look = series(number)
    return go.Scatter(
        x=part["turn"].tolist(),
        y=(100 * part["best_share"]).tolist(),
        customdata=part["action"].tolist(),
        mode="lines+markers",
        name=name,
        line={"color": look.color, "dash": look.dash, "width": 2},
        marker={"color": look.color, "symbol": look.symbol, "size": 6},
        hovertemplate="turn %{x}: %{y:.0f} %, then %{customdata}",
    )


def _mistakes(part: pd.DataFrame, name: str, number: int) -> go.Scatter:
    """Return the drops at mistakes: from the chance with the best action to that with the one."""
    look = series(number)
    return go.Scatter(
        x=part["turn"].tolist(),
        y=(100 * part["win_share"]).tolist(),
        error_y={
            "type": "data",
            "symmetric": False,
            "array": (100 * part["loss"]).tolist(),
            "arrayminus": [0] * len(part),
            "width": 0,
            "thickness": 2,
            "color": look.color,
        },
        customdata=[
            f"{row.action} in place of {row.best}: {row.loss:.0%} of a win given away"
            for row in part.itertuples()
        ],
        mode="markers",
        name=f"mistakes of {name}",
        marker={"color": look.color, "symbol": "x", "size": 12},
        hovertemplate="turn %{x}: %{customdata}<extra></extra>",
    )


def _name(names: Sequence[str] | None, seat: int) -> str:
    return f"seat {seat}" if names is None else plain(names[seat])
