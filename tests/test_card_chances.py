"""Chances, against counting every case of small decks, and against shuffles of the real one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from positions import position

from splendor_nb import Card, Gems, Observation, State, base_cards, new_game
from splendor_nb.analysis.card_chances import (
    chance_of_one,
    market_chance,
    market_chances,
    unseen_cards,
    unseen_reserve,
    waits,
    what_is_left,
)

SHUFFLES = 4000


def small_deck(*sizes: int) -> list[Card]:
    """A deck with so many cards of each level, every second one black."""
    return [
        Card(f"{level}{'KW'[at % 2]}{at // 2 + 1}", level, "KW"[at % 2], at, Gems([1, 0, 0, 0, 0]))
        for level, size in enumerate(sizes, start=1)
        for at in range(size)
    ]


def black(card: Card) -> bool:
    return card.bonus == "K"


def seat_with_secrets() -> Observation:
    """Seat 0's view of a game in which each seat holds a card of level 2 reserved unseen."""
    truth = position(
        players=2,
        reserved=["?2U6 1W1", "?2K4 3W4"],
        bought=["1K1 2G3", "3R1"],
        current=0,
    )
    return truth.observation(player=0)


# -- one of several --------------------------------------------------------------------------------


def test_the_chance_of_one_counts_the_draws_that_hold_it() -> None:
    for unseen in range(7):
        for wanted in range(unseen + 1):
            for drawn in range(unseen + 1):
                draws = list(combinations(range(unseen), drawn))
                hits = sum(any(card < wanted for card in draw) for draw in draws)
                exact = float(Fraction(hits, len(draws)))
                assert chance_of_one(wanted, unseen, drawn) == pytest.approx(exact, abs=1e-15)


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ((1, -1, 0), "unseen is a whole number from 0, not -1"),
        ((5, 4, 1), "wanted is a whole number from 0 to 4, not 5"),
        ((1, 4, 5), "drawn is a whole number from 0 to 4, not 5"),
    ],
)
def test_numbers_that_do_not_fit_each_other_are_refused(
    numbers: tuple[int, int, int], sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        chance_of_one(*numbers)


# -- a fresh market --------------------------------------------------------------------------------


def test_a_market_of_a_small_deck_counts_every_deal() -> None:
    deck = small_deck(6, 5, 3)
    table = market_chances(lambda card: card.points == 1, deck)
    for row in table.itertuples():
        level = [card for card in deck if card.level == row.level]
        deals = list(combinations(level, min(4, len(level))))
        found = [sum(card.points == 1 for card in deal) for deal in deals]
        assert row.shown == min(4, len(level))
        assert row.chance == pytest.approx(sum(map(bool, found)) / len(deals))
        assert row.expected == pytest.approx(sum(found) / len(deals))


def test_the_market_as_a_whole_counts_every_deal_of_all_levels() -> None:
    deck = small_deck(5, 5, 2)
    wish: Callable[[Card], bool] = lambda card: card.points == 3  # noqa: E731
    by_level = [
        list(combinations([card for card in deck if card.level == level], min(4, size)))
        for level, size in ((1, 5), (2, 5), (3, 2))
    ]
    hits = [
        any(map(wish, (*one, *two, *three)))
        for one in by_level[0]
        for two in by_level[1]
        for three in by_level[2]
    ]
    assert market_chance(wish, deck) == pytest.approx(sum(hits) / len(hits))


def test_the_market_of_the_game_agrees_with_shuffles() -> None:
    rng = np.random.default_rng(1)
    levels = [[card for card in base_cards() if card.level == level] for level in (1, 2, 3)]
    hits = sum(
        any(
            level[at].bonus == "K" and level[at].points >= 2
            for level in levels
            for at in rng.permutation(len(level))[:4]
        )
        for _ in range(SHUFFLES)
    )
    chance = market_chance(lambda card: card.bonus == "K" and card.points >= 2)
    assert abs(hits / SHUFFLES - chance) < 4 * np.sqrt(chance * (1 - chance) / SHUFFLES)


def test_a_level_without_cards_shows_none() -> None:
    table = market_chances(lambda _card: True, small_deck(1))
    assert table.chance.tolist() == [1, 0, 0]
    assert table.expected.tolist() == [1, 0, 0]
    assert market_chance(lambda _card: True, []) == 0


def test_a_wish_that_is_no_function_is_refused() -> None:
    with pytest.raises(TypeError, match="wish is a function of a Card, not 'K'"):
        market_chance("K")  # type: ignore[arg-type]


# -- waiting ---------------------------------------------------------------------------------------


def first_places(deck: list[Card], wish: Callable[[Card], bool]) -> Iterator[int]:
    """For every order of a deck, how many cards must leave before a wanted one lies open."""
    for order in permutations(deck):
        first = next(at for at, card in enumerate(order) if wish(card))
        yield max(first - 3, 0)


def test_a_wait_counts_every_order_of_a_small_deck() -> None:
    deck = small_deck(7)
    places = list(first_places(deck, black))
    table = waits(black, level=1, among=deck)
    assert table.left.tolist() == [0, 1, 2, 3]
    for row in table.itertuples():
        assert row.chance == pytest.approx(places.count(row.left) / len(places))
        reached = sum(place <= row.left for place in places)
        assert row.by_then == pytest.approx(reached / len(places))


def test_a_single_card_may_lie_anywhere_in_its_deck() -> None:
    table = waits("2U5")
    assert table.left.tolist() == list(range(27))
    assert table.chance.tolist() == [4 / 30, *[pytest.approx(1 / 30)] * 26]
    assert table.by_then.iloc[-1] == 1
    mean = (table.left * table.chance).sum()
    assert mean == pytest.approx(26 * 27 / 60)


def test_what_lies_open_is_not_waited_for() -> None:
    seen = new_game(players=2, seed=7).observation(player=0)
    card = seen.market[1][0]
    assert isinstance(card, Card)
    assert waits(card.name, among=seen).to_dict("records") == [
        {"left": 0, "chance": 1.0, "by_then": 1.0}
    ]


def test_what_has_been_bought_never_comes() -> None:
    table = waits("2G3", among=seat_with_secrets())
    assert table.by_then.eq(0).all()


def test_what_may_lie_in_a_hidden_reserve_may_never_come() -> None:
    seen = seat_with_secrets()
    unseen = sum(card.level == 2 for card in unseen_cards(seen))
    deck = seen.deck_sizes[1]
    assert unseen == deck + 1  # seat 1's unseen reserve
    wanted = next(card.name for card in unseen_cards(seen) if card.level == 2)
    table = waits(wanted, among=seen)
    assert table.chance.tolist() == [0, *[pytest.approx(1 / unseen)] * deck]
    assert table.by_then.iloc[-1] == pytest.approx(deck / unseen)


def test_a_slot_that_a_view_has_refilled_may_hold_the_card() -> None:
    seen = new_game(players=2, seed=7).observation(player=0)
    card = seen.market[0][0]
    assert isinstance(card, Card)
    after = seen.apply(f"reserve {card.name}")
    wanted = next(card.name for card in unseen_cards(after) if card.level == 1)
    table = waits(wanted, among=after)
    assert table.chance.tolist() == [pytest.approx(1 / 36)] * 36


def test_a_wait_agrees_with_truths_that_fit_the_view() -> None:
    seen = seat_with_secrets()
    table = waits(lambda card: card.points == 3, level=2, among=seen)
    places = []
    for seed in range(1500):
        coming = seen.determinize(seed).deck(2)
        found = [
            at for at, card in enumerate(coming, 1) if isinstance(card, Card) and card.points == 3
        ]
        places.append(min(found, default=99))
    open_now = any(isinstance(card, Card) and card.points == 3 for card in seen.market[1])
    assert not open_now
    for row in table.itertuples():
        reached = np.mean([place <= row.left for place in places])
        assert abs(reached - row.by_then) < 0.06


@pytest.mark.parametrize(
    ("arguments", "error", "sentence"),
    [
        (("2U9",), ValueError, "There is no card '2U9' among these 90"),
        (("2U5", 1), ValueError, "The card 2U5 is of level 2, not 1"),
        ((black,), ValueError, "level is 1, 2 or 3 where the wish is a property"),
        ((black, 4), ValueError, "level is a whole number from 1 to 3, not 4"),
        ((7, 1), TypeError, "wish is a function of a Card, not 7"),
    ],
)
def test_a_wait_for_nothing_that_there_is_is_refused(
    arguments: tuple[object, ...], error: type[Exception], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        waits(*arguments)  # type: ignore[arg-type]


# -- what a seat has not seen ----------------------------------------------------------------------


def test_what_is_left_is_all_that_no_truth_agrees_on() -> None:
    seen = seat_with_secrets()
    names = {card.name for card in unseen_cards(seen)}
    known = {"2U6", "1W1", "3W4", "1K1", "2G3", "3R1"}
    market = {card.name for row in seen.market for card in row if isinstance(card, Card)}
    assert names == {card.name for card in base_cards()} - known - market


def test_a_seat_knows_its_own_unseen_reserve_and_no_other() -> None:
    names = {card.name for card in unseen_cards(seat_with_secrets())}
    assert "2U6" not in names
    assert "2K4" in names


def test_two_truths_that_a_seat_cannot_tell_apart_leave_the_same() -> None:
    seen = seat_with_secrets()
    tables = [what_is_left(seen.determinize(seed).observation(player=0)) for seed in range(5)]
    assert all(table.equals(what_is_left(seen)) for table in tables)


def test_what_is_left_counts_cards_and_points_by_level_and_color() -> None:
    seen = seat_with_secrets()
    table = what_is_left(seen)
    assert len(table) == 15
    assert table.cards.sum() == 90
    for row in table.itertuples():
        left = [c for c in unseen_cards(seen) if c.name.startswith(f"{row.level}{row.bonus}")]
        assert row.unseen == len(left)
        assert row.points == sum(card.points for card in left)
    assert table.groupby("level", observed=True).chance.sum().tolist() == pytest.approx([1, 1, 1])


def test_a_level_that_is_used_up_has_no_chances() -> None:
    state = new_game(
        players=2,
        seed=1,
        cards=[
            {"level": 1, "bonus": "K", "points": 0, "cost": {"W": 1}},
            {"level": 2, "bonus": "K", "points": 0, "cost": {"W": 1}},
        ],
    )
    table = what_is_left(state.observation(player=0))
    assert table.unseen.sum() == 0
    assert table.chance.isna().all()
    assert unseen_reserve(state.observation(player=0), level=1).empty


def test_an_unseen_reserve_is_each_unseen_card_with_the_same_chance() -> None:
    seen = seat_with_secrets()
    table = unseen_reserve(seen, level=2)
    assert table.name.tolist() == [card.name for card in unseen_cards(seen) if card.level == 2]
    assert table.chance.tolist() == [pytest.approx(1 / len(table))] * len(table)


def test_an_unseen_reserve_agrees_with_truths_that_fit_the_view() -> None:
    seen = seat_with_secrets()
    truths = [seen.determinize(seed).seats[1].reserved[0] for seed in range(1500)]
    table = unseen_reserve(seen, level=2)
    for points, chance in table.groupby("points").chance.sum().items():
        share = np.mean([isinstance(c, Card) and c.points == points for c in truths])
        assert abs(share - chance) < 0.06


@pytest.mark.parametrize("question", [what_is_left, unseen_cards])
def test_the_whole_truth_is_refused(question: Callable[[object], pd.DataFrame]) -> None:
    state: State = new_game(players=2, seed=7)
    with pytest.raises(TypeError, match=r"state.observation\(player=0\), not a State"):
        question(state)


def test_a_level_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="level is a whole number from 1 to 3, not 0"):
        unseen_reserve(seat_with_secrets(), level=0)
