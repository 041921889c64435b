"""The planner: what it chooses, what it cannot know, and that compiled it chooses the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from positions import bonus_cards, components, new_noble, position
from truths import SOME, two_truths

from splendor_nb import Rng, State, get_agent, new_game, play_game
from splendor_nb.agents import ladder, planner, policies
from splendor_nb.agents.evaluation import NAMES
from splendor_nb.agents.fit_planner import GREEDY_ROW, Arena, kernels, planner_row
from splendor_nb.agents.rooms import make_room
from splendor_nb.agents.weights import planner_weights
from splendor_nb.engine import compiled, rng, rules
from splendor_nb.engine.options import Rules, make_components
from splendor_nb.engine.position import Position, Tables, tables_for

ROW = planner_row(planner_weights(2).values())
HOARDER = dict.fromkeys(NAMES, 0.0) | {"tokens": 1.0, "bonuses": -9.0, "reserved": -9.0}


def decide(state: State, **settings: Any) -> str:
    """What the planner answers in a position."""
    seat = state.current_player
    assert seat is not None
    return str(get_agent("planner", **settings)(state.observation(player=seat), Rng(1)))


# --- what it chooses


def test_it_takes_the_win_rather_than_anything_else() -> None:
    for seed in range(6):
        state = new_game(players=2, seed=seed, target=1)
        while state.current_player is not None:
            winning = {str(a) for a in state.legal_actions() if wins_at_once(state, str(a))}
            choice = decide(state)
            assert not winning or choice in winning
            state = state.apply(choice)


def wins_at_once(state: State, action: str) -> bool:
    """Tell whether an action ends the game in favor of who does it alone."""
    return state.apply(action).winners == (state.current_player,)


def test_weights_of_ones_own_change_the_choice() -> None:
    state = position(tokens=["WWUUGGRRKK", ""], market="1W1 1W2 1W3 1W4")
    assert decide(state, weights=HOARDER).startswith("take")
    eager = dict.fromkeys(NAMES, 0.0) | {"bonuses": 1.0}
    assert decide(state, weights=eager).startswith("buy")


def test_weights_that_are_not_named_stay_as_fitted() -> None:
    state = new_game(players=2, seed=5).apply("take WUG").apply("take RK" + "W")
    assert decide(state, weights={"points": planner_weights()["points"]}) == decide(state)


def test_it_returns_what_it_needs_least() -> None:
    state = position(tokens=["WWWWUUUUKK*", ""], phase="return", market="1R1 2W6")
    assert decide(state).startswith("return ")
    assert decide(state) != "return *"


def test_it_chooses_the_noble_that_is_worth_most() -> None:
    parts = components(nobles=[new_noble("W", 1), new_noble("U", 4), new_noble("WU", 2)])
    state = position(bought=bonus_cards("WU", ""), parts=parts, phase="noble")
    assert decide(state) == "noble U"


def test_settings_that_do_not_exist_are_refused() -> None:
    with pytest.raises(TypeError, match="takes 'weights', not 'wights'"):
        get_agent("planner", wights={})
    with pytest.raises(TypeError, match="takes no settings, not 'weights'"):
        get_agent("greedy", weights={})


def test_another_seats_decision_is_refused() -> None:
    with pytest.raises(ValueError, match="Seat 1 has no decision"):
        get_agent("planner")(new_game(players=2, seed=1).observation(1), Rng(1))


# --- how well it plays


@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_wins_more_than_its_share_against_greedy(players: int) -> None:
    row = planner_row(planner_weights(players).values())
    wins = Arena(players).duel([row, *[GREEDY_ROW] * (players - 1)], first=0, deals=60)
    assert wins[:, 0].mean() > {2: 0.85, 3: 0.6, 4: 0.5}[players]


def test_games_between_planners_end_long_before_any_limit() -> None:
    game = play_game(["planner", "planner"], seed=1)
    assert game.result is not None
    assert game.result.end_reason == "target"
    assert len(game.actions) < 140


def test_even_hoarders_do_not_swap_tokens_for_ever() -> None:
    hoarder = planner_row([HOARDER[name] for name in NAMES])
    arena = Arena(2)
    s, t, streams, room = arena._set_up([hoarder] * 2)
    masters, wins = np.array([7, 8, 9]), np.zeros((10, 2))
    longest = kernels().play_rotations(s, t, masters, 0, 10, 2, streams, room, wins)
    assert 2 * planner.PATIENCE < longest < 700


# --- what it cannot know


def room_for(tables: Tables, players: int, *, plain: bool) -> Any:
    return make_room(tables, players, [ROW, GREEDY_ROW, {"policy": policies.RANDOM}], plain=plain)


def choose_compiled(s: Position, t: Tables, room: Any, agent: int = 0) -> tuple[int, int]:
    """Return what an agent chooses, compiled, and where its generator is then."""
    record, tables = compiled.pack_position(s, t)[0], compiled.pack_tables(t)[0]
    legal, r = np.zeros(rules.ACTIONS, np.int64), np.array([12345], np.int64)
    n = kernels().legal_actions(record, tables, legal)
    return int(kernels().decide(agent, record, tables, r, legal, n, room)), int(r[0])


def choose_plain(s: Position, t: Tables, room: Any, agent: int = 0) -> tuple[int, int]:
    """Return the same, plain."""
    legal, r = [0] * rules.ACTIONS, [12345]
    n = rules.legal_actions(s, t, legal)
    return ladder.decide(agent, s, t, r, legal, n, room), r[0]


@pytest.mark.parametrize(("setting", "players"), SOME)
def test_R18_it_chooses_the_same_in_two_truths(setting: str, players: int) -> None:
    room, seen = None, 0
    for truths in two_truths(setting, players, seed=4):
        t = truths[0].tables
        room = room or room_for(t, players, plain=False)
        views = [state.observation(player=state.current_player or 0) for state in truths]
        numbers = [view.numbers() for view in (*truths, *views)]
        assert len({choose_compiled(s, t, room) for s in numbers}) == 1
        seen += 1
    assert seen > 10


@pytest.mark.parametrize("setting", ["standard", "choose"])
def test_R18_it_chooses_the_same_in_two_truths_plain(setting: str) -> None:
    room = None
    for truths in two_truths(setting, 3, seed=6, every=12):
        t = truths[0].tables
        room = room or room_for(t, 3, plain=True)
        views = [state.observation(player=state.current_player or 0) for state in truths]
        chosen = {choose_plain(view.numbers(), t, room)[0] for view in (*truths, *views)}
        assert len(chosen) == 1
        answer = {str(get_agent("planner", weights=named(ROW))(view, Rng(1))) for view in views}
        assert len(answer) == 1


def named(row: Any) -> dict[str, float]:
    """The weights of a row by feature."""
    return dict(zip(NAMES, row["weights"], strict=True))


# --- plain and compiled


@pytest.mark.parametrize(
    ("options", "players"),
    [
        (Rules(), 2),
        (Rules(), 4),
        (Rules(payment="choose", take_fewer="free"), 3),
        (Rules(target=4, tie_break="none", turn_limit=61), 2),
    ],
)
def test_plain_and_compiled_choose_the_same(options: Rules, players: int) -> None:
    t = tables_for(make_components(), options)
    s, r = Position(t, players), [0]
    rng.seed_stream(r, 3, players, 0)
    rules.deal(s, t, r)
    plain, fast = (room_for(t, players, plain=plain) for plain in (True, False))
    decided = 0
    while s.phase != rules.OVER:
        agent = 1 if decided % 5 == 4 else 0
        chosen = choose_plain(s, t, plain, agent)
        assert choose_compiled(s, t, fast, agent) == chosen
        rules.apply_action(s, t, chosen[0])
        decided += 1
    assert decided > 10


def test_random_and_greedy_decide_as_ever_through_the_ladder() -> None:
    state = new_game(players=2, seed=3)
    s, t = state.numbers(), state.tables
    legal = [0] * rules.ACTIONS
    n, room = rules.legal_actions(s, t, legal), room_for(state.tables, 2, plain=True)
    for agent, policy in ((1, policies.choose_greedy), (2, policies.choose_random)):
        r = [12345]
        assert choose_plain(s, t, room, agent) == (policy(s, t, r, legal, n), r[0])
