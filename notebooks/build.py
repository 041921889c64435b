"""Run the notebooks of this folder, and store what they show.

What differs from run to run or from machine to machine is left out, so that running them again
changes a file only where a result has changed: ``python notebooks/build.py [NAME ...]``. Beside
each chart stands a still picture of it, for readers who have no kernel.
"""

from __future__ import annotations

import base64
import io
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import kaleido  # type: ignore[import-untyped]
import nbformat
from nbclient import NotebookClient
from PIL import Image

FOLDER = Path(__file__).parent
CELL_TIMEOUT_S = 600
CHART = "application/vnd.plotly.v1+json"
WIDGET = "application/vnd.jupyter.widget-view+json"
PICTURE = "image/png"
PICTURE_WIDTH, PICTURE_COLORS = 760, 64  # 10 to 20 kB, where a full picture has 50 to 150
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def build(path: Path) -> bool:
    """Run a notebook in place and return whether its file has changed."""
    before = path.read_text(encoding="utf-8")
    notebook = nbformat.reads(before, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT_S,
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        store_widget_state=False,
    )
    client.execute()
    strip(notebook)
    add_pictures(notebook, nbformat.reads(before, as_version=4))
    after: str = nbformat.writes(notebook) + "\n"
    path.write_text(after, encoding="utf-8", newline="\n")
    return after != before


def strip(notebook: nbformat.NotebookNode) -> None:
    """Remove what tells of the machine, and when a cell ran."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    for data in shown(notebook):
        data.pop(WIDGET, None)  # without its state it would show as an error, not as its text


def add_pictures(notebook: nbformat.NotebookNode, before: nbformat.NotebookNode) -> None:
    """Put a picture beside each chart; a chart that was there before keeps the one it had."""
    drawn = {key(data): data[PICTURE] for data in charts(before) if PICTURE in data}
    new = [data for data in charts(notebook) if key(data) not in drawn]
    if new:
        kaleido.start_sync_server()
        drawn |= {key(data): picture(data[CHART]) for data in new}
        kaleido.stop_sync_server()
    for data in charts(notebook):
        data[PICTURE] = drawn[key(data)]


def picture(chart: dict[str, Any]) -> str:
    """Return a chart as a picture of few colors, in the letters that a notebook stores."""
    size = {"width": PICTURE_WIDTH, "height": chart["layout"]["height"]}
    drawn = kaleido.calc_fig_sync(
        {"data": chart["data"], "layout": chart["layout"]}, opts={"format": "png", **size}
    )
    few = Image.open(io.BytesIO(drawn)).convert("RGB")
    stored = io.BytesIO()
    few.quantize(PICTURE_COLORS, dither=Image.Dither.NONE).save(stored, "png", optimize=True)
    return base64.b64encode(stored.getvalue()).decode()


def key(data: dict[str, Any]) -> str:
    """Return what two outputs with the same chart have in common."""
    return json.dumps(data[CHART], sort_keys=True)


def charts(notebook: nbformat.NotebookNode) -> Iterator[dict[str, Any]]:
    """Yield what each output with a chart shows."""
    yield from (data for data in shown(notebook) if CHART in data)


def shown(notebook: nbformat.NotebookNode) -> Iterator[dict[str, Any]]:
    """Yield what each output shows, by kind."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if "data" in output:
                yield output.data


def main(names: Sequence[str]) -> None:
    """Run the named notebooks, or all."""
    for path in [FOLDER / name for name in names] or sorted(FOLDER.rglob("*.ipynb")):
        if not any(part.startswith(".") for part in path.relative_to(FOLDER).parts):
            print("changed" if build(path) else "same   ", path.relative_to(FOLDER), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
