"""Buy when you can: already far better than chance.

An action is a text such as 'buy 2U5'; `action.kind` is its first word, here 'buy'.
"""

name = "Buyer"  # how the table calls you; without it, by the name of the file


def agent(observation, rng):
    """Return a purchase where there is one, and otherwise any action."""
    legal = observation.legal_actions()
    purchases = [action for action in legal if action.kind == "buy"]
    # Draw by the rng that you are given: then the same game can be played again.
    return rng.choice(purchases or legal)
