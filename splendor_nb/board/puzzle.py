"""Puzzles on the board: tries are checked, refuted and counted, and the others resist."""

from __future__ import annotations

from collections import Counter
from html import escape

import ipywidgets
from IPython import get_ipython
from IPython.display import display

from splendor_nb.agents.registry import HUMAN
from splendor_nb.analysis.budget import Budget
from splendor_nb.analysis.forced_line import turn_words
from splendor_nb.analysis.forced_win import winning_actions
from splendor_nb.analysis.forcing import Forcing
from splendor_nb.analysis.puzzles import Puzzle, hint, refute
from splendor_nb.analysis.turns import Turn, turns_from
from splendor_nb.board.session import GameSession
from splendor_nb.board.show import show
from splendor_nb.board.table import Table
from splendor_nb.board.words import Words
from splendor_nb.engine import rules
from splendor_nb.engine.errors import SplendorError
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.notation import Action
from splendor_nb.engine.records import Player
from splendor_nb.engine.rng import Rng
from splendor_nb.engine.state import Observation, State

HINTS = 3


class WrongTryError(SplendorError):
    """An action of a puzzle that does not win; the message says how it is refuted."""


class PuzzleSession(GameSession):
    """A puzzle that somebody works at: a game in which only what wins is accepted.

    Parameters
    ----------
    puzzle
        The puzzle.
    words
        The language of the board.

    Attributes
    ----------
    puzzle
        The puzzle.
    tries
        How many wrong actions have been tried.
    hints
        How many hints have been given for the present decision.
    told
        The last hint for the present decision; empty where none was given.

    Examples
    --------
    >>> from splendor_nb.analysis.puzzles import puzzles
    >>> session = PuzzleSession(puzzles(turns=1)[0])
    >>> session.act(session.puzzle.solution)
    >>> session.is_solved
    True
    """

    def __init__(self, puzzle: Puzzle, *, words: Words | None = None) -> None:
        self.puzzle = puzzle
        self.tries = self.hints = 0
        self.told = ""
        self.words = words or Words()
        super().__init__(self._table(), 0, words=self.words)

    @property
    def turns_left(self) -> int:
        """Within how many turns the game must be won from here."""
        played = self.state.turn - self.puzzle.state.turn
        return self.puzzle.turns + -played // self.state.players

    @property
    def is_solved(self) -> bool:
        """Whether the game is won."""
        return self.state.winners == (self.puzzle.seat,)

    def decide(self, action: str) -> None:
        """Do an action if it wins.

        Raises
        ------
        WrongTryError
            Where it does not; the try is counted, and nothing else is changed.
        IllegalActionError, NotationError
            Where it is not allowed now, or unreadable.
        ValueError
            Where it is the turn of another seat.
        """
        mine = self.state.current_player == self.puzzle.seat
        if mine and self.state.why_illegal(action) is None:
            refuted = refute(self.state, action, self.turns_left)
            if refuted:
                self.tries += 1
                self.changed()
                words = self.words("puzzle.wrong", action=Action(action), refuted=refuted)
                raise WrongTryError(words)
        self.hints, self.told = 0, ""
        super().decide(action)

    def hint(self) -> str:
        """Return a hint for the present decision; each one says more than the one before.

        Examples
        --------
        >>> from splendor_nb.analysis.puzzles import puzzles
        >>> PuzzleSession(puzzles(turns=1)[0]).hint()
        'Buy a card.'
        """
        if self.state.current_player == self.puzzle.seat:
            self.hints = min(HINTS, self.hints + 1)
            best = winning_actions(self.state, self.turns_left, positions=None)[0]
            self.told = hint(best, self.hints)
            self.changed()
        return self.told

    def new_game(self, table: Table | None = None, *, seed: int | None = None) -> None:
        """Begin the puzzle again; tries go on being counted."""
        self.hints, self.told = 0, ""
        super().new_game(table, seed=seed)

    def status(self) -> str:
        """Return how far it has come, in words."""
        words = self.words
        tries = words.count("try", self.tries) if self.tries else words("count.try.none")
        if self.is_solved:
            return words("puzzle.solved", tries=tries)
        return words("puzzle.status", turns=words.count("turn", self.turns_left), tries=tries)

    def _table(self) -> Table:
        """Return the table: a person at the seat that wins, who resists at all others."""
        start, mine = self.puzzle.state, self.puzzle.seat
        seats = range(start.players)
        return Table(
            seats=tuple(
                Player(self.words("puzzle.you", seat=seat), HUMAN)
                if seat == mine
                else Player(self.words("puzzle.other", seat=seat), "opponent")
                for seat in seats
            ),
            agents=tuple(None if seat == mine else self._resist for seat in seats),
            deal=lambda _seed: start,
            start=start,
        )

    def _resist(self, _observation: Observation, _rng: Rng) -> Action:
        """Return the reply that is hardest to answer; in a puzzle the others know all."""
        turn = hardest_reply(self.state, self.puzzle.seat, self.turns_left)
        return Action(turn_words(turn, self.state.tables).split(", ")[0])


