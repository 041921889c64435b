"""The house of the package: in which direction its rooms may know each other.

Rooms stand in the order in which data goes through them. A module imports from its own room and
from earlier ones, and from outside only what its room is for.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

PACKAGE = Path(__file__).parents[1] / "splendor_nb"
ROOMS = ("engine", "agents", "games", "analysis", "charts", "board", "lessons")

# What a room may import that is not Python's own, and where one module is the only one allowed.
OUTSIDE = {
    "engine": set(),
    "engine.compiled": {"numba", "numpy"},
    "agents": {"numpy"},
    "agents.learner": {"numpy", "torch"},
    "games": {"cloudpickle", "joblib", "numpy", "pandas", "pyarrow", "scipy", "tqdm"},
    "analysis": {"nashpy", "numpy", "ortools", "pandas", "scipy"},
    "charts": set(),
    "charts.figures": {"numpy", "pandas", "plotly"},
    "board": {"IPython", "anywidget", "ipywidgets", "traitlets"},  # traits are how widgets talk
    "board.explore": {"IPython", "ipywidgets", "numpy", "pandas", "plotly"},
    "lessons": {"pandas"},
    "launcher": {"jupyterlab"},
}
ONLY_LATE = {"engine": {"numba", "numpy"}, "agents": {"numpy"}, "launcher": {"jupyterlab"}}
# What a browser kernel may not have, and what starting to work should not wait for.
ABSENT = ("joblib", "jupyterlab", "nashpy", "numba", "numpy", "pandas", "plotly", "scipy", "tqdm")
HEAVY = (*ABSENT, "IPython", "anywidget", "ipywidgets")


class Import(NamedTuple):
    """One imported module, and the functions around the place where it is imported."""

    importer: str
    imported: str
    within: tuple[str, ...]


def imports_of(source: str, importer: str) -> Iterator[Import]:
    """Yield all imports of a module, those inside functions too."""
    yield from _imports_below(ast.parse(source), importer, ())


def _imports_below(node: ast.AST, importer: str, within: tuple[str, ...]) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Import(names=names):
                yield from (Import(importer, alias.name, within) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                start = _absolute(importer, level, module)
                yield from (Import(importer, f"{start}.{alias.name}", within) for alias in names)
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):  # not run, so as good as late
                yield from _imports_below(child, importer, (*within, "TYPE_CHECKING"))
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield from _imports_below(child, importer, (*within, name))
            case _:
                yield from _imports_below(child, importer, within)


def _absolute(importer: str, level: int, module: str | None) -> str:
    """Return what a relative import starts from."""
    if level == 0:
        return module or ""
    return ".".join([*importer.split(".")[:-level], *filter(None, [module])])


def room_of(module: str) -> str | None:
    """Return the room of one of our modules; None for the modules above all rooms."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in ROOMS else None


def points_back(one: Import) -> bool:
    """Tell whether an import leads to a later room, or out of the rooms to a module above them."""
    if one.imported.split(".")[0] != "splendor_nb" or room_of(one.importer) is None:
        return False
    if one.imported == "splendor_nb.__version__":
        return False
    order = [*ROOMS, None]
    later = order.index(room_of(one.imported)) > order.index(room_of(one.importer))
    return later and not shows_a_picture(one)


def shows_a_picture(one: Import) -> bool:
    """Tell whether this is the one look forward that is allowed: a value drawing itself."""
    return (
        room_of(one.importer) == "engine"
        and one.imported.startswith("splendor_nb.charts.svg")
        and one.within[-1:] == ("_repr_svg_",)
    )


def place_in(one: Import, table: dict[str, set[str]]) -> set[str]:
    """Return the entry of a table for the importing module, or else for the folder around it."""
    place = one.importer.removeprefix("splendor_nb.")
    while place not in table and "." in place:
        place = place.rpartition(".")[0]
    return table.get(place, set())


def is_stranger(one: Import) -> bool:
    """Tell whether an import brings a library that the room has no use for, or brings it early."""
    library = one.imported.split(".")[0]
    if library == "splendor_nb" or library in sys.stdlib_module_names:
        return False
    early = not one.within and library in place_in(one, ONLY_LATE)
    return early or library not in place_in(one, OUTSIDE)


