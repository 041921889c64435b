"""Whole turns: all that one seat can do before the next, with returns, nobles and payments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from splendor_nb.analysis.successors import after, legal_numbers
from splendor_nb.engine import rules
from splendor_nb.engine.notation import write_action
from splendor_nb.engine.position import Position, Tables


class Turn(NamedTuple):
    """The decisions of one turn, and the position after them.

    Attributes
    ----------
    actions
        The decisions as numbers.
    after
        What they lead to.
    before
        The position in which the turn began.
    """

    actions: tuple[int, ...]
    after: Position
    before: Position

    def words(self, t: Tables) -> str:
        """Return the decisions as text, such as ``take WUG, return K``."""
        s, texts = self.before, []
        for action in self.actions:
            texts.append(write_action(s, t, action))
            s = after(s, t, action)
        return ", ".join(texts)


def turns_from(s: Position, t: Tables, actions: Iterable[int] | None = None) -> Iterator[Turn]:
    """Yield the turns that begin with some actions, of those with equal results one.

    Parameters
    ----------
    s
        A running game.
    t
        Its tables.
    actions
        Numbers of actions that are allowed; all of them if not said.

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> start = tiny_games()["blackboard"].start
    >>> s, t = start.numbers(), start.tables
    >>> [turn.words(t) for turn in turns_from(s, t)]
    ['take WU', 'reserve 1W1', 'reserve 1U1']
    """
    seen: set[tuple[object, ...]] = set()
    for action in legal_numbers(s, t) if actions is None else actions:
        for done, end in _endings((action,), after(s, t, action), t, s, seen):
            yield Turn(done, end, s)


def endings_of(s: Position, t: Tables, started: Position) -> Iterator[Position]:
    """Yield the positions in which a turn that began in another position can end."""
    for _, end in _endings((), s, t, started, set()):
        yield end


def _endings(
    done: tuple[int, ...],
    s: Position,
    t: Tables,
    started: Position,
    seen: set[tuple[object, ...]],
) -> Iterator[tuple[tuple[int, ...], Position]]:
    """Yield the ways in which a turn that has begun can end, each position once."""
    mark = _mark(s, started.current)
    if mark in seen:
        return
    seen.add(mark)
    if s.turn > started.turn:
        yield done, s
        return
    for action in legal_numbers(s, t):
        yield from _endings((*done, action), after(s, t, action), t, started, seen)


def _mark(s: Position, seat: int) -> tuple[object, ...]:
    """Return what tells the results of one turn apart: all that a seat can change in it."""
    return (
        s.phase,
        s.paying,
        s.nobles,
        s.n_bought[seat],
        *s.tokens[seat],
        *s.market,
        *s.reserved[seat],
        *(s.gold_for if s.phase == rules.PAYING else ()),
    )
