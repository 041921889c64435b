"""Exact values for any number of seats: every seat takes what is best for it, chance averages."""

from __future__ import annotations

from fractions import Fraction

from splendor_nb.analysis.budget import Budget
from splendor_nb.analysis.successors import (
    Key,
    Share,
    after,
    key_of,
    legal_numbers,
    outcomes,
    shares,
)
from splendor_nb.engine import rules
from splendor_nb.engine.position import Position, Tables

Shares = tuple[Share, ...]


class Expectimax:
    """Looks at every position once, and remembers what it is worth to each seat.

    Where several actions are equally good for the seat that decides, it takes the first in the
    order of the legal list, which matters to the others where there are more than two.

    Parameters
    ----------
    t
        The tables of the game.
    last_turn
        The number of turns, of all seats together, after which a position counts as it stands;
        `None` for the end of the game only.
    open_decks
        Whether the order of the decks is known.
    budget
        What counts the positions.

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> start = tiny_games()["blackboard"].start
    >>> search = Expectimax(start.tables, None, Budget(), open_decks=False)
    >>> search.values(start.numbers())
    (1, 0)
    """

    def __init__(
        self, t: Tables, last_turn: int | None, budget: Budget, *, open_decks: bool
    ) -> None:
        self.t = t
        self._last_turn = last_turn
        self._budget = budget
        self._open = open_decks
        self._known: dict[Key, Shares] = {}

    def is_end(self, s: Position) -> bool:
        """Tell whether a position counts as it stands."""
        return s.phase == rules.OVER or s.turn == self._last_turn

    def values(self, s: Position) -> Shares:
        """Return what the position is worth to each seat, the shares of a win.

        Raises
        ------
        OutOfBudget
            Where that takes more than the search may cost.
        """
        if self.is_end(s):
            return shares(s, self.t)
        key = key_of(s, self.t)
        known = self._known.get(key)
        if known is None:
            self._budget.count()
            known = self._known[key] = self._best(s)
        return known

    def values_after(self, s: Position, action: int) -> Shares:
        """Return what an action is worth to each seat, chance included.

        Raises
        ------
        OutOfBudget
            Where that takes more than the search may cost.
        """
        if self._open:
            return self.values(after(s, self.t, action))
        reached = [self.values(one) for one in outcomes(s, self.t, action)]
        if len(reached) == 1:
            return reached[0]
        return tuple(Fraction(sum(column), len(reached)) for column in zip(*reached, strict=True))

    def _best(self, s: Position) -> Shares:
        best: Shares | None = None
        for action in legal_numbers(s, self.t):
            found = self.values_after(s, action)
            if best is None or found[s.current] > best[s.current]:
                best = found
            if best[s.current] == 1:
                break
        assert best is not None, "every position but the last has a legal action [R11]"  # noqa: S101
        return best
