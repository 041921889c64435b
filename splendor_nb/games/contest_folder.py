"""The folder of a contest: its settings, a line for every finished game, saved games, logs."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from splendor_nb.engine.errors import RecordError
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.records import Fault
from splendor_nb.games.contest_game import Clock, Played
from splendor_nb.games.entrants import Entrant

FORMAT = "splendor-nb-contest/1"
SETTINGS, RESULTS, GAMES, LOGS = "contest.json", "results.jsonl", "games", "logs"

Key = tuple[tuple[str, ...], int, int]  # who plays, the deal, the rotation


@dataclass(frozen=True)
class GameLine:
    """What is remembered of a finished game.

    Attributes
    ----------
    table
        The contestants by id, as in `Match`.
    digests
        The hash of the file of each when it was played.
    deal, rotation
        Which game of theirs.
    turns, end_reason
        How long, and how it ended.
    winners
        The seats that won.
    points, bought
        By seat: points, and the number of cards bought.
    clocks
        By seat.
    faults
        What contestants did wrong.

    Examples
    --------
    >>> ends = {"turns": 50, "end_reason": "target", "points": (15, 9), "bought": (12, 9)}
    >>> line = GameLine(
    ...     ("a.py", "b.py"), ("", ""), 3, 1, winners=(0,), clocks=(), faults=(), **ends
    ... )
    >>> line.seated, line.shares
    (('b.py', 'a.py'), {'b.py': 1.0, 'a.py': 0.0})
    >>> line.file
    'games/a_b_622ee27f_003_1.json'
    """

    table: tuple[str, ...]
    digests: tuple[str, ...]
    deal: int
    rotation: int
    turns: int
    end_reason: str
    winners: tuple[int, ...]
    points: tuple[int, ...]
    bought: tuple[int, ...]
    clocks: tuple[Clock, ...]
    faults: tuple[Fault, ...]

    @property
    def key(self) -> Key:
        """What tells it from all other games of the contest."""
        return self.table, self.deal, self.rotation

    @property
    def file(self) -> str:
        """The saved game, in the folder: a name that says who plays, good on every system."""
        short = "_".join(re.sub(r"\W", "", Path(one).stem)[:16] for one in self.table)
        names = "\0".join(self.table).encode("utf-8", "surrogateescape")
        digest = hashlib.sha256(names).hexdigest()[:8]
        return f"{GAMES}/{short}_{digest}_{self.deal:03}_{self.rotation}.json"

    @property
    def seated(self) -> tuple[str, ...]:
        """The contestants in seat order."""
        players = len(self.table)
        return tuple(self.table[(seat + self.rotation) % players] for seat in range(players))

    @property
    def shares(self) -> dict[str, float]:
        """What each contestant won of the game: 1, 1/k where k share, or 0."""
        return {
            one: 1 / len(self.winners) if seat in self.winners else 0.0
            for seat, one in enumerate(self.seated)
        }

    @classmethod
    def from_json(cls, line: str) -> GameLine:
        """Return the game of a line.

        Raises
        ------
        KeyError, TypeError, ValueError
            Where the line was cut off, or is none.
        """
        fields = json.loads(line)
        return cls(
            table=tuple(fields["table"]),
            digests=tuple(fields["digests"]),
            deal=fields["deal"],
            rotation=fields["rotation"],
            turns=fields["turns"],
            end_reason=fields["end_reason"],
            winners=tuple(fields["winners"]),
            points=tuple(fields["points"]),
            bought=tuple(fields["bought"]),
            clocks=tuple(Clock(*clock) for clock in fields["clocks"]),
            faults=tuple(Fault(**fault) for fault in fields["faults"]),
        )


class ContestFolder:
    """The folder of one contest; several threads may write to it.

    Parameters
    ----------
    path
        Where it is.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: dict[Key, GameLine] = {}
        self._lock = threading.Lock()

    @property
    def logs(self) -> Path:
        """The folder of what contestants print."""
        return self.path / LOGS

    def seed(self) -> int | None:
        """Return the seed of the contest that is there; `None` where there is none."""
        file = self.path / SETTINGS
        return None if not file.exists() else int(_read_settings(file)["seed"])

    def open(self, settings: Mapping[str, Any], entrants: Sequence[Entrant]) -> None:
        """Make the folder, or go on with the contest that is there.

        Games of files that have changed or gone are dropped.

        Raises
        ------
        RecordError
            Where it holds something else, or a contest with other settings.
        """
        if self.path.exists() and not self.path.is_dir():
            raise RecordError(f"{self.path} is a file; a contest is kept in a folder.")
        file = self.path / SETTINGS
        if file.exists():
            _refuse_others(self.path, _read_settings(file), settings)
        elif self.path.exists() and any(self.path.iterdir()):
            raise RecordError(f"{self.path} holds other things: a contest has a folder of its own.")
        for folder in (self.path / GAMES, self.logs):
            folder.mkdir(parents=True, exist_ok=True)
        _write(file, json.dumps({"format": FORMAT, **settings}, indent=1))
        self._keep(entrants)

    def add(self, table: Sequence[Entrant], deal: int, rotation: int, played: Played) -> GameLine:
        """Save a game, and only then the line that makes it count.

        Raises
        ------
        OSError
            Where the disk does not take it.
        """
        line = _line_of(table, deal, rotation, played)
        played.record.save(self.path / line.file)
        text = json.dumps(asdict(line), ensure_ascii=False) + "\n"
        with self._lock, (self.path / RESULTS).open("a", encoding="utf-8") as results:
            results.write(text)
            self.lines[line.key] = line
        return line

    def _keep(self, entrants: Sequence[Entrant]) -> None:
        """Take in the games whose contestants are as they were, and forget the others."""
        digests = {entrant.id: entrant.digest for entrant in entrants}
        changed = set()
        for line in self._written():
            others = [
                one
                for one, digest in zip(line.table, line.digests, strict=True)
                if digests.get(one) != digest
            ]
            if others:
                (self.path / line.file).unlink(missing_ok=True)
                self.lines.pop(line.key, None)
                changed.update(others)
            elif (self.path / line.file).exists():
                self.lines[line.key] = line
        for one in changed:
            (self.logs / f"{one}.log").unlink(missing_ok=True)
        texts = [json.dumps(asdict(line), ensure_ascii=False) for line in self.lines.values()]
        _write(self.path / RESULTS, "".join(f"{text}\n" for text in texts))

    def _written(self) -> Iterator[GameLine]:
        """Yield the games by the list, in which a line may have been cut off."""
        file = self.path / RESULTS
        for text in file.read_text(encoding="utf-8").splitlines() if file.exists() else []:
            try:
                yield GameLine.from_json(text)
            except (KeyError, TypeError, ValueError):
                continue


