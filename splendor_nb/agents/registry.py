"""What an agent is, and the agents that have a name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

from splendor_nb.agents import policies
from splendor_nb.engine import rules
from splendor_nb.engine.forms import quoted, shortened
from splendor_nb.engine.notation import Action, write_action
from splendor_nb.engine.rng import Rng
from splendor_nb.engine.state import Observation

HUMAN = "human"


@runtime_checkable
class Agent(Protocol):
    """Any callable that gets what its seat may know and a generator, and returns an action."""

    def __call__(self, observation: Observation, rng: Rng, /) -> str:
        """Return one of ``observation.legal_actions()``, or its text."""


class PolicyAgent:
    """An agent that decides by a policy: a function on numbers that also compiles.

    Attributes
    ----------
    name
        The name in the registry.
    """

    def __init__(self, name: str, policy: Callable[..., int]) -> None:
        self.name = name
        self._policy = policy

    def __call__(self, observation: Observation, rng: Rng) -> Action:
        """Return the action that the policy chooses.

        Raises
        ------
        ValueError
            Where the decision is not the observation's seat's.
        """
        if observation.player != observation.current_player:
            raise ValueError(f"Seat {observation.player} has no decision to take now.")
        s, t = observation.numbers(), observation.tables
        legal = [0] * rules.ACTIONS
        count = rules.legal_actions(s, t, legal)
        return write_action(s, t, self._policy(s, t, rng.stream_state, legal, count))

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


AGENTS: dict[str, Callable[..., Agent]] = {
    "random": lambda: PolicyAgent("random", policies.choose_random),
    "greedy": lambda: PolicyAgent("greedy", policies.choose_greedy),
}


def get_agent(name: str, **settings: Any) -> Agent:
    """Return the agent of that name.

    Parameters
    ----------
    name
        ``"random"``: any legal action, each with the same chance. ``"greedy"``: buys what it can,
        and saves for the best target (`policies.choose_greedy`).
    **settings
        What the agent takes; these two take none.

    Raises
    ------
    ValueError, TypeError
        For a name or a setting that does not exist; the message names those that do.

    Examples
    --------
    >>> from splendor_nb import Rng, get_agent, new_game
    >>> get_agent("random")(new_game(players=2, seed=7).observation(0), Rng(1))
    take WW
    """
    if name not in tuple(AGENTS):  # which needs no hash
        raise ValueError(f"There is no agent {shortened(name)}; there are {quoted(AGENTS)}.")
    if settings:
        raise TypeError(f"The agent {name!r} takes no settings, not {quoted(settings)}.")
    return AGENTS[name]()


def agent_name(agent: object) -> str:
    """Return how an agent is called: its own `name`, or that of its function or class."""
    if isinstance(agent, str):
        return agent
    name = getattr(agent, "name", None) or getattr(agent, "__name__", None)
    return name if isinstance(name, str) else type(agent).__name__
