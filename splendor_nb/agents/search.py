"""The agent that searches: tree search on what its seat may know, compiled where it can be."""

from __future__ import annotations

import functools
import math
import threading
import time
from collections.abc import Mapping
from typing import Any

from splendor_nb.agents import planner, tree
from splendor_nb.agents.deciders import check_turn
from splendor_nb.agents.growth import Clock, Stop, grow_trees, kernels_for
from splendor_nb.agents.rooms import MOST_NODES, Room, insist, make_room, read
from splendor_nb.agents.thoughts import (
    Thoughts,
    best_action,
    count_positions,
    list_candidates,
    mean_value,
)
from splendor_nb.agents.weights import checked_weights, weight_row
from splendor_nb.engine import compiled, rules
from splendor_nb.engine import rng as chance
from splendor_nb.engine.forms import check_whole_number, shortened
from splendor_nb.engine.notation import Action, read_action
from splendor_nb.engine.position import Position, Tables
from splendor_nb.engine.rng import Rng
from splendor_nb.engine.state import Observation

ITERATIONS = 1000
MOST_ITERATIONS = 10_000_000
MOST_TREES = 16

# What people may choose to play against, as settings of a search.
LEVELS: Mapping[str, Mapping[str, Any]] = {
    "easy": {"iterations": 2},
    "medium": {"iterations": 30},
    "hard": {"iterations": 300},
    "champion": {"iterations": 3000, "trees": 2},
}


