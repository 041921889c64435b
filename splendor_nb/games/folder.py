"""A simulation in a folder: Parquet files that other tools read, and a list of what is whole.

``run.json`` says what is simulated. A part, some games in a row, is a file in each of the folders
``games``, ``seats``, ``faults`` and ``logs``, and at last a line in ``parts.jsonl`` with their
hashes. A part without a line, or with files that are not those of its line, counts as not played:
whenever a run is killed, it loses no more than the part in work.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from splendor_nb import __version__
from splendor_nb.engine.errors import RecordError
from splendor_nb.engine.forms import (
    check_whole_number,
    read_list,
    read_mapping,
    read_number,
    read_text,
    shortened,
)
from splendor_nb.engine.options import make_components, make_rules
from splendor_nb.engine.records import Fault, fingerprint
from splendor_nb.games import playouts, tables
from splendor_nb.games.setup import MOST_GAMES, Chunk, Setup

FORMAT = "splendor-nb-simulation/1"
KINDS = ("games", "seats", "faults", "logs")
RUN, PARTS = "run.json", "parts.jsonl"
_FIELDS = (
    *("format", "version", "agents", "kinds", "sources", "games", "seed", "rotate_seats"),
    *("rules", "components", "tables"),
)


class Part(NamedTuple):
    """Games in a row that lie in the folder: the first, how many, and the hash of each file."""

    first: int
    games: int
    files: dict[str, str]


class Folder:
    """The folder of one simulation.

    Parameters
    ----------
    path
        Where it is.
    setup
        What is simulated there.
    """

    def __init__(self, path: Path, setup: Setup) -> None:
        self.path, self.setup = path, setup
        self.parts: dict[int, Part] = {}

    # -- as a store --------------------------------------------------------------------------------

    def chunks(self) -> Iterator[Chunk]:
        """Yield the parts in order, from game 0 as far as none is missing."""
        for part in self._row():
            yield self._read_part(part)

    def games(self) -> int:
        """Return how many games there are, from game 0 as far as none is missing."""
        return sum(part.games for part in self._row())

    def missing(self) -> list[tuple[int, int]]:
        """Return the spans that have not been played yet."""
        spans, next_game = [], 0
        for part in [*sorted(self.parts.values()), Part(self.setup.games, 0, {})]:
            if part.first > next_game:
                spans.append((next_game, part.first - next_game))
            next_game = max(next_game, part.first + part.games)
        return spans

    def _row(self) -> Iterator[Part]:
        next_game = 0
        for part in sorted(self.parts.values()):
            if part.first != next_game:
                return
            yield part
            next_game += part.games

    # -- writing -----------------------------------------------------------------------------------

    def write(self, chunk: Chunk) -> None:
        """Add a part: its files first, and only then the line that makes it count.

        Raises
        ------
        RecordError
            Where the disk does not take it; what was written before stays.
        """
        with _telling(self.path, "cannot be written"):
            files = {
                kind: self._write_file(kind, chunk.first, table)
                for kind, table in _part_tables(self.setup, chunk).items()
            }
            part = Part(chunk.first, chunk.games, files)
            with (self.path / PARTS).open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(part._asdict()) + "\n")
                lines.flush()
                os.fsync(lines.fileno())
        self.parts[part.first] = part

    def _write_file(self, kind: str, first: int, table: pd.DataFrame) -> str:
        target = self._file(kind, first)
        draft = target.with_suffix(".part")
        table.to_parquet(draft, index=False)
        with draft.open("rb") as written:
            os.fsync(written.fileno())
        draft.replace(target)
        return _hash(target)

    def _file(self, kind: str, first: int) -> Path:
        return self.path / kind / f"{first:010}.parquet"

    # -- opening -----------------------------------------------------------------------------------

    def create(self) -> None:
        """Make the folder, or go on with one of the same simulation.

        Raises
        ------
        RecordError
            Where it holds something else, or cannot be made.
        """
        with _telling(self.path, "cannot be made a folder of games"):
            if self.path.exists() and not self.path.is_dir():
                raise RecordError(f"{self.path} is a file; path is a folder.")
            self.path.mkdir(parents=True, exist_ok=True)
            if (self.path / RUN).exists():
                self._refuse_others()
            elif any(child.suffix != ".part" for child in self.path.iterdir()):
                raise RecordError(f"{self.path} holds other things: path is a folder of its own.")
            else:
                _write_text(self.path / RUN, json.dumps(write_setup(self.setup), indent=1))
            for kind in KINDS:
                (self.path / kind).mkdir(exist_ok=True)
        self.find_parts()
        with _telling(self.path, "cannot be written"):
            lines = [json.dumps(part._asdict()) + "\n" for part in sorted(self.parts.values())]
            _write_text(self.path / PARTS, "".join(lines))

    def find_parts(self) -> None:
        """Take in the parts that are whole, and name those that are not."""
        self.parts = {}
        for part in self._listed():
            damaged = [kind for kind in KINDS if not self._is_whole(part, kind)]
            if damaged:
                self.parts.pop(part.first, None)
                warnings.warn(
                    f"{self._file(damaged[0], part.first)} is damaged: games {part.first} to "
                    f"{part.first + part.games - 1} are to be played again.",
                    stacklevel=5,
                )
            else:
                self.parts[part.first] = part

    def _is_whole(self, part: Part, kind: str) -> bool:
        file = self._file(kind, part.first)
        return file.is_file() and _hash(file) == part.files.get(kind)

    def _listed(self) -> Iterator[Part]:
        """Yield the parts by the list; the last line may be cut off."""
        file = self.path / PARTS
        text = file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
        for line in text.splitlines():
            with contextlib.suppress(ValueError, RecursionError):
                yield _read_part_line(json.loads(line), self.setup.games)

    def _refuse_others(self) -> None:
        found, asked = _read_run(self.path), write_setup(self.setup)
        for name, here, there in _differences(found, asked):
            raise RecordError(
                f"{self.path} holds games with {name} {shortened(here)}, not {shortened(there)}: "
                "take another folder."
            )

    # -- reading -----------------------------------------------------------------------------------

    def _read_part(self, part: Part) -> Chunk:
        games, seats, faults, logs = (
            pd.read_parquet(self._file(kind, part.first)) for kind in KINDS
        )
        outcomes = np.zeros((len(seats), playouts.OUTCOMES), np.int32)
        for name, column in tables.OUTCOME_COLUMNS.items():
            outcomes[:, column] = seats[name]
        outcomes[:, playouts.WON] = seats["win_share"] > 0
        ended = games["end_reason"].map({name: i for i, name in enumerate(tables.END_REASONS, 1)})
        return Chunk(
            first=part.first,
            turns=games["turns"].to_numpy(np.int64),
            ended=ended.to_numpy(np.int64),
            outcomes=outcomes,
            log=np.frombuffer(b"".join(logs["actions"]), np.uint8),
            ends=logs["actions"].map(len).cumsum().to_numpy(np.int64),
            faults=[
                (row["game"], Fault(row["seat"], row["turn"], row["kind"], row["text"]))
                for row in faults.to_dict("records")
            ],
        )


def seed_in(path: Path) -> int | None:
    """Return the seed of the simulation in a folder, `None` where there is none."""
    if not (path / RUN).exists():
        return None
    return read_number(f"{path / RUN}: seed", _read_run(path)["seed"], 0)


def _differences(
    found: Mapping[str, Any], asked: Mapping[str, Any]
) -> Iterator[tuple[str, Any, Any]]:
    """Yield in what two simulations differ, rule options one by one."""
    for name in _FIELDS:
        if name == "rules" and isinstance(found[name], Mapping):
            for option, value in asked[name].items():
                if found[name].get(option) != value:
                    yield option, found[name].get(option), value
        elif name != "version" and found[name] != asked[name]:
            yield name, found[name], asked[name]


def _read_part_line(data: object, games: int) -> Part:
    """Return a part from a line of the list; one of another form raises `ValueError`."""
    fields = read_mapping("part", data, Part._fields)
    files = read_mapping("files", fields["files"], KINDS)
    first = read_number("first", fields["first"], 0, games - 1)
    count = read_number("games", fields["games"], 1, games - first)
    return Part(first, count, {kind: read_text(kind, files[kind]) for kind in KINDS})


def open_folder(path: str | os.PathLike[str]) -> Folder:
    """Return the folder of a simulation that has been played, or in part.

    Raises
    ------
    RecordError
        Where there is none, or a part of it is damaged.
    """
    target = Path(path)
    folder = Folder(target, read_setup(target, _read_run(target)))
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        try:
            folder.find_parts()
        except UserWarning as damage:
            raise RecordError(f"{damage} The call that made the folder does so.") from None
    return folder


def write_setup(setup: Setup) -> dict[str, Any]:
    """Return what is simulated as JSON."""
    return {
        "format": FORMAT,
        "version": __version__,
        "agents": list(setup.agents),
        "kinds": list(setup.kinds),
        "sources": list(setup.sources),
        "games": setup.games,
        "seed": setup.seed,
        "rotate_seats": setup.rotate,
        "rules": dict(setup.rules),
        "components": setup.components.to_dict(),
        "tables": fingerprint(setup.components),
    }


def read_setup(path: Path, fields: Mapping[str, Any]) -> Setup:
    """Return what is simulated from JSON.

    Raises
    ------
    RecordError
        Where a field does not have its form, or the tables are others than those here.
    """
    try:
        components = make_components(**(fields["components"] or {}))
        rules = make_rules(fields["rules"])
        agents = _read_texts("agents", fields["agents"])
        check_whole_number("The number of agents", len(agents), 2, 4)
        if len(set(agents)) < len(agents):
            raise RecordError("agents: a name comes twice.")
        sources = read_list("sources", fields["sources"], len(agents))
        setup = Setup(
            agents=agents,
            kinds=_read_texts("kinds", fields["kinds"], len(agents)),
            sources=tuple(
                None if source is None else read_text("sources", source) for source in sources
            ),
            games=read_number("games", fields["games"], 1, MOST_GAMES),
            seed=read_number("seed", fields["seed"], 0),
            rotate=_read_flag("rotate_seats", fields["rotate_seats"]),
            components=components,
            rules=rules,
        )
    except (TypeError, ValueError) as error:
        raise RecordError(f"{path / RUN}: {error}") from None
    if fields["tables"] != fingerprint(components):
        raise RecordError(f"{path / RUN}: the games were played with other cards or nobles.")
    return setup


def _read_texts(where: str, data: object, length: int | None = None) -> tuple[str, ...]:
    return tuple(read_text(where, text) for text in read_list(where, data, length))


def _read_flag(where: str, data: object) -> bool:
    if not isinstance(data, bool):
        raise RecordError(f"{where} is true or false, not {shortened(data)}.")
    return data


def _read_run(path: Path) -> Mapping[str, Any]:
    file = path / RUN
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecordError(f"{file} cannot be read: {error.strerror}.") from None
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{file} is no JSON: {error}.") from None
    fields = read_mapping(str(file), data, _FIELDS)
    if fields["format"] != FORMAT:
        raise RecordError(f"{file}: format is {FORMAT!r}, not {shortened(fields['format'])}.")
    return fields


def _part_tables(setup: Setup, chunk: Chunk) -> dict[str, pd.DataFrame]:
    starts = [0, *chunk.ends[:-1].tolist()]
    logs = [chunk.log[start:end].tobytes() for start, end in zip(starts, chunk.ends, strict=True)]
    games = tables.games_table(setup, chunk)
    return {
        "games": games,
        "seats": tables.seats_table(setup, chunk),
        "faults": tables.faults_table(chunk.faults),
        "logs": pd.DataFrame({"game": games["game"], "actions": logs}),
    }


def _write_text(target: Path, text: str) -> None:
    draft = target.with_suffix(".part")
    draft.write_text(text, encoding="utf-8")
    draft.replace(target)


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@contextlib.contextmanager
def _telling(path: Path, what: str) -> Iterator[None]:
    """Say in a sentence what an operating system's error means here."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise RecordError(f"{path} {what}: {reason}. What was finished is kept.") from error
