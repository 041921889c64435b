"""What the page gets: exactly the fields it counts on, the reasons of the rules, no secrets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

import ipywidgets
import pytest
from positions import CARDS, bonus_cards, card_names, deadlock, full_position_dict, position
from sampling import QUICK, SETTINGS, Sample, game
from sessions import (
    Shown,
    choosing,
    controls_of,
    enabled,
    finished,
    over,
    paying,
    returning,
    send,
    session_of,
)

from splendor_nb import State, new_game
from splendor_nb.board.board import Board
from splendor_nb.board.controls import PlainControls
from splendor_nb.board.session import GameSession, Replay

Json = dict[str, Any]

GEMS = list("WUGRK*")
COLORS = list("WUGRK")
NAMES = ("Anna", "Ben", "Cleo", "Dan")

# --- the contract with the page: types, lists of one form, and mappings with just these keys


class Maybe:
    """A form, or nothing."""

    def __init__(self, form: Any) -> None:
        self.form = form


class Some:
    """A mapping of gems to numbers that leaves out zeros, or of names to one form."""

    def __init__(self, keys: list[str] | None, form: Any) -> None:
        self.keys, self.form = keys, form


AMOUNTS = dict.fromkeys(GEMS, int)
PRESENT = Some(COLORS, int)
CONTROL = {"action": str, "label": str, "why": str}
GEM_CONTROL = CONTROL | {"gem": str}
CARD = {
    "name": str,
    "level": int,
    "bonus": str,
    "points": int,
    "cost": PRESENT,
    "label": str,
    "afford": str,
    "gold": int,
    "missing": PRESENT,
    "note": str,
    "new": bool,
    "last": bool,
    "controls": [CONTROL],
}
BACK = {"back": bool, "level": int, "label": str, "peek": bool}
SEAT = {
    "seat": int,
    "name": str,
    "you": bool,
    "current": bool,
    "first": bool,
    "points": int,
    "tokens": AMOUNTS,
    "total": int,
    "limit": int,
    "bonuses": dict.fromkeys(COLORS, int),
    "cards": int,
    "bought": [{"name": str, "bonus": str, "points": int, "label": str}],
    "reserved": [(CARD, BACK)],
    "nobles": [{"name": str, "points": int, "label": str}],
    "label": str,
    "last": bool,
}
NOBLE = {
    "name": str,
    "title": str,
    "points": int,
    "cost": PRESENT,
    "label": str,
    "needs": [{"seat": int, "missing": PRESENT, "total": int, "text": str}],
    "controls": [CONTROL],
}
PROMPT = {"kind": str, "text": str, "controls": [(GEM_CONTROL, CONTROL)]}
RETURN_PROMPT = PROMPT | {"held": int, "limit": int}
ROW = {"place": int, "seat": int, "name": str, "points": int, "cards": int, "note": str}
REPLAY = {
    "step": int,
    "steps": int,
    "label": str,
    "viewers": [{"seat": Maybe(int), "label": str}],
}
ADVICE = {
    "hint": Maybe({"label": str, "why": str}),
    "thinking": bool,
    "lines": [{"action": str, "text": str, "share": str, "why": str}],
    "evaluation": bool,
    "share": Maybe(int),
}
VIEW = {
    "version": int,
    "viewer": Maybe(int),
    "interactive": bool,
    "thinking": str,
    "phase": str,
    "round": int,
    "target": int,
    "last_round": bool,
    "status": str,
    "error": str,
    "bank": AMOUNTS,
    "picks": Some(None, {"why": str, "add": dict.fromkeys(GEMS, str)}),
    "market": [[Maybe(CARD)]],
    "decks": [{"level": int, "size": int, "label": str, "controls": [CONTROL]}],
    "nobles": [NOBLE],
    "seats": [SEAT],
    "prompt": Maybe((RETURN_PROMPT, PROMPT)),
    "last": Maybe({"seat": int, "text": str, "gems": str, "cards": [str]}),
    "log": [{"id": int, "turn": int, "seat": int, "text": str}],
    "result": Maybe({"title": str, "text": str, "rows": [ROW]}),
    "advice": Maybe(ADVICE),
    "replay": Maybe(REPLAY),
}


def misfits(value: Any, form: Any, place: str = "view") -> list[str]:
    """Every place where a value does not have its form."""
    match form:
        case Maybe():
            return [] if value is None else misfits(value, form.form, place)
        case tuple():
            return min((misfits(value, one, place) for one in form), key=len)
        case Some(keys=keys) if keys and not (set(value) <= set(keys) and all(value.values())):
            return [f"{place}: {value}"]
        case Some() | dict() | list():
            return misfits_within(value, form, place)
        case _:
            return [] if type(value) is form else [f"{place}: {value!r} is no {form.__name__}"]


def misfits_within(value: Any, form: Any, place: str) -> list[str]:
    """The same for every part of a list or a mapping."""
    if isinstance(form, dict) and (not isinstance(value, dict) or set(value) != set(form)):
        return [f"{place}: {value}"]
    match form:
        case dict():
            parts = [(key, value[key], one) for key, one in form.items()]
        case Some():
            parts = [(key, one, form.form) for key, one in value.items()]
        case _:
            parts = [(number, one, form[0]) for number, one in enumerate(value)]
    return [misfit for key, part, one in parts for misfit in misfits(part, one, f"{place}.{key}")]


def view_of(state: State, **options: Any) -> Json:
    """What the only person, at the seat to decide, gets."""
    seat = state.current_player or 0
    lineup = ["human" if number == seat else "greedy" for number in range(state.players)]
    return session_of(*lineup, start=state, **options).view()


def replayed(state: State, *actions: str, step: int, viewer: int | None) -> Json:
    shown = Replay(finished(state, *actions, names=NAMES))
    shown.step, shown.viewer = step, viewer
    return shown.view()


def full_position() -> State:
    return State.from_dict(full_position_dict())


PHASES = {
    "main": new_game,
    "return": returning,
    "noble": choosing,
    "pay": paying,
    "over": over,
}
STATES = {
    **{phase: make() for phase, make in PHASES.items()},
    "everything": full_position(),
    "three": new_game(3, seed=1),
    "four": new_game(4, seed=1, first_player=2, take_fewer="free"),
    "no unseen reserves": new_game(2, seed=1, unseen_reserve="off"),
    "small": new_game(3, seed=1, **SETTINGS["small"]),
    "forced pass": position(**deadlock()),
    "last round": position(bought=["", "3W1 3W2 3W3 3W4"], current=0, first=1),
}


@pytest.mark.parametrize("name", STATES)
def test_a_view_has_just_the_fields_of_the_contract(name: str) -> None:
    assert misfits(view_of(STATES[name]), VIEW) == []


@pytest.mark.parametrize("name", STATES)
def test_a_view_for_several_people_or_none_has_just_these_fields_too(name: str) -> None:
    state = STATES[name]
    for who in ("human", "greedy"):
        view = session_of(*[who] * state.players, start=state).view()
        assert misfits(view, VIEW) == []


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_a_view_of_a_replay_has_just_these_fields_too(players: int, viewer: int | None) -> None:
    state = new_game(players, seed=4)
    actions = ["take WUG", "reserve L3", *["reserve L1"] * (players - 2), "take RR"]
    for step in range(len(actions) + 1):
        view = replayed(state, *actions, step=step, viewer=viewer)
        assert misfits(view, VIEW) == []
        assert (view["interactive"], list(controls_of(view))) == (False, [])


def test_a_view_that_lacks_or_adds_a_field_is_seen() -> None:
    view = view_of(new_game(seed=7))
    view["seats"][1]["tokens"]["X"] = 1
    view["market"][2][3].pop("note")
    view["market"][0][0]["cost"]["W"] = 0
    view["bank"]["W"] = "4"
    assert len(misfits(view, VIEW)) == 4


@pytest.mark.parametrize("phase", PHASES)
def test_the_phase_stands_in_the_view(phase: str) -> None:
    view = view_of(STATES[phase])
    assert view["phase"] == phase
    kind = view["prompt"] and view["prompt"]["kind"]
    assert kind == (phase if phase in ("return", "noble", "pay") else None)
    assert view["interactive"] == (phase != "over")


def test_a_view_is_plain_json() -> None:
    for state in STATES.values():
        view = view_of(state)
        assert json.loads(json.dumps(view)) == view


# --- where the game stands


def test_a_view_tells_what_lies_on_the_table() -> None:
    state = full_position()
    view = view_of(state)
    assert view["bank"] == dict(state.bank)
    assert [deck["size"] for deck in view["decks"]] == list(state.deck_sizes)
    assert [[card["name"] for card in row] for row in view["market"]] == [
        [card.name for card in row] for row in state.market
    ]
    assert [noble["name"] for noble in view["nobles"]] == ["GR", "WU"]
    for shown, seat in zip(view["seats"], state.seats, strict=True):
        assert shown["tokens"] == dict(seat.tokens)
        assert shown["bonuses"] == dict(seat.bonuses)
        assert (shown["points"], shown["total"]) == (seat.points, sum(seat.tokens.values()))
        assert [card["name"] for card in shown["bought"]] == [card.name for card in seat.bought]
        assert [noble["name"] for noble in shown["nobles"]] == [n.name for n in seat.nobles]


def test_an_empty_slot_is_null() -> None:
    view = view_of(new_game(2, seed=1, **SETTINGS["small"]).apply("take WUG"))
    assert all(card for row in view["market"] for card in row)
    names = " ".join(card_names(CARDS)[:38])
    sparse = position(bought=["", names], turn=40)
    assert view_of(sparse)["market"][0].count(None) == 2


@pytest.mark.parametrize(
    ("turn", "players", "number"), [(0, 2, 1), (1, 2, 1), (2, 2, 2), (7, 3, 3)]
)
def test_rounds_are_counted_from_one(turn: int, players: int, number: int) -> None:
    state = position(players, turn=turn, current=turn % players)
    assert view_of(state)["round"] == number


def test_R15_the_last_round_is_announced() -> None:
    assert view_of(STATES["last round"])["last_round"]
    assert not view_of(new_game(seed=7))["last_round"]
    assert not view_of(over())["last_round"]


def test_the_status_says_whose_turn_it_is_and_what_is_asked() -> None:
    asked = {
        "main": "Your turn: take gems, reserve or buy a card.",
        "return": "Your turn: return 3 more of your tokens.",
        "noble": "Your turn: choose the noble that visits you.",
        "pay": "Your turn: choose how to pay.",
        "over": "Winners: greedy and You",
    }
    for phase, words in asked.items():
        names = ["greedy", "You"] if phase == "over" else None
        assert view_of(STATES[phase], names=names)["status"] == words


def test_the_status_names_the_person_where_there_are_several() -> None:
    game = session_of("human", "human", names=["Anna", "Ben"])
    assert game.view()["status"].startswith("Anna, it is your turn: ")
    assert session_of("greedy", "human").view()["status"] == "greedy is to play."


def test_nobles_tell_how_far_each_seat_is() -> None:
    first, second = bonus_cards("WWWU", "KKKK")
    view = view_of(position(bought=[first, second], nobles="WUK WU RK"))
    needs = {noble["name"]: noble["needs"] for noble in view["nobles"]}
    assert needs["WUK"][0]["missing"] == {"U": 2, "K": 3}
    assert needs["WUK"][0]["total"] == 5
    assert needs["RK"][1]["missing"] == {"R": 4}
    assert needs["RK"][1]["seat"] == 1


def needs_for(name: str, view: Json) -> list[Json]:
    return next(noble["needs"] for noble in view["nobles"] if noble["name"] == name)


WITHOUT_BLUE = "1W5 1G1 1R1 1K1 2W1 2G1 2R1 2K1 3W1 3G1 3R1 3K1"


def test_nobles_tell_which_open_cards_would_bring_them() -> None:
    market = WITHOUT_BLUE.replace("1G1", "1U4")
    state = position(bought=["1W1 1W2 1W3 1W4 1U1 1U2 1U3", ""], nobles="WU", market=market)
    mine, other = needs_for("WU", view_of(state))
    assert mine["text"] == ("You: 1 bonus missing; 1U4 would bring it, for 2 black (1 take away)")
    assert other["text"] == "greedy: 8 bonuses missing, more than the open cards bring"


def test_R18_an_unseen_reserve_that_lies_face_down_brings_no_noble_nearer() -> None:
    bought = ["1W1 1W2 1W3 1W4 1U1 1U2 1U3", ""]
    state = position(bought=bought, nobles="WU", reserved=["?3U1", ""], market=WITHOUT_BLUE)
    people = session_of("human", "human", start=state)
    assert "more than the open cards bring" in needs_for("WU", people.view())[0]["text"]
    send(people, "peek", seat=0, on=True)
    assert "3U1 would bring it" in needs_for("WU", people.view())[0]["text"]


# --- cards: what a seat can pay


@pytest.mark.parametrize(
    ("tokens", "afford", "gold", "missing", "note"),
    [
        ("UUKK", "yes", 0, {}, "affordable"),
        ("UUK*", "gold", 1, {}, "affordable with 1 gold"),
        ("****", "gold", 4, {}, "affordable with 4 gold"),
        ("UK*", "no", 0, {"U": 1, "K": 1}, "missing 1 blue and 1 black"),
        ("", "no", 0, {"U": 2, "K": 2}, "missing 2 blue and 2 black"),
    ],
)
def test_R10_a_card_says_whether_it_can_be_paid(
    tokens: str, afford: str, gold: int, missing: Json, note: str
) -> None:
    card = view_of(position(tokens=[tokens], market="1W4"))["market"][0][0]
    assert [card[key] for key in ("name", "afford", "gold", "missing", "note")] == [
        "1W4",
        afford,
        gold,
        missing,
        note,
    ]
    assert note in card["label"].lower()


def test_R10_bonuses_count_before_tokens() -> None:
    (cards,) = bonus_cards("UK")
    card = view_of(position(tokens=["UK"], bought=[cards], market="1W4"))["market"][0][0]
    assert card["afford"] == "yes"
    assert card["controls"][0]["label"] == "Buy for 1 blue and 1 black"


def test_R10_the_price_on_the_button_is_what_is_paid() -> None:
    state = position(tokens=["UUK*"], market="1W4")
    card = view_of(state)["market"][0][0]
    assert card["controls"][0] == {
        "action": "buy 1W4",
        "label": "Buy for 2 blue, 1 black and 1 gold",
        "why": "",
    }
    assert sum(state.apply("buy 1W4").seats[0].tokens.values()) == 0


def test_a_card_in_the_reserve_of_another_is_judged_for_nobody() -> None:
    state = position(tokens=["UUKK"], reserved=["2U5", "1W4"])
    mine, other = (seat["reserved"][0] for seat in view_of(state)["seats"])
    assert mine["afford"] == "no"
    assert [other[key] for key in ("afford", "gold", "missing", "note", "controls")] == [
        "",
        0,
        {},
        "",
        [],
    ]
    assert "ffordable" not in other["label"]
    assert "issing" not in other["label"]


def test_an_own_reserve_can_only_be_bought() -> None:
    state = position(tokens=["UUKK"], reserved=["?1W4"])
    (card,) = view_of(state)["seats"][0]["reserved"]
    assert [control["action"] for control in card["controls"]] == ["buy 1W4"]


def test_spectators_see_cards_without_a_judgement() -> None:
    view = session_of("greedy", "greedy", start=new_game(seed=7)).view()
    cards = [card for row in view["market"] for card in row]
    assert {card["afford"] for card in cards} == {""}
    assert {card["note"] for card in cards} == {""}


# --- what is offered: the rules, and nothing else


@cache
def offers() -> list[tuple[State, Json]]:
    """States from whole games under every rule option, and what a person gets in each."""
    games = [game(*table) for table in QUICK]
    states = [state for one in games for state, _ in one.steps[::15]]
    rare = [state for one in games for state, _ in one.steps if state.phase in ("noble", "pay")]
    return [(state, view_of(state)) for state in [*states, *rare[:40], *STATES.values()]]


def test_the_sample_holds_every_phase() -> None:
    assert {state.phase for state, _ in offers()} == set(PHASES)


def test_every_legal_action_is_offered_and_no_other() -> None:
    for state, view in offers():
        assert set(enabled(view)) == {str(action) for action in state.legal_actions()}


def test_every_reason_is_that_of_the_observation() -> None:
    for state, view in offers():
        observation = state.observation(state.current_player or 0)
        for control in controls_of(view):
            assert control["why"] == (observation.why_illegal(control["action"]) or "")
        for pick, entry in view["picks"].items():
            if pick:
                assert entry["why"] == (observation.why_illegal(f"take {pick}") or "")


def test_R7_R8_picks_lead_to_every_legal_take_and_nowhere_else() -> None:
    for state, view in offers():
        picks = view["picks"]
        takes = {action.gems for action in state.legal_actions() if action.kind == "take"}
        grown = {
            "".join(sorted(pick + gem, key=GEMS.index))
            for pick, entry in picks.items()
            for gem, why in entry["add"].items()
            if not why
        }
        assert grown == set(picks) - {""}
        assert {pick for pick, entry in picks.items() if not entry["why"]} == takes
        assert all(list(pick) == sorted(pick, key=GEMS.index) for pick in picks)


def test_there_are_picks_in_the_main_phase_of_a_person_only() -> None:
    for phase, state in STATES.items():
        assert bool(view_of(state)["picks"]) == (state.phase == "main"), phase
    assert session_of("greedy", "human").view()["picks"] == {}


@pytest.mark.parametrize(
    ("pick", "gem", "why"),
    [
        ("", "*", "Gold comes only with a reservation [R9]."),
        ("WUG", "R", "A turn takes three different gems, or two of one color [R7, R8]."),
        ("WW", "W", "A turn takes three different gems, or two of one color [R7, R8]."),
    ],
)
def test_a_gem_that_may_not_be_added_says_why(pick: str, gem: str, why: str) -> None:
    assert view_of(position())["picks"][pick]["add"][gem] == why


def test_R8_a_second_gem_of_a_small_pile_says_why() -> None:
    state = position(tokens=["W"])
    why = view_of(state)["picks"]["W"]["add"]["W"]
    assert why == state.why_illegal("take WW")


def test_R7_a_gem_that_has_run_out_says_why() -> None:
    state = position(tokens=["WWWW"])
    assert view_of(state)["picks"][""]["add"]["W"] == state.why_illegal("take W")


def test_R13_the_return_step_counts_down() -> None:
    state = returning()
    for held in (13, 12, 11):
        prompt = view_of(state)["prompt"]
        assert (prompt["held"], prompt["limit"]) == (held, 10)
        assert f"{held - 10} more" in prompt["text"]
        state = state.apply("return K" if held > 11 else "return W")
    assert view_of(state)["prompt"] is None


def test_R11_a_forced_pass_is_said() -> None:
    prompt = view_of(STATES["forced pass"])["prompt"]
    assert prompt["kind"] == "pass"
    assert [control["action"] for control in prompt["controls"]] == ["pass"]


def test_R14_nobles_to_choose_can_be_pressed_in_both_places() -> None:
    view = view_of(choosing())
    offered = [control["action"] for control in view["prompt"]["controls"]]
    assert offered == ["noble WUK", "noble WU"]
    tiles = {noble["name"]: noble["controls"] for noble in view["nobles"]}
    assert [tiles["WUK"][0]["action"], tiles["WUK"][0]["why"]] == ["noble WUK", ""]
    assert tiles["RK"][0]["why"] != ""


def test_R10_paying_shows_what_would_be_paid() -> None:
    game = session_of("human", "greedy", start=paying())
    labels = [game.view()["prompt"]["controls"][-1]["label"]]
    for action in ("gold U", "gold K"):
        game.decide(action)
        labels.append(game.view()["prompt"]["controls"][-1]["label"])
    assert labels == [
        "Pay 2 blue and 2 black",
        "Pay 1 blue, 2 black and 1 gold",
        "Pay 1 blue, 1 black and 2 gold",
    ]


# --- what has happened


def test_the_last_turn_is_told_and_marked() -> None:
    game = session_of("human", "human", names=NAMES[:2], start=position(market="1W4 1U2"))
    game.decide("reserve 1W4")
    view = game.view()
    assert view["last"] == {
        "seat": 0,
        "text": "Anna reserved 1W4.",
        "gems": "",
        "cards": ["1W4"],
    }
    assert [seat["last"] for seat in view["seats"]] == [True, False]
    assert view["seats"][0]["reserved"][0]["last"]
    assert [card["new"] for card in view["market"][0]] == [True, False, False, False]


def test_a_turn_of_several_steps_is_told_as_one() -> None:
    game = session_of("human", "human", names=NAMES[:2], start=position(tokens=["WWUUGGRRKK"]))
    for action in ("take WUG", "return K", "return K", "return R"):
        game.decide(action)
    assert game.view()["last"]["gems"] == "WUG"
    assert game.view()["last"]["text"] == (
        "Anna took 1 white, 1 blue and 1 green. Anna returned 1 black. Anna returned 1 black. "
        "Anna returned 1 red."
    )


def test_cards_are_new_for_one_round() -> None:
    game = session_of("human", "human", start=position(market="1W4"))
    game.decide("reserve 1W4")
    game.decide("take WUG")
    assert game.view()["market"][0][0]["new"]
    game.decide("take WUG")
    assert not game.view()["market"][0][0]["new"]


def test_the_log_tells_every_kind_of_decision() -> None:
    def lines(start: State, *actions: str) -> list[str]:
        game = session_of(*["human"] * start.players, names=NAMES[: start.players], start=start)
        for action in actions:
            game.decide(action)
        return [line["text"] for line in game.view()["log"]]

    assert lines(position(), "take RR") == ["Anna took 2 red."]
    assert lines(position(), "reserve L2") == ["Anna reserved a level 2 card unseen."]
    assert lines(paying(), "gold U", "pay") == [
        "Anna gave gold for 1 blue.",
        "Anna paid, and bought 1W4.",
    ]
    assert lines(choosing(), "noble WUK")[0].endswith(" visits Anna: 3 points.")
    assert lines(returning(), "return K") == ["Anna returned 1 black."]
    assert lines(position(**deadlock()), "pass") == ["Anna could do nothing and passed."]


def test_the_log_counts_turns_from_one() -> None:
    game = session_of("human", "human", start=position(turn=0, tokens=["WWUUGGRRKK"]))
    for action in ("take WUG", "return K", "return K", "return R", "take WUG"):
        game.decide(action)
    assert [line["turn"] for line in game.view()["log"]] == [1, 1, 1, 1, 2]
    assert [line["seat"] for line in game.view()["log"]] == [0, 0, 0, 0, 1]


def test_R14_a_noble_that_comes_by_itself_is_told() -> None:
    (cards,) = bonus_cards("WWWWUUUU")
    game = session_of("human", "greedy", start=position(bought=[cards], nobles="WU GR RK"))
    game.decide("take WUG")
    assert game.view()["log"][0]["text"].endswith(" visits You: 3 points.")


def test_the_log_keeps_the_last_two_hundred_lines() -> None:
    longest = max((game(*table) for table in QUICK), key=lambda one: len(one.steps))
    opened = session_of(*["human"] * longest.players, start=longest.steps[0][0])
    for _, action in longest.steps:
        opened.decide(action)
    log = opened.view()["log"]
    assert (len(log), log[-1]["id"]) == (200, len(longest.steps) - 1)


# --- the end


def test_R16_the_ranking_gives_the_reason() -> None:
    bought = ["3W1 3W2 3W3 3W4", "3U1 3U2 3U3 3U4 1W1"]
    state = position(bought=bought, current=1, first=0).apply("take WUG")
    result = session_of("human", "human", names=NAMES[:2], start=state).view()["result"]
    assert result["title"] == "Winner: Anna"
    assert "fewest bought cards" in result["text"]
    assert [(row["place"], row["name"], row["cards"], row["note"]) for row in result["rows"]] == [
        (1, "Anna", 4, "wins"),
        (2, "Ben", 5, ""),
    ]


def test_R16_a_shared_win_is_shared_in_the_ranking() -> None:
    result = session_of("human", "human", names=NAMES[:2], start=over()).view()["result"]
    assert result["title"] == "Winners: Anna and Ben"
    assert [row["place"] for row in result["rows"]] == [1, 1]
    assert "shared" in result["text"]


def test_R16_without_a_tie_break_points_alone_count() -> None:
    bought = ["3W1 3W2 3W3 3W4", "3U1 3U2 3U3 3U4 1W1"]
    state = position(bought=bought, current=1, tie_break="none").apply("take WUG")
    result = session_of("human", "human", start=state).view()["result"]
    assert [row["place"] for row in result["rows"]] == [1, 1]
    assert result["text"].endswith("Tied on points: the win is shared.")


def test_R17_a_stalemate_and_a_limit_are_named() -> None:
    stuck = position(**deadlock()).apply("pass").apply("pass")
    assert "pass" in view_of(stuck)["result"]["text"]
    assert "limit of 40 turns" in view_of(over())["result"]["text"]


# --- hidden information: byte for byte


def bytes_of(shown: Shown) -> str:
    """All that leaves Python for the page: the view, and the texts of the plain controls."""
    plain = PlainControls(shown, None)
    return json.dumps([shown.view(), [list(texts_of(plain)), repr(shown)]])


def texts_of(widget: ipywidgets.Widget) -> Iterator[object]:
    """What the front end gets of a widget and of all inside it, but for the models' names."""
    state = widget.get_state()
    yield {key: value for key, value in state.items() if not refers(value)}
    for child in (*getattr(widget, "children", ()), *extras(widget)):
        yield from texts_of(child)


