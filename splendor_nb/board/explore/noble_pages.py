"""What the panel of the nobles shows: words, a listing, figures and code, worked out at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any, Final, NamedTuple

import pandas as pd
import plotly.graph_objects as go

from splendor_nb.analysis.card_stats import noble_table
from splendor_nb.analysis.noble_plans import NoblePlan, noble_plans
from splendor_nb.analysis.reachability import (
    demand,
    fewest_cards,
    noble_distances,
    noble_frontier,
    noble_progress,
    noble_sets,
)
from splendor_nb.charts.figures import nobles as charts
from splendor_nb.engine.cards import COLORS, gems_in_words, join_words
from splendor_nb.engine.records import GameRecord
from splendor_nb.engine.state import Observation

SHOWN: Final = (3, 4, 5)  # nobles on a table [R5]
NOTHING: Final = "Tick a noble."
OPEN_CARDS: Final = "not with the open cards"
_SET_UP: Final = ("noble", "", "asks for", "fewest tokens", "fewest own turns")
_POSITION: Final = ("seat", "noble", "missing", "cheapest open cards", "gems", "takes")


class Page(NamedTuple):
    """What is shown of one choice.

    Attributes
    ----------
    words
        A sentence or two that sum it up.
    listing
        A table, as HTML.
    figures
        From left to right.
    code
        What gives the same in a cell.
    """

    words: str
    listing: str = ""
    figures: tuple[go.Figure, ...] = ()
    code: str = ""


# -- a set-up --------------------------------------------------------------------------------------


def set_up_page(names: Sequence[str]) -> Page:
    """Return what these nobles ask for, together and each, and what they take with perfect luck.

    Examples
    --------
    >>> print(set_up_page(["RK", "GRK"]).words)
    Together they ask for 3 green, 4 red and 4 black. A table shows 3, 4 or 5 nobles.
    """
    if not names:
        return Page(NOTHING)
    asked = noble_table().set_index("name").loc[list(names)].reset_index()
    known = noble_frontier()
    return Page(
        set_up_words(names),
        listing(_SET_UP, map(_set_up_row, asked.to_dict("records"))),
        (charts.noble_colors(asked), charts.frontier(known[known.noble.isin(names)])),
        _set_up_code(names),
    )


def set_up_words(names: Sequence[str]) -> str:
    """Return what nobles ask for together, and how cheap two and three of them are.

    Examples
    --------
    >>> print(set_up_words(["RK", "GRK", "WU"]))
    Together they ask for 4 white, 4 blue, 3 green, 4 red and 4 black. Two of them take 11 cards \
or more, all three 19. With 3 nobles shown, two are dearer in 42 % of all set-ups.
    """
    together = f"Together they ask for {gems_in_words(demand(names))}."
    if len(names) not in SHOWN:
        return f"{together} A table shows 3, 4 or 5 nobles."
    two, three = (fewest_cards(names, wanted) for wanted in (2, 3))
    dearer = (noble_sets(len(names)).two > two).mean()
    return (
        f"{together} Two of them take {two} cards or more, {_three(names)} {three}. "
        f"With {len(names)} nobles shown, two are dearer in {100 * dearer:.0f} % of all set-ups."
    )


def _three(names: Sequence[str]) -> str:
    return "all three" if len(names) == 3 else "three"


def _set_up_row(noble: Mapping[Any, Any]) -> list[str]:
    plans = [plan for plan in noble_plans() if plan.noble == noble["name"]]
    by_tokens = [plan for plan in plans if plan.most_cards is not None]
    tokens = [f"{_known(p, p.tokens)} with {p.most_cards} cards" for p in _ends(by_tokens)]
    turns = sorted({_known(plan, plan.turns) for plan in plans if plan.most_cards is None})
    asked = gems_in_words({color: noble[color] for color in COLORS})
    return [noble["name"], noble["title"], asked, ", ".join(tokens), " or ".join(turns)]


def _ends(plans: Sequence[NoblePlan]) -> list[NoblePlan]:
    return [plans[0], plans[-1]]


def _known(plan: NoblePlan, found: int | None) -> str:
    """Return a number that is proven, or between which two it lies."""
    if plan.status == "proven":
        return str(found)
    return f"from {plan.at_least}" if found is None else f"{plan.at_least} to {found}"


def _set_up_code(names: Sequence[str]) -> str:
    return "\n".join(
        [
            "from splendor_nb.analysis.reachability import demand, fewest_cards, noble_frontier",
            "",
            f"nobles = {list(names)!r}",
            f"print(demand(nobles), fewest_cards(nobles, {min(2, len(names))}))",
            'noble_frontier().query("noble in @nobles")',
        ]
    )


# -- a position ------------------------------------------------------------------------------------


def position_page(
    names: Sequence[str], observation: Observation, record: GameRecord | None, source: str
) -> Page:
    """Return how far each seat is from nobles, and the course of the game if it is known.

    Parameters
    ----------
    names
        The nobles to be looked at.
    observation
        The position, as a seat sees it.
    record
        The game that it is from.
    source
        Code that makes the observation.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> seen = new_game(players=2, seed=7).observation(player=0)
    >>> print(position_page(["WK"], seen, None, "").words)
    After turn 0, as seat 0 sees it: seat 0 is nearest, 8 short of WK. The open cards could close \
