"""Start JupyterLab on the notebooks that ship with the package.

The notebooks are copied to a folder of the user's first, since an installed package is no place to
work in. What the launcher has to remember stands in a hidden folder beside them: which files it
copied, and how the windows of JupyterLab were arranged. The user's own Jupyter settings stay as
they are, and count here too.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import signal
import socket
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import quote

MEMORY = ".splendor-nb"
_PACKAGE = Path(__file__).parent


class LaunchError(Exception):
    """JupyterLab cannot be started as asked; the message is a sentence for the user."""


class Copied(NamedTuple):
    """What copying did, as names of files; those that were up to date are in no list."""

    new: list[str]
    updated: list[str]
    kept: list[str]


def notebooks_folder() -> Path:
    """Return the folder that ships: inside an installed package, beside it in a clone."""
    inside = _PACKAGE / "notebooks"
    return inside if inside.is_dir() else _PACKAGE.parent / "notebooks"


def shipped_names(folder: Path) -> list[str]:
    """Return the files that a user gets: notebooks, their guides, and example agents.

    Names are relative to the folder, sorted, with ``/`` between the parts on every system. Hidden
    folders are left out, the solutions of the exercises, and programs that lie beside the
    notebooks: these work on them.
    """
    names = [
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.suffix in (".ipynb", ".md") or (path.suffix == ".py" and path.parent != folder)
    ]
    return sorted(
        name
        for name in names
        if not name.startswith("solutions/") and not any(p[0] == "." for p in name.split("/"))
    )


def notebook_names(folder: Path) -> list[str]:
    """Return the notebooks among the `shipped_names` of a folder."""
    return [name for name in shipped_names(folder) if name.endswith(".ipynb")]


def find_notebook(name: str, names: Iterable[str]) -> str:
    """Return the notebook that is meant; its ending may be missing.

    Raises
    ------
    LaunchError
        None of the names is meant; the message lists them.

    Examples
    --------
    >>> find_notebook("01_play", ["01_play.ipynb", "02_rules.ipynb"])
    '01_play.ipynb'
    """
    names = list(names)
    wanted = PurePosixPath(name.replace("\\", "/"))
    for candidate in (str(wanted), f"{wanted}.ipynb"):
        if candidate in names:
            return candidate
    raise LaunchError(f"There is no notebook {name!r}; there are: {', '.join(names)}.")


def copy_notebooks(source: Path, folder: Path) -> Copied:
    """Bring the files of a folder up to date, without touching what the user changed.

    A file counts as changed unless it is, byte for byte, what was copied there before.

    Parameters
    ----------
    source
        The notebooks that ship.
    folder
        Where they go; made if it is missing.

    Raises
    ------
    LaunchError
        The folder cannot be made or written, or is a file.
    """
    try:
        return _copy_all(source, folder)
    except OSError as error:
        raise LaunchError(f"The folder {folder} cannot be used: {error.strerror}.") from error


def _copy_all(source: Path, folder: Path) -> Copied:
    memory = folder / MEMORY / "copied.json"
    memory.parent.mkdir(parents=True, exist_ok=True)
    hashes = _read_hashes(memory)
    done = Copied([], [], [])
    for name in shipped_names(source):
        shipped, target = (source / name).read_bytes(), folder / name
        present = target.read_bytes() if target.exists() else None
        if present is not None and _hash(present) not in (_hash(shipped), hashes.get(name)):
            done.kept.append(name)
            continue
        if present != shipped:
            (done.new if present is None else done.updated).append(name)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(shipped)
        hashes[name] = _hash(shipped)
    memory.write_text(json.dumps(hashes, indent=1, sort_keys=True), encoding="utf-8")
    return done


def _read_hashes(memory: Path) -> dict[str, str]:
    """Return what was copied, by name; nothing if that is not known, so that all is kept."""
    try:
        hashes = json.loads(memory.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return hashes if isinstance(hashes, dict) else {}


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def check_port(text: str) -> int:
    """Return a port as a number, once it is known to be free.

    Raises
    ------
    LaunchError
        It is no port number, or it cannot be used now.

    Examples
    --------
    >>> check_port("70000")
    Traceback (most recent call last):
        ...
    splendor_nb.launcher.LaunchError: A port is a whole number from 1 to 65535, not '70000'.
    """
    if not (text.isdecimal() and 1 <= int(text) <= 65535):
        raise LaunchError(f"A port is a whole number from 1 to 65535, not {text!r}.")
    try:
        socket.create_server(("localhost", int(text))).close()
    except OSError as error:
        raise LaunchError(f"Port {text} cannot be used: {error.strerror}.") from error
    return int(text)


def check_jupyterlab() -> None:
    """Raise a LaunchError that tells how to get JupyterLab, if it is not installed."""
    if importlib.util.find_spec("jupyterlab") is None:
        raise LaunchError("JupyterLab is not installed here: `pip install jupyterlab` brings it.")


def run_lab(folder: Path, notebook: str, *, port: int | None, open_browser: bool) -> None:
    """Run JupyterLab in this process until it is interrupted.

    Parameters
    ----------
    folder
        What JupyterLab shows.
    notebook
        The notebook to open, a name in that folder.
    port
        The one port to use; any free one if None.
    open_browser
        Whether to show the page in the user's browser at once.
    """
    from jupyterlab.labapp import LabApp

    with TemporaryDirectory(prefix="splendor-nb-") as settings:
        _turn_news_off(Path(settings))
        options = _lab_options(folder, notebook, port, open_browser=open_browser)
        server = LabApp.initialize_server(options)
        # Jupyter asks back at a terminal before it stops.
        signal.signal(signal.SIGINT, lambda _signal, _frame: server.stop(from_signal=True))
        # It gives the address at its start, in three forms among hints; once is enough, and only
        # after it listens.
        server.log.disabled = True
        server.start_app()
        server.log.disabled = False
        server.io_loop.add_callback(print, f"JupyterLab: {server.local_url}", flush=True)
        server.io_loop.add_callback(print, "Ctrl-C stops it.", flush=True)
        server.start_ioloop()


def _turn_news_off(settings: Path) -> None:
    """Add a default below the user's settings: no question about news at the first start."""
    defaults = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}
    file = settings / "labconfig" / "default_setting_overrides.json"
    file.parent.mkdir()
    file.write_text(json.dumps(defaults), encoding="utf-8")
    search_path = [str(settings), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, search_path))


def _lab_options(folder: Path, notebook: str, port: int | None, *, open_browser: bool) -> list[str]:
    """Return JupyterLab's options.

    The arrangement of windows is kept apart from that of the user's other work, so that neither
    opens files of the other.
    """
    options = [
        f"--ServerApp.root_dir={folder.resolve()}",
        f"--LabApp.default_url=/lab/tree/{quote(notebook)}",
        f"--LabApp.workspaces_dir={folder.resolve() / MEMORY / 'workspaces'}",
        f"--ServerApp.open_browser={open_browser}",
        "--Application.log_level=ERROR",
        # Other users of this machine may not read along; otherwise each kernel warns of them.
        "--KernelManager.transport_encryption=auto",
    ]
    if port is not None:
        options += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # Containers run as root, and Jupyter refuses that unless it is told.
        options.append("--ServerApp.allow_root=True")
    return options
