"""Right answers to the exercises of lesson 04."""

from statistics import stdev

from splendor_nb.analysis.sample_size import games_needed

my_games = games_needed(0.52)

my_interval = (0.509, 0.571)


def my_error(first, second):
    differences = [one - other for one, other in zip(first, second, strict=True)]
    return stdev(differences) / len(differences) ** 0.5
