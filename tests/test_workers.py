"""Cores and machines: the same tables whoever works, and the stop button."""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from slow_tables import rows_of

from splendor_nb import Rng, simulate

joblib = pytest.importorskip("joblib")
pytest.importorskip("pandas")

from splendor_nb.games import workers  # noqa: E402  (needs joblib)

PATIENCE_S = 120.0  # of a busy machine
PACKAGE = Path(__file__).parents[1]


def python_agent(name: str = "python") -> Callable[..., str]:
    """An agent as one is defined in a cell: no module has it."""

    def agent(observation: Any, rng: Rng) -> str:
        if rng.below(500) == 0:
            raise LookupError("nothing comes to mind")
        return rng.choice(observation.legal_actions())

    agent.__name__ = name
    return agent


def compiled(games: int = 300, **more: Any) -> Any:
    """The tables of games in compiled code."""
    return rows_of(simulate(["greedy", "random", "greedy"], games, 13, **more))


def in_python(games: int = 40, **more: Any) -> Any:
    """The tables of games by an agent in Python, with some faults."""
    return rows_of(simulate([python_agent(), "greedy"], games, 13, **more))


# --- the same tables


@pytest.mark.parametrize("count", [2, 8, -1])
def test_threads_play_the_same_games(count: int) -> None:
    assert compiled(workers=count) == compiled(workers=1)


def test_two_processes_play_the_same_games() -> None:
    tables = in_python(workers=2)
    assert tables == in_python(workers=1)
    assert tables == in_python()
    assert 0 < len(tables["faults"]) < 40


@pytest.mark.slow
@pytest.mark.parametrize("count", [8, -1])
def test_many_processes_play_the_same_games(count: int) -> None:
    assert in_python(200, workers=count) == in_python(200)


@pytest.mark.parametrize("first", [1, 3, 1000])
def test_how_games_are_cut_into_tasks_changes_nothing(
    first: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = compiled(workers=1), in_python()
    monkeypatch.setattr(workers, "FIRST_TASK", first)
    monkeypatch.setattr(workers, "LARGEST_TASK", max(7, first))
    assert (compiled(workers=2), in_python()) == expected


def test_threads_asked_for_by_joblib_play_the_same_games() -> None:
    with joblib.parallel_config(backend="threading", n_jobs=2):
        assert in_python() == in_python(workers=1)
        assert compiled() == compiled(workers=1)


@pytest.mark.slow
def test_processes_asked_for_by_joblib_play_the_same_games() -> None:
    expected = in_python(), compiled()
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert (in_python(), compiled()) == expected


@pytest.mark.slow
def test_a_dask_cluster_plays_the_same_games(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    expected = compiled(), in_python()
    folder = simulate(["greedy", "random", "greedy"], 300, 13, path=tmp_path / "alone")
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster), joblib.parallel_config(backend="dask"):
        assert (compiled(), in_python()) == expected
        spread = simulate(["greedy", "random", "greedy"], 300, 13, path=tmp_path / "cluster")
    assert rows_of(spread) == rows_of(folder) == expected[0]


PLAIN = """
import json, sys
sys.path.insert(0, {tests!r})
from splendor_nb.engine import compiled
compiled.has_numba = lambda: {numba}
from splendor_nb import simulate
from slow_tables import rows_of

def answer(observation, rng):
    return rng.choice(observation.legal_actions())

options = {{"payment": "choose", "target": 9}}
games = [
    simulate(["greedy", "random"], 12, 13),
    simulate("random", 4, 13, players=4, **options),
    simulate([answer, "greedy"], 4, 13),
]
print(json.dumps([rows_of(sim) for sim in games]))
"""


def test_plain_and_compiled_play_the_same_games() -> None:
    outputs = [
        run_python(PLAIN.format(tests=str(Path(__file__).parent), numba=numba))
        for numba in (True, False)
    ]
    assert outputs[0].stdout == outputs[1].stdout
    assert len(outputs[0].stdout) > 10_000
    assert outputs[1].stderr == (
        "Numba is not installed here: games run in plain Python, only slower.\n"
    )


def run_python(script: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a script to its end."""
    return subprocess.run(
        [sys.executable, "-c", script, *arguments],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
        cwd=PACKAGE,
    )


# --- agents that travel, and agents that do not


def test_an_agent_of_the_main_program_works_in_two_processes() -> None:
    """Just as one that is defined in a cell: its module is `__main__`."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(
        "from splendor_nb import Rng\n"
        "SPARE = 1\n"
        "def helper(legal, rng): return legal[rng.below(len(legal) - SPARE + 1)]\n"
        "shy = lambda observation, rng: bot(observation, rng)\n"
        "def bot(observation, rng): return helper(observation.legal_actions(), rng)\n"
        "class Bot:\n"
        "    def __init__(self): self.turns = 0\n"
        "    def __call__(self, observation, rng):\n"
        "        self.turns += 1\n"
        "        return bot(observation, rng)\n",
        namespace,
    )
    agents = [namespace["bot"], namespace["Bot"], namespace["shy"]]
    two = rows_of(simulate(agents, 30, 13, workers=2))
    assert two == rows_of(simulate(agents, 30, 13))
    assert two["faults"] == []


MAIN = """
import my_little_bots
from splendor_nb import simulate

def bot(observation, rng):
    return rng.choice(observation.legal_actions())

class Bot:
    def __call__(self, observation, rng):
        return bot(observation, rng)

if __name__ == "__main__":
    agents = [bot, Bot, my_little_bots.bot]
    sims = [simulate(agents, 40, 13, workers=workers) for workers in (1, 2)]
    assert sims[0].actions.equals(sims[1].actions)
    assert len(sims[1].faults) == 0
    print("fine")
"""
LITTLE_BOTS = "def bot(observation, rng):\n    return rng.choice(observation.legal_actions())\n"


def test_a_script_plays_its_own_agents_and_those_beside_it_in_two_processes(tmp_path: Path) -> None:
    (tmp_path / "my_little_bots.py").write_text(LITTLE_BOTS, encoding="utf-8")
    (tmp_path / "script.py").write_text(MAIN, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "error", "script.py"],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(PACKAGE)},
    )
    assert (done.stdout, done.returncode) == ("fine\n", 0), done.stderr


