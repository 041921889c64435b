"""Measures speed: ``python tests/bench.py``.

Machines are shared and noisy. Each game is timed many times and its best time counts, and the
figures of one run are to be compared with each other: the first line tells how fast this machine
runs Python right now.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

from splendor_nb import new_game
from splendor_nb.engine import rules
from splendor_nb.engine.options import make_components, make_rules
from splendor_nb.engine.position import Position, tables_for
from splendor_nb.engine.rng import DEAL, below, seed_stream

GAMES, ROUNDS = 30, 40
TABLES = tables_for(make_components(), make_rules())


def best_time(run: Callable[[], object], rounds: int) -> float:
    """Return the shortest of several times, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def fibonacci(n: int) -> int:
    """Return a Fibonacci number the slow way: a measure of the machine."""
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def play_at_random(players: int, game: int, generator: list[int], legal: list[int]) -> Position:
    """Return the end of a game in which every seat picks any legal action."""
    tables = TABLES
    seed_stream(generator, 1, game, DEAL)
    position = Position(tables, players)
    rules.deal(position, tables, generator)
    while position.phase != rules.OVER:
        count = rules.legal_actions(position, tables, legal)
        rules.apply_action(position, tables, legal[below(generator, count)])
    return position


def games_per_second(players: int) -> float:
    """Return how many random games the plain engine plays in a second."""
    generator, legal = [0], [0] * rules.ACTIONS
    times = [
        best_time(lambda game=game: play_at_random(players, game, generator, legal), ROUNDS)
        for game in range(GAMES)
    ]
    return GAMES / sum(times)


def import_time(code: str) -> float:
    """Return how long a fresh Python takes for a line of code, in seconds."""
    return best_time(lambda: subprocess.run([sys.executable, "-c", code], check=True), 15)


def main() -> None:
    """Print all figures."""
    print(f"this machine: fibonacci(20) in {best_time(lambda: fibonacci(20), 50) * 1e3:.2f} ms")
    for players in (2, 3, 4):
        print(f"plain engine, {players} players: {games_per_second(players):,.0f} random games/s")
    state = new_game(players=2, seed=7)
    legal, apply = (
        best_time(state.legal_actions, 2000),
        best_time(lambda: state.apply("take WUG"), 2000),
    )
    print(f"State.legal_actions: {legal * 1e6:.1f} µs; State.apply: {apply * 1e6:.1f} µs")
    bare, package = import_time("pass"), import_time("import splendor_nb")
    print(f"import splendor_nb: {(package - bare) * 1e3:.1f} ms more than bare Python")
    game = import_time("from splendor_nb import new_game; new_game(players=2, seed=7)")
    print(f"import and first deal: {(game - bare) * 1e3:.1f} ms more than bare Python")


if __name__ == "__main__":
    main()
