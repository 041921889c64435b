"""The network: what a position promises each seat, and its actions, written like the rules.

Every card that the seat to move can see becomes a code by the same few numbers: what it is, and
what it would cost each seat now. The codes of the market are added up, and so are those of each
reserve and of the nobles: in which order they lie cannot matter. With a few facts about the seats
these sums make the trunk. From it come a score for each seat (in proportion to whose exponential it
is expected to win) and one for each take, return and unseen reserve; buying or reserving a certain
card is scored from its code and the trunk.

Seats count from the one to move on, and all numbers that go in are small integers. Everything lies
in one array, in rows of 32: `layers` and `arrays` do the arithmetic, compiled and in numpy.
"""

from __future__ import annotations

from splendor_nb.agents.arrays import add_row, clear_row, copy_row, dot, multiply, rectify
from splendor_nb.agents.evaluation import gems_missing, grow_by, prices, share_by_score
from splendor_nb.agents.planner import back_of
from splendor_nb.engine.rules import (
    BUY,
    CHOOSING,
    GOLD,
    HAND_LIMIT,
    NOBLE,
    RESERVE,
    RESERVE_LIMIT,
    RESERVE_UNSEEN,
    RETURN,
    RETURNING,
    SLOTS,
    best_points,
)

WIDTH = 32
CARDS = 94  # of the base game, and an empty slot, and three backs: the network knows no others
PLACES = 24  # 12 of the market, 3 of each reserve of up to four seats
MOST_CRESTS = 5
VIEW, VIEWS = 16, 2  # numbers of a card in the eyes of a seat; seats to a row
NEED = 6  # numbers of a noble in the eyes of a seat
GIST, TRUNK, BRANCHES = 11, 3, 4  # rows
LATE_FROM = 9  # points above which they count once more

# The rows: first what has been learned, then what is worked out.
CARD_TABLE = 0
VIEW_ROWS = CARD_TABLE + CARDS
CREST_BIAS = VIEW_ROWS + 2 * WIDTH
CREST_ROWS = CREST_BIAS + 1
TRUNK_BIAS = CREST_ROWS + WIDTH
TRUNK_ROWS = TRUNK_BIAS + TRUNK
BRANCH_BIAS = TRUNK_ROWS + TRUNK * WIDTH * GIST
BRANCH_ROWS = BRANCH_BIAS + BRANCHES
URGE_ROWS = BRANCH_ROWS + BRANCHES * WIDTH * TRUNK
RESERVE_SCORE = URGE_ROWS + WIDTH
BUY_SCORE = RESERVE_SCORE + 1
SEAT_SCORES = BUY_SCORE + 1
SEAT_BIAS = SEAT_SCORES + 4
LEARNED = SEAT_BIAS + 1

VIEW_AT = LEARNED
CODE_AT = VIEW_AT + 2 * PLACES
NEED_AT = CODE_AT + PLACES
CREST_AT = NEED_AT + MOST_CRESTS
GIST_AT = CREST_AT + MOST_CRESTS
TRUNK_AT = GIST_AT + GIST
HIDDEN_AT = TRUNK_AT + TRUNK
TAKES_AT = HIDDEN_AT + 1
OTHERS_AT = TAKES_AT + 1
MOOD_AT = OTHERS_AT + 1
URGE_AT = MOOD_AT + 1
ROWS = URGE_AT + PLACES


def rate_by_network(s, t, room, moves, n):
    """Write the chances of all seats to ``desk.outlook``, and priors to ``desk.chances``."""
    net = room.network
    write_inputs(s, t, net)
    think(net, s.players)
    score_seats(s, net, room.desk.scores)
    share_by_score(s.players, room.desk.scores, room.desk.outlook)
    weigh_moves(net, moves, n, room.desk.chances)


def weigh_moves(net, moves, n, chances):
    """Write to `chances` what n actions weigh in the prior: the exponentials of their scores."""
    best = -1000000.0
    for i in range(n):
        chances[i] = float(score_of(net.f, moves[i]))
        best = max(best, chances[i])
    for i in range(n):
        chances[i] = grow_by(chances[i] - best)


