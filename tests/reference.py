"""The rules a second time: slow, short, on the position JSON, and unaware of the engine.

`legal_actions` and `apply` are written from the rules R1 to R18 alone, in the order of actions that
legal lists have. The tests compare the engine with them.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import combinations
from typing import Any

from positions import CARDS, COLORS, GEMS, NOBLES, card_names, noble_names

Json = dict[str, Any]


def cards_of(p: Json) -> list[Json]:
    """The table of cards that a position is played with."""
    parts = p["components"]
    return (parts and parts["cards"]) or CARDS


def nobles_of(p: Json) -> list[Json]:
    """The table of nobles that a position is played with."""
    parts = p["components"]
    return NOBLES if parts is None or parts["nobles"] is None else parts["nobles"]


def bonuses(p: Json, seat: Json) -> dict[str, int]:
    """Bought cards of a seat by color."""
    colors = [cards_of(p)[card]["bonus"] for card in seat["bought"]]
    return {color: colors.count(color) for color in COLORS}


def points(p: Json, seat: Json) -> int:
    """Points of cards and nobles."""
    cards, nobles = cards_of(p), nobles_of(p)
    return sum(cards[c]["points"] for c in seat["bought"]) + sum(
        nobles[n]["points"] for n in seat["nobles"]
    )


def price(p: Json, seat: Json, card: int) -> dict[str, int]:
    """Cost less bonuses, never below zero [R10]."""
    own = bonuses(p, seat)
    return {c: max(0, n - own[c]) for c, n in cards_of(p)[card]["cost"].items()}


def in_gems(p: Json, seat: Json, card: int) -> dict[str, int]:
    """The part of the price that the seat holds in gems."""
    return {c: min(n, seat["tokens"][c]) for c, n in price(p, seat, card).items()}


def spare_gold(p: Json, seat: Json, card: int) -> int:
    """Gold left when it pays only for what is missing; below zero: not affordable."""
    missing = sum(price(p, seat, card).values()) - sum(in_gems(p, seat, card).values())
    return seat["tokens"]["*"] - missing


# --- what is legal


def legal_actions(p: Json) -> list[str]:
    """Each legal action, in the documented order."""
    if p["phase"] == "over":
        return []
    seat = p["seats"][p["current_player"]]
    rows = {"main": main, "return": returns, "noble": noble_choice, "pay": paying}[p["phase"]]
    return list(rows(p, seat)) or ["pass"]


def main(p: Json, seat: Json) -> Iterator[str]:
    """Takes, reserves, buys [R7] [R8] [R9] [R10]."""
    yield from takes(p)
    if len(seat["reserved"]) < 3:
        yield from (f"reserve {name}" for _, name in open_cards(p))
        if p["rules"]["unseen_reserve"] == "on":
            yield from (f"reserve L{level}" for level in (1, 2, 3) if p["decks"][level - 1])
    names = card_names(cards_of(p))
    own = [(kept["card"], names[kept["card"]]) for kept in seat["reserved"]]
    yield from (
        f"buy {name}" for card, name in open_cards(p) + own if spare_gold(p, seat, card) >= 0
    )


def takes(p: Json) -> Iterator[str]:
    """Takes of three, two different, one, two alike [R7] [R8]."""
    left = [color for color in COLORS if p["bank"][color]]
    sizes = [3, 2, 1] if p["rules"]["take_fewer"] == "free" else [min(3, len(left))]
    for size in sizes:
        yield from ("take " + "".join(gems) for gems in combinations(left, size) if gems)
    yield from (f"take {color}{color}" for color in left if p["bank"][color] >= 4)


def open_cards(p: Json) -> list[tuple[int, str]]:
    """Cards in the market by level and slot, with their names."""
    names = card_names(cards_of(p))
    return [(card, names[card]) for row in p["market"] for card in row if card is not None]


def returns(_: Json, seat: Json) -> Iterator[str]:
    """One token of any kind that is held [R13]."""
    return (f"return {gem}" for gem in GEMS if seat["tokens"][gem])


def visitors(p: Json, seat: Json) -> list[str]:
    """Nobles on the table whose numbers the bonuses reach, by row number [R14]."""
    own, table = bonuses(p, seat), nobles_of(p)
    names = noble_names(table)
    return [
        names[row]
        for row in sorted(p["nobles"])
        if all(own[color] >= table[row]["cost"][color] for color in COLORS)
    ]


def noble_choice(p: Json, seat: Json) -> Iterator[str]:
    """One of several nobles [R14]."""
    return (f"noble {name}" for name in visitors(p, seat))


def paying(p: Json, seat: Json) -> Iterator[str]:
    """Gold in place of gems, letters only forward; `pay` always."""
    card, chosen = p["paying"]["card"], p["paying"]["gold"]
    due = in_gems(p, seat, card)
    for color in COLORS[COLORS.index(chosen[-1]) if chosen else 0 :]:
        if chosen.count(color) < due[color] and len(chosen) < spare_gold(p, seat, card):
            yield f"gold {color}"
    yield "pay"


# --- what an action does


def apply(p: Json, action: str) -> Json:
    """The position after a legal action; the old one is left alone."""
    p = deepcopy(p)
    seat = p["seats"][p["current_player"]]
    kind, _, what = action.partition(" ")
    if kind in ("take", "reserve", "buy"):
        p["passes"] = 0
    EFFECTS[kind](p, seat, what)
    if p["paying"]:
        return p | {"phase": "pay"}
    return next_turn(p) if kind == "noble" else end_of_turn(p, seat)


def take(p: Json, seat: Json, gems: str) -> None:
    """Gems from the bank [R7] [R8]."""
    for gem in gems:
        move(p, seat, gem, 1)


def give_back(p: Json, seat: Json, gem: str) -> None:
    """One token to the bank [R13]."""
    move(p, seat, gem, -1)


def move(p: Json, seat: Json, gem: str, number: int) -> None:
    """Move tokens from the bank to a seat, or back with a negative number."""
    seat["tokens"][gem] += number
    p["bank"][gem] -= number


def leave_market(p: Json, card: int) -> None:
    """Refill the slot of a card at once [R12]; a reserved card has none."""
    for row, deck in zip(p["market"], p["decks"], strict=True):
        if card in row:
            row[row.index(card)] = deck.pop(0) if deck else None


def reserve(p: Json, seat: Json, what: str) -> None:
    """Reserve an open card, or a deck's top card unseen, and take a gold [R9]."""
    if what.startswith("L"):
        seat["reserved"].append({"card": p["decks"][int(what[1]) - 1].pop(0), "hidden": True})
    else:
        card = card_names(cards_of(p)).index(what)
        seat["reserved"].append({"card": card, "hidden": False})
        leave_market(p, card)
    if p["bank"]["*"]:
        move(p, seat, "*", 1)


