"""Exact plans that earn the nobles with perfect luck: made once, shipped in ``data``, playable.

``python -m splendor_nb.analysis.noble_plans --seconds 600`` makes the file. Each plan is a list of
a player's own turns on a table where every wanted card lies open when it is bought, and where the
other seats never move.
"""

from __future__ import annotations

import argparse
import csv
import functools
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from splendor_nb.analysis.noble_tokens import Deck, fewest_tokens
from splendor_nb.analysis.noble_turns import SUPPLIES, fewest_turns, play_set
from splendor_nb.engine.cards import Noble, base_cards, base_nobles, data_folder
from splendor_nb.engine.errors import RecordError
from splendor_nb.engine.forms import quoted, shortened
from splendor_nb.engine.notation import Action
from splendor_nb.engine.state import State, new_game

FILE: Final = "noble_plans.csv"
MOST_CARDS: Final = 12
TOKENS, TURNS = "tokens", "turns"
STATUSES: Final = ("proven", "bound")


@dataclass(frozen=True, slots=True)
class NoblePlan:
    """What it takes to earn a noble from nothing, with perfect luck.

    Attributes
    ----------
    question
        ``tokens``: the fewest tokens spent, gold counted, with at most `most_cards` purchases.
        ``turns``: the fewest own turns with the bank of so many `players`.
    noble
        Its name.
    most_cards
        The limit of a question for tokens, else `None`.
    players
        Whose bank the plan needs; one for two players works with more.
    tokens, turns
        What the plan spends and how many own turns it takes; `None` without a plan.
    at_least
        No plan does with less of what the question asks for.
    status
        ``proven``: the plan does with just that. ``bound``: whether less is possible is open.
    actions
        The plan in notation; returning tokens belongs to the turn before it.
    """

    question: str
    noble: str
    most_cards: int | None
    players: int
    tokens: int | None
    turns: int | None
    at_least: int
    status: str
    actions: tuple[str, ...]

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards bought, in order."""
        return tuple(action.card or "" for action in map(Action, self.actions) if _buys(action))


# -- the shipped plans -----------------------------------------------------------------------------


@functools.cache
def noble_plans() -> tuple[NoblePlan, ...]:
    """Return the plans that come with the kit.

    Raises
    ------
    RecordError
        Where the file is damaged; the message names the row.

    Examples
    --------
    >>> plan = noble_plan("GRK", most_cards=11)
    >>> plan.tokens, plan.status, len(plan.cards)
    (7, 'proven', 11)
    """
    return tuple(read_plans(data_folder() / FILE))


def noble_plan(
    noble: str, *, most_cards: int | None = None, players: int | None = None
) -> NoblePlan:
    """Return the plan with the fewest tokens, or the fewest own turns, for a noble.

    Parameters
    ----------
    noble
        Its name, ``"GRK"``.
    most_cards
        Asks for the fewest tokens with at most so many purchases.
    players
        Asks for the fewest own turns with the bank of so many players.

    Raises
    ------
    ValueError
        Where there is no such plan; the message says which there are.

    Examples
    --------
    >>> noble_plan("WU", players=2).turns
    13
    """
    of_noble = [plan for plan in noble_plans() if plan.noble == noble]
    if not of_noble:
        names = dict.fromkeys(plan.noble for plan in noble_plans())
        raise ValueError(f"There is no noble {shortened(noble)}; there are {quoted(names)}.")
    for plan in of_noble:
        limit = most_cards if plan.question == TOKENS else players
        if limit is not None and limit == (plan.most_cards or plan.players):
            return plan
    limits = [plan.most_cards for plan in of_noble if plan.most_cards]
    raise ValueError(
        f"For {noble}, most_cards is from {min(limits)} to {max(limits)}, or players from 2 to 4."
    )


def read_plans(path: Path) -> Iterator[NoblePlan]:
    """Yield the plans of a file.

    Raises
    ------
    RecordError
        Where a row is damaged; the message names it.
    """
    with path.open(encoding="utf-8", newline="") as lines:
        for number, row in enumerate(csv.DictReader(lines), start=2):
            try:
                yield _read_plan(row)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise RecordError(f"{path.name}, line {number}: {error}") from None


def write_plans(path: Path, plans: Iterable[NoblePlan]) -> None:
    """Write plans to a file."""
    with path.open("w", encoding="utf-8", newline="") as lines:
        rows = csv.writer(lines, lineterminator="\n")
        rows.writerow(field.name for field in fields(NoblePlan))
        for plan in plans:
            rows.writerow([*astuple(plan)[:-1], "; ".join(plan.actions)])


def _read_plan(row: dict[str, str]) -> NoblePlan:
    most_cards, tokens, turns = (
        int(row[name]) if row[name] else None for name in ("most_cards", "tokens", "turns")
    )
    plan = NoblePlan(
        question=_one_of("question", row["question"], (TOKENS, TURNS)),
        noble=_one_of("noble", row["noble"], [noble.name for noble in base_nobles()]),
        most_cards=most_cards,
        players=int(row["players"]),
        tokens=tokens,
        turns=turns,
        at_least=int(row["at_least"]),
        status=_one_of("status", row["status"], STATUSES),
        actions=tuple(Action(text) for text in filter(None, row["actions"].split("; "))),
    )
    found = tokens if plan.question == TOKENS else turns
    if (found == plan.at_least) != (plan.status == "proven"):
        raise ValueError(f"found {found}, at least {plan.at_least}: that is not {plan.status}.")
    return plan


def _one_of(what: str, value: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise ValueError(f"{what} is one of {quoted(allowed)}, not {shortened(value)}.")
    return value


# -- played on the engine --------------------------------------------------------------------------


def arranged(plan: NoblePlan, players: int | None = None) -> State:
    """Return the start of a game in which luck is perfect for the first seat's plan.

    Each level's cards lie in the order in which the plan buys or reserves them, so that the next
    four are open at any time. Beside the noble lie others, which do not come.

    Parameters
    ----------
    plan
        A plan of `noble_plans`.
    players
        By default those of the plan; more do as well.

    Examples
    --------
    >>> plan = noble_plan("WU", players=2)
    >>> plan.cards[:3], [card.name for card in arranged(plan).market[0]]
    (('1K2', '1W1', '1U4'), ['1K2', '1W1', '1U4', '1U1'])
    """
    start = new_game(players or plan.players, seed=0).to_dict()
    names = [card.name for card in base_cards()]
    first = [names.index(card) for card in map(_card, plan.actions) if card in names]
    for level, deck in enumerate(start["decks"]):
        order = sorted(start["market"][level] + deck, key=_order(first))
        start["market"][level], start["decks"][level] = order[:4], order[4:]
    start["nobles"] = _noble_rows(plan, start["players"] + 1)
    return State.from_dict(start)


def play_plan(plan: NoblePlan, players: int | None = None) -> list[State]:
    """Return the positions of a plan, the start first, then one after each action.

    The rules of the game judge each action. The turns of the other seats pass without an action:
    the clock moves on, nothing else changes.

    Raises
    ------
    IllegalActionError
        Where an action is not allowed.

    Examples
    --------
    >>> states = play_plan(noble_plan("GRK", most_cards=11))
    >>> states[-1].seats[0].nobles
    (<noble GRK: 3 points, asks for 3 green, 3 red and 3 black>,)
    """
    states = [arranged(plan, players)]
    for action in plan.actions:
        states.append(skip_others(states[-1].apply(action)))
    return states


def skip_others(state: State) -> State:
    """Return the position with the first seat to move again, the others' turns passed over."""
    if state.current_player in (None, 0):
        return state
    position = state.numbers()
    position.turn += position.players - 1
    position.current = 0
    return State(position, state.tables)


