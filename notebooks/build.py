"""Run the notebooks of this folder, and store what they show.

What differs from run to run or from machine to machine is left out, so that running them again
changes a file only where a result has changed: ``python notebooks/build.py [NAME ...]``.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent
CELL_TIMEOUT_S = 600
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
    after: str = nbformat.writes(notebook) + "\n"
    path.write_text(after, encoding="utf-8", newline="\n")
    return after != before


def strip(notebook: nbformat.NotebookNode) -> None:
    """Remove what tells of the machine, and when a cell ran."""
    notebook.metadata = nbformat.from_dict(METADATA)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)


def main(names: Sequence[str]) -> None:
    """Run the named notebooks, or all."""
    for path in [FOLDER / name for name in names] or sorted(FOLDER.rglob("*.ipynb")):
        if not any(part.startswith(".") for part in path.relative_to(FOLDER).parts):
            print("changed" if build(path) else "same   ", path.relative_to(FOLDER), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
