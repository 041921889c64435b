"""Games spread over cores, or over machines: tasks in order, with progress and interruption."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Generator, Iterator
from pickle import PicklingError
from typing import Any

import cloudpickle  # comes with joblib
from joblib import Parallel, delayed, effective_n_jobs
from joblib.externals.loky.process_executor import BrokenProcessPool, TerminatedWorkerError
from joblib.parallel import get_active_backend
from tqdm.auto import tqdm

from splendor_nb.games.setup import Chunk

TASK_S = 0.25  # how long a task should take: an interruption waits for no more than two of them
FIRST_TASK, LARGEST_TASK = 1, 5000  # games

Play = Callable[[int, int], Chunk]
Span = tuple[int, int]  # the first game, and how many


class Tasks:
    """Spans of games cut into tasks of about a quarter of a second, as fast as games turn out.

    How they are cut changes nothing in the games.
    """

    def __init__(self, spans: list[Span]) -> None:
        self._spans = spans
        self._size = FIRST_TASK

    def __iter__(self) -> Iterator[Span]:
        for first, games in self._spans:
            done = 0
            while done < games:
                size = min(self._size, games - done)
                yield first + done, size
                done += size

    def learn(self, games: int, elapsed_s: float) -> None:
        """Take in how long a task took."""
        wanted = int(games * TASK_S / max(elapsed_s, 1e-6))
        self._size = max(1, min(wanted, 4 * self._size, LARGEST_TASK))


def run(
    play: Play,
    spans: list[Span],
    agents: tuple[Any, ...],
    *,
    workers: int | None,
    threads: bool,
) -> Generator[Chunk, None, None]:
    """Yield the chunks of all spans in order, as they are finished.

    Parameters
    ----------
    play
        Plays a span.
    spans
        What is to be played.
    agents
        Who plays: where they cannot be sent to other processes, all games run in this one.
    workers
        How many at once; -1 for all cores, `None` for joblib's own choice.
    threads
        Whether threads do, or the work holds the interpreter's lock and needs processes. A
        backend chosen by `joblib.parallel_config` comes first.

    Raises
    ------
    RuntimeError
        Where a process dies, as by ``os._exit`` in an agent.
    """
    if threads or effective_n_jobs(workers) == 1 or can_travel(agents):
        begun = False
        try:
            for chunk in _run(play, spans, workers=workers, threads=threads):
                begun = True
                yield chunk
            return
        except TerminatedWorkerError:
            raise RuntimeError(
                "A worker process died: an agent ended it, or memory ran out. What was finished "
                "before is kept where path= is given; workers=1 plays in this process."
            ) from None
        except (BrokenProcessPool, PicklingError):
            if begun:
                raise
    warnings.warn(
        "An agent cannot be sent to other processes: all games run in this one.", stacklevel=5
    )
    yield from _run(play, spans, workers=1, threads=threads)


def _run(
    play: Play, spans: list[Span], *, workers: int | None, threads: bool
) -> Generator[Chunk, None, None]:
    tasks = Tasks(spans)
    parallel = Parallel(
        n_jobs=workers,
        prefer="threads" if threads else "processes",
        return_as="generator",
        batch_size=1,
    )
    results = parallel(delayed(timed)(play, *span) for span in tasks)
    try:
        for chunk, elapsed_s in results:
            tasks.learn(chunk.games, elapsed_s)
            yield chunk
    finally:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "[0-9]+ tasks", UserWarning)  # they are cancelled
            results.close()


def timed(play: Play, first: int, games: int) -> tuple[Chunk, float]:
    """Return what a task has played, and how long it took in seconds."""
    start = time.perf_counter()
    return play(first, games), time.perf_counter() - start


def workers_for(workers: int | None, *, threads: bool) -> int | None:
    """Return how many run at once if nobody says: all cores for threads, one process else.

    Agents in Python stay in this process by themselves, where what they print and remember is
    seen. Inside `joblib.parallel_config` its number counts.
    """
    if workers is None and threads and get_active_backend()[1] is None:
        return -1
    return workers


def can_travel(agents: tuple[Any, ...]) -> bool:
    """Return whether agents can be sent to another process."""
    try:
        cloudpickle.dumps(agents)
    except Exception:  # noqa: BLE001  (whatever keeps an agent of somebody else from it)
        return False
    return True


def bar(games: int, done: int, shown: bool | None) -> Any:
    """Return a progress bar over games; by itself it shows from the second second on."""
    return tqdm(
        total=games,
        initial=done,
        unit=" games",
        delay=0 if shown else 1,
        disable=shown is False,
        smoothing=0.1,
        leave=bool(shown),
    )
