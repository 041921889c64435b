"""Exact plans for the nobles: against other ways of finding them, and played on the engine."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, permutations, product
from pathlib import Path
from typing import Any

import pytest

from splendor_nb import Card, Noble, RecordError, State, base_cards, base_nobles
from splendor_nb.analysis import noble_plans as plans_module
from splendor_nb.analysis.noble_plans import (
    FILE,
    NoblePlan,
    arranged,
    make_plans,
    noble_plan,
    noble_plans,
    play_plan,
    read_plans,
    tokens_spent,
    write_plans,
)
from splendor_nb.analysis.noble_tokens import Deck, fewest_tokens
from splendor_nb.analysis.noble_turns import (
    SUPPLIES,
    OutOfTimeError,
    TurnPlan,
    capacity,
    card_sets,
    fewest_turns,
    play_set,
)
from splendor_nb.analysis.takes import fewest_takes
from splendor_nb.engine.cards import data_folder

COLORS = "WUGRK"
SHIPPED = noble_plans()


def wanted(letters: str) -> dict[str, int]:
    return {color: letters.count(color) for color in COLORS}


def some_cards(*names: str) -> list[Card]:
    return [card for card in base_cards() if card.name in names]


def price(card: Card, owned: Counter[str]) -> int:
    return sum(max(0, card.cost[color] - owned[color]) for color in COLORS)


def spent_in_order(cards: tuple[Card, ...]) -> int:
    """The tokens for cards bought in this order, worked out card by card."""
    owned: Counter[str] = Counter()
    spent = 0
    for card in cards:
        spent += price(card, owned)
        owned[card.bonus] += 1
    return spent


def by_trying_all(cards: list[Card], need: dict[str, int], most: int) -> int | None:
    """The fewest tokens, by every order of every set."""
    found = [
        spent_in_order(order)
        for number in range(most + 1)
        for chosen in combinations(cards, number)
        if all(sum(c.bonus == color for c in chosen) >= n for color, n in need.items())
        for order in permutations(chosen)
    ]
    return min(found, default=None)


# -- the shipped file ------------------------------------------------------------------------------


def test_there_is_a_plan_for_every_noble_and_every_question() -> None:
    asked = Counter((plan.question, plan.noble) for plan in SHIPPED)
    for noble in base_nobles():
        floor = sum(noble.cost.values())
        assert asked["tokens", noble.name] == 13 - floor
        assert asked["turns", noble.name] == 3
    assert len(SHIPPED) == 75


def test_known_figures_are_proven() -> None:
    for noble, most_cards, tokens in (("GRK", 11, 7), ("RK", 10, 12)):
        plan = noble_plan(noble, most_cards=most_cards)
        assert (plan.tokens, plan.at_least, plan.status) == (tokens, tokens, "proven")


def test_more_cards_never_cost_more_tokens() -> None:
    for noble in base_nobles():
        tokens = [
            plan.tokens or 0
            for plan in SHIPPED
            if plan.noble == noble.name and plan.question == "tokens"
        ]
        assert tokens == sorted(tokens, reverse=True)


@pytest.mark.parametrize("plan", SHIPPED, ids=lambda p: f"{p.noble}-{p.most_cards}-{p.players}")
def test_every_plan_works_on_the_engine_and_is_what_it_says(plan: NoblePlan) -> None:
    for players in range(plan.players, 5):
        states = play_plan(plan, players)
        end = states[-1]
        assert [noble.name for noble in end.seats[0].nobles] == [plan.noble]
        assert not any(state.seats[0].nobles for state in states[:-1])
        assert (tokens_spent(states), end.turn) == (plan.tokens, players * (plan.turns or 0))
        assert len(end.seats[0].bought) <= (plan.most_cards or 99)
        assert [card.name for card in end.seats[0].bought] == list(plan.cards)
        assert all(sum(seat.tokens.values()) == 0 for seat in end.seats[1:])
        assert State.from_dict(end.to_dict()) == end


def test_the_tokens_of_a_plan_are_those_of_its_cards() -> None:
    cards = {card.name: card for card in base_cards()}
    for plan in SHIPPED:
        assert spent_in_order(tuple(cards[name] for name in plan.cards)) == plan.tokens


def test_the_other_nobles_on_the_table_do_not_come() -> None:
    for plan in SHIPPED:
        owned = Counter(card[1] for card in plan.cards)
        for noble in arranged(plan).nobles:
            comes = all(owned[color] >= noble.cost[color] for color in COLORS)
            assert comes == (noble.name == plan.noble)


@pytest.mark.parametrize("noble", base_nobles(), ids=lambda noble: noble.name)
def test_the_fewest_tokens_are_found_again(noble: Noble) -> None:
    deck = Deck()
    for plan in SHIPPED:
        if plan.noble == noble.name and plan.most_cards:
            found = fewest_tokens(noble.cost, plan.most_cards, deck=deck)
            assert (found.found, found.cards) == (plan.tokens, plan.cards)


@pytest.mark.slow
def test_the_command_makes_the_shipped_file_again(tmp_path: Path) -> None:
    plans_module.main(["--seconds", "900", "--out", str(tmp_path / FILE)])
    assert (tmp_path / FILE).read_bytes() == (data_folder() / FILE).read_bytes()


# -- the fewest tokens -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "letters"),
    [
        (("1W1", "1W6", "1U1", "1U3", "1K2", "1R1"), "WU"),
        (("1W1", "1W2", "1U4", "1G7", "1R1", "1K4"), "WW"),
        (("1G1", "1G3", "1R3", "1R7", "1K2", "2R2", "2G3"), "GR"),
        (("1G8", "1R1", "1R3", "1K1", "1K2", "1K3", "3K1"), "RK"),
        (("2W5", "2W6", "3W2", "3K2", "1W1"), "WWK"),
    ],
)
def test_the_fewest_tokens_are_those_of_trying_every_order(
    names: tuple[str, ...], letters: str
) -> None:
    cards, need = some_cards(*names), wanted(letters)
    for most in range(len(letters), min(len(names), 6) + 1):
        found = fewest_tokens(need, most, deck=Deck(cards))
        assert found.status == "proven"
        assert found.found == by_trying_all(cards, need, most)
        assert len(found.cards) == len(set(found.cards)) <= most


@pytest.mark.parametrize(("name", "most_cards"), [("RK", 8), ("UG", 8), ("WU", 8), ("WUK", 9)])
def test_an_integer_program_finds_the_same_tokens(name: str, most_cards: int) -> None:
    cp_model = pytest.importorskip("ortools.sat.python.cp_model")
    noble = next(noble for noble in base_nobles() if noble.name == name)
    assert (
        by_integer_program(cp_model, noble, most_cards)
        == noble_plan(name, most_cards=most_cards).tokens
    )


def by_integer_program(cp_model: Any, noble: Noble, most_cards: int) -> int:
    """The fewest tokens, with a variable for every card at every step, solved to the end."""
    cards, model, steps = base_cards(), cp_model.CpModel(), range(most_cards)
    buys = [[model.new_bool_var("") for _ in steps] for _ in cards]
    for row in buys:
        model.add_at_most_one(row)
    paid = []
    for step, color in product(steps, COLORS):
        asked = sum(card.cost[color] * row[step] for card, row in zip(cards, buys, strict=True))
        paid.append(model.new_int_var(0, 7, ""))
        model.add(paid[-1] >= asked - owned_before(cards, buys, step, color))
    for step in steps:
        model.add_at_most_one(row[step] for row in buys)
    for color in COLORS:
        model.add(owned_before(cards, buys, most_cards, color) >= noble.cost[color])
    model.minimize(sum(paid))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(model) == cp_model.OPTIMAL
    return round(solver.objective_value)


def owned_before(cards: tuple[Card, ...], buys: list[list[Any]], step: int, color: str) -> Any:
    rows = [row for card, row in zip(cards, buys, strict=True) if card.bonus == color]
    return sum(row[before] for row in rows for before in range(step))


def test_fewer_cards_than_asked_for_are_infeasible() -> None:
    noble = base_nobles()[0]
    assert fewest_tokens(noble.cost, 7).status == "infeasible"
    assert fewest_tokens(noble.cost, 7).at_least is None
    assert fewest_tokens(wanted("WW"), 9, deck=Deck(some_cards("1W1"))).status == "infeasible"
    assert fewest_tokens(wanted(""), 0).found == 0


def test_a_search_out_of_time_leaves_a_bound_and_does_not_call_it_proven() -> None:
    noble = base_nobles()[0]
    cut_short = fewest_tokens(noble.cost, 8, seconds=-1)
    assert (cut_short.status, cut_short.found, cut_short.cards) == ("bound", None, ())
    assert 0 < (cut_short.at_least or 0) <= 16


@pytest.mark.parametrize("most_cards", [True, 8.0, "8", -1])
def test_a_number_of_cards_is_a_whole_number(most_cards: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="most_cards is a whole number from 0"):
        fewest_tokens(wanted("W"), most_cards)


# -- the fewest turns ------------------------------------------------------------------------------


def turns_by_breadth(cards: list[Card], need: dict[str, int], supply: int) -> int:
    """The fewest own turns, by every action of every position, one turn after the other."""
    positions: set[Any] = {(frozenset(), (0,) * 6)}
    for turns in range(20):
        for bought, _ in positions:
            owned = Counter(card.bonus for card in cards if card.name in bought)
            if all(owned[color] >= n for color, n in need.items()):
                return turns
        positions = {after for place in positions for after in turn(cards, place, supply)}
    raise AssertionError("no plan in twenty turns")


def turn(cards: list[Card], place: Any, supply: int) -> Iterator[Any]:
    bought, hand = place
    owned = Counter(card.bonus for card in cards if card.name in bought)
    for card in cards:
        left = [
            held - max(0, card.cost[color] - owned[color])
            for held, color in zip(hand, COLORS, strict=False)
        ]
        gold = hand[5] + sum(min(0, n) for n in left)
        if card.name not in bought and gold >= 0:
            yield bought | {card.name}, (*(max(0, n) for n in left), gold)
    taken: list[tuple[int, ...]] = [
        three for three in combinations(range(5), 3) if all(hand[c] < supply for c in three)
    ]
    taken += [(color, color) for color in range(5) if supply - hand[color] >= 4]
    taken += [(5,)] if hand[5] < 5 else []
    for gems in taken:
        held = tuple(n + gems.count(gem) for gem, n in enumerate(hand))
        for back in combinations_with_replacement(range(6), max(0, sum(held) - 10)):
            kept = tuple(n - back.count(gem) for gem, n in enumerate(held))
            if min(kept) >= 0:
                yield bought, kept


@pytest.mark.parametrize(
    ("names", "letters", "players"),
    [
        (("1W1",), "W", 2),
        (("1W6", "1U1"), "WU", 4),
        (("1G7", "1G8"), "GG", 2),
        (("1K3", "2K6"), "KK", 3),  # where tokens are returned on the way
        (("2R3",), "R", 4),
    ],
)
def test_the_fewest_turns_are_those_of_looking_at_every_position(
    names: tuple[str, ...], letters: str, players: int
) -> None:
    cards = some_cards(*names)
    spare = some_cards("3W1", "3W2", "3W3")  # to be reserved, at most
    found = fewest_turns(wanted(letters), deck=Deck([*cards, *spare]))[players]
    assert found.status == "proven"
    assert found.found == turns_by_breadth(cards, wanted(letters), SUPPLIES[players])


def test_gold_is_taken_where_the_bank_has_too_few() -> None:
    cards = some_cards("2K6", "3W1", "3W2", "3W3")  # the first costs six black
    deck = Deck(cards)
    with_four = play_set(deck, [0], 6, supply=4) or []
    assert sum(action.startswith("reserve") for action in with_four) == 2
    assert play_set(deck, [0], 5, supply=4) is None


def test_what_takes_bring_agrees_with_the_fewest_takes() -> None:
    for cost in product(range(5), repeat=3):
        spent = (*cost, 0, 1)
        fewest = next(takes for takes in range(20) if capacity(spent, takes) >= 0)
        assert fewest == fewest_takes(spent)
        assert capacity(spent, fewest) >= sum(spent)
        assert capacity(spent, 12) <= 36


def test_takes_above_the_limit_of_a_hand_return_tokens() -> None:
    plans = [
        plan for plan in SHIPPED if any(action.startswith("return") for action in plan.actions)
    ]
    assert plans
    for plan in plans:
        own = [action for action in plan.actions if not action.startswith("return")]
        assert len(own) == plan.turns


def test_a_turn_search_out_of_time_says_so_and_leaves_a_bound() -> None:
    with pytest.raises(OutOfTimeError):
        list(card_sets(Deck(), (0, 0, 0, 4, 4), 14, deadline=0.0))
    cut_short = fewest_turns(base_nobles()[0].cost, seconds=-1)[2]
    assert (cut_short.status, cut_short.found) == ("bound", None)
    assert 0 < cut_short.at_least <= 14


def test_a_plan_longer_than_the_bound_is_not_proven() -> None:
    assert TurnPlan(2, ("take WUG", "take WUG", "buy 1W1")).status == "bound"
    assert TurnPlan(3, ("take WUG", "take WUG", "return W", "buy 1W1")).status == "proven"


# -- reading and writing ---------------------------------------------------------------------------


def test_plans_survive_writing_and_reading(tmp_path: Path) -> None:
    open_still = NoblePlan("tokens", "RK", 8, 2, None, None, 12, "bound", ())
    plans = [*SHIPPED, open_still]
    write_plans(tmp_path / FILE, plans)
    assert list(read_plans(tmp_path / FILE)) == plans


@pytest.mark.parametrize(
    ("column", "value", "reason"),
    [
        ("status", "sure", "status is one of 'proven', 'bound', not 'sure'"),
        ("status", "bound", "that is not bound"),
        ("at_least", "15", "found 16, at least 15: that is not proven"),
        ("at_least", "many", "invalid literal"),
        ("noble", "RG", "noble is one of 'RK'"),
        ("question", "luck", "question is one of 'tokens', 'turns'"),
        ("actions", "take RRK", "'take RRK' is no action"),
    ],
)
def test_a_damaged_row_is_refused_with_its_line(
    tmp_path: Path, column: str, value: str, reason: str
) -> None:
    with (data_folder() / FILE).open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    rows[0][column] = value
    with (tmp_path / FILE).open("w", encoding="utf-8", newline="") as lines:
        table = csv.DictWriter(lines, rows[0])
        table.writeheader()
        table.writerows(rows)
    with pytest.raises(RecordError, match=f"{FILE}, line 2: .*{reason}"):
        list(read_plans(tmp_path / FILE))


def test_a_plan_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValueError, match="There is no noble 'XY'; there are 'RK', 'GRK'"):
        noble_plan("XY", players=2)
    with pytest.raises(ValueError, match="most_cards is from 9 to 12, or players from 2 to 4"):
        noble_plan("GRK", most_cards=8)
    with pytest.raises(ValueError, match="most_cards is from 8 to 12"):
        noble_plan("WU")


def test_the_command_marks_what_it_had_no_time_to_settle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(plans_module, "base_nobles", lambda: base_nobles()[:1])
    plans_module.main(["--seconds", "-1", "--out", str(tmp_path / FILE)])
    plans = list(read_plans(tmp_path / FILE))
    assert {plan.status for plan in plans} == {"bound"}
    assert "RK, 8 cards: None tokens, bound" in capsys.readouterr().out


def test_making_plans_yields_tokens_by_cards_then_turns_by_players(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(plans_module, "base_nobles", lambda: base_nobles()[3:4])
    made = list(make_plans(60))
    assert made == [plan for plan in SHIPPED if plan.noble == "UGR"]
