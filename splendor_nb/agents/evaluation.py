"""How good a position looks, as a linear form of a few numbers, written like the rules.

For each seat `write_features` writes what the form sees; the weighted sum is the seat's score,
and the scores of all seats become chances of winning: each in proportion to the exponential of
its score (a conditional logit, which with two players is a logistic regression). So weights are
fitted as those of a win predictor, see `fit_planner`.

Cards that nobody can see are backs, which count for nothing.
"""

from __future__ import annotations

from splendor_nb.engine.rules import GOLD, OVER, best_points, rank

# The columns of the features, in the order of `NAMES`.
HELD_POINTS, LATE_POINTS, REACHED = 0, 1, 2
OWN_BONUSES, DISCOUNT = 3, 4
NEAR_POINTS, NEAR_CARDS, BEST_CARD, SECOND_CARD = 5, 6, 7, 8
KEPT_POINTS, KEPT_CARDS, CHEAP_POINTS = 9, 10, 11
AFFORDABLE, AFFORDABLE_POINTS = 12, 13
NEAR_NOBLES, NEAREST_NOBLE = 14, 15
OWN_TOKENS, OWN_GOLD, OWN_COLORS, KEPT, WAITING = 16, 17, 18, 19, 20
LATE_BONUSES = 21
FEATURES = 22

NAMES = (
    "points",
    "late_points",
    "reached",
    "bonuses",
    "discount",
    "near_points",
    "near_cards",
    "best_card",
    "second_card",
    "kept_points",
    "kept_cards",
    "cheap_points",
    "affordable",
    "affordable_points",
    "near_nobles",
    "nearest_noble",
    "tokens",
    "gold",
    "colors",
    "reserved",
    "waiting",
    "late_bonuses",
)

LATE = 6  # points before the target from which on they count once more


def write_outlook(s, t, desk, weights, only):
    """Write each seat's chance of winning to ``desk.shares``; how it is shared once it is over.

    With `only` a seat, from 0, the scores of the others are those of the call before.
    """
    if s.phase == OVER:
        share_win(s, t, desk.shares)
        return
    for seat in range(s.players):
        if only < 0 or seat == only:
            desk.scores[seat] = score(s, t, desk, weights, seat)
    share_by_score(s.players, desk.scores, desk.shares)


def score(s, t, desk, weights, seat):
    """Return the score of a seat."""
    write_features(s, t, desk, seat, desk.features)
    return weighted_sum(desk.features, weights)


def weighted_sum(features, weights):
    """Return the score of a seat with these features."""
    total = 0.0
    for i in range(FEATURES):
        total += features[i] * weights[i]
    return total


def share_win(s, t, shares):
    """Write 1/k for each of k seats that stand best, 0 for the others [R16]."""
    best, winners = -1, 0
    for seat in range(s.players):
        place = rank(s, t, seat)
        if place > best:
            best, winners = place, 0
        if place == best:
            winners += 1
    for seat in range(s.players):
        shares[seat] = 1.0 / winners if rank(s, t, seat) == best else 0.0


def share_by_score(players, scores, shares):
    """Turn the scores of the seats into chances, in proportion to their exponentials."""
    best = scores[0]
    for seat in range(1, players):
        best = max(best, scores[seat])
    total = 0.0
    for seat in range(players):
        shares[seat] = grow_by(scores[seat] - best)
        total += shares[seat]
    for seat in range(players):
        shares[seat] = shares[seat] / total


def grow_by(x):
    """Return the exponential of x, from -40 to 0, within 10 % and better near 0.

    As (1 + x/n)**n, from multiplications alone: these give the same on every machine, plain and
    compiled, which libraries of functions do not promise.
    """
    y = 1.0 + max(x, -40.0) * (1.0 / 8192.0)
    for _ in range(13):
        y = y * y
    return y


def write_features(s, t, desk, seat, f):
    """Write what the linear form sees of a seat; the columns are the constants above."""
    for i in range(FEATURES):
        f[i] = 0.0
    write_holdings(s, t, seat, f)
    write_cards(s, t, desk.total_cost, seat, f)
    write_nobles(s, t, desk.noble_cost, seat, f)


