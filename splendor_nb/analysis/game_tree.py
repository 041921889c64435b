"""The extensive form of a game: who decides, what is chance, what is known, what comes out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

import pandas as pd

from splendor_nb.analysis.solve import check_running
from splendor_nb.analysis.successors import (
    after,
    legal_numbers,
    outcomes,
    revealed_level,
    shares,
)
from splendor_nb.engine import rules
from splendor_nb.engine.cards import join_words
from splendor_nb.engine.forms import check_whole_number
from splendor_nb.engine.notation import write_action
from splendor_nb.engine.position import Position, Tables
from splendor_nb.engine.state import State

MOST_NODES = 20_000
Kind = Literal["decision", "chance", "end", "cut"]
History = tuple[str, ...]


@dataclass(slots=True)
class Node:
    """A node of the tree.

    Attributes
    ----------
    number, parent
        Its place in `GameTree.nodes`, and that of the node before it; -1 at the root.
    kind
        ``decision``, ``chance``, ``end`` of the game, or ``cut`` where the depth is reached.
    label
        What led here: an action, or the card that was revealed.
    chance
        With what probability a chance node before it leads here; 1 after a decision.
    seat
        Who decides; -1 at other nodes.
    information_set
        A number that the nodes share which the seat cannot tell apart; -1 at other nodes.
    payoffs
        What each seat gets at an end; at a cut, what it would get as it stands.
    children
        The nodes that follow.
    values
        What the node is worth to each seat by backward induction; empty where that says nothing.
    """

    number: int
    parent: int
    kind: Kind
    label: str
    chance: Fraction
    seat: int = -1
    information_set: int = -1
    payoffs: tuple[Fraction, ...] = ()
    children: list[int] = field(default_factory=list)
    values: tuple[Fraction, ...] = ()


class GameTree:
    """The extensive form of a game from a position on.

    Attributes
    ----------
    players
        The number of seats.
    tree
        All nodes, each after the one before it.
    has_perfect_information
        Whether every seat can tell all nodes apart at which it decides.

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> tree = game_tree(tiny_games()["surprise"].start, 1)
    >>> len(tree), tree.has_perfect_information
    (14, True)
    """

    def __init__(self, tree: list[Node], players: int) -> None:
        self.players = players
        self.tree = tree
        sets = [node.information_set for node in tree if node.kind == "decision"]
        self.has_perfect_information = len(sets) == len(set(sets))
        if self.has_perfect_information:
            for node in reversed(tree):
                node.values = self._value(node)

    def __len__(self) -> int:
        return len(self.tree)

    def __repr__(self) -> str:
        kinds = [node.kind for node in self.tree]
        counts = [f"{kinds.count(kind)} {kind}" for kind in ("decision", "chance", "end", "cut")]
        return f"<game tree of {len(self)} nodes: {join_words(counts)}>"

    @property
    def nodes(self) -> pd.DataFrame:
        """The tree as a table, one row a node.

        Columns: ``node``, ``parent`` (-1 at the root), ``depth``, ``kind``, ``label`` (the action
        or the card that led here), ``chance``, ``seat`` (-1 but at decisions), ``information_set``
        (-1 but at decisions), and for each seat ``payoff_0`` … (at ends and cuts) and ``value_0``
        … (by backward induction), shares of a win as floats.
        """
        depths: list[int] = []
        rows: list[dict[str, Any]] = []
        for node in self.tree:
            depths.append(depths[node.parent] + 1 if node.parent >= 0 else 0)
            rows.append(
                {
                    "node": node.number,
                    "parent": node.parent,
                    "depth": depths[-1],
                    "kind": node.kind,
                    "label": node.label,
                    "chance": float(node.chance),
                    "seat": node.seat,
                    "information_set": node.information_set,
                    **self._by_seat("payoff", node.payoffs),
                    **self._by_seat("value", node.values),
                }
            )
        return pd.DataFrame(rows)

    def backward_induction(self) -> pd.DataFrame:
        """Return how the root's value is found, one row a step, from the ends to the root.

        Columns: ``step``, ``node``, ``seat`` (-1 where chance averages), ``action`` (what the seat
        takes), ``others`` (what it leaves, with what that is worth to it), and ``value_0`` … for
        each seat.

        Raises
        ------
        ValueError
            Where a seat cannot tell nodes apart: what is best at one of them then depends on
            what it believes.
        """
        if not self.has_perfect_information:
            raise ValueError(
                "Backward induction needs every seat to know where it is; here information sets "
                "hold several nodes."
            )
        inner = [node for node in reversed(self.tree) if node.children]
        steps = [{"step": step, **self._step(node)} for step, node in enumerate(inner, start=1)]
        return pd.DataFrame(steps)

    def best_child(self, number: int) -> int | None:
        """Return the node to which the seat at a node moves; `None` where no seat does.

        Examples
        --------
        >>> from splendor_nb.analysis.tiny_games import tiny_games
        >>> tree = game_tree(tiny_games()["blackboard"].start)
        >>> tree.tree[tree.best_child(0)].label
        'take WU'
        """
        node = self.tree[number]
        if node.kind != "decision" or not node.values:
            return None
        worth = [self.tree[child].values[node.seat] for child in node.children]
        return node.children[worth.index(max(worth))]

    def information_sets(self) -> dict[int, list[int]]:
        """Return the nodes of each information set, those with several nodes only."""
        sets: dict[int, list[int]] = {}
        for node in self.tree:
            if node.kind == "decision":
                sets.setdefault(node.information_set, []).append(node.number)
        return {number: nodes for number, nodes in sets.items() if len(nodes) > 1}

    def _value(self, node: Node) -> tuple[Fraction, ...]:
        if not node.children:
            return node.payoffs
        reached = [self.tree[child] for child in node.children]
        if node.kind == "decision":
            return max((child.values for child in reached), key=lambda worth: worth[node.seat])
        return tuple(
            sum((child.chance * child.values[seat] for child in reached), Fraction(0))
            for seat in range(self.players)
        )

    def _step(self, node: Node) -> dict[str, Any]:
        best = self.best_child(node.number)
        others = [self.tree[child] for child in node.children if child != best]
        worth = [f"{other.label} ({other.values[node.seat]})" for other in others]
        return {
            "node": node.number,
            "seat": node.seat,
            "action": "" if best is None else self.tree[best].label,
            "others": "" if best is None else ", ".join(worth),
            **self._by_seat("value", node.values),
        }

    def _by_seat(self, what: str, numbers: tuple[Fraction, ...]) -> dict[str, float]:
        given = map(float, numbers) if numbers else [float("nan")] * self.players
        return {f"{what}_{seat}": number for seat, number in enumerate(given)}


def game_tree(state: State, depth: int | None = None) -> GameTree:
    """Return the extensive form from a position on.

    A card that is revealed is a chance node, and so is one reserved unseen: its owner alone knows
    then where it is, and the nodes that the others cannot tell apart are an information set.

    Parameters
    ----------
    state
        A running game in which nothing is private yet [R18].
    depth
        How many decisions are looked at; all to the end of the game if not said.

    Raises
    ------
    TypeError, ValueError
        For what is not allowed; where a card is private already; and where the tree would have
        more than 20,000 nodes.

    Examples
    --------
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> tree = game_tree(tiny_games()["blackboard"].start)
    >>> tree
    <game tree of 26 nodes: 18 decision, 0 chance, 8 end and 0 cut>
    >>> tree.backward_induction()[["node", "seat", "action", "value_0"]].tail(1)
        node  seat   action  value_0
    17     0     0  take WU      1.0
    """
    check_running(state)
    if depth is not None:
        depth = check_whole_number("depth", depth, 1)
    if any(any(seat.hidden) for seat in state.seats):
        raise ValueError(
            "A card is private already: the tree would have to begin before it was reserved."
        )
    return GameTree(_Grower(state.tables, depth).grow(state.numbers()), state.players)


class _Grower:
    """Grows a tree, and numbers what each seat can tell apart."""

    def __init__(self, t: Tables, depth: int | None) -> None:
        self.t = t
        self.depth = depth
        self.tree: list[Node] = []
        self.sets: dict[tuple[int, History], int] = {}

    def grow(self, s: Position) -> list[Node]:
        """Return the nodes, the root first, those of one depth before deeper ones."""
        known: tuple[History, ...] = ((),) * s.players
        root = self._add(-1, "", Fraction(1))
        waiting = [(root, s, known, 0)]
        for node, position, seen, decisions in waiting:
            waiting += self._go_on(node, position, seen, decisions)
        return self.tree

    def _go_on(
        self, node: Node, s: Position, known: tuple[History, ...], decisions: int
    ) -> Iterator[tuple[Node, Position, tuple[History, ...], int]]:
        """Complete a node, and yield those that follow it."""
        if s.phase == rules.OVER or decisions == self.depth:
            node.kind = "end" if s.phase == rules.OVER else "cut"
            node.payoffs = tuple(map(Fraction, shares(s, self.t)))
            return
        node.seat = s.current
        key = (s.current, known[s.current])
        node.information_set = self.sets.setdefault(key, len(self.sets))
        for action in legal_numbers(s, self.t):
            label = str(write_action(s, self.t, action))
            told = tuple((*history, label) for history in known)
            reached = outcomes(s, self.t, action)
            child = self._add(node.number, label, Fraction(1))
            if len(reached) == 1:
                yield child, reached[0], told, decisions + 1
            else:
                child.kind = "chance"
                yield from self._draw(child, s, action, told, reached, decisions)

    def _draw(
        self,
        node: Node,
        s: Position,
        action: int,
        told: tuple[History, ...],
        reached: list[Position],
        decisions: int,
    ) -> Iterator[tuple[Node, Position, tuple[History, ...], int]]:
        """Yield the outcomes of a chance node, each known to those who see the card."""
        level = revealed_level(s, after(s, self.t, action)) or 0
        is_private = rules.RESERVE_UNSEEN <= action < rules.BUY
        for one in reached:
            card = self._drawn(s, one, action, level)
            outcome = self._add(node.number, card, Fraction(1, len(reached)))
            seen = tuple(
                history if is_private and seat != s.current else (*history, card)
                for seat, history in enumerate(told)
            )
            yield outcome, one, seen, decisions + 1

    def _drawn(self, before: Position, now: Position, action: int, level: int) -> str:
        """Return the name of the card that was drawn: the deck has it no more."""
        size = before.deck_size[level]
        gone = set(before.decks[level][:size]) - set(now.decks[level][: size - 1])
        (card,) = gone
        return self.t.components.cards[card].name

    def _add(self, parent: int, label: str, chance: Fraction) -> Node:
        if len(self.tree) == MOST_NODES:
            raise ValueError(
                f"The tree has more than {MOST_NODES:,} nodes: grow a part of it with depth=, "
                "or a smaller game."
            )
        node = Node(len(self.tree), parent, "decision", label, chance)
        if parent >= 0:
            self.tree[parent].children.append(node.number)
        self.tree.append(node)
        return node
