"""Games of the kit's agents that decide on numbers: the same as if each were asked in Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from truths import choices, two_truths

from splendor_nb import get_agent, simulate
from splendor_nb.agents import deciders, growth, rooms
from splendor_nb.engine import compiled
from splendor_nb.engine.options import make_components, make_rules
from splendor_nb.games import decided, kernels, observed
from splendor_nb.games.setup import Setup, make_setup

GROUPS = {
    "two": ["planner", "greedy"],
    "a search": [get_agent("search", iterations=4), "random"],
    "three": ["random", "planner", get_agent("search", iterations=4, trees=2)],
    "four": ["greedy", "planner", "random", get_agent("planner", weights={"points": 2})],
}


def setup_of(agents: list[Any], **options: Any) -> Setup:
    return make_setup(
        tuple(agents),
        games=100,
        seed=5,
        rotate=True,
        components=make_components(None, None, None),
        rules=make_rules("standard", **options),
    )


def assert_equal(first: Any, second: Any) -> None:
    for mine, other in zip(first, second, strict=True):
        assert np.array_equal(mine, other)


@pytest.mark.parametrize("group", GROUPS)
def test_agents_decide_as_if_they_were_asked_in_python(group: str) -> None:
    agents = tuple(GROUPS[group])
    setup = setup_of(list(agents))
    slow = observed.play_chunk(setup, agents, 3, len(agents))
    assert_equal(slow, decided.play_chunk(setup, agents, 3, len(agents)))


@pytest.mark.parametrize("name", ["random", "greedy", "planner"])
def test_R18_they_decide_the_same_in_two_truths(name: str) -> None:
    agent, pairs = get_agent(name), 0
    for truths in two_truths("standard", 3, seed=8, every=3):
        assert len(choices(agent, truths)) == 1
        pairs += 1
    assert pairs > 10


def test_random_and_greedy_play_the_games_that_the_kernels_play() -> None:
    setup = setup_of(["greedy", "random", "greedy"], payment="choose", target=8)
    names = ("greedy", "random", "greedy")
    agents = tuple(get_agent(name) for name in names)
    assert_equal(kernels.play_chunk(setup, names, 7, 40), decided.play_chunk(setup, agents, 7, 40))


def test_without_numba_the_games_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    agents = ("planner", get_agent("search", iterations=3))
    setup = setup_of(list(agents), target=3)
    fast = decided.play_chunk(setup, agents, 0, 2)
    for module in (compiled, rooms):
        monkeypatch.setattr(module, "has_numba", lambda: False)
    twins = (kernels._kernels, deciders.kernels, growth.kernels)
    for twin in twins:
        twin.cache_clear()
    assert_equal(fast, decided.play_chunk(setup, agents, 0, 2))
    for twin in twins:
        twin.cache_clear()


def test_a_game_longer_than_the_log_has_room() -> None:
    agents = (get_agent("random"), get_agent("random"))
    setup = setup_of(list(agents))
    log = decided.play_chunk(setup, agents, 0, 60)
    lengths = np.diff(log.ends, prepend=0)
    assert lengths.max() > kernels.ACTIONS_A_GAME
    assert_equal(log, kernels.play_chunk(setup, ("random", "random"), 0, 60))


def test_threads_change_nothing() -> None:
    agents = ["planner", get_agent("search", iterations=6)]
    one, two = (simulate(agents, 24, seed=3, workers=n, progress=False) for n in (1, 2))
    assert one.seats.equals(two.seats)
    assert one.actions.equals(two.actions)
    assert set(one.games["end_reason"]) == {"target"}


@pytest.mark.parametrize(
    ("agents", "expected"),
    [
        (("planner", "search"), True),
        ((get_agent("easy"), "greedy"), True),
        (("planner", lambda observation, rng: observation.legal_actions()[0]), False),
    ],
)
def test_only_agents_of_the_kit_decide_on_numbers(agents: tuple[Any, ...], expected: bool) -> None:
    assert decided.decides_on_numbers(agents) is expected


def test_an_agent_made_from_one_of_the_kit_is_asked_in_python() -> None:
    class Mine(type(get_agent("search"))):  # type: ignore[misc]
        """It may do as it likes, and so may not see more than its seat knows."""

    assert not decided.decides_on_numbers((Mine(iterations=2), "greedy"))
