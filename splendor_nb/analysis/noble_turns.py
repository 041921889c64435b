"""The fewest own turns that earn a noble, with perfect luck, and the actions that do it.

Two searches make one exact answer. The first lists the sets of cards for which the turns would do
if the bank never ran short and a hand could hold any number of tokens. The second plays each such
set by the rules, until one works out.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Final

from splendor_nb.analysis.noble_tokens import IMPOSSIBLE, NONE, Deck, Five, Remaining, one_more
from splendor_nb.engine.cards import COLORS, GEMS

SUPPLIES: Final = {2: 4, 3: 5, 4: 7}  # tokens of a color, by number of players [R2]
GOLD: Final = 5  # [R3]
HAND: Final = 10  # [R13]
PAIR_NEEDS: Final = 4  # [R8]
RESERVES: Final = 3  # [R9]
PATIENCE: Final = 3  # numbers of turns for which the time may end before the search

_THREES: Final = tuple(combinations(range(len(COLORS)), 3))

Hand = tuple[int, ...]  # tokens of each color, then gold


class OutOfTimeError(Exception):
    """A search has reached the end of its time."""


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """The fewest own turns that earn a noble, as far as it is known.

    Attributes
    ----------
    at_least
        No plan takes fewer turns.
    actions
        A plan in notation, the own turns only; empty where the search ended without one.
    """

    at_least: int
    actions: tuple[str, ...]

    @property
    def found(self) -> int | None:
        """The turns of the plan; returning tokens is part of a turn."""
        return sum(not action.startswith("return") for action in self.actions) or None

    @property
    def status(self) -> str:
        """``proven`` where nothing shorter exists, ``bound`` where that is open."""
        return "proven" if self.found == self.at_least else "bound"


def fewest_turns(
    wanted: Mapping[str, int], *, deck: Deck | None = None, seconds: float = 600.0
) -> dict[int, TurnPlan]:
    """Return the fewest own turns that bring these bonuses, by the number of players.

    The number of players decides how many tokens the bank has: nobody else takes any.

    Parameters
    ----------
    wanted
        Bonuses by color, such as ``noble.cost``.
    deck
        The cards; by default those of the base game.
    seconds
        The time for each number of turns that is tried.

    Examples
    --------
    >>> plans = fewest_turns({"W": 1, "U": 0, "G": 0, "R": 0, "K": 0})
    >>> plans[2].actions, plans[2].status
    (('take WRK', 'take WRK', 'buy 1W1'), 'proven')
    """
    deck = deck or Deck()
    numbers = tuple(wanted[color] for color in COLORS)
    found: dict[int, TurnPlan] = {}
    turns = at_least = _turns_at_least(deck, numbers)
    unfinished = 0
    while len(found) < len(SUPPLIES) and unfinished < PATIENCE:
        at_least = at_least if unfinished else turns
        try:
            sets = card_sets(deck, numbers, turns, time.monotonic() + seconds)
            for players, actions in _plans(deck, sets, turns, SUPPLIES.keys() - found.keys()):
                found[players] = TurnPlan(at_least, tuple(actions))
        except OutOfTimeError:
            unfinished += 1
        turns += 1
    return {players: found.get(players, TurnPlan(at_least, ())) for players in SUPPLIES}


def _plans(
    deck: Deck, sets: Iterable[tuple[int, ...]], turns: int, players: Iterable[int]
) -> Iterator[tuple[int, list[str]]]:
    """Yield numbers of players and a plan for each, from the first set that has one."""
    open_still = set(players)
    for cards in sets:
        for number in sorted(open_still):
            actions = play_set(deck, cards, turns, SUPPLIES[number])
            if actions is not None:
                open_still.remove(number)
                yield number, actions
        if not open_still:
            return


def _turns_at_least(deck: Deck, wanted: Five) -> int:
    """Return a number of turns below which there is no plan, worked out at once."""
    remaining = Remaining(deck, wanted)
    cards = sum(wanted)
    most = cards - (-remaining.tokens(NONE, cards) // 3)
    return min(n - (-remaining.tokens(NONE, n) // 3) for n in range(cards, most + 1))


# -- which cards -----------------------------------------------------------------------------------


def card_sets(deck: Deck, wanted: Five, turns: int, deadline: float) -> Iterator[tuple[int, ...]]:
    """Yield every set of cards that brings the bonuses in so many turns, if takes were free.

    Free means: the bank is never short and the hand has no limit. Then a reserve, which brings one
    token, is no better than a take, so takes and purchases are all that is counted; what is left
    out here is left out with reason.

    Raises
    ------
    OutOfTimeError
        At the deadline (of the monotonic clock).
    """
    yield from _SetSearch(deck, wanted, turns, deadline).sets()


class _SetSearch:
    """A search through orders of buying that looks at each set and payment once."""

    def __init__(self, deck: Deck, wanted: Five, turns: int, deadline: float) -> None:
        self._deck, self._turns, self._deadline = deck, turns, deadline
        self._remaining = Remaining(deck, wanted)
        self._seen: set[tuple[int, Five]] = set()
        self.budget = functools.cache(self._budget)

    def sets(self) -> Iterator[tuple[int, ...]]:
        """Yield the sets, each once."""
        done = set()
        for cards in self._go((), 0, NONE, NONE):
            if (key := frozenset(cards)) not in done:
                done.add(key)
                yield cards

    def _go(
        self, order: tuple[int, ...], bought: int, bonuses: Five, spent: Five
    ) -> Iterator[tuple[int, ...]]:
        if (bought, spent) in self._seen:
            return
        self._seen.add((bought, spent))
        if time.monotonic() > self._deadline:
            raise OutOfTimeError
        if self._remaining.missing(bonuses) == 0:
            yield order
            return
        for card, then, total in self._purchases(bought, bonuses, spent, len(order) + 1):
            yield from self._go((*order, card), bought | 1 << card, then, total)

    def _purchases(
        self, bought: int, bonuses: Five, spent: Five, count: int
    ) -> Iterator[tuple[int, Five, Five]]:
        """Yield the cards with which the plan can still end in time, and what follows."""
        payments, already = self._deck.payments(bonuses), sum(spent)
        after = [one_more(bonuses, color) for color in range(len(COLORS))]
        most = [self.budget(then, count) - already for then in after]
        for price, card in self._deck.by_price(bonuses):
            color = self._deck.bonus[card]
            if price > most[color] or bought >> card & 1:
                continue
            total = tuple(map(int.__add__, spent, payments[card]))
            if self._in_time(after[color], total, count):
                yield card, after[color], total

    def _budget(self, bonuses: Five, count: int) -> int:
        """Return the most tokens that may have been spent, three to a take."""
        left = self._turns - count
        return max(
            (3 * (left - n) - self._remaining.tokens(bonuses, n) for n in range(left + 1)),
            default=-1,
        )

    def _in_time(self, bonuses: Five, spent: Five, count: int) -> bool:
        left, total = self._turns - count, sum(spent)
        return any(
            total + self._remaining.tokens(bonuses, n) <= capacity(spent, left - n)
            for n in range(left + 1)
        )


@functools.cache
def capacity(spent: Five, takes: int) -> int:
    """Return the most tokens that so many takes bring, these among them.

    A take of two brings fewer tokens than one of three, so as few as possible are of two; where
    the takes cannot bring these tokens at all, the number is negative.

    Examples
    --------
    Of three takes that bring four white gems, one at least is of two:

    >>> capacity((4, 0, 0, 0, 0), 3), capacity((4, 0, 0, 0, 0), 4)
    (8, 12)
    """
    for pairs in range(takes + 1):
        if _covers(spent, takes - pairs, pairs):
            return 3 * (takes - pairs) + 2 * pairs
    return -IMPOSSIBLE


def _covers(spent: Five, threes: int, pairs: int) -> bool:
    """Return whether takes of three colors and of two gems alike can bring these tokens."""
    return any(
        sum(min(threes, rest) for rest in left) <= 3 * threes
        and all(rest <= threes for rest in left)
        for left in _without_pairs(spent, pairs)
    )


def _without_pairs(spent: Five, pairs: int) -> Iterator[Five]:
    """Yield what is left of a cost when takes of two have brought their part."""
    for colors in combinations_with_replacement(range(len(COLORS)), pairs):
        yield tuple(max(0, n - 2 * colors.count(color)) for color, n in enumerate(spent))


# -- by the rules ----------------------------------------------------------------------------------


def play_set(
    deck: Deck, cards: Sequence[int], turns: int, supply: int, *, in_order: bool = False
) -> list[str] | None:
    """Return actions that buy these cards in so many turns, by all rules; None if none do.

    Nobody else takes tokens. A card may be reserved for its gold, at most three times: a fourth
    reserve would cost at least two turns more than takes do, and this is asked only within one
    turn of what takes need.

    Parameters
    ----------
    deck, cards
        The cards as numbers of the deck.
    turns
        Own turns; fewer may do.
    supply
        Tokens of each color in the bank at the start; there are five of gold.
    in_order
        Whether the cards are bought in the order given, or in any.

    Examples
    --------
    >>> deck = Deck()
    >>> play_set(deck, [0], 2, supply=4) is None, deck.cards[0].name
    (True, '1W1')
    >>> play_set(deck, [0], 3, supply=4)
    ['take WRK', 'take WRK', 'buy 1W1']
    """
    return _Table(deck, cards, supply, in_order=in_order).play(turns)


class _Table:
    """One player, a bank that nobody else uses, and a set of cards to be bought."""

    def __init__(self, deck: Deck, cards: Sequence[int], supply: int, *, in_order: bool) -> None:
        self._deck, self._cards, self._supply = deck, tuple(cards), supply
        self._in_order = in_order
        asked = [sum(deck.payments(NONE)[card][color] for card in cards) for color in range(5)]
        self._threes = sorted(_THREES, key=lambda colors: -sum(asked[color] for color in colors))
        self._spare = [c.name for i, c in enumerate(deck.cards) if c.level == 3 and i not in cards]
        self._failed: set[tuple[int, Hand, int, int]] = set()
        self._least = functools.cache(self._tokens_for_rest)

    def play(self, turns: int) -> list[str] | None:
        """Return the actions, from empty hands."""
        return self._go((1 << len(self._cards)) - 1, (0,) * len(GEMS), turns, RESERVES)

    def _go(self, rest: int, hand: Hand, turns: int, reserves: int) -> list[str] | None:
        if rest == 0:
            return []
        key = (rest, hand, turns, reserves)
        if key in self._failed or self._is_late(rest, hand, turns):
            return None
        for actions, then, held in self._moves(rest, hand, reserves):
            left = reserves - actions[0].startswith("reserve")
            further = self._go(then, held, turns - 1, left)
            if further is not None:
                return [*actions, *further]
        self._failed.add(key)
        return None

    def _is_late(self, rest: int, hand: Hand, turns: int) -> bool:
        tokens = self._least(rest) - sum(hand)
        return rest.bit_count() - (-max(0, tokens) // 3) > turns

    def _bonuses(self, rest: int) -> Five:
        bought = [card for at, card in enumerate(self._cards) if not rest >> at & 1]
        return tuple(
            sum(self._deck.bonus[card] == color for card in bought) for color in range(len(COLORS))
        )

    def _tokens_for_rest(self, rest: int) -> int:
        """Return the fewest tokens for the cards not bought yet, in the best order."""
        payments = self._deck.payments(self._bonuses(rest))
        return min(
            (
                sum(payments[card]) + self._least(rest & ~(1 << at))
                for at, card in enumerate(self._cards)
                if rest >> at & 1
            ),
            default=0,
        )

    def _moves(self, rest: int, hand: Hand, reserves: int) -> Iterator[tuple[list[str], int, Hand]]:
        """Yield the actions of a turn, the cards not bought after it, and the tokens held."""
        payments = self._deck.payments(self._bonuses(rest))
        for at in self._buyable(rest):
            card = self._cards[at]
            if (held := pay(hand, payments[card])) is not None:
                yield [f"buy {self._deck.cards[card].name}"], rest & ~(1 << at), held
        for action, taken in self._takes(hand, reserves):
            for returns, held in _returns(taken):
                yield [action, *returns], rest, held

    def _buyable(self, rest: int) -> list[int]:
        places = [at for at in range(len(self._cards)) if rest >> at & 1]
        return places[:1] if self._in_order else places

    def _takes(self, hand: Hand, reserves: int) -> Iterator[tuple[str, Hand]]:
        """Yield takes, and the reserve for gold; at least three colors are always in the bank."""
        for colors in self._threes:
            if all(hand[color] < self._supply for color in colors):
                yield f"take {_letters(colors)}", _with(hand, colors)
        for color in range(len(COLORS)):
            if self._supply - hand[color] >= PAIR_NEEDS:
                yield f"take {COLORS[color] * 2}", _with(hand, (color, color))
        if hand[-1] < GOLD and reserves:
            yield f"reserve {self._spare[RESERVES - reserves]}", _with(hand, (len(COLORS),))


def pay(hand: Hand, payment: Five) -> Hand | None:
    """Return the hand after a payment, gold only for what is missing; None if it is too dear.

    Examples
    --------
    >>> pay((2, 0, 0, 0, 0, 1), (3, 0, 0, 0, 0))
    (0, 0, 0, 0, 0, 0)
    >>> pay((2, 0, 0, 0, 0, 1), (4, 0, 0, 0, 0)) is None
    True
    """
    after = [held - paid for held, paid in zip(hand, payment, strict=False)]
    gold = hand[-1] + sum(min(0, held) for held in after)
    return (*(max(0, held) for held in after), gold) if gold >= 0 else None


def _returns(hand: Hand) -> Iterator[tuple[list[str], Hand]]:
    """Yield the ways of returning what is above the limit of a hand [R13]."""
    for gems in combinations_with_replacement(range(len(GEMS)), max(0, sum(hand) - HAND)):
        held = tuple(n - gems.count(gem) for gem, n in enumerate(hand))
        if min(held) >= 0:
            yield [f"return {GEMS[gem]}" for gem in gems], held


def _with(hand: Hand, gems: Sequence[int]) -> Hand:
    return tuple(n + gems.count(gem) for gem, n in enumerate(hand))


def _letters(colors: Iterable[int]) -> str:
    return "".join(COLORS[color] for color in colors)
