"""A game in progress and a replay without widgets: messages, people, agents, what goes wrong."""

from __future__ import annotations

import copy
import json
import threading
from pathlib import Path
from typing import Any

import pytest
from positions import position
from sessions import (
    PATIENCE_S,
    Script,
    Slow,
    act,
    choosing,
    enabled,
    finished,
    over,
    paying,
    play_on,
    returning,
    send,
    session_of,
)

from splendor_nb import (
    IllegalActionError,
    NotationError,
    Observation,
    Rng,
    State,
    load_game,
    new_game,
    play_game,
)
from splendor_nb.board.pace import Pace
from splendor_nb.board.session import GameSession, Replay
from splendor_nb.board.words import name_in_sentence
from splendor_nb.engine.records import GameRecord

Json = dict[str, Any]

KINDS = ("act", "peek", "dismiss", "skip", "rematch", "shout")
ODD_NAMES = {
    "markup": "<img src=x onerror=alert(1)><b>&amp;",
    "emoji": "👩‍🚀🃏",
    "right to left": "שרה",
    "an unclosed override": "\u202eAnna",
    "long": "A" * 10_000,
    "places of a text": "{name} {0.__class__} %s",
    "lines": "An\nna\t",
    "empty": "",
}


def two_people(**options: Any) -> GameSession:
    return session_of("human", "human", names=["Anna", "Ben"], **options)


def unseen_reserves() -> State:
    """Anna and Ben have reserved one card unseen each; Anna can pay hers, and is to move."""
    return position(tokens=["UUKK", "GG*"], reserved=["?1W4", "?1K2"])


# --- messages: actions


def test_an_action_of_the_page_is_done() -> None:
    game = two_people()
    act(game, "take WUG")
    assert [str(action) for action in game.record.actions] == ["take WUG"]
    assert game.state.current_player == 1


def test_every_change_is_told_once_with_the_next_version() -> None:
    game = two_people()
    heard: list[int] = []
    game.on_change(lambda: heard.append(game.view()["version"]))
    act(game, "take WUG", "take WUG")
    assert heard == [1, 2]


def test_a_double_click_is_one_move() -> None:
    game = two_people()
    click = {"type": "act", "version": game.version, "action": "take WUG"}
    game.handle(click)
    game.handle(click)
    assert len(game.record.actions) == 1


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("version", [-1, 1, 3, None, "2", [2]])
def test_a_message_for_another_version_is_dropped(kind: str, version: object) -> None:
    game = two_people()
    act(game, "take WUG", "pass")
    before = game.view()
    assert (before["version"], bool(before["error"])) == (2, True)
    game.handle({"type": kind, "version": version, "action": "take WUG", "seat": 1, "on": True})
    assert game.view() == before


def test_a_message_without_a_version_is_dropped() -> None:
    game = two_people()
    game.handle({"type": "act", "action": "take WUG"})
    assert game.record.actions == ()


def test_an_illegal_action_is_told_and_changes_nothing() -> None:
    game = two_people()
    state = game.state
    act(game, "pass")
    assert game.state is state
    assert game.view()["error"] == (
        "'pass' is not allowed now. You may pass only when nothing else is possible [R11]."
    )


@pytest.mark.parametrize(
    "action", ["", "jump", "take", "buy 9W9", None, 5, ["take WUG"], "x" * 9999]
)
def test_an_unreadable_action_is_told_in_a_short_sentence(action: Any) -> None:
    game = two_people()
    act(game, action)
    assert game.record.actions == ()
    assert 10 < len(game.view()["error"]) < 400


def test_an_error_stays_until_it_is_read() -> None:
    game = two_people()
    act(game, "pass")
    send(game, "dismiss")
    assert game.view()["error"] == ""
    act(game, "pass", "take WUG")
    assert game.view()["error"] == ""


def test_a_click_during_the_turn_of_an_agent_does_nothing() -> None:
    game = session_of("greedy", "human")
    act(game, "take WUG")
    assert game.record.actions == ()
    assert game.view()["error"] == ""
    assert game.version == 1  # the page waits for an answer


def test_an_unknown_message_is_told() -> None:
    game = two_people()
    send(game, "shout", text="<b>")
    assert "shout" in game.view()["error"]


