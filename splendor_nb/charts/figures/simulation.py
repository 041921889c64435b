"""Charts of many games: who wins, how long it takes, and the race.

Each takes a table of a simulation or of `splendor_nb.analysis` and returns a figure, never shown
by itself. Bars around a point are 95 % intervals.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pandas as pd
import plotly.graph_objects as go

from splendor_nb.analysis.outcomes import ANY_SEAT
from splendor_nb.charts.figures.cards import legend_above
from splendor_nb.charts.figures.style import between, figure, plain, series
from splendor_nb.charts.theme import LINE, MUTED

FEW: Final = 0.1  # of the games: what is said of fewer is marked as such
RAREST: Final = 0.01
LONGEST_NAME: Final = 28  # letters
NO_GAMES: Final = "No games"


# -- who wins --------------------------------------------------------------------------------------


def win_rates(rates: pd.DataFrame) -> go.Figure:
    """Return the win rate of each agent, over all seats and at each of them.

    Parameters
    ----------
    rates
        Of `rates_by_seat`.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> from splendor_nb.analysis.outcomes import rates_by_seat
    >>> games = simulate(["greedy", "random"], games=200, seed=1, progress=False)
    >>> print(win_rates(rates_by_seat(games)).layout.title.text)
    greedy wins 100.0 % of its games (95 % interval 96.3 to 100.0)
    """
    seats = sorted(rates["seat"].unique())
    drawn = figure(_rates_title(rates), x="", y="win rate, %")
    for agent, part, look in each_series(rates, "agent"):
        drawn.add_scatter(
            x=[seats.index(seat) + look["aside"] for seat in part["seat"]],
            **estimates(part, "win_rate", look["number"]),
            name=agent,
            customdata=part["games"].tolist(),
            hovertemplate="%{y:.2f} % of %{customdata:,} games",
        )
    _fair_share(drawn, len(seats) - (ANY_SEAT in seats))
    _seats_below(drawn, seats)
    legend_above(drawn)
    return drawn


def _fair_share(drawn: go.Figure, players: int) -> None:
    if players:
        level_line(drawn, 100 / players, f"fair share, {100 / players:.3g} %")


def _rates_title(rates: pd.DataFrame) -> str:
    if rates.empty:
        return NO_GAMES
    overall = rates[rates["seat"] == ANY_SEAT]
    best = (rates if overall.empty else overall).nlargest(1, "win_rate").iloc[0]
    where = f" from seat {best.seat}" if overall.empty else ""
    rate, low, high = (100 * best[name] for name in ("win_rate", "low", "high"))
    return (
        f"{as_text(best.agent)} wins {rate:.1f} % of its games{where} "
        f"(95 % interval {low:.1f} to {high:.1f})"
    )


def seat_advantage(advantages: pd.DataFrame) -> go.Figure:
    """Return how much more or less than its fair share each seat wins, a panel for each run.

    Parameters
    ----------
    advantages
        Of `seat_advantage` in `splendor_nb.analysis.outcomes`.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> from splendor_nb.analysis import outcomes
    >>> games = simulate("greedy", players=4, games=2000, seed=1, progress=False)
    >>> drawn = seat_advantage(outcomes.seat_advantage({"greedy": [games]}))
    >>> print(drawn.layout.title.text)
    Seat 1 of 4 loses most: 4.7 points below its fair share (greedy)
    """
    runs = list(dict.fromkeys(advantages["run"]))
    drawn = figure(_advantage_title(advantages), x="", y="above fair share, percentage points")
    titles = [as_text(run) for run in runs]
    panels = {"subplot_titles": titles, "horizontal_spacing": 0.04, "shared_yaxes": True}
    drawn.set_subplots(1, max(1, len(runs)), **panels)
    for column, run in enumerate(runs, start=1):
        of_run = advantages[advantages["run"] == run]
        for players, part, look in each_series(of_run, "players"):
            trace = go.Scatter(
                x=[seat + look["aside"] for seat in part["seat"]],
                **estimates(part, "advantage", int(players) - 2),
                name=f"{players} players",
                legendgroup=players,
                showlegend=column == 1,
                customdata=part["games"].tolist(),
                hovertemplate="%{y:+.2f} points, %{customdata:,} games",
            )
            drawn.add_trace(trace, row=1, col=column)
        drawn.add_hline(y=0, line={"color": MUTED, "width": 1}, row=1, col=column)
    _seats_below(drawn, sorted(advantages["seat"].unique()))
    legend_above(drawn)
    drawn.update_layout(margin_t=drawn.layout.margin.t + 24, legend_y=1.08)
    return drawn


def _advantage_title(advantages: pd.DataFrame) -> str:
    if advantages.empty:
        return NO_GAMES
    sure = advantages[(advantages["low"] > 0) | (advantages["high"] < 0)]
    if sure.empty:
        return "As far as these games tell, every seat wins its fair share"
    most = sure.sort_values("advantage", key=abs).iloc[-1]
    change, side = ("gains", "above") if most.advantage > 0 else ("loses", "below")
    return (
        f"Seat {most.seat} of {most.players} {change} most: {100 * abs(most.advantage):.1f} points "
        f"{side} its fair share ({as_text(most.run)})"
    )


def _seats_below(drawn: go.Figure, seats: list[int]) -> None:
    """Name the seats on the axis."""
    names = ["all seats" if seat == ANY_SEAT else f"seat {seat}" for seat in seats]
    places = list(range(len(seats)))
    drawn.update_xaxes(tickvals=places, ticktext=names, showgrid=False)
    drawn.update_xaxes(range=[-0.5, len(seats) - 0.5])


# -- how long games are, and the race --------------------------------------------------------------


def game_length(lengths: pd.DataFrame) -> go.Figure:
    """Return how many rounds games take, a line for each run.

    Parameters
    ----------
    lengths
        Of `game_lengths`.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> from splendor_nb.analysis.outcomes import game_lengths
    >>> games = simulate("greedy", games=500, seed=1, progress=False)
    >>> print(game_length(game_lengths({"two greedy": games})).layout.title.text)
    Half of the games are over after 29 rounds
    """
    drawn = figure(_length_title(lengths), x="rounds", y="games that take so many, %")
    for run, part, look in each_series(lengths, "run"):
        drawn.add_scatter(
            x=part["rounds"].tolist(),
            **estimates(part, "share", look["number"], size=5) | {"mode": "lines+markers"},
            line={"color": look["color"], "dash": look["dash"], "width": 1.5},
            error_y_width=0,
            name=run,
            customdata=part["games"].tolist(),
            hovertemplate="%{x} rounds: %{y:.1f} % (%{customdata:,} games)",
        )
    there = lengths.loc[lengths["share"] > RAREST / 10, "rounds"]
    if len(there):
        drawn.update_xaxes(range=[there.min() - 1, there.max() + 1])
    drawn.update_yaxes(rangemode="tozero")
    legend_above(drawn)
    return drawn


def _length_title(lengths: pd.DataFrame) -> str:
    if lengths.empty:
        return NO_GAMES
    medians = {run: _median_rounds(part) for run, part in lengths.groupby("run", sort=False)}
    slow, fast = max(medians, key=medians.__getitem__), min(medians, key=medians.__getitem__)
    title = f"Half of the games are over after {medians[fast]} rounds"
    if medians[slow] == medians[fast]:
        return title
    return f"{title} ({as_text(str(fast))}), or {medians[slow]} ({as_text(str(slow))})"


def _median_rounds(part: pd.DataFrame) -> int:
    over = part["games"].cumsum()
    return int(part.loc[over >= over.iloc[-1] / 2, "rounds"].iloc[0])


def points_race(race: pd.DataFrame) -> go.Figure:
    """Return the points of each agent after each round, above the share of games still running.

    Lines are medians, bands hold the middle half of the games; a game that is over keeps its
    points. The last round is one that at least one game in a hundred reaches.

    Parameters
    ----------
    race
        Of `Simulation.points_by_round`.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> games = simulate(["greedy", "random"], games=500, seed=1, progress=False)
    >>> print(points_race(games.points_by_round()).layout.title.text.replace("<br>", " "))
    After round 30, the last that half of the games reach: greedy 15 points, random 4
    """
    drawn = figure(_race_title(race), x="", y="points", height=520)
    drawn.set_subplots(2, 1, shared_xaxes=True, row_heights=[0.76, 0.24], vertical_spacing=0.06)
    shown = race[race["running"] >= RAREST] if len(race) else race
    for agent, part, look in each_series(shown, "agent"):
        drawn.add_traces(list(_racer(part, agent, look)), rows=1, cols=1)
    if len(shown):
        reached = shown.groupby("round")["running"].first()
        drawn.add_trace(_still_running(reached), row=2, col=1)
        if reached.min() < FEW:
            _mark_few(drawn, reached[reached < FEW])
    drawn.update_yaxes(title_text="points (median, middle half)", row=1, col=1)
    drawn.update_yaxes(title_text="running, %", range=[0, 105], tickvals=[0, 50, 100], row=2, col=1)
    drawn.update_xaxes(title_text="round", row=2, col=1)
    legend_above(drawn)
    return drawn


def _racer(part: pd.DataFrame, agent: str, look: dict[str, Any]) -> Iterator[go.Scatter]:
    """Yield the two edges of an agent's band, and the median."""
    line = {"color": look["color"], "dash": look["dash"], "width": 2.5}
    edge = {"mode": "lines", "line_width": 0, "hoverinfo": "skip", "showlegend": False}
    band = {"fill": "tonexty", "fillcolor": faint(look["color"])}
    rounds = part["round"].tolist()
    yield go.Scatter(x=rounds, y=part["q25"].tolist(), **edge)
    yield go.Scatter(x=rounds, y=part["q75"].tolist(), **edge, **band)
    hover = "after round %{x}: %{y} points in the median"
    yield go.Scatter(
        x=rounds, y=part["median"].tolist(), line=line, name=agent, hovertemplate=hover
    )


