"""One palette for pictures, charts and the board: what each gem looks like, and the paper."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from splendor_nb.engine.cards import COLOR_NAMES, GEMS


@dataclass(frozen=True, slots=True)
class Look:
    """How a gem is drawn; its letter stands beside its color wherever it appears.

    Attributes
    ----------
    letter
        One of ``W U G R K *``.
    name
        The color in words, ``"white"``.
    stone
        What it is a token of, ``"diamond"``.
    fill, face, edge, ink
        CSS colors: the gem's own; one next to it on which small text stands out; a darker one
        that parts it from the paper; and that of the text.
    shape
        Its outline and facets as data of an SVG path around its origin, 40 wide and high.
    marker
        The marker of a scatter plot that comes nearest to this shape, by its plotly name.
    """

    letter: str
    name: str
    stone: str
    fill: str
    face: str
    edge: str
    ink: str
    shape: str
    marker: str


LIGHT: Final = "#fff"
DARK: Final = "#20242b"

# Relative steps only, so that "M60 40" in front of a shape moves it there.
_DIAMOND = "m-11-15h22l9 11-20 22-20-22zm-9 11h40m-31-11l4 11 7 22 7-22 4-11"
_ROUND = "m-19 0a19 19 0 1 1 38 0a19 19 0 1 1-38 0l19-19 19 19-19 19zm6-13h26v26h-26z"
_STEPS = "m-9-19h18l7 7v24l-7 7h-18l-7-7v-24zm3 6h12l4 4v18l-4 4h-12l-4-4v-18z"
_TRIANGLE = "m0-18l20 34h-40zl10 17-10 17-10-17z"
_HEXAGON = "m-10-17h20l10 17-10 17h-20l-10-17zm4 7h12l6 10-6 10h-12l-6-10z"
_STAR = "m0-19l6 12 13 1-10 9 3 14-12-7-12 7 3-14-10-9 13-1z"

LOOKS: Final[Mapping[str, Look]] = MappingProxyType(
    {
        letter: Look(letter, COLOR_NAMES[letter], *looks)
        for letter, looks in zip(
            GEMS,
            (
                ("diamond", "#f4f1e8", "#f4f1e8", "#8d8878", DARK, _DIAMOND, "diamond"),
                ("sapphire", "#2f6fc4", "#2a66b6", "#1b4a8a", LIGHT, _ROUND, "circle"),
                ("emerald", "#2e8b57", "#27794b", "#1a5b37", LIGHT, _STEPS, "square"),
                ("ruby", "#c43c3c", "#b93434", "#872222", LIGHT, _TRIANGLE, "triangle-up"),
                ("onyx", "#2f2f37", "#2f2f37", "#0d0d11", LIGHT, _HEXAGON, "hexagon"),
                ("joker", "#e0b030", "#e8bd48", "#8f6c0e", DARK, _STAR, "star"),
            ),
            strict=True,
        )
    }
)
"""The looks of the six gems by letter, in the order ``W U G R K *``."""

PANEL: Final = "#e6e1d6"  # the table on which everything lies
PAPER: Final = "#fffdf8"  # cards, tiles and the rows of the players
LINE: Final = "#b9b2a2"  # borders, and what is not there: an empty slot
MUTED: Final = "#5d5a52"  # less important text; still 4.5 : 1 on PANEL
BACK: Final = "#4a5366"  # the back of a card
ACCENT: Final = "#a0178c"  # what the last move touched, whose turn it is; no gem's color
NOBLE: Final = "#6d4a73"  # the edge of a noble tile
FONT: Final = "sans-serif"
