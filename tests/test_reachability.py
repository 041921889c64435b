"""How far nobles are: pairs and sets, gaps from a position, visits in play."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
import pandas as pd
import pytest
from positions import bonus_cards, position

from splendor_nb import (
    Card,
    Gems,
    Observation,
    State,
    base_cards,
    base_nobles,
    get_agent,
    new_game,
    play_game,
    simulate,
)
from splendor_nb.analysis.noble_gaps import cheapest_cards, noble_gaps, open_cards, takes_for
from splendor_nb.analysis.noble_play import (
    noble_chances,
    noble_visit_rates,
    nobles_by_agent,
    put_together,
    winners_with_nobles,
)
from splendor_nb.analysis.outcomes import share
from splendor_nb.analysis.reachability import (
    demand,
    fewest_cards,
    noble_distances,
    noble_frontier,
    noble_pairs,
    noble_progress,
    noble_sets,
    noble_turns,
    set_distribution,
)
from splendor_nb.games.intervals import wilson

COLORS = "WUGRK"
BY_NAME = {noble.name: noble for noble in base_nobles()}


def most(names: tuple[str, ...]) -> int:
    """The bonuses that nobles ask for together."""
    return sum(max(BY_NAME[name].cost[color] for name in names) for color in COLORS)


# -- from nothing ----------------------------------------------------------------------------------


def test_the_frontier_has_a_row_for_every_noble_and_up_to_twelve_cards() -> None:
    frontier = noble_frontier()
    assert len(frontier) == 120
    floor = frontier.noble.map({noble.name: sum(noble.cost.values()) for noble in base_nobles()})
    infeasible = frontier.status == "infeasible"
    assert (infeasible == (frontier.most_cards < floor)).all()
    assert frontier[infeasible][["tokens", "at_least", "turns"]].isna().all(axis=None)
    assert frontier[~infeasible][["tokens", "at_least", "turns"]].notna().all(axis=None)


def test_what_is_proven_is_what_is_found() -> None:
    for table, found in ((noble_frontier(), "tokens"), (noble_turns(), "turns")):
        known = table[table.status == "proven"]
        assert (known[found] == known.at_least).all()
        open_still = table[table.status == "bound"]
        assert not (open_still[found] == open_still.at_least).any()


def test_one_noble_has_the_rows_that_it_has_among_all() -> None:
    for table, one in (
        (noble_frontier(), noble_frontier("WK")),
        (noble_turns(), noble_turns("WK")),
    ):
        pd.testing.assert_frame_equal(table[table.noble == "WK"].reset_index(drop=True), one)


# -- pairs and sets --------------------------------------------------------------------------------


def test_pairs_ask_for_the_larger_number_color_by_color() -> None:
    pairs = noble_pairs()
    assert len(pairs) == 45
    for row in pairs.itertuples():
        first, second = BY_NAME[row.first], BY_NAME[row.second]
        assert row.cards == most((row.first, row.second))
        assert row.saved == sum(first.cost.values()) + sum(second.cost.values()) - row.cards
        assert set(row.shared) == set(first.name) & set(second.name)
        assert sum(getattr(row, color) for color in COLORS) == row.cards


def test_the_fewest_cards_are_those_of_the_cheapest_nobles_among_them() -> None:
    names = ("RK", "WU", "GRK", "WUG", "UG")
    assert fewest_cards(names, 1) == 8
    assert fewest_cards(names, 2) == min(map(most, combinations(names, 2))) == 11
    assert fewest_cards(names, 5) == sum(demand(names).values())


@pytest.mark.parametrize("shown", [3, 4, 5])
def test_every_set_up_is_there_once(shown: int) -> None:
    sets = noble_sets(shown)
    assert len(sets) == sets.nobles.nunique() == comb(10, shown)
    for row in sets.sample(12, random_state=1).itertuples():
        names = tuple(row.nobles.split())
        assert row.two == min(map(most, combinations(names, 2)))
        assert row.three == min(map(most, combinations(names, 3)))
        assert row.one == min(sum(BY_NAME[name].cost.values()) for name in names)


def test_the_distribution_counts_every_set_up_once() -> None:
    table = set_distribution()
    for (shown, earned), part in table.groupby(["shown", "earned"]):
        assert part.sets.sum() == comb(10, shown)
        assert part.share.sum() == pytest.approx(1)
        column = ("one", "two", "three")[earned - 1]
        counts = noble_sets(shown)[column].value_counts().sort_index()
        assert part.sets.tolist() == counts.tolist()
        assert part.cards.tolist() == counts.index.tolist()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: noble_frontier("XY"), "There is no noble 'XY'; there are 'RK'"),
        (lambda: demand(["WU", 3]), "There is no noble 3"),
        (lambda: fewest_cards(["WU"], 2), "number is a whole number from 1 to 1, not 2"),
        (lambda: noble_sets(6), "shown is a whole number from 3 to 5, not 6"),
        (lambda: noble_distances("here"), "an observation or a state, not 'here'"),
        (lambda: noble_chances(new_game(2, seed=1)), "Chances are for an observation"),
        (lambda: noble_chances(new_game(2, seed=1).observation(0), games=0), "games is a whole"),
        (
            lambda: noble_chances(new_game(2, seed=1).observation(0), agent="best"),
            "no agent 'best'",
        ),
    ],
)
def test_what_is_not_there_is_refused_in_a_sentence(call: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        call()


# -- from a position -------------------------------------------------------------------------------


def paid(order: tuple[Card, ...], owned: Gems) -> int:
    """The gems for cards bought in this order."""
    bonuses, gems = dict(owned), 0
    for card in order:
        gems += sum(max(0, card.cost[color] - bonuses[color]) for color in COLORS)
        bonuses[card.bonus] += 1
    return gems


def by_trying_all(cards: tuple[Card, ...], owned: Gems, missing: Gems) -> int | None:
    """The fewest gems, by every order of every fitting set."""
    useful = [card for card in cards if missing[card.bonus]]
    number = sum(missing.values())
    fitting = (
        order
        for order in permutations(useful, number)
        if all(sum(card.bonus == color for card in order) == missing[color] for color in COLORS)
    )
    return min((paid(order, owned) for order in fitting), default=None)


@pytest.mark.parametrize(("players", "seed"), [(2, 1), (3, 2), (4, 3)])
def test_the_cheapest_open_cards_are_those_of_trying_every_order(players: int, seed: int) -> None:
    states = list(play_game(["greedy"] * players, seed=seed).states())
    closed = 0
    for state in states[20::3]:
        view = state.observation(0)
        for gap in noble_gaps(view):
            if gap.total_missing > 4:
                continue
            owned = view.seats[gap.seat].bonuses
            right = by_trying_all(open_cards(view, gap.seat), owned, gap.missing)
            assert gap.total_price == right
            closed += right is not None
            if gap.cards is not None:
                bought = tuple(
                    card for name in gap.cards for card in base_cards() if card.name == name
                )
                assert paid(bought, owned) == right
    assert closed > 9


def test_missing_bonuses_are_those_above_what_is_owned() -> None:
    view = position(bought=bonus_cards("WWWWWUU", "K"), nobles="WU WUK RK").observation(0)
    gaps = {(gap.seat, gap.noble.name): gap.missing for gap in noble_gaps(view)}
    assert gaps[0, "WU"] == {"W": 0, "U": 2, "G": 0, "R": 0, "K": 0}
    assert gaps[0, "WUK"] == {"W": 0, "U": 1, "G": 0, "R": 0, "K": 3}
    assert gaps[1, "RK"] == {"W": 0, "U": 0, "G": 0, "R": 4, "K": 3}


def test_each_card_makes_the_later_ones_cheaper() -> None:
    cards = {card.name: card for card in base_cards()}
    pair = cards["1W1"], cards["1K3"]  # 2 red 1 black, and 3 green
    owned, missing = Gems([0] * 5), Gems([1, 0, 0, 0, 1])
    order, price = cheapest_cards(pair, owned, missing) or ((), owned)
    assert [card.name for card in order] == ["1K3", "1W1"]
    assert price == {"W": 0, "U": 0, "G": 3, "R": 2, "K": 0}


def test_own_reserved_cards_count_and_unseen_ones_of_others_do_not() -> None:
    state = position(
        bought=bonus_cards("WWWWUUU", ""),
        reserved=["?2U6", ""],
        nobles="WU",
        market="1W5 1W6 1W7 1G1 2W1 2W2 2W3 2W4 3W1 3W2 3W3 3W4",
    )

    def closing(view: State | Observation) -> tuple[str, ...] | None:
        return next(g.cards for g in noble_gaps(view) if (g.seat, g.noble.name) == (0, "WU"))

    assert closing(state.observation(0)) == ("2U6",)
    assert closing(state.observation(1)) is None
    assert closing(state) is None


def test_a_gap_that_is_closed_takes_no_card_and_no_gem() -> None:
    view = position(bought=bonus_cards("WWWWUUUU"), nobles="WU", turn=21, current=1).observation(0)
    gap = next(gap for gap in noble_gaps(view) if gap.noble.name == "WU")
    assert (gap.cards, gap.total_price, gap.takes) == ((), 0, 0)


def test_takes_are_for_what_the_tokens_do_not_pay_with_gold_where_it_helps_most() -> None:
    price = Gems([3, 0, 2, 0, 0])
    assert takes_for(price, Gems([0, 0, 0, 0, 0, 0])) == 3
    assert takes_for(price, Gems([1, 5, 2, 0, 0, 0])) == 1
    assert takes_for(price, Gems([1, 0, 0, 0, 0, 1])) == 2
    assert takes_for(price, Gems([2, 0, 2, 0, 0, 1])) == 0


def test_the_table_of_distances_says_what_the_gaps_say() -> None:
    view = list(play_game(["greedy", "greedy"], seed=7).states())[45].observation(1)
    table, gaps = noble_distances(view), noble_gaps(view)
    assert len(table) == len(gaps) == 2 * len(view.nobles)
    for row, gap in zip(table.itertuples(), gaps, strict=True):
        assert (row.seat, row.noble, row.missing) == (gap.seat, gap.noble.name, gap.total_missing)
        assert [getattr(row, color) for color in COLORS] == list(gap.missing.values())
        assert pd.isna(row.price) == (gap.cards is None) == pd.isna(row.cards)
        if gap.cards is not None:
            assert (row.cards, row.price, row.takes) == (
                " ".join(gap.cards),
                gap.total_price,
                gap.takes,
            )


def test_progress_ends_a_noble_with_its_visit() -> None:
    record = play_game(["greedy", "greedy", "greedy"], seed=4)
    progress = noble_progress(record)
    visits = progress[progress.visits]
    came = {(seat, noble.name) for seat, at in enumerate(record.state.seats) for noble in at.nobles}
    assert set(zip(visits.seat, visits.noble, strict=True)) == came
    assert (visits.missing == 0).all()
    for visit in visits.itertuples():
        assert progress[progress.noble == visit.noble].turn.max() == visit.turn
    assert (progress.groupby("turn").seat.nunique() == 3).all()
    assert progress[progress.turn == 0].missing.isin([8, 9]).all()


# -- in play ---------------------------------------------------------------------------------------


def played_by_hand() -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Four games of two seats and two of three, with four visits."""
    games = pd.DataFrame(
        {"game": range(6), "deal": range(6), "players": [2, 2, 2, 2, 3, 3], "rounds": 20}
    )
    seats = pd.DataFrame(
        [
            (game, seat, f"agent {seat}", nobles, share)
            for game, players, winner, visited in [
                (0, 2, 0, (1, 0)),
                (1, 2, 1, (1, 1)),
                (2, 2, 0, (0, 0)),
                (3, 2, 1, (0, 0)),
                (4, 3, 2, (0, 0, 1)),
                (5, 3, 0, (0, 0, 0)),
            ]
            for seat, nobles in enumerate(visited)
            for share in [float(seat == winner)]
        ],
        columns=["game", "seat", "agent", "nobles", "win_share"],
    )
    visits = pd.DataFrame(
        [(0, 20, 0, "WU"), (1, 30, 0, "WU"), (1, 41, 1, "RK"), (4, 47, 2, "RK")],
        columns=["game", "turn", "seat", "noble"],
    )
    return games, seats, visits


