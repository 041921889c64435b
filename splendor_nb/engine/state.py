"""Positions as values: the whole truth (`State`), and what one seat may know (`Observation`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from splendor_nb.engine import rules as the_rules
from splendor_nb.engine.cards import LEVELS, Back, Card, Gems, Noble
from splendor_nb.engine.errors import IllegalActionError
from splendor_nb.engine.forms import check_whole_number, shortened
from splendor_nb.engine.notation import (
    PHASES,
    Action,
    card_row,
    missing_gems,
    read_action,
    why_illegal,
    write_actions,
)
from splendor_nb.engine.options import Rules, make_components, make_rules
from splendor_nb.engine.position import Position, Tables, tables_for
from splendor_nb.engine.position_json import (
    END_REASONS,
    read_observation,
    read_position,
    write_position,
)
from splendor_nb.engine.rng import DEAL, Rng, checked_seed
from splendor_nb.engine.text_board import text_board


@dataclass(frozen=True, slots=True)
class Seat:
    """What lies before one player.

    Attributes
    ----------
    tokens
        By gem, gold as ``*``.
    bonuses
        By color.
    points
        Of cards and nobles together.
    bought
        Cards in order of time.
    reserved
        Cards in order of time; a `Back` where the viewer may not know the card.
    hidden
        For each reserved card, whether it was reserved unseen.
    nobles
        Nobles that have visited, in table order.
    """

    tokens: Gems
    bonuses: Gems
    points: int
    bought: tuple[Card, ...]
    reserved: tuple[Card | Back, ...]
    hidden: tuple[bool, ...]
    nobles: tuple[Noble, ...]


class View(ABC):
    """What `State` and `Observation` have in common: readers, legal actions, applying one."""

    _viewer: int | None = None  # a class attribute: a state has no viewer

    _s: Position
    _t: Tables

    def __init__(self, position: Position, tables: Tables) -> None:
        self.__dict__.update(_s=position, _t=tables)

    def __setattr__(self, name: str, value: object) -> None:
        kind = type(self).__name__
        raise AttributeError(
            f"A {kind} never changes: {name} cannot be set; apply() returns a new one."
        )

    @property
    def tables(self) -> Tables:
        """The tables of the game, as the rules read them; not to be changed."""
        return self._t

    def numbers(self) -> Position:
        """Return a copy of the position as the rules read it, for policies and compiled code."""
        return self._s.copy()

    # -- readers -----------------------------------------------------------------------------------

    @property
    def players(self) -> int:
        """The number of seats, 2 to 4."""
        return self._s.players

    @property
    def first_player(self) -> int:
        """The seat that began."""
        return self._s.first

    @property
    def current_player(self) -> int | None:
        """The seat that decides, `None` once the game is over."""
        return None if self._s.current < 0 else self._s.current

    @property
    def phase(self) -> str:
        """What is decided: ``main``, ``return``, ``noble``, ``pay``; or ``over``."""
        return PHASES[self._s.phase]

    @property
    def turn(self) -> int:
        """The number of turns finished, of all seats together."""
        return self._s.turn

    @property
    def rules(self) -> Rules:
        """The rule options of the game."""
        return self._t.options

    @property
    def end_reason(self) -> str | None:
        """``target``, ``stalemate`` or ``limit``; `None` while the game runs [R15, R17]."""
        return END_REASONS[self._s.ended]

    @property
    def deck_sizes(self) -> tuple[int, ...]:
        """The number of cards left in each deck, level 1 first."""
        return tuple(self._s.deck_size)

    @cached_property
    def bank(self) -> Gems:
        """The tokens in the bank, by gem."""
        return Gems(self._s.bank)

    @cached_property
    def market(self) -> tuple[tuple[Card | Back | None, ...], ...]:
        """The open cards as ``market[level - 1][slot]``; `None` is an empty slot."""
        cards = [self._card(card) for card in self._s.market]
        return tuple(tuple(cards[row : row + 4]) for row in (0, 4, 8))

    @cached_property
    def nobles(self) -> tuple[Noble, ...]:
        """The nobles on the table, in table order."""
        return self._nobles(self._s.nobles)

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """What lies before each player."""
        return tuple(self._seat(seat) for seat in range(self._s.players))

    @cached_property
    def paying(self) -> Card | None:
        """The card that is being paid for, in phase ``pay``."""
        if self._s.paying < 0:
            return None
        card: int = the_rules.card_of(self._s, self._s.paying)
        return self._t.components.cards[card]

    @cached_property
    def paid_in_gold(self) -> Gems:
        """The gems of that price for which gold has been chosen, by color."""
        return Gems(self._s.gold_for)

    def shown_reserve(self, player: int) -> tuple[Card | Back, ...]:
        """Return the reserve of a seat as this value may show it [R18].

        A card reserved unseen is a back, but for its owner's own view and while it is paid for.
        """
        seat, owner = self.seats[player], player == self._viewer
        return tuple(
            Back(card.level) if hidden and not owner and card != self.paying else card
            for card, hidden in zip(seat.reserved, seat.hidden, strict=True)
        )

    def rank(self, player: int) -> int:
        """Return a number that is higher the better the seat stands [R16]; equal where tied."""
        rank: int = the_rules.rank(self._s, self._t, self._seat_number(player))
        return rank

    def price(self, card: str, player: int) -> Gems:
        """Return what the card would cost the seat after its bonuses, by color [R10].

        Raises
        ------
        NotationError
            Where this game has no such card.
        TypeError, ValueError
            Where it has no such seat.
        """
        row, player = card_row(self._t, card), self._seat_number(player)
        bonuses = self._s.bonuses[player]
        return Gems(self._t.missing[color][bonuses[color]][row] for color in range(5))

    def missing(self, card: str, player: int) -> Gems:
        """Return the gems that the seat lacks for the card, by color, gold not counted [R10].

        Raises
        ------
        NotationError
            Where this game has no such card.
        TypeError, ValueError
            Where it has no such seat.
        """
        return missing_gems(self._s, self._t, self._seat_number(player), card_row(self._t, card))

    # -- what can be done --------------------------------------------------------------------------

    def legal_actions(self) -> list[Action]:
        """Return the actions that are allowed now, in an order for ever; none at the end.

        Takes of three, two and one different gems, then of two alike; reserves by level and slot,
        then from the decks; buys by level and slot, then from the reserve; or, in their phases,
        returns, nobles, payments; or ``pass`` alone.
        """
        numbers = [0] * the_rules.ACTIONS
        count = the_rules.legal_actions(self._s, self._t, numbers)
        return write_actions(self._s, self._t, numbers[:count])

    def why_illegal(self, action: str) -> str | None:
        """Return why an action is not allowed now, in a sentence; `None` if it is.

        Raises
        ------
        NotationError
            Where the text is no action, or names what this game does not have.

        Examples
        --------
        >>> new_game(players=2, seed=7).why_illegal("take WW") is None
        True
        >>> new_game(players=2, seed=7).why_illegal("pass")
        'You may pass only when nothing else is possible [R11].'
        """
        return why_illegal(self._s, self._t, action)

    def apply(self, action: str) -> Self:
        """Return what an action leads to; this value stays as it is.

        Raises
        ------
        NotationError
            Where the text is no action, or names what this game does not have.
        IllegalActionError
            Where the action is not allowed now, with the reason.

        Examples
        --------
        >>> state = new_game(players=2, seed=7).apply("take WUG")
        >>> state.current_player, state.turn
        (1, 1)
        """
        if (reason := self.why_illegal(action)) is not None:
            raise IllegalActionError(f"'{Action(action)}' is not allowed now. {reason}")
        position = self._s.copy()
        the_rules.apply_action(position, self._t, read_action(position, self._t, action))
        return self._with(position)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self._s.phase == the_rules.OVER

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that win, several where the win is shared [R16]; empty before the end."""
        return standings(self) if self.is_terminal() else ()

    def returns(self) -> list[float]:
        """Return what each seat gets: 1 for a win, 1/k for one shared by k, else 0; 0 before."""
        winners = self.winners
        return [1 / len(winners) if seat in winners else 0.0 for seat in range(self.players)]

    # -- as text, picture and value ----------------------------------------------------------------

    def text(self, *, reveal: bool = False) -> str:
        """Return the text board; with `reveal` also what lies face down, decks included."""
        return text_board(self, reveal=reveal)

    def deck(self, level: int) -> tuple[Card | Back, ...]:
        """Return the cards of a deck, level 1 to 3, the next one first; backs in an observation.

        Raises
        ------
        TypeError, ValueError
            Where there is no such level.
        """
        level = check_whole_number("level", level, 1, 3)
        size = self._s.deck_size[level - 1]
        cards = [self._card(card) for card in self._s.decks[level - 1][:size]]
        return tuple(card for card in reversed(cards) if card is not None)

    def to_dict(self) -> dict[str, Any]:
        """Return all that the value holds as JSON."""
        return write_position(self._s, self._t, self._viewer)

    @classmethod
    @abstractmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the value from JSON; its parts must agree, whether or not play can reach it.

        Raises
        ------
        RecordError
            Where they do not; the message names the place.
        """

    def __repr__(self) -> str:
        return self.text()

    def _repr_svg_(self) -> str:
        from splendor_nb.charts.svg import position_svg

        return position_svg(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return self._content == other._content

    def __hash__(self) -> int:
        return hash(self._content)

    def __reduce__(self) -> tuple[Callable[[Mapping[str, Any]], Self], tuple[dict[str, Any]]]:
        return type(self).from_dict, (self.to_dict(),)

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self

    @cached_property
    def _content(self) -> tuple[object, ...]:
        return self._viewer, self._t.options, self._t.components, self._s.content()

    @abstractmethod
    def _with(self, position: Position) -> Self:
        """Return the same kind of value for another position."""

    def _seat_number(self, player: int) -> int:
        return check_whole_number("player", player, 0, self.players - 1)

    def _card(self, card: int) -> Card | Back | None:
        if card == self._t.empty:
            return None
        if card > self._t.empty:
            return Back(card - self._t.empty)
        return self._t.components.cards[card]

    def _nobles(self, bits: int) -> tuple[Noble, ...]:
        return tuple(noble for i, noble in enumerate(self._t.components.nobles) if bits >> i & 1)

    def _seat(self, seat: int) -> Seat:
        s, cards = self._s, self._t.components.cards
        kept = s.n_reserved[seat]
        reserved = [self._card(card) for card in s.reserved[seat][:kept]]
        return Seat(
            tokens=Gems(s.tokens[seat]),
            bonuses=Gems(s.bonuses[seat]),
            points=s.points[seat],
            bought=tuple(cards[card] for card in s.bought[seat][: s.n_bought[seat]]),
            reserved=tuple(card for card in reserved if card is not None),
            hidden=tuple(bool(hidden) for hidden in s.hidden[seat][:kept]),
            nobles=self._nobles(s.visits[seat]),
        )


class State(View):
    """A position, the whole truth: a value that never changes.

    Equality, hash, JSON, pickle and copy go by content. Its `repr` and its picture show what
    everyone at the table may know; ``text(reveal=True)`` shows all.

    Examples
    --------
    >>> state = new_game(players=2, seed=7)
    >>> len(state.legal_actions())
    30
    >>> State.from_dict(state.to_dict()) == state
    True
    """

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the state from JSON; its parts must agree, whether or not play can reach it.

        Raises
        ------
        RecordError
            Where they do not; the message names the place.
        """
        return cls(*read_position(data))

    def observation(self, player: int) -> Observation:
        """Return what the seat may know [R18].

        Raises
        ------
        TypeError, ValueError
            Where there is no such seat.
        """
        player = self._seat_number(player)
        s, t = self._s.copy(), self._t
        for back, deck, size in zip(t.backs, s.decks, s.deck_size, strict=True):
            deck[:size] = [back] * size
        for seat in range(s.players):
            if seat != player and 1 in s.hidden[seat]:
                _turn_down(s, t, seat)
        return Observation(s, t, player)

    def _with(self, position: Position) -> Self:
        return type(self)(position, self._t)