@pytest.mark.parametrize("kind", [None, 7, ["act"], {"act": 1}])
def test_a_message_of_no_kind_is_told(kind: Any) -> None:
    game = two_people()
    send(game, kind)
    assert "what Python does not know" in game.view()["error"]


@pytest.mark.parametrize("make", [returning, choosing, paying, new_game], ids=lambda f: f.__name__)
def test_all_that_is_offered_is_done(make: Any) -> None:
    start = make()
    for action in enabled(two_people(start=start).view()):
        game = two_people(start=start)
        act(game, action)
        assert (game.view()["error"], len(game.record.actions)) == ("", 1)


def test_skip_changes_nothing_in_the_game() -> None:
    game = session_of("greedy", "human")
    state = game.state
    send(game, "skip")
    assert game.state is state
    assert game.version == 1


# --- messages: looking at unseen reserves


def shown_names(game: GameSession, seat: int) -> list[str]:
    return [card.get("name", "?") for card in game.view()["seats"][seat]["reserved"]]


def test_R18_several_people_see_an_unseen_reserve_only_on_request() -> None:
    game = two_people(start=unseen_reserves())
    assert shown_names(game, 0) == shown_names(game, 1) == ["?"]
    send(game, "peek", seat=0, on=True)
    assert (shown_names(game, 0), shown_names(game, 1)) == (["1W4"], ["?"])
    send(game, "peek", seat=0, on=False)
    assert shown_names(game, 0) == ["?"]


@pytest.mark.parametrize("seat", [1, 2, -1, None, "0", True])
def test_R18_nobody_looks_at_the_reserve_of_another(seat: Any) -> None:
    game = two_people(start=unseen_reserves())
    send(game, "peek", seat=seat, on=True)
    assert (shown_names(game, 0), shown_names(game, 1)) == (["?"], ["?"])


@pytest.mark.parametrize("action", ["take WUG", "reserve L2", "buy 1W4"])
def test_R18_what_was_looked_at_is_closed_after_the_turn(action: str) -> None:
    game = two_people(start=unseen_reserves())
    send(game, "peek", seat=0, on=True)
    act(game, action)
    assert set(shown_names(game, 0) + shown_names(game, 1)) == {"?"}
    act(game, "take WUG")
    assert set(shown_names(game, 0)) <= {"?"}


def test_R18_what_was_looked_at_is_closed_within_the_turn_too() -> None:
    start = position(tokens=["WWUUGGRRKK"], reserved=["?1W4"])
    game = two_people(start=start)
    send(game, "peek", seat=0, on=True)
    act(game, "take WUG")
    assert game.state.phase == "return"
    assert shown_names(game, 0) == ["?"]


def test_R18_what_was_looked_at_is_closed_in_the_next_game() -> None:
    game = two_people(start=unseen_reserves())
    send(game, "peek", seat=0, on=True)
    game.new_game()
    assert shown_names(game, 0) == ["?"]


def test_R18_a_person_alone_sees_the_own_unseen_reserve_all_the_time() -> None:
    game = session_of("human", "greedy", "random", start=position(3, reserved=["?1W4", "?1K2"]))
    assert (shown_names(game, 0), shown_names(game, 1)) == (["1W4"], ["?"])


def test_R18_spectators_see_no_unseen_reserve() -> None:
    game = session_of("greedy", "random", start=unseen_reserves())
    send(game, "peek", seat=0, on=True)
    assert shown_names(game, 0) == shown_names(game, 1) == ["?"]


def test_R18_an_agent_that_calls_itself_human_is_no_person() -> None:
    def human(observation: Observation, _rng: Rng) -> str:
        return observation.legal_actions()[0]

    game = session_of(human, "greedy", start=unseen_reserves())
    assert shown_names(game, 0) == ["?"]
    assert game.view()["viewer"] is None


# --- who is shown what


def test_the_only_person_is_the_viewer_all_the_time() -> None:
    game = session_of("greedy", "human", "random")
    assert game.view()["viewer"] == 1
    game.play_agent()
    assert (game.view()["viewer"], game.view()["interactive"]) == (1, True)


