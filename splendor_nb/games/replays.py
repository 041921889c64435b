"""What happened in games that have been played, from their logs, written like the rules.

A log holds the actions alone: replaying them from the deal brings back all the rest. Each event
is a row of numbers, whose columns are the constants below; ``GAME`` counts from the first game
of the log, ``TURN`` is the number of turns finished before.
"""

from __future__ import annotations

from splendor_nb.engine.rules import (
    BUY,
    BUY_RESERVED,
    GOLD,
    PAYING,
    RESERVE,
    RESERVE_UNSEEN,
    RETURN,
    apply_action,
    card_of,
    only_bit,
)
from splendor_nb.games.playouts import deal_of, start_deal

GAME, TURN, SEAT = 0, 1, 2
CARD, FROM_RESERVE, GEMS_PAID, GOLD_PAID = 3, 4, 5, 6  # of a purchase
NOBLE_ROW = 3  # of a visit
STEP, ACTION, NAMED = 3, 4, 5  # of a decision; NAMED is the card that it names, or -1
PURCHASE, VISIT, DECISION = 7, 4, 6  # columns


def list_events(
    s, t, masters, first, games, players, rotate, generators, log, ends, purchases, visits,
    decisions,
):  # fmt: skip
    """Replay games from their log, and write their events to rows that are just enough.

    `decisions` may have no rows at all, where nobody asks for them.
    """
    n_purchases, n_visits, place = 0, 0, 0
    for game in range(games):
        start_deal(s, t, masters, deal_of(first + game, players, rotate), players, generators)
        turn, step = -1, 0
        while place < ends[game]:
            seat, nobles, bought = s.current, s.nobles, s.n_bought[s.current]
            step = step + 1 if s.turn == turn else 0
            turn = s.turn
            if len(decisions) > 0:
                write_decision(s, decisions[place], game, step, log[place])
            if is_purchase(s, log[place]):
                write_price(s, purchases[n_purchases], game, log[place])
            apply_action(s, t, log[place])
            if s.n_bought[seat] > bought:
                finish_purchase(s, purchases[n_purchases], seat)
                n_purchases += 1
            if s.nobles != nobles:
                write_visit(visits[n_visits], game, turn, seat, only_bit(nobles ^ s.nobles))
                n_visits += 1
            place += 1


def write_decision(s, row, game, step, action):
    """Write what is decided, before it is done."""
    row[GAME], row[TURN], row[SEAT], row[STEP] = game, s.turn, s.current, step
    row[ACTION] = action
    row[NAMED] = named_card(s, action)


def named_card(s, action):
    """Return the card that an action names, -1 if none."""
    if RESERVE <= action < RESERVE_UNSEEN:
        return s.market[action - RESERVE]
    return card_of(s, action) if BUY <= action < RETURN else -1


def is_purchase(s, action):
    """Tell whether an action may buy a card: at once, or by settling a payment."""
    return s.phase == PAYING or BUY <= action < RETURN


def write_price(s, row, game, action):
    """Write what is bought, and what its buyer holds before paying."""
    place = s.paying if s.phase == PAYING else action
    row[GAME], row[TURN], row[SEAT] = game, s.turn, s.current
    row[CARD] = card_of(s, place)
    row[FROM_RESERVE] = place >= BUY_RESERVED
    row[GEMS_PAID] = gems_held(s, s.current)
    row[GOLD_PAID] = s.tokens[s.current][GOLD]


def finish_purchase(s, row, seat):
    """Turn what the buyer held before into what was paid."""
    row[GEMS_PAID] -= gems_held(s, seat)
    row[GOLD_PAID] -= s.tokens[seat][GOLD]


def write_visit(row, game, turn, seat, noble):
    """Write which noble came to whom."""
    row[GAME], row[TURN], row[SEAT], row[NOBLE_ROW] = game, turn, seat, noble


def gems_held(s, seat):
    """Return how many gems a seat holds, gold not counted."""
    tokens = s.tokens[seat]
    return tokens[0] + tokens[1] + tokens[2] + tokens[3] + tokens[4]
