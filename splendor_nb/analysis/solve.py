"""`solve`: what a position is worth, exactly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from splendor_nb.analysis.alphabeta import AlphaBeta
from splendor_nb.analysis.budget import Budget, OutOfBudget, deep_calls
from splendor_nb.analysis.expectimax import Expectimax
from splendor_nb.analysis.size import size_of
from splendor_nb.analysis.successors import legal_numbers
from splendor_nb.engine.cards import join_words
from splendor_nb.engine.forms import check_whole_number, shortened
from splendor_nb.engine.notation import Action, write_action
from splendor_nb.engine.state import State

MOST_DIGITS = 6.7  # about five million positions: some minutes, and some gigabytes


@dataclass(frozen=True, slots=True, repr=False)
class Solution:
    """What a position is worth to each seat, where everyone plays as well as possible.

    Attributes
    ----------
    solved
        Whether the search has come to its end; if not, it claims nothing.
    seat
        The seat that decides.
    values
        The share of a win that each seat can expect, exact; `None` where it is not solved.
    actions
        The share that each action gives the seat that decides, in the order of the legal list.
    positions
        How many positions the search has looked at.
    horizon
        For what game that holds, in words.
    why_not
        Why it is not solved, in words; empty where it is.

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> solution = solve(tiny_games()["surprise"].start)
    >>> solution.best, solution.values
    ((take WU,), (Fraction(3, 4), Fraction(1, 4)))
    """

    solved: bool
    seat: int
    values: tuple[Fraction, ...] | None
    actions: Mapping[Action, Fraction]
    positions: int
    horizon: str
    why_not: str = ""

    @property
    def best(self) -> tuple[Action, ...]:
        """The actions that are worth most to the seat that decides."""
        most = max(self.actions.values(), default=None)
        return tuple(action for action, share in self.actions.items() if share == most)

    def __repr__(self) -> str:
        if self.values is None:
            return f"<not solved: {self.why_not}>"
        worth = join_words([f"seat {seat} {share}" for seat, share in enumerate(self.values)])
        best = " or ".join(self.best)
        return (
            f"<solved: {worth}; seat {self.seat} plays {best}. "
            f"{self.positions:,} positions; {self.horizon}>"
        )


def solve(
    state: State,
    *,
    open_decks: bool = False,
    turns: int | None = None,
    positions: int | None = None,
    seconds: float | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> Solution:
    """Return what a position is worth to each seat, exactly, and what its best actions are.

    Each seat takes what gives it the largest share of a win. A card that will be revealed is
    chance: each card of its deck is as likely as the others. Positions can repeat within a game
    (take and return), so that a value is always one for a number of turns: those that the turn
    limit of the game leaves [R17], or fewer.

    Parameters
    ----------
    state
        A running game in which nothing is private [R18].
    open_decks
        Whether all players know the order of the decks, and unseen reserves: then nothing is left
        to chance, and the value is that of perfect information.
    turns
        How many more turns are looked at, of all seats together. A position after that counts
        as it stands: the seat that is best by R16 has won.
    positions, seconds
        The most that the search may look at, and how long. A search that stops there says that
        the position is not solved. With `seconds` it depends on the machine whether it does.
    should_stop
        Asked at each position; once it says yes, the position is not solved.

    Raises
    ------
    TypeError, ValueError
        Where the game is over, where cards are or may become private, and, without `positions`
        or `seconds`, where there are too many positions; the message estimates how many.

    Notes
    -----
    Two seats: bounds leave out what cannot matter. More seats: each maximizes its own share, and
    takes the first action of the legal list where several are equally good.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> solve(new_game(players=2, seed=7, unseen_reserve="off"), turns=1).best[:2]
    (take WUG, take WUR)
    >>> solve(new_game(players=2, seed=7, unseen_reserve="off"), positions=100)
    <not solved: the search stopped after 100 positions>
    """
    _check(state, open_decks)
    s, t = state.numbers(), state.tables
    last_turn, horizon = _horizon(state, turns)
    budget = _budget(positions, seconds, should_stop)
    if positions is None and seconds is None:
        _refuse_too_large(state, last_turn, open_decks=open_decks)
    kind = AlphaBeta if state.players == 2 else Expectimax
    search = kind(t, last_turn, budget, open_decks=open_decks)
    try:
        with deep_calls():
            found = {action: search.values_after(s, action) for action in legal_numbers(s, t)}
            values = search.values(s)
    except OutOfBudget as stop:
        return Solution(
            solved=False,
            seat=s.current,
            values=None,
            actions={},
            positions=budget.seen,
            horizon=horizon,
            why_not=f"the search stopped after {stop}",
        )
    return Solution(
        solved=True,
        seat=s.current,
        values=tuple(map(Fraction, values)),
        actions={
            write_action(s, t, action): Fraction(worth[s.current])
            for action, worth in found.items()
        },
        positions=budget.seen,
        horizon=horizon,
    )


def check_running(state: object) -> None:
    """Refuse what is no running game with all that there is to know.

    Raises
    ------
    TypeError, ValueError
        With what it is.

    Examples
    --------
    >>> check_running("a game")
    Traceback (most recent call last):
    TypeError: What is wanted is a State, not 'str'.
    """
    if not isinstance(state, State):
        raise TypeError(f"What is wanted is a State, not {shortened(type(state).__name__)}.")
    if state.is_terminal():
        raise ValueError("The game is over: nothing is left to decide.")


def check_public(state: State) -> None:
    """Refuse a position in which a card is, or may become, known to one seat alone [R18].

    Raises
    ------
    ValueError
        With the seat that has such a card, or the option that lets one come.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> check_public(new_game(players=2, seed=7, unseen_reserve="off"))
    """
    for seat, owner in enumerate(state.seats):
        if any(owner.hidden):
            raise ValueError(
                f"Seat {seat} has reserved a card unseen: what everyone does depends on what it "
                "may be. Only open_decks=True, where all is known, can be solved."
            )
    if state.rules.unseen_reserve == "on" and any(state.deck_sizes):
        raise ValueError(
            "In this game cards may be reserved unseen, and would be private. Begin one with "
            "unseen_reserve='off', or use open_decks=True, where all is known."
        )


def _check(state: State, open_decks: object) -> None:
    if not isinstance(open_decks, bool):
        raise TypeError(f"open_decks is True or False, not {shortened(open_decks)}.")
    check_running(state)
    if not open_decks:
        check_public(state)


def _horizon(state: State, turns: int | None) -> tuple[int | None, str]:
    """Return the number of turns after which a position counts as it stands, and that in words."""
    if turns is None:
        return None, f"the value is for the game with its turn limit of {state.rules.turn_limit}"
    turns = check_whole_number("turns", turns, 1)
    return state.turn + turns, (
        f"the value is for at most {turns} more turn{'' if turns == 1 else 's'}, "
        "after which a position counts as it stands"
    )


def _budget(
    positions: int | None, seconds: float | None, should_stop: Callable[[], bool] | None
) -> Budget:
    if positions is not None:
        positions = check_whole_number("positions", positions, 1)
    is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if seconds is not None and not (is_number and seconds > 0):
        raise ValueError(f"seconds is a number above 0, not {shortened(seconds)}.")
    return Budget(positions, seconds, should_stop)


def _refuse_too_large(state: State, last_turn: int | None, *, open_decks: bool) -> None:
    end = min(last_turn or state.rules.turn_limit, state.rules.turn_limit + state.players)
    size = size_of(state.numbers(), state.tables, end, open_decks=open_decks)
    if size.digits > MOST_DIGITS:
        raise ValueError(
            f"There are too many positions to look at: {size}, as far as their first depths "
            "tell. Look at fewer with turns=, or try how far it gets with positions= or seconds=."
        )
