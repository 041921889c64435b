"""A simulation in a folder: resumed after any end, checked, and never mixed with another."""

from __future__ import annotations

import errno
import functools
import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from positions import CARDS, first_cards, tally
from slow_tables import COLUMNS, rows_of

from splendor_nb import RecordError, Rng, load_simulation, simulate

pd = pytest.importorskip("pandas")
pytest.importorskip("pyarrow")

from splendor_nb.games import workers  # noqa: E402  (needs pandas)

PACKAGE = Path(__file__).parents[1]
PATIENCE_S = 120.0  # of a busy machine
GAMES = 60
AGENTS = ["greedy", "random"]


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of some games, where a real run writes thousands."""
    monkeypatch.setattr(sys.modules["splendor_nb.games.simulate"], "PART_GAMES", 10)
    monkeypatch.setattr(workers, "LARGEST_TASK", 10)


def hesitant(observation: Any, rng: Rng) -> str:
    """An agent that raises now and then."""
    if rng.below(300) == 0:
        raise LookupError("nothing comes to mind: ♠ \ud83d")
    return rng.choice(observation.legal_actions())


def run(path: Path | str, agents: Any = AGENTS, games: int = GAMES, **more: Any) -> Any:
    """The simulation of these tests, in a folder."""
    return simulate(agents, games, **{"seed": 3, "path": path, "progress": False, **more})


@functools.cache
def in_memory() -> Any:
    """The tables of these games, from a run without a folder."""
    return rows_of(simulate(AGENTS, GAMES, 3))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a finished run, to be copied."""
    path = tmp_path_factory.mktemp("runs") / "finished"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules["splendor_nb.games.simulate"], "PART_GAMES", 10)
        patch.setattr(workers, "LARGEST_TASK", 10)
        run(path)
    return path


@pytest.fixture
def folder(finished: Path, tmp_path: Path) -> Path:
    """A finished run of one's own, free to be spoiled."""
    return shutil.copytree(finished, tmp_path / "run")


def contents(path: Path) -> dict[str, bytes]:
    """All that lies in a folder."""
    return {str(file.relative_to(path)): file.read_bytes() for file in files_of(path)}


def files_of(path: Path) -> list[Path]:
    """All files in a folder."""
    return sorted(file for file in path.rglob("*") if file.is_file())


def parts_of(path: Path) -> list[dict[str, Any]]:
    """The parts that the list of a folder names."""
    return [json.loads(line) for line in (path / "parts.jsonl").read_text().splitlines()]


# --- the same games


def test_a_folder_holds_the_same_games_as_memory(tmp_path: Path) -> None:
    sim = run(tmp_path / "run")
    assert rows_of(sim) == in_memory()
    assert (sim.partial, len(sim), sim.requested) == (False, GAMES, GAMES)
    for name in COLUMNS:
        pd.testing.assert_frame_equal(getattr(sim, name), getattr(simulate(AGENTS, GAMES, 3), name))


def test_a_folder_can_be_loaded(folder: Path) -> None:
    sim = load_simulation(folder)
    assert rows_of(sim) == in_memory()
    assert (sim.partial, sim.agents, sim.seed) == (False, ("greedy", "random"), 3)
    assert sim.code == simulate(AGENTS, GAMES, 3).code
    assert sim.record(59) == simulate(AGENTS, GAMES, 3).record(59)
    pd.testing.assert_frame_equal(sim.win_rates(), simulate(AGENTS, GAMES, 3).win_rates())
    pd.testing.assert_frame_equal(
        sim.points_by_round(), simulate(AGENTS, GAMES, 3).points_by_round()
    )
    pd.testing.assert_frame_equal(
        load_simulation(str(folder)).summary(), simulate(AGENTS, GAMES, 3).summary()
    )


SETTINGS: dict[str, dict[str, Any]] = {
    "an agent in Python": {"agents": [hesitant, "greedy"]},
    "three by one agent": {"agents": "random", "players": 3},
    "options": {"rules": "uzbek_sundanese", "payment": "choose", "target": 6},
    "without rotation": {"rotate_seats": False},
    "two workers": {"workers": 2},
    "own cards and tokens": {
        "cards": [card | {"points": 1 + card["level"]} for card in CARDS],
        "tokens": tally("WWWWWWWUUUUUGGGGRRRRKKKK**"),
    },
}


