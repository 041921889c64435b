"""What the network learns from: decisions, as arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from splendor_nb.agents import network
from splendor_nb.engine import rules
from splendor_nb.engine.position import TAKES, Tables

STATIC = 15  # numbers of a card as such


class Log(NamedTuple):
    """Decisions, one in each row of every array.

    Attributes
    ----------
    seat
        Who decides.
    nobles
        How many nobles there are.
    shown
        The cards: 12 of the market, 3 of each reserve.
    views, needs, facts
        What the network sees of cards, nobles, and table and seats.
    visits
        How often the search went through each action, -1 for those not legal.
    value
        What the search expected for the seat, 0 to 1; -1 for no expectation.
    shares
        How the win was shared, from the seat that decides on.
    """

    seat: Any
    nobles: Any
    shown: Any
    views: Any
    needs: Any
    facts: Any
    visits: Any
    value: Any
    shares: Any


def make_log(size: int, players: int) -> Log:
    """Return a log with room for so many decisions.

    Examples
    --------
    >>> make_log(10, players=2).shown.shape
    (10, 18)
    """
    import numpy as np

    places = rules.SLOTS + rules.RESERVE_LIMIT * players
    views = network.WIDTH * ((players + 1) // network.VIEWS)
    rows = (size, players + 1, network.WIDTH)
    return Log(
        seat=np.zeros(size, np.int8),
        nobles=np.zeros(size, np.int8),
        shown=np.zeros((size, places), np.int8),
        views=np.zeros((size, places, views), np.int8),
        needs=np.zeros(rows, np.int8),
        facts=np.zeros(rows, np.int8),
        visits=np.zeros((size, rules.NOBLE), np.int16),
        value=np.zeros(size, np.float32),
        shares=np.zeros((size, players), np.float32),
    )


def cut(log: Log, start: int, end: int | None = None) -> Log:
    """Return some rows of a log."""
    return Log(*(array[start:end] for array in log))


def join(logs: Iterable[Log]) -> Log:
    """Return all rows of several logs."""
    import numpy as np

    return Log(*map(np.concatenate, zip(*logs, strict=True)))


def static_numbers(tables: Tables) -> Any:
    """Return what cards are: cost and bonus by color, points, level, and a constant.

    Returns
    -------
    ndarray
        Of shape (cards, 15): a row for each card, one of zeros for an empty slot, one for the back
        of each level.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> static_numbers(new_game(seed=1).tables)[0].astype(int).tolist()  # 1W1, for RRK
    [0, 0, 0, 2, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1]
    """
    import numpy as np

    numbers = np.zeros((tables.empty + 4, STATIC), np.float32)
    for card in range(tables.empty):
        numbers[card, :5] = tables.cost[card]
        numbers[card, 5 + tables.bonus[card]] = 1
        numbers[card, 10] = tables.points[card]
        numbers[card, 10 + tables.level[card]] = 1
    for level in (1, 2, 3):
        numbers[tables.empty + level, 10 + level] = 1
    numbers[:, 14] = 1
    numbers[tables.empty] = 0
    return numbers


class Coloring(NamedTuple):
    """The game with its colors exchanged: which column takes the place of each."""

    static: list[int]
    views: list[int]
    needs: list[int]
    table_facts: list[int]
    seat_facts: list[int]
    visits: list[int]


def exchange(colors: Sequence[int], players: int) -> Coloring:
    """Return the columns for an order of the five colors.

    Examples
    --------
    >>> exchange([1, 0, 2, 3, 4], players=2).needs[:8]
    [1, 0, 2, 3, 4, 5, 7, 6]
    """
    views = network.WIDTH * ((players + 1) // network.VIEWS)
    return Coloring(
        static=_blocks(colors, STATIC, (0, 5)),
        views=_blocks(
            colors, views, [network.VIEW * i + j for i in range(players) for j in (0, 5)]
        ),
        needs=_blocks(colors, network.WIDTH, [network.NEED * i for i in range(players)]),
        table_facts=_blocks(colors, network.WIDTH, (0,)),
        seat_facts=_blocks(colors, network.WIDTH, (0, 6)),
        visits=_actions(colors),
    )


def _blocks(colors: Sequence[int], width: int, starts: Iterable[int]) -> list[int]:
    columns = list(range(width))
    for start in starts:
        columns[start : start + 5] = [start + color for color in colors]
    return columns


def _actions(colors: Sequence[int]) -> list[int]:
    places = {tuple(sorted(take)): number for number, take in enumerate(TAKES)}
    takes = [places[tuple(sorted(colors[gem] for gem in take))] for take in TAKES]
    rest = list(range(len(TAKES), rules.RETURN))
    return [*takes, *rest, *(rules.RETURN + color for color in colors), rules.RETURN + rules.GOLD]
