"""Trains the network of the champion: ``python -m splendor_nb.agents.train_network FOLDER``.

First it learns from games of the planner, then round after round from games of its own search.
Every few rounds it plays the planner, and itself as it was at the start, on deals from which
nothing is learned. It may be stopped at any time: started again with the same folder, it goes on
after the last round that it finished. With ``--install`` the network of the folder becomes that of
the champion, and the table of how it learned is laid beside it.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from splendor_nb.agents.champion import install_rows
from splendor_nb.agents.learner import RATE, Learner
from splendor_nb.agents.records import Log, cut, exchange, join
from splendor_nb.agents.search_arena import SearchArena, mean_and_error

# The first deals of each purpose, far apart: nothing is learned and measured on the same games.
DEALS = {"planner": 100_000_000, "own": 200_000_000, "yardstick": 300_000_000}
BATCH = 1024
HELD_OUT = 8192  # decisions of the planner's games, by which to see whether it learns by heart
START, STATE, CURVE = "start.npy", "state.json", "curve.csv"
COLUMNS = (
    *("round", "games", "decisions", "steps", "minutes", "policy_loss", "value_loss"),
    *("against_planner", "against_planner_error", "against_start", "against_start_error"),
    "measured_games",
)


class Training:
    """A training that lives in a folder.

    Parameters
    ----------
    given
        The settings of the command.
    """

    def __init__(self, given: argparse.Namespace) -> None:
        import numpy as np

        given.folder.mkdir(parents=True, exist_ok=True)
        self.given = given
        self.folder: Path = given.folder
        self.arena = SearchArena(given.players, given.seed)
        self.learner = Learner(self.arena.tables, given.players, given.seed)
        self.round, self.games, self.decisions, self.seconds = 0, 0, 0, 0.0
        self._draw = np.random.default_rng(given.seed)
        self._logs: list[Log] = []

    def run(self) -> None:
        """Go on until the time is up."""
        if (self.folder / STATE).exists():
            self._load()
        else:
            self._begin()
        while self.seconds < 60 * self.given.minutes:
            self._go_round()

    def _begin(self) -> None:
        """Learn from games of the planner."""
        import numpy as np

        begin, given = time.perf_counter(), self.given
        planner = self.arena.rival(iterations=0)
        log = self.arena.record(planner, first=DEALS["planner"], games=given.planner_games)
        say(f"{len(log.value):,} decisions of {given.planner_games:,} games of the planner")
        others, log = cut(log, 0, HELD_OUT), cut(log, HELD_OUT)
        for step in range(given.planner_steps):
            warm = min(1.0, step / 200) * (1 - 0.7 * step / given.planner_steps)
            losses = self._step(log, RATE * warm)
            if step % 500 == 0:
                rest = self.learner.losses(others, exchange(range(5), given.players))
                say(f"step {step}: losses {_pair(losses)}, of other games {_pair(rest)}")
        np.save(self.folder / START, self.learner.rows())
        self.seconds += time.perf_counter() - begin
        self._measure(None)
        self._save()

    def _go_round(self) -> None:
        """Play games, learn from the latest ones, and now and then measure."""
        begin, given = time.perf_counter(), self.given
        self.round += 1
        log = self._play()
        played = time.perf_counter() - begin
        recent = join(self._logs)
        steps = max(1, int(given.reuse * len(log.value) / BATCH))
        losses = _mean([self._step(recent, self._rate()) for _ in range(steps)])
        self.seconds += time.perf_counter() - begin
        say(
            f"round {self.round}: {len(log.value):,} new of {len(recent.value):,} decisions, "
            f"{steps} steps, losses {_pair(losses)}; played for {played:.0f} s; "
            f"{self.seconds / 60:.1f} minutes in all"
        )
        if self.round % given.measure_every == 0:
            self._measure(losses)
        self._save()

    def _play(self) -> Log:
        """Play games of the search against itself, and forget the oldest ones."""
        import numpy as np

        given = self.given
        search = self.arena.rival(iterations=given.iterations, learned=self.learner.rows())
        log = self.arena.record(search, first=DEALS["own"] + self.games, games=given.games)
        self.games += given.games
        self.decisions += len(log.value)
        self._logs.append(log)
        np.savez(self._log_file(self.round), **log._asdict())
        while sum(len(kept.value) for kept in self._logs[1:]) > given.window:
            self._logs.pop(0)
        return log

    def _rate(self) -> float:
        """Return how far to step: less and less in the last two fifths of the time."""
        left = 1 - self.seconds / (60 * float(self.given.minutes))
        return RATE * min(1.0, max(0.05, left / 0.4))

    def _step(self, log: Log, rate: float) -> tuple[float, float]:
        import numpy as np

        rows = np.sort(self._draw.integers(len(log.value), size=BATCH))
        coloring = exchange(self._draw.permutation(5).tolist(), self.given.players)
        return self.learner.learn(Log(*(array[rows] for array in log)), coloring, rate=rate)

    def _measure(self, losses: tuple[float, float] | None) -> None:
        """Play the planner and the start, and write a row of the table."""
        import numpy as np

        arena, given, n = self.arena, self.given, self.given.measure_iterations
        one = arena.rival(iterations=n, learned=self.learner.rows())
        start = arena.rival(iterations=n, learned=np.load(self.folder / START))
        results = [
            mean_and_error(
                arena.duel(one, rival, first=DEALS["yardstick"], deals=given.measure_deals)
            )
            for rival in (arena.rival(iterations=0), start)
        ]
        say(f"round {self.round}: against planner and start {_pair(results[0] + results[1])}")
        figures = [f"{x:.4f}" for x in (*(losses or ()), *results[0], *results[1])]
        figures = figures if losses else ["", "", *figures]
        counts = [self.round, self.games, self.decisions, self.learner.steps]
        games = given.measure_deals * given.players
        self._write_row([*counts, f"{self.seconds / 60:.1f}", *figures, games])

    def _write_row(self, row: Sequence[Any]) -> None:
        path = self.folder / CURVE
        rows = [row] if path.exists() else [COLUMNS, row]
        with path.open("a", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(rows)

    def _log_file(self, number: int) -> Path:
        return self.folder / f"round_{number:04}.npz"

    def _save(self) -> None:
        """Write down where the training stands; the names of the files change last, and at once."""
        state = {
            "learner": f"learner_{self.round:04}.pt",
            "numbers": [self.round, self.games, self.decisions, self.seconds, len(self._logs)],
            "draw": self._draw.bit_generator.state,
        }
        self.learner.save(self.folder / str(state["learner"]))
        new = self.folder / "state.new"
        new.write_text(json.dumps(state), encoding="utf-8")
        new.replace(self.folder / STATE)
        # Only now: a training that is killed before still goes on from the state before.
        kept = [self._log_file(number) for number in self._kept_rounds()]
        kept.append(self.folder / str(state["learner"]))
        for path in (*self.folder.glob("learner_*.pt"), *self.folder.glob("round_*.npz")):
            if path not in kept:
                path.unlink()

    def _kept_rounds(self) -> range:
        """Return the rounds whose games are learned from."""
        return range(self.round - len(self._logs) + 1, self.round + 1)

    def _load_learner(self) -> dict[str, Any]:
        """Take up what has been learned, and return the rest of what was written down."""
        state: dict[str, Any] = json.loads((self.folder / STATE).read_text(encoding="utf-8"))
        self.learner.load(self.folder / state["learner"])
        return state

    def _load(self) -> None:
        import numpy as np

        state = self._load_learner()
        self.round, self.games, self.decisions, self.seconds, count = state["numbers"]
        self._draw.bit_generator.state = state["draw"]
        for number in range(self.round - count + 1, self.round + 1):
            with np.load(self._log_file(number)) as arrays:
                self._logs.append(Log(**arrays))
        say(f"goes on after round {self.round}")

    def install(self) -> None:
        """Make what has been learned here the network of the champion."""
        self._load_learner()
        with (self.folder / CURVE).open(encoding="utf-8", newline="") as file:
            curve = list(csv.DictReader(file))
        install_rows(self.given.players, self.learner.rows(), curve)


def _mean(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    first, second = zip(*pairs, strict=True)
    return sum(first) / len(pairs), sum(second) / len(pairs)


def _pair(numbers: Sequence[float]) -> str:
    return " ".join(f"{x:.3f}" for x in numbers)


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def read_settings(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the settings of the command.

    Examples
    --------
    >>> read_settings(["somewhere", "--players", "3"]).players
    3
    """
    parser = argparse.ArgumentParser(description="Train the network of the champion.")
    parser.add_argument("folder", type=Path, help="where the training lives")
    parser.add_argument("--players", type=int, default=2, choices=(2, 3, 4))
    parser.add_argument("--minutes", type=float, default=60, help="to learn and play, in all")
    parser.add_argument("--planner-games", type=int, default=6_000)
    parser.add_argument("--planner-steps", type=int, default=2_500)
    parser.add_argument("--games", type=int, default=300, help="games of each round")
    parser.add_argument("--iterations", type=int, default=200, help="of each decision there")
    parser.add_argument("--reuse", type=float, default=12, help="how often a decision is seen")
    parser.add_argument("--window", type=int, default=400_000, help="decisions to learn from")
    parser.add_argument("--measure-every", type=int, default=6, help="rounds between two rows")
    parser.add_argument("--measure-deals", type=int, default=60)
    parser.add_argument("--measure-iterations", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--install", action="store_true", help="make it the champion's, no more")
    return parser.parse_args(words)


def main() -> None:
    """Train in a folder from where it stands, or install what stands there."""
    given = read_settings()
    training = Training(given)
    if given.install:
        training.install()
    else:
        training.run()


if __name__ == "__main__":
    main()
