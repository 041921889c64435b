"""Lets agents play at a pace that a person can follow, without ever blocking the kernel."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping

from splendor_nb.board.course import Course
from splendor_nb.board.session import GameSession
from splendor_nb.engine.forms import quoted, shortened

PACES: Mapping[str, float] = {"slow": 1.6, "normal": 0.8, "fast": 0.3, "instant": 0.0}  # seconds


class Pace:
    """Runs the agents of a session beside the kernel, with a pause before each of their turns.

    Parameters
    ----------
    session
        The game.
    speed
        One of `PACES`.

    Raises
    ------
    ValueError
        Where there is no such speed; the message names those that there are.
    """

    def __init__(self, session: GameSession, speed: str = "normal") -> None:
        self.session = session
        self.speed = checked_speed(speed)
        self._hurry = threading.Event()
        session.should_stop = self._hurry.is_set
        self._start = threading.Lock()
        self._thread: threading.Thread | None = None
        self._course: Course | None = None  # the game that the thread plays

    def start(self) -> None:
        """Let the agents play until a person decides, if one of them has the decision."""
        with self._start:
            if not self.session.agent_decides() or self._is_running():
                return
            if sys.platform == "emscripten":  # no threads in a browser's kernel
                self.session.play_agents()
                return
            self._hurry.clear()
            self._course = self.session.course
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()

    def hurry(self) -> None:
        """Do not pause or think longer until a person decides again."""
        self._hurry.set()

    def _is_running(self) -> bool:
        """Return whether a thread plays the game; one that still thinks in an old game is left."""
        thread = self._thread
        return thread is not None and thread.is_alive() and self._course is self.session.course

    def _run(self) -> None:
        try:
            while self._go_on():
                turn = self.session.state.turn
                self._hurry.wait(PACES[self.speed])
                while self._go_on() and self.session.state.turn == turn:
                    self.session.play_agent()
        except BaseException as error:  # an agent may even try to leave Python
            self.session.fail(error)
            raise

    def _go_on(self) -> bool:
        """Return whether this thread has an agent to ask; if not, the next `start` needs another.

        A new game may have begun meanwhile, with a thread of its own.
        """
        with self._start:
            if self._thread is not threading.current_thread():
                return False
            if self.session.agent_decides() and self._course is self.session.course:
                return True
            self._thread = None
            return False


def checked_speed(speed: str) -> str:
    """Return the speed if there is one of that name.

    Raises
    ------
    ValueError
        With the names that there are.
    """
    if speed not in tuple(PACES):  # which needs no hash
        raise ValueError(f"speed is one of {quoted(PACES)}, not {shortened(speed)}.")
    return speed
