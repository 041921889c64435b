"""Positions from outside: what agrees with itself is taken, everything else is refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
from positions import (
    CARD_ID,
    NOBLE_ID,
    bonus_cards,
    drop,
    full_position_dict,
    play,
    position,
    position_dict,
    put,
    tally,
)

from splendor_nb import RecordError, State, new_game

Json = dict[str, Any]


def both(*changes: Callable[[Json], None]) -> Callable[[Json], None]:
    """Several changes, one after the other."""

    def change(data: Json) -> None:
        for single in changes:
            single(data)

    return change


FIELDS = list(full_position_dict())
SPOILED: dict[str, tuple[Callable[[Json], None], str]] = {
    **{f"no {field}": (drop(field), field) for field in FIELDS},
    **{
        f"no option {option}": (drop("rules", option), option)
        for option in full_position_dict()["rules"]
    },
    **{
        f"{field} is {value!r}": (put(field, to=value), field)
        for field in ("players", "first_player", "turn", "passes")
        for value in ("1", 1.0, True, -1, None, [])
    },
    **{
        f"{field} is {value!r}": (put(field, to=value), field)
        for field in ("rules", "bank", "market", "decks", "nobles", "seats")
        for value in (None, 3, "text", {}, [])
    },
    "an unknown field": (put("mood", to="good"), "mood"),
    "an unknown option": (put("rules", "joker", to="on"), "joker"),
    "an option out of range": (put("rules", "target", to=16), "target"),
    "an unknown value": (put("rules", "payment", to="later"), "payment"),
    "another format": (put("format", to="splendor-nb-position/2"), "splendor-nb-position/2"),
    "five players": (put("players", to=5), "players"),
    "three players at two seats": (put("players", to=3), "seats"),
    "a seat less": (drop("seats", 1), "seats"),
    "a first player who is not there": (put("first_player", to=2), "first_player"),
    "a current player who is not there": (put("current_player", to=2), "current_player"),
    "nobody in turn": (put("current_player", to=None), "current_player"),
    "a turn of the other seat": (put("turn", to=21), "turn"),
    "a first player whom the turn does not fit": (put("first_player", to=1), "current_player"),
    "past the limit": (put("rules", "turn_limit", to=20), "turn_limit"),
    "an unknown phase": (put("phase", to="thinking"), "phase"),
    "returning with too few tokens": (put("phase", to="return"), "return"),
    "a choice without nobles": (put("phase", to="noble"), "noble"),
    "paying nothing": (put("phase", to="pay"), "pay"),
    "over without a reason": (
        both(put("phase", to="over"), put("current_player", to=None)),
        "end_reason",
    ),
    "a reason before the end": (put("end_reason", to="target"), "end_reason"),
    "an unknown reason": (put("end_reason", to="boredom"), "end_reason"),
    "paying in another phase": (put("paying", to={"card": 3, "gold": ""}), "paying"),
    "passes of more than all": (put("passes", to=2), "passes"),
    "a token too many": (put("bank", "W", to=3), "W"),
    "a token too few": (put("seats", 0, "tokens", "U", to=0), "U"),
    "a gold too many": (put("bank", "*", to=5), "*"),
    "negative tokens": (both(put("bank", "W", to=5), put("seats", 1, "tokens", "W", to=-3)), "W"),
    "a color is missing": (drop("bank", "K"), "K"),
    "another color": (put("seats", 0, "tokens", "X", to=1), "X"),
    "half a token": (put("bank", "W", to=2.0), "W"),
    "a token in words": (put("bank", "W", to="2"), "W"),
    "a true token": (put("seats", 1, "tokens", "R", to=True), "R"),
    "eleven tokens in the main phase": (
        both(
            put("seats", 0, "tokens", to=tally("WWWWUUUUGG*")), put("bank", to=tally("RRRKKKK****"))
        ),
        "tokens",
    ),
    "a card twice": (put("seats", 0, "bought", 0, to=CARD_ID["1U1"]), "card"),
    "a card twice in a deck": (lambda data: data["decks"][0].append(data["decks"][0][0]), "card"),
    "a card less": (lambda data: data["decks"][1].pop(), "card"),
    "a card of no table": (put("decks", 0, 0, to=90), "90"),
    "a negative card": (put("decks", 0, 0, to=-1), "-1"),
    "a card as text": (put("decks", 0, 0, to="1W4"), "decks"),
    "a true card": (put("market", 0, 1, to=True), "market"),
    "a slot too few": (drop("market", 0, 3), "market"),
    "a row too few": (drop("market", 2), "market"),
    "a deck too few": (drop("decks", 2), "decks"),
    "cards in another row": (
        lambda data: data["market"].reverse(),
        "market",
    ),
    "cards in another deck": (lambda data: data["decks"].reverse(), "deck"),
    "four reserves": (
        lambda data: data["seats"][0]["reserved"].extend(
            {"card": data["decks"][0].pop(), "hidden": False} for _ in range(2)
        ),
        "reserved",
    ),
    "a reserve that does not say hidden": (drop("seats", 0, "reserved", 0, "hidden"), "hidden"),
    "a reserve hidden in words": (put("seats", 0, "reserved", 0, "hidden", to="no"), "hidden"),
    "a reserve of no card": (put("seats", 0, "reserved", 0, "card", to=None), "reserved"),
    "a reserve that is a number": (put("seats", 0, "reserved", 0, to=12), "reserved"),
    "an unseen reserve under a rule without": (put("rules", "unseen_reserve", to="off"), "hidden"),
    "a seat without tokens": (drop("seats", 1, "tokens"), "tokens"),
    "a seat with a name": (put("seats", 1, "name", to="Anna"), "name"),
    "a noble twice": (put("nobles", 0, to=NOBLE_ID["RK"]), "noble"),
    "a noble of no table": (put("nobles", 0, to=10), "10"),
    "a noble less": (drop("nobles", 0), "noble"),
    "a noble more": (lambda data: data["nobles"].append(NOBLE_ID["WUK"]), "noble"),
    "components as text": (put("components", to="own"), "components"),
    "components without a part": (put("components", to={"cards": None, "nobles": None}), "tokens"),
    "components with more": (
        put("components", to={"cards": None, "nobles": None, "tokens": None, "dice": 2}),
        "dice",
    ),
    "own tokens that do not add up": (
        put("components", to={"cards": None, "nobles": None, "tokens": tally("WUGRK")}),
        "W",
    ),
}


def test_the_position_is_accepted_before_it_is_spoiled() -> None:
    assert State.from_dict(full_position_dict()).to_dict() == full_position_dict()


@pytest.mark.parametrize("case", SPOILED)
def test_a_spoiled_position_is_refused_and_the_place_is_named(case: str) -> None:
    change, place = SPOILED[case]
    data = full_position_dict()
    change(data)
    before = copy.deepcopy(data)
    with pytest.raises(RecordError) as caught:
        State.from_dict(data)
    assert place in str(caught.value)
    assert "\n" not in str(caught.value)
    assert data == before


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (put("market", 1, 2, to=200), "market[1][2]"),
        (put("decks", 2, 3, to="1W1"), "decks[2][3]"),
        (put("seats", 1, "reserved", 0, "card", to=-1), "seats[1].reserved[0]"),
        (put("seats", 0, "bought", 0, to=None), "seats[0].bought[0]"),
        (put("seats", 0, "tokens", "U", to=-1), "seats[0].tokens"),
    ],
)
def test_the_exact_place_is_named(change: Callable[[Json], None], place: str) -> None:
    data = full_position_dict()
    change(data)
    with pytest.raises(RecordError) as caught:
        State.from_dict(data)
    assert place in str(caught.value)


@pytest.mark.parametrize("data", [None, 3, "text", [], {}, [1], True], ids=repr)
def test_a_position_of_another_shape_is_refused(data: object) -> None:
    with pytest.raises((RecordError, TypeError)):
        State.from_dict(data)  # type: ignore[arg-type]


def test_a_phase_of_returning_above_ten_is_accepted() -> None:
    state = position(tokens=["WWWWUUUUGG*"], phase="return")
    assert [a.kind for a in state.legal_actions()] == ["return"] * 4


def test_a_choice_of_one_noble_is_refused() -> None:
    data = position_dict(bought=bonus_cards("WWWWUUUU"), nobles="WU RK GR", phase="noble")
    with pytest.raises(RecordError):
        State.from_dict(data)


def test_a_choice_of_nobles_may_follow_a_whole_round_of_passes() -> None:
    parts: Json = {"bought": ["", *bonus_cards("WWWWUUUUGGG")], "nobles": "WU WUG RK"}
    state = position(**parts, phase="noble", current=1, turn=1, passes=2)
    assert play(state, "noble WU").to_dict()["passes"] == 0


def test_a_choice_of_two_nobles_is_accepted() -> None:
    state = position(bought=bonus_cards("WWWWUUUUGGG"), nobles="WU WUG RK", phase="noble")
    assert [a.noble for a in state.legal_actions()] == ["WUG", "WU"]


PAYING: dict[str, Json] = {
    "under other rules": {"payment": "gems_first"},
    "without anything to choose": {"tokens": ["UUKK"]},
    "for a card that is not there": {"paying": {"card": CARD_ID["2U5"], "gold": ""}},
    "for the card of another": {
        "paying": {"card": CARD_ID["2U5"], "gold": ""},
        "reserved": ["", "2U5"],
    },
    "for a card that is too dear": {
        "paying": {"card": CARD_ID["3W4"], "gold": ""},
        "market": "3W4",
    },
    "with too much gold": {"paying": {"card": 3, "gold": "UUU"}},
    "with letters backward": {"paying": {"card": 3, "gold": "KU"}},
    "with a color that is not due": {"paying": {"card": 3, "gold": "W"}},
    "with gold for gold": {"paying": {"card": 3, "gold": "*"}},
    "with a number": {"paying": {"card": 3, "gold": 2}},
    "with more": {"paying": {"card": 3, "gold": "", "tip": 1}},
    "with less": {"paying": {"card": 3}},
    "with nothing": {"paying": None},
    "with text": {"paying": "1W4"},
    "with passes": {"passes": 1},
}


def paying(**changes: Any) -> Json:
    """A position in which 1W4 is being paid for."""
    setting: Json = {
        "tokens": ["UUKK**"],
        "market": "1W4",
        "payment": "choose",
        "phase": "pay",
        "paying": {"card": CARD_ID["1W4"], "gold": "U"},
    }
    return position_dict(2, **(setting | changes))


def test_a_payment_that_fits_is_accepted() -> None:
    assert [str(a) for a in State.from_dict(paying()).legal_actions()] == [
        *("gold U", "gold K", "pay"),
    ]


@pytest.mark.parametrize("case", PAYING)
def test_a_payment_that_does_not_fit_is_refused(case: str) -> None:
    with pytest.raises(RecordError):
        State.from_dict(paying(**PAYING[case]))


def test_a_finished_position_is_accepted() -> None:
    end = play(position(turn=39, current=1, turn_limit=40), "take WUG")
    assert State.from_dict(end.to_dict()) == end


@pytest.mark.parametrize(
    "change",
    [
        {"end_reason": "target"},
        {"end_reason": "stalemate"},
        {"end_reason": "forfeit"},
        {"end_reason": None},
        {"current_player": 0},
        {"phase": "main"},
        {"turn": 39},
    ],
    ids=str,
)
def test_an_end_that_does_not_fit_is_refused(change: Json) -> None:
    end = play(position(turn=39, current=1, turn_limit=40), "take WUG").to_dict()
    with pytest.raises(RecordError):
        State.from_dict(end | change)


def test_a_position_knows_every_card() -> None:
    seen = new_game(players=2, seed=7).apply("reserve L1").observation(1).to_dict()
    whole = new_game(players=2, seed=7).apply("reserve L1").to_dict()
    whole["seats"][0]["reserved"] = seen["seats"][0]["reserved"]
    with pytest.raises(RecordError, match="reserved"):
        State.from_dict(whole)