def test_visit_rates_are_per_game_that_shows_the_noble() -> None:
    rates = noble_visit_rates(*played_by_hand()).set_index(["players", "noble"])
    assert rates.index.tolist() == [(2, "RK"), (2, "WU"), (3, "RK")]
    wu = rates.loc[(2, "WU")]
    assert (wu.games, wu.visits, wu.rate) == (4, 2, pytest.approx((2 / 4) / 0.3))
    chance = share(pd.Series([True, True, False, False]), pd.Series(range(4)))
    assert (wu.low, wu.high) == (chance.low / 0.3, chance.high / 0.3)
    assert (wu.median_round, wu.to_winner) == (13.5, 0.5)  # rounds 11 and 16
    assert rates.loc[(3, "RK")].median_round == 47 // 3 + 1
    assert rates.loc[(3, "RK")].rate == pytest.approx((1 / 2) / 0.4)


def test_nobles_by_agent_count_seats_and_nobles() -> None:
    games, seats, _ = played_by_hand()
    table = nobles_by_agent(games, seats).set_index(["players", "agent"])
    first = table.loc[(2, "agent 0")]
    assert (first.seats, first.nobles, first.with_noble) == (4, 0.5, 0.5)
    assert first.with_noble_low < 0.5 < first.with_noble_high
    assert table.loc[(3, "agent 1")].nobles == 0