@pytest.mark.filterwarnings("ignore:An agent cannot be sent")
def test_an_agent_that_workers_hear_of_too_late_plays_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_python(workers=2)  # workers that know the folders of now
    (tmp_path / "my_late_bots.py").write_text(LITTLE_BOTS, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    bot = importlib.import_module("my_late_bots").bot
    late = simulate([bot, "random"], 20, 13, workers=2)
    assert rows_of(late) == rows_of(simulate([bot, "random"], 20, 13))
    assert len(late.faults) == 0


def no_file() -> Any:
    """An agent of a module that only this process has."""
    module = types.ModuleType("bots_without_a_file")
    exec("def bot(o, r): return r.choice(o.legal_actions())", module.__dict__)
    sys.modules[module.__name__] = module
    return module.bot


class Locked:
    """An agent with something that cannot be sent."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def __call__(self, observation: Any, rng: Rng) -> str:
        with self.lock:
            return rng.choice(observation.legal_actions())


class Broken(Locked):
    """An agent that can be sent, but not be put together again."""

    def __getstate__(self) -> dict[str, int]:
        return {"a": 1}

    def __setstate__(self, state: dict[str, int]) -> None:
        raise TypeError("cannot be put together")


STAYERS: dict[str, Callable[[], Any]] = {
    "holds a lock": Locked,
    "closes over a lock": lambda: closing_over(threading.Lock()),
    "has a module without a file": no_file,
    "breaks on arrival": Broken,
}


def closing_over(held: Any) -> Callable[..., str]:
    """An agent with something in its closure."""

    def agent(observation: Any, rng: Rng) -> str:
        with held:
            return rng.choice(observation.legal_actions())

    return agent


@pytest.mark.parametrize("case", STAYERS)
def test_an_agent_that_cannot_be_sent_plays_in_one_process(case: str) -> None:
    agent = STAYERS[case]()
    with pytest.warns(UserWarning, match=r"^[^\n]* processes: [^\n]*\.$"):
        stayed = simulate([agent, "random"], 20, 13, workers=2)
    assert rows_of(stayed) == rows_of(simulate([agent, "random"], 20, 13, workers=1))
    assert len(stayed.faults) == 0


def test_an_agent_that_cannot_be_sent_plays_here_also_if_joblib_is_to_spread_it() -> None:
    with (
        joblib.parallel_config(backend="loky", n_jobs=2),
        pytest.warns(UserWarning, match="processes"),
    ):
        assert len(simulate([Locked(), "random"], 20, 13)) == 20


def test_the_warning_points_at_the_call() -> None:
    with pytest.warns(UserWarning, match="processes") as caught:
        simulate([Locked(), "random"], 4, 13, workers=2)
    assert caught[0].filename == __file__


def test_what_an_agent_keeps_is_seen_where_nobody_asks_for_workers() -> None:
    seen: list[int] = []

    def agent(observation: Any, rng: Rng) -> str:
        seen.append(observation.turn)
        return rng.choice(observation.legal_actions())

    simulate([agent, "random"], 4, 13)
    assert len(seen) > 50


# --- the stop button

ENDLESS = """
import json, sys, time
from splendor_nb import simulate

def quick(observation, rng):
    return rng.choice(observation.legal_actions())

def slow(observation, rng):
    time.sleep(0.01)
    return rng.choice(observation.legal_actions())

agents, more = {agents}
simulate(agents, 16, 13, progress=False, **more)  # what is compiled or started first
print("begun", flush=True)
sim = simulate(agents, 900_000_000, 13, progress=False, **more)
stopped = time.time()
print(json.dumps({{
    "stopped": stopped, "games": len(sim), "partial": sim.partial,
    "rows": len(sim.seats), "last": len(sim.games) - 1,
}}), flush=True)
"""
RUNS = {
    "compiled": '["greedy", "random"], {}',
    "compiled, two threads": '["greedy", "random"], {"workers": 2}',
    "an agent in Python": '[quick, "random"], {}',
    "an agent in two processes": '[quick, "random"], {"workers": 2}',
    "an agent that thinks": '[slow, "random"], {}',
    "an agent that thinks in two processes": '[slow, "random"], {"workers": 2}',
}


def interrupted(script: str, delay_s: float, *, group: bool) -> dict[str, Any]:
    """What a run tells after Ctrl-C, and `after_s`, how long it took to stop."""
    child = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=PACKAGE,
        start_new_session=True,
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "begun\n"
        time.sleep(delay_s)
        pressed = time.time()
        (os.killpg if group else os.kill)(child.pid, signal.SIGINT)
        out, err = child.communicate(timeout=PATIENCE_S)
    finally:
        if child.poll() is None:
            os.killpg(child.pid, signal.SIGKILL)
            child.communicate()
    assert (child.returncode, err) == (0, "")
    told = json.loads(out)
    return told | {"after_s": told["stopped"] - pressed}


@pytest.mark.slow
@pytest.mark.parametrize("group", [False, True], ids=["the kernel alone", "all its processes"])
@pytest.mark.parametrize("case", RUNS)
def test_an_interruption_ends_within_two_seconds(case: str, group: bool) -> None:
    told = interrupted(ENDLESS.format(agents=RUNS[case]), 4, group=group)
    assert told["after_s"] < 2
    assert told["partial"]
    assert told["games"] > 0
    assert (told["rows"], told["last"]) == (2 * told["games"], told["games"] - 1)


def test_an_interruption_of_compiled_games_ends_within_two_seconds() -> None:
    told = interrupted(ENDLESS.format(agents=RUNS["compiled"]), 0.5, group=True)
    assert told["after_s"] < 2
    assert told["partial"]
    assert told["games"] > 100


def test_a_run_can_be_interrupted_again_and_again() -> None:
    def stop_at(games: int) -> Callable[[int, int], bool]:
        return lambda done, _: done < games

    for count in (1, 2, 2, 1, 2):
        sim = simulate([python_agent(), "random"], 10_000, 13, workers=count, progress=stop_at(9))
        assert (sim.partial, len(sim) < 1000) == (True, True)
    assert in_python(workers=2) == in_python()
