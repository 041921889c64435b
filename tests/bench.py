"""Measures speed: ``python tests/bench.py``.

Machines are shared and noisy. Each piece is timed many times and its best time counts, and the
figures of one run are to be compared with each other: the first line tells how fast this machine
runs Python right now.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

from splendor_nb import new_game
from splendor_nb.agents import policies
from splendor_nb.engine import compiled, rng, rules
from splendor_nb.engine.options import make_components, make_rules
from splendor_nb.engine.position import Position, tables_for
from splendor_nb.games import playouts

TABLES = tables_for(make_components(), make_rules())
PLAIN_GAMES, COMPILED_GAMES, ROUNDS = 30, 2000, 40
POLICIES = {"random": policies.RANDOM, "greedy": policies.GREEDY}


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


def plain_games_per_second(players: int, policy: int) -> float:
    """Return how many games the plain engine plays in a second."""
    position, generators = Position(TABLES, players), [[0] for _ in range(5)]
    seats, legal, turns = [policy] * 4, [0] * rules.ACTIONS, [0]

    def play(game: int) -> None:
        playouts.play_deals(position, TABLES, 1, game, 1, players, seats, generators, legal, turns)

    times = [best_time(lambda game=game: play(game), ROUNDS) for game in range(PLAIN_GAMES)]
    return PLAIN_GAMES / sum(times)


def compiled_games_per_second(players: int, policy: int) -> float:
    """Return how many games the compiled engine plays in a second, on one core."""
    twin = compiled.compile_modules(rng, rules, policies, playouts)
    position = compiled.pack_position(Position(TABLES, players), TABLES)[0]
    tables, generators = compiled.pack_tables(TABLES)[0], np.zeros((5, 1), np.int64)
    seats, legal = np.full(4, policy), np.zeros(rules.ACTIONS, np.int64)
    turns = np.zeros(COMPILED_GAMES, np.int64)

    def play(games: int) -> None:
        twin.play_deals(position, tables, 1, 0, games, players, seats, generators, legal, turns)

    play(1)  # which compiles, or loads what was compiled before
    return COMPILED_GAMES / best_time(lambda: play(COMPILED_GAMES), ROUNDS)


def import_time(code: str) -> float:
    """Return how long a fresh Python takes for a line of code, in seconds."""
    return best_time(lambda: subprocess.run([sys.executable, "-c", code], check=True), 15)


def main() -> None:
    """Print all figures."""
    print(f"this machine: fibonacci(20) in {best_time(lambda: fibonacci(20), 50) * 1e3:.2f} ms")
    for name, policy in POLICIES.items():
        for players in (2, 3, 4):
            plain = plain_games_per_second(players, policy)
            fast = compiled_games_per_second(players, policy)
            print(
                f"{name}, {players} players: plain {plain:,.0f} games/s, "
                f"compiled {fast:,.0f} games/s = {fast / plain:.0f} x plain"
            )
    state = new_game(players=2, seed=7)
    legal = best_time(state.legal_actions, 2000)
    apply = best_time(lambda: state.apply("take WUG"), 2000)
    print(f"State.legal_actions: {legal * 1e6:.1f} µs; State.apply: {apply * 1e6:.1f} µs")
    bare, package = import_time("pass"), import_time("import splendor_nb")
    print(f"import splendor_nb: {(package - bare) * 1e3:.1f} ms more than bare Python")
    game = import_time("from splendor_nb import new_game; new_game(players=2, seed=7)")
    print(f"import and first deal: {(game - bare) * 1e3:.1f} ms more than bare Python")


if __name__ == "__main__":
    main()
