"""How far each seat is from each noble, and the cheapest open cards that bring it there.

Standard library only, and quick: the board asks for it at every turn.
"""

from __future__ import annotations

import functools
import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from splendor_nb.analysis.takes import fewest_takes
from splendor_nb.engine.cards import COLORS, Card, Gems, Noble
from splendor_nb.engine.state import View

Five = tuple[int, ...]  # a number for each color, in the order W U G R K


@dataclass(frozen=True, slots=True)
class NobleGap:
    """What a seat still needs for a noble.

    Attributes
    ----------
    seat, noble
        Whose gap, and to which noble on the table.
    missing
        Bonuses missing, by color.
    cards
        The names of the open cards that close the gap for the fewest gems, in the order in which
        they are bought; `None` where the open cards cannot close it.
    price
        The gems that are paid for them, by color; `None` likewise.
    takes
        The fewest takes that bring what the seat's tokens do not pay of it; `None` likewise.
    """

    seat: int
    noble: Noble
    missing: Gems
    cards: tuple[str, ...] | None
    price: Gems | None
    takes: int | None

    @property
    def total_missing(self) -> int:
        """The number of bonuses missing."""
        return sum(self.missing.values())

    @property
    def total_price(self) -> int | None:
        """The number of gems to pay."""
        return None if self.price is None else sum(self.price.values())


def noble_gaps(view: View) -> list[NobleGap]:
    """Return the gaps of all seats to all nobles on the table, by seat and then in table order.

    The cards that may close a gap are those in the market and those in the seat's own reserve, as
    far as the viewer may know them [R18]. No more are bought than the gap needs; each makes the
    later ones cheaper, and the order that pays least in all is found exactly.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> gap = noble_gaps(new_game(players=2, seed=7))[0]
    >>> gap.noble.name, gap.total_missing, gap.cards
    ('WRK', 9, None)
    """
    return [gap for seat in range(view.players) for gap in gaps_of(view, seat)]


def gaps_of(view: View, seat: int) -> list[NobleGap]:
    """Return the gaps of one seat to all nobles on the table, in table order.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> [gap.noble.name for gap in gaps_of(new_game(players=2, seed=7), 1)]
    ['WRK', 'WUG', 'WK']
    """
    owned, cards = view.seats[seat].bonuses, open_cards(view, seat)
    gaps = []
    for noble in view.nobles:
        missing = missing_bonuses(noble, owned)
        found = cheapest_cards(cards, owned, missing)
        if found is None:
            gaps.append(NobleGap(seat, noble, missing, None, None, None))
        else:
            bought, price = found
            takes = takes_for(price, view.seats[seat].tokens)
            names = tuple(card.name for card in bought)
            gaps.append(NobleGap(seat, noble, missing, names, price, takes))
    return gaps


def missing_bonuses(noble: Noble, owned: Gems) -> Gems:
    """Return the bonuses that are missing for a noble, by color.

    Examples
    --------
    >>> from splendor_nb import base_nobles
    >>> missing_bonuses(base_nobles()[0], Gems([4, 4, 3, 1, 0]))
    Gems({'W': 0, 'U': 0, 'G': 0, 'R': 3, 'K': 4})
    """
    return Gems(max(0, noble.cost[color] - owned[color]) for color in COLORS)


def open_cards(view: View, seat: int) -> tuple[Card, ...]:
    """Return the cards that the seat could buy one day, as far as the viewer knows them."""
    places = (*(slot for row in view.market for slot in row), *view.shown_reserve(seat))
    return tuple(card for card in places if isinstance(card, Card))


def takes_for(price: Gems, tokens: Gems) -> int:
    """Return the fewest takes that bring what tokens do not pay of a price, gold used best.

    Examples
    --------
    >>> takes_for(Gems([3, 0, 1, 0, 0]), Gems([1, 0, 0, 0, 0, 1]))
    1
    """
    lacking = tuple(max(0, price[color] - tokens[color]) for color in COLORS)
    return _takes_with_gold(lacking, tokens["*"])


@functools.lru_cache(maxsize=4096)
def _takes_with_gold(lacking: Five, gold: int) -> int:
    if gold >= sum(lacking):
        return 0
    if gold == 0:
        return fewest_takes(lacking)
    return min(
        _takes_with_gold(_less_one(lacking, color), gold - 1)
        for color in range(len(COLORS))
        if lacking[color]
    )


def _less_one(numbers: Five, at: int) -> Five:
    return (*numbers[:at], numbers[at] - 1, *numbers[at + 1 :])