def score_seats(s, net, scores):
    """Write the scores of the seats; the last sum is one of double precision."""
    for i in range(s.players):
        seat = (s.current + i) % s.players
        scores[seat] = float(net.f[SEAT_BIAS][i])
        scores[seat] += float(dot(net.f, HIDDEN_AT, SEAT_SCORES + i))


def score_of(f, action):
    """Return the score of an action; between nobles it makes no difference."""
    if action < RESERVE:
        return f[TAKES_AT][action]
    if action < RESERVE_UNSEEN:
        return dot(f, URGE_AT + action - RESERVE, RESERVE_SCORE)
    if action < BUY:
        return f[OTHERS_AT][action - RESERVE_UNSEEN]
    if action < RETURN:
        return dot(f, URGE_AT + action - BUY, BUY_SCORE)
    if action < NOBLE:
        return f[OTHERS_AT][3 + action - RETURN]
    return f[SEAT_BIAS][WIDTH - 1]  # 0


# -- from the numbers that go in to those that come out --------------------------------------------


def think(net, players):
    """Work out the branches, and how much the seat to move wants each card."""
    f = net.f
    gather_gist(net, players)
    for i in range(TRUNK):
        copy_row(f, TRUNK_AT + i, TRUNK_BIAS + i)
    multiply(net, TRUNK_AT, TRUNK, GIST_AT, 3 + 2 * players, TRUNK_ROWS)
    for i in range(TRUNK):
        rectify(f, TRUNK_AT + i)
    for i in range(BRANCHES):
        copy_row(f, HIDDEN_AT + i, BRANCH_BIAS + i)
    multiply(net, HIDDEN_AT, BRANCHES, TRUNK_AT, TRUNK, BRANCH_ROWS)
    rectify(f, HIDDEN_AT)
    for place in range(SLOTS + RESERVE_LIMIT):
        copy_row(f, URGE_AT + place, MOOD_AT)
        multiply(net, URGE_AT + place, 1, CODE_AT + place, 1, URGE_ROWS)
        rectify(f, URGE_AT + place)


def gather_gist(net, players):
    """Add up the codes of nobles, market and reserves below the facts."""
    at = GIST_AT + 1 + players
    clear_row(net.f, at)
    for i in range(net.n_nobles[0]):
        copy_row(net.f, CREST_AT + i, CREST_BIAS)
        multiply(net, CREST_AT + i, 1, NEED_AT + i, 1, CREST_ROWS)
        rectify(net.f, CREST_AT + i)
        add_row(net.f, at, CREST_AT + i)
    add_codes(net, at + 1, 0, SLOTS, players)
    for i in range(players):
        add_codes(net, at + 2 + i, SLOTS + RESERVE_LIMIT * i, RESERVE_LIMIT, players)


def add_codes(net, out, first, count, players):
    """Work out the codes of some cards, and add them up."""
    clear_row(net.f, out)
    for place in range(first, first + count):
        code = CODE_AT + place
        copy_row(net.f, code, CARD_TABLE + net.shown[place])
        view_rows = (players + 1) // VIEWS
        multiply(net, code, 1, VIEW_AT + VIEWS * place, view_rows, VIEW_ROWS)
        rectify(net.f, code)
        add_row(net.f, out, code)


# -- the numbers that go in ------------------------------------------------------------------------


def write_inputs(s, t, net):
    """Write down what the seat to move can see: cards, nobles, facts."""
    show_cards(s, t, net)
    write_table_facts(s, t, net.f[GIST_AT])
    for i in range(s.players):
        seat = (s.current + i) % s.players
        write_views(s, t, net, i, seat)
        write_seat_facts(s, net.f[GIST_AT + 1 + i], seat)
    write_needs(s, t, net)


