"""The tables of the base game: what is not as it was is refused, with the line."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path

import pytest

from splendor_nb import SplendorError, base_cards, base_nobles
from splendor_nb.engine import cards

TABLES = {"cards.csv": base_cards, "nobles.csv": base_nobles}

Lines = list[str]


def numbers_changed(change: Callable[[list[str]], list[str]]) -> Callable[[Lines], Lines]:
    """A change of what the first row costs in which that makes a difference."""

    def changed(lines: Lines) -> Lines:
        for at, line in enumerate(lines[1:], start=1):
            head, cost = line.split(",")[:-5], line.split(",")[-5:]
            if change(cost) != cost:
                return [*lines[:at], ",".join(head + change(cost)), *lines[at + 1 :]]
        raise AssertionError("nothing was changed")

    return changed


WRONG: dict[str, Callable[[Lines], Lines]] = {
    "a changed number": numbers_changed(lambda cost: [*cost[:4], str(int(cost[4]) + 1)]),
    "a number that is none": numbers_changed(lambda cost: [*cost[:4], "x"]),
    "a number less": numbers_changed(lambda cost: cost[:4]),
    "swapped colors": numbers_changed(lambda cost: [cost[1], cost[0], *cost[2:]]),
    "a missing row": lambda lines: lines[:5] + lines[6:],
    "the last row missing": lambda lines: lines[:-1],
    "a row twice": lambda lines: lines[:5] + lines[4:],
    "a row more": lambda lines: [*lines, lines[1]],
    "two rows exchanged": lambda lines: [*lines[:3], lines[4], lines[3], *lines[5:]],
    "another header": lambda lines: [lines[0].replace("white", "silver"), *lines[1:]],
    "an empty file": lambda lines: [],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the tables, from which they are read while a test runs."""
    for file in TABLES:
        shutil.copy(cards.data_folder() / file, tmp_path)
    monkeypatch.setattr(cards, "data_folder", lambda: tmp_path)
    yield tmp_path
    for table in TABLES.values():
        table.cache_clear()


@pytest.mark.parametrize("file", TABLES)
@pytest.mark.parametrize("case", WRONG)
def test_a_damaged_table_is_refused_with_its_line(folder: Path, file: str, case: str) -> None:
    lines = (folder / file).read_text(encoding="utf-8").splitlines()
    wrong = WRONG[case](lines)
    pairs = enumerate(zip_longest(lines, wrong), start=1)
    first = next(number for number, (before, after) in pairs if before != after)
    (folder / file).write_text("".join(f"{line}\n" for line in wrong), encoding="utf-8")
    TABLES[file].cache_clear()
    with pytest.raises(SplendorError, match=rf"{file} is damaged: line {first}\b"):
        TABLES[file]()


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_whole_tables_are_read_with_any_line_ending(folder: Path, ending: str) -> None:
    for file, table in TABLES.items():
        lines = (folder / file).read_text(encoding="utf-8").splitlines()
        (folder / file).write_text(ending.join(lines), encoding="utf-8", newline="")
        before = table()
        table.cache_clear()
        assert table() == before
