"""Charts of the nobles: what they ask for, what they take, and when they come.

Each takes a table of `splendor_nb.analysis` and returns a figure, never shown by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, Final

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from splendor_nb.charts.figures.cards import SHADES, legend_above, room_above
from splendor_nb.charts.figures.style import between, figure, gem_label, series
from splendor_nb.charts.theme import LINE, LOOKS, MUTED
from splendor_nb.engine.cards import COLORS

MARKS: Final = {"proven": "circle", "bound": "diamond-open"}
_ACROSS: Final = 5  # panels side by side
_INK: Final = series(0).color


# -- what they ask for -----------------------------------------------------------------------------


def noble_colors(table: pd.DataFrame) -> go.Figure:
    """Return a map of the bonuses that each noble asks for, by color.

    Parameters
    ----------
    table
        Of `noble_table`, or some rows of it.

    Examples
    --------
    >>> from splendor_nb.analysis.card_stats import noble_table
    >>> drawn = noble_colors(noble_table())
    >>> [len(trace.x) for trace in drawn.data]
    [5, 5, 5, 5, 5]
    """
    title = "Nobles ask for colors that are neighbors<br>on the ring white, blue, green, red, black"
    drawn = figure(title, x="bonuses asked for, by color", y="", height=120 + 30 * len(table))
    order = _on_the_ring(table)
    for color in COLORS:
        asked = order[order[color] > 0]
        drawn.add_scatter(
            x=[gem_label(color)] * len(asked),
            y=asked.name.tolist(),
            text=asked[color].tolist(),
            mode="markers+text",
            marker=_tile(color),
            textfont={"color": LOOKS[color].ink, "size": 14},
            showlegend=False,
            hovertemplate="%{y} asks for %{text} %{x}<extra></extra>",
        )
    drawn.update_xaxes(
        categoryarray=[gem_label(c) for c in COLORS], range=[-0.5, 4.5], showgrid=False, ticks=""
    )
    names = order.name.tolist()
    drawn.update_yaxes(categoryarray=names, range=[len(names) - 0.5, -0.5], showgrid=True, ticks="")
    return drawn


def _tile(color: str) -> dict[str, Any]:
    look = LOOKS[color]
    return {
        "symbol": "square",
        "size": 24,
        "color": look.face,
        "line": {"color": look.edge, "width": 1.5},
    }


def _on_the_ring(table: pd.DataFrame) -> pd.DataFrame:
    """Return the nobles of two colors, then those of three, each along the ring."""
    starts = [
        min(map(_turned_from_gap(row), COLORS)) for row in table[[*COLORS]].to_dict("records")
    ]
    return table.assign(start=starts).sort_values(["colors", "start"], kind="stable")


def _turned_from_gap(asked: dict[Any, int]) -> Any:
    """Return a key of colors: the place where a run of those asked for begins, else a high one."""

    def key(color: str) -> int:
        at = COLORS.index(color)
        begins = asked[color] > 0 and asked[COLORS[at - 1]] == 0
        return at if begins else len(COLORS)

    return key


def pairs_map(pairs: pd.DataFrame) -> go.Figure:
    """Return a map of the fewest cards that earn each two nobles.

    Parameters
    ----------
    pairs
        Of `noble_pairs`.

    Examples
    --------
    >>> from splendor_nb.analysis.reachability import noble_pairs
    >>> print(pairs_map(noble_pairs()).layout.title.text)
    Two nobles together take 11 to 17 cards:<br>11 suffice for 10 of 45 pairs
    """
    names = sorted({*pairs["first"], *pairs["second"]}, key=lambda name: (len(name), name))
    grid = np.full((len(names), len(names)), np.nan)
    for first, second, cards in zip(pairs["first"], pairs["second"], pairs.cards, strict=True):
        at, below = sorted((names.index(first), names.index(second)))
        grid[below, at] = cards
    drawn = figure(_pairs_title(pairs), x="the fewest cards that earn both", y="", height=460)
    drawn.add_heatmap(
        x=names[:-1],
        y=names[1:],
        z=grid[1:, :-1],
        texttemplate="%{z}",
        colorscale=SHADES,
        showscale=False,
        hoverongaps=False,
        xgap=2,
        ygap=2,
        hovertemplate="%{x} and %{y}: %{z} cards<extra></extra>",
    )
    drawn.update_xaxes(ticks="", showgrid=False, tickangle=0)
    drawn.update_yaxes(ticks="", showgrid=False, autorange="reversed")
    return drawn


def _pairs_title(pairs: pd.DataFrame) -> str:
    low, high = pairs.cards.min(), pairs.cards.max()
    cheapest = (pairs.cards == low).sum()
    return (
        f"Two nobles together take {low} to {high} cards:<br>"
        f"{low} suffice for {cheapest} of {len(pairs)} pairs"
    )


def set_costs(distribution: pd.DataFrame) -> go.Figure:
    """Return how many cards the cheapest nobles of a game take, over all set-ups.

    Parameters
    ----------
    distribution
        Of `set_distribution`.

    Examples
    --------
    >>> from splendor_nb.analysis.reachability import set_distribution
    >>> [bars.name for bars in set_costs(set_distribution()).data]
    ['3 shown (2 players)', '4 shown (3 players)', '5 shown (4 players)']
    """
    wanted = distribution[distribution.earned > 1]
    drawn = figure(
        _sets_title(wanted), x="fewest cards, for two and for three nobles", y="set-ups, %"
    )
    for number, shown in enumerate(sorted(set(wanted.shown))):
        look, part = series(number), wanted[wanted.shown == shown]
        drawn.add_bar(
            x=[part.earned.map({2: "two nobles", 3: "three nobles"}).tolist(), part.cards.tolist()],
            y=(100 * part.share).tolist(),
            name=f"{shown} shown ({shown - 1} players)",
            marker={"color": look.color, "pattern": {"shape": look.pattern, "solidity": 0.25}},
            text=[f"{100 * share:.0f}" if share >= 0.005 else "<1" for share in part.share],
            textposition="outside",
            textangle=0,
            cliponaxis=False,
            hovertemplate="%{y:.1f} % of the set-ups<extra>" + f"{shown} shown</extra>",
        )
    drawn.update_layout(barmode="group")
    legend_above(drawn)
    return drawn


def _sets_title(wanted: pd.DataFrame) -> str:
    two = wanted[wanted.earned == 2]
    cheap = two[two.cards == two.cards.min()].set_index("shown").share
    least, most = min(cheap.index), max(cheap.index)
    return (
        f"With {least} nobles shown, {two.cards.min()} cards earn two in {100 * cheap[least]:.0f} "
        f"% of the games,<br>with {most} shown in {100 * cheap[most]:.0f} %"
    )


# -- what they take with perfect luck --------------------------------------------------------------


def frontier(table: pd.DataFrame) -> go.Figure:
    r"""Return the fewest tokens for each noble against the cards bought, a panel for each noble.

    A disk is proven to be the fewest; an open diamond is the best plan found, with a bar down to
    the number that no plan can beat.

    Parameters
    ----------
    table
        Of `noble_frontier`.

    Examples
    --------
    >>> from splendor_nb.analysis.reachability import noble_frontier
    >>> print(*frontier(noble_frontier("RK")).layout.title.text.split("<br>"), sep="\n")
    With perfect luck: 16 tokens for no more cards than asked for,
    7 for up to 12 cards (all proven)
    """
    known = table[table.status != "infeasible"]
    names = sorted(known.noble.drop_duplicates(), key=len)
    rows = -(-len(names) // _ACROSS)
    drawn = figure(_frontier_title(known), x="", y="", height=150 + 190 * rows)
    across = min(_ACROSS, len(names))
    drawn.set_subplots(
        rows, across, shared_xaxes=True, shared_yaxes=True, subplot_titles=names,
        horizontal_spacing=0.02, vertical_spacing=0.16 if rows > 1 else 0,
    )  # fmt: skip
    for at, name in enumerate(names):
        part = known[known.noble == name]
        _add_frontier(drawn, part, row=at // across + 1, col=at % across + 1)
    _frontier_axes(drawn, known, rows, across)
    room_above(drawn)
    return drawn


def _add_frontier(drawn: go.Figure, part: pd.DataFrame, row: int, col: int) -> None:
    found = part[part.tokens.notna()]
    shown = [_range_text(*pair) for pair in zip(found.tokens, found.at_least, strict=True)]
    drawn.add_scatter(
        x=found.most_cards.tolist(),
        y=found.tokens.tolist(),
        error_y=between(found.tokens, found.at_least, found.tokens),
        mode="lines+markers+text",
        line={"color": _INK, "width": 1.5},
        marker={"symbol": [MARKS[status] for status in found.status], "size": 9, "color": _INK},
        text=shown,
        textposition="top center",
        customdata=found.status.tolist(),
        showlegend=False,
        hovertemplate="at most %{x} cards: %{text} tokens, %{customdata}<extra></extra>",
        row=row,
        col=col,
    )


def _range_text(tokens: int, at_least: int) -> str:
    return str(tokens) if tokens == at_least else f"{at_least}–{tokens}"


def _frontier_axes(drawn: go.Figure, known: pd.DataFrame, rows: int, across: int) -> None:
    low, high = known.most_cards.min(), known.most_cards.max()
    drawn.update_xaxes(range=[low - 0.6, high + 0.6], dtick=1, showticklabels=True)
    drawn.update_yaxes(range=[0, known.tokens.max() + 4], dtick=5)
    for row in range(1, rows + 1):
        drawn.update_yaxes(title_text="tokens", row=row, col=1)
    drawn.update_xaxes(title_text="cards bought, at most", row=rows, col=(across + 1) // 2)


def _frontier_title(known: pd.DataFrame) -> str:
    by_cards = known.sort_values("most_cards").groupby("noble").tokens
    few, many = (_span(ends.tolist()) for ends in (by_cards.first(), by_cards.last()))
    settled = "all proven" if (known.status == "proven").all() else "disks are proven"
    return (
        f"With perfect luck: {few} tokens for no more cards than asked for,<br>"
        f"{many} for up to {known.most_cards.max()} cards ({settled})"
    )


def _span(numbers: Sequence[int]) -> str:
    return " to ".join(map(str, sorted({min(numbers), max(numbers)})))


# -- when they come --------------------------------------------------------------------------------


def visit_rates(rates: pd.DataFrame) -> go.Figure:
    """Return how often each noble comes where it is shown, beside the rounds in which it does.

    Parameters
    ----------
    rates
        Of `noble_visit_rates`; several numbers of players are drawn beside each other.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> from splendor_nb.analysis.noble_play import noble_visit_rates
    >>> sim = simulate("greedy", games=300, seed=1, progress=False)
    >>> drawn = visit_rates(noble_visit_rates(sim.games, sim.seats, sim.visits))
    >>> [trace.name for trace in drawn.data]
    ['2 players', '2 players']
    """
    order = rates.groupby("noble").rate.mean().sort_values().index.tolist()
    drawn = figure(_visits_title(rates), x="", y="", height=150 + 36 * len(order))
    drawn.set_subplots(1, 2, shared_yaxes=True, horizontal_spacing=0.04)
    groups = sorted(set(rates.players))
    for number, players in enumerate(groups):
        look, part = series(number), rates[rates.players == players]
        aside = 0.22 * (number - (len(groups) - 1) / 2)
        places = [order.index(name) + aside for name in part.noble]
        name = f"{players} players"
        common = {
            "y": places,
            "name": name,
            "legendgroup": name,
            "mode": "markers",
            "marker": {"symbol": look.symbol, "color": look.color, "size": 9},
            "text": part.noble.tolist(),
        }
        drawn.add_trace(go.Scatter(**common, **_rate_marks(part)), row=1, col=1)
        drawn.add_trace(go.Scatter(**common, **_round_marks(part), showlegend=False), row=1, col=2)
    drawn.update_yaxes(tickvals=list(range(len(order))), ticktext=order, ticks="")
    drawn.update_xaxes(title_text="comes where it is shown, %", rangemode="tozero", row=1, col=1)
    drawn.update_xaxes(title_text="in round (median, middle half)", row=1, col=2)
    legend_above(drawn)
    return drawn


def _rate_marks(part: pd.DataFrame) -> dict[str, Any]:
    percent = 100 * part[["rate", "low", "high"]]
    return {
        "x": percent.rate.tolist(),
        "error_x": between(percent.rate, percent.low, percent.high),
        "customdata": part.games.tolist(),
        "hovertemplate": "%{text} comes to somebody in %{x:.1f} % of the games that show it"
        " (%{customdata:,} games)",
    }


def _round_marks(part: pd.DataFrame) -> dict[str, Any]:
    return {
        "x": part.median_round.tolist(),
        "error_x": between(part.median_round, part.first_quarter, part.third_quarter),
        "hovertemplate": "%{text}: half of its visits by round %{x}",
    }


def _visits_title(rates: pd.DataFrame) -> str:
    if rates.empty:
        return "No noble has visited anybody"
    by_colors = rates.groupby(rates.noble.str.len()).rate.mean()
    if set(by_colors.index) != {2, 3}:
        return "How often nobles come where they are shown, and when"
    return (
        f"Nobles of three colors come in {100 * by_colors[3]:.0f} % of the games that show them,"
        f"<br>those of two colors in {100 * by_colors[2]:.0f} %"
    )


def distances(progress: pd.DataFrame, names: Sequence[str] | None = None) -> go.Figure:
    """Return how many bonuses each seat lacked for each noble in the course of a game.

    Parameters
    ----------
    progress
        Of `noble_progress`.
    names
        What the seats are called; by default ``seat 0`` and so on.

    Examples
    --------
    >>> from splendor_nb import play_game
    >>> from splendor_nb.analysis.reachability import noble_progress
    >>> drawn = distances(noble_progress(play_game(["greedy", "greedy"], seed=7)))
    >>> print(drawn.layout.title.text)
    3 of 3 nobles came, the first in turn 39
    """
    seats, nobles = sorted(set(progress.seat)), progress.noble.drop_duplicates().tolist()
    drawn = figure(_distances_title(progress), x="", y="", height=150 + 160 * len(seats))
    drawn.set_subplots(len(seats), 1, shared_xaxes=True, vertical_spacing=0.12 / len(seats))
    for row, seat in enumerate(seats, start=1):
        for number, noble in enumerate(nobles):
            part = progress[(progress.seat == seat) & (progress.noble == noble)]
            aside = 0.14 * (number - (len(nobles) - 1) / 2)
            line = _distance_line(part, noble, number, aside)
            drawn.add_trace(line.update(showlegend=row == 1), row=row, col=1)
        came = progress[(progress.seat == seat) & progress.visits]
        drawn.add_trace(_visit_marks(came, nobles), row=row, col=1)
        name = f"seat {seat}" if names is None else escape(names[seat])
        drawn.update_yaxes(title_text=f"{name}:<br>bonuses missing", row=row, col=1)
    drawn.update_yaxes(range=[-2.2, progress.missing.max() + 0.8], tickvals=[0, 2, 4, 6, 8])
    drawn.update_xaxes(title_text="turns finished, of all seats", row=len(seats), col=1)
    legend_above(drawn)
    return drawn


def _distance_line(part: pd.DataFrame, noble: str, number: int, aside: float) -> go.Scatter:
    """Return a line a little beside the true number, since several often have the same."""
    look = series(number)
    return go.Scatter(
        x=part.turn.tolist(),
        y=(part.missing + aside).tolist(),
        customdata=part.missing.tolist(),
        name=noble,
        legendgroup=noble,
        mode="lines",
        line={"color": look.color, "dash": look.dash, "shape": "hv", "width": 2.5},
        hovertemplate="after %{x} turns %{customdata} missing for " + noble + "<extra></extra>",
    )


def _visit_marks(came: pd.DataFrame, nobles: Sequence[str]) -> go.Scatter:
    came = came.sort_values("turn")
    return go.Scatter(
        x=came.turn.tolist(),
        y=[0] * len(came),
        text=came.noble.tolist(),
        mode="markers+text",
        textposition=[("bottom center", "top center")[at % 2] for at in range(len(came))],
        marker={
            "symbol": "star",
            "size": 14,
            "color": [series(nobles.index(noble)).color for noble in came.noble],
        },
        showlegend=False,
        hovertemplate="%{text} comes at the end of turn %{x}<extra></extra>",
    )


def _distances_title(progress: pd.DataFrame) -> str:
    came, nobles = progress[progress.visits], progress.noble.nunique()
    if came.empty:
        return f"None of {nobles} nobles came"
    return f"{len(came)} of {nobles} nobles came, the first in turn {came.turn.min()}"


def chances(table: pd.DataFrame) -> go.Figure:
    """Return the chances of each seat to be visited by each noble, with their intervals.

    Parameters
    ----------
    table
        Of `noble_chances`.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> from splendor_nb.analysis.noble_play import noble_chances
    >>> seen = new_game(players=2, seed=7).observation(player=0)
    >>> [trace.name for trace in chances(noble_chances(seen, games=20)).data]
    ['seat 0', 'seat 1', 'nobody']
    """
    nobles = table.noble.drop_duplicates().tolist()
    games = table.games.max() if len(table) else 0
    title = f"Who will be visited? {games:,} games played on from here"
    drawn = figure(title, x="", y="chance, %")
    for number, (seat, part) in enumerate(table.groupby("seat")):
        look, percent = series(number), 100 * part[["chance", "low", "high"]]
        drawn.add_bar(
            x=part.noble.tolist(),
            y=percent.chance.tolist(),
            error_y=between(percent.chance, percent.low, percent.high),
            name=f"seat {seat}",
            marker={"color": look.color, "pattern": {"shape": look.pattern, "solidity": 0.25}},
            hovertemplate="%{x} comes to seat " + f"{seat}" + " in %{y:.1f} %<extra></extra>",
        )
    rest = 100 * (1 - table.groupby("noble").chance.sum().reindex(nobles))
    drawn.add_bar(
        x=nobles,
        y=rest.tolist(),
        name="nobody",
        marker={"color": LINE, "line": {"color": MUTED, "width": 1}},
        hovertemplate="%{x} comes to nobody in %{y:.1f} %<extra></extra>",
    )
    drawn.update_layout(barmode="group")
    legend_above(drawn)
    drawn.update_yaxes(rangemode="tozero")
    return drawn
