"""Colors, gems, cards and nobles, and the tables of the base game, checked on loading."""

from __future__ import annotations

import csv
import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Literal
from zlib import crc32

from splendor_nb.engine.errors import SplendorError

Color = Literal["W", "U", "G", "R", "K"]

COLORS: tuple[Color, ...] = ("W", "U", "G", "R", "K")
GOLD = "*"
GEMS = (*COLORS, GOLD)
COLOR_NAMES: Mapping[str, str] = dict(
    zip(GEMS, ("white", "blue", "green", "red", "black", "gold"), strict=True)
)
LEVELS = (1, 2, 3)

# The last four digits of the CRC-32 of each line of the tables: cards and nobles never change.
CHECKSUMS = {
    "cards.csv": """
        fd85 79f9 e5a4 9f74 ed04 efde 879c 9ae6 e401 996e fa98 d387 bdbb af86 11df 5b99 bfc8 f5ca
        f565 8ed4 0ec5 5f7f 6cfd 68a1 504a c499 d3ce fad1 00e8 9c1a c614 c0c5 72cc 5593 cbbb 883c
        ae9c b401 890a a174 093f 0bfa 482a 6082 3138 4229 0423 3666 f035 83d0 2adf f3a5 468d 41cd
        c306 fb8b 218c 0448 5e9b e70d d516 eaca 7d75 d60f bd37 8cbc d509 fcad b49e 88cb b771 0eed
        7dd1 cfdb 9ed4 c995 e278 bd1c 7841 9b52 006e 4dcf a57e 32ce c355 4e21 a2cc 856d 911a d047
        1f60
    """,
    "nobles.csv": """
        2f02 5210 9f69 4589 6dd9 6ac3 ccac af12 2df7 0b19 b2d8
    """,
}

_PACKAGE = Path(__file__).parents[1]


class Gems(Mapping[str, int]):
    """A number for each gem, in the order ``W U G R K`` and then ``*``; never changes.

    Parameters
    ----------
    numbers
        Five numbers, or six with gold; or a mapping of the letters to them.

    Examples
    --------
    >>> Gems([2, 0, 0, 1, 0])
    Gems({'W': 2, 'U': 0, 'G': 0, 'R': 1, 'K': 0})
    >>> Gems([2, 0, 0, 1, 0]) == {"W": 2, "U": 0, "G": 0, "R": 1, "K": 0}
    True
    """

    __slots__ = ("_numbers",)

    def __init__(self, numbers: Iterable[int] | Mapping[str, int]) -> None:
        if isinstance(numbers, Mapping):
            numbers = [numbers[gem] for gem in (GEMS if GOLD in numbers else COLORS)]
        self._numbers = dict(zip(GEMS, numbers, strict=False))

    def __getitem__(self, gem: str) -> int:
        return self._numbers[gem]

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __hash__(self) -> int:
        return hash(tuple(self._numbers.values()))

    def __repr__(self) -> str:
        return f"Gems({self._numbers})"


@dataclass(frozen=True, slots=True, repr=False)
class Card:
    """A development card.

    Attributes
    ----------
    name
        Level, bonus and number within that group: ``"2U5"`` is the fifth level-2 blue card.
    level
        1, 2 or 3.
    bonus
        The color of the bonus, one of ``W U G R K``.
    points
        Prestige points, from 0.
    cost
        Gems asked for, by color.
    """

    name: str
    level: int
    bonus: Color
    points: int
    cost: Gems

    def __repr__(self) -> str:
        return f"<card {self.name}: {_points(self.points)}, costs {gems_in_words(self.cost)}>"

    def _repr_svg_(self) -> str:
        from splendor_nb.charts.svg import card_svg

        return card_svg(self)


@dataclass(frozen=True, slots=True, repr=False)
class Noble:
    """A noble tile.

    Attributes
    ----------
    name
        The colors asked for, in the order ``WUGRK``: ``"WUK"``.
    points
        3 in the base game.
    cost
        Bonuses asked for, by color.
    title
        The historical name; empty where the tile is not of the base game.
    """

    name: str
    points: int
    cost: Gems
    title: str = field(default="", compare=False)

    def __repr__(self) -> str:
        return f"<noble {self.name}: {_points(self.points)}, asks for {gems_in_words(self.cost)}>"

    def _repr_svg_(self) -> str:
        from splendor_nb.charts.svg import noble_svg

        return noble_svg(self)


@dataclass(frozen=True, slots=True)
class Back:
    """The back of a card that the viewer may not see: its level is all that is known."""

    level: int


@functools.cache
def base_cards() -> tuple[Card, ...]:
    """Return the 90 cards of the base game in the order of ``cards.csv``."""
    rows = [
        (int(row["level"]), _letter(row["bonus"]), int(row["points"]), _numbers(row))
        for row in _read("cards.csv")
    ]
    return name_cards(rows)


@functools.cache
def base_nobles() -> tuple[Noble, ...]:
    """Return the 10 nobles of the base game in the order of ``nobles.csv``."""
    return tuple(
        Noble(noble_name(cost := _numbers(row)), int(row["points"]), cost, row["name"])
        for row in _read("nobles.csv")
    )


def name_cards(rows: Iterable[tuple[int, Color, int, Gems]]) -> tuple[Card, ...]:
    """Return cards from level, bonus, points and cost, numbered by group in the given order."""
    seen: Counter[str] = Counter()
    cards = []
    for level, bonus, points, cost in rows:
        group = f"{level}{bonus}"
        seen[group] += 1
        cards.append(Card(f"{group}{seen[group]}", level, bonus, points, cost))
    return tuple(cards)


def _points(number: int) -> str:
    return f"{number} point{'' if number == 1 else 's'}"


def noble_name(cost: Gems) -> str:
    """Return the colors that a noble asks for, in the order ``WUGRK``."""
    return "".join(color for color, number in cost.items() if number)


def gems_in_words(gems: Mapping[str, int]) -> str:
    """Return gems as a phrase.

    Examples
    --------
    >>> gems_in_words({"W": 2, "U": 0, "*": 1})
    '2 white and 1 gold'
    >>> gems_in_words({})
    'nothing'
    """
    return join_words([f"{n} {COLOR_NAMES[gem]}" for gem, n in gems.items() if n]) or "nothing"


def join_words(words: Sequence[str]) -> str:
    """Return words as an enumeration.

    Examples
    --------
    >>> join_words(["white", "blue", "green"])
    'white, blue and green'
    """
    head, last = words[:-1], words[-1:]
    return " and ".join([part for part in (", ".join(head), *last) if part])


def data_folder() -> Path:
    """Return the folder of the tables: inside an installed package, beside it in a clone."""
    inside = _PACKAGE / "data"
    return inside if inside.is_dir() else _PACKAGE.parent / "data"


def _read(file: str) -> list[dict[str, str]]:
    """Return the rows of a table, once each line is known to be as it was."""
    path = data_folder() / file
    lines = path.read_text(encoding="utf-8").splitlines()
    sums = CHECKSUMS[file].split()
    for number, (line, checksum) in enumerate(zip_longest(lines, sums), start=1):
        if line is None or f"{crc32(line.encode()) % 0x10000:04x}" != checksum:
            what = "is missing" if line is None else f"is {line!r}, not that of the base game"
            raise SplendorError(f"The table {path} is damaged: line {number} {what}.")
    return list(csv.DictReader(lines))


def _letter(name: str) -> Color:
    return COLORS[[COLOR_NAMES[color] for color in COLORS].index(name)]


def _numbers(row: Mapping[str, str]) -> Gems:
    return Gems(int(row[COLOR_NAMES[color]]) for color in COLORS)
