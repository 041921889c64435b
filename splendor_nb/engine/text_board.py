"""The text board: a position in a few lines, the same every time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from splendor_nb.engine.cards import Back, Card, Gems, Noble
from splendor_nb.engine.options import Rules
from splendor_nb.engine.rules import HAND_LIMIT

if TYPE_CHECKING:
    from splendor_nb.engine.state import Seat, View

SLOT_WIDTH = 21


def text_board(view: View, *, reveal: bool = False) -> str:
    """Return the position as text.

    Parameters
    ----------
    view
        A state or an observation.
    reveal
        Whether to show what lies face down as well: unseen reserves and the decks, next card
        first. Without it a state shows no more than everyone may know.
    """
    lines = [_headline(view), _nobles(view)]
    lines += [_level(view, level) for level in (3, 2, 1)]
    lines.append(f"bank     {_gems(view.bank, zeros=True)}")
    lines += [_seat(view, seat, reveal=reveal) for seat in range(view.players)]
    if reveal:
        lines += [_deck(view, level) for level in (3, 2, 1)]
    return "\n".join(lines)


def _headline(view: View) -> str:
    options = [f"{name} {value}" for name, value in view.rules.items() if value != Rules()[name]]
    begun = ", ".join([f"{view.players} players", *options, f"turn {view.turn}"])
    if view.end_reason is None:
        return f"{begun}: seat {view.current_player} to {_DECISIONS[view.phase]}{_payment(view)}"
    winners = " and ".join(f"seat {seat}" for seat in view.winners)
    verb = "wins" if len(view.winners) == 1 else "share the win"
    return f"{begun}: over ({view.end_reason}), {winners} {verb}"


_DECISIONS = {
    "main": "take, reserve or buy",
    "return": "return a token",
    "noble": "choose a noble",
    "pay": "choose the payment",
}


def _payment(view: View) -> str:
    if view.paying is None:
        return ""
    gold = "".join(color * number for color, number in view.paid_in_gold.items())
    return f" of {view.paying.name}, gold for {gold or 'no gem'} so far"


def _nobles(view: View) -> str:
    return f"nobles   {'   '.join(map(_noble, view.nobles)) or 'none'}"


def _noble(noble: Noble) -> str:
    return f"{noble.name} {noble.points}p {_gems(noble.cost)}"


def _level(view: View, level: int) -> str:
    slots = [f"{_slot(card):<{SLOT_WIDTH}}" for card in view.market[level - 1]]
    return f"level {level}  {''.join(slots)}+{view.deck_sizes[level - 1]}"


def _slot(card: Card | Back | None) -> str:
    if card is None:
        return "-"
    if isinstance(card, Back):
        return f"L{card.level}?"
    return f"{card.name} {card.points}p {_gems(card.cost)}"


def _gems(gems: Gems, *, zeros: bool = False) -> str:
    return " ".join(f"{number}{gem}" for gem, number in gems.items() if number or zeros) or "free"


def _seat(view: View, number: int, *, reveal: bool) -> str:
    seat = view.seats[number]
    mark = ">" if view.current_player == number else " "
    parts = [
        f"{mark}seat {number}  {seat.points} points",
        f"tokens {_held(seat)}",
        f"bonuses {_gems(seat.bonuses, zeros=True)}",
        f"cards {len(seat.bought)}",
    ]
    if seat.reserved:
        parts.append(f"reserved {_reserved(view, number, reveal=reveal)}")
    if seat.nobles:
        parts.append(f"nobles {' '.join(noble.name for noble in seat.nobles)}")
    return " | ".join(parts)


def _held(seat: Seat) -> str:
    held = {gem: number for gem, number in seat.tokens.items() if number}
    shown = " ".join(f"{number}{gem}" for gem, number in held.items()) or "none"
    return f"{shown} ({sum(held.values())}/{HAND_LIMIT})"


def _reserved(view: View, number: int, *, reveal: bool) -> str:
    seat = view.seats[number]
    shown = seat.reserved if reveal else view.shown_reserve(number)
    return " ".join(map(_reserved_card, shown, seat.hidden))


def _reserved_card(card: Card | Back, hidden: bool) -> str:
    if isinstance(card, Back):
        return f"L{card.level}?"
    return f"({card.name})" if hidden else card.name


def _deck(view: View, level: int) -> str:
    cards = view.deck(level)
    names = [card.name if isinstance(card, Card) else f"L{card.level}?" for card in cards]
    return f"deck {level}   {' '.join(names) or 'empty'}"
