"""The linear evaluation: what it sees, its chances, its weights and how they are fitted."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from positions import card, position

from splendor_nb import State
from splendor_nb.agents import (
    evaluation,
    fit_planner,
    ladder,
    planner,
    policies,
    self_play,
    tree,
    weights,
)
from splendor_nb.agents.evaluation import FEATURES, NAMES, grow_by, share_by_score, share_win
from splendor_nb.agents.fit_planner import Arena, directions, fit_weights, planner_row, scale_of
from splendor_nb.agents.rooms import make_room
from splendor_nb.agents.weights import checked_weights, planner_weights
from splendor_nb.engine import compiled, rng, rules
from splendor_nb.games import playouts, replays


def features(state: State, seat: int) -> dict[str, float]:
    """What the linear form sees of a seat, by name."""
    room = make_room(state.tables, state.players, [{}], plain=True)
    row = [0.0] * FEATURES
    evaluation.write_features(state.numbers(), state.tables, room.desk, seat, row)
    return dict(zip(NAMES, row, strict=True))


# --- what it sees

OPEN = "1W1 1W2 1U1 1G1 2W1 2U1 2G1 2R1 3W1 3U1 3G1 3R1"


def test_every_feature_has_a_name() -> None:
    assert len(NAMES) == len(set(NAMES)) == FEATURES


def test_points_count_once_more_beyond_the_target_less_six() -> None:
    seen = features(position(bought=["3W1 3U1 3G1"]), 0)
    points = sum(card(name)["points"] for name in ("3W1", "3U1", "3G1"))
    assert (seen["points"], seen["late_points"]) == (points, max(0, points - 9))
    assert features(position(bought=["3W1 3U1 3G1"], target=points), 0)["reached"] == 1
    assert features(position(bought=["3W1 3U1 3G1"], target=points + 1), 0)["reached"] == 0


def test_tokens_and_bonuses_are_counted() -> None:
    seen = features(position(tokens=["WWG**"], bought=["1W1 1U1"], reserved=["2U5"]), 0)
    assert [seen[name] for name in ("tokens", "gold", "colors", "reserved", "bonuses")] == [
        *(5, 2, 2, 1, 2)
    ]


def test_bonuses_count_more_the_further_the_game_is() -> None:
    early = features(position(bought=["1W1 1U1", ""]), 0)
    late = features(position(bought=["1W1 1U1", "3W4 3U4"]), 0)
    points = sum(card(name)["points"] for name in ("3W4", "3U4"))
    assert early["late_bonuses"] == 0
    assert late["late_bonuses"] == 2 * points / 15


def test_a_card_is_near_by_what_is_missing_after_bonuses_tokens_and_gold() -> None:
    state = position(tokens=["WW*"], bought=["1U8"], market=OPEN)
    near = 0.0
    for name in OPEN.split():
        cost = card(name)["cost"]
        missing = sum(cost.values()) - min(cost["W"], 2) - min(cost["U"], 1)
        near += 1 / (1.5 + max(0, missing - 1))
    assert features(state, 0)["near_cards"] == pytest.approx(near)


def test_own_reserved_cards_count_and_others_do_not() -> None:
    state = position(reserved=["3W1", "3U1"])
    assert features(state, 0)["kept_points"] == pytest.approx(
        card("3W1")["points"] / (1.5 + sum(card("3W1")["cost"].values()))
    )
    assert features(position(), 0)["kept_points"] == 0


def test_what_can_be_bought_now_is_counted_with_its_points() -> None:
    rich = position(tokens=["WWUUGGRRKK"], market=OPEN)
    able = [a.card for a in rich.legal_actions() if a.kind == "buy"]
    seen = features(rich, 0)
    assert seen["affordable"] == len(able) > 1
    assert seen["affordable_points"] == max(card(str(name))["points"] for name in able)


def test_nobles_are_near_by_the_bonuses_that_are_missing() -> None:
    seen = features(position(bought=["1W1 1W2 1W3 1U1"], nobles="WU RK GR"), 0)
    assert seen["nearest_noble"] == 2 / (1 + 4)
    assert seen["near_nobles"] == pytest.approx(2 / 5 + 2 / 9 + 2 / 9)


def test_the_seat_to_move_waits_for_nobody() -> None:
    waits = [features(position(3, current=1), seat)["waiting"] for seat in range(3)]
    assert waits == [2 / 3, 0, 1 / 3]


def test_backs_count_for_nothing() -> None:
    state = position(reserved=["", "?3W1"])
    assert features(state, 1)["kept_cards"] > 0
    hidden: Any = state.observation(player=0)
    assert features(hidden, 1)["kept_cards"] == 0


# --- chances


def test_the_exponential_is_nearly_the_true_one_and_never_falls() -> None:
    grid = [i / 10 for i in range(-400, 1)]
    values = [grow_by(x) for x in grid]
    assert values == sorted(values)
    assert max(abs(math.log(grow_by(x)) - x) for x in grid) < 0.1
    assert grow_by(0.0) == 1
    assert grow_by(-1e9) == grow_by(-40.0)


def test_chances_are_in_proportion_to_the_exponentials() -> None:
    shares = [0.0] * 4
    share_by_score(3, [1.0, 2.0, 0.5], shares)
    total = sum(math.exp(x) for x in (1, 2, 0.5))
    assert shares[:3] == pytest.approx([math.exp(x) / total for x in (1, 2, 0.5)], rel=1e-3)
    assert sum(shares) == pytest.approx(1)


def test_R16_a_finished_game_is_shared_by_those_who_stand_best() -> None:
    for bought, expected in ((["3W4", "3U4"], [0.5, 0.5]), (["3W4", "1W1"], [1.0, 0.0])):
        state, shares = position(bought=bought), [0.0] * 2
        share_win(state.numbers(), state.tables, shares)
        assert shares == expected


# --- weights


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_fitted_weights_can_be_read(players: int) -> None:
    table = planner_weights(players)
    assert tuple(table) == NAMES
    assert all(math.isfinite(weight) for weight in table.values())
    assert any(table.values())


def test_the_weights_that_are_read_are_a_copy() -> None:
    planner_weights(2)["points"] = 1e9
    assert planner_weights(2)["points"] < 1e9


@pytest.mark.parametrize(
    ("given", "error", "part"),
    [
        ([1.0], TypeError, "mapping of features"),
        ({"wit": 1.0}, ValueError, "'points', 'late_points'"),
        ({"points": "1"}, TypeError, "'points' is a number"),
        ({"points": True}, TypeError, "'points' is a number"),
        ({"points": math.nan}, ValueError, "finite"),
    ],
)
def test_wrong_weights_are_refused(given: Any, error: type[Exception], part: str) -> None:
    with pytest.raises(error, match=part):
        checked_weights(given)


# --- fitting


def lottery(true: np.ndarray[Any, Any], turns: int, players: int) -> tuple[Any, Any]:
    """Features by lot, and winners drawn by the chances that the true weights give them."""
    draw = np.random.default_rng(3)
    rows = draw.normal(size=(turns, players, len(true))) * [1, 5, 0.2]
    odds = np.exp(rows @ true)
    chances = odds / odds.sum(axis=1, keepdims=True)
    winners = (chances.cumsum(axis=1) > draw.random((turns, 1))).argmax(axis=1)
    return rows, np.eye(players)[winners]


@pytest.mark.parametrize("players", [2, 4])
def test_the_fit_finds_the_weights_that_games_were_drawn_from(players: int) -> None:
    true = np.array([0.5, -0.1, 3.0])
    rows, shares = lottery(true, 20_000, players)
    assert fit_weights(rows, shares) == pytest.approx(true, rel=0.1)
    assert scale_of(rows, shares, true / 4) == pytest.approx(4, rel=0.05)


def test_every_direction_changes_the_scores_about_as_much() -> None:
    rows, _ = lottery(np.zeros(3), 5000, 2)
    change = (rows[:, 0] - rows[:, 1]) @ directions(rows)
    assert change.std(axis=0) == pytest.approx(np.ones(3), rel=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_better_rival_leads_from_either_side(players: int) -> None:
    arena, good = Arena(players), list(planner_weights(players).values())
    rivals = [planner_row(good), planner_row([-weight for weight in good])]
    for number in (0, 1):
        assert fit_planner._lead(arena, rivals, 0, 10, number) > 0.2
        assert fit_planner._lead(arena, rivals[::-1], 0, 10, number) < -0.2


def test_equal_rivals_share_the_wins_by_deal() -> None:
    row = planner_row(planner_weights().values())
    assert Arena(2).duel([row, row], first=5, deals=20).tolist() == [[0.5, 0.5]] * 20


def test_recorded_turns_hold_the_features_of_all_seats() -> None:
    row = planner_row(planner_weights(3).values())
    rows, shares = Arena(3).record([row] * 3, first=0, games=2, lot=10)
    assert rows.shape == (len(shares), 3, FEATURES)
    assert (rows[:, :, NAMES.index("tokens")] <= 10).all()
    assert shares.sum(axis=1) == pytest.approx(np.ones(len(shares)))
    assert rows[:, :, NAMES.index("points")].max() >= 10


def test_a_table_that_is_written_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fit_planner, "data_folder", lambda: tmp_path)
    monkeypatch.setattr(weights, "data_folder", lambda: tmp_path)
    fit_planner.write_table({n: [n + i / 8 for i in range(FEATURES)] for n in (2, 3, 4)})
    weights._table.cache_clear()
    try:
        assert planner_weights(4)[NAMES[3]] == 4.375
    finally:
        weights._table.cache_clear()


def test_the_fit_can_be_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    run: Any = {"games": 40, "steps": 1, "deals": 1, "seed": 3}
    fitted = fit_planner.fit_planner(2, **run, say=lines.append)
    assert lines == ["fitted", "step 1 of 1"]
    assert fitted.tolist() == fit_planner.fit_planner(2, **run).tolist()


# --- compiling


def test_no_two_modules_that_compile_together_use_one_name() -> None:
    owner: dict[str, str] = {}
    for module in (rng, rules, policies, evaluation, planner, tree, ladder, self_play):
        check_names(module, owner)
    check_names(playouts, dict(owner))
    check_names(replays, owner)


def check_names(module: Any, owner: dict[str, str]) -> None:
    """Each name that a module brings into the compiled namespace is new, or the same number."""
    for name, value in {**compiled._functions(module), **compiled._constants(module)}.items():
        assert owner.setdefault(name, repr(value)) == repr(value), f"{module.__name__}: {name}"
