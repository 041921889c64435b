"""A contestant's side: what runs in its process, which `sandbox` starts.

On Linux there are two processes. The keeper stays outside of the student's reach as far as it can:
it passes what is printed to the log, up to a size, and when the contest lets go of it, or the
player has died, it ends every process that carries the mark of this contestant. The player, below
it in a session of its own, has the limits and runs the student's file. Elsewhere there is the
player alone.

Requests and answers are lines of JSON on descriptors that printing does not reach.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import select
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Mapping
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO, NoReturn, TextIO

from splendor_nb.agents.referee import resolve_agent
from splendor_nb.agents.registry import Agent
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.rng import Rng
from splendor_nb.engine.state import Observation

MARK = "SPLENDOR_NB_CONTESTANT"  # a variable of the environment, which children inherit
FILE = "agent.py"  # in the working folder
MODULE = "contestant_file"
MOST_CONFIG = 4096  # bytes; a pipe passes so many at once
PIPE = 1 << 16  # bytes
CUT = 500  # letters of an answer that are passed on
PAUSE_MS = 50  # how long it may take to see that the player has died
GIVE_UP_S = 5.0
SPARE_PROCESSES = 128
LARGEST_FILE = 64_000_000  # bytes that a contestant may write to a file

Json = dict[str, Any]


def main() -> None:
    """Play until standard input ends; its first line says who plays, and within which limits."""
    config: Json = json.loads(os.read(0, MOST_CONFIG))
    output = split_off_player(config) if config["keeper"] else 2
    requests, answers = take_protocol(output)
    set_limits(config)
    serve(Player(config["agent"]), requests, answers)


# -- the keeper ------------------------------------------------------------------------------------


def split_off_player(config: Json) -> int:
    """Return, in the player that is split off, where its output goes; this process keeps it."""
    output, written = os.pipe()
    player = os.fork()
    if player:
        os.close(written)
        _keep(player, output, config)
    os.close(output)
    os.setsid()
    return written


def _keep(player: int, output: int, config: Json) -> NoReturn:
    """Watch the player to its end, and leave nothing behind."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 1)  # so that the contest sees the end when the player alone has gone
    os.set_blocking(output, False)
    log = CappedLog(config["log_bytes"])
    code = _watch(player, output, log)
    kill_marked(os.environ[MARK])
    with contextlib.suppress(ChildProcessError):  # it may have been waited for
        os.waitpid(player, 0)
    log.take(output)
    shutil.rmtree(config["scratch"], ignore_errors=True)
    os._exit(code)


