"""The form that sets up a position: a field for each part, filled from the board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

import ipywidgets

from splendor_nb.board.sandbox_session import SandboxSession
from splendor_nb.board.sandbox_setup import EMPTY, UNSEEN, gems_in_letters
from splendor_nb.board.words import Words, name_in_sentence
from splendor_nb.engine.cards import LEVELS, Back, Card
from splendor_nb.engine.state import Seat, State

NEXT = 4  # cards of a deck that are shown
SLOTS = 4
SEAT_FIELDS = ("tokens", "bonuses", "reserved", "visits", "bought")

_Key = tuple[str, int | None]  # what a field stands for: a wish, and its seat or level


class SetUpForm(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """A field for each part of the position; it follows the board.

    Parameters
    ----------
    session
        The sandbox.
    """

    def __init__(self, session: SandboxSession) -> None:
        self.session = session
        self.words = session.words
        self.fields: dict[_Key, Any] = {}
        self.slots: dict[tuple[int, int], ipywidgets.Dropdown] = {}  # by level and slot
        self.filled: dict[object, Any] = {}  # what the board says, by key
        self.shape: object = None  # what the fields depend on: seats, and the table of cards
        super().__init__()
        session.on_change(self.follow)
        self.fill()

    def follow(self) -> None:
        """Follow the board, once it shows another position."""
        if self.filled.get("state") != self.session.state:
            self.fill()

    def fill(self) -> None:
        """Fill all fields from the board, whatever was written into them."""
        state = self.session.state
        names = [name_in_sentence(seat.name) for seat in self.session.seats]
        if self.shape != (names, state.tables):
            self.shape = (names, state.tables)
            self._build(state, names)
        self.filled = {"state": state, **dict(_values(state)), **dict(_slots(state))}
        for key, field in (*self.fields.items(), *self.slots.items()):
            field.value = self.filled[key]

    def wishes(self) -> dict[str, Any]:
        """Return what has been changed in the form, as `SandboxSession.set_up` takes it."""
        changed: dict[str, Any] = {}
        for (wish, place), field in self.fields.items():
            if field.value != self.filled[wish, place]:
                if place is None:
                    changed[wish] = field.value
                else:
                    changed.setdefault(wish, {})[place] = field.value
        for level in LEVELS:
            row = {(level, slot): self.slots[level, slot].value for slot in range(SLOTS)}
            if any(self.filled[key] != name for key, name in row.items()):
                changed.setdefault("market", {})[level] = list(row.values())
        return changed

    # -- the fields --------------------------------------------------------------------------------

    def _build(self, state: State, names: list[str]) -> None:
        self.fields, self.slots = {}, {}
        seats = [(name, seat) for seat, name in enumerate(names)]
        parts = [self._part(self.words("sandbox.table"), self._table(seats))]
        for name, seat in seats:
            fields = [self._text(wish, seat) for wish in SEAT_FIELDS]
            parts.append(self._part(name, _block(fields)))
        parts.append(self._part(self.words("sandbox.market"), self._market(state)))
        self.children = parts

    def _table(self, seats: list[tuple[str, int]]) -> list[Any]:
        self.fields["current_player", None] = self._choice("to_move", seats)
        self.fields["first_player", None] = self._choice("first", seats)
        self.fields["turn", None] = ipywidgets.BoundedIntText(
            min=0, max=10**6, description=self.words("sandbox.turn"), layout=_wide(), style=_STYLE
        )
        clock = [self.fields[wish, None] for wish in ("current_player", "first_player", "turn")]
        return _block([*clock, self._text("nobles", None), self._text("bank", None)])

    def _market(self, state: State) -> list[Any]:
        rows: list[Any] = []
        for level in reversed(LEVELS):
            options = _options(state, level, self.words)
            row = [
                ipywidgets.Dropdown(
                    options=options,
                    layout=_wide(),
                    value=EMPTY,
                    tooltip=self.words("sandbox.slot", level=level, number=number),
                )
                for number in range(1, SLOTS + 1)
            ]
            self.slots.update({(level, slot): field for slot, field in enumerate(row)})
            deck = ipywidgets.Text(
                tooltip=self.words("sandbox.deck_why", level=level),
                layout=ipywidgets.Layout(flex="1 1 auto", width="auto"),
            )
            self.fields["decks", level] = deck
            slots = ipywidgets.GridBox(row, layout=_columns(SLOTS))
            slots.layout.flex = "1 1 auto"
            rows += [
                _labelled(self.words("sandbox.level", level=level), slots),
                _labelled(self.words("sandbox.deck"), deck),
            ]
        return rows

    def _text(self, wish: str, place: int | None) -> ipywidgets.Text:
        key = "nobles" if wish == "visits" else wish
        field = ipywidgets.Text(
            description=self.words(f"sandbox.{key}"), layout=_wide(), style=_STYLE
        )
        self.fields[wish, place] = field
        return field

    def _choice(self, key: str, options: list[tuple[str, int]]) -> ipywidgets.Dropdown:
        return ipywidgets.Dropdown(
            options=options,
            description=self.words(f"sandbox.{key}"),
            layout=_wide(),
            style=_STYLE,
        )

    def _part(self, title: str, content: list[Any]) -> ipywidgets.VBox:
        head = ipywidgets.HTML(f"<b>{escape(title)}</b>")
        return ipywidgets.VBox([head, *content], layout=ipywidgets.Layout(margin="0 0 6px"))


_STYLE = {"description_width": "85px"}


def _block(fields: Sequence[Any]) -> list[Any]:
    """Return fields in two columns, and the last one as wide as both."""
    *pairs, last = fields
    return [ipywidgets.GridBox(pairs, layout=_columns(2)), last]


def _columns(number: int) -> ipywidgets.Layout:
    columns = f"repeat({number}, minmax(0, 1fr))"
    return ipywidgets.Layout(grid_template_columns=columns, grid_gap="2px 12px")


def _labelled(label: str, content: Any) -> ipywidgets.Box:
    name = ipywidgets.Label(label, layout=ipywidgets.Layout(flex="0 0 4.5em"))
    layout = ipywidgets.Layout(align_items="center", grid_gap="0 8px")
    return ipywidgets.Box([name, content], layout=layout)


def _wide() -> ipywidgets.Layout:
    return ipywidgets.Layout(width="auto")


def _options(state: State, level: int, words: Words) -> list[tuple[str, str]]:
    """Return the cards of a level with what they give and cost, and an empty slot."""
    cards = [card for card in state.tables.components.cards if card.level == level]
    told = [
        words(
            "sandbox.option",
            card=card.name,
            points=words.count("point", card.points),
            cost=words.gems(card.cost),
        )
        for card in cards
    ]
    names = [card.name for card in cards]
    return [(words("sandbox.empty"), EMPTY), *zip(told, names, strict=True)]


def _values(state: State) -> Iterable[tuple[_Key, Any]]:
    """Yield what the fields say of a position."""
    to_move = (state.first_player + state.turn) % state.players
    yield ("current_player", None), to_move
    yield ("first_player", None), state.first_player
    yield ("turn", None), state.turn
    yield ("bank", None), gems_in_letters(state.bank)
    yield ("nobles", None), " ".join(noble.name for noble in state.nobles)
    for number, seat in enumerate(state.seats):
        for wish, value in zip(SEAT_FIELDS, _seat_values(seat), strict=True):
            yield (wish, number), value
    for level in LEVELS:
        yield ("decks", level), " ".join(map(_name, state.deck(level)[:NEXT]))


def _seat_values(seat: Seat) -> tuple[str, ...]:
    reserved = [
        f"{UNSEEN if hidden else ''}{_name(card)}"
        for card, hidden in zip(seat.reserved, seat.hidden, strict=True)
    ]
    return (
        gems_in_letters(seat.tokens),
        gems_in_letters(seat.bonuses),
        " ".join(reserved),
        " ".join(noble.name for noble in seat.nobles),
        " ".join(map(_name, seat.bought)),
    )


def _slots(state: State) -> Iterable[tuple[tuple[int, int], str]]:
    """Yield the card of each slot of the market, by level and slot."""
    for level, row in zip(LEVELS, state.market, strict=True):
        for slot, card in enumerate(row):
            yield (level, slot), _name(card)


def _name(card: Card | Back | None) -> str:
    return card.name if isinstance(card, Card) else EMPTY
