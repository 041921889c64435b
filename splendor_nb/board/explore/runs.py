"""Games played beside the kernel, for a panel: what is to be played, a run that can be stopped."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from splendor_nb.engine.forms import shortened
from splendor_nb.games.simulate import simulate
from splendor_nb.games.simulation import Simulation


@dataclass(frozen=True)
class Plan:
    """What is to be played.

    Attributes
    ----------
    settings
        The arguments of `simulate`, apart from the rules.
    rules
        The name of a set.
    other
        The set by which the same deals are played as well; empty if they are not.
    """

    settings: dict[str, Any]
    rules: str
    other: str

    @property
    def sets(self) -> list[str]:
        """The sets of rules to play by, one after the other."""
        return [self.rules, *filter(None, [self.other])]

    @property
    def games(self) -> int:
        """How many games there are in all."""
        return len(self.sets) * int(self.settings["games"])


@dataclass(frozen=True)
class Played:
    """What has been played: a run, and the one on the same deals if there is one."""

    plan: Plan
    sim: Simulation
    other: Simulation | None
    elapsed_s: float


class Job:
    """A plan carried out beside the kernel; it can be stopped at any time.

    Parameters
    ----------
    plan
        What is to be played.
    tell
        Called again and again with the number of games played so far.
    done
        Called in the end with what has been played, or with the sentence that refuses the plan.
    """

    def __init__(
        self, plan: Plan, tell: Callable[[int], object], done: Callable[[Played | str], object]
    ) -> None:
        self.plan = plan
        self._tell, self._done = tell, done
        self._stop = threading.Event()

    def stop(self) -> None:
        """End it, with the games that are finished."""
        self._stop.set()

    def run(self) -> None:
        """Play to the end, or until it is stopped."""
        answer: Played | str = "The run broke off; the log of the kernel tells why."
        try:
            answer = self._play()
        except (TypeError, ValueError) as error:
            answer = str(error)
        finally:
            self._done(answer)

    def _play(self) -> Played:
        start = time.monotonic()
        runs: list[Simulation] = []
        for rules in self.plan.sets:
            if self._stop.is_set():
                break
            before = sum(map(len, runs))
            settings = {**self.plan.settings, "rules": rules}
            runs.append(simulate(**settings, progress=partial(self._watch, before)))
        # A part of the other run would not be of the same games.
        other = runs[1] if len(runs) > 1 and not runs[1].partial else None
        return Played(self.plan, runs[0], other, time.monotonic() - start)

    def _watch(self, before: int, finished: int, _asked: int) -> bool:
        self._tell(before + finished)
        return not self._stop.is_set()


def report(played: Played) -> str:
    """Return in words what has been played, and what is missing."""
    sim, asked = played.sim, played.plan.games
    games = len(sim) + (len(played.other) if played.other is not None else 0)
    text = f"{games:,} games in {played.elapsed_s:.1f} s, seed {shortened(sim.seed)}."
    if games < asked:
        text = f"Stopped: {games:,} of {asked:,} games are finished and shown, seed {sim.seed}."
    faults = len(sim.faults)
    return f"{text} {faults:,} ended by an agent's fault." if faults else text
