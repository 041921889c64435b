"""Measures how soon the board answers a click in JupyterLab: ``python tests/bench_board.py``.

A whole game is played by a mouse. The page itself takes the time from the click to the change
that Python's answer makes of it, and until two pictures of the screen later, when that change can
be seen.
"""
# ruff: noqa: T201  (it prints what it finds)

from __future__ import annotations

import os
import shutil
import statistics
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from conftest import CHROMIUM_NAMES, CHROMIUM_OPTIONS
from lab import Desk, Seen, run_server
from playwright.sync_api import Browser, sync_playwright

CLICKS = 40
TARGET_MS = 50
GAME = "from splendor_nb import play\ngame = play(['human', 'human'], seed=7)"
# Only the click that Python hears adds a line to the log; earlier ones, of a pick, do not count.
WATCH = """
board => {
  const lines = () => board.querySelectorAll('.spl-log li').length;
  let clicked = 0;
  let known = lines();
  window.times = [];
  board.addEventListener('click', event => { clicked = event.timeStamp }, true);
  new MutationObserver(() => {
    if (lines() === known) return;
    known = lines();
    const start = clicked;
    const changed = performance.now() - start;
    requestAnimationFrame(() => requestAnimationFrame(
      () => window.times.push([changed, performance.now() - start])));
  }).observe(board, {childList: true, subtree: true});
}
"""


@contextmanager
def new_browser() -> Iterator[Browser]:
    """Return a browser without a window."""
    path = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if path is None:
        sys.exit("No Chromium is installed here.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_OPTIONS)
        yield browser
        browser.close()


def decide(board: Seen) -> None:
    """Take one decision by clicks."""
    if board.at("cancel").count():
        board.click("cancel")
    kind, keys = board.wish()
    told = len(board.log)
    board.click(*keys)
    if kind == "take":
        board.click("confirm")
    elif kind != "answer":
        board.root.locator(f'[data-key^="{kind} "]').click()
    board.wait_for_lines(told + 1)


def measure() -> list[tuple[float, float]]:
    """Return the times of all clicks, in milliseconds: changed, and painted."""
    with TemporaryDirectory() as folder, run_server(Path(folder)) as server, new_browser() as made:
        desk = Desk(made, server)
        board = desk.run(GAME).board()
        decide(board)  # once for all that is only done the first time
        board.root.evaluate(WATCH)
        for _ in range(CLICKS):
            decide(board)
        desk.page.wait_for_function("most => window.times.length === most", arg=CLICKS)
        times: list[tuple[float, float]] = desk.page.evaluate("window.times")
        desk.close()
        return times


def main() -> None:
    """Print the median and the 95th percentile."""
    for what, times in zip(("changed", "painted"), zip(*measure(), strict=True), strict=True):
        slow = statistics.quantiles(times, n=20)[-1]
        print(f"click to {what}: median {statistics.median(times):5.1f} ms, 95 % {slow:5.1f} ms")
    print(f"({CLICKS} clicks; at most {TARGET_MS} ms to changed are wanted for 95 %)")
    print(f"(load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)")


if __name__ == "__main__":
    main()
