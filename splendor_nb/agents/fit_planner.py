"""Fits the weights of the planner: ``python -m splendor_nb.agents.fit_planner``.

First as a win predictor: what the linear form sees at the end of every turn, against who won at
last, in games of `greedy` and then in games of the planner that came out of them. Then by
evolution: steps that make it win against itself. At last the weights are scaled so that the
chances that they give are those that came true. All deals are drawn from ranges of their own
(see `DEALS`), so the strength is measured on others: any below a million.
"""

from __future__ import annotations

import argparse
import csv
import functools
import sys
from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from splendor_nb.agents import evaluation, ladder, planner, policies, self_play
from splendor_nb.agents.evaluation import FEATURES, NAMES
from splendor_nb.agents.rooms import make_room
from splendor_nb.agents.weights import FILE, planner_weights
from splendor_nb.engine import compiled, rng, rules
from splendor_nb.engine.cards import data_folder
from splendor_nb.engine.options import Rules, make_components
from splendor_nb.engine.position import Position, Tables, tables_for

# The first deals of each purpose, far apart: nothing is tuned and measured on the same games.
DEALS = {"greedy": 1_000_000, "own": 2_000_000, "scale": 3_000_000, "evolve": 10_000_000}
LOT = 20  # one action in so many is drawn by lot, so that unusual positions come up too
STRETCH = 0.02  # directions that hardly vary are not stretched to more than this share allows

ENTRIES = ("decide", "legal_actions", "play_rotations", "record_games")

Say = Callable[[str], object]


class Arena:
    """A place where agents play for the sake of their weights.

    Parameters
    ----------
    players
        Seats at a table.
    seed
        The master seed of all deals.

    Examples
    --------
    >>> arena = Arena(2)
    >>> rows, shares = arena.record([GREEDY_ROW] * 2, first=0, games=1)
    >>> rows.shape[1:], bool((shares.sum(axis=1) == 1).all())
    ((2, 22), True)
    """

    def __init__(self, players: int, seed: int = 1) -> None:
        import numpy as np

        self.players = players
        self.tables: Tables = tables_for(make_components(), Rules())
        self._masters = np.array(rng.master_seeds(seed, players))

    def record(
        self, agents: Sequence[Mapping[str, Any]], *, first: int, games: int, lot: int = 0
    ) -> tuple[Any, Any]:
        """Return what the linear form sees of every seat at the end of each turn, and who won.

        Parameters
        ----------
        agents
            Rows of a room, one for each seat.
        first, games
            The number of the first deal, and how many.
        lot
            One action in so many is drawn by lot; 0 for none.

        Returns
        -------
        tuple
            Arrays of shape (turns, players, features), and of shape (turns, players) with the
            share of the win.
        """
        import numpy as np

        rows = np.zeros((games * 45 * self.players, self.players, FEATURES))
        shares = np.zeros(rows.shape[:2])
        s, t, streams, room = self._set_up(agents)
        count = kernels().record_games(
            *(s, t, self._masters, first, games, self.players, lot, streams, room, rows, shares)
        )
        return rows[:count], shares[:count]

    def duel(self, agents: Sequence[Mapping[str, Any]], *, first: int, deals: int) -> Any:
        """Return each agent's share of the wins by deal, over all rotations of the seats.

        Returns
        -------
        ndarray
            Of shape (deals, players), each row with the sum 1.
        """
        import numpy as np

        wins = np.zeros((deals, self.players))
        s, t, streams, room = self._set_up(agents)
        kernels().play_rotations(
            *(s, t, self._masters, first, deals, self.players, streams, room, wins)
        )
        return wins / self.players

    def _set_up(self, agents: Sequence[Mapping[str, Any]]) -> tuple[Any, Any, Any, Any]:
        import numpy as np

        room = make_room(self.tables, self.players, agents)
        position = Position(self.tables, self.players)
        if not compiled.has_numba():
            return position, self.tables, [[0] for _ in range(5)], room
        s, t = compiled.pack_position(position, self.tables), compiled.pack_tables(self.tables)
        return s[0], t[0], np.zeros((5, 1), np.int64), room


GREEDY_ROW = {"policy": policies.GREEDY}


def planner_row(weights: Any) -> dict[str, Any]:
    """Return the planner with weights, in the order of the features, as a row of a room."""
    return {"policy": ladder.PLANNER, "weights": list(map(float, weights))}


def fit_weights(rows: Any, shares: Any, *, ridge: float = 1e-6, steps: int = 12) -> Any:
    """Return the weights under which what came true is most likely (a conditional logit).

    The chance of each seat is in proportion to the exponential of its score. By Newton's method.

    Parameters
    ----------
    rows, shares
        As `Arena.record` returns them.
    ridge
        How much large weights are held back, after features are brought to the same spread.

    Examples
    --------
    >>> import numpy as np
    >>> rows = np.zeros((4, 2, 1)); rows[:, 0] = 1
    >>> shares = np.array([[1, 0], [1, 0], [1, 0], [0, 1]])
    >>> float(np.exp(fit_weights(rows, shares)[0]).round(2))  # three wins to one
    3.0
    """
    import numpy as np

    spread = np.sqrt(np.mean((rows - rows.mean(axis=1, keepdims=True)) ** 2, axis=(0, 1)))
    spread = np.where(spread > 0, spread, 1.0)
    scaled = rows / spread
    weights = np.zeros(rows.shape[2])
    for _ in range(steps):
        chances = _chances(scaled @ weights)
        mean = np.einsum("is,isf->if", chances, scaled)
        slope = np.einsum("is,isf->f", shares - chances, scaled) / len(rows) - ridge * weights
        bend = np.einsum("is,isf,isg->fg", chances, scaled, scaled, optimize=True) - mean.T @ mean
        weights += np.linalg.solve(bend / len(rows) + ridge * np.eye(len(weights)), slope)
    return weights / spread


