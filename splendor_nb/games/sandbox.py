"""One contestant in a process of its own, with limits; the contest's side.

What is held off, on Linux: an agent that never answers, in Python or in C; that dies, or ends
processes of its own session or its parent's; that starts others, also where they leave its
session; that fills its memory, its log or a file; that changes what it got, the engine or the
generators of its process; that writes into its working folder, which is thrown away. It gets
observations and the state of a generator from which neither the deal nor the seed can be computed:
in its process there is no deck to find.

What is not promised: the contestant runs as the user who runs the contest. Whoever sets out to do
harm can read and write that user's files and end that user's other processes, hide from the mark
by which its processes are found, use the network, or think while others move. Run agents of people
whom you do not trust in a container or on a machine of their own. Memory is limited for each
process, not for all together, and only what the user may start in all limits their number (root:
nothing does). Limits of time are by the clock: on a busy machine a slow agent may lose by them.

Elsewhere than on Linux a contestant has a process of its own, the limits of time, and a log of any
size; on macOS also those limits of memory that the system takes. Only the process and, except on
Windows, its group are ended: what leaves the group stays.
"""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import queue
import secrets
import shutil
import signal
import site
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple, Self, cast

from splendor_nb.engine.forms import check_whole_number, shortened
from splendor_nb.engine.rng import Rng
from splendor_nb.engine.state import Observation
from splendor_nb.games.contestant import FILE, MARK, kill_marked

IS_LINUX = sys.platform == "linux"
LONGEST_ANSWER = 1 << 16  # bytes
STOP_S = 10.0  # for the keeper to clear up, on a busy machine
LOOK_S = 0.25  # how long it may take to see that the keeper is gone
PASSED_ON = ("LD_LIBRARY_PATH", "OPENBLAS_CORETYPE", "SYSTEMROOT")  # what libraries need to load

LONGEST_TEXT = 600  # letters
_UNSEEN = {"Cc", "Cf", "Co", "Cn", "Zl", "Zp"}  # such as what turns the writing around
_JOINERS = "\u200c\u200d"  # of letters and emoji

_START = (
    "import sys\n"
    "if sys.argv[1] not in sys.path: sys.path.insert(0, sys.argv[1])\n"
    "from splendor_nb.games.contestant import main\n"
    "main()"
)


class Trouble(NamedTuple):
    """What a contestant did wrong: one of the kinds of `Fault`, and a sentence.

    Examples
    --------
    >>> Trouble("timeout", "No answer within 1 s in a move.").kind
    'timeout'
    """

    kind: str
    text: str


@dataclass(frozen=True)
class Limits:
    """What a contestant may use.

    Attributes
    ----------
    move_s
        Seconds for an answer.
    first_move_s
        Seconds for the first answer of a game, in which the agent is made; and for starting the
        process and reading the file.
    game_s
        Seconds for all answers of a game together.
    memory_mb
        Megabytes of address space.
    log_kb
        Kilobytes of output that are kept.
    cpu_s
        Seconds of processor time of a process; a last resort, for all games of a match.

    Raises
    ------
    TypeError, ValueError
        Where one is no number above 0.

    Examples
    --------
    >>> Limits(move_s=0.5).game_s
    60.0
    """

    move_s: float = 1.0
    first_move_s: float = 10.0
    game_s: float = 60.0
    memory_mb: int = 2048
    log_kb: int = 256
    cpu_s: int = 3600

    def __post_init__(self) -> None:
        for name in ("move_s", "first_move_s", "game_s"):
            _check_seconds(name, getattr(self, name))
        for name, least in (("memory_mb", 64), ("log_kb", 1), ("cpu_s", 1)):
            check_whole_number(name, getattr(self, name), least)


