"""Whole games by policies, written like the rules: plain functions that also compile.

What happens is written down as it happens: the actions to a log, what each seat did to a row of
its own, whose columns are the constants below.
"""

from __future__ import annotations

from splendor_nb.agents.policies import choose
from splendor_nb.engine.rng import seed_stream
from splendor_nb.engine.rules import (
    BUY,
    GOLD,
    NOBLE,
    OVER,
    RESERVE,
    RETURN,
    apply_action,
    deal,
    lay_out,
    legal_actions,
    rank,
)

POINTS, NOBLE_POINTS, BOUGHT, RESERVED, NOBLES = 0, 1, 2, 3, 4
GEMS_TAKEN, GOLD_TAKEN, RETURNED, WON = 5, 6, 7, 8
OUTCOMES = 9  # columns

ASKED = -1  # in place of a policy: the agent is asked from outside
FORFEITED = 4  # how a game ends by a fault, beside the reasons of the rules


def play_games(
    s, t, masters, first, games, players, rotate, policies, generators, legal, log, ends, turns,
    ended, outcomes,
):  # fmt: skip
    """Play games in a row, and return how many of them found room in the log.

    Game g is ``deal_of(g)`` with its agents in ``rotation_of(g)``. ``log[ends[i - 1] : ends[i]]``
    receives the actions of the i-th game, `turns` and `ended` its end, `outcomes`, which comes
    filled with zeros, a row for each seat.
    """
    end = 0
    for i in range(games):
        number = deal_of(first + i, players, rotate)
        rotation = rotation_of(first + i, players, rotate)
        start_deal(s, t, masters, number, players, generators)
        end = play_on(s, t, rotation, policies, generators, legal, log, end, outcomes, i * players)
        if s.phase != OVER:
            return i
        write_outcomes(s, t, outcomes, i * players, -1)
        ends[i] = end
        turns[i] = s.turn
        ended[i] = s.ended
    return games


def deal_of(game, players, rotate):
    """Return the number of the deal of a game; with seats rotated, several games share it."""
    return game // players if rotate else game


def rotation_of(game, players, rotate):
    """Return by how many places the agents have moved on: seat i has agent i + rotation."""
    return game % players if rotate else 0


def start_deal(s, t, masters, number, players, generators):
    """Lay out a deal, and start the streams: 0 is the deal's own, the others the seats'."""
    for role in range(players + 1):
        seed_stream(generators[role], masters[role], number, role)
    lay_out(s, t, players, 0)
    deal(s, t, generators[0])


def play_on(s, t, rotation, policies, generators, legal, log, end, outcomes, row):
    """Play from where a game stands; return the new end of the log.

    It goes on to the end of the game, or of the log's room, or to a decision of an agent that has
    no policy.
    """
    room = len(log)
    while s.phase != OVER and end < room:
        seat = s.current
        policy = policies[(seat + rotation) % s.players]
        if policy == ASKED:
            return end
        count = legal_actions(s, t, legal)
        action = choose(policy, s, t, generators[seat + 1], legal, count)
        end = play_action(s, t, action, log, end, outcomes[row + seat])
    return end


def go_on(s, t, action, rotation, policies, generators, legal, log, end, outcomes):
    """Do what was asked for, or nothing if it is -1, and play on up to the next question.

    Returns the new end of the log, and the seat that is asked; -1 at the end of the game, or where
    the log is full.
    """
    if action >= 0:
        end = play_action(s, t, action, log, end, outcomes[s.current])
    end = play_on(s, t, rotation, policies, generators, legal, log, end, outcomes, 0)
    if s.phase == OVER:
        write_outcomes(s, t, outcomes, 0, -1)
    return end, -1 if s.phase == OVER or end == len(log) else s.current


def play_action(s, t, action, log, end, outcome):
    """Do and count what the current seat does, a legal action; return the new end of the log."""
    count_action(s, t, action, outcome)
    apply_action(s, t, action)
    log[end] = action
    return end + 1


def count_action(s, t, action, outcome):
    """Add a legal action, before it is done, to what its seat has taken, reserved, returned."""
    if action < RESERVE:
        outcome[GEMS_TAKEN] += t.take_size[action]
    elif action < BUY:
        outcome[RESERVED] += 1
        outcome[GOLD_TAKEN] += min(1, s.bank[GOLD])
    elif RETURN <= action < NOBLE:
        outcome[RETURNED] += 1


def write_outcomes(s, t, outcomes, row, out):
    """Write what each seat has in the end, and who won; `out` is a seat that forfeited, or -1."""
    for seat in range(s.players):
        outcome = outcomes[row + seat]
        outcome[POINTS] = s.points[seat]
        outcome[NOBLE_POINTS] = noble_points(s, t, seat)
        outcome[BOUGHT] = s.n_bought[seat]
        outcome[NOBLES] = count_nobles(s, t, seat)
        outcome[WON] = is_best(s, t, seat, out)


def noble_points(s, t, seat):
    """Return the points that a seat has from nobles."""
    points = 0
    for noble in range(t.nobles):
        if s.visits[seat] >> noble & 1:
            points += t.noble_points[noble]
    return points


def count_nobles(s, t, seat):
    """Return how many nobles have visited a seat."""
    n = 0
    for noble in range(t.nobles):
        n += s.visits[seat] >> noble & 1
    return n


def is_best(s, t, seat, out):
    """Return 1 where no seat but one that is out ranks higher, else 0 [R16]."""
    if seat == out:
        return 0
    for other in range(s.players):
        if other != out and rank(s, t, other) > rank(s, t, seat):
            return 0
    return 1
