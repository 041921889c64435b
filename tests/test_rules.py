"""The rules: components and set-up [R1] to [R6], and the figures to test against."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest
from positions import (
    CARDS,
    COLORS,
    GEMS,
    NOBLE_ID,
    NOBLES,
    bonus_cards,
    card_names,
    noble_names,
    of_kind,
    play,
    position,
)

from splendor_nb import State, new_game

SEATS = pytest.mark.parametrize("players", [2, 3, 4])


def all_tokens(state: State) -> int:
    """Tokens in the bank and at the seats."""
    return sum(state.bank.values()) + sum(sum(s.tokens.values()) for s in state.seats)


# --- components and set-up


@SEATS
def test_R1_two_three_or_four_players(players: int) -> None:
    state = new_game(players=players, seed=1)
    assert state.players == players
    assert len(state.seats) == players


@pytest.mark.parametrize("players", [0, 1, 5, -2, 90])
def test_R1_refuses_any_other_number(players: int) -> None:
    with pytest.raises(ValueError, match=r"2.*4"):
        new_game(players=players, seed=1)


@pytest.mark.parametrize(("players", "gems"), [(2, 4), (3, 5), (4, 7)])
def test_R2_gems_per_color(players: int, gems: int) -> None:
    bank = new_game(players=players, seed=1).bank
    assert [bank[color] for color in COLORS] == [gems] * 5


@SEATS
def test_R3_five_gold_tokens(players: int) -> None:
    assert new_game(players=players, seed=1).bank["*"] == 5


@SEATS
def test_R3_nobody_starts_with_a_token_or_a_card(players: int) -> None:
    for seat in new_game(players=players, seed=1).seats:
        assert dict(seat.tokens) == dict.fromkeys(GEMS, 0)
        assert dict(seat.bonuses) == dict.fromkeys(COLORS, 0)
        assert (seat.points, *seat.bought, *seat.reserved, *seat.nobles) == (0,)


def test_R4_three_levels_of_four_open_cards() -> None:
    state = new_game(players=2, seed=1)
    assert [[card.level for card in row] for row in state.market] == [[1] * 4, [2] * 4, [3] * 4]


def test_R4_decks_hold_the_other_78_cards() -> None:
    assert list(new_game(players=4, seed=1).deck_sizes) == [36, 26, 16]


def test_R4_every_card_is_dealt_once() -> None:
    deal = new_game(players=3, seed=1).to_dict()
    dealt = [card for pile in deal["market"] + deal["decks"] for card in pile]
    assert sorted(dealt) == list(range(90))


def test_R4_each_level_is_shuffled_by_itself() -> None:
    for seed in range(20):
        deal = new_game(players=2, seed=seed).to_dict()
        for level, (row, deck) in enumerate(zip(deal["market"], deal["decks"], strict=True), 1):
            assert {CARDS[card]["level"] for card in row + deck} == {level}
            assert row + deck != sorted(row + deck)


def test_R4_every_card_can_lie_open_first() -> None:
    first = {new_game(players=2, seed=seed).market[0][0].name for seed in range(400)}
    assert len(first) == 40


@SEATS
def test_R5_players_and_one_nobles_are_shown(players: int) -> None:
    nobles = [noble.name for noble in new_game(players=players, seed=1).nobles]
    assert len(set(nobles)) == len(nobles) == players + 1


def test_R5_each_noble_is_shown_in_some_game() -> None:
    shown = {n.name for seed in range(60) for n in new_game(players=2, seed=seed).nobles}
    assert shown == set(NOBLE_ID)


def test_R5_the_other_nobles_leave_the_game() -> None:
    state = position(nobles="RK GRK GR", bought=bonus_cards("WWWWUUUU"))
    assert [n.name for n in play(state, "take WUG").nobles] == ["RK", "GRK", "GR"]


@SEATS
def test_R6_seats_act_in_seat_order(players: int) -> None:
    state, order = new_game(players=players, seed=1), []
    for _ in range(2 * players):
        order.append(state.current_player)
        state = state.apply(of_kind(state, "take")[0])
    assert order == 2 * list(range(players))


def test_R6_another_seat_may_begin() -> None:
    state, order = new_game(players=3, seed=1, first_player=2), []
    for _ in range(4):
        order.append(state.current_player)
        state = state.apply(of_kind(state, "take")[0])
    assert order == [2, 0, 1, 2]


def test_R6_the_first_player_may_be_drawn() -> None:
    games = [new_game(players=4, seed=seed, first_player="random") for seed in range(60)]
    assert {game.current_player for game in games} == {0, 1, 2, 3}
    assert all(game.to_dict()["first_player"] == game.current_player for game in games)


def test_R6_drawing_the_first_player_leaves_the_deal_alone() -> None:
    for seed in range(10):
        drawn = new_game(players=3, seed=seed, first_player="random").to_dict()
        fixed = new_game(players=3, seed=seed).to_dict()
        assert [drawn[k] for k in ("market", "decks", "nobles")] == [
            fixed[k] for k in ("market", "decks", "nobles")
        ]


# --- figures to test against


@SEATS
def test_figures_thirty_first_actions(players: int) -> None:
    state = new_game(players=players, seed=1)
    takes, reserves = of_kind(state, "take"), of_kind(state, "reserve")
    assert [len(set(take.removeprefix("take "))) for take in takes] == [3] * 10 + [1] * 5
    assert [name.startswith("reserve L") for name in reserves] == [False] * 12 + [True] * 3
    assert len(state.legal_actions()) == 30


@SEATS
def test_figures_45_first_actions_when_fewer_may_be_taken(players: int) -> None:
    assert len(new_game(players=players, seed=1, take_fewer="free").legal_actions()) == 45


@SEATS
def test_figures_27_first_actions_without_unseen_reserves(players: int) -> None:
    assert len(new_game(players=players, seed=1, unseen_reserve="off").legal_actions()) == 27


@pytest.mark.parametrize(("players", "tokens"), [(2, 25), (3, 30), (4, 40)])
def test_figures_tokens_in_all(players: int, tokens: int) -> None:
    assert all_tokens(new_game(players=players, seed=1)) == tokens


@pytest.mark.parametrize(("players", "tokens"), [(2, 20), (3, 25), (4, 40)])
def test_figures_tokens_in_all_with_gold_for_four_only(players: int, tokens: int) -> None:
    assert all_tokens(new_game(players=players, seed=1, gold="four_only")) == tokens


@cache
def dealt_cards() -> list[Any]:
    """All 90 cards as the engine shows them, collected from many deals in the order of names."""
    deals = [new_game(players=2, seed=seed).market for seed in range(300)]
    seen = {card.name: card for market in deals for row in market for card in row}
    return [seen[name] for name in card_names(CARDS)]


@cache
def dealt_nobles() -> dict[str, Any]:
    """All ten nobles as the engine shows them."""
    return {n.name: n for seed in range(60) for n in new_game(players=4, seed=seed).nobles}


@pytest.mark.parametrize(
    ("level", "number", "points", "paid"), [(1, 8, 5, 33), (2, 6, 55, 41), (3, 4, 80, 43)]
)
def test_figures_of_the_cards(level: int, number: int, points: int, paid: int) -> None:
    cards = [card for card in dealt_cards() if card.level == level]
    assert Counter(card.bonus for card in cards) == dict.fromkeys(COLORS, number)
    assert sum(card.points for card in cards) == points
    assert [sum(card.cost[c] for card in cards) for c in COLORS] == [paid] * 5


def test_figures_all_90_cards_are_distinct() -> None:
    looks = {(c.level, c.bonus, c.points, tuple(c.cost.items())) for c in dealt_cards()}
    assert len(looks) == 90


def test_the_engine_shows_the_cards_of_the_table() -> None:
    for name, row, card in zip(card_names(CARDS), CARDS, dealt_cards(), strict=True):
        assert (card.name, card.level, card.bonus) == (name, row["level"], row["bonus"])
        assert (card.points, dict(card.cost)) == (row["points"], row["cost"])


def test_the_engine_shows_the_nobles_of_the_table() -> None:
    for name, row in zip(noble_names(NOBLES), NOBLES, strict=True):
        noble = dealt_nobles()[name]
        assert (noble.points, dict(noble.cost)) == (3, row["cost"])
        assert noble.title


def test_figures_of_the_nobles_on_the_ring() -> None:
    neighbors = [{COLORS[i], COLORS[(i + 1) % 5]} for i in range(5)]
    runs = [{COLORS[(i + step) % 5] for step in range(3)} for i in range(5)]
    asked = [{c: n for c, n in noble.cost.items() if n} for noble in dealt_nobles().values()]
    pairs = [set(ask) for ask in asked if sorted(ask.values()) == [4, 4]]
    triples = [set(ask) for ask in asked if sorted(ask.values()) == [3, 3, 3]]
    assert sorted(map(sorted, pairs)) == sorted(map(sorted, neighbors))
    assert sorted(map(sorted, triples)) == sorted(map(sorted, runs))


def test_figures_a_second_noble_comes_at_the_end_of_the_next_turn() -> None:
    state = position(bought=bonus_cards("WWWWUUUUGGG"), nobles="WU WUG RK")
    state = play(state, "take WUG", "noble WUG", "take WUG", "take WUR")
    assert [noble.name for noble in state.seats[0].nobles] == ["WUG", "WU"]
    assert [noble.name for noble in state.nobles] == ["RK"]


def test_figures_fewest_cards_win_15_15_8_with_10_12_4_cards() -> None:
    bought = [
        "3W4 3U4 3W2 1W8 1W1 1W2 1W3 1U1 1U2 1U3",
        "3G4 3R4 3G2 1G8 1G1 1G2 1G3 1R1 1R2 1R3 1K1 1K2",
        "3K4 2W1 2U1 2G1",
    ]
    state = position(3, bought=bought, current=2, nobles="RK WK UG GRK")
    assert [seat.points for seat in state.seats] == [15, 15, 8]
    assert [len(seat.bought) for seat in state.seats] == [10, 12, 4]
    state = state.apply("take WUG")
    assert state.winners == (0,)
    assert list(state.returns()) == [1, 0, 0]
