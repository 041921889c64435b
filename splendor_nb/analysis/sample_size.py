"""How many games it takes to be sure: power, and the width of an interval."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy.stats import binom

from splendor_nb.engine.forms import check_whole_number, shortened
from splendor_nb.games.intervals import LEVEL, normal_quantile


def games_needed(rate: float, other: float = 0.5, power: float = 0.8) -> int:
    """Return how many games tell one win rate from another.

    So many independent games show a difference, at the 95 % level on both sides, with the chance
    `power`, if the true win rate is `rate` and the question is whether it is `other`. (The formula
    for one proportion by the normal distribution, J. L. Fleiss, Statistical Methods for Rates and
    Proportions, ch. 2; `power_of` computes the chance without it.)

    Parameters
    ----------
    rate, other
        Win rates, between 0 and 1 and not the same.
    power
        How sure one wants to be to see it, between 0 and 1.

    Raises
    ------
    ValueError
        For numbers out of range.

    Examples
    --------
    >>> games_needed(0.55)
    783
    >>> games_needed(0.51) > 20 * games_needed(0.55)
    True
    """
    for what, number in (("rate", rate), ("other", other), ("power", power)):
        _check_share(what, number)
    if rate == other:
        raise ValueError(f"No number of games tells {rate} from itself.")
    sure, found = normal_quantile(LEVEL), normal_quantile(2 * power - 1)
    spread = sure * np.sqrt(other * (1 - other)) + found * np.sqrt(rate * (1 - rate))
    return int(np.ceil((spread / (rate - other)) ** 2))


def power_of(games: int, rate: float, other: float = 0.5) -> float:
    """Return the chance that so many games tell one win rate from another.

    The wins of independent games are binomial. The difference is shown where they lie outside what
    `other` gives in 95 of 100 runs.

    Parameters
    ----------
    games
        How many, from 1.
    rate, other
        The true win rate, and the one in question, between 0 and 1.

    Raises
    ------
    TypeError, ValueError
        For numbers out of range.

    Examples
    --------
    >>> round(power_of(100, 0.55), 2), round(power_of(783, 0.55), 2)
    (0.14, 0.79)
    """
    check_whole_number("games", games, 1)
    _check_share("rate", rate)
    _check_share("other", other)
    tail = (1 - LEVEL) / 2
    # The fewest and the most wins that `other` still explains.
    low, high = binom.ppf(tail, games, other), binom.ppf(1 - tail, games, other)
    return float(binom.cdf(low - 1, games, rate) + binom.sf(high, games, rate))


def power_table(rates: Sequence[float], games: Sequence[int], other: float = 0.5) -> pd.DataFrame:
    """Return `power_of` for several win rates and numbers of games.

    Parameters
    ----------
    rates
        True win rates.
    games
        Numbers of games.
    other
        The win rate in question.

    Returns
    -------
    pandas.DataFrame
        A row for each pair: ``rate``, ``other``, ``games``, ``power`` from 0 to 1.

    Raises
    ------
    TypeError, ValueError
        For numbers out of range.

    Examples
    --------
    >>> power_table([0.55, 0.6], [100]).round(2)
       rate  other  games  power
    0  0.55    0.5    100   0.14
    1  0.60    0.5    100   0.46
    """
    rows = [(rate, other, n, power_of(n, rate, other)) for rate in rates for n in games]
    return pd.DataFrame(rows, columns=["rate", "other", "games", "power"])


def games_for_width(width: float, rate: float = 0.5) -> int:
    """Return how many games make the 95 % interval of a win rate so wide, from end to end.

    Parameters
    ----------
    width
        As a share: 0.01 is one percentage point.
    rate
        The win rate expected, between 0 and 1; 0.5 needs most.

    Raises
    ------
    ValueError
        For numbers out of range.

    Examples
    --------
    >>> games_for_width(0.01)
    38415
    """
    _check_share("width", width)
    _check_share("rate", rate)
    return int(np.ceil(rate * (1 - rate) * (2 * normal_quantile(LEVEL) / width) ** 2))


def _check_share(what: str, number: float) -> None:
    if not 0 < number < 1:
        raise ValueError(f"{what} is between 0 and 1, not {shortened(number)}.")