def show_cards(s, t, net):
    """List the cards in market and reserves; what others have reserved unseen is a back."""
    shown = net.shown
    for slot in range(SLOTS):
        shown[slot] = s.market[slot]
    for i in range(s.players):
        seat = (s.current + i) % s.players
        for place in range(RESERVE_LIMIT):
            shown[SLOTS + RESERVE_LIMIT * i + place] = card_shown(s, t, seat, place)
    for place in range(SLOTS + RESERVE_LIMIT * s.players):
        if shown[place] >= t.empty:
            clear_row(net.f, VIEW_AT + VIEWS * place)
            clear_row(net.f, VIEW_AT + VIEWS * place + 1)


def card_shown(s, t, seat, place):
    """Return what the seat to move sees in a place of a reserve."""
    if place >= s.n_reserved[seat]:
        return t.empty
    card = s.reserved[seat][place]
    return back_of(t, card) if s.hidden[seat][place] and seat != s.current else card


def write_views(s, t, net, number, seat):
    """Write what each card that can be seen would cost a seat."""
    bonuses = s.bonuses[seat]
    tokens = s.tokens[seat]
    price = prices(t, bonuses)
    lack = gems_missing(t, bonuses, tokens)
    row, at = VIEW_AT + number // VIEWS, VIEW * (number % VIEWS)
    for place in range(SLOTS + RESERVE_LIMIT * s.players):
        card = net.shown[place]
        if card < t.empty:
            view = net.f[row + VIEWS * place][at : at + VIEW]
            write_view(view, card, price, lack, tokens[GOLD])


def write_view(view, card, price, lack, gold):
    """Write what a card costs a seat: by color what is missing and the price, then in all."""
    due, gems = 0, 0
    for color in range(5):
        view[color] = lack[color][card]
        view[5 + color] = price[color][card]
        due += price[color][card]
        gems += lack[color][card]
    view[10] = max(0, gems - gold)
    view[11] = due
    view[12] = 1 if gems <= gold else 0


def write_table_facts(s, t, facts):
    """Write the bank, the phase, who has moved in this round, and the decks."""
    held = 0
    for gem in range(GOLD + 1):
        facts[gem] = s.bank[gem]
        held += s.tokens[s.current][gem]
    facts[6] = 1 if s.phase == RETURNING else 0
    facts[7] = 1 if s.phase == CHOOSING else 0
    facts[8] = max(0, held - HAND_LIMIT)
    for i in range(4):
        facts[9 + i] = 1 if s.turn % s.players == i else 0
    for level in range(3):
        facts[13 + level] = s.deck_size[level]
    facts[16] = 1 if best_points(s) >= t.target else 0


def write_seat_facts(s, facts, seat):
    """Write what a seat has."""
    held, owned = 0, 0
    for gem in range(GOLD + 1):
        facts[gem] = s.tokens[seat][gem]
        held += s.tokens[seat][gem]
    for color in range(5):
        facts[6 + color] = s.bonuses[seat][color]
        owned += s.bonuses[seat][color]
    facts[11] = s.points[seat]
    facts[12] = held
    facts[13] = owned
    facts[14] = s.n_reserved[seat]
    facts[15] = max(0, s.points[seat] - LATE_FROM)


def write_needs(s, t, net):
    """Write how many bonuses each seat lacks for each noble on the table."""
    count = 0
    for noble in range(t.nobles):
        if s.nobles >> noble & 1 and count < MOST_CRESTS:
            for i in range(s.players):
                bonuses = s.bonuses[(s.current + i) % s.players]
                write_need(net.f[NEED_AT + count], NEED * i, net.noble_cost[noble], bonuses)
            count += 1
    net.n_nobles[0] = count


def write_need(needs, at, cost, bonuses):
    """Write the bonuses that a seat lacks for a noble, by color and in all."""
    total = 0
    for color in range(5):
        missing = max(0, cost[color] - bonuses[color])
        needs[at + color] = missing
        total += missing
    needs[at + 5] = total
