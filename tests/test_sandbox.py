"""A contestant in a process of its own: the five faults, the limits, and what is left behind."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from splendor_nb import Observation, Rng, new_game
from splendor_nb.engine import rules
from splendor_nb.games.contestant import MARK
from splendor_nb.games.sandbox import Limits, Sandbox, Trouble

# A busy machine is no reason to fail: limits are short only where they are to be reached.
PATIENT = Limits(move_s=60, first_move_s=60, game_s=600)
FIRST_LEGAL = "def agent(observation, rng):\n    return observation.legal_actions()[0]\n"

needs_linux = pytest.mark.skipif(sys.platform != "linux", reason="promised on Linux only")

MakeBox = Callable[..., Sandbox]


@pytest.fixture
def box(tmp_path: Path) -> Iterator[MakeBox]:
    """A function that puts source text into a sandbox; all of them are stopped at the end."""
    made: list[Sandbox] = []

    def make(source: str, limits: Limits = PATIENT, **options: Any) -> Sandbox:
        file = tmp_path / f"agent{len(made)}.py"
        file.write_text(source, encoding="utf-8")
        made.append(Sandbox(file, limits, log=tmp_path / "log", **options))
        made[-1].begin(Rng(1))
        return made[-1]

    yield make
    for sandbox in made:
        sandbox.stop()


def body(*lines: str) -> str:
    """An agent with these lines, which would then take the first legal action."""
    inside = "".join(f"    {line}\n" for line in lines)
    head = "import os, random, signal, sys, time\ndef agent(observation, rng):\n"
    return f"{head}{inside}    return observation.legal_actions()[0]\n"


def first_look(seed: int = 1) -> Observation:
    return new_game(seed=seed).observation(0)


def kind_of(reply: object) -> str | None:
    return reply.kind if isinstance(reply, Trouble) else None


def marked_processes() -> list[int]:
    """All processes of contestants that there are."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes()
        except OSError:
            continue
        if MARK.encode() in environment:
            found.append(int(folder.name))
    return found


def wait_for_processes(before: set[int], number: int) -> None:
    """Wait until that many more have come: those that were forked need a moment."""
    end = time.monotonic() + 60
    while len(set(marked_processes()) - before) < number:
        assert time.monotonic() < end, f"{number} processes were to come"
        time.sleep(0.05)


# --- an agent that does as it should


@pytest.mark.parametrize("keeper", [True, False], ids=["with a keeper", "without"])
def test_an_agent_answers_from_its_process(box: MakeBox, keeper: bool) -> None:
    sandbox = box(FIRST_LEGAL, keeper=keeper and sys.platform == "linux")
    assert sandbox.ask(first_look()) == "take WUG"
    assert sandbox.ask(first_look()) == "take WUG"


def test_an_agent_of_the_kit_answers_too() -> None:
    with Sandbox("greedy", PATIENT) as sandbox:
        sandbox.begin(Rng(1))
        assert sandbox.ask(first_look()) in first_look().legal_actions()


def test_the_file_may_name_itself(box: MakeBox) -> None:
    assert box("name = 'Зоя  <b>\\ud800'\n" + FIRST_LEGAL).start() == "Зоя <b>\\ud800"
    assert box("name = 7\n" + FIRST_LEGAL).start() is None


def test_the_agent_gets_the_observation_and_the_stream(box: MakeBox) -> None:
    sandbox = box(
        body("if observation.player != 0: return 'wrong'", "return f'{rng.below(10**9)}'")
    )
    expected, given = Rng(5), Rng(5)
    sandbox.begin(given)
    answers = [sandbox.ask(first_look()) for _ in range(3)]
    assert answers == [str(expected.below(10**9)) for _ in range(3)]
    assert given.below(10**9) == Rng(5).below(10**9)


def test_every_game_begins_anew(box: MakeBox) -> None:
    counting = "n = 0\ndef agent(o, r):\n    global n\n    n += 1\n    return str(n)\n"
    sandbox = box(counting)
    assert [sandbox.ask(first_look()) for _ in range(2)] == ["1", "2"]
    sandbox.begin(Rng(1))
    assert sandbox.ask(first_look()) == "1"


