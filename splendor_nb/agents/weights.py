"""The weights of the planner: fitted, kept in ``data/planner.csv``, readable and replaceable."""

from __future__ import annotations

import csv
import functools
import math
from collections.abc import Mapping

from splendor_nb.agents.evaluation import NAMES
from splendor_nb.engine.cards import data_folder
from splendor_nb.engine.errors import SplendorError
from splendor_nb.engine.forms import check_whole_number, quoted, shortened

FILE = "planner.csv"


def planner_weights(players: int = 2) -> dict[str, float]:
    """Return the weights of the planner by feature, as they were fitted for so many players.

    A seat's score is the sum of its features times these; a difference of 1 between two seats
    makes the odds of winning 2.7 times as high. Cards count for the open ones and one's own
    reserve; what is *near* is 1 / (1.5 + tokens missing).

    ``points``
        Points of cards and nobles.
    ``late_points``
        Points beyond the target less six.
    ``reached``
        1 from the target on.
    ``bonuses``, ``late_bonuses``
        Bonuses of all colors; the same times the most points of a seat as a share of the target.
    ``discount``
        What the bonuses save on each card, times its points + 1.
    ``near_points``, ``near_cards``
        Nearness times points, and nearness, of all cards.
    ``best_card``, ``second_card``
        The highest nearness times (points + ½), and the second.
    ``kept_points``, ``kept_cards``
        As ``near_…``, of the reserve alone, on top.
    ``cheap_points``
        Points / (3 + price after bonuses) of all cards.
    ``affordable``, ``affordable_points``
        Cards that could be bought now, and the most points of one.
    ``near_nobles``, ``nearest_noble``
        2 / (1 + bonuses missing), of all nobles and of the nearest.
    ``tokens``, ``gold``, ``colors``
        Tokens, gold among them, and different gems held.
    ``reserved``
        Cards in reserve.
    ``waiting``
        Seats that move before this one, as a share of all seats.

    Raises
    ------
    TypeError, ValueError
        For another number of players than 2 to 4.

    Examples
    --------
    >>> planner_weights()["points"] > 0
    True
    """
    return dict(_table()[check_whole_number("players", players, 2, 4)])


def checked_weights(weights: object) -> dict[str, float]:
    """Return the weights that are to replace the fitted ones.

    Raises
    ------
    TypeError, ValueError
        Where they are no mapping of features to finite numbers; the message names the features.
    """
    if not isinstance(weights, Mapping):
        raise TypeError(f"weights is a mapping of features to numbers, not {shortened(weights)}.")
    for name, weight in weights.items():
        if name not in NAMES:
            raise ValueError(f"There is no feature {shortened(name)}; there are {quoted(NAMES)}.")
        if isinstance(weight, bool) or not isinstance(weight, int | float):
            raise TypeError(f"The weight of {name!r} is a number, not {shortened(weight)}.")
        if not math.isfinite(weight):
            raise ValueError(f"The weight of {name!r} is a finite number, not {weight}.")
    return {name: float(weight) for name, weight in weights.items()}


def weight_row(players: int, changes: Mapping[str, float]) -> list[float]:
    """Return the weights in the order of the features, some of them changed."""
    weights = planner_weights(players) | dict(changes)
    return [weights[name] for name in NAMES]


@functools.cache
def _table() -> dict[int, dict[str, float]]:
    with (data_folder() / FILE).open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    if tuple(row["feature"] for row in rows) != NAMES:
        raise SplendorError(f"The table {data_folder() / FILE} lists other features than NAMES.")
    return {
        players: {row["feature"]: float(row[f"{players}_players"]) for row in rows}
        for players in (2, 3, 4)
    }
