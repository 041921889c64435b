"""The search for a win that nobody can prevent: one seat against all others and the decks.

The other seats play as one, and against the seat. A card that is revealed stays a back until
somebody else wants it: then it is whichever card suits them, of those that nobody has seen. So are
their unseen reserves. The seat itself never counts on a new card. All this makes the others
stronger than they are, so that a win that is found is a win against every reply and every card.

Where the decks are known, and the cards no backs, the same search tells for these very decks
whether the seat can win, and then in both ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from operator import le

from splendor_nb.analysis.budget import Budget
from splendor_nb.analysis.reach import most_points
from splendor_nb.analysis.successors import after, legal_numbers
from splendor_nb.analysis.turns import Turn, endings_of, turns_from
from splendor_nb.engine import rules
from splendor_nb.engine.position import Position, Tables

_Mark = tuple[object, ...]


class Forcing:
    """Looks for wins of one seat, and remembers what it has found.

    Parameters
    ----------
    t
        The tables of the game.
    seat
        The seat that wants to win, alone.
    open_decks
        Whether the decks hold cards, not backs.
    budget
        What counts the positions.

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> start = tiny_games()["blackboard"].start
    >>> search = Forcing(start.tables, 0, Budget(), open_decks=True)
    >>> search.winning_turn(start.numbers(), 2).words(start.tables)
    'take WU'
    """

    def __init__(self, t: Tables, seat: int, budget: Budget, *, open_decks: bool) -> None:
        self.t = t
        self.seat = seat
        self.budget = budget
        self._open = open_decks
        self._known: dict[_Mark, Turn | None] = {}
        self._favorite: dict[int, tuple[int, ...]] = {}
        self._killer: dict[int, int] = {}

    # -- the seat itself ---------------------------------------------------------------------------

    def winning_turn(self, s: Position, turns: int) -> Turn | None:
        """Return a turn with which the seat, who decides, wins within so many of its turns.

        Raises
        ------
        OutOfBudget
            Where that takes more than the search may cost.
        """
        if not self._in_reach(s, turns):
            return None
        mark = (turns, *_mark(s))
        if mark not in self._known:
            self.budget.count()
            self._known[mark] = self._find(s, turns)
        return self._known[mark]

    def wins_by(self, s: Position, turns: int, action: int) -> bool:
        """Tell whether the seat wins by a turn that begins with this action.

        Raises
        ------
        OutOfBudget
            Where that takes more than the search may cost.
        """
        return any(self.holds(turn.after, turns - 1) for turn in turns_from(s, self.t, [action]))

    def repeated(self, s: Position, turns: int, actions: tuple[int, ...]) -> Turn | None:
        """Return the turn with these actions if it can be done here and wins, else `None`.

        Raises
        ------
        OutOfBudget
            Where that takes more than the search may cost.
        """
        end = s
        for action in actions:
            if end.current != self.seat or rules.why_illegal(end, self.t, action) != rules.LEGAL:
                return None
            end = after(end, self.t, action)
        return Turn(actions, end, s) if self.holds(end, turns - 1) else None

    def _find(self, s: Position, turns: int) -> Turn | None:
        favorite = self._favorite.get(turns, ())
        tries = self._tries(s, turns)
        if favorite and favorite[0] in tries:
            tries = [favorite[0], *(action for action in tries if action != favorite[0])]
        for turn in turns_from(s, self.t, tries):
            if self.holds(turn.after, turns - 1):
                self._favorite[turns] = turn.actions
                return turn
        return None

    def _tries(self, s: Position, turns: int) -> list[int]:
        """Return the actions that may win, purchases first."""
        actions = legal_numbers(s, self.t)
        if turns == 1 and not self._may_end(s, turns):
            actions = [action for action in actions if self._reaches_target(s, action)]
        return sorted(actions, key=_is_purchase, reverse=True)

    def _reaches_target(self, s: Position, action: int) -> bool:
        """Tell whether the seat may have enough points after an action, nobles included."""
        card = card_bought(s, s.paying if s.phase == rules.PAYING else action)
        worth = 0 if card is None else self.t.points[card]
        noble = max(self.t.noble_points, default=0) if s.nobles else 0
        return bool(s.points[self.seat] + worth + noble >= self.t.target)

    def _in_reach(self, s: Position, turns: int) -> bool:
        """Tell whether the seat may reach the target in time; an end that comes anyway may do."""
        if self._may_end(s, turns):
            return True
        coming: list[int] = []
        if self._open:
            draws = turns * s.players
            for deck, size in zip(s.decks, s.deck_size, strict=True):
                coming += deck[max(0, size - draws) : size]
        return most_points(s, self.t, self.seat, turns, coming=coming) >= self.t.target

    def _may_end(self, s: Position, turns: int) -> bool:
        """Tell whether the game may end so soon though the seat does not end it [R15, R17]."""
        end_of_round = s.turn + s.players * (turns + 1) - s.turn % s.players
        return (
            rules.best_points(s) >= self.t.target
            or end_of_round >= self.t.turn_limit
            or self._may_stall(s, turns)
        )

    def _may_stall(self, s: Position, turns: int) -> bool:
        """Tell whether soon nobody may have anything to do [R17].

        Before that the bank is emptied by takes, and reserves are filled while there are cards;
        then every seat passes.
        """
        if s.passes > 0:
            return True
        takes = -(-sum(s.bank[:5]) // 3)
        cards = sum(s.deck_size) + sum(card != self.t.empty for card in s.market)
        room = sum(rules.RESERVE_LIMIT - kept for kept in s.n_reserved)
        to_come = s.players * (turns + 1) - 1
        return takes + min(room, cards) + s.players <= to_come

    # -- the others --------------------------------------------------------------------------------

    def holds(self, s: Position, turns: int) -> bool:
        """Tell whether the seat wins, with so many turns of its own to come, whatever happens.

        Raises
        ------
        OutOfBudget
            Where that takes more than the search may cost.
        """
        if s.phase == rules.OVER:
            return self._has_won(s)
        if s.current == self.seat:
            return turns > 0 and self.winning_turn(s, turns) is not None
        if not self.may_still_win(s, turns):
            return False
        self.budget.count()
        return self.refutation(s, turns) is None

    def may_still_win(self, s: Position, turns: int) -> bool:
        """Tell whether the seat may win at all with so many turns of its own to come."""
        return self._in_reach(s, turns) if turns > 0 else self._may_end(s, 0)

    def refutation(self, s: Position, turns: int) -> Turn | None:
        """Return a reply of the seat that decides after which the win is gone; `None` if none.

        Raises
        ------
        OutOfBudget
            Where that takes more than the search may cost.
        """
        for turn in self._refutations(s, turns):
            self._killer[turns] = turn.actions[0]
            return turn
        return None

    def _refutations(self, s: Position, turns: int) -> Iterator[Turn]:
        """Yield replies after which the win is gone, those that are found quickly first."""
        actions = legal_numbers(s, self.t)
        takes = [action for action in actions if action < rules.RESERVE]
        others = [action for action in actions if action >= rules.BUY]
        reserves = [action for action in actions if rules.RESERVE <= action < rules.BUY]
        reserves += self._reserves_of_backs(s)
        if turns == 0 and (s.turn + 1) % s.players == 0:
            # In the last turn of a game nothing counts but points.
            others = [action for action in others if self._may_catch_up(s, card_bought(s, action))]
            reserves = [] if takes else reserves
        quiet = islice(turns_from(s, self.t, takes[:1]), 1)
        yield from self._spoiled(chain(quiet, turns_from(s, self.t, others)), turns)
        for action in self._in_killing_order(reserves, turns):
            yield from self._failures(s, turns, after(s, self.t, action), [action])
        yield from self._spoiled(self._purchases_of_backs(s, turns), turns)
        if turns > 0 and takes:
            yield from self._failures(s, turns, _bundle(s), takes)

    def _spoiled(self, replies: Iterable[Turn], turns: int) -> Iterator[Turn]:
        """Yield the replies after which the win is gone."""
        return (turn for turn in replies if not self.holds(turn.after, turns))

    def replies(self, s: Position) -> Iterator[Turn]:
        """Yield all replies of the seat that decides, with every card that may turn up."""
        actions = legal_numbers(s, self.t)
        yield from turns_from(s, self.t, actions + self._reserves_of_backs(s))
        yield from self._purchases_of_backs(s, 1)

    def _may_catch_up(self, s: Position, card: int | None) -> bool:
        """Tell whether the seat that decides may have as many points after buying a card."""
        if card is None:
            return True
        noble = max(self.t.noble_points) if s.nobles else 0
        return s.points[s.current] + self.t.points[card] + noble >= s.points[self.seat]

    def _failures(
        self, s: Position, turns: int, generous: Position, actions: list[int]
    ) -> Iterator[Turn]:
        """Yield the turns with these actions after which the win is gone.

        At first a generous position stands for all of them, in which the reply need return no
        tokens: whoever has more of them can do all that could be done with fewer. A purse beyond
        the limit comes from such a position itself, and is given up at once.
        """
        if generous.phase == rules.RETURNING or generous.turn == s.turn:
            rules.receive_noble(generous, self.t)
            if all(self.holds(end, turns) for end in endings_of(generous, self.t, s)):
                return
        found = turns_from(s, self.t, actions)
        gives_up = sum(s.tokens[s.current]) > rules.HAND_LIMIT
        yield from found if gives_up else self._spoiled(found, turns)

    def _in_killing_order(self, actions: list[int], turns: int) -> list[int]:
        """Return actions with the one first that has refuted another try."""
        killer = self._killer.get(turns)
        return sorted(actions, key=lambda action: action != killer)

    def _purchases_of_backs(self, s: Position, turns: int) -> Iterator[Turn]:
        """Yield purchases of cards that the seat cannot know: any that nobody has seen."""
        if self._open:
            return
        is_last = turns == 0 and (s.turn + 1) % s.players == 0
        for action, back in _backs(s, self.t):
            cards = unseen(s, self.t, back - self.t.empty)
            if is_last:
                cards = [card for card in cards if self._may_catch_up(s, card)]
            for card in worthwhile(s, self.t, cards):
                turned_up = s.copy()
                if action < rules.BUY_RESERVED:
                    turned_up.market[action - rules.BUY] = card
                else:
                    turned_up.reserved[s.current][action - rules.BUY_RESERVED] = card
                yield from turns_from(turned_up, self.t, [action])

    def _reserves_of_backs(self, s: Position) -> list[int]:
        """Return the reserves of cards that have been revealed, which the others may know."""
        if self._open or s.n_reserved[s.current] == rules.RESERVE_LIMIT:
            return []
        backs = [back for back in self.t.backs if back in s.market]
        return [rules.RESERVE + s.market.index(back) for back in backs]

    def _has_won(self, s: Position) -> bool:
        mine = rules.rank(s, self.t, self.seat)
        others = (seat for seat in range(s.players) if seat != self.seat)
        return all(rules.rank(s, self.t, seat) < mine for seat in others)


def unseen(s: Position, t: Tables, level: int) -> list[int]:
    """Return the cards of a level, 1 to 3, that lie nowhere in sight.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> state = new_game(players=2, seed=7)
    >>> len(unseen(state.observation(0).numbers(), state.tables, 3))
    16
    """
    seen = {card for row in (s.market, *s.reserved, *s.bought) for card in row}
    return [card for card in t.decks[level - 1] if card not in seen]


def worthwhile(s: Position, t: Tables, cards: list[int]) -> list[int]:
    """Return the cards that the seat to decide can pay, but for those that others surpass.

    A card surpasses another of its bonus that brings no more points and costs no gem less.
    """
    bonuses, tokens = s.bonuses[s.current], s.tokens[s.current]
    offers: list[tuple[int, int, int, list[int]]] = []
    for card in cards:
        if rules.gold_needed(s, t, s.current, card) <= tokens[rules.GOLD]:
            price = [t.missing[color][bonuses[color]][card] for color in range(5)]
            offers.append((-t.points[card], sum(price), card, price))
    offers.sort()
    kept: list[tuple[int, list[int]]] = []
    for _, _, card, price in offers:
        if not any(
            t.bonus[other] == t.bonus[card] and all(map(le, cheaper, price))
            for other, cheaper in kept
        ):
            kept.append((card, price))
    return [card for card, _ in kept]


def card_bought(s: Position, action: int) -> int | None:
    """Return the card that a purchase brings, `None` for other actions."""
    if not _is_purchase(action):
        return None
    card: int = rules.card_of(s, s.paying if action == rules.SETTLE else action)
    return card


def _is_purchase(action: int) -> bool:
    return rules.BUY <= action < rules.RETURN or action == rules.SETTLE


def _backs(s: Position, t: Tables) -> Iterator[tuple[int, int]]:
    """Yield the purchases of backs, open ones and reserved ones, of each level one."""
    for first, row in ((rules.BUY, s.market), (rules.BUY_RESERVED, s.reserved[s.current])):
        for back in t.backs:
            if back in row:
                yield first + row.index(back), back


def _bundle(s: Position) -> Position:
    """Return the position after all that single takes could take, before the turn ends.

    Whoever finds less in the bank can do nothing that could not be done with more there.
    """
    bundle, seat = s.copy(), s.current
    for color in range(5):
        taken = 2 if s.bank[color] >= rules.PAIR_NEEDS else min(1, s.bank[color])
        bundle.bank[color] -= taken
        bundle.tokens[seat][color] += taken
    bundle.passes = 0
    return bundle


def _mark(s: Position) -> _Mark:
    """Return what tells a position from others within one search."""
    return (
        s.turn,
        s.phase,
        s.passes,
        s.paying,
        s.nobles,
        *s.deck_size,
        *s.market,
        *map(tuple, s.tokens),
        *map(tuple, s.reserved),
        *(tuple(cards[:count]) for cards, count in zip(s.bought, s.n_bought, strict=True)),
        *s.visits,
        *(s.gold_for if s.paying >= 0 else ()),
    )