def hardest_reply(state: State, solver: int, turns: int) -> Turn:
    """Return the turn of the seat that decides after which the solver's answer is the rarest.

    Parameters
    ----------
    state
        A position that the solver wins.
    solver
        The seat that solves the puzzle.
    turns
        Within how many of its turns it wins.

    Examples
    --------
    >>> from splendor_nb.analysis.puzzles import puzzles
    >>> one = puzzles(turns=2)[2]
    >>> state = one.state.apply(one.solution)
    >>> hardest_reply(state, one.seat, 1).words(state.tables)
    'buy 1R8'
    """
    replies = list(turns_from(state.numbers(), state.tables))
    search = Forcing(state.tables, solver, Budget(), open_decks=False)
    answers = [_answer(search, reply, turns) for reply in replies]
    common = Counter(answers)

    def hardness(place: int) -> tuple[int, int]:
        return -common[answers[place]], replies[place].actions[0]

    return replies[max(range(len(replies)), key=hardness)]


def _answer(search: Forcing, reply: Turn, turns: int) -> str:
    """Return what the solver answers, in words; nothing where it does not decide next."""
    after = State(reply.after, search.t)
    if after.current_player != search.seat or turns == 0 or reply.after.phase == rules.OVER:
        return ""
    answer = search.winning_turn(after.observation(search.seat).numbers(), turns)
    return "" if answer is None else turn_words(answer, search.t)


class PuzzlePanel(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """What is asked, a button for hints, and a line that says how it goes.

    Parameters
    ----------
    session
        The puzzle that somebody works at.
    """

    def __init__(self, session: PuzzleSession) -> None:
        self.session = session
        one, words = session.puzzle, session.words
        title = escape(words("puzzle.title", name=one.name))
        task = escape(words("puzzle.task", grade=one.grade, task=one.task))
        self.task = ipywidgets.HTML(f"<b>{title}</b>, {task}")
        self.hint = ipywidgets.Button(
            description=words("puzzle.hint"), tooltip=words("puzzle.hint_why")
        )
        self.line = ipywidgets.HTML()
        super().__init__([self.task, ipywidgets.HBox([self.hint, self.line])])
        self.hint.on_click(lambda _button: session.hint())
        session.on_change(self.redraw)
        self.redraw()

    def __repr__(self) -> str:
        return "Splendor: run this cell (Shift+Enter) to solve the puzzle"

    def redraw(self) -> None:
        """Say how it goes."""
        said = " ".join(filter(None, [self.session.status(), self.session.told]))
        self.line.value = f'<div role="status">{escape(said)}</div>'
        self.hint.disabled = self.session.is_solved


def show_puzzle(puzzle: Puzzle, *, speed: str = "normal", ui: str = "board") -> PuzzleSession:
    """Show a puzzle on the board in this cell, and return it as somebody works at it.

    What wins is done, and the others reply as stubbornly as they can. What does not win is
    refuted, counted, and not done.

    Parameters
    ----------
    puzzle
        One of `puzzles`, or made with `puzzle`.
    speed, ui
        As for `play`.

    Raises
    ------
    TypeError, ValueError
        For what is not allowed; the message names what is.
    """
    if not isinstance(puzzle, Puzzle):
        raise TypeError(f"What is shown is a puzzle, not {shortened(puzzle)}.")
    session = PuzzleSession(puzzle)
    if get_ipython() is not None:
        display(PuzzlePanel(session))
    show(session, ui=ui, controls=False, speed=speed)
    return session
