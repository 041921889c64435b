"""The champion: the search with the network that this package has trained."""

from __future__ import annotations

import csv
import functools
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from splendor_nb.agents.search import LEVELS, SearchAgent
from splendor_nb.engine.cards import data_folder
from splendor_nb.engine.options import Rules, make_components
from splendor_nb.engine.position import Tables

FILE, CURVE = "champion.npz", "champion_curve.csv"


class ChampionAgent(SearchAgent):
    """An agent that searches as `SearchAgent` does, but with a network in the planner's place.

    The network has learned the game with the base cards and the standard rules, for the numbers
    of players that `trained_players` names. Where it has not, the champion says so, once, and
    plays as `search`.

    Parameters
    ----------
    iterations, seconds
        As for `SearchAgent`; 3000 iterations by default.
    trees
        As there; two by default.
    **settings
        As there.

    Raises
    ------
    TypeError, ValueError
        For what is not allowed; the message names what is.

    Examples
    --------
    >>> from splendor_nb import Rng, new_game
    >>> agent = ChampionAgent(iterations=50)
    >>> agent(new_game(players=2, seed=7).observation(0), Rng(1)).kind
    'take'
    """

    def __init__(
        self,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        trees: int = LEVELS["champion"]["trees"],
        name: str = "champion",
        **settings: Any,
    ) -> None:
        if iterations is None and seconds is None:
            iterations = LEVELS["champion"]["iterations"]
        super().__init__(iterations=iterations, seconds=seconds, trees=trees, name=name, **settings)

    def _learned(self, tables: Tables, players: int) -> Any:
        why = why_not_trained(tables, players)
        if why:
            _say(f"The champion plays as 'search' here: {why}\n")
            return None
        return learned_rows(players)


def trained_players() -> tuple[int, ...]:
    """Return for how many players the network has been trained.

    Examples
    --------
    >>> 2 in trained_players()
    True
    """
    return tuple(sorted(_stored())) if _has_numpy() else ()


def why_not_trained(tables: Tables, players: int) -> str:
    """Return why the network does not know a game, in a sentence; empty if it does.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> why_not_trained(new_game(players=2, seed=1, target=9).tables, 2)
    'its network knows the standard rules only.'
    """
    if not _has_numpy():
        return "its network needs numpy."
    if tables.components != make_components():
        return "its network knows the base cards and nobles only."
    if tables.options != Rules():
        return "its network knows the standard rules only."
    if players not in trained_players():
        return f"its network has not been trained for {players} players."
    return ""


def learned_rows(players: int) -> Any:
    """Return what the network has learned for so many players, as `network` works on it.

    Returns
    -------
    ndarray
        Of shape (rows, 32), float32.

    Examples
    --------
    >>> learned_rows(2).shape[1]
    32
    """
    return _stored()[players]


def install_rows(players: int, rows: Any, curve: Sequence[Mapping[str, Any]]) -> None:
    """Make rows the network of the champion for so many players, and lay down how it learned.

    Parameters
    ----------
    curve
        The rows of the table of its training.
    """
    import numpy as np

    path = data_folder() / FILE
    kept = {str(number): _packed(old) for number, old in _stored().items()} if path.exists() else {}
    kept[str(players)] = _packed(rows)
    with path.open("wb") as file:
        np.savez_compressed(file, **kept)
    _write_curve(players, curve)
    _stored.cache_clear()


def _write_curve(players: int, curve: Sequence[Mapping[str, Any]]) -> None:
    path = data_folder() / CURVE
    rows = []
    if path.exists():
        with path.open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["players"] != str(players)]
    rows += [{"players": str(players), **row} for row in curve]
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        table.writeheader()
        table.writerows(sorted(rows, key=lambda row: str(row["players"])))


def _packed(rows: Any) -> Any:
    """Return rows as they are stored: in half precision."""
    import numpy as np

    return rows.astype(np.float16)


@functools.cache
def _stored() -> dict[int, Any]:
    import numpy as np

    with np.load(data_folder() / FILE, allow_pickle=False) as arrays:
        return {int(name): array.astype(np.float32) for name, array in arrays.items()}


def _has_numpy() -> bool:
    return importlib.util.find_spec("numpy") is not None


@functools.cache
def _say(line: str) -> None:
    """Say something once."""
    sys.stderr.write(line)
