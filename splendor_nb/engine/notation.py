"""Text for all: actions in notation and back, and why an action is not allowed, in a sentence."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from splendor_nb.engine import rules
from splendor_nb.engine.cards import COLOR_NAMES, COLORS, GEMS, Gems, gems_in_words
from splendor_nb.engine.errors import NotationError
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.position import TAKES, Position, Tables

KINDS = ("take", "reserve", "buy", "return", "noble", "gold", "pay", "pass")
PHASES = ("main", "return", "noble", "pay", "over")

_CARD = re.compile(r"[123][WUGRK][1-9][0-9]*")
_FORMS: Mapping[str, str] = {
    "take": "three, two or one different gems or two alike, such as 'take WUG' or 'take RR'",
    "reserve": "a card or a deck, such as 'reserve 2U5' or 'reserve L2'",
    "buy": "a card, such as 'buy 2U5'",
    "return": "one token, such as 'return W' or 'return *'",
    "noble": "a noble by the colors it asks for, such as 'noble WUK'",
    "gold": "one color, such as 'gold W'",
    "pay": "nothing: 'pay'",
    "pass": "nothing: 'pass'",
}


class Action(str):
    """One small decision in notation, such as ``take WUG``, ``reserve 2U5`` or ``return *``.

    It is a `str`: it compares, sorts, hashes and saves as its text. Letters come in the order
    ``W U G R K``; reading accepts any order and case.

    Raises
    ------
    NotationError
        Where the text is no action.

    Examples
    --------
    >>> Action("take guw")
    take WUG
    >>> Action("reserve L2").level, Action("buy 2U5").card, Action("pass").gems
    (2, '2U5', None)
    """

    __slots__ = ()

    def __new__(cls, text: str) -> Action:
        """Return the action in its one spelling."""
        if isinstance(text, cls):
            return text
        return super().__new__(cls, _canonical(str(text)))

    def __repr__(self) -> str:
        return str(self)

    @property
    def kind(self) -> str:
        """The first word: what is done."""
        return str(self.partition(" ")[0])

    @property
    def gems(self) -> str | None:
        """The letters of a take, a return or a gem paid in gold."""
        return self._what if self.kind in ("take", "return", "gold") else None

    @property
    def card(self) -> str | None:
        """The name of the card that is bought or reserved face up."""
        return self._what if self.kind in ("reserve", "buy") and self._what[0] != "L" else None

    @property
    def noble(self) -> str | None:
        """The name of the noble that visits."""
        return self._what if self.kind == "noble" else None

    @property
    def level(self) -> int | None:
        """The level of the deck from which a card is reserved unseen."""
        return int(self._what[1]) if self.kind == "reserve" and self._what[0] == "L" else None

    @property
    def _what(self) -> str:
        return self.partition(" ")[2]


@functools.lru_cache(maxsize=2048)  # a game says the same few hundred texts again and again
def _canonical(text: str) -> str:
    """Return the text in its one spelling, or say what is wrong with it."""
    words = text.split()
    if not words or words[0].lower() not in KINDS:
        kinds = ", ".join(KINDS[:-1])
        raise NotationError(
            f"{shortened(text)} is no action; an action begins with {kinds} or {KINDS[-1]}."
        )
    kind, what = words[0].lower(), "".join(words[1:]).upper()
    spelled = _spell(kind, what)
    if spelled is None:
        wrong = _unreadable_part(kind, what)
        raise NotationError(
            f"{shortened(text)} is no action{wrong}: '{kind}' names {_FORMS[kind]}."
        )
    return f"{kind} {spelled}".rstrip()


def _unreadable_part(kind: str, what: str) -> str:
    """Return which letter of the gems is none, if that is what is wrong."""
    if kind in ("take", "noble", "gold"):
        for letter in what:
            if letter not in COLORS:
                return f" at {letter!r}"
    return ""


def _spell(kind: str, what: str) -> str | None:
    """Return what an action names in its one spelling, `None` where it is unreadable."""
    if kind == "take":
        gems = _sorted_letters(what)
        return gems if gems and _is_take(gems) else None
    if kind == "noble":
        colors = _sorted_letters(what)
        return colors if colors and len(set(colors)) == len(colors) else None
    if kind == "reserve" and re.fullmatch("L[123]", what):
        return what
    readable = {
        "reserve": bool(_CARD.fullmatch(what)),
        "buy": bool(_CARD.fullmatch(what)),
        "return": what in GEMS,
        "gold": what in COLORS,
    }
    return what if readable.get(kind, what == "") else None


def _sorted_letters(letters: str) -> str | None:
    if not 1 <= len(letters) <= len(COLORS) or not set(letters) <= set(COLORS):
        return None
    return "".join(color * letters.count(color) for color in COLORS)


def _is_take(gems: str) -> bool:
    return (len(gems) <= 3 and len(set(gems)) == len(gems)) or (len(gems), len(set(gems))) == (2, 1)


class Lexicon(NamedTuple):
    """The actions of a game in words: those that name no place, and by card.

    Attributes
    ----------
    fixed
        The action of each number that says all by itself; `None` where it names a card's place.
    numbers
        The number of each of these by its text.
    reserve, buy
        The actions that name a card, by its row in the table.
    cards
        The row of each card by its name.
    """

    fixed: list[Action | None]
    numbers: dict[str, int]
    reserve: list[Action]
    buy: list[Action]
    cards: dict[str, int]


@functools.lru_cache(maxsize=64)
def lexicon(tables: Tables) -> Lexicon:
    """Return the actions of the game in words."""
    nobles = tables.components.nobles
    words = {
        **{i: f"take {''.join(COLORS[gem] for gem in gems)}" for i, gems in enumerate(TAKES)},
        **{rules.RESERVE_UNSEEN + i: f"reserve L{i + 1}" for i in range(3)},
        **{rules.RETURN + i: f"return {gem}" for i, gem in enumerate(GEMS)},
        **{rules.NOBLE + i: f"noble {noble.name}" for i, noble in enumerate(nobles)},
        **{rules.PAY_GOLD + i: f"gold {color}" for i, color in enumerate(COLORS)},
        rules.SETTLE: "pay",
        rules.PASS: "pass",
    }
    names = [card.name for card in tables.components.cards]
    return Lexicon(
        fixed=[Action(words[i]) if i in words else None for i in range(rules.ACTIONS)],
        numbers={text: number for number, text in words.items()},
        reserve=[Action(f"reserve {name}") for name in names],
        buy=[Action(f"buy {name}") for name in names],
        cards={name: row for row, name in enumerate(names)},
    )


def write_action(s: Position, t: Tables, number: int) -> Action:
    """Return the action of a number in notation."""
    return write_actions(s, t, (number,))[0]


def write_actions(s: Position, t: Tables, numbers: Iterable[int]) -> list[Action]:
    """Return the actions of numbers in notation."""
    words = lexicon(t)
    fixed = words.fixed
    return [fixed[number] or _name_card(s, words, number) for number in numbers]


def _name_card(s: Position, words: Lexicon, number: int) -> Action:
    """Return an action that is a place as a number, and a card in words."""
    if number < rules.BUY:
        return words.reserve[s.market[number - rules.RESERVE]]
    card: int = rules.card_of(s, number)
    return words.buy[card]


def read_action(s: Position, t: Tables, action: str) -> int | None:
    """Return the number of an action in this position; `None` if its card lies elsewhere.

    Raises
    ------
    NotationError
        Where the text is no action, or names what this game does not have.
    """
    action = Action(action)
    number = lexicon(t).numbers.get(action)
    if number is not None:
        return number
    card = lexicon(t).cards.get(action.card or "")
    if card is None:
        what = "noble" if action.kind == "noble" else "card"
        raise NotationError(f"'{action}' names a {what} that this game does not have.")
    if card in s.market:
        first = rules.BUY if action.kind == "buy" else rules.RESERVE
        return first + s.market.index(card)
    if action.kind == "buy" and s.current >= 0 and card in s.reserved[s.current]:
        return rules.BUY_RESERVED + s.reserved[s.current].index(card)
    return None


# What is not allowed, as told to the player who decides. Placeholders are filled by `_facts`.
REASONS: Mapping[int | None, str] = {
    None: "{card} lies neither in the market nor in your reserve [R10].",
    rules.GAME_IS_OVER: "The game is over.",
    rules.MUST_RETURN: "You hold {held}: return tokens until {limit} are left [R13].",
    rules.MUST_CHOOSE_NOBLE: "First choose the noble that visits you: {coming} [R14].",
    rules.MUST_PAY: "First finish paying {paying}: gold in place of gems, or pay [R10].",
    rules.NOTHING_TO_RETURN: "You hold {held}: up to {limit}, none is returned [R13].",
    rules.NO_NOBLE_TO_CHOOSE: "A noble is chosen only at the end of a turn, and only when several "
    "would come [R14].",
    rules.NOTHING_TO_PAY: "No card is waiting to be paid: first buy one [R10].",
    rules.MUST_NOT_PASS: "You may pass only when nothing else is possible [R11].",
    rules.PILE_IS_EMPTY: "The bank has no {absent} left [R7].",
    rules.TOO_FEW_COLORS: "Take {most} different gems: fewer only if the bank has fewer colors "
    "[R7].",
    rules.PILE_BELOW_FOUR: "Two {color} gems need a pile of at least 4: it has {pile} [R8].",
    rules.RESERVE_IS_FULL: "You hold 3 reserved cards already: a fourth cannot be reserved [R9].",
    rules.SLOT_IS_EMPTY: "That slot of the market is empty [R12].",
    rules.DECK_IS_EMPTY: "The deck of level {level} is empty [R12].",
    rules.NO_UNSEEN_RESERVE: "In this game no card is reserved from a deck: the option "
    "unseen_reserve is off [R9].",
    rules.NOT_AFFORDABLE: "You cannot pay {card}: {missing} missing after your bonuses and gems, "
    "and you hold {gold} gold [R10].",
    rules.NOT_HELD: "You hold no {color} token to return [R13].",
    rules.NOBLE_DOES_NOT_COME: "Noble {noble} does not come now; you may choose {coming} [R14].",
    rules.NO_GOLD_TO_SPARE: "You have no more gold to spare: the rest is needed for what is "
    "missing, or spent [R10].",
    rules.NO_GEM_TO_REPLACE: "No {color} gem is left to pay that gold could replace [R10].",
    rules.LETTERS_ONLY_FORWARD: "Gold is given in the order white, blue, green, red, black: "
    "{color} is past [R10].",
}
NOT_IN_MARKET = "{card} does not lie in the market: only a card there can be reserved [R9]."


def why_illegal(s: Position, t: Tables, action: str) -> str | None:
    """Return why the action is not allowed now, in a sentence; `None` if it is.

    Raises
    ------
    NotationError
        Where the text is no action, or names what this game does not have.
    """
    action = Action(action)
    number = read_action(s, t, action)
    reason = _phase_reason(s, t, action) if number is None else rules.why_illegal(s, t, number)
    if reason == rules.LEGAL:
        return None
    template = NOT_IN_MARKET if reason is None and action.kind == "reserve" else REASONS[reason]
    return template.format_map(_Facts(s, t, action))


def _phase_reason(s: Position, t: Tables, action: Action) -> int | None:
    """Return why no card at all can be named now; `None` if the card is the matter."""
    any_slot = rules.why_illegal(s, t, rules.RESERVE if action.kind == "reserve" else rules.BUY)
    return any_slot if any_slot in (*_WRONG_PHASE, rules.RESERVE_IS_FULL) else None


_WRONG_PHASE = (rules.GAME_IS_OVER, rules.MUST_RETURN, rules.MUST_CHOOSE_NOBLE, rules.MUST_PAY)


class _Facts(dict[str, str]):
    """The facts that a sentence names, each worked out when it is asked for."""

    def __init__(self, s: Position, t: Tables, action: Action) -> None:
        self.s, self.t, self.action = s, t, action

    def __missing__(self, name: str) -> str:
        return str(getattr(self, name)())

    def card(self) -> str:
        return self.action.card or ""

    def noble(self) -> str:
        return self.action.noble or ""

    def level(self) -> int:
        return self.action.level or 0

    def color(self) -> str:
        return COLOR_NAMES[(self.action.gems or "W")[0]]

    def limit(self) -> int:
        return rules.HAND_LIMIT

    def held(self) -> str:
        held = sum(self.s.tokens[self.s.current])
        return f"{held} token{'' if held == 1 else 's'}"

    def gold(self) -> str:
        return str(self.s.tokens[self.s.current][rules.GOLD] or "no")

    def pile(self) -> int:
        return self.s.bank[COLORS.index((self.action.gems or "W")[0])]

    def absent(self) -> str:
        gone = [COLOR_NAMES[gem] for gem in self.action.gems or "" if not self._in_bank(gem)]
        return f"{' or '.join(gone)} gem"

    def most(self) -> str:
        return ("no", "one", "two", "three")[min(3, sum(map(self._in_bank, COLORS)))]

    def coming(self) -> str:
        coming = rules.nobles_coming(self.s, self.t)
        nobles = self.t.components.nobles
        return " or ".join(noble.name for i, noble in enumerate(nobles) if coming >> i & 1)

    def paying(self) -> str:
        card: int = rules.card_of(self.s, self.s.paying)
        return self.t.components.cards[card].name

    def missing(self) -> str:
        card = lexicon(self.t).cards[self.card()]
        missing = missing_gems(self.s, self.t, self.s.current, card)
        return f"{gems_in_words(missing)} {'is' if sum(missing.values()) == 1 else 'are'}"

    def _in_bank(self, gem: str) -> bool:
        return self.s.bank[GEMS.index(gem)] > 0


def card_row(t: Tables, name: str) -> int:
    """Return the row of a card in the table.

    Raises
    ------
    NotationError
        Where this game has no such card.
    """
    if name not in lexicon(t).cards:
        raise NotationError(f"This game has no card {shortened(name)}.")
    return lexicon(t).cards[name]


def missing_gems(s: Position, t: Tables, seat: int, card: int) -> Gems:
    """Return the gems that the seat lacks for a card, by color, gold not counted."""
    owned = [b + k for b, k in zip(s.bonuses[seat], s.tokens[seat], strict=False)]
    return Gems(t.missing[color][owned[color]][card] for color in range(5))
