"""Saved games: a start, the actions, and what came of it; JSON that needs no generator."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from splendor_nb import __version__
from splendor_nb.engine.errors import RecordError, SplendorError
from splendor_nb.engine.forms import (
    quoted,
    read_list,
    read_mapping,
    read_number,
    read_one_of,
    read_text,
    shortened,
)
from splendor_nb.engine.notation import Action
from splendor_nb.engine.options import Components, Rules, make_rules
from splendor_nb.engine.state import State, standings

GAME = "splendor-nb-game/1"
FORFEIT = "forfeit"
FAULTS = ("illegal", "unreadable", "exception", "timeout", "died")
LARGEST_FILE = 32_000_000  # bytes; a long game takes about 10 kB

_FIELDS = ("format", "version", "seed", "seats", "start", "tables", "actions", "faults", "result")


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits at a seat: a name of any kind, and the name of the agent (``human`` for people)."""

    name: str
    agent: str


@dataclass(frozen=True, slots=True)
class Fault:
    """What an agent did wrong.

    Attributes
    ----------
    seat, turn
        Whose fault, and the number of turns finished before it.
    kind
        ``illegal``, ``unreadable``, ``exception``, ``timeout`` or ``died``.
    text
        One sentence on what happened.
    """

    seat: int
    turn: int
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended.

    Attributes
    ----------
    winners
        The seats that win, several where the win is shared.
    points
        By seat.
    end_reason
        ``target``, ``stalemate``, ``limit``, or ``forfeit`` after a fault.
    """

    winners: tuple[int, ...]
    points: tuple[int, ...]
    end_reason: str


@dataclass(frozen=True)
class GameRecord:
    """A game, finished or not: what `save` writes and `load_game` reads.

    Attributes
    ----------
    start
        The position from which it began.
    actions
        All actions in order.
    seats
        Who sat where; people without a name if nothing is said.
    seed
        The seed of the deal and the agents; `None` where there was none.
    faults
        What agents did wrong; a fault without a substitute ends the game by forfeit.
    forfeited
        Whether the last fault ended the game.
    version
        The version of the package that wrote it.

    Raises
    ------
    ValueError
        Where the number of seats is another, or a forfeit has no fault.
    """

    start: State
    actions: tuple[Action, ...] = ()
    seats: tuple[Player, ...] = ()
    seed: int | None = None
    faults: tuple[Fault, ...] = ()
    forfeited: bool = False
    version: str = field(default=__version__, compare=False)

    def __post_init__(self) -> None:
        if not self.seats:
            nobody = [Player(f"Seat {seat}", "human") for seat in range(self.start.players)]
            object.__setattr__(self, "seats", tuple(nobody))
        if len(self.seats) != self.start.players:
            raise ValueError(f"seats has {self.start.players} entries, not {len(self.seats)}.")
        if self.forfeited and not self.faults:
            raise ValueError("A game that ended by forfeit has a fault in faults.")

    @cached_property
    def state(self) -> State:
        """The last position."""
        *_, last = self.states()
        return last

    @property
    def result(self) -> Result | None:
        """How the game ended; `None` while it runs."""
        if self.forfeited:
            points = tuple(seat.points for seat in self.state.seats)
            return Result(standings(self.state, out=self.faults[-1].seat), points, FORFEIT)
        return result_of(self.state)

    def states(self) -> Iterator[State]:
        """Yield every position, the start first.

        Raises
        ------
        IllegalActionError, NotationError
            Where an action does not fit.
        """
        state = self.start
        yield state
        for action in self.actions:
            state = state.apply(action)
            yield state

    def to_dict(self) -> dict[str, Any]:
        """Return the saved game as JSON."""
        result = self.result
        return {
            "format": GAME,
            "version": self.version,
            "seed": self.seed,
            "seats": [{"name": seat.name, "agent": seat.agent} for seat in self.seats],
            "start": self.start.to_dict(),
            "tables": fingerprint(self.start.tables.components),
            "actions": [str(action) for action in self.actions],
            "faults": [
                {"seat": fault.seat, "turn": fault.turn, "kind": fault.kind, "text": fault.text}
                for fault in self.faults
            ],
            "result": None if result is None else _write_result(result),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the game from JSON, with everything checked.

        Raises
        ------
        RecordError
            Where a part does not have its form, an action is not legal, or the result is another;
            the message names the place.
        """
        fields = read_mapping("The saved game", data, _FIELDS)
        if fields["format"] != GAME:
            raise RecordError(f"format is {GAME!r}, not {shortened(fields['format'])}.")
        start = _read_start(fields["start"])
        _check_tables(start, fields["tables"])
        seats = read_list("seats", fields["seats"], start.players)
        faults = read_list("faults", fields["faults"])
        result = fields["result"]
        forfeited = isinstance(result, Mapping) and result.get("end_reason") == FORFEIT
        if forfeited and not faults:
            raise RecordError("result: a forfeit needs a fault in faults.")
        record = cls(
            start=start,
            actions=_read_actions(start, fields["actions"]),
            seats=tuple(_read_player(number, seat) for number, seat in enumerate(seats)),
            seed=None if fields["seed"] is None else read_number("seed", fields["seed"], 0),
            faults=tuple(_read_fault(start, number, row) for number, row in enumerate(faults)),
            forfeited=forfeited,
            version=read_text("version", fields["version"]),
        )
        _check_result(record, result)
        return record

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the game to a file, whole or not at all, and return its path.

        Raises
        ------
        OSError
            Where the file cannot be written.
        """
        target = Path(path)
        draft = target.with_name(f".{target.name}.part")
        text = json.dumps(self.to_dict(), ensure_ascii=False, indent=1)
        try:
            draft.write_text(text, encoding="utf-8")
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
        return target

    def __repr__(self) -> str:
        players = ", ".join(shortened(seat.name, 30) for seat in self.seats)
        result = self.result
        end = "running" if result is None else f"{result.end_reason}, won by {result.winners}"
        return f"<game of {players}: {len(self.actions)} actions, {self.state.turn} turns, {end}>"


def load_game(path: str | os.PathLike[str], *, rules: Any = None) -> GameRecord:
    """Return a saved game from a file, with everything checked.

    Parameters
    ----------
    path
        The file that `GameRecord.save` wrote.
    rules
        If given, the name of a rule set or options: a game under other rules is refused.

    Raises
    ------
    RecordError
        Where the file cannot be read or does not hold together; the message names the place.
    TypeError, ValueError
        Where `rules` are none.
    """
    file, asked = Path(path), None if rules is None else make_rules(rules)
    try:
        record = GameRecord.from_dict(_parse(file))
        if asked is not None:
            _check_rules(record, asked)
    except RecordError as error:
        raise RecordError(f"{file}: {error}") from None
    return record


def fingerprint(components: Components) -> str:
    """Return a hash of all numbers on the cards and nobles, the same on every machine."""
    cards = [[c.level, c.bonus, c.points, *c.cost.values()] for c in components.cards]
    nobles = [[noble.points, *noble.cost.values()] for noble in components.nobles]
    return hashlib.sha256(json.dumps([cards, nobles]).encode()).hexdigest()[:16]


def result_of(state: State) -> Result | None:
    """Return how a game ended in this position; `None` while it runs."""
    if state.end_reason is None:
        return None
    points = tuple(seat.points for seat in state.seats)
    return Result(state.winners, points, state.end_reason)


def _parse(file: Path) -> Any:
    try:
        return json.loads(_read_text(file))
    except json.JSONDecodeError as error:
        raise RecordError(f"line {error.lineno} is no JSON: {error.msg}.") from None
    except RecursionError:
        raise RecordError("the JSON is nested too deep for a saved game.") from None
    except ValueError as error:  # a number of thousands of digits, for one
        raise RecordError(str(error)) from None


def _read_text(file: Path) -> str:
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise RecordError(f"the file is larger than {LARGEST_FILE // 1_000_000} MB.")
        return file.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"the file cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise RecordError(f"byte {error.start} is no UTF-8 text.") from None


def _check_rules(record: GameRecord, asked: Rules) -> None:
    found = record.start.rules
    for option, value in asked.items():
        if found[option] != value:
            raise RecordError(
                f"the game was played with {option} {found[option]!r}, not {value!r}."
            )


def _check_tables(start: State, tables: object) -> None:
    expected = fingerprint(start.tables.components)
    if tables != expected:
        raise RecordError(
            f"tables: {shortened(tables)} are other cards or nobles than those here ({expected})."
        )


def _read_start(data: object) -> State:
    try:
        return State.from_dict(data)  # type: ignore[arg-type]
    except RecordError as error:
        raise RecordError(f"start: {error}") from None


def _read_player(number: int, data: object) -> Player:
    row = read_mapping(f"seats[{number}]", data, ("name", "agent"))
    return Player(*(read_text(f"seats[{number}].{name}", row[name]) for name in ("name", "agent")))


def _read_actions(start: State, data: object) -> tuple[Action, ...]:
    state, actions = start, []
    for number, text in enumerate(read_list("actions", data)):
        try:
            action = Action(read_text(f"actions[{number}]", text))
            state = state.apply(action)
        except SplendorError as error:
            raise RecordError(f"actions[{number}]: {error}") from None
        actions.append(action)
    return tuple(actions)


def _read_fault(start: State, number: int, data: object) -> Fault:
    where = f"faults[{number}]"
    row = read_mapping(where, data, ("seat", "turn", "kind", "text"))
    kind = FAULTS[read_one_of(f"{where}.kind", row["kind"], FAULTS)]
    return Fault(
        seat=read_number(f"{where}.seat", row["seat"], 0, start.players - 1),
        turn=read_number(f"{where}.turn", row["turn"], 0),
        kind=kind,
        text=read_text(f"{where}.text", row["text"]),
    )


def _write_result(result: Result) -> dict[str, Any]:
    return {
        "winners": list(result.winners),
        "points": list(result.points),
        "end_reason": result.end_reason,
    }


def _check_result(record: GameRecord, data: object) -> None:
    state = record.state
    for number, fault in enumerate(record.faults):
        if fault.turn > state.turn:
            raise RecordError(f"faults[{number}].turn: {fault.turn} of {state.turn} turns.")
    last = record.faults[-1] if record.faults else None
    if record.forfeited and last and (last.seat, last.turn) != (state.current_player, state.turn):
        raise RecordError(
            f"result: a forfeit is by the seat to move, {state.current_player} in turn "
            f"{state.turn}, not by seat {last.seat} in turn {last.turn}."
        )
    expected = None if record.result is None else _write_result(record.result)
    if not _is_same(data, expected):
        raise RecordError(
            f"result: the actions lead to {shortened(expected, 120)}, not {shortened(data, 120)}; "
            f"end reasons are {quoted(['target', 'stalemate', 'limit', FORFEIT])}."
        )


def _is_same(data: object, result: dict[str, Any] | None) -> bool:
    """Return whether data is the result number for number: ``true`` is no 1, nor is 1.0."""
    if result is None or not isinstance(data, Mapping):
        return data is result
    return data == result and repr(sorted(data.items())) == repr(sorted(result.items()))