def write_holdings(s, t, seat, f):
    """Write what a seat has: points, bonuses, tokens, reserved cards; and how long it waits."""
    tokens = s.tokens[seat]
    bonuses = s.bonuses[seat]
    points = s.points[seat]
    colors, held, owned = 0, 0, 0
    for color in range(5):
        held += tokens[color]
        owned += bonuses[color]
        colors += min(1, tokens[color])
    f[HELD_POINTS] = points
    f[LATE_POINTS] = max(0, points - t.target + LATE)
    f[REACHED] = 1.0 if points >= t.target else 0.0
    f[OWN_BONUSES] = owned
    f[LATE_BONUSES] = owned * best_points(s) / t.target
    f[OWN_TOKENS] = held + tokens[GOLD]
    f[OWN_GOLD] = tokens[GOLD]
    f[OWN_COLORS] = colors
    f[KEPT] = s.n_reserved[seat]
    f[WAITING] = (seat - s.current + s.players) % s.players / s.players


def write_cards(s, t, total_cost, seat, f):
    """Write what the open cards and its own reserved ones are worth to a seat."""
    bonuses = s.bonuses[seat]
    tokens = s.tokens[seat]
    price = prices(t, bonuses)
    lack = gems_missing(t, bonuses, tokens)
    for card in s.market:
        if card < t.empty:
            weigh_card(t, card, price, lack, tokens[GOLD], total_cost, f)
    for place in range(s.n_reserved[seat]):
        card = s.reserved[seat][place]
        if card < t.empty:
            near = weigh_card(t, card, price, lack, tokens[GOLD], total_cost, f)
            f[KEPT_POINTS] += t.points[card] * near
            f[KEPT_CARDS] += near


def prices(t, bonuses):
    """Return for each color what cards cost in it after bonuses, by card."""
    return (
        t.missing[0][bonuses[0]],
        t.missing[1][bonuses[1]],
        t.missing[2][bonuses[2]],
        t.missing[3][bonuses[3]],
        t.missing[4][bonuses[4]],
    )


def gems_missing(t, bonuses, tokens):
    """Return for each color how many gems are missing after bonuses and tokens, by card."""
    return (
        t.missing[0][bonuses[0] + tokens[0]],
        t.missing[1][bonuses[1] + tokens[1]],
        t.missing[2][bonuses[2] + tokens[2]],
        t.missing[3][bonuses[3] + tokens[3]],
        t.missing[4][bonuses[4] + tokens[4]],
    )


def weigh_card(t, card, price, lack, gold, total_cost, f):
    """Add a card to the features, and return how near it is: 1 / (1.5 + tokens missing)."""
    due = price[0][card] + price[1][card] + price[2][card] + price[3][card] + price[4][card]
    gems = lack[0][card] + lack[1][card] + lack[2][card] + lack[3][card] + lack[4][card]
    missing = max(0, gems - gold)
    points = t.points[card]
    near = 1.0 / (1.5 + missing)
    f[DISCOUNT] += (total_cost[card] - due) * (points + 1)
    f[NEAR_POINTS] += points * near
    f[NEAR_CARDS] += near
    f[CHEAP_POINTS] += points / (3.0 + due)
    worth = (points + 0.5) * near
    if worth > f[BEST_CARD]:
        f[SECOND_CARD] = f[BEST_CARD]
        f[BEST_CARD] = worth
    else:
        f[SECOND_CARD] = max(f[SECOND_CARD], worth)
    if missing == 0:
        f[AFFORDABLE] += 1.0
        f[AFFORDABLE_POINTS] = max(f[AFFORDABLE_POINTS], 1.0 * points)
    return near


def write_nobles(s, t, noble_cost, seat, f):
    """Write how near a seat is to the nobles on the table: 2 / (1 + bonuses missing)."""
    bonuses = s.bonuses[seat]
    for noble in range(t.nobles):
        if s.nobles >> noble & 1:
            missing = 0
            for color in range(5):
                missing += max(0, noble_cost[noble][color] - bonuses[color])
            near = 2.0 / (1.0 + missing)
            f[NEAR_NOBLES] += near
            f[NEAREST_NOBLE] = max(f[NEAREST_NOBLE], near)
