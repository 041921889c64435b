"""Positions for the tests, written by hand: name what matters, the rest is filled in.

Everything here follows the documented position JSON and the tables in data/, nothing comes from
the engine but `State.from_dict`. Tokens are written as letters (``"WWU*"``), cards and nobles by
their names in one string (``"1W1 2U5"``), an unseen reserve with a question mark (``"?2U5"``).
"""

from __future__ import annotations

import copy
import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from splendor_nb import State

COLORS = "WUGRK"
GEMS = COLORS + "*"
STANDARD: dict[str, Any] = {
    "gold": "always",
    "take_fewer": "forced",
    "payment": "gems_first",
    "tie_break": "fewest_cards",
    "target": 15,
    "unseen_reserve": "on",
    "turn_limit": 1000,
}
DATA = Path(__file__).parents[1] / "data"
WORDS = {"white": "W", "blue": "U", "green": "G", "red": "R", "black": "K"}

Json = dict[str, Any]


def read_table(name: str) -> list[Json]:
    """The rows of data/<name>.csv, in the form that custom components have."""
    with (DATA / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    table: list[Json] = []
    for row in rows:
        entry: Json = {"points": int(row["points"])}
        if name == "cards":
            entry |= {"level": int(row["level"]), "bonus": WORDS[row["bonus"]]}
        table.append(entry | {"cost": {WORDS[word]: int(row[word]) for word in WORDS}})
    return table


CARDS = read_table("cards")
NOBLES = read_table("nobles")


def card_names(cards: Iterable[Json]) -> list[str]:
    """Level, bonus and number within that group, in the order of the table."""
    count: Counter[str] = Counter()
    names = []
    for card in cards:
        group = f"{card['level']}{card['bonus']}"
        count[group] += 1
        names.append(f"{group}{count[group]}")
    return names


def noble_names(nobles: Iterable[Json]) -> list[str]:
    """The colors that each noble asks for."""
    return ["".join(c for c in COLORS if noble["cost"].get(c, 0)) for noble in nobles]


CARD_ID = {name: row for row, name in enumerate(card_names(CARDS))}
NOBLE_ID = {name: row for row, name in enumerate(noble_names(NOBLES))}


def card(name: str) -> Json:
    """The row of one base card."""
    return CARDS[CARD_ID[name]]


def cost(letters: str = "") -> dict[str, int]:
    """``cost("WWG")`` asks for two white and one green."""
    return {color: letters.count(color) for color in COLORS}


def tally(letters: str) -> dict[str, int]:
    """``tally("WW*")`` is two white and one gold."""
    return {gem: letters.count(gem) for gem in GEMS}


def letters(tokens: Json) -> str:
    """The tokens of a mapping as letters, ``tally`` turned around."""
    return "".join(gem * tokens[gem] for gem in GEMS)


def new_card(level: int, bonus: str, price: str, points: int = 0) -> Json:
    """One row of a custom table of cards."""
    return {"level": level, "bonus": bonus, "points": points, "cost": cost(price)}


def new_noble(price: str, points: int = 3) -> Json:
    """One row of a custom table of nobles."""
    return {"points": points, "cost": cost(price)}


def first_cards(level_1: int, level_2: int, level_3: int) -> list[Json]:
    """A small table: that many of the base game's cards of each level."""
    sizes = {1: level_1, 2: level_2, 3: level_3}
    return [row for level, size in sizes.items() for row in level_rows(level)[:size]]


def level_rows(level: int) -> list[Json]:
    """Copies of the base game's cards of one level."""
    return [copy.deepcopy(row) for row in CARDS if row["level"] == level]


def components(
    *, cards: list[Json] | None = None, nobles: list[Json] | None = None, tokens: str | None = None
) -> Json:
    """The `components` of a position."""
    return {"cards": cards, "nobles": nobles, "tokens": None if tokens is None else tally(tokens)}


def bonus_cards(*wishes: str) -> list[str]:
    """For each seat, pointless level-1 cards with the bonuses that it wishes for."""
    spare = {color: iter(range(1, 8)) for color in COLORS}
    return [" ".join(f"1{color}{next(spare[color])}" for color in wish) for wish in wishes]


def token_supply(players: int, rules: Json, parts: Json | None) -> dict[str, int]:
    """All tokens of a game [R2] [R3], gems and gold."""
    if parts and parts["tokens"]:
        return dict(parts["tokens"])
    gems = {2: 4, 3: 5, 4: 7}[players]
    gold = 0 if rules["gold"] == "four_only" and players < 4 else 5
    return dict.fromkeys(COLORS, gems) | {"*": gold}


def per_seat(values: Sequence[str], players: int) -> list[str]:
    """As many values as there are seats."""
    return [*values, *[""] * (players - len(values))]


def position_dict(
    players: int = 2,
    *,
    tokens: Sequence[str] = (),
    bought: Sequence[str] = (),
    reserved: Sequence[str] = (),
    visited: Sequence[str] = (),
    market: str = "",
    decks: str = "",
    nobles: str | None = None,
    current: int | None = 0,
    first: int = 0,
    turn: int | None = None,
    phase: str = "main",
    passes: int = 0,
    paying: Json | None = None,
    end_reason: str | None = None,
    parts: Json | None = None,
    **options: Any,
) -> Json:
    """A conserved position as JSON.

    Parameters
    ----------
    tokens, bought, reserved, visited
        For each seat: gems, cards, cards (``?`` for unseen) and nobles that it holds.
    market, decks
        Cards to lie open, cards to come next; the others follow in the order of the table.
    nobles
        Nobles on the table; by default as many as are missing to players + 1.
    parts
        Custom components.
    options
        Rule options other than the standard ones.
    """
    rules = STANDARD | options
    pool = Pool(players, parts)
    seats = [
        {
            "tokens": tally(held),
            "bought": pool.take_cards(cards),
            "reserved": pool.take_reserves(kept),
            "nobles": pool.take_nobles(hosts),
        }
        for held, cards, kept, hosts in zip(
            *(per_seat(values, players) for values in (tokens, bought, reserved, visited)),
            strict=True,
        )
    ]
    supply = token_supply(players, rules, parts)
    rows, stacks = pool.lay_out(market, decks)
    if turn is None:
        turn = 10 * players + (0 if current is None else (current - first) % players)
    return {
        "format": "splendor-nb-position/1",
        "rules": rules,
        "components": parts,
        "players": players,
        "first_player": first,
        "current_player": current,
        "phase": phase,
        "turn": turn,
        "passes": passes,
        "end_reason": end_reason,
        "paying": paying,
        "bank": {g: supply[g] - sum(seat["tokens"][g] for seat in seats) for g in GEMS},
        "market": rows,
        "decks": stacks,
        "nobles": pool.show_nobles(nobles),
        "seats": seats,
    }


class Pool:
    """The cards and nobles that nobody has yet."""

    def __init__(self, players: int, parts: Json | None) -> None:
        self.cards = (parts and parts["cards"]) or CARDS
        nobles = NOBLES if parts is None or parts["nobles"] is None else parts["nobles"]
        self.card_id = {name: row for row, name in enumerate(card_names(self.cards))}
        self.noble_id = {name: row for row, name in enumerate(noble_names(nobles))}
        self.free_cards = list(range(len(self.cards)))
        self.free_nobles = list(range(len(nobles)))
        self.nobles_due = min(players + 1, len(nobles))

    def take_cards(self, names: str) -> list[int]:
        """Hand out cards by name."""
        rows = [self.card_id[name] for name in names.split()]
        for row in rows:
            self.free_cards.remove(row)
        return rows

    def take_reserves(self, names: str) -> list[Json]:
        """Hand out cards for a reserve."""
        return [
            {"card": self.take_cards(name.strip("?"))[0], "hidden": name.startswith("?")}
            for name in names.split()
        ]

    def take_nobles(self, names: str) -> list[int]:
        """Hand out nobles by name."""
        rows = sorted(self.noble_id[name] for name in names.split())
        for row in rows:
            self.free_nobles.remove(row)
        self.nobles_due -= len(rows)
        return rows

    def show_nobles(self, names: str | None) -> list[int]:
        """The nobles on the table, by row number."""
        chosen = [] if names is None else self.take_nobles(names)
        return sorted(chosen + self.free_nobles[: self.nobles_due])

    def lay_out(self, market: str, decks: str) -> tuple[list[list[int | None]], list[list[int]]]:
        """Market and decks from what is left."""
        shown, next_up = self.take_cards(market), self.take_cards(decks)
        rows, stacks = [], []
        for level in (1, 2, 3):
            mine = [c for c in shown if self.cards[c]["level"] == level]
            top = [c for c in next_up if self.cards[c]["level"] == level]
            rest = [c for c in self.free_cards if self.cards[c]["level"] == level]
            missing = 4 - len(mine)
            opened = mine + (rest[:missing] if len(rest) >= missing else rest + top)[:missing]
            rows.append([*opened, *[None] * (4 - len(opened))])
            stacks.append([c for c in top + rest if c not in opened])
        return rows, stacks


def position(players: int = 2, **parts: Any) -> State:
    """The state of `position_dict` with the same arguments."""
    return State.from_dict(position_dict(players, **parts))


def deadlock(**changes: Any) -> Json:
    """Arguments of `position` for two players of whom neither can do a thing.

    The bank has no gems left, both reserves are full, and each open or reserved card asks for
    something that its buyer lacks.
    """
    setting: Json = {
        "tokens": ["WWWWUUUUGG", "GGRRRRKKKK"],
        "reserved": ["3U1 3U2 3U3", "3G1 3G2 3G3"],
        "market": "1G4 1G5 1U6 1U7 2W2 2U4 2G1 2R2 3W1 3W2 3W3 3W4",
    }
    return setting | changes


def full_position_dict() -> Json:
    """A position with something of everything, free to be spoiled."""
    setting: Json = {
        "tokens": ["WWU*", "GGR"],
        "bought": ["1W1", "1U1 1U2"],
        "reserved": ["2U5 ?3K4", "?1G1"],
        "visited": ["", "RK"],
        "nobles": "WU GR",
        "turn": 20,
    }
    return position_dict(2, **setting)


def put(*path: str | int, to: object) -> Callable[[Json], None]:
    """A change of JSON: another value at a place."""

    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        data[path[-1]] = to

    return change


def drop(*path: str | int) -> Callable[[Json], None]:
    """A change of JSON: nothing at a place."""

    def change(data: Any) -> None:
        for step in path[:-1]:
            data = data[step]
        del data[path[-1]]

    return change


def play(state: State, *actions: str) -> State:
    """The state after some actions."""
    for action in actions:
        state = state.apply(action)
    return state


def of_kind(state: State, *kinds: str) -> list[str]:
    """The legal actions of some kinds, in their order."""
    return [str(action) for action in state.legal_actions() if str(action).split()[0] in kinds]


def walk(
    state: State, choose: Callable[[Sequence[str]], str], limit: int = 5000
) -> Iterator[tuple[State, str]]:
    """Each state of a game with the action that `choose(legal)` picks there."""
    for _ in range(limit):
        if state.is_terminal():
            return
        action = choose(state.legal_actions())
        yield state, action
        state = state.apply(action)
    raise AssertionError(f"a game longer than {limit} actions")
