"""Four small games that can be solved: from one for the blackboard to one for a computer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from splendor_nb.engine.cards import COLORS, GEMS
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.state import State, new_game


@dataclass(frozen=True, slots=True, repr=False)
class TinyGame:
    """A small game.

    Attributes
    ----------
    name
        How it is called.
    teaches
        What a class finds out with it.
    size
        How large it is, in words.
    start
        Its first position, with two players. Nothing in it is private.

    Examples
    --------
    >>> tiny_games()["race"].start.rules.target
    2
    """

    name: str
    teaches: str
    size: str
    start: State

    def __repr__(self) -> str:
        return f"<tiny game {self.name}: {self.size}. {self.teaches}>"


def tiny_games() -> Mapping[str, TinyGame]:
    """Return four small games by name, the smallest first.

    Each is made of a few cards and tokens of its own, with a low target and a turn limit, so that
    `solve` finds its exact value and `game_tree` draws it, or its beginning.

    Examples
    --------
    >>> for game in tiny_games().values():
    ...     print(f"{game.name}: {game.size}")
    blackboard: 15 positions, a tree of 26
    surprise: 154 positions
    race: 2,695 positions
    market: 108,935 positions, of which a search need look at 9,829
    >>> tiny_games()["blackboard"].start.legal_actions()
    [take WU, reserve 1W1, reserve 1U1]
    """
    return MappingProxyType(
        {
            name: TinyGame(name, plan.teaches, plan.size, _start(plan))
            for name, plan in _PLANS.items()
        }
    )


def tiny_game(
    cards: str, tokens: str, *, nobles: str = "", target: int = 1, turn_limit: int = 6
) -> State:
    """Return the first position of a small game of one's own, for two players.

    Parameters
    ----------
    cards
        A word for each card: its level, bonus, points and cost, ``"1W0:UU"``.
    tokens
        A letter for each token in the bank, ``"WWU*"``.
    nobles
        A word for each noble: its points and cost, ``"1:WU"``.
    target, turn_limit
        As for `new_game`.

    Raises
    ------
    ValueError
        Where a word cannot be read, or the game is not allowed.

    Examples
    --------
    >>> tiny_game("1W1:W 1U1:U", "WU").legal_actions()
    [take WU, reserve 1W1, reserve 1U1]
    """
    return new_game(
        players=2,
        seed=1,
        unseen_reserve="off",
        target=target,
        turn_limit=turn_limit,
        cards=[_card(word) for word in cards.split()],
        nobles=[_noble(word) for word in nobles.split()],
        tokens={gem: tokens.count(gem) for gem in GEMS},
    )


def _start(plan: _Plan) -> State:
    return tiny_game(
        plan.cards,
        plan.tokens,
        nobles=plan.nobles,
        target=plan.target,
        turn_limit=plan.turn_limit,
    )


def _card(word: str) -> dict[str, Any]:
    what, _, cost = word.partition(":")
    if not re.fullmatch(r"[1-3][WUGRK]\d+:[WUGRK]+", word):
        raise ValueError(f"A card is a word such as '1W0:UU', not {shortened(word)}.")
    return {
        "level": int(what[0]),
        "bonus": what[1],
        "points": int(what[2:]),
        "cost": _count(cost),
    }


def _noble(word: str) -> dict[str, Any]:
    points, _, cost = word.partition(":")
    if not re.fullmatch(r"\d+:[WUGRK]+", word):
        raise ValueError(f"A noble is a word such as '1:WU', not {shortened(word)}.")
    return {"points": int(points), "cost": _count(cost)}


def _count(letters: str) -> dict[str, int]:
    return {color: letters.count(color) for color in COLORS}


@dataclass(frozen=True, slots=True)
class _Plan:
    """A tiny game as it is written down."""

    teaches: str
    size: str
    cards: str
    tokens: str
    target: int
    turn_limit: int
    nobles: str = ""


_PLANS: Final[Mapping[str, _Plan]] = {
    "blackboard": _Plan(
        teaches="Backward induction, by hand: who takes both gems leaves nothing to take. The "
        "first player wins by this move, and by no other",
        size="15 positions, a tree of 26",
        cards="1W1:W 1U1:U",
        tokens="WU",
        target=1,
        turn_limit=4,
    ),
    "surprise": _Plan(
        teaches="Chance: two cards lie face down, and the value is a share of a win, worked out "
        "from the shares after each card",
        size="154 positions",
        cards="1U0:WUU 1U1:WU 1W2:WUU 1W0:WWU 1W1:W 1U0:WU",
        tokens="WU",
        target=1,
        turn_limit=4,
    ),
    "race": _Plan(
        teaches="Tempo: bonuses pay for the cards that count, a noble waits, and a gold can be had "
        "by reserving. What one does not take the other does",
        size="2,695 positions",
        cards="1W0:W 1U0:U 2W1:WUU 2U1:WWU",
        nobles="1:WU",
        tokens="WWUU*",
        target=2,
        turn_limit=8,
    ),
    "market": _Plan(
        teaches="The whole game in small: two levels with decks, chance, a noble, and a first move "
        "that is better than all others, which nobody finds by hand",
        size="108,935 positions, of which a search need look at 9,829",
        cards="1U0:WW 1U0:W 1W0:W 1U0:WU 1U1:WUU 1W0:UU 2W1:UUU 2W2:WWW 2U1:UUW 2U1:WWUU 2U1:WWW",
        nobles="1:WU",
        tokens="WWUU",
        target=2,
        turn_limit=8,
    ),
}
