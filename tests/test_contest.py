"""A contest: who takes part, who meets whom, what is kept, and what comes out."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from test_sandbox import marked_processes, needs_linux

from splendor_nb import RecordError, load_game, play, simulate
from splendor_nb.__main__ import main
from splendor_nb.games.contest import contest
from splendor_nb.games.contest_folder import RESULTS
from splendor_nb.games.contest_result import Contest
from splendor_nb.games.sandbox import Limits
from splendor_nb.games.schedule import Match, rank, swiss_round

PATIENT = Limits(move_s=60, first_move_s=120, game_s=600)
FIRST = "def agent(observation, rng):\n    return observation.legal_actions()[0]\n"
LAST = "def agent(observation, rng):\n    return observation.legal_actions()[-1]\n"
DRAWS = "def agent(observation, rng):\n    return rng.choice(observation.legal_actions())\n"
GLOBAL = "import random\ndef agent(o, r):\n    return random.choice(o.legal_actions())\n"
RAISES = "def agent(observation, rng):\n    raise ValueError('today')\n"
SHORT: dict[str, Any] = {
    "target": 3,
    "turn_limit": 40,
    "limits": PATIENT,
    "progress": False,
    "seed": 7,
    "references": ["greedy"],
}
BOTH = ["random", "greedy"]

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """A function that writes agents into a folder, by name, and returns it."""

    def folder(**sources: str) -> Path:
        agents = tmp_path / "agents"
        agents.mkdir(exist_ok=True)
        for name, source in sources.items():
            (agents / f"{name}.py").write_text(source, encoding="utf-8")
        return agents

    return folder


def tables(result: Contest) -> list[pd.DataFrame]:
    """All tables of a contest that do not hold what a clock has measured."""
    return [result.games, result.seats, result.faults, result.standings(), result.pairs()]


def equal(a: Contest, b: Contest) -> bool:
    return all(x.equals(y) for x, y in zip(tables(a), tables(b), strict=True))


# --- who takes part


def test_every_file_and_the_references_play(write: Write) -> None:
    agents = write(anna=FIRST, ben=DRAWS, _helper="1 / 0")
    result = contest(agents, games=2, **SHORT | {"references": BOTH})
    assert sorted(result.standings()["name"]) == ["anna", "ben", "greedy", "random"]
    assert len(result) == 6 * 2
    assert result.path == agents.with_name("agents-contest")
    assert result.faults.empty


def test_a_folder_without_agents_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"There is no agent in .*every \.py file"):
        contest(tmp_path)
    with pytest.raises(ValueError, match="There is no folder"):
        contest(tmp_path / "nowhere")


def test_a_folder_of_broken_files_says_what_is_wrong_with_each(write: Write) -> None:
    agents = write(anna="def agent(:", ben="x = 1", carl="import nowhere_at_all")
    with pytest.raises(ValueError, match="No file can play") as caught:
        contest(agents, **SHORT)
    words = str(caught.value).splitlines()
    assert words[1] == "anna.py: line 1: SyntaxError: invalid syntax"
    assert words[2].startswith("ben.py: The file has no 'agent'")
    assert words[3].startswith("carl.py: line 1: ModuleNotFoundError")


def test_broken_files_do_not_end_the_contest(write: Write) -> None:
    agents = write(anna=FIRST, ben="def agent(:", carl="while True: pass")
    limits = Limits(move_s=60, first_move_s=5)
    result = contest(agents, games=2, **SHORT | {"limits": limits})
    assert result.refused == {
        "ben.py": "line 1: SyntaxError: invalid syntax",
        "carl.py": "No answer within 5 s while it was started.",
    }
    assert "anna" in set(result.standings()["name"])


def test_equal_names_are_numbered(write: Write) -> None:
    named = [f"name = {name!r}\n{FIRST}" for name in ("Ada", "Ada", "greedy", "  ", "Ada#2")]
    agents = write(**{f"a{number}": source for number, source in enumerate(named)})
    result = contest(agents, games=1, swiss=1, **SHORT | {"references": BOTH})
    assert [entrant.name for entrant in result.entrants] == [
        "random",
        "greedy",
        "Ada",
        "Ada#3",
        "greedy#2",
        "a3",
        "Ada#2",
    ]


def test_names_in_several_scripts_come_through_to_the_saved_game(write: Write) -> None:
    names = ["Zoë", "王小明", "محمد", "Ωμέγα 🎲", "<b>&", "=1+1"]
    agents = write(**{f"a{i}": f"name = {name!r}\n{FIRST}" for i, name in enumerate(names)})
    result = contest(agents, games=1, swiss=1, **SHORT | {"references": []})
    assert set(result.standings()["name"]) == set(names)
    seated = {seat.name for game in range(len(result)) for seat in result.record(game).seats}
    assert seated == set(names)
    assert "'=1+1" in (result.path / "standings.csv").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        ({"players": 5}, ValueError, "players is a whole number from 2 to 4, not 5"),
        ({"games": 0}, ValueError, "games is a whole number from 1, not 0"),
        ({"finals": 1}, ValueError, "finals is a whole number from 2, not 1"),
        ({"swiss": 0}, ValueError, "swiss is a whole number from 1"),
        ({"references": "greedy"}, TypeError, "references is a list"),
        ({"references": ["nobody"]}, ValueError, "There is no agent 'nobody'"),
        ({"references": ["greedy", "greedy"]}, ValueError, "'greedy' is there twice"),
        ({"limits": 1.0}, TypeError, "limits are Limits"),
        ({"beginners": 1}, TypeError, "beginners is True or False"),
        ({"workers": -1}, ValueError, "workers is a whole number from 1"),
        ({"target": 99}, ValueError, "target"),
        ({"seed": -1}, ValueError, "seed"),
        ({"references": []}, ValueError, "has 2 seats, and only 1 can play"),
    ],
)
def test_bad_arguments_are_refused(
    write: Write, arguments: dict[str, Any], error: type, sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        contest(write(anna=FIRST), **SHORT | arguments)


# --- who meets whom


def test_seats_are_rotated_over_the_same_deals(write: Write) -> None:
    result = contest(write(anna=FIRST, ben=LAST), games=4, **SHORT)
    for _, match in result.games.groupby(result.games.index // 4):
        assert match["deal"].tolist() == [0, 0, 1, 1]
        assert match["rotation"].tolist() == [0, 1, 0, 1]
    by_seat = result.seats.groupby(["deal", "name"])["seat"].agg(list)
    assert all(sorted(seats) == [0, 0, 1, 1] for seats in by_seat)


def test_deals_are_those_of_simulate(write: Write) -> None:
    result = contest(write(anna=FIRST), games=4, **SHORT)
    sim = simulate(["greedy", "random"], games=4, seed=7, target=3, turn_limit=40, progress=False)
    for game in range(4):
        assert result.record(game).start == sim.record(game).start


@pytest.mark.parametrize("players", [3, 4])
def test_three_and_four_sit_at_a_table(write: Write, players: int) -> None:
    agents = write(anna=FIRST, ben=LAST, carl=DRAWS)
    result = contest(agents, games=1, players=players, **SHORT)
    assert len(result) == {3: 4, 4: 1}[players] * players
    assert result.seats.groupby("game")["win_share"].sum().round(9).eq(1).all()
    assert len(result.pairs()) == 4 * 3


def test_swiss_rounds_pair_neighbors_who_have_not_met(write: Write) -> None:
    agents = write(**{f"a{number}": DRAWS for number in range(7)})
    result = contest(agents, games=2, swiss=3, **SHORT | {"references": []})
    assert list(result.stages) == ["round 1", "round 2", "round 3"]
    pairs = [frozenset(line.table) for lines in result.stages.values() for line in lines[::2]]
    assert len(pairs) == len(set(pairs)) == 9
    assert sorted(result.games["deal"].unique()) == [0, 1, 2]
    assert set(result.standings()["games"]) == {4, 6}


def test_the_best_meet_in_a_final_on_fresh_deals(write: Write) -> None:
    agents = write(anna=FIRST, ben=LAST, carl=DRAWS)
    result = contest(agents, games=4, finals=2, **SHORT)
    students = [n for n in result.standings()["name"] if n not in ("random", "greedy")]
    final = result.standings("final")
    assert set(final["name"]) == set(students[:2])
    games = result.games
    assert set(games[games["stage"] == "final"]["deal"]) == {2, 3}
    assert result.standings()["games"].eq(12).all()


def test_a_match_lists_its_games() -> None:
    match = Match("league", ("a", "b"), range(2, 4))
    assert list(match.games()) == [(2, 0), (2, 1), (3, 0), (3, 1)]


def test_nobody_rests_twice_before_all_have_rested() -> None:
    names, played, rested = list("abcde"), list[Match](), list[str]()
    for number in range(1, 6):
        matches = swiss_round(number, names, played, 2, range(1))
        rested += set(names) - {one for match in matches for one in match.table}
        played += matches
    assert sorted(rested) == names
    tables = [frozenset(match.table) for match in played]
    assert len(set(tables[:4])) == 4


def test_equal_win_rates_are_parted_by_the_opponents() -> None:
    places = rank(
        {"a": 0.5, "b": 0.5, "c": 0.1 + 0.2, "d": 0.3}, {"a": 0.4, "b": 0.6, "c": 0, "d": 0}
    )
    assert places == {"b": 1, "a": 2, "c": 3, "d": 3}


# --- what comes out


def test_standings_count_wins_and_their_interval(write: Write) -> None:
    result = contest(write(anna=FIRST, ben=LAST), games=4, **SHORT)
    table = result.standings()
    assert table["rank"].is_monotonic_increasing
    assert table["wins"].sum() == len(result)
    assert (table["low"] <= table["win_rate"]).all()
    assert (table["win_rate"] <= table["high"]).all()
    wins = result.seats.groupby("name")["win_share"].sum()
    assert table.set_index("name")["wins"].to_dict() == wins.to_dict()


def test_pairs_add_up_to_one(write: Write) -> None:
    result = contest(write(anna=FIRST, ben=LAST), games=2, **SHORT)
    score = result.pairs().set_index(["a", "b"])["score"]
    assert len(score) == 3 * 2
    for a, b in score.index:
        assert score[a, b] + score[b, a] == pytest.approx(1)


def test_every_game_opens_as_a_replay(write: Write) -> None:
    result = contest(write(anna=RAISES), games=2, **SHORT)
    for game, file in enumerate(result.games["file"]):
        record = load_game(result.path / file)
        assert record.result is not None
        assert " – ".join(seat.name for seat in record.seats) == result.games["names"][game]
    assert play(result.record(len(result) - 1), ui="controls", controls=False) is not None


def test_a_fault_forfeits_one_game_and_goes_to_the_log(write: Write) -> None:
    result = contest(write(anna=RAISES, ben=FIRST), games=2, **SHORT)
    faults = result.faults
    assert len(faults) == 2 * 2
    assert faults["forfeit"].all()
    assert set(faults["name"]) == {"anna"}
    assert set(faults["text"]) == {"line 2: ValueError: today"}
    lost = result.games[result.games["names"].str.contains("anna")]
    assert set(lost["end_reason"]) == {"forfeit"}
    assert not lost["winner"].str.contains("anna").any()
    assert result.log("anna.py").count("exception: line 2: ValueError: today") == 4
    with pytest.raises(ValueError, match=r"file is one of .*'anna.py'"):
        result.log("dora.py")


def test_beginners_have_three_strikes(write: Write) -> None:
    sometimes = FIRST.replace(
        "    return", "    if observation.turn == 4: return 'oops'\n    return"
    )
    agents = write(anna=RAISES, ben=sometimes)
    result = contest(agents, games=2, beginners=True, **SHORT)
    per_game = result.faults.groupby(["name", "game"])["forfeit"].agg(list)
    assert all(forfeit == [False, False, True] for forfeit in per_game["anna"])
    assert all(forfeit == [False] for forfeit in per_game["ben"])


def test_tables_are_written_as_csv(write: Write) -> None:
    result = contest(write(anna=FIRST), games=2, **SHORT)
    for name, table in {
        "standings": result.standings(),
        "pairs": result.pairs(),
        "games": result.games,
        "seats": result.seats,
        "times": result.times(),
        "faults": result.faults,
    }.items():
        read = pd.read_csv(result.path / f"{name}.csv")
        assert list(read.columns) == list(table.columns)
        assert len(read) == len(table)


def test_times_are_measured_for_every_move(write: Write) -> None:
    result = contest(write(anna=FIRST), games=2, **SHORT)
    times = result.times().set_index("name")
    actions = sum(len(result.record(game).actions) for game in range(len(result)))
    assert times["moves"].sum() == actions
    assert (times["slowest_ms"] >= times["mean_ms"]).all()
    assert (times["mean_ms"] > 0).all()


def test_an_unknown_stage_or_game_is_refused(write: Write) -> None:
    result = contest(write(anna=FIRST), games=1, **SHORT)
    with pytest.raises(ValueError, match="stage is one of 'league', not 'semi'"):
        result.standings("semi")
    with pytest.raises(ValueError, match="game is a whole number from 0 to 1"):
        result.record(2)


# --- the same again


def test_seeds_give_the_same_contest_with_any_number_of_workers(
    write: Write, tmp_path: Path
) -> None:
    agents = write(anna=DRAWS, ben=GLOBAL, carl=RAISES)
    first, second, other = (
        contest(
            agents,
            games=2,
            path=tmp_path / str(i),
            workers=w,
            **SHORT | {"seed": seed, "references": []},
        )
        for i, (w, seed) in enumerate([(1, 7), (2, 7), (2, 8)])
    )
    assert equal(first, second)
    assert not first.games.equals(other.games)


def test_a_finished_contest_is_not_played_again(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    agents = write(anna=FIRST, ben=DRAWS)
    first = contest(agents, games=2, **SHORT)
    monkeypatch.setattr("splendor_nb.games.contest.play_seated", None)
    assert equal(contest(agents, games=2, **SHORT), first)
    assert equal(contest(agents, games=2, **SHORT | {"seed": None}), first)


def test_a_changed_file_plays_again_and_the_rest_is_kept(write: Write) -> None:
    agents = write(anna=FIRST, ben=DRAWS, carl=RAISES)
    before = contest(agents, games=2, **SHORT)
    stamps = {file: (before.path / file).stat().st_mtime_ns for file in before.games["file"]}
    after = contest(write(carl=LAST), games=2, **SHORT)
    for file, names in zip(after.games["file"], after.games["names"], strict=True):
        same = (after.path / file).stat().st_mtime_ns == stamps[file]
        assert same == ("carl" not in names)
    assert after.faults.empty
    assert after.log("carl.py") == ""


def test_a_file_that_has_gone_takes_its_games_along(write: Write) -> None:
    agents = write(anna=FIRST, ben=DRAWS)
    first = contest(agents, games=2, **SHORT)
    (agents / "ben.py").unlink()
    second = contest(agents, games=2, **SHORT)
    assert "ben" not in set(second.standings()["name"])
    assert len(list((first.path / "games").iterdir())) == len(second)


def test_more_games_are_added_to_those_that_are_there(write: Write, tmp_path: Path) -> None:
    agents = write(anna=DRAWS)
    contest(agents, games=2, **SHORT)
    grown = contest(agents, games=4, **SHORT)
    whole = contest(agents, games=4, path=tmp_path / "whole", **SHORT)
    assert equal(grown, whole)


@pytest.mark.parametrize("damage", ["cut", "garbage", "missing game"])
def test_what_is_damaged_is_played_again(write: Write, damage: str) -> None:
    agents = write(anna=FIRST, ben=DRAWS)
    first = contest(agents, games=2, **SHORT)
    results = first.path / RESULTS
    text = results.read_text(encoding="utf-8")
    if damage == "cut":
        results.write_text(text[:-40], encoding="utf-8")
    elif damage == "garbage":
        results.write_text('[1]\n{"table": 7}\nnull\n' + text, encoding="utf-8")
    else:
        (first.path / first.games["file"][3]).unlink()
    assert equal(contest(agents, games=2, **SHORT), first)
    assert len(results.read_text(encoding="utf-8").splitlines()) == len(first)


@pytest.mark.parametrize(
    ("other", "name"),
    [
        ({"seed": 8}, "seed"),
        ({"target": 5}, "rules"),
        ({"beginners": True}, "beginners"),
        ({"limits": Limits()}, "limits"),
        ({"players": 3}, "players"),
    ],
)
def test_a_folder_of_another_contest_is_refused(
    write: Write, other: dict[str, Any], name: str
) -> None:
    agents = write(anna=FIRST)
    contest(agents, games=1, **SHORT)
    with pytest.raises(RecordError, match=f"holds a contest with {name} .*take another folder"):
        contest(agents, games=1, **SHORT | other)


def test_a_folder_with_other_things_is_left_alone(write: Write, tmp_path: Path) -> None:
    agents = write(anna=FIRST)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("all of it")
    with pytest.raises(RecordError, match="holds other things"):
        contest(agents, path=tmp_path / "mine", **SHORT)
    with pytest.raises(RecordError, match="is a file"):
        contest(agents, path=tmp_path / "mine" / "thesis.txt", **SHORT)
    assert [file.name for file in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


@needs_linux
@pytest.mark.slow
@pytest.mark.parametrize("ending", [signal.SIGKILL, signal.SIGINT], ids=["killed", "Ctrl-C"])
def test_a_contest_killed_and_gone_on_with_equals_one_that_was_not(
    write: Write, tmp_path: Path, ending: signal.Signals
) -> None:
    agents = write(anna=DRAWS, ben=GLOBAL, carl=LAST)
    arguments = [str(agents), "--games", "6", "--seed", "7", "--target", "8", "--workers", "2"]
    limits = ["--move-seconds", "60", "--first-move-seconds", "120", "--game-seconds", "600"]
    command = [sys.executable, "-m", "splendor_nb", "contest", *arguments, *limits]
    command += ["--references", "greedy"]
    before = set(marked_processes())
    process = subprocess.Popen([*command, "--out", str(tmp_path / "broken")], stderr=-1)
    results = tmp_path / "broken" / RESULTS
    wait_for(lambda: results.exists() and results.read_bytes().count(b"\n") >= 6)
    process.send_signal(ending)
    _, words = process.communicate(timeout=120)
    wait_for(lambda: set(marked_processes()) <= before)
    played = results.read_bytes().count(b"\n")
    assert 6 <= played < 36
    if ending == signal.SIGINT:
        assert process.returncode == 130
        assert b"the same command goes on" in words
    options: dict[str, Any] = {"games": 6, "seed": 7, "target": 8, "limits": PATIENT}
    options["references"] = ["greedy"]
    again = contest(agents, path=tmp_path / "broken", progress=False, **options)
    whole = contest(agents, path=tmp_path / "whole", progress=False, **options)
    assert equal(again, whole)
    assert again.faults.empty


def wait_for(true: Callable[[], bool], patience_s: float = 120) -> None:
    deadline = time.monotonic() + patience_s
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


# --- agents that misbehave, all together

HEAD = "import os, random, re, signal, sys, time\nfrom pathlib import Path\n"
OTHERWISE = "    return observation.legal_actions()[0]\n"
HOSTILE: dict[str, tuple[str, set[str]]] = {
    "sleeps": ("time.sleep(10**6)", {"timeout"}),
    "loops_in_c": ("sum(range(10**14))", {"timeout"}),
    "matches": ("re.match('(a*)*b', 'a' * 60)", {"timeout"}),
    "forks": (
        (
            "if observation.turn > 1: return observation.legal_actions()[0]\n"
            "    for _ in range(3):\n"
            "        if os.fork() == 0: time.sleep(10**6)\n"
            "    if os.fork() == 0:\n"
            "        os.setsid(); os.fork() and os._exit(0); time.sleep(10**6)"
        ),
        {None},
    ),
    "fills_memory": ("held = [b'x' * 10**7 for _ in range(10**4)]", {"exception"}),
    "prints": ("[print('x' * 10**6) for _ in range(1000)]", {"timeout", None}),
    "ends_itself": ("os.kill(os.getpid(), signal.SIGKILL)", {"died"}),
    "ends_its_group": ("os.killpg(0, signal.SIGKILL)", {"died"}),
    "ends_its_parent": ("os.killpg(os.getpgid(os.getppid()), signal.SIGKILL)", {"died"}),
    "edits": (
        "observation._s.points[0] = 99; observation._s.bank[:] = [99] * 6",
        {"illegal", None},
    ),
    "seeds": ("random.seed(0)", {None}),
    "looks": (
        (
            "import gc\n"
            "    from splendor_nb.engine.state import State\n"
            "    print(sum(isinstance(one, State) for one in gc.get_objects()), 'decks')"
        ),
        {None},
    ),
    "writes": (
        (
            "os.makedirs('splendor_nb/engine', exist_ok=True)\n"
            "    for file in ('agent.py', 'splendor_nb/__init__.py', 'splendor_nb/engine/a.py'):\n"
            "        Path(file).write_text('1 / 0')"
        ),
        {"exception", None},
    ),
    "is_illegal": ("return 'pass'", {"illegal"}),
    "is_unreadable": ("return object()", {"unreadable"}),
    "raises": ("raise KeyError('x')", {"exception"}),
}


@needs_linux
@pytest.mark.slow
def test_agents_that_misbehave_are_contained_all_together(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = {
        name: f"{HEAD}def agent(observation, rng):\n    {lines}\n{OTHERWISE}"
        for name, (lines, _) in HOSTILE.items()
    }
    agents = write(**sources)
    (tmp_path / "work").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "work"))
    before = set(marked_processes())
    limits = Limits(move_s=8, first_move_s=8, game_s=60, memory_mb=400, log_kb=64)
    result = contest(
        agents, games=2, swiss=2, seed=3, limits=limits, target=3, turn_limit=40, progress=False
    )

    assert result.refused == {}
    assert (result.seats.groupby("name").size() == 4).all()
    for name, (_, allowed) in HOSTILE.items():
        kinds = set(result.faults[result.faults["name"] == name]["kind"]) or {None}
        assert kinds <= allowed, name
        assert kinds, name
    assert not {"random", "greedy"} & set(result.faults["name"])
    assert "0 decks" in result.log("looks.py")
    assert re.findall("[1-9][0-9]* decks", result.log("looks.py")) == []
    assert len(result.log("prints.py")) < 70_000
    assert set(marked_processes()) <= before
    assert list((tmp_path / "work").iterdir()) == []
    assert {file.stem: file.read_text() for file in agents.glob("*.py")} == sources


# --- at the command line


def test_the_command_writes_the_page_and_says_where(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    agents = write(anna=FIRST, ben="def agent(:")
    arguments = ["contest", str(agents), "--games", "1", "--target", "2", "--seed", "1"]
    assert main([*arguments, "--first-move-seconds", "60", "--references", "greedy"]) == 0
    shown = capsys.readouterr().out
    assert "ben.py cannot take part: line 1: SyntaxError" in shown
    assert "anna" in shown
    page = agents.with_name("agents-contest") / "index.html"
    assert f"Page: {page}" in shown
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere"], "There is no folder"),
        (["nowhere", "--players", "7"], "There is no folder"),
        (["nowhere", "--move-seconds", "0"], "move_s is a number of seconds above 0"),
    ],
)
def test_the_command_refuses_in_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["contest", *arguments]) == 2
    shown = capsys.readouterr().err
    assert sentence in shown
    assert "Traceback" not in shown


def test_a_saved_contest_names_its_settings(write: Write) -> None:
    result = contest(write(anna=FIRST), games=1, **SHORT)
    settings = json.loads((result.path / "contest.json").read_text())
    assert settings["seed"] == 7
    assert settings["rules"]["target"] == 3
    assert repr(result) == f"<contest of 2: 2 games, 0 faults, in {result.path}>"
    assert os.sep in str(result.path)
