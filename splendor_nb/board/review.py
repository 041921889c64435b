"""The analysis of a finished game beside its board: who was winning, and the largest mistakes."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from splendor_nb.agents.champion import why_not_trained
from splendor_nb.analysis.verdicts import Verdict, judge, largest_mistakes, make_thinker
from splendor_nb.board.advice import action_in_words
from splendor_nb.board.session import GameSession, Replay
from splendor_nb.board.words import name_in_sentence
from splendor_nb.engine.records import GameRecord

Json = dict[str, Any]

_HERE = Path(__file__).parent


class Review:
    """Judges every decision of a finished game, beside the kernel, and shows where it was lost.

    Each decision is judged from what its seat knew then.

    Parameters
    ----------
    shown
        The replay, or the game in progress, which can be reviewed once it is over.

    Attributes
    ----------
    verdicts
        What has been found out so far.
    """

    def __init__(self, shown: GameSession | Replay) -> None:
        self.shown = shown
        self.verdicts: list[Verdict] = []
        self._record: GameRecord | None = None  # the game that they are about
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._listeners: list[Callable[[], None]] = []
        shown.on_change(self._follow)

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call the listener after every change."""
        self._listeners.append(listener)

    @property
    def is_running(self) -> bool:
        """Whether a game is being judged now."""
        return self._thread is not None

    def start(self) -> None:
        """Judge the game, if it is over and that is not done yet."""
        if self._thread is not None or not self.shown.is_over():
            return
        record = self.shown.record
        if self._record == record:
            return
        self._record, self.verdicts = record, []
        self._stop.clear()
        if sys.platform == "emscripten":  # no threads in a browser's kernel
            self._judge(record)
            return
        self._thread = threading.Thread(target=self._run, args=(record,), daemon=True)
        self._thread.start()
        self._tell()

    def stop(self) -> None:
        """Stop judging; what has been found out stays, and the next start begins anew."""
        self._stop.set()

    def wait(self, timeout: float | None = None) -> None:
        """Wait until the game is judged, at most so many seconds."""
        thread = self._thread
        if thread is not None:
            thread.join(timeout)

    def handle(self, message: Mapping[str, Any]) -> None:
        """Do what a message of the page asks for."""
        kind, step = message.get("type"), message.get("step")
        if kind == "analyze":
            self.start()
        elif kind == "stop":
            self.stop()
        elif kind == "goto" and type(step) is int:
            self.go_to(step)
        elif kind == "back" and isinstance(self.shown, GameSession):
            self.shown.look_back(None)

    def go_to(self, step: int) -> None:
        """Show the position before a decision on the board, as its seat saw it."""
        seat = next((one.seat for one in self.verdicts if one.step == step), None)
        if isinstance(self.shown, GameSession):
            self.shown.look_back(step, viewer=seat)
        else:
            self.shown.viewer = seat
            self.shown.go_to(step)

    def view(self) -> Json:
        """Return what the page shows: nothing while the game goes on."""
        shown, words = self.shown, self.shown.words
        if not shown.is_over():
            return {"phase": "off"}
        past = shown.past if isinstance(shown, GameSession) else shown
        return {
            "phase": self._phase(),
            "title": words("review.title"),
            "note": words("review.note"),
            "analyze": words("review.analyze"),
            "stop": words("review.stop"),
            "back": words("review.back") if isinstance(shown, GameSession) and past else "",
            "done": len(self.verdicts),
            "steps": len(shown.record.actions),
            "progress": words(
                "review.progress", done=len(self.verdicts), steps=len(shown.record.actions)
            ),
            "step": None if past is None else past.step,
            "lines": [self._line(seat) for seat in range(len(shown.seats))],
            "mistakes": [self._mistake(one) for one in largest_mistakes(self.verdicts)],
            "none": words("review.none"),
            "chart": words("review.chart"),
        }

    # -- judging -----------------------------------------------------------------------------------

    def _run(self, record: GameRecord) -> None:
        try:
            self._judge(record)
        except BaseException as error:
            self.shown.fail(error)
            raise
        finally:
            self._thread = None
            self._tell()

    def _judge(self, record: GameRecord) -> None:
        tables, players = record.start.tables, record.start.players
        trained = not why_not_trained(tables, players)
        thinker = make_thinker("champion" if trained else "search")
        for verdict in judge(record, thinker, should_stop=self._stop.is_set):
            if self._record is not record:
                return
            self.verdicts.append(verdict)
            self._tell()
        if self._stop.is_set():
            self._record = None

    def _follow(self) -> None:
        """Forget what was found out once another game has begun."""
        if self._record is not None and self.shown.course.start != self._record.start:
            self._record, self.verdicts = None, []
            self._stop.set()
        self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()

    # -- what is shown -----------------------------------------------------------------------------

    def _phase(self) -> str:
        if self._thread is not None:
            return "running"
        return "done" if self.verdicts else "idle"

    def _line(self, seat: int) -> Json:
        """Return the chances of a seat at its own decisions, in percent."""
        return {
            "seat": seat,
            "name": self.shown.seats[seat].name,
            "points": [
                [one.step, round(100 * one.best_share, 1)]
                for one in self.verdicts
                if one.seat == seat and one.best_share is not None
            ],
        }

    def _mistake(self, one: Verdict) -> Json:
        words = self.shown.words
        view = self.shown.course.state_at(one.step).observation(one.seat)
        text = words(
            "review.mistake",
            turn=one.turn + 1,
            name=name_in_sentence(self.shown.seats[one.seat].name),
            done=action_in_words(one.action, view, words),
            best=action_in_words(one.best, view, words),
            loss=round(100 * one.loss),
        )
        share = round(100 * (one.share or 0.0), 1)
        return {"step": one.step, "seat": one.seat, "text": text, "share": share}


class ReviewPanel(anywidget.AnyWidget):
    """The review of a game on the page, below its board.

    Parameters
    ----------
    review
        What it shows and obeys.
    direction
        ``"ltr"`` or ``"rtl"``.
    """

    _esm = _HERE / "review.js"
    _css = _HERE / "review.css"
    view = traitlets.Dict().tag(sync=True)
    dir = traitlets.Unicode("ltr").tag(sync=True)

    def __init__(self, review: Review, *, direction: str = "ltr") -> None:
        super().__init__(view=review.view(), dir=direction)
        self.review = review
        review.on_change(self._redraw)
        self.on_msg(self._hear)

    def __repr__(self) -> str:
        return "<Splendor review>"

    def _redraw(self) -> None:
        self.view = self.review.view()

    def _hear(self, _widget: object, message: dict[str, Any], _buffers: object) -> None:
        """Do what the page asks for; what goes wrong is shown on the board."""
        try:
            self.review.handle(message)
        except Exception as error:
            self.review.shown.fail(error)
            raise
