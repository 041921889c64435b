"""Hints and an evaluation for the person to decide: a search that thinks beside the game.

It gets what that person may know, and nothing else.
"""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable, Collection
from typing import Any

from splendor_nb.agents.champion import why_not_trained
from splendor_nb.agents.thoughts import Candidate, Thoughts
from splendor_nb.analysis.changes import change_by
from splendor_nb.analysis.verdicts import make_thinker, think
from splendor_nb.board.words import Words
from splendor_nb.engine.forms import check_whole_number, shortened
from splendor_nb.engine.notation import Action
from splendor_nb.engine.state import Observation

HINTS = {"off": 0, "limited": 3, "free": None}  # a game
MOST_HINTS = 1000
LINES = 3  # actions that a hint names
ITERATIONS, TREES = 1600, 2

Json = dict[str, Any]


class Advisor:
    """Thinks about the decision of a person, beside the kernel, and says so on the board.

    Parameters
    ----------
    words
        The language of what it says.
    tell
        Called when there is something new to show.
    fail
        Called with what went wrong, which nothing else would show.
    hints
        How many hints a game has; `None` for as many as somebody wants.
    evaluation
        Whether the chance of winning is shown all the time.

    Attributes
    ----------
    left
        How many hints are left in this game.
    """

    def __init__(
        self,
        words: Words,
        tell: Callable[[], None],
        fail: Callable[[BaseException], None],
        *,
        hints: int | None = 0,
        evaluation: bool = False,
    ) -> None:
        self.hints = self.left = hints
        self.evaluation = evaluation
        self._words = words
        self._tell = tell
        self._fail = fail
        self._lock = threading.Lock()
        self._subject: Observation | None = None  # what is thought about
        self._thoughts: Thoughts | None = None  # and what was found out
        self._thread: threading.Thread | None = None
        self._asked = False
        self._alone = True
        self._share: float | None = None  # the last evaluation, until there is another

    def begin(self) -> None:
        """Begin another game, with all its hints."""
        self.left, self._share = self.hints, None
        self.look(None)

    def set(self, *, hints: int | None, evaluation: bool) -> None:
        """Change what is shown from now on; another number of hints counts from the beginning."""
        if hints != self.hints:
            self.hints = self.left = hints
        self.evaluation = evaluation
        self._think_if_wanted()

    def look(self, observation: Observation | None, *, alone: bool = True) -> None:
        """Look at what the person to decide may know; `None` where nobody decides.

        Parameters
        ----------
        alone
            Whether no other person looks on. If one does, there is no evaluation: what stays on
            the screen would tell that person something of what lies face down.
        """
        with self._lock:
            self._alone = alone
            if observation == self._subject:
                return
            self._subject, self._thoughts, self._asked = observation, None, False
        self._think_if_wanted()

    def ask(self) -> None:
        """Give a hint for this decision; asking again for the same one costs none."""
        if self._subject is None or self._asked or self.left == 0:
            return
        self._asked = True
        if self.left is not None:
            self.left -= 1
        self._think_if_wanted()

    def view(self, secret: Collection[str] = ()) -> Json | None:
        """Return what the page shows; `None` where nothing is wanted.

        Parameters
        ----------
        secret
            Names of cards that still lie face down, which no hint may tell.
        """
        evaluation = self._evaluates()
        if self.hints == 0 and not evaluation:
            return None
        share = self._share if evaluation else None
        return {
            "hint": self._hint_control(),
            "thinking": self._asked and self._thoughts is None,
            "lines": self._lines(secret) if self._asked else [],
            "evaluation": evaluation,
            "share": None if share is None else round(100 * share),
        }

    def wait(self, timeout: float | None = None) -> None:
        """Wait until it has stopped thinking, at most so many seconds."""
        thread = self._thread
        if thread is not None:
            thread.join(timeout)

    # -- thinking ----------------------------------------------------------------------------------

    def _think_if_wanted(self) -> None:
        with self._lock:
            running = self._thread is not None and self._thread.is_alive()
            if running or not self._is_wanted():
                return
            threads = sys.platform != "emscripten"  # a browser's kernel has none
            if threads:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
        if not threads:
            self._find_out()

    def _is_wanted(self) -> bool:
        return (
            self._subject is not None
            and self._thoughts is None
            and (self._asked or self._evaluates())
        )

    def _evaluates(self) -> bool:
        return self.evaluation and self._alone

    def _run(self) -> None:
        try:
            self._find_out()
        except BaseException as error:
            self._fail(error)
            raise

    def _find_out(self) -> None:
        """Think about whatever is the subject, until all that is wanted has been found out."""
        while True:
            with self._lock:
                subject = self._subject
                if subject is None or not self._is_wanted():
                    self._thread = None
                    return
            thoughts = self._think(subject)
            with self._lock:
                if subject is not self._subject:
                    continue
                self._thoughts = thoughts
                self._share = thoughts.candidates[0].value
            self._tell()

    def _think(self, subject: Observation) -> Thoughts:
        trained = not why_not_trained(subject.tables, subject.players)
        thinker = make_thinker(
            "champion" if trained else "search", iterations=ITERATIONS, trees=TREES
        )
        return think(thinker, subject, should_stop=lambda: subject is not self._subject)

    # -- what is said ------------------------------------------------------------------------------

    def _hint_control(self) -> Json | None:
        if self.hints == 0:
            return None
        words, left = self._words, self.left
        label = words("advice.hint") if left is None else words("advice.hint_left", left=left)
        why = ""
        if self._subject is None:
            why = words("not_now")
        elif left == 0 and not self._asked:
            why = words("advice.none_left")
        return {"label": label, "why": why}

    def _lines(self, secret: Collection[str]) -> list[Json]:
        if self._thoughts is None or self._subject is None:
            return []
        open_ones = [one for one in self._thoughts.candidates if one.action.card not in secret]
        return [
            self._line(self._subject, one) for one in open_ones[:LINES] if one.value is not None
        ]

    def _line(self, subject: Observation, one: Candidate) -> Json:
        share = round(100 * (one.value or 0.0))
        return {
            "action": str(one.action),
            "text": action_in_words(one.action, subject, self._words),
            "share": self._words("advice.share", share=share),
            "why": change_by(subject, one.action).in_words(self._words.texts, self._words.join),
        }


def action_in_words(action: Action, view: Observation, words: Words) -> str:
    """Return what to do, in words.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> view = new_game(players=2, seed=7).observation(0)
    >>> action_in_words(Action("take WUG"), view, Words())
    'Take 1 white, 1 blue and 1 green'
    """
    if action.kind == "reserve" and action.card is None:
        return words("advice.reserve_unseen", level=action.level)
    titles = {noble.name: noble.title or noble.name for noble in view.nobles}
    gems = words.gems(Counter(action.gems or ""))
    noble = titles.get(action.noble or "", action.noble)
    return words(f"advice.{action.kind}", gems=gems, card=action.card, noble=noble)


def checked_hints(hints: str | int) -> int | None:
    """Return how many hints a game has; `None` for as many as somebody wants.

    Raises
    ------
    TypeError, ValueError
        Where it is neither a number nor one of `HINTS`.

    Examples
    --------
    >>> checked_hints("limited"), checked_hints(5), checked_hints("free")
    (3, 5, None)
    """
    if isinstance(hints, str):
        if hints not in HINTS:
            raise ValueError(
                f"hints is 'off', 'limited' (3 a game), 'free' or a number, not {shortened(hints)}."
            )
        return HINTS[hints]
    return check_whole_number("hints", hints, 0, MOST_HINTS)