class Sandbox:
    """A contestant's process: started when it is first needed, and again after it was stopped.

    Parameters
    ----------
    agent
        A student's file, or the name of an agent of the kit.
    limits
        What it may use.
    log
        The file to which its output is added; without one it is lost.
    keeper
        Whether a keeper stands between; by itself on Linux.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> with Sandbox("greedy", Limits(first_move_s=60)) as sandbox:
    ...     sandbox.begin(Rng(1))
    ...     sandbox.ask(new_game(seed=1).observation(0))
    'take WUG'
    """

    def __init__(
        self,
        agent: Path | str,
        limits: Limits | None = None,
        *,
        log: Path | None = None,
        keeper: bool = IS_LINUX,
    ) -> None:
        self.agent, self.limits, self.log, self.keeper = agent, limits or Limits(), log, keeper
        self._process: Process | None = None
        self._opening: dict[str, int] = {}
        self._used_s = 0.0

    def start(self) -> str | Trouble | None:
        """Start the process and return the name that the file gives itself, or what went wrong."""
        reply = self._receive(self._launch(), self.limits.first_move_s, "while it was started")
        if isinstance(reply, Trouble):
            return reply
        if "refused" in reply:
            self.stop()
            return Trouble("exception", _clean(reply["refused"]))
        name = reply.get("ready")
        return _clean(name) if isinstance(name, str) else None

    def begin(self, rng: Rng, luck: int | None = None) -> None:
        """Begin a game.

        Parameters
        ----------
        rng
            The agent's generator; it stays as it is.
        luck
            A seed for the generators of its libraries; by itself one that `rng` determines.
        """
        stream = rng.stream_state[0]
        self._opening = {"stream": stream, "luck": (stream if luck is None else luck) % (1 << 32)}
        self._used_s = 0.0

    def ask(self, observation: Observation) -> str | Trouble:
        """Return what the contestant answers, or what it did wrong.

        After it took too long or died, its process is stopped; the next question starts another
        one.
        """
        if self._process is None and isinstance(trouble := self.start(), Trouble):
            return trouble
        process = self._process or self._launch()
        allowed_s, what = self._allowance()
        begun = time.perf_counter()
        process.send({"observation": observation.to_dict(), **self._opening})
        reply = self._receive(process, allowed_s, what)
        self._used_s += time.perf_counter() - begun
        if isinstance(reply, Trouble):
            return reply
        self._opening = {}
        return _read_answer(reply)

    def stop(self) -> None:
        """End the process and all that came from it, and remove its working folder."""
        process, self._process = self._process, None
        if process is not None:
            process.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _launch(self) -> Process:
        self.stop()
        self._process = Process(self)
        return self._process

    def _receive(self, process: Process, allowed_s: float, what: str) -> dict[str, Any] | Trouble:
        """Return the next message; the process is stopped where none comes."""
        line = process.receive(allowed_s)
        if line and process.runs():
            return _parse(line)
        if line is None and process.runs():
            trouble = Trouble("timeout", f"No answer within {allowed_s:.3g} s {what}.")
        else:
            trouble = Trouble("died", f"The process {process.ending()} {what}.")
        self.stop()
        return trouble

    def _allowance(self) -> tuple[float, str]:
        """Return the seconds for the next answer, and in words what they are for."""
        limits, left = self.limits, self.limits.game_s - self._used_s
        single = limits.first_move_s if self._opening else limits.move_s
        if left < single:
            return max(0.0, left), f"at the end of the {limits.game_s:g} s for the whole game"
        return single, "in the first move of a game" if self._opening else "in a move"


