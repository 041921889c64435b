"""Where agents work: their settings, scratch positions and trees, as plain lists or as numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

from splendor_nb.agents import network, tree
from splendor_nb.agents.evaluation import FEATURES
from splendor_nb.engine import rules
from splendor_nb.engine.compiled import has_numba, pack_position
from splendor_nb.engine.position import Position, Tables

SEATS = 4
MOST_NOBLES = rules.PAY_GOLD - rules.NOBLE
MOST_LEGAL = 60  # actions of one decision: 30 takes, 15 reserves, 15 buys
MOST_NODES = 1 << 16  # of a tree: 6 MB
MOST_EDGES = 3 << 19  # of a tree: 63 MB, 24 for each node; a tree is full when either is used up

Fields = dict[str, tuple[str, tuple[int, ...]]]

AGENT: Fields = {
    "policy": ("i8", ()),
    "judge": ("i8", ()),
    "worlds": ("i8", ()),
    "explore": ("f8", ()),
    "reduction": ("f8", ()),
    "tries": ("i8", ()),
    "insisted": ("i8", ()),  # one more than the action that must be looked at; 0 for none
    "weights": ("f8", (FEATURES,)),
}
NODE: Fields = {
    "seat": ("i8", ()),
    "visits": ("i8", ()),
    "first": ("i8", ()),
    "n_edges": ("i8", ()),
    "next": ("i8", ()),
    "outcome": ("i8", ()),
    "mark": ("i8", ()),
    "value": ("f8", ()),
    "shares": ("f8", (SEATS,)),
}
EDGE: Fields = {
    "action": ("i8", ()),
    "visits": ("i8", ()),
    "child": ("i8", ()),
    "prior": ("f8", ()),
    "value": ("f8", ()),
}


NETWORK: Fields = {
    "f": ("f4", (network.ROWS, network.WIDTH)),
    "noble_cost": ("i8", (MOST_NOBLES, 5)),
    "n_nobles": ("i8", (1,)),
    "shown": ("i8", (network.PLACES,)),
    "places": ("i8", (network.WIDTH * network.GIST + 4,)),
    "values": ("f4", (network.WIDTH * network.GIST + 4,)),
}


class Room(NamedTuple):
    """Where agents work, as `ladder.decide` takes it; one thread at a time.

    Attributes
    ----------
    agents
        A row for each agent: policy, settings, weights.
    desk
        What is written down in passing: features, chances, votes, counters.
    positions
        Scratch positions: what is seen, what is tried, what is walked on, then the worlds.
    nodes, edges
        The tree that grows.
    network
        The numbers of the network, and where it works; all 0 where it is not used.
    """

    agents: Any
    desk: Any
    positions: Any
    nodes: Any
    edges: Any
    network: Any


def make_room(
    tables: Tables,
    players: int,
    agents: Sequence[Mapping[str, Any]],
    *,
    nodes: int = 1,
    learned: Any = None,
    plain: bool = False,
) -> Room:
    """Return a room for agents in games of these tables.

    Parameters
    ----------
    agents
        For each a row of settings by name, the columns of `AGENT`; what is missing is 0.
    nodes
        How many positions its tree has room for.
    learned
        The rows of the network that it has learned, where an agent uses it.
    plain
        Whether plain functions will work in it though Numba is installed.
    """
    compiled = not plain and has_numba()
    edges = min(max(nodes * MOST_LEGAL, rules.ACTIONS), MOST_EDGES)
    costs = [list(noble.cost.values()) for noble in tables.components.nobles]
    desk = {
        "noble_cost": costs + [[0] * 5] * (MOST_NOBLES - len(costs)),
        "total_cost": [*map(sum, tables.cost), 0, 0, 0, 0],
        "most_nodes": nodes,
        "most_edges": edges,
    }
    scratch = [Position(tables, players) for _ in range(tree.FIRST_WORLD + tree.MOST_WORLDS)]
    fields = _desk_fields(tables)
    if not compiled:
        rows, (table,) = _objects(AGENT, agents), _objects(fields, [desk])
        net = None if learned is None else _arrays(costs, learned)
        return Room(rows, table, scratch, _Pool(NODE), _Pool(EDGE), net)
    rows, (table,) = _records(AGENT, agents), _records(fields, [desk])
    packed = _packed(scratch, tables)
    (net,) = _records(NETWORK, [{}])
    if learned is not None:
        net["f"][: network.LEARNED] = learned
        net["noble_cost"][: len(costs)] = costs
    return Room(rows, table, packed, _records(NODE, nodes), _records(EDGE, edges), net)


def _arrays(costs: Sequence[Sequence[int]], learned: Any) -> SimpleNamespace:
    """Return the network's rows and space as arrays by name."""
    import numpy as np

    net = {name: np.zeros(shape, kind) for name, (kind, shape) in NETWORK.items()}
    net["f"][: network.LEARNED] = learned
    net["noble_cost"][: len(costs)] = costs
    return SimpleNamespace(**net)