2 of 2 gaps.
    """
    if not names:
        return Page(NOTHING)
    gaps = noble_distances(observation)
    gaps = gaps[gaps.noble.isin(names)]
    return Page(
        _position_words(gaps, observation),
        listing(_POSITION, map(_gap_row, gaps.to_dict("records"))) if len(gaps) else "",
        () if record is None else (course(record, names, observation.turn),),
        f"{source}\n\nnoble_distances(observation)",
    )


def course(record: GameRecord, names: Sequence[str], turn: int) -> go.Figure:
    """Return how the nobles came nearer in a game, with a line at a turn.

    Examples
    --------
    >>> from splendor_nb import play_game
    >>> drawn = course(play_game(["greedy", "greedy"], seed=7), ["WK"], 20)
    >>> drawn.layout.shapes[0].x0
    20
    """
    progress = noble_progress(record)
    drawn = charts.distances(progress[progress.noble.isin(names)])
    drawn.add_vline(turn, line={"width": 1.5, "dash": "dot"})
    return drawn


def _position_words(gaps: pd.DataFrame, observation: Observation) -> str:
    where = f"After turn {observation.turn}, as seat {observation.player} sees it:"
    if gaps.empty:
        return f"{where} none of these nobles is on the table any more."
    nearest = gaps[gaps.missing == gaps.missing.min()].to_dict("records")[0]
    return (
        f"{where} seat {nearest['seat']} is nearest, {nearest['missing']} short of "
        f"{nearest['noble']}. The open cards could close {gaps.price.notna().sum()} of "
        f"{len(gaps)} gaps."
    )


def _gap_row(gap: Mapping[Any, Any]) -> list[str]:
    missing = gems_in_words({color: gap[color] for color in COLORS})
    closing = [OPEN_CARDS, "", ""]
    if pd.notna(gap["price"]):
        cards = join_words(gap["cards"].split()) or "none"
        closing = [cards, str(gap["price"]), str(gap["takes"])]
    return [str(gap["seat"]), gap["noble"], missing, *closing]


def listing(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return an HTML table that scrolls by itself.

    Examples
    --------
    >>> listing(["noble"], [["W<U"]]).count("W&lt;U")
    1
    """
    body = "".join(f"<tr>{_cells('td', cells)}</tr>" for cells in rows)
    # The attribute keeps keys that scroll the table from moving about in the notebook.
    return (
        '<div tabindex="0" role="region" aria-label="The nobles" data-lm-suppress-shortcuts="true" '
        'style="max-height:24em;overflow:auto"><table style="border-collapse:collapse">'
        f"<thead><tr>{_cells('th', titles)}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _cells(tag: str, texts: Sequence[str]) -> str:
    style = "padding:1px 10px;text-align:left;vertical-align:top"
    return "".join(f'<{tag} style="{style}">{escape(text)}</{tag}>' for text in texts)
