"""What the rules work on: a position as numbers, and the tables of the game that is played."""

from __future__ import annotations

import functools
from itertools import combinations
from typing import Any

from splendor_nb.engine import rules
from splendor_nb.engine.cards import COLORS, LEVELS
from splendor_nb.engine.options import Components, Rules

UNAFFORDABLE = 1000  # missing gems, by color, of what is no card to buy: an empty slot or a back
NO_LIMIT = 1 << 60  # a turn limit as good as none, still a number for compiled code

# The takes in the order of the legal list: three, two and one different gems, then two alike.
TAKES: tuple[tuple[int, ...], ...] = (
    *(gems for size in (3, 2, 1) for gems in combinations(range(5), size)),
    *((color, color) for color in range(5)),
)


class Tables:
    """What a game is played with, as numbers: its cards, its nobles, its options.

    A card is its row number. The rows after the last card are pseudo-cards that nobody can
    afford: an empty slot, then the backs of levels 1, 2 and 3.

    Attributes
    ----------
    components, options
        What the tables are made from.
    empty, backs
        The pseudo-cards: of an empty slot, the number of cards; and of a back, by level.
    level, bonus, points, cost
        Of each card; its bonus as a number of the color, its cost by color.
    decks, deck_size
        The cards of each level, and how many there are.
    piles
        ``piles[players]``: the tokens of a new game, gold last.
    nobles, noble_points
        How many nobles the table has, and the points of each.
    take_fewer, choose_payment, tie_break, unseen_reserve, target, turn_limit
        The options as numbers, 1 for the one that allows more.
    missing
        ``missing[color][owned][card]``: gems of the color still missing for the card.
    content
        ``content[color][bonuses]``: the nobles, as bits, that ask for no more of the color.
    takes, n_takes
        ``takes[colors]``: the takes of different gems when the bank has these colors, as bits.
    take_gems, take_size, take_colors
        The gems of each take, how many there are, and the same as bits.
    """

    def __init__(self, components: Components, options: Rules) -> None:
        self.components = components
        self.options = options
        self._set_options(options)
        self._set_cards(components)
        self._set_nobles(components)
        self._set_takes()
        self.__dict__.update({name: _frozen(value) for name, value in vars(self).items()})

    def __setattr__(self, name: str, value: object) -> None:
        if hasattr(self, "n_takes"):  # the last one to be set
            raise AttributeError(f"The tables of a game never change: {name} cannot be set.")
        super().__setattr__(name, value)

    def back(self, level: int) -> int:
        """Return the pseudo-card that is the back of a level, 1 to 3."""
        return self.empty + level

    def _bank(self, players: int) -> list[int]:
        """Return the tokens of a new game, gold last [R2, R3]; none but for 2 to 4 players."""
        if self.components.tokens is not None:
            return list(self.components.tokens)
        gold = 0 if self.options.gold == "four_only" and players < 4 else 5
        return [(0, 0, 4, 5, 7)[players]] * 5 + [gold]

    def _set_options(self, options: Rules) -> None:
        self.take_fewer = int(options.take_fewer == "free")
        self.choose_payment = int(options.payment == "choose")
        self.tie_break = int(options.tie_break == "fewest_cards")
        self.unseen_reserve = int(options.unseen_reserve == "on")
        self.target = options.target
        self.turn_limit = min(options.turn_limit, NO_LIMIT)

    def _set_cards(self, components: Components) -> None:
        cards = components.cards
        self.empty = len(cards)
        self.backs = [self.back(level) for level in LEVELS]
        self.level = [card.level for card in cards]
        self.bonus = [COLORS.index(card.bonus) for card in cards]
        self.points = [card.points for card in cards]
        self.decks = [[i for i, card in enumerate(cards) if card.level == x] for x in LEVELS]
        self.deck_size = [len(deck) for deck in self.decks]
        self.cost = [list(card.cost.values()) for card in cards]
        self.piles = [self._bank(players) for players in range(5)]
        most = max(self.piles[4][:5]) + max(self.bonus.count(color) for color in range(5))
        self.missing = [
            [
                [max(0, card.cost[color] - owned) for card in cards] + [UNAFFORDABLE] * 4
                for owned in range(most + 1)
            ]
            for color in COLORS
        ]

    def _set_nobles(self, components: Components) -> None:
        nobles = components.nobles
        self.nobles = len(nobles)
        self.noble_points = [noble.points for noble in nobles]
        self.content = [
            [
                sum(1 << i for i, noble in enumerate(nobles) if noble.cost[color] <= bonuses)
                for bonuses in range(self.bonus.count(number) + 1)
            ]
            for number, color in enumerate(COLORS)
        ]

    def _set_takes(self) -> None:
        self.take_size = [len(gems) for gems in TAKES]
        self.take_gems = [[*gems, *[0] * (3 - len(gems))] for gems in TAKES]
        self.take_colors = [sum(1 << color for color in set(gems)) for gems in TAKES]
        self.takes = [self._takes_from(colors) for colors in range(32)]
        self.n_takes = [len(takes) for takes in self.takes]

    def _takes_from(self, colors: int) -> list[int]:
        return [
            action
            for action in range(rules.TAKE_TWO)
            if not rules.why_not_take(self.take_fewer, colors, self.take_colors[action])
        ]