def scale_of(rows: Any, shares: Any, weights: Any) -> float:
    """Return by what to multiply the weights so that their chances are those that came true."""
    return float(fit_weights((rows @ weights)[:, :, None], shares)[0])


def _chances(scores: Any) -> Any:
    import numpy as np

    odds = np.exp(scores - scores.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def directions(rows: Any) -> Any:
    """Return changes of the weights, as columns, that change scores by about as much each.

    Features go together: a step of the same size along each feature would hardly matter in some
    directions, and ruin the play in others.
    """
    import numpy as np

    gaps = (rows[:, 0] - rows[:, 1]).reshape(-1, rows.shape[2])
    spread = np.sqrt(np.mean(gaps**2, axis=0))
    spread = np.where(spread > 0, spread, 1.0)
    values, axes = np.linalg.eigh((gaps.T @ gaps) / len(gaps) / np.outer(spread, spread))
    return axes / np.sqrt(np.maximum(values, STRETCH * values.max())) / spread[:, None]


def evolve(
    arena: Arena,
    weights: Any,
    *,
    steps: int,
    deals: int,
    seed: int = 1,
    size: float = 0.25,
    rate: float = 0.15,
    say: Say = lambda line: None,
) -> Any:
    """Return weights that win more against others like them.

    In each step the weights changed one way play those changed the other way, along as many
    directions at right angles as there are features; what wins shows where to go.

    Parameters
    ----------
    deals
        How many deals two opposite changes play, each in all rotations.
    size, rate
        How large a change is tried, as a change of scores, and how far a step goes.
    """
    import numpy as np

    draw = np.random.default_rng(seed)
    rows, _ = arena.record(
        [planner_row(weights)] * arena.players, first=DEALS["own"], games=300, lot=LOT
    )
    ways, speed, first = directions(rows), np.zeros(FEATURES), DEALS["evolve"]
    for step in range(steps):
        turn, _ = np.linalg.qr(draw.standard_normal((FEATURES, FEATURES)))
        slope = np.zeros(FEATURES)
        for number, direction in enumerate(turn):
            change = size * (ways @ direction)
            rival = [planner_row(weights + change), planner_row(weights - change)]
            slope += direction * _lead(arena, rival, first, deals, number + step)
            first += deals
        speed = speed / 2 + slope / size
        weights = weights + rate * (1 - 0.7 * step / steps) * (ways @ speed)
        say(f"step {step + 1} of {steps}")
    return weights


def _lead(
    arena: Arena, rivals: Sequence[Mapping[str, Any]], first: int, deals: int, number: int
) -> float:
    """Return how much more than its share the first of two rivals wins; they share all seats."""
    two = rivals if number % 2 == 0 else rivals[::-1]
    seats = [two[0], two[1], two[1]] if arena.players == 3 else [*two, *two][: arena.players]
    wins = arena.duel(seats, first=first, deals=deals).mean(axis=0)
    mine = float(wins[::2].sum()) if arena.players == 4 else float(wins[0])
    fair = 1 / 3 if arena.players == 3 else 1 / 2
    lead = (mine - fair) * (0.5 / (1 - fair))
    return lead if number % 2 == 0 else -lead


def fit_planner(
    players: int, *, games: int, steps: int, deals: int, seed: int, say: Say = lambda line: None
) -> Any:
    """Return fitted, evolved and scaled weights, in the order of the features.

    Parameters
    ----------
    games
        How many games each round of the fit records.
    steps, deals
        As for `evolve`.
    """
    import numpy as np

    arena = Arena(players, seed)
    rounds = [arena.record([GREEDY_ROW] * players, first=DEALS["greedy"], games=games, lot=LOT)]
    weights = fit_weights(*rounds[0])
    own = [planner_row(weights)] * players
    rounds.append(arena.record(own, first=DEALS["own"], games=games, lot=LOT))
    weights = fit_weights(*(np.concatenate(parts) for parts in zip(*rounds, strict=True)))
    say("fitted")
    weights = evolve(arena, weights, steps=steps, deals=deals, seed=seed, say=say)
    own = [planner_row(weights)] * players
    return weights * scale_of(
        *arena.record(own, first=DEALS["scale"], games=games, lot=LOT), weights
    )


@functools.cache
def kernels() -> SimpleNamespace:
    """Return the functions that play for this module, compiled where Numba is there."""
    modules = rng, rules, policies, evaluation, planner, ladder, self_play
    return compiled.compile_modules(*modules, entries=ENTRIES)


def write_table(columns: Mapping[int, Sequence[float]]) -> None:
    """Write the table of weights, a column for each number of players."""
    with (data_folder() / FILE).open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["feature", *(f"{players}_players" for players in columns)])
        for row, name in enumerate(NAMES):
            table.writerow([name, *(f"{weights[row]:.4f}" for weights in columns.values())])


def main() -> None:
    """Fit the weights for some numbers of players, and write them to the table."""
    parser = argparse.ArgumentParser(description="Fit the weights of the planner.")
    parser.add_argument("--players", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--games", type=int, default=2000, help="games of each round of the fit")
    parser.add_argument("--steps", type=int, default=40, help="steps of the evolution")
    parser.add_argument("--deals", type=int, default=50, help="deals of each pair of changes")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    columns = {players: list(planner_weights(players).values()) for players in (2, 3, 4)}
    for players in given.players:
        say = functools.partial(_say, f"{players} players: ")
        numbers = {"games": given.games, "steps": given.steps, "deals": given.deals}
        columns[players] = list(fit_planner(players, **numbers, seed=given.seed, say=say))
        write_table(columns)


def _say(about: str, line: str) -> None:
    sys.stdout.write(f"{about}{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
