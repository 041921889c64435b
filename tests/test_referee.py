"""The referee: agents that fail, and what becomes of their games."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from positions import bonus_cards, position

from splendor_nb import RecordError, Rng, get_agent, load_game, new_game, play_game


def answering(answer: object) -> Callable[..., Any]:
    """An agent that always answers the same."""

    def agent(observation: Any, rng: Any) -> object:
        return answer

    return agent


def first_legal(observation: Any, rng: Any) -> Any:
    """An agent that takes the first legal action."""
    return observation.legal_actions()[0]


def raising(observation: Any, rng: Any) -> str:
    """An agent with a bug."""
    raise RuntimeError("the dog ate my move")


FAULTS = {
    "raises": (raising, "exception", "the dog ate my move"),
    "divides by zero": (lambda *_: 1 // 0, "exception", "zero"),
    "takes no arguments": (lambda: "take WUG", "exception", ""),
    "returns None": (answering(None), "unreadable", "None"),
    "returns a number": (answering(3), "unreadable", "3"),
    "returns a list": (answering(["take WUG"]), "unreadable", ""),
    "returns bytes": (answering(b"take WUG"), "unreadable", ""),
    "returns nothing readable": (answering("I take some gems"), "unreadable", "I take some gems"),
    "returns an empty text": (answering(""), "unreadable", ""),
    "names no card of this game": (answering("buy 9W9"), "unreadable", "9W9"),
    "answers what is illegal": (answering("pass"), "illegal", "pass"),
    "buys what it cannot pay": (answering("buy 3W4"), "illegal", "3W4"),
}


@pytest.mark.parametrize("case", FAULTS)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_fault_ends_the_game_by_forfeit(case: str, seat: int) -> None:
    agent, kind, words = FAULTS[case]
    agents: list[Any] = [first_legal, first_legal]
    agents[seat] = agent
    game = play_game(agents, seed=3)
    data = game.to_dict()
    assert data["result"]["end_reason"] == "forfeit"
    assert data["result"]["winners"] == [1 - seat]
    (fault,) = data["faults"]
    assert list(fault) == ["seat", "turn", "kind", "text"]
    assert (fault["seat"], fault["turn"], fault["kind"]) == (seat, seat, kind)
    assert words in fault["text"]
    assert len(data["actions"]) == seat


@pytest.mark.parametrize("case", FAULTS)
def test_a_forfeited_game_can_be_saved_and_loaded(case: str, tmp_path: Path) -> None:
    game = play_game([first_legal, FAULTS[case][0], first_legal], seed=3)
    game.save(tmp_path / "game.json")
    assert load_game(tmp_path / "game.json").to_dict() == game.to_dict()


def test_the_others_of_a_forfeited_game_share_what_they_are_tied_on() -> None:
    game = play_game([first_legal, raising, first_legal], seed=3)
    assert game.to_dict()["result"] == {
        "winners": [0, 2],
        "points": [0, 0, 0],
        "end_reason": "forfeit",
    }


def test_a_leader_who_faults_gets_nothing() -> None:
    def late(observation: Any, rng: Any) -> Any:
        if observation.seats[0].points > 0:
            raise RuntimeError("too early to celebrate")
        buys = [a for a in observation.legal_actions() if a.kind == "buy"]
        return max(buys, key=lambda a: a.card[0]) if buys else observation.legal_actions()[0]

    for seed in range(40):
        result = play_game([late, first_legal, first_legal], seed=seed, turn_limit=400).to_dict()[
            "result"
        ]
        if result["end_reason"] == "forfeit":
            assert result["points"][0] > 0
            assert 0 not in result["winners"]
            return
    pytest.fail("no game in which the first seat led")


def test_a_fault_record_that_was_tampered_with_is_refused() -> None:
    game = play_game([raising, first_legal], seed=3)
    data = game.to_dict()
    data["result"] = data["result"] | {"winners": [0]}
    with pytest.raises(RecordError):
        type(game).from_dict(data)
    with pytest.raises(RecordError):
        type(game).from_dict(game.to_dict() | {"faults": []})


EDITS: dict[str, Callable[[Any], object]] = {
    "bank": lambda seen: seen.bank.update(W=100),
    "a bank item": lambda seen: seen.bank.__setitem__("W", 100),
    "tokens": lambda seen: seen.seats[0].tokens.__setitem__("W", 100),
    "the market": lambda seen: seen.market[0].__setitem__(0, None),
    "a card": lambda seen: setattr(seen.market[0][0], "points", 99),
    "a cost": lambda seen: seen.market[0][0].cost.update(W=0),
    "an attribute": lambda seen: setattr(seen, "turn", 0),
}


@pytest.mark.parametrize("case", EDITS)
def test_an_agent_that_edits_what_it_was_given_is_at_fault(case: str) -> None:
    def agent(observation: Any, rng: Any) -> Any:
        EDITS[case](observation)
        return observation.legal_actions()[0]

    game = play_game([agent, first_legal], seed=3)
    assert [fault["kind"] for fault in game.to_dict()["faults"]] == ["exception"]
    assert game.state.market == new_game(players=2, seed=3).market


def test_an_agent_that_edits_a_copy_changes_nothing() -> None:
    def editor(observation: Any, rng: Any) -> Any:
        answer = observation.legal_actions()[0]
        data = observation.to_dict()
        data["bank"]["W"] = 99
        data["market"][0][0] = None
        data["seats"].clear()
        data["rules"]["target"] = 1
        list(observation.legal_actions()).clear()
        return answer

    games = [play_game([agent, "random"], seed=6, turn_limit=40) for agent in (editor, first_legal)]
    assert [str(a) for a in games[0].actions] == [str(a) for a in games[1].actions]
    assert games[0].to_dict()["faults"] == []


@pytest.mark.parametrize(
    "agents",
    [[], ["greedy"], ["greedy"] * 5, "greedy", None, ["greedy", "gready"], ["greedy", 3]],
    ids=str,
)
def test_wrong_agents_are_refused_before_the_game(agents: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        play_game(agents, seed=3)  # type: ignore[arg-type]


# --- a substitute, and a start of one's own


def test_a_substitute_moves_in_place_of_one_that_fails() -> None:
    game = play_game([raising, first_legal], seed=3, substitute=first_legal, turn_limit=30)
    calm = play_game([first_legal, first_legal], seed=3, turn_limit=30)
    assert [*game.actions] == [*calm.actions]
    assert game.to_dict()["result"] == calm.to_dict()["result"]
    faults = game.to_dict()["faults"]
    assert {(fault["seat"], fault["kind"]) for fault in faults} == {(0, "exception")}
    assert len(faults) >= 15


def test_a_game_with_substitutes_can_be_saved_and_loaded(tmp_path: Path) -> None:
    game = play_game([raising, "random"], seed=3, substitute="greedy", turn_limit=30)
    game.save(tmp_path / "game.json")
    assert load_game(tmp_path / "game.json").to_dict() == game.to_dict()


def test_a_game_may_begin_at_a_position() -> None:
    start = position(bought=bonus_cards("WWW"), tokens=["WUG"], current=1, turn_limit=50)
    game = play_game(["random", "greedy"], seed=3, start=start)
    assert next(iter(game.states())) == start
    assert game.to_dict()["start"] == start.to_dict()


@pytest.mark.parametrize("agents", [["greedy"] * 3, ["greedy"]], ids=len)
def test_agents_have_to_fit_the_seats_of_the_start(agents: list[str]) -> None:
    with pytest.raises(ValueError, match="2"):
        play_game(agents, seed=3, start=position())


def test_a_start_leaves_no_room_for_options() -> None:
    start = new_game(players=2, seed=7)
    with pytest.raises(TypeError, match="'rules', 'target'"):
        play_game(["random", "random"], start=start, rules="uzbek_sundanese", target=3)


def test_an_option_of_zero_is_an_option_too() -> None:
    start = new_game(players=2, seed=7)
    with pytest.raises(TypeError, match="'target'"):
        play_game(["random", "random"], start=start, target=0)


def test_one_agent_is_no_list_of_agents() -> None:
    with pytest.raises(TypeError, match="a list, one for each seat"):
        play_game("greedy")


def test_an_agent_is_asked_only_for_its_own_decisions() -> None:
    state = new_game(players=2, seed=7)
    with pytest.raises(ValueError, match="no decision"):
        get_agent("greedy")(state.observation(1), Rng(1))
