"""What a search has found out: read from its trees when they have grown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import SimpleNamespace

from splendor_nb.agents.rooms import Room, read
from splendor_nb.engine import rules
from splendor_nb.engine.notation import Action, write_action
from splendor_nb.engine.position import Position, Tables

LONGEST_LINE = 12


@dataclass(frozen=True, slots=True)
class Candidate:
    """What a search found out about one action.

    Attributes
    ----------
    action
        The action.
    visits
        How many descents of all trees went through it.
    value
        The mean chance of winning that they brought the seat, 0 to 1; `None` without any.
    error
        Its standard error, from the differences between the trees; `None` where fewer than two
        trees have tried it.
    prior
        The share that the planner, or the network of a champion, would give it at once.
    line
        What is expected to happen: the action, then the most visited path, of up to 12 actions,
        as far as it names no card that nobody has seen yet.
    """

    action: Action
    visits: int
    value: float | None
    error: float | None
    prior: float
    line: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Thoughts:
    """What a search thinks of a position.

    Attributes
    ----------
    player
        The seat that decides.
    candidates
        All legal actions, the chosen one first, then by visits.
    value
        The mean chance of winning of the seat over all descents.
    iterations
        How many positions were looked at, over all trees.
    elapsed_s
        How long it took.
    stopped
        Whether somebody stopped it before its budget was used up.
    """

    player: int
    candidates: tuple[Candidate, ...]
    value: float
    iterations: int
    elapsed_s: float
    stopped: bool

    @property
    def action(self) -> Action:
        """The action that the search chooses: the most visited one."""
        return self.candidates[0].action


def best_action(rooms: Sequence[Room]) -> int:
    """Return the number of the most visited action of all trees; ties: worth, then list order."""
    return min(_votes([_ways(room, 0) for room in rooms]))[-1]


def list_candidates(s: Position, t: Tables, rooms: Sequence[Room]) -> tuple[Candidate, ...]:
    """Return what the trees say of each action, the best first.

    Parameters
    ----------
    s
        The position at their root, as its seat may know it.
    """
    trees = [_ways(room, 0) for room in rooms]
    found = []
    for votes, worth, number in sorted(_votes(trees)):
        ways = [by_action[number] for by_action in trees]
        busiest = max(range(len(ways)), key=lambda i: ways[i].visits)
        found.append(
            Candidate(
                action=write_action(s, t, number),
                visits=-votes,
                value=worth / votes if votes else None,
                error=_error([way.value / way.visits for way in ways if way.visits]),
                prior=ways[0].prior,
                line=_line(s, t, rooms[busiest], ways[busiest]),
            )
        )
    return tuple(found)


def mean_value(rooms: Sequence[Room]) -> float:
    """Return the mean chance of winning of the seat at the root."""
    roots = [read(room.nodes[0]) for room in rooms]
    return float(sum(root.value for root in roots) / sum(root.visits for root in roots))


def count_positions(rooms: Sequence[Room]) -> int:
    """Return how many positions the trees have looked at."""
    return sum(read(room.desk).descents + 1 for room in rooms)


Ways = dict[int, SimpleNamespace]


def _ways(room: Room, node: int) -> Ways:
    """Return the edges of a node by the number of their action."""
    start = read(room.nodes[node])
    edges = [read(room.edges[i]) for i in range(start.first, start.first + start.n_edges)]
    return {edge.action: edge for edge in edges}


def _votes(trees: Sequence[Ways]) -> list[tuple[int, float, int]]:
    """Return visits and worth, both negative so that the best is least, and number of actions."""
    return [
        (-sum(ways[n].visits for ways in trees), -sum(ways[n].value for ways in trees), n)
        for n in trees[0]
    ]


def _error(means: Sequence[float]) -> float | None:
    """Return the standard error of the mean of what several trees say."""
    n = len(means)
    if n < 2:
        return None
    mean = sum(means) / n
    return float((sum((x - mean) ** 2 for x in means) / (n - 1) / n) ** 0.5)


def _line(s: Position, t: Tables, room: Room, way: SimpleNamespace) -> tuple[Action, ...]:
    """Return the most visited path from an edge of the root, up to the first unseen card."""
    s = s.copy()
    line: list[Action] = []
    following: SimpleNamespace | None = way
    while following is not None and len(line) < LONGEST_LINE:
        if not _names_known_card(s, t, following.action):
            break
        line.append(write_action(s, t, following.action))
        rules.apply_action(s, t, following.action)
        following = _next_way(room, following.child)
    return tuple(line)


def _next_way(room: Room, child: int) -> SimpleNamespace | None:
    """Return the most visited edge of the most visited of an edge's outcomes."""
    best, most = -1, 0
    while child >= 0:
        node = read(room.nodes[child])
        if node.visits > most:
            best, most = child, node.visits
        child = node.next
    tried = [] if best < 0 else [way for way in _ways(room, best).values() if way.visits]
    return max(tried, key=lambda way: int(way.visits), default=None)


def _names_known_card(s: Position, t: Tables, action: int) -> bool:
    """Tell whether an action names no card, or one that has been seen."""
    if rules.BUY <= action < rules.RETURN:
        return bool(rules.card_of(s, action) < t.empty)
    if rules.RESERVE <= action < rules.RESERVE_UNSEEN:
        return s.market[action - rules.RESERVE] < t.empty
    return True
