"""Ratings: one number for each agent, fitted to all results at once, so that order is no matter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from splendor_nb.games.intervals import normal_quantile

ELO = 400 / np.log(10)  # Elo points of one unit of log odds
STEPS, CLOSE = 200, 1e-10

Array = np.ndarray[Any, Any]


def fit_ratings(duels: pd.DataFrame, agents: Sequence[str], anchor: str) -> pd.DataFrame:
    """Return the ratings that fit results best (R. Bradley and M. Terry, 1952).

    The odds of `a` against `b` are 10 to the power of their difference over 400. A tie counts as
    half a win for each. Every pair that has met is given one more game, a tie, so that an agent
    that wins all its games has a finite rating. Intervals take deals, not games, as independent
    (the sandwich estimate of P. Huber, 1967).

    Parameters
    ----------
    duels
        A row for each game and pair: ``group``, ``deal``, ``a``, ``b``, ``score`` of `a`, 0 to 1.
    agents
        All that are to be rated.
    anchor
        The one whose rating is 0.

    Returns
    -------
    pandas.DataFrame
        A row for each agent, the best first: ``agent``, ``rating``, ``low``, ``high``, ``games``.
        Agents that share no chain of games with the anchor have NaN.

    Examples
    --------
    >>> duels = pd.DataFrame({"group": 0, "deal": range(9), "a": "x", "b": "y", "score": 1.0})
    >>> fit_ratings(duels, ["x", "y"], "y")["rating"].round().to_list()
    [512.0, 0.0]
    """
    place = {agent: number for number, agent in enumerate(agents)}
    a, b = (duels[side].map(place).to_numpy(int) for side in ("a", "b"))
    score = duels["score"].to_numpy(float)
    n = len(agents)
    met = np.zeros((n, n))
    np.add.at(met, (a, b), 1.0)
    np.add.at(met, (b, a), 1.0)
    won = np.zeros((n, n))
    np.add.at(won, (a, b), score)
    np.add.at(won, (b, a), 1.0 - score)
    extra = (met > 0).astype(float)
    strength = _most_likely(won + extra / 2, met + extra)
    known = _reach(met > 0, place[anchor])
    strength = np.where(known, strength - strength[place[anchor]], np.nan)
    clusters = duels["group"].astype(str) + ":" + duels["deal"].astype(str)
    error = _standard_errors(strength, met + extra, (a, b, score), clusters, place[anchor])
    reach = normal_quantile() * error
    table = pd.DataFrame(
        {
            "agent": list(agents),
            "rating": strength * ELO,
            "low": (strength - reach) * ELO,
            "high": (strength + reach) * ELO,
            "games": met.sum(axis=1).astype(int),
        }
    )
    return table.sort_values("rating", ascending=False, ignore_index=True, kind="stable")


def _most_likely(won: Array, met: Array) -> Array:
    """Return the log strengths of greatest likelihood by Newton's method, their mean 0."""
    n = len(won)
    strength = np.zeros(n)
    for _ in range(STEPS):
        chance = _chances(strength)
        slope = (won - met * chance).sum(axis=1)
        step = np.linalg.lstsq(_information(met, chance), slope, rcond=None)[0]
        # A step of at most two units keeps far-off starts from overshooting.
        strength = strength + step * min(1.0, 2.0 / max(1e-12, float(np.abs(step).max())))
        if float(np.abs(step).max()) < CLOSE:
            break
    return np.asarray(strength - strength.mean())


def _chances(strength: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(strength[None, :] - strength[:, None])))


def _information(met: Array, chance: Array) -> Array:
    weight = met * chance * (1 - chance)
    return np.asarray(np.diag(weight.sum(axis=1)) - weight)


def _standard_errors(
    strength: Array,
    met: Array,
    results: tuple[Array, Array, Array],
    clusters: pd.Series,
    anchor: int,
) -> Array:
    """Return standard errors of differences from the anchor, with deals as what is independent."""
    a, b, score = results
    known = ~np.isnan(strength)
    chance = _chances(np.where(known, strength, 0.0))
    rest = score - chance[a, b]
    number, _ = pd.factorize(clusters)
    slopes = np.zeros((number.max() + 1 if len(number) else 0, len(strength)))
    np.add.at(slopes, (number, a), rest)
    np.add.at(slopes, (number, b), -rest)
    bread = np.linalg.pinv(_information(met, chance))
    spread = bread @ (slopes.T @ slopes) @ bread
    variance = np.diag(spread) + spread[anchor, anchor] - 2 * spread[anchor]
    return np.where(known, np.sqrt(np.maximum(variance, 0)), np.nan)


def _reach(met: Array, start: int) -> Array:
    """Return which agents are linked to one by games."""
    reached = np.zeros(len(met), bool)
    reached[start] = True
    for _ in range(len(met)):
        reached |= met[reached].any(axis=0)
    return reached
