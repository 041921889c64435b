"""Right answers to the exercises of lesson 06."""

from math import factorial
from statistics import stdev

from splendor_nb.lessons.search import WORLDS


def my_error(shares):
    return stdev(shares) / len(shares) ** 0.5


my_choice = max(WORLDS, key=lambda action: sum(WORLDS[action]))

my_price = sum(map(max, zip(*WORLDS.values(), strict=True))) / 4 - 0.6

my_worlds = factorial(4)
