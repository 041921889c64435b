"""A position set up by hand: what is named is put there, the rest follows.

Cards that are put somewhere come from wherever they lie; those that lie nowhere then go below
their deck, and market slots that they leave are refilled [R12]. What comes out is checked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from splendor_nb.board.sandbox_text import checked
from splendor_nb.engine.cards import COLOR_NAMES, COLORS, GEMS, LEVELS
from splendor_nb.engine.errors import NotationError, RecordError
from splendor_nb.engine.forms import check_whole_number, quoted, shortened
from splendor_nb.engine.notation import card_row
from splendor_nb.engine.options import Rules, check_option
from splendor_nb.engine.position import tables_for
from splendor_nb.engine.rules import HAND_LIMIT
from splendor_nb.engine.state import State

EMPTY, UNSEEN = "-", "?"  # marks of an empty slot, and of a card that is reserved unseen
WISHES = (
    *("market", "decks", "bought", "reserved", "bonuses"),
    *("tokens", "bank", "nobles", "visits", "first_player", "turn", "current_player"),
)

_GEMS = re.compile(r"[\s,]*(\d{0,3})\s*([WUGRK*])", re.IGNORECASE)

Json = dict[str, Any]


def set_up(state: State, wishes: Mapping[str, Any]) -> State:
    """Return the position changed as wished; see `SandboxSession.set_up` for the wishes.

    Raises
    ------
    RecordError
        Where the parts then disagree or break a rule; the message names the place.
    TypeError, ValueError
        Where a wish has another form than it can have.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> state = set_up(new_game(seed=7), {"tokens": {0: "2W K"}, "market": {1: "1W1 1U1 1G1 1R1"}})
    >>> state.bank["W"], state.market[0][0].name, state.deck_sizes
    (2, '1W1', (36, 26, 16))
    """
    editor = _Editor(state)
    for name in WISHES:
        if wishes.get(name) is not None:
            getattr(editor, name)(wishes[name])
    options = {name: value for name, value in wishes.items() if name not in WISHES}
    return editor.state(options)


def gems_in_letters(gems: Mapping[str, int]) -> str:
    """Return gems as they are written by hand.

    Examples
    --------
    >>> gems_in_letters({"W": 4, "U": 0, "*": 1})
    '4W 1*'
    """
    return " ".join(f"{number}{gem}" for gem, number in gems.items() if number)


def read_gems(where: str, given: object, allowed: Sequence[str] = GEMS) -> dict[str, int]:
    """Return gems from letters with or without numbers, or from a mapping.

    Raises
    ------
    RecordError
        Where they are written in another way.
    TypeError
        Where it is neither a text nor a mapping.

    Examples
    --------
    >>> read_gems("bank", "WW 3u *")["U"], read_gems("bank", {"K": 2})["K"]
    (3, 2)
    """
    found: Counter[str] = Counter()
    if isinstance(given, Mapping):
        for gem, number in given.items():
            found[_gem(where, gem, allowed)] += check_whole_number(f"{where}: {gem}", number, 0)
    elif isinstance(given, str):
        for number, gem in _pieces(where, given, allowed):
            found[_gem(where, gem.upper(), allowed)] += int(number or 1)
    else:
        raise TypeError(f"{where}: gems are letters, such as '2W K', not {shortened(given)}.")
    return {gem: found[gem] for gem in allowed}


# -- the form of what is given ---------------------------------------------------------------------


def _pieces(where: str, text: str, allowed: Sequence[str]) -> Iterator[tuple[str, str]]:
    place = 0
    while text[place:].strip(" ,\t\n"):
        piece = _GEMS.match(text, place)
        if piece is None:
            raise RecordError(
                f"{where}: {shortened(text[place:].strip())} is no gem; write numbers and letters "
                f"of {''.join(allowed)}, such as '2W K'."
            )
        yield piece[1], piece[2]
        place = piece.end()


def _gem(where: str, gem: object, allowed: Sequence[str]) -> str:
    if not isinstance(gem, str) or gem not in allowed:
        raise RecordError(f"{where}: {shortened(gem)} is none of {''.join(allowed)}.")
    return gem


def _names(where: str, given: object) -> list[str]:
    """Return names from one text, or from a list of them."""
    if isinstance(given, str):
        return given.replace(",", " ").upper().split()
    if not isinstance(given, Iterable) or isinstance(given, Mapping):
        raise TypeError(f"{where}: names are one text, or a list of texts, not {shortened(given)}.")
    names = [EMPTY if name is None else name for name in given]
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{where}: a name is a text, not {shortened(name)}.")
    return [name.strip().upper() for name in names]


def _entries(what: str, given: object, keys: Collection[int]) -> Iterator[tuple[int, Any]]:
    """Yield what is given for each seat or level."""
    if not isinstance(given, Mapping):
        raise TypeError(
            f"{what} is a mapping with the keys {quoted(keys)}, not {shortened(given)}."
        )
    for key, value in given.items():
        yield check_whole_number(f"A key of {what}", key, min(keys), max(keys)), value


# -- editing ---------------------------------------------------------------------------------------


class _Editor:
    """A position as JSON that is being changed; each wish has a method of its name."""

    def __init__(self, state: State) -> None:
        self.t = state.tables
        self.data = state.to_dict()
        self.seats: list[Json] = self.data["seats"]
        self.range = range(state.players)
        self.placed: dict[int, str] = {}  # the cards that are wished for, and where
        self.fixed: set[tuple[str, int]] = set()  # piles that are as wished
        self.visited: set[int] = set()  # seats whose nobles are as wished
        self.wanted: dict[int, dict[str, int]] = {}  # bonuses by seat
        self.order: dict[int, list[int]] = {}  # the next cards of each level
        self.bank_given = self.nobles_given = self.turn_given = False
        self.mover: object = None
        self.was_returning = self.data["phase"] == "return"

    def state(self, options: Mapping[str, Any]) -> State:
        """Return the position as it is now, with other rule options where they are wished for."""
        self._settle_options(options)
        self._settle_cards()
        if not self.bank_given:
            self._settle_bank()
        if not self.nobles_given:
            self._settle_nobles()
        self._settle_clock()
        return checked(State.from_dict(self.data))

    # -- cards

    def market(self, given: object) -> None:
        for level, names in _entries("market", given, LEVELS):
            where = f"the market of level {level}"
            row = [self._slot(where, name) for name in _names(where, names)]
            if len(row) != len(self.data["market"][0]):
                raise RecordError(
                    f"{_start(where)} has 4 slots, not {len(row)}; an empty one is {EMPTY!r}."
                )
            self.data["market"][level - 1] = row
            self.fixed.add(("market", level - 1))

    def _slot(self, where: str, name: str) -> int | None:
        return None if name == EMPTY else self._place(where, name)

    def decks(self, given: object) -> None:
        for level, names in _entries("decks", given, LEVELS):
            where = f"the deck of level {level}"
            self.order[level] = [self._place(where, name) for name in _names(where, names)]
            for card in self.order[level]:
                if self.t.level[card] != level:
                    name = self.t.components.cards[card].name
                    raise RecordError(f"{_start(where)} cannot hold {name}, of another level.")

    def bought(self, given: object) -> None:
        for seat, names in _entries("bought", given, self.range):
            where = f"the bought cards of seat {seat}"
            cards = [self._place(where, name) for name in _names(where, names)]
            self.seats[seat]["bought"] = cards
            self.fixed.add(("bought", seat))

    def reserved(self, given: object) -> None:
        for seat, names in _entries("reserved", given, self.range):
            where = f"the reserve of seat {seat}"
            self.seats[seat]["reserved"] = [
                {
                    "card": self._place(where, name.removeprefix(UNSEEN)),
                    "hidden": name.startswith(UNSEEN),
                }
                for name in _names(where, names)
            ]
            self.fixed.add(("reserved", seat))

    def bonuses(self, given: object) -> None:
        for seat, letters in _entries("bonuses", given, self.range):
            self.wanted[seat] = read_gems(f"the bonuses of seat {seat}", letters, COLORS)

    def _place(self, where: str, name: str) -> int:
        try:
            card = card_row(self.t, name)
        except NotationError:
            raise RecordError(
                f"{_start(where)}: this game has no card {shortened(name)}."
            ) from None
        if card in self.placed:
            places = (
                f"in {where}" if where == self.placed[card] else f"{self.placed[card]}, {where}"
            )
            raise RecordError(f"Card {name} is put there twice: {places} [R4].")
        self.placed[card] = where
        return card

    def _settle_cards(self) -> None:
        """Let every card lie somewhere, once."""
        self._leave()
        for seat, wanted in self.wanted.items():
            self._settle_bonuses(seat, wanted)
        for level in LEVELS:
            deck = [card for card in self.data["decks"][level - 1] if card not in self.placed]
            deck += sorted(set(self.t.decks[level - 1]) - set(self._lying()) - set(deck))
            first = self.order.get(level, [])
            self._refill(level, [card for card in deck if card not in first], first)

    def _leave(self) -> None:
        """Take the cards that were put somewhere from where they lay."""
        for kind, number, pile in self._piles():
            if (kind, number) not in self.fixed:
                pile[:] = [
                    None if kind == "market" and card in self.placed else card
                    for card in pile
                    if kind == "market" or _card(card) not in self.placed
                ]

    def _piles(self) -> Iterator[tuple[str, int, list[Any]]]:
        for number, row in enumerate(self.data["market"]):
            yield "market", number, row
        for number, seat in enumerate(self.seats):
            yield "bought", number, seat["bought"]
            yield "reserved", number, seat["reserved"]

    def _lying(self) -> Iterator[int]:
        """Yield the cards that lie in the market or at a seat, or were put into a deck."""
        for _, _, pile in self._piles():
            yield from (_card(card) for card in pile if card is not None)
        for deck in self.order.values():
            yield from deck

    def _settle_bonuses(self, seat: int, wanted: Mapping[str, int]) -> None:
        """Let a seat own cards with these bonuses: it keeps what fits, and gets the cheapest."""
        bought = self.seats[seat]["bought"]
        owned = Counter(COLORS[self.t.bonus[card]] for card in bought)
        if ("bought", seat) in self.fixed:
            if any(owned[color] != wanted[color] for color in COLORS):
                raise RecordError(
                    f"The bought cards of seat {seat} give the bonuses "
                    f"{gems_in_letters({c: owned[c] for c in COLORS}) or 'none'}, not "
                    f"{gems_in_letters(wanted) or 'none'}; name one of both."
                )
            return
        for number, color in enumerate(COLORS):
            mine = [card for card in bought if self.t.bonus[card] == number]
            for card in mine[wanted[color] :]:
                bought.remove(card)
            bought += self._cheapest(seat, number, wanted[color] - len(mine))

    def _cheapest(self, seat: int, color: int, count: int) -> list[int]:
        """Return so many cards of a color from the decks, and let them be the seat's."""
        free = [
            card
            for deck in self.data["decks"]
            for card in deck
            if self.t.bonus[card] == color and card not in self.placed
        ]
        if count > len(free):
            raise RecordError(
                f"The decks hold {len(free)} more cards with a {COLOR_NAMES[COLORS[color]]} bonus; "
                f"seat {seat} would need {count}."
            )
        free.sort(key=lambda card: (self.t.points[card], sum(self.t.cost[card]), card))
        chosen = free[: max(0, count)]
        self.placed.update(dict.fromkeys(chosen, f"the bought cards of seat {seat}"))
        return chosen

    def _refill(self, level: int, deck: list[int], first: list[int]) -> None:
        """Refill the slots that cards have left, from below what was wished for on top [R12]."""
        row = self.data["market"][level - 1]
        if ("market", level - 1) not in self.fixed:
            for slot, card in enumerate(row):
                if card is None and (deck or first):
                    row[slot] = (deck or first).pop(0)
        self.data["decks"][level - 1] = first + deck

    # -- tokens

    def tokens(self, given: object) -> None:
        for seat, letters in _entries("tokens", given, self.range):
            self.seats[seat]["tokens"] = read_gems(f"the tokens of seat {seat}", letters)

    def bank(self, given: object) -> None:
        self.data["bank"] = read_gems("the bank", given)
        self.bank_given = True

    def _settle_bank(self) -> None:
        """Let the bank hold what the seats do not."""
        piles = dict(zip(GEMS, self.t.piles[len(self.seats)], strict=True))
        for gem, number in piles.items():
            held = sum(seat["tokens"][gem] for seat in self.seats)
            if held > number:
                raise RecordError(
                    f"The seats hold {held} {COLOR_NAMES[gem]} tokens; the game has {number} "
                    "[R2, R3]."
                )
            self.data["bank"][gem] = number - held

    # -- nobles

    def nobles(self, given: object) -> None:
        self.data["nobles"] = sorted(self._nobles("the nobles on the table", given))
        self.nobles_given = True

    def visits(self, given: object) -> None:
        for seat, names in _entries("visits", given, self.range):
            where = f"the nobles of seat {seat}"
            met = sorted(self._nobles(where, names))
            for other in self.visited:
                if set(met) & set(self.seats[other]["nobles"]):
                    raise RecordError(f"{_start(where)}: one of them is at seat {other} too [R14].")
            self.seats[seat]["nobles"] = met
            self.visited.add(seat)

    def _nobles(self, where: str, given: object) -> list[int]:
        rows = {noble.name: row for row, noble in enumerate(self.t.components.nobles)}
        found = []
        for name in _names(where, given):
            letters = "".join(color for color in COLORS if color in name)
            if letters not in rows or len(letters) != len(name):
                raise RecordError(
                    f"{_start(where)}: this game has no noble {shortened(name)}; there are "
                    f"{', '.join(rows)}."
                )
            found.append(rows[letters])
        return found

    def _settle_nobles(self) -> None:
        """Let as many nobles be there as there should: the first that are nowhere else [R5]."""
        if not self.visited:
            return
        gone = {noble for seat in self.seats for noble in seat["nobles"]}
        table = [noble for noble in self.data["nobles"] if noble not in gone]
        table += [row for row in range(self.t.nobles) if row not in gone and row not in table]
        places = min(len(self.seats) + 1, self.t.nobles)
        self.data["nobles"] = sorted(table[: max(0, places - len(gone))])

    # -- the clock

    def first_player(self, given: object) -> None:
        self.data["first_player"] = given

    def turn(self, given: object) -> None:
        self.data["turn"] = check_whole_number("turn", given, 0)
        self.turn_given = True

    def current_player(self, given: object) -> None:
        self.mover = check_whole_number("current_player", given, 0, self.range[-1])

    def _settle_clock(self) -> None:
        """Begin the turn of whoever is to move, in the round that it was."""
        data, players = self.data, len(self.seats)
        first = check_whole_number("first_player", data["first_player"], 0, players - 1)
        if not self.turn_given and isinstance(self.mover, int):
            data["turn"] += (self.mover - first - data["turn"] % players) % players
        to_move = (first + data["turn"]) % players
        held = sum(self.seats[to_move]["tokens"].values())
        returning = self.was_returning and held > HAND_LIMIT
        data |= {
            "current_player": to_move if self.mover is None else self.mover,
            "phase": "return" if returning else "main",
            "passes": 0,
            "paying": None,
            "end_reason": None,
        }

    def _settle_options(self, options: Mapping[str, Any]) -> None:
        known = self.data["rules"]
        for name in options:
            if name not in known:
                raise ValueError(
                    f"{shortened(name)} is nothing that can be set up; {quoted((*WISHES, *known))} "
                    "are."
                )
            check_option(name, options[name])
        self.data["rules"] = {**known, **options}
        self.t = tables_for(self.t.components, Rules(**self.data["rules"]))


def _card(entry: Any) -> Any:
    """Return the card of a pile's entry; a reserve says of each whether it is hidden."""
    return entry["card"] if isinstance(entry, dict) else entry


def _start(where: str) -> str:
    return where[:1].upper() + where[1:]
