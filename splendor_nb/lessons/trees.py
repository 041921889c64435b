"""Checks for the exercises on game trees: each says what is wrong, not only that it is."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, Final

from splendor_nb.analysis.game_tree import GameTree, game_tree
from splendor_nb.analysis.solve import solve
from splendor_nb.analysis.tiny_games import tiny_games
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.rng import Rng
from splendor_nb.engine.state import State

MOST_POSITIONS: Final = 20_000  # that a game of one's own may have
_OUTCOMES: Final = (  # chances and worths of the second exercise, and what they come to
    ((Fraction(1, 2), Fraction(1)), (Fraction(1, 2), Fraction(1, 2))),
    ((Fraction(1, 4), Fraction(1)), (Fraction(3, 4), Fraction(0))),
    ((Fraction(1), Fraction(1, 3)),),
)


def check_minimax(value: object) -> str:
    """Return what is right or wrong in a function that values positions without chance.

    Parameters
    ----------
    value
        A function of a state that returns the share of a win of seat 0.

    Examples
    --------
    >>> print(check_minimax(lambda state: 1))
    Where seat 0 has lost, the game is worth 0 to it: yours says 1.
    """
    if not callable(value):
        return f"Give a function of a state: this is {shortened(value)}."
    for state in _positions():
        got = value(state)
        if state.is_terminal():
            if got != state.returns()[0]:
                return (
                    f"Where seat 0 has {_end(state)}, the game is worth "
                    f"{state.returns()[0]:g} to it: yours says {shortened(got)}."
                )
        elif got != _worth(state):
            seat = state.current_player
            wrong = "more" if _is_more(got, _worth(state)) else "less"
            return (
                f"In a game to {state.rules.target}, after {_way(state)}, seat {seat} decides, and "
                f"yours says {shortened(got)}: that is {wrong} than seat 0 can expect. What does "
                f"seat {seat} want?"
            )
    return "Right, in every position that was tried."


def check_expectation(value: object) -> str:
    """Return what is right or wrong in a function that values a chance node.

    Parameters
    ----------
    value
        A function of pairs (chance, worth).

    Examples
    --------
    >>> print(check_expectation(lambda outcomes: max(worth for _, worth in outcomes)))
    For outcomes 1/2: 1 and 1/2: 1/2 yours says 1. Chance wants nothing: it does not choose.
    """
    if not callable(value):
        return f"Give a function of pairs (chance, worth): this is {shortened(value)}."
    for outcomes in _OUTCOMES:
        got, right = value(list(outcomes)), sum(chance * worth for chance, worth in outcomes)
        if got == right:
            continue
        told = " and ".join(f"{chance}: {worth}" for chance, worth in outcomes)
        if got in (max(w for _, w in outcomes), min(w for _, w in outcomes)):
            hint = "Chance wants nothing: it does not choose."
        elif got == sum((worth for _, worth in outcomes), Fraction(0)) / len(outcomes):
            hint = "Outcomes need not be equally likely."
        else:
            hint = "How often does each outcome come in a hundred games?"
        return f"For outcomes {told} yours says {_number(got)}. {hint}"
    return "Right: chance weighs what follows, and chooses nothing."


def check_sets(numbers: object) -> str:
    """Return what is right or wrong in the pairs that seat 1 cannot tell apart.

    Parameters
    ----------
    numbers
        How many information sets with several nodes there are, and how many nodes each has.

    Examples
    --------
    >>> print(check_sets((11, 1)))
    A set of one node hides nothing: count those with more.
    """
    right = tuple(len(nodes) for nodes in hidden_tree().information_sets().values())
    if not isinstance(numbers, Sequence) or len(numbers) != 2:
        return f"Give two numbers, sets and nodes in each: this is {shortened(numbers)}."
    sets, nodes = numbers
    if nodes == 1:
        return "A set of one node hides nothing: count those with more."
    if sets != len(right):
        return (
            f"There are not {shortened(sets)}: seat 1 sees every action and every card that comes "
            "to the market. What is the one thing that it does not see?"
        )
    if nodes != right[0]:
        return (
            f"Not {shortened(nodes)} nodes: how many different cards can lie face down with seat 0?"
        )
    return "Right: seat 1 knows that a card was reserved, not which."


def check_own_game(state: object) -> str:
    """Return whether a game of one's own is won by a reservation, and by nothing else.

    Examples
    --------
    >>> print(check_own_game(tiny_games()["blackboard"].start))
    Here 'take WU' is as good as anything, and no reservation. When is it urgent to keep a card?
    """
    if not isinstance(state, State):
        return f"Give a state, as tiny_game(…) returns it: this is {shortened(state)}."
    if state.players != 2 or state.rules.unseen_reserve != "off" or state.is_terminal():
        return "Two players, nothing unseen, and at the start: as tiny_game(…) makes it."
    solution = solve(state, positions=MOST_POSITIONS)
    if solution.values is None:
        return f"Too large for a class: more than {MOST_POSITIONS:,} positions."
    others = [action for action in solution.best if action.kind != "reserve"]
    if others:
        return (
            f"Here '{others[0]}' is as good as anything, and no reservation. When is it urgent to "
            "keep a card?"
        )
    if max(solution.values) != solution.values[0] or solution.values[0] == solution.values[1]:
        return f"A reservation is best, but it brings seat 0 {solution.values[0]} of a win only."
    return f"Right: only '{' or '.join(solution.best)}' wins. {solution.positions:,} positions."


@functools.cache
def hidden_tree() -> GameTree:
    """Return the first two decisions of the game with surprises, unseen reserves allowed.

    Examples
    --------
    >>> hidden_tree().has_perfect_information
    False
    """
    data = tiny_games()["surprise"].start.to_dict()
    data["rules"]["unseen_reserve"] = "on"
    return game_tree(State.from_dict(data), 2)


@functools.cache
def _positions() -> tuple[State, ...]:
    """Return positions of two tiny games, the ends first: all of one, late ones of the other."""
    found: dict[State, None] = {}

    def visit(state: State) -> None:
        for action in state.legal_actions():
            visit(state.apply(action))
        found.setdefault(state)

    visit(tiny_games()["blackboard"].start)
    for seed in range(8):
        visit(_late_position(Rng(seed)))
    return tuple(sorted(found, key=lambda state: (not state.is_terminal(), -state.turn)))


def _late_position(rng: Rng) -> State:
    """Return a position of the race, played at random, with few turns left."""
    state = tiny_games()["race"].start
    while not state.is_terminal() and state.turn < state.rules.turn_limit - 3:
        state = state.apply(rng.choice(state.legal_actions()))
    return state


@functools.cache
def _worth(state: State) -> Any:
    """Return the share of a win that seat 0 can expect."""
    if state.is_terminal():
        return state.returns()[0]
    best: Callable[..., Any] = max if state.current_player == 0 else min
    return best(_worth(state.apply(action)) for action in state.legal_actions())


def _end(state: State) -> str:
    return {0.0: "lost", 0.5: "shared the win", 1.0: "won"}[state.returns()[0]]


def _is_more(got: object, right: float) -> bool:
    return isinstance(got, int | float | Fraction) and got > right


def _way(state: State) -> str:
    return f"{state.turn} turns" if state.turn != 1 else "1 turn"


def _number(got: object) -> str:
    return str(got) if isinstance(got, Fraction) else shortened(got)
