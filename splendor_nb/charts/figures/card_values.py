"""Charts of worth: what a card gives for its price, and what a bonus saves.

Each takes a table of `splendor_nb.analysis` and returns a figure, never shown by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from splendor_nb.charts.figures.cards import legend_above, level_bar
from splendor_nb.charts.figures.style import between, figure, gem_label, gem_marker
from splendor_nb.engine.cards import COLOR_NAMES, COLORS, LEVELS, gems_in_words

_SIDE: Final = 0.19  # from one card to the next where several lie at one point


# -- what cards are worth --------------------------------------------------------------------------


def points_against_cost(table: pd.DataFrame) -> go.Figure:
    """Return every card as a point: its points against its total cost, the card in words on it.

    Cards of equal cost and points stand side by side, by color and family, so that none hides
    another.

    Parameters
    ----------
    table
        Of `card_table`, or some rows of it.

    Examples
    --------
    >>> from splendor_nb.analysis.card_stats import card_table
    >>> drawn = points_against_cost(card_table())
    >>> sum(len(trace.x) for trace in drawn.data)
    90
    """
    drawn = figure(
        _points_title(table),
        x="total cost, gems (equal cards stand side by side)",
        y="points",
        height=460,
    )
    for color, points in card_points(table).items():
        drawn.add_scatter(
            **points, mode="markers", name=gem_label(color), marker=gem_marker(color, 9)
        )
    drawn.update_traces(hovertemplate="%{text}<extra></extra>")
    drawn.update_layout(hovermode="closest")
    legend_above(drawn)
    drawn.update_xaxes(dtick=1, range=_around(table.total_cost))
    drawn.update_yaxes(dtick=1, range=_around(table.points))
    return drawn


def _around(values: pd.Series) -> list[float] | None:
    """Return an axis that holds the values with half a step to spare."""
    return [values.min() - 0.6, values.max() + 0.6] if len(values) else None


def _points_title(table: pd.DataFrame) -> str:
    if table.empty:
        return "No cards"
    ranges = table.groupby("total_cost").points.agg(["min", "max"])
    gems, low, high = max(ranges.itertuples(), key=lambda row: row[2] - row[1])
    if low == high:
        return "What cards cost, and the points that they give"
    return f"Gems do not fix the points: {gems} gems buy from {low} to {high}"


def card_points(table: pd.DataFrame) -> dict[str, dict[str, Any]]:
    """Return for each color where its cards stand in `points_against_cost`.

    Parameters
    ----------
    table
        Of `card_table`, or some rows of it.

    Returns
    -------
    dict
        By letter of the bonus: ``x`` and ``y``, moved a little where several cards are equal;
        ``text``, the cards in words; ``customdata``, their names.

    Examples
    --------
    >>> from splendor_nb.analysis.card_stats import card_table
    >>> card_points(card_table())["U"]["customdata"][:2]
    ['1U1', '1U2']
    """
    spread = _spread(table)
    return {
        color: {
            "x": cards.x.tolist(),
            "y": cards.y.tolist(),
            "text": [in_words(card) for card in cards.to_dict("records")],
            "customdata": cards.name.tolist(),
        }
        for color in COLORS
        for cards in [spread[spread.bonus == color]]
    }


def _spread(table: pd.DataFrame) -> pd.DataFrame:
    """Return the cards with their places: columns by color, rows by family."""
    table = table.sort_values("family", kind="stable").copy()
    point = [table.total_cost, table.points]
    row = table.groupby([*point, table.bonus], observed=True).cumcount()
    rows = row.groupby(point).transform("max") + 1
    step = np.minimum(_SIDE, 0.9 / rows)
    table["x"] = table.total_cost + _SIDE * (table.bonus.cat.codes - 2)
    table["y"] = table.points + step * (row - (rows - 1) / 2)
    return table.sort_index()


def in_words(card: Mapping[Any, Any]) -> str:
    """Return a row of `card_table` in words, for the label of a point.

    Examples
    --------
    >>> from splendor_nb.analysis.card_stats import card_table
    >>> print(in_words(card_table().iloc[48].to_dict()).replace("<br>", "; "))
    <b>2U3</b>, level 2, blue bonus; 2 points for 5 blue; 0.40 points per gem; 3 takes at the fewest
    """
    cost = gems_in_words({color: card[color] for color in COLORS})
    return "<br>".join(
        (
            f"<b>{card['name']}</b>, level {card['level']}, {COLOR_NAMES[card['bonus']]} bonus",
            f"{card['points']} point{'' if card['points'] == 1 else 's'} for {cost}",
            f"{card['points_per_gem']:.2f} points per gem",
            f"{card['takes']} takes at the fewest",
        )
    )


def efficiency(families: pd.DataFrame) -> go.Figure:
    """Return the families of cards that give points, ranked by points per gem, beside per take.

    Parameters
    ----------
    families
        Of `family_table`.

    Examples
    --------
    >>> from splendor_nb.analysis.card_questions import family_table
    >>> print(efficiency(family_table()).layout.title.text)
    Most points per gem on L3: 7 → 4 points;<br>per take 3 kinds of card share the lead
    """
    worth = families[families.points > 0].sort_values(["points_per_gem", "points_per_take"])
    drawn = figure(_efficiency_title(worth), x="points per gem", y="", height=460)
    drawn.set_subplots(1, 2, shared_yaxes=True, horizontal_spacing=0.04)
    for column, value in enumerate(["points_per_gem", "points_per_take"], start=1):
        for level in LEVELS:
            bars = _value_bars(worth[worth.level == level], value, level)
            drawn.add_trace(bars.update(showlegend=column == 1), row=1, col=column)
        drawn.update_xaxes(title_text=value.replace("_", " "), row=1, col=column)
    drawn.update_xaxes(range=[0, 1.18 * worth.points_per_gem.max()], row=1, col=1)
    drawn.update_xaxes(range=[0, 1.18 * worth.points_per_take.max()], row=1, col=2)
    drawn.update_yaxes(categoryarray=[_kind(row) for row in worth.itertuples()], ticks="")
    legend_above(drawn)
    return drawn


def _value_bars(families: pd.DataFrame, value: str, level: int) -> go.Bar:
    return go.Bar(
        x=families[value].tolist(),
        y=[_kind(row) for row in families.itertuples()],
        orientation="h",
        text=[f"{number:.2f}" for number in families[value]],
        textposition="outside",
        cliponaxis=False,
        legendgroup=str(level),
        hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        **level_bar(level),
    )


def _kind(family: Any) -> str:
    points = f"{family.points} point{'' if family.points == 1 else 's'}"
    return f"L{family.level}: {family.shape} → {points}"


def _efficiency_title(worth: pd.DataFrame) -> str:
    if worth.empty:
        return "No card gives points"
    best = list(worth.itertuples())[-1]
    leading = (worth.points_per_take == worth.points_per_take.max()).sum()
    lead = "one kind of card leads" if leading == 1 else f"{leading} kinds of card share the lead"
    return f"Most points per gem on {_kind(best)};<br>per take {lead}"


# -- what bonuses save -----------------------------------------------------------------------------


def savings_by_bonus(savings: pd.DataFrame) -> go.Figure:
    """Return what the first, the second … bonus of a color saves over the deck, by level.

    The bars are means over the five colors. Where colors differ, a whisker reaches from the one
    that saves least to the one that saves most.

    Parameters
    ----------
    savings
        Of `savings`.

    Examples
    --------
    >>> from splendor_nb.analysis.card_questions import savings
    >>> print(savings_by_bonus(savings()).layout.title.text.replace("<br>", " "))
    The first bonus of a color saves 43 gems over the deck, the last of 7 saves 2: so for each color
    """
    deck = savings.groupby(["bonuses", "color"], observed=True).marginal.sum().unstack()
    drawn = figure(
        _savings_title(deck), x="first, second … bonus of a color", y="gems saved by that bonus"
    )
    for level in LEVELS:
        mean = savings[savings.level == level].groupby("bonuses").marginal.mean()
        drawn.add_bar(
            x=mean.index.tolist(),
            y=mean.tolist(),
            hovertemplate="bonus %{x} saves %{y:.3~g} gems at level " + f"{level}<extra></extra>",
            **level_bar(level),
        )
    drawn.add_scatter(**_totals(deck))
    drawn.update_layout(barmode="stack")
    legend_above(drawn)
    drawn.update_xaxes(dtick=1)
    return drawn


def _totals(deck: pd.DataFrame) -> dict[str, Any]:
    """Return the whole deck's savings, written above the bars, with the range over colors."""
    mean = deck.mean(axis=1).tolist()
    low, high = deck.min(axis=1).tolist(), deck.max(axis=1).tolist()
    return {
        "x": deck.index.tolist(),
        "y": mean,
        "text": [f"{number:.3g}" for number in mean],
        "mode": "text",
        "textposition": "top center",
        "showlegend": False,
        "hoverinfo": "skip",
        "error_y": between(mean, low, high) if low != high else None,
    }


def _savings_title(deck: pd.DataFrame) -> str:
    if deck.empty:
        return "Nothing to save"
    mean = deck.mean(axis=1)
    even = deck.nunique(axis=1).eq(1).all()
    return (
        f"The first bonus of a color saves {mean.iloc[0]:.3g} gems over the deck,<br>"
        f"the last of {mean.index[-1]} saves {mean.iloc[-1]:.3g}: "
        f"{'so for each color' if even else 'on average, since colors differ'}"
    )
