"""Tree search on what a seat may know, written like the rules.

Before the search the unseen cards are dealt out a few times: these are its worlds. Each descent
from the root takes the next world in turn, goes down by PUCT (what has been seen of an action so
far, and how promising the planner finds it), adds one node, and carries that node's outlook, the
planner's chances of winning for every seat, back to all nodes on the way. Each seat maximizes its
own chance. A card that is revealed is part of a node's key, and so are unseen reserves of the
opponent who is to move: every node below the first such event is a position with all cards known
to whoever decides there. The root knows what its seat knows, and nothing else.
"""

from __future__ import annotations

from splendor_nb.agents.evaluation import share_win
from splendor_nb.agents.network import rate_by_network
from splendor_nb.agents.planner import SEEN, copy_play, rate_actions, see
from splendor_nb.engine.rng import WORD, seed_stream, shuffle
from splendor_nb.engine.rules import OVER, SLOTS, apply_action, legal_actions

WALKED, FIRST_WORLD = 2, 3  # rows of ``room.positions``
MOST_WORLDS = 8
BY_PLANNER, BY_NETWORK = 0, 1  # who judges new positions
LONGEST = 128  # decisions from the root to a leaf
SURE = 1000000  # in a prior no chance counts as better or worse than a million to one


def part(iterations, trees, tree):
    """Return how many iterations a tree gets: equal parts, one more for the first ones."""
    return (iterations + trees - 1 - tree) // trees


# -- one tree --------------------------------------------------------------------------------------


def plant(agent, s, t, master, tree, room):
    """Start a tree from what the current seat may know, with worlds of its own stream."""
    desk = room.desk
    view = room.positions[SEEN]
    see(s, t, s.current, view)
    mark_seen(s, view, t, desk.seen)
    seed_stream(desk.stream, master, tree, 0)
    for world in range(room.agents[agent].worlds):
        deal_world(view, t, desk, room.positions[FIRST_WORLD + world])
    desk.owner = s.current
    desk.first_turn = s.turn
    desk.descents = 0
    desk.n_nodes = 0
    desk.n_edges = 0


def grow(agent, t, room, descents):
    """Add so many nodes, one a descent, the root first; a search may be cut into such slices.

    What the position of a new node promises is carried back to all nodes on the way. A position
    that has been on the way already is a dead end: whoever takes and returns for ever gets no
    further. Once there is no room left nothing is added any more, but what is seen counts.
    """
    desk = room.desk
    s = room.positions[WALKED]
    for _ in range(descents):
        node = walk(agent, t, room, s)
        if node < 0:
            n = judge(agent, s, t, room)
            fade(desk.outlook, s.players, s.turn - desk.first_turn)
            keep_node(s, room, n)
            carry_back(room, desk.outlook)
        else:
            carry_back(room, room.nodes[node].shares)


def judge(agent, s, t, room):
    """Write the chances of all seats to ``desk.outlook``, and how good each action looks.

    Returns the number of actions: they stand in ``desk.moves``, what each weighs in the prior in
    ``desk.chances``.
    """
    if s.phase == OVER:
        share_win(s, t, room.desk.outlook)
        return 0
    row = room.agents[agent]
    n = legal_actions(s, t, room.desk.moves)
    if row.judge == BY_NETWORK:
        rate_by_network(s, t, room, room.desk.moves, n)
    else:
        rate_actions(s, t, room, row.weights, room.desk.moves, n)
        sharpen(room.desk.chances, n)
    return n


def sharpen(chances, n):
    """Turn chances into weights of a prior: the odds of winning to the fourth power.

    That is a softmax of the log-odds at temperature 1/4.
    """
    least = 1.0 / SURE
    for i in range(n):
        odds = max(chances[i], least) / max(1.0 - chances[i], least)
        chances[i] = odds * odds * odds * odds


