"""The rule options of a game, and components of one's own."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, TypeVar

from splendor_nb.engine.cards import (
    COLORS,
    GEMS,
    LEVELS,
    Card,
    Gems,
    Noble,
    base_cards,
    base_nobles,
    name_cards,
    noble_name,
)
from splendor_nb.engine.forms import check_whole_number, quoted, shortened

# The largest cost, number of points or pile of tokens in own components, and the most cards.
MAX_NUMBER, MAX_CARDS = 99, 300

Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class Rules(Mapping[str, str | int]):
    """The rule options of a game, read as attributes or as a mapping.

    Attributes
    ----------
    gold
        ``"always"``, or ``"four_only"``: no gold with 2 or 3 players [R3].
    take_fewer
        ``"forced"`` [R7], or ``"free"``: one or two different gems may be taken at any time.
    payment
        ``"gems_first"`` [R10], or ``"choose"``: gold may be spent in place of gems.
    tie_break
        ``"fewest_cards"`` [R16], or ``"none"``: those tied on points share the win.
    target
        Points that end the game [R15], 1 to 15.
    unseen_reserve
        ``"on"``, or ``"off"``: no reserving from a deck [R9].
    turn_limit
        Turns of all seats together after which the game ends [R17], from 1.
    """

    gold: Literal["always", "four_only"] = "always"
    take_fewer: Literal["forced", "free"] = "forced"
    payment: Literal["gems_first", "choose"] = "gems_first"
    tie_break: Literal["fewest_cards", "none"] = "fewest_cards"
    target: int = 15
    unseen_reserve: Literal["on", "off"] = "on"
    turn_limit: int = 1000

    def __getitem__(self, option: str) -> str | int:
        return _as_dict(self)[option]

    def __iter__(self) -> Iterator[str]:
        return iter(_as_dict(self))

    def __len__(self) -> int:
        return len(fields(self))


RULE_SETS: Mapping[str, Rules] = {
    "standard": Rules(),
    "uzbek_sundanese": Rules(gold="four_only", tie_break="none"),
}

CHOICES: Mapping[str, tuple[str, str]] = {
    "gold": ("always", "four_only"),
    "take_fewer": ("forced", "free"),
    "payment": ("gems_first", "choose"),
    "tie_break": ("fewest_cards", "none"),
    "unseen_reserve": ("on", "off"),
}


def make_rules(rules: str | Mapping[str, Any] = "standard", **options: Any) -> Rules:
    """Return the rules of a named set, with options that override it.

    Parameters
    ----------
    rules
        ``"standard"``, ``"uzbek_sundanese"``, or a mapping of options (`Rules` is one).
    **options
        Single options by name.

    Raises
    ------
    ValueError, TypeError
        Where a set, an option or a value does not exist; the message names those that do.

    Examples
    --------
    >>> make_rules("uzbek_sundanese", target=10).gold
    'four_only'
    """
    if isinstance(rules, str):
        if rules not in RULE_SETS:
            raise ValueError(f"There is no rule set {rules!r}; there are {quoted(RULE_SETS)}.")
        base = RULE_SETS[rules]
    elif isinstance(rules, Mapping):
        base, options = RULE_SETS["standard"], {**rules, **options}
    else:
        raise TypeError(
            f"rules is a mapping of options or the name of a set, {quoted(RULE_SETS)}, "
            f"not {shortened(rules)}."
        )
    for option, value in options.items():
        check_option(option, value)
    return replace(base, **options)


def check_option(option: str, value: object) -> None:
    """Refuse an option that does not exist, or a value that it does not take.

    Raises
    ------
    ValueError, TypeError
        With the values that are allowed.
    """
    if option in CHOICES:
        if value not in CHOICES[option]:
            raise ValueError(
                f"{option} is one of {quoted(CHOICES[option])}, not {shortened(value)}."
            )
    elif option == "target":
        check_whole_number("target", value, 1, 15)
    elif option == "turn_limit":
        check_whole_number("turn_limit", value, 1)
    else:
        names = quoted(option.name for option in fields(Rules))
        raise TypeError(f"There is no rule option {option!r}; there are {names}.")


@dataclass(frozen=True, slots=True, eq=False)
class Components:
    """What lies in the box: cards and nobles in table order, and the tokens where they are fixed.

    Attributes
    ----------
    cards, nobles
        Rows of the tables; a row number is the id that positions and files use.
    tokens
        Tokens of each pile, gold last, whatever the number of players; `None` for R2 and R3.
    own
        The parts that are not the base game's, as JSON text; `None` for the base game.
    """

    cards: tuple[Card, ...]
    nobles: tuple[Noble, ...]
    tokens: tuple[int, ...] | None = None
    own: str | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Components) and self.own == other.own

    def __hash__(self) -> int:
        return hash(self.own)

    def to_dict(self) -> dict[str, Any] | None:
        """Return the parts that are not the base game's; `None` for the base game."""
        return None if self.own is None else json.loads(self.own)


