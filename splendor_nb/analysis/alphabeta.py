"""Exact values for two seats: bounds leave out what cannot matter, chance included.

What one seat wins the other loses, so that the value of a position for seat 0, from 0 to 1, says
all. A search asks for it within a window: outside, a bound will do. At a card that is revealed the
window of each outcome follows from what the others can be worth at most and at least: the search
Star1 of B. Ballard, Artificial Intelligence 21 (1983).
"""

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


class AlphaBeta:
    """Looks for the value of positions for seat 0, and remembers the bounds that it finds.

    Parameters
    ----------
    t
        The tables of the game.
    last_turn
        The number of turns, of both seats together, after which a position counts as it stands;
        `None` for the end of the game only.
    open_decks
        Whether the order of the decks is known.
    budget
        What counts the positions.

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> start = tiny_games()["blackboard"].start
    >>> search = AlphaBeta(start.tables, None, Budget(), open_decks=False)
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
        self._known: dict[Key, tuple[Share, Share]] = {}

    def values(self, s: Position) -> tuple[Share, ...]:
        """Return what the position is worth to each seat, the shares of a win.

        Raises
        ------
        OutOfBudget
            Where that takes more than the search may cost.
        """
        value = self._value(s, 0, 1)
        return value, 1 - value

    def values_after(self, s: Position, action: int) -> tuple[Share, ...]:
        """Return what an action is worth to each seat, chance included.

        Raises
        ------
        OutOfBudget
            Where that takes more than the search may cost.
        """
        value = self._value_after(s, action, 0, 1)
        return value, 1 - value

    def _value(self, s: Position, low: Share, high: Share) -> Share:
        """Return the value if it is in the window; a bound on it, on the same side, if not."""
        if s.phase == rules.OVER or s.turn == self._last_turn:
            return shares(s, self.t)[0]
        key = key_of(s, self.t)
        floor, ceiling = self._known.get(key, (0, 1))
        if floor == ceiling or floor >= high:
            return floor
        if ceiling <= low:
            return ceiling
        if key not in self._known:
            self._budget.count()
        low, high = max(low, floor), min(high, ceiling)
        value = self._best(s, low, high)
        self._known[key] = (
            value if value > low else floor,
            value if value < high else ceiling,
        )
        return value

    def _best(self, s: Position, low: Share, high: Share) -> Share:
        """Return the value of the best action, the highest for seat 0, the lowest for seat 1."""
        first = s.current == 0
        best: Share = -1 if first else 2
        for action in legal_numbers(s, self.t):
            value = self._value_after(s, action, low, high)
            if first:
                best = max(best, value)
                low = max(low, best)
            else:
                best = min(best, value)
                high = min(high, best)
            if low >= high:
                break
        return best

    def _value_after(self, s: Position, action: int, low: Share, high: Share) -> Share:
        if self._open:
            return self._value(after(s, self.t, action), low, high)
        reached = outcomes(s, self.t, action)
        if len(reached) == 1:
            return self._value(reached[0], low, high)
        return self._mean(reached, low, high)

    def _mean(self, reached: list[Position], low: Share, high: Share) -> Share:
        """Return the mean of outcomes, or a bound as soon as it cannot be in the window."""
        count = rest = len(reached)
        total: Share = 0
        for one in reached:
            rest -= 1
            total += self._value(one, count * low - total - rest, count * high - total)
            if total + rest <= count * low:
                return Fraction(total + rest, count)
            if total >= count * high:
                break
        return _plain(Fraction(total, count))


def _plain(share: Fraction) -> Share:
    """Return a whole number as such, which is quicker to work with."""
    return share.numerator if share.denominator == 1 else share
