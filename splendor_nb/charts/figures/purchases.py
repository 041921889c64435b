"""Charts of what was bought in many games, and of whom the nobles visited.

Each takes a table of `splendor_nb.analysis.outcomes` and returns a figure, never shown by itself.
Bars around a point are 95 % intervals.
"""

from __future__ import annotations

from typing import Final

import pandas as pd
import plotly.graph_objects as go

from splendor_nb.charts.figures.cards import legend_above
from splendor_nb.charts.figures.simulation import (
    NO_GAMES,
    as_text,
    dots,
    estimates,
    level_line,
)
from splendor_nb.charts.figures.style import between, figure, gem_label, gem_marker, series
from splendor_nb.charts.theme import DARK, LINE, MUTED, PAPER
from splendor_nb.engine.cards import COLORS, LEVELS

NAMED: Final = 2  # so many cards at either end of a level bear their names


def winners_buy(cards: pd.DataFrame, who: str = "somebody") -> go.Figure:
    """Return for each card how often it is bought, and how often its buyers win, a panel a level.

    Cards whose buyers win most and least often bear their names.

    Parameters
    ----------
    cards
        Of `card_outcomes`.
    who
        The agent whose purchases they are.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> from splendor_nb.analysis.outcomes import card_outcomes
    >>> cards = card_outcomes(simulate("greedy", games=500, seed=1, progress=False))
    >>> [panel.text for panel in winners_buy(cards).layout.annotations[:3]]
    ['level 3', 'level 2', 'level 1']
    """
    drawn = figure(_buyers_title(cards), x="", y="", height=860)
    rows = LEVELS[::-1]  # as on the table
    titles = [f"level {level}" for level in rows]
    drawn.set_subplots(3, 1, subplot_titles=titles, vertical_spacing=0.09)
    for place, level in enumerate(rows, start=1):
        of_level = cards[(cards["level"] == level) & (cards["bought"] > 0)]
        for color in COLORS:
            trace = _buyers(of_level[of_level["bonus"] == color], color, _ends(of_level))
            drawn.add_trace(trace.update(showlegend=place == 1), row=place, col=1)
    _usual_lines(drawn, cards)
    drawn.update_xaxes(title_text=f"games in which {as_text(who)} buys it, %", row=3, col=1)
    drawn.update_yaxes(title_text="win rate of its buyers, %", row=2, col=1)
    drawn.update_layout(hovermode="closest")
    legend_above(drawn)
    drawn.update_layout(margin_t=drawn.layout.margin.t + 20, legend_y=1.03)
    return drawn


def _buyers(cards: pd.DataFrame, color: str, named: set[str]) -> go.Scatter:
    thin = {"color": LINE, "thickness": 1, "width": 0}
    rates = [(100 * cards[name]).tolist() for name in ("rate", "rate_low", "rate_high")]
    wins = [(100 * cards[name]).tolist() for name in ("win_rate", "win_low", "win_high")]
    return go.Scatter(
        x=rates[0],
        y=wins[0],
        error_x=between(*rates) | thin,
        error_y=between(*wins) | thin,
        mode="markers+text",
        marker=gem_marker(color, 10),
        text=[card if card in named else "" for card in cards["card"]],
        textposition="top right",
        textfont={"size": 12, "color": DARK},
        name=gem_label(color),
        legendgroup=color,
        customdata=list(zip(cards["card"], cards["bought"], strict=True)),
        hovertemplate=(
            "<b>%{customdata[0]}</b>: bought in %{customdata[1]:,} games (%{x:.1f} %),"
            "<br>its buyers win %{y:.1f} %<extra></extra>"
        ),
    )


def _ends(of_level: pd.DataFrame) -> set[str]:
    """Return the cards whose buyers win most and least often."""
    ranked = of_level.sort_values("win_rate")["card"]
    return {*ranked.head(NAMED), *ranked.tail(NAMED)}


def _usual_lines(drawn: go.Figure, cards: pd.DataFrame) -> None:
    """Draw in each panel what the buyers win over all their games."""
    usual = cards["usual"].mean()
    if usual == usual:  # not NaN, as without games
        drawn.add_hline(y=100 * usual, line={"color": MUTED, "width": 1, "dash": "dot"}, row="all")


def _buyers_title(cards: pd.DataFrame) -> str:
    bought = cards[cards["bought"] > 0]
    if bought.empty:
        return NO_GAMES
    best = bought.sort_values("win_low").iloc[-1]
    return (
        f"Who buys {best.card} wins {100 * best.win_rate:.0f} % of those games; "
        f"dotted: all games, {100 * best.usual:.3g} %"
    )