def test_winners_with_nobles_part_winners_from_others() -> None:
    games, seats, _ = played_by_hand()
    table = winners_with_nobles(games, seats).set_index(["players", "wins"])
    assert table.loc[(2, True)].with_noble == 0.5
    assert table.loc[(2, False)].with_noble == 0.25
    assert table.loc[(3, True)].seats == 2


def test_rates_agree_with_what_is_counted_in_played_games() -> None:
    sims = [simulate("greedy", games=60, players=n, seed=3, progress=False) for n in (2, 3)]
    games, seats, visits = put_together(sims)
    assert games.game.tolist() == list(range(120))
    assert games.deal.is_unique
    assert len(visits) == sum(len(sim.visits) for sim in sims)
    rates = noble_visit_rates(games, seats, visits)
    assert rates.visits.sum() == len(visits)
    assert rates.groupby("players").visits.sum().tolist() == [len(sim.visits) for sim in sims]
    record = sims[1].record(5)
    came = sorted(noble.name for seat in record.state.seats for noble in seat.nobles)
    assert sorted(visits[visits.game == 65].noble.astype(str)) == came


def test_games_of_one_deal_do_not_count_as_independent() -> None:
    sim = simulate("greedy", games=60, seed=3, progress=False)
    once = noble_visit_rates(sim.games, sim.seats, sim.visits)
    games, seats, visits = put_together([sim, sim])
    as_two = noble_visit_rates(games, seats, visits)
    as_one = noble_visit_rates(games.assign(deal=games.deal % 60), seats, visits)
    assert as_one[["low", "high"]].to_numpy() == pytest.approx(once[["low", "high"]].to_numpy())
    assert (as_two.high - as_two.low < once.high - once.low).all()