@pytest.mark.parametrize("case", SETTINGS)
def test_every_setting_comes_back_from_its_folder(case: str, tmp_path: Path) -> None:
    setting = {"agents": AGENTS, "games": 24, "seed": 3} | SETTINGS[case]
    expected = rows_of(simulate(**setting))
    assert rows_of(simulate(**setting, path=tmp_path / "run")) == expected
    loaded = load_simulation(tmp_path / "run")
    assert rows_of(loaded) == expected
    assert rows_of(simulate(**setting, path=tmp_path / "run")) == expected
    assert dict(loaded.rules) == dict(simulate(**setting | {"games": 1}).rules)


def test_a_folder_is_made_with_those_above_it(tmp_path: Path) -> None:
    run(tmp_path / "a" / "b", games=4)
    run(str(tmp_path / "c"), games=4)
    assert len(load_simulation(tmp_path / "a" / "b")) == len(load_simulation(tmp_path / "c")) == 4


def test_an_empty_folder_will_do(tmp_path: Path) -> None:
    assert len(run(tmp_path, games=4)) == 4


def test_other_tools_can_read_the_files(folder: Path) -> None:
    for name, key in (("games", ["game"]), ("seats", ["game", "seat"])):
        table = pd.read_parquet(folder / name).sort_values(key, ignore_index=True)
        expected = getattr(simulate(AGENTS, GAMES, 3), name)
        assert table.astype(object).equals(expected.astype(object))


def test_a_large_run_is_written_in_parts(folder: Path) -> None:
    parts = parts_of(folder)
    assert len(parts) > 3
    ends = list(itertools.accumulate(part["games"] for part in parts))
    assert [part["first"] for part in parts] == [0, *ends[:-1]]
    assert ends[-1] == GAMES


def test_nothing_is_left_over(folder: Path) -> None:
    run_files = {"run.json", "parts.jsonl"}
    named = {f"{part['first']:010}.parquet" for part in parts_of(folder)}
    assert {file.name for file in files_of(folder)} == run_files | named


# --- going on


def counting(calls: list[int]) -> Callable[..., str]:
    """An agent that counts how often it is asked."""

    def agent(observation: Any, rng: Rng) -> str:
        calls.append(observation.turn)
        return rng.choice(observation.legal_actions())

    return agent


def test_a_finished_run_is_not_played_again(tmp_path: Path) -> None:
    first: list[int] = []
    expected = rows_of(run(tmp_path / "run", [counting(first), "random"], 12))
    before = contents(tmp_path / "run")
    again: list[int] = []
    assert rows_of(run(tmp_path / "run", [counting(again), "random"], 12)) == expected
    assert first
    assert again == []
    assert contents(tmp_path / "run") == before


def stopped(path: Path, done: int, **more: Any) -> Any:
    """A run that is stopped after so many games."""
    return run(path, **{"progress": lambda games, _: games < done, **more})


@pytest.mark.parametrize("count", [1, 2])
def test_a_run_that_was_stopped_goes_on(tmp_path: Path, count: int) -> None:
    sim = stopped(tmp_path / "run", 30, workers=count)
    assert sim.partial
    assert 30 <= len(sim) < GAMES
    loaded = load_simulation(tmp_path / "run")
    assert (loaded.partial, len(loaded), loaded.requested) == (True, len(sim), GAMES)
    assert rows_of(loaded) == rows_of(sim)
    assert rows_of(loaded)["seats"] == in_memory()["seats"][: 2 * len(sim)]
    assert repr(loaded).startswith(f"<{len(sim)} games of 60 asked for: ")
    assert rows_of(run(tmp_path / "run", workers=3 - count)) == in_memory()
    assert rows_of(load_simulation(tmp_path / "run")) == in_memory()