def _line_of(table: Sequence[Entrant], deal: int, rotation: int, played: Played) -> GameLine:
    record, result = played.record, played.record.result
    if result is None:
        raise AssertionError("unreachable")  # a game is played to its end
    ids = tuple(entrant.id for entrant in table)
    return GameLine(
        table=ids,
        digests=tuple(entrant.digest for entrant in table),
        deal=deal,
        rotation=rotation,
        turns=record.state.turn,
        end_reason=result.end_reason,
        winners=result.winners,
        points=result.points,
        bought=tuple(len(seat.bought) for seat in record.state.seats),
        clocks=played.clocks,
        faults=record.faults,
    )


def _read_settings(file: Path) -> dict[str, Any]:
    try:
        settings = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise RecordError(f"{file} is no JSON: {error}.") from None
    if not isinstance(settings, dict) or settings.get("format") != FORMAT:
        raise RecordError(f"{file} does not have the format {FORMAT!r}.")
    return settings


def _refuse_others(path: Path, found: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
    for name, value in asked.items():
        # Versions differ from day to day; what came out of the games stays.
        if name != "version" and found.get(name) != value:
            raise RecordError(
                f"{path} holds a contest with {name} {shortened(found.get(name), 200)}, "
                f"not {shortened(value, 200)}: take another folder."
            )


def _write(target: Path, text: str) -> None:
    draft = target.with_name(f".{target.name}.part")
    draft.write_text(text, encoding="utf-8")
    draft.replace(target)
