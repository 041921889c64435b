"""Puzzles: positions in which you win in one, two or three turns, by one first action alone."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from splendor_nb.analysis.budget import Budget, OutOfBudget
from splendor_nb.analysis.forced_win import (
    ForcedWin,
    checked_view,
    forced_win,
    refutation,
    winning_actions,
)
from splendor_nb.analysis.forcing import Forcing
from splendor_nb.analysis.solve import check_running
from splendor_nb.engine.cards import COLOR_NAMES, data_folder
from splendor_nb.engine.errors import RecordError
from splendor_nb.engine.forms import check_whole_number, read_list, read_mapping, shortened
from splendor_nb.engine.notation import Action, read_action
from splendor_nb.engine.state import Observation, State

FILE, FORMAT = "puzzles.json", "splendor-nb-puzzles/1"
MOST_TURNS, GRADES = 3, (1, 2, 3, 4, 5)
POSITIONS = 200_000  # for the proof of one puzzle
DEALS = 40  # decks that are tried to show that a wrong action does not win
_NUMBERS = ("no turns", "one turn", "two turns", "three turns")


@dataclass(frozen=True, slots=True, repr=False)
class Puzzle:
    """A position in which the seat to decide wins, by one first action alone.

    Attributes
    ----------
    name
        How it is called.
    turns
        Within how many of its own turns the seat wins.
    grade
        From 1, easy, to 5.
    state
        The position, the whole truth. Who solves the puzzle sees `observation`.
    solution
        The first action of the win.
    source
        Where the position comes from.

    Examples
    --------
    >>> one = puzzles(turns=1)[0]
    >>> one.seat, one.turns
    (0, 1)
    """

    name: str
    turns: int
    grade: int
    state: State
    solution: Action
    source: str = ""

    @property
    def seat(self) -> int:
        """The seat that wins."""
        return checked_view(self.state).player

    @property
    def observation(self) -> Observation:
        """What the seat may know."""
        return checked_view(self.state)

    @property
    def task(self) -> str:
        """What is asked, in a sentence."""
        return (
            f"Seat {self.seat} is to play and wins within {_NUMBERS[self.turns]}, whatever the "
            "others do and whatever is revealed. How?"
        )

    def win(self) -> ForcedWin:
        """Return the proof, with the whole line."""
        return forced_win(self.observation, self.turns, positions=POSITIONS)

    def check(self, action: str) -> str:
        """Return how a first action is refuted, in words; empty for the one that wins.

        Raises
        ------
        NotationError
            Where the text is no action.
        ValueError
            Where the action is not allowed.

        Examples
        --------
        >>> one = puzzles(turns=1)[0]
        >>> one.check(one.solution)
        ''
        """
        return refute(self.state, action, self.turns)

    def hint(self, number: int = 1) -> str:
        """Return a hint: the first is small, the second says more, the third all.

        Raises
        ------
        TypeError, ValueError
            Where there is no such hint.
        """
        return hint(self.solution, number)

    def __repr__(self) -> str:
        return f"<puzzle {self.name}, grade {self.grade}: {self.task}>\n{self.observation}"


def puzzles(*, turns: int | None = None, grade: int | None = None) -> tuple[Puzzle, ...]:
    """Return the puzzles of the kit, easy ones first.

    Parameters
    ----------
    turns
        Only those that are won within so many turns, 1 to 3.
    grade
        Only those of this grade, 1 to 5.

    Raises
    ------
    TypeError, ValueError
        For other numbers.

    Examples
    --------
    >>> len(puzzles()) >= 30, {one.turns for one in puzzles()}
    (True, {1, 2, 3})
    """
    chosen = all_puzzles()
    if turns is not None:
        turns = check_whole_number("turns", turns, 1, MOST_TURNS)
        chosen = tuple(one for one in chosen if one.turns == turns)
    if grade is not None:
        grade = check_whole_number("grade", grade, GRADES[0], GRADES[-1])
        chosen = tuple(one for one in chosen if one.grade == grade)
    return chosen


@functools.cache
def all_puzzles() -> tuple[Puzzle, ...]:
    """Return what stands in the file of puzzles.

    Raises
    ------
    RecordError
        Where the file is damaged.
    """
    return read_puzzles(json.loads((data_folder() / FILE).read_text(encoding="utf-8")))


def read_puzzles(data: Any) -> tuple[Puzzle, ...]:
    """Return puzzles from JSON.

    Raises
    ------
    RecordError
        Where it does not have the form of `write_puzzles`; the message names the place.

    Examples
    --------
    >>> read_puzzles({"format": FORMAT, "made_by": "by hand", "puzzles": []})
    ()
    """
    fields = read_mapping("puzzles", data, ("format", "made_by", "puzzles"))
    if fields["format"] != FORMAT:
        raise RecordError(f"format is {FORMAT!r}, not {shortened(fields['format'])}.")
    return tuple(_read_puzzle(entry) for entry in read_list("puzzles", fields["puzzles"]))


def write_puzzles(made: tuple[Puzzle, ...], made_by: str) -> dict[str, Any]:
    """Return puzzles as JSON.

    Parameters
    ----------
    made
        The puzzles.
    made_by
        The command that makes them again.

    Examples
    --------
    >>> write_puzzles(puzzles(turns=1)[:1], "by hand")["made_by"]
    'by hand'
    """
    return {
        "format": FORMAT,
        "made_by": made_by,
        "puzzles": [
            {
                "name": one.name,
                "turns": one.turns,
                "grade": one.grade,
                "solution": one.solution,
                "source": one.source,
                "position": one.state.to_dict(),
            }
            for one in made
        ],
    }


def _read_puzzle(entry: object) -> Puzzle:
    names = ("name", "turns", "grade", "solution", "source", "position")
    fields: Mapping[str, Any] = read_mapping("a puzzle", entry, names)
    return Puzzle(
        name=str(fields["name"]),
        turns=fields["turns"],
        grade=fields["grade"],
        state=State.from_dict(fields["position"]),
        solution=Action(fields["solution"]),
        source=str(fields["source"]),
    )


def puzzle(state: State, turns: int, *, name: str = "own", grade: int = 3) -> Puzzle:
    """Return a position of one's own as a puzzle, once it is proven to be one.

    Parameters
    ----------
    state
        The position; the seat to decide is the one that wins.
    turns
        Within how many of its turns, 1 to 3: just so many are needed.
    name, grade
        How it is called, and how hard it is, 1 to 5.

    Raises
    ------
    TypeError, ValueError
        Where no win is forced, where fewer turns do, or where another first action wins as well
        or cannot be shown not to.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> puzzle(new_game(players=2, seed=7), turns=2)
    Traceback (most recent call last):
    ValueError: Seat 0 has no forced win within 2 of its turns: this is no puzzle.
    """
    check_running(state)
    turns = check_whole_number("turns", turns, 1, MOST_TURNS)
    grade = check_whole_number("grade", grade, GRADES[0], GRADES[-1])
    return Puzzle(name, turns, grade, state, prove(state, turns))


def prove(state: State, turns: int) -> Action:
    """Return the only first action of a win within so many turns, and no fewer.

    That it wins is proven against every reply and every card. That no other action does is shown
    by decks with which the others can prevent it.

    Raises
    ------
    TypeError, ValueError
        As `puzzle`.

    Examples
    --------
    >>> one = puzzles(turns=2)[0]
    >>> prove(one.state, 2) == one.solution
    True
    """
    win = forced_win(state, turns, positions=POSITIONS)
    if not win.decided:
        raise ValueError(f"Whether a win is forced is not decided within {POSITIONS:,} positions.")
    if win.turns is None:
        raise ValueError(
            f"Seat {win.seat} has no forced win within {turns} of its turns: this is no puzzle."
        )
    if win.turns < turns:
        raise ValueError(f"Seat {win.seat} wins within {win.turns} of its turns, not {turns}.")
    solution, *others = winning_actions(state, turns, positions=None)
    if others:
        raise ValueError(f"More than one first action wins: {solution} and {others[0]}.")
    for action in state.legal_actions():
        if action != solution and not loses_for_real(state, action, turns):
            raise ValueError(
                f"{solution} wins, but {action} cannot be shown not to: it may with new cards."
            )
    return solution


def loses_for_real(state: State, action: str, turns: int) -> bool:
    """Tell whether decks have been found with which the others keep the seat from winning so.

    Everybody knows these decks, so that neither the seat nor the others can be mistaken.

    Examples
    --------
    >>> one = puzzles(turns=2)[0]
    >>> loses_for_real(one.state, "take WUG", 2)
    True
    """
    view = checked_view(state)
    for seed in range(DEALS):
        s, t = view.determinize(seed).numbers(), view.tables
        number = read_action(s, t, action)
        search = Forcing(t, view.player, Budget(POSITIONS), open_decks=True)
        try:
            if number is not None and not search.wins_by(s, turns, number):
                return True
        except OutOfBudget:
            continue
    return False


def refute(state: State, action: str, turns: int) -> str:
    """Return how the others refute an action, in words; empty where it wins within the turns.

    Raises
    ------
    NotationError
        Where the text is no action.
    ValueError
        Where the action is not allowed.

    Examples
    --------
    >>> one = puzzles(turns=2)[0]
    >>> refute(one.state, one.solution, 2)
    ''
    """
    return refutation(checked_view(state), action, turns, positions=None)


def hint(solution: Action, number: int) -> str:
    """Return a hint at an action: of its kind, of what it is about, and all of it.

    Raises
    ------
    TypeError, ValueError
        Where there is no such hint.

    Examples
    --------
    >>> [hint(Action("buy 3K1"), number) for number in (1, 2, 3)]
    ['Buy a card.', 'It is a card of level 3.', 'Play: buy 3K1.']
    """
    number = check_whole_number("number (of the hint)", number, 1, 3)
    return (_KINDS[solution.kind], _about(solution), f"Play: {solution}.")[number - 1]


_KINDS: Mapping[str, str] = {
    "take": "Take gems.",
    "reserve": "Reserve a card.",
    "buy": "Buy a card.",
    "return": "Which token can you spare?",
    "noble": "Which noble do you need now?",
    "gold": "Look at how you pay.",
    "pay": "Look at how you pay.",
    "pass": "There is not much that you can do.",
}


def _about(solution: Action) -> str:
    """Return what an action is about, without saying all."""
    if solution.card is not None:
        return f"It is a card of level {solution.card[0]}."
    if solution.level is not None:
        return "It is a card that nobody has seen."
    if solution.gems is not None:
        return f"Think of {COLOR_NAMES[solution.gems[0]]}."
    return "Count points and cards at the end of the round."