def walk(agent, t, room, s):
    """Go down the tree in the next world; return the node where it ends, -1 where none is yet."""
    desk = room.desk
    row = room.agents[agent]
    desk.depth = 0
    if desk.n_nodes == 0:
        copy_play(room.positions[SEEN], s)
        return -1
    world = room.positions[FIRST_WORLD + desk.descents % row.worlds]
    copy_play(world, s)
    copy_decks(world, s)
    desk.descents += 1
    node = 0
    while node >= 0 and room.nodes[node].n_edges > 0 and desk.depth < LONGEST:
        edge = neglected(row, room) if node == 0 else -1
        if edge < 0:
            edge = select(row, room.nodes[node], room.edges)
        desk.path[desk.depth] = node
        desk.steps[desk.depth] = edge
        desk.depth += 1
        desk.outcome = move(s, t, world, room.edges[edge].action, desk.owner)
        node = find_child(room, room.edges[edge].child, desk.outcome)
    return node


def neglected(row, room):
    """Return the edge of the root that is to be tried now, -1 if all have been often enough."""
    root = room.nodes[0]
    descents = root.visits - 1
    if descents < row.tries * root.n_edges:
        return root.first + descents % root.n_edges
    if row.insisted > 0 and descents % 4 == 0:
        for edge in range(root.first, root.first + root.n_edges):
            if room.edges[edge].action == row.insisted - 1:
                return edge
    return -1


def select(row, node, edges):
    """Return the edge with the highest value and urge together (PUCT; D. Silver et al. 2017).

    The edges stand in the order of their priors, so one that nobody has gone through yet need not
    be compared with those after it. Its value is that of the node less the first-play reduction.
    """
    urge = row.explore * node.visits**0.5
    best, best_worth = node.first, -1000000.0
    for edge in range(node.first, node.first + node.n_edges):
        visits = edges[edge].visits
        if visits == 0:
            worth = node.value / node.visits - row.reduction + urge * edges[edge].prior
            return edge if worth > best_worth else best
        worth = edges[edge].value / visits + urge * edges[edge].prior / (1 + visits)
        if worth > best_worth:
            best, best_worth = edge, worth
    return best


def move(s, t, world, action, owner):
    """Do an action in a world, and return what sets its outcome apart from others as a number.

    That is the card that it reveals, and the unseen reserves of the seat that decides next, unless
    that is the owner of the tree, to whom nobody shows them.
    """
    first, second, third = s.deck_size[0], s.deck_size[1], s.deck_size[2]
    apply_action(s, t, action)
    outcome = 0
    if s.deck_size[0] < first:
        outcome = 1 + world.decks[0][s.deck_size[0]]
    elif s.deck_size[1] < second:
        outcome = 1 + world.decks[1][s.deck_size[1]]
    elif s.deck_size[2] < third:
        outcome = 1 + world.decks[2][s.deck_size[2]]
    seat = s.current
    if seat >= 0 and seat != owner:
        for place in range(s.n_reserved[seat]):
            if s.hidden[seat][place]:
                outcome = outcome * (t.empty + 4) + s.reserved[seat][place] + 1
    return outcome


def find_child(room, child, outcome):
    """Return the node of that outcome from a chain of children, -1 if there is none."""
    while child >= 0 and room.nodes[child].outcome != outcome:
        child = room.nodes[child].next
    return child


def carry_back(room, shares):
    """Add what a leaf says to all that led there: to each node and edge the share of its seat."""
    for i in range(room.desk.depth):
        node = room.nodes[room.desk.path[i]]
        edge = room.edges[room.desk.steps[i]]
        share = shares[node.seat]
        node.visits += 1
        node.value += share
        edge.visits += 1
        edge.value += share


# -- nodes -----------------------------------------------------------------------------------------


def keep_node(s, room, n):
    """Keep a position with its n actions as a node below the last step, while there is room."""
    desk = room.desk
    mark = mark_of(s)
    if has_been(room, mark):
        n = 0
    if desk.n_nodes == desk.most_nodes or desk.n_edges + n > desk.most_edges:
        return
    node = room.nodes[desk.n_nodes]
    node.seat = max(0, s.current)
    node.outcome = desk.outcome
    node.mark = mark
    node.visits = 1
    node.value = desk.outlook[node.seat]
    for seat in range(s.players):
        node.shares[seat] = desk.outlook[seat]
    write_edges(room, node, n)
    if desk.depth > 0:
        edge = room.edges[desk.steps[desk.depth - 1]]
        node.next = edge.child
        edge.child = desk.n_nodes
    desk.n_nodes += 1


