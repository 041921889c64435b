"""The search: the same plain and compiled, from views alone, within its budget and its memory."""

from __future__ import annotations

import pickle
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from positions import components, position
from truths import SOME, choices, decisions, two_truths

from splendor_nb import Observation, Rng, State, get_agent, new_game, play_game
from splendor_nb.agents import growth, planner, tree
from splendor_nb.agents.fit_planner import planner_row
from splendor_nb.agents.growth import Clock, grow_trees
from splendor_nb.agents.rooms import Room, make_room, read
from splendor_nb.agents.search import LEVELS, SearchAgent
from splendor_nb.agents.thoughts import Thoughts
from splendor_nb.agents.weights import planner_weights
from splendor_nb.engine import compiled
from splendor_nb.engine.notation import write_action
from splendor_nb.engine.position import Position

HOARDER = dict.fromkeys(planner_weights(), 0.0) | {"tokens": 1, "bonuses": -9, "reserved": -9}


def view(state: State) -> Observation:
    """What the seat to move sees."""
    assert state.current_player is not None
    return state.observation(player=state.current_player)


def think(agent: SearchAgent, state: State | Observation) -> Thoughts:
    return agent.think(view(state) if isinstance(state, State) else state, Rng(5))


def content(thoughts: Thoughts) -> Any:
    """All that a search says, but for the time that it took."""
    return thoughts.player, thoughts.candidates, thoughts.value, thoughts.iterations