def extras(widget: ipywidgets.Widget) -> list[ipywidgets.Widget]:
    names = ("kind", "action", "play", "unseen") if isinstance(widget, PlainControls) else ()
    return [getattr(widget, name) for name in names]


def refers(value: object) -> bool:
    return "IPY_MODEL_" in str(value)


def other_truth(state: State, viewer: int) -> State | None:
    """A truth with the same observation, unless there is just one."""
    for seed in range(5):
        other = state.observation(viewer).determinize(seed)
        if other != state:
            return other
    return None


def pairs(one: Sample) -> Iterator[tuple[State, State, int]]:
    """Two truths and a seat that cannot tell them apart, from a game."""
    for number, (state, _) in enumerate(one.steps[::13]):
        viewer = number % state.players
        other = other_truth(state, viewer)
        if other is not None:
            yield state, other, viewer


def with_people(state: State, *people: int, actions: tuple[str, ...] = ()) -> GameSession:
    who = ["human" if seat in people else "greedy" for seat in range(state.players)]
    opened = session_of(*who, start=state)
    for action in actions:
        opened.decide(action)
    return opened


GAMES = pytest.mark.parametrize("table", QUICK[:33:2], ids=lambda table: f"{table[0]}-{table[1]}")


@GAMES
def test_R18_two_truths_look_the_same_to_the_only_person(table: tuple[str, int, int]) -> None:
    compared = 0
    for state, other, viewer in pairs(game(*table)):
        one, two = (with_people(truth, viewer) for truth in (state, other))
        assert bytes_of(one) == bytes_of(two)
        compared += 1
    assert compared > 1


