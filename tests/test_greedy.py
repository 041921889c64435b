"""Decisions of the agents `greedy` and `random`, worked out by hand from their definitions."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from positions import (
    COLORS,
    bonus_cards,
    card,
    components,
    deadlock,
    new_card,
    play,
    position,
)

from splendor_nb import Rng, State, get_agent, new_game


def decide(state: State, name: str = "greedy", seed: int = 1) -> str:
    """What an agent answers in a position."""
    agent = get_agent(name)
    seat = state.current_player
    assert seat is not None
    return str(agent(state.observation(player=seat), Rng(seed)))


def total(color: str, open_cards: str) -> int:
    """What the open cards ask of one color."""
    return sum(card(name)["cost"][color] for name in open_cards.split())


def table(*rows: str) -> dict[str, Any]:
    """Components with own cards and no nobles: ``"1R WWG 2"`` costs WWG and has two points."""
    cards = []
    for row in rows:
        group, price, points = (*row.split(), "0")[:3]
        cards.append(new_card(int(group[0]), group[1], price.strip("-"), int(points)))
    return components(cards=cards, nobles=[])


# --- buying


def test_greedy_buys_when_it_can() -> None:
    assert decide(position(market="1W4 1U7", tokens=["UUKK"])) == "buy 1W4"


def test_greedy_buys_the_card_with_the_most_points() -> None:
    state = position(market="1W6 2U6", tokens=["UUUU**"])
    assert decide(state) == "buy 2U6"


def test_greedy_counts_a_tenth_of_the_demand_for_the_bonus() -> None:
    # Eleven green in the costs of the open cards outweigh the point of the red card.
    parts = table("1R W 1", "1G W", "2K GGGGGG", "2K GGGGG")
    assert decide(position(parts=parts, tokens=["W"])) == "buy 1G1"


def test_greedy_prefers_the_point_to_a_demand_of_nine() -> None:
    parts = table("1R W 1", "1G W", "2K GGGGG", "2K GGGG")
    assert decide(position(parts=parts, tokens=["W"])) == "buy 1R1"


def test_greedy_ignores_the_demand_of_reserved_cards() -> None:
    parts = table("1R W", "1G W", "2K RR", "3K GGGGGG")
    state = position(parts=parts, tokens=["W"], reserved=["3K1"], market="1G1 1R1")
    assert decide(state) == "buy 1R1"


def test_greedy_breaks_a_tie_by_the_lowest_total_cost() -> None:
    parts = table("1R WWW", "1G WW", "2K GGRR")
    assert decide(position(parts=parts, tokens=["WWW"])) == "buy 1G1"


def test_greedy_ties_by_the_printed_cost_not_by_what_it_pays() -> None:
    parts = table("1K -", "1K -", "1R KKW", "1G WW", "2U GGRR")
    state = position(parts=parts, tokens=["WW"], bought=["1K1 1K2"])
    assert decide(state) == "buy 1G1"


def test_greedy_breaks_a_full_tie_by_list_order() -> None:
    parts = table("1R WW", "1G WW", "2K GGRR")
    assert decide(position(parts=parts, tokens=["WW"], market="1G1 1R1")) == "buy 1G1"
    assert decide(position(parts=parts, tokens=["WW"], market="1R1 1G1")) == "buy 1R1"


def test_greedy_buys_from_its_reserve_too() -> None:
    state = position(market="1W6", reserved=["?2U6"], tokens=["UUUU**"])
    assert decide(state) == "buy 2U6"


@pytest.mark.parametrize("seed", range(5))
def test_greedy_follows_its_formula_in_a_real_market(seed: int) -> None:
    deal = new_game(players=4, seed=seed)
    shown = [c.name for row in deal.market for c in row]
    state = position(4, market=" ".join(shown), tokens=["WWUUGGRRKK"])
    buys = [str(a).split()[1] for a in state.legal_actions() if str(a).startswith("buy")]
    demand = {color: total(color, " ".join(shown)) for color in COLORS}
    rank = [
        (10 * card(n)["points"] + demand[card(n)["bonus"]], -sum(card(n)["cost"].values()))
        for n in buys
    ]
    assert decide(state) == f"buy {buys[rank.index(max(rank))]}"


# --- taking for a target


def test_greedy_takes_what_its_target_misses() -> None:
    # The target is the green card: (3 + 1) / (1 + 3) beats (0 + 1) / (1 + 4).
    parts = table("1R RRRR", "1G UGK 3")
    assert decide(position(parts=parts)) == "take UGK"


def test_greedy_measures_the_target_after_bonuses_and_tokens() -> None:
    # Missing are 1 and 4 of 6 each: 2/2 beats 2/5.
    parts = table("1W -", "1W -", "1W -", "2R UUUUUU 1", "2G WWWWWK 1")
    state = position(parts=parts, bought=["1W1 1W2 1W3"], tokens=["WWUU"])
    assert decide(state) == "take WUK"


@pytest.mark.parametrize(("points", "take"), [(2, "take WUG"), (3, "take WGK")])
def test_greedy_weighs_points_against_missing_gems(points: int, take: str) -> None:
    # (2 + 1) / (1 + 6) is less than (0 + 1) / (1 + 1), and (3 + 1) / (1 + 6) is more.
    parts = table(f"1R KKWWGG {points}", "1G U")
    assert decide(position(parts=parts)) == take


def test_greedy_counts_gold_towards_a_target() -> None:
    # With two gold 1/2 beats 2/5; without them 2/7 would beat 1/4.
    parts = table("1R UGR", "1G WWGGKK 1")
    assert decide(position(parts=parts, tokens=["**"])) == "take UGR"


def test_greedy_breaks_a_tie_of_targets_by_list_order() -> None:
    parts = table("1R GRK", "1G WUG")
    assert decide(position(parts=parts, market="1R1 1G1")) == "take GRK"
    assert decide(position(parts=parts, market="1G1 1R1")) == "take WUG"


def test_greedy_may_aim_at_its_own_reserve() -> None:
    parts = table("1R GRK", "1G WUG 1")
    assert decide(position(parts=parts, reserved=["?1G1"])) == "take WUG"


def test_greedy_does_not_aim_at_the_reserve_of_another() -> None:
    parts = table("1R GRK", "1G WUG 1")
    assert decide(position(parts=parts, reserved=["", "1G1"])) == "take GRK"


def test_greedy_takes_two_alike_when_they_cover_more() -> None:
    parts = table("1R KKKK 1")
    assert decide(position(parts=parts)) == "take KK"


def test_greedy_breaks_a_tie_of_takes_by_list_order() -> None:
    # White and black, or black twice, cover two each: WUK stands first of them.
    parts = table("1R KKW 1")
    assert decide(position(parts=parts)) == "take WUK"


def test_greedy_counts_two_alike_as_two() -> None:
    # White and black, or black twice, cover two each, though three black are missing.
    assert decide(position(parts=table("1R WKKK"))) == "take WUK"


def test_greedy_counts_only_gems_that_are_still_missing() -> None:
    parts = table("1R WWUUKKG 1")
    assert decide(position(parts=parts, tokens=["WWUUK"])) == "take WGK"


@pytest.mark.parametrize("market", ["1G1 1R1", "1R1 1G1"])
@pytest.mark.parametrize("gold", ["", "****"], ids=["all gold", "the last gold"])
def test_greedy_reserves_its_target_when_no_take_helps_and_gold_is_there(
    market: str, gold: str
) -> None:
    parts = table("1R WWWWW 1", "1G WWWWWW")
    state = position(parts=parts, tokens=["W", "WWW" + gold], market=market)
    assert decide(state) == "reserve 1R1"


def test_greedy_takes_the_first_when_no_take_helps_and_no_gold_is_left() -> None:
    parts = table("1R WWWWW 1")
    state = position(parts=parts, tokens=["W", "WWW*****"])
    assert decide(state) == "take UGR"


def test_greedy_takes_the_first_when_its_reserve_is_full() -> None:
    parts = table(*["1R WWWWW 1"] * 4)
    state = position(parts=parts, tokens=["W", "WWW"], reserved=["1R1 1R2 1R3"])
    assert decide(state) == "take UGR"


def test_greedy_takes_the_first_when_its_target_is_reserved_already() -> None:
    parts = table("1R WWWWW 1")
    state = position(parts=parts, tokens=["W", "WWW"], reserved=["1R1"])
    assert decide(state) == "take UGR"


# --- the other decisions


def test_greedy_returns_what_the_target_does_not_need() -> None:
    parts = table("1R WWWWUUUUGGGGK 3")
    state = position(parts=parts, tokens=["WWWUUUGGGRR"], phase="return")
    assert decide(state) == "return R"


def test_greedy_returns_gold_last() -> None:
    parts = table("1R WWWWUUUUGGGG 3")
    state = position(parts=parts, tokens=["WWWUUUGGG**"], phase="return")
    assert decide(state) != "return *"


def test_greedy_takes_the_first_noble() -> None:
    state = position(bought=bonus_cards("WWWWUUUUGGG"), nobles="WU WUG RK")
    assert decide(play(state, "take WUG")) == "noble WUG"


def test_greedy_passes_when_it_must() -> None:
    assert decide(position(**deadlock())) == "pass"


def test_greedy_reserves_or_passes_where_nothing_can_be_taken() -> None:
    state = position(**deadlock(reserved=["3U1 3U2", "3G1 3G2 3G3"]))
    assert decide(state).startswith("reserve")


def test_greedy_settles_a_payment() -> None:
    state = position(market="1W4", tokens=["UUKK**"], payment="choose")
    state = play(state, "buy 1W4")
    assert decide(state) in {str(action) for action in state.legal_actions()}


def test_greedy_needs_no_luck() -> None:
    state = new_game(players=3, seed=5)
    assert len({decide(state, seed=seed) for seed in range(20)}) == 1


# --- random


def test_random_is_uniform_over_the_legal_list() -> None:
    state = new_game(players=2, seed=5)
    agent, rng = get_agent("random"), Rng(12)
    seen = state.observation(player=0)
    counts = Counter(str(agent(seen, rng)) for _ in range(6000))
    assert set(counts) == {str(action) for action in state.legal_actions()}
    spread = sum((number - 200) ** 2 / 200 for number in counts.values())
    assert spread < 58.3  # 99.9 % of chi-square with 29 degrees of freedom


def test_random_depends_on_its_generator_alone() -> None:
    state = new_game(players=2, seed=5)
    assert decide(state, "random", 3) == decide(state, "random", 3)
    assert len({decide(state, "random", seed) for seed in range(50)}) > 10


@pytest.mark.parametrize("name", ["gready", "", "Greedy", None, 3])
def test_an_unknown_agent_is_refused_and_the_names_are_listed(name: object) -> None:
    with pytest.raises((ValueError, TypeError), match=r"greedy.*random|random.*greedy"):
        get_agent(name)  # type: ignore[arg-type]
