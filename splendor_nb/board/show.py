"""Puts a game into the cell: the board, the controls around it, and its static twin."""

from __future__ import annotations

import asyncio
from typing import Any

import ipywidgets
from IPython import get_ipython
from IPython.display import HTML, display

from splendor_nb.board.board import DIRECTIONS, SIZES, Board, check_one_of
from splendor_nb.board.controls import PlainControls, Settings
from splendor_nb.board.pace import Pace
from splendor_nb.board.review import Review, ReviewPanel
from splendor_nb.board.session import GameSession, Replay
from splendor_nb.charts.svg import img_html, position_svg

UIS = ("board", "controls")
PICTURE_DELAY_S = 0.1


class Panel(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """A board with the controls around it; its text tells what to do where it is not live."""

    def __repr__(self) -> str:
        return "Splendor: run this cell (Shift+Enter) to play"


def show(
    shown: GameSession | Replay,
    *,
    ui: str = "board",
    controls: bool = True,
    speed: str = "normal",
    size: str = "normal",
    direction: str = "ltr",
) -> None:
    """Display a game or a replay in this cell, if there is a notebook to show it.

    Raises
    ------
    ValueError
        Where `ui`, `speed`, `size` or `direction` is not one that there is.
    """
    check_one_of("ui", ui, UIS)
    check_one_of("size", size, SIZES)
    check_one_of("dir", direction, DIRECTIONS)
    pace = Pace(shown, speed) if isinstance(shown, GameSession) else None
    parts: list[Any] = []
    if ui == "board":
        parts.append(Board(shown, pace, size=size, direction=direction))
        if controls and pace is not None:
            parts.insert(0, Settings(pace, parts[0]))
        if controls:
            parts.append(ReviewPanel(Review(shown), direction=direction))
    else:
        parts.append(PlainControls(shown, pace))
    _Display(shown, Panel(parts), live=ui == "board").open()
    if pace is not None:
        pace.session.let_agents_play = pace.start
        pace.start()


class _Display:
    """What stands in the cell: the live panel, and an image of the position for later readers."""

    def __init__(self, shown: GameSession | Replay, panel: Panel, *, live: bool) -> None:
        self.shown = shown
        self.panel = panel
        self.live = live
        self.drawn: Any = None
        self.twin: Any = None
        self.cell: int | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self.due = False

    def open(self) -> None:
        self.shown.show_again = self.again
        self.shown.on_change(self.redraw)
        self.again()

    def again(self) -> None:
        """Show the panel in the cell that runs now, once."""
        shell = get_ipython()
        if shell is None or self.cell == shell.execution_count:
            return
        self.cell = shell.execution_count
        display(self.panel)
        self.drawn = self.shown.state
        self.twin = display(self.picture(), display_id=True)
        self.loop = _loop_of_kernel()

    def redraw(self) -> None:
        """Bring the picture up to date when the kernel has time, or the cell that runs now ends.

        The live board goes first: nobody looks at the picture while it is there.
        """
        loop = self.loop
        if loop is None:
            self.follow()
        elif not self.due:
            get_ipython().events.register("post_run_cell", self.follow)
            self.due = True
            loop.call_soon_threadsafe(lambda: loop.call_later(PICTURE_DELAY_S, self.follow))

    def follow(self, _cell: object = None) -> None:
        """Bring the picture up to date now."""
        if self.due:
            self.due = False  # first, or a change that comes meanwhile would be missed
            get_ipython().events.unregister("post_run_cell", self.follow)
        if self.twin is not None and self.shown.state is not self.drawn:
            self.drawn = self.shown.state
            self.twin.update(self.picture())

    def picture(self) -> Any:
        state = self.shown.state
        names = [seat.name for seat in self.shown.seats]
        key = "static.run" if self.live else "static.controls"
        words = self.shown.words
        svg = position_svg(state, names=names, last=self.shown.last_actions())
        return HTML(img_html(svg, words("static.alt"), words(key)))


def _loop_of_kernel() -> asyncio.AbstractEventLoop | None:
    """Return the loop in which a kernel runs this cell; `None` where there is no kernel."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
