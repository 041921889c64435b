"""A game tree as a picture: seats, chance, information sets, and what each seat should do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import plotly.graph_objects as go

from splendor_nb.charts.figures.style import figure, series
from splendor_nb.charts.theme import ACCENT, DARK, LINE, MUTED, PAPER
from splendor_nb.engine.cards import join_words

if TYPE_CHECKING:
    from splendor_nb.analysis.game_tree import GameTree, Node

MOST_SHOWN: Final = 40  # nodes; beyond, branches are folded
_ROW, _MARGINS, _LEAST = 30, 150, 300  # pixels: a leaf, what is around the tree, the least height
_ELBOW: Final = 0.22  # where an edge turns, of the way to the child
_BULGE: Final = 0.16  # of the line between the nodes of an information set
_SIZE, _RING, _FOLDED_SIZE = 17, 30, 20


@dataclass(frozen=True, slots=True)
class Plan:
    """Which nodes of a tree are drawn, and where.

    Attributes
    ----------
    x, y
        By number of the node: its depth, and its row, 0 at the top.
    folded
        How many nodes come after a drawn one that are not drawn themselves, where there are any.
    """

    x: dict[int, int]
    y: dict[int, float]
    folded: dict[int, int]


def tree_figure(tree: GameTree, *, most: int = MOST_SHOWN, title: str | None = None) -> go.Figure:
    """Return a game tree as a picture, from the root at the left to the ends at the right.

    Every seat has a shape and a color, chance is a star. Thick lines are what seats take by
    backward induction. Nodes that a seat cannot tell apart have an outline, and a dashed line
    that joins them. Where the tree is large, branches are folded to triangles with the number of
    nodes in them.

    Parameters
    ----------
    tree
        Of `game_tree`.
    most
        How many nodes are drawn, about.
    title
        What stands above; by default what the tree is worth.

    Examples
    --------
    >>> from splendor_nb.analysis.game_tree import game_tree
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> drawn = tree_figure(game_tree(tiny_games()["blackboard"].start))
    >>> drawn.layout.title.text
    'Worth (1, 0): shares of a win for seats 0 and 1'
    """
    plan = plan_tree(tree, most)
    rows = max(plan.y.values()) + 1
    drawn = figure(
        title or _finding(tree), x="", y="", height=max(_LEAST, round(_ROW * rows) + _MARGINS)
    )
    _draw_edges(drawn, tree, plan)
    _draw_sets(drawn, tree, plan)
    _draw_nodes(drawn, tree, plan)
    hidden = {"visible": False, "showgrid": False}
    drawn.update_xaxes(hidden, range=[-0.3, max(plan.x.values()) + 0.75])
    drawn.update_yaxes(hidden, range=[rows - 0.3, -0.9])
    drawn.update_layout(legend={"orientation": "h", "y": 0, "yanchor": "top", "x": 0})
    return drawn


def plan_tree(tree: GameTree, most: int) -> Plan:
    """Return which nodes are drawn, about so many, and where.

    The branches of a node are drawn all or none: first what leads to nodes that a seat cannot tell
    apart, then what is near the root.

    Examples
    --------
    >>> from splendor_nb.analysis.game_tree import game_tree
    >>> from splendor_nb.analysis.tiny_games import tiny_games
    >>> plan = plan_tree(game_tree(tiny_games()["blackboard"].start), 5)
    >>> len(plan.x), plan.folded
    (4, {1: 10, 2: 6, 3: 6})
    """
    x, open_ = {0: 0}, set()
    first = _up_to(tree, [one for nodes in tree.information_sets().values() for one in nodes])
    for node in sorted(tree.tree, key=lambda node: (node.number not in first, node.number)):
        if node.number in x and len(x) + len(node.children) <= most:
            open_.add(node.number)
            x |= dict.fromkeys(node.children, x[node.number] + 1)
    y: dict[int, float] = {}
    _place(tree, 0, open_, y)
    sizes = _sizes(tree)
    folded = {
        number: sizes[number] - 1
        for number in x
        if number not in open_ and tree.tree[number].children
    }
    return Plan(x, y, folded)


def _up_to(tree: GameTree, numbers: Iterable[int]) -> set[int]:
    """Return some nodes and those on the way to them."""
    found: set[int] = set()
    for number in numbers:
        while number >= 0 and number not in found:
            found.add(number)
            number = tree.tree[number].parent
    return found


def _sizes(tree: GameTree) -> list[int]:
    """Return how many nodes hang on each node, itself included."""
    sizes = [1] * len(tree)
    for node in reversed(tree.tree):
        if node.parent >= 0:
            sizes[node.parent] += sizes[node.number]
    return sizes


def _place(tree: GameTree, number: int, open_: set[int], y: dict[int, float]) -> None:
    """Give a node and all below it their rows: a parent stands amid its children."""
    children = tree.tree[number].children if number in open_ else []
    for child in children:
        _place(tree, child, open_, y)
    leaves = sum(1 for one in y if not (one in open_ and tree.tree[one].children))
    y[number] = (y[children[0]] + y[children[-1]]) / 2 if children else leaves


def _finding(tree: GameTree) -> str:
    if not tree.has_perfect_information:
        return "Dashed lines join what a seat cannot tell apart"
    seats = join_words([str(seat) for seat in range(tree.players)])
    return f"Worth {_shares(tree.tree[0].values)}: shares of a win for seats {seats}"


def _shares(values: Sequence[Fraction]) -> str:
    return f"({', '.join(map(str, values))})"


# -- edges -----------------------------------------------------------------------------------------


def _draw_edges(drawn: go.Figure, tree: GameTree, plan: Plan) -> None:
    best = {tree.best_child(number) for number in plan.x}
    edges = [tree.tree[number] for number in plan.x if number]
    _draw_lines(drawn, [node for node in edges if node.number not in best], plan, LINE, 1.5)
    _draw_lines(drawn, [node for node in edges if node.number in best], plan, DARK, 3.5)
    for node in edges:
        drawn.add_annotation(
            x=plan.x[node.number] - 0.5 * (1 - _ELBOW) - 0.02,
            y=plan.y[node.number],
            text=_edge_label(node),
            showarrow=False,
            yanchor="bottom",
            yshift=1,
            font={"size": 12, "color": DARK},
        )


def _draw_lines(
    drawn: go.Figure, edges: Iterable[Node], plan: Plan, color: str, width: float
) -> None:
    x: list[float | None] = []
    y: list[float | None] = []
    for node in edges:
        left, row = plan.x[node.parent], plan.y[node.number]
        x += [left, left + _ELBOW, plan.x[node.number], None]
        y += [plan.y[node.parent], row, row, None]
    drawn.add_scatter(
        x=x,
        y=y,
        mode="lines",
        line={"color": color, "width": width},
        hoverinfo="skip",
        showlegend=False,
    )


def _edge_label(node: Node) -> str:
    return node.label if node.chance == 1 else f"{node.label}: {node.chance}"


# -- information sets ------------------------------------------------------------------------------


def _draw_sets(drawn: go.Figure, tree: GameTree, plan: Plan) -> None:
    for nodes in tree.information_sets().values():
        shown = sorted((one for one in nodes if one in plan.x), key=lambda one: plan.y[one])
        for upper, lower in pairwise(shown):
            drawn.add_shape(
                type="path",
                path=_arc(plan, upper, lower),
                line={"color": ACCENT, "width": 2, "dash": "dash"},
                layer="below",
            )
        drawn.add_scatter(
            x=[plan.x[one] for one in shown],
            y=[plan.y[one] for one in shown],
            mode="markers",
            marker={
                "symbol": "circle-open",
                "size": _RING,
                "color": ACCENT,
                "line": {"width": 2},
            },
            hoverinfo="skip",
            showlegend=False,
        )


def _arc(plan: Plan, upper: int, lower: int) -> str:
    """Return a line that bulges to the right, so that it passes the nodes between."""
    x = max(plan.x[upper], plan.x[lower]) + _BULGE
    start = f"M {plan.x[upper]},{plan.y[upper]}"
    end = f"{plan.x[lower]},{plan.y[lower]}"
    return f"{start} C {x},{plan.y[upper]} {x},{plan.y[lower]} {end}"


# -- nodes -----------------------------------------------------------------------------------------


def _draw_nodes(drawn: go.Figure, tree: GameTree, plan: Plan) -> None:
    groups: dict[str, list[Node]] = {}
    for number in plan.x:
        node = tree.tree[number]
        groups.setdefault(_group(node, plan), []).append(node)
    for name in sorted(groups):
        nodes = groups[name]
        drawn.add_scatter(
            x=[plan.x[node.number] for node in nodes],
            y=[plan.y[node.number] for node in nodes],
            name=name,
            mode="markers+text",
            marker=_marker(nodes[0], name),
            text=[_node_text(node, plan) for node in nodes],
            textposition="middle right",
            textfont={"size": 12, "color": DARK},
            customdata=[_hover(node) for node in nodes],
            hovertemplate="%{customdata}<extra></extra>",
            cliponaxis=False,
        )


def _group(node: Node, plan: Plan) -> str:
    if node.number in plan.folded:
        return "more nodes"
    names = {"decision": f"seat {node.seat}", "chance": "chance", "end": "end", "cut": "cut"}
    return names[node.kind]


def _marker(node: Node, name: str) -> dict[str, Any]:
    """Return the look of a group: seats by shape and color, all others by shape."""
    if name == "more nodes":
        return {"symbol": "triangle-left", "size": _FOLDED_SIZE, "color": MUTED}
    if node.kind == "decision":
        look = series(node.seat)
        edge = {"color": PAPER, "width": 1.5}
        return {"symbol": look.symbol, "size": _SIZE, "color": look.color, "line": edge}
    shapes = {"chance": "star", "end": "square-open", "cut": "x-thin-open"}
    size = _SIZE if node.kind == "chance" else 8
    color = MUTED if node.kind == "chance" else DARK
    return {"symbol": shapes[node.kind], "size": size, "color": color, "line": {"width": 1.5}}


def _node_text(node: Node, plan: Plan) -> str:
    """Return what stands beside a node: payoffs, or what is folded there with its worth."""
    worth = _shares(node.values or node.payoffs) if node.values or node.payoffs else ""
    if node.number in plan.folded:
        return f"  {plan.folded[node.number]} nodes {worth}"
    return f"  {worth}" if not node.children else ""


def _hover(node: Node) -> str:
    who = {"decision": f"seat {node.seat} decides", "chance": "chance"}.get(node.kind, node.kind)
    worth = f"<br>worth {_shares(node.values)}" if node.values else ""
    return f"node {node.number}: {who}{worth}"
