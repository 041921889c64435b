"""Measures how soon the board answers a click in JupyterLab: ``python tests/bench_board.py``.

A game is played by a mouse. The page itself takes the time from the click to the change that
Python's answer makes of it, and until two pictures of the screen later, when that change can be
seen. What an empty question to the kernel takes between the clicks is the least that is possible.
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
PAUSE_MS = 400
PRESS_MS = 80
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
ASK = """
async () => {
  const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
  const wait = () => new Promise(resolve => setTimeout(resolve, 300));
  await wait();
  const start = performance.now();
  await kernel.requestCommInfo({target_name: 'none'});
  const time = performance.now() - start;
  await wait();
  return [time];
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
    """Take one decision by clicks, at the pace of a person."""
    kind, keys = board.wish()
    told = len(board.log)
    if kind == "answer":
        last = board.at(keys.pop())
    elif kind == "take":
        last = board.at("confirm")
    else:
        last = board.root.locator(f'[data-key^="{kind} "]')
    board.click(*keys)
    last.hover()
    page = board.root.page
    page.wait_for_timeout(PAUSE_MS)
    page.mouse.down()
    page.wait_for_timeout(PRESS_MS)
    page.mouse.up()
    board.wait_for_lines(told + 1)


def measure() -> dict[str, list[float]]:
    """Return times in milliseconds, by what they are the times of."""
    with TemporaryDirectory() as folder, run_server(Path(folder)) as server, new_browser() as made:
        desk = Desk(made, server)
        board = desk.run(GAME).board()
        decide(board)  # once for all that is only done the first time
        board.root.evaluate(WATCH)
        asked: list[float] = []
        for _ in range(CLICKS):
            decide(board)
            asked += desk.page.evaluate(ASK)
        desk.page.wait_for_function("most => window.times.length === most", arg=CLICKS)
        changed, painted = zip(*desk.page.evaluate("window.times"), strict=True)
        desk.close()
        return {"click to changed": changed, "click to painted": painted, "empty question": asked}


def main() -> None:
    """Print the median and the 95th percentile."""
    for what, times in measure().items():
        slow = statistics.quantiles(times, n=20)[-1]
        print(f"{what:16} median {statistics.median(times):6.1f} ms, 95 % {slow:6.1f} ms")
    print(f"({CLICKS} clicks; at most {TARGET_MS} ms to changed are wanted for 95 %)")
    print(f"(load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)")


if __name__ == "__main__":
    main()
