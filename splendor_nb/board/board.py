"""The board: a widget that draws a view on the page and hears what a person wants."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anywidget
import traitlets

from splendor_nb.board.pace import Pace
from splendor_nb.board.session import GameSession, Replay
from splendor_nb.engine.forms import quoted, shortened

SIZES = ("normal", "large")
DIRECTIONS = ("ltr", "rtl")

_HERE = Path(__file__).parent


class Board(anywidget.AnyWidget):
    """A board on the page.

    Parameters
    ----------
    shown
        The game in progress or the replay.
    pace
        What lets the agents play, for a game in progress.
    size
        ``"normal"``, or ``"large"`` for a projector.
    direction
        ``"ltr"`` or ``"rtl"``.

    Raises
    ------
    ValueError
        For another size or direction.
    """

    _esm = _HERE / "board.js"
    _css = _HERE / "board.css"
    view = traitlets.Dict().tag(sync=True)
    texts = traitlets.Dict().tag(sync=True)
    dir = traitlets.Unicode("ltr").tag(sync=True)
    size = traitlets.Unicode("normal").tag(sync=True)

    def __init__(
        self,
        shown: GameSession | Replay,
        pace: Pace | None = None,
        *,
        size: str = "normal",
        direction: str = "ltr",
    ) -> None:
        check_one_of("size", size, SIZES)
        check_one_of("dir", direction, DIRECTIONS)
        super().__init__(view=shown.view(), texts=dict(shown.words.texts), size=size, dir=direction)
        self._shown = shown
        self._pace = pace
        shown.on_change(self._redraw)
        self.on_msg(self._hear)

    def __repr__(self) -> str:
        return "<Splendor board>"

    def _redraw(self) -> None:
        self.view = self._shown.view()

    def _hear(self, _widget: object, message: dict[str, Any], _buffers: object) -> None:
        """Do what the page asks for; what goes wrong is shown there, since nothing else would."""
        try:
            self._shown.handle(message)
            if self._pace is not None:
                if message.get("type") == "skip":
                    self._pace.hurry()
                self._pace.start()
        except Exception as error:
            self._shown.fail(error)
            raise


def check_one_of(what: str, value: str, allowed: tuple[str, ...]) -> None:
    """Refuse a value that is not allowed.

    Raises
    ------
    ValueError
        With the values that are.
    """
    if value not in allowed:
        raise ValueError(f"{what} is one of {quoted(allowed)}, not {shortened(value)}.")
