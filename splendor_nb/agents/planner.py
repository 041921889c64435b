"""The planner: looks at every action of its own turn, written like the rules.

Each legal action is done on a copy of what the seat may know, with the rest of the turn that it
asks for, and the linear form of `evaluation` says how good that is. A card that would be revealed
is a back there, so the planner knows nothing that its seat could not.
"""

from __future__ import annotations

from splendor_nb.agents.evaluation import score, write_outlook
from splendor_nb.engine.rng import below
from splendor_nb.engine.rules import (
    BUY,
    BUY_RESERVED,
    CHOOSING,
    GOLD,
    NOBLE,
    OVER,
    PAYING,
    RESERVE,
    RESERVE_LIMIT,
    RESERVE_UNSEEN,
    RETURNING,
    SLOTS,
    apply_action,
    end_turn,
    nobles_coming,
    return_token,
    settle,
    welcome,
)

SEEN, TRIED = 0, 1  # rows of ``room.positions``

# Who has all cards reserved and nothing to gain takes a token and returns it, and the others do the
# same: nobody breaks that up, and it would last until the turn limit. Other games end within 35
# rounds; from round 40 on, one decision in four is left to chance.
PATIENCE, WHIM = 40, 4


def choose_planner(agent, s, t, r, legal, n, room):
    """Choose the action after which the seat's chance of winning looks best; ties: list order."""
    if n == 1:
        return legal[0]
    if loses_patience(s, r):
        return legal[below(r, n)]
    see(s, t, s.current, room.positions[SEEN])
    rate_actions(room.positions[SEEN], t, room, room.agents[agent].weights, legal, n)
    return legal[best_rated(room.desk.chances, n)]


def loses_patience(s, r):
    """Tell whether to leave a decision to chance, since the game lasts too long."""
    return s.turn >= PATIENCE * s.players and below(r, WHIM) == 0


def best_rated(chances, n):
    """Return the place of the highest of n chances, the first of equal ones."""
    best = 0
    for i in range(1, n):
        if chances[i] > chances[best]:
            best = i
    return best


def rate_actions(s, t, room, weights, legal, n):
    """Write the current player's chance after each action to ``desk.chances``.

    The chances of all seats after the best one go to ``desk.outlook``.
    """
    desk = room.desk
    tried = room.positions[TRIED]
    seat = s.current
    best = -1.0
    known = False
    for i in range(n):
        copy_play(s, tried)
        cover_decks(tried, t)
        apply_action(tried, t, legal[i])
        finish_turn(tried, t, desk, weights)
        same = leaves_table(s, tried, legal[i])
        write_outlook(tried, t, desk, weights, seat if same and known else -1)
        known = same
        desk.chances[i] = desk.shares[seat]
        if desk.shares[seat] > best:
            best = desk.shares[seat]
            for other in range(s.players):
                desk.outlook[other] = desk.shares[other]


def leaves_table(s, tried, action):
    """Tell whether market and nobles are as before, so that the others' scores cannot differ."""
    if tried.phase == OVER or tried.nobles != s.nobles:
        return False
    return action < RESERVE or RESERVE_UNSEEN <= action < BUY or BUY_RESERVED <= action < NOBLE


def finish_turn(s, t, desk, weights):
    """Take the decisions that an action leaves before the turn ends, as well as can be seen."""
    while s.phase == RETURNING:
        return_token(s, t, spare_token(s, t, desk, weights))
    if s.phase == PAYING:
        settle(s, t, s.paying)
    if s.phase == CHOOSING:
        welcome(s, t, worthiest_noble(s, t))
        end_turn(s, t)


def spare_token(s, t, desk, weights):
    """Return the gem without which the current player's score is best; ties: gold last."""
    seat = s.current
    tokens = s.tokens[seat]
    best, most = -1, 0.0
    for gem in range(6):
        if tokens[gem] > 0:
            tokens[gem] -= 1
            worth = score(s, t, desk, weights, seat)
            tokens[gem] += 1
            if best < 0 or worth > most:
                best, most = gem, worth
    return best


def worthiest_noble(s, t):
    """Return the noble with most points of those who come; ties: list order."""
    coming = nobles_coming(s, t)
    best = -1
    for noble in range(t.nobles):
        if coming >> noble & 1 and (best < 0 or t.noble_points[noble] > t.noble_points[best]):
            best = noble
    return best


# -- what a seat may know --------------------------------------------------------------------------


def see(s, t, seat, view):
    """Write to `view` what a seat may know: unseen reserves of others are backs [R18].

    The decks are not copied, see `cover_decks`, nor the bought cards, which no rule looks at.
    """
    copy_play(s, view)
    for other in range(s.players):
        if other != seat:
            for place in range(s.n_reserved[other]):
                paying = s.current == other and s.paying == BUY_RESERVED + place
                if s.hidden[other][place] and not paying:
                    view.reserved[other][place] = back_of(t, s.reserved[other][place])


def back_of(t, card):
    """Return the back of a card, or the card itself if it is a back already."""
    return t.empty + t.level[card] if card < t.empty else card


def cover_decks(s, t):
    """Turn the top cards of the decks face down: one turn can reveal no others."""
    for level in range(3):
        if s.deck_size[level] > 0:
            s.decks[level][s.deck_size[level] - 1] = t.empty + level + 1


def copy_play(s, twin):
    """Copy a position but for its decks and the bought cards, whose number is copied."""
    twin.players = s.players
    twin.first = s.first
    twin.current = s.current
    twin.phase = s.phase
    twin.turn = s.turn
    twin.passes = s.passes
    twin.ended = s.ended
    twin.paying = s.paying
    twin.nobles = s.nobles
    for gem in range(GOLD + 1):
        twin.bank[gem] = s.bank[gem]
    for color in range(5):
        twin.gold_for[color] = s.gold_for[color]
    for slot in range(SLOTS):
        twin.market[slot] = s.market[slot]
    for level in range(3):
        twin.deck_size[level] = s.deck_size[level]
    for seat in range(s.players):
        copy_seat(s, twin, seat)


def copy_seat(s, twin, seat):
    """Copy what lies before a seat, but for the bought cards."""
    twin.points[seat] = s.points[seat]
    twin.visits[seat] = s.visits[seat]
    twin.n_reserved[seat] = s.n_reserved[seat]
    twin.n_bought[seat] = s.n_bought[seat]
    for gem in range(GOLD + 1):
        twin.tokens[seat][gem] = s.tokens[seat][gem]
    for color in range(5):
        twin.bonuses[seat][color] = s.bonuses[seat][color]
    for place in range(RESERVE_LIMIT):
        twin.reserved[seat][place] = s.reserved[seat][place]
        twin.hidden[seat][place] = s.hidden[seat][place]
