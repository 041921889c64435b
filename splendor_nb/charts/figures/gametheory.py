"""Charts of the game of agents: payoffs, equilibria, what can be exploited, what grows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from splendor_nb.analysis.gametheory import (
    Equilibria,
    PayoffTable,
    equilibria,
    exploitability,
    games_needed,
    read_table,
)
from splendor_nb.charts.figures.strength import SHADES
from splendor_nb.charts.figures.style import between, figure, plain, series
from splendor_nb.charts.theme import DARK, MUTED

EPSILONS = [0.01, 0.015, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2]
MOST_LINES = 6


def payoff_map(
    payoffs: PayoffTable | pd.DataFrame, fallen: pd.DataFrame | None = None
) -> go.Figure:
    """Return a map of what each agent, a row, wins against each other one, a column.

    Parameters
    ----------
    payoffs
        A `PayoffTable`, whose games and intervals are told on hovering, or a table of payoffs.
    fallen
        Of `dominated`: the names of these agents are marked, with the round in which they fall,
        or as weak where they are dominated but not taken out.

    Examples
    --------
    >>> rps = pd.DataFrame([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], list("rps"), list("rps"))
    >>> payoff_map(rps).layout.title.text
    'What the agent in a row wins against the one in a column'
    """
    table = read_table(payoffs)
    scores = table.to_numpy()
    marks = {} if fallen is None else _marks(fallen)
    rows = [_marked(name, marks) for name in table.index]
    drawn = figure(_payoff_title(fallen), x="against", y="", height=170 + 52 * len(rows))
    middle, reach = _range_of(payoffs, scores)
    drawn.add_heatmap(
        z=scores,
        x=[plain(name) for name in table.columns],
        y=rows,
        zmin=middle - reach,
        zmax=middle + reach,
        colorscale=SHADES,
        text=np.char.mod("%.2f", scores),
        texttemplate="%{text}",
        customdata=_told(payoffs, table),
        hovertemplate="%{customdata}<extra></extra>",
        xgap=2,
        ygap=2,
        colorbar={"title": {"text": "payoff"}},
    )
    drawn.update_yaxes(autorange="reversed", showgrid=False, ticks="")
    drawn.update_xaxes(showgrid=False, ticks="")
    return drawn


def _payoff_title(fallen: pd.DataFrame | None) -> str:
    if fallen is None:
        return "What the agent in a row wins against the one in a column"
    if fallen.empty:
        return "No agent is dominated: each is needed against somebody"
    names = ", ".join(plain(name) for name in dict.fromkeys(fallen["agent"]))
    weak = ", or weakly" if "weak" in _marks(fallen).values() else ""
    return f"Dominated, with the round in which they fall{weak}:<br>{names}"


def _marks(fallen: pd.DataFrame) -> dict[Any, str]:
    """Return a mark for each agent: a later strict fall replaces an earlier weak one."""
    rounds = fallen["round"].astype(str).where(fallen["kind"] == "strict", "weak")
    return dict(zip(fallen["agent"], rounds, strict=True))


def _marked(name: object, marks: Mapping[Any, str]) -> str:
    return f"✗{marks[name]} {plain(name)}" if name in marks else plain(name)


def _range_of(payoffs: object, scores: Any) -> tuple[float, float]:
    """Return the middle of the colors and how far they reach: shares of a win are around 1/2."""
    if isinstance(payoffs, PayoffTable):
        return 0.5, 0.5
    middle = float(scores.max() + scores.min()) / 2
    return middle, max(float(scores.max()) - middle, 1e-9)


def _told(payoffs: object, table: pd.DataFrame) -> Any:
    scores, words = table.to_numpy(), np.full(table.shape, "", object)
    for i, a in enumerate(table.index):
        for j, b in enumerate(table.columns):
            told = f"{plain(a)} against {plain(b)}: {scores[i, j]:.3f}"
            if isinstance(payoffs, PayoffTable) and i != j:
                low, high = (float(str(end.iat[i, j])) for end in (payoffs.low, payoffs.high))
                told += f"<br>95 % interval {low:.3f} to {high:.3f}"
                told += f"<br>{int(str(payoffs.games.iat[i, j])):,} games"
            words[i, j] = told
    return words


def equilibrium_bars(found: Equilibria | pd.DataFrame) -> go.Figure:
    """Return how often an equilibrium sends each agent, with intervals where they are known.

    Parameters
    ----------
    found
        Of `equilibria`, whose choice is drawn, or of `equilibrium_uncertainty`, with intervals.

    Examples
    --------
    >>> drawn = equilibrium_bars(equilibria([[0, 1], [1, 0]]))
    >>> list(drawn.data[0].y)
    [50.0, 50.0]
    """
    if isinstance(found, Equilibria):
        table = pd.DataFrame(
            {"agent": found.choice.row.index, "share": found.choice.row.to_numpy()}
        )
        title = f"An equilibrium sends these agents; it is worth {found.choice.value:.3f}"
    else:
        table = found
        title = f"How sure is the equilibrium? 95 % of {found['draws'].iloc[0]:,} draws"
    drawn = figure(title, x="", y="share in the equilibrium, %")
    shares = 100 * table["share"]
    errors = {} if "low" not in table else between(shares, 100 * table["low"], 100 * table["high"])
    drawn.add_bar(
        x=[plain(agent) for agent in table["agent"]],
        y=shares.tolist(),
        error_y=errors | {"color": DARK} if errors else None,
        marker={"color": series(0).color, "opacity": 0.55 if errors else 1},
        hovertemplate="%{x}: %{y:.1f} %<extra></extra>",
    )
    drawn.update_yaxes(range=[0, 105])
    return drawn


def exploitability_bars(
    payoffs: PayoffTable | pd.DataFrame, mix: Mapping[str, float] | None = None
) -> go.Figure:
    """Return what is lost against the best reply by who always sends one agent, and by a mix.

    Parameters
    ----------
    payoffs
        As for `exploitability`.
    mix
        The chance of each agent; the equilibrium's if not said.

    Examples
    --------
    >>> rps = pd.DataFrame([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], list("rps"), list("rps"))
    >>> list(exploitability_bars(rps).data[0].x)
    [1.0, 1.0, 1.0, 0.0]
    """
    table = read_table(payoffs)
    chances: Any = equilibria(table).choice.row if mix is None else mix
    lost = [exploitability(table, {name: 1.0}) for name in table.index]
    rows = [
        *(f"always {plain(name)}" for name in table.index),
        "equilibrium" if mix is None else "the mix",
    ]
    values = [round(value, 9) for value in (*lost, exploitability(table, chances))]
    drawn = figure(
        "What the best reply takes from who is known to play like this",
        x="payoff lost against the best reply",
        y="",
        height=150 + 34 * len(rows),
    )
    looks = [series(0)] * len(lost) + [series(1)]
    drawn.add_bar(
        x=values,
        y=rows,
        orientation="h",
        marker={
            "color": [look.color for look in looks],
            "pattern": {"shape": [look.pattern for look in looks]},
        },
        text=[f"{value:.3f}" for value in values],
        textposition="outside",
        hovertemplate="%{y}: %{x:.3f}<extra></extra>",
        cliponaxis=False,
    )
    drawn.update_yaxes(autorange="reversed")
    return drawn


def replicator_figure(paths: pd.DataFrame | Sequence[pd.DataFrame]) -> go.Figure:
    """Return how a population changes: a triangle for three agents, lines over time otherwise.

    Parameters
    ----------
    paths
        Of `replicator`; for three agents also several, from different starts.

    Examples
    --------
    >>> from splendor_nb.analysis.gametheory import replicator
    >>> path = replicator(pd.DataFrame([[0.5, 1], [0, 0.5]], ["x", "y"], ["x", "y"]))
    >>> [trace.name for trace in replicator_figure(path).data]
    ['x', 'y']
    """
    several = [paths] if isinstance(paths, pd.DataFrame) else list(paths)
    if not several or any(list(one.columns) != list(several[0].columns) for one in several):
        raise ValueError("replicator_figure() draws paths of one population; these differ.")
    return _simplex(several) if several[0].shape[1] == 3 else _shares_over_time(several)


def _simplex(paths: Sequence[pd.DataFrame]) -> go.Figure:
    names = [plain(name) for name in paths[0].columns]
    drawn = figure("Where a population of three agents goes: each line from ○ to ●", x="", y="")
    for number, path in enumerate(paths):
        look = series(number)
        # Rounded: the last digits of a float may differ from machine to machine.
        a, b, c = (path.iloc[:, i].round(6).tolist() for i in range(3))
        hover = "<br>".join(
            f"{name} %{{{letter}:.0%}}" for name, letter in zip(names, "abc", strict=True)
        )
        drawn.add_scatterternary(
            a=a,
            b=b,
            c=c,
            mode="lines",
            line={"color": look.color, "dash": look.dash, "width": 2},
            hovertemplate=f"{hover}<extra></extra>",
            showlegend=False,
        )
        for place, symbol in ((0, "circle-open"), (-1, "circle")):
            drawn.add_scatterternary(
                a=[a[place]],
                b=[b[place]],
                c=[c[place]],
                mode="markers",
                marker={"color": look.color, "symbol": symbol, "size": 10, "line_width": 2},
                hoverinfo="skip",
                showlegend=False,
            )
    axes = {
        f"{letter}axis": {"title": {"text": name}, "tickformat": ".0%", "gridcolor": "#e4dfd3"}
        for letter, name in zip("abc", names, strict=True)
    }
    drawn.update_layout(ternary={"sum": 1, "bgcolor": "#fffdf8", **axes}, height=520, margin_t=110)
    return drawn


def _shares_over_time(paths: Sequence[pd.DataFrame]) -> go.Figure:
    path = paths[0]
    last = path.iloc[-1]
    title = f"What grows: {plain(last.idxmax())} ends with {last.max():.0%} of the population"
    drawn = figure(title, x="time, in units of one over the payoff", y="share of the population, %")
    for number, name in enumerate(path.columns):
        look = series(number)
        drawn.add_scatter(
            x=path.index.to_series().round(6).tolist(),
            y=(100 * path[name]).round(4).tolist(),
            mode="lines",
            name=plain(name),
            line={"color": look.color, "dash": look.dash, "width": 2.5},
            hovertemplate="time %{x:.1f}: %{y:.1f} %",
        )
    drawn.update_yaxes(range=[-2, 102])
    return drawn


def games_needed_curve(agents: Sequence[int] = (2, 6, 30), delta: float = 0.05) -> go.Figure:
    """Return how many games a pair a table needs, against the error that is allowed in it.

    Parameters
    ----------
    agents
        How many agents there are, a line for each, six at most.
    delta
        The chance of failing.

    Examples
    --------
    >>> len(games_needed_curve((2, 6)).data)
    2
    """
    if not 1 <= len(agents) <= MOST_LINES:
        raise ValueError(f"agents lists 1 to {MOST_LINES} numbers, not {len(agents)}.")
    drawn = figure(
        "Half the error takes four times the games",
        x="largest error of a win share",
        y="games a pair",
    )
    for number, count in enumerate(agents):
        look = series(number)
        drawn.add_scatter(
            x=EPSILONS,
            y=[games_needed(count, epsilon, delta) for epsilon in EPSILONS],
            mode="lines+markers",
            name=f"{count} agents",
            line={"color": look.color, "dash": look.dash, "width": 2},
            marker={"symbol": look.symbol, "size": 8},
            hovertemplate="off by at most %{x}: %{y:,} games",
        )
    drawn.update_xaxes(type="log", tickvals=EPSILONS, ticktext=[f"{x:g}" for x in EPSILONS])
    drawn.update_yaxes(type="log", dtick=1, tickformat=",d", gridcolor="#e4dfd3", tickcolor=MUTED)
    return drawn
