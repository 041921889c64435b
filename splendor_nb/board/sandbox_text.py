"""A position of a sandbox as text and back, and what the rules demand of it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from splendor_nb.engine.cards import COLOR_NAMES, COLORS, LEVELS, join_words
from splendor_nb.engine.errors import RecordError
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.position_json import OBSERVATION, POSITION
from splendor_nb.engine.records import GAME, GameRecord
from splendor_nb.engine.state import State

LONGEST_TEXT = 2_000_000  # letters; a long game has some ten thousand


def read_text(text: str) -> State | GameRecord:
    """Return the position, or the saved game, that a text holds as JSON.

    Raises
    ------
    RecordError
        Where it holds none, or one that breaks a rule; the message names the place.
    TypeError
        Where it is no text.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> state = new_game(seed=7)
    >>> read_text(write_text(state)) == state
    True
    >>> read_text("a game")
    Traceback (most recent call last):
    splendor_nb.engine.errors.RecordError: This text is no position: line 1 is no JSON.
    """
    if not isinstance(text, str):
        raise TypeError(f"A position is pasted as text, not {shortened(text)}.")
    if not text.strip():
        raise RecordError("There is no text; a position as text begins with {.")
    if len(text) > LONGEST_TEXT:
        raise RecordError(f"A text has at most {LONGEST_TEXT:,} letters, not {len(text):,}.")
    return read_data(_parsed(text))


def read_data(data: object) -> State | GameRecord:
    """Return the position, or the saved game, that JSON holds.

    Raises
    ------
    RecordError
        Where it holds none, or one that breaks a rule; the message names the place.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> read_data(new_game(seed=7).to_dict()) == new_game(seed=7)
    True
    """
    form = data.get("format") if isinstance(data, Mapping) else None
    if form == GAME:
        return GameRecord.from_dict(data)  # type: ignore[arg-type]  # a mapping: it has a format
    if form == OBSERVATION:
        raise RecordError("This is what one seat knows; a sandbox needs the whole position.")
    if not isinstance(data, Mapping) or form is None:
        raise RecordError(f"This text is no position: it has no format {POSITION!r}.")
    return checked(State.from_dict(data))


def write_text(state: State) -> str:
    """Return a position as JSON text, a line for each part.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> write_text(new_game(seed=7)).splitlines()[1]
    '"format": "splendor-nb-position/1",'
    """
    parts = [f"{json.dumps(name)}: {json.dumps(part)}" for name, part in state.to_dict().items()]
    return "{\n" + ",\n".join(parts) + "\n}"


def checked(state: State) -> State:
    """Return the position if nothing in it breaks a rule.

    Raises
    ------
    RecordError
        For an empty slot above a deck [R12], a noble whose bonuses are not there [R14], and a
        game that goes on after its last round [R15].

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> checked(new_game(seed=7)).turn
    0
    """
    _check_slots(state)
    _check_visits(state)
    _check_last_round(state)
    return state


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        if error.pos >= len(text.rstrip()) and text.lstrip()[:1] in "{[":
            raise RecordError("This text is no position: it breaks off before its end.") from None
        raise RecordError(f"This text is no position: line {error.lineno} is no JSON.") from None
    except RecursionError:
        raise RecordError("This text is no position: it is nested too deep.") from None
    except ValueError:  # a number of thousands of digits
        raise RecordError("This text is no position: a number in it is too long.") from None


def _check_slots(state: State) -> None:
    for level, row, left in zip(LEVELS, state.market, state.deck_sizes, strict=True):
        if None in row and left:
            raise RecordError(
                f"The market of level {level} has an empty slot, but its deck holds {left} cards "
                "[R12]."
            )


def _check_visits(state: State) -> None:
    for number, seat in enumerate(state.seats):
        for noble in seat.nobles:
            lacks = {c: noble.cost[c] for c in COLORS if noble.cost[c] > seat.bonuses[c]}
            if lacks:
                asked = join_words([f"{count} {COLOR_NAMES[c]}" for c, count in lacks.items()])
                raise RecordError(
                    f"Noble {noble.name} cannot have visited seat {number}: it asks for {asked} "
                    "bonuses [R14]."
                )


def _check_last_round(state: State) -> None:
    """Refuse a running game whose last round is over."""
    if state.is_terminal() or state.turn % state.players or state.phase != "main":
        return
    for number, seat in enumerate(state.seats):
        if seat.points >= state.rules.target:
            raise RecordError(
                f"Seat {number} has {seat.points} points, and the round is over: with "
                f"{state.rules.target} the game has ended [R15]."
            )
