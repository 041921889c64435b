"""Charts that compare: one run beside another on the same deals, and how many games that takes.

Each takes a table of `splendor_nb.analysis` and returns a figure, never shown by itself.
"""

from __future__ import annotations

from typing import Any, Final

import pandas as pd
import plotly.graph_objects as go

from splendor_nb.charts.figures.cards import legend_above
from splendor_nb.charts.figures.simulation import as_text, dots, each_series, level_line
from splendor_nb.charts.figures.style import between, figure
from splendor_nb.charts.theme import MUTED

_MEASURES: Final = {
    "rounds": "rounds",
    "win_share": "win rate",
    "points": "points",
    "card_points": "points of cards",
    "noble_points": "points of nobles",
    "bought": "cards bought",
    "reserved": "cards reserved",
    "nobles": "nobles",
    "gems_taken": "gems taken",
    "gold_taken": "gold taken",
    "returned": "tokens returned",
}


def rule_differences(differences: pd.DataFrame, first: str, second: str) -> go.Figure:
    """Return by how much two runs on the same deals differ, each in its own unit per seat and game.

    Parameters
    ----------
    differences
        Of `paired_differences`.
    first, second
        What the runs are called, such as the names of their rules.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> from splendor_nb.analysis.paired import paired_differences
    >>> names = ["standard", "uzbek_sundanese"]
    >>> runs = [simulate("random", games=300, seed=1, rules=name, progress=False) for name in names]
    >>> title = rule_differences(paired_differences(*runs), *names).layout.title.text
    >>> print(title.replace("<br>", " "))
    Same deals, standard → uzbek_sundanese: games are 1.3 rounds longer
    """
    told = _told(differences)
    measures = [name for name in _MEASURES if name in set(told["measure"])]
    agents = told["agent"].nunique()
    drawn = figure(
        f"Same deals, {as_text(first)} → {as_text(second)}:<br>{_rounds_change(differences)}",
        x="difference, per seat and game",
        y="",
        height=160 + len(measures) * (16 + 20 * agents),
    )
    for agent, part, look in each_series(told, "agent"):
        aside = (look["number"] - (agents - 1) / 2) / (agents + 0.8)
        places = [measures.index(name) + aside for name in part["measure"]]
        drawn.add_scatter(y=places, **_change(part, look["number"]), name=agent)
        drawn.add_scatter(y=places, **_means(part))
    drawn.add_vline(x=0, line={"color": MUTED, "width": 1})
    _measures_beside(drawn, measures)
    if len(told):
        low, high = min(0, told["low"].min()), max(0, told["high"].max())
        drawn.update_xaxes(range=[low - 0.04 * (high - low), high + 0.3 * (high - low)])
    legend_above(drawn)
    return drawn


def _told(differences: pd.DataFrame) -> pd.DataFrame:
    """Return the rows that tell something.

    The rounds are those of all agents, and the mean win rate of equals is always the same.
    """
    told = differences[differences["measure"].isin(_MEASURES)]
    told = told[(told["measure"] != "win_share") | (told["agent"].nunique() > 1)]
    return told[(told["measure"] != "rounds") | ~told["measure"].duplicated()]


def _change(part: pd.DataFrame, number: int) -> dict[str, Any]:
    """Return the points of the differences with their intervals."""
    middle, low, high = (part[name].tolist() for name in ("difference", "low", "high"))
    return {
        "x": middle,
        "error_x": between(middle, low, high),
        **dots(number),
        "hovertemplate": "%{x:+.3f}",
    }


def _means(part: pd.DataFrame) -> dict[str, Any]:
    """Return both means as text, beside the intervals."""
    return {
        "x": part["high"].tolist(),
        "mode": "text",
        "text": [f"   {_short(row.first)} → {_short(row.second)}" for row in part.itertuples()],
        "textposition": "middle right",
        "textfont": {"size": 12, "color": MUTED},
        "showlegend": False,
        "hoverinfo": "skip",
    }


def _short(number: Any) -> str:
    return f"{number:.1f}" if abs(number) >= 10 else f"{number:.2f}"


def _measures_beside(drawn: go.Figure, measures: list[str]) -> None:
    drawn.update_yaxes(
        tickvals=list(range(len(measures))),
        ticktext=[_MEASURES[name] for name in measures],
        range=[len(measures) - 0.5, -0.5],
        ticks="",
    )


def _rounds_change(differences: pd.DataFrame) -> str:
    rounds = differences[differences["measure"] == "rounds"]
    if rounds.empty:
        return "nothing to compare"
    change = rounds.iloc[0]
    if change.low <= 0 <= change.high:
        return "games are as long, as far as these tell"
    word = "longer" if change.difference > 0 else "shorter"
    return f"games are {abs(change.difference):.2g} rounds {word}"


def power_curves(table: pd.DataFrame) -> go.Figure:
    """Return how likely it is to see a difference, against the number of games.

    Parameters
    ----------
    table
        Of `power_table`.

    Examples
    --------
    >>> from splendor_nb.analysis.sample_size import power_table
    >>> drawn = power_curves(power_table([0.55, 0.6], range(100, 1001, 100)))
    >>> print(drawn.layout.title.text)
    How many games tell a win rate from 50 %?
    """
    others = " or ".join(f"{100 * other:g} %" for other in table["other"].unique())
    drawn = figure(
        f"How many games tell a win rate from {others or '50 %'}?",
        x="games",
        y="chance to see the difference, %",
    )
    for rate, part, look in each_series(table, "rate"):
        drawn.add_scatter(
            x=part["games"].tolist(),
            y=(100 * part["power"]).tolist(),
            mode="lines",
            line={"color": look["color"], "dash": look["dash"], "width": 2.5},
            name=f"{100 * float(rate):g} %",
            hovertemplate="%{x:,} games: %{y:.0f} %",
        )
    level_line(drawn, 80, "80 %, what most studies ask for", side="top left")
    drawn.update_xaxes(type="log", dtick=1, tickformat=",")
    drawn.update_yaxes(range=[0, 104])
    legend_above(drawn)
    drawn.update_layout(legend_title_text="true win rate ")
    return drawn