def cheapest_cards(
    cards: Sequence[Card], owned: Gems, missing: Gems
) -> tuple[tuple[Card, ...], Gems] | None:
    """Return cards that bring just the missing bonuses for the fewest gems, and these gems.

    Parameters
    ----------
    cards
        What can be bought.
    owned, missing
        Bonuses by color.

    Returns
    -------
    tuple or None
        The cards in an order that costs least, and what is paid by color; `None` where the cards
        do not bring the bonuses.

    Examples
    --------
    >>> from splendor_nb import base_cards
    >>> none, wanted = Gems([0, 0, 0, 0, 0]), Gems([1, 1, 0, 0, 0])
    >>> bought, price = cheapest_cards(base_cards(), none, wanted)
    >>> [card.name for card in bought], sum(price.values())
    (['1W1', '1U4'], 5)
    """
    by_color = {color: [card for card in cards if card.bonus == color] for color in COLORS}
    if any(len(by_color[color]) < missing[color] for color in COLORS):
        return None
    bonuses, number = tuple(owned.values()), tuple(missing.values())
    useful = [
        card
        for color, n in zip(COLORS, number, strict=True)
        for card in _useful(by_color[color], bonuses, n)
    ]
    order = tuple(useful[at] for at in _cheapest_order(tuple(useful), bonuses, number))
    return order, paid_for(order, owned)


@functools.lru_cache(maxsize=4096)  # from turn to turn most gaps stay as they are
def _cheapest_order(cards: tuple[Card, ...], owned: Five, missing: Five) -> tuple[int, ...]:
    return _Orders(cards, owned, missing).cheapest()


def paid_for(order: Sequence[Card], owned: Gems) -> Gems:
    """Return what cards cost in this order, by color, each making the later ones cheaper.

    Examples
    --------
    >>> from splendor_nb import base_cards
    >>> paid_for(base_cards()[:2], Gems([0, 0, 0, 0, 0]))
    Gems({'W': 0, 'U': 1, 'G': 1, 'R': 3, 'K': 2})
    """
    bonuses, paid = list(owned.values()), [0] * len(COLORS)
    for card in order:
        for at, price in enumerate(_after(card, bonuses)):
            paid[at] += price
        bonuses[COLORS.index(card.bonus)] += 1
    return Gems(paid)


def _after(card: Card, bonuses: Sequence[int]) -> list[int]:
    return [max(0, n - has) for n, has in zip(_cost(card), bonuses, strict=True)]


@functools.lru_cache(maxsize=256)
def _cost(card: Card) -> Five:
    return tuple(card.cost.values())


def _useful(of_color: Sequence[Card], bonuses: Five, number: int) -> list[Card]:
    """Return the cards of a color that a cheapest choice of so many may need.

    One is of no use where so many others ask for no more in any color: another would do.
    """
    if number == 0:
        return []
    kept: list[tuple[list[int], Card]] = []
    for price, card in sorted(((_after(c, bonuses), c) for c in of_color), key=_total):
        better = sum(all(map(int.__le__, other, price)) for other, _ in kept)
        if better < number:
            kept.append((price, card))
    return [card for _, card in kept]


def _total(priced: tuple[list[int], Card]) -> int:
    return sum(priced[0])


# A bound on the price; cards still missing, since among equals the nearest end is looked at first;
# the cards so far; what is paid for them.
_Waiting = tuple[int, int, tuple[int, ...], int]


class _Orders:
    """Orders of buying some of the cards: the cheapest is a shortest path over sets of cards."""

    def __init__(self, cards: Sequence[Card], owned: Five, missing: Five) -> None:
        self._bonus = [COLORS.index(card.bonus) for card in cards]
        self._costs = [_cost(card) for card in cards]
        self._owned, self._wanted = owned, tuple(map(int.__add__, owned, missing))
        self._cheapest_last = self._lowest_prices()

    def cheapest(self) -> tuple[int, ...]:
        """Return the places of the cards in the cheapest order; the first such one among equals."""
        waiting: list[_Waiting] = [(0, 0, (), 0)]
        least: dict[frozenset[int], int] = {}
        while True:
            _, _, order, spent = heapq.heappop(waiting)
            bonuses = self._with(order)
            if bonuses == self._wanted:
                return order
            bought = frozenset(order)
            if spent < least.get(bought, spent + 1):
                least[bought] = spent
                for further in self._next(spent, order, bonuses):
                    heapq.heappush(waiting, further)

    def _with(self, order: Sequence[int]) -> Five:
        bonuses = list(self._owned)
        for at in order:
            bonuses[self._bonus[at]] += 1
        return tuple(bonuses)

    def _next(self, spent: int, order: tuple[int, ...], bonuses: Five) -> Iterator[_Waiting]:
        """Yield the orders with one card more."""
        rest, left = self._least_for(bonuses), sum(self._wanted) - sum(bonuses) - 1
        for at, color in enumerate(self._bonus):
            still = self._wanted[color] - bonuses[color]
            if still and at not in order:
                total = spent + self._price(at, bonuses)
                bound = total + rest - self._cheapest_last[color][still - 1]
                yield bound, left, (*order, at), total

    def _price(self, at: int, bonuses: Five) -> int:
        return sum([n - has for n, has in zip(self._costs[at], bonuses, strict=True) if n > has])

    def _lowest_prices(self) -> list[list[int]]:
        """Return by color the prices that its cards cannot fall below, the lowest first."""
        return [
            sorted(self._price(at, self._wanted) for at, c in enumerate(self._bonus) if c == color)
            for color in range(len(COLORS))
        ]

    def _least_for(self, bonuses: Five) -> int:
        """Return what the cards still missing cannot cost less than."""
        return sum(
            sum(lowest[: wanted - has])
            for lowest, wanted, has in zip(self._cheapest_last, self._wanted, bonuses, strict=True)
        )
