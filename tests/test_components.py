"""Games with cards, nobles and tokens of their own."""

from __future__ import annotations

from typing import Any

import pytest
from positions import (
    CARDS,
    COLORS,
    GEMS,
    NOBLES,
    card_names,
    components,
    first_cards,
    new_card,
    new_noble,
    noble_names,
    of_kind,
    play,
    position,
    tally,
)

from splendor_nb import State, new_game

# --- taken


def own_game(**parts: Any) -> State:
    """A new game for two with components of its own."""
    return new_game(players=2, seed=1, **parts)


def test_own_cards_are_dealt_and_named_in_the_order_of_their_table() -> None:
    cards = [new_card(1, "W", "UU"), new_card(1, "K", "W"), new_card(1, "W", "GG", 2)]
    state = own_game(cards=cards)
    names = {card.name: card for card in state.market[0] if card}
    assert sorted(names) == ["1K1", "1W1", "1W2"]
    assert (names["1W2"].points, names["1W2"].cost["G"]) == (2, 2)


def test_own_cards_of_a_level_too_few_leave_slots_empty() -> None:
    state = own_game(cards=first_cards(3, 4, 6))
    assert [sum(card is None for card in row) for row in state.market] == [1, 0, 0]
    assert list(state.deck_sizes) == [0, 0, 2]
    assert len(of_kind(state, "reserve")) == 3 + 4 + 4 + 1


def test_own_cards_without_a_level_leave_its_row_empty() -> None:
    state = own_game(cards=first_cards(8, 0, 0))
    assert list(state.market[2]) == [None] * 4
    assert len(of_kind(state, "reserve")) == 5


def test_own_nobles_are_shown() -> None:
    nobles = [new_noble("W", 1), new_noble("UU", 2), new_noble("GGK", 9)]
    state = own_game(nobles=nobles)
    assert {noble.name: noble.points for noble in state.nobles} == {"W": 1, "U": 2, "GK": 9}


def test_own_nobles_fewer_than_players_and_one_are_all_shown() -> None:
    assert [n.name for n in own_game(nobles=[new_noble("WWUU")]).nobles] == ["WU"]
    assert list(own_game(nobles=[]).nobles) == []


def test_own_nobles_more_than_players_and_one_are_drawn() -> None:
    nobles = [new_noble(color) for color in COLORS]
    shown = {
        frozenset(noble.name for noble in new_game(players=2, seed=seed, nobles=nobles).nobles)
        for seed in range(80)
    }
    assert {len(names) for names in shown} == {3}
    assert len(shown) == 10


def test_own_nobles_visit() -> None:
    parts = components(nobles=[new_noble("W", 7)])
    state = play(position(bought=["1W1"], parts=parts), "take WUG")
    assert (state.seats[0].points, [n.name for n in state.seats[0].nobles]) == (7, ["W"])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_own_tokens_hold_for_any_number_of_players(players: int) -> None:
    supply = tally("WWWUGRRKK**")
    assert dict(new_game(players=players, seed=1, tokens=supply).bank) == supply


def test_own_tokens_override_the_option_gold() -> None:
    state = own_game(tokens=tally("WWUUGGRRKK**"), gold="four_only")
    assert state.bank["*"] == 2
    assert play(state, "reserve L1").seats[0].tokens["*"] == 1


def test_own_tokens_may_have_no_gold() -> None:
    state = own_game(tokens=tally("WWUUGGRRKK"))
    assert play(state, "reserve L1").seats[0].tokens["*"] == 0


def test_own_components_stand_in_the_position() -> None:
    cards, nobles = first_cards(6, 5, 4), [new_noble("WW")]
    parts = own_game(cards=cards, nobles=nobles, tokens=tally("WUGRK*")).to_dict()["components"]
    assert parts == {"cards": cards, "nobles": nobles, "tokens": tally("WUGRK*")}


@pytest.mark.parametrize(
    ("parts", "kept"),
    [
        ({"cards": first_cards(6, 5, 4)}, ("cards",)),
        ({"nobles": [new_noble("WW")]}, ("nobles",)),
        ({"tokens": tally("WUGRK*")}, ("tokens",)),
    ],
    ids=["cards", "nobles", "tokens"],
)
def test_a_part_that_is_not_given_stands_as_null(
    parts: dict[str, Any], kept: tuple[str, ...]
) -> None:
    stored = own_game(**parts).to_dict()["components"]
    assert [part for part in ("cards", "nobles", "tokens") if stored[part] is not None] == [*kept]