@GAMES
def test_R18_two_truths_look_the_same_to_spectators(table: tuple[str, int, int]) -> None:
    for state, other, _ in pairs(game(*table)):
        assert bytes_of(with_people(state)) == bytes_of(with_people(other))


@GAMES
def test_R18_two_truths_look_the_same_at_a_shared_screen(table: tuple[str, int, int]) -> None:
    for state, _, viewer in pairs(game(*table)):
        # The unseen reserves of whoever is to decide lie face down as well.
        stranger = (viewer + 1) % state.players
        other = other_truth(state, stranger)
        if other is not None and state.legal_actions() != ["pass"] != other.legal_actions():
            people = range(state.players)
            one, two = (with_people(truth, *people) for truth in (state, other))
            assert bytes_of(one) == bytes_of(two)


def swapped(state: State, seat: int, other: str) -> State:
    """The same position with another card in place of the first one that a seat has reserved."""
    data = state.to_dict()
    mine, row = data["seats"][seat]["reserved"][0], card_names(CARDS).index(other)
    for deck in data["decks"]:
        deck[:] = [mine["card"] if card == row else card for card in deck]
    mine["card"] = row
    return State.from_dict(data)


def two_secrets() -> tuple[State, State]:
    """Truths that differ in what Anna has reserved unseen: one card she can pay, one not."""
    state = position(tokens=["UUKK"], reserved=["?1W4"])
    return state, swapped(state, 0, "1G8")