def _watch(player: int, output: int, log: CappedLog) -> int:
    """Return the exit code for the player's end: its own, 128 and its signal, or 0 if let go."""
    poll = select.poll()
    poll.register(0, 0)  # tells only that the other end was closed
    poll.register(output, select.POLLIN)
    while True:
        events = dict(poll.poll(PAUSE_MS))
        if output in events and not log.take(output):
            poll.unregister(output)  # closed by the player; that is its own business
        if 0 in events:
            return 0
        ended, status = os.waitpid(player, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code


class CappedLog:
    """What the keeper writes to standard error, the log, until that is full.

    Parameters
    ----------
    most
        Bytes in the log.
    """

    def __init__(self, most: int) -> None:
        self._most = most

    def take(self, output: int) -> bool:
        """Pass on what has come, up to what a pipe holds; return whether more may come."""
        try:
            data = os.read(output, PIPE)
        except BlockingIOError:
            return True
        room = self._most - os.fstat(2).st_size
        if room > 0:
            tail = b"" if len(data) <= room else b"\n[the log is full]\n"
            with contextlib.suppress(OSError):  # a full disk is no reason to let go of the player
                os.write(2, data[:room] + tail)
        return bool(data)


def kill_marked(mark: str) -> None:
    """End every process that carries a mark, but for this one, until none is left.

    It is found by its environment, so it may have left its group and its session and lost its
    parent. A group is ended as a whole, which no fork escapes.
    """
    deadline = time.monotonic() + GIVE_UP_S
    while (marked := _marked(mark)) and time.monotonic() < deadline:
        for process in marked:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                group = os.getpgid(process)
                if group == os.getpgrp():
                    os.kill(process, signal.SIGKILL)
                else:
                    os.killpg(group, signal.SIGKILL)


def _marked(mark: str) -> list[int]:
    wanted, found = f"{MARK}={mark}".encode(), []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended meanwhile, or is somebody else's
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return [process for process in found if process != os.getpid()]


# -- the player ------------------------------------------------------------------------------------


def take_protocol(output: int) -> tuple[BinaryIO, BinaryIO]:
    """Return where requests come from and answers go; standard input and output are others now."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for descriptor in (1, 2):
        if descriptor != output:
            os.dup2(output, descriptor)
    for descriptor in {nothing, output} - {0, 1, 2}:
        os.close(descriptor)
    sys.stdout, sys.stderr = _text_output(1), _text_output(2)
    return requests, answers


def _text_output(descriptor: int) -> TextIO:
    return os.fdopen(
        descriptor, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False
    )


def set_limits(config: Json) -> None:
    """Limit this process and its children, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    limits = {
        "RLIMIT_AS": config["memory_mb"] << 20,
        "RLIMIT_CORE": 0,
        "RLIMIT_CPU": config["cpu_s"],
        "RLIMIT_FSIZE": LARGEST_FILE,
    }
    if sys.platform == "linux":
        # Of all processes of the user; the kernel does not hold root to it.
        limits["RLIMIT_NPROC"] = _threads_of_user() + SPARE_PROCESSES
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")  # if memory ends, this goes first
    for name, most in limits.items():
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        lowest = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with contextlib.suppress(ValueError, OSError):  # macOS refuses some
            resource.setrlimit(kind, (lowest, lowest))


def _threads_of_user() -> int:
    user, count = os.getuid(), 0
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if folder.stat().st_uid == user:
                count += sum(1 for _ in (folder / "task").iterdir())
    return count


class NoAgentError(Exception):
    """A student's file has nothing that could play; the message is a sentence."""


class Player:
    """An agent in its process, made anew for every game.

    Parameters
    ----------
    name
        Of an agent of the kit; `None` for the student's file in the working folder.
    """

    def __init__(self, name: str | None) -> None:
        self._name = name
        self._agent: Agent = _absent
        self._rng = Rng(0)

    def introduce(self) -> Json:
        """Return the name that the file gives itself, or in a sentence why it cannot play."""
        try:
            module = None if self._name else load_file(Path(FILE))
        except Exception as error:  # noqa: BLE001  (whatever a student's file may raise)
            return {"refused": told(error)}
        name = getattr(module, "name", None)
        return {"ready": name if isinstance(name, str) else None}

    def begin(self, stream: int, luck: int) -> None:
        """Begin a game with a generator's state, and a seed for the generators of libraries."""
        self._agent = _absent
        self._rng.stream_state[0] = stream
        random.seed(luck)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(luck)
        agent = self._name or load_file(Path(FILE)).agent
        self._agent = resolve_agent(agent, 0)

    def answer(self, request: Mapping[str, Any]) -> Json:
        """Return what the agent answers, or what went wrong."""
        try:
            if "stream" in request:
                self.begin(request["stream"], request["luck"])
            answer: object = self._agent(Observation.from_dict(request["observation"]), self._rng)
            if isinstance(answer, str):
                return {"action": answer[:CUT]}
            return {
                "unreadable": f"An action is a text such as 'take WUG', not {shortened(answer)}."
            }
        except Exception as error:  # noqa: BLE001  (whatever a student's code may raise)
            traceback.print_exception(error)
            return {"exception": told(error)}


def serve(player: Player, requests: BinaryIO, answers: BinaryIO) -> None:
    """Introduce the player, and answer every request until there are no more."""
    sys.dont_write_bytecode = True
    _write_line(answers, player.introduce())
    for request in requests:
        _write_line(answers, player.answer(json.loads(request)))


def load_file(file: Path) -> ModuleType:
    """Return a student's file as a module, run anew.

    Raises
    ------
    NoAgentError
        Where it has none. What the file itself raises comes through.
    """
    module = sys.modules[MODULE] = ModuleType(MODULE)
    module.__file__ = str(file)
    SourceFileLoader(MODULE, str(file)).exec_module(module)
    if not hasattr(module, "agent"):
        raise NoAgentError(
            "The file has no 'agent': a function agent(observation, rng), or a class of that name "
            "whose objects are called so."
        )
    if not callable(module.agent):
        raise NoAgentError(f"'agent' is a function or a class, not {shortened(module.agent)}.")
    return module


def told(error: BaseException) -> str:
    """Return what went wrong, with the line of the student's file.

    Examples
    --------
    >>> told(ZeroDivisionError("division by zero"))
    'ZeroDivisionError: division by zero'
    """
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {type(error).__name__}: {error.msg}"
    if isinstance(error, NoAgentError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if Path(frame.filename).name == FILE]
    place = f"line {lines[-1]}: " if lines else ""
    return f"{place}{type(error).__name__}: {str(error)[:CUT]}"


def _absent(observation: Observation, rng: Rng) -> str:
    raise NoAgentError("The agent could not be made at the start of this game.")


def _write_line(answers: BinaryIO, message: Json) -> None:
    answers.write(json.dumps(message).encode() + b"\n")
    answers.flush()
