"""`forced_win`: whether the seat to decide wins whatever the others do and whatever comes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from splendor_nb.analysis.budget import Budget, OutOfBudget
from splendor_nb.analysis.forced_line import Line, in_words, line_from, turn_words
from splendor_nb.analysis.forcing import Forcing
from splendor_nb.analysis.successors import legal_numbers
from splendor_nb.analysis.turns import turns_from
from splendor_nb.engine.forms import check_whole_number, shortened
from splendor_nb.engine.notation import Action, read_action, write_action
from splendor_nb.engine.position import Position
from splendor_nb.engine.state import Observation, State

MOST_TURNS = 6
POSITIONS = 100_000  # about half a minute; hardly any late position takes so many


@dataclass(frozen=True, repr=False)
class ForcedWin:
    """Whether a win is forced, and how. It is true where one has been found.

    Attributes
    ----------
    found
        Whether there is one.
    decided
        Whether the search has come to its end; if not, nothing is known.
    seat
        The seat that decides.
    turns
        Within how many of its own turns it wins, the fewest; `None` where no win was found.
    turn
        The turn that it begins with, as text; empty where no win was found.
    positions
        How many positions the search has looked at.

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> win = forced_win(tiny_games()["blackboard"].start)
    >>> bool(win), win.turns, win.turn
    (True, 2, 'take WU')
    """

    found: bool
    decided: bool
    seat: int
    turns: int | None
    turn: str
    positions: int
    _search: Forcing = field(repr=False, compare=False)
    _from: Position = field(repr=False, compare=False)

    def __bool__(self) -> bool:
        return self.found

    @cached_property
    def line(self) -> Line:
        """The whole line as a tree: what to do after each reply.

        Raises
        ------
        ValueError
            Where no win was found.
        """
        if self.turns is None:
            raise ValueError("There is no line: no forced win was found.")
        self._search.budget = Budget()
        return line_from(self._search, self._from, self.turns)

    def __repr__(self) -> str:
        if not self.decided:
            return f"<not decided within {self.positions:,} positions>"
        if self.turns is None:
            return f"<seat {self.seat} has no forced win; {self.positions:,} positions>"
        turns = "this turn" if self.turns == 1 else f"{self.turns} of its turns"
        return f"<seat {self.seat} wins within {turns}: {self.turn}; {self.positions:,} positions>"


def forced_win(
    observation: Observation | State,
    turns: int = 2,
    *,
    positions: int = POSITIONS,
    should_stop: Callable[[], bool] | None = None,
) -> ForcedWin:
    """Return whether the seat to decide wins, alone, within so many of its own turns.

    It must win whatever the other seats do and whatever is revealed: they play as one against it,
    each new card is the one that suits them best among those that nobody has seen, and so are
    their unseen reserves. The seat does not count on new cards itself. So a win that is found is
    a win against everything; a win that needs a card that must come is not found.

    Parameters
    ----------
    observation
        What the seat that decides may know; of a `State` that part is taken.
    turns
        How many turns of the seat, 1 to 6, the present one included. The round is played to its
        end after the last one [R15].
    positions
        The most that the search looks at. Beyond, the answer is that it is not decided.
    should_stop
        Asked at each position; once it says yes, the answer is that it is not decided.

    Raises
    ------
    TypeError, ValueError
        For what is not allowed, and where the game is over or another seat decides.

    Notes
    -----
    Of late positions of games for two, a core looks at about 200 in a second for two turns, and
    at 7 for three; for three players and two turns at 60.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> forced_win(new_game(players=2, seed=7), turns=2)
    <seat 0 has no forced win; 0 positions>
    """
    view = checked_view(observation)
    turns = check_whole_number("turns", turns, 1, MOST_TURNS)
    search = search_from(view, positions, should_stop)
    s = view.numbers()
    try:
        for count in range(1, turns + 1):
            turn = search.winning_turn(s, count)
            if turn is not None:
                return _answer(search, s, count, turn_words(turn, search.t))
    except OutOfBudget:
        return _answer(search, s, None, "", decided=False)
    return _answer(search, s, None, "")


def winning_actions(
    observation: Observation | State, turns: int = 2, *, positions: int | None = POSITIONS
) -> tuple[Action, ...]:
    """Return the actions with which the seat to decide begins a forced win, in legal order.

    Parameters
    ----------
    observation, turns, positions
        As for `forced_win`; `None` for as many positions as it takes.

    Raises
    ------
    TypeError, ValueError
        As for `forced_win`.
    OutOfBudget
        Where `positions` are too few.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> winning_actions(new_game(players=2, seed=7), turns=2)
    ()
    """
    view = checked_view(observation)
    turns = check_whole_number("turns", turns, 1, MOST_TURNS)
    search, s = search_from(view, positions), view.numbers()
    numbers = [action for action in legal_numbers(s, search.t) if search.wins_by(s, turns, action)]
    return tuple(write_action(s, search.t, action) for action in numbers)


def refutation(
    observation: Observation | State, action: str, turns: int, *, positions: int | None = POSITIONS
) -> str:
    """Return the reply that spoils a try, in words; empty where the try wins.

    Parameters
    ----------
    observation, turns, positions
        As for `winning_actions`.
    action
        What the seat to decide tries.

    Raises
    ------
    TypeError, ValueError
        As for `forced_win`; also where the action is not allowed.
    OutOfBudget
        Where `positions` are too few.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> refutation(new_game(players=2, seed=7), "take WUG", turns=1)
    'Then you are not close enough to the end of the game.'
    """
    view = checked_view(observation)
    if (reason := view.why_illegal(action)) is not None:
        raise ValueError(f"'{action}' is not allowed now. {reason}")
    search, s = search_from(view, positions), view.numbers()
    number = read_action(s, search.t, action)
    replies = []
    for turn in turns_from(s, search.t, [] if number is None else [number]):
        if search.holds(turn.after, turns - 1):
            return ""
        replies.append(_spoiling(search, turn.after, turns - 1))
    return min(replies, key=len)


def _spoiling(search: Forcing, s: Position, turns: int) -> str:
    """Return the replies with which the others spoil a turn, in words."""
    told: list[str] = []
    while s.current not in (search.seat, -1):
        turn = search.refutation(s, turns) if search.may_still_win(s, turns) else None
        if turn is None:
            break
        told.append(f"seat {s.current} answers: {turn_words(turn, search.t)}")
        s = turn.after
    if told:
        return f"Then {in_words(told)}."
    if s.current == -1:
        return "Then the game is over, and you have not won it alone."
    return "Then you are not close enough to the end of the game."


def checked_view(observation: Observation | State) -> Observation:
    """Return what the seat that decides may know.

    Raises
    ------
    TypeError, ValueError
        Where it is no position, the game is over, or another seat decides.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> checked_view(new_game(players=2, seed=7)).player
    0
    """
    if not isinstance(observation, (Observation, State)):
        raise TypeError(
            f"What is wanted is an Observation or a State, not {shortened(observation)}."
        )
    seat = observation.current_player
    if seat is None:
        raise ValueError("The game is over: nothing is left to decide.")
    if isinstance(observation, State):
        return observation.observation(seat)
    if observation.player != seat:
        raise ValueError(
            f"It is the decision of seat {seat}, and this is what seat {observation.player} knows."
        )
    return observation


def search_from(
    view: Observation, positions: int | None, should_stop: Callable[[], bool] | None = None
) -> Forcing:
    """Return a search for wins of the seat that decides."""
    if positions is not None:
        positions = check_whole_number("positions", positions, 1)
    return Forcing(
        view.tables, view.player, Budget(positions, should_stop=should_stop), open_decks=False
    )


def _answer(
    search: Forcing, s: Position, turns: int | None, turn: str, *, decided: bool = True
) -> ForcedWin:
    return ForcedWin(
        found=turns is not None,
        decided=decided,
        seat=search.seat,
        turns=turns,
        turn=turn,
        positions=search.budget.seen,
        _search=search,
        _from=s,
    )
