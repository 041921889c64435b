"""Games of agents against each other for fitting their weights, written like the rules.

A game is a deal and a rotation: seat i is played by agent (i + rotation) mod players, whose deal
and streams are those of the same game anywhere else.
"""

from __future__ import annotations

from splendor_nb.agents.evaluation import share_win, write_features
from splendor_nb.agents.ladder import decide, decide_next
from splendor_nb.agents.planner import TRIED, cover_decks, finish_turn, see
from splendor_nb.engine.rng import below, seed_stream
from splendor_nb.engine.rules import MAIN, OVER, apply_action, deal, lay_out, legal_actions


def play_rotations(s, t, masters, first, deals, players, streams, room, wins):
    """Play deals, each once in every rotation; add each agent's share of the wins to `wins`.

    ``wins[i][agent]`` belongs to the i-th deal. Returns the number of turns of the longest game.
    """
    longest = 0
    for i in range(deals):
        for rotation in range(players):
            play_deal(s, t, masters, first + i, players, rotation, streams, room)
            longest = max(longest, s.turn)
            share_win(s, t, room.desk.shares)
            for seat in range(players):
                wins[i][(seat + rotation) % players] += room.desk.shares[seat]
    return longest


def play_deal(s, t, masters, number, players, rotation, streams, room):
    """Play one game to its end."""
    start(s, t, masters, number, players, streams)
    while s.phase != OVER:
        play_step(s, t, rotation, streams, room)


def start(s, t, masters, number, players, streams):
    """Lay out a deal and start its streams: 0 is the deal's own, the others the seats'."""
    for role in range(players + 1):
        seed_stream(streams[role], masters[role], number, role)
    lay_out(s, t, players, 0)
    deal(s, t, streams[0])


def play_step(s, t, rotation, streams, room):
    """Let the agent of the current seat decide, and do what it says."""
    agent = (s.current + rotation) % s.players
    apply_action(s, t, decide_next(agent, s, t, streams[s.current + 1], room))


def record_games(s, t, masters, first, games, players, chance, streams, room, rows, shares):
    """Play games, and write down what the linear form sees of every seat at each turn's start.

    Parameters
    ----------
    chance
        One turn in so many starts with an action drawn by lot, for variety; 0 for none.
    rows, shares
        ``rows[i, seat]`` receives features, ``shares[i, seat]`` how the win was shared at last.

    Returns
    -------
    int
        How many positions found room.
    """
    end = 0
    for game in range(games):
        start(s, t, masters, first + game, players, streams)
        begin = end
        while s.phase != OVER and end < len(rows):
            action = pick(s, t, chance, streams, room)
            if s.phase == MAIN:
                look_ahead(s, t, action, room)
                for seat in range(players):
                    write_features(room.positions[TRIED], t, room.desk, seat, rows[end, seat])
                end += 1
            apply_action(s, t, action)
        if s.phase != OVER:
            return begin
        share_win(s, t, room.desk.shares)
        for i in range(begin, end):
            for seat in range(players):
                shares[i, seat] = room.desk.shares[seat]
    return end


def pick(s, t, chance, streams, room):
    """Return what the current seat does: what its agent says, or now and then what the lot says."""
    legal = room.desk.offered
    n = legal_actions(s, t, legal)
    if chance > 0 and s.phase == MAIN and below(streams[0], chance) == 0:
        return legal[below(streams[0], n)]
    return decide(s.current, s, t, streams[s.current + 1], legal, n, room)


def look_ahead(s, t, action, room):
    """Lay out the end of the turn as the planner would see it after an action."""
    see(s, t, s.current, room.positions[TRIED])
    cover_decks(room.positions[TRIED], t)
    apply_action(room.positions[TRIED], t, action)
    finish_turn(room.positions[TRIED], t, room.desk, room.agents[0].weights)
