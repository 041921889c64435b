"""Measures the ladder of agents: ``python tests/bench_ladder.py [DEALS]``; about half an hour.

Each rung plays copies of the rung below, seats rotated over the same deals, and wins more than its
fair share or not. The table that it prints stands in README.
"""
# ruff: noqa: T201  (it prints what it finds)

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from splendor_nb import get_agent, simulate
from splendor_nb.games.intervals import clustered_share

DEALS = 100
SEED = 2026
# About 10 ms a decision, where a core does an iteration in 10 (champion) and 17 µs (search).
SEARCH, CHAMPION = {"iterations": 600}, {"iterations": 950, "trees": 1}


def rungs(players: int) -> list[tuple[str, Any]]:
    """The agents from the weakest to the strongest."""
    ladder: list[tuple[str, Any]] = [
        ("random", "random"),
        ("greedy", "greedy"),
        ("planner", "planner"),
        ("search (600)", get_agent("search", **SEARCH)),
    ]
    if players == 2:
        ladder.append(("champion (950)", get_agent("champion", **CHAMPION)))
    return ladder


def measure(players: int, deals: int) -> Iterator[str]:
    """The rows of the table."""
    ladder = rungs(players)
    for (below, rival), (name, agent) in pairwise(ladder):
        lineup = [agent, *[rival] * (players - 1)]
        sim = simulate(lineup, games=deals * players, seed=SEED, progress=False)
        mine = sim.seats[sim.seats["agent"] == sim.agents[0]].merge(sim.games[["game", "deal"]])
        won = clustered_share(mine["win_share"], mine["deal"])
        interval = f"{won.low:.1%} to {won.high:.1%}"
        yield (
            f"| {players} | {name} | {below} | {len(mine)} | {won.estimate:.1%} | {interval} | "
            f"{1 / players:.0%} |"
        )


def main() -> None:
    deals = int(sys.argv[1]) if sys.argv[1:] else DEALS
    print("| players | agent | against | games | wins | 95 % interval | fair share |")
    print("|---|---|---|---|---|---|---|")
    for players in (2, 3, 4):
        for row in measure(players, deals):
            print(row, flush=True)


if __name__ == "__main__":
    main()
