"""Puzzles on paper."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from splendor_nb.analysis.puzzles import Puzzle, puzzles
from splendor_nb.charts.puzzle_sheet import puzzle_sheet

if TYPE_CHECKING:
    from playwright.sync_api import Browser

THREE = [puzzles(turns=turns)[0] for turns in (1, 2, 3)]  # the first is for three players
SHEET = puzzle_sheet(THREE, title="Monday <b>")


def pages(html: str) -> list[str]:
    return re.findall(r'<section class="page">.*?</section>', html, re.DOTALL)


def test_each_front_is_followed_by_its_back() -> None:
    fronts_and_backs = pages(SHEET.html)
    assert [page.count('class="puzzle"') for page in fronts_and_backs] == [2, 2, 1, 1]
    for front, back, ones in zip(
        fronts_and_backs[::2], fronts_and_backs[1::2], (THREE[:2], THREE[2:]), strict=True
    ):
        for one in ones:
            assert one.task in front
            assert f"Puzzle {one.name}: {one.solution}" in back
            assert str(one.solution) not in re.sub("<svg.*?</svg>", "", front, flags=re.DOTALL)


def test_the_back_tells_the_line() -> None:
    back = pages(SHEET.html)[1]
    assert "which wins" in back
    assert THREE[1].win().turn in back


def test_the_page_is_complete_in_itself() -> None:
    assert "<script" not in SHEET.html
    outside = re.findall(r'(?:src|href)="(?!#)[^"]*"|@import|url\(', SHEET.html)
    assert outside == []


def test_the_title_is_text() -> None:
    assert "<b>" not in SHEET.html
    assert SHEET.html.count("Monday &lt;b&gt;") == 5


def test_tags_are_closed() -> None:
    class Reader(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.open: list[str] = []

        def handle_starttag(self, tag: str, attrs: Any) -> None:
            if tag not in ("meta", "path", "rect", "circle", "use", "line"):
                self.open.append(tag)

        def handle_endtag(self, tag: str) -> None:
            if self.open and self.open[-1] == tag:
                self.open.pop()

    reader = Reader()
    reader.feed(SHEET.html)
    assert reader.open == []


def test_the_picture_shows_no_more_than_the_solver_knows() -> None:
    for one in THREE:
        other = Puzzle(
            one.name,
            one.turns,
            one.grade,
            one.observation.determinize(5),
            one.solution,
        )
        assert puzzle_sheet([one]).html == puzzle_sheet([other]).html


def test_without_a_choice_there_are_two_of_each_length() -> None:
    html = puzzle_sheet().html
    assert [
        html.count(f"within {word}") for word in ("one turn,", "two turns,", "three turns,")
    ] == [
        2,
        2,
        2,
    ]


def test_a_sheet_is_saved_and_shown(tmp_path: Path) -> None:
    path = SHEET.save(tmp_path / "sheet.html")
    assert path.read_text(encoding="utf-8") == SHEET.html
    assert "iframe" in SHEET._repr_html_()
    assert repr(SHEET).startswith("<puzzle sheet, ")


@pytest.mark.parametrize(
    ("chosen", "kind", "message"),
    [
        ([], ValueError, "the list of puzzles is empty"),
        (THREE[0], TypeError, "a list of puzzles"),
        (["1-01"], TypeError, "'1-01' is none"),
    ],
    ids=["none", "one", "names"],
)
def test_what_are_no_puzzles_is_refused(chosen: Any, kind: Any, message: str) -> None:
    with pytest.raises(kind, match=message):
        puzzle_sheet(chosen)


def test_two_puzzles_fit_on_a_printed_page(browser: Browser, tmp_path: Path) -> None:
    page = browser.new_page()
    page.goto(SHEET.save(tmp_path / "sheet.html").as_uri())
    pdf = page.pdf(prefer_css_page_size=True)
    page.close()
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 4