class SearchAgent:
    """An agent that searches a tree of what may happen, for a number of iterations or seconds.

    With `iterations` the same view and generator give the same action, whatever else the machine
    does, compiled or plain. With `seconds` they need not.

    Parameters
    ----------
    iterations
        Positions to look at in a decision, over all trees; 1000 by default.
    seconds
        How long to think, in place of `iterations`.
    trees
        How many trees, each with its own worlds, whose votes are added. Compiled, each has a
        thread. A tree takes up to 70 MB; it has room for 65,000 positions.
    worlds
        Ways in which a tree deals the unseen cards, used in turn: 1 to 8.
    explore
        How much the prior counts against what has been seen (c of PUCT).
    reduction
        By how much an action that has not been tried counts as worse than its position.
    tries
        How often each tree tries every action at least, so that something is known of all of
        them: 0 to play, more to analyze.
    weights
        What replaces fitted weights of the planner, by feature.
    name
        How it is called.

    Raises
    ------
    TypeError, ValueError
        For what is not allowed; the message names what is.

    Examples
    --------
    >>> from splendor_nb import Rng, new_game
    >>> agent = SearchAgent(iterations=50)
    >>> agent(new_game(players=2, seed=7).observation(0), Rng(1)).kind
    'take'
    """

    def __init__(
        self,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        trees: int = 1,
        worlds: int = 4,
        explore: float = 1.0,
        reduction: float = 0.2,
        tries: int = 0,
        weights: Mapping[str, float] | None = None,
        name: str = "search",
    ) -> None:
        self.name = name
        self._trees = check_whole_number("trees", trees, 1, MOST_TREES)
        self._iterations = _checked_budget(iterations, seconds, self._trees)
        self._seconds = None if seconds is None else _checked_number("seconds", seconds)
        self._settings = {
            "worlds": check_whole_number("worlds", worlds, 1, tree.MOST_WORLDS),
            "explore": _checked_number("explore", explore),
            "reduction": _checked_number("reduction", reduction),
            "tries": check_whole_number("tries", tries, 0, MOST_ITERATIONS),
        }
        self._weights = {} if weights is None else checked_weights(weights)
        self._lock = threading.Lock()
        self._rooms: tuple[Tables, int, list[Room]] | None = None

    def __call__(
        self, observation: Observation, rng: Rng, *, should_stop: Stop | None = None
    ) -> Action:
        """Return the action that most iterations went through.

        From round 40 on, one decision in four is left to chance: see `planner`.

        Parameters
        ----------
        should_stop
            Asked every few milliseconds, by the threads that think; once it says yes the search
            ends with what it has found out by then.

        Raises
        ------
        ValueError
            Where the decision is not the observation's seat's.
        """
        check_turn(observation)
        legal = observation.legal_actions()
        if len(legal) == 1:
            return legal[0]
        if planner.loses_patience(observation.numbers(), rng.stream_state):
            return rng.choice(legal)
        return self.think(observation, rng, should_stop=should_stop).action

    def think(
        self,
        observation: Observation,
        rng: Rng,
        *,
        should_stop: Stop | None = None,
        insist_on: str | None = None,
    ) -> Thoughts:
        """Return all that the search finds out about the seat's decision.

        Parameters
        ----------
        should_stop
            As in a call of the agent.
        insist_on
            A legal action that a quarter of the descents look at, however bad it seems.

        Raises
        ------
        ValueError
            Where the decision is not the observation's seat's.

        Examples
        --------
        >>> from splendor_nb import Rng, new_game
        >>> observation = new_game(players=2, seed=7).observation(0)
        >>> thoughts = SearchAgent(iterations=50).think(observation, Rng(1))
        >>> thoughts.iterations, len(thoughts.candidates)
        (50, 30)
        """
        check_turn(observation)
        start = time.perf_counter()
        s, t = observation.numbers(), observation.tables
        clock = Clock(self._seconds, should_stop)
        insisted = None if insist_on is None else read_action(s, t, insist_on)
        with self._lock:
            rooms = self._rooms_for(t, s.players, insisted)
            grow_trees(s, t, rng.stream_state, rooms, self._iterations, clock)
            candidates = list_candidates(s, t, rooms)
            value, iterations = mean_value(rooms), count_positions(rooms)
        elapsed = time.perf_counter() - start
        return Thoughts(s.current, candidates, value, iterations, elapsed, clock.stopped)

    def decide(self, s: Any, t: Tables, r: Any) -> int:
        """Return the number of the action of the seat to move: as `PolicyAgent.decide`."""
        with self._lock:
            rooms = self._rooms_for(t, int(read(s).players))
            legal = _list_legal(s, t, rooms[0])
            if len(legal) == 1:
                return legal[0]
            if planner.loses_patience(read(s), r):
                return legal[int(chance.below(r, len(legal)))]
            grow_trees(s, t, r, rooms, self._iterations, Clock(self._seconds))
            return best_action(rooms)

    def _rooms_for(self, tables: Tables, players: int, insisted: int | None = None) -> list[Room]:
        """Return a room for each tree, the same ones as long as the game has these tables.

        Parameters
        ----------
        insisted
            The action that must be looked at, see `think`.
        """
        kept = self._rooms
        if kept is None or kept[0] is not tables or kept[1] != players:
            nodes = min(tree.part(self._iterations, self._trees, 0), MOST_NODES)
            learned = self._learned(tables, players)
            row = {
                **self._settings,
                "judge": tree.BY_PLANNER if learned is None else tree.BY_NETWORK,
                "weights": weight_row(players, self._weights),
            }
            rooms = [
                make_room(tables, players, [row], nodes=nodes, learned=learned)
                for _ in range(self._trees)
            ]
            self._rooms = kept = tables, players, rooms
        for room in kept[2]:
            insist(room, insisted)
        return kept[2]

    def _learned(self, tables: Tables, players: int) -> Any:
        """Return the rows of the network that judges in such games, `None` for the planner."""
        return None

    def __reduce__(self) -> tuple[Any, ...]:
        given: dict[str, Any] = {
            "trees": self._trees,
            **self._settings,
            "weights": self._weights,
            "name": self.name,
        }
        budget = "iterations" if self._seconds is None else "seconds"
        given[budget] = self._iterations if self._seconds is None else self._seconds
        return functools.partial(type(self), **given), ()

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


def _list_legal(s: Any, t: Tables, room: Room) -> list[int]:
    """Return the legal actions of a position or of its record."""
    if isinstance(s, Position):
        plain = [0] * rules.ACTIONS
        return plain[: rules.legal_actions(s, t, plain)]
    import numpy as np

    legal = np.zeros(rules.ACTIONS, np.int64)
    count = kernels_for(room).legal_actions(s, compiled.packed_tables(t), legal)
    found: list[int] = legal[:count].tolist()
    return found


def _checked_budget(iterations: int | None, seconds: float | None, trees: int) -> int:
    """Return how many iterations to do at most."""
    if seconds is not None:
        if iterations is not None:
            raise TypeError("A search has a budget of iterations or of seconds, not of both.")
        return MOST_ITERATIONS
    # The first position of a tree is its root; without another there is nothing to choose by.
    budget = ITERATIONS if iterations is None else iterations
    return check_whole_number("iterations", budget, 2 * trees, MOST_ITERATIONS)


def _checked_number(what: str, value: object) -> float:
    """Return a finite number from 0 on."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{what} is a number from 0, not {shortened(value)}.")
    if not 0 <= value < math.inf:
        raise ValueError(f"{what} is a finite number from 0, not {value}.")
    return float(value)
