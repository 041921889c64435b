"""Any game of a simulation as a record: on the board, in a file, and as in the tables."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from positions import tally
from slow_tables import rows

from splendor_nb import GameRecord, Rng, load_game, play, simulate
from splendor_nb.board.session import Replay

pytest.importorskip("pandas")


def failing(observation: Any, rng: Rng) -> str:
    """An agent that answers what is illegal now and then."""
    return "pass" if rng.below(150) == 0 else rng.choice(observation.legal_actions())


@cache
def sample(kind: str) -> Any:
    """Some games of a kind."""
    if kind == "compiled":
        return simulate(["greedy", "random", "greedy"], 12, 19)
    if kind == "with faults":
        return simulate([failing, "greedy"], 12, 19)
    options = {"rules": "uzbek_sundanese", "payment": "choose", "tokens": OWN_TOKENS}
    return simulate("random", 12, 19, players=4, **options)


OWN_TOKENS = tally("WWWWWWWUUUUUGGGGRRRRKKKK***")
KINDS = ("compiled", "with faults", "with options")


@pytest.mark.parametrize("kind", KINDS)
def test_the_result_of_a_record_is_that_of_the_tables(kind: str) -> None:
    sim = sample(kind)
    for game, turns, reason, winners in rows(sim.games[["game", "turns", "end_reason", "winners"]]):
        record, seats = sim.record(game), sim.seats[sim.seats["game"] == game]
        assert record.result is not None
        assert record.state.turn == turns
        assert record.result.end_reason == reason
        assert len(record.result.winners) == winners
        assert list(record.result.points) == list(seats["points"])
        won = [seat for seat, share in rows(seats[["seat", "win_share"]]) if share > 0]
        assert list(record.result.winners) == won


@pytest.mark.parametrize("kind", KINDS)
def test_the_actions_of_a_record_are_those_of_the_tables(kind: str) -> None:
    sim = sample(kind)
    for game in range(len(sim)):
        actions = sim.actions.loc[sim.actions["game"] == game, "action"]
        assert list(sim.record(game).actions) == list(actions)


@pytest.mark.parametrize("kind", KINDS)
def test_the_seats_of_a_record_are_those_of_the_tables(kind: str) -> None:
    sim = sample(kind)
    for game in range(len(sim)):
        agents = sim.seats.loc[sim.seats["game"] == game, "agent"]
        seats = sim.record(game).seats
        assert [seat.name for seat in seats] == list(agents)
        assert [seat.agent for seat in seats] == [name.split("#")[0] for name in agents]


def test_the_faults_of_a_record_are_those_of_the_tables() -> None:
    sim = sample("with faults")
    found = [
        (game, fault.turn, fault.seat, fault.kind, fault.text)
        for game in range(len(sim))
        for fault in sim.record(game).faults
    ]
    assert found == rows(sim.faults)
    assert 0 < len(found) < 12


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_comes_back_from_a_file(kind: str, tmp_path: Path) -> None:
    for game in (0, 1, 11):
        record = sample(kind).record(game)
        record.save(tmp_path / "game.json")
        assert load_game(tmp_path / "game.json") == record
        assert isinstance(record, GameRecord)


@pytest.mark.parametrize("kind", KINDS)
def test_a_record_opens_on_the_board(kind: str) -> None:
    record = sample(kind).record(7)
    shown = play(record)
    assert isinstance(shown, Replay)
    assert shown.steps == len(record.actions)
    assert [seat.name for seat in shown.seats] == [seat.name for seat in record.seats]


def test_a_record_names_the_seed_where_it_is_enough_to_play_it_again() -> None:
    sim = sample("compiled")
    assert [sim.record(game).seed for game in (0, 2, 3, 11)] == [19, 19, None, None]


def test_a_record_is_the_same_every_time() -> None:
    sim = sample("with options")
    assert sim.record(3) == sim.record(3)
    assert sim.record(3) != sim.record(4)


def test_a_record_does_not_depend_on_the_tables_having_been_looked_at() -> None:
    fresh = simulate(["greedy", "random", "greedy"], 12, 19)
    assert fresh.record(11) == sample("compiled").record(11)


@pytest.mark.parametrize("game", [-1, 12, 10**12, True, 1.0, "1", None])
def test_a_game_that_was_not_played_is_refused(game: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="game is a whole number from 0 to 11"):
        sample("compiled").record(game)


def test_where_no_game_was_played_there_is_no_record() -> None:
    def interrupted(observation: Any, rng: Rng) -> str:
        raise KeyboardInterrupt

    with pytest.raises(ValueError, match=r"^[^\n]*\.$"):
        simulate([interrupted, "random"], 12, 19).record(0)
