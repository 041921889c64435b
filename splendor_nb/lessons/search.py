"""A small position for the lesson on search, and checks for its exercises."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import pandas as pd

from splendor_nb.analysis.solve import solve
from splendor_nb.analysis.tiny_games import tiny_game
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.state import State
from splendor_nb.lessons.answers import as_number, is_close

# What three actions are worth in four worlds, of the second and third exercise.
WORLDS: Final[Mapping[str, Sequence[float]]] = {
    "take WU": (0.6, 0.6, 0.6, 0.6),
    "buy 1W1": (1.0, 1.0, 0.1, 0.1),
    "reserve 1U1": (0.0, 0.0, 0.9, 1.0),
}
DECK, RESERVED = 3, 1  # unseen cards of the fourth exercise


@functools.cache
def hidden_game() -> State:
    """Return a small game in which knowing the deck would change what is best.

    Four cards lie open, three are face down; the game ends after four turns. If both knew the
    deck, seat 0 should reserve; as nobody does, it should take gems: see `world_values`.

    Examples
    --------
    >>> solve(hidden_game()).best
    (take WU,)
    """
    return tiny_game(
        "1U0:W 1U0:WUW 1U0:U 1U1:UW 1W2:WU 1W2:WUU 1W0:U", "WWUU", target=3, turn_limit=4
    )


def worlds_of(state: State) -> Iterator[State]:
    """Yield a state for each order in which the decks may lie, all equally likely.

    Examples
    --------
    >>> len(list(worlds_of(hidden_game())))
    6
    """
    data = state.to_dict()
    for decks in itertools.product(*map(itertools.permutations, data["decks"])):
        yield State.from_dict({**data, "decks": [list(deck) for deck in decks]})


@functools.cache
def world_values() -> pd.DataFrame:
    """Return what each first action of the small game is worth to seat 0, exactly.

    Returns
    -------
    DataFrame
        A row for each action. ``world 1`` … : its worth if both seats knew that order of the
        deck; ``mean``: of these, what a search of determinized worlds aims at; ``truth``: its
        worth as nobody knows the deck.

    Examples
    --------
    >>> world_values()[["mean", "truth"]].idxmax().to_dict()
    {'mean': 'reserve 1U4', 'truth': 'take WU'}
    """
    start = hidden_game()
    columns = {
        f"world {number}": _values(solve(world, open_decks=True).actions)
        for number, world in enumerate(worlds_of(start), start=1)
    }
    table = pd.DataFrame(columns)
    table["mean"] = table.mean(axis="columns")
    table["truth"] = pd.Series(_values(solve(start).actions))
    return table


def _values(actions: Mapping[Any, Any]) -> dict[str, float]:
    return {str(action): float(share) for action, share in actions.items()}


# -- checks ----------------------------------------------------------------------------------------


def check_error(error: object) -> str:
    """Return what is right or wrong in a function that gives the standard error of playouts.

    Parameters
    ----------
    error
        A function of a list of shares of a win.

    Examples
    --------
    >>> print(check_error(lambda shares: 0.5))
    With four times as many playouts the error is half as large: yours stays at 0.5.
    """
    if not callable(error):
        return f"Give a function of a list of shares: this is {shortened(error)}."
    few, many = [1.0, 0.0, 1.0, 1.0], [1.0, 0.0, 1.0, 1.0] * 4
    if is_close(error(few), error(many)):
        return (
            "With four times as many playouts the error is half as large: yours stays at "
            f"{as_number(error(few))}."
        )
    for shares in (few, many, [0.0, 0.5, 1.0]):
        mean = sum(shares) / len(shares)
        variance = sum((share - mean) ** 2 for share in shares) / (len(shares) - 1)
        right, got = math.sqrt(variance / len(shares)), error(shares)
        if not is_close(got, right):
            biased = math.sqrt(variance * (len(shares) - 1)) / len(shares)
            hint = " Divide by one less than their number." if is_close(got, biased) else ""
            return f"For {len(shares)} shares it is {right:.4f}, not {as_number(got)}.{hint}"
    return "Right: to halve it takes four times the playouts."


def check_fused(choice: object) -> str:
    """Return what is right or wrong in what an agent does that averages over worlds.

    Examples
    --------
    >>> print(check_fused("reserve 1U1"))
    'reserve 1U1' is worth 0.475 on average, and another action more.
    """
    means = {action: sum(values) / len(values) for action, values in WORLDS.items()}
    if choice not in tuple(means):
        return f"One of the actions of the table: this is {shortened(choice)}."
    best = max(means, key=means.__getitem__)
    if choice == best:
        return "Right: it never sees that it would know more, and do better, in a single world."
    if choice == max(WORLDS, key=lambda action: max(WORLDS[action])):
        return f"{choice!r} is best in some worlds. What is it worth in the others?"
    return f"{choice!r} is worth {means[str(choice)]:.3f} on average, and another action more."


def check_knowing(price: object) -> str:
    """Return what is right or wrong in what it would be worth to know the world.

    Examples
    --------
    >>> print(check_knowing(0.6))
    That is what one gets without knowing. What would one get by choosing anew in each world?
    """
    if isinstance(price, bool) or not isinstance(price, int | float):
        return f"Give a number: this is {shortened(price)}."
    without = max(sum(values) / len(values) for values in WORLDS.values())
    knowing = sum(max(column) for column in zip(*WORLDS.values(), strict=True)) / 4
    if is_close(price, knowing - without):
        return "Right: this is what an average over worlds promises and cannot keep."
    if is_close(price, without):
        return (
            "That is what one gets without knowing. What would one get by choosing anew in each "
            "world?"
        )
    if is_close(price, knowing):
        return "That is what one gets by knowing. How much more is it than without?"
    return "Take the best action of each world, average, and compare with the best single action."


def check_worlds(number: object) -> str:
    """Return what is right or wrong in how many worlds fit to what a seat knows.

    Examples
    --------
    >>> print(check_worlds(6))
    The unseen reserve is one of the four cards too: the deck alone has 6 orders.
    """
    if isinstance(number, bool) or not isinstance(number, int):
        return f"Give a whole number: this is {shortened(number)}."
    right = math.factorial(DECK + RESERVED)
    if number == right:
        return (
            "Right. With a real deck of 36 there are more than anybody can count: so one samples."
        )
    if number == math.factorial(DECK):
        return "The unseen reserve is one of the four cards too: the deck alone has 6 orders."
    if number == DECK + RESERVED:
        return "So many cards can be the reserve: and for each, how many orders has the deck?"
    return "First one of four cards is the reserve, then the other three lie in some order."
