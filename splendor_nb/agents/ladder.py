"""Which agent decides how, written like the rules: the way from an agent's number to its choice.

A room, made once by `rooms.make_room`, holds a row for each agent (its policy, its weights, its
settings) and the space in which they work. All of that is data: other weights, other budgets,
other pairs of agents need no other compiled code.
"""

from __future__ import annotations

from splendor_nb.agents.planner import choose_planner
from splendor_nb.agents.policies import GREEDY, choose_greedy, choose_random
from splendor_nb.engine.rules import legal_actions

PLANNER = 2


def decide(agent, s, t, r, legal, n, room):
    """Return what the agent of that row of the room chooses among n legal actions.

    The position may be the whole truth: what the seat to move cannot know is covered first.
    """
    policy = room.agents[agent].policy
    if policy == PLANNER:
        return choose_planner(agent, s, t, r, legal, n, room)
    if policy == GREEDY:
        return choose_greedy(s, t, r, legal, n)
    return choose_random(s, t, r, legal, n)


def decide_next(agent, s, t, r, room):
    """Return what the agent of that row of the room chooses among all that is legal."""
    legal = room.desk.offered
    return decide(agent, s, t, r, legal, legal_actions(s, t, legal), room)
