"""The fewest tokens that earn a noble, with perfect luck: exact, in seconds.

Perfect luck means that any card lies open when it is wanted and nobody interferes. What is left to
decide is which cards are bought and in which order, since each bonus makes later cards cheaper.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from splendor_nb.engine.cards import COLORS, Card, base_cards
from splendor_nb.engine.forms import check_whole_number

Five = tuple[int, ...]  # a number for each color, in the order W U G R K

NONE: Five = (0,) * len(COLORS)
IMPOSSIBLE = 1_000_000  # tokens, of what no number of tokens brings


@dataclass(frozen=True, slots=True)
class TokenPlan:
    """The fewest tokens that bring bonuses, as far as it is known.

    Attributes
    ----------
    at_least
        No plan spends fewer tokens; `None` where so few cards cannot do it at all.
    found
        Tokens that `cards` cost in their order; `None` where the search ended without a plan.
    cards
        The names of the cards in the order of buying.
    """

    at_least: int | None
    found: int | None
    cards: tuple[str, ...]

    @property
    def status(self) -> str:
        """``proven`` where nothing cheaper exists, ``bound`` where that is open; ``infeasible``."""
        if self.at_least is None:
            return "infeasible"
        return "proven" if self.found == self.at_least else "bound"


class Deck:
    """Cards as numbers: what each gives, and what it costs whoever has bonuses.

    Parameters
    ----------
    cards
        By default those of the base game.
    """

    def __init__(self, cards: Sequence[Card] | None = None) -> None:
        self.cards = tuple(base_cards() if cards is None else cards)
        self.bonus = [COLORS.index(card.bonus) for card in self.cards]
        self._costs = [tuple(card.cost[color] for color in COLORS) for card in self.cards]
        self.payments = functools.cache(self._payments)
        self.by_price = functools.cache(self._by_price)
        self.cheapest = functools.cache(self._cheapest)

    def tokens(self, order: Sequence[int]) -> int:
        """Return the tokens that cards cost in this order, from nothing."""
        return sum(sum(payment) for payment in self.spent(order))

    def spent(self, order: Sequence[int]) -> Iterator[Five]:
        """Yield what is paid for each card in this order, by color, from nothing."""
        bonuses = NONE
        for card in order:
            yield self.payments(bonuses)[card]
            bonuses = one_more(bonuses, self.bonus[card])

    def _payments(self, bonuses: Five) -> list[Five]:
        """Return what each card costs, by color."""
        return [
            tuple(max(0, asked - owned) for asked, owned in zip(cost, bonuses, strict=True))
            for cost in self._costs
        ]

    def _by_price(self, bonuses: Five) -> list[tuple[int, int]]:
        """Return price and card of each card, the cheapest first."""
        payments = self.payments(bonuses)
        return sorted((sum(payment), card) for card, payment in enumerate(payments))

    def _cheapest(self, bonuses: Five) -> list[int]:
        """Return the lowest price of a card, by the color of its bonus."""
        lowest = [IMPOSSIBLE] * len(COLORS)
        for price, card in reversed(self.by_price(bonuses)):
            lowest[self.bonus[card]] = price
        return lowest


class Remaining:
    """The fewest tokens for what is still missing, if cards could be bought more than once.

    The truth is never lower: this is the bound that guides the exact searches.
    """

    def __init__(self, deck: Deck, wanted: Five) -> None:
        self._deck, self._wanted = deck, wanted
        self.tokens = functools.cache(self._tokens)

    def missing(self, bonuses: Five) -> int:
        """Return how many bonuses are missing."""
        return sum(max(0, n - owned) for n, owned in zip(self._wanted, bonuses, strict=True))

    def _tokens(self, bonuses: Five, cards: int) -> int:
        """Return the fewest tokens for at most so many more cards."""
        missing = self.missing(bonuses)
        if missing == 0:
            return 0
        if missing > cards:
            return IMPOSSIBLE
        return min(
            price + self.tokens(one_more(bonuses, color), cards - 1)
            for color, price in enumerate(self._deck.cheapest(bonuses))
        )


def one_more(bonuses: Five, color: int) -> Five:
    """Return bonuses with one more of a color.

    Examples
    --------
    >>> one_more((0, 0, 2, 0, 0), 2)
    (0, 0, 3, 0, 0)
    """
    return (*bonuses[:color], bonuses[color] + 1, *bonuses[color + 1 :])


def fewest_tokens(
    wanted: Mapping[str, int], most_cards: int, *, deck: Deck | None = None, seconds: float = 60.0
) -> TokenPlan:
    """Return the fewest tokens that must be spent to own these bonuses, starting from nothing.

    The search is for a shortest path over bonuses, in which at first a card may be bought twice;
    that can only be too cheap. The cards that a path does buy twice are watched from then on, so
    that no path buys them twice, and the search runs again. With a limit on the tokens that rises
    one by one, the first path without a repetition is a cheapest plan (decremental state space
    relaxation; G. Righini and M. Salani, Networks 51, 2008).

    Parameters
    ----------
    wanted
        Bonuses by color, such as ``noble.cost``.
    most_cards
        How many cards may be bought.
    deck
        The cards; by default those of the base game.
    seconds
        The time after which it ends with the bound that it has reached.

    Raises
    ------
    TypeError, ValueError
        Where `most_cards` is no whole number from 0.

    Examples
    --------
    >>> from splendor_nb import base_nobles
    >>> noble = next(noble for noble in base_nobles() if noble.name == "WUK")
    >>> plan = fewest_tokens(noble.cost, 10)
    >>> plan.found, plan.status, len(plan.cards)
    (8, 'proven', 10)
    >>> fewest_tokens(noble.cost, 8).status
    'infeasible'
    """
    most_cards = check_whole_number("most_cards", most_cards, 0)
    deck = deck or Deck()
    numbers = tuple(wanted[color] for color in COLORS)
    if not _can_be_owned(deck, numbers, most_cards):
        return TokenPlan(None, None, ())
    deadline = time.monotonic() + seconds
    search = _Search(deck, numbers, most_cards)
    tokens = search.remaining.tokens(NONE, most_cards)
    while True:
        path = search.path(tokens)
        if path is None:
            tokens += 1
        elif search.watch_repeated(path):
            if time.monotonic() > deadline:
                return TokenPlan(tokens, None, ())
        else:
            names = tuple(deck.cards[card].name for card in path)
            return TokenPlan(tokens, deck.tokens(path), names)


def _can_be_owned(deck: Deck, wanted: Five, most_cards: int) -> bool:
    enough = all(deck.bonus.count(color) >= number for color, number in enumerate(wanted))
    return enough and sum(wanted) <= most_cards


_Place = tuple[Five, int]  # bonuses, and the watched cards that are bought, as bits
_Step = tuple[int, _Place | None, int]  # tokens spent, the place before, the card bought


class _Search:
    """A shortest path over bonuses in which watched cards are bought at most once."""

    def __init__(self, deck: Deck, wanted: Five, most_cards: int) -> None:
        self.remaining = Remaining(deck, wanted)
        self._deck, self._most_cards = deck, most_cards
        self._watched: list[int] = []

    def watch_repeated(self, path: Sequence[int]) -> bool:
        """Watch the cards that a path buys more than once; return whether there are any."""
        repeated = sorted({card for card in path if path.count(card) > 1})
        self._watched += repeated
        return bool(repeated)

    def path(self, tokens: int) -> list[int] | None:
        """Return the cards of a path that spends at most so many tokens."""
        layers: list[dict[_Place, _Step]] = [{(NONE, 0): (0, None, -1)}]
        for cards_left in reversed(range(self._most_cards + 1)):
            for place in layers[-1]:
                if self.remaining.missing(place[0]) == 0:
                    return _trace(layers, place)
            layers.append(self._next_layer(layers[-1], cards_left - 1, tokens))
        return None

    def _next_layer(
        self, layer: dict[_Place, _Step], cards_left: int, tokens: int
    ) -> dict[_Place, _Step]:
        reached: dict[_Place, _Step] = {}
        for place, (spent, _, _) in layer.items():
            for price, card, then in self._purchases(place):
                total = spent + price
                if total + self.remaining.tokens(then[0], cards_left) > tokens:
                    continue
                if then not in reached or reached[then][0] > total:
                    reached[then] = (total, place, card)
        return reached

    def _purchases(self, place: _Place) -> Iterator[tuple[int, int, _Place]]:
        """Yield each watched card, and the cheapest other one of each color."""
        bonuses, bought = place
        colors = set()
        for price, card in self._deck.by_price(bonuses):
            color, bit = self._deck.bonus[card], 0
            if card in self._watched:
                bit = 1 << self._watched.index(card)
            elif color in colors:
                continue
            else:
                colors.add(color)
            if not bought & bit:
                yield price, card, (one_more(bonuses, color), bought | bit)


def _trace(layers: Sequence[dict[_Place, _Step]], end: _Place) -> list[int]:
    """Return the cards that lead to a place of the last layer."""
    cards, place = [], end
    for layer in reversed(layers[1:]):
        _, before, card = layer[place]
        cards.append(card)
        place = before or end
    return cards[::-1]