def _still_running(reached: pd.Series) -> go.Scatter:
    return go.Scatter(
        x=reached.index.tolist(),
        y=(100 * reached).tolist(),
        mode="lines",
        line={"color": MUTED, "width": 2},
        fill="tozeroy",
        fillcolor=faint(MUTED),
        showlegend=False,
        hovertemplate="%{y:.1f} % of the games reach round %{x}<extra></extra>",
    )


def _mark_few(drawn: go.Figure, few: pd.Series) -> None:
    """Shade the rounds that few games reach, and say in the legend what the shade means."""
    drawn.add_vrect(
        x0=few.index.min(),
        x1=few.index.max(),
        fillcolor=LINE,
        opacity=0.35,
        line_width=0,
        layer="below",
        row="all",
    )
    drawn.add_scatter(
        x=[None],
        y=[None],
        mode="markers",
        marker={"symbol": "square", "size": 14, "color": LINE, "opacity": 0.5},
        name=f"less than {100 * FEW:.0f} % still run",
    )


def _race_title(race: pd.DataFrame) -> str:
    if race.empty:
        return NO_GAMES
    number = race.loc[race["running"] >= 0.5, "round"].max()
    there = race[race["round"] == number].itertuples()
    medians = [f"{as_text(str(row.agent))} {row.median}" for row in there]
    medians[0] += " points"
    return f"After round {number}, the last that half of the games reach:<br>{', '.join(medians)}"


