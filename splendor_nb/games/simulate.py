"""Many games: played, watched, interrupted, kept in a folder and gone on with."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from splendor_nb.agents.referee import AgentLike
from splendor_nb.engine.forms import check_whole_number, shortened
from splendor_nb.engine.options import make_components, make_rules
from splendor_nb.games import decided, kernels, observed
from splendor_nb.games import workers as cores
from splendor_nb.games.setup import Chunk, Setup, make_setup, read_agents
from splendor_nb.games.simulation import Memory, Simulation
from splendor_nb.games.tables import merge

Watch = Callable[[int, int], object]

FIRST_LOOK = 120  # games; whole deals for 2, 3 and 4 players
PART_GAMES, PART_S = 20_000, 30.0  # a part of a folder is written after so many games or seconds


def simulate(
    agents: AgentLike | list[AgentLike] | tuple[AgentLike, ...],
    games: int = 1000,
    seed: int | None = None,
    *,
    players: int | None = None,
    rules: str | Mapping[str, Any] = "standard",
    rotate_seats: bool = True,
    workers: int | None = None,
    progress: bool | Watch | None = None,
    until: Callable[[Simulation], bool] | None = None,
    path: str | os.PathLike[str] | None = None,
    cards: object = None,
    nobles: object = None,
    tokens: object = None,
    **options: Any,
) -> Simulation:
    """Return many games, played by agents, as tidy tables.

    The same seed gives the same tables, however many workers there are.

    Parameters
    ----------
    agents
        A list of 2 to 4 names or callables, or one for all seats. Named ones play whole games in
        compiled code. Others get observations, and what they answer is checked: a fault ends its
        game, and is a row of `Simulation.faults`. A class is called anew for each game.
    games
        How many, from 1.
    seed
        Any integer from 0; `None` draws one. Deal 0 is that of ``new_game(seed=seed)``.
    players
        With one agent for all: how many seats, 2 (also if not said) to 4.
    rules, cards, nobles, tokens, **options
        As for `new_game`.
    rotate_seats
        Whether the agents of a list play each deal once in every rotation of the seats: game g is
        deal g // players, and seat i has agent (i + g) mod players. One agent for all has nothing
        to rotate: every game is a deal of its own.
    workers
        How many cores: -1 for all. If not said, all for named agents, and this process alone for
        others. Inside ``joblib.parallel_config(backend="dask")`` games run on that cluster.
    progress
        Whether to show a bar; if not said, from the second second on. A function is called
        instead, again and again, with the number of games finished and of those asked for; it
        may return ``False`` to interrupt.
    until
        A function of the games so far that says whether they are enough. It is asked at fixed
        numbers of games, from 120 on, so that it stops at the same game every time.
    path
        A folder for games that memory should not hold: Parquet files, written in parts. The same
        call goes on with what is there (needs the extra ``runs``).

    Raises
    ------
    TypeError, ValueError
        For what is not allowed; the message names what is.
    RecordError
        Where the folder holds something else, or cannot be written.

    Notes
    -----
    An interruption (the stop button, Ctrl-C) returns the games that are finished, with
    ``partial`` set.

    Examples
    --------
    >>> sim = simulate(["greedy", "random"], games=100, seed=1)
    >>> sim.win_rates()[["agent", "games", "wins"]]
        agent  games   wins
    0  greedy    100  100.0
    1  random    100    0.0
    >>> sim.record(17).result.points
    (5, 16)
    """
    folder = None if path is None else _checked_path(path)
    if folder is not None and seed is None:
        seed = _seed_in(folder)
    chosen, one_for_all = read_agents(agents, players)
    if not isinstance(rotate_seats, bool):
        raise TypeError(f"rotate_seats is True or False, not {shortened(rotate_seats)}.")
    setup = make_setup(
        chosen,
        games=games,
        seed=seed,
        rotate=rotate_seats and not one_for_all,
        components=make_components(cards, nobles, tokens),
        rules=make_rules(rules, **options),
    )
    _check_workers(workers)
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise TypeError(f"progress is True, False, None or a function, not {shortened(progress)}.")
    if until is not None and (folder is not None or not callable(until)):
        raise TypeError("until is a function of a Simulation, and does not go with a path.")
    if folder is not None:
        return _into_folder(setup, chosen, folder, workers, progress)
    return _into_memory(setup, chosen, until, workers, progress)


def load_simulation(path: str | os.PathLike[str]) -> Simulation:
    """Return the games of a folder that `simulate` has written, all or what is there.

    Raises
    ------
    RecordError
        Where there are none, or a file is damaged; the message names it.
    """
    _need_pyarrow()
    from splendor_nb.games.folder import open_folder

    folder = open_folder(_checked_path(path))
    return Simulation(folder.setup, folder)


def _into_memory(
    setup: Setup,
    agents: tuple[AgentLike, ...],
    until: Callable[[Simulation], bool] | None,
    workers: int | None,
    progress: bool | Watch | None,
) -> Simulation:
    done: list[Chunk] = []
    for look in [setup.games] if until is None else _looks(setup):
        first = sum(chunk.games for chunk in done)
        _play(setup, agents, [(first, look - first)], workers, progress, done.append)
        sim = Simulation(setup, Memory(done))
        if len(sim) < look:
            break
        if until is not None and until(sim):
            return Simulation(setup, Memory(done), "enough is known")
    return Simulation(setup, Memory(done))


def _into_folder(
    setup: Setup,
    agents: tuple[AgentLike, ...],
    path: Path,
    workers: int | None,
    progress: bool | Watch | None,
) -> Simulation:
    _need_pyarrow()
    from splendor_nb.games.folder import Folder

    folder = Folder(path, setup)
    folder.create()
    part = Parts(folder.write)
    try:
        _play(setup, agents, folder.missing(), workers, progress, part.add)
    finally:
        part.flush()
    return Simulation(setup, folder)


class Parts:
    """Gathers chunks until they are worth a part of a folder."""

    def __init__(self, write: Callable[[Chunk], None]) -> None:
        self._write = write
        self._waiting: list[Chunk] = []
        self._since = time.monotonic()

    def add(self, chunk: Chunk) -> None:
        """Take in a chunk; write a part where it is time."""
        if self._waiting and chunk.first != self._waiting[-1].first + self._waiting[-1].games:
            self.flush()
        self._waiting.append(chunk)
        many = sum(waiting.games for waiting in self._waiting) >= PART_GAMES
        if many or time.monotonic() - self._since > PART_S:
            self.flush()

    def flush(self) -> None:
        """Write what is waiting."""
        waiting, self._waiting, self._since = self._waiting, [], time.monotonic()
        if waiting:
            self._write(merge(waiting))


def _play(
    setup: Setup,
    agents: tuple[AgentLike, ...],
    spans: list[tuple[int, int]],
    workers: int | None,
    progress: bool | Watch | None,
    keep: Callable[[Chunk], None],
) -> None:
    """Play spans of games, and keep each chunk; an interruption ends it quietly."""
    compiled = decided.decides_on_numbers(agents)
    module = kernels if kernels.plays_compiled(agents) else decided if compiled else observed
    play = functools.partial(module.play_chunk, setup, agents)
    wanted = cores.workers_for(workers, threads=compiled)
    done = setup.games - sum(games for _, games in spans)
    with (
        _watching(progress, setup.games, done) as watch,
        contextlib.closing(
            cores.run(play, spans, agents, workers=wanted, threads=compiled)
        ) as chunks,
        contextlib.suppress(KeyboardInterrupt),
    ):
        for chunk in chunks:
            keep(chunk)
            done += chunk.games
            if watch(done, setup.games) is False:
                break


@contextlib.contextmanager
def _watching(progress: bool | Watch | None, games: int, done: int) -> Iterator[Watch]:
    """Give the function that is told of every chunk: the one that was passed, or a bar's."""
    if callable(progress):
        yield progress
    else:
        with cores.bar(games, done, progress) as shown:
            yield lambda now, _: shown.update(now - shown.n)


def _looks(setup: Setup) -> Iterator[int]:
    """Yield the numbers of games at which a run may end, each about a quarter more, whole deals."""
    look = FIRST_LOOK
    while look < setup.games:
        yield look
        look += -(-look // (4 * setup.players)) * setup.players
    yield setup.games


def _checked_path(path: object) -> Path:
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path is that of a folder, not {shortened(path)}.")
    return Path(path)


def _seed_in(path: Path) -> int | None:
    """Return the seed of games that lie in the folder already, since the same call goes on."""
    _need_pyarrow()
    from splendor_nb.games.folder import seed_in

    return seed_in(path)


def _check_workers(workers: int | None) -> None:
    if isinstance(workers, int) and workers == -1:
        return
    if workers is not None:
        check_whole_number("workers (or -1 for all cores)", workers, 1, 4096)


def _need_pyarrow() -> None:
    if importlib.util.find_spec("pyarrow") is None:
        raise ImportError("A folder of games needs pyarrow: pip install 'splendor-nb[runs]'.")