def test_of_several_people_the_one_to_decide_is_the_viewer() -> None:
    game = session_of("human", "greedy", "human")
    viewers = [game.view()["viewer"]]
    game.decide("take WUG")
    viewers.append(game.view()["viewer"])
    game.play_agent()
    viewers.append(game.view()["viewer"])
    assert viewers == [0, None, 2]


def test_it_says_which_agent_is_thinking() -> None:
    game = session_of("human", "greedy")
    assert game.view()["thinking"] == ""
    game.decide("take WUG")
    assert (game.view()["thinking"], game.view()["interactive"]) == ("greedy", False)


# --- for code


def test_act_does_the_action_and_lets_the_agents_answer() -> None:
    game = session_of("human", "greedy", "random")
    game.act("take WUG")
    assert (game.state.turn, game.state.current_player) == (3, 0)


@pytest.mark.parametrize(
    ("action", "error"), [("pass", IllegalActionError), ("jump", NotationError)]
)
def test_act_raises_what_the_state_raises(action: str, error: type[Exception]) -> None:
    game = session_of("human", "greedy")
    state = game.state
    with pytest.raises(error):
        game.act(action)
    assert game.state is state
    assert game.view()["error"] == ""


def test_act_is_refused_during_the_turn_of_an_agent() -> None:
    game = session_of("greedy", "human")
    with pytest.raises(ValueError, match="greedy, an agent"):
        game.act("take WUG")
    assert game.record.actions == ()


def test_act_is_refused_when_the_game_is_over() -> None:
    game = session_of("human", "greedy", start=over())
    with pytest.raises(IllegalActionError, match="over"):
        game.act("take WUG")


def test_a_game_is_saved_and_loaded_and_goes_on(tmp_path: Path) -> None:
    game = session_of("human", "greedy", names=["Änna ♛", "<b>"], target=10)
    game.act("take WUG")
    record = load_game(game.save(tmp_path / "game.json"))
    assert record == game.record
    again = session_of("human", "greedy", names=["Änna ♛", "<b>"], record=record)
    assert (again.state, again.record) == (game.state, game.record)
    again.act(again.state.legal_actions()[0])
    assert again.record.actions[:2] == game.record.actions


def test_what_a_continued_game_does_depends_on_the_record_alone() -> None:
    game = session_of("human", "random", "random")
    game.act("take WUG")
    ends = []
    for _ in range(2):
        again = session_of("human", "random", "random", record=game.record)
        play_on(again)
        ends.append(again.record)
    assert ends[0] == ends[1]


def test_a_game_that_goes_on_draws_other_numbers_than_its_beginning() -> None:
    drawn: list[float] = []

    def draw(observation: Observation, rng: Rng) -> str:
        drawn.append(rng.random())
        return observation.legal_actions()[0]

    game = session_of("human", draw)
    game.act("take WUG")
    session_of("human", draw, record=game.record).act("take RR")
    assert drawn[0] != drawn[1]


def test_a_finished_game_is_saved_with_its_result(tmp_path: Path) -> None:
    game = session_of("human", "greedy", target=3)
    play_on(game)
    assert load_game(game.save(tmp_path / "game.json")).result == game.result


def test_the_repr_shows_the_public_board() -> None:
    game = session_of("human", "greedy", start=unseen_reserves())
    assert not {"1W4", "1K2"} & set(repr(game).split())
    assert repr(game).startswith("<game of 'You', 'greedy', seed 7>\n")


# --- determinism


def test_the_same_seed_and_clicks_give_the_same_record() -> None:
    records = []
    for _ in range(2):
        game = session_of("human", "random", "greedy", seed=11, target=8)
        play_on(game)
        records.append(json.dumps(game.record.to_dict()))
    assert records[0] == records[1]


def test_agents_play_as_they_do_without_a_board() -> None:
    game = session_of("random", "greedy", seed=5)
    game.play_agents()
    assert game.record == play_game(["random", "greedy"], seed=5)


def test_two_games_do_not_disturb_each_other() -> None:
    alone = session_of("human", "random", seed=3, target=5)
    play_on(alone)
    one, other = (session_of("human", "random", seed=seed, target=5) for seed in (3, 4))
    while one.result is None:
        one.act(one.state.legal_actions()[0])
        if other.result is None:
            other.act(other.state.legal_actions()[-1])
    assert one.record == alone.record