def test_a_run_goes_on_with_what_is_missing_alone(tmp_path: Path) -> None:
    sim = run(tmp_path / "run", [hesitant, "random"], progress=lambda games, _: games < 30)
    kept = contents(tmp_path / "run")
    done: list[int] = []
    run(tmp_path / "run", [hesitant, "random"], progress=lambda games, _: done.append(games))
    assert min(done) > len(sim)
    after = contents(tmp_path / "run")
    assert {name: after[name] for name in kept if name.endswith("parquet")} == {
        name: kept[name] for name in kept if name.endswith("parquet")
    }


def test_the_same_call_goes_on_even_if_it_names_no_seed(tmp_path: Path) -> None:
    sim = simulate(AGENTS, 40, path=tmp_path / "run", progress=lambda games, _: games < 20)
    assert sim.partial
    whole = simulate(AGENTS, 40, path=tmp_path / "run")
    assert (whole.seed, whole.partial) == (sim.seed, False)
    assert rows_of(whole) == rows_of(simulate(AGENTS, 40, sim.seed))


# --- killed

MANY = 2000  # games, in parts of 20
LONG_RUN = """
import sys
from splendor_nb import simulate
from splendor_nb.games import workers

sys.modules["splendor_nb.games.simulate"].PART_GAMES = 20
workers.LARGEST_TASK = 20
simulate(["greedy", "random"], 2000, 3, path=sys.argv[1], progress=False)
print("done", flush=True)
"""


