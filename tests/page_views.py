"""Views as the board's page gets them, made by hand for its tests: cards and nobles of the game.

The arithmetic here only fills a picture; the rules stand in the engine.
"""

from __future__ import annotations

import csv
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

Json = dict[str, Any]

COLORS = "WUGRK"
GEMS = COLORS + "*"
WORDS = {"W": "white", "U": "blue", "G": "green", "R": "red", "K": "black", "*": "gold"}
SUPPLY = {2: 4, 3: 5, 4: 7}
DATA = Path(__file__).parents[1] / "data"

NAMES = ["Anna", "Greedy", "Bruno", "Random"]
HANDS: list[Json] = [
    {"tokens": "WGGK*", "bought": "1W2 1U1 1U3 1G5 1K8", "reserved": "2R3 ?2", "nobles": ""},
    {
        "tokens": "WWURRR",
        "bought": "1R7 1R1 1G7 2G5 1R3 2R1 1G4 2R4 1G2",
        "reserved": "3W4",
        "nobles": "GR",
    },
    {
        "tokens": "UGK**",
        "bought": "1K3 1K2 1W8 2W1 2K5 1U2",
        "reserved": "?3 2U6 1G8",
        "nobles": "",
    },
    {"tokens": "WURK", "bought": "1G3 1U6 2R5", "reserved": "", "nobles": ""},
]
MARKET = ["1W4 1U8 1G1 1K6", "2U5 2G1 2W3 2K1", "3W1 3U3 3G4 3R2"]
NOBLES = ["WUK", "UGR", "UG", "WK", "WUG"]
LOG = [
    (0, "Anna took white, blue and green."),
    (1, "Greedy bought 1R1 for 2 blue and 1 green."),
    (0, "Anna reserved an unseen card of level 2 and took 1 gold."),
    (1, "Greedy bought 2R4 for 1 white, 4 blue and 1 green. Mary Stuart visits."),
    (0, "Anna bought 1K8 for 4 blue."),
    (1, "Greedy took red, white and blue."),
]