def tokens_spent(states: Sequence[State]) -> int:
    """Return the tokens that the first seat has paid for cards, gold counted."""
    paid = 0
    for before, after in pairwise(states):
        if len(after.seats[0].bought) > len(before.seats[0].bought):
            paid += sum(before.seats[0].tokens.values()) - sum(after.seats[0].tokens.values())
    return paid


def _card(action: str) -> str | None:
    return Action(action).card


def _buys(action: Action) -> bool:
    return action.kind == "buy"


def _order(first: Sequence[int]) -> Any:
    """Return a key that puts some cards first, in their order, and the others behind."""
    return lambda card: (first.index(card) if card in first else len(first), card)


def _noble_rows(plan: NoblePlan, number: int) -> list[int]:
    """Return the rows of the plan's noble, and of others that do not come."""
    owned = [card.bonus for card in base_cards() if card.name in plan.cards]
    rows = {noble.name: row for row, noble in enumerate(base_nobles())}
    others = [rows[noble.name] for noble in base_nobles() if not _comes(noble, owned)]
    return [rows[plan.noble], *others][:number]


def _comes(noble: Noble, owned: Sequence[str]) -> bool:
    return all(owned.count(color) >= number for color, number in noble.cost.items())


# -- making the file -------------------------------------------------------------------------------


