"""Saved games: the format, what survives a file, and what loading refuses."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from positions import bonus_cards, components, drop, first_cards, position, put, tally

import splendor_nb
from splendor_nb import (
    Action,
    GameRecord,
    RecordError,
    SplendorError,
    State,
    load_game,
    new_game,
    play_game,
)

Json = dict[str, Any]


@cache
def record(seed: int = 4, **options: Any) -> Any:
    """A finished game of random against greedy."""
    return play_game(["random", "greedy"], seed=seed, **options)


def saved(seed: int = 4, **options: Any) -> Json:
    """A finished game as JSON, free to be spoiled."""
    return json.loads(json.dumps(record(seed, **options).to_dict()))


def read(data: object) -> Any:
    """A game from JSON."""
    return type(record()).from_dict(data)


def write(folder: Path, data: object) -> Path:
    """A file with some JSON."""
    path = folder / "game.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


# --- the format


def test_a_saved_game_has_the_documented_fields() -> None:
    data = saved()
    assert list(data) == [
        *("format", "version", "seed", "seats", "start", "tables", "actions", "faults", "result"),
    ]
    assert data["format"] == "splendor-nb-game/1"
    assert data["version"] == splendor_nb.__version__
    assert data["seed"] == 4


def test_a_saved_game_names_its_seats() -> None:
    seats = saved()["seats"]
    assert [list(seat) for seat in seats] == [["name", "agent"]] * 2
    assert [seat["agent"] for seat in seats] == ["random", "greedy"]
    assert all(isinstance(seat["name"], str) and seat["name"] for seat in seats)


def test_an_agent_that_plays_twice_gets_two_names() -> None:
    seats = play_game(["greedy", "random", "greedy"], seed=1).to_dict()["seats"]
    assert [seat["name"] for seat in seats] == ["greedy", "random", "greedy#2"]
    assert [seat["agent"] for seat in seats] == ["greedy", "random", "greedy"]


def test_a_saved_game_starts_with_a_position() -> None:
    assert State.from_dict(saved()["start"]) == new_game(players=2, seed=4)


def test_a_saved_game_lists_its_actions_as_text() -> None:
    assert saved()["actions"] == [str(action) for action in record().actions]
    assert all(isinstance(action, Action) for action in record().actions)


def test_a_saved_game_ends_with_its_result() -> None:
    end = record().state
    assert saved()["result"] == {
        "winners": list(end.winners),
        "points": [seat.points for seat in end.seats],
        "end_reason": end.end_reason,
    }
    assert saved()["faults"] == []


def test_the_hash_of_the_tables_depends_on_the_tables_alone() -> None:
    assert saved()["tables"] == saved(5, target=3)["tables"]
    own = play_game(["random", "greedy"], seed=4, cards=first_cards(20, 20, 20)).to_dict()
    assert own["tables"] != saved()["tables"]


def test_the_states_of_a_record_lead_from_the_start_to_the_end() -> None:
    states = list(record().states())
    assert len(states) == len(record().actions) + 1
    assert states[0] == State.from_dict(saved()["start"])
    assert states[-1] == record().state
    for (before, after), action in zip(pairwise(states), record().actions, strict=True):
        assert before.apply(action) == after


# --- saving and loading


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"target": 4},
        {"payment": "choose", "take_fewer": "free"},
        {"rules": "uzbek_sundanese"},
        {"unseen_reserve": "off", "turn_limit": 20},
        {"cards": first_cards(12, 9, 6), "nobles": [], "tokens": tally("WWWUUUGGGRRRKKK***")},
    ],
    ids=["standard", "target", "choose", "uzbek_sundanese", "limit", "components"],
)
def test_a_game_is_the_same_after_saving_and_loading(options: Json, tmp_path: Path) -> None:
    game = play_game(["random", "greedy", "random"], seed=8, **options)
    game.save(tmp_path / "game.json")
    loaded = load_game(tmp_path / "game.json")
    assert loaded.to_dict() == game.to_dict()
    assert loaded.state == game.state
    assert list(loaded.states()) == list(game.states())
    assert [*loaded.actions] == [*game.actions]


def test_a_path_may_be_text(tmp_path: Path) -> None:
    record().save(str(tmp_path / "game.json"))
    assert load_game(str(tmp_path / "game.json")).to_dict() == saved()


def test_the_file_is_json(tmp_path: Path) -> None:
    record().save(tmp_path / "game.json")
    text = (tmp_path / "game.json").read_text(encoding="utf-8")
    assert json.loads(text) == saved()


def test_saving_twice_writes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one.json", "two.json"):
        record().save(tmp_path / name)
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()


def test_a_game_may_start_from_any_legal_position() -> None:
    start = position(bought=bonus_cards("WWWUUU"), tokens=["WUG"], reserved=["", "?2U5"], turn=8)
    data = saved() | {"start": start.to_dict(), "actions": [], "seed": None}
    state, draw = start, random.Random(3)
    while not state.is_terminal():
        action = draw.choice(list(state.legal_actions()))
        data["actions"].append(str(action))
        state = state.apply(action)
    data["result"] = {
        "winners": list(state.winners),
        "points": [seat.points for seat in state.seats],
        "end_reason": state.end_reason,
    }
    assert read(data).state == state


def test_a_game_of_seed_zero_can_be_loaded(tmp_path: Path) -> None:
    assert load_game(write(tmp_path, saved(0))).to_dict() == saved(0)


def test_a_game_says_who_played_and_how_it_ended() -> None:
    text = repr(record())
    assert "random" in text
    assert "greedy" in text
    assert "target" in text
    assert " at 0x" not in text
    running = read(saved() | {"actions": saved()["actions"][:9], "result": None})
    assert "target" not in repr(running)


def test_a_running_game_can_be_saved_and_loaded(tmp_path: Path) -> None:
    data = saved() | {"actions": saved()["actions"][:9], "result": None}
    game = load_game(write(tmp_path, data))
    assert game.state == list(record().states())[9]
    assert game.to_dict() == data


@pytest.mark.parametrize(
    "name",
    [
        "<b>Bold</b><script>alert(1)</script>",
        'Anna & Bert\'s "team" \\ / \n',
        "🦊🏳️‍🌈👩‍👩‍👧",
        "دانه شطرنج",
        "\u202egnirts",
        "x" * 10_000,
        "é" * 10_000,
    ],
    ids=["markup", "quotes", "emoji", "arabic", "override", "long", "long-accents"],
)
def test_any_name_survives_saving_and_loading(name: str, tmp_path: Path) -> None:
    data = saved()
    data["seats"][0]["name"] = name
    read(data).save(tmp_path / "game.json")
    assert load_game(tmp_path / "game.json").to_dict()["seats"][0]["name"] == name


# --- other rules


def test_a_game_loads_under_the_rules_that_were_asked_for(tmp_path: Path) -> None:
    path = write(tmp_path, saved(target=4))
    rules = saved(target=4)["start"]["rules"]
    assert load_game(path, rules=rules).to_dict() == saved(target=4)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("gold", "four_only"),
        ("take_fewer", "free"),
        ("payment", "choose"),
        ("tie_break", "none"),
        ("target", 14),
        ("unseen_reserve", "off"),
        ("turn_limit", 999),
    ],
)
def test_a_game_under_other_options_is_refused_and_the_option_is_named(
    option: str, value: object, tmp_path: Path
) -> None:
    path = write(tmp_path, saved(**{option: value}))
    assert load_game(path).to_dict() == saved(**{option: value})
    with pytest.raises(RecordError, match=option):
        load_game(path, rules="standard")


def test_the_standard_rules_are_not_those_of_the_uzbek_and_sundanese_texts(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="gold"):
        load_game(write(tmp_path, saved()), rules="uzbek_sundanese")


# --- spoiled files


SPOILED: dict[str, tuple[Callable[[Json], None], str]] = {
    **{
        f"no {field}": (drop(field), field)
        for field in ("format", "seats", "start", "tables", "actions", "faults", "result")
    },
    "another format": (put("format", to="splendor-nb-game/2"), "splendor-nb-game/2"),
    "a position": (put("format", to="splendor-nb-position/1"), "splendor-nb-position/1"),
    "no text as format": (put("format", to=1), "format"),
    "an unknown field": (put("mood", to="good"), "mood"),
    "a wrong hash": (put("tables", to="0" * 64), "tables"),
    "a hash that is a number": (put("tables", to=3), "tables"),
    "a negative seed": (put("seed", to=-1), "seed"),
    "a seed in words": (put("seed", to="seven"), "seed"),
    "a version that is a number": (put("version", to=1), "version"),
    "one seat": (drop("seats", 1), "seats"),
    "seats as text": (put("seats", to="Anna"), "seats"),
    "a seat without a name": (drop("seats", 0, "name"), "name"),
    "a name that is a number": (put("seats", 0, "name", to=7), "name"),
    "a seat with more": (put("seats", 0, "age", to=7), "age"),
    "no options": (drop("start", "rules"), "rules"),
    "a missing option": (drop("start", "rules", "payment"), "payment"),
    "an unknown option": (put("start", "rules", "joker", to="on"), "joker"),
    "a wrong option": (put("start", "rules", "target", to=99), "target"),
    "another target": (put("start", "rules", "target", to=1), "action"),
    "no bank": (drop("start", "bank"), "bank"),
    "a start that is a list": (put("start", to=[]), "start"),
    "one token too many": (put("start", "bank", "W", to=5), "W"),
    "actions as text": (put("actions", to="take WUG"), "actions"),
    "an action that is a number": (put("actions", 2, to=7), "action"),
    "an unreadable action": (put("actions", 2, to="take everything"), "take everything"),
    "an illegal action": (put("actions", 0, to="buy 3W4"), "buy 3W4"),
    "a card of no game": (put("actions", 0, to="buy 3W9"), "buy 3W9"),
    "an action less": (drop("actions", -1), "result"),
    "an action more": (lambda data: data["actions"].append("take WUG"), "take WUG"),
    "another winner": (put("result", "winners", to=[0, 1]), "winners"),
    "a winner that is true": (put("result", "winners", to=[True]), "winners"),
    "points that are no whole number": (put("result", "points", 1, to=18.0), "points"),
    "other points": (put("result", "points", 0, to=14), "points"),
    "another end": (put("result", "end_reason", to="stalemate"), "end_reason"),
    "a result without winners": (drop("result", "winners"), "winners"),
    "a finished game without a result": (put("result", to=None), "result"),
    "a result that is text": (put("result", to="seat 0 wins"), "result"),
    "faults as text": (put("faults", to="none"), "faults"),
    "a fault of nobody": (
        put("faults", to=[{"seat": 2, "turn": 1, "kind": "illegal", "text": ""}]),
        "seat",
    ),
    "a fault of no kind": (
        put("faults", to=[{"seat": 0, "turn": 1, "kind": "bored", "text": ""}]),
        "kind",
    ),
}


@pytest.mark.parametrize("case", SPOILED)
def test_a_spoiled_file_is_refused_and_the_place_is_named(case: str, tmp_path: Path) -> None:
    change, place = SPOILED[case]
    data = saved()
    change(data)
    path = write(tmp_path, data)
    with pytest.raises(RecordError) as caught:
        load_game(path)
    assert place in str(caught.value)
    assert "\n" not in str(caught.value).strip()


@pytest.mark.parametrize("case", SPOILED)
def test_a_spoiled_record_is_refused_without_a_file_too(case: str) -> None:
    change, _ = SPOILED[case]
    data = saved()
    change(data)
    before = copy.deepcopy(data)
    with pytest.raises(RecordError):
        read(data)
    assert data == before


@pytest.mark.parametrize("data", [None, 3, "text", [], [1], {}, True], ids=repr)
def test_json_of_another_shape_is_refused(data: object, tmp_path: Path) -> None:
    with pytest.raises(RecordError):
        load_game(write(tmp_path, data))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe\x00bad",
        b"\x80\x04\x95",
        b"take WUG",
        b"{'format': 1}",
        b"NaN",
        b"[" * 100_000,
        b'{"format": "splendor-nb-game/1", "format": "splendor-nb-game/1"}',
    ],
    ids=["empty", "brace", "utf-16", "pickle", "words", "quotes", "nan", "deep", "twice"],
)
def test_a_file_that_is_no_json_is_refused_with_its_name(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(content)
    with pytest.raises(RecordError, match="broken"):
        load_game(path)


@pytest.mark.parametrize("part", [0.1, 0.5, 0.9, 0.999])
def test_a_file_that_is_cut_off_is_refused(part: float, tmp_path: Path) -> None:
    text = json.dumps(saved())
    path = tmp_path / "cut.json"
    path.write_text(text[: int(part * len(text))], encoding="utf-8")
    with pytest.raises(RecordError, match="cut"):
        load_game(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises((RecordError, FileNotFoundError), match="nowhere"):
        load_game(tmp_path / "nowhere.json")


def test_a_folder_is_no_game(tmp_path: Path) -> None:
    with pytest.raises((RecordError, OSError), match=tmp_path.name):
        load_game(tmp_path)


@pytest.mark.parametrize("path", [None, 3.5, ["game.json"]], ids=repr)
def test_a_path_of_another_type_is_refused(path: object) -> None:
    with pytest.raises((TypeError, SplendorError)):
        load_game(path)  # type: ignore[arg-type]


def test_a_million_actions_are_refused_in_time(tmp_path: Path) -> None:
    data = saved()
    data["actions"] = ["take WUG"] * 1_000_000
    with pytest.raises(RecordError):
        load_game(write(tmp_path, data))


def test_an_enormous_file_is_refused_in_time(tmp_path: Path) -> None:
    data = saved()
    data["seats"][0]["name"] = "x" * 50_000_000
    data["result"]["winners"] = [7]
    with pytest.raises(RecordError) as caught:
        load_game(write(tmp_path, data))
    assert len(str(caught.value)) < 2000


def test_a_long_wrong_action_is_not_repeated_in_full(tmp_path: Path) -> None:
    data = saved()
    data["actions"][0] = "take " + "W" * 1_000_000
    with pytest.raises(RecordError) as caught:
        load_game(write(tmp_path, data))
    assert len(str(caught.value)) < 2000


def test_a_huge_number_in_a_file_is_refused(tmp_path: Path) -> None:
    text = json.dumps(saved()).replace('"turn": 0', '"turn": ' + "9" * 5000, 1)
    path = tmp_path / "huge.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RecordError):
        load_game(path)


def test_a_failed_load_leaves_the_file_alone(tmp_path: Path) -> None:
    path = write(tmp_path, saved() | {"actions": ["pass"]})
    before = path.read_bytes()
    with pytest.raises(RecordError):
        load_game(path)
    assert path.read_bytes() == before


def test_a_custom_game_carries_its_tables(tmp_path: Path) -> None:
    cards = first_cards(12, 9, 6)
    game = play_game(["random", "random"], seed=2, cards=cards)
    assert game.to_dict()["start"]["components"] == components(cards=cards)
    data = game.to_dict()
    data["start"]["components"]["cards"][0]["points"] = 3
    with pytest.raises(RecordError):
        load_game(write(tmp_path, data))


@pytest.mark.parametrize(("field", "value"), [("seat", 0), ("turn", 10**6)])
def test_a_forfeit_is_by_the_seat_to_move(field: str, value: int) -> None:
    game = play_game(["random", lambda _seen, _rng: None], seed=7).to_dict()
    assert game["result"]["winners"] == [0]
    game["faults"][0][field] = value
    with pytest.raises(RecordError, match=r"forfeit|turns"):
        GameRecord.from_dict(game)


def test_a_game_that_cannot_be_saved_leaves_nothing_behind(tmp_path: Path) -> None:
    taken = tmp_path / "game.json"
    taken.mkdir()
    with pytest.raises(OSError, match=r"game\.json"):
        play_game(["random", "random"], seed=7).save(taken)
    assert list(tmp_path.iterdir()) == [taken]


def test_a_forfeit_needs_a_fault() -> None:
    with pytest.raises(ValueError, match="fault"):
        GameRecord(start=new_game(players=2, seed=7), forfeited=True)