def test_R18_a_card_that_lies_face_down_betrays_nothing_at_a_shared_screen() -> None:
    first, second = two_secrets()
    assert first.legal_actions() != second.legal_actions()
    assert bytes_of(with_people(first, 0, 1)) == bytes_of(with_people(second, 0, 1))


def test_R18_what_is_looked_at_shows_and_is_hidden_again_after_the_turn() -> None:
    shown = []
    for truth in two_secrets():
        opened = with_people(truth, 0, 1)
        send(opened, "peek", seat=0, on=True)
        looked = bytes_of(opened)
        send(opened, "act", action="take WUG")
        shown.append((looked, bytes_of(opened)))
    (looked, after), (other_looked, other_after) = shown
    assert looked != other_looked
    assert after == other_after


def test_R18_the_only_legal_purchases_are_not_listed_while_they_lie_face_down() -> None:
    setting = deadlock(
        tokens=["WWWWUUUUGG", "GGRRRRKKKK"],
        reserved=["?2U3 3U2 3U3", "3G1 3G2 3G3"],
        bought=["1U1"],
    )
    state = position(**setting)
    assert state.legal_actions() == ["buy 2U3"]
    opened = with_people(state, 0, 1)
    assert opened.open_actions() == []
    assert "2U3" not in bytes_of(opened)
    send(opened, "peek", seat=0, on=True)
    assert opened.open_actions() == state.legal_actions()
    assert "2U3" in bytes_of(opened)


