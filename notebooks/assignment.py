"""Turn a lesson into an assignment for nbgrader: ``python notebooks/assignment.py 08_bandits``.

The answers of `solutions` go into the cells of the exercises, between the marks that nbgrader
takes out again for the students, and behind each exercise stands a cell that is graded: it asks
the check of that exercise. What comes out is a source notebook for ``nbgrader
generate_assignment``.
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat

FOLDER = Path(__file__).parent
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
POINTS = 1  # of each exercise


def make_assignment(lesson: str, target: Path) -> Path:
    """Write the assignment of a lesson into a folder, and return its path.

    Raises
    ------
    ValueError
        Where there is no such lesson, or it has no exercises.
    """
    source, answers = FOLDER / f"{lesson}.ipynb", FOLDER / "solutions" / f"{lesson}.py"
    if not answers.exists() or not source.exists():
        known = ", ".join(sorted(path.stem for path in answers.parent.glob("*.py")))
        raise ValueError(f"There is no lesson {lesson!r} with exercises; there are {known}.")
    notebook = nbformat.read(source, as_version=4)
    notebook.cells = list(_cells(notebook.cells, Answers(answers)))
    target.mkdir(parents=True, exist_ok=True)
    path = target / source.name
    path.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8", newline="\n")
    return path


class Answers:
    """The right answers of a lesson, by the names that its exercises ask for."""

    def __init__(self, path: Path) -> None:
        self._text = path.read_text(encoding="utf-8")
        body = ast.parse(self._text).body[1:]  # without the docstring
        self._answers = {name: part for part in body if (name := _name_of(part)).startswith("my_")}
        self._rest = [part for part in body if part not in self._answers.values()]

    def take(self, names: set[str]) -> str:
        """Return the code of these answers; that which all answers need comes with the first."""
        parts = self._rest + [self._answers[name] for name in sorted(names)]
        self._rest = []
        return "\n\n".join(ast.get_source_segment(self._text, part) or "" for part in parts)


def _name_of(part: ast.stmt) -> str:
    match part:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return ""


def _cells(cells: list[Any], answers: Answers) -> Iterator[Any]:
    """Yield the cells of the assignment."""
    number, in_exercises = 0, False
    for cell in cells:
        in_exercises = in_exercises or cell.source.startswith("## Exercises")
        if in_exercises and cell.cell_type == "code" and "check_" in cell.source.splitlines()[-1]:
            number += 1
            yield from _exercise(cell, answers, number)
        else:
            yield cell


def _exercise(cell: Any, answers: Answers, number: int) -> Iterator[Any]:
    """Yield the cell of an exercise with its answer, and the cell that grades it."""
    parts = ast.parse(cell.source).body
    check = ast.get_source_segment(cell.source, parts[-1]) or ""
    names = {name for part in parts[:-1] if (name := _name_of(part)).startswith("my_")}
    kept = [part for part in parts[:-1] if _name_of(part) not in names]
    given = [ast.get_source_segment(cell.source, part) or "" for part in kept]
    region = f"{BEGIN}\n{answers.take(names)}\n{END}"
    cell.source = "\n\n".join([*given, region, check])
    cell.outputs = []
    cell.metadata["nbgrader"] = _marks(f"answer-{number}", solution=True)
    yield cell
    asked = check.removeprefix("print(").removesuffix(")")
    grading = nbformat.v4.new_code_cell(f'assert {asked}.startswith("Right")')
    grading["id"] = f"graded-{number}"
    grading.metadata["nbgrader"] = _marks(f"graded-{number}", solution=False)
    yield grading


def _marks(name: str, *, solution: bool) -> dict[str, Any]:
    marks = {
        "schema_version": 3,
        "grade_id": name,
        "solution": solution,
        "grade": not solution,
        "locked": not solution,
        "task": False,
    }
    return marks if solution else {**marks, "points": POINTS}


def main() -> None:
    """Write the assignments of the lessons that are named."""
    parser = argparse.ArgumentParser(description="Turn lessons into assignments for nbgrader.")
    parser.add_argument("lessons", nargs="+", help="such as 08_bandits")
    parser.add_argument("--folder", type=Path, default=Path("source"), help="of the course")
    given = parser.parse_args()
    try:
        for lesson in given.lessons:
            sys.stdout.write(f"{make_assignment(lesson, given.folder / lesson)}\n")
    except ValueError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