def buy(p: Json, seat: Json, name: str) -> None:
    """Buy a card at once, or open the payment when there is something to choose [R10]."""
    card = card_names(cards_of(p)).index(name)
    p["paying"] = {"card": card, "gold": ""}
    can_choose = spare_gold(p, seat, card) > 0 and any(in_gems(p, seat, card).values())
    if p["rules"]["payment"] == "gems_first" or not can_choose:
        pay(p, seat)


def add_gold(p: Json, _: Json, color: str) -> None:
    """Gold is to stand in for one gem."""
    p["paying"]["gold"] += color


def pay(p: Json, seat: Json, _: str = "") -> None:
    """Pay: gems, and gold for what is missing and what was chosen; then take the card [R10]."""
    card, gold = p["paying"]["card"], p["paying"]["gold"]
    due = sum(price(p, seat, card).values())
    gems = {c: n - gold.count(c) for c, n in in_gems(p, seat, card).items()}
    move(p, seat, "*", sum(gems.values()) - due)
    for color, number in gems.items():
        move(p, seat, color, -number)
    seat["reserved"] = [kept for kept in seat["reserved"] if kept["card"] != card]
    seat["bought"].append(card)
    leave_market(p, card)
    p["paying"] = None


def visit(p: Json, seat: Json, name: str) -> None:
    """A noble comes [R14]."""
    noble = noble_names(nobles_of(p)).index(name)
    p["nobles"].remove(noble)
    seat["nobles"] = sorted([*seat["nobles"], noble])
    p["passes"] = 0


def forced_pass(p: Json, _: Json, __: str) -> None:
    """Nothing but a longer row of passes [R11] [R17]."""
    p["passes"] += 1


EFFECTS = {
    "take": take,
    "return": give_back,
    "reserve": reserve,
    "buy": buy,
    "gold": add_gold,
    "pay": pay,
    "noble": visit,
    "pass": forced_pass,
}


def end_of_turn(p: Json, seat: Json) -> Json:
    """Return, then noble, then the next seat [R13] [R14]."""
    if sum(seat["tokens"].values()) > 10:
        return p | {"phase": "return"}
    coming = visitors(p, seat)
    if len(coming) > 1:
        return p | {"phase": "noble"}
    for name in coming:
        visit(p, seat, name)
    return next_turn(p)


def next_turn(p: Json) -> Json:
    """Count the turn; end the game or hand over [R6] [R15] [R17]."""
    players, rules = p["players"], p["rules"]
    turn = p["turn"] + 1
    round_over = turn % players == 0
    best = max(points(p, seat) for seat in p["seats"])
    if round_over and best >= rules["target"]:
        reason = "target"
    elif p["passes"] >= players:
        reason = "stalemate"
    elif round_over and turn >= rules["turn_limit"]:
        reason = "limit"
    else:
        seat = (p["current_player"] + 1) % players
        return p | {"phase": "main", "turn": turn, "current_player": seat}
    return p | {"phase": "over", "turn": turn, "current_player": None, "end_reason": reason}


def winners(p: Json) -> tuple[int, ...]:
    """Most points, then fewest bought cards, then shared [R16]."""
    cards_count = p["rules"]["tie_break"] == "fewest_cards"
    rank = [(points(p, seat), -len(seat["bought"]) if cards_count else 0) for seat in p["seats"]]
    return tuple(seat for seat, value in enumerate(rank) if value == max(rank))
