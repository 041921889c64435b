"""A panel to look through the cards: filters, a table, two figures, and a card drawn."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any, Final

import ipywidgets
import pandas as pd
import plotly.graph_objects as go

from splendor_nb.analysis.card_stats import card_table, deck_of
from splendor_nb.board.explore.panel import (
    ExplorePanel,
    button,
    check,
    choice,
    heading,
    live_figure,
    number,
    part,
    row,
    watch,
)
from splendor_nb.charts.figures.card_values import card_points, points_against_cost
from splendor_nb.charts.figures.cards import asked, asked_map
from splendor_nb.charts.figures.style import gem_label
from splendor_nb.charts.svg import card_svg, img_html
from splendor_nb.charts.theme import ACCENT
from splendor_nb.engine.cards import COLORS, LEVELS, Card, gems_in_words

ANY: Final = ""
NONE: Final = ""
NO_CARD: Final = "No card fits all of this. Tick more, or widen a range."
SORTS: Final = {
    "as in the game": "",
    "points": "points",
    "gems": "total_cost",
    "points per gem": "points_per_gem",
    "points per take": "points_per_take",
}
_TITLES: Final = (
    *("card", "bonus", "cost", "level", "points", "gems", "takes"),
    *("points per gem", "points per take"),
)
_WORDS: Final = 3  # so many of these columns hold words


def explore_cards(cards: object = None) -> CardPanel:
    """Return a panel to look through the cards.

    Filters by level, bonus, color asked for, points, gems and shape stand above a table and two
    figures of the cards that are left. A click on a point shows its card; so does choosing it by
    name.

    Parameters
    ----------
    cards
        Cards, or mappings as `new_game` takes them; by default the 90 of the base game.

    Raises
    ------
    TypeError, ValueError
        Where a card has not the form; the message names the place.

    Examples
    --------
    >>> explore_cards()
    Splendor: run this cell (Shift+Enter) to explore the cards
    """
    return CardPanel(deck_of(cards), own=cards is not None)


class Filters:
    """The controls of the panel, and the condition that they stand for.

    Parameters
    ----------
    table
        Of `card_table`: what there is to choose from.
    """

    def __init__(self, table: pd.DataFrame) -> None:
        self.levels = {level: check(f"level {level}") for level in LEVELS}
        self.bonuses = {color: check(gem_label(color)) for color in COLORS}
        paid = [("any color", ANY), *((gem_label(color), color) for color in COLORS)]
        self.paid = choice("Asks for", paid, ANY)
        shapes = table.sort_values(["total_cost", "shape"])["shape"].drop_duplicates()
        self.shape = choice("Shape of the cost", [("any", ANY), *((x, x) for x in shapes)], ANY)
        self.points = _range("points", table.points)
        self.gems = _range("gems", table.total_cost)

    @property
    def controls(self) -> list[ipywidgets.Widget]:
        """All controls, in the order in which they stand."""
        ticks = [*self.levels.values(), *self.bonuses.values()]
        return [*ticks, self.paid, self.shape, *self.points, *self.gems]

    @property
    def rows(self) -> list[list[ipywidgets.Widget]]:
        """The controls as they stand on the panel."""
        return [
            [heading("Cards of"), *self.levels.values()],
            [heading("with the bonus"), *self.bonuses.values()],
            [self.paid, self.shape, *self.points, *self.gems],
        ]

    def condition(self) -> str:
        """Return what a row of `card_table` has to meet, as `DataFrame.query` reads it."""
        parts = [
            _one_of("level", self.levels),
            _one_of("bonus", self.bonuses),
            f"{self.paid.value} > 0" if self.paid.value else "",
            f"shape == {self.shape.value!r}" if self.shape.value else "",
            _within("points", *self.points),
            _within("total_cost", *self.gems),
        ]
        return " and ".join(filter(None, parts))

    def clear(self) -> None:
        """Let all cards through again."""
        for tick in (*self.levels.values(), *self.bonuses.values()):
            tick.value = True
        self.paid.value = self.shape.value = ANY
        for low, high in (self.points, self.gems):
            low.value, high.value = low.min, high.max


class CardPanel(ExplorePanel):
    """The panel of `explore_cards`.

    Parameters
    ----------
    deck
        The cards to look through.
    own
        Whether they are others than the base game's.

    Attributes
    ----------
    found
        The rows of `card_table` that pass the filters.
    picked
        The card that is drawn; `None` at first.
    """

    def __init__(self, deck: tuple[Card, ...], *, own: bool) -> None:
        self.deck = {card.name: card for card in deck}
        self.own = own
        self.table = card_table(deck)
        self.found = self.table
        self.picked: Card | None = None
        self.filters = Filters(self.table)
        self.sort = choice("Sort by", list(SORTS.items()), "")
        self.card = choice("Card", [("none", NONE)], NONE)
        self.listing = ipywidgets.HTML()
        self.drawing = ipywidgets.HTML(_drawing(None))
        drawn = points_against_cost(self.table)
        drawn.update_layout(title_text="What cards cost and give: click one to see it")
        self.points = _with_mark(drawn, 560, "circle-open", 17)
        self.map = _with_mark(asked_map(self.table), 400, "square-open", 36)
        clear = button("Show all cards", self.filters.clear)
        super().__init__(
            "the cards",
            [*self.filters.rows, [self.card, self.sort, clear]],
            [
                row(self.points, self.map),
                row(part(self.drawing, 0, 130), part(self.listing, 1, 480)),
            ],
        )
        self._tell()
        self._listen()

    def _listen(self) -> None:
        watch([*self.filters.controls, self.sort], self.redraw)
        watch([self.card], self._pick)
        for trace in self.points.data[: len(COLORS)]:
            trace.on_click(self._click)

    # -- what the filters change -------------------------------------------------------------------

    def redraw(self) -> None:
        """Show the cards that pass the filters."""
        condition = self.filters.condition()
        self.found = self.table.query(condition) if condition else self.table
        self._draw()
        self._tell()

    def _draw(self) -> None:
        places = card_points(self.found)
        with self.points.batch_update():
            for color, trace in zip(COLORS, self.points.data, strict=False):
                trace.update(places[color])
        self.map.data[0].z = asked(self.found)

    def _tell(self) -> None:
        """Show the sum, the table, the code and the names of the cards that pass the filters."""
        self.say(_summary(self.found, len(self.table)))
        self.listing.value = _listing(self._sorted())
        self.show_code(_code(self.filters.condition(), self.sort.value, own=self.own))
        self._offer_cards()

    def _sorted(self) -> pd.DataFrame:
        by = self.sort.value
        if not by:
            return self.found
        return self.found.sort_values(by, ascending=by == "total_cost", kind="stable")

    def _offer_cards(self) -> None:
        """Let cards be chosen by name, without leaving the one that is drawn."""
        picked, names = self.picked, self.found.name.tolist()
        self.card.options = [("none", NONE), *((name, name) for name in names)]
        if picked is not None and picked.name in names:
            self.card.value = picked.name

    # -- one card ----------------------------------------------------------------------------------

    def _click(self, trace: Any, clicked: Any, _state: Any) -> None:
        if clicked.point_inds:
            self.card.value = trace.customdata[clicked.point_inds[0]]

    def _pick(self) -> None:
        """Draw the chosen card, and mark it in both figures."""
        self.picked = self.deck.get(self.card.value)
        self.drawing.value = _drawing(self.picked)
        self.points.data[-1].update(self._ring())
        self.map.data[-1].update(_framed(self.picked))

    def _ring(self) -> dict[str, list[float]]:
        if self.picked is None or self.picked.name not in set(self.found.name):
            return {"x": [], "y": []}
        places = card_points(self.found)[self.picked.bonus]
        at = places["customdata"].index(self.picked.name)
        return {"x": [places["x"][at]], "y": [places["y"][at]]}


# -- the parts of the panel ------------------------------------------------------------------------


def _range(what: str, values: pd.Series) -> tuple[ipywidgets.BoundedIntText, ...]:
    """Return the fields for the least and the most of something."""
    low, high = (int(values.min()), int(values.max())) if len(values) else (0, 0)
    return number(f"{what} from", low, high, low), number(f"{what} to", low, high, high)


def _with_mark(drawn: go.Figure, width: int, symbol: str, size: int) -> go.FigureWidget:
    """Return a figure as a widget with a last trace for what is picked."""
    drawn.update_layout(height=440)
    marker = {"symbol": symbol, "size": size, "color": ACCENT, "line": {"width": 3}}
    drawn.add_scatter(x=[], y=[], mode="markers", marker=marker, hoverinfo="skip", showlegend=False)
    return live_figure(drawn, width)


def _framed(card: Card | None) -> dict[str, list[str]]:
    """Return the cells of the map in which a card has a part."""
    colors = [color for color in COLORS if card is not None and card.cost[color]]
    return {"x": [*colors], "y": [gem_label(card.bonus) for _ in colors] if card else []}


def _drawing(card: Card | None) -> str:
    if card is None:
        return "Click a point, or choose a card by name, to see it drawn."
    words = f"{card.name}: {card.points} points, costs {gems_in_words(card.cost)}"
    return img_html(card_svg(card), words, words)


def _summary(found: pd.DataFrame, number: int) -> str:
    if found.empty:
        return NO_CARD
    points, gems = found.points.sum(), found.total_cost.sum()
    return f"{len(found)} of {number} cards; together {points} points for {gems} gems."


def _listing(found: pd.DataFrame) -> str:
    """Return the cards as an HTML table that scrolls by itself."""
    if found.empty:
        return ""
    rows = "".join(_row("td", _cells(card)) for card in found.to_dict("records"))
    return (
        '<div tabindex="0" role="region" aria-label="The cards" '
        'style="max-height:22em;overflow:auto"><table style="border-collapse:collapse">'
        f"<thead>{_row('th', _TITLES)}</thead><tbody>{rows}</tbody></table></div>"
    )


def _cells(card: dict[Any, Any]) -> list[str]:
    """Return what the table says of a card, under `_TITLES`."""
    per = [f"{card[value]:.2f}" for value in ("points_per_gem", "points_per_take")]
    cost = " ".join(f"{card[color]}{color}" for color in COLORS if card[color])
    numbers = [str(card[column]) for column in ("level", "points", "total_cost", "takes")]
    return [card["name"], gem_label(card["bonus"]), cost, *numbers, *per]


def _row(tag: str, cells: Sequence[str]) -> str:
    """Return a row of a table: words to the left, numbers to the right."""
    sides = ["left" if at < _WORDS else "right" for at in range(len(cells))]
    inside = "".join(
        f'<{tag} style="padding:1px 10px;white-space:nowrap;text-align:{side}">'
        f"{escape(cell)}</{tag}>"
        for side, cell in zip(sides, cells, strict=True)
    )
    return f"<tr>{inside}</tr>"


# -- what the filters mean -------------------------------------------------------------------------


def _one_of(column: str, ticks: dict[Any, ipywidgets.Checkbox]) -> str:
    chosen = [value for value, tick in ticks.items() if tick.value]
    return "" if len(chosen) == len(ticks) else f"{column} in {chosen}"


def _within(column: str, low: ipywidgets.BoundedIntText, high: ipywidgets.BoundedIntText) -> str:
    if (low.value, high.value) == (low.min, high.max):
        return ""
    return f"{low.value} <= {column} <= {high.value}"


def _code(condition: str, sort: str, *, own: bool) -> str:
    """Return code that gives the table of the cards that are shown."""
    lines = [
        "from splendor_nb.analysis.card_stats import card_table",
        "",
        f"table = card_table({'cards' if own else ''})",
        f'table = table.query("{condition}")' if condition else "",
        f"table = table.sort_values({sort!r}, ascending={sort == 'total_cost'}, kind='stable')"
        if sort
        else "",
        "table",
    ]
    return "\n".join(line for at, line in enumerate(lines) if line or at == 1)
