"""Zero-sum games on a matrix: mixes that cannot be beaten, and rows that nobody needs.

A matrix holds what the row side wins; the column side wants it low.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

import nashpy
import numpy as np
from scipy.optimize import linprog

CLOSE = 1e-8  # payoffs nearer than this are equal
METHODS = ("support", "vertex", "lemke_howson", "linear_program")
SIZE_OF_ENUMERATION = 12  # rows or columns; beyond that only the linear program ends soon

Array = np.ndarray[Any, Any]


def solutions(matrix: Array, method: str) -> Iterable[tuple[Array, Array]]:
    """Yield what a method takes for equilibria."""
    if method == "linear_program":
        return [linear_program(matrix)]
    if max(matrix.shape) > SIZE_OF_ENUMERATION:
        return []
    game = nashpy.Game(matrix, -matrix)
    with warnings.catch_warnings():  # of ties: what it finds is checked, and more is looked for
        warnings.simplefilter("ignore")
        if method == "support":
            return list(game.support_enumeration())
        if method == "vertex":
            return _vertices(game)
        return _paths(game, sum(matrix.shape))


def _vertices(game: nashpy.Game) -> list[tuple[Array, Array]]:
    """Return the pairs of vertices; none where ties leave a polytope without an inside."""
    try:
        return list(game.vertex_enumeration())
    except (TypeError, ValueError, RuntimeError):
        return []


def _paths(game: nashpy.Game, labels: int) -> list[tuple[Array, Array]]:
    """Return where the paths of Lemke and Howson end, but for those that get lost among ties."""
    ends = []
    for label in range(labels):
        try:
            ends.append(game.lemke_howson(initial_dropped_label=label))
        except (IndexError, ValueError, ZeroDivisionError):
            continue
    return ends


def linear_program(matrix: Array) -> tuple[Array, Array]:
    """Return best mixes of both sides (J. von Neumann's theorem as a linear program)."""
    return best_mix(matrix), best_mix(-matrix.T)


def best_mix(matrix: Array) -> Array:
    """Return the mix of rows whose worst payoff is highest."""
    rows, columns = matrix.shape
    goal = np.r_[np.zeros(rows), -1.0]
    worst = np.c_[-matrix.T, np.ones(columns)]
    found = linprog(
        goal,
        A_ub=worst,
        b_ub=np.zeros(columns),
        A_eq=[np.r_[np.ones(rows), 0.0]],
        b_eq=[1.0],
        bounds=[(0, 1)] * rows + [(None, None)],
        method="highs-ds",
    )
    mix = np.clip(found.x[:rows], 0, None)
    return np.asarray(mix / mix.sum())


def is_equilibrium(matrix: Array, row: Array, column: Array) -> bool:
    """Tell whether neither side gains by leaving its mix: the best-response check."""
    for mix in (row, column):
        if not np.isfinite(mix).all() or (mix < -CLOSE).any() or abs(mix.sum() - 1) > 1e-6:
            return False
    value = row @ matrix @ column
    scale = max(1.0, float(np.abs(matrix).max()))
    best_row, best_column = (matrix @ column).max(), (row @ matrix).min()
    return bool(best_row - value <= CLOSE * scale and value - best_column <= CLOSE * scale)


def dominator(rows: Array, own: Array) -> tuple[str, Array]:
    """Return how a row of payoffs is dominated by a mix of others, and the mix.

    The kind is ``strict``, ``weak``, or empty where none dominates.
    """
    count, columns = rows.shape
    if not count:
        return "", np.zeros(0)
    equal = {"A_eq": [np.r_[np.ones(count), 0.0]], "b_eq": [1.0]}
    bounds = [(0, 1)] * count + [(None, None)]
    least = linprog(
        np.r_[np.zeros(count), -1.0],
        A_ub=np.c_[-rows.T, np.ones(columns)],
        b_ub=-own,
        bounds=bounds,
        **equal,
    )
    if least.x[-1] > CLOSE:
        return "strict", np.asarray(least.x[:count])
    total = linprog(
        -np.r_[rows.sum(axis=1), 0.0],
        A_ub=np.c_[-rows.T, np.zeros(columns)],
        b_ub=-own + CLOSE,
        bounds=[*bounds[:-1], (0, 0)],
        **equal,
    )
    if total.success and -total.fun > own.sum() + 10 * CLOSE * columns:
        return "weak", np.asarray(total.x[:count])
    return "", np.zeros(count)
