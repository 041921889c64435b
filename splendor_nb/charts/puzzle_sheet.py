"""Puzzles on paper: a page to print, with the solutions on its back."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import islice
from pathlib import Path
from typing import Final

from splendor_nb.analysis.puzzles import MOST_TURNS, Puzzle, puzzles
from splendor_nb.charts.svg import position_svg
from splendor_nb.charts.theme import DARK, FONT, LINE, MUTED
from splendor_nb.engine.forms import shortened

PER_PAGE: Final = 2
_OF_EACH: Final = 2  # puzzles of each number of turns, if nothing is said
_MOST_LINES: Final = 14  # of a solution

_STYLE: Final = f"""
@page {{ size: A4; margin: 12mm }}
* {{ box-sizing: border-box }}
body {{ font: 11pt/1.35 {FONT}; color: {DARK}; margin: 0 auto; max-width: 186mm }}
.page {{ break-after: page }}
.page:last-child {{ break-after: auto }}
h1 {{ font-size: 15pt; margin: 0 0 3mm }}
h2 {{ font-size: 12pt; margin: 0 0 1mm }}
p {{ margin: 0 0 1.5mm }}
.puzzle {{ break-inside: avoid; margin-bottom: 5mm }}
/* a picture says itself how large it is; here two of any number of players fit on a page */
.puzzle svg {{ display: block; width: auto; height: 98mm !important; margin: 1mm 0 2mm }}
.answer {{ border-bottom: 0.3mm solid {LINE}; height: 8mm; color: {MUTED} }}
pre {{ font: 9.5pt/1.4 monospace; white-space: pre-wrap; margin: 1mm 0 6mm }}
@media screen {{ .page {{ border-bottom: 1px dashed {LINE}; padding: 6mm 0 }} }}
"""


@dataclass(frozen=True, slots=True, repr=False)
class PuzzleSheet:
    """A page of puzzles, complete in itself: no script, nothing from outside.

    Attributes
    ----------
    html
        The whole page.
    """

    html: str

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to a file, and return its path.

        Raises
        ------
        OSError
            Where the file cannot be written.
        """
        place = Path(path)
        place.write_text(self.html, encoding="utf-8")
        return place

    def __repr__(self) -> str:
        return f"<puzzle sheet, {len(self.html) // 1000} kB: save('puzzles.html'), open and print>"

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="Puzzles" srcdoc="{escape(self.html)}" '
            'style="width:100%;height:700px;border:0;background:#fff"></iframe>'
        )


def puzzle_sheet(
    chosen: Sequence[Puzzle] | None = None, *, title: str = "Splendor puzzles"
) -> PuzzleSheet:
    """Return puzzles as a page to print on both sides: two on the front, how they go on the back.

    Parameters
    ----------
    chosen
        The puzzles; if not said, two of each number of turns.
    title
        What stands above each page; any text.

    Raises
    ------
    TypeError, ValueError
        Where what is chosen are no puzzles, or none.

    Examples
    --------
    >>> from splendor_nb.analysis.puzzles import puzzles
    >>> sheet = puzzle_sheet(puzzles(turns=1)[:2], title="Monday")
    >>> sheet.html.count('<section class="page">')
    2
    """
    ones = _default() if chosen is None else _checked(chosen)
    pages = []
    for start in range(0, len(ones), PER_PAGE):
        on_page = list(enumerate(ones[start : start + PER_PAGE], start=start + 1))
        pages.append(_page(title, [_front(number, one) for number, one in on_page]))
        pages.append(_page(f"{title}: solutions", [_back(number, one) for number, one in on_page]))
    return PuzzleSheet(
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head>"
        f"<body>{''.join(pages)}</body></html>\n"
    )


def _default() -> list[Puzzle]:
    return [one for turns in range(1, MOST_TURNS + 1) for one in puzzles(turns=turns)[:_OF_EACH]]


def _checked(chosen: object) -> list[Puzzle]:
    if isinstance(chosen, Puzzle) or not isinstance(chosen, Sequence):
        raise TypeError(f"What is printed is a list of puzzles, not {shortened(chosen)}.")
    for one in chosen:
        if not isinstance(one, Puzzle):
            raise TypeError(f"What is printed is a list of puzzles; {shortened(one)} is none.")
    if not chosen:
        raise ValueError("There is nothing to print: the list of puzzles is empty.")
    return list(chosen)


def _page(title: str, parts: list[str]) -> str:
    return f'<section class="page"><h1>{escape(title)}</h1>{"".join(parts)}</section>'


def _front(number: int, one: Puzzle) -> str:
    return (
        f'<div class="puzzle"><h2>{number}. Puzzle {escape(one.name)}, grade {one.grade} of 5</h2>'
        f"<p>{escape(one.task)}</p>{position_svg(one.observation)}"
        '<p class="answer">First action:</p></div>'
    )


def _back(number: int, one: Puzzle) -> str:
    lines = one.win().line.lines()
    told = list(islice(lines, _MOST_LINES))
    more = "\n…" if next(lines, None) is not None else ""
    return (
        f'<div class="puzzle"><h2>{number}. Puzzle {escape(one.name)}: '
        f"{escape(one.solution)}</h2><pre>{escape(chr(10).join(told))}{more}</pre></div>"
    )