def modules() -> Iterator[tuple[str, str]]:
    """Yield the dotted name and the source of every module of the package.

    A package's own file is named ``.__init__``, so that relative imports count the same way.
    """
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE.parent).with_suffix("").as_posix().replace("/", ".")
        yield name, path.read_text(encoding="utf-8")


ALL_IMPORTS = [one for name, source in modules() for one in imports_of(source, name)]


def test_every_folder_is_a_known_room() -> None:
    folders = {path.parent.relative_to(PACKAGE).parts[:1] for path in PACKAGE.rglob("*.py")}
    assert {folder[0] for folder in folders if folder} <= set(ROOMS)


def test_no_import_points_back() -> None:
    assert len(ALL_IMPORTS) > 20
    assert [one for one in ALL_IMPORTS if points_back(one)] == []


def test_no_room_imports_a_stranger() -> None:
    assert [one for one in ALL_IMPORTS if is_stranger(one)] == []


@pytest.mark.parametrize(
    ("importer", "source"),
    [
        ("engine.rules", "import splendor_nb.agents.policies"),
        ("engine.rules", "from splendor_nb.charts import svg"),
        ("engine.rules", "def draw():\n    from splendor_nb.charts.svg import state_svg"),
        ("engine.state", "def _repr_svg_(self):\n    from splendor_nb.board import board"),
        ("games.simulate", "def _repr_svg_(self):\n    from splendor_nb.charts.svg import svg"),
        ("agents.policies", "from ..games import simulate"),
        ("board.session", "from splendor_nb import play"),
        ("engine.__init__", "from .. import play"),
    ],
)
def test_an_arrow_back_is_seen(importer: str, source: str) -> None:
    (found,) = imports_of(source, f"splendor_nb.{importer}")
    assert points_back(found)


@pytest.mark.parametrize(
    ("importer", "source"),
    [
        ("agents.policies", "from splendor_nb.engine import rules"),
        ("agents.policies", "from . import registry"),
        ("engine.__init__", "from .cards import Card"),
        ("engine.state", "def _repr_svg_(self):\n    from splendor_nb.charts.svg import state_svg"),
        ("engine.records", "from splendor_nb import __version__"),
        ("__init__", "from splendor_nb.board.session import play"),
        ("engine.rules", "import csv"),
    ],
)
def test_an_arrow_forward_is_allowed(importer: str, source: str) -> None:
    (found,) = imports_of(source, f"splendor_nb.{importer}")
    assert not points_back(found)
    assert not is_stranger(found)


@pytest.mark.parametrize(
    ("importer", "source", "stranger"),
    [
        ("engine.rules", "import numpy", True),
        ("engine.compiled", "import numba", True),
        ("engine.compiled", "def load():\n    import numba", False),
        ("agents.search", "import numpy as np", True),
        ("agents.search", "def search():\n    import numpy as np", False),
        ("charts.svg", "import plotly.graph_objects", True),
        ("charts.figures.cards", "from plotly import graph_objects", False),
        ("charts.figures.cards", "import ipywidgets", True),
        ("board.explore.cards", "import pandas", False),
        ("board.session", "import pandas", True),
        ("__init__", "import numpy", True),
    ],
)
def test_a_stranger_is_seen(importer: str, source: str, stranger: bool) -> None:
    (found,) = imports_of(source, f"splendor_nb.{importer}")
    assert is_stranger(found) is stranger


def _printed_by(code: str) -> list[str]:
    """Return the words that a program prints in a Python of its own."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = f"import sys, splendor_nb; print(*sorted(set({HEAVY}) & set(sys.modules)))"
    assert _printed_by(code) == []


def test_positions_load_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from splendor_nb import new_game\n"
        "new_game(players=2, seed=7).apply('take WUG').observation(player=1).legal_actions()\n"
        f"print(*sorted(set({HEAVY}) & set(sys.modules)))"
    )
    assert _printed_by(code) == []


def test_a_game_is_played_where_only_the_widgets_are_installed() -> None:
    code = (
        "import sys\n"
        f"sys.modules.update(dict.fromkeys({ABSENT}))\n"
        "from splendor_nb import play\n"
        "from splendor_nb.board.board import Board\n"
        "game = play(['human', 'greedy'], seed=7, turn_limit=40)\n"
        "while not game.state.is_terminal():\n"
        "    game.act(game.state.legal_actions()[0])\n"
        "print(Board(game).view['phase'], game.state.end_reason)"
    )
    assert _printed_by(code) == ["over", "limit"]