def start(path: Path) -> subprocess.Popen[str]:
    """A long run in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", LONG_RUN, str(path)], stdout=subprocess.PIPE, text=True, cwd=PACKAGE
    )


def wait_for_parts(child: subprocess.Popen[str], path: Path, count: int) -> None:
    """Wait until a run has written so many parts, or is done."""
    until = time.monotonic() + PATIENCE_S
    while child.poll() is None and parts_written(path) < count:
        assert time.monotonic() < until, "a run that does not come on"
        time.sleep(0.005)


def parts_written(path: Path) -> int:
    """How many lines the list of parts has."""
    try:
        return (path / "parts.jsonl").read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def finish(path: Path) -> None:
    """Run to the end."""
    out, _ = start(path).communicate(timeout=PATIENCE_S)
    assert out == "done\n"


def assert_whole(path: Path) -> None:
    """Compare a long run with one that nobody disturbed; nothing is left over."""
    whole, expected = load_simulation(path), simulate(AGENTS, MANY, 3)
    for name in COLUMNS:
        pd.testing.assert_frame_equal(getattr(whole, name), getattr(expected, name))
    named = {f"{part['first']:010}.parquet" for part in parts_of(path)}
    assert {file.name for file in files_of(path)} == named | {"run.json", "parts.jsonl"}


@pytest.mark.slow
def test_a_run_that_is_killed_ten_times_ends_with_the_same_tables(tmp_path: Path) -> None:
    path, delays, reached = tmp_path / "run", random.Random(2026), [0]
    for _ in range(10):
        child = start(path)
        wait_for_parts(child, path, parts_written(path) + 1)
        time.sleep(delays.uniform(0, 0.15))
        child.kill()
        assert child.communicate(timeout=PATIENCE_S)[0] == ""
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a kill damages nothing that is listed
            reached.append(len(load_simulation(path)))
    assert reached == sorted(set(reached))
    assert reached[-1] < MANY
    finish(path)
    assert_whole(path)


@pytest.mark.slow
def test_a_run_that_is_killed_while_it_starts_can_start_again(tmp_path: Path) -> None:
    path, delays = tmp_path / "run", random.Random(2027)
    for _ in range(5):
        child = start(path)
        while child.poll() is None and not path.exists():
            time.sleep(0.001)
        time.sleep(delays.uniform(0, 0.02))
        child.kill()
        child.communicate(timeout=PATIENCE_S)
    finish(path)
    assert_whole(path)


@pytest.mark.slow
def test_a_run_that_gets_ctrl_c_resumes(tmp_path: Path) -> None:
    child = start(tmp_path / "run")
    wait_for_parts(child, tmp_path / "run", 3)
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=PATIENCE_S)
    assert (out, child.returncode) == ("done\n", 0)
    assert 40 < len(load_simulation(tmp_path / "run")) < MANY
    finish(tmp_path / "run")
    assert_whole(tmp_path / "run")


class Crash(BaseException):
    """The machine stops here, for all that the code can tell."""


def crashing(after: int) -> Callable[..., Any]:
    """`os.replace` or the like, that fails at the n-th call."""
    calls = itertools.count()

    def fails(*_: Any, **__: Any) -> bool:
        return next(calls) >= after

    return fails


@pytest.mark.parametrize("after", [0, 1, 5, 10, 15])
@pytest.mark.parametrize("what", ["to_parquet", "replace", "fsync"])
def test_a_crash_at_any_step_of_writing_loses_no_more_than_a_part(
    what: str, after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fails = crashing(after)
    owner: Any = {"to_parquet": pd.DataFrame, "replace": Path, "fsync": os}[what]
    real = getattr(owner, what)

    def crash(*args: Any, **kwargs: Any) -> Any:
        if fails():
            raise Crash
        return real(*args, **kwargs)

    monkeypatch.setattr(owner, what, crash)
    with pytest.raises(Crash):
        run(tmp_path / "run")
    monkeypatch.setattr(owner, what, real)
    assert rows_of(run(tmp_path / "run")) == in_memory()
    assert rows_of(load_simulation(tmp_path / "run")) == in_memory()


# --- damage


def nth(folder: Path, kind: str, number: int) -> Path:
    """One of the Parquet files."""
    return sorted((folder / kind).iterdir())[number]


def cut_off(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-20])


def flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    file.write_bytes(data)


def swap(file: Path) -> None:
    """A whole file, but that of another part."""
    other = next(other for other in file.parent.iterdir() if other != file)
    file.write_bytes(other.read_bytes())


DAMAGES = {
    "cut off": cut_off,
    "empty": lambda file: file.write_bytes(b""),
    "one bit": flip,
    "another part": swap,
    "gone": lambda file: file.unlink(),
}


@pytest.mark.parametrize("kind", ["games", "seats", "logs"])
@pytest.mark.parametrize("case", DAMAGES)
def test_a_damaged_file_is_named_and_its_part_played_again(
    case: str, kind: str, folder: Path
) -> None:
    file = nth(folder, kind, 1)
    DAMAGES[case](file)
    with pytest.raises(RecordError, match=file.name):
        load_simulation(folder)
    with pytest.warns(UserWarning, match=rf"{kind}.*{file.name} .*again") as caught:
        sim = run(folder)
    assert [warning.filename for warning in caught] == [__file__]
    assert rows_of(sim) == in_memory()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rows_of(run(folder)) == rows_of(load_simulation(folder)) == in_memory()


def test_several_damaged_files_are_all_named(folder: Path) -> None:
    for number, kind in ((0, "games"), (2, "logs"), (3, "faults")):
        cut_off(nth(folder, kind, number))
    with pytest.warns(UserWarning, match="again") as caught:
        assert rows_of(run(folder)) == in_memory()
    assert len(caught) == 3


def test_a_run_with_a_hole_has_the_games_before_it(folder: Path) -> None:
    nth(folder, "logs", 2).unlink()
    with pytest.warns(UserWarning, match="again"):
        sim = stopped(folder, 0)
    assert sim.partial
    assert 0 < len(sim) < GAMES
    assert rows_of(sim)["seats"] == in_memory()["seats"][: 2 * len(sim)]
    assert rows_of(run(folder)) == in_memory()


def change_list(change: Callable[[bytes], bytes]) -> Callable[[Path], None]:
    """A change of the list of parts."""

    def apply(folder: Path) -> None:
        file = folder / "parts.jsonl"
        file.write_bytes(change(file.read_bytes()))

    return apply


LISTS: dict[str, Callable[[Path], None]] = {
    "cut off in the last line": change_list(lambda data: data[:-30]),
    "without the end of the line": change_list(lambda data: data[:-1]),
    "cut off in the middle": change_list(lambda data: data[: len(data) // 2]),
    "empty": change_list(lambda data: b""),
    "gone": lambda folder: (folder / "parts.jsonl").unlink(),
    "with zeros at the end": change_list(lambda data: data + bytes(100)),
    "with bytes that are no text": change_list(lambda data: data + b"\xff\xfe\x00"),
    "with other JSON": change_list(lambda data: data + b'null\n[]\n7\n"x"\n{}\n'),
    "with numbers that are none": change_list(
        lambda data: data + b'{"first": "x", "games": null, "files": {}}\n'
    ),
    "with files that are none": change_list(
        lambda data: data + b'{"first": 0, "games": 9, "files": 3}\n'
    ),
    "with a part beyond the end": change_list(
        lambda data: data + data.splitlines()[0].replace(b'"first": 0', b'"first": 60') + b"\n"
    ),
    "twice": change_list(lambda data: data + data),
    "backwards": change_list(lambda data: b"\n".join(reversed(data.splitlines())) + b"\n"),
}


@pytest.mark.filterwarnings("ignore:.*damaged")
@pytest.mark.parametrize("case", LISTS)
def test_a_list_that_suffered_costs_no_more_than_its_parts(case: str, folder: Path) -> None:
    LISTS[case](folder)
    assert rows_of(run(folder)) == in_memory()
    assert rows_of(load_simulation(folder)) == in_memory()


@pytest.mark.parametrize("case", [case for case in LISTS if "cut off" in case])
def test_what_a_shortened_list_names_can_be_loaded(case: str, folder: Path) -> None:
    LISTS[case](folder)
    sim = load_simulation(folder)
    assert sim.partial
    assert 0 < len(sim) < GAMES
    assert rows_of(sim)["seats"] == in_memory()["seats"][: 2 * len(sim)]


# --- other games than asked for

OTHERS: dict[str, tuple[dict[str, Any], str]] = {
    "seed": ({"seed": 4}, "seed 3, not 4"),
    "games": ({"games": 61}, "games 60, not 61"),
    "fewer games": ({"games": 59}, "games 60, not 59"),
    "agents": ({"agents": ["greedy", "greedy"]}, "agents.*'random'.*not.*'greedy'"),
    "seats changed": ({"agents": ["random", "greedy"]}, "agents"),
    "three players": ({"agents": ["greedy", "random", "random"]}, "agents"),
    "rotation": ({"rotate_seats": False}, "rotate_seats True, not False"),
    "target": ({"target": 14}, "target"),
    "payment": ({"payment": "choose"}, "payment"),
    "turn limit": ({"turn_limit": 999}, "turn_limit"),
    "rule set": ({"rules": "uzbek_sundanese"}, "gold|tie_break"),
    "cards": ({"cards": first_cards(20, 20, 20)}, "components|cards"),
    "tokens": ({"tokens": tally("WWWWUUUUGGGGRRRRKKKK*")}, "components|tokens"),
}


@pytest.mark.parametrize("case", OTHERS)
def test_a_folder_of_other_games_is_refused(case: str, folder: Path) -> None:
    other, words = OTHERS[case]
    before = contents(folder)
    with pytest.raises(RecordError, match=words) as caught:
        run(folder, **other)
    assert str(folder) in str(caught.value)
    assert str(caught.value).count("\n") == 0
    assert contents(folder) == before


def agent_with(source: str) -> Any:
    """A function with a source, as a cell has one."""
    import linecache

    file = f"<cell {hash(source)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(source, file, "exec"), namespace)
    return namespace["bot"]


def test_an_agent_that_has_changed_is_refused(tmp_path: Path) -> None:
    source = "def bot(observation, rng):\n    return observation.legal_actions()[{}]\n"
    run(tmp_path / "run", [agent_with(source.format(0)), "random"], 4)
    assert len(run(tmp_path / "run", [agent_with(source.format(0)), "random"], 4)) == 4
    with pytest.raises(RecordError, match="source"):
        run(tmp_path / "run", [agent_with(source.format(-1)), "random"], 4)


def test_a_function_does_not_pass_for_an_agent_of_its_name(folder: Path) -> None:
    def random(observation: Any, rng: Rng) -> str:
        return observation.legal_actions()[0]

    with pytest.raises(RecordError, match="source"):
        run(folder, ["greedy", random])


# --- paths that cannot be


def a_file(tmp_path: Path) -> Path:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    return tmp_path / "file"


def below_a_file(tmp_path: Path) -> Path:
    return a_file(tmp_path) / "run"


def with_other_things(tmp_path: Path) -> Path:
    (tmp_path / "thesis.tex").write_text("mine", encoding="utf-8")
    return tmp_path


def a_long_name(tmp_path: Path) -> Path:
    return tmp_path / ("x" * 300)


def another_format(tmp_path: Path) -> Path:
    (tmp_path / "run.json").write_text('{"my": "run"}', encoding="utf-8")
    return tmp_path


PATHS: dict[str, tuple[Callable[[Path], Path], str]] = {
    "a file": (a_file, "is a file"),
    "below a file": (below_a_file, "Not a directory"),
    "other things": (with_other_things, "other things"),
    "a long name": (a_long_name, "name too long"),
    "somebody else's run.json": (another_format, "run.json"),
}


@pytest.mark.parametrize("case", PATHS)
def test_a_path_that_cannot_be_is_refused(case: str, tmp_path: Path) -> None:
    make, words = PATHS[case]
    path = make(tmp_path)
    before = contents(tmp_path)
    with pytest.raises(RecordError, match=words) as caught:
        run(path, games=4)
    assert str(caught.value).count("\n") == 0
    assert contents(tmp_path) == before


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS, errno.ENOSPC])
@pytest.mark.parametrize("name", ["mkdir", "write_text"])
def test_a_folder_that_cannot_be_made_is_refused(
    name: str, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(Path, name, refuse)
    with pytest.raises(RecordError, match=os.strerror(code)) as caught:
        run(tmp_path / "run", games=4)
    assert str(tmp_path / "run") in str(caught.value)


@pytest.mark.parametrize("count", [1, 2])
def test_a_full_disk_ends_the_run_and_keeps_what_is_there(
    count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, calls = pd.DataFrame.to_parquet, itertools.count()

    def full(table: Any, *args: Any, **kwargs: Any) -> Any:
        if next(calls) >= 9:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(table, *args, **kwargs)

    monkeypatch.setattr(pd.DataFrame, "to_parquet", full)
    with pytest.raises(RecordError, match="No space left on device") as caught:
        run(tmp_path / "run", workers=count)
    assert str(tmp_path / "run") in str(caught.value)
    monkeypatch.undo()
    kept = load_simulation(tmp_path / "run")
    assert (len(parts_of(tmp_path / "run")), kept.partial) == (2, True)
    assert rows_of(kept)["seats"] == in_memory()["seats"][: 2 * len(kept)]
    assert rows_of(run(tmp_path / "run")) == in_memory()


def test_a_folder_that_vanishes_ends_the_run_with_a_sentence(tmp_path: Path) -> None:
    def vanish(done: int, _: int) -> None:
        if done > 20:
            shutil.rmtree(tmp_path / "run", ignore_errors=True)

    with pytest.raises(RecordError, match=r"No such file|non-existent"):
        run(tmp_path / "run", progress=vanish)


# --- loading


def no_run(tmp_path: Path) -> Path:
    return tmp_path / "nothing"


def no_folder(tmp_path: Path) -> Path:
    return a_file(tmp_path)


def an_empty_folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.mark.parametrize("make", [no_run, no_folder, an_empty_folder, with_other_things])
def test_where_there_is_no_run_there_is_nothing_to_load(
    make: Callable[[Path], Path], tmp_path: Path
) -> None:
    path = make(tmp_path)
    with pytest.raises(RecordError, match=r"run\.json") as caught:
        load_simulation(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("path", [None, 3, True, ["run"]])
def test_a_path_to_load_is_a_path(path: Any) -> None:
    with pytest.raises(TypeError, match="path"):
        load_simulation(path)


def rewrite(**changes: Any) -> Callable[[str], str]:
    """A change of fields in run.json."""
    return lambda text: json.dumps(json.loads(text) | changes)


def without(field: str) -> Callable[[str], str]:
    """run.json without a field."""

    def change(text: str) -> str:
        data = json.loads(text)
        del data[field]
        return json.dumps(data)

    return change


RUNS: dict[str, tuple[Callable[[str], str], str]] = {
    "cut off": (lambda text: text[:60], "no JSON"),
    "empty": (lambda text: "", "no JSON"),
    "a list": (lambda text: "[]", "mapping"),
    "a number": (lambda text: "3", "mapping"),
    "too deep": (lambda text: "[" * 100_000, "run.json"),
    "another format": (rewrite(format="splendor-nb-simulation/9"), "format"),
    "no seed": (without("seed"), "seed"),
    "no agents": (without("agents"), "agents"),
    "another field": (rewrite(colour="red"), "colour"),
    "games as text": (rewrite(games="many"), "games"),
    "too many games": (rewrite(games=10**12), "games"),
    "a negative seed": (rewrite(seed=-1), "seed"),
    "agents as text": (rewrite(agents="greedy"), "agents"),
    "a nameless agent": (rewrite(agents=["greedy", 3]), "agents"),
    "agents of one name": (rewrite(agents=["greedy", "greedy"]), "agents"),
    "five agents": (
        rewrite(agents=list("abcde"), kinds=list("abcde"), sources=[None] * 5), "agents"
    ),
    "kinds as numbers": (rewrite(kinds=[1, 2]), "kinds"),
    "too few kinds": (rewrite(kinds=["greedy"]), "kinds"),
    "sources as numbers": (rewrite(sources=[1, 2]), "sources"),
    "rotation as text": (rewrite(rotate_seats="no"), "rotate_seats"),
    "unknown rules": (rewrite(rules={"gold": "never"}), "gold"),
    "rules as a list": (rewrite(rules=[]), "rules"),
    "components as a number": (rewrite(components=3), "components"),
    "unknown components": (rewrite(components={"dice": 2}), "components|dice"),
    "other tables": (rewrite(tables="0123456789abcdef"), "cards or nobles|tables"),
}  # fmt: skip


@pytest.mark.parametrize("case", RUNS)
def test_a_broken_description_is_refused(case: str, folder: Path) -> None:
    change, words = RUNS[case]
    file = folder / "run.json"
    file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")
    before = contents(folder)
    for open_it in (load_simulation, run):
        with pytest.raises(RecordError, match=words) as caught:
            open_it(folder)
        assert str(folder) in str(caught.value)
        assert str(caught.value).count("\n") == 0
    assert contents(folder) == before


def test_a_folder_without_its_description_is_refused(folder: Path) -> None:
    (folder / "run.json").unlink()
    before = contents(folder)
    with pytest.raises(RecordError):
        run(folder)
    with pytest.raises(RecordError, match=r"run\.json"):
        load_simulation(folder)
    assert contents(folder) == before


def test_what_lies_beside_the_files_does_no_harm(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    (folder / "games" / ".part").write_bytes(b"half")
    assert rows_of(run(folder)) == rows_of(load_simulation(folder)) == in_memory()
    assert (folder / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_a_partial_run_can_be_loaded_before_its_first_part(tmp_path: Path) -> None:
    sim = stopped(tmp_path / "run", 0)
    assert len(sim) >= 0
    shutil.rmtree(tmp_path / "run" / "games")
    (tmp_path / "run" / "parts.jsonl").unlink()
    loaded = load_simulation(tmp_path / "run")
    assert (len(loaded), loaded.partial) == (0, True)
    assert list(loaded.games.columns) == COLUMNS["games"].split()
    assert rows_of(run(tmp_path / "run")) == in_memory()


def test_loading_a_folder_writes_nothing(folder: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in files_of(folder)}
    rows_of(load_simulation(folder))
    assert {file: file.stat().st_mtime_ns for file in files_of(folder)} == before


def test_without_pyarrow_a_folder_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"splendor-nb\[runs\]"):
        run(tmp_path / "run", games=4)
    with pytest.raises(ImportError, match=r"splendor-nb\[runs\]"):
        load_simulation(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []
