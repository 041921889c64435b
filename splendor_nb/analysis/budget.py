"""How much an exact search may cost, and what it says when that is not enough."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

DEEP = 50_000  # calls within calls; a game of a thousand turns takes some thousands


class OutOfBudget(Exception):  # noqa: N818  (it is no error: the search says that it has not ended)
    """The search has seen as many positions, or taken as long, as it may."""


class Budget:
    """Counts positions, and stops a search that has had its share.

    Parameters
    ----------
    positions
        The most positions; `None` for as many as it takes.
    seconds
        The most time; `None` for as long as it takes.
    should_stop
        Asked at each position; once it says yes, the search ends.

    Examples
    --------
    >>> budget = Budget(positions=1)
    >>> budget.count()
    >>> budget.count()
    Traceback (most recent call last):
    splendor_nb.analysis.budget.OutOfBudget: 1 position
    """

    def __init__(
        self,
        positions: int | None = None,
        seconds: float | None = None,
        should_stop: Callable[[], bool] | None = None,
    ) -> None:
        self.seen = 0
        self._should_stop = should_stop
        self._positions = positions
        self._seconds = seconds
        self._until = None if seconds is None else time.monotonic() + seconds

    def count(self) -> None:
        """Count a position.

        Raises
        ------
        OutOfBudget
            Where it is one too many, too late, or somebody stops the search.
        """
        if self.seen == self._positions:
            raise OutOfBudget(_positions(self.seen))
        if self._should_stop is not None and self._should_stop():
            raise OutOfBudget(f"{_positions(self.seen)}, by request")
        self.seen += 1
        if self._until is not None and time.monotonic() > self._until:
            raise OutOfBudget(f"{self._seconds:g} s and {self.seen:,} positions")


def _positions(number: int) -> str:
    return f"{number:,} position{'' if number == 1 else 's'}"


@contextlib.contextmanager
def deep_calls() -> Iterator[None]:
    """Let functions call themselves as deep as a long game goes.

    Examples
    --------
    >>> with deep_calls():
    ...     sys.getrecursionlimit() >= DEEP
    True
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEEP))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
