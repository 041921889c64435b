"""Checks for the exercises on the game of agents: each says what is wrong, not only that it is."""

from __future__ import annotations

import math
from typing import Final

import pandas as pd

from splendor_nb.analysis.gametheory import dominated, games_needed
from splendor_nb.engine.forms import quoted, shortened
from splendor_nb.lessons.answers import as_number, is_close

_NAMES = ["rusher", "saver", "blocker"]
# Invented: each beats one of the others. The second is of the exercise about replies.
CYCLE: Final = pd.DataFrame([[0.5, 0.7, 0.4], [0.3, 0.5, 0.8], [0.6, 0.2, 0.5]], _NAMES, _NAMES)
_FOUR = ["A", "B", "C", "D"]
FALLING: Final = pd.DataFrame(
    [[0.5, 0.4, 0.7, 0.92], [0.6, 0.5, 0.65, 0.9], [0.3, 0.35, 0.5, 0.95], [0.08, 0.1, 0.05, 0.5]],
    _FOUR,
    _FOUR,
)
AGENTS, EPSILON, DELTA = 5, 0.05, 0.05  # of the last exercise
_MIXES: Final = (  # row and column, of the first exercise
    ({"rusher": 1.0}, {"saver": 1.0}),
    ({"saver": 1.0}, {"rusher": 0.5, "blocker": 0.5}),
    ({"rusher": 0.2, "saver": 0.3, "blocker": 0.5}, {"rusher": 0.6, "saver": 0.3, "blocker": 0.1}),
)


def check_payoff(payoff: object) -> str:
    """Return what is right or wrong in a function that says what one mix wins against another.

    Parameters
    ----------
    payoff
        A function of a table and two mixes, each a dictionary of chances by name.

    Examples
    --------
    >>> print(check_payoff(lambda table, row, column: 0.5))
    Always 'rusher' against always 'saver' wins 0.7: yours says 0.5.
    """
    if not callable(payoff):
        return f"Give a function of a table and two mixes: this is {shortened(payoff)}."
    for row, column in _MIXES:
        right = _payoff(row, column)
        got = payoff(CYCLE, dict(row), dict(column))
        if not is_close(got, right):
            return (
                f"{_told(row)} against {_told(column).lower()} wins {right:.4g}: yours says "
                f"{as_number(got)}."
            )
    return "Right: each pair counts as often as it meets."


def check_reply(reply: object) -> str:
    """Return what is right or wrong in a function that finds the best reply to a mix.

    Parameters
    ----------
    reply
        A function of a table and a mix that returns the name of an agent.

    Examples
    --------
    >>> print(check_reply(lambda table, mix: "rusher"))
    Against always 'rusher' the agent 'rusher' wins 0.5, but another one wins more.
    """
    if not callable(reply):
        return f"Give a function of a table and a mix: this is {shortened(reply)}."
    for mix in ({"rusher": 1.0}, {"saver": 1.0}, {"rusher": 0.1, "saver": 0.4, "blocker": 0.5}):
        wins = {name: _payoff({name: 1.0}, mix) for name in _NAMES}
        got = reply(CYCLE, dict(mix))
        if got not in tuple(_NAMES):
            return f"The reply is one of {quoted(_NAMES)}, not {shortened(got)}."
        if not is_close(wins[got], max(wins.values())):
            return (
                f"Against {_told(mix).lower()} the agent {got!r} wins {wins[got]:.4g}, but another "
                "one wins more."
            )
    return "Right. A population in which nobody has a better reply is an equilibrium."


def check_survivors(names: object) -> str:
    """Return what is right or wrong in what is left when dominated agents leave, one by one.

    Parameters
    ----------
    names
        A list of the agents that stay.

    Examples
    --------
    >>> print(check_survivors(["A", "B", "C", "D"]))
    'D' can go at once: compare its row with the others, column by column.
    """
    if isinstance(names, str) or not isinstance(names, list | tuple | set):
        return f"Give a list of names: this is {shortened(names)}."
    strangers = [name for name in names if name not in _FOUR]
    if strangers:
        return f"There is no {shortened(strangers[0])} in the table of {quoted(_FOUR)}."
    fallen = dominated(FALLING).query("kind == 'strict'")
    right = [name for name in _FOUR if name not in set(fallen["agent"])]
    gone = [name for name in right if name not in names]
    if gone:
        return f"{gone[0]!r} is needed: no agent that stays, and no mix, does better everywhere."
    for agent, number in zip(fallen["agent"], fallen["round"], strict=True):
        if agent in names and number == 1:
            return f"{agent!r} can go at once: compare its row with the others, column by column."
        if agent in names:
            return (
                f"{agent!r} is needed only against one that has gone by now. Look again at the "
                "smaller table."
            )
    return "Right: what nobody meets any more need not be answered."


def check_games(games: object) -> str:
    """Return what is right or wrong in the number of games a pair for a table of five agents.

    Examples
    --------
    >>> print(check_games(100))
    With 100 games a pair some entry is off by more than 0.05 far more often than in 5 of 100.
    """
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        return f"Give a whole number from 1: this is {shortened(games)}."
    right = games_needed(AGENTS, EPSILON, DELTA)
    one = math.ceil(math.log(2 / DELTA) / (2 * EPSILON**2))
    if abs(games - right) <= 0.02 * right:
        return "Right. Half the error would take four times as many."
    if abs(games - one) <= 0.02 * one:
        return "So many for one pair: but none of all the entries may be off."
    if games < right:
        return (
            f"With {games:,} games a pair some entry is off by more than {EPSILON} far more often "
            "than in 5 of 100."
        )
    return f"{games:,} are enough, and more than the bound asks for."


def _payoff(row: dict[str, float], column: dict[str, float]) -> float:
    wins = CYCLE.mul(pd.Series(row), axis="index").mul(pd.Series(column), axis="columns")
    return float(wins.sum().sum())


def _told(mix: dict[str, float]) -> str:
    if len(mix) == 1:
        return f"Always {next(iter(mix))!r}"
    return "Sending " + ", ".join(f"{name!r} {share:.0%}" for name, share in mix.items())
