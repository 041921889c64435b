"""Look one action ahead: try each on a copy, and keep the one that looks best afterwards.

`observation.apply(action)` returns what you would see then; the game itself stays as it is.
"""

name = "Looker"


def agent(observation, rng):
    """Return the action after which the own seat looks best."""
    me = observation.player

    def merit(action):
        seat = observation.apply(action).seats[me]
        # A point is worth more than a card, and a card more than all the tokens that it costs.
        cards, tokens = len(seat.bought), sum(seat.tokens.values())
        return 20 * seat.points + 12 * cards + tokens + 0.5 * seat.tokens["*"]

    return max(observation.legal_actions(), key=merit)
