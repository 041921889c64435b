"""Games of searches: to learn from, and to measure by; written like the rules.

A record of a decision is what the network sees of it, how often the search went through each
action, and what it expected; once the game is over, also how it was shared.
"""

from __future__ import annotations

from splendor_nb.agents.evaluation import share_win
from splendor_nb.agents.ladder import decide
from splendor_nb.agents.network import (
    GIST_AT,
    NEED_AT,
    VIEW_AT,
    VIEWS,
    WIDTH,
    write_inputs,
)
from splendor_nb.agents.planner import SEEN, loses_patience, rate_actions, see
from splendor_nb.agents.self_play import start
from splendor_nb.agents.tree import grow, insert_edge, plant, sharpen
from splendor_nb.engine.rng import WORD, below, next_word
from splendor_nb.engine.rules import (
    CHOOSING,
    NOBLE,
    OVER,
    RESERVE_LIMIT,
    SLOTS,
    apply_action,
    legal_actions,
)

OPENING = 30  # decisions of a game in which lots are drawn
WHOLE = 1000  # what the planner's weights of the actions add up to in a record


def play_pairs(s, t, masters, first, deals, streams, rooms, budgets, wins):
    """Let two agents play deals, each once in every seat; write what the first one wins of each.

    With more than two players it sits alone against copies of the other. A budget of 0 iterations
    is for those that do not search.
    """
    players = len(streams) - 1
    for i in range(deals):
        wins[i] = 0
        for seat in range(players):
            start(s, t, masters, first + i, players, streams)
            while s.phase != OVER:
                side = 0 if s.current == seat else 1
                r = streams[s.current + 1]
                apply_action(s, t, choose_by_search(s, t, r, rooms[side], budgets[side]))
            share_win(s, t, rooms[0].desk.shares)
            wins[i] += rooms[0].desk.shares[seat]


def choose_by_search(s, t, r, room, iterations):
    """Return the most visited action after so many iterations; for 0, what the agent says."""
    legal = room.desk.offered
    n = legal_actions(s, t, legal)
    if n == 1:
        return legal[0]
    if iterations == 0:
        return decide(0, s, t, r, legal, n, room)
    if loses_patience(s, r):
        return legal[below(r, n)]
    plant(0, s, t, next_word(r), 0, room)
    grow(0, t, room, iterations)
    return favorite(room)


def favorite(room):
    """Return the most visited action at the root; ties: worth, then list order."""
    root = room.nodes[0]
    best = root.first
    for edge in range(root.first + 1, root.first + root.n_edges):
        if stands_before(room.edges[edge], room.edges[best]):
            best = edge
    return room.edges[best].action


def stands_before(edge, other):
    """Tell whether an action has found more favor than another."""
    if edge.visits != other.visits:
        return edge.visits > other.visits
    if edge.value != other.value:
        return edge.value > other.value
    return edge.action < other.action


# -- to learn from ---------------------------------------------------------------------------------


def record_play(s, t, masters, first, games, iterations, streams, room, log):
    """Play games of the network's search against itself, or of the planner for 0 iterations.

    Returns how many decisions found room in the log; a game without room is left out.
    """
    players = len(streams) - 1
    end = 0
    for game in range(games):
        start(s, t, masters, first + game, players, streams)
        begin, step = end, 0
        while s.phase != OVER and end < len(log.value):
            end += play_recorded(s, t, iterations, streams, room, log, end, step)
            step += 1
        if s.phase != OVER:
            return begin
        share_win(s, t, room.desk.shares)
        for i in range(begin, end):
            for number in range(players):
                seat = (log.seat[i] + number) % players
                log.shares[i, number] = room.desk.shares[seat]
    return end


def play_recorded(s, t, iterations, streams, room, log, at, step):
    """Take one decision, and write it down if there is something to learn; tell whether."""
    legal = room.desk.offered
    n = legal_actions(s, t, legal)
    if n == 1 or s.phase == CHOOSING:
        apply_action(s, t, legal[0])
        return 0
    r = streams[s.current + 1]
    if loses_patience(s, r):
        apply_action(s, t, legal[below(r, n)])
        return 0
    if iterations == 0:
        weigh_by_planner(s, t, room, log, at, legal, n)
    else:
        weigh_by_search(s, t, r, room, log, at, iterations)
    write_record(s, t, room.network, log, at)
    apply_action(s, t, draw_action(r, log.visits[at], step))
    return 1


def weigh_by_planner(s, t, room, log, at, legal, n):
    """Write down what weight the planner gives each action, and no expectation."""
    see(s, t, s.current, room.positions[SEEN])
    rate_actions(room.positions[SEEN], t, room, room.agents[0].weights, legal, n)
    sharpen(room.desk.chances, n)
    total = 0.0
    for i in range(n):
        total += room.desk.chances[i]
    clear_visits(log.visits[at])
    for i in range(n):
        log.visits[at, legal[i]] = int(WHOLE * room.desk.chances[i] / total)
    log.value[at] = -1.0


def weigh_by_search(s, t, r, room, log, at, iterations):
    """Write down how often a search, stirred at its root, tries each action, and its worth."""
    plant(0, s, t, next_word(r), 0, room)
    grow(0, t, room, 1)
    stir(r, room)
    grow(0, t, room, iterations - 1)
    root = room.nodes[0]
    clear_visits(log.visits[at])
    for edge in range(root.first, root.first + root.n_edges):
        log.visits[at, room.edges[edge].action] = room.edges[edge].visits
    log.value[at] = root.value / root.visits


def clear_visits(visits):
    """Mark all actions as not legal."""
    for action in range(NOBLE):
        visits[action] = -1


def stir(r, room):
    """Mix a quarter of chance into the priors at the root, most of it for few actions."""
    root, edges = room.nodes[0], room.edges
    noise = room.desk.chances
    total = 0.0
    for i in range(root.n_edges):
        u = next_word(r) / (WORD + 1.0)
        noise[i] = u * u * u * u
        noise[i] = noise[i] * noise[i] * u * u
        total += noise[i]
    for i in range(root.n_edges):
        edge = edges[root.first + i]
        prior = 0.75 * edge.prior + 0.25 * noise[i] / total
        insert_edge(edges, root.first, i, edge.action, prior)


def draw_action(r, visits, step):
    """Return an action: early on often one drawn in proportion to visits, else the favorite."""
    best, total = 0, 0
    for action in range(NOBLE):
        total += max(0, int(visits[action]))
        if visits[action] > visits[best]:
            best = action
    if step >= OPENING or below(r, 5) >= 3:
        return best
    ticket = below(r, total)
    for action in range(NOBLE):
        ticket -= max(0, int(visits[action]))
        if ticket < 0:
            return action
    return best


def write_record(s, t, net, log, at):
    """Write down what the network sees."""
    write_inputs(s, t, net)
    places = SLOTS + RESERVE_LIMIT * s.players
    log.seat[at] = s.current
    log.nobles[at] = net.n_nobles[0]
    for place in range(places):
        log.shown[at, place] = net.shown[place]
        for i in range((s.players + 1) // VIEWS):
            for j in range(WIDTH):
                view = net.f[VIEW_AT + VIEWS * place + i][j]
                log.views[at, place, WIDTH * i + j] = int(view)
    for i in range(s.players + 1):
        for j in range(WIDTH):
            log.needs[at, i, j] = int(net.f[NEED_AT + i][j])
            log.facts[at, i, j] = int(net.f[GIST_AT + i][j])