def make_plans(seconds: float) -> Iterator[NoblePlan]:
    """Yield the plans for all nobles: for tokens by number of cards, for turns by players.

    Parameters
    ----------
    seconds
        The time for each number that is tried; what is not settled by then stays a bound.
    """
    deck = Deck()
    for noble in base_nobles():
        for most_cards in range(sum(noble.cost.values()), MOST_CARDS + 1):
            yield _token_plan(deck, noble, most_cards, seconds)
        yield from _turn_plans(deck, noble, seconds)


def _token_plan(deck: Deck, noble: Noble, most_cards: int, seconds: float) -> NoblePlan:
    best = fewest_tokens(noble.cost, most_cards, deck=deck, seconds=seconds)
    actions = _take_and_buy(deck, best.cards)
    return NoblePlan(
        question=TOKENS,
        noble=noble.name,
        most_cards=most_cards,
        players=min(SUPPLIES),
        tokens=best.found,
        turns=_turns(actions),
        at_least=best.at_least or 0,
        status=best.status,
        actions=actions,
    )


def _take_and_buy(deck: Deck, cards: Sequence[str]) -> tuple[str, ...]:
    """Return actions that buy cards in this order, with as few turns as that needs."""
    names = [card.name for card in deck.cards]
    order = [names.index(card) for card in cards]
    turns = len(order)
    while (actions := play_set(deck, order, turns, SUPPLIES[2], in_order=True)) is None:
        turns += 1
    return tuple(actions)


def _turn_plans(deck: Deck, noble: Noble, seconds: float) -> Iterator[NoblePlan]:
    names = [card.name for card in deck.cards]
    for players, best in fewest_turns(noble.cost, deck=deck, seconds=seconds).items():
        bought = [names.index(_card(text) or "") for text in best.actions if _buys(Action(text))]
        yield NoblePlan(
            question=TURNS,
            noble=noble.name,
            most_cards=None,
            players=players,
            tokens=deck.tokens(bought),
            turns=best.found,
            at_least=best.at_least,
            status=best.status,
            actions=best.actions,
        )


def _turns(actions: Sequence[str]) -> int | None:
    return sum(Action(action).kind != "return" for action in actions) or None


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the file of plans; the command line says how long each search may take, and where to."""
    parser = argparse.ArgumentParser(
        prog="python -m splendor_nb.analysis.noble_plans",
        description="Find the cheapest and the shortest plans for all nobles, and write them.",
    )
    parser.add_argument("--seconds", type=float, default=600, help="for each search")
    parser.add_argument("--out", type=Path, default=data_folder() / FILE, help="the file")
    given = parser.parse_args(arguments)
    plans = []
    for plan in make_plans(given.seconds):
        plans.append(plan)
        limit = f"{plan.players} players" if plan.most_cards is None else f"{plan.most_cards} cards"
        found = plan.tokens if plan.question == TOKENS else plan.turns
        sys.stdout.write(f"{plan.noble}, {limit}: {found} {plan.question}, {plan.status}\n")
        sys.stdout.flush()
    write_plans(given.out, plans)


if __name__ == "__main__":
    main()