def noble_visits(visits: pd.DataFrame, rates: pd.DataFrame) -> go.Figure:
    """Return in which rounds each noble comes, beside how often it does where it is shown.

    Parameters
    ----------
    visits
        Of `splendor_nb.analysis.outcomes.noble_visits`.
    rates
        Of `splendor_nb.analysis.noble_play.noble_visit_rates`, for one number of players.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> from splendor_nb.analysis import noble_play, outcomes
    >>> sim = simulate("greedy", games=500, seed=1, progress=False)
    >>> rates = noble_play.noble_visit_rates(sim.games, sim.seats, sim.visits)
    >>> [trace.type for trace in noble_visits(outcomes.noble_visits(sim), rates).data]
    ['heatmap', 'scatter']
    """
    rates = rates.sort_values("rate")
    drawn = figure(_visits_title(rates), x="", y="", height=440)
    columns = {"column_widths": [0.66, 0.34], "horizontal_spacing": 0.07}
    drawn.set_subplots(1, 2, shared_yaxes=True, **columns)
    drawn.add_trace(_visits_map(visits, rates["noble"].tolist()), row=1, col=1)
    drawn.add_trace(_visit_rates(rates), row=1, col=2)
    drawn.update_xaxes(title_text="round (darker: more visits)", showgrid=False, row=1, col=1)
    drawn.update_xaxes(title_text="visits where shown, %", rangemode="tozero", row=1, col=2)
    drawn.update_yaxes(ticks="")
    drawn.update_yaxes(title_text="noble", showgrid=False, row=1, col=1)
    return drawn


def _visits_map(visits: pd.DataFrame, order: list[str]) -> go.Heatmap:
    """Return a map of the nobles that have come, over the rounds in which any has."""
    wide = visits.pivot(index="noble", columns="round", values="visits").loc[order]
    wide = wide.loc[:, wide.any().cummax()]
    return go.Heatmap(
        x=wide.columns.tolist(),
        y=order,
        z=wide.to_numpy().tolist(),
        colorscale=[[0, PAPER], [1, series(0).color]],
        zmin=0,
        showscale=False,
        hovertemplate="noble %{y}, round %{x}: %{z:,} visits<extra></extra>",
    )


def _visit_rates(rates: pd.DataFrame) -> go.Scatter:
    percent = [(100 * rates[name]).tolist() for name in ("rate", "low", "high")]
    return go.Scatter(
        x=percent[0],
        y=rates["noble"].tolist(),
        error_x=between(*percent),
        **dots(0),
        showlegend=False,
        hovertemplate="noble %{y} comes in %{x:.1f} % of the games that show it<extra></extra>",
    )


def _visits_title(rates: pd.DataFrame) -> str:
    if rates.empty:
        return "No noble has visited anybody"
    most = rates.iloc[-1]
    return (
        f"{most.noble} comes most often, in {100 * most.rate:.0f} % of the games that show it,<br>"
        f"and then in round {most.median_round:.0f} (median)"
    )


def win_rate_by(table: pd.DataFrame) -> go.Figure:
    """Return how often those seats win that end with so much of something.

    Parameters
    ----------
    table
        Of `win_rate_by` in `splendor_nb.analysis.outcomes`.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> from splendor_nb.analysis import outcomes
    >>> games = simulate("greedy", games=500, seed=1, progress=False)
    >>> drawn = win_rate_by(outcomes.win_rate_by(games, "nobles"))
    >>> print(drawn.layout.xaxis.title.text)
    nobles (below: share of all seats)
    """
    what = str(table.columns[0])
    name = what.replace("_", " ")
    drawn = figure(
        _counts_title(table, name),
        x=f"{name} (below: share of all seats)",
        y="win rate, %",
    )
    drawn.add_scatter(
        x=table[what].tolist(),
        **estimates(table, "win_rate", 0),
        customdata=table["seats"].tolist(),
        hovertemplate="%{y:.1f} % of %{customdata:,} seats<extra></extra>",
    )
    drawn.update_xaxes(
        tickvals=table[what].tolist(),
        ticktext=[f"{n}<br>{s:.0%}" for n, s in zip(table[what], table["share"], strict=True)],
    )
    drawn.update_yaxes(range=[0, 104])
    usual = (table["win_rate"] * table["share"]).sum()
    level_line(drawn, 100 * usual, f"all seats, {100 * usual:.3g} %")
    return drawn


def _counts_title(table: pd.DataFrame, name: str) -> str:
    if table.empty:
        return NO_GAMES
    rows = table.iloc[[0, -1]]
    few, many = (f"{100 * rate:.0f} %" for rate in rows["win_rate"])
    least, most = rows.iloc[:, 0].astype(int)
    return f"Seats that end with {least} {name} win {few} of their games, those with {most} {many}"