class Observation(View):
    """What one seat may know of a position: a value that never changes.

    Cards that the seat cannot know are backs. It holds no seed, no generator and no link to the
    truth: two truths that the seat cannot tell apart give equal observations.

    Attributes
    ----------
    player
        The seat whose view it is.
    """

    player: int

    def __init__(self, position: Position, tables: Tables, player: int) -> None:
        self.__dict__.update(_s=position, _t=tables, player=player, _viewer=player)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the observation from JSON; its parts must agree.

        Raises
        ------
        RecordError
            Where they do not; the message names the place.
        """
        return cls(*read_observation(data))

    def legal_actions(self) -> list[Action]:
        """Return the actions that are allowed now; empty where another seat decides."""
        return super().legal_actions() if self.player == self.current_player else []

    def why_illegal(self, action: str) -> str | None:
        """Return why an action is not allowed now, in a sentence; `None` if it is.

        Raises
        ------
        NotationError
            Where the text is no action, or names what this game does not have.
        """
        if self.is_terminal() or self.player == self.current_player:
            return super().why_illegal(action)
        read_action(self._s, self._t, action)
        return f"It is seat {self.current_player}'s decision, not that of seat {self.player} [R6]."

    def determinize(self, rng: Rng | int) -> State:
        """Return a full state that fits this knowledge, each such state with the same chance.

        Parameters
        ----------
        rng
            A generator, or a seed from 0.

        Raises
        ------
        TypeError, ValueError
            Where it is neither.
        """
        if not isinstance(rng, Rng):
            rng = Rng(check_whole_number("rng (a generator or a seed)", rng, 0))
        s, t = self._s.copy(), self._t
        unseen = {t.back(level): self._unseen(level) for level in LEVELS}
        for cards in unseen.values():
            rng.shuffle(cards)
        for row in (*s.decks, s.market, *s.reserved):
            for place, card in enumerate(row):
                if card in unseen:
                    row[place] = unseen[card].pop()
        return State(s, t)

    def _unseen(self, level: int) -> list[int]:
        s = self._s
        seen = {card for row in (s.market, *s.reserved, *s.bought) for card in row}
        return [card for card in self._t.decks[level - 1] if card not in seen]

    def _with(self, position: Position) -> Self:
        return type(self)(position, self._t, self.player)


def standings(view: View, *, out: int | None = None) -> tuple[int, ...]:
    """Return the seats that stand best as the position is [R16], leaving out one that forfeits."""
    ranks = {seat: view.rank(seat) for seat in range(view.players) if seat != out}
    return tuple(seat for seat, rank in ranks.items() if rank == max(ranks.values()))


def new_game(
    players: int = 2,
    *,
    seed: int | None = None,
    rules: str | Mapping[str, Any] = "standard",
    first_player: int | str = 0,
    cards: object = None,
    nobles: object = None,
    tokens: object = None,
    **options: Any,
) -> State:
    """Return the start of a game [R1] to [R6].

    Parameters
    ----------
    players
        2, 3 or 4.
    seed
        Any integer from 0; the same seed deals the same game for ever. `None` draws one.
    rules
        ``"standard"``, ``"uzbek_sundanese"``, or a mapping of options.
    first_player
        A seat, or ``"random"``: drawn from the seed after the deal, which stays the same.
    cards, nobles, tokens
        Components of one's own in place of the base game's; see `make_components`.
    **options
        Single rule options by name; see `Rules`.

    Raises
    ------
    TypeError, ValueError
        For what is not allowed; the message names what is.

    Examples
    --------
    >>> state = new_game(players=3, seed=7, target=10)
    >>> state.bank["W"], len(state.nobles), state.rules.target
    (5, 4, 10)
    """
    players = check_whole_number("players", players, 2, 4)
    tables = tables_for(make_components(cards, nobles, tokens), make_rules(rules, **options))
    rng = Rng.stream(checked_seed(seed), 0, DEAL)
    return deal(tables, players, rng, first_player)


def deal(tables: Tables, players: int, rng: Rng, first_player: int | str = 0) -> State:
    """Return a fresh deal from a generator's stream."""
    position = Position(tables, players)
    the_rules.deal(position, tables, rng.stream_state)
    if first_player == "random":
        the_rules.draw_first_player(position, rng.stream_state)
    else:
        position.first = position.current = _checked_first_player(first_player, players)
    return State(position, tables)


def _checked_first_player(first_player: int | str, players: int) -> int:
    if isinstance(first_player, str):
        raise ValueError(f"first_player is a seat or 'random', not {shortened(first_player)}.")
    return check_whole_number("first_player (or 'random')", first_player, 0, players - 1)


def _turn_down(s: Position, t: Tables, seat: int) -> None:
    """Turn the unseen reserves of a seat face down, but for one that is being paid for [R18]."""
    for place in range(s.n_reserved[seat]):
        paying = s.current == seat and s.paying == the_rules.BUY_RESERVED + place
        if s.hidden[seat][place] and not paying:
            s.reserved[seat][place] = t.back(t.level[s.reserved[seat][place]])
