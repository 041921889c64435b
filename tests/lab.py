"""A Jupyter server of the tests' own, and notebooks in it as a person sees them in a browser."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import URLError
from urllib.request import Request, urlopen
from uuid import uuid4

import nbformat

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

HOST = "127.0.0.1"
START_TIMEOUT_S = 120
PATIENCE_MS = 90_000  # for a kernel that starts on a busy machine
MOST_PRESSES = 10
PAUSE_MS = 1_000  # after which a cell that was to run shows that it does
NOTEBOOK = "window.jupyterapp.shell.currentWidget"
MAYBE_NOTEBOOK = "window.jupyterapp?.shell.currentWidget"
HAS_KERNEL = f"{MAYBE_NOTEBOOK}?.sessionContext?.session?.kernel"
PATHS = {
    "lab": "lab/tree/{}?reset",
    "notebook": "notebooks/{}",
    "voila": "voila/render/{}",
}


@dataclass
class Server:
    """A running server, with the folder that it shows."""

    url: str
    folder: Path

    def write(self, name: str, *cells: str) -> None:
        """Write a notebook of code cells that nobody has run."""
        notebook = nbformat.v4.new_notebook(
            cells=[nbformat.v4.new_code_cell(cell) for cell in cells],
            metadata={"kernelspec": {"name": "python3", "display_name": "Python 3"}},
        )
        nbformat.write(notebook, self.folder / name)

    def read(self, name: str) -> Any:
        """The notebook as it is saved."""
        return nbformat.read(self.folder / name, as_version=4)

    def stop_kernels(self) -> None:
        """Stop all kernels, and forget to which notebooks they belonged."""
        for session in json.load(urlopen(f"{self.url}api/sessions")):
            urlopen(Request(f"{self.url}api/sessions/{session['id']}", method="DELETE"))


@contextmanager
def run_server(folder: Path) -> Iterator[Server]:
    """A server with settings of its own: JupyterLab, Notebook and Voila in one."""
    with socket.create_server((HOST, 0)) as free:
        port = free.getsockname()[1]
    settings = folder / "settings" / "labconfig"
    settings.mkdir(parents=True)
    news = {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}
    (settings / "default_setting_overrides.json").write_text(json.dumps(news))
    notebooks = folder / "notebooks"
    notebooks.mkdir()
    with (folder / "server.log").open("w") as log:
        process = subprocess.Popen(
            _command(port, notebooks), env=_environment(folder), stdout=log, stderr=log
        )
    server = Server(f"http://{HOST}:{port}/", notebooks)
    try:
        _wait_for(server, process)
        yield server
    finally:
        process.terminate()
        process.wait(START_TIMEOUT_S)


def _command(port: int, notebooks: Path) -> list[str]:
    return [
        sys.executable,
        "-m",
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        f"--ip={HOST}",
        f"--port={port}",
        "--ServerApp.port_retries=0",
        "--IdentityProvider.token=",
        "--ServerApp.disable_check_xsrf=True",  # so that kernels can be stopped from here
        "--LabApp.extension_manager=readonly",
        "--LabApp.expose_app_in_browser=True",  # so that commands need no hunt for a menu
        f"--ServerApp.root_dir={notebooks}",
    ]


def _environment(folder: Path) -> dict[str, str]:
    own = {
        "JUPYTER_CONFIG_DIR": "config",
        "JUPYTER_CONFIG_PATH": "settings",
        "JUPYTER_DATA_DIR": "data",
        "JUPYTER_RUNTIME_DIR": "runtime",
        "JUPYTERLAB_SETTINGS_DIR": "user-settings",
        "JUPYTERLAB_WORKSPACES_DIR": "workspaces",
        "IPYTHONDIR": "ipython",
    }
    return dict(os.environ) | {name: str(folder / place) for name, place in own.items()}


def _wait_for(server: Server, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < deadline and process.poll() is None:
        try:
            urlopen(f"{server.url}api").close()
        except URLError:
            time.sleep(0.1)
        else:
            return
    log = (server.folder.parent / "server.log").read_text()
    raise RuntimeError(f"The server did not start:\n{log[-2000:]}")


class Desk:
    """A browser window in which notebooks are opened one after the other.

    Attributes
    ----------
    strangers
        Every address outside this machine that the page asked for; none was let through.
    """

    def __init__(self, browser: Browser, server: Server, **window: Any) -> None:
        size = {"width": 1500, "height": 1100}
        self.context = browser.new_context(**({"viewport": size} | window))
        self.context.set_default_timeout(PATIENCE_MS)
        self.server = server
        self.strangers: list[str] = []
        self.context.route(re.compile(rf"^(?!http://{re.escape(HOST)}:)"), self._refuse)
        self.page: Page = self.context.new_page()
        self.page.on("websocket", lambda socket: self._note(socket.url))

    def _refuse(self, route: Route) -> None:
        self._note(route.request.url)
        route.abort()

    def _note(self, url: str) -> None:
        if not re.match(rf"(\w+://{re.escape(HOST)}:|data:|blob:)", url):
            self.strangers.append(url)

    def close(self) -> None:
        self.context.close()

    # -- the notebook ------------------------------------------------------------------------------

    def open(self, name: str, app: str = "lab") -> Desk:
        """Open a saved notebook in a page of its own."""
        self.page.goto(self.server.url + PATHS[app].format(name))
        if app != "voila":
            self.page.wait_for_selector(".jp-Notebook .jp-CodeCell")
        return self

    def run(self, *cells: str, boards: int = 1) -> Desk:
        """Write a notebook, open it, and run it until so many boards are there."""
        name = f"{uuid4().hex}.ipynb"
        self.server.write(name, *cells)
        if self.page.url.startswith(self.server.url):
            self._execute("docmanager:open", path=name)
        else:
            self.open(name)
        self.page.wait_for_function(
            f"name => {MAYBE_NOTEBOOK}?.context?.path === name && {HAS_KERNEL}", arg=name
        )
        self.command("notebook:run-all-cells")
        return self.wait_for_boards(boards)

    def run_by_keyboard(self) -> None:
        """Run the first cell as a person does, who presses again when nothing happens."""
        cell = self.page.locator(".jp-CodeCell:visible").first
        unrun = cell.locator(".jp-InputPrompt", has_text="[ ]")
        self.page.locator(".jp-Notebook-ExecutionIndicator[data-status='idle']").first.wait_for()
        for _ in range(MOST_PRESSES):
            cell.locator(".cm-content").click()
            self.page.keyboard.press("Shift+Enter")
            self.page.wait_for_timeout(PAUSE_MS)
            if not unrun.count():
                return

    def leave(self) -> None:
        """Close the notebook and stop its kernel."""
        self.page.evaluate(
            f"async () => {{ const widget = {NOTEBOOK}; await widget.sessionContext.shutdown();"
            " widget.dispose(); }"
        )

    @property
    def name(self) -> str:
        """The file of the notebook."""
        path: str = self.page.evaluate(f"{NOTEBOOK}.context.path")
        return path

    def command(self, name: str, **arguments: Any) -> None:
        """Run a command of JupyterLab, once the notebook has its kernel."""
        self.page.wait_for_function(HAS_KERNEL)
        self._execute(name, **arguments)

    def _execute(self, name: str, **arguments: Any) -> None:
        self.page.evaluate(
            "([name, given]) => void window.jupyterapp.commands.execute(name, given)",
            [name, arguments],
        )

    def start(self, cell: int) -> None:
        """Run one cell, without waiting for its end."""
        self.page.evaluate(f"cell => {{ {NOTEBOOK}.content.activeCellIndex = cell }}", cell)
        self.command("notebook:run-cell")

    def save(self) -> None:
        """Save the notebook, and wait until it is saved."""
        self.page.evaluate(f"() => {NOTEBOOK}.context.save()")

    def output(self, cell: int) -> Locator:
        """What a cell shows below its code."""
        return self.page.locator(".jp-Cell:visible").nth(cell).locator(".jp-OutputArea")

    def printed(self, cell: int) -> str:
        """What a cell has printed, once it has."""
        return self.output(cell).locator("pre").first.inner_text().strip()

    def cells(self) -> list[str]:
        """Kind and source of every cell."""
        cells: list[str] = self.page.evaluate(
            f"() => {NOTEBOOK}.content.model.sharedModel.cells"
            ".map(cell => `${cell.cell_type}: ${cell.source}`)"
        )
        return cells

    # -- the boards --------------------------------------------------------------------------------

    def wait_for_boards(self, number: int) -> Desk:
        """Wait until so many boards are drawn."""
        self.page.wait_for_function(
            "number => document.querySelectorAll('.spl-board .spl-status').length >= number",
            arg=number,
        )
        return self

    def board(self, number: int = 0) -> Seen:
        """One of the boards, from the top."""
        return Seen(self.page.locator(".spl-board").nth(number))


class Seen:
    """One board on the page."""

    def __init__(self, root: Locator) -> None:
        self.root = root

    def at(self, key: str) -> Locator:
        return self.root.locator(f'[data-key="{key}"]')

    def click(self, *keys: str) -> None:
        for key in keys:
            self.at(key).click()

    @property
    def focused(self) -> str:
        """The key of what has the focus."""
        key: str = self.root.evaluate("root => root.ownerDocument.activeElement.dataset.key ?? ''")
        return key

    @property
    def log(self) -> list[str]:
        """The lines of the log."""
        return self.root.locator(".spl-log li bdi").all_inner_texts()

    def wait_for_lines(self, number: int) -> list[str]:
        """The log, once it has so many lines."""
        self.root.locator(".spl-log li").nth(number - 1).wait_for()
        return self.log

    def wait_until_asked(self) -> None:
        """Wait until a person has to decide, or the game is over."""
        self.root.locator(".spl-hint:not(:empty), .spl-asking, .spl-result").first.wait_for()

    def is_over(self) -> bool:
        return self.root.locator(".spl-result").count() > 0

    def free(self, selector: str) -> list[str]:
        """The keys of all buttons of a kind that can be pressed now."""
        able = "button:not([aria-disabled='true'])"
        keys: list[str] = self.root.locator(selector).evaluate_all(
            f'nodes => nodes.filter(node => node.matches("{able}")).map(node => node.dataset.key)'
        )
        return keys

    def wish(self) -> tuple[str, list[str]]:
        """What somebody who wants to get on would do now, and with which pieces of the table."""
        if asked := self.free(".spl-asking .spl-asked button"):
            return "answer", asked[:1]
        if cards := self.free(".spl-card.spl-able"):
            return "buy", cards[:1]
        if piles := self.free(".spl-pile"):
            return "take", piles[:3]
        return "reserve", self.free(".spl-market .spl-card")[:1]