@contextmanager
def no_numba() -> Iterator[None]:
    """A place without Numba."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "has_numba", lambda: False)
        patch.setattr("splendor_nb.agents.rooms.has_numba", lambda: False)
        patch.setattr(growth, "kernels", lambda **_: tree)
        yield


# --- the same for all


@pytest.mark.parametrize(
    ("setting", "players", "trees"),
    [
        ("standard", 2, 1),
        ("standard", 3, 2),
        pytest.param("all_at_once", 4, 1, marks=pytest.mark.slow),
        ("choose", 2, 3),
    ],
)
def test_plain_and_compiled_think_the_same(setting: str, players: int, trees: int) -> None:
    states = decisions(setting, players, 3)[:100:20]
    settings: Any = {"iterations": 60, "trees": trees, "worlds": 3}
    fast = [content(think(SearchAgent(**settings), state)) for state in states]
    with no_numba():
        assert [content(think(SearchAgent(**settings), state)) for state in states] == fast
    assert len(fast) > 1


def test_the_same_agent_thinks_the_same_again_whatever_it_thought_before() -> None:
    first, second = decisions("standard", 2, 5)[20:22]
    agent = SearchAgent(iterations=200, trees=2)
    before = content(think(agent, first))
    think(agent, second)
    assert content(think(agent, first)) == before
    assert agent.think(view(first), Rng(6)).candidates != before[1]


def test_a_copy_by_pickle_thinks_the_same() -> None:
    state = decisions("standard", 2, 5)[30]
    agent = SearchAgent(iterations=100, worlds=2, weights={"points": 1.0}, name="mine")
    copied = pickle.loads(pickle.dumps(agent))
    assert repr(copied) == repr(agent) == "<agent mine>"
    assert content(think(copied, state)) == content(think(agent, state))


# --- what it cannot know


@pytest.mark.parametrize(("setting", "players"), SOME)
def test_R18_it_chooses_the_same_in_two_truths(setting: str, players: int) -> None:
    agent, pairs = SearchAgent(iterations=12, worlds=2), 0
    for truths in two_truths(setting, players, seed=8):
        assert len(choices(agent, truths)) == 1
        pairs += 1
    assert pairs > 10


def test_R18_all_that_it_says_is_the_same_in_two_truths() -> None:
    agent = SearchAgent(iterations=100, trees=2)
    for truths in two_truths("standard", 3, seed=9, every=10):
        first, second = (content(think(agent, state)) for state in truths)
        assert first == second


@pytest.mark.parametrize("setting", ["standard", "small"])
def test_R18_it_chooses_the_same_in_two_truths_plain(setting: str) -> None:
    with no_numba():
        agent = SearchAgent(iterations=8, worlds=2)
        for truths in two_truths(setting, 3, seed=9, every=20):
            chosen = {agent.decide(one.numbers(), one.tables, [12345]) for one in truths}
            assert len(chosen) == 1


def test_numbers_and_views_lead_to_the_same_choice() -> None:
    agent = SearchAgent(iterations=50)
    for state in decisions("standard", 2, 6)[::15]:
        number = agent.decide(state.numbers(), state.tables, Rng(3).stream_state)
        assert agent(view(state), Rng(3)) == write_action(state.numbers(), state.tables, number)


def test_every_world_deals_each_unseen_card_once() -> None:
    for state in decisions("standard", 4, 2)[10::20]:
        room = grown(view(state), iterations=2, worlds=tree.MOST_WORLDS)
        for world in room.positions[tree.FIRST_WORLD :]:
            s = compiled.unpack_position(world, state.tables)
            assert cards_in_play(s) == cards_in_play(state.numbers())


def cards_in_play(s: Position) -> list[int]:
    """All cards that have not been bought."""
    decks = [c for deck, n in zip(s.decks, s.deck_size, strict=True) for c in deck[:n]]
    kept = [c for cards, n in zip(s.reserved, s.n_reserved, strict=True) for c in cards[:n]]
    return sorted([*decks, *s.market, *kept])


def test_it_searches_where_a_view_has_moved_on_to_a_back_in_the_market() -> None:
    seen = view(position(tokens=["WWUUGGRRKK", ""]))
    later = seen.apply(next(a for a in seen.legal_actions() if a.kind == "reserve"))
    assert later.phase == "return"
    assert SearchAgent(iterations=40)(later, Rng(1)) in later.legal_actions()


# --- the tree


def grown(seen: Observation, *, iterations: int, nodes: int = 0, worlds: int = 4) -> Room:
    """A tree that has grown from a view."""
    row = planner_row(planner_weights(seen.players).values())
    row |= {"worlds": worlds, "explore": 1.0, "reduction": 0.2}
    room = make_room(seen.tables, seen.players, [row], nodes=nodes or iterations)
    grow_trees(seen.numbers(), seen.tables, [77], [room], iterations, Clock())
    return room


def nodes_of(room: Room) -> list[Any]:
    return [read(room.nodes[i]) for i in range(read(room.desk).n_nodes)]


def edges_of(room: Room, node: Any) -> list[Any]:
    return [read(room.edges[i]) for i in range(node.first, node.first + node.n_edges)]


def test_every_descent_is_counted_once_on_every_node_of_its_way() -> None:
    room = grown(view(decisions("standard", 2, 7)[12]), iterations=400)
    nodes = nodes_of(room)
    assert nodes[0].visits == len(nodes) == 400
    for node in nodes:
        edges = edges_of(room, node)
        if edges:
            assert sum(edge.visits for edge in edges) == node.visits - 1
            assert sum(edge.prior for edge in edges) == pytest.approx(1)
            assert [edge.prior for edge in edges] == sorted((e.prior for e in edges), reverse=True)


def test_a_full_tree_takes_no_more_nodes_and_goes_on() -> None:
    seen = view(decisions("standard", 2, 7)[12])
    room = grown(seen, iterations=500, nodes=20)
    assert read(room.desk).n_nodes == 20
    assert nodes_of(room)[0].visits == 500
    assert len(room.edges) == 20 * 60


def test_a_position_that_comes_again_is_a_dead_end() -> None:
    state = position(
        tokens=["WWUUGGRRK*", "WWUUGGRRK*"],
        reserved=["3W1 3U1 3G1", "3W2 3U2 3G2"],
        market="1W8 1U8 1G8 1R8 2W4 2U6 2G6 2R6 3R3 3K3 3R4 3K4",
    )
    room = grown(view(state), iterations=3000)
    nodes = nodes_of(room)
    ends = 0

    def follow(number: int, way: tuple[int, ...]) -> None:
        nonlocal ends
        node = nodes[number]
        again = node.mark in way
        ends += again
        assert not (again and node.n_edges)
        for edge in edges_of(room, node):
            child = edge.child
            while child >= 0:
                follow(child, (*way, node.mark))
                child = nodes[child].next

    follow(0, ())
    assert ends > 0


def test_the_expected_line_is_legal_as_far_as_the_view_goes() -> None:
    agent, longest = SearchAgent(iterations=500), 0
    for state in decisions("standard", 2, 8)[5::12]:
        seen = view(state)
        for candidate in think(agent, seen).candidates:
            now: Any = state
            assert candidate.line[0] == candidate.action
            for action in candidate.line[:2]:
                assert now.why_illegal(action) is None
                now = now.apply(action)
            longest = max(longest, len(candidate.line))
    assert longest > 3


def test_the_error_comes_from_the_differences_between_trees() -> None:
    state = decisions("standard", 2, 8)[10]
    one = think(SearchAgent(iterations=100), state)
    assert all(candidate.error is None for candidate in one.candidates)
    four = think(SearchAgent(iterations=400, trees=4), state)
    best = four.candidates[0]
    assert best.error is not None
    assert 0 < best.error < 0.2
    assert best.value is not None
    assert 0 < best.value < 1
    assert sum(candidate.visits for candidate in four.candidates) == 400 - 4


def test_candidates_are_the_legal_actions_most_visited_first() -> None:
    state = decisions("standard", 3, 8)[10]
    thoughts = think(SearchAgent(iterations=200), state)
    visits = [candidate.visits for candidate in thoughts.candidates]
    assert visits == sorted(visits, reverse=True)
    assert thoughts.action == thoughts.candidates[0].action
    assert sorted(c.action for c in thoughts.candidates) == sorted(state.legal_actions())


# --- how it plays


def test_a_win_that_is_there_is_found() -> None:
    agent, found = SearchAgent(iterations=60), 0
    for seed in range(12):
        state = new_game(players=2, seed=seed, target=1)
        while state.current_player is not None:
            winning = [a for a in state.legal_actions() if ends_well(state, a)]
            choice = agent(view(state), Rng(seed))
            assert not winning or choice in winning
            found += bool(winning)
            state = state.apply(choice)
    assert found >= 4


def ends_well(state: State, action: str) -> bool:
    """Tell whether an action wins at once."""
    return state.apply(action).winners == (state.current_player,)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_it_wins_more_than_its_share_against_planners(players: int) -> None:
    won, deals = 0.0, 15
    for deal in range(deals):
        for seat in range(players):
            agents: list[Any] = ["planner"] * players
            agents[seat] = SearchAgent(iterations=200)
            result = play_game(agents, seed=deal).result
            assert result is not None
            won += (seat in result.winners) / max(1, len(result.winners))
    assert won / (deals * players) > 1.25 / players


def test_two_searchers_finish_their_game() -> None:
    game = play_game([SearchAgent(iterations=30), SearchAgent(iterations=20)], seed=4)
    assert game.result is not None
    assert game.result.end_reason == "target"
    assert len(game.actions) < 150


def test_even_hoarders_do_not_swap_tokens_for_ever() -> None:
    hoarder = SearchAgent(iterations=2, weights=HOARDER)
    game = play_game([hoarder, hoarder], seed=4)
    assert game.result is not None
    assert game.result.end_reason == "target"
    assert len(game.actions) > 4 * planner.PATIENCE


def test_out_of_patience_numbers_and_views_lead_to_the_same_choice() -> None:
    state, agent = position(turn=20 * planner.PATIENCE), SearchAgent(iterations=2)
    chosen = set()
    for seed in range(20):
        number = agent.decide(state.numbers(), state.tables, Rng(seed).stream_state)
        chosen.add(agent(view(state), Rng(seed)))
        record = compiled.pack_position(state.numbers(), state.tables)[0]
        assert agent.decide(record, state.tables, np.array(Rng(seed).stream_state)) == number
        assert agent(view(state), Rng(seed)) == write_action(state.numbers(), state.tables, number)
    assert len(chosen) > 2


# --- budgets


def test_iterations_are_shared_by_the_trees() -> None:
    assert [tree.part(11, 3, number) for number in range(3)] == [4, 4, 3]
    state = decisions("standard", 2, 8)[10]
    assert think(SearchAgent(iterations=101, trees=3), state).iterations == 101


def test_somebody_may_stop_it() -> None:
    asked = []

    def should_stop() -> bool:
        asked.append(True)
        return len(asked) > 2

    agent, state = SearchAgent(seconds=60), decisions("standard", 2, 8)[10]
    thoughts = agent.think(view(state), Rng(1), should_stop=should_stop)
    assert thoughts.stopped
    assert thoughts.iterations == 3 * growth.SLICE
    assert thoughts.elapsed_s < 30
    assert agent(view(state), Rng(1), should_stop=lambda: True) in state.legal_actions()


def test_a_stop_reaches_all_trees() -> None:
    agent, state = SearchAgent(seconds=60, trees=2), decisions("standard", 2, 8)[10]
    thoughts = agent.think(view(state), Rng(1), should_stop=lambda: True)
    assert thoughts.stopped
    assert thoughts.iterations == 2 * growth.SLICE


def test_an_error_of_who_may_stop_it_comes_out() -> None:
    def should_stop() -> bool:
        raise LookupError("no such button")

    agent, state = SearchAgent(iterations=3000, trees=2), decisions("standard", 2, 8)[10]
    with pytest.raises(LookupError, match="button"):
        agent.think(view(state), Rng(1), should_stop=should_stop)


def test_seconds_are_kept() -> None:
    state = decisions("standard", 2, 8)[10]
    agent = SearchAgent(seconds=0.05)
    agent(view(state), Rng(1))  # which compiles, or loads
    start = time.perf_counter()
    thoughts = think(agent, state)
    assert 0.05 <= thoughts.elapsed_s <= time.perf_counter() - start
    assert thoughts.iterations > growth.SLICE
    assert not thoughts.stopped


def test_one_legal_action_needs_no_thought_and_no_chance() -> None:
    state = position(
        tokens=["K" * 11, ""], phase="return", parts=components(tokens="WWWW" + "K" * 12)
    )
    assert len(state.legal_actions()) == 1
    r = Rng(9)
    before = repr(r)
    assert SearchAgent()(view(state), r) == state.legal_actions()[0]
    assert repr(r) == before


@pytest.mark.parametrize(
    ("settings", "error", "part"),
    [
        ({"iterations": 1}, ValueError, "iterations is a whole number from 2 to"),
        ({"iterations": 5, "trees": 3}, ValueError, "iterations is a whole number from 6 to"),
        ({"iterations": 2.5}, TypeError, "iterations is a whole number"),
        ({"iterations": 10, "seconds": 1}, TypeError, "not of both"),
        ({"seconds": -1}, ValueError, "seconds is a finite number from 0"),
        ({"seconds": "1"}, TypeError, "seconds is a number from 0"),
        ({"trees": 0}, ValueError, "trees is a whole number from 1 to 16"),
        ({"worlds": 9}, ValueError, "worlds is a whole number from 1 to 8"),
        ({"explore": float("inf")}, ValueError, "explore is a finite number"),
        ({"reduction": True}, TypeError, "reduction is a number"),
        ({"weights": {"wit": 1}}, ValueError, "no feature 'wit'"),
        ({"depth": 3}, TypeError, "takes 'iterations', 'seconds', 'trees'"),
    ],
)
def test_wrong_settings_are_refused(
    settings: dict[str, Any], error: type[Exception], part: str
) -> None:
    with pytest.raises(error, match=part):
        get_agent("search", **settings)


def test_levels_are_searches_that_think_more_and_more() -> None:
    state = decisions("standard", 2, 8)[10]
    budgets = []
    for level in LEVELS:
        agent = get_agent(level)
        assert isinstance(agent, SearchAgent)
        assert agent.name == level
        budgets.append(think(agent, state).iterations)
    assert budgets == [2, 30, 300, 3000]
    with pytest.raises(TypeError, match="takes no settings"):
        get_agent("hard", iterations=1)


def test_another_seats_decision_is_refused() -> None:
    with pytest.raises(ValueError, match="Seat 1 has no decision"):
        SearchAgent()(new_game(players=2, seed=1).observation(1), Rng(1))


def test_an_action_that_is_insisted_on_gets_a_quarter_of_the_visits() -> None:
    agent, observation = SearchAgent(iterations=201), view(decisions("standard", 2, 3)[10])
    least = agent.think(observation, Rng(1)).candidates[-1]
    assert least.visits < 10
    thoughts = agent.think(observation, Rng(1), insist_on=least.action)
    (found,) = [one for one in thoughts.candidates if one.action == least.action]
    assert found.visits >= 50
    assert agent.think(observation, Rng(1)).candidates[-1] == least