# --- the end, and another game


def test_a_rematch_is_dealt_to_the_same_players_with_the_next_seed() -> None:
    game = session_of("human", "greedy", names=["Anna", "Bot"], seed=7, target=3)
    play_on(game)
    send(game, "rematch")
    assert (game.seed, game.record.actions, game.result) == (8, (), None)
    assert game.state == new_game(players=2, seed=8, target=3)
    assert [seat.name for seat in game.seats] == ["Anna", "Bot"]


def test_a_rematch_before_the_end_is_not_given() -> None:
    game = two_people()
    act(game, "take WUG")
    send(game, "rematch")
    assert len(game.record.actions) == 1


def test_a_rematch_from_a_position_begins_there() -> None:
    start = position(turn=38, turn_limit=40)
    game = two_people(start=start)
    act(game, "take WUG", "take WUG")
    assert game.view()["phase"] == "over"
    send(game, "rematch")
    assert game.state == start


def test_a_finished_position_is_shown_as_over() -> None:
    view = two_people(start=over()).view()
    assert (view["phase"], view["interactive"], view["prompt"], view["picks"]) == (
        "over",
        False,
        None,
        {},
    )
    assert view["result"]["title"] == "Winners: Anna and Ben"


@pytest.mark.parametrize("seed", [-1, 1.5, "x", True])
def test_a_new_game_with_a_bad_seed_is_refused_and_the_old_one_goes_on(seed: Any) -> None:
    game = session_of("human", "greedy")
    game.act("take WUG")
    before = game.record
    with pytest.raises((TypeError, ValueError), match="seed"):
        game.new_game(seed=seed)
    assert game.record == before
    game.act(game.state.legal_actions()[0])


# --- agents that make faults


def raise_zero_division(_observation: Observation, _rng: Rng) -> str:
    raise ZeroDivisionError("<b>no gems</b>")


def spoil(observation: Observation, _rng: Rng) -> str:
    """An agent that damages all that it was given, and makes a fault then."""
    numbers = observation.numbers()
    numbers.bank[0] = 99
    observation.__dict__.clear()
    raise RuntimeError("spoiled")


