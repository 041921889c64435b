"""The lessons run in plain Python too, with the quick settings that they name."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
QUICK = {
    "05_agents": {"GAMES": "10"},
    "06_search": {"GAMES": "4", "BUDGETS": "(2, 8, 30)"},
    "07_trees": {},
    "08_bandits": {"GAMES": "40"},
    "09_metagame": {"GAMES": "10"},
    "10_contest": {},
}
# With so few games sentences about small differences may fail their check, and nothing else may.
RUN = """
import sys
sys.modules["numba"] = None
for cell in json.loads(sys.stdin.read()):
    try:
        exec(compile(cell, "<cell>", "exec"), names)
    except AssertionError:
        if not quick:
            raise
"""


def code_of(lesson: str) -> list[str]:
    """The code cells of a lesson, with the quick settings in place of its own."""
    cells = json.loads((NOTEBOOKS / f"{lesson}.ipynb").read_text(encoding="utf-8"))["cells"]
    found = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    for name, value in QUICK[lesson].items():
        line = re.compile(rf"^{name} = [^#\n]*", re.MULTILINE)
        changed = [line.sub(f"{name} = {value} ", one) for one in found]
        assert changed != found, f"{lesson} names no {name}"
        found = changed
    return found


@pytest.mark.slow
@pytest.mark.parametrize("lesson", QUICK)
def test_a_lesson_runs_without_numba(lesson: str) -> None:
    quick = bool(QUICK[lesson])
    program = f"import json\nnames, quick = {{'__name__': '__main__'}}, {quick}\n{RUN}"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=NOTEBOOKS,
        input=json.dumps(code_of(lesson)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_every_lesson_with_a_setting_names_it() -> None:
    for lesson in QUICK:
        assert code_of(lesson)