# -- what these charts share -----------------------------------------------------------------------


def as_text(name: str) -> str:
    """Return somebody's name so that a chart shows it as it is: short, and nothing in it as markup.

    Examples
    --------
    >>> as_text("<b>me</b>")
    '&lt;b&gt;me&lt;/b&gt;'
    """
    short = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
    return plain(short)


def estimates(part: pd.DataFrame, value: str, number: int, size: int = 10) -> dict[str, Any]:
    """Return shares as points in percent with their intervals, in the look of a series.

    Examples
    --------
    >>> table = pd.DataFrame({"rate": [0.5], "low": [0.25], "high": [0.75]})
    >>> estimates(table, "rate", 0)["error_y"]["array"]
    [25.0]
    """
    middle, low, high = ((100 * part[name]).tolist() for name in (value, "low", "high"))
    return {"y": middle, "error_y": between(middle, low, high), **dots(number, size)}


def faint(color: str) -> str:
    """Return a color, written ``#rrggbb``, that lets others through.

    Examples
    --------
    >>> faint("#1f4e79")
    'rgba(31,78,121,0.18)'
    """
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return f"rgba({red},{green},{blue},0.18)"


def level_line(drawn: go.Figure, y: float, text: str, *, side: str = "bottom right") -> None:
    """Draw a level across a chart, and say at one of its ends what it is."""
    drawn.add_hline(
        y=y,
        line={"color": MUTED, "width": 1, "dash": "dot"},
        annotation={"text": text, "font": {"size": 12, "color": MUTED}},
        annotation_position=side,
    )


def dots(number: int, size: int = 10) -> dict[str, Any]:
    """Return the points of a series.

    Examples
    --------
    >>> dots(1)["marker"]["symbol"]
    'diamond'
    """
    look = series(number)
    marker = {"color": look.color, "symbol": look.symbol, "size": size}
    return {"mode": "markers", "marker": marker}


def each_series(
    table: pd.DataFrame, column: str
) -> Iterator[tuple[str, pd.DataFrame, dict[str, Any]]]:
    """Yield for each name in a column its text, its rows and its look.

    The look is that of a `Series` as a dictionary, with its `number`, and with `aside`: how far it
    moves off a place where several series stand.

    Examples
    --------
    >>> table = pd.DataFrame({"agent": ["a", "b", "a"], "points": [1, 2, 3]})
    >>> [(name, len(rows), look["dash"]) for name, rows, look in each_series(table, "agent")]
    [('a', 2, 'solid'), ('b', 1, 'dash')]
    """
    names = list(dict.fromkeys(table[column] if len(table) else ()))
    for number, name in enumerate(names):
        aside = 0.12 * (number - (len(names) - 1) / 2)
        look = {"number": number, "aside": aside, **series(number)._asdict()}
        yield as_text(str(name)), table[table[column] == name], look