def _frozen(value: Any) -> Any:
    """Return nested lists as nested tuples, since one set of tables serves many games."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


@functools.lru_cache(maxsize=64)
def tables_for(components: Components, options: Rules) -> Tables:
    """Return the tables of a game, made once for each set of components and options."""
    return Tables(components, options)


# The fields of a position, by their form.
NUMBERS = ("players", "first", "current", "phase", "turn", "passes", "ended", "paying", "nobles")
LISTS = (
    "gold_for",
    "bank",
    "market",
    "deck_size",
    "visits",
    "points",
    "n_reserved",
    "n_bought",
)
TABLES = ("decks", "tokens", "bonuses", "reserved", "hidden", "bought")


class Position:
    """A position as numbers, which the rules change in place.

    Attributes
    ----------
    players, first, current, phase, turn, passes, ended
        As in `rules`; `current` is -1 once the game is over.
    paying, gold_for
        The buying action that waits for its payment (-1 if none), and the gems by color that
        are to be paid in gold.
    bank
        Tokens by color, gold last.
    market
        A card for each of 12 slots, level 1 first.
    decks, deck_size
        ``decks[level][: deck_size[level]]``, the next card last.
    nobles, visits
        Nobles on the table and by seat, as bits.
    tokens, bonuses, points
        By seat; tokens and bonuses then by color.
    reserved, hidden, n_reserved
        By seat, in order of time; `hidden` is 1 for a card reserved unseen.
    bought, n_bought
        By seat, in order of time.
    """

    __slots__ = (*NUMBERS, *LISTS, *TABLES)

    players: int
    first: int
    current: int
    phase: int
    turn: int
    passes: int
    ended: int
    paying: int
    nobles: int

    def __init__(self, tables: Tables, players: int, first: int = 0) -> None:
        empty = tables.empty
        self.gold_for, self.bank, self.market = [0] * 5, [0] * 6, [empty] * rules.SLOTS
        self.deck_size, self.decks = [0] * 3, [list(deck) for deck in tables.decks]
        self.visits, self.points = [0] * players, [0] * players
        self.n_reserved, self.n_bought = [0] * players, [0] * players
        self.tokens = [[0] * 6 for _ in range(players)]
        self.bonuses = [[0] * 5 for _ in range(players)]
        self.reserved = [[empty] * rules.RESERVE_LIMIT for _ in range(players)]
        self.hidden = [[0] * rules.RESERVE_LIMIT for _ in range(players)]
        self.bought = [[empty] * empty for _ in range(players)]
        rules.lay_out(self, tables, players, first)

    def copy(self) -> Position:
        """Return a position that shares nothing with this one."""
        # Written out, since every state and every observation is such a copy.
        twin = Position.__new__(Position)
        twin.players, twin.first, twin.current = self.players, self.first, self.current
        twin.phase, twin.turn, twin.passes = self.phase, self.turn, self.passes
        twin.ended, twin.paying, twin.nobles = self.ended, self.paying, self.nobles
        twin.gold_for, twin.bank, twin.market = self.gold_for[:], self.bank[:], self.market[:]
        twin.deck_size, twin.visits, twin.points = (
            self.deck_size[:],
            self.visits[:],
            self.points[:],
        )
        twin.n_reserved, twin.n_bought = self.n_reserved[:], self.n_bought[:]
        twin.decks = list(map(list.copy, self.decks))
        twin.tokens = list(map(list.copy, self.tokens))
        twin.bonuses = list(map(list.copy, self.bonuses))
        twin.reserved = list(map(list.copy, self.reserved))
        twin.hidden = list(map(list.copy, self.hidden))
        twin.bought = list(map(list.copy, self.bought))
        return twin

    def content(self) -> tuple[object, ...]:
        """Return all that the position holds as nested tuples, for comparing and hashing."""
        return (
            *(getattr(self, name) for name in NUMBERS),
            *(tuple(getattr(self, name)) for name in LISTS),
            *(tuple(map(tuple, getattr(self, name))) for name in TABLES),
        )
