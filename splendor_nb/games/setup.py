"""What is simulated: who plays, by which rules, from which seed; and one chunk of such games."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from splendor_nb.agents.referee import AgentLike, resolve_agent, seat_names
from splendor_nb.agents.registry import HUMAN, agent_name
from splendor_nb.engine.forms import check_whole_number
from splendor_nb.engine.options import Components, Rules
from splendor_nb.engine.position import Tables, tables_for
from splendor_nb.engine.records import Fault
from splendor_nb.engine.rng import checked_seed

MOST_GAMES = 1_000_000_000


@dataclass(frozen=True)
class Setup:
    """What is simulated, apart from the agents' code.

    Attributes
    ----------
    agents
        Their names in the order of the list, numbered where one comes twice.
    kinds
        The name of each in the registry, or of its function or class.
    sources
        A hash of the source of each that is not in the registry, where it has one.
    games, seed
        How many games, and the master seed.
    rotate
        Whether the agents change seats over the same deals.
    components, rules
        What the games are played with.
    """

    agents: tuple[str, ...]
    kinds: tuple[str, ...]
    sources: tuple[str | None, ...]
    games: int
    seed: int
    rotate: bool
    components: Components
    rules: Rules

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.agents)

    @property
    def tables(self) -> Tables:
        """The tables that the games are played with."""
        return tables_for(self.components, self.rules)

    def deal(self, game: int) -> int:
        """Return the number of the deal of a game."""
        return game // self.players if self.rotate else game

    def rotation(self, game: int) -> int:
        """Return the rotation of a game: seat i has agent (i + rotation) mod players."""
        return game % self.players if self.rotate else 0


class Chunk(NamedTuple):
    """Some games in a row that have been played.

    Attributes
    ----------
    first
        The number of the first game.
    turns, ended
        By game: its turns, and how it ended, as a number of the rules or `playouts.FORFEITED`.
    outcomes
        By game and seat, the columns of `playouts`.
    log, ends
        The actions of all games as numbers, and where each game ends among them.
    faults
        Each with the number of its game.
    """

    first: int
    turns: np.ndarray[Any, Any]
    ended: np.ndarray[Any, Any]
    outcomes: np.ndarray[Any, Any]
    log: np.ndarray[Any, Any]
    ends: np.ndarray[Any, Any]
    faults: list[tuple[int, Fault]]

    @property
    def games(self) -> int:
        """How many games it holds."""
        return len(self.turns)


def read_agents(agents: Any, players: int | None) -> tuple[tuple[AgentLike, ...], bool]:
    """Return one agent for each seat, and whether there is but one for all of them.

    Raises
    ------
    TypeError, ValueError
        Where they are not 2 to 4, or not as many as `players`.
    """
    if isinstance(agents, str) or not isinstance(agents, Sequence):
        agents = (agents,)
    if players is not None:
        players = check_whole_number("players", players, 2, 4)
    if len(agents) == 1:
        return tuple(agents) * (players or 2), True
    check_whole_number("The number of agents", len(agents), 2, 4)
    if players not in (None, len(agents)):
        raise ValueError(f"players is {players}, but {len(agents)} agents came.")
    return tuple(agents), False


def make_setup(
    agents: tuple[AgentLike, ...],
    *,
    games: int,
    seed: int | None,
    rotate: bool,
    components: Components,
    rules: Rules,
) -> Setup:
    """Return what is simulated, with everything checked.

    Raises
    ------
    TypeError, ValueError
        For what is not allowed; the message names what is.
    """
    for number, agent in enumerate(agents):
        if isinstance(agent, str) and agent == HUMAN:
            raise ValueError(f"Agent {number}: people play on the board; use play().")
        if not (isinstance(agent, type) and _makes_agents(agent)):
            resolve_agent(agent, number)
    return Setup(
        agents=tuple(seat_names(agents)),
        kinds=tuple(agent_name(agent) for agent in agents),
        sources=tuple(source_of(agent) for agent in agents),
        games=check_whole_number("games", games, 1, MOST_GAMES),
        seed=checked_seed(seed),
        rotate=rotate,
        components=components,
        rules=rules,
    )


def _makes_agents(given: type) -> bool:
    """Return whether what a class makes can be called; it is made when it is first asked."""
    return any("__call__" in vars(base) for base in given.__mro__)


def source_of(agent: Any) -> str | None:
    """Return a hash of an agent's source, `None` for a name or where there is no source to read."""
    if isinstance(agent, str):
        return None
    code = agent if inspect.isfunction(agent) or isinstance(agent, type) else type(agent)
    try:
        return hashlib.sha256(inspect.getsource(code).encode()).hexdigest()[:16]
    except (OSError, TypeError):
        return None
