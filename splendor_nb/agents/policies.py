"""How the simple agents decide, written like the rules: plain functions that also compile.

A policy gets a position of which it may know everything (hidden cards are backs), the tables, a
generator, and the legal actions as numbers; it returns one of them.
"""

from __future__ import annotations

from splendor_nb.engine.rng import below
from splendor_nb.engine.rules import (
    BUY,
    BUY_RESERVED,
    CHOOSING,
    GOLD,
    PAYING,
    RESERVE,
    RETURN,
    RETURNING,
    SETTLE,
    TAKE_TWO,
    card_of,
    gold_needed,
)

RANDOM, GREEDY = 0, 1


def choose(policy, s, t, r, legal, n):
    """Choose by the policy of that number."""
    if policy == GREEDY:
        return choose_greedy(s, t, r, legal, n)
    return choose_random(s, t, r, legal, n)


def choose_random(s, t, r, legal, n):
    """Choose among the n legal actions, each with the same chance."""
    return legal[below(r, n)]


def choose_greedy(s, t, r, legal, n):
    """Buy what is best now, or else take what brings the best target nearer.

    The definition, for good, since later agents are measured against it:

    - If a card can be bought: the one with the highest points + 0.1 × demand, where demand is the
      total of its bonus color in the costs of the open cards. Ties: lowest total cost, then list
      order.
    - Otherwise the target is the open or own reserved card with the highest
      (points + 1) / (1 + gems missing), where what is missing is counted after bonuses and tokens,
      gold included. Ties: list order. The take that covers most of the gems that the target lacks
      is chosen (ties: list order). If no take covers any, the target is reserved where that is
      legal and brings a gold; else the first legal take; without one, the first legal action.
    - The token returned is the one that the target needs least: with the largest surplus over its
      price after bonuses. Ties: list order. Gold is last.
    - A noble: the first in list order. A payment: gems first.
    """
    if s.phase == RETURNING:
        return RETURN + least_needed(s, t, best_target(s, t))
    if s.phase == PAYING:
        return SETTLE
    if s.phase == CHOOSING:
        return legal[0]
    bought = best_buy(s, t, legal, n)
    if bought >= 0:
        return bought
    return approach(s, t, legal, n, best_target(s, t))


def best_buy(s, t, legal, n):
    """Return the purchase with the highest worth, -1 if nothing can be bought."""
    best = -1
    best_worth = 0
    best_total = 0
    for i in range(n):
        if BUY <= legal[i] < RETURN:
            card = card_of(s, legal[i])
            worth = 10 * t.points[card] + demand(s, t, t.bonus[card])
            total = total_cost(t, card)
            if best < 0 or worth > best_worth or (worth == best_worth and total < best_total):
                best, best_worth, best_total = legal[i], worth, total
    return best


def demand(s, t, color):
    """Return how many gems of a color the open cards ask for."""
    gems = 0
    for card in s.market:
        if card < t.empty:
            gems += t.cost[card][color]
    return gems


def total_cost(t, card):
    """Return how many gems a card costs in all."""
    cost = t.cost[card]
    return cost[0] + cost[1] + cost[2] + cost[3] + cost[4]


def best_target(s, t):
    """Return the place of the card most worth saving for, as a buying action; -1 if none."""
    best = -1
    best_points = 0
    best_gap = 1
    gold = s.tokens[s.current][GOLD]
    for place in range(BUY, BUY_RESERVED + s.n_reserved[s.current]):
        card = card_of(s, place)
        if card < t.empty:
            points = t.points[card] + 1
            gap = 1 + max(0, gold_needed(s, t, s.current, card) - gold)
            if best < 0 or points * best_gap > best_points * gap:
                best, best_points, best_gap = place, points, gap
    return best


def approach(s, t, legal, n, target):
    """Return the action that brings the target nearer."""
    best = legal[0]
    most = 0
    if target >= 0:
        for i in range(n):
            if legal[i] < RESERVE:
                covered = gems_covered(s, t, legal[i], card_of(s, target))
                if covered > most:
                    best, most = legal[i], covered
        if most == 0 and BUY <= target < BUY_RESERVED and s.bank[GOLD] > 0:
            for i in range(n):
                if legal[i] == RESERVE + target - BUY:
                    return legal[i]
    return best


def gems_covered(s, t, take, card):
    """Return how many of the gems that the current player lacks for a card a take brings."""
    covered = 0
    for color in range(5):
        if t.take_colors[take] >> color & 1:
            brought = 2 if take >= TAKE_TWO else 1
            covered += min(brought, lacking(s, t, card, color))
    return covered


def lacking(s, t, card, color):
    """Return how many gems of a color the current player lacks for a card."""
    seat = s.current
    return t.missing[color][s.bonuses[seat][color] + s.tokens[seat][color]][card]


def least_needed(s, t, target):
    """Return the gem that the target needs least, gold only if there is nothing else."""
    seat = s.current
    best = GOLD
    best_surplus = 0
    for color in range(5):
        held = s.tokens[seat][color]
        if held > 0:
            surplus = held
            if target >= 0:
                surplus -= t.missing[color][s.bonuses[seat][color]][card_of(s, target)]
            if best == GOLD or surplus > best_surplus:
                best, best_surplus = color, surplus
    return best
