"""A position as JSON and back: the whole truth, or what one seat may know of it.

Reading checks that the parts agree with each other; whether play can reach the position does not
matter, so that positions for lessons can be written by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from splendor_nb.engine import rules
from splendor_nb.engine.cards import COLORS, GEMS, LEVELS
from splendor_nb.engine.errors import RecordError
from splendor_nb.engine.forms import read_list, read_mapping, read_number, read_one_of, shortened
from splendor_nb.engine.notation import PHASES
from splendor_nb.engine.options import Components, Rules, check_option, make_components
from splendor_nb.engine.position import Position, Tables, tables_for

POSITION = "splendor-nb-position/1"
OBSERVATION = "splendor-nb-observation/1"
END_REASONS = (None, "target", "stalemate", "limit")

_FIELDS = (
    "format",
    "rules",
    "components",
    "players",
    "first_player",
    "current_player",
    "phase",
    "turn",
    "passes",
    "end_reason",
    "paying",
    "bank",
    "market",
    "decks",
    "nobles",
    "seats",
)


# -- writing ---------------------------------------------------------------------------------------


def write_position(s: Position, t: Tables, viewer: int | None = None) -> dict[str, Any]:
    """Return the position as JSON; with a viewer, backs and deck sizes are all that is hidden."""
    decks: list[Any] = [s.decks[i][: s.deck_size[i]][::-1] for i in range(3)]
    position = {
        "format": POSITION if viewer is None else OBSERVATION,
        "rules": dict(t.options),
        "components": t.components.to_dict(),
        "players": s.players,
        "first_player": s.first,
        "current_player": None if s.current < 0 else s.current,
        "phase": PHASES[s.phase],
        "turn": s.turn,
        "passes": s.passes,
        "end_reason": END_REASONS[s.ended],
        "paying": _write_payment(s),
        "bank": _write_gems(s.bank),
        "market": [[_write_slot(t, c) for c in s.market[i : i + 4]] for i in (0, 4, 8)],
        "decks": decks if viewer is None else list(s.deck_size),
        "nobles": _write_bits(s.nobles),
        "seats": [_write_seat(s, t, seat) for seat in range(s.players)],
    }
    return position if viewer is None else {**position, "viewer": viewer}


def _write_gems(numbers: Sequence[int]) -> dict[str, int]:
    return dict(zip(GEMS, numbers, strict=True))


def _write_bits(bits: int) -> list[int]:
    return [place for place in range(bits.bit_length()) if bits >> place & 1]


def _write_payment(s: Position) -> dict[str, Any] | None:
    if s.paying < 0:
        return None
    gold = "".join(color * n for color, n in zip(COLORS, s.gold_for, strict=True))
    return {"card": rules.card_of(s, s.paying), "gold": gold}


def _write_slot(t: Tables, card: int) -> int | dict[str, Any] | None:
    if card > t.empty:
        return {"card": None, "level": card - t.empty}
    return None if card == t.empty else card


def _write_reserved(t: Tables, card: int, hidden: int) -> dict[str, Any]:
    if card > t.empty:
        return {"card": None, "level": card - t.empty, "hidden": True}
    return {"card": card, "hidden": bool(hidden)}


def _write_seat(s: Position, t: Tables, seat: int) -> dict[str, Any]:
    reserved = zip(s.reserved[seat], s.hidden[seat], strict=True)
    return {
        "tokens": _write_gems(s.tokens[seat]),
        "bought": s.bought[seat][: s.n_bought[seat]],
        "reserved": [_write_reserved(t, c, h) for c, h in reserved if c != t.empty],
        "nobles": _write_bits(s.visits[seat]),
    }


# -- reading ---------------------------------------------------------------------------------------


def read_position(data: object) -> tuple[Position, Tables]:
    """Return the position and its tables from the whole truth as JSON.

    Raises
    ------
    RecordError
        Where the parts do not have this form or disagree; the message names the place.
    """
    fields = read_mapping("The position", data, _FIELDS)
    s, t = _read(fields, POSITION, _read_deck)
    for name, cards in (("market", s.market), *_reserves(s)):
        if any(card > t.empty for card in cards):
            raise RecordError(f"{name}: a card is unknown; in a position every card has its id.")
    return s, t


def read_observation(data: object) -> tuple[Position, Tables, int]:
    """Return the position as the viewer knows it, its tables, and the viewer's seat.

    Raises
    ------
    RecordError
        Where the parts do not have this form or disagree; the message names the place.
    """
    fields = read_mapping("The observation", data, (*_FIELDS, "viewer"))
    s, t = _read(fields, OBSERVATION, _read_deck_size)
    viewer = read_number("viewer", fields["viewer"], 0, s.players - 1)
    for seat in range(s.players):
        for place in range(s.n_reserved[seat]):
            _check_secret(s, t, seat, place, viewer)
    return s, t, viewer


def _reserves(s: Position) -> list[tuple[str, list[int]]]:
    return [(f"seats[{seat}].reserved", cards) for seat, cards in enumerate(s.reserved)]


_ReadDeck = Callable[[Tables, int, object], list[int]]


def _read(fields: Mapping[str, Any], form: str, read_deck: _ReadDeck) -> tuple[Position, Tables]:
    if fields["format"] != form:
        raise RecordError(f"format is {form!r}, not {shortened(fields['format'])}.")
    t = tables_for(_read_components(fields["components"]), _read_rules(fields["rules"]))
    players = read_number("players", fields["players"], 2, 4)
    s = Position(t, players, read_number("first_player", fields["first_player"], 0, players - 1))
    tokens = list(s.bank)
    s.bank = _read_gems("bank", fields["bank"])
    s.market = _read_market(t, fields["market"])
    _read_decks(s, t, fields["decks"], read_deck)
    s.nobles = _read_nobles(t, "nobles", fields["nobles"])
    for seat, row in enumerate(read_list("seats", fields["seats"], players)):
        _read_seat(s, t, seat, row)
    _check_tokens(s, tokens)
    _check_cards(s, t)
    _check_nobles(s, t)
    _read_clock(s, t, fields)
    _read_payment(s, t, fields["paying"])
    _check_phase(s, t)
    return s, t


def _read_rules(data: object) -> Rules:
    options = read_mapping("rules", data, tuple(Rules()))
    try:
        for option, value in options.items():
            check_option(option, value)
    except (ValueError, TypeError) as error:
        raise RecordError(f"rules: {error}") from None
    return Rules(**options)


def _read_components(data: object) -> Components:
    if data is None:
        return make_components()
    parts = read_mapping("components", data, ("cards", "nobles", "tokens"))
    try:
        return make_components(**parts)
    except (ValueError, TypeError) as error:
        raise RecordError(f"components: {error}") from None


def _read_gems(where: str, data: object) -> list[int]:
    gems = read_mapping(where, data, GEMS)
    return [read_number(f"{where}: {gem}", gems[gem], 0) for gem in GEMS]


def _read_market(t: Tables, data: object) -> list[int]:
    market = []
    for row, level in zip(read_list("market", data, 3), LEVELS, strict=True):
        for slot, entry in enumerate(read_list(f"market[{level - 1}]", row, 4)):
            market.append(_read_slot(t, f"market[{level - 1}][{slot}]", entry, level))
    return market


def _read_slot(t: Tables, where: str, entry: object, level: int) -> int:
    if entry is None:
        return t.empty
    if isinstance(entry, Mapping):
        back = read_mapping(where, entry, ("card", "level"))
        if back["card"] is not None or back["level"] != level:
            raise RecordError(f"{where}: a back there has card null and level {level}.")
        return t.back(level)
    return _read_card(t, where, entry, level)


def _read_decks(s: Position, t: Tables, data: object, read_deck: _ReadDeck) -> None:
    for i, entry in enumerate(read_list("decks", data, 3)):
        deck = read_deck(t, i + 1, entry)
        s.decks[i] = deck[::-1] + [t.empty] * (len(t.decks[i]) - len(deck))
        s.deck_size[i] = len(deck)


def _read_deck(t: Tables, level: int, data: object) -> list[int]:
    where = f"decks[{level - 1}]"
    return [
        _read_card(t, f"{where}[{place}]", card, level)
        for place, card in enumerate(read_list(where, data, up_to=len(t.decks[level - 1])))
    ]


def _read_deck_size(t: Tables, level: int, data: object) -> list[int]:
    return [t.back(level)] * read_number(f"decks[{level - 1}]", data, 0, len(t.decks[level - 1]))


def _read_nobles(t: Tables, where: str, data: object) -> int:
    bits = 0
    for place, noble in enumerate(read_list(where, data)):
        bit = 1 << read_number(f"{where}[{place}]", noble, 0, t.nobles - 1)
        if bits & bit:
            raise RecordError(f"{where}[{place}]: noble {noble} is there twice.")
        bits |= bit
    return bits


def _read_seat(s: Position, t: Tables, seat: int, data: object) -> None:
    where = f"seats[{seat}]"
    row = read_mapping(where, data, ("tokens", "bought", "reserved", "nobles"))
    s.tokens[seat] = _read_gems(f"{where}.tokens", row["tokens"])
    s.visits[seat] = _read_nobles(t, f"{where}.nobles", row["nobles"])
    for place, entry in enumerate(read_list(f"{where}.bought", row["bought"], up_to=t.empty)):
        rules.own(s, t, seat, _read_card(t, f"{where}.bought[{place}]", entry))
    for noble in _write_bits(s.visits[seat]):
        s.points[seat] += t.noble_points[noble]
    for place, entry in enumerate(read_list(f"{where}.reserved", row["reserved"], up_to=3)):
        card, hidden = _read_reserved(t, f"{where}.reserved[{place}]", entry)
        s.reserved[seat][place], s.hidden[seat][place] = card, hidden
        s.n_reserved[seat] += 1


def _read_reserved(t: Tables, where: str, entry: object) -> tuple[int, int]:
    is_back = isinstance(entry, Mapping) and entry.get("card", 0) is None
    names = ("card", "level", "hidden") if is_back else ("card", "hidden")
    row = read_mapping(where, entry, names)
    if not isinstance(row["hidden"], bool):
        raise RecordError(f"{where}: hidden is true or false, not {shortened(row['hidden'])}.")
    if row["hidden"] and not t.unseen_reserve:
        raise RecordError(f"{where}: a hidden card, but the option unseen_reserve is off [R9].")
    if not is_back:
        return _read_card(t, where, row["card"]), int(row["hidden"])
    if not row["hidden"]:
        raise RecordError(f"{where}: only a hidden card can be unknown.")
    return t.back(read_number(f"{where}: level", row["level"], 1, 3)), 1


def _read_clock(s: Position, t: Tables, fields: Mapping[str, Any]) -> None:
    """Read whose turn it is and how far the game has come."""
    s.turn = read_number("turn", fields["turn"], 0)
    s.passes = read_number("passes", fields["passes"], 0, s.players)
    s.phase = read_one_of("phase", fields["phase"], PHASES)
    s.ended = read_one_of("end_reason", fields["end_reason"], END_REASONS)
    s.current = -1 if s.phase == rules.OVER else (s.first + s.turn) % s.players
    expected = None if s.phase == rules.OVER else s.current
    found = fields["current_player"]
    if found is not None:
        found = read_number("current_player", found, 0, s.players - 1)
    if found != expected:
        raise RecordError(
            f"current_player is {expected} in phase {fields['phase']!r} after {s.turn} turns that "
            f"seat {s.first} began, not {found}."
        )


def _read_payment(s: Position, t: Tables, data: object) -> None:
    if s.phase != rules.PAYING:
        if data is not None:
            raise RecordError("paying is null outside the phase 'pay'.")
        return
    payment = read_mapping("paying", data, ("card", "gold"))
    s.paying = _place_of(s, _read_card(t, "paying.card", payment["card"]))
    if not t.choose_payment or not rules.may_choose_payment(s, t, rules.card_of(s, s.paying)):
        raise RecordError("phase 'pay': the option payment and the tokens leave nothing to choose.")
    if not isinstance(payment["gold"], str) or not set(payment["gold"]) <= set(COLORS):
        raise RecordError(f"paying.gold is letters of WUGRK, not {shortened(payment['gold'])}.")
    for letter in payment["gold"]:
        color = COLORS.index(letter)
        if rules.why_not_pay_gold(s, t, color):
            raise RecordError(f"paying.gold: {letter} cannot be paid in gold there.")
        s.gold_for[color] += 1


def _place_of(s: Position, card: int) -> int:
    if card in s.market:
        return rules.BUY + s.market.index(card)
    if card in s.reserved[s.current]:
        return rules.BUY_RESERVED + s.reserved[s.current].index(card)
    raise RecordError(f"paying.card: {card} lies neither in the market nor in the own reserve.")


def _read_card(t: Tables, where: str, data: object, level: int | None = None) -> int:
    card = read_number(where, data, 0, t.empty - 1)
    if level is not None and t.level[card] != level:
        raise RecordError(f"{where}: card {card} is of level {t.level[card]}, not {level}.")
    return card


# -- do the parts agree? ---------------------------------------------------------------------------


def _check_tokens(s: Position, tokens: Sequence[int]) -> None:
    for number, gem in enumerate(GEMS):
        found = s.bank[number] + sum(held[number] for held in s.tokens)
        if found != tokens[number]:
            raise RecordError(
                f"bank and seats hold {found} {gem} tokens, not {tokens[number]} [R2, R3]."
            )


def _check_cards(s: Position, t: Tables) -> None:
    """Hold that each card is somewhere exactly once, backs standing for any card of their level."""
    piles = [s.market, *s.decks, *s.reserved, *s.bought]
    found = Counter(card for pile in piles for card in pile if card != t.empty)
    for card, times in found.items():
        if card < t.empty and times > 1:
            name = t.components.cards[card].name
            raise RecordError(f"card {card} ({name}) is there {times} times.")
    for level in LEVELS:
        of_level = t.decks[level - 1]
        number = sum(found[card] for card in of_level) + found[t.back(level)]
        if number != len(of_level):
            raise RecordError(
                f"market, decks and seats hold {number} cards of level {level}; "
                f"this game has {len(of_level)} [R4]."
            )


def _check_nobles(s: Position, t: Tables) -> None:
    places = [s.nobles, *s.visits]
    number = sum(place.bit_count() for place in places)
    expected = min(s.players + 1, t.nobles)
    if number != expected:
        raise RecordError(f"the table and the seats hold {number} nobles, not {expected} [R5].")
    together = 0
    for place in places:
        together |= place
    if together.bit_count() != number:
        raise RecordError("a noble lies in two places.")


def _check_phase(s: Position, t: Tables) -> None:
    if s.phase == rules.OVER:
        _check_end(s, t)
    else:
        _check_running(s, t)
    for seat in range(s.players):
        returning = s.phase == rules.RETURNING and seat == s.current
        if (sum(s.tokens[seat]) > rules.HAND_LIMIT) != returning:
            raise RecordError(
                f"seats[{seat}].tokens: {sum(s.tokens[seat])} in phase {PHASES[s.phase]!r}; more "
                "than 10 are held only by the player who is returning tokens [R13]."
            )


def _check_end(s: Position, t: Tables) -> None:
    expected = END_REASONS[rules.why_over(s, t)]
    if END_REASONS[s.ended] != expected or expected is None:
        raise RecordError(
            f"phase 'over' with end_reason {END_REASONS[s.ended]!r}, where turn, points and passes "
            f"say {expected!r} [R15, R17]."
        )


def _check_running(s: Position, t: Tables) -> None:
    if s.ended:
        raise RecordError(f"end_reason is null while the game runs, not {END_REASONS[s.ended]!r}.")
    if s.turn - s.turn % s.players >= t.turn_limit:
        raise RecordError(f"turn {s.turn} is past the turn_limit {t.options.turn_limit} [R17].")
    most = {rules.MAIN: min(s.turn, s.players - 1), rules.CHOOSING: min(s.turn + 1, s.players)}
    if s.passes > most.get(s.phase, 0):
        raise RecordError(
            f"passes: {s.passes} forced passes in a row do not fit turn {s.turn} in phase "
            f"{PHASES[s.phase]!r} [R17]."
        )
    coming = rules.nobles_coming(s, t).bit_count()
    if s.phase == rules.CHOOSING and coming < 2:
        raise RecordError(f"phase 'noble' needs two nobles that would come, not {coming} [R14].")


def _check_secret(s: Position, t: Tables, seat: int, place: int, viewer: int) -> None:
    paying = s.paying == rules.BUY_RESERVED + place and seat == s.current
    known = s.reserved[seat][place] < t.empty
    if s.hidden[seat][place] and known and seat != viewer and not paying:
        raise RecordError(
            f"seats[{seat}].reserved[{place}]: seat {viewer} cannot know a card that seat {seat} "
            "reserved unseen [R18]."
        )
