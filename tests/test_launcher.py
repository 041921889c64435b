"""The command that copies the notebooks and starts JupyterLab."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from splendor_nb import __version__, launcher
from splendor_nb.__main__ import main

ANSWER_TIMEOUT_S = 60
STOP_TIMEOUT_S = 30
SETTINGS = "@jupyterlab/apputils-extension"


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    """Two notebooks as a package would ship them."""
    folder = tmp_path / "shipped"
    (folder / "answers").mkdir(parents=True)
    (folder / "01_play.ipynb").write_text("play, first edition")
    (folder / "answers" / "02_rules.ipynb").write_text("rules, first edition")
    return folder


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """The folder of a user, not made yet."""
    return tmp_path / "mine"


@pytest.fixture
def no_lab(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int | None, bool]]:
    """Note what JupyterLab would have been started with, instead of starting it."""
    calls: list[tuple[str, int | None, bool]] = []

    def note(_folder: Path, notebook: str, *, port: int | None, open_browser: bool) -> None:
        calls.append((notebook, port, open_browser))

    monkeypatch.setattr(launcher, "run_lab", note)
    return calls


@pytest.fixture
def used_port() -> Iterator[int]:
    """A port that somebody listens on."""
    with socket.create_server(("localhost", 0)) as server:
        yield server.getsockname()[1]


@pytest.fixture
def terminal() -> Iterator[int]:
    """A terminal, where Jupyter by itself would ask back before it stops."""
    keyboard, terminal = os.openpty()
    yield terminal
    os.close(terminal)
    os.close(keyboard)


def test_copying_brings_all_notebooks_with_their_subfolders(shipped: Path, mine: Path) -> None:
    copied = launcher.copy_notebooks(shipped, mine)
    assert copied == (["01_play.ipynb", "answers/02_rules.ipynb"], [], [])
    assert (mine / "answers" / "02_rules.ipynb").read_text() == "rules, first edition"


def test_copying_twice_changes_nothing(shipped: Path, mine: Path) -> None:
    launcher.copy_notebooks(shipped, mine)
    assert launcher.copy_notebooks(shipped, mine) == ([], [], [])


def test_an_untouched_copy_is_updated(shipped: Path, mine: Path) -> None:
    launcher.copy_notebooks(shipped, mine)
    (shipped / "01_play.ipynb").write_text("play, second edition")
    assert launcher.copy_notebooks(shipped, mine) == ([], ["01_play.ipynb"], [])
    assert (mine / "01_play.ipynb").read_text() == "play, second edition"


def test_a_changed_copy_is_kept_in_every_edition(shipped: Path, mine: Path) -> None:
    launcher.copy_notebooks(shipped, mine)
    (mine / "01_play.ipynb").write_text("mine")
    assert launcher.copy_notebooks(shipped, mine) == ([], [], ["01_play.ipynb"])
    (shipped / "01_play.ipynb").write_text("play, second edition")
    assert launcher.copy_notebooks(shipped, mine) == ([], [], ["01_play.ipynb"])
    assert (mine / "01_play.ipynb").read_text() == "mine"


def test_a_copy_put_back_by_hand_is_updated_again(shipped: Path, mine: Path) -> None:
    launcher.copy_notebooks(shipped, mine)
    (mine / "01_play.ipynb").write_text("mine")
    launcher.copy_notebooks(shipped, mine)
    (mine / "01_play.ipynb").write_text("play, first edition")
    (shipped / "01_play.ipynb").write_text("play, second edition")
    assert launcher.copy_notebooks(shipped, mine) == ([], ["01_play.ipynb"], [])


def test_a_deleted_copy_comes_back(shipped: Path, mine: Path) -> None:
    launcher.copy_notebooks(shipped, mine)
    (mine / "01_play.ipynb").unlink()
    assert launcher.copy_notebooks(shipped, mine) == (["01_play.ipynb"], [], [])


def test_a_file_that_was_there_before_is_kept(shipped: Path, mine: Path) -> None:
    mine.mkdir()
    (mine / "01_play.ipynb").write_text("mine")
    assert launcher.copy_notebooks(shipped, mine).kept == ["01_play.ipynb"]
    assert (mine / "01_play.ipynb").read_text() == "mine"


def test_guides_and_agents_in_subfolders_are_copied_too(shipped: Path, mine: Path) -> None:
    for name in ("README.md", "answers/agent.py", "build.py", "board.png", "answers/notes.txt"):
        (shipped / name).write_text("")
    copied = launcher.copy_notebooks(shipped, mine)
    others = [name for name in copied.new if not name.endswith(".ipynb")]
    assert others == ["README.md", "answers/agent.py"]
    assert launcher.notebook_names(shipped) == ["01_play.ipynb", "answers/02_rules.ipynb"]


def test_the_agents_of_the_example_contest_ship_and_the_solutions_do_not() -> None:
    names = launcher.shipped_names(launcher.notebooks_folder())
    assert "contest_example/first.py" in names
    assert not any("solution" in name for name in names)


@pytest.mark.parametrize("memory", ["", "{", "[]", '{"01_play.ipynb": 5}'])
def test_everything_is_kept_where_the_memory_is_damaged(
    shipped: Path, mine: Path, memory: str
) -> None:
    launcher.copy_notebooks(shipped, mine)
    (shipped / "01_play.ipynb").write_text("play, second edition")
    (mine / launcher.MEMORY / "copied.json").write_text(memory)
    assert launcher.copy_notebooks(shipped, mine).kept == ["01_play.ipynb"]


def test_notebooks_in_hidden_folders_are_left_out(shipped: Path) -> None:
    hidden = shipped / ".ipynb_checkpoints"
    hidden.mkdir()
    (hidden / "01_play-checkpoint.ipynb").write_text("")
    assert launcher.notebook_names(shipped) == ["01_play.ipynb", "answers/02_rules.ipynb"]


def test_the_play_notebook_ships() -> None:
    assert "01_play.ipynb" in launcher.notebook_names(launcher.notebooks_folder())


@pytest.mark.parametrize(
    "name", ["answers/02_rules.ipynb", "answers/02_rules", "answers\\02_rules"]
)
def test_a_notebook_is_found_by_its_name(name: str) -> None:
    names = ["01_play.ipynb", "answers/02_rules.ipynb"]
    assert launcher.find_notebook(name, names) == "answers/02_rules.ipynb"


def test_the_command_copies_says_so_and_starts(
    mine: Path, no_lab: list[tuple[str, int | None, bool]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--folder", str(mine)]) == 0
    assert no_lab == [("01_play.ipynb", None, True)]
    printed = capsys.readouterr().out
    assert str(mine) in printed
    assert "New: 01_play.ipynb" in printed
    (mine / "01_play.ipynb").write_text("mine")
    main(["--folder", str(mine)])
    assert "Kept as you changed them: 01_play.ipynb" in capsys.readouterr().out


def test_the_options_arrive(mine: Path, no_lab: list[tuple[str, int | None, bool]]) -> None:
    mine.mkdir()
    (mine / "own.ipynb").write_text("")
    with socket.create_server(("localhost", 0)) as server:
        port = server.getsockname()[1]
    arguments = ["--folder", str(mine), "--port", str(port), "--no-browser", "--notebook", "own"]
    assert main(arguments) == 0
    assert no_lab == [("own.ipynb", port, False)]


@pytest.mark.parametrize("port", ["0", "-1", "65536", "70000", "x", "", "8888.5", "²"])
def test_a_bad_port_gets_a_sentence(
    mine: Path, port: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--folder", str(mine), "--port", port]) == 2
    printed = capsys.readouterr()
    assert printed.err == f"A port is a whole number from 1 to 65535, not {port!r}.\n"
    assert not mine.exists()


def test_a_used_port_gets_a_sentence(
    mine: Path, used_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--folder", str(mine), "--port", str(used_port)]) == 2
    assert capsys.readouterr().err.startswith(f"Port {used_port} cannot be used: ")
    assert not mine.exists()


@pytest.mark.parametrize("name", ["99_missing", "", ".", "../01_play", "/01_play.ipynb"])
def test_a_missing_notebook_gets_the_names_of_those_there_are(
    mine: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--folder", str(mine), "--notebook", name]) == 2
    printed = capsys.readouterr().err
    assert printed.startswith(f"There is no notebook {name!r}; there are: ")
    assert "01_play.ipynb" in printed
    assert not mine.exists()


@pytest.mark.parametrize("below", ["", "below"])
def test_a_folder_that_is_a_file_gets_a_sentence(
    tmp_path: Path, below: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("text")
    assert main(["--folder", str(file / below)]) == 2
    assert capsys.readouterr().err.startswith(f"The folder {file / below} cannot be used: ")
    assert file.read_text() == "text"


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere"
)
def test_a_folder_that_may_not_be_written_gets_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tmp_path.chmod(0o500)
    assert main(["--folder", str(tmp_path / "mine")]) == 2
    assert capsys.readouterr().err.endswith("cannot be used: Permission denied.\n")


def test_a_missing_jupyterlab_gets_a_sentence(
    mine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    assert main(["--folder", str(mine)]) == 2
    assert capsys.readouterr().err.startswith("JupyterLab is not installed here")


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"splendor-nb {__version__}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="no signal stands for Ctrl-C there")
def test_jupyterlab_starts_answers_and_ends_cleanly(tmp_path: Path, terminal: int) -> None:
    theme = tmp_path / "CONFIG" / "lab/user-settings" / f"{SETTINGS}/themes.jupyterlab-settings"
    theme.parent.mkdir(parents=True)
    theme.write_text('{"theme": "JupyterLab Dark"}')
    process = _start(tmp_path, terminal, "--no-browser", "--folder", "my games")
    try:
        root, token = _address(process)
        page = _get(f"{root}/lab/tree/01_play.ipynb", token)
        notebook = json.loads(_get(f"{root}/api/contents/01_play.ipynb", token))
        news = json.loads(_get(f"{root}/lab/api/settings/{SETTINGS}:notification", token))
        look = json.loads(_get(f"{root}/lab/api/settings/{SETTINGS}:themes", token))
    finally:
        rest = _interrupt(process)
    assert "JupyterLab" in page
    assert notebook["type"] == "notebook"
    assert news["schema"]["properties"]["fetchNews"]["default"] == "false"
    assert look["settings"]["theme"] == "JupyterLab Dark", "the user's own settings count"
    assert process.returncode == 0
    assert "Traceback" not in rest
    configured = {path.name for path in (tmp_path / "CONFIG").rglob("*") if path.is_file()}
    assert configured <= {theme.name, "migrated"}, "and are left alone"
    assert theme.read_text() == '{"theme": "JupyterLab Dark"}'


def _start(home: Path, terminal: int, *arguments: str) -> subprocess.Popen[str]:
    """Start the command at a terminal, for somebody whose Jupyter folders are below `home`."""
    folders = {f"JUPYTER_{name}_DIR": str(home / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    return subprocess.Popen(
        [sys.executable, "-m", "splendor_nb", *arguments],
        cwd=home,
        env=os.environ | folders,
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _address(process: subprocess.Popen[str]) -> tuple[str, str]:
    """Return the address that the command prints, and the token in it."""
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if found := re.search(r"(http://[\d.]+:\d+)/lab/tree/01_play\.ipynb\?token=(\w+)", line):
            return found[1], found[2]
    pytest.fail("the command ended without printing an address:\n" + "".join(said))


def _interrupt(process: subprocess.Popen[str]) -> str:
    """Send what Ctrl-C sends, once, and return what the command says until it ends."""
    process.send_signal(signal.SIGINT)
    try:
        return process.communicate(timeout=STOP_TIMEOUT_S)[0]
    finally:
        process.kill()


def _get(address: str, token: str) -> str:
    request = Request(address, headers={"Authorization": f"token {token}"})
    with urlopen(request, timeout=ANSWER_TIMEOUT_S) as answer:
        return answer.read().decode()
