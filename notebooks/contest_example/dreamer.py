"""Imagine how it could go on: play every good action out to the end a few times, by chance.

What lies in the decks is not known. `observation.determinize(rng)` returns a full position that
fits what you know, each with the same chance; in it you may play on as long as you like.
"""

name = "Dreamer"

DREAMS = 2  # for each action; more of them are better, and slower
CANDIDATES = 4
LONGEST = 20  # turns; then whoever has more points is taken to be ahead


def agent(observation, rng):
    """Return the action that went best in these dreams."""
    legal = observation.legal_actions()
    purchases = [action for action in legal if action.kind == "buy"]
    candidates = purchases or legal
    rng.shuffle(candidates)
    candidates = candidates[:CANDIDATES]
    if len(candidates) == 1:
        return candidates[0]
    return max(candidates, key=lambda action: dream(observation, action, rng))


def dream(observation, action, rng):
    """Return how far ahead the own seat was on average, in points."""
    me, ahead = observation.player, 0
    for _ in range(DREAMS):
        state = observation.determinize(rng).apply(action)
        last = state.turn + LONGEST
        while not state.is_terminal() and state.turn < last:
            legal = state.legal_actions()
            state = state.apply(rng.choice([one for one in legal if one.kind == "buy"] or legal))
        points = [seat.points for seat in state.seats]
        ahead += points[me] - max(points[seat] for seat in range(state.players) if seat != me)
    return ahead / DREAMS
