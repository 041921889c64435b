"""How the notebooks are stored: a picture beside each chart, nothing that tells of the machine."""

from __future__ import annotations

import base64
from types import ModuleType
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode
from scripts import NOTEBOOKS, load_script


@pytest.fixture(scope="module")
def build() -> ModuleType:
    return load_script("build")


def notebook(*shown: dict[str, Any]) -> NotebookNode:
    """A notebook of one cell with some outputs."""
    outputs = [nbformat.v4.new_output("display_data", data=data) for data in shown]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("x", outputs=outputs)])


def chart(build: ModuleType, height: int, **more: Any) -> dict[str, Any]:
    bars = {"type": "bar", "x": [1, 2], "y": [3, 1]}
    return {build.CHART: {"data": [bars], "layout": {"height": height}}, **more}


def test_a_chart_that_has_not_changed_keeps_its_picture(build: ModuleType) -> None:
    before = notebook(chart(build, 300, **{build.PICTURE: "old"}))
    now = notebook(chart(build, 300), {"text/plain": "no chart"})
    build.add_pictures(now, before)
    first, second = now.cells[0].outputs
    assert first.data[build.PICTURE] == "old"
    assert build.PICTURE not in second.data


def test_a_new_chart_is_drawn_small_and_at_its_height(
    build: ModuleType, chromium_path: str
) -> None:
    now = notebook(chart(build, 300))
    build.add_pictures(now, notebook(chart(build, 310, **{build.PICTURE: "old"})))
    png = base64.b64decode(now.cells[0].outputs[0].data[build.PICTURE])
    assert png.startswith(b"\x89PNG")
    assert [int.from_bytes(png[at : at + 4]) for at in (16, 20)] == [760, 300]
    assert len(png) < 40_000


def test_a_panel_is_stored_as_the_text_that_says_how_to_start(build: ModuleType) -> None:
    now = notebook({build.WIDGET: {"model_id": "1f"}, "text/plain": "run this cell"})
    build.strip(now)
    assert now.cells[0].outputs[0].data == {"text/plain": "run this cell"}


def test_every_stored_chart_has_a_small_picture(build: ModuleType) -> None:
    for path in NOTEBOOKS.glob("*.ipynb"):
        for data in build.charts(nbformat.read(path, as_version=4)):
            assert len(base64.b64decode(data[build.PICTURE])) < 40_000, path
