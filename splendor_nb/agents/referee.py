"""The referee: asks an agent, checks what it answers, and plays whole games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from splendor_nb.agents.registry import HUMAN, Agent, agent_name, get_agent
from splendor_nb.engine.errors import NotationError
from splendor_nb.engine.forms import check_whole_number, quoted, shortened
from splendor_nb.engine.notation import Action
from splendor_nb.engine.records import Fault, GameRecord, Player
from splendor_nb.engine.rng import Rng, checked_seed
from splendor_nb.engine.state import Observation, State, new_game

AgentLike = str | Agent


def ask(agent: Callable[[Observation, Rng], object], state: State, rng: Rng) -> Action | Fault:
    """Return what the agent of the seat to move answers, or what it did wrong.

    The agent gets an observation of its own: nothing that it does to it reaches the game.

    Raises
    ------
    ValueError
        Where the game is over.
    """
    seat, turn = state.current_player, state.turn
    if seat is None:
        raise ValueError("The game is over: there is nobody to ask.")
    try:
        answer = agent(state.observation(seat), rng)
    except (Exception, SystemExit, GeneratorExit) as error:  # noqa: BLE001  (foreign code)
        text = f"{type(error).__name__}: {shortened(_shown(error, str), 200)}"
        return Fault(seat, turn, "exception", text)
    if not isinstance(answer, str):
        text = f"An action is a text such as 'take WUG', not {_shown(answer, shortened)}."
        return Fault(seat, turn, "unreadable", text)
    try:
        reason = state.why_illegal(answer)
    except NotationError as error:
        return Fault(seat, turn, "unreadable", str(error))
    action = Action(answer)
    return action if reason is None else Fault(seat, turn, "illegal", f"{action}: {reason}")


def _shown(thing: object, show: Callable[[object], str]) -> str:
    """Return how something from an agent shows itself, or what it is where it cannot."""
    try:
        return show(thing)
    except Exception:  # noqa: BLE001  (foreign code again)
        return f"a {type(thing).__name__} that cannot be shown"


def play_game(
    agents: Sequence[AgentLike],
    *,
    seed: int | None = None,
    rules: Any = "standard",
    first_player: int | str = 0,
    start: State | None = None,
    substitute: AgentLike | None = None,
    **options: Any,
) -> GameRecord:
    """Return a game played to its end by agents, one for each seat.

    Parameters
    ----------
    agents
        Names or callables, 2 to 4; seat 0 first.
    seed
        Any integer from 0, for the deal and the agents; `None` draws one.
    rules, first_player, **options
        As for `new_game`; also ``cards``, ``nobles``, ``tokens``.
    start
        A position to play from, in place of a fresh deal.
    substitute
        An agent that moves in place of one that made a fault; without it, the fault ends the game
        (``end_reason`` ``"forfeit"``).

    Raises
    ------
    TypeError, ValueError
        For what is not allowed; the message names what is.

    Examples
    --------
    >>> play_game(["greedy", "random"], seed=1).result.winners
    (0,)
    """
    if isinstance(agents, str) or not isinstance(agents, Sequence):
        raise TypeError(f"agents is a list, one for each seat, not {shortened(agents)}.")
    players = [resolve_agent(agent, seat) for seat, agent in enumerate(agents)]
    seed = checked_seed(seed)
    if start is not None:
        refuse_useless(
            "A start has been dealt already", rules=rules, first_player=first_player, **options
        )
    if start is None:
        check_whole_number("The number of agents", len(players), 2, 4)
        start = new_game(len(players), seed=seed, rules=rules, first_player=first_player, **options)
    elif len(players) != start.players:
        raise ValueError(f"The position has {start.players} seats; {len(players)} agents came.")
    helper = None if substitute is None else resolve_agent(substitute, len(players))
    names = seat_names(agents)
    seats = [Player(name, agent_name(agent)) for name, agent in zip(names, agents, strict=True)]
    return _play(start, players, seats, seed, helper)


def resolve_agent(agent: Any, seat: int) -> Agent:
    """Return the callable for a name or a callable; a class is called to make an agent.

    Raises
    ------
    TypeError, ValueError
        Where it is neither, or there is no agent of that name.
    """
    if isinstance(agent, str):
        if agent == HUMAN:
            raise ValueError(f"Seat {seat}: 'human' needs the board; use play().")
        return get_agent(agent)
    if isinstance(agent, type):
        return resolve_agent(agent(), seat)
    if not callable(agent):
        raise TypeError(
            f"Seat {seat}: an agent is a name or a callable agent(observation, rng), "
            f"not {shortened(agent)}."
        )
    called: Agent = agent
    return called


def refuse_useless(because: str, **arguments: Any) -> None:
    """Refuse arguments that would mean nothing.

    Raises
    ------
    TypeError
        With the names of those that differ from what is taken without them.
    """
    usual = {"rules": "standard", "first_player": 0}
    useless = [
        name
        for name, value in arguments.items()
        if value is not None
        and not (name in usual and value == usual[name] and not isinstance(value, bool))
    ]
    if useless:
        raise TypeError(f"{because}: leave out {quoted(useless)}.")


def seat_names(agents: Sequence[AgentLike]) -> list[str]:
    """Return the names of the agents, numbered where one plays several seats.

    Examples
    --------
    >>> seat_names(["greedy", "random", "greedy"])
    ['greedy', 'random', 'greedy#2']
    """
    seen: Counter[str] = Counter()
    names = []
    for agent in agents:
        name = agent_name(agent)
        seen[name] += 1
        numbered = name if seen[name] == 1 else f"{name}#{seen[name]}"
        while numbered in names:  # somebody calls an agent greedy#2
            seen[name] += 1
            numbered = f"{name}#{seen[name]}"
        names.append(numbered)
    return names


def seat_rng(seed: int, seat: int, deal: int = 0) -> Rng:
    """Return the stream of the agent at a seat under a master seed, for one deal."""
    return Rng.stream(seed, deal, seat + 1)


def _play(
    start: State, agents: Sequence[Agent], seats: Sequence[Player], seed: int, helper: Agent | None
) -> GameRecord:
    rngs = [seat_rng(seed, seat) for seat in range(len(agents))]
    state, actions, faults, forfeited = start, [], [], False
    while (seat := state.current_player) is not None:
        answer = ask(agents[seat], state, rngs[seat])
        if isinstance(answer, Fault):
            faults.append(answer)
            answer = answer if helper is None else ask(helper, state, rngs[seat])
        if isinstance(answer, Fault):
            forfeited = True
            break
        actions.append(answer)
        state = state.apply(answer)
    return GameRecord(start, tuple(actions), tuple(seats), seed, tuple(faults), forfeited)
