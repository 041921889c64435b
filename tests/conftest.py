"""What the test files share: a browser, JupyterLab in it, and examples that stay the same."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from lab import Desk, Server
    from playwright.sync_api import Browser

# A busy machine is no reason to fail, nor is a new example one to fail tomorrow.
settings.register_profile("fixed", derandomize=True, deadline=None)
settings.load_profile("fixed")

CHROMIUM_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
# Nothing of the browser's own on the network, and room to run in a container as root.
CHROMIUM_OPTIONS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that need a browser."""
    for item in items:
        if "chromium_path" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """Path of the installed Chromium; without one the test is skipped, or fails if required."""
    found = [path for name in CHROMIUM_NAMES if (path := shutil.which(name))]
    if not found and os.environ.get("SPLENDOR_REQUIRE_BROWSER") == "1":
        pytest.fail("SPLENDOR_REQUIRE_BROWSER is set, and no Chromium is installed here")
    if not found:
        pytest.skip("no Chromium is installed here")
    return found[0]


# Playwright keeps an event loop running in this thread, so no longer than one file needs it.
@pytest.fixture(scope="module")
def browser(chromium_path: str) -> Iterator[Browser]:
    """Return a Chromium without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_path, args=CHROMIUM_OPTIONS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, chromium_path: str) -> Iterator[Server]:
    """Return a JupyterLab server with a folder of its own."""
    from lab import run_server

    assert chromium_path  # without a browser there is no use for a server
    with run_server(tmp_path_factory.mktemp("jupyter")) as server:
        yield server


@pytest.fixture
def desk(browser: Browser, server: Server) -> Iterator[Desk]:
    """Return a browser window of its own on that server."""
    from lab import Desk

    desk = Desk(browser, server)
    yield desk
    desk.close()
    server.stop_kernels()
