"""Bad input at every door: a clear error of the documented kind, and nothing changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from positions import (
    CARD_ID,
    CARDS,
    NOBLE_ID,
    bonus_cards,
    components,
    deadlock,
    first_cards,
    full_position_dict,
    new_noble,
    play,
    position,
    put,
)

from splendor_nb import (
    Action,
    IllegalActionError,
    NotationError,
    RecordError,
    SplendorError,
    State,
    new_game,
)

Json = dict[str, Any]


# --- the family of errors


@pytest.mark.parametrize("error", [NotationError, IllegalActionError, RecordError])
def test_every_error_of_ours_is_a_splendor_error_and_a_value_error(error: type) -> None:
    assert issubclass(error, SplendorError)
    assert issubclass(SplendorError, ValueError)


def test_the_three_kinds_of_errors_are_told_apart() -> None:
    kinds = (NotationError, IllegalActionError, RecordError)
    assert not any(issubclass(a, b) for a in kinds for b in kinds if a is not b)


# --- a new game


@pytest.mark.parametrize("players", [0, 1, 5, "2", 2.5, 2.0, True, None, -2, [2]], ids=repr)
def test_a_wrong_number_of_players_is_refused(players: object) -> None:
    with pytest.raises((ValueError, TypeError), match="players") as caught:
        new_game(players=players, seed=1)  # type: ignore[arg-type]
    assert "2" in str(caught.value)
    assert "4" in str(caught.value)
    assert str(players) in str(caught.value)


@pytest.mark.parametrize("seed", [-1, True, False, 1.5, "x", b"1", [1]], ids=repr)
def test_a_wrong_seed_is_refused(seed: object) -> None:
    with pytest.raises((ValueError, TypeError), match="seed") as caught:
        new_game(players=2, seed=seed)  # type: ignore[arg-type]
    assert repr(seed) in str(caught.value)


def test_a_huge_seed_is_fine() -> None:
    assert new_game(players=2, seed=10**1000).legal_actions()


@pytest.mark.parametrize("first", [-1, 2, 3, "first", 0.0, True, None, "Random"], ids=repr)
def test_a_wrong_first_player_is_refused(first: object) -> None:
    with pytest.raises((ValueError, TypeError), match=r"first_player") as caught:
        new_game(players=2, seed=1, first_player=first)  # type: ignore[arg-type]
    assert "random" in str(caught.value)
    assert str(first) in str(caught.value)


# --- actions


UNREADABLE = [
    *("", " ", "take", "take ", "take X", "take *", "take W*", "take WUGX", "take 3"),
    *("taking WUG", "WUG", "take W-U-G", "reserve", "reserve L0", "reserve L4", "reserve L"),
    *("reserve 2U7", "reserve 4W1", "reserve 2X1", "reserve U5", "reserve 2", "reserve 2U5 2U6"),
    *("buy", "buy 2U0", "buy 2U", "buy 2U55", "buy L1", "buy the blue one", "buy 2U-5"),
    *("return", "return X", "return WU", "return W U", "return gold"),
    *("noble", "noble XX", "noble W", "noble WUGRK", "noble Henry VIII"),
    *("gold", "gold *", "gold X", "gold WU", "pay W", "pay 2U5", "pass now", "resign"),
    *("take WUG, return K", "take WUG;", "tąke WUG", "take WUG\x00", "<b>take WUG</b>", "🦊"),
    "x" * 10_000,
]


@pytest.mark.parametrize("text", UNREADABLE, ids=lambda text: repr(text[:20]))
def test_text_that_is_no_action_is_unreadable(text: str) -> None:
    state = new_game(players=2, seed=1)
    for use in (state.apply, state.why_illegal, state.observation(player=0).apply):
        with pytest.raises(NotationError) as caught:
            use(text)
        assert 10 < len(str(caught.value)) < 2000


def test_an_unreadable_action_is_named_in_the_message() -> None:
    state = new_game(players=2, seed=1)
    for text in ("grab WUG", "buy 2U7", "reserve L4", "take WUX"):
        with pytest.raises(NotationError) as caught:
            state.apply(text)
        assert text.split()[0] in str(caught.value) or text.split()[1] in str(caught.value)


@pytest.mark.parametrize("text", ["take WWW", "take WWU", "take WUGR", "take WUGRK", "take WWWW"])
def test_a_take_that_no_rule_knows_is_unreadable(text: str) -> None:
    state = new_game(players=2, seed=1)
    for use in (state.apply, state.why_illegal):
        with pytest.raises(NotationError, match="gems"):
            use(text)


@pytest.mark.parametrize("action", [None, 3, 2.5, b"take WUG", ["take WUG"], ("take", "WUG"), True])
def test_an_action_of_another_type_is_refused(action: object) -> None:
    state = new_game(players=2, seed=1)
    for use in (state.apply, state.why_illegal):
        with pytest.raises((TypeError, NotationError)) as caught:
            use(action)
        assert str(caught.value)


RETURNING: Json = {"tokens": ["WWWWUUUUGGG"], "phase": "return"}
CHOOSING: Json = {
    "bought": bonus_cards("WWWWUUUUGGG"),
    "nobles": "WU WUG RK",
    "phase": "noble",
}
PAYING: Json = {
    "tokens": ["UUKK**"],
    "market": "1W4",
    "payment": "choose",
    "phase": "pay",
    "paying": {"card": CARD_ID["1W4"], "gold": "K"},
}
EMPTY: Json = {"parts": components(cards=first_cards(4, 4, 4)), "market": "1W1"}
ILLEGAL: dict[str, tuple[Json, str, str]] = {
    "pass at the start": ({}, "pass", "R11"),
    "a card that is not open": ({"decks": "2U6"}, "reserve 2U6", "R9"),
    "a card that is too dear": ({"market": "3W4"}, "buy 3W4", "R10"),
    "a card that is bought": ({"bought": ["1W1"]}, "buy 1W1", "R10"),
    "a fourth reserve": ({"reserved": ["1W1 1W2 1W3"]}, "reserve L1", "R9"),
    "a fourth open reserve": ({"reserved": ["1W1 1W2 1W3"], "market": "2U5"}, "reserve 2U5", "R9"),
    "a deck that is empty": (EMPTY, "reserve L1", "R12"),
    "a deck under a rule without": ({"unseen_reserve": "off"}, "reserve L1", "unseen"),
    "two of three": ({"tokens": ["W"]}, "take WW", "R8"),
    "an empty pile": ({"tokens": ["WWWW"]}, "take WUG", "R7"),
    "two different": ({}, "take WU", "R7"),
    "one alone": ({}, "take W", "R7"),
    "returning too early": ({"tokens": ["W"]}, "return W", "R13"),
    "a noble too early": ({"nobles": "WU RK GR"}, "noble WU", "R14"),
    "a noble that left the game": ({"nobles": "WU RK GR"}, "noble WK", "R14"),
    "paying nothing": ({}, "pay", "R10"),
    "gold for nothing": ({"tokens": ["W*"]}, "gold W", "R10"),
    "taking while returning": (RETURNING, "take RK", "R13"),
    "returning what is not held": (RETURNING, "return K", "R13"),
    "taking while a noble waits": (CHOOSING, "take WUG", "R14"),
    "a noble that does not come": (CHOOSING, "noble RK", "R14"),
    "returning while a noble waits": (CHOOSING, "return W", "R14"),
    "taking while paying": (PAYING, "take WUG", "1W4"),
    "gold for a gem that is not due": (PAYING, "gold R", "red"),
    "gold for an earlier color": (PAYING, "gold U", "blue"),
    "no take where none is left": (deadlock(), "take W", "R7"),
    "reserving with a full reserve": (deadlock(), "reserve 1G4", "R9"),
}


@pytest.mark.parametrize("case", ILLEGAL)
def test_an_illegal_action_is_refused_with_its_reason(case: str) -> None:
    parts, action, hint = ILLEGAL[case]
    state = position(**parts)
    before, value = json.dumps(state.to_dict()), hash(state)
    with pytest.raises(IllegalActionError) as caught:
        state.apply(action)
    reason = state.why_illegal(action)
    assert reason
    assert hint in reason
    assert reason in str(caught.value)
    assert action in str(caught.value)
    assert (json.dumps(state.to_dict()), hash(state)) == (before, value)


def test_reasons_are_sentences_that_tell_apart_what_is_wrong() -> None:
    reasons = {position(**parts).why_illegal(action) for parts, action, _ in ILLEGAL.values()}
    assert len(reasons) >= 20
    for reason in reasons:
        assert reason is not None
        assert reason.endswith(".")
        assert len(reason.split()) >= 5


def test_the_reason_for_a_fourth_reserve_is_what_the_beginner_needs() -> None:
    reason = position(reserved=["1W1 1W2 1W3"]).why_illegal("reserve L1")
    assert reason is not None
    assert "3" in reason
    assert "[R9]" in reason


@pytest.mark.parametrize(
    ("parts", "action", "facts"),
    [
        ({"market": "3W4"}, "buy 3W4", ["3W4", "3 white", "7 black", "no gold"]),
        ({"market": "1W4", "tokens": ["UUK"]}, "buy 1W4", ["1W4", "1 black"]),
        ({"market": "1W4", "tokens": ["U*"]}, "buy 1W4", ["1 blue", "2 black", "1 gold"]),
        ({"tokens": ["WWWWUUUU"]}, "take WUG", ["white", "blue"]),
        ({"tokens": ["WWW", "GG"]}, "take WW", ["white", "4", "1"]),
        ({"tokens": ["WWWWUUUU", "GGGG"]}, "take R", ["two"]),
        ({"tokens": ["WWWWUUUU", "GGGGRRR"]}, "take K", ["two"]),
        (RETURNING, "take RK", ["11", "10"]),
        (RETURNING, "return K", ["black"]),
        (CHOOSING, "noble RK", ["RK", "WUG", "WU"]),
        (CHOOSING, "take WUG", ["WUG", "WU"]),
        (PAYING, "take WUG", ["1W4"]),
        (EMPTY, "reserve L2", ["2"]),
    ],
)
def test_a_reason_names_the_facts(parts: Json, action: str, facts: list[str]) -> None:
    reason = position(**parts).why_illegal(action)
    assert reason is not None
    assert [fact for fact in facts if fact not in reason] == []
    assert "green" not in reason


@pytest.mark.parametrize(
    ("text", "word"), [("noble WUGRK", "noble"), ("noble W", "noble"), ("buy 2U9", "card")]
)
def test_what_this_game_does_not_have_is_called_by_its_kind(text: str, word: str) -> None:
    with pytest.raises(NotationError, match=f"{text}.* {word} "):
        new_game(players=2, seed=1).why_illegal(text)


def test_a_noble_may_ask_for_all_five_colors() -> None:
    parts = components(nobles=[new_noble("WUGRK"), new_noble("W")])
    state = play(position(bought=bonus_cards("WUGRK"), parts=parts), "take WUG")
    assert state.apply("noble krguw").seats[0].nobles[0].name == "WUGRK"


def test_a_stale_action_is_refused() -> None:
    state = play(position(market="2U5"), "reserve 2U5")
    with pytest.raises(IllegalActionError):
        state.apply("reserve 2U5")
    state = play(new_game(players=2, seed=1), "take WW")
    with pytest.raises(IllegalActionError):
        state.apply("take WW")


def test_nothing_is_legal_after_the_end() -> None:
    state = play(position(turn=39, current=1, turn_limit=40), "take WUG")
    for action in ("take WUG", "pass", "pay", "return W", "reserve L1", "buy 1W1"):
        assert state.why_illegal(action)
        with pytest.raises(IllegalActionError):
            state.apply(action)


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("TAKE wug", "take WUG"),
        ("take GUW", "take WUG"),
        ("  take   KRW  ", "take WRK"),
        ("Reserve l2", "reserve L2"),
        ("RESERVE 2u5", "reserve 2U5"),
    ],
)
def test_any_order_and_case_is_read(text: str, action: str) -> None:
    state = position(market="2U5")
    assert state.why_illegal(text) is None
    assert state.apply(text) == state.apply(action)


def test_nobles_are_read_in_any_order() -> None:
    state = play(position(bought=bonus_cards("WWWWUUUUGGG"), nobles="WU WUG RK"), "take WUG")
    assert state.apply("noble guw") == state.apply("noble WUG")


def test_an_action_reads_its_parts() -> None:
    parts = {
        "take WUG": ("take", "WUG", None, None, None),
        "reserve 2U5": ("reserve", None, "2U5", None, None),
        "reserve L2": ("reserve", None, None, None, 2),
        "buy 3K4": ("buy", None, "3K4", None, None),
        "return *": ("return", "*", None, None, None),
        "noble WUK": ("noble", None, None, "WUK", None),
        "gold W": ("gold", "W", None, None, None),
        "pay": ("pay", None, None, None, None),
        "pass": ("pass", None, None, None, None),
    }
    for text, expected in parts.items():
        action = Action(text)
        assert (action.kind, action.gems, action.card, action.noble, action.level) == expected


def test_a_card_of_the_base_game_is_unknown_to_a_game_without_it() -> None:
    state = position(parts=components(cards=first_cards(4, 4, 4), nobles=[new_noble("W")]))
    for action in ("buy 3K4", "reserve 1K1", "noble WUK"):
        with pytest.raises(NotationError):
            state.why_illegal(action)


# --- values cannot be changed


CHANGES: dict[str, Callable[[Any], object]] = {
    "the bank": lambda state: state.bank.__setitem__("W", 9),
    "the tokens of a seat": lambda state: state.seats[0].tokens.__setitem__("W", 9),
    "the bonuses of a seat": lambda state: state.seats[0].bonuses.__setitem__("W", 9),
    "the market": lambda state: state.market[0].__setitem__(0, None),
    "the rows of the market": lambda state: state.market.__setitem__(0, None),
    "the nobles": lambda state: state.nobles.append(None),
    "the bought cards": lambda state: state.seats[0].bought.append(None),
    "the turn": lambda state: setattr(state, "turn", 3),
    "the phase": lambda state: setattr(state, "phase", "over"),
    "the rules": lambda state: state.rules.__setitem__("target", 3),
    "a card's points": lambda state: setattr(state.market[0][0], "points", 3),
    "a card's cost": lambda state: state.market[0][0].cost.__setitem__("W", 0),
    "a noble's cost": lambda state: state.nobles[0].cost.__setitem__("W", 0),
}


@pytest.mark.parametrize("case", CHANGES)
def test_a_state_cannot_be_changed(case: str) -> None:
    state = State.from_dict(full_position_dict())
    before, value = json.dumps(state.to_dict()), hash(state)
    with pytest.raises((TypeError, AttributeError)):
        CHANGES[case](state)
    assert (json.dumps(state.to_dict()), hash(state)) == (before, value)


READERS = [
    *("players", "current_player", "phase", "turn", "bank", "market", "deck_sizes", "nobles"),
    *("seats", "rules", "winners", "end_reason"),
]


@pytest.mark.parametrize("reader", READERS)
def test_no_reader_of_a_state_can_be_set(reader: str) -> None:
    state = State.from_dict(full_position_dict())
    for value in (state, state.observation(player=0)):
        before = repr(getattr(value, reader))
        with pytest.raises((TypeError, AttributeError)):
            setattr(value, reader, None)
        assert repr(getattr(value, reader)) == before


def test_the_seat_of_an_observation_cannot_be_set() -> None:
    seen = State.from_dict(full_position_dict()).observation(player=0)
    with pytest.raises((TypeError, AttributeError)):
        seen.player = 1  # type: ignore[misc]


DIFFERENCES: dict[str, Callable[[Json], None]] = {
    "the seat that began": lambda data: data.update(first_player=1, turn=21),
    "the turn": put("turn", to=22),
    "the passes": put("passes", to=1),
    "an option": put("rules", "tie_break", to="none"),
    "a reserve that everybody saw": put("seats", 0, "reserved", 1, "hidden", to=False),
    "the order of a deck": lambda data: data["decks"][2].reverse(),
    "the order of a row": lambda data: data["market"][2].reverse(),
    "the order of the bought cards": lambda data: data["seats"][1]["bought"].reverse(),
    "the order of a reserve": lambda data: data["seats"][0]["reserved"].reverse(),
    "the nobles that are shown": put("nobles", 0, to=NOBLE_ID["WUK"]),
    "who has a token": lambda data: (
        data["seats"][0]["tokens"].update(W=1, G=1) or data["seats"][1]["tokens"].update(W=1, G=1)
    ),
    "tables of its own": put("components", to=components(cards=CARDS)),
}


@pytest.mark.parametrize("case", DIFFERENCES)
def test_positions_that_differ_in_one_thing_are_not_equal(case: str) -> None:
    data = full_position_dict()
    DIFFERENCES[case](data)
    state, other = State.from_dict(full_position_dict()), State.from_dict(data)
    assert state != other
    assert hash(state) != hash(other)
    assert other == State.from_dict(data)


def test_the_json_of_a_state_is_the_callers_own() -> None:
    state = State.from_dict(full_position_dict())
    data = state.to_dict()
    data["bank"]["W"] = 77
    data["decks"][0].clear()
    data["rules"]["target"] = 3
    data["seats"][0]["bought"].clear()
    assert state.to_dict() == full_position_dict()


def test_a_state_does_not_depend_on_the_json_it_came_from() -> None:
    data = full_position_dict()
    state = State.from_dict(data)
    data["decks"][0].clear()
    data["bank"]["W"] = 77
    assert state.to_dict() == full_position_dict()


def test_a_state_is_not_equal_to_other_things() -> None:
    state = State.from_dict(full_position_dict())
    assert state != full_position_dict()
    assert state != "state"
    assert state is not None
