"""Tables of what a search thinks, and what an action changes."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest
from positions import deadlock, position
from truths import two_truths

from splendor_nb import (
    Action,
    State,
    analyze,
    analyze_game,
    get_agent,
    new_game,
    play_game,
)
from splendor_nb.agents.search import SearchAgent
from splendor_nb.analysis.changes import change_by
from splendor_nb.analysis.verdicts import judge, largest_mistakes, make_thinker
from splendor_nb.charts.figures.review import win_share_course
from splendor_nb.engine.records import GameRecord

COLUMNS = ["action", "win_share", "error", "visits", "prior", "line", "why"]


def seen(state: State) -> Any:
    return state.observation(state.current_player or 0)


def test_the_table_has_a_row_for_each_legal_action_the_best_first() -> None:
    view = seen(new_game(players=2, seed=7))
    table = analyze(view, "search", iterations=400)
    assert list(table.columns) == COLUMNS
    assert sorted(table["action"]) == sorted(view.legal_actions())
    assert table["visits"].is_monotonic_decreasing
    assert table["win_share"].dropna().between(0, 1).all()
    assert table["prior"].sum() == pytest.approx(1)
    assert table.attrs["player"] == 0
    assert table.attrs["iterations"] == 400


def test_the_same_seed_gives_the_same_table_and_another_one_does_not() -> None:
    record = play_game(["greedy", "greedy"], seed=4)
    view = seen(next(state for state in record.states() if state.turn == 9))
    first = analyze(view, "search", iterations=200)
    pd.testing.assert_frame_equal(first, analyze(view, "search", iterations=200))
    assert not first.equals(analyze(view, "search", iterations=200, seed=2))


@pytest.mark.parametrize("players", [2, 3])
def test_R18_two_truths_give_one_table(players: int) -> None:
    pairs = 0
    for truths in two_truths("standard", players, seed=8, every=4):
        first, second = (analyze(seen(state), "search", iterations=24, trees=2) for state in truths)
        pd.testing.assert_frame_equal(first, second)
        pairs += 1
    assert pairs > 8


def test_every_action_has_been_tried_three_times_by_each_tree() -> None:
    table = analyze(seen(new_game(players=2, seed=7)), "search", iterations=800, trees=2)
    assert table["visits"].min() >= 6
    assert table["win_share"].notna().all()


def near_the_end() -> State:
    """Seat 0 can buy 3U3 and win with 17 points; if it does not, seat 1 wins by 3G4."""
    return position(
        market="3U3 3G4 3R4 3K4 2W1 2U1 2G1 2R1 1W1 1U1 1G1 1R1",
        tokens=["WWWW", "UUUUGGG*"],
        bought=["3W2 3W3 3W4", "3U1 3U2 3R1"],
    )


def test_a_winning_move_is_found_and_its_line_and_reason_are_told() -> None:
    state = near_the_end()
    table = analyze(seen(state), "search", iterations=200)
    best = table.iloc[0]
    assert best["action"] == "buy 3U3"
    assert best["win_share"] > 0.99
    assert best["line"].startswith("seat 0 buys 3U3")
    assert best["why"].startswith("4 more points")


def test_throwing_a_win_away_is_the_largest_mistake_of_the_game() -> None:
    start = near_the_end()
    record = GameRecord(start, (Action("reserve 1W1"), Action("buy 3G4")))
    table = analyze_game(record, "search", iterations=400)
    assert table.attrs["mistakes"][0] == 0
    first = table.iloc[0]
    assert first["best"] == "buy 3U3"
    assert first["loss"] == pytest.approx(first["best_share"] - first["win_share"])
    assert first["mistake"]


def test_a_decision_without_a_choice_is_not_judged() -> None:
    record = GameRecord(position(**deadlock()), (Action("pass"),))
    one = next(judge(record, make_thinker("search", iterations=40)))
    assert one.alone
    assert (one.share, one.loss, one.is_mistake) == (None, 0.0, False)


def test_a_search_that_is_stopped_ends_the_table_before_its_decision() -> None:
    record = play_game(["greedy", "random"], seed=1)
    asked = 0

    def stop_soon() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    table = analyze_game(record, "search", iterations=4000, should_stop=stop_soon)
    assert len(table) < len(record.actions)
    assert table.attrs["mistakes"] == []
    assert win_share_course(table).layout.title.text == "No decision gave away a twentieth of a win"


def test_mistakes_are_the_largest_ones_in_the_order_of_the_game() -> None:
    record = play_game(["random", "random"], seed=3)
    verdicts = list(judge(record, make_thinker("search", iterations=400)))
    worst = largest_mistakes(verdicts, most=3)
    assert [one.step for one in worst] == sorted(one.step for one in worst)
    least = min(one.loss for one in worst)
    others = [one.loss for one in verdicts if one.is_mistake and one not in worst]
    assert len(worst) == 3
    assert all(loss <= least for loss in others)


def test_the_chart_has_each_seat_and_marks_the_mistakes() -> None:
    table = analyze_game(play_game(["random", "random"], seed=3), "search", iterations=40)
    drawn = win_share_course(table, ["<b>Ada</b>", "Bo"])
    assert drawn.data[0].name == "&lt;b&gt;Ada&lt;/b&gt;"
    marked = [turn for trace in drawn.data[2:] for turn in trace.x]
    wanted = table.loc[table["step"].isin(table.attrs["mistakes"]), "turn"]
    assert sorted(marked) == sorted(wanted)
    assert len({trace.line.dash for trace in drawn.data[:2]}) == 2


@pytest.mark.parametrize(
    ("given", "settings", "said"),
    [
        ("state", {}, "takes what a seat may know"),
        (3, {}, "not 3"),
        ("other seat", {}, "Seat 1 has no decision to take now"),
        ("seat", {"agent": "greedy"}, "'champion', 'search' or a SearchAgent"),
        ("seat", {"agent": 7}, "not 7"),
        ("seat", {"iterations": 0}, "from 8"),
        ("seat", {"trees": 0}, "trees is a whole number from 1"),
        ("seat", {"seed": -1}, "from 0"),
        ("seat", {"iterations": 50, "seconds": 1}, "not of both"),
        ("seat", {"agent": SearchAgent(iterations=9), "iterations": 9}, "its own budget"),
    ],
)
def test_bad_input_gets_a_sentence(given: object, settings: dict[str, Any], said: str) -> None:
    state = new_game(players=2, seed=7)
    given = {"state": state, "seat": seen(state), "other seat": state.observation(1)}.get(
        str(given), given
    )
    with pytest.raises((TypeError, ValueError)) as caught:
        analyze(given, **settings)  # type: ignore[arg-type]
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_analyze_game_refuses_what_is_no_record() -> None:
    with pytest.raises(TypeError, match="takes a GameRecord"):
        analyze_game(new_game(seed=1))  # type: ignore[arg-type]


def test_a_finished_game_has_no_decision_to_analyze() -> None:
    over = play_game(["greedy", "random"], seed=1).state
    with pytest.raises(ValueError, match="no decision"):
        analyze(over.observation(0))


def test_settings_of_an_agent_are_kept() -> None:
    agent = get_agent("search", iterations=60, trees=2)
    table = analyze(seen(new_game(players=3, seed=2)), agent)  # type: ignore[arg-type]
    assert table.attrs["iterations"] == 60


def test_without_two_trees_no_error_is_claimed() -> None:
    table = analyze(seen(new_game(players=2, seed=2)), "search", iterations=50, trees=1)
    assert all(math.isnan(error) for error in table["error"])


# -- what an action changes ------------------------------------------------------------------------


def game() -> State:
    return position(
        market="3U4 3G4 3R4 3W2 2W1 2U1 2G1 2R1 1W2 1U1 1G1 1K1",
        nobles="WUK WRK UGR",
        tokens=["UGRK", "UGRK"],
        bought=["3W3 1W1 1W3", ""],
    )


def test_a_purchase_tells_points_nobles_and_what_it_saves() -> None:
    change = change_by(seen(game()), "buy 1W2")
    assert change.points == 0
    assert change.saves > 0
    assert change.denies == "1W2"
    assert all(name in {"WUK", "WRK"} for name, _ in change.nearer)


def test_a_take_tells_what_can_be_bought_then() -> None:
    state = position(
        market="1W1 1U1 1G1 1K1 2W1 2U1 2G1 2R1 3U4 3G4 3R4 3W2",
        tokens=["U", ""],
    )
    view = seen(state)
    for action in view.legal_actions():
        change, after = change_by(view, action), view.apply(action)
        for name in change.affords:
            assert sum(after.missing(name, 0).values()) <= after.seats[0].tokens["*"]
            assert sum(view.missing(name, 0).values()) > view.seats[0].tokens["*"]


def test_in_every_position_of_a_game_each_legal_action_can_be_told() -> None:
    told = 0
    for state in play_game(["greedy", "random", "greedy"], seed=2, payment="choose").states():
        if state.current_player is None:
            continue
        for action in seen(state).legal_actions():
            assert change_by(seen(state), action).in_words()
            told += 1
    assert told > 500
