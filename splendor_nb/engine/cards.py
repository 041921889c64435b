"""Colors, gems, cards and nobles, and the tables of the base game, checked on loading."""

from __future__ import annotations

import csv
import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from splendor_nb.engine.errors import SplendorError

Color = Literal["W", "U", "G", "R", "K"]

COLORS: tuple[Color, ...] = ("W", "U", "G", "R", "K")
GOLD = "*"
GEMS = (*COLORS, GOLD)
COLOR_NAMES: Mapping[str, str] = dict(
    zip(GEMS, ("white", "blue", "green", "red", "black", "gold"), strict=True)
)
LEVELS = (1, 2, 3)

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
    cards = name_cards(rows)
    _check_cards(cards)
    return cards


@functools.cache
def base_nobles() -> tuple[Noble, ...]:
    """Return the 10 nobles of the base game in the order of ``nobles.csv``."""
    nobles = tuple(
        Noble(noble_name(cost := _numbers(row)), int(row["points"]), cost, row["name"])
        for row in _read("nobles.csv")
    )
    _check_nobles(nobles)
    return nobles


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
    with (data_folder() / file).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def _letter(name: str) -> Color:
    return COLORS[[COLOR_NAMES[color] for color in COLORS].index(name)]


def _numbers(row: Mapping[str, str]) -> Gems:
    return Gems(int(row[COLOR_NAMES[color]]) for color in COLORS)


def _check_cards(cards: tuple[Card, ...]) -> None:
    """Hold the table against the figures of the rule book [R4]."""
    for level, count, points, paid in ((1, 8, 5, 33), (2, 6, 55, 41), (3, 4, 80, 43)):
        of_level = [card for card in cards if card.level == level]
        bonuses = Counter(card.bonus for card in of_level)
        _expect(bonuses == dict.fromkeys(COLORS, count), f"cards.csv: bonuses of level {level}")
        _expect(sum(c.points for c in of_level) == points, f"cards.csv: points of level {level}")
        for color in COLORS:
            total = sum(card.cost[color] for card in of_level)
            _expect(total == paid, f"cards.csv: level {level}, cost in {COLOR_NAMES[color]}")
    distinct = {(card.level, card.bonus, card.points, card.cost) for card in cards}
    _expect(len(cards) == len(distinct) == 90, "cards.csv: 90 different cards")


def _check_nobles(nobles: tuple[Noble, ...]) -> None:
    """Hold the table against the rule book's figures: the colors are runs on a ring."""
    ring = [(3, 4, _run(at, 2)) for at in range(5)] + [(3, 3, _run(at, 3)) for at in range(5)]
    found = [(noble.points, max(noble.cost.values()), frozenset(noble.name)) for noble in nobles]
    _expect(Counter(found) == Counter(ring), "nobles.csv: five pairs and five runs of three")
    for noble in nobles:
        _expect(len(set(noble.cost.values())) == 2, f"nobles.csv: {noble.title} asks unevenly")


def _run(start: int, length: int) -> frozenset[str]:
    return frozenset(COLORS[(start + step) % 5] for step in range(length))


def _expect(holds: bool, what: str) -> None:
    if not holds:
        raise SplendorError(f"The table in {data_folder()} is damaged: {what} do not hold.")
