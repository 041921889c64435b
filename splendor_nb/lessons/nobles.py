"""Checks for the exercises on nobles: each says what is wrong, not only that it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from splendor_nb.agents.referee import play_game
from splendor_nb.analysis.noble_gaps import noble_gaps
from splendor_nb.analysis.noble_plans import (
    TURNS,
    NoblePlan,
    arranged,
    skip_others,
    tokens_spent,
)
from splendor_nb.engine.cards import COLORS, Gems, Noble, base_nobles, gems_in_words
from splendor_nb.engine.errors import NotationError
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.notation import Action
from splendor_nb.engine.state import Seat, State

LONGEST_PLAN: Final = 200  # actions
UNSOLVED: Final = "Not solved yet: the function returns nothing."


# -- two nobles ------------------------------------------------------------------------------------


def check_both(function: object) -> str:
    """Return what is right, or the first thing wrong, in the fewest cards that earn two nobles.

    Parameters
    ----------
    function
        Gets two nobles, and returns how many cards.

    Examples
    --------
    >>> total = lambda noble: sum(noble.cost.values())
    >>> print(check_both(lambda first, second: total(first) + total(second)))
    For RK and GRK you count 17 cards; 11 suffice. That is the sum: a card counts for both nobles, \
so each color is needed only as often as the noble that asks for more of it says.
    """
    if not callable(function):
        return f"Give a function of two nobles: this is {shortened(function)}."
    for first, second in combinations(base_nobles(), 2):
        got, right = function(first, second), _for_both(first, second)
        if got is None:
            return UNSOLVED
        if got != right:
            return f"For {first.name} and {second.name} {_wrong_count(got, right, first, second)}"
    return "Right, for all 45 pairs."


def _for_both(first: Noble, second: Noble) -> int:
    return sum(max(first.cost[color], second.cost[color]) for color in COLORS)


def _wrong_count(got: object, right: int, first: Noble, second: Noble) -> str:
    costs = sum(first.cost.values()), sum(second.cost.values())
    if got == sum(costs):
        return (
            f"you count {got} cards; {right} suffice. That is the sum: a card counts for both "
            "nobles, so each color is needed only as often as the noble that asks for more of it "
            "says."
        )
    if got == max(costs):
        return (
            f"you count {got} cards, but {right} are needed. That is what the dearer one asks for; "
            "the other asks for other colors too."
        )
    return f"you count {shortened(got)} cards, not {right}."


# -- what is missing -------------------------------------------------------------------------------


def check_missing(function: object) -> str:
    """Return what is right, or the first thing wrong, in the bonuses that a seat still lacks.

    Parameters
    ----------
    function
        Gets a `Seat` and a `Noble`, and returns how many bonuses are missing in all.

    Examples
    --------
    >>> print(check_missing(lambda seat, noble: sum(noble.cost.values())))
    For WRK with bonuses of 1 red you find 9 missing, not 8. Bonuses that are there count.
    """
    if not callable(function):
        return f"Give a function of a seat and a noble: this is {shortened(function)}."
    for state in _positions():
        for gap in noble_gaps(state):
            seat = state.seats[gap.seat]
            got, right = function(seat, gap.noble), gap.total_missing
            if got is None:
                return UNSOLVED
            if got != right:
                return (
                    f"For {gap.noble.name} with bonuses of {gems_in_words(seat.bonuses)} you find "
                    f"{shortened(got)} missing, not {right}.{_why_missing(got, seat, gap.noble)}"
                )
    return "Right, for every seat and noble of a whole game."


def _positions() -> Iterator[State]:
    """Yield positions of a game in which seats have bonuses, tokens and reserved cards."""
    states = list(play_game(["greedy", "greedy"], seed=7).states())
    yield from (state for state in states[12::4] if not state.is_terminal())


def _why_missing(got: object, seat: Seat, noble: Noble) -> str:
    owned, tokens = seat.bonuses, seat.tokens
    known: dict[int, str] = {
        sum(noble.cost.values()): " Bonuses that are there count.",
        sum(noble.cost[c] - owned[c] for c in COLORS): " More bonuses of a color than asked for "
        "do not make up for another color.",
        sum(max(0, noble.cost[c] - owned[c] - tokens[c]) for c in COLORS): " Tokens do not count "
        "for a noble, only bonuses do [R14].",
    }
    return known.get(got, "") if isinstance(got, int) else ""


# -- a plan ----------------------------------------------------------------------------------------


def check_plan(noble: str, actions: Sequence[str], *, most_tokens: int) -> str:
    """Return what comes of a plan to earn a noble with perfect luck.

    It is played by the rules, on a table for two where the cards that it names lie open in time
    and the other seat never moves.

    Parameters
    ----------
    noble
        Its name.
    actions
        The plan in notation, the own turns only.
    most_tokens
        The plan is to spend no more.

    Raises
    ------
    ValueError
        Where there is no such noble.

    Examples
    --------
    >>> print(check_plan("WU", ["take WUG", "buy 1W1"], most_tokens=15))
    Action 2, 'buy 1W1': You cannot pay 1W1: 2 red and 1 black are missing after your bonuses and \
gems, and you hold no gold [R10].
    """
    if noble not in {tile.name for tile in base_nobles()}:
        raise ValueError(f"There is no noble {shortened(noble)}.")
    if isinstance(actions, str) or len(actions) > LONGEST_PLAN:
        return f'Give a list of at most {LONGEST_PLAN} actions, such as ["take WUG", "buy 1W1"].'
    if not actions:
        return "Not solved yet: the plan is empty."
    try:
        plan = NoblePlan(TURNS, noble, None, 2, None, None, 0, "bound", tuple(map(Action, actions)))
        states = [arranged(plan)]
        for number, action in enumerate(plan.actions, start=1):
            if (reason := states[-1].why_illegal(action)) is not None:
                return f"Action {number}, '{action}': {reason}"
            states.append(skip_others(states[-1].apply(action)))
    except NotationError as error:
        return str(error)
    return _outcome(noble, states, most_tokens)


def _outcome(noble: str, states: Sequence[State], most_tokens: int) -> str:
    seat, spent = states[-1].seats[0], tokens_spent(states)
    wanted = next(tile for tile in base_nobles() if tile.name == noble)
    if wanted not in seat.nobles:
        missing = Gems(max(0, wanted.cost[color] - seat.bonuses[color]) for color in COLORS)
        return f"{noble} does not come: bonuses missing are {gems_in_words(missing)}."
    if spent > most_tokens:
        return f"{noble} comes, but for {spent} tokens; {most_tokens} are to suffice."
    return f"Right: {noble} comes, for {spent} tokens and with {len(seat.bought)} cards."
