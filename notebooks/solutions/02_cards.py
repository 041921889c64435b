"""Right answers to the exercises of lesson 02."""

from splendor_nb import base_cards

my_cards = {
    card.name
    for card in base_cards()
    if [color for color, number in card.cost.items() if number] == [card.bonus]
}

my_chance = 1 - (25 * 24 * 23 * 22) / (30 * 29 * 28 * 27)


def my_price(card, bonuses):
    return sum(max(0, number - bonuses[color]) for color, number in card.cost.items())
