"""Pictures of positions, cards and nobles as SVG text.

Pure functions: the same value always gives the same text. Each picture is complete in itself, with
no script and nothing from outside, and its ids begin with a mark made from its content, so that
many pictures can stand in one page. What repeats is drawn once and reused, which keeps a position
below 10 kB.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from splendor_nb.charts.theme import (
    ACCENT,
    BACK,
    DARK,
    FONT,
    LIGHT,
    LINE,
    LOOKS,
    MUTED,
    NOBLE,
    PANEL,
    PAPER,
)
from splendor_nb.engine.cards import COLORS, GEMS, Back, Card, Noble

if TYPE_CHECKING:
    from splendor_nb.engine.state import Observation, State

_WIDTH, _MARGIN = 760, 16
_TOP: Final = 44  # below the heading
_CARD_WIDTH, _CARD_HEIGHT = 88, 118
_COLUMN, _ROW = 97, 126  # from one card of the market to the next
_BANK_X, _PILE = 540, 64
_NOBLE_X, _NOBLE_WIDTH, _NOBLE_HEIGHT = 608, 136, 69
_SEATS_Y: Final = _TOP + 3 * _ROW + 4
_SEAT_WIDTH, _SEAT_HEIGHT, _SEAT_STEP = 728, 82, 90
_GEMS_X, _GEM_STEP = 230, 46  # the columns of a player's bonuses and tokens
_RESERVE_X, _RESERVE_SCALE = 550, 0.62
_NAME_WIDTH: Final = 20
_MOST_LETTERS: Final = 60
_HAND_LIMIT: Final = 10  # [R13]

_MARK: Final = "\0"  # stands before ids until the content is known; XML can hold no such letter
_INVISIBLE: Final = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_JOINERS: Final = "\u200c\u200d"
_STATUS: Final = {
    "main": "{} to play",
    "return": "{} returns tokens",
    "noble": "{} chooses a noble",
    "pay": "{} pays",
}


def position_svg(
    state: State | Observation,
    *,
    last: Iterable[str] = (),
    names: Sequence[str] = (),
    title: str | None = None,
) -> str:
    """Return a picture of a position that shows no more than its text board does.

    Parameters
    ----------
    state
        Of a `State` the picture shows what is public; of an `Observation` what its seat knows.
    last
        The actions of the last turn, written beside the seat that took it. Cards, decks, piles
        and nobles that they name are marked, so a bare name (a card that came new) is marked too.
    names
        Names of the seats; by default ``Seat 0``, ``Seat 1`` and so on.
    title
        What the picture is about, set before whose turn it is.
    """
    sheet = _Sheet(last)
    called = [_tidy(names[i] if i < len(names) else f"Seat {i}") for i in range(state.players)]
    heading = _heading(state, called, title)
    height = _SEATS_Y + _SEAT_STEP * state.players + _MARGIN - (_SEAT_STEP - _SEAT_HEIGHT)
    body = [
        f'<rect width="{_WIDTH}" height="{height}" rx="14" fill="{PANEL}"/>',
        _header(heading, state),
        _market(sheet, state),
        _bank(sheet, state),
        _noble_column(sheet, state.nobles),
        _seats(sheet, state, called),
    ]
    return _document(sheet, body, (_WIDTH, height), heading, state.text())


def card_svg(card: Card) -> str:
    """Return a picture of a card."""
    sheet = _Sheet()
    body = [_card(sheet, card)]
    return _document(sheet, body, (_CARD_WIDTH, _CARD_HEIGHT), f"Card {card.name}", repr(card))


def noble_svg(noble: Noble) -> str:
    """Return a picture of a noble."""
    sheet = _Sheet()
    body = [_noble(sheet, noble, _NOBLE_HEIGHT)]
    title = f"Noble {noble.name}"
    return _document(sheet, body, (_NOBLE_WIDTH, _NOBLE_HEIGHT), title, repr(noble))


def img_html(svg: str, alt: str) -> str:
    """Return HTML that shows a picture as an image, where scripts and SVG are not allowed too."""
    data = base64.b64encode(svg.encode()).decode()
    return (
        f'<div class="spl-static"><img alt="{escape(alt)}" style="max-width:100%;height:auto" '
        f'src="data:image/svg+xml;base64,{data}"></div>'
    )


# -- the frame of every picture --------------------------------------------------------------------


class _Sheet:
    """The symbols that a picture has used so far, and what is to be marked in it."""

    def __init__(self, last: Iterable[str] = ()) -> None:
        self.last = tuple(last)
        self.marked = frozenset(word for action in self.last for word in action.split())
        self.symbols: dict[str, str] = {}

    def use(self, key: str, draw: Callable[[], str], x: float = 0, y: float = 0) -> str:
        """Return a reference to a symbol, drawing it when it is used for the first time."""
        key = key.replace("*", "J")
        if key not in self.symbols:
            self.symbols[key] = re.sub("^<[a-z]+", rf'\g<0> id="{_MARK}{key}"', draw())
        return f'<use href="#{_MARK}{key}"{_at(x, y)}/>'


def _at(x: float, y: float) -> str:
    return "".join(f' {axis}="{value:g}"' for axis, value in (("x", x), ("y", y)) if value)


def _place(x: float, y: float, *drawings: str) -> str:
    """Return drawings moved; an inner `svg` says it in fewer letters than a group."""
    return f"<svg{_at(x, y)}>{''.join(drawings)}</svg>"


def _document(
    sheet: _Sheet, body: Iterable[str], size: tuple[int, int], title: str, text: str
) -> str:
    width, height = size
    content = (
        f"<title>{_text(title)}</title><desc>{_text(text)}</desc>"
        f"<defs>{''.join(sheet.symbols.values())}</defs>{''.join(body)}"
    )
    mark = "s" + hashlib.sha256(content.encode()).hexdigest()[:3]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" style="max-width:100%;height:auto" role="img" '
        f'font-family="{FONT}" font-size="14" font-weight="700" text-anchor="middle" '
        f'fill="{DARK}">{content.replace(_MARK, mark)}</svg>'
    )


def _text(text: str) -> str:
    """Return text as XML may hold it."""
    known = re.sub("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text)
    return escape(known, quote=False)


def _tidy(name: str, width: float = _NAME_WIDTH) -> str:
    """Return a name cut to a width in letters, on one line, its direction shut in.

    Invisible letters go, since among them are those that turn the text around them; the joiners
    of emoji stay.
    """
    shown: list[str] = []
    for letter in " ".join(name.split()):
        if unicodedata.category(letter) in _INVISIBLE and letter not in _JOINERS:
            continue
        width -= _letter_width(letter)
        if width < 0 or len(shown) == _MOST_LETTERS:
            shown[-1:] = "…"
            break
        shown.append(letter)
    tidy = "".join(shown)
    return tidy if tidy.isascii() else f"\u2068{tidy}\u2069"


def _letter_width(letter: str) -> float:
    """Return about how wide a letter is, a small one being 1."""
    if unicodedata.combining(letter) or letter in _JOINERS:
        return 0
    if unicodedata.east_asian_width(letter) in "WF" or letter in "WM@%":
        return 1.8
    return 1.3 if letter.isupper() else 1


def _words(placed: Iterable[tuple[float, float, str]], *, far: float = 8) -> str:
    """Return words, each with its place, as a single text.

    Every letter of a word has an x of its own, `far` from the one before, but those of the last
    word, which is set by the browser around its place.
    """
    *words, (last_x, last_y, last) = placed
    letters = [(x + far * i, y) for x, y, word in words for i in range(len(word))]
    xs, ys = zip(*letters, (last_x, last_y), strict=True)
    if len(set(ys)) == 1:
        ys = ys[:1]
    text = "".join(word for _, _, word in words) + last
    return f'<text x="{_join(xs)}" y="{_join(ys)}">{_text(text)}</text>'


def _join(values: Iterable[float]) -> str:
    return " ".join(f"{value:g}" for value in values)


# -- heading ---------------------------------------------------------------------------------------


def _heading(state: State | Observation, called: Sequence[str], title: str | None) -> str:
    if state.current_player is None:
        status = f"Game over after {state.turn} turns"
    else:
        doing = _STATUS[state.phase].format(called[state.current_player])
        status = f"Turn {state.turn + 1}: {doing}"
    return f"{title} · {status}" if title else status


def _header(heading: str, state: State | Observation) -> str:
    return (
        f'<svg width="560" height="40"><text x="{_MARGIN}" y="29" font-size="18" '
        f'text-anchor="start">{_text(heading)}</text></svg>'
        f'<text x="744" y="29" fill="{MUTED}" text-anchor="end">'
        f"first to {state.rules.target} points</text>"
    )


# -- cards -----------------------------------------------------------------------------------------


def _market(sheet: _Sheet, state: State | Observation) -> str:
    rows = []
    for row, level in enumerate((3, 2, 1)):
        slots = state.market[level - 1]
        cards = [_place(_COLUMN * (i + 1), 0, _slot(sheet, card)) for i, card in enumerate(slots)]
        deck = _deck(sheet, level, state.deck_sizes[level - 1])
        rows.append(_place(_MARGIN, _TOP + _ROW * row, deck, *cards))
    return "".join(rows)


def _deck(sheet: _Sheet, level: int, size: int) -> str:
    drawing = sheet.use(f"b{level}", lambda: _back(level)) if size else sheet.use("e", _empty)
    ink = LIGHT if size else MUTED
    return (
        f'{drawing}<text x="44" y="74" font-size="32" fill="{ink}">{size}</text>'
        + _ring(sheet, f"L{level}", _CARD_WIDTH, _CARD_HEIGHT)
    )


def _slot(sheet: _Sheet, card: Card | Back | None) -> str:
    if card is None:
        return sheet.use("e", _empty)
    if isinstance(card, Back):
        return sheet.use(f"b{card.level}", lambda: _back(card.level))
    return _card(sheet, card)


def _card(sheet: _Sheet, card: Card) -> str:
    asked = [(color, n) for color, n in card.cost.items() if n]
    places = [(14, 104 - 20 * i) for i in range(4)] + [(46, 104)]
    costs = list(zip(reversed(asked), places, strict=False))
    if len(asked) > 4:
        costs = list(zip(asked, places[:4][::-1]+places[4:], strict=False))
    numbers = [(x + 16, y + 5, str(n)) for (_, n), (x, y) in costs]
    return "".join(
        (
            sheet.use(f"f{card.bonus}", lambda: _frame(sheet, card.bonus)),
            _points(sheet, card.points, LOOKS[card.bonus].ink),
            *(_pip(sheet, color, x, y) for (color, _), (x, y) in costs),
            _words([*numbers, (62, 109, card.name)]),
            _ring(sheet, card.name, _CARD_WIDTH, _CARD_HEIGHT),
        )
    )


def _frame(sheet: _Sheet, bonus: str) -> str:
    look = LOOKS[bonus]
    gem = f'<path d="M62 64{look.shape}" stroke="{look.edge}"/>'
    return f'<g fill="{look.fill}">{sheet.use("c", _paper)}{gem}</g>'


def _paper() -> str:
    """Return the paper of a card, with a band in the color of whoever uses it."""
    return (
        f'<g stroke="{LINE}"><rect x="1" y="1" width="86" height="116" rx="8" fill="{PAPER}"/>'
        '<path d="M1 28V9a8 8 0 0 1 8-8H79a8 8 0 0 1 8 8V28Z"/></g>'
    )


def _empty() -> str:
    return (
        '<rect x="2" y="2" width="84" height="114" rx="8" fill="none" '
        f'stroke="{LINE}" stroke-width="2" stroke-dasharray="6 5"/>'
    )


def _back(level: int) -> str:
    return (
        f'<g fill="{LIGHT}"><rect x="1" y="1" width="86" height="116" rx="8" fill="{BACK}"/>'
        f'<text x="44" y="24">L{level}</text><text x="44" y="108" font-size="24">{"•" * level}</text></g>'
    )


def _points(sheet: _Sheet, points: int, ink: str) -> str:
    if not points:
        return ""
    return sheet.use(
        f"{'pq'[ink == DARK]}{points}",
        lambda: f'<text x="18" y="23" font-size="25" fill="{ink}">{points}</text>',
    )


def _pip(sheet: _Sheet, color: str, x: float, y: float) -> str:
    """Return a round pip with its letter; it is drawn where most of them are, low on a card."""
    return sheet.use(color, lambda: _draw_pip(color), x - 14, y - 104)


def _draw_pip(color: str) -> str:
    look = LOOKS[color]
    size = ' font-size="22"' if color == "*" else ""
    return (
        f'<g><circle cx="14" cy="104" r="9" fill="{look.fill}" stroke="{look.edge}"/>'
        f'<text x="14" y="{115 if size else 109}"{size} fill="{look.ink}">{color}</text></g>'
    )


def _ring(sheet: _Sheet, name: str, width: int, height: int) -> str:
    """Return the mark of what the last move named, or nothing."""
    if name not in sheet.marked:
        return ""
    return sheet.use(
        f"m{width}",
        lambda: (
            f'<rect x="2" y="2" width="{width - 4}" height="{height - 4}" rx="7" fill="none" '
            f'stroke="{ACCENT}" stroke-width="4"/>'
        ),
    )


# -- nobles ----------------------------------------------------------------------------------------


def _noble_column(sheet: _Sheet, nobles: Sequence[Noble]) -> str:
    space = (3 * _ROW) / max(3, len(nobles))
    height = int(space) - (_ROW - _CARD_HEIGHT)
    return "".join(
        _place(_NOBLE_X, int(_TOP + space * i), _noble(sheet, noble, height))
        for i, noble in enumerate(nobles)
    )


def _noble(sheet: _Sheet, noble: Noble, height: int) -> str:
    middle = height // 2
    asked = [(color, n) for color, n in noble.cost.items() if n]
    places = [(50 + 34 * (i % 3), middle + 18 - 20 * (i // 3)) for i in range(len(asked))]
    numbers = [(x + 15, y + 5, str(n)) for (x, y), (_, n) in zip(places, asked, strict=True)]
    title = f'<text x="92" y="{middle - 1}" font-size="9">{_text(noble.title)}</text>'
    return "".join(
        (
            sheet.use(f"n{height}p{noble.points}", lambda: _tile(height, noble.points)),
            *(_pip(sheet, color, x, y) for (x, y), (color, _) in zip(places, asked, strict=True)),
            _words([*numbers, (92, middle - 15, noble.name)]),
            title if noble.title else "",
        )
    )


def _tile(height: int, points: int) -> str:
    size = f'height="{height - 2}" rx="8"'
    return (
        f'<g><rect x="1" y="1" width="{_NOBLE_WIDTH - 2}" {size} fill="{PAPER}" stroke="{LINE}"/>'
        f'<rect x="1" y="1" width="32" {size} fill="{NOBLE}"/>'
        f'<text x="17" y="{height // 2 + 9}" font-size="26" fill="{LIGHT}">{points}</text></g>'
    )


# -- bank and players ------------------------------------------------------------------------------


def _bank(sheet: _Sheet, state: State | Observation) -> str:
    scale, step = 2.3, 27.6
    piles = "".join(_pip(sheet, gem, 14, 104 + step * i) for i, gem in enumerate(GEMS))
    rings = ""
    counts = [(580, _TOP + 36 + scale * step * i, str(state.bank[gem])) for i, gem in enumerate(GEMS)]
    return (
        f'<g transform="translate(502 {_TOP+27-104*scale:g})scale({scale})">{piles}{rings}</g>'
        f'<g font-size="26">{_words(counts, far=15)}</g>'
    )


def _seats(sheet: _Sheet, state: State | Observation, called: Sequence[str]) -> str:
    return "".join(
        _place(_MARGIN, _SEATS_Y + _SEAT_STEP * seat, _seat(sheet, state, seat, name))
        for seat, name in enumerate(called)
    )


def _seat(sheet: _Sheet, state: State | Observation, seat: int, name: str) -> str:
    mine = state.seats[seat]
    held = sum(mine.tokens.values())
    nobles = f'<text x="66" y="47">{" ".join(n.name for n in mine.nobles)}</text>' if mine.nobles else ""
    last = f'<text x="66" y="67" fill="{ACCENT}">{", ".join(sheet.last)}</text>' if sheet.last and seat == 0 else ""
    columns = [_GEMS_X + 18 + _GEM_STEP * i for i in range(7)]
    bonuses = [(x, 30, str(n)) for x, n in zip(columns, mine.bonuses.values())]
    tokens = [(x, 65, str(n)) for x, n in zip(columns, mine.tokens.values())]
    return "".join((
        sheet.use("s", lambda: _row(sheet)),
        sheet.use("t", _turn_mark) if seat == state.current_player else "",
        f'<text x="34" y="52" font-size="32">{mine.points}</text>',
        _words([*bonuses, (columns[5] , 30, f"{len(mine.bought)} cards")]),
        _words([*tokens, (columns[6], 65, f"{held}/{_HAND_LIMIT}")]),
        f'<g text-anchor="start"><text x="66" y="27">{_text(name)}</text>',
        f'<g font-size="12">{nobles}{last}',
        _reserve(sheet, mine),
        '</g></g>',
    ))

def _reserve(sheet, mine):
    icons = "".join(sheet.use(f"f{c.bonus}", lambda: _frame(sheet, c.bonus), 0, 125*i) for i, c in enumerate(mine.reserved))
    lines = "".join(f'<text x="578" y="{20+26*i}">{c.name}{f", {c.points} pt" if c.points else ""}: {" ".join(f"{n}{k}" for k,n in c.cost.items() if n)}</text>' for i,c in enumerate(mine.reserved))
    return f'<g transform="translate(552 3)scale(.2)">{icons}</g>{lines}' if icons else ""


def _row(sheet: _Sheet) -> str:
    def five() -> str:
        return "<g>" + "".join(_pip(sheet, c, _GEMS_X + _GEM_STEP * i, 25) for i, c in enumerate(COLORS)) + "</g>"
    pips = sheet.use("r", five) + sheet.use("r", five, 0, 35)+ _pip(sheet, "*", _GEMS_X + _GEM_STEP * 5, 60)
    return (
        f'<g><rect width="{_SEAT_WIDTH}" height="{_SEAT_HEIGHT}" rx="10" fill="{PAPER}"/>'
        f'<rect x="{_GEMS_X-14}" y="9" width="302" height="32" rx="6" fill="{PANEL}"/>{pips}</g>'
    )


def _turn_mark() -> str:
    return f'<rect x="1.5" y="1.5" width="{_SEAT_WIDTH-3}" height="{_SEAT_HEIGHT-3}" rx="9" fill="none" stroke="{ACCENT}" stroke-width="3"/>'
