"""Whole games by policies, written like the rules: plain functions that also compile."""

from __future__ import annotations

from splendor_nb.agents.policies import choose
from splendor_nb.engine.rng import seed_stream
from splendor_nb.engine.rules import OVER, apply_action, deal, lay_out, legal_actions


def play_deal(s, t, master, number, players, policies, generators, legal):
    """Play one deal from its beginning to its end, and return how many decisions it took.

    The deal and every seat draw from streams of their own: `generators` has one for each role,
    and ``policies[seat]`` says who decides there.
    """
    for role in range(players + 1):
        seed_stream(generators[role], master, number, role)
    lay_out(s, t, players, 0)
    deal(s, t, generators[0])
    decisions = 0
    while s.phase != OVER:
        seat = s.current
        count = legal_actions(s, t, legal)
        action = choose(policies[seat], s, t, generators[seat + 1], legal, count)
        apply_action(s, t, action)
        decisions += 1
    return decisions


def play_deals(s, t, master, first, games, players, policies, generators, legal, turns):
    """Play deals in a row; `turns` receives the length of each in turns. Return the decisions."""
    decisions = 0
    for game in range(games):
        decisions += play_deal(s, t, master, first + game, players, policies, generators, legal)
        turns[game] = s.turn
    return decisions
