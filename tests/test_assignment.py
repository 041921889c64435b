"""Lessons as assignments of nbgrader: what students get, and what is graded."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from scripts import NOTEBOOKS, load_script

LESSONS = sorted(path.stem for path in (NOTEBOOKS / "solutions").glob("*.py"))


def marked(path: Path, kind: str) -> list[Any]:
    cells = nbformat.read(path, as_version=4).cells
    return [cell for cell in cells if cell.metadata.get("nbgrader", {}).get(kind)]


@pytest.mark.parametrize("lesson", LESSONS)
def test_each_exercise_has_its_answer_and_a_cell_that_is_graded(
    lesson: str, tmp_path: Path
) -> None:
    path = load_script("assignment").make_assignment(lesson, tmp_path)
    answers, graded = marked(path, "solution"), marked(path, "grade")
    assert 3 <= len(answers) == len(graded) <= 5
    for answer, check in zip(answers, graded, strict=True):
        assert "### BEGIN SOLUTION\n" in answer.source
        assert check.source.startswith("assert ")
        assert check.source.endswith('.startswith("Right")')
    names = {cell.metadata.nbgrader.grade_id for cell in [*answers, *graded]}
    assert len(names) == 2 * len(answers)


def test_what_is_graded_passes_with_the_answers_and_fails_without(tmp_path: Path) -> None:
    path = load_script("assignment").make_assignment("08_bandits", tmp_path)
    with_answers: dict[str, Any] = {}
    for answer, check in zip(marked(path, "solution"), marked(path, "grade"), strict=True):
        exec(answer.source, with_answers)
        exec(check.source, with_answers)
    without = dict(with_answers) | {"my_games": 60}
    with pytest.raises(AssertionError):
        exec(marked(path, "grade")[-1].source, without)


def test_an_unknown_lesson_gets_a_sentence() -> None:
    command = [sys.executable, str(NOTEBOOKS / "assignment.py"), "11_nothing"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("There is no lesson '11_nothing' with exercises; there are 02")


def test_nbgrader_makes_an_assignment_without_the_answers(tmp_path: Path) -> None:
    load_script("assignment").make_assignment("08_bandits", tmp_path / "source" / "08_bandits")
    config = "c = get_config()\nc.CourseDirectory.course_id = 'course'\n"
    (tmp_path / "nbgrader_config.py").write_text(config, encoding="utf-8")
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", "08_bandits"]
    here = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=os.environ | {"PATH": here},  # it starts a program that was installed beside it
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    release = tmp_path / "release" / "08_bandits" / "08_bandits.ipynb"
    text = release.read_text(encoding="utf-8")
    assert "BEGIN SOLUTION" not in text
    assert "max(chances) - chances[arm] for arm in pulls" not in text
    assert all("YOUR CODE HERE" in cell.source for cell in marked(release, "solution"))
    assert len(marked(release, "grade")) == 4
