"""Charts of the cards: what they cost, which colors pay for which, and how alike colors are.

Each takes a table of `splendor_nb.analysis` and returns a figure, never shown by itself.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from splendor_nb.analysis.card_questions import DECK
from splendor_nb.charts.figures.style import figure, gem_label, series
from splendor_nb.charts.theme import DARK, LOOKS, PAPER
from splendor_nb.engine.cards import COLORS, LEVELS

# One hue, so that grey keeps the order, and light enough for dark numbers on it.
SHADES: Final = [[0, "#f7f3ea"], [1, "#7aa6d0"]]


# -- what cards cost -------------------------------------------------------------------------------


def cost_distribution(table: pd.DataFrame) -> go.Figure:
    """Return bars of how many cards cost how many gems, by level.

    Parameters
    ----------
    table
        Of `card_table`.

    Examples
    --------
    >>> from splendor_nb.analysis.card_stats import card_table
    >>> print(cost_distribution(card_table()).layout.title.text)
    Level 1 costs 3 to 5 gems, level 2 costs 5 to 8, level 3 costs 7 to 14
    """
    drawn = figure(_cost_title(table), x="total cost, gems", y="cards")
    for level in LEVELS:
        counts = table[table.level == level].total_cost.value_counts().sort_index()
        drawn.add_bar(
            x=counts.index.tolist(),
            y=counts.tolist(),
            **level_bar(level),
            hovertemplate="%{y} cards of level " + str(level) + " cost %{x} gems<extra></extra>",
        )
    drawn.update_layout(barmode="stack")
    legend_above(drawn)
    drawn.update_xaxes(dtick=1)
    return drawn


def _cost_title(table: pd.DataFrame) -> str:
    ranges = table.groupby("level", observed=True).total_cost.agg(["min", "max"])
    parts = [
        f"level {level} costs {low} to {high}{' gems' if at == 0 else ''}"
        for at, (level, low, high) in enumerate(ranges.itertuples())
    ]
    return ", ".join(parts).capitalize() or "No cards"


def cost_map(flow: pd.DataFrame) -> go.Figure:
    """Return a map of the gems that cards of each bonus ask for in each color, by level.

    Parameters
    ----------
    flow
        Of `color_flow`.

    Examples
    --------
    >>> from splendor_nb.analysis.card_questions import color_flow
    >>> [panel.text for panel in cost_map(color_flow()).layout.annotations[:3]]
    ['level 1', 'level 2', 'level 3']
    """
    drawn = figure(_map_title(flow), x="", y="bonus", height=360)
    titles = [f"level {level}" for level in LEVELS]
    drawn.set_subplots(1, 3, shared_yaxes=True, subplot_titles=titles, horizontal_spacing=0.03)
    for column, level in enumerate(LEVELS, start=1):
        of_level = flow[flow.level == level].pivot(index="bonus", columns="paid", values="gems")
        drawn.add_trace(_heat(of_level.to_numpy()), row=1, col=column)
    drawn.update_xaxes(side="bottom", ticks="", showgrid=False)
    drawn.update_xaxes(title_text="gems asked for, by color", row=1, col=2)
    room_above(drawn)
    drawn.update_yaxes(autorange="reversed", ticks="", showgrid=False)
    return drawn


def asked_map(table: pd.DataFrame) -> go.Figure:
    """Return a map of the gems that some cards ask for, by their bonus and the color asked for.

    Parameters
    ----------
    table
        Rows of `card_table`.

    Examples
    --------
    >>> from splendor_nb.analysis.card_stats import card_table
    >>> asked_map(card_table()).data[0].z.sum(axis=0).tolist()
    [117, 117, 117, 117, 117]
    """
    drawn = figure("What these cards ask for", x="gems asked for, by color", y="bonus")
    drawn.add_trace(_heat(asked(table)))
    drawn.update_xaxes(ticks="", showgrid=False)
    drawn.update_yaxes(autorange="reversed", ticks="", showgrid=False)
    return drawn


def asked(table: pd.DataFrame) -> np.ndarray:
    """Return the gems that cards ask for: a row for each bonus, a column for each color.

    Parameters
    ----------
    table
        Rows of `card_table`.

    Examples
    --------
    >>> from splendor_nb.analysis.card_stats import card_table
    >>> asked(card_table().query("level == 3"))[0]
    array([ 6,  3,  3,  8, 23])
    """
    sums = table.groupby("bonus", observed=False)[list(COLORS)].sum()
    return sums.to_numpy(dtype=int)


def _heat(gems: np.ndarray) -> go.Heatmap:
    return go.Heatmap(
        x=list(COLORS),
        y=[gem_label(color) for color in COLORS],
        z=gems,
        texttemplate="%{z}",
        textfont={"color": DARK},
        colorscale=SHADES,
        zmin=0,
        showscale=False,
        xgap=2,
        ygap=2,
        hovertemplate="cards with bonus %{y} ask for %{z} gems of %{x}<extra></extra>",
    )


def _map_title(flow: pd.DataFrame) -> str:
    paid = flow.groupby("paid", observed=True).gems.sum()
    pairs = flow.groupby(["paid", "bonus"], observed=True).gems.sum()
    each = f"Every color pays {paid.min()}" if paid.nunique() == 1 else "Colors pay unevenly"
    return (
        f"{each} gems over the deck,<br>"
        f"but {pairs.min()} for one color of bonus and {pairs.max()} for another"
    )


# -- which colors pay for which --------------------------------------------------------------------


def flow_bars(flow: pd.DataFrame) -> go.Figure:
    """Return for each bonus the gems that its cards ask for, color by color, a panel a level.

    Parameters
    ----------
    flow
        Of `color_flow`.

    Examples
    --------
    >>> from splendor_nb.analysis.card_questions import color_flow
    >>> print(flow_bars(color_flow()).layout.title.text)
    What pays for a bonus: at level 3, K pays 23 of the 43 gems for W
    """
    drawn = figure(_flow_title(flow), x="", y="", height=600)
    titles = [f"level {level}" for level in LEVELS]
    drawn.set_subplots(3, 1, shared_xaxes=True, subplot_titles=titles, vertical_spacing=0.07)
    for level in LEVELS:
        for color in COLORS:
            part = flow[(flow.level == level) & (flow.paid == color)]
            drawn.add_trace(_flow_part(part, color), row=level, col=1)
    drawn.update_layout(barmode="stack", showlegend=False)
    room_above(drawn)
    drawn.update_xaxes(showgrid=False)
    drawn.update_xaxes(title_text="gems asked for, by color", row=3, col=1)
    drawn.update_yaxes(autorange="reversed", title_text="", ticks="")
    drawn.update_yaxes(title_text="bonus", row=2, col=1)
    return drawn


def _flow_part(part: pd.DataFrame, color: str) -> go.Bar:
    look = LOOKS[color]
    return go.Bar(
        x=part.gems.tolist(),
        y=[gem_label(bonus) for bonus in part.bonus],
        orientation="h",
        marker={"color": look.face, "line": {"color": look.edge, "width": 1}},
        # A single gem has room for its letter alone.
        text=[f"{color} {gems}" if gems > 1 else color for gems in part.gems],
        textposition="inside",
        insidetextanchor="middle",
        insidetextfont={"color": look.ink, "size": 12},
        constraintext="none",
        textangle=0,
        hovertemplate="bonus %{y}: %{x} gems of " + gem_label(color) + "<extra></extra>",
    )


def _flow_title(flow: pd.DataFrame) -> str:
    if not flow.gems.any():
        return "What pays for a bonus: nothing"
    most = flow.sort_values("gems", kind="stable", ascending=False).iloc[0]
    same = flow[(flow.level == most.level) & (flow.bonus == most.bonus)]
    return (
        f"What pays for a bonus: at level {most.level}, {most.paid} pays {most.gems} "
        f"of the {same.gems.sum()} gems for {most.bonus}"
    )


# -- symmetry --------------------------------------------------------------------------------------


def symmetry(relabelled: pd.DataFrame) -> go.Figure:
    """Return how many cards survive each exchange of colors, by what is exchanged.

    Parameters
    ----------
    relabelled
        Of `relabellings`.

    Examples
    --------
    >>> from splendor_nb.analysis.card_questions import relabellings
    >>> print(symmetry(relabellings()).layout.title.text.replace("<br>", " "))
    Of 119 ways to exchange the colors, those that give the same cards: 4 for level 3
    """
    moved = relabelled[relabelled.relabelling != "".join(COLORS)]
    counts = moved.assign(share=moved.kept / moved.cards.where(moved.cards > 0))
    counts = counts.groupby(["scope", "share"], observed=True).size().reset_index(name="ways")
    drawn = figure(
        _symmetry_title(moved),
        x="cards that turn into existing ones, % (larger: more ways)",
        y="",
        height=360,
    )
    most = counts.groupby("scope", observed=True).share.transform("max")
    written = counts.ways.astype(str).where(counts.share == most, "")
    drawn.add_scatter(
        x=(100 * counts.share).tolist(),
        y=counts.scope.astype(str).tolist(),
        customdata=counts.ways.tolist(),
        mode="markers+text",
        text=written.tolist(),
        textposition="top center",
        marker={"color": series(0).color, "size": (5 + 2 * np.sqrt(counts.ways)).tolist()},
        hovertemplate="%{customdata} ways keep %{x:.0f} % of the cards: %{y}<extra></extra>",
    )
    drawn.update_xaxes(range=[-3, 104])
    drawn.update_yaxes(categoryarray=counts.scope.cat.categories[::-1].tolist())
    return drawn


def _symmetry_title(moved: pd.DataFrame) -> str:
    maps = moved.groupby("scope", observed=True).maps.sum()
    ways = moved[moved.scope == DECK].shape[0]
    fit = ", ".join(f"{number} for {scope}" for scope, number in maps.items() if number)
    return (
        f"Of {ways} ways to exchange the colors, those that give the<br>same cards: {fit or 'none'}"
    )


# -- what they share -------------------------------------------------------------------------------


def level_bar(level: int) -> dict[str, Any]:
    """Return the name and the look of the bars of a level.

    Examples
    --------
    >>> level_bar(2)["name"]
    'level 2'
    """
    look = series(level - 1)
    pattern = {"shape": look.pattern, "fgcolor": PAPER, "fillmode": "overlay", "solidity": 0.2}
    return {"name": f"level {level}", "marker": {"color": look.color, "pattern": pattern}}


def legend_above(drawn: go.Figure) -> None:
    """Put the legend between the title and the chart."""
    room_above(drawn)
    drawn.update_layout(
        showlegend=True,
        legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0, "traceorder": "normal"},
    )


def room_above(drawn: go.Figure) -> None:
    """Leave room between the title, of one line or more, and the chart for another line."""
    lines = drawn.layout.title.text.count("<br>") + 1
    drawn.update_layout(
        margin_t=44 + 23 * lines,
        # Plotly places the last line; the ones above it need room of their own.
        title={"y": 1, "yref": "container", "yanchor": "top", "pad": {"t": 2 + 12 * lines}},
    )