def test_R18_an_unseen_reserve_during_the_game_looks_the_same_to_all_others() -> None:
    state = position(3)
    other = other_truth(state, 1)
    assert other is not None
    scripts = [("reserve L1", "take WUG", "reserve L2"), ("reserve L1", "reserve L1", "take RR")]
    for actions in scripts:
        one, two = (with_people(truth, 0, 1, 2, actions=actions) for truth in (state, other))
        assert one.state != two.state
        assert bytes_of(one) == bytes_of(two)


def test_R18_a_card_that_is_being_paid_for_is_shown_to_all() -> None:
    view = with_people(paying(), 0, 1).view()
    names = [card.get("name", "?") for card in view["seats"][0]["reserved"]]
    assert names == ["?", "1W4"]


@pytest.mark.parametrize("viewer", [None, 0])
def test_R18_two_truths_look_the_same_in_a_replay(viewer: int | None) -> None:
    actions = ("take WUG", "reserve L1", "take RR", "take WUG", "take UGR", "reserve L3")
    state = position()
    other = other_truth(state, 0)
    assert other is not None
    for step in range(len(actions) + 1):
        views = []
        for truth in (state, other):
            shown = Replay(finished(truth, *actions))
            shown.step, shown.viewer = step, viewer
            views.append(bytes_of(shown))
        assert views[0] == views[1]


def test_R18_a_replay_does_not_tell_what_comes_later() -> None:
    state = position()
    views = []
    for later in ("buy", "take"):
        actions = ["take WUG", "take UGR", "reserve L1", *[f"{later} GRK"] * (later == "take")]
        shown = Replay(finished(state, *actions, *["take WUG"] * (later != "take")))
        shown.step = 3
        views.append(bytes_of(shown))
    assert views[0] == views[1]


def test_the_board_gets_the_view_and_nothing_else() -> None:
    opened = session_of("human", "greedy", start=position(reserved=["", "?1K2"]))
    board = Board(opened)
    synced = {name for name in board.traits(sync=True) if not name.startswith("_")}
    assert {"view", "texts", "dir", "size"} <= synced
    assert board.view == opened.view()
    assert "1K2" not in json.dumps(board.get_state(["view", "texts", "dir", "size"]))
