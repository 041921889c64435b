"""Right answers to the exercises of lesson 03."""

from splendor_nb import noble_plan


def cards_for_both(first, second):
    return sum(max(first.cost[color], second.cost[color]) for color in first.cost)


def missing(seat, noble):
    return sum(max(0, asked - seat.bonuses[color]) for color, asked in noble.cost.items())


my_plan = noble_plan("WU", most_cards=9).actions
