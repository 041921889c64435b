"""Right answers to the exercises of lesson 10."""

from math import comb


def my_mended(observation, rng):
    legal = observation.legal_actions()
    return "take WUG" if "take WUG" in legal else rng.choice(legal)


my_games = 30 * 29 // 2 * 20
my_minutes = my_games * 60 * 0.5 / 1000 / 60 / 2

my_chance = sum(comb(20, wins) for wins in range(15, 21)) / 2**20
my_number = 30 * my_chance