def test_the_base_game_has_no_components_in_its_position() -> None:
    assert own_game().to_dict()["components"] is None


def test_own_components_change_nothing_for_other_games() -> None:
    own_game(cards=first_cards(3, 3, 3), nobles=[new_noble("W")])
    assert list(own_game().deck_sizes) == [36, 26, 16]
    assert {noble.name for noble in own_game().nobles} < set(noble_names(NOBLES))


def test_own_components_are_copied() -> None:
    cards = first_cards(8, 8, 8)
    state = own_game(cards=cards)
    before = state.to_dict()
    cards[0]["cost"]["W"] = 7
    del cards[5]
    assert state.to_dict() == before


def test_the_base_tables_may_be_handed_in_too() -> None:
    state = own_game(cards=CARDS, nobles=NOBLES)
    assert {card.name for row in state.market for card in row} < set(card_names(CARDS))
    assert list(state.deck_sizes) == [36, 26, 16]


# --- refused


def broken_card(**change: Any) -> list[dict[str, Any]]:
    """Some cards of which one is wrong."""
    return [*first_cards(4, 4, 4), new_card(1, "W", "UU") | change]


@pytest.mark.parametrize(
    "change",
    [
        {"level": 0},
        {"level": 4},
        {"level": "1"},
        {"level": True},
        {"bonus": "*"},
        {"bonus": "X"},
        {"bonus": "WU"},
        {"bonus": ""},
        {"bonus": None},
        {"points": -1},
        {"points": 1.5},
        {"points": "1"},
        {"points": True},
        {"cost": {"W": -1, "U": 0, "G": 0, "R": 0, "K": 0}},
        {"cost": {"W": 1.5, "U": 0, "G": 0, "R": 0, "K": 0}},
        {"cost": {"W": True, "U": 0, "G": 0, "R": 0, "K": 0}},
        {"cost": {"W": "1", "U": 0, "G": 0, "R": 0, "K": 0}},
        {"cost": {"W": 1, "U": 0, "G": 0, "R": 0, "K": 0, "*": 1}},
        {"cost": {"X": 1}},
        {"cost": None},
        {"cost": 3},
        {"color": "red"},
    ],
    ids=str,
)
def test_a_wrong_card_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError), match=r"(?i)card"):
        own_game(cards=broken_card(**change))


@pytest.mark.parametrize(
    "change",
    [
        {"points": -3},
        {"points": 2.5},
        {"points": True},
        {"cost": {"W": -1, "U": 0, "G": 0, "R": 0, "K": 4}},
        {"cost": {"W": "4", "U": 0, "G": 0, "R": 0, "K": 0}},
        {"cost": {"*": 4}},
        {"cost": None},
        {"cost": {"W": 0, "U": 0, "G": 0, "R": 0, "K": 0}},
    ],
    ids=str,
)
def test_a_wrong_noble_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError), match=r"(?i)noble"):
        own_game(nobles=[new_noble("GGGG"), new_noble("WWWW") | change])


def test_two_nobles_of_one_color_set_are_refused_even_with_other_numbers() -> None:
    with pytest.raises(ValueError, match="WU"):
        own_game(nobles=[new_noble("WWWUUU"), new_noble("GG"), new_noble("WWUU")])


@pytest.mark.parametrize(
    "tokens",
    [
        {"W": 3},
        tally("WUGRK*") | {"W": -1},
        tally("WUGRK*") | {"*": 1.0},
        tally("WUGRK*") | {"K": "4"},
        tally("WUGRK*") | {"K": True},
        tally("WUGRK*") | {"X": 2},
        [4, 4, 4, 4, 4, 5],
        7,
        "WUGRK*",
    ],
    ids=str,
)
def test_wrong_tokens_are_refused(tokens: object) -> None:
    with pytest.raises((ValueError, TypeError), match=r"(?i)token"):
        own_game(tokens=tokens)


@pytest.mark.parametrize("part", ["cards", "nobles"])
@pytest.mark.parametrize("value", [3, "WU", [3], [None], ["1W1"], {"W": 1}], ids=str)
def test_tables_of_another_shape_are_refused(part: str, value: object) -> None:
    with pytest.raises((ValueError, TypeError), match=r"(?i)" + part[:-1]):
        own_game(**{part: value})


def test_keys_of_tokens_stay_in_order() -> None:
    assert list(own_game(tokens=tally("WUGRK*")).bank) == list(GEMS)
