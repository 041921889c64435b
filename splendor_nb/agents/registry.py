"""What an agent is, and the agents that have a name."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any, Protocol, runtime_checkable

from splendor_nb.agents.champion import ChampionAgent
from splendor_nb.agents.deciders import PolicyAgent
from splendor_nb.agents.search import LEVELS, SearchAgent
from splendor_nb.engine.forms import quoted, shortened
from splendor_nb.engine.rng import Rng
from splendor_nb.engine.state import Observation

HUMAN = "human"


@runtime_checkable
class Agent(Protocol):
    """Any callable that gets what its seat may know and a generator, and returns an action."""

    def __call__(self, observation: Observation, rng: Rng, /) -> str:
        """Return one of ``observation.legal_actions()``, or its text."""


def _policy(name: str) -> Callable[..., Agent]:
    return lambda: PolicyAgent(name)


def _planner(*, weights: Mapping[str, float] | None = None) -> Agent:
    return PolicyAgent("planner", weights)


def _search(
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    trees: int = 1,
    worlds: int = 4,
    explore: float = 1.0,
    reduction: float = 0.2,
    weights: Mapping[str, float] | None = None,
) -> Agent:
    return SearchAgent(**locals())


def _champion(
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    trees: int = LEVELS["champion"]["trees"],
    worlds: int = 4,
    explore: float = 1.0,
    reduction: float = 0.2,
    weights: Mapping[str, float] | None = None,
) -> Agent:
    return ChampionAgent(**locals())


def _level(name: str) -> Callable[..., Agent]:
    return lambda: SearchAgent(name=name, **LEVELS[name])


AGENTS: dict[str, Callable[..., Agent]] = {
    **{name: _policy(name) for name in ("random", "greedy")},
    "planner": _planner,
    "search": _search,
    **{name: _level(name) for name in LEVELS},
    "champion": _champion,
}


def get_agent(name: str, **settings: Any) -> Agent:
    """Return the agent of that name.

    Parameters
    ----------
    name
        ``"random"``: any legal action, each with the same chance. ``"greedy"``: buys what it can,
        and saves for the best target (`policies.choose_greedy`). ``"planner"``: looks at every
        action of its own turn (`planner.choose_planner`). ``"search"``: searches a tree of what
        may happen (`SearchAgent`). ``"champion"``: the same with a trained network in the
        planner's place (`ChampionAgent`). ``"easy"``, ``"medium"``, ``"hard"``: levels for people,
        searches of 2, 30 and 300 iterations; the champion has 3000.
    **settings
        What the agent takes: `weights` for the planner (`planner_weights` names them);
        `iterations` or `seconds`, `trees`, `worlds`, `explore`, `reduction`, `weights` for the
        search and the champion, see `SearchAgent`; nothing for the others.

    Raises
    ------
    ValueError, TypeError
        For a name or a setting that does not exist; the message names those that do.

    Examples
    --------
    >>> from splendor_nb import Rng, get_agent, new_game
    >>> get_agent("random")(new_game(players=2, seed=7).observation(0), Rng(1))
    reserve 3W3
    """
    if name not in tuple(AGENTS):  # which needs no hash
        raise ValueError(f"There is no agent {shortened(name)}; there are {quoted(AGENTS)}.")
    known = tuple(inspect.signature(AGENTS[name]).parameters)
    unknown = [setting for setting in settings if setting not in known]
    if unknown and not known:
        raise TypeError(f"The agent {name!r} takes no settings, not {quoted(unknown)}.")
    if unknown:
        raise TypeError(f"The agent {name!r} takes {quoted(known)}, not {quoted(unknown)}.")
    return AGENTS[name](**settings)


def agent_name(agent: object) -> str:
    """Return how an agent is called: its own `name`, or that of its function or class."""
    if isinstance(agent, str):
        return agent
    name = getattr(agent, "name", None) or getattr(agent, "__name__", None)
    return name if isinstance(name, str) else type(agent).__name__