# -- chances ---------------------------------------------------------------------------------------


def nearly_there() -> State:
    """Seat 0 buys the last card for `WU` with its next turn, whatever else happens."""
    return position(
        bought=bonus_cards("WWWWUUU", "GGG"),
        market="1U8",
        tokens=["RRRR", ""],
        nobles="WU",
    )


def test_a_noble_that_is_sure_to_come_has_chance_one() -> None:
    state = nearly_there()
    assert [noble.name for noble in state.apply("buy 1U8").seats[0].nobles] == ["WU"]
    chances = noble_chances(state.observation(1), games=30)
    sure = chances[(chances.seat == 0) & (chances.noble == "WU")].iloc[0]
    assert (sure.visits, sure.chance, sure.high) == (30, 1.0, 1.0)
    assert sure.low == pytest.approx(wilson(30, 30).low)


def test_chances_are_the_same_for_the_same_seed_and_view() -> None:
    state = list(play_game(["greedy", "greedy"], seed=7).states())[30]
    first = noble_chances(state.observation(0), games=40, seed=5)
    other_truth = state.observation(0).determinize(99)
    pd.testing.assert_frame_equal(
        first, noble_chances(other_truth.observation(0), games=40, seed=5)
    )
    assert not first.equals(noble_chances(state.observation(0), games=40, seed=6))


def test_a_policy_gives_the_chances_of_the_agent_of_its_name() -> None:
    seen = new_game(players=3, seed=5).observation(player=1)
    pd.testing.assert_frame_equal(
        noble_chances(seen, games=4, seed=2, agent="greedy"),
        noble_chances(seen, games=4, seed=2, agent=get_agent("greedy")),
    )
    by_lot = noble_chances(seen, games=4, seed=2, agent="random")
    assert not by_lot.equals(noble_chances(seen, games=4, seed=2, agent="greedy"))


def test_the_chances_of_all_seats_together_are_no_more_than_one() -> None:
    chances = noble_chances(new_game(players=4, seed=2).observation(player=0), games=60)
    assert len(chances) == 4 * 5
    assert (chances.groupby("noble").chance.sum() <= 1).all()
    assert ((chances.low <= chances.chance) & (chances.chance <= chances.high)).all()
    assert chances.visits.sum() > 0


def test_any_agent_can_play_on() -> None:
    seen = nearly_there().observation(0)
    chances = noble_chances(seen, games=3, agent=get_agent("greedy"))
    assert chances.games.tolist() == [3] * len(chances)
    assert np.isclose(chances.chance, chances.visits / 3).all()
    assert chances[(chances.seat == 0) & (chances.noble == "WU")].visits.item() == 3
