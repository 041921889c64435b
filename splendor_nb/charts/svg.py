"""Pictures of positions, cards and nobles as SVG text.

Pure functions: the same value always gives the same text. A picture is complete in itself, with no
script and nothing from outside. What repeats is drawn once, as a symbol, and reused, and numbers
that belong together are set as one text, so that a position of the base game stays below 10 kB.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Final

from splendor_nb.charts.sheet import Sheet, Word, cut, length, line, move, words
from splendor_nb.charts.theme import (
    ACCENT,
    BACK,
    DARK,
    LIGHT,
    LINE,
    LOOKS,
    MUTED,
    NOBLE,
    PANEL,
    PAPER,
)
from splendor_nb.engine.cards import COLORS, GEMS, Back, Card, Noble, join_words
from splendor_nb.engine.rules import HAND_LIMIT
from splendor_nb.engine.state import Observation

if TYPE_CHECKING:
    from splendor_nb.engine.state import Seat, View

# Where things lie, in pixels of a picture that is shown at its own size.
_WIDTH, _MARGIN, _TOP = 760, 16, 44
_CARD_WIDTH, _CARD_HEIGHT = 88, 118
_COLUMN, _ROW = 97, 126  # from one card of the market to the next
_PIP_X, _PIP_Y, _PIP_STEP = 14, 104, 20  # the costs of a card, from the bottom up
_PILES_X, _PILES_SCALE, _PILE_STEP = 530, 2.3, 28
_NOBLE_X, _NOBLE_WIDTH, _NOBLE_HEIGHT = 608, 136, 69
_NOBLE_MIDDLE: Final = 83  # of what is right of the points
_SEATS_Y: Final = _TOP + 3 * _ROW + 4
_SEAT_WIDTH, _SEAT_HEIGHT, _SEAT_STEP = 728, 82, 90
_NAME_X, _GEMS_X, _GEM_STEP, _TOTAL_X = 66, 240, 41, 446
_RESERVE_X, _RESERVE_STEP, _ICON_SCALE = 532, 24, 0.2
_NAME_LENGTH, _AIM_WIDTH = 158, 340

_STEPS_ALONE: Final = {"pay", "pass"}  # the actions that are a single word
_ASKED: Final = {
    "main": "{} to play",
    "return": "{} returns tokens",
    "noble": "{} chooses a noble",
    "pay": "{} pays",
}
_ENDS: Final[Mapping[str | None, str]] = {"stalemate": " (stalemate)", "limit": " (turn limit)"}


def position_svg(
    state: View, *, last: Iterable[str] = (), names: Sequence[str] = (), title: str | None = None
) -> str:
    """Return a picture of a position, which shows no more than its text board does.

    Parameters
    ----------
    state
        Of a `State` the picture shows what is public, of an `Observation` what its seat knows.
    last
        The actions of the last turn, written beside the seat that took it. Cards, decks and piles
        that they name are marked; so is a bare name, of a card that came new for instance.
    names
        Names of the seats; by default ``Seat 0``, ``Seat 1`` and so on.
    title
        What the picture is about, set before whose turn it is.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> picture = position_svg(new_game(players=2, seed=7), names=["Anna", "Ben"])
    >>> picture[picture.index("<title>") : picture.index("<desc>")]
    '<title>Turn 1: Anna to play</title>'
    """
    last = [*last, *([state.paying.name] if state.paying else [])]
    sheet = Sheet(last)
    called = _called(names, state.players)
    heading = (cut(title or "", 10 * _WIDTH), _status(state, called))
    height = _SEATS_Y + _SEAT_STEP * state.players + _MARGIN // 2
    body = [
        f'<rect width="{_WIDTH}" height="{height}" rx="14" fill="{PANEL}"/>',
        _header(*heading, _aim(state, called)),
        _market(sheet, state),
        _bank(sheet, state.bank),
        _noble_column(sheet, state.nobles),
        _seats(sheet, state, called, _moves(last)),
    ]
    return sheet.picture(body, (_WIDTH, height), " – ".join(filter(None, heading)), state.text())


def card_svg(card: Card) -> str:
    """Return a picture of a card."""
    sheet = Sheet()
    body = [_card(sheet, card)]
    return sheet.picture(body, (_CARD_WIDTH, _CARD_HEIGHT), f"Card {card.name}", repr(card))


def noble_svg(noble: Noble) -> str:
    """Return a picture of a noble."""
    sheet = Sheet()
    tile = _noble(sheet, noble, _NOBLE_HEIGHT)
    title = line(_NOBLE_MIDDLE, 90, noble.title, size=9, width=98)
    body = [f'<g transform="translate(0 {-_tile_top(_NOBLE_HEIGHT)})">{tile}{title}</g>']
    return sheet.picture(body, (_NOBLE_WIDTH, _NOBLE_HEIGHT), f"Noble {noble.name}", repr(noble))


def img_html(svg: str, alt: str, note: str = "") -> str:
    """Return HTML that shows a picture as an image, which even an untrusted page may do.

    Parameters
    ----------
    svg
        The picture.
    alt
        What stands for it where it cannot be seen.
    note
        A sentence below it.

    Examples
    --------
    >>> img_html("<svg/>", "A board")
    '<div class="spl-static"><img alt="A board" ... src="data:image/svg+xml;base64,PHN2Zy8+"></div>'
    """
    data = base64.b64encode(svg.encode()).decode()
    below = f"<p>{escape(note)}</p>" if note else ""
    return (
        f'<div class="spl-static"><img alt="{escape(alt)}" style="max-width:100%;height:auto" '
        f'src="data:image/svg+xml;base64,{data}">{below}</div>'
    )


# -- heading ---------------------------------------------------------------------------------------


def _called(names: Sequence[str], players: int) -> list[str]:
    given = [*names[:players], *[""] * (players - len(names))]
    return [cut(name, _NAME_LENGTH) or f"Seat {seat}" for seat, name in enumerate(given)]


def _status(state: View, called: Sequence[str]) -> str:
    if state.current_player is not None:
        asked = _ASKED[state.phase].format(called[state.current_player])
        return f"Turn {state.turn + 1}: {asked}"
    winners = join_words([called[seat] for seat in state.winners])
    verb = "wins" if len(state.winners) == 1 else "share the win"
    return f"Over after {state.turn} turns: {winners} {verb}{_ENDS.get(state.end_reason, '')}"


def _aim(state: View, called: Sequence[str]) -> str:
    aim = f"to {state.rules.target} points"
    if isinstance(state, Observation):
        return f"as {called[state.player]} sees it, {aim}"
    return f"first {aim}"


def _header(title: str, status: str, aim: str) -> str:
    """Return the line on top, its title cut to what the rest leaves of it."""
    room = _WIDTH - 3 * _MARGIN - min(1.2 * length(aim), _AIM_WIDTH)
    left = room - length(f" – {status}", 18)
    heading = f"{cut(title, left * 14 / 18)} – {status}" if title else status
    return line(_MARGIN, 29, heading, size=18, anchor="start", width=room) + line(
        _WIDTH - _MARGIN, 29, aim, color=MUTED, anchor="end", width=_AIM_WIDTH
    )


def _moves(last: Iterable[str]) -> str:
    """Return the actions of a turn as one line, without the bare names."""
    steps = [action for action in last if " " in action or action in _STEPS_ALONE]
    return cut(", ".join(steps), _NAME_LENGTH)


# -- cards -----------------------------------------------------------------------------------------


def _market(sheet: Sheet, state: View) -> str:
    rows = []
    for row, level in enumerate((3, 2, 1)):
        deck = _deck(sheet, level, state.deck_sizes[level - 1])
        cards = [
            move(_COLUMN * (slot + 1), 0, _slot(sheet, card))
            for slot, card in enumerate(state.market[level - 1])
        ]
        rows.append(move(_MARGIN, _TOP + _ROW * row, deck, *cards))
    return "".join(rows)


def _deck(sheet: Sheet, level: int, size: int) -> str:
    ink = LIGHT if size else MUTED
    return "".join(
        (
            _back(sheet) if size else sheet.use("e", _draw_empty),
            line(44, 25, f"L{level}", color=ink),
            line(44, 74, str(size), color=ink, size=32),
            _ring(sheet, f"L{level}"),
        )
    )


def _slot(sheet: Sheet, card: Card | Back | None) -> str:
    if card is None:
        return sheet.use("e", _draw_empty)
    if isinstance(card, Back):
        return _back(sheet) + line(44, 64, f"L{card.level}?", color=LIGHT)
    return _card(sheet, card)


def _card(sheet: Sheet, card: Card) -> str:
    costs = _place_costs(card.cost)
    return "".join(
        (
            _frame(sheet, card.bonus),
            _points(sheet, card),
            *(_pip(sheet, color, x, y) for x, y, color in costs),
            words([*_numbers(costs, card.cost, 16), (65, 109, card.name)]),
            _ring(sheet, card.name),
        )
    )


def _place_costs(cost: Mapping[str, int]) -> list[Word]:
    """Return the colors asked for with their places, a column that ends low on the card."""
    asked = [color for color, number in cost.items() if number]
    step = _PIP_STEP if len(asked) < 5 else 17
    top = _PIP_Y - step * (len(asked) - 1)
    return [(_PIP_X, top + step * i, color) for i, color in enumerate(asked)]


def _numbers(pips: Iterable[Word], numbers: Mapping[str, int], right: float) -> list[Word]:
    """Return the numbers that belong to pips, with places beside them."""
    return [(x + right, y + 5, str(numbers[gem])) for x, y, gem in pips]


def _back(sheet: Sheet, y: float = 0) -> str:
    return sheet.use("b", _draw_back, 0, y)


def _draw_back() -> str:
    return f'<rect x="1" y="1" width="86" height="116" rx="8" fill="{BACK}"/>'


def _frame(sheet: Sheet, bonus: str, y: float = 0) -> str:
    """Return a card without what is written on it."""
    return sheet.use(bonus.lower(), lambda: _draw_frame(sheet, bonus), 0, y)


def _draw_frame(sheet: Sheet, bonus: str) -> str:
    look = LOOKS[bonus]
    gem = f'<path d="M63 64{look.shape}" stroke="{look.edge}"/>'
    return f'<g fill="{look.fill}">{sheet.use("c", _draw_paper)}{gem}</g>'


def _draw_paper() -> str:
    """Draw the paper of a card, its band in the color of whoever uses it."""
    return (
        f'<g stroke="{LINE}"><rect x="1" y="1" width="86" height="116" rx="8" fill="{PAPER}"/>'
        '<path d="M1 28V9a8 8 0 0 1 8-8H79a8 8 0 0 1 8 8V28Z"/></g>'
    )


def _draw_empty() -> str:
    return (
        '<rect x="2" y="2" width="84" height="114" rx="8" fill="none" '
        f'stroke="{LINE}" stroke-width="2" stroke-dasharray="6 5"/>'
    )


def _points(sheet: Sheet, card: Card) -> str:
    if not card.points:
        return ""
    ink = LOOKS[card.bonus].ink
    return sheet.use(
        f"{'q' if ink == DARK else 'p'}{card.points}",
        lambda: line(18, 24, str(card.points), color=ink, size=25),
    )


def _pip(sheet: Sheet, gem: str, x: float, y: float) -> str:
    """Return a round pip with its letter; its symbol lies where most of them are."""
    return sheet.use(gem, lambda: _draw_pip(gem), x - _PIP_X, y - _PIP_Y)


def _draw_pip(gem: str) -> str:
    look = LOOKS[gem]
    rim = f' stroke="{look.edge}"' if look.ink == DARK else ""
    low, size = (11, 22) if gem == "*" else (5, 0)  # a star stands high in its line
    return (
        f'<g><circle cx="{_PIP_X}" cy="{_PIP_Y}" r="9" fill="{look.face}"{rim}/>'
        f"{line(_PIP_X, _PIP_Y + low, gem, color=look.ink, size=size)}</g>"
    )


def _ring(sheet: Sheet, name: str) -> str:
    """Return the mark of a card or deck that the last move named, or nothing."""
    return sheet.use("m", _draw_ring) if name in sheet.touched else ""


def _draw_ring() -> str:
    return (
        '<rect x="2" y="2" width="84" height="114" rx="7" fill="none" '
        f'stroke="{ACCENT}" stroke-width="4"/>'
    )


# -- nobles, drawn around the line of their pips ---------------------------------------------------


def _noble_column(sheet: Sheet, nobles: Sequence[Noble]) -> str:
    step = 3 * _ROW / max(3, len(nobles))
    height = int(step) - (_ROW - _CARD_HEIGHT)
    tiles = [
        move(0, _TOP + int(step * i) - _tile_top(height), _noble(sheet, noble, height))
        for i, noble in enumerate(nobles)
    ]
    return move(_NOBLE_X, 0, *tiles)


def _noble(sheet: Sheet, noble: Noble, height: int) -> str:
    costs = _place_noble_costs(noble.cost)
    rows = len({y for _, y, _ in costs})
    name = (_NOBLE_MIDDLE, 76 if rows == 1 else 67, noble.name)
    return "".join(
        (
            sheet.use(f"n{noble.points}h{height}", lambda: _draw_tile(noble.points, height)),
            *(_pip(sheet, color, x, y) for x, y, color in costs),
            words([*_numbers(costs, noble.cost, 15), name]),
        )
    )


def _place_noble_costs(cost: Mapping[str, int]) -> list[Word]:
    """Return the colors asked for with their places, as many abreast as there is room for."""
    asked = [color for color, number in cost.items() if number]
    abreast, step = (3, 34) if max(cost.values()) < 10 else (2, 50)
    start = _NOBLE_MIDDLE + 12 - step * min(abreast, len(asked)) // 2
    return [
        (start + step * (i % abreast), _PIP_Y - 20 * (i // abreast), color)
        for i, color in enumerate(asked)
    ]


def _draw_tile(points: int, height: int) -> str:
    size = f'y="{_tile_top(height) + 1}" height="{height - 2}" rx="8"'
    return (
        f'<g><rect x="1" width="{_NOBLE_WIDTH - 2}" {size} fill="{PAPER}" stroke="{LINE}"/>'
        f'<rect x="1" width="30" {size} fill="{NOBLE}"/>'
        f"{line(16, _PIP_Y - 9, str(points), color=LIGHT, size=25)}</g>"
    )


def _tile_top(height: int) -> int:
    return _PIP_Y - 18 - height // 2


# -- bank ------------------------------------------------------------------------------------------


def _bank(sheet: Sheet, bank: Mapping[str, int]) -> str:
    """Return the piles, pips made large, and how many are left of each."""
    drawings, counts = [], []
    for i, gem in enumerate(GEMS):
        y = _PILE_STEP * i
        drawings.append(_pip(sheet, gem, _PIP_X, _PIP_Y + y))
        if gem in sheet.piles:
            drawings.append(sheet.use("o", _draw_pile_ring, 0, y))
        counts.append((_PILES_X + 44, _TOP + 36 + round(_PILES_SCALE * y), str(bank[gem])))
    left, top = _PILES_X - _PILES_SCALE * _PIP_X, _TOP + 27 - _PILES_SCALE * _PIP_Y
    return (
        f'<g transform="translate({left:g} {top:g})scale({_PILES_SCALE})">{"".join(drawings)}</g>'
        f'<g font-size="26" text-anchor="start">{words(counts, far=15)}</g>'
    )


def _draw_pile_ring() -> str:
    return (
        f'<circle cx="{_PIP_X}" cy="{_PIP_Y}" r="10" fill="none" '
        f'stroke="{ACCENT}" stroke-width="2"/>'
    )


# -- players ---------------------------------------------------------------------------------------


def _seats(sheet: Sheet, state: View, called: Sequence[str], moves: str) -> str:
    mover, kept = _mover(state), [state.shown_reserve(seat) for seat in range(state.players)]
    rows = [
        move(
            0,
            _SEATS_Y + _SEAT_STEP * number,
            sheet.use("s", lambda: _draw_row(sheet)),
            sheet.use("t", _draw_turn) if number in (*state.winners, state.current_player) else "",
            _held(seat),
            _about(called[number], _visits(seat), moves if number == mover else ""),
            *_reserve(sheet, kept[number], seat.hidden),
        )
        for number, seat in enumerate(state.seats)
    ]
    points = [
        (18, _SEATS_Y + 53 + _SEAT_STEP * number, str(seat.points))
        for number, seat in enumerate(state.seats)
    ]
    return (
        f'<g transform="translate({_MARGIN} 0)" text-anchor="start">{"".join(rows)}'
        f'<g font-size="32">{words(points, far=18)}</g>{_reserve_icons(sheet, kept)}</g>'
    )


def _mover(state: View) -> int | None:
    """Return the seat that acted last: in the middle of a turn whoever decides now."""
    if state.phase in {"main", "over"}:
        return (state.first_player + state.turn - 1) % state.players
    return state.current_player


def _draw_row(sheet: Sheet) -> str:
    """Draw what all rows have in common: five colors for the bonuses, six for the tokens."""
    fives = [sheet.use("v", lambda: _draw_five(sheet), 0, y - _PIP_Y) for y in (25, 60)]
    return (
        f'<g text-anchor="middle"><rect width="{_SEAT_WIDTH}" height="{_SEAT_HEIGHT}" rx="10" '
        f'fill="{PAPER}"/>'
        f'<rect x="{_GEMS_X - 13}" y="10" width="288" height="30" rx="8" fill="{PANEL}"/>'
        f"{''.join(fives)}{_pip(sheet, '*', _GEMS_X + _GEM_STEP * 5, 60)}</g>"
    )


def _draw_five(sheet: Sheet) -> str:
    pips = [_pip(sheet, color, _GEMS_X + _GEM_STEP * i, _PIP_Y) for i, color in enumerate(COLORS)]
    return f"<g>{''.join(pips)}</g>"


def _draw_turn() -> str:
    size = f'width="{_SEAT_WIDTH - 4}" height="{_SEAT_HEIGHT - 4}" rx="8"'
    return f'<rect x="2" y="2" {size} fill="none" stroke="{ACCENT}" stroke-width="4"/>'


def _held(seat: Seat) -> str:
    """Return bonuses and tokens, the numbers beside the pips that the row has."""
    columns = [_GEMS_X + 13 + _GEM_STEP * i for i in range(len(GEMS))]
    bonuses = [(x, 30, str(n or "·")) for x, n in zip(columns, seat.bonuses.values(), strict=False)]
    tokens = [(x, 65, str(n or "·")) for x, n in zip(columns, seat.tokens.values(), strict=True)]
    cards = f"{len(seat.bought)} card{'' if len(seat.bought) == 1 else 's'}"
    total = f"{sum(seat.tokens.values())}/{HAND_LIMIT}"
    return words([*bonuses, (_TOTAL_X, 30, cards)]) + words([*tokens, (_TOTAL_X + 38, 65, total)])


def _about(name: str, visits: str, moves: str) -> str:
    """Return what is said of a player; where a wide font could spread it too far, it is clipped."""
    lines = line(_NAME_X, 27, name) + line(_NAME_X, 48, visits)
    lines += line(_NAME_X, 69, moves, color=ACCENT)
    if max(map(length, (name, visits, moves))) < 0.75 * _NAME_LENGTH:
        return lines
    return f'<svg width="{_GEMS_X - 14}">{lines}</svg>'


def _visits(seat: Seat) -> str:
    if len(seat.nobles) > 3:
        return f"{len(seat.nobles)} nobles"
    names = " ".join(noble.name for noble in seat.nobles)
    return f"noble{'' if len(seat.nobles) == 1 else 's'} {names}" if names else ""


def _reserve(sheet: Sheet, kept: Sequence[Card | Back], hidden: Sequence[bool]) -> Iterator[str]:
    """Yield a line of text for each reserved card."""
    for i, card in enumerate(kept):
        text = _in_words(card, hidden=hidden[i])
        color = ACCENT if isinstance(card, Card) and card.name in sheet.touched else ""
        y = 22 + _RESERVE_STEP * i
        yield line(_RESERVE_X + 24, y, text, color=color, width=165)


def _reserve_icons(sheet: Sheet, kept: Sequence[Sequence[Card | Back]]) -> str:
    """Return the small cards before these lines, those of all players in one group."""
    icons = [
        _icon(sheet, card, (_SEAT_STEP * seat + _RESERVE_STEP * i) / _ICON_SCALE)
        for seat, cards in enumerate(kept)
        for i, card in enumerate(cards)
    ]
    place = f"translate({_RESERVE_X} {_SEATS_Y + 5})scale({_ICON_SCALE})"
    return f'<g transform="{place}">{"".join(icons)}</g>' if icons else ""


def _icon(sheet: Sheet, card: Card | Back, y: float) -> str:
    return _back(sheet, y) if isinstance(card, Back) else _frame(sheet, card.bonus, y)


def _in_words(card: Card | Back, *, hidden: bool) -> str:
    """Return a reserved card as the text board names it, with its points and its cost."""
    if isinstance(card, Back):
        return f"L{card.level}? unseen"
    name = f"({card.name})" if hidden else card.name
    cost = " ".join(f"{number}{color}" for color, number in card.cost.items() if number)
    return f"{name} {card.points}p {cost or 'free'}"
