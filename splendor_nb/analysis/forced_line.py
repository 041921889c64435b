"""The line of a forced win as a tree: what the seat does, after each reply of the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from splendor_nb.analysis.forcing import Forcing
from splendor_nb.analysis.turns import Turn
from splendor_nb.engine import rules
from splendor_nb.engine.cards import join_words
from splendor_nb.engine.position import Position, Tables

MOST_REPLIES = 3_000  # beyond, a line says that the others have replies, not which


@dataclass(frozen=True, slots=True)
class Line:
    """A turn that wins, and what follows after each reply.

    Attributes
    ----------
    turn
        What the seat does, ``take WUG, return K``.
    answers
        For each way to go on: the replies after which it is the way, in words, and that way.
        Empty where the turn wins whatever the others do.
    untold
        Whether there are too many replies to tell.
    """

    turn: str
    answers: tuple[tuple[tuple[str, ...], Line], ...] = ()
    untold: bool = False

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, depth: int = 0) -> Iterator[str]:
        r"""Yield the tree in words, a line for each turn of the seat.

        Parameters
        ----------
        depth
            How far the lines are set in.

        Examples
        --------
        >>> print("\n".join(Line("take WU", ((("take GR",), Line("buy 1W1")),)).lines()))
        take WU
          whatever they do: buy 1W1, which wins
        """
        ends = "" if self.answers or self.untold else ", which wins"
        yield f"{self.turn}{ends}"
        indent = "  " * (depth + 1)
        if self.untold:
            yield f"{indent}wins after each of the many replies: ask again when one has been made"
        ways = self._by_words(depth + 1)
        for number, (replies, (first, *rest)) in enumerate(ways, start=1):
            when = f"if {in_words(replies)}" if number < len(ways) else "otherwise"
            yield f"{indent}{'whatever they do' if len(ways) == 1 else when}: {first}"
            yield from rest

    def _by_words(self, depth: int) -> list[tuple[list[str], list[str]]]:
        """Return the replies by what follows in words, those with most replies last."""
        told: dict[tuple[str, ...], list[str]] = {}
        for replies, line in self.answers:
            told.setdefault(tuple(line.lines(depth)), []).extend(replies)
        return sorted(
            ((replies, list(lines)) for lines, replies in told.items()),
            key=lambda way: len(way[0]),
        )


def in_words(replies: Sequence[str], most: int = 6) -> str:
    """Return replies as a phrase, cut short where there are many.

    Examples
    --------
    >>> in_words(["buy 1W1", "reserve 1W1"])
    'buy 1W1 or reserve 1W1'
    """
    shown = [*replies[:most], *([f"{len(replies) - most} others"] if replies[most:] else [])]
    return join_words(shown).replace(" and ", " or ")


def line_from(search: Forcing, s: Position, turns: int) -> Line:
    """Return the line of a win that the search has found within so many turns of the seat.

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> start = tiny_games()["blackboard"].start
    >>> from splendor_nb.analysis.forced_win import forced_win
    >>> print(forced_win(start).line)
    take WU
      if reserve 1W1: buy 1U1, which wins
      otherwise: buy 1W1, which wins
    """
    turn = search.winning_turn(s, turns)
    assert turn is not None, "a line is asked for only where there is a win"  # noqa: S101
    return _line_of(search, turn, turns)


def _line_of(search: Forcing, turn: Turn, turns: int) -> Line:
    """Return the line that begins with a winning turn."""
    words = turn_words(turn, search.t)
    if turn.after.phase == rules.OVER or turns == 1:
        return Line(words)
    meetings = list(islice(_meetings(search, turn.after), MOST_REPLIES + 1))
    if len(meetings) > MOST_REPLIES:
        return Line(words, untold=True)
    going_on = [(replies, met) for replies, met in meetings if met.phase != rules.OVER]
    ways: dict[Line, list[str]] = {}
    for (replies, _), answer in zip(going_on, _answers(search, going_on, turns - 1), strict=True):
        ways.setdefault(_line_of(search, answer, turns - 1), []).append(replies)
    return Line(words, tuple((told_once(replies), line) for line, replies in ways.items()))


def _answers(
    search: Forcing, going_on: Sequence[tuple[str, Position]], turns: int
) -> Iterator[Turn]:
    """Yield a winning answer in each position, as few different ones as is easy."""
    first = [search.winning_turn(met, turns) for _, met in going_on]
    usual = Counter(turn.actions for turn in first if turn is not None).most_common()
    for (_, met), found in zip(going_on, first, strict=True):
        tries = (search.repeated(met, turns, actions) for actions, _ in usual)
        answer = next((turn for turn in tries if turn is not None), found)
        assert answer is not None, "after each reply to a winning turn there is one"  # noqa: S101
        yield answer


def _meetings(search: Forcing, s: Position, told: str = "") -> Iterator[tuple[str, Position]]:
    """Yield the positions in which the seat decides again, with the replies that lead there."""
    if s.phase == rules.OVER or s.current == search.seat:
        yield told, s
        return
    for reply in search.replies(s):
        words = turn_words(reply, search.t)
        if s.players > 2:
            words = f"seat {s.current}: {words}"
        yield from _meetings(search, reply.after, f"{told}; {words}" if told else words)


def turn_words(turn: Turn, t: Tables) -> str:
    """Return the decisions of a turn as text; new cards of which only the level is known too."""
    first = turn.actions[0]
    if rules.RESERVE <= first < rules.RESERVE_UNSEEN:
        card = turn.before.market[first - rules.RESERVE]
        if card >= t.empty:
            return f"reserve the new card of level {card - t.empty}"
    return turn.words(t)


def told_once(texts: Iterable[str]) -> tuple[str, ...]:
    """Return texts without repetitions, in their order.

    Examples
    --------
    >>> told_once(["take WU", "pass", "take WU"])
    ('take WU', 'pass')
    """
    return tuple(dict.fromkeys(texts))
