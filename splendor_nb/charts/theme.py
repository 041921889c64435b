"""One palette for pictures, charts and the board: what each gem looks like, and the paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from splendor_nb.engine.cards import COLOR_NAMES

LIGHT: Final = "#fff"  # text on dark colors
DARK: Final = "#20242b"  # text on light ones
PANEL: Final = "#e6e1d6"  # the table on which everything lies
PAPER: Final = "#fffdf8"  # cards, tiles, the rows of the players
LINE: Final = "#b9b2a2"  # their borders, and the place of what is not there
MUTED: Final = "#5d5a52"  # text of less weight
BACK: Final = "#4a5366"  # the back of a card
NOBLE: Final = "#6d4a73"  # the edge of a noble tile
ACCENT: Final = "#a0178c"  # whose turn it is, what the last move touched; no gem's color
FONT: Final = "sans-serif"


@dataclass(frozen=True, slots=True)
class Look:
    """How a gem is drawn; its letter stands beside its color wherever it appears.

    Attributes
    ----------
    letter
        One of ``W U G R K *``.
    stone
        What it is a token of, ``"diamond"``.
    fill, face, edge, ink
        CSS colors: the gem's own; one next to it on which small text stands out; a darker one
        that parts it from the paper; and that of the text.
    shape
        Its outline and facets as data of an SVG path around its origin, 40 wide and high. All
        its steps are relative, so that ``"M60 40"`` in front moves it there.
    marker
        The marker of a scatter plot that comes nearest to this shape, by its plotly name.

    Examples
    --------
    >>> LOOKS["U"].name, LOOKS["U"].stone, LOOKS["U"].fill
    ('blue', 'sapphire', '#2f6fc4')
    """

    letter: str
    stone: str
    fill: str
    face: str
    edge: str
    ink: str
    shape: str
    marker: str

    @property
    def name(self) -> str:
        """The color in words, ``"white"``."""
        return COLOR_NAMES[self.letter]


LOOKS: Final[Mapping[str, Look]] = MappingProxyType(
    {
        "W": Look(
            letter="W",
            stone="diamond",
            fill="#f4f1e8",
            face="#f4f1e8",
            edge="#8d8878",
            ink=DARK,
            shape="m-11-15h22l9 11-20 22-20-22zm-9 11h40m-31-11l4 11 7 22 7-22 4-11",
            marker="diamond",
        ),
        "U": Look(
            letter="U",
            stone="sapphire",
            fill="#2f6fc4",
            face="#2a66b6",
            edge="#1b4a8a",
            ink=LIGHT,
            shape="m-19 0a19 19 0 1 1 38 0a19 19 0 1 1-38 0l19-19 19 19-19 19zm6-13h26v26h-26z",
            marker="circle",
        ),
        "G": Look(
            letter="G",
            stone="emerald",
            fill="#2e8b57",
            face="#27794b",
            edge="#1a5b37",
            ink=LIGHT,
            shape="m-9-19h18l7 7v24l-7 7h-18l-7-7v-24zm3 6h12l4 4v18l-4 4h-12l-4-4v-18z",
            marker="square",
        ),
        "R": Look(
            letter="R",
            stone="ruby",
            fill="#c43c3c",
            face="#b93434",
            edge="#872222",
            ink=LIGHT,
            shape="m0-18l20 34h-40zl10 17-10 17-10-17z",
            marker="triangle-up",
        ),
        "K": Look(
            letter="K",
            stone="onyx",
            fill="#2f2f37",
            face="#2f2f37",
            edge="#0d0d11",
            ink=LIGHT,
            shape="m-10-17h20l10 17-10 17h-20l-10-17zm4 7h12l6 10-6 10h-12l-6-10z",
            marker="hexagon",
        ),
        "*": Look(
            letter="*",
            stone="joker",
            fill="#e0b030",
            face="#e8bd48",
            edge="#8f6c0e",
            ink=DARK,
            shape="m0-19l6 12 13 1-10 9 3 14-12-7-12 7 3-14-10-9 13-1z",
            marker="star",
        ),
    }
)
"""The looks of the six gems by letter, in the order ``W U G R K *``."""
