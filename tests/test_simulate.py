"""`simulate`: deals and seats, agents of every kind and their faults, what is refused."""

from __future__ import annotations

import functools
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from positions import NOBLES, first_cards, tally
from slow_tables import COLUMNS, fresh_deal, played, rows, rows_of

import splendor_nb
from splendor_nb import Action, GameRecord, Rng, get_agent, new_game, play_game, simulate
from splendor_nb.agents.registry import AGENTS

pd = pytest.importorskip("pandas")


def any_legal(observation: Any, rng: Rng) -> str:
    """The agent random, written in a cell."""
    return rng.choice(observation.legal_actions())


def first_legal(observation: Any, rng: Rng) -> str:
    """An agent without chance."""
    return observation.legal_actions()[0]


def tables(*agents: Any, games: int = 24, seed: int = 5, **more: Any) -> Any:
    """All tables of some games, as rows."""
    return rows_of(simulate(list(agents), games, seed, **more))


# --- deals and seats


@pytest.mark.parametrize("players", [2, 3, 4])
def test_with_seats_rotated_game_g_is_deal_g_by_k_in_rotation_g_mod_k(players: int) -> None:
    names = ["greedy", "random", "random", "greedy"][:players]
    sim = simulate(names, 3 * players, 8)
    assert list(sim.games["deal"]) == [game // players for game in range(3 * players)]
    assert list(sim.games["rotation"]) == list(range(players)) * 3
    for game, seat, agent in rows(sim.seats[["game", "seat", "agent"]]):
        assert agent == sim.agents[(seat + game) % players]


@pytest.mark.parametrize("more", [{"agents": ["random", "greedy"]}, {"agents": "random"}])
def test_without_rotation_every_game_is_a_deal_of_its_own(more: dict[str, Any]) -> None:
    sim = simulate(games=6, seed=8, rotate_seats=isinstance(more["agents"], str), **more)
    assert list(sim.games["deal"]) == list(range(6))
    assert set(sim.games["rotation"]) == {0}
    assert list(sim.seats["agent"]) == list(sim.agents) * 6


@pytest.mark.parametrize("agents", [("random", "greedy"), (any_legal, first_legal)])
def test_the_start_of_every_record_is_its_deal(agents: tuple[Any, Any]) -> None:
    sim = simulate(list(agents), 8, 31)
    for game in range(8):
        assert sim.record(game).start == fresh_deal(2, 31, game // 2)
    assert sim.record(0).start == new_game(players=2, seed=31)


def test_a_deal_is_the_same_whoever_plays() -> None:
    sims = [simulate(agents, 6, 31) for agents in (["random", "greedy"], [first_legal] * 2)]
    for game in range(6):
        assert sims[0].record(game).start == sims[1].record(game).start


def test_the_first_games_do_not_depend_on_how_many_follow() -> None:
    few, many = simulate(["greedy", "random"], 5, 31), simulate(["greedy", "random"], 31, 31)
    assert rows(few.seats) == rows(many.seats)[:10]


def test_other_seeds_play_other_games() -> None:
    games = [str(tables("greedy", "random", games=2, seed=seed)) for seed in range(5)]
    assert len(set(games)) == 5
    assert tables("greedy", "random", games=2, seed=0) != tables("greedy", "random", games=2)


@pytest.mark.parametrize("seed", [0, 2**32, 2**64 + 1, 10**40])
def test_seeds_of_any_size_play_the_same_compiled_and_in_python(seed: int) -> None:
    compiled = tables("greedy", "random", games=4, seed=seed)
    agents = [functools.partial(get_agent(name)) for name in ("greedy", "random")]
    in_python = tables(*agents, games=4, seed=seed)
    assert compiled["actions"] == in_python["actions"]


def test_a_seed_that_is_drawn_is_recorded() -> None:
    sim = simulate(["greedy", "random"], 4)
    again = simulate(["greedy", "random"], 4, sim.seed)
    assert rows_of(sim) == rows_of(again)
    assert simulate("random", 1).seed != simulate("random", 1).seed


# --- agents


@pytest.mark.parametrize("options", [{}, {"payment": "choose", "take_fewer": "free"}])
@pytest.mark.parametrize("players", [2, 4])
def test_named_agents_play_the_same_games_compiled_and_called(
    players: int, options: dict[str, Any]
) -> None:
    names = ["greedy", "random", "random", "greedy"][:players]
    callables = [functools.partial(get_agent(name)) for name in names]
    compiled, called = tables(*names, **options), tables(*callables, **options)
    for name in ("games", "purchases", "visits", "actions", "faults"):
        assert compiled[name] == called[name]
    assert [row[3:] for row in compiled["seats"]] == [row[3:] for row in called["seats"]]


def test_named_agents_beside_python_agents_play_by_their_streams() -> None:
    sim = simulate(["greedy", any_legal, "random"], 12, 5)
    for game in range(12):
        start, actions = played(["greedy", any_legal, "random"], 5, game)
        assert (sim.record(game).start, list(sim.record(game).actions)) == (start, actions)


def test_deal_0_is_the_game_of_play_game() -> None:
    sim = simulate([any_legal, "greedy"], 2, 5)
    assert sim.record(0) == play_game([any_legal, "greedy"], seed=5)
    assert sim.record(1) == play_game(["greedy", any_legal], seed=5)


class Counting:
    """A stateful agent: it plays one game, and would be lost in a second."""

    def __init__(self) -> None:
        self.last_turn = -1

    def __call__(self, observation: Any, rng: Rng) -> str:
        if observation.turn < self.last_turn:
            raise RuntimeError("this is another game")
        self.last_turn = observation.turn
        return rng.choice(observation.legal_actions())


def closure(moves: int) -> Callable[..., str]:
    """An agent that chooses among the first legal actions."""

    def agent(observation: Any, rng: Rng) -> str:
        return rng.choice(observation.legal_actions()[:moves])

    return agent


class Stubborn:
    """An instance with settings."""

    def __init__(self, place: int) -> None:
        self.place = place

    def __call__(self, observation: Any, rng: Rng) -> Any:
        return observation.legal_actions()[self.place]

    def choose(self, observation: Any, rng: Rng) -> Any:
        return self(observation, rng)


CALLABLES: dict[str, tuple[Any, str]] = {
    "function": (any_legal, "any_legal"),
    "lambda": (lambda observation, rng: rng.choice(observation.legal_actions()), "<lambda>"),
    "closure": (closure(3), "agent"),
    "class": (Counting, "Counting"),
    "instance": (Stubborn(-1), "Stubborn"),
    "method": (Stubborn(0).choose, "choose"),
    "partial": (functools.partial(any_legal), "partial"),
    "agent of the registry": (get_agent("greedy"), "greedy"),
}


@pytest.mark.parametrize("case", CALLABLES)
def test_every_kind_of_callable_plays(case: str) -> None:
    agent, name = CALLABLES[case]
    sim = simulate([agent, "random"], 6, 5, target=4)
    assert sim.agents == (name, "random")
    assert len(sim.faults) == 0
    for game in range(6):
        plain = agent() if isinstance(agent, type) else agent
        start, actions = played([plain, "random"], 5, game, target=4)
        assert (sim.record(game).start, list(sim.record(game).actions)) == (start, actions)


def test_a_class_is_called_anew_for_each_game() -> None:
    sim = simulate([Counting, Counting], 10, 5)
    assert len(sim.faults) == 0
    shared = simulate([Counting(), "random"], 10, 5)
    assert set(shared.faults["text"]) == {"RuntimeError: 'this is another game'"}


def test_an_agent_may_answer_in_any_order_and_case() -> None:
    def shouting(observation: Any, rng: Rng) -> str:
        return str(rng.choice(observation.legal_actions())).upper()

    shouted, plain = simulate([shouting, "random"], 6, 5), simulate([any_legal, "random"], 6, 5)
    assert rows(shouted.actions) == rows(plain.actions)
    assert all(isinstance(action, Action) for action in shouted.record(0).actions)


def test_agents_in_a_tuple_are_agents_in_a_list() -> None:
    assert rows_of(simulate(("greedy", "random"), 4, 5)) == tables("greedy", "random", games=4)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_agent_plays_all_seats(players: int) -> None:
    sim = simulate("greedy", 6, 5, players=players)
    assert sim.players == players
    assert rows_of(sim) == rows_of(simulate(["greedy"], 6, 5, players=players))
    assert rows(sim.games) == rows(simulate(["greedy"] * players, 6, 5, rotate_seats=False).games)
    assert simulate(any_legal, 2, 5).players == 2


def test_agents_that_come_twice_are_told_apart() -> None:
    sim = simulate(["greedy", "random", "greedy", "greedy"], 4, 5)
    assert sim.agents == ("greedy", "random", "greedy#2", "greedy#3")
    assert Counter(sim.seats["agent"]) == dict.fromkeys(sim.agents, 4)


def test_a_name_that_looks_like_a_numbered_one_is_told_apart_too() -> None:
    sly = closure(2)
    sly.name = "greedy#2"  # type: ignore[attr-defined]
    assert len(set(simulate(["greedy", "greedy", sly], 3, 5).agents)) == 3


@pytest.mark.parametrize("name", AGENTS)
def test_every_agent_with_a_name_can_be_simulated(name: str) -> None:
    sim = simulate([name, "random"], 2, 5, target=3)
    assert len(sim.faults) == 0
    assert set(sim.games["end_reason"]) == {"target"}


def test_two_bots_that_take_and_return_for_ever_end_by_the_turn_limit() -> None:
    def hoarder(observation: Any, rng: Rng) -> Any:
        legal = observation.legal_actions()
        return next(a for a in legal if a.kind in ("take", "return", "pass", "reserve"))

    sim = simulate([hoarder, hoarder], 4, 5, turn_limit=61)
    assert set(sim.games["end_reason"]) == {"limit"}
    assert set(sim.games["turns"]) == {62}
    assert (sim.seats["returned"] > 20).all()
    assert set(simulate([hoarder, hoarder], 1, 5).games["turns"]) == {1000}


# --- faults


def raising(error: BaseException) -> Callable[..., str]:
    """An agent with a bug."""

    def agent(observation: Any, rng: Rng) -> str:
        raise error

    return agent


def answering(answer: object) -> Callable[..., Any]:
    """An agent that always answers the same."""

    def agent(observation: Any, rng: Rng) -> object:
        return answer

    return agent


def leaving(observation: Any, rng: Rng) -> str:
    """An agent that wants to end it all."""
    sys.exit("enough")


class SpeechlessError(Exception):
    """An error that cannot even be printed."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


class Nameless:
    """An answer that cannot even be printed."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")


def meddling(observation: Any, rng: Rng) -> str:
    """An agent that edits what it was given."""
    observation.numbers().points[0] = 15
    observation._s.points[observation.player] = 15
    observation._s.current = 1 - observation.player
    return observation.legal_actions()[0]


def greedy_for_tables(observation: Any, rng: Rng) -> str:
    """An agent that edits the rules of the game."""
    observation.tables.target = 1
    return observation.legal_actions()[0]


FAULTS: dict[str, tuple[Any, str, str]] = {
    "raises": (raising(RuntimeError("the dog ate it")), "exception", "the dog ate it"),
    "recurs": (raising(RecursionError("too deep")), "exception", "too deep"),
    "runs out of memory": (raising(MemoryError("all gone")), "exception", "all gone"),
    "leaves": (leaving, "exception", "enough"),
    "raises what cannot be printed": (raising(SpeechlessError()), "exception", "SpeechlessError"),
    "takes no arguments": (lambda: "take WUG", "exception", "argument"),
    "edits the tables": (greedy_for_tables, "exception", "target"),
    "returns None": (answering(None), "unreadable", "None"),
    "returns a number": (answering(3), "unreadable", "3"),
    "returns what cannot be printed": (answering(Nameless()), "unreadable", "Nameless"),
    "returns no action": (answering("I take some gems"), "unreadable", "I take some gems"),
    "returns half a character": (answering("\ud83d"), "unreadable", "ud83d"),
    "names an unknown card": (answering("buy 9W9"), "unreadable", "9W9"),
    "answers what is illegal": (answering("pass"), "illegal", "pass"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_a_fault_is_a_row_and_forfeits_the_game(case: str) -> None:
    agent, kind, words = FAULTS[case]
    sim = simulate([agent, "random"], 4, 5)
    assert set(sim.games["end_reason"]) == {"forfeit"}
    assert rows(sim.faults[["game", "turn", "seat", "kind"]]) == [
        *((0, 0, 0, kind), (1, 1, 1, kind), (2, 0, 0, kind), (3, 1, 1, kind)),
    ]
    assert all(words in text for text in sim.faults["text"])
    shares = sim.seats.set_index(["game", "seat"])["win_share"]
    assert [shares[game, game % 2] for game in range(4)] == [0.0] * 4
    assert [shares[game, 1 - game % 2] for game in range(4)] == [1.0] * 4
    assert list(sim.games["turns"]) == [0, 1, 0, 1]
    assert list(sim.games["rounds"]) == [1, 1, 1, 1]


@pytest.mark.parametrize("case", FAULTS)
def test_a_game_with_a_fault_is_a_whole_record(case: str) -> None:
    sim = simulate([FAULTS[case][0], "random"], 2, 5)
    for game in (0, 1):
        record = sim.record(game)
        assert GameRecord.from_dict(record.to_dict()) == record
        assert record.result.end_reason == "forfeit"
        assert record.result.winners == (1 - game % 2,)


def test_the_others_of_a_forfeited_game_are_ranked() -> None:
    sim = simulate([raising(KeyError("x")), "random", "random"], 3, 5)
    shares = sim.seats.set_index(["game", "agent"])["win_share"]
    for game in range(3):
        assert [shares[game, agent] for agent in sim.agents] == [0, 0.5, 0.5]
    assert set(sim.games["winners"]) == {2}


def test_a_leader_who_faults_gets_nothing() -> None:
    def proud(observation: Any, rng: Rng) -> str:
        if observation.seats[observation.player].points >= 10:
            raise OverflowError("so many points")
        return greedy(observation, rng)

    greedy = get_agent("greedy")
    sim = simulate([proud, "random"], 8, 5)
    assert set(sim.games["end_reason"]) == {"forfeit"}
    mine, theirs = (sim.seats[sim.seats["agent"] == agent] for agent in sim.agents)
    assert mine["points"].min() > theirs["points"].max()
    assert (set(mine["win_share"]), set(theirs["win_share"])) == ({0.0}, {1.0})


def test_a_fault_in_game_17_leaves_the_others_as_they_are() -> None:
    def agent(observation: Any, rng: Rng) -> str:
        played_to_the_end.append(rng)
        if len(set(map(id, played_to_the_end))) == 18 and observation.turn == 9:
            raise ZeroDivisionError("in game 17")
        return rng.choice(observation.legal_actions())

    played_to_the_end: list[Rng] = []
    sim, whole = simulate([agent, "random"], 40, 5), simulate([any_legal, "random"], 40, 5)
    assert rows(sim.faults) == [(17, 9, 1, "exception", "ZeroDivisionError: 'in game 17'")]
    assert list(sim.games["end_reason"]).count("forfeit") == 1
    for name in ("games", "purchases", "visits", "actions"):
        others = [row for row in rows(getattr(sim, name)) if row[0] != 17]
        assert others == [row for row in rows(getattr(whole, name)) if row[0] != 17]
    cut = [row for row in rows(whole.actions) if row[0] == 17 and row[1] < 9]
    assert [row for row in rows(sim.actions) if row[0] == 17] == cut


def test_an_agent_that_edits_its_view_changes_nothing() -> None:
    sim, honest = simulate([meddling, "random"], 4, 5), simulate([first_legal, "random"], 4, 5)
    assert len(sim.faults) == 4 or rows(sim.actions) == rows(honest.actions)
    for game in range(4):
        record = sim.record(game)
        assert GameRecord.from_dict(record.to_dict()) == record


class BreaksAtBirth:
    """A class that cannot always be made."""

    made = 0

    def __init__(self) -> None:
        type(self).made += 1
        if type(self).made % 3 == 0:
            raise OSError("no weights here")

    def __call__(self, observation: Any, rng: Rng) -> str:
        return rng.choice(observation.legal_actions())


def test_a_class_that_cannot_be_made_forfeits_that_game_alone() -> None:
    BreaksAtBirth.made = 0
    sim = simulate([BreaksAtBirth, "random"], 9, 5)
    assert len(sim) == 9
    assert len(sim.faults) == 3
    assert set(sim.faults["kind"]) == {"exception"}
    for game in sim.faults["game"]:
        record = sim.record(game)
        assert GameRecord.from_dict(record.to_dict()) == record


# --- bad input

BAD: dict[str, tuple[dict[str, Any], str]] = {
    "no agents": ({"agents": []}, "agents"),
    "five agents": ({"agents": ["random"] * 5}, "2 to 4"),
    "an unknown name": ({"agents": ["greedy", "alphago"]}, "'alphago'.*'random', 'greedy'"),
    "an unknown name for all": ({"agents": "alphago"}, "'alphago'.*'random', 'greedy'"),
    "an empty name": ({"agents": ["", "random"]}, "no agent ''"),
    "a person": ({"agents": ["human", "random"]}, "play"),
    "a person for all": ({"agents": "human"}, "play"),
    "a number as agent": ({"agents": ["random", 3]}, "agent.*3"),
    "None as agents": ({"agents": None}, "agent.*None"),
    "a set of agents": ({"agents": {"greedy"}}, "agent"),
    "agents by name": ({"agents": {"a": "greedy", "b": "random"}}, "agent"),
    "a list in the list": ({"agents": [["random", "greedy"], "random"]}, "agent"),
    "a class that is no agent": ({"agents": [object, "random"]}, "agent"),
    **{f"games {games!r}": ({"games": games}, "games is a whole number from 1")
       for games in (0, -1, 1.5, True, "10", None, 10**12, float("nan"))},
    **{f"seed {seed!r}": ({"seed": seed}, "seed.* is a whole number from 0")
       for seed in (-1, True, 1.5, "x", [1])},
    **{f"players {players!r}": ({"agents": "random", "players": players}, "players.*from 2 to 4")
       for players in (1, 5, True, 2.0, "2")},
    "players that are others": ({"players": 3}, "players is 3, but 2 agents"),
    **{f"rotate_seats {value!r}": ({"rotate_seats": value}, "rotate_seats is True or False")
       for value in (1, 0, None, "yes")},
    **{f"workers {workers!r}": ({"workers": workers}, "workers.* from 1")
       for workers in (0, -2, 1.5, True, "2", 10**6, -1.0)},
    **{f"progress {value!r}": ({"progress": value}, "progress is True, False")
       for value in (1, 0, "yes")},
    "an unknown option": ({"colour": "red"}, "'colour'.*'gold'"),
    "an option of new_game that is none here": ({"first_player": 1}, "first_player"),
    "an option out of range": ({"target": 16}, "target is a whole number from 1 to 15"),
    "an unknown rule set": ({"rules": "house"}, "'house'.*'uzbek_sundanese'"),
    "rules that are a number": ({"rules": 3}, "rules is"),
    "cards that are none": ({"cards": [1]}, r"cards\[0\]"),
    "tokens that are none": ({"tokens": 4}, "tokens"),
    "a path that is a number": ({"path": 5}, "path"),
    "a path that is a flag": ({"path": True}, "path"),
    "a path that is a list": ({"path": ["runs"]}, "path"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_refused_with_a_sentence(case: str, tmp_path: Path) -> None:
    bad, words = BAD[case]
    made = {"agents": ["greedy", "random"], "games": 4, "seed": 5} | bad
    with pytest.raises((TypeError, ValueError), match=words) as caught:
        simulate(made.pop("agents"), **made)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300
    assert caught.value.__suppress_context__ or caught.value.__context__ is None


@pytest.mark.parametrize("case", [case for case in BAD if "path" not in case])
def test_bad_input_leaves_no_folder(case: str, tmp_path: Path) -> None:
    made = {"agents": ["greedy", "random"], "games": 4, "seed": 5} | BAD[case][0]
    with pytest.raises((TypeError, ValueError)):
        simulate(made.pop("agents"), path=tmp_path / "runs", **made)
    assert list(tmp_path.iterdir()) == []


def test_numbers_of_numpy_are_numbers() -> None:
    np = pytest.importorskip("numpy")
    sim = simulate("random", np.int64(4), np.int32(5), players=np.int8(2), workers=np.int64(1))
    assert rows_of(sim) == rows_of(simulate("random", 4, 5))
    assert eval(sim.code, {"simulate": simulate}).requested == 4


@pytest.mark.slow
@pytest.mark.parametrize("parts", [{"cards": []}, {"nobles": []}, {"cards": first_cards(4, 0, 0)}])
def test_games_without_cards_or_nobles_are_games(parts: dict[str, Any]) -> None:
    assert new_game(players=2, seed=5, **parts).legal_actions()
    compiled = simulate(["random", "greedy"], 4, 5, turn_limit=40, **parts)
    called = simulate([any_legal, "greedy"], 4, 5, turn_limit=40, **parts)
    assert rows(compiled.actions) == rows(called.actions)


# --- the line that makes it again

AGAIN: dict[str, dict[str, Any]] = {
    "names": {"agents": ["greedy", "random"]},
    "one for all": {"agents": "random", "players": 3},
    "one in a list": {"agents": ["greedy"]},
    "a function": {"agents": ["greedy", any_legal]},
    "a class": {"agents": [Counting, "random"]},
    "without rotation": {"agents": ["greedy", "random"], "rotate_seats": False},
    "a rule set": {"agents": ["greedy", "random"], "rules": "uzbek_sundanese", "target": 7},
    "rules": {"agents": ["greedy", "random"], "rules": {"payment": "choose", "turn_limit": 40}},
    "own nobles": {"agents": "random", "nobles": [noble | {"points": 5} for noble in NOBLES]},
    "own tokens": {"agents": "random", "tokens": tally("WWWWWWWUUUUUGGGGRRRRKKKK**")},
}


@pytest.mark.parametrize("case", AGAIN)
def test_the_code_of_a_simulation_makes_it_again(case: str) -> None:
    sim = simulate(games=4, seed=5, **AGAIN[case])
    names = {"simulate": simulate, "any_legal": any_legal, "Counting": Counting}
    again = eval(sim.code, names)
    assert rows_of(again) == rows_of(sim)
    assert again.code == sim.code
    assert splendor_nb.__version__ in sim.code
    assert "\n" not in sim.code


def test_the_repr_says_what_was_played() -> None:
    sim = simulate(["greedy", "random"], 4, 5, target=4)
    assert repr(sim) == f"<4 games: {sim.code}>"
    assert "target=4" in repr(sim)
    assert "seed=5" in repr(sim)


def test_a_simulation_tells_what_was_asked_for() -> None:
    sim = simulate(["greedy", "random"], 4, 5, target=4)
    assert (len(sim), sim.requested, sim.partial) == (4, 4, False)
    assert (sim.players, sim.seed, sim.rules.target) == (2, 5, 4)


# --- watching and stopping


def test_a_bar_is_shown_where_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    simulate(["greedy", "random"], 40, 5, progress=True)
    out, err = capsys.readouterr()
    assert out == ""
    assert "40/40" in err
    assert "games/s" in err


@pytest.mark.parametrize("agents", [["greedy", "random"], [any_legal, "random"]])
def test_no_bar_is_shown_where_refused(
    agents: list[Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    simulate(agents, 40, 5, progress=False)
    assert capsys.readouterr() == ("", "")


def test_a_short_run_shows_no_bar_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    simulate(["greedy", "random"], 4, 5, progress=False)  # what is compiled first takes a while
    simulate(["greedy", "random"], 4, 5)
    assert capsys.readouterr() == ("", "")


def test_a_function_watches_the_games() -> None:
    seen: list[tuple[int, int]] = []
    simulate([any_legal, "random"], 60, 5, progress=lambda *now: seen.append(now))
    assert seen == sorted(seen)
    assert len(seen) > 1
    assert seen[-1] == (60, 60)
    assert {asked for _, asked in seen} == {60}


@pytest.mark.parametrize("agents", [["greedy", "random"], [any_legal, "random"]])
def test_a_function_that_says_false_stops_the_games(agents: list[Any]) -> None:
    sim = simulate(agents, 100_000, 5, progress=lambda done, _: done < 20)
    assert sim.partial
    assert 20 <= len(sim) < 100_000
    assert repr(sim).startswith(f"<{len(sim):,} games of 100,000 asked for: simulate(")
    whole = simulate(agents, len(sim), 5)
    for name in COLUMNS:
        assert rows(getattr(sim, name)) == rows(getattr(whole, name))


class Interrupted:
    """An agent in whose n-th game somebody presses the stop button."""

    def __init__(self, game: int, game_s: float = 0) -> None:
        self.game, self.game_s = game, game_s
        self.rngs: list[Rng] = []  # kept, so that each has an id of its own

    def __call__(self, observation: Any, rng: Rng) -> str:
        if not self.rngs or self.rngs[-1] is not rng:
            self.rngs.append(rng)
            time.sleep(self.game_s)
        if len(self.rngs) > self.game:
            raise KeyboardInterrupt
        return rng.choice(observation.legal_actions())


def test_an_interruption_returns_what_is_finished() -> None:
    sim = simulate([Interrupted(59), "random"], 100, 5)
    assert sim.partial
    assert 0 < len(sim) <= 59
    whole = simulate([any_legal, "random"], len(sim), 5)
    for name in ("games", "purchases", "visits", "actions", "faults"):
        assert rows(getattr(sim, name)) == rows(getattr(whole, name))
    assert sim.win_rates()["games"].sum() == 2 * len(sim)


def test_an_interruption_returns_the_games_of_an_agent_that_thinks_for_long() -> None:
    sim = simulate([Interrupted(4, game_s=0.3), "random"], 100, 5)
    assert (len(sim), sim.partial) == (4, True)


@pytest.mark.parametrize("until", [3, "enough", True])
def test_until_is_a_function(until: object) -> None:
    with pytest.raises(TypeError, match="until is a function"):
        simulate(["greedy", "random"], 4, 5, until=until)  # type: ignore[arg-type]


def test_until_stops_at_the_same_game_every_time() -> None:
    def enough(sim: Any) -> bool:
        return len(sim) > 150

    sims = [simulate(["greedy", "random"], 2000, 5, until=enough, workers=w) for w in (1, 2)]
    assert 150 < len(sims[0]) < 400
    assert rows_of(sims[0]) == rows_of(sims[1])
    assert sims[0].partial
    assert rows(sims[0].games) == rows(simulate(["greedy", "random"], len(sims[0]), 5).games)