def write_edges(room, node, n):
    """Write the actions of a node, highest prior first."""
    desk = room.desk
    node.first = desk.n_edges
    node.n_edges = n
    total = 0.0
    for i in range(n):
        total += desk.chances[i]
    for i in range(n):
        insert_edge(room.edges, node.first, i, desk.moves[i], desk.chances[i] / total)
    desk.n_edges += n


def insert_edge(edges, first, count, action, prior):
    """Put an action among the count edges from the first, behind those of at least its prior."""
    place = first + count
    while place > first and edges[place - 1].prior < prior:
        edges[place].action = edges[place - 1].action
        edges[place].prior = edges[place - 1].prior
        place -= 1
    edges[place].action = action
    edges[place].prior = prior
    edges[first + count].child = -1
    edges[first + count].visits = 0
    edges[first + count].value = 0.0


def mark_of(s):
    """Return a number that two positions share where cards and tokens lie the same way."""
    mark = s.current * 8 + s.phase
    for seat in range(s.players):
        mark = (mark * 31 + s.n_bought[seat] * 4 + s.n_reserved[seat]) & WORD
        for gem in range(6):
            mark = (mark * 31 + s.tokens[seat][gem]) & WORD
    for color in range(5):
        mark = (mark * 31 + s.gold_for[color]) & WORD
    return mark


def has_been(room, mark):
    """Tell whether a node on the way has the mark."""
    for i in range(room.desk.depth):  # noqa: SIM110  (what compiles has no generators)
        if room.nodes[room.desk.path[i]].mark == mark:
            return True
    return False


def fade(shares, players, turns):
    """Move shares a little towards equal ones for each turn: who leads prefers to win soon."""
    weight = 1.0
    for _ in range(turns):
        weight *= 0.998
    for seat in range(players):
        shares[seat] = 1.0 / players + weight * (shares[seat] - 1.0 / players)


# -- worlds ----------------------------------------------------------------------------------------


def mark_seen(s, view, t, seen):
    """Write 1 for each card that lies open, was bought, or is known where it is reserved."""
    for card in range(t.empty):
        seen[card] = 0
    for slot in range(SLOTS):
        if s.market[slot] < t.empty:
            seen[s.market[slot]] = 1
    for seat in range(s.players):
        for i in range(s.n_bought[seat]):
            seen[s.bought[seat][i]] = 1
        for i in range(s.n_reserved[seat]):
            if view.reserved[seat][i] < t.empty:
                seen[view.reserved[seat][i]] = 1


def deal_world(view, t, desk, world):
    """Deal the unseen cards to where backs lie, each way with the same chance."""
    copy_play(view, world)
    for level in range(3):
        n = 0
        for i in range(t.deck_size[level]):
            if not desk.seen[t.decks[level][i]]:
                desk.unseen[n] = t.decks[level][i]
                n += 1
        shuffle(desk.stream, desk.unseen, n)
        n = turn_up(world, t.empty + level + 1, desk.unseen, n)
        for i in range(world.deck_size[level]):
            n -= 1
            world.decks[level][i] = desk.unseen[n]


def turn_up(world, back, cards, n):
    """Replace the backs of a level in market and reserves; return how many cards are left."""
    for slot in range(SLOTS):
        if world.market[slot] == back:
            n -= 1
            world.market[slot] = cards[n]
    for seat in range(world.players):
        for i in range(world.n_reserved[seat]):
            if world.reserved[seat][i] == back:
                n -= 1
                world.reserved[seat][i] = cards[n]
    return n


def copy_decks(s, twin):
    """Copy the decks of a position."""
    for level in range(3):
        for i in range(s.deck_size[level]):
            twin.decks[level][i] = s.decks[level][i]
