"""The rules: the actions of a turn [R7] to [R12]."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import pytest
from positions import (
    COLORS,
    bonus_cards,
    card,
    components,
    deadlock,
    first_cards,
    letters,
    of_kind,
    play,
    position,
)

from splendor_nb import IllegalActionError, SplendorError, State, new_game

THREES = [f"take {''.join(gems)}" for gems in combinations(COLORS, 3)]


def held(state: State, seat: int = 0) -> str:
    """The tokens of a seat as letters."""
    return letters(state.seats[seat].tokens)


def names(cards: Iterable[Any]) -> list[str]:
    """The names of some cards."""
    return [shown.name for shown in cards]


def refused(state: State, action: str) -> str:
    """The reason for which an action is illegal, once `apply` has refused it."""
    with pytest.raises(IllegalActionError):
        state.apply(action)
    reason = state.why_illegal(action)
    assert reason
    return reason


# --- take three


def test_R7_any_three_of_five_colors() -> None:
    assert of_kind(new_game(players=2, seed=1), "take")[:10] == THREES


def test_R7_moves_one_gem_of_each_color() -> None:
    state = play(new_game(players=2, seed=1), "take WGK")
    assert held(state) == "WGK"
    assert letters(state.bank) == "WWWUUUUGGGRRRRKKK*****"


def test_R7_single_gems_suffice() -> None:
    state = position(tokens=["WWWUUU", "GGGRRRKKK"])
    assert of_kind(state, "take") == THREES


def test_R7_with_three_colors_left_all_three_are_taken() -> None:
    state = position(tokens=["WWWW", "RRRR"])
    assert of_kind(state, "take") == ["take UGK", "take UU", "take GG", "take KK"]


@pytest.mark.parametrize("fewer", ["take UG", "take U"])
def test_R7_fewer_than_three_are_illegal_while_three_colors_are_left(fewer: str) -> None:
    refused(position(tokens=["WWWW", "RRRR"]), fewer)


def test_R7_with_two_colors_left_one_of_each() -> None:
    state = position(tokens=["WWWWUUUU", "GGGGRKK"])
    assert of_kind(state, "take") == ["take RK"]
    assert held(play(state, "take RK")) == "WWWWUUUURK"


def test_R7_with_one_color_left_one_gem() -> None:
    state = position(tokens=["WWWWUUUUK", "GGGGRRRR"])
    assert of_kind(state, "take") == ["take K"]
    refused(state, "take WK")


def test_R7_with_no_gem_left_nothing_can_be_taken() -> None:
    state = position(tokens=["WWWWUUUUGG", "GGRRRRKKKK"])
    assert of_kind(state, "take") == []
    assert state.bank["*"] == 5


def test_R7_an_empty_pile_cannot_be_taken_from() -> None:
    state = position(tokens=["WWWW"])
    assert of_kind(state, "take")[:4] == ["take UGR", "take UGK", "take URK", "take GRK"]
    refused(state, "take WUG")


def test_R7_a_player_with_ten_tokens_may_take() -> None:
    assert of_kind(position(tokens=["WWUUGGRRK*"]), "take")[:10] == THREES


# --- take two


def test_R8_two_alike_from_a_pile_of_four() -> None:
    state = play(new_game(players=2, seed=1), "take GG")
    assert held(state) == "GG"
    assert state.bank["G"] == 2


def test_R8_a_pile_of_three_is_too_small() -> None:
    state = position(tokens=["", "G"])
    assert of_kind(state, "take")[10:] == ["take WW", "take UU", "take RR", "take KK"]
    refused(state, "take GG")


def test_R8_four_are_counted_before_taking() -> None:
    state = play(new_game(players=3, seed=1), "take GG")
    assert state.bank["G"] == 3
    refused(state, "take GG")
    state = play(new_game(players=4, seed=1), "take GG", "take WUR")
    assert state.bank["G"] == 5
    assert play(state, "take GG").bank["G"] == 3


def test_R8_two_alike_from_the_only_color_left() -> None:
    state = position(tokens=["WWWWUUUU", "GGGGRRRR"])
    assert of_kind(state, "take") == ["take K", "take KK"]


def test_R8_never_two_alike_and_another() -> None:
    for text in ("take WWU", "take WWUU", "take WWW"):
        with pytest.raises(SplendorError):
            new_game(players=2, seed=1).apply(text)


def test_R8_gold_is_never_taken_two_by_two() -> None:
    with pytest.raises(SplendorError):
        new_game(players=2, seed=1).apply("take **")


# --- reserve


def test_R9_an_open_card_brings_one_gold() -> None:
    state = play(position(market="2U5"), "reserve 2U5")
    assert names(state.seats[0].reserved) == ["2U5"]
    assert held(state) == "*"
    assert state.bank["*"] == 4


def test_R9_the_top_card_of_a_deck_brings_one_gold() -> None:
    state = play(position(decks="2G3 2G4"), "reserve L2")
    assert names(state.seats[0].reserved) == ["2G3"]
    assert held(state) == "*"
    assert list(state.deck_sizes) == [36, 25, 16]


def test_R9_an_open_card_is_known_and_a_deck_card_is_not() -> None:
    state = play(position(market="2U5", decks="1K2"), "reserve 2U5", "take WUG", "reserve L1")
    kept = state.to_dict()["seats"][0]["reserved"]
    assert [entry["hidden"] for entry in kept] == [False, True]


def test_R9_without_gold_in_the_bank_it_is_still_legal() -> None:
    state = position(market="2U5", tokens=["", "*****"])
    assert len(of_kind(state, "reserve")) == 15
    state = play(state, "reserve 2U5")
    assert held(state) == ""
    assert names(state.seats[0].reserved) == ["2U5"]


def test_R9_the_last_gold_can_be_had() -> None:
    state = play(position(market="2U5", tokens=["", "****"]), "reserve 2U5")
    assert (held(state), state.bank["*"]) == ("*", 0)


def test_R9_a_third_card_may_be_reserved() -> None:
    assert len(of_kind(position(reserved=["3U1 ?3U2"]), "reserve")) == 15


def test_R9_a_fourth_card_may_not() -> None:
    state = position(reserved=["3U1 3U2 ?3U3"], market="2U5")
    assert of_kind(state, "reserve") == []
    assert "R9" in refused(state, "reserve 2U5")
    assert "R9" in refused(state, "reserve L1")


def test_R9_other_players_reserves_do_not_count() -> None:
    assert len(of_kind(position(reserved=["", "3U1 3U2 3U3"]), "reserve")) == 15


def test_R9_only_open_cards_can_be_named() -> None:
    state = position(market="2U5", decks="2U6", bought=["1W1"], reserved=["2G1", "2G2"])
    for hidden in ("2U6", "1W1", "2G1", "2G2"):
        refused(state, f"reserve {hidden}")


def test_R9_a_reserved_card_stays_until_it_is_bought() -> None:
    state = position(reserved=["1W4"], tokens=["UUKK"])
    state = play(state, "take WUG", "take WUG")
    assert names(state.seats[0].reserved) == ["1W4"]
    state = play(state, "buy 1W4")
    assert names(state.seats[0].reserved) == []
    assert names(state.seats[0].bought) == ["1W4"]


def test_R9_nobody_else_can_buy_a_reserved_card() -> None:
    refused(position(reserved=["", "1W4"], tokens=["UUKK"]), "buy 1W4")


# --- buy


def test_R10_an_open_card_for_its_cost() -> None:
    state = play(position(market="1W4", tokens=["UUUKK"]), "buy 1W4")
    assert held(state) == "U"
    assert names(state.seats[0].bought) == ["1W4"]


def test_R10_all_that_is_paid_goes_to_the_bank() -> None:
    state = play(position(market="1W4", tokens=["UUK*", "KK"]), "buy 1W4")
    assert letters(state.bank) == "WWWWUUUUGGGGRRRRKK*****"


def test_R10_one_token_short_is_too_little() -> None:
    state = position(market="1W4", tokens=["UUK"])
    assert "buy 1W4" not in of_kind(state, "buy")
    refused(state, "buy 1W4")


def test_R10_gems_of_other_colors_do_not_help() -> None:
    refused(position(market="1W4", tokens=["UUKWGR"]), "buy 1W4")


def test_R10_bonuses_lower_the_price() -> None:
    state = play(position(market="1W4", bought=bonus_cards("UK"), tokens=["UK"]), "buy 1W4")
    assert held(state) == ""


def test_R10_bonuses_are_not_used_up() -> None:
    state = position(market="1W4 1G3", bought=bonus_cards("UUKKWWRR"))
    state = play(state, "buy 1W4", "take WUG", "buy 1G3")
    assert names(state.seats[0].bought)[-2:] == ["1W4", "1G3"]


def test_R10_a_price_is_never_below_zero() -> None:
    state = position(market="1W4", bought=bonus_cards("UUUUUK"), tokens=["WK"])
    state = play(state, "buy 1W4")
    assert held(state) == "W"


def test_R10_bonuses_of_one_color_do_not_pay_for_another() -> None:
    refused(position(market="1W4", bought=bonus_cards("UUUUUUK")), "buy 1W4")


def test_R10_gold_pays_for_any_missing_color() -> None:
    state = play(position(market="1W4", tokens=["UK***"]), "buy 1W4")
    assert held(state) == "*"


def test_R10_gold_alone_can_pay() -> None:
    state = play(position(market="1W4", tokens=["****"]), "buy 1W4")
    assert (held(state), state.bank["*"]) == ("", 5)


def test_R10_one_gold_short_is_too_little() -> None:
    refused(position(market="1W4", tokens=["***"]), "buy 1W4")


def test_R10_gems_are_spent_before_gold() -> None:
    state = play(position(market="1W4", tokens=["UUKK**"]), "buy 1W4")
    assert held(state) == "**"


def test_R10_a_card_from_the_own_reserve() -> None:
    state = position(reserved=["3U1 ?1W4 3U2"], tokens=["UUKK"])
    assert of_kind(state, "buy") == ["buy 1W4"]
    state = play(state, "buy 1W4")
    assert names(state.seats[0].reserved) == ["3U1", "3U2"]
    assert names(state.seats[0].bought) == ["1W4"]


def test_R10_a_bought_card_gives_points_and_a_bonus() -> None:
    state = play(position(market="2U6", tokens=["UUUU**"]), "buy 2U6")
    assert state.seats[0].points == 3
    assert state.seats[0].bonuses["U"] == 1


def test_R10_points_and_bonuses_add_up() -> None:
    seat = position(bought=["2U6 2W6 3W1 1W1"]).seats[0]
    assert seat.points == sum(card(name)["points"] for name in ("2U6", "2W6", "3W1", "1W1"))
    assert dict(seat.bonuses) == {"W": 3, "U": 1, "G": 0, "R": 0, "K": 0}


def test_R10_reserved_cards_give_neither_points_nor_bonuses() -> None:
    seat = position(reserved=["2U6 ?2W6"]).seats[0]
    assert (seat.points, sum(seat.bonuses.values())) == (0, 0)


def test_R10_buys_are_listed_by_level_and_slot_then_the_reserve() -> None:
    state = position(
        players=4,
        market="1G7 1W4 1K2 1W6 2W6 2W3 2U6 2G6",
        reserved=["3K2 1R7 ?1U1"],
        tokens=["RRRRR*****"],
    )
    assert of_kind(state, "buy") == [
        *("buy 1G7", "buy 1W4", "buy 1K2", "buy 1W6", "buy 2W3"),
        *("buy 3K2", "buy 1R7", "buy 1U1"),
    ]


def test_R10_with_nothing_nothing_is_affordable() -> None:
    assert of_kind(new_game(players=2, seed=1), "buy") == []


# --- passing


def test_R11_no_passing_at_the_start() -> None:
    refused(new_game(players=2, seed=1), "pass")


def test_R11_pass_is_all_that_is_left_when_nothing_else_is_legal() -> None:
    state = position(**deadlock())
    assert [str(action) for action in state.legal_actions()] == ["pass"]


def test_R11_a_forced_pass_is_a_decision_of_its_own() -> None:
    state = play(position(**deadlock()), "pass")
    assert (state.current_player, state.turn) == (1, 21)


@pytest.mark.parametrize(
    ("change", "legal"),
    [
        ({"tokens": ["WWWWUUUUGG", "GGRRRRKKK"]}, ["take K"]),
        ({"tokens": ["WWWWUUUUG*", "GGRRRRKKKK"], "reserved": ["1W4", "3G1"]}, None),
        ({"reserved": ["3U1 3U2 2U6", "3G1"], "bought": bonus_cards("UU")}, ["buy 2U6"]),
    ],
)
def test_R11_no_pass_while_something_is_legal(
    change: dict[str, Any], legal: list[str] | None
) -> None:
    state = position(**deadlock(**change))
    found = [str(action) for action in state.legal_actions()]
    assert "pass" not in found
    assert found
    if legal:
        assert found == legal
    refused(state, "pass")


def test_R11_a_full_reserve_and_a_bank_of_gold_alone_force_a_pass() -> None:
    state = position(**deadlock())
    assert letters(state.bank) == "*****"
    refused(state, "reserve L1")


# --- refill


def test_R12_a_bought_card_is_replaced_in_its_slot() -> None:
    state = position(market="1W1 1W4 1W2 1W3", decks="1K1", tokens=["UUKK"])
    assert names(play(state, "buy 1W4").market[0]) == ["1W1", "1K1", "1W2", "1W3"]


def test_R12_a_reserved_card_is_replaced_in_its_slot() -> None:
    state = position(market="2W1 2W2 2W3 2W4", decks="2K1")
    state = play(state, "reserve 2W4")
    assert names(state.market[1]) == ["2W1", "2W2", "2W3", "2K1"]
    assert list(state.deck_sizes) == [36, 25, 16]


def test_R12_the_refill_comes_before_returning() -> None:
    state = position(market="1W1 1W2 1W3 1W4", decks="1K1", tokens=["WWUUGGRRKK"])
    state = play(state, "reserve 1W2")
    assert state.phase == "return"
    assert names(state.market[0]) == ["1W1", "1K1", "1W3", "1W4"]


def test_R12_the_refill_comes_before_the_choice_of_a_noble() -> None:
    state = position(
        market="1W1 1W2 1W3 1W4",
        decks="1K1",
        nobles="WU WUG RK",
        bought=["1W5 1W6 1W7 1U1 1U2 1U3 1U4 1G1 1G2 1G3"],
        tokens=["KK"],
    )
    state = play(state, "buy 1W4")
    assert state.phase == "noble"
    assert names(state.market[0]) == ["1W1", "1W2", "1W3", "1K1"]


def test_R12_an_empty_deck_leaves_the_slot_empty() -> None:
    state = position(parts=components(cards=first_cards(5, 4, 4)), market="1W4", tokens=["UUKK"])
    assert list(state.deck_sizes) == [1, 0, 0]
    state = play(state, "buy 1W4", "reserve 1W1")
    row = state.to_dict()["market"][0]
    assert row == [4, None, 1, 2]


def test_R12_an_empty_slot_offers_nothing() -> None:
    state = position(parts=components(cards=first_cards(4, 4, 4)), market="1W1 1W2 1W3 1W4")
    state = play(state, "reserve 1W2")
    assert state.market[0][1] is None
    assert of_kind(state, "reserve")[:3] == ["reserve 1W1", "reserve 1W3", "reserve 1W4"]
    assert of_kind(state, "reserve")[3:] == [f"reserve 2W{number}" for number in range(1, 5)] + [
        f"reserve 3W{number}" for number in range(1, 5)
    ]


def test_R12_no_unseen_reserve_from_an_empty_deck() -> None:
    state = position(parts=components(cards=first_cards(5, 4, 6)))
    assert of_kind(state, "reserve")[-2:] == ["reserve L1", "reserve L3"]
    refused(state, "reserve L2")


def test_R12_a_card_from_the_reserve_refills_nothing() -> None:
    state = position(market="1W1 1W2 1W3 1W5", reserved=["1W4"], tokens=["UUKK"])
    after = play(state, "buy 1W4")
    assert after.market == state.market
    assert list(after.deck_sizes) == list(state.deck_sizes)


def test_R12_an_unseen_reserve_refills_nothing() -> None:
    state = position()
    after = play(state, "reserve L3")
    assert after.market == state.market
    assert list(after.deck_sizes) == [36, 26, 15]


def test_R12_an_empty_slot_stays_empty() -> None:
    state = position(parts=components(cards=first_cards(4, 5, 4)), market="1W1 1W2 1W3 1W4")
    state = play(state, "reserve 1W2", "reserve 2W1", "take WUG")
    assert [shown is None for shown in state.market[0]] == [False, True, False, False]
