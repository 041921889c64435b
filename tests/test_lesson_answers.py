"""The exercises of the notebooks: the answers given there are wrong, and the solutions right."""

from __future__ import annotations

import ast
import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
SOLUTIONS = sorted((NOTEBOOKS / "solutions").glob("*.py"))


def exercise_cells(notebook: Path) -> Iterator[ast.Module]:
    """The code cells after the heading of the exercises that check an answer."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    first = next(i for i, source in enumerate(sources) if source.startswith("## Exercises"))
    for cell, source in zip(cells[first:], sources[first:], strict=True):
        if cell["cell_type"] == "code" and "check_" in source.splitlines()[-1]:
            yield ast.parse(source)


def setting_of(notebook: Path) -> dict[str, Any]:
    """The names that the cells before the exercises define by functions, classes and imports."""
    names: dict[str, Any] = {}
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if source.startswith("## Exercises"):
            break
        if cell["cell_type"] == "code":
            lasting = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
            kept = [part for part in ast.parse(source).body if isinstance(part, lasting)]
            run(kept, names)
    return names


def run(parts: list[ast.stmt], names: dict[str, Any]) -> None:
    exec(compile(ast.Module(parts, []), "<cell>", "exec"), names)


def said(check: ast.stmt, names: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> str:
    """What the last line of a cell prints."""
    capsys.readouterr()
    run([check], names)
    return capsys.readouterr().out


@pytest.mark.parametrize("solution", SOLUTIONS, ids=lambda path: path.stem)
def test_given_answers_are_wrong_and_solutions_right(
    solution: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notebook = NOTEBOOKS / f"{solution.stem}.ipynb"
    names, answers = setting_of(notebook), runpy.run_path(str(solution))
    number = 0
    for number, cell in enumerate(exercise_cells(notebook), start=1):
        run(cell.body[:-1], names)
        assert "Right" not in said(cell.body[-1], names, capsys)
        right = said(cell.body[-1], names | answers, capsys)
        assert right.startswith("Right"), f"exercise {number}: {right}"
    assert 3 <= number <= 5


def test_every_lesson_with_exercises_has_its_solutions() -> None:
    with_exercises = {
        path.stem
        for path in NOTEBOOKS.glob("*.ipynb")
        if "## Exercises" in path.read_text(encoding="utf-8")
    }
    assert with_exercises == {path.stem for path in SOLUTIONS}
