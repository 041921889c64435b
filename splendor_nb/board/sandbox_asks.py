"""What a sandbox can be asked about its position, answered beside the kernel's main thread."""

from __future__ import annotations

import math
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from splendor_nb.analysis.forced_win import ForcedWin, forced_win
from splendor_nb.analysis.solve import Solution, solve
from splendor_nb.board.words import Words
from splendor_nb.engine.forms import quoted, shortened
from splendor_nb.engine.state import State

SECONDS = 10.0  # for an exact value, if nothing is said
MOST_ROWS = 12  # of a table on the page
MOST_LINES = 40  # of a forced win on the page

_ONE_SOLVE = threading.Lock()  # a second one would be cut short when the first resets its depth


@dataclass(frozen=True, slots=True)
class Answer:
    """What is shown of an answer.

    Attributes
    ----------
    text
        In words; several lines where a line of play is told.
    columns, rows
        A table, where there is one.
    """

    text: str
    columns: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


class Asks:
    """Asks one question at a time about a position, and keeps its answer.

    Parameters
    ----------
    words
        The language of the answers.
    tell
        Called whenever there is something new to show.

    Attributes
    ----------
    state
        The position of the last question; `None` before the first.
    answer
        Its answer; `None` while there is none.

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> asks = Asks(Words(), lambda: None)
    >>> asks.ask(tiny_games()["blackboard"].start, "forced_win", turns=2)
    >>> asks.wait(60)
    >>> asks.answer.text.splitlines()[0]
    'Seat 0 wins within 2 of its turns, whatever the others do and whatever is revealed:'
    """

    def __init__(self, words: Words, tell: Callable[[], None]) -> None:
        self.words = words
        self.state: State | None = None
        self.answer: Answer | None = None
        self._tell = tell
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def is_running(self) -> bool:
        """Whether an answer is being looked for."""
        return self.state is not None and self.answer is None

    def ask(self, state: State, question: str, **limits: Any) -> None:
        """Look for an answer; one that is still looked for is given up.

        Parameters
        ----------
        state
            The position.
        question
            ``"solve"``, ``"forced_win"`` or ``"analyze"``.
        **limits
            As for the function of that name.

        Raises
        ------
        ValueError
            Where there is no such question.
        """
        if question not in tuple(_QUESTIONS):
            raise ValueError(
                f"A question is one of {quoted(_QUESTIONS)}, not {shortened(question)}."
            )
        self._stop.set()
        with self._lock:
            self.state, self.answer, self._stop = state, None, threading.Event()
            stop = self._stop
        self._tell()
        if sys.platform == "emscripten":  # no threads in a browser's kernel
            self._find(state, question, limits, stop)
            return
        job = (state, question, limits, stop)
        self._thread = threading.Thread(target=self._find, args=job, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Give up the question."""
        self._stop.set()
        if self.is_running:
            self.answer = Answer(self.words("sandbox.stopped"))
            self._tell()

    def wait(self, timeout: float | None = None) -> None:
        """Wait for the answer, at most so many seconds."""
        thread = self._thread
        if thread is not None:
            thread.join(timeout)

    def _find(
        self, state: State, question: str, limits: Mapping[str, Any], stop: threading.Event
    ) -> None:
        try:
            answer = _QUESTIONS[question](state, self.words, stop, limits)
        except (TypeError, ValueError) as error:  # what the question does not allow, in a sentence
            answer = Answer(str(error))
        except BaseException as error:
            self._settle(Answer(self.words("error.unexpected", text=repr(error))), stop)
            raise
        self._settle(answer, stop)

    def _settle(self, answer: Answer, stop: threading.Event) -> None:
        """Keep the answer, unless it was given up meanwhile."""
        with self._lock:
            if stop.is_set() or stop is not self._stop:
                return
            self.answer = answer
        self._tell()


# -- the questions ---------------------------------------------------------------------------------


def solve_position(state: State, *, seconds: float | None = SECONDS, **limits: Any) -> Solution:
    """Return the exact value of a position, one at a time; see `solve`.

    Raises
    ------
    TypeError, ValueError
        As for `solve`.

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> solve_position(tiny_games()["blackboard"].start).values
    (Fraction(1, 1), Fraction(0, 1))
    """
    with _ONE_SOLVE:
        return solve(state, seconds=seconds, **limits)


def analyze_position(state: State, **limits: Any) -> Any:  # a DataFrame, whose library comes late
    """Return what a search thinks of the actions, from what the seat to decide may know.

    Raises
    ------
    TypeError, ValueError
        As for `analyze`; also where the game is over.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> len(analyze_position(new_game(seed=7), agent="search", iterations=40))
    30
    """
    seat = state.current_player
    if seat is None:
        raise ValueError("The game is over: nothing is left to decide.")
    from splendor_nb.analysis.analyze import analyze

    return analyze(state.observation(seat), **limits)


def _solve(state: State, words: Words, stop: threading.Event, limits: Mapping[str, Any]) -> Answer:
    solution = solve_position(state, should_stop=stop.is_set, **limits)
    if solution.values is None:
        return Answer(words("sandbox.not_solved", why=solution.why_not))
    worth = words.join(
        [
            words("sandbox.worth", seat=seat, share=_share(value))
            for seat, value in enumerate(solution.values)
        ]
    )
    text = words(
        "sandbox.solved", worth=worth, horizon=solution.horizon, positions=f"{solution.positions:,}"
    )
    ranked = sorted(solution.actions.items(), key=lambda item: -item[1])
    rows = [(str(action), _share(share)) for action, share in ranked]
    columns = (words("sandbox.action"), words("sandbox.share", seat=solution.seat))
    return _cut(Answer(text, columns, rows), words)


def _forced_win(
    state: State, words: Words, stop: threading.Event, limits: Mapping[str, Any]
) -> Answer:
    win = forced_win(state, should_stop=stop.is_set, **limits)
    turns = limits.get("turns", 2)
    if not win.decided:
        return Answer(words("sandbox.undecided", positions=f"{win.positions:,}"))
    if win.turns is None:
        return Answer(words("sandbox.no_win", seat=win.seat, turns=_turns(turns, words)))
    return Answer("\n".join([_win_in_words(win, words), *_line_of(win, words)]))


def _win_in_words(win: ForcedWin, words: Words) -> str:
    return words("sandbox.win", seat=win.seat, turns=_turns(win.turns or 0, words))


def _line_of(win: ForcedWin, words: Words) -> list[str]:
    lines = list(win.line.lines())
    more = len(lines) - MOST_LINES
    return lines if more <= 0 else [*lines[:MOST_LINES], words("sandbox.more_lines", more=more)]


def _analyze(
    state: State, words: Words, stop: threading.Event, limits: Mapping[str, Any]
) -> Answer:
    table = analyze_position(state, should_stop=stop.is_set, **limits)
    columns = tuple(words(f"sandbox.{name}") for name in ("action", "wins", "visits", "line"))
    rows = [
        (
            row["action"],
            words(
                "sandbox.percent", share=_percent(row["win_share"]), error=_percent(row["error"])
            ),
            f"{row['visits']:,}",
            row["line"],
        )
        for row in table.to_dict("records")
    ]
    text = words(
        "sandbox.analyzed", seat=state.current_player, number=f"{table.attrs['iterations']:,}"
    )
    return _cut(Answer(text, columns, rows), words)


_QUESTIONS: Mapping[str, Callable[[State, Words, threading.Event, Mapping[str, Any]], Answer]] = {
    "solve": _solve,
    "forced_win": _forced_win,
    "analyze": _analyze,
}


def _cut(answer: Answer, words: Words) -> Answer:
    """Return an answer whose table is short enough to be read."""
    more = len(answer.rows) - MOST_ROWS
    if more <= 0:
        return answer
    text = f"{answer.text} {words('sandbox.more_rows', rows=MOST_ROWS, more=more)}"
    return Answer(text, answer.columns, answer.rows[:MOST_ROWS])


def _turns(number: int, words: Words) -> str:
    return words("sandbox.this_turn") if number == 1 else words("sandbox.turns", number=number)


def _share(share: Fraction) -> str:
    """Return an exact share, and what it is about where that is not plain."""
    return str(share) if share.denominator < 10 else f"{share} (about {float(share):.3f})"


def _percent(share: float) -> str:
    return "–" if math.isnan(share) else f"{100 * share:.0f}"
