"""Intervals: how far a rate or a mean of simulated games may lie from the truth."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import stdtrit

LEVEL = 0.95


class Interval(NamedTuple):
    """An estimate and the interval that holds the truth in 95 of 100 such studies.

    Attributes
    ----------
    estimate, low, high
        In the unit of what was measured; all NaN where nothing was.
    n
        The number of independent observations behind it.
    """

    estimate: float
    low: float
    high: float
    n: int


def normal_quantile(level: float = LEVEL) -> float:
    """Return how many standard errors reach from the middle to an end of the interval.

    Examples
    --------
    >>> round(normal_quantile(0.95), 3)
    1.96
    """
    return NormalDist().inv_cdf(0.5 + level / 2)


def wilson(successes: float, n: int, level: float = LEVEL) -> Interval:
    """Return the share of successes in n independent trials, with Wilson's interval.

    It stays between 0 and 1 and holds near them too (E. B. Wilson, 1927). Successes may be
    fractions, such as shared wins; the interval is then a little too wide.

    Raises
    ------
    ValueError
        Where there are more successes than trials, or fewer than none.

    Examples
    --------
    >>> [round(number, 3) for number in wilson(8, 10)]
    [0.8, 0.49, 0.943, 10]
    """
    if not 0 <= successes <= n:
        raise ValueError(f"Successes are from 0 to n = {n}, not {successes}.")
    if n == 0:
        return Interval(float("nan"), float("nan"), float("nan"), 0)
    low, high = _wilson_ends(successes / n, n, normal_quantile(level))
    return Interval(successes / n, low, high, n)


def mean_interval(values: Sequence[float] | np.ndarray, level: float = LEVEL) -> Interval:
    """Return the mean of independent values, with an interval by Student's distribution.

    One value has a mean, but its interval is unknown: from minus to plus infinity.

    Examples
    --------
    >>> [round(number, 2) for number in mean_interval([1.0, 2.0, 3.0])]
    [2.0, -0.48, 4.48, 3]
    """
    data = np.asarray(values, float)
    n = data.size
    if n == 0:
        return Interval(float("nan"), float("nan"), float("nan"), 0)
    mean = float(data.mean())
    if n == 1:
        return Interval(mean, -float("inf"), float("inf"), 1)
    reach = float(stdtrit(n - 1, 0.5 + level / 2)) * float(data.std(ddof=1)) / float(np.sqrt(n))
    return Interval(mean, mean - reach, mean + reach, n)


def clustered(values: pd.Series, clusters: pd.Series, level: float = LEVEL) -> Interval:
    """Return the mean of values that come in clusters, with an interval that respects them.

    Games of one deal share its luck, so not the games are independent but the deals: the means of
    the clusters are what the interval is made of. `n` is the number of clusters.

    Examples
    --------
    >>> wins, deals = pd.Series([1.0, 0.0, 1.0, 1.0]), pd.Series([0, 0, 1, 1])
    >>> clustered(wins, deals).estimate, clustered(wins, deals).n
    (0.75, 2)
    """
    grouped = values.groupby(clusters.to_numpy())
    sums, sizes = grouped.sum().to_numpy(float), grouped.size().to_numpy(float)
    if len(sizes) == 0 or (sizes == sizes[0]).all():
        return mean_interval(sums / sizes, level)
    # Clusters of several sizes: the ratio estimator (W. G. Cochran, Sampling Techniques, ch. 6).
    ratio = sums.sum() / sizes.sum()
    rest = mean_interval((sums - ratio * sizes) / sizes.mean(), level)
    reach = (rest.high - rest.low) / 2
    return Interval(float(ratio), float(ratio - reach), float(ratio + reach), len(sizes))


def clustered_share(values: pd.Series, clusters: pd.Series, level: float = LEVEL) -> Interval:
    """Return the mean of shares from 0 to 1 that come in clusters, with an interval.

    It is Wilson's for as many independent trials as would scatter like the clusters do (E. Korn
    and B. Graubard, 1998), so that it stays between 0 and 1, and 20 wins of 20 are no certainty.
    Where clusters do not scatter at all, as when an agent plays itself, it has no width.

    Examples
    --------
    >>> wins, deals = pd.Series([1.0, 1.0, 1.0, 1.0]), pd.Series([0, 0, 1, 1])
    >>> [round(number, 2) for number in clustered_share(wins, deals)]
    [1.0, 0.34, 1.0, 2]
    """
    mean = clustered(values, clusters, level)
    if mean.n == 0:
        return mean
    share = min(1.0, max(0.0, mean.estimate))
    if share in (0.0, 1.0) or mean.n == 1:
        return Interval(share, *_wilson_ends(share, mean.n, normal_quantile(level)), mean.n)
    if mean.high - mean.low < 1e-12:
        return mean
    quantile = float(stdtrit(mean.n - 1, 0.5 + level / 2))
    error = (mean.high - mean.low) / 2 / quantile
    trials = share * (1 - share) / error**2
    return Interval(share, *_wilson_ends(share, trials, quantile), mean.n)


def _wilson_ends(share: float, n: float, z: float) -> tuple[float, float]:
    spread = z * z / n
    middle = (share + spread / 2) / (1 + spread)
    reach = z * float(np.sqrt(share * (1 - share) / n + spread / (4 * n))) / (1 + spread)
    low = 0.0 if share == 0 else middle - reach
    high = 1.0 if share == 1 else middle + reach
    return low, high
