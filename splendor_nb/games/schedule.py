"""Who meets whom: round robin, Swiss rounds, finals; all over the same deals in a stage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

LEAGUE, FINAL = "league", "final"


class Match(NamedTuple):
    """Contestants at a table, and what they play.

    Attributes
    ----------
    stage
        ``league``, ``round 1``, … or ``final``.
    table
        The contestants by id; in rotation r, seat i has contestant (i + r) mod players.
    deals
        The deals, each of which is played in every rotation.
    """

    stage: str
    table: tuple[str, ...]
    deals: range

    def games(self) -> Iterator[tuple[int, int]]:
        """Yield the deal and the rotation of every game.

        Examples
        --------
        >>> list(Match("final", ("a", "b"), range(5, 6)).games())
        [(5, 0), (5, 1)]
        """
        for deal in self.deals:
            for rotation in range(len(self.table)):
                yield deal, rotation


def round_robin(stage: str, ids: Iterable[str], players: int, deals: range) -> list[Match]:
    """Return the matches in which every group of contestants meets.

    Examples
    --------
    >>> [match.table for match in round_robin("league", "abc", 2, range(5))]
    [('a', 'b'), ('a', 'c'), ('b', 'c')]
    """
    return [Match(stage, table, deals) for table in combinations(ids, players)]


def swiss_round(
    number: int, ranked: Sequence[str], played: Iterable[Match], players: int, deals: range
) -> list[Match]:
    """Return the matches of a round among neighbors in rank who have met least.

    Where the contestants do not fill all tables, those lowest in rank among those who have played
    most sit the round out.

    Parameters
    ----------
    number
        Of the round, from 1.
    ranked
        The contestants, the best first.
    played
        The matches so far.

    Examples
    --------
    >>> first = swiss_round(1, "abcde", [], 2, range(4))
    >>> [match.table for match in first]
    [('a', 'b'), ('c', 'd')]
    >>> [match.table for match in swiss_round(2, "cabde", first, 2, range(4, 8))]
    [('c', 'a'), ('b', 'e')]
    """
    tables = [match.table for match in played]
    met = Counter(pair for table in tables for pair in _pairs(table))
    waiting = _without_byes(ranked, Counter(one for table in tables for one in table), players)
    matches = []
    while waiting:
        group = [waiting.pop(0)]
        while len(group) < players:
            nearest = min(waiting, key=lambda one: _meetings(group, one, met))
            waiting.remove(nearest)
            group.append(nearest)
        matches.append(Match(f"round {number}", tuple(group), deals))
    return matches


def rank(shares: Mapping[str, float], strength: Mapping[str, float]) -> dict[str, int]:
    """Return the place of each contestant, from 1: by its share of wins, then its opponents'.

    Examples
    --------
    >>> rank({"a": 0.5, "b": 0.75, "c": 0.5}, {"a": 0.1, "b": 0.1, "c": 0.1})
    {'b': 1, 'a': 2, 'c': 2}
    """
    # Sums of floats differ in their last digits with the order of what is added.
    merits = {one: (round(shares[one], 9), round(strength[one], 9)) for one in shares}
    order = sorted(merits, key=lambda one: merits[one], reverse=True)
    return {one: 1 + sum(merit > merits[one] for merit in merits.values()) for one in order}


def _without_byes(ranked: Sequence[str], seen: Counter[str], players: int) -> list[str]:
    places = {one: place for place, one in enumerate(ranked)}
    first_to_rest = sorted(ranked, key=lambda one: (-seen[one], -places[one]))
    resting = set(first_to_rest[: len(ranked) % players])
    return [one for one in ranked if one not in resting]


def _meetings(group: Sequence[str], one: str, met: Counter[frozenset[str]]) -> int:
    return sum(met[frozenset((one, other))] for other in group)


def _pairs(table: Sequence[str]) -> Iterator[frozenset[str]]:
    return map(frozenset, combinations(table, 2))