def test_libraries_draw_the_same_in_the_same_game(box: MakeBox) -> None:
    sandbox = box(
        "import numpy, random\n"
        "def agent(o, r):\n"
        "    return f'{random.random()} {numpy.random.random()} {set(\"abcdef\")}'\n"
    )
    first = sandbox.ask(first_look())
    sandbox.begin(Rng(1))
    assert sandbox.ask(first_look()) == first
    sandbox.begin(Rng(2))
    assert sandbox.ask(first_look()) != first


# --- the five faults


@pytest.mark.parametrize(
    ("source", "kind", "text"),
    [
        (body("return 7"), "unreadable", "not 7"),
        (body("return None"), "unreadable", "not None"),
        (body("return 1 // 0"), "exception", "line 3: ZeroDivisionError"),
        ("class agent:\n    def __init__(self): raise OSError('no')\n", "exception", "line 2: OSE"),
        (body("os._exit(3)"), "died", "exit code 3"),
        (body("sys.exit(0)"), "died", "exit code 0"),
        (body("os.kill(os.getpid(), signal.SIGKILL)"), "died", "SIGKILL"),
        (body("os.closerange(0, 100)"), "died", ""),
    ],
)
def test_each_fault_is_told_from_the_others(
    box: MakeBox, source: str, kind: str, text: str
) -> None:
    reply = box(source).ask(first_look())
    assert isinstance(reply, Trouble)
    assert reply.kind == kind
    assert text in reply.text


SLEEPS_SECOND = (
    "import time\nn = 0\n"
    "def agent(observation, rng):\n    global n\n    n += 1\n    time.sleep(3600 * (n > 1))\n"
    "    return observation.legal_actions()[0]\n"
)


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        (Limits(move_s=0.3, first_move_s=60, game_s=600), "within 0.3 s in a move"),
        (Limits(move_s=60, first_move_s=60, game_s=2), "the 2 s for the whole game"),
    ],
)
def test_a_late_answer_is_none(box: MakeBox, limits: Limits, text: str) -> None:
    sandbox = box(SLEEPS_SECOND, limits)
    sandbox.start()  # so that the limit of the game, short here, is all for answers
    first = sandbox.ask(first_look())
    assert first == "take WUG"
    begun, reply = time.monotonic(), sandbox.ask(first_look())
    assert isinstance(reply, Trouble)
    assert reply.kind == "timeout"
    assert text in reply.text
    assert time.monotonic() - begun < 30


def test_the_first_move_has_a_limit_of_its_own(box: MakeBox) -> None:
    sandbox = box(body("time.sleep(3600)"), Limits(move_s=60, first_move_s=4))
    reply = sandbox.ask(first_look())
    assert reply == Trouble("timeout", "No answer within 4 s in the first move of a game.")


def test_after_a_fault_the_next_question_is_answered(box: MakeBox) -> None:
    sandbox = box(body("if observation.turn == 0: os._exit(1)"))
    assert kind_of(sandbox.ask(first_look())) == "died"
    later = new_game(seed=1).apply("take WUG").apply("take WUG").observation(0)
    assert sandbox.ask(later) == later.legal_actions()[0]


@pytest.mark.parametrize(
    "line",
    ["not json", "[1, 2]", "{}", '{"action": 7}', "[" * 60_000, "x" * 100_000],
    ids=lambda line: line[:12],
)
def test_what_else_comes_through_the_pipe_is_unreadable(box: MakeBox, line: str) -> None:
    writes = f"for n in range(3, 20):\n        try: os.write(n, {line!r}.encode() + b'\\n')"
    reply = box(body(writes + "\n        except OSError: pass")).ask(first_look())
    assert kind_of(reply) == "unreadable"


def test_texts_that_no_file_could_hold_are_made_harmless(box: MakeBox) -> None:
    reply = box(body("return '\\ud800 \\n\\x00' * 1000")).ask(first_look())
    assert isinstance(reply, str)
    assert reply.encode()
    assert "\n" not in reply
    assert len(reply) <= 600


# --- a file that cannot play


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("def agent(:", "line 1: SyntaxError: invalid syntax"),
        ("x = 1\n1 / 0", "line 2: ZeroDivisionError: division by zero"),
        ("import nowhere_at_all", "line 1: ModuleNotFoundError: No module named"),
        ("def Agent(o, r): pass", "The file has no 'agent'"),
        ("agent = 'take WUG'", "'agent' is a function or a class, not 'take WUG'."),
        ("def agent(o, r): pass\n\0", "null bytes"),
        ("", "The file has no 'agent'"),
    ],
)
def test_a_file_without_an_agent_says_why(box: MakeBox, source: str, sentence: str) -> None:
    reply = box(source).start()
    assert isinstance(reply, Trouble)
    assert sentence in reply.text


