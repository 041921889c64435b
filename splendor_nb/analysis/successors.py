"""What a position leads to where all that has happened is known to everyone.

A position is told from others by what matters for the rest of the game: the same cards in other
slots, or bought in another order, are the same position. The order of the decks is no part of it.
"""

from __future__ import annotations

from fractions import Fraction

from splendor_nb.engine import rules
from splendor_nb.engine.position import Position, Tables

Key = tuple[object, ...]
Share = int | Fraction  # of a win: whole numbers are quicker to compare where they will do


def key_of(s: Position, t: Tables) -> Key:
    """Return what tells a position from others of the same game.

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> start = tiny_games()["blackboard"].start
    >>> s, t = start.numbers(), start.tables
    >>> other = s.copy()
    >>> other.market.reverse()
    >>> key_of(other, t) == key_of(s, t)
    True
    """
    empty = t.empty
    return (
        s.turn,
        s.phase,
        s.passes,
        s.paying,
        s.nobles,
        _bits(s.market, empty),
        *map(tuple, s.tokens),
        *(_bits(reserve, empty) for reserve in s.reserved),
        *(_bits(cards[:count], empty) for cards, count in zip(s.bought, s.n_bought, strict=True)),
        *s.visits,
        *(s.gold_for if s.paying >= 0 else ()),
    )


def _bits(cards: list[int], empty: int) -> int:
    bits = 0
    for card in cards:
        if card < empty:
            bits |= 1 << card
    return bits


def legal_numbers(s: Position, t: Tables) -> list[int]:
    """Return the numbers of the legal actions, in their order.

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> start = tiny_games()["blackboard"].start
    >>> legal_numbers(start.numbers(), start.tables)
    [10, 30, 31]
    """
    numbers = [0] * rules.ACTIONS
    return numbers[: rules.legal_actions(s, t, numbers)]


def after(s: Position, t: Tables, action: int) -> Position:
    """Return the position after an action; the old one stays.

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> start = tiny_games()["blackboard"].start
    >>> after(start.numbers(), start.tables, 30).turn, start.turn
    (1, 0)
    """
    twin = s.copy()
    rules.apply_action(twin, t, action)
    return twin


def outcomes(s: Position, t: Tables, action: int) -> list[Position]:
    """Return the positions that an action may lead to, each with the same chance.

    There are several where a card is revealed: one for each card of its deck, since any of them
    may lie on top [R12].

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> start = tiny_games()["surprise"].start  # with two cards in its deck
    >>> len(outcomes(start.numbers(), start.tables, 30))
    2
    """
    first = after(s, t, action)
    level = revealed_level(s, first)
    if level is None:
        return [first]
    others = [_with_on_top(s, level, place) for place in range(s.deck_size[level] - 1)]
    for other in others:
        rules.apply_action(other, t, action)
    return [first, *others]


def revealed_level(before: Position, now: Position) -> int | None:
    """Return from which deck, counted from 0, an action has drawn; `None` if from none."""
    for level in range(3):
        if now.deck_size[level] < before.deck_size[level]:
            return level
    return None


def _with_on_top(s: Position, level: int, place: int) -> Position:
    """Return a position whose deck has another of its cards on top."""
    twin = s.copy()
    deck, top = twin.decks[level], twin.deck_size[level] - 1
    deck[place], deck[top] = deck[top], deck[place]
    return twin


def shares(s: Position, t: Tables) -> tuple[Share, ...]:
    """Return what each seat gets as it stands: 1 for a win, 1/k for one shared by k [R16].

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> start = tiny_games()["blackboard"].start
    >>> shares(start.numbers(), start.tables)
    (Fraction(1, 2), Fraction(1, 2))
    """
    ranks = [rules.rank(s, t, seat) for seat in range(s.players)]
    best = max(ranks)
    won = ranks.count(best)
    share: Share = 1 if won == 1 else Fraction(1, won)
    return tuple(share if rank == best else 0 for rank in ranks)
