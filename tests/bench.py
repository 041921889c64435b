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
from typing import Any

import numpy as np

from splendor_nb import Action, Observation, Rng, get_agent, new_game, simulate
from splendor_nb.agents import policies
from splendor_nb.engine import rules
from splendor_nb.engine.options import make_components, make_rules
from splendor_nb.engine.position import Position, tables_for
from splendor_nb.engine.rng import master_seeds
from splendor_nb.games import kernels, playouts

TABLES = tables_for(make_components(), make_rules())
MASTERS = master_seeds(1, 4)
PLAIN_GAMES, COMPILED_GAMES, ROUNDS = 30, 2000, 40
LONG_RUN = 50_000  # games
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


def room(games: int, players: int) -> list[Any]:
    """Return room for the log of games, their ends, turns, ways to end, and what seats did."""
    numbers = [np.zeros(games, np.int64) for _ in range(3)]
    outcomes = np.zeros((games * players, playouts.OUTCOMES), np.int32)
    return [np.zeros(games * 400, np.uint8), *numbers, outcomes]


def plain_games_per_second(players: int, policy: int) -> float:
    """Return how many games the plain engine plays in a second."""
    position, generators = Position(TABLES, players), [[0] for _ in range(5)]
    seats, legal = [policy] * players, [0] * rules.ACTIONS
    log, *numbers, outcomes = (array.tolist() for array in room(1, players))

    def play(game: int) -> None:
        playouts.play_games(
            *(position, TABLES, MASTERS, game, 1, players, False, seats, generators, legal),
            *(log, *numbers, outcomes),
        )

    times = [best_time(lambda game=game: play(game), ROUNDS) for game in range(PLAIN_GAMES)]
    return PLAIN_GAMES / sum(times)


def compiled_games_per_second(
    players: int, policy: int, games: int = COMPILED_GAMES, rounds: int = ROUNDS
) -> float:
    """Return how many games the compiled engine plays in a second, on one core."""
    twin, out = kernels.kernels(), room(games, players)
    position, tables, generators = kernels.workspace(TABLES, players)
    seats, legal = np.full(players, policy), np.zeros(rules.ACTIONS, np.int64)
    masters = np.array(MASTERS)

    def play(games: int) -> None:
        twin.play_games(
            *(position, tables, masters, 0, games, players, False, seats, generators, legal), *out
        )

    play(1)  # which compiles, or loads what was compiled before
    return games / best_time(lambda: play(games), rounds)


def simulated_games_per_second(agent: Any, games: int, workers: int) -> float:
    """Return how many games `simulate` plays and puts into its two tables in a second."""

    def run() -> None:
        sim = simulate([agent, agent], games=games, seed=1, workers=workers, progress=False)
        assert len(sim.games) * 2 == len(sim.seats)

    return games / best_time(run, 5)


def pick_at_random(observation: Observation, rng: Rng) -> Action:
    """Return any legal action: the simplest agent written in Python."""
    return rng.choice(observation.legal_actions())


def import_time(code: str) -> float:
    """Return how long a fresh Python takes for a line of code, in seconds."""
    return best_time(lambda: subprocess.run([sys.executable, "-c", code], check=True), 15)


def print_simulations(plain: float) -> None:
    """Print what `simulate` adds to the bare games."""
    bare = compiled_games_per_second(2, policies.RANDOM, LONG_RUN, 5)
    for workers in (1, 2):
        rate = simulated_games_per_second("random", LONG_RUN, workers)
        print(
            f"simulate, random, 2 players, {workers} core(s): {rate:,.0f} games/s "
            f"= {rate / bare:.2f} x bare"
        )
    rate = simulated_games_per_second(pick_at_random, 50, 1)
    print(f"simulate, random in Python: {rate:,.0f} games/s = {rate / plain:.2f} x plain")


SEARCH = """
import time
from splendor_nb import Rng, get_agent, new_game
view, agent = new_game(players=2, seed=7).observation(0), get_agent({name!r}, iterations={n}{more})
agent.think(view, Rng(1))
times = []
for seed in range({rounds}):
    start = time.perf_counter()
    agent.think(view, Rng(seed))
    times.append(time.perf_counter() - start)
print({n} / min(times))
"""
BLOCKED = "import sys; sys.modules['numba'] = None\n"
FIRST_MOVE = (
    "from splendor_nb import Rng, get_agent, new_game; "
    "get_agent({name!r}, iterations=300)(new_game(players=2, seed=7).observation(0), Rng(1))"
)


def iterations_per_second(name: str, *, plain: bool) -> float:
    """Return how many iterations a search of one tree does in a second, in a process of its own."""
    size = {"n": 40, "rounds": 3} if plain else {"n": 4000, "rounds": 10}
    code = (BLOCKED if plain else "") + SEARCH.format(name=name, more=", trees=1", **size)
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return float(done.stdout)


def print_searches(bare: float) -> None:
    """Print how fast the agents decide, and how soon after a start."""
    for name in ("search", "champion"):
        fast, plain = (iterations_per_second(name, plain=plain) for plain in (False, True))
        print(
            f"{name}: {fast:,.0f} iterations/s compiled = {fast / plain:.0f} x plain, "
            f"{1e6 / fast:.1f} µs each"
        )
        first = import_time(FIRST_MOVE.format(name=name))
        print(f"{name}: first move {(first - bare):.2f} s after a start, once it is compiled")
    view = new_game(players=2, seed=7).observation(0)
    for name in ("random", "greedy", "planner", "easy", "medium", "hard", "champion"):
        agent = get_agent(name)
        seconds = best_time(lambda agent=agent: agent(view, Rng(1)), 20)  # type: ignore[misc]
        print(f"{name}: {1 / seconds:,.0f} decisions/s")


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
    print_simulations(plain_games_per_second(2, policies.RANDOM))
    state = new_game(players=2, seed=7)
    legal = best_time(state.legal_actions, 2000)
    apply = best_time(lambda: state.apply("take WUG"), 2000)
    print(f"State.legal_actions: {legal * 1e6:.1f} µs; State.apply: {apply * 1e6:.1f} µs")
    bare, package = import_time("pass"), import_time("import splendor_nb")
    print(f"import splendor_nb: {(package - bare) * 1e3:.1f} ms more than bare Python")
    game = import_time("from splendor_nb import new_game; new_game(players=2, seed=7)")
    print(f"import and first deal: {(game - bare) * 1e3:.1f} ms more than bare Python")
    print_searches(bare)


if __name__ == "__main__":
    main()
