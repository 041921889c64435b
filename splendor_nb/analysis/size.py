"""How many positions an exact search would have to look at: counted, or estimated from a start."""

from __future__ import annotations

from dataclasses import dataclass
from math import log10

from splendor_nb.analysis.successors import Key, after, key_of, legal_numbers, outcomes
from splendor_nb.engine import rules
from splendor_nb.engine.position import Position, Tables

PROBE = 3_000  # positions that are looked at before the rest is estimated


@dataclass(frozen=True, slots=True)
class Size:
    """How many positions there are.

    Attributes
    ----------
    digits
        Their decimal logarithm, since the number itself may be beyond all words.
    exact
        Whether all have been counted.

    Examples
    --------
    >>> print(Size(2.0, exact=True)), print(Size(7.3, exact=False)), print(Size(90.0, exact=False))
    100 positions
    about 2 × 10^7 positions
    about 10^90 positions
    (None, None, None)
    """

    digits: float
    exact: bool

    def __str__(self) -> str:
        if self.digits < 5:
            return f"{'' if self.exact else 'about '}{round(10**self.digits):,} positions"
        if self.digits >= 15:
            return f"about 10^{self.digits:.0f} positions"
        whole = int(self.digits)
        return f"about {10 ** (self.digits - whole):.0f} × 10^{whole} positions"


def size_of(
    s: Position, t: Tables, last_turn: int, *, open_decks: bool, probe: int = PROBE
) -> Size:
    """Return how many positions come after one, up to a turn.

    Positions are counted by decisions from the start, all of one depth together. Where there are
    more than can be looked at, the rest is taken to grow as the last depth did, with one decision
    a turn, and its growth to fall as it has fallen so far.

    Parameters
    ----------
    s, t
        The start and the tables of the game.
    last_turn
        The number of turns after which nothing is looked at.
    open_decks
        Whether the order of the decks is known.
    probe
        How many positions are looked at.

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> start = tiny_games()["blackboard"].start
    >>> print(size_of(start.numbers(), start.tables, 4, open_decks=False))
    15 positions
    """
    seen, found = 1, {key_of(s, t): s}
    growths: list[float] = []
    while (
        found
        and (deeper := _deeper(found, t, last_turn, probe - seen, open_decks=open_decks))
        is not None
    ):
        growths.append(len(deeper) / len(found))
        seen += len(deeper)
        found = deeper
    if not found:
        return Size(log10(seen), exact=True)
    return _grown(len(found), growths, last_turn - next(iter(found.values())).turn)


def _deeper(
    found: dict[Key, Position], t: Tables, last_turn: int, most: int, *, open_decks: bool
) -> dict[Key, Position] | None:
    """Return the positions one decision further; `None` where there are too many."""
    deeper: dict[Key, Position] = {}
    for one in found.values():
        deeper.update(_next(one, t, last_turn, open_decks=open_decks))
        if len(deeper) > most:
            return None
    return deeper


def _next(s: Position, t: Tables, last_turn: int, *, open_decks: bool) -> dict[Key, Position]:
    """Return the positions after one that are no ends, by what tells them apart."""
    reach = (lambda s, t, action: [after(s, t, action)]) if open_decks else outcomes
    reached = [one for action in legal_numbers(s, t) for one in reach(s, t, action)]
    going_on = [one for one in reached if one.phase != rules.OVER and one.turn < last_turn]
    return {key_of(one, t): one for one in going_on}


def _grown(last: int, growths: list[float], turns: int) -> Size:
    """Return how many there are if growth goes on falling for so many more turns."""
    digits = [log10(max(growth, 1.0)) for growth in growths or [last]]
    fall = min(1.0, digits[-1] / digits[0]) if digits[0] else 1.0
    fall **= 1 / max(1, len(digits) - 1)
    each = [digits[-1] * fall**turn for turn in range(max(1, turns))]
    return Size(log10(last) + sum(each), exact=False)
