"""The extensive form: seats, chance, what is known, and backward induction; and its picture."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from positions import new_card, position, tally

from splendor_nb import State, new_game
from splendor_nb.analysis.game_tree import GameTree, game_tree
from splendor_nb.analysis.solve import solve
from splendor_nb.analysis.tiny_games import tiny_games
from splendor_nb.charts.figures.trees import plan_tree, tree_figure

BLACKBOARD = game_tree(tiny_games()["blackboard"].start)
SURPRISE = game_tree(tiny_games()["surprise"].start)


def private_game(turn_limit: int = 2) -> State:
    """A game with two unknown cards, where a card may be reserved unseen."""
    return new_game(
        2,
        seed=1,
        cards=[new_card(1, "W", "W", 1)] * 6,
        nobles=[],
        tokens=tally("W*"),
        target=1,
        turn_limit=turn_limit,
    )


PRIVATE = game_tree(private_game())


# --- the tree


def test_the_blackboard_game_has_the_tree_that_it_says() -> None:
    assert "a tree of 26" in tiny_games()["blackboard"].size
    assert len(BLACKBOARD) == 26
    assert [node.label for node in BLACKBOARD.tree if node.parent == 0] == [
        "take WU",
        "reserve 1W1",
        "reserve 1U1",
    ]


@pytest.mark.parametrize("tree", [BLACKBOARD, SURPRISE, PRIVATE], ids=["none", "chance", "hidden"])
def test_every_node_hangs_on_an_earlier_one(tree: GameTree) -> None:
    for node in tree.tree[1:]:
        assert node.parent < node.number
        assert node.number in tree.tree[node.parent].children
    assert [node.number for node in tree.tree] == list(range(len(tree)))


@pytest.mark.parametrize("tree", [SURPRISE, PRIVATE], ids=["chance", "hidden"])
def test_chances_of_a_node_add_up_to_one(tree: GameTree) -> None:
    chances = [
        sum((tree.tree[child].chance for child in node.children), Fraction(0))
        for node in tree.tree
        if node.kind == "chance"
    ]
    assert chances
    assert set(chances) == {1}


def test_payoffs_of_an_end_are_shares_of_one_win() -> None:
    ends = [node for node in SURPRISE.tree if node.kind == "end"]
    assert ends
    assert all(sum(node.payoffs) == 1 and not node.children for node in ends)


def test_chance_reveals_each_card_that_is_left() -> None:
    drawn = [node for node in SURPRISE.tree if node.kind == "chance" and node.parent == 0]
    start = tiny_games()["surprise"].start
    unknown = {card.name for card in start.deck(1)}  # type: ignore[union-attr]
    assert drawn
    for node in drawn:
        assert {SURPRISE.tree[child].label for child in node.children} == unknown


def test_the_depth_counts_decisions() -> None:
    tree = game_tree(tiny_games()["surprise"].start, 1)
    assert {node.kind for node in tree.tree} == {"decision", "chance", "cut"}
    assert [node.number for node in tree.tree if node.kind == "decision"] == [0]
    assert tree.nodes.depth.max() == 2


def test_the_table_has_a_row_for_each_node() -> None:
    table = BLACKBOARD.nodes
    assert list(table.columns) == [
        *("node", "parent", "depth", "kind", "label", "chance", "seat", "information_set"),
        *("payoff_0", "payoff_1", "value_0", "value_1"),
    ]
    assert len(table) == 26
    assert table.payoff_0.isna().sum() == (table.kind != "end").sum()
    assert set(table.seat[table.kind == "decision"]) == {0, 1}
    assert set(table.seat[table.kind != "decision"]) == {-1}


# --- what is known


def test_public_games_have_perfect_information() -> None:
    assert BLACKBOARD.has_perfect_information
    assert SURPRISE.information_sets() == {}


def test_R18_a_card_reserved_unseen_is_known_to_its_owner_alone() -> None:
    tree = game_tree(private_game(turn_limit=4), 3)
    draw = next(node for node in tree.tree if node.label == "reserve L1" and node.parent == 0)
    sets = tree.information_sets()
    theirs = list(draw.children)
    assert theirs in sets.values()
    assert {tree.tree[node].seat for node in theirs} == {1}
    below = {child for node in theirs for child in tree.tree[node].children}
    own = {tree.tree[node].information_set for node in below if tree.tree[node].seat == 0}
    assert own
    assert own.isdisjoint(sets)


def test_what_was_told_apart_before_stays_so() -> None:
    for nodes in PRIVATE.information_sets().values():
        assert len({PRIVATE.tree[node].seat for node in nodes}) == 1
        labels = {
            tuple(PRIVATE.tree[child].label for child in PRIVATE.tree[node].children)
            for node in nodes
        }
        assert len(labels) == 1


def test_backward_induction_needs_perfect_information() -> None:
    assert not PRIVATE.has_perfect_information
    assert PRIVATE.nodes.value_0.isna().all()
    with pytest.raises(ValueError, match="information sets"):
        PRIVATE.backward_induction()


# --- backward induction


@pytest.mark.parametrize("name", ["blackboard", "surprise", "race"])
def test_the_root_is_worth_what_the_search_says(name: str) -> None:
    start = tiny_games()[name].start
    tree = game_tree(start)
    solution = solve(start)
    assert tree.tree[0].values == solution.values
    best = tree.best_child(0)
    assert best is not None
    assert tree.tree[best].label in solution.best


def test_induction_goes_from_the_ends_to_the_root() -> None:
    steps = BLACKBOARD.backward_induction()
    assert list(steps.step) == list(range(1, len(steps) + 1))
    assert steps.node.is_monotonic_decreasing
    last = steps.iloc[-1]
    assert (last.node, last.seat, last.action) == (0, 0, "take WU")
    assert last.others == "reserve 1W1 (1/2), reserve 1U1 (1/2)"
    assert last.value_0 == 1


def test_chance_averages_and_takes_nothing() -> None:
    steps = SURPRISE.backward_induction()
    chance = steps[steps.seat == -1]
    assert len(chance) == sum(node.kind == "chance" for node in SURPRISE.tree)
    assert set(chance.action) == {""}
    for node in SURPRISE.tree:
        if node.kind == "chance":
            mean = sum(SURPRISE.tree[child].values[0] for child in node.children)
            assert node.values[0] == Fraction(mean) / len(node.children)


# --- what is refused


def test_a_tree_that_is_too_large_is_refused() -> None:
    with pytest.raises(ValueError, match=r"more than 20,000 nodes.*depth="):
        game_tree(new_game(2, seed=7))


@pytest.mark.parametrize(
    ("state", "depth", "kind", "message"),
    [
        ("state", None, TypeError, "a State"),
        (new_game(2, seed=7), 0, ValueError, "depth is a whole number from 1"),
        (position(2, reserved=["?1G1", ""]), 1, ValueError, "private already"),
    ],
    ids=["no state", "no depth", "private"],
)
def test_other_arguments_are_refused(state: Any, depth: Any, kind: Any, message: str) -> None:
    with pytest.raises(kind, match=message):
        game_tree(state, depth)


# --- the picture


def marked(drawn: Any, name: str) -> list[str]:
    return [text for trace in drawn.data if trace.name == name for text in trace.text]


def test_a_small_tree_is_drawn_whole() -> None:
    plan = plan_tree(BLACKBOARD, 40)
    assert set(plan.x) == set(range(26))
    assert plan.folded == {}
    drawn = tree_figure(BLACKBOARD)
    assert len(marked(drawn, "seat 0")) + len(marked(drawn, "seat 1")) == 18
    assert sorted(set(marked(drawn, "end"))) == ["  (1, 0)", "  (1/2, 1/2)"]


def test_no_two_leaves_share_a_row() -> None:
    plan = plan_tree(SURPRISE, 40)
    leaves = [
        number for number in plan.x if number in plan.folded or not SURPRISE.tree[number].children
    ]
    rows = sorted(plan.y[number] for number in leaves)
    assert rows == list(range(len(leaves)))


def test_a_large_tree_is_folded_and_loses_nothing() -> None:
    plan = plan_tree(SURPRISE, 40)
    assert len(plan.x) <= 40
    assert len(plan.x) + sum(plan.folded.values()) == len(SURPRISE)
    assert len(marked(tree_figure(SURPRISE), "more nodes")) == len(plan.folded)


def test_edges_say_what_is_done_and_how_likely() -> None:
    notes = [note.text for note in tree_figure(SURPRISE).layout.annotations]
    assert "take WU" in notes
    assert "1U2: 1/2" in notes


def test_what_is_best_is_drawn_thick() -> None:
    drawn = tree_figure(BLACKBOARD)
    thin, thick = (trace for trace in drawn.data if trace.mode == "lines")
    assert thick.line.width > 2 * thin.line.width
    assert len([x for x in thick.x if x is None]) == sum(
        BLACKBOARD.best_child(node.number) is not None for node in BLACKBOARD.tree
    )


def test_seats_differ_by_shape_too() -> None:
    drawn = tree_figure(BLACKBOARD)
    shapes = {trace.name: trace.marker.symbol for trace in drawn.data if trace.name}
    assert len(set(shapes.values())) == len(shapes) == 3


def test_information_sets_are_outlined_and_joined() -> None:
    drawn = tree_figure(PRIVATE)
    (nodes,) = PRIVATE.information_sets().values()
    (rings,) = (trace for trace in drawn.data if trace.marker.symbol == "circle-open")
    assert len(rings.x) == len(nodes)
    assert [shape.line.dash for shape in drawn.layout.shapes] == ["dash"] * (len(nodes) - 1)
    assert tree_figure(BLACKBOARD).layout.shapes == ()


def test_the_title_says_what_the_game_is_worth() -> None:
    assert tree_figure(SURPRISE).layout.title.text.startswith("Worth (3/4, 1/4)")
    assert "cannot tell apart" in tree_figure(PRIVATE).layout.title.text
    assert tree_figure(SURPRISE, title="A class").layout.title.text == "A class"
