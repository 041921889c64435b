"""Checks for the exercises on simulated games: each says what is wrong, not only that it is."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import mean, stdev
from typing import Any, Final

from splendor_nb.analysis.sample_size import games_needed, power_of
from splendor_nb.engine.forms import shortened
from splendor_nb.games.intervals import normal_quantile, wilson

RATE: Final = 0.52  # of the first exercise
WINS: Final = 540  # of the second, in so many games
GAMES: Final = 1000
CLOSE: Final = 0.001

# Rounds on the same deals under two rules: they rise and fall together, as deals are long or short.
_ROUNDS: Final = ([24, 31, 27, 35, 29, 26], [25, 33, 27, 37, 30, 28])


def check_games_needed(games: object) -> str:
    """Return what is right or wrong in the number of games that tell 52 % from 50 %.

    Parameters
    ----------
    games
        The number.

    Examples
    --------
    >>> print(check_games_needed(783))
    Too few: with 783 games one sees the difference in 19 of 100 runs only, not in 80.
    """
    if isinstance(games, bool) or not isinstance(games, int) or games < 1:
        return f"Give a whole number from 1: this is {shortened(games)}."
    right = games_needed(RATE)
    if abs(games - right) <= 0.02 * right:
        return f"Right: {right:,} games, more than six times as many as for 55 %."
    seen = round(100 * power_of(min(games, 10**9), RATE))
    if games < right:
        return (
            f"Too few: with {games:,} games one sees the difference in {seen} of 100 runs only, "
            "not in 80."
        )
    return f"More than it takes: with {games:,} games one sees it in {seen} of 100 runs, not in 80."


def check_interval(interval: object) -> str:
    """Return what is right or wrong in the 95 % interval of 540 wins in 1,000 games.

    Parameters
    ----------
    interval
        Its two ends, as shares from 0 to 1.

    Examples
    --------
    >>> print(check_interval((0.524, 0.556)))
    That is one standard error to each side: it holds the truth in 68 of 100 runs, not in 95.
    """
    ends = _two_numbers(interval)
    if ends is None:
        return f"Give the two ends, such as (0.5, 0.6): this is {shortened(interval)}."
    low, high = ends
    if not 0 <= low < high <= 1:
        return f"The ends are shares from 0 to 1, the lower one first: these are {low} and {high}."
    share, right = WINS / GAMES, wilson(WINS, GAMES)
    if max(abs(low - right.low), abs(high - right.high)) <= CLOSE:
        return "Right: 50 % is not within, so the games show a difference, if only just."
    middle = (low + high) / 2
    if abs(middle - share) > 2 * CLOSE:
        return f"Its middle is {middle:.3f}, but the wins are another share of the games."
    return _about_width((high - low) / 2, share)


def _about_width(reach: float, share: float) -> str:
    error = math.sqrt(share * (1 - share) / GAMES)
    known = {
        error: "That is one standard error to each side: it holds the truth in 68 of 100 runs, "
        "not in 95.",
        normal_quantile(0.90) * error: "That leaves out 5 of 100 on each side: it is a 90 % "
        "interval.",
        error * math.sqrt(GAMES): "That is the spread of a single game: that of the mean of many "
        "is smaller.",
    }
    for value, answer in known.items():
        if abs(reach - value) <= CLOSE:
            return answer
    return f"Too {'narrow' if reach < normal_quantile() * error else 'wide'} for 95 %."


def _two_numbers(interval: object) -> tuple[float, float] | None:
    if not isinstance(interval, (tuple, list)) or len(interval) != 2:
        return None
    low, high = interval
    if any(isinstance(end, bool) or not isinstance(end, (int, float)) for end in interval):
        return None
    return float(low), float(high)


def check_paired_error(function: object) -> str:
    """Return what is right or wrong in a function for the standard error of a paired difference.

    Parameters
    ----------
    function
        Gets two lists of numbers, where those at the same place belong to the same deal, and
        returns the standard error of the mean difference.

    Examples
    --------
    >>> from statistics import stdev
    >>> print(check_paired_error(lambda first, second: stdev(second) - stdev(first)))
    Not yet: take the differences deal by deal, and ask how far their mean may be off.
    """
    if not callable(function):
        return f"Give a function of two lists: this is {shortened(function)}."
    got = function(*map(list, _ROUNDS))
    if isinstance(got, bool) or not isinstance(got, (int, float)):
        return f"The function returns a number: this is {shortened(got)}."
    for close, answer in _mistakes():
        if math.isclose(got, close(*_ROUNDS), rel_tol=1e-6):
            return answer
    return "Not yet: take the differences deal by deal, and ask how far their mean may be off."


def _mistakes() -> list[tuple[Callable[[Any, Any], float], str]]:
    """Return what functions may give, and what it means; the right one is first."""
    n = len(_ROUNDS[0])

    def differences(first: list[float], second: list[float]) -> list[float]:
        return [b - a for a, b in zip(first, second, strict=True)]

    def spread(first: list[float], second: list[float]) -> float:
        return stdev(differences(first, second))

    def apart(first: list[float], second: list[float]) -> float:
        return math.sqrt((stdev(first) ** 2 + stdev(second) ** 2) / n)

    return [
        (
            lambda a, b: spread(a, b) / math.sqrt(n),
            "Right: for these deals it is less than a fifth of what two runs apart would have.",
        ),
        (spread, "That is how far single deals spread: the mean of n deals spreads less."),
        (lambda a, b: spread(a, b) / n, "The error falls with the root of the number of deals."),
        (
            lambda a, b: spread(a, b) * math.sqrt((n - 1) / n) / math.sqrt(n),
            "Nearly: the mean is estimated too, so divide by n - 1 in the standard deviation.",
        ),
        (apart, "That is for two runs apart: here the luck of a deal is in both, and cancels."),
        (
            lambda a, b: mean(differences(a, b)),
            "That is the mean difference itself; its standard error is asked for.",
        ),
    ]
