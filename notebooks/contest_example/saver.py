"""Have a plan: choose the card that is cheapest for its points, and take what it still needs.

A class is made anew for every game, so it may remember things until the end of that game.
"""

name = "Saver"


class agent:  # noqa: N801  (the contest looks for this name)
    """An agent with a target that it keeps until the card is bought or gone."""

    def __init__(self):
        self.target = None

    def __call__(self, observation, rng):
        """Return what leads to the target soonest."""
        legal = observation.legal_actions()
        purchases = [action for action in legal if action.kind == "buy"]
        if purchases:
            return max(purchases, key=lambda action: self.points(observation, action.card))
        needed = self.still_needed(observation)
        # Of the takes, the one with most of the colors that are missing; of the returns, the one
        # with fewest of them.
        return max(legal, key=lambda action: self.usefulness(action, needed))

    def still_needed(self, observation):
        """Return the gems that the target still needs, after choosing one where there is none."""
        me = observation.player
        market = [card for row in observation.market for card in row if card is not None]
        if self.target not in market:
            self.target = min(
                market,
                key=lambda card: sum(observation.missing(card.name, me).values()) - card.points,
                default=None,
            )
        return observation.missing(self.target.name, me) if self.target else {}

    def points(self, observation, name):
        """Return the points of a card that can be bought."""
        cards = [card for row in observation.market for card in row]
        cards += observation.seats[observation.player].reserved
        return next(card.points for card in cards if card is not None and card.name == name)

    def usefulness(self, action, needed):
        """Return how well an action fits what is needed."""
        useful = sum(min(1, needed.get(gem, 0)) for gem in action.gems or "")
        if action.kind == "return":
            return -useful
        return useful if action.kind == "take" else -0.5
