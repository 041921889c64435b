"""Rule options: each value of each, and the sets of them."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from positions import (
    COLORS,
    STANDARD,
    bonus_cards,
    letters,
    of_kind,
    play,
    position,
)

from splendor_nb import IllegalActionError, State, new_game


def rules(**arguments: Any) -> dict[str, Any]:
    """The options that a new game is played with."""
    return dict(new_game(players=2, seed=1, **arguments).to_dict()["rules"])


def legal(state: State) -> list[str]:
    """The legal actions as text."""
    return [str(action) for action in state.legal_actions()]


# --- the options as a whole


def test_standard_rules_are_all_defaults() -> None:
    assert rules() == rules(rules="standard") == STANDARD


def test_options_stand_in_the_documented_order() -> None:
    assert list(rules(target=9)) == list(STANDARD)


def test_uzbek_sundanese_rules_have_gold_for_four_only_and_no_tie_break() -> None:
    assert rules(rules="uzbek_sundanese") == STANDARD | {"gold": "four_only", "tie_break": "none"}


def test_options_beside_a_set_override_it() -> None:
    found = rules(rules="uzbek_sundanese", gold="always", target=10)
    assert found == STANDARD | {"tie_break": "none", "target": 10}


def test_rules_may_be_a_mapping_of_options() -> None:
    assert rules(rules={"target": 8, "gold": "four_only"}, target=9) == STANDARD | {
        "target": 9,
        "gold": "four_only",
    }
    assert rules(rules=STANDARD) == STANDARD


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("gold", "always"),
        ("gold", "four_only"),
        ("take_fewer", "forced"),
        ("take_fewer", "free"),
        ("payment", "gems_first"),
        ("payment", "choose"),
        ("tie_break", "fewest_cards"),
        ("tie_break", "none"),
        ("unseen_reserve", "on"),
        ("unseen_reserve", "off"),
        ("target", 1),
        ("target", 15),
        ("turn_limit", 1),
        ("turn_limit", 1_000_000),
    ],
)
def test_each_value_of_each_option_is_kept(option: str, value: object) -> None:
    assert rules(**{option: value}) == STANDARD | {option: value}


@pytest.mark.parametrize(
    ("option", "value", "hint"),
    [
        ("gold", "never", "four_only"),
        ("gold", True, "four_only"),
        ("take_fewer", "Free", "forced"),
        ("payment", None, "gems_first"),
        ("tie_break", "cards", "fewest_cards"),
        ("unseen_reserve", "yes", "off"),
        ("unseen_reserve", False, "off"),
        ("target", 0, "15"),
        ("target", 16, "15"),
        ("target", True, "15"),
        ("target", 10.0, "15"),
        ("target", "15", "15"),
        ("turn_limit", 0, "1"),
        ("turn_limit", -5, "1"),
        ("turn_limit", 2.5, "1"),
        ("turn_limit", True, "1"),
        ("turn_limit", None, "1"),
    ],
    ids=str,
)
def test_a_value_outside_is_refused_and_the_values_are_named(
    option: str, value: object, hint: str
) -> None:
    with pytest.raises((ValueError, TypeError), match=option) as caught:
        new_game(players=2, seed=1, **{option: value})
    assert hint in str(caught.value)


def test_an_unknown_option_is_refused_by_name() -> None:
    with pytest.raises((ValueError, TypeError), match="joker"):
        new_game(players=2, seed=1, joker="always")


@pytest.mark.parametrize("name", ["house", "Standard", "", None, 3])
def test_an_unknown_set_of_rules_is_refused_and_the_sets_are_named(name: object) -> None:
    with pytest.raises((ValueError, TypeError), match="uzbek_sundanese"):
        new_game(players=2, seed=1, rules=name)


# --- gold


@pytest.mark.parametrize(("players", "gold"), [(2, 0), (3, 0), (4, 5)])
def test_gold_four_only(players: int, gold: int) -> None:
    assert new_game(players=players, seed=1, gold="four_only").bank["*"] == gold


def test_gold_four_only_reserves_bring_no_gold() -> None:
    state = play(new_game(players=3, seed=1, gold="four_only"), "reserve L1")
    assert letters(state.seats[0].tokens) == ""
    assert len(state.seats[0].reserved) == 1


# --- take_fewer


def test_take_free_lists_threes_pairs_ones_and_two_alike() -> None:
    state = new_game(players=2, seed=1, take_fewer="free")
    different = [f"take {''.join(c)}" for n in (3, 2, 1) for c in combinations(COLORS, n)]
    assert of_kind(state, "take") == different + [f"take {color * 2}" for color in COLORS]


def test_take_free_moves_what_is_named() -> None:
    state = new_game(players=2, seed=1, take_fewer="free")
    assert letters(play(state, "take UK").seats[0].tokens) == "UK"
    assert letters(play(state, "take G").seats[0].tokens) == "G"


def test_take_free_with_two_colors_left() -> None:
    state = position(tokens=["WWWWUUUU", "GGGGR"], take_fewer="free")
    assert of_kind(state, "take") == ["take RK", "take R", "take K", "take KK"]


def test_take_free_with_no_gem_left() -> None:
    state = position(tokens=["WWWWUUUUGG", "GGRRRRKKKK"], take_fewer="free")
    assert of_kind(state, "take") == []


# --- payment


def payer(tokens: str = "UUKK**", bought: str = "", market: str = "1W4", **options: Any) -> State:
    """A buyer of 1W4, which costs two blue and two black."""
    return position(
        tokens=[tokens], bought=[bought], market=market, **({"payment": "choose"} | options)
    )


def test_payment_choose_opens_a_phase_of_its_own() -> None:
    state = play(payer(), "buy 1W4")
    assert (state.phase, state.current_player, state.turn) == ("pay", 0, 20)
    assert state.to_dict()["paying"] == {"card": 3, "gold": ""}
    assert legal(state) == ["gold U", "gold K", "pay"]


def test_payment_choose_moves_nothing_before_it_is_settled() -> None:
    before, after = payer(), play(payer(), "buy 1W4", "gold U")
    assert after.bank == before.bank
    assert after.market == before.market
    assert after.seats[0].tokens == before.seats[0].tokens
    assert list(after.seats[0].bought) == []


def test_payment_choose_may_spend_no_gold() -> None:
    state = play(payer(), "buy 1W4", "pay")
    assert letters(state.seats[0].tokens) == "**"
    assert (state.phase, state.current_player) == ("main", 1)


def test_payment_choose_gold_in_place_of_a_gem() -> None:
    state = play(payer(), "buy 1W4", "gold U", "pay")
    assert letters(state.seats[0].tokens) == "U*"
    assert letters(state.bank) == "WWWWUUUGGGGRRRRKKKK****"


def test_payment_choose_color_by_color() -> None:
    state = play(payer(), "buy 1W4", "gold U", "gold K", "pay")
    assert letters(state.seats[0].tokens) == "UK"


def test_payment_choose_letters_only_forward() -> None:
    state = play(payer("UUKK***"), "buy 1W4", "gold K")
    assert legal(state) == ["gold K", "pay"]
    with pytest.raises(IllegalActionError):
        state.apply("gold U")


def test_payment_choose_not_more_than_is_due() -> None:
    state = play(payer("UUUK***"), "buy 1W4", "gold U", "gold U")
    assert legal(state) == ["pay"]
    state = play(payer("UUUKK***"), "buy 1W4", "gold U", "gold U")
    assert legal(state) == ["gold K", "pay"]


def test_payment_choose_not_more_than_is_held() -> None:
    state = play(payer("UKK***"), "buy 1W4", "gold U")
    assert legal(state) == ["gold K", "pay"]


def test_payment_choose_not_more_gold_than_is_spare() -> None:
    state = play(payer("UKK**"), "buy 1W4")
    assert legal(state) == ["gold U", "gold K", "pay"]
    assert legal(play(state, "gold K")) == ["pay"]


def test_payment_choose_adds_the_gold_that_is_missing_anyway() -> None:
    state = play(payer("UKK***"), "buy 1W4", "gold K", "pay")
    assert letters(state.seats[0].tokens) == "K*"


def test_payment_choose_counts_bonuses_first() -> None:
    state = play(payer("UUKK**", bonus_cards("UU")[0]), "buy 1W4")
    assert legal(state) == ["gold K", "pay"]


@pytest.mark.parametrize(
    ("tokens", "bought"),
    [("UUKK", ""), ("UK**", ""), ("****", ""), ("*****", ""), ("**", "1U1 1U2 1K1 1K2")],
)
def test_payment_choose_settles_at_once_where_there_is_no_choice(tokens: str, bought: str) -> None:
    state = play(payer(tokens, bought), "buy 1W4")
    assert (state.phase, state.current_player) == ("main", 1)
    assert state.seats[0].bought[-1].name == "1W4"


def test_payment_choose_offers_nothing_else_than_paying() -> None:
    state = play(payer(), "buy 1W4")
    for action in ("take WUG", "buy 1W4", "reserve L1", "pass", "return U", "gold W", "gold R"):
        with pytest.raises(IllegalActionError):
            state.apply(action)


def test_payment_choose_works_from_the_reserve() -> None:
    state = position(tokens=["UUKK*"], reserved=["?1W4"], payment="choose")
    state = play(state, "buy 1W4")
    assert (state.phase, len(state.seats[0].reserved)) == ("pay", 1)
    state = play(state, "gold K", "pay")
    assert letters(state.seats[0].tokens) == "K"
    assert (len(state.seats[0].reserved), state.seats[0].bought[0].name) == (0, "1W4")


def test_payment_choose_refills_when_it_is_settled() -> None:
    state = position(
        market="1W1 1W4", decks="1K1", tokens=["UUKK*"], payment="choose"
    )  # fmt: skip
    state = play(state, "buy 1W4")
    assert state.market[0][1].name == "1W4"
    assert play(state, "pay").market[0][1].name == "1K1"


def test_payment_gems_first_knows_no_paying() -> None:
    state = payer(payment="gems_first")
    for action in ("gold U", "pay"):
        with pytest.raises(IllegalActionError):
            state.apply(action)
    assert play(state, "buy 1W4").phase == "main"


# --- ties, the target, unseen reserves and the limit


def test_tie_break_none_shares_among_those_tied_on_points() -> None:
    bought = ["3W4 3U4 3G4", "3G3 3R4 3K4 1G8", ""]
    state = play(position(3, bought=bought, current=2, tie_break="none"), "take WUG")
    assert state.winners == (0, 1)
    assert list(state.returns()) == [0.5, 0.5, 0]


def test_tie_break_none_still_ranks_by_points() -> None:
    bought = ["3W4 3U4 3G4", "3G3 3R4 3K4 1G8 1K8", ""]
    state = play(position(3, bought=bought, current=2, tie_break="none"), "take WUG")
    assert state.winners == (1,)


@pytest.mark.parametrize("target", range(1, 16))
def test_target_ends_the_game_at_that_many_points(target: int) -> None:
    ladder = [name.format(color) for name in ("1{}8", "2{}1", "2{}2") for color in COLORS]
    for points, end in ((target, "target"), (target - 1, None)):
        bought = ["", " ".join(ladder[:points])]
        state = position(bought=bought, current=1, target=target, nobles="RK UG WU")
        assert state.seats[1].points == points
        assert play(state, "take WUG").end_reason == end


def test_unseen_reserve_off_lists_no_deck() -> None:
    state = new_game(players=2, seed=1, unseen_reserve="off")
    assert [a for a in of_kind(state, "reserve") if a.startswith("reserve L")] == []
    assert len(of_kind(state, "reserve")) == 12


def test_unseen_reserve_off_says_why() -> None:
    state = new_game(players=2, seed=1, unseen_reserve="off")
    with pytest.raises(IllegalActionError):
        state.apply("reserve L2")
    assert state.why_illegal("reserve L2")


def test_turn_limit_ends_a_game() -> None:
    state = new_game(players=2, seed=1, turn_limit=6)
    while not state.is_terminal():
        state = state.apply(state.legal_actions()[0])
    assert (state.end_reason, state.turn) == ("limit", 6)
