"""A place where searches play, compiled: to learn from, and to measure by."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

from splendor_nb.agents import (
    evaluation,
    ladder,
    layers,
    network,
    planner,
    policies,
    search_games,
    self_play,
    tree,
)
from splendor_nb.agents.fit_planner import planner_row
from splendor_nb.agents.growth import INLINED
from splendor_nb.agents.records import Log, cut, make_log
from splendor_nb.agents.rooms import Room, make_room
from splendor_nb.agents.weights import planner_weights
from splendor_nb.engine import compiled, rng, rules
from splendor_nb.engine.options import Rules, make_components
from splendor_nb.engine.position import Position, Tables, tables_for

A_GAME = 250  # decisions that a game may have on average: memory that is not used costs nothing


class Rival(NamedTuple):
    """One that plays in an arena.

    Attributes
    ----------
    room
        Where it works.
    iterations
        Of each decision; 0 for an agent that does not search.
    """

    room: Room
    iterations: int


class SearchArena:
    """A place where searches play.

    Parameters
    ----------
    players
        Seats at a table.
    seed
        The master seed of all deals.

    Examples
    --------
    >>> arena = SearchArena(2)
    >>> arena.rival(iterations=50).iterations
    50
    """

    def __init__(self, players: int, seed: int = 1) -> None:
        self.players = players
        self.tables: Tables = tables_for(make_components(), Rules())
        self._masters = rng.master_seeds(seed, players)

    def rival(self, *, iterations: int, learned: Any = None, **settings: float) -> Rival:
        """Return a search, or for 0 iterations the planner.

        Parameters
        ----------
        learned
            The rows of its network, `None` for the planner's judgment.
        **settings
            What differs from the settings of `SearchAgent`.
        """
        row = planner_row(planner_weights(self.players).values())
        row |= {"worlds": 4, "explore": 1.0, "reduction": 0.2, **settings}
        row["judge"] = tree.BY_PLANNER if learned is None else tree.BY_NETWORK
        rows = _no_rows() if learned is None else learned
        nodes = iterations + 1
        return Rival(
            make_room(self.tables, self.players, [row], nodes=nodes, learned=rows), iterations
        )

    def record(self, rival: Rival, *, first: int, games: int) -> Log:
        """Return the decisions of some games of one against copies of itself.

        Parameters
        ----------
        first, games
            The number of the first deal, and how many.
        """
        log = make_log(games * A_GAME, self.players)
        s, t, masters, streams = self._set_up()
        count = kernels().record_play(
            *(s, t, masters, first, games, rival.iterations, streams, rival.room, log)
        )
        return Log(*(array.copy() for array in cut(log, 0, count)))

    def duel(self, one: Rival, other: Rival, *, first: int, deals: int) -> Any:
        """Return the share that the first of two wins of each deal.

        Each deal is played once in every seat. With more than two players the first sits alone
        against copies of the other, so its fair share is one seat's.

        Returns
        -------
        ndarray
            Of shape (deals,).
        """
        import numpy as np

        wins = np.zeros(deals)
        s, t, masters, streams = self._set_up()
        rooms, budgets = (one.room, other.room), np.array([one.iterations, other.iterations])
        kernels().play_pairs(*(s, t, masters, first, deals, streams, rooms, budgets, wins))
        return wins / self.players

    def _set_up(self) -> tuple[Any, Any, Any, Any]:
        import numpy as np

        position = Position(self.tables, self.players)
        if not compiled.has_numba():
            return position, self.tables, self._masters, [[0] for _ in range(self.players + 1)]
        s = compiled.pack_position(position, self.tables)[0]
        streams = np.zeros((self.players + 1, 1), np.int64)
        return s, compiled.packed_tables(self.tables), np.array(self._masters), streams


def mean_and_error(shares: Sequence[float]) -> tuple[float, float]:
    """Return the mean of what was won of each deal, and its standard error.

    Examples
    --------
    >>> mean_and_error([0.5, 1, 0.5, 0])
    (0.5, 0.2041241452319315)
    """
    n = len(shares)
    mean = float(sum(shares)) / n
    return mean, math.sqrt(sum((share - mean) ** 2 for share in shares) / (n - 1) / n)


@functools.cache
def kernels() -> SimpleNamespace:
    """Return the functions that play for this module, compiled where Numba is there."""
    modules = (
        *(rng, rules, policies, evaluation, planner, layers, network, tree, ladder),
        *(self_play, search_games),
    )
    return compiled.compile_modules(
        *modules, entries=("record_play", "play_pairs"), inlined=INLINED
    )


def _no_rows() -> Any:
    import numpy as np

    return np.zeros((network.LEARNED, network.WIDTH), np.float32)
