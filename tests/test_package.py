"""What is built from the project, installed away from it: everything needed has to travel."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from splendor_nb import __version__

ROOT = Path(__file__).parents[1]
SHIPPED = (
    "data/cards.csv",
    "data/nobles.csv",
    "notebooks/01_play.ipynb",
    "board/board.js",
    "board/board.css",
    "py.typed",
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and with the wheel that was built from the sdist."""
    folder = tmp_path_factory.mktemp("built")
    _run([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)])
    return folder


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bin folder of an environment with the wheel.

    The dependencies are those of the environment that runs the tests. They are found through a
    path file, and path files found through one do not count: so the clone is not visible, even
    where it is installed for editing.
    """
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder)
    scheme = {"base": str(folder), "platbase": str(folder)}
    libraries = Path(sysconfig.get_path("purelib", "venv", vars=scheme))
    (libraries / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    (wheel,) = built.glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", str(folder), "--disable-pip-version-check"]
    _run([*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)])
    return Path(sysconfig.get_path("scripts", "venv", vars=scheme))


def _run(command: list[str], cwd: Path | None = None) -> str:
    """Return what a command prints; the test fails with all of it if the command does."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def _python(installed: Path, tmp_path: Path, code: str) -> str:
    return _run([str(installed / "python"), "-c", code], cwd=tmp_path).strip()


def test_the_wheel_holds_the_package_with_data_and_notebooks(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = ZipFile(wheel).namelist()
    assert {f"splendor_nb/{name}" for name in SHIPPED} <= set(names)
    assert f"splendor_nb-{__version__}.dist-info/licenses/LICENSE" in names
    assert {name.split("/")[0] for name in names if ".dist-info" not in name} == {"splendor_nb"}


def test_the_wheel_holds_nothing_that_only_the_clone_needs(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    needless = (".pyc", ".png", "build.py", "-checkpoint.ipynb")
    assert [name for name in ZipFile(wheel).namelist() if name.endswith(needless)] == []


def test_the_sdist_holds_the_project(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"pyproject.toml", "Makefile", "LICENSE", "README.md", "CHANGELOG.md"} <= names
    assert {"data/cards.csv", "notebooks/01_play.ipynb", "tests/test_package.py"} <= names
    assert {"splendor_nb/board/board.js", "splendor_nb/board/board.css"} <= names
    assert not [name for name in names if name.startswith((".venv", ".git/", "splendor-notebooks"))]


def test_the_installed_package_is_not_the_clone(installed: Path, tmp_path: Path) -> None:
    place = _python(installed, tmp_path, "import splendor_nb; print(splendor_nb.__file__)")
    assert Path(place).is_relative_to(installed.parent)


def test_a_game_starts_from_the_installed_package(installed: Path, tmp_path: Path) -> None:
    code = (
        "from splendor_nb import new_game\nprint(len(new_game(players=2, seed=7).legal_actions()))"
    )
    assert _python(installed, tmp_path, code) == "30"


def test_the_board_is_built_from_the_installed_package(installed: Path, tmp_path: Path) -> None:
    code = (
        "from splendor_nb import play\n"
        "game = play(['human', 'greedy'], seed=7)\n"
        "print(game.state.players, game.state.current_player)"
    )
    assert _python(installed, tmp_path, code).endswith("2 0")


def test_the_command_comes_with_the_package(installed: Path, tmp_path: Path) -> None:
    command = str(installed / "splendor-nb")
    assert _run([command, "--version"], cwd=tmp_path) == f"splendor-nb {__version__}\n"


def test_the_notebooks_are_copied_from_the_installed_package(
    installed: Path, tmp_path: Path
) -> None:
    code = (
        "from pathlib import Path\n"
        "from splendor_nb import launcher\n"
        "print(launcher.copy_notebooks(launcher.notebooks_folder(), Path('mine')).new)"
    )
    assert "01_play.ipynb" in _python(installed, tmp_path, code)
    assert (tmp_path / "mine" / "01_play.ipynb").is_file()
