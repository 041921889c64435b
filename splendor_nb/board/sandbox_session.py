"""A sandbox without widgets: any position, set up, taken back, branched and asked about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from splendor_nb.agents.referee import refuse_useless
from splendor_nb.agents.registry import HUMAN
from splendor_nb.analysis.forced_win import ForcedWin, forced_win
from splendor_nb.analysis.solve import Solution
from splendor_nb.board.course import Course
from splendor_nb.board.sandbox_asks import SECONDS, Asks, analyze_position, solve_position
from splendor_nb.board.sandbox_setup import set_up
from splendor_nb.board.sandbox_text import read_text, write_text
from splendor_nb.board.session import GameSession
from splendor_nb.board.table import Table, make_table
from splendor_nb.board.view import Json, Scene, page_view
from splendor_nb.board.words import LONGEST_NAME, Words
from splendor_nb.engine.forms import check_whole_number, quoted, shortened
from splendor_nb.engine.records import GameRecord
from splendor_nb.engine.rng import DEAL, Rng, checked_seed
from splendor_nb.engine.state import Observation, State, deal

_MARKED = ("board", "facts", "rematch", "static.alt")  # words of the board that say what it is


class SandboxWords(Words):
    """The words of a board that is openly marked as a sandbox.

    Parameters
    ----------
    language
        As for `Words`.

    Examples
    --------
    >>> SandboxWords()("board")
    'Splendor board, a sandbox'
    """

    def __init__(self, language: str = "en") -> None:
        super().__init__(language)
        marked = {key: self.texts[f"sandbox.{key}"] for key in _MARKED}
        self.texts = {**self.texts, **marked}


class SandboxSession(GameSession):
    """A sandbox: all seats are played by whoever sits there, and every card lies open.

    Parameters
    ----------
    table
        The seats, all of them people's, and how the position begins.
    seed
        The seed of the deal.
    record
        A game to go on with, in place of a fresh deal.
    words
        The language of all that is shown.

    Attributes
    ----------
    asks
        The question that was asked last at the page, with its answer.

    Examples
    --------
    >>> from splendor_nb.board.sandbox import sandbox
    >>> box = sandbox(seed=7)
    >>> box.act("take WUG")
    >>> box.branch("quick")
    'quick'
    >>> box.take_back()
    >>> box.state.turn, box.branches["quick"].turn
    (0, 1)
    """

    def __init__(
        self,
        table: Table,
        seed: int,
        *,
        record: GameRecord | None = None,
        words: Words | None = None,
    ) -> None:
        self._earlier: list[Course] = []  # what was on the board before each change by hand
        self._branches: dict[str, Course] = {}
        super().__init__(table, seed, record=record, words=words or SandboxWords())
        self.asks = Asks(self.words, self.tell)

    # -- back and forth ----------------------------------------------------------------------------

    @property
    def can_take_back(self) -> bool:
        """Whether there is something to take back."""
        return bool(self.course.steps or self._earlier)

    @property
    def branches(self) -> Mapping[str, State]:
        """The positions that are kept, by name."""
        return {name: course.state for name, course in self._branches.items()}

    def take_back(self, actions: int = 1) -> None:
        """Take back decisions, one after the other; a set-up counts as one too.

        Raises
        ------
        TypeError, ValueError
            Where there are not so many; nothing is changed.

        Examples
        --------
        >>> from splendor_nb.board.sandbox import sandbox
        >>> sandbox(seed=7).take_back()
        Traceback (most recent call last):
        ValueError: There is nothing left to take back.
        """
        actions = check_whole_number("actions", actions, 1)
        with self._lock:
            course, earlier = self.course, list(self._earlier)
            for _ in range(actions):
                if course.steps:
                    course = _copied(course, len(course.steps) - 1)
                elif earlier:
                    course = earlier.pop()
                else:
                    raise ValueError(self.words("sandbox.nothing"))
            self._earlier = earlier
            self._show(course)

    def branch(self, name: str | None = None) -> str:
        """Keep this position, with the way to it, and return the name it is kept under.

        Parameters
        ----------
        name
            Any text that no branch has yet; `None` makes one up.

        Raises
        ------
        TypeError, ValueError
            Where it is no such text.
        """
        with self._lock:
            called = self.next_name() if name is None else _checked_name(name, self._branches)
            self._branches[called] = _copied(self.course)
            self.tell()
        return called

    def next_name(self) -> str:
        """Return a name that no branch has yet.

        Examples
        --------
        >>> from splendor_nb.board.sandbox import sandbox
        >>> sandbox(seed=7).next_name()
        'Branch 1'
        """
        numbers = range(1, len(self._branches) + 2)
        names = [self.words("sandbox.name_any", number=number) for number in numbers]
        return next(name for name in names if name not in self._branches)

    def return_to(self, name: str) -> None:
        """Go on from a position that was kept; it stays kept.

        Raises
        ------
        ValueError
            Where there is no branch of that name; the message names those that there are.

        Examples
        --------
        >>> from splendor_nb.board.sandbox import sandbox
        >>> sandbox(seed=7).return_to("late")
        Traceback (most recent call last):
        ValueError: There is no branch 'late'; there are: none yet.
        """
        with self._lock:
            if name not in tuple(self._branches):  # which needs no hash
                known = quoted(self._branches) or "none yet"
                raise ValueError(f"There is no branch {shortened(name)}; there are: {known}.")
            self._put(_copied(self._branches[name]))

    def new_game(self, table: Table | None = None, *, seed: int | None = None) -> None:
        """Go back to where this line of play began; with a seed, deal anew.

        Raises
        ------
        TypeError, ValueError
            Where a table is given, since the seats are those of the position; or no seed.
        """
        refuse_useless("The seats of a sandbox are those of its position", table=table)
        start = self.course.start
        if seed is not None:
            rng = Rng.stream(checked_seed(seed), 0, DEAL)
            start = deal(start.tables, start.players, rng, start.first_player)
        with self._lock:
            self._put(Course(start))

    # -- set-up ------------------------------------------------------------------------------------

    def set_up(self, **wishes: Any) -> None:
        """Change the position by hand; the turn of the seat to move then begins.

        Cards come from wherever they lie. Those that lie nowhere then go below their deck, market
        slots that they leave are refilled [R12], and the bank holds what the seats do not.

        Parameters
        ----------
        tokens
            Gems by seat: ``{0: "2W K *"}``, or as mappings.
        bank
            Gems; only where they fit those of the seats.
        bonuses
            Colors by seat, ``{1: "3W U"}``: a seat keeps the cards that fit and gets the cheapest
            others of the decks.
        bought, reserved
            Cards by seat, in order of time: ``{0: "1W1 2U5"}``; reserved unseen as ``"?2U5"``.
        visits
            Nobles by seat, ``{0: "WUK"}``.
        nobles
            The nobles on the table, ``"WUK RK GR"``.
        market
            Four cards by level, ``{1: "1W1 1U1 1G1 1R1"}``; ``"-"`` for an empty slot.
        decks
            The next cards by level, the first on top; the others follow below them.
        current_player, first_player, turn
            Who is to move, who began, and how many turns are finished.
        **wishes
            Rule options, such as ``target=10``.

        Raises
        ------
        RecordError
            Where the parts then disagree or break a rule; the message names the place.
        TypeError, ValueError
            Where a wish has another form than it can have. Nothing is changed then either.

        Examples
        --------
        >>> from splendor_nb.board.sandbox import sandbox
        >>> box = sandbox(seed=7)
        >>> box.set_up(tokens={1: "3W 2K"}, bonuses={0: "WWU"}, current_player=1)
        >>> box.state.bank["W"], len(box.state.seats[0].bought), box.state.current_player
        (1, 3, 1)
        """
        with self._lock:
            self._put(Course(set_up(self.state, wishes)))

    def to_text(self) -> str:
        """Return the position as text, which `paste` reads."""
        return write_text(self.state)

    def paste(self, text: str) -> None:
        """Put the position on the board that a text holds, or the game as far as it came.

        Raises
        ------
        RecordError
            Where it holds none, or one that breaks a rule; nothing is changed.
        TypeError
            Where it is no text.

        Examples
        --------
        >>> from splendor_nb.board.sandbox import sandbox
        >>> one, other = sandbox(seed=7), sandbox(seed=8)
        >>> other.paste(one.to_text())
        >>> other.state == one.state
        True
        """
        found = read_text(text)
        with self._lock:
            self._put(course_of(found))

    def _put(self, course: Course) -> None:
        """Put a course on the board by hand, which can be taken back."""
        self._earlier.append(self.course)
        self._show(course)

    def _show(self, course: Course) -> None:
        if course.start.players != len(self.seats):
            self.table = sandbox_table(course.start, self.words)
        self.course = course
        self.error = ""
        self.changed()

    # -- asking ------------------------------------------------------------------------------------

    def solve(self, *, seconds: float | None = SECONDS, **limits: Any) -> Solution:
        """Return the exact value of the position, or that it is not solved; see `solve`.

        Raises
        ------
        TypeError, ValueError
            As for `solve`.

        Examples
        --------
        >>> from splendor_nb.board.sandbox import sandbox
        >>> sandbox(seed=7).solve(open_decks=True, positions=100)
        <not solved: the search stopped after 100 positions>
        """
        return solve_position(self.state, seconds=seconds, **limits)

    def forced_win(self, turns: int = 2, **limits: Any) -> ForcedWin:
        """Return whether the seat to move wins whatever comes; see `forced_win`.

        Raises
        ------
        TypeError, ValueError
            As for `forced_win`.

        Examples
        --------
        >>> from splendor_nb.board.sandbox import sandbox
        >>> sandbox(seed=7).forced_win(turns=1)
        <seat 0 has no forced win; 0 positions>
        """
        return forced_win(self.state, turns, **limits)

    def analyze(self, **limits: Any) -> Any:
        """Return what a search thinks of each action of the seat to move; see `analyze`.

        Raises
        ------
        TypeError, ValueError
            As for `analyze`.
        """
        return analyze_position(self.state, **limits)

    # -- for the page ------------------------------------------------------------------------------

    def view(self) -> Json:
        """Return the view for the page, which says that this is a sandbox."""
        with self._lock:
            view = page_view(
                _OpenScene(
                    course=self.course,
                    step=len(self.course.steps),
                    seats=self.seats,
                    words=self.words,
                    viewer=self._viewer(),
                    deciding=self._person_decides(),
                    alone=False,
                    error=self.error,
                    result=self.result,
                    version=self.version,
                )
            )
            return {**view, "status": self.words("sandbox.status", status=view["status"])}

    def text(self) -> str:
        """Return the text board with everything face up."""
        return self.state.text(reveal=True)

    def _is_open(self, seat: int) -> bool:
        return True

    def __repr__(self) -> str:
        kept = ", ".join(shortened(name, 30) for name in self._branches)
        return f"<sandbox{f', branches: {kept}' if kept else ''}>\n{self.text()}"


class _OpenScene(Scene):
    """A scene in which nothing lies face down but the decks."""

    __slots__ = ()

    def observation(self) -> Observation:
        """Return the whole truth, as whoever is to move sees it."""
        state = self.course.state_at(self.step)
        return Observation(state.numbers(), state.tables, self.viewer or 0)

    def face_up(self, seat: int) -> bool:
        """Return whether the unseen reserves of a seat may be shown: all of them."""
        return True


def course_of(found: State | GameRecord) -> Course:
    """Return the course of a game, or one that begins with a position.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> len(course_of(new_game(seed=7)).steps)
    0
    """
    if isinstance(found, GameRecord):
        return Course(found.start, found.actions)
    return Course(found)


def sandbox_table(start: State, words: Words, names: Any = None) -> Table:
    """Return a table for as many people as the position has seats.

    Raises
    ------
    TypeError, ValueError
        Where the names are not one text for each seat.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> [seat.name for seat in sandbox_table(new_game(seed=7), SandboxWords()).seats]
    ['Seat 0', 'Seat 1']
    """
    seats = range(start.players)
    called = [words("sandbox.seat", seat=seat) for seat in seats] if names is None else names
    return make_table([HUMAN] * start.players, words, names=called, start=start)


def _copied(course: Course, steps: int | None = None) -> Course:
    """Return a course of its own, as far as its first steps."""
    copy = Course(course.start)
    copy.steps = course.steps[:steps]
    return copy


def _checked_name(name: object, taken: Mapping[str, object]) -> str:
    if not isinstance(name, str):
        raise TypeError(f"The name of a branch is a text, not {shortened(name)}.")
    called = " ".join(name.split())
    if not 1 <= len(called) <= LONGEST_NAME:
        raise ValueError(f"The name of a branch has 1 to {LONGEST_NAME} letters.")
    if called in taken:
        raise ValueError(f"There is a branch {called!r} already; take another name.")
    return called
