"""Hints and the evaluation on the board: what a search advises, from what a person may know."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from positions import position
from sessions import act, send
from test_analyze import near_the_end
from test_view import ADVICE, misfits

from splendor_nb import Observation, Rng, State, get_agent, play
from splendor_nb.board.advice import Advisor, checked_hints
from splendor_nb.board.controls import Settings
from splendor_nb.board.pace import Pace
from splendor_nb.board.session import GameSession
from splendor_nb.board.table import make_table
from splendor_nb.board.words import Words

Json = dict[str, Any]

COLD_S = 180  # a search that is compiled first takes half a minute on a slow machine


def session(
    *lineup: Any,
    hints: int | None = None,
    evaluation: bool = False,
    start: State | None = None,
) -> GameSession:
    table = make_table(lineup or ("human", "greedy"), Words(), start=start)
    return GameSession(table, 7, hints=hints, evaluation=evaluation)


def advice(game: GameSession) -> Json:
    """What the page shows once the search has ended."""
    game.advisor.wait(COLD_S)
    found = game.view()["advice"]
    assert found is not None
    return dict(found)


def test_without_hints_and_evaluation_there_is_nothing_to_show() -> None:
    assert session(hints=0).view()["advice"] is None


def test_a_hint_names_what_wins_and_says_why() -> None:
    game = session(start=near_the_end())
    send(game, "hint")
    first = advice(game)["lines"][0]
    assert first["action"] == "buy 3U3"
    assert first["text"] == "Buy 3U3"
    assert first["share"] == "wins 100 %"
    assert first["why"].startswith("4 more points")


def test_what_the_page_gets_has_the_form_of_the_contract() -> None:
    game = session(evaluation=True)
    send(game, "hint")
    assert misfits(advice(game), ADVICE) == []


def test_without_being_asked_it_does_not_think() -> None:
    game = session()
    assert advice(game)["lines"] == []
    assert game.advisor._thoughts is None


def test_a_limited_number_of_hints_is_counted_and_then_refused() -> None:
    game = session("human", "greedy", hints=1)
    send(game, "hint")
    send(game, "hint")  # the same decision: it costs nothing
    assert game.advisor.left == 0
    assert advice(game)["lines"]
    game.act("take WUG")
    shown = advice(game)
    assert shown["lines"] == []
    assert shown["hint"]["why"] == "There are no hints left in this game."
    send(game, "hint")
    assert advice(game)["lines"] == []
    game.new_game()
    assert game.advisor.left == 1


def test_an_evaluation_is_there_without_asking_and_stays_until_the_next() -> None:
    game = session(start=near_the_end(), evaluation=True, hints=0)
    assert advice(game)["share"] == 100
    assert advice(game)["hint"] is None
    game.decide("reserve 1W1")
    assert advice(game)["share"] == 100
    game.play_agents()
    assert game.view()["advice"] is None


def test_news_of_a_search_leaves_the_version_so_that_no_click_is_dropped() -> None:
    game = session(evaluation=True)
    version = game.version
    game.advisor.wait(COLD_S)
    assert advice(game)["share"] is not None
    assert game.version == version


def test_what_is_thought_about_a_position_that_is_gone_is_not_shown() -> None:
    game = session("human", "human")
    send(game, "hint")
    act(game, "take WUG")
    game.advisor.wait(COLD_S)
    assert advice(game)["lines"] == []


def test_R18_a_hint_comes_from_what_its_person_may_know(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[object] = []

    def look(self: Advisor, observation: object, **_: object) -> None:
        seen.append(observation)

    monkeypatch.setattr(Advisor, "look", look)
    game = session("human", "greedy")
    game.act("take WUG")
    assert seen
    assert all(one is None or isinstance(one, Observation) for one in seen)
    assert {one.player for one in seen if isinstance(one, Observation)} == {0}


def test_R18_several_people_see_no_evaluation_and_no_name_that_lies_face_down() -> None:
    start = position(tokens=["UUKK", "GG*"], reserved=["?1W4", "?1K2"])
    game = session("human", "human", start=start, evaluation=True)
    send(game, "hint")
    shown = advice(game)
    assert shown["lines"]
    assert not shown["evaluation"]
    assert shown["share"] is None
    assert all(line["action"] != "buy 1W4" for line in shown["lines"])
    send(game, "peek", seat=0, on=True)
    assert "buy 1W4" in [one.action for one in game.advisor._thoughts.candidates]  # type: ignore[union-attr]


def test_two_truths_give_one_advice() -> None:
    start = near_the_end().apply("reserve L1").apply("reserve L1")
    other = start.observation(0).determinize(5)
    assert start != other
    shown = []
    for state in (start, other):
        game = session(start=state)
        send(game, "hint")
        shown.append(advice(game))
    assert shown[0] == shown[1]


def test_the_settings_change_what_is_shown() -> None:
    game = session(hints=0)
    settings = Settings(Pace(game), board=_Sized())  # type: ignore[arg-type]
    settings.hints.value = 3
    assert advice(game)["hint"]["label"] == "Hint (3 left)"
    settings.evaluation.value = True
    assert advice(game)["share"] is not None
    settings.hints.value, settings.evaluation.value = 0, False
    assert game.view()["advice"] is None


def test_switching_the_evaluation_on_brings_no_hints_back() -> None:
    game = session(hints=3)
    send(game, "hint")
    settings = Settings(Pace(game), board=_Sized())  # type: ignore[arg-type]
    settings.evaluation.value = True
    assert game.advisor.left == 2
    settings.hints.value = None
    settings.hints.value = 3
    assert game.advisor.left == 3


class _Sized:
    size = "normal"


def test_a_search_that_fails_is_told_on_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise MemoryError("no room")

    monkeypatch.setattr(Advisor, "_think", fail)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    game = session()
    send(game, "hint")
    game.advisor.wait(COLD_S)
    assert "MemoryError: no room" in game.view()["error"]


def test_skipping_ends_the_thought_of_an_agent_that_searches() -> None:
    agent = get_agent("search", iterations=10_000_000)
    game = session(agent, "human")
    pace = Pace(game, "instant")
    pace.start()
    assert game.agent_decides()
    pace.hurry()
    game.wait(COLD_S)
    assert not game.agent_decides()
    assert len(game.record.actions) == 1


@pytest.mark.parametrize(
    ("hints", "said"),
    [("some", "'off', 'limited'"), (-1, "from 0"), (True, "not True"), (1.5, "not 1.5")],
)
def test_bad_settings_get_a_sentence(hints: Any, said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=said):
        play("greedy", hints=hints)


def test_hints_make_no_sense_in_a_replay() -> None:
    game = session("greedy", "random")
    game.play_agents()
    with pytest.raises(TypeError, match="Nobody decides in a replay"):
        play(game.record, hints="free")


def test_words_for_how_many() -> None:
    assert [checked_hints(hints) for hints in ("off", "limited", "free", 7)] == [0, 3, None, 7]


def test_a_hint_is_legal_in_every_phase() -> None:
    game = session("human", "human", hints=None)
    rng = Rng(3)
    while game.result is None and len(game.record.actions) < 60:
        if len(game.record.actions) % 6 == 0:
            send(game, "hint")
            for line in advice(game)["lines"]:
                assert line["action"] in game.state.legal_actions()
        act(game, rng.choice(game.state.legal_actions()))