def _desk_fields(tables: Tables) -> Fields:
    cards = tables.empty + rules.PAIR_NEEDS
    numbers = (
        *("owner", "first_turn", "descents", "depth", "outcome"),
        *("n_nodes", "n_edges", "most_nodes", "most_edges"),
    )
    return {
        **dict.fromkeys(numbers, ("i8", ())),
        "chances": ("f8", (rules.ACTIONS,)),
        "features": ("f8", (FEATURES,)),
        "moves": ("i8", (rules.ACTIONS,)),
        "noble_cost": ("i8", (MOST_NOBLES, 5)),
        "offered": ("i8", (rules.ACTIONS,)),
        "outlook": ("f8", (SEATS,)),
        "path": ("i8", (tree.LONGEST,)),
        "seen": ("i8", (cards,)),
        "scores": ("f8", (SEATS,)),
        "shares": ("f8", (SEATS,)),
        "steps": ("i8", (tree.LONGEST,)),
        "stream": ("i8", (1,)),
        "total_cost": ("i8", (cards,)),
        "unseen": ("i8", (cards,)),
    }


def _records(fields: Fields, rows: Sequence[Mapping[str, Any]] | int) -> Any:
    """Return a numpy record for each row, or so many empty ones; what a row lacks is 0."""
    import numpy as np

    kinds = [(name, kind, shape) for name, (kind, shape) in fields.items()]
    # Memory that nothing has been written to yet costs nothing.
    records = np.zeros(rows if isinstance(rows, int) else len(rows), np.dtype(kinds, align=True))
    for i, row in enumerate(() if isinstance(rows, int) else rows):
        for name, value in row.items():
            records[i][name] = value
    return records


def _packed(scratch: list[Position], tables: Tables) -> Any:
    import numpy as np

    return np.concatenate([pack_position(position, tables) for position in scratch])


def _objects(fields: Fields, rows: Sequence[Mapping[str, Any]]) -> list[SimpleNamespace]:
    """Return the same as plain objects with lists."""
    return [_object(fields, row) for row in rows]


def _object(fields: Fields, row: Mapping[str, Any]) -> SimpleNamespace:
    empty = {
        name: [0.0 if kind == "f8" else 0] * shape[0] if shape else 0
        for name, (kind, shape) in fields.items()
    }
    return SimpleNamespace(**(empty | dict(row)))


class _Pool(dict[int, SimpleNamespace]):
    """Nodes or edges by number, made when first used: room for all would fill the memory."""

    def __init__(self, fields: Fields) -> None:
        super().__init__()
        self._fields = fields

    def __missing__(self, number: int) -> SimpleNamespace:
        self[number] = one = _object(self._fields, {})
        return one


def insist(room: Room, action: int | None) -> None:
    """Have a quarter of the descents of a tree begin with an action; with `None`, none."""
    row, number = room.agents[0], 0 if action is None else action + 1
    if isinstance(row, SimpleNamespace):
        row.insisted = number
    else:
        row["insisted"] = number


def read(record: Any) -> Any:
    """Return a numpy record as plain numbers by name; what is plain already comes back as it is."""
    names = getattr(getattr(record, "dtype", None), "names", None)
    if names is None:
        return record
    return SimpleNamespace(**dict(zip(names, record.item(), strict=True)))