class Process:
    """A process of a contestant while it runs, with its working folder.

    Parameters
    ----------
    sandbox
        Whose it is.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self._mark, self._keeper = secrets.token_hex(16), sandbox.keeper
        self._scratch = Path(tempfile.mkdtemp(prefix="splendor-nb-"))
        if isinstance(sandbox.agent, Path):
            shutil.copyfile(sandbox.agent, self._scratch / FILE)
        with Path(sandbox.log or os.devnull).open("ab") as log:
            # The command is ours; that it runs foreign code is what all this is for.
            self._popen = subprocess.Popen(  # noqa: S603
                [sys.executable, "-P", "-c", _START, str(Path(__file__).parents[2])],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                bufsize=0,
                cwd=self._scratch,
                env=_environment(self._scratch, self._mark),
                start_new_session=True,
            )
        self._requests = cast("IO[bytes]", self._popen.stdin)
        self._answers = io.BufferedReader(cast("io.FileIO", self._popen.stdout))
        self._lines: queue.Queue[bytes] = queue.Queue(maxsize=1)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.send(self._config(sandbox))

    def send(self, message: dict[str, Any]) -> None:
        """Write a message; where the process has died, that shows when nothing comes back."""
        with contextlib.suppress(OSError):
            self._requests.write(json.dumps(message).encode() + b"\n")

    def receive(self, within_s: float) -> bytes | None:
        """Return the next line, ``b""`` at the end of all, `None` where none comes in time."""
        deadline = time.monotonic() + within_s
        while True:
            left_s = max(0.0, deadline - time.monotonic())
            try:
                return self._lines.get(timeout=min(left_s, LOOK_S))
            except queue.Empty:
                if left_s == 0 or not self.runs():
                    return None

    def runs(self) -> bool:
        """Return whether the process, or its keeper, is there."""
        return self._popen.poll() is None

    def ending(self) -> str:
        """Return in words how the process ended."""
        if not self._ends():
            return "closed its answers"
        code = self._popen.returncode
        number = -code if code < 0 else code - 128
        try:
            return f"was ended by the signal {signal.Signals(number).name}"
        except ValueError:
            return f"ended by itself with exit code {code}"

    def stop(self) -> None:
        """End it with all that came from it, and remove its folder."""
        self._requests.close()  # for the keeper, this is the sign
        if not (self._keeper and self._ends() and self._popen.returncode >= 0):
            self._kill()
        self._stop_reading()
        shutil.rmtree(self._scratch, ignore_errors=True)

    def _config(self, sandbox: Sandbox) -> dict[str, Any]:
        return {
            "agent": None if isinstance(sandbox.agent, Path) else sandbox.agent,
            "keeper": sandbox.keeper,
            "scratch": str(self._scratch),
            "memory_mb": sandbox.limits.memory_mb,
            "cpu_s": sandbox.limits.cpu_s,
            "log_bytes": sandbox.limits.log_kb << 10,
        }

    def _ends(self) -> bool:
        """Return whether it ends soon."""
        try:
            self._popen.wait(STOP_S)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _kill(self) -> None:
        with contextlib.suppress(OSError):  # it may be gone
            if hasattr(os, "killpg"):
                os.killpg(self._popen.pid, signal.SIGKILL)
            self._popen.kill()
        self._popen.wait()
        if IS_LINUX:
            kill_marked(self._mark)

    def _read(self) -> None:
        """Hand over lines one by one, and an empty one at the end."""
        line = b"?"
        while line:
            try:
                line = self._answers.readline(LONGEST_ANSWER)
            except (OSError, ValueError):  # closed meanwhile
                line = b""
            self._lines.put(line)

    def _stop_reading(self) -> None:
        """Let the reader come to the end, whatever is left in the pipe."""
        deadline = time.monotonic() + STOP_S
        while self._reader.is_alive() and time.monotonic() < deadline:
            with contextlib.suppress(queue.Empty):
                self._lines.get_nowait()
            self._reader.join(0.001)
        if not self._reader.is_alive():
            self._answers.close()


def _parse(line: bytes) -> dict[str, Any] | Trouble:
    """Return a message; a student may have written anything at all into its pipe."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        message = None
    if isinstance(message, dict):
        return message
    return Trouble("unreadable", f"Something wrote {shortened(line)} in place of the answer.")


def _read_answer(reply: dict[str, Any]) -> str | Trouble:
    for kind, text in reply.items():
        if kind == "action" and isinstance(text, str):
            return _clean(text)
        if kind in ("exception", "unreadable") and isinstance(text, str):
            return Trouble(kind, _clean(text))
    return Trouble("unreadable", f"Something wrote {shortened(reply)} in place of the answer.")


def _clean(text: str) -> str:
    """Return text on one line that every file can hold and no screen obeys, not too long."""
    known = text.encode("utf-8", "backslashreplace").decode()
    shown = "".join(
        letter if letter in _JOINERS or unicodedata.category(letter) not in _UNSEEN else " "
        for letter in known[: 2 * LONGEST_TEXT]
    )
    return " ".join(shown.split())[:LONGEST_TEXT]


def _environment(scratch: Path, mark: str) -> dict[str, str]:
    """Return what a contestant knows of its surroundings: next to nothing."""
    cache = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    environment = {
        "HOME": str(scratch),
        "LOCALAPPDATA": os.environ.get("LOCALAPPDATA", str(scratch)),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "PATH": os.defpath,
        "PYTHONHASHSEED": "0",  # the order of a set of texts is the same in every run
        "PYTHONUSERBASE": site.getuserbase(),
        "PYTHONUTF8": "1",
        "TMPDIR": str(scratch),
        "TEMP": str(scratch),
        "XDG_CACHE_HOME": cache,  # where compiled rules lie
        MARK: mark,
    }
    return environment | {name: os.environ[name] for name in PASSED_ON if name in os.environ}


def _check_seconds(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} is a number of seconds, not {shortened(value)}.")
    if not 0 < value < math.inf:
        raise ValueError(f"{name} is a number of seconds above 0, not {shortened(value)}.")
