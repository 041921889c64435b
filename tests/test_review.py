"""The analysis of a game beside its board: running it, what it shows, and looking back."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from lab import Desk
from sessions import send
from test_analyze import near_the_end

from splendor_nb import Action, play_game
from splendor_nb.analysis import verdicts
from splendor_nb.board.review import Review, ReviewPanel
from splendor_nb.board.session import GameSession, Replay
from splendor_nb.board.table import make_table
from splendor_nb.board.words import Words
from splendor_nb.engine.records import GameRecord, Player

if TYPE_CHECKING:
    pass

COLD_S = 180  # a search that is compiled first takes half a minute on a slow machine
MARKUP = "<img src=x onerror=alert(1)>"


def lost_by_a_mistake() -> GameRecord:
    """Seat 0 does not buy the card that wins, and seat 1 does."""
    seats = (Player("Anna", "human"), Player("Ben", "human"))
    actions = (Action("reserve 1W1"), Action("buy 3G4"))
    return GameRecord(near_the_end(), actions, seats, 7)


def finished_session() -> GameSession:
    record = lost_by_a_mistake()
    table = make_table(["human", "human"], Words(), start=record.start, names=["Anna", MARKUP])
    return GameSession(table, 7, record=record)


def reviewed(shown: GameSession | Replay) -> Review:
    review = Review(shown)
    review.start()
    review.wait(COLD_S)
    return review


def test_a_game_that_goes_on_shows_nothing() -> None:
    game = GameSession(make_table(["human", "greedy"], Words()), 7)
    review = Review(game)
    review.start()
    assert review.view() == {"phase": "off"}
    assert not review.is_running


def test_a_finished_game_is_analyzed_when_asked() -> None:
    review = reviewed(Replay(lost_by_a_mistake()))
    view = review.view()
    assert view["phase"] == "done"
    assert [len(line["points"]) for line in view["lines"]] == [1, 1]
    assert view["mistakes"][0]["step"] == 0
    assert view["mistakes"][0]["text"].startswith(
        "Turn 21, Anna: Reserve 1W1. Better: Buy 3U3, by "
    )


def test_before_it_is_asked_it_only_offers() -> None:
    view = Review(Replay(lost_by_a_mistake())).view()
    assert view["phase"] == "idle"
    assert view["mistakes"] == []


def test_a_mistake_shows_its_position_as_its_seat_saw_it() -> None:
    replay = Replay(lost_by_a_mistake())
    review = reviewed(replay)
    replay.go_to(2)
    review.handle({"type": "goto", "step": 0})
    assert (replay.step, replay.viewer) == (0, 0)


def test_a_game_on_the_board_looks_back_and_returns() -> None:
    game = finished_session()
    review = reviewed(game)
    review.handle({"type": "goto", "step": 1})
    assert game.view()["replay"]["step"] == 1
    assert review.view()["step"] == 1
    assert review.view()["back"] == "Back to the result"
    send(game, "goto", step=0)
    assert game.view()["replay"]["step"] == 0
    send(game, "viewer", seat=1)
    assert game.view()["viewer"] == 1
    review.handle({"type": "back"})
    assert game.view()["replay"] is None
    assert game.view()["result"]["title"].startswith("Winner")


def test_a_new_game_ends_looking_back_and_forgets_what_was_found_out() -> None:
    game = GameSession(make_table(["greedy", "greedy"], Words()), 3)
    game.play_agents()
    review = Review(game)
    review.verdicts.extend(
        verdicts.judge(game.record, verdicts.make_thinker("search", iterations=8))
    )
    review._record = game.record
    game.look_back(3)
    game.new_game(seed=4)
    assert game.past is None
    assert review.verdicts == []
    assert review.view() == {"phase": "off"}


def test_R18_a_game_that_goes_on_cannot_be_looked_back_at() -> None:
    game = GameSession(make_table(["human", "human"], Words()), 7)
    with pytest.raises(ValueError, match="once it is over"):
        game.look_back(0)
    assert game.view()["replay"] is None


def test_stopping_keeps_what_there_is_and_starting_again_begins_anew() -> None:
    replay = Replay(play_game(["greedy", "random"], seed=1))
    review = Review(replay)
    first = threading.Event()
    review.on_change(lambda: first.set() if len(review.verdicts) > 2 else None)
    review.start()
    assert first.wait(COLD_S)
    review.handle({"type": "stop"})
    review.wait(COLD_S)
    found = len(review.verdicts)
    assert 2 < found < replay.steps
    review.handle({"type": "analyze"})
    assert review.is_running
    review.stop()
    review.wait(COLD_S)


def test_a_search_that_fails_is_told_on_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError("no room")

    monkeypatch.setattr("splendor_nb.board.review.judge", fail)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    replay = Replay(lost_by_a_mistake())
    review = reviewed(replay)
    assert "MemoryError: no room" in replay.view()["error"]
    assert not review.is_running


def test_messages_that_mean_nothing_change_nothing() -> None:
    review = reviewed(Replay(lost_by_a_mistake()))
    before = review.view()
    for message in ({}, {"type": "goto"}, {"type": "goto", "step": "0"}, {"type": "shout"}):
        review.handle(message)
    assert review.view() == before


def test_the_panel_shows_what_the_review_says() -> None:
    review = Review(Replay(lost_by_a_mistake()))
    panel = ReviewPanel(review, direction="rtl")
    review.start()
    review.wait(COLD_S)
    assert panel.view == review.view()
    assert panel.dir == "rtl"
    panel._hear(None, {"type": "goto", "step": 1}, None)
    assert review.shown.step == 1


# --- in a real browser


CELL = f"""
import sys
sys.path.insert(0, {str(__file__.rpartition("/")[0])!r})
from test_review import lost_by_a_mistake
from splendor_nb import play
play(lost_by_a_mistake())
"""


def test_a_game_is_analyzed_in_jupyterlab(desk: Desk) -> None:
    page = desk.run(CELL).page
    page.get_by_role("button", name="Analyze the game").click()
    mistake = page.locator(".spl-review li button").first
    mistake.wait_for()
    page.get_by_role("button", name="Step forward").click()
    page.wait_for_selector("text=Replay: step 1 of 2.")
    mistake.click()
    page.wait_for_selector("text=Replay: step 0 of 2.")
    assert mistake.get_attribute("aria-current") == "step"
    box = page.locator(".spl-review svg[role=img]").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 4, box["y"] + 60)
    page.wait_for_selector("text=Winner")
    assert desk.strangers == []
    desk.leave()


def test_a_game_with_hints_goes_on_while_a_strong_agent_thinks(desk: Desk) -> None:
    page = desk.run(
        "from splendor_nb import get_agent, play\n"
        "slow = get_agent('search', seconds=20)\n"
        "game = play(slow, seed=7, hints='free', evaluation=True)"
    ).page
    page.get_by_role("button", name="Hint").click()
    page.locator(".spl-hints li").first.wait_for()
    assert "%" in (page.locator(".spl-meter").get_attribute("aria-valuetext") or "")
    for color in "WUG":
        page.locator(f'[data-key="pile-{color}"]').click()
    page.locator('[data-key="confirm"]').click()
    page.wait_for_selector(".spl-asked .spl-thinking")
    page.locator('[data-key="help"]').click()  # the page answers while it thinks
    page.locator(".spl-help").wait_for()
    page.locator('[data-key="close-help"]').click()
    page.locator('[data-key="skip"]').click()
    page.wait_for_selector("text=Your turn", timeout=10_000)
    desk.leave()
