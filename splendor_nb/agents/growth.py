"""Growing the trees of a search: slice by slice, on threads where it is compiled, until it ends."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from splendor_nb.agents import evaluation, layers, no_network, planner, tree
from splendor_nb.agents import network as rates
from splendor_nb.agents.rooms import Room, read
from splendor_nb.engine import compiled, rng, rules
from splendor_nb.engine.position import Position, Tables

Stop = Callable[[], bool]

ENTRIES = ("legal_actions", "plant", "grow")
INLINED = (
    *("judge", "walk", "move", "rate_actions", "finish_turn"),
    *("rate_by_network", "think", "gather_gist", "add_codes", "add_four"),
    *("write_inputs", "show_cards", "write_views", "write_needs", "weigh_moves", "score_seats"),
)
SLICE, PLAIN_SLICE = 256, 4  # descents between two looks at the clock: a few milliseconds


class Clock:
    """Tells when to stop thinking.

    Parameters
    ----------
    seconds
        How long to think, from now on; `None` for no limit.
    should_stop
        Asked again and again; thinking ends once it says yes.

    Attributes
    ----------
    stopped
        Whether it did.
    """

    def __init__(self, seconds: float | None = None, should_stop: Stop | None = None) -> None:
        self._end = None if seconds is None else time.perf_counter() + seconds
        self._should_stop = should_stop
        self.stopped = False

    def is_over(self) -> bool:
        """Return whether to stop now."""
        if self._should_stop is not None and self._should_stop():
            self.stopped = True
        return self.stopped or (self._end is not None and time.perf_counter() >= self._end)


def grow_trees(
    s: Any, t: Tables, r: Any, rooms: Sequence[Room], iterations: int, clock: Clock
) -> None:
    """Grow a tree in each room from what the current seat may know of a position.

    The result depends on what the seat knows, the generator and the number of iterations alone:
    not on threads, and not on whether anything is compiled; but it does on when a clock ends it.

    Parameters
    ----------
    s
        A position, or where Numba is installed its record; may be the whole truth.
    r
        The state of a generator, which moves on by one word.
    iterations
        For all trees together.
    """
    fast = compiled.has_numba()
    work = _Work(
        twin=kernels_for(rooms[0]),
        s=compiled.pack_position(s, t)[0] if fast and isinstance(s, Position) else s,
        t=compiled.packed_tables(t) if fast else t,
        master=int(rng.next_word(r)),
        clock=clock,
        size=SLICE if fast else PLAIN_SLICE,
    )
    parts = [tree.part(iterations, len(rooms), i) for i in range(len(rooms))]
    if len(rooms) == 1 or not fast:
        work.grow(0, rooms, parts)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(len(rooms)) as threads:
        runs = [
            threads.submit(work.grow, i, [room], [part])
            for i, (room, part) in enumerate(zip(rooms, parts, strict=True))
        ]
    for run in runs:
        run.result()


class _Work:
    """One search, as the functions that grow trees take it."""

    def __init__(self, *, twin: Any, s: Any, t: Any, master: int, clock: Clock, size: int) -> None:
        self.twin = twin
        self.s, self.t, self.master, self.clock, self.size = s, t, master, clock, size

    def grow(self, first: int, rooms: Sequence[Room], parts: Sequence[int]) -> None:
        """Grow trees in turn, the first of that number, each by its part of the iterations."""
        left = list(parts)
        for i, room in enumerate(rooms):
            self.twin.plant(0, self.s, self.t, self.master, first + i, room)
        while any(left):
            for i, room in enumerate(rooms):
                now = min(left[i], self.size)
                self.twin.grow(0, self.t, room, now)
                left[i] -= now
            if self.clock.is_over():
                return


def kernels_for(room: Room) -> SimpleNamespace:
    """Return the functions that grow the trees of a room."""
    return kernels(network=read(room.agents[0]).judge == tree.BY_NETWORK)


@functools.cache
def kernels(*, network: bool = False) -> SimpleNamespace:
    """Return the functions that grow trees, compiled where Numba is there.

    Parameters
    ----------
    network
        Whether new positions may be judged by the network: then there is more to compile.
    """
    judges = (layers, rates) if network else (no_network,)
    modules = rng, rules, evaluation, planner, *judges, tree
    return compiled.compile_modules(*modules, entries=ENTRIES, inlined=INLINED)