def make_components(
    cards: object = None, nobles: object = None, tokens: object = None
) -> Components:
    """Return components in which the parts given take the place of the base game's.

    Parameters
    ----------
    cards
        A list of ``{"level": 1, "bonus": "W", "points": 0, "cost": {"U": 1, …}}``.
    nobles
        A list of ``{"points": 3, "cost": {…}}``; no two may ask for the same set of colors.
    tokens
        A number for each of ``W U G R K *``, whatever the number of players [R2, R3].

    Raises
    ------
    ValueError, TypeError
        Where a part does not have this form; the message names the place.
    """
    if cards is None and nobles is None and tokens is None:
        return _base_components()
    own_cards = base_cards() if cards is None else name_cards(_each("cards", cards, _read_card))
    own_nobles = base_nobles() if nobles is None else tuple(_each("nobles", nobles, _read_noble))
    own_tokens = None if tokens is None else tuple(_read_tokens(tokens).values())
    _refuse_doubles([noble.name for noble in own_nobles])
    own = {
        "cards": None if cards is None else [_card_dict(card) for card in own_cards],
        "nobles": None if nobles is None else [_noble_dict(noble) for noble in own_nobles],
        "tokens": None if own_tokens is None else dict(zip(GEMS, own_tokens, strict=True)),
    }
    return Components(own_cards, own_nobles, own_tokens, json.dumps(own))


@functools.cache
def _base_components() -> Components:
    return Components(base_cards(), base_nobles())


def _as_dict(rules: Rules) -> dict[str, str | int]:
    return {option.name: getattr(rules, option.name) for option in fields(Rules)}


def _each(what: str, rows: object, read: Any) -> list[Any]:
    if isinstance(rows, (str, Mapping)) or not isinstance(rows, Sequence):
        raise TypeError(f"{what} is a list of mappings, not {shortened(rows)}.")
    if len(rows) > MAX_CARDS:
        raise ValueError(f"{what} has at most {MAX_CARDS} rows, not {len(rows)}.")
    return [read(f"{what}[{number}]", row) for number, row in enumerate(rows)]


def _read_card(where: str, row: object) -> tuple[int, Any, int, Gems]:
    fields_ = _read_fields(where, row, ("level", "bonus", "points", "cost"))
    level = check_whole_number(f"{where}: level", fields_["level"], LEVELS[0], LEVELS[-1])
    if fields_["bonus"] not in COLORS:
        raise ValueError(f"{where}: bonus is one of {quoted(COLORS)}, not {fields_['bonus']!r}.")
    points = check_whole_number(f"{where}: points", fields_["points"], 0, MAX_NUMBER)
    return level, fields_["bonus"], points, _read_gems(f"{where}: cost", fields_["cost"], COLORS)


def _read_noble(where: str, row: object) -> Noble:
    fields_ = _read_fields(where, row, ("points", "cost"))
    points = check_whole_number(f"{where}: points", fields_["points"], 0, MAX_NUMBER)
    cost = _read_gems(f"{where}: cost", fields_["cost"], COLORS)
    if not noble_name(cost):
        raise ValueError(f"{where}: cost asks for nothing; a noble asks for at least one bonus.")
    return Noble(noble_name(cost), points, cost)


def _read_fields(where: str, row: object, names: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(row, Mapping) or set(row) != set(names):
        raise ValueError(
            f"{where} is a mapping with the fields {quoted(names)}, not {shortened(row)}."
        )
    return row


def _read_gems(where: str, gems: object, letters: tuple[str, ...]) -> Gems:
    """Read a number for each letter; what is left out is 0."""
    if not isinstance(gems, Mapping) or not set(gems) <= set(letters):
        raise ValueError(
            f"{where} is a mapping of {quoted(letters)} to numbers, not {shortened(gems)}."
        )
    return Gems(check_whole_number(f"{where}: {x}", gems.get(x, 0), 0, MAX_NUMBER) for x in letters)


def _read_tokens(tokens: object) -> Gems:
    if isinstance(tokens, Mapping) and set(tokens) < set(GEMS):
        raise ValueError(f"tokens has a number for each of {quoted(GEMS)}: {shortened(tokens)}.")
    return _read_gems("tokens", tokens, GEMS)


def _refuse_doubles(names: list[str]) -> None:
    for number, name in enumerate(names):
        if (first := names.index(name)) < number:
            raise ValueError(
                f"nobles[{number}] asks for the colors {name}, as nobles[{first}] does; "
                "two nobles of one color set cannot be told apart by name."
            )


def _card_dict(card: Card) -> dict[str, Any]:
    cost = dict(card.cost)
    return {"level": card.level, "bonus": card.bonus, "points": card.points, "cost": cost}


def _noble_dict(noble: Noble) -> dict[str, Any]:
    return {"points": noble.points, "cost": dict(noble.cost)}
