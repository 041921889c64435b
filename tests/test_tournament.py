"""Tournaments: who meets whom, over which deals, and what is made of it."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pandas as pd
import pytest

from splendor_nb import Observation, Rng, compare, match, simulate, tournament
from splendor_nb.games.intervals import Interval
from splendor_nb.games.tournament import duels_of, judge

THREE = ["random", "greedy", "greedy"]


def first_legal(observation: Observation, rng: Rng) -> str:
    return observation.legal_actions()[0]


def test_every_pair_plays_the_same_deals_with_seats_rotated() -> None:
    result = tournament(THREE, games=20, seed=3, progress=False)
    assert list(result.simulations) == list(combinations(["random", "greedy", "greedy#2"], 2))
    for (a, b), sim in result.simulations.items():
        kinds = [name.split("#")[0] for name in (a, b)]
        alone = simulate(kinds, games=20, seed=3, progress=False)
        pd.testing.assert_frame_equal(sim.games, alone.games)
    assert (result.duels.groupby(["group", "deal"]).size() == 2).all()


def test_a_score_is_the_share_of_wins_between_two() -> None:
    result = match("greedy", "random", games=40, seed=1, progress=False)
    sim = next(iter(result.simulations.values()))
    rate = sim.win_rates().set_index("agent")
    pair = result.pairs().iloc[0]
    assert (pair["a"], pair["b"]) == ("greedy", "random")
    assert pair["score"] == rate["win_rate"]["greedy"]
    assert (pair["low"], pair["high"]) == (
        rate["paired_low"]["greedy"],
        rate["paired_high"]["greedy"],
    )


def test_scores_of_a_pair_add_up_to_one() -> None:
    pairs = tournament(THREE, games=30, seed=2, players=3, progress=False).pairs()
    score = pairs.set_index(["a", "b"])["score"]
    for a, b in score.index:
        assert score[a, b] + score[b, a] == pytest.approx(1.0)


def test_among_three_who_stands_higher_beats_the_other() -> None:
    seats = pd.DataFrame(
        {
            "group": 0,
            "deal": 0,
            "game": 0,
            "seat": [0, 1, 2],
            "agent": ["x", "y", "z"],
            "points": [15, 12, 12],
            "bought": [9, 8, 9],
            "win_share": [1.0, 0.0, 0.0],
        }
    )
    by_cards = duels_of(seats, 3, by_cards=True).set_index(["a", "b"])["score"]
    assert by_cards.to_dict() == {("x", "y"): 1.0, ("x", "z"): 1.0, ("y", "z"): 1.0}
    shared = duels_of(seats, 3, by_cards=False).set_index(["a", "b"])["score"]
    assert shared["y", "z"] == 0.5


def test_one_that_forfeits_loses_whatever_its_points() -> None:
    seats = pd.DataFrame(
        {
            "group": 0,
            "deal": 0,
            "game": 0,
            "seat": [0, 1],
            "agent": ["x", "y"],
            "points": [14, 3],
            "bought": [9, 2],
            "win_share": [0.0, 1.0],
        }
    )
    assert duels_of(seats, 2, by_cards=True)["score"].to_list() == [0.0]


def test_faults_go_by_the_name_of_the_agent() -> None:
    def broken(observation: Observation, rng: Rng) -> str:
        raise RuntimeError("no idea")

    result = tournament(["random", broken], games=4, seed=1, progress=False)
    assert result.faults["agent"].to_list() == ["broken"] * 4
    assert result.pairs()["score"].to_list() == [1.0, 0.0]


def test_a_settled_match_stops_at_the_same_game_every_time() -> None:
    arguments: dict[str, Any] = {"games": 5000, "seed": 1, "stop_early": 0.1, "progress": False}
    one, other = (match("greedy", "random", workers=n, **arguments) for n in (1, 2))
    assert one.stopped == {("greedy", "random"): "after 120 of 5,000 games: enough is known"}
    assert other.stopped == one.stopped
    pd.testing.assert_frame_equal(one.duels, other.duels)


def test_a_match_of_equals_is_played_to_its_end() -> None:
    result = match("random", first_legal, games=40, seed=1, stop_early=0.01, progress=False)
    assert result.stopped == {}


def test_a_tournament_in_a_folder_goes_on_where_it_was(tmp_path: Any) -> None:
    arguments: dict[str, Any] = {"games": 20, "seed": 5, "progress": False}
    once = tournament(THREE, **arguments, path=tmp_path / "t")
    files = sorted(tmp_path.rglob("*.parquet"))
    times = [file.stat().st_mtime_ns for file in files]
    again = tournament(THREE, **arguments, path=tmp_path / "t")
    assert [file.stat().st_mtime_ns for file in files] == times
    pd.testing.assert_frame_equal(once.pairs(), again.pairs())


def test_the_time_of_a_move_is_measured() -> None:
    moves = match("greedy", "random", games=2, seed=1, progress=False).moves()
    assert (moves["median_ms"] > 0).all()
    assert (moves["q95_ms"] >= moves["median_ms"]).all()


def test_a_verdict_says_what_the_interval_allows() -> None:
    better = judge("a", "b", Interval(0.6, 0.55, 0.65, 100), 200)
    assert better.text.startswith("a is better than b: it wins 60.0 %")
    worse = judge("a", "b", Interval(0.4, 0.35, 0.45, 100), 200)
    assert worse.text.startswith("b is better than a, which wins 40.0 %")
    open_ = judge("a", "b", Interval(0.55, 0.45, 0.65, 100), 200)
    assert "cannot be told apart yet" in open_.text
    assert open_.games_to_settle == 800


def test_the_verdict_on_greedy_is_no_surprise() -> None:
    assert compare("greedy", "random", games=100, seed=1, progress=False).low > 0.9


@pytest.mark.parametrize(
    ("agents", "arguments", "error", "words"),
    [
        ("greedy", {}, TypeError, "a list of names"),
        (["greedy"], {}, ValueError, "needs 2 agents or more, not 1"),
        (["greedy", "random"], {"players": 3}, ValueError, "needs 3 agents or more, not 2"),
        (["greedy", "nobody"], {}, ValueError, "There is no agent 'nobody'"),
        (["greedy", "random"], {"games": 0}, ValueError, "games is a whole number from 1"),
        (["greedy", "random"], {"players": 5}, ValueError, "players is a whole number"),
        (["greedy", "random"], {"stop_early": 0}, ValueError, "stop_early is a difference"),
        (["greedy", "random"], {"stop_early": True}, ValueError, "stop_early is a difference"),
        (THREE, {"players": 3, "stop_early": 0.1}, ValueError, "needs players=2"),
    ],
)
def test_bad_input_gets_a_sentence(
    agents: Any, arguments: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        tournament(agents, **{"games": 2, "seed": 1, "progress": False, **arguments})


def test_an_unknown_anchor_is_refused() -> None:
    result = match("greedy", "random", games=2, seed=1, progress=False)
    with pytest.raises(ValueError, match="anchor is one of"):
        result.ratings(anchor="me")
