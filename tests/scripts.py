"""Code in processes and modules of its own, for the tests: scripts of notebooks/, bare machines."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

NOTEBOOKS = Path(__file__).parents[1] / "notebooks"
# What a browser's kernel may not have.
HEAVY = ("joblib", "nashpy", "numba", "numpy", "pandas", "plotly", "scipy", "tqdm")


def load_script(name: str) -> ModuleType:
    """The module of a script in notebooks/."""
    spec = importlib.util.spec_from_file_location(name, NOTEBOOKS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def last_word_without_heavy_libraries(code: str) -> str:
    """The last word that code prints where heavy libraries are missing."""
    blocked = f"import sys\nsys.modules.update(dict.fromkeys({HEAVY}))\n"
    command = [sys.executable, "-c", blocked + code]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return done.stdout.split()[-1]
