"""Right answers to the exercises of lesson 08."""

from math import ceil, log, sqrt


def my_regret(chances, pulls):
    return sum(max(chances) - chances[arm] for arm in pulls)


def my_bonus(mean, pulls, total):
    return mean + sqrt(2 * log(total) / pulls)


my_belief = (8, 4)

my_games = ceil((0.6 * 0.4 + 0.5 * 0.5) * (1.645 / 0.1) ** 2)