FAULTS = {
    "exception": (raise_zero_division, "exception", "<b>no gems</b>"),
    "none": (lambda _o, _r: None, "unreadable", "not None"),
    "number": (lambda _o, _r: 17, "unreadable", "not 17"),
    "text": (lambda _o, _r: "jump", "unreadable", "jump"),
    "illegal": (lambda _o, _r: "pass", "illegal", "pass"),
    "spoiling": (spoil, "exception", "spoiled"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_an_agent_ends_the_game_and_is_shown(name: str) -> None:
    agent, kind, text = FAULTS[name]
    game = session_of("human", agent, names=["Anna", "Bad"])
    game.act("take WUG")
    assert game.result is not None
    assert (game.result.end_reason, game.result.winners) == ("forfeit", (0,))
    assert [fault.kind for fault in game.record.faults] == [kind]
    view = game.view()
    assert view["error"].startswith(f"Bad made a fault ({kind}).")
    assert text in game.record.faults[0].text
    # What else an agent answered may name a card that only its seat knows.
    assert (text in view["error"]) == (kind == "exception")
    assert view["result"]["title"] == "Winner: Anna"
    assert "Forfeit by Bad" in view["result"]["text"]
    assert [row["name"] for row in view["result"]["rows"]] == ["Anna", "Bad"]
    assert (view["phase"], [seat["current"] for seat in view["seats"]]) == ("over", [False, False])


def test_what_an_agent_raised_is_shown_without_quotes() -> None:
    game = session_of("human", raise_zero_division, names=["Anna", "Bad"])
    game.act("take WUG")
    view, said = game.view(), "ZeroDivisionError: <b>no gems</b>"
    assert view["error"] == f"Bad made a fault (exception). {said}"
    assert view["result"]["text"] == f"Forfeit by Bad (exception). {said}"


def test_after_a_forfeit_nothing_can_be_played_but_a_rematch() -> None:
    game = session_of("human", raise_zero_division)
    game.act("take WUG")
    actions = game.record.actions
    act(game, "take WUG")
    with pytest.raises(ValueError, match="forfeit"):
        game.act("take WUG")
    assert game.record.actions == actions
    assert not game.agent_decides()
    send(game, "rematch")
    assert (game.result, game.view()["error"], game.record.faults) == (None, "", ())


def test_of_three_the_others_are_ranked_after_a_fault() -> None:
    start = position(3, bought=["", "2W4", "2W5 2W6"], current=0)
    game = session_of(raise_zero_division, "human", "human", start=start)
    game.play_agents()
    rows = game.view()["result"]["rows"]
    assert [(row["place"], row["seat"]) for row in rows] == [(1, 2), (2, 1), (3, 0)]


def test_a_forfeit_is_saved_and_loaded(tmp_path: Path) -> None:
    game = session_of("human", raise_zero_division)
    game.act("take WUG")
    assert load_game(game.save(tmp_path / "game.json")) == game.record


def test_an_agent_that_edits_what_it_was_given_changes_nothing() -> None:
    def edit(observation: Observation, _rng: Rng) -> str:
        action = observation.legal_actions()[0]
        observation._s.tokens[0][0] = 9
        observation._s.market[:] = [0] * 12
        return action

    game = session_of("human", edit)
    twin = copy.deepcopy(game.state)
    game.act("take WUG")
    assert game.state == twin.apply("take WUG").apply("take WUG")


def test_what_goes_wrong_in_python_is_shown() -> None:
    game = two_people()
    game.fail(RuntimeError("no disk <b>" + "x" * 5000))
    error = game.view()["error"]
    assert error.startswith("Something went wrong in Python: RuntimeError")
    assert len(error) < 300


# --- names


@pytest.mark.parametrize("name", ODD_NAMES.values(), ids=ODD_NAMES)
def test_a_name_is_shown_in_full_and_leaves_sentences_readable(name: str) -> None:
    game = session_of("human", "human", names=[name, "Ben"])
    act(game, "take WUG")
    view = game.view()
    assert view["seats"][0]["name"] == name
    sentence = view["log"][0]["text"]
    assert sentence.endswith(" took 1 white, 1 blue and 1 green.")
    assert len(sentence) < 90
    assert "\u202e" not in sentence
    assert sentence.count("\u2068") == sentence.count("\u2069")


@pytest.mark.parametrize("name", ODD_NAMES.values(), ids=ODD_NAMES)
def test_a_name_is_saved_and_loaded_as_it_is(name: str, tmp_path: Path) -> None:
    game = session_of("human", "human", names=[name, name])
    record = load_game(game.save(tmp_path / "game.json"))
    assert [seat.name for seat in record.seats] == [name, name]


def test_long_names_do_not_make_the_view_heavy() -> None:
    game = session_of("human", "human", names=["A" * 10_000, "B" * 10_000])
    for _ in range(60):
        act(game, game.state.legal_actions()[0])
    assert len(json.dumps(game.view())) < 100_000


def test_a_name_from_right_to_left_is_set_apart_in_a_sentence() -> None:
    assert name_in_sentence("שרה") == "\u2068שרה\u2069"
    assert name_in_sentence("\u202eAnna") == "Anna"
    assert name_in_sentence("Anna") == "Anna"


# --- agents beside the kernel


def test_agents_play_until_a_person_decides() -> None:
    game = session_of("greedy", "random", "human")
    Pace(game, "instant").start()
    game.wait(PATIENCE_S)
    assert (game.state.turn, game.state.current_player) == (2, 2)


def test_agents_play_a_whole_game() -> None:
    game = session_of("greedy", "greedy", target=5)
    Pace(game, "instant").start()
    game.wait(PATIENCE_S)
    assert game.record == play_game(["greedy", "greedy"], seed=7, target=5)


def test_waiting_has_an_end() -> None:
    game = session_of("greedy", "human")
    game.wait(0.01)
    assert game.state.turn == 0


def test_waiting_ends_when_a_new_game_begins_with_a_person() -> None:
    slow = Slow()
    game = session_of(slow, "human")
    Pace(game, "instant").start()
    assert slow.asked.wait(PATIENCE_S)
    waiting = threading.Thread(target=game.wait, daemon=True)
    waiting.start()
    waiting.join(0.1)
    assert waiting.is_alive()
    game.new_game(session_of("human", "greedy").table)
    waiting.join(PATIENCE_S)
    assert not waiting.is_alive()
    slow.may_answer.set()


def test_the_page_may_speak_while_an_agent_thinks() -> None:
    slow = Slow()
    game = session_of(slow, "human")
    Pace(game, "instant").start()
    assert slow.asked.wait(PATIENCE_S)
    act(game, "take WUG")
    send(game, "dismiss")
    assert (game.version, game.view()["thinking"]) == (2, "slow")
    slow.may_answer.set()
    game.wait(PATIENCE_S)
    assert len(game.record.actions) == 1


@pytest.mark.parametrize("place", ["deal", "position"])
def test_the_answer_for_an_old_game_does_not_reach_the_new_one(place: str) -> None:
    slow = Slow(answer="take RR")
    start = position() if place == "position" else None
    game = session_of(slow, "human", start=start)
    pace = Pace(game, "instant")
    pace.start()
    assert slow.asked.wait(PATIENCE_S)
    game.new_game()
    slow.may_answer.set()
    assert slow.answered.wait(PATIENCE_S)
    slow.answer = "take WUG"
    pace.start()
    game.wait(PATIENCE_S)
    assert [str(action) for action in game.record.actions] == ["take WUG"]


def test_a_new_game_does_not_wait_for_an_agent_of_the_old_one() -> None:
    slow = Slow()
    game = session_of("human", slow)
    game.decide("take WUG")
    pace = Pace(game, "instant")
    pace.start()
    assert slow.asked.wait(PATIENCE_S)
    game.new_game(session_of("greedy", "human").table)
    pace.start()
    game.wait(PATIENCE_S)
    assert game.state.turn == 1
    slow.may_answer.set()
    assert slow.answered.wait(PATIENCE_S)
    assert [seat.agent for seat in game.seats] == ["greedy", "human"]
    assert len(game.record.actions) == 1


def test_a_new_game_with_fewer_seats_may_begin_while_the_last_seat_thinks() -> None:
    slow = Slow()
    game = session_of("human", "greedy", "greedy", slow)
    game.decide("take WUG")
    pace = Pace(game, "instant")
    pace.start()
    assert slow.asked.wait(PATIENCE_S)
    game.new_game(session_of("human", "greedy").table)
    slow.may_answer.set()
    assert slow.answered.wait(PATIENCE_S)
    game.act("take WUG")
    assert game.state.turn == 2


def test_an_agent_is_asked_once_for_each_decision() -> None:
    asked: list[int] = []

    def count(observation: Observation, _rng: Rng) -> str:
        asked.append(observation.turn)
        return observation.legal_actions()[0]

    game = session_of(count, "human")
    pace = Pace(game, "instant")
    for _ in range(5):
        pace.start()
    game.wait(PATIENCE_S)
    pace.start()
    assert asked == [0]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_an_agent_that_tries_to_leave_python_is_shown() -> None:
    def leave(_observation: Observation, _rng: Rng) -> str:
        raise SystemExit(3)

    game = session_of(leave, "human")
    before = threading.enumerate()
    Pace(game, "instant").start()
    for thread in set(threading.enumerate()) - set(before):
        thread.join(PATIENCE_S)
    assert game.view()["error"] == "leave made a fault (exception). SystemExit: 3"


def test_hurrying_ends_with_the_turn_of_the_agents() -> None:
    game = session_of("human", "greedy")
    pace = Pace(game, "slow")
    pace.hurry()  # too late: a person decides
    game.decide("take WUG")
    pace.start()
    game.wait(0.2)
    assert game.state.turn == 1
    pace.hurry()
    game.wait(PATIENCE_S)
    assert game.state.turn == 2


def test_hurrying_makes_agents_play_on_without_a_pause() -> None:
    game = session_of("greedy", "greedy", "human", "greedy")
    pace = Pace(game, "slow")
    pace.start()
    pace.hurry()
    game.wait(1.5)
    assert game.state.turn == 2


@pytest.mark.parametrize("speed", ["", "quick", None, 1, ["slow"]])
def test_an_unknown_speed_is_refused(speed: Any) -> None:
    with pytest.raises(ValueError, match="'slow', 'normal', 'fast', 'instant'"):
        Pace(session_of("human", "greedy"), speed)


# --- a replay


def replay() -> Replay:
    start = new_game(players=2, seed=7)
    return Replay(finished(start, "take WUG", "reserve L1", "take WUG", "take RR"))


def test_a_replay_begins_at_the_start() -> None:
    shown = replay()
    assert (shown.step, shown.steps, shown.state.turn) == (0, 4, 0)
    place = shown.view()["replay"]
    assert (place["step"], place["steps"], place["label"]) == (0, 4, "")


@pytest.mark.parametrize(("step", "reached"), [(3, 3), (0, 0), (99, 4), (-5, 0), (10**30, 4)])
def test_a_replay_goes_where_it_is_sent(step: int, reached: int) -> None:
    shown = replay()
    send(shown, "goto", step=2)
    send(shown, "goto", step=step)
    assert shown.view()["replay"]["step"] == reached
    assert shown.state.turn == reached


@pytest.mark.parametrize("step", [None, "2", 1.5, [1]])
def test_a_replay_does_not_go_to_nowhere(step: Any) -> None:
    shown = replay()
    send(shown, "goto", step=step)
    assert shown.step == 0
    assert "does not know" in shown.view()["error"]


def test_a_replay_tells_a_step_in_short() -> None:
    shown = replay()
    shown.go_to(2)
    assert shown.view()["replay"]["label"] == "Ben: reserve L1"


@pytest.mark.parametrize(("viewer", "seen"), [(None, "?"), (0, "?"), (1, "1")])
def test_R18_a_replay_shows_what_the_chosen_seat_knows(viewer: int | None, seen: str) -> None:
    shown = replay()
    send(shown, "goto", step=4)
    send(shown, "viewer", seat=viewer)
    view = shown.view()
    assert view["viewer"] == viewer
    assert view["seats"][1]["reserved"][0].get("name", "?")[0] == seen


@pytest.mark.parametrize("seat", [2, -1, "0", [0], 0.5])
def test_a_replay_knows_no_other_viewers(seat: Any) -> None:
    shown = replay()
    send(shown, "viewer", seat=seat)
    assert shown.viewer is None
    assert "does not know" in shown.view()["error"]


@pytest.mark.parametrize("seat", [1.0, True])
def test_a_replay_takes_only_a_number_for_a_seat(seat: Any) -> None:
    shown = replay()
    send(shown, "viewer", seat=seat)
    assert shown.view()["viewer"] is None
    assert shown.view()["error"]


@pytest.mark.parametrize("kind", ["goto", "viewer", "dismiss", "play", "act"])
def test_a_stale_message_to_a_replay_is_dropped(kind: str) -> None:
    shown = replay()
    shown.go_to(1)
    before = shown.view()
    shown.handle({"type": kind, "version": 0, "step": 3, "seat": 1})
    assert shown.view() == before


@pytest.mark.parametrize("kind", ["act", "rematch", "peek", "shout", None])
def test_a_replay_cannot_be_played(kind: Any) -> None:
    shown = replay()
    send(shown, kind, action="take WUG", seat=0, on=True)
    assert shown.state == shown.record.start
    assert "does not know" in shown.view()["error"]
    send(shown, "dismiss")
    assert shown.view()["error"] == ""


def test_a_replay_shows_the_result_at_its_end_only() -> None:
    shown = replay()
    shown.go_to(3)
    assert shown.view()["result"] is None
    shown.go_to(4)
    assert shown.view()["result"]["title"] == "Winner: Ben"


def test_a_record_that_names_no_players_is_replayed() -> None:
    state = over()
    view = Replay(GameRecord(start=state)).view()
    assert [seat["name"] for seat in view["seats"]] == ["Seat 0", "Seat 1"]


def test_a_script_is_followed() -> None:
    game = session_of("human", Script("take RRR", "take RR"), start=position())
    game.act("take WUG")
    assert game.result is not None
