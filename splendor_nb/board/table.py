"""The table: who sits where, and how a game begins there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from splendor_nb.agents.referee import AgentLike, resolve_agent, seat_names
from splendor_nb.agents.registry import HUMAN, Agent, agent_name
from splendor_nb.board.words import Words
from splendor_nb.engine.forms import check_whole_number, shortened
from splendor_nb.engine.records import Player
from splendor_nb.engine.state import State, new_game


@dataclass(frozen=True, slots=True)
class Table:
    """Who plays, and how a game begins.

    Attributes
    ----------
    seats
        Who sits where; a person's agent is ``human``.
    agents
        The agent of each seat; `None` for a person.
    deal
        The first position for a seed.
    start
        That position, where every game begins from the same one; `None` where games are dealt.
    """

    seats: tuple[Player, ...]
    agents: tuple[Agent | None, ...]
    deal: Callable[[int], State]
    start: State | None = None


def make_table(
    lineup: Sequence[AgentLike],
    words: Words,
    *,
    names: Sequence[str] | None = None,
    start: State | None = None,
    **deal_options: Any,
) -> Table:
    """Return the table at which a lineup plays.

    Parameters
    ----------
    lineup
        Who plays, in seat order; ``"human"`` for every person.
    words
        The language of default names.
    names
        The names of the seats; any text.
    start
        The position from which every game begins, in place of a fresh deal.
    **deal_options
        What `new_game` takes beside players and seed.

    Raises
    ------
    TypeError, ValueError
        For what is not allowed; the message names what is.
    """
    least, most = (start.players, start.players) if start else (2, 4)
    check_whole_number("The number of players", len(lineup), least, most)
    called = _default_names(lineup, words) if names is None else _checked_names(names, len(lineup))
    seats = [Player(name, agent_name(who)) for name, who in zip(called, lineup, strict=True)]
    agents = [
        None if is_human(who) else resolve_agent(who, seat) for seat, who in enumerate(lineup)
    ]

    def deal(seed: int) -> State:
        return start or new_game(len(lineup), seed=seed, **deal_options)

    deal(0)  # so that a wrong option is refused now, not at the first deal
    return Table(tuple(seats), tuple(agents), deal, start)


def is_human(who: AgentLike) -> bool:
    """Return whether a person is meant."""
    return isinstance(who, str) and who == HUMAN


def _default_names(lineup: Sequence[AgentLike], words: Words) -> list[str]:
    people = [seat for seat, who in enumerate(lineup) if is_human(who)]
    names = seat_names(lineup)
    for number, seat in enumerate(people, start=1):
        names[seat] = words("name.player", number=number) if people[1:] else words("name.you")
    return names


def _checked_names(names: Any, seats: int) -> Sequence[str]:
    is_list = isinstance(names, Sequence) and not isinstance(names, str)
    if not is_list or not all(isinstance(name, str) for name in names):
        raise TypeError(f"names is a list of texts, one for each seat, not {shortened(names)}.")
    if len(names) != seats:
        raise ValueError(f"names is one text for each of {seats} seats, not {len(names)} texts.")
    return tuple(names)