def test_a_file_that_never_ends_is_no_agent(box: MakeBox) -> None:
    reply = box("while True: pass", Limits(first_move_s=2)).start()
    assert reply == Trouble("timeout", "No answer within 2 s while it was started.")


# --- nothing gets in


def test_nothing_but_the_observation_comes_in(
    box: MakeBox, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("A_SECRET", "of the teacher")
    looks = (
        "import os, sys\n"
        "def agent(o, r):\n"
        "    return f'{os.getcwd()}|{dict(os.environ)}|{sys.argv}|{os.listdir()}|{input and 0}'\n"
    )
    answer = box(looks).ask(first_look())
    assert isinstance(answer, str)
    assert str(tmp_path) not in answer
    assert "SECRET" not in answer
    assert "['agent.py']" in answer


def test_there_is_no_deck_to_find(box: MakeBox) -> None:
    source = body(
        "import gc",
        "from splendor_nb.engine.position import Position",
        "found = [one for one in gc.get_objects() if isinstance(one, Position)]",
        "cards = [card for one in found for deck in one.decks for card in deck]",
        "return f'{len(found)} positions, {sum(card < 90 for card in cards)} cards'",
    )
    answer = box(source).ask(first_look())
    assert isinstance(answer, str)
    assert answer.endswith(" 0 cards")
    assert not answer.startswith("0 ")


def test_standard_input_is_empty(box: MakeBox) -> None:
    assert box(body("return repr(sys.stdin.read())")).ask(first_look()) == "''"


# --- nothing gets out


def test_what_is_printed_goes_to_the_log(box: MakeBox, tmp_path: Path) -> None:
    sandbox = box(body("print('Füße')", "sys.stderr.write('oh\\n')", "os.system('echo shell')"))
    assert sandbox.ask(first_look()) == "take WUG"
    sandbox.stop()
    assert (tmp_path / "log").read_text(encoding="utf-8") == "Füße\noh\nshell\n"


def test_a_traceback_goes_to_the_log(box: MakeBox, tmp_path: Path) -> None:
    sandbox = box(body("return observation.nothing"))
    sandbox.ask(first_look())
    sandbox.stop()
    log = (tmp_path / "log").read_text()
    assert "Traceback" in log
    assert "observation.nothing" in log


@needs_linux
def test_a_log_has_its_size_and_printing_goes_on(box: MakeBox, tmp_path: Path) -> None:
    sandbox = box(body("for _ in range(300): print('x' * 100_000)"), Limits(60, 60, 600, log_kb=16))
    assert sandbox.ask(first_look()) == "take WUG"
    sandbox.stop()
    log = (tmp_path / "log").read_text()
    assert 16_000 < len(log) < 20_000
    assert log.endswith("[the log is full]\n")


@needs_linux
def test_memory_has_a_limit(box: MakeBox) -> None:
    fills = body("held = []", "while True: held.append(bytearray(20_000_000))")
    reply = box(fills, Limits(60, 60, 600, memory_mb=300)).ask(first_look())
    assert isinstance(reply, Trouble)
    assert "MemoryError" in reply.text


@needs_linux
def test_a_file_has_a_limit(box: MakeBox) -> None:
    writes = body(
        "with open('big', 'wb') as big:", "    for _ in range(99): big.write(b'0' * 10**6)"
    )
    reply = box(writes).ask(first_look())
    assert isinstance(reply, Trouble)
    assert "File too large" in reply.text


@needs_linux
def test_all_limits_of_the_system_are_set(box: MakeBox) -> None:
    source = body(
        "import resource as r",
        "names = ['AS', 'CORE', 'CPU', 'FSIZE']",
        "values = [r.getrlimit(getattr(r, 'RLIMIT_' + name)) for name in names]",
        "return f'{values} {r.getrlimit(r.RLIMIT_NPROC)[1] > 128}'",
    )
    answer = box(source, Limits(60, 60, 600, memory_mb=512, cpu_s=77)).ask(first_look())
    assert answer == (f"[({512 << 20}, {512 << 20}), (0, 0), (77, 77), (64000000, 64000000)] True")


KILLS_KEEPER = "os.kill(os.getppid(), signal.SIGKILL); time.sleep(3600)"
FORKS = body(
    "if os.fork() == 0: time.sleep(3600)",
    "if os.fork() == 0:",
    "    os.setsid()",
    "    signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    "    if os.fork(): os._exit(0)",
    "    time.sleep(3600)",
    "os.system('sleep 3600 &')",
)


@needs_linux
@pytest.mark.parametrize(
    "end",
    ["", "os._exit(1)", "time.sleep(3600)", KILLS_KEEPER],
    ids=["in the end", "after it dies", "after it is late", "after it ends its keeper"],
)
def test_no_process_stays_behind(box: MakeBox, end: str) -> None:
    """Children, one that has left its session and lost its parent, one of another program."""
    source = FORKS.replace("    return", f"    {end}\n    return") if end else FORKS
    sandbox = box(source, Limits(60, 10, 600))
    before = set(marked_processes())
    reply = sandbox.ask(first_look())
    assert (kind_of(reply) is None) == (end == "")
    if not end:
        wait_for_processes(before, 5)
    sandbox.stop()
    assert set(marked_processes()) <= before


@needs_linux
@pytest.mark.parametrize(
    "line",
    ["os.killpg(0, signal.SIGKILL)", "os.killpg(os.getpgid(os.getppid()), signal.SIGKILL)"],
    ids=["its own", "its parent's"],
)
def test_ending_a_group_ends_only_the_contestant(box: MakeBox, line: str) -> None:
    reply = box(body(line, "time.sleep(3600)")).ask(first_look())
    assert isinstance(reply, Trouble)
    assert reply.kind == "died"
    assert "SIGKILL" in reply.text


@needs_linux
def test_when_the_contest_is_killed_its_contestants_end(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(FORKS)
    (tmp_path / "work").mkdir()
    program = (
        "import os, signal\n"
        "from pathlib import Path\n"
        "from splendor_nb import Rng, new_game\n"
        "from splendor_nb.games.sandbox import Sandbox\n"
        f"box = Sandbox(Path({str(tmp_path / 'a.py')!r}))\n"
        "box.begin(Rng(1))\n"
        "print(box.ask(new_game(seed=1).observation(0)), flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path / "work")}
    before = set(marked_processes())
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.stdout == b"take WUG\n"
    deadline = time.monotonic() + 60
    while set(marked_processes()) - before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert set(marked_processes()) <= before
    assert list((tmp_path / "work").iterdir()) == []


def test_the_working_folder_is_thrown_away_and_the_file_stays(
    box: MakeBox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(work))
    source = body(
        "open('agent.py', 'w').write('boo')",
        "os.mkdir('splendor_nb')",
        "open('splendor_nb/__init__.py', 'w').write('1 / 0')",
    )
    sandbox = box(source)
    assert sandbox.ask(first_look()) == "take WUG"
    assert len(list(work.iterdir())) == 1
    sandbox.stop()
    assert list(work.iterdir()) == []
    assert (tmp_path / "agent0.py").read_text() == source


def test_what_an_agent_changes_stays_in_its_process(box: MakeBox) -> None:
    observation = first_look()
    before = observation.to_dict()
    source = body(
        "observation._s.bank[0] = 99",
        "import splendor_nb.engine.rules as rules",
        "rules.apply_action = None",
        "random.seed(0)",
    )
    state = random.getstate()
    assert kind_of(box(source).ask(observation)) is None
    assert observation.to_dict() == before
    assert rules.apply_action is not None
    assert random.getstate() == state


# --- limits


@pytest.mark.parametrize(
    ("limits", "error", "sentence"),
    [
        ({"move_s": 0}, ValueError, "move_s is a number of seconds above 0, not 0"),
        ({"move_s": "1"}, TypeError, "move_s is a number of seconds, not '1'"),
        ({"first_move_s": True}, TypeError, "first_move_s is a number of seconds, not True"),
        ({"game_s": float("nan")}, ValueError, "game_s is a number of seconds above 0, not nan"),
        ({"memory_mb": 1}, ValueError, "memory_mb is a whole number from 64, not 1"),
        ({"log_kb": 0}, ValueError, "log_kb is a whole number from 1, not 0"),
    ],
)
def test_bad_limits_are_refused(limits: dict[str, Any], error: type, sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        Limits(**limits)
