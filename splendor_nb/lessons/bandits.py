"""Checks for the exercises on bandits: each says what is wrong, not only that it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from splendor_nb.engine.forms import shortened
from splendor_nb.games.intervals import normal_quantile
from splendor_nb.lessons.answers import as_number, is_close

CHANCES: Final = (0.6, 0.5, 0.3)  # of the first exercise
PULLS: Final = (0, 1, 2, 0, 0, 1)
WINS, GAMES = 7, 10  # of the third
BETTER, WORSE, SURE = 0.6, 0.5, 0.95  # of the fourth


def check_regret(regret: object) -> str:
    """Return what is right or wrong in a function that says what some pulls cost.

    Parameters
    ----------
    regret
        A function of the chances of all arms and a list of the arms that were pulled.

    Examples
    --------
    >>> print(check_regret(lambda chances, pulls: 0.0))
    Pulling arm 0 of 0.6, 0.5, 0.3 costs nothing, arm 1 costs 0.1: after [0, 1] yours says 0.
    """
    if not callable(regret):
        return f"Give a function of chances and pulls: this is {shortened(regret)}."
    for pulls in ([0], [0, 1], list(PULLS)):
        right = sum(max(CHANCES) - CHANCES[arm] for arm in pulls)
        got = regret(list(CHANCES), pulls)
        if not is_close(got, right):
            if pulls == [0]:
                return f"Pulling the best arm costs nothing: after [0] yours says {as_number(got)}."
            if pulls == [0, 1]:
                return (
                    "Pulling arm 0 of 0.6, 0.5, 0.3 costs nothing, arm 1 costs 0.1: after [0, 1] "
                    f"yours says {as_number(got)}."
                )
            return f"After {pulls} it is {right:.2f}, the sum over all pulls, not {as_number(got)}."
    return "Right: wins that were not won, one pull after the other."


def check_bonus(bonus: object) -> str:
    """Return what is right or wrong in the value by which UCB1 compares arms.

    Parameters
    ----------
    bonus
        A function of the mean of an arm, of its pulls, and of the pulls of all arms.

    Examples
    --------
    >>> print(check_bonus(lambda mean, pulls, total: mean))
    An arm with the same mean and fewer pulls has to come first: yours makes no difference.
    """
    if not callable(bonus):
        return f"Give a function of mean, pulls and total: this is {shortened(bonus)}."
    few, many = bonus(0.5, 4, 100), bonus(0.5, 50, 100)
    if not all(isinstance(value, int | float) for value in (few, many)):
        return f"It has to return a number: yours returns {shortened(few)}."
    if is_close(few, many):
        return (
            "An arm with the same mean and fewer pulls has to come first: yours makes no "
            "difference."
        )
    if few < many:
        return "Yours prefers what has been tried often. Which arm could still surprise?"
    for mean, pulls, total in ((0.5, 4, 100), (0.2, 10, 50), (0.9, 3, 7)):
        right, got = mean + math.sqrt(2 * math.log(total) / pulls), bonus(mean, pulls, total)
        if not is_close(got, right):
            return (
                f"For mean {mean}, {pulls} pulls of {total} it is {right:.4f}, not "
                f"{as_number(got)}. The logarithm is that of all pulls, the root is over both."
            )
    return "Right: an arm is worth what it may well be, not what it was so far."


def check_belief(parameters: object) -> str:
    """Return what is right or wrong in the beta distribution after some games.

    Parameters
    ----------
    parameters
        Its two numbers.

    Examples
    --------
    >>> print(check_belief((7, 10)))
    The second number counts losses, not games.
    """
    if not isinstance(parameters, Sequence) or len(parameters) != 2:
        return f"Give two numbers: this is {shortened(parameters)}."
    first, second = parameters
    losses = GAMES - WINS
    if (first, second) == (WINS + 1, losses + 1):
        return f"Right: its mean is {(WINS + 1) / (GAMES + 2):.3f}, a little nearer to one half."
    if (first, second) in ((WINS, losses), (losses, WINS)):
        return "That is what the games say. Before the first one it was flat: Beta(1, 1)."
    if (first, second) == (losses + 1, WINS + 1):
        return "The first number counts wins."
    if second in (GAMES, GAMES + 1):
        return "The second number counts losses, not games."
    return f"Each win adds 1 to one of them, each loss to the other: {WINS} wins in {GAMES} games."


def check_even_split(games: object) -> str:
    """Return what is right or wrong in how many games each of two arms needs.

    Parameters
    ----------
    games
        For each arm, so that the better one comes out ahead in 95 of 100 runs.

    Examples
    --------
    >>> print(check_even_split(50))
    With 50 games each the better one is ahead in 84 of 100 runs only.
    """
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        return f"Give a whole number from 1: this is {shortened(games)}."
    spread = BETTER * (1 - BETTER) + WORSE * (1 - WORSE)
    right = math.ceil(spread * (normal_quantile(2 * SURE - 1) / (BETTER - WORSE)) ** 2)
    if abs(games - right) <= 0.06 * right:
        return f"Right, about {right}: and twice that in all, whichever rule divides them evenly."
    if games < right:
        z = (BETTER - WORSE) * math.sqrt(games / spread)
        ahead = round(50 * (1 + math.erf(z / math.sqrt(2))))
        return f"With {games} games each the better one is ahead in {ahead} of 100 runs only."
    return f"{games} are more than it takes: fewer games make it 95 of 100."