@cache
def rows(table: str) -> tuple[dict[str, str], ...]:
    with (DATA / f"{table}.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def cost(row: dict[str, str]) -> dict[str, int]:
    return {c: int(row[WORDS[c]]) for c in COLORS if row[WORDS[c]] != "0"}


@cache
def cards() -> dict[str, Json]:
    count: Counter[str] = Counter()
    found = {}
    for row in rows("cards"):
        bonus = next(c for c in COLORS if WORDS[c] == row["bonus"])
        group = row["level"] + bonus
        count[group] += 1
        found[f"{group}{count[group]}"] = {
            "level": int(row["level"]),
            "bonus": bonus,
            "points": int(row["points"]),
            "cost": cost(row),
        }
    return found


@cache
def nobles() -> dict[str, Json]:
    return {
        "".join(cost(row)): {"title": row["name"], "points": 3, "cost": cost(row)}
        for row in rows("nobles")
    }


def counted(letters: str, order: str = GEMS) -> dict[str, int]:
    return {c: letters.count(c) for c in order}


def in_words(amounts: dict[str, int]) -> str:
    return ", ".join(f"{n} {WORDS[c]}" for c, n in amounts.items() if n)


def control(action: str, label: str, why: str = "") -> Json:
    return {"action": action, "label": label, "why": why}


def bonuses(hand: Json) -> dict[str, int]:
    return counted("".join(cards()[name]["bonus"] for name in hand["bought"].split()), COLORS)


def missing(price: dict[str, int], have: dict[str, int]) -> dict[str, int]:
    return {c: n - have[c] for c, n in price.items() if n > have[c]}


def card(name: str, hand: Json | None, *, reserved: bool = False, asked: bool = True) -> Json:
    """A face-up card as the owner of `hand` sees it, `None` for nobody in particular."""
    facts = cards()[name]
    label = (
        f"Level {facts['level']} {WORDS[facts['bonus']]} card {name}, {facts['points']} points, "
        f"costs {in_words(facts['cost'])}."
    )
    entry = facts | {"name": name, "label": label, "afford": "", "gold": 0, "missing": {}}
    entry |= {"note": "", "new": False, "last": False, "controls": []}
    return entry if hand is None else entry | judged(entry, hand, reserved=reserved, asked=asked)


def judged(entry: Json, hand: Json, *, reserved: bool, asked: bool) -> Json:
    own, held = bonuses(hand), counted(hand["tokens"])
    lacking = missing(entry["cost"], {c: own[c] + held[c] for c in COLORS})
    short = sum(lacking.values())
    afford = "no" if short > held["*"] else "gold" if short else "yes"
    gold = short if afford == "gold" else 0
    note = {"yes": "affordable", "gold": f"{gold} gold", "no": f"{in_words(lacking)} missing"}
    price = in_words(missing(entry["cost"], own)) or "nothing"
    why = f"You miss {in_words(lacking)} for {entry['name']}." if afford == "no" else ""
    controls = [control(f"buy {entry['name']}", f"Buy for {price}", why)]
    if not reserved:
        controls.append(control(f"reserve {entry['name']}", "Reserve and take 1 gold"))
    return {
        "afford": afford,
        "gold": gold,
        "missing": lacking if afford == "no" else {},
        "note": note[afford],
        "label": f"{entry['label']} {note[afford].capitalize()}.",
        "controls": controls if asked else [],
    }


def back(level: int, *, peek: bool = False) -> Json:
    return {
        "back": True,
        "level": level,
        "label": f"Level {level} card reserved unseen",
        "peek": peek,
    }


def reserve(hand: Json, *, mine: bool) -> list[Json]:
    entries = []
    for name in hand["reserved"].split():
        if not name.startswith("?"):
            entries.append(card(name, hand if mine else None, reserved=True))
        elif mine:
            entries.append(card("2W6", hand, reserved=True))
        else:
            entries.append(back(int(name[1])))
    return entries


def points(hand: Json) -> int:
    return sum(cards()[name]["points"] for name in hand["bought"].split()) + 3 * len(
        hand["nobles"].split()
    )


def seat(number: int, *, viewer: int | None, current: int | None, hand: Json | None = None) -> Json:
    hand = hand or HANDS[number]
    mine = viewer == number
    total = len(hand["tokens"])
    return {
        "seat": number,
        "name": NAMES[number],
        "you": mine,
        "current": number == current,
        "first": number == 0,
        "points": points(hand),
        "tokens": counted(hand["tokens"]),
        "total": total,
        "limit": 10,
        "bonuses": bonuses(hand),
        "cards": len(hand["bought"].split()),
        "bought": [
            {
                "name": name,
                "bonus": cards()[name]["bonus"],
                "points": cards()[name]["points"],
                "label": card(name, None)["label"],
            }
            for name in hand["bought"].split()
        ],
        "reserved": reserve(hand, mine=mine),
        "nobles": [
            {"name": name, "points": 3, "label": nobles()[name]["title"]}
            for name in hand["nobles"].split()
        ],
        "label": f"{NAMES[number]}: {points(hand)} points, {total} of 10 tokens.",
        "last": number == 1,
    }


def noble(name: str, players: int) -> Json:
    facts = nobles()[name]
    needs = []
    for number in range(players):
        lacking = missing(facts["cost"], bonuses(HANDS[number]))
        total = sum(lacking.values())
        text = f"{NAMES[number]}: {total} bonuses missing"
        needs.append({"seat": number, "missing": lacking, "total": total, "text": text})
    label = f"Noble {facts['title']}, 3 points, needs {in_words(facts['cost'])} bonuses."
    return facts | {"name": name, "label": label, "needs": needs, "controls": []}


def picks(bank: dict[str, int]) -> dict[str, Json]:
    """Every selection of gems that can be built up, with reasons for the rest."""
    found: dict[str, Json] = {}
    waiting = [""]
    while waiting:
        letters = waiting.pop(0)
        add = {c: why_not(letters, c, bank) for c in GEMS}
        found[letters] = {
            "why": "" if whole(letters) else "Pick three different gems, or two of one color.",
            "add": add,
        }
        grown = {"".join(sorted(letters + c, key=GEMS.index)) for c in GEMS if not add[c]}
        waiting += sorted(grown - set(found) - set(waiting))
    return found


def whole(letters: str) -> bool:
    return len(letters) == 3 or (len(letters) == 2 and letters[0] == letters[1])


def why_not(letters: str, gem: str, bank: dict[str, int]) -> str:
    if gem == "*":
        return "Gold comes only with a reservation [R9]."
    if whole(letters):
        return "This is all that one turn gives [R7, R8]."
    if bank[gem] == 0:
        return f"No {WORDS[gem]} is left in the bank."
    if gem not in letters:
        return ""
    if len(letters) == 2:
        return "Three gems must be of three colors [R7]."
    return "" if bank[gem] >= 4 else f"Two {WORDS[gem]} need a pile of four [R8]."


def bank_of(players: int, hands: list[Json]) -> dict[str, int]:
    held = counted("".join(hand["tokens"] for hand in hands[:players]))
    return {c: (5 if c == "*" else SUPPLY[players]) - held[c] for c in GEMS}


def main_view(players: int = 2, *, viewer: int | None = 0, version: int = 17) -> Json:
    """Anna's turn in the middle of a game."""
    bank = bank_of(players, HANDS)
    hand = None if viewer is None else HANDS[viewer]
    market = [[card(name, hand) for name in row.split()] for row in MARKET]
    market[0][2]["new"] = True
    return {
        "version": version,
        "viewer": viewer,
        "interactive": True,
        "thinking": "",
        "phase": "main",
        "round": 7,
        "target": 15,
        "last_round": False,
        "status": "Anna, it is your turn: take gems, reserve or buy a card.",
        "error": "",
        "bank": bank,
        "picks": picks(bank),
        "market": market,
        "decks": [deck(level, size) for level, size in ((1, 28), (2, 22), (3, 14))],
        "nobles": [noble(name, players) for name in NOBLES[: players + 1]],
        "seats": [seat(number, viewer=viewer, current=0) for number in range(players)],
        "prompt": None,
        "last": {"seat": 1, "text": LOG[-1][1], "gems": "WUR", "cards": []},
        "log": [
            {"id": number, "turn": number + 6, "seat": who, "text": text}
            for number, (who, text) in enumerate(LOG)
        ],
        "result": None,
        "advice": None,
        "replay": None,
    }


def deck(level: int, size: int) -> Json:
    return {
        "level": level,
        "size": size,
        "label": f"Level {level} deck: {size} cards left",
        "controls": [control(f"reserve L{level}", "Reserve the top card unseen and take 1 gold")],
    }


def frozen(view: Json, why: str) -> Json:
    """The same view while something else than a turn's action is asked."""
    for entry in [c for row in view["market"] for c in row if c] + view["decks"]:
        entry["controls"] = [one | {"why": why} for one in entry["controls"]]
    return view | {"picks": {}}


def return_view() -> Json:
    """Anna holds twelve tokens."""
    view = frozen(main_view(), "Return tokens first [R13].")
    hand = HANDS[0] | {"tokens": "WWUGGGRKKK**"}
    view["seats"][0] = seat(0, viewer=0, current=0, hand=hand)
    held = counted(hand["tokens"])
    controls = [control(f"return {c}", f"Return {WORDS[c]}") | {"gem": c} for c in GEMS if held[c]]
    text = "You hold 12 tokens: return 2 more."
    prompt = {"kind": "return", "text": text, "held": 12, "limit": 10, "controls": controls}
    return view | {"phase": "return", "status": f"Anna: {text}", "prompt": prompt}


def noble_view() -> Json:
    """Two nobles would visit Anna: she chooses."""
    view = frozen(main_view(4), "Choose a noble first [R14].")
    chosen = [("WUK", "Elisabeth of Austria"), ("UG", "Suleiman the Magnificent")]
    controls = [control(f"noble {name}", f"Welcome {title}") for name, title in chosen]
    for one in controls:
        tile = next(t for t in view["nobles"] if t["name"] == one["action"].split()[1])
        tile["controls"] = [one]
        tile["needs"][0] = {"seat": 0, "missing": {}, "total": 0, "text": "all there"}
    text = "Two nobles want to visit you: choose one."
    prompt = {"kind": "noble", "text": text, "controls": controls}
    return view | {"phase": "noble", "status": f"Anna: {text}", "prompt": prompt}


def pay_view() -> Json:
    """Anna pays for 1G1 and may put gold in place of gems."""
    view = frozen(main_view(), "Settle the purchase of 1G1 first.")
    controls = [
        control("gold G", "Gold for one green") | {"gem": "G"},
        control("gold K", "Gold for one black", "No gold is left to spend.") | {"gem": "K"},
        control("pay", "Pay 2 green, 1 black"),
    ]
    text = "You pay 2 green and 1 black for 1G1; gold may stand in for gems."
    prompt = {"kind": "pay", "text": text, "controls": controls}
    return view | {"phase": "pay", "status": f"Anna: {text}", "prompt": prompt}


def pass_view() -> Json:
    """Nothing but a pass is legal."""
    view = frozen(main_view(), "Nothing is legal but a pass [R11].")
    text = "You can neither take, reserve nor buy: you pass."
    prompt = {"kind": "pass", "text": text, "controls": [control("pass", "Pass")]}
    return view | {"status": f"Anna: {text}", "prompt": prompt}


def thinking_view(players: int = 4) -> Json:
    """Greedy is thinking in the last round; nobody at the page has anything to decide."""
    view = main_view(players) | {"interactive": False, "thinking": "Greedy", "last_round": True}
    for entry in [c for row in view["market"] for c in row if c] + view["decks"]:
        entry["controls"] = []
    view["seats"] = [seat(number, viewer=0, current=1) for number in range(players)]
    return view | {"picks": {}, "status": "Greedy is to play."}


def shared_view(*, peeking: bool = False) -> Json:
    """Anna and Bruno share the screen; Anna's unseen reserve shows on request."""
    view = main_view(3)
    view["seats"][0]["reserved"][1] = (
        card("2W6", HANDS[0], reserved=True) if peeking else back(2, peek=True)
    )
    return view


def over_view(players: int = 4) -> Json:
    """The end of a game."""
    view = thinking_view(players) | {"phase": "over", "thinking": "", "last_round": False}
    for one in view["seats"]:
        one["current"] = False
    order = sorted(range(players), key=lambda number: -points(HANDS[number]))
    table = [
        {
            "place": place + 1,
            "seat": number,
            "name": NAMES[number],
            "points": 15 if place < 2 else points(HANDS[number]),
            "cards": 10 + 2 * place,
            "note": "fewest cards" if place == 0 else "",
        }
        for place, number in enumerate(order)
    ]
    winner = NAMES[order[0]]
    result = {
        "title": f"{winner} wins",
        "text": f"{winner} and another player have 15 points; {winner} has bought fewer cards.",
        "rows": table,
    }
    return view | {"status": f"The game is over: {winner} wins.", "result": result}


def replay_view(step: int = 12) -> Json:
    """A finished game, opened for looking at."""
    view = thinking_view(2) | {"thinking": "", "last_round": False}
    viewers = [{"seat": None, "label": "Public view"}, {"seat": 0, "label": "Anna's view"}]
    replay = {"step": step, "steps": 87, "label": "Greedy: take WUG"}
    return view | {
        "version": 100 + step,
        "status": "After turn 12 of 44.",
        "replay": replay | {"viewers": viewers},
    }
