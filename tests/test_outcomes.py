"""What many games say, as tables: counted again by hand; intervals that hold what they claim."""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Any

import numpy as np
import pandas as pd
import pytest

from splendor_nb import base_nobles, simulate
from splendor_nb.analysis import outcomes, paired
from splendor_nb.analysis.sample_size import games_for_width, games_needed, power_of, power_table
from splendor_nb.games.intervals import clustered, wilson
from splendor_nb.games.simulation import Simulation

PAIR = ("greedy", "random")


@cache
def played(*agents: str, players: int = 2, games: int = 300, **options: Any) -> Simulation:
    """Some games: of a team, or of one agent for all seats."""
    team = agents[0] if len(agents) == 1 else list(agents)
    return simulate(team, games=games, seed=3, players=players, progress=False, **options)


# -- who wins --------------------------------------------------------------------------------------


def test_rates_count_each_agent_over_all_seats_and_at_each() -> None:
    sim = played(*PAIR)
    table = outcomes.rates_by_seat(sim).set_index(["agent", "seat"])
    assert len(table) == 6
    for (agent, seat), row in table.iterrows():
        mine = sim.seats[sim.seats.agent == agent]
        if seat != outcomes.ANY_SEAT:
            mine = mine[mine.seat == seat]
        assert row.games == len(mine)
        assert row.win_rate == pytest.approx(mine.win_share.mean())
        assert row.low <= row.win_rate <= row.high


def test_one_agent_for_all_seats_is_one_agent() -> None:
    table = outcomes.rates_by_seat(played("greedy", players=3))
    assert table.agent.tolist() == ["greedy"] * 3
    assert table.seat.tolist() == [0, 1, 2]
    assert table.win_rate.sum() == pytest.approx(1)


def test_two_of_a_kind_among_others_stay_apart() -> None:
    sim = played("greedy", "random", "greedy", players=3)
    assert outcomes.agent_names(sim) == ["greedy", "random", "greedy#2"]


def test_an_advantage_is_the_win_rate_less_the_fair_share() -> None:
    runs = [played("greedy", players=players) for players in (2, 4)]
    table = outcomes.seat_advantage({"greedy": runs})
    assert table.players.tolist() == [2, 2, 4, 4, 4, 4]
    for sim in runs:
        mine = table[table.players == sim.players]
        rates = outcomes.rates_by_seat(sim)
        assert mine.advantage.tolist() == pytest.approx(rates.win_rate - 1 / sim.players)
        assert (mine.high - mine.low).tolist() == pytest.approx(rates.high - rates.low)


def test_seats_are_not_compared_where_agents_differ() -> None:
    with pytest.raises(ValueError, match="'pair': one agent has all seats"):
        outcomes.seat_advantage({"pair": [played(*PAIR)]})
    assert outcomes.seat_advantage({}).empty


def test_win_rates_by_nobles_are_those_of_the_seats() -> None:
    sim = played("greedy")
    table = outcomes.win_rate_by(sim, "nobles").set_index("nobles")
    expected = sim.seats.groupby("nobles").win_share.agg(["size", "mean"])
    assert table.seats.tolist() == expected["size"].tolist()
    assert table.win_rate.tolist() == pytest.approx(expected["mean"].tolist())
    assert table.share.sum() == pytest.approx(1)


@pytest.mark.parametrize("measure", ["win_share", "agent", "nobels", "game"])
def test_other_columns_are_refused_by_name(measure: str) -> None:
    with pytest.raises(ValueError, match=f"measure is one of 'points', .*not '{measure}'"):
        outcomes.win_rate_by(played("greedy"), measure)


# -- how long, what is bought, who visits ----------------------------------------------------------


def test_lengths_are_counted_without_gaps() -> None:
    runs = {"two": played("greedy"), "pair": played(*PAIR)}
    table = outcomes.game_lengths(runs)
    for name, sim in runs.items():
        mine = table[table.run == name]
        assert mine.rounds.tolist() == list(
            range(sim.games.rounds.min(), sim.games.rounds.max() + 1)
        )
        counts = sim.games.rounds.value_counts().reindex(mine.rounds, fill_value=0)
        assert mine.games.tolist() == counts.tolist()
        assert mine["share"].sum() == pytest.approx(1)
    assert (table.low <= table["share"]).all()
    assert (table.high >= table["share"]).all()


def test_every_card_is_counted_with_its_buyers() -> None:
    sim = played(*PAIR)
    table = outcomes.card_outcomes(sim).set_index("card")
    assert len(table) == 90
    wins = sim.purchases.merge(sim.seats, on=["game", "seat"]).groupby("card", observed=True)
    assert table.bought.sum() == len(sim.purchases)
    for card, mine in wins:
        row = table.loc[str(card)]
        assert row.bought == len(mine)
        assert row.rate == pytest.approx(len(mine) / len(sim))
        assert row.win_rate == pytest.approx(mine.win_share.mean())
    facts = sim.purchases.drop_duplicates("card").set_index("card")
    assert (table.level[facts.index] == facts.level).all()
    assert (table.bonus[facts.index] == facts.bonus.astype(str)).all()


def test_purchases_of_one_agent_are_its_own_and_so_is_its_usual_rate() -> None:
    sim = played(*PAIR)
    mine, all_of_them = outcomes.card_outcomes(sim, "greedy"), outcomes.card_outcomes(sim)
    assert mine.bought.sum() == sim.seats[sim.seats.agent == "greedy"].bought.sum()
    assert (mine.bought <= all_of_them.bought).all()
    assert mine.usual.unique() == sim.seats[sim.seats.agent == "greedy"].win_share.mean()
    assert all_of_them.usual.unique() == 0.5
    with pytest.raises(ValueError, match="agent is one of 'greedy', 'random', not 'nobody'"):
        outcomes.card_outcomes(sim, "nobody")


def test_a_card_that_nobody_buys_has_a_rate_of_zero_and_no_win_rate() -> None:
    table = outcomes.card_outcomes(played("greedy", games=2))
    never = table[table.bought == 0]
    assert len(never) > 0
    assert (never.rate == 0).all()
    assert never.win_rate.isna().all()


def test_visits_are_counted_by_noble_and_round() -> None:
    sim = played("greedy", players=3)
    table = outcomes.noble_visits(sim)
    rounds = sim.visits.turn // 3 + 1
    assert table.visits.sum() == len(sim.visits)
    assert len(table) == 10 * rounds.max()
    for row in table[table.visits > 0].itertuples():
        assert row.visits == ((sim.visits.noble == row.noble) & (rounds == row.round)).sum()
        assert row.share == row.visits / len(sim)


def test_no_visit_at_all_is_no_row() -> None:
    assert outcomes.noble_visits(played("random", games=3, target=1)).empty


def test_who_is_beaten_on_cards_alone_is_counted_game_by_game() -> None:
    sim = played("greedy")
    turned = 0
    for _, seats in sim.seats.groupby("game"):
        winners = seats[seats.win_share > 0]
        turned += (winners.card_points < seats.card_points.max()).any()
    assert 0 < turned < len(sim)
    assert outcomes.beaten_on_cards(sim).estimate == turned / len(sim)


# -- the same deals --------------------------------------------------------------------------------


def test_differences_are_taken_deal_by_deal() -> None:
    first, second = played(*PAIR), played(*PAIR, gold="four_only")
    table = paired.paired_differences(first, second).set_index(["agent", "measure"])
    for agent in PAIR:
        old, new = (sim.seats[sim.seats.agent == agent] for sim in (first, second))
        gems = table.loc[agent, "gems_taken"]
        assert gems["first"] == pytest.approx(old.gems_taken.mean())
        assert gems.second == pytest.approx(new.gems_taken.mean())
        by_deal = (new.gems_taken - old.gems_taken).groupby(first.games.deal.to_numpy()).mean()
        error = by_deal.std() / len(by_deal) ** 0.5
        assert gems.difference == pytest.approx(by_deal.mean())
        assert (gems.high - gems.low) / 2 == pytest.approx(1.976 * error, rel=1e-3)
        assert gems.deals == len(by_deal) == 150


def test_a_run_does_not_differ_from_itself() -> None:
    sim = played("greedy")
    assert (paired.paired_differences(sim, sim)[["difference", "low", "high"]] == 0).all(axis=None)
    assert paired.other_winner(sim, sim).estimate == 0


def test_nobles_that_count_for_nothing_change_winners_but_no_move() -> None:
    free = [{"points": 0, "cost": dict(noble.cost)} for noble in base_nobles()]
    sim = played("greedy")
    without = simulate("greedy", games=300, seed=3, nobles=free, progress=False)
    changed = sum(
        a.tolist() != b.tolist()
        for (_, a), (_, b) in zip(
            sim.seats.groupby("game").win_share,
            without.seats.groupby("game").win_share,
            strict=True,
        )
    )
    assert changed > 30
    assert paired.other_winner(sim, without).estimate == changed / 300
    assert paired.other_winner(sim, without).n == 300


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"seed": 4}, "seed is 3 in the first and 4 in the second"),
        ({"agents": ["random", "greedy"]}, "agents is "),
        ({"games": 299}, "the first has 300, the second 299"),
        ({"rotate_seats": False}, "rotate_seats differs"),
    ],
)
def test_runs_of_other_games_are_not_compared(change: dict[str, Any], message: str) -> None:
    settings: dict[str, Any] = {"agents": list(PAIR), "games": 300, "seed": 3}
    other = simulate(**(settings | change), progress=False)
    with pytest.raises(ValueError, match=message):
        paired.paired_differences(played(*PAIR), other)
    with pytest.raises(ValueError, match=message):
        paired.other_winner(played(*PAIR), other)


# -- intervals -------------------------------------------------------------------------------------


def test_a_share_of_independent_trials_has_wilsons_interval() -> None:
    hits = pd.Series([True] * 30 + [False] * 270)
    alone = outcomes.share(hits, pd.Series(range(300)))
    assert alone == pytest.approx(wilson(30, 300), abs=2e-3)


def test_shared_deals_count_once() -> None:
    deals = pd.Series(np.repeat(np.arange(100), 2))
    hits = pd.Series(np.repeat(np.arange(100) % 4 == 0, 2))  # both games of a deal alike
    one_each = outcomes.share(hits[::2], deals[::2])
    assert outcomes.share(hits, deals) == pytest.approx(one_each, abs=1e-3)


def test_a_share_of_none_or_all_is_not_certain() -> None:
    deals = pd.Series(np.repeat(np.arange(50), 2))
    assert outcomes.share(pd.Series([False] * 100), deals) == (0, 0, wilson(0, 50).high, 50)
    assert outcomes.share(pd.Series([True] * 100), deals) == (1, wilson(50, 50).low, 1, 50)
    assert outcomes.share(pd.Series([True]), pd.Series([0])).low == pytest.approx(wilson(1, 1).low)
    assert np.isnan(outcomes.share(pd.Series([], dtype=bool), pd.Series([], dtype=int)).estimate)


@pytest.mark.parametrize("rate", [0.02, 0.3, 0.9])
def test_95_of_100_intervals_hold_the_truth(rate: float) -> None:
    """Two games of a deal agree with the chance of one half."""
    draw = np.random.default_rng(7)
    deals, held = pd.Series(np.repeat(np.arange(150), 2)), 0
    for _ in range(400):
        first, second = draw.random((2, 150)) < rate
        second = np.where(draw.random(150) < 0.5, first, second)
        interval = outcomes.share(pd.Series(np.ravel([first, second], order="F")), deals)
        held += interval.low <= rate <= interval.high
    assert 0.92 <= held / 400 <= 0.99


def test_near_zero_it_holds_where_the_plain_one_does_not() -> None:
    draw = np.random.default_rng(7)
    deals = pd.Series(range(100))
    samples = [pd.Series(draw.random(100) < 0.01) for _ in range(300)]
    plain = np.mean([clustered(s.astype(float), deals).high >= 0.01 for s in samples])
    ours = np.mean([outcomes.share(s, deals).high >= 0.01 for s in samples])
    assert plain < 0.7
    assert ours > 0.95


# -- how many games --------------------------------------------------------------------------------


@pytest.mark.parametrize("games", [7, 60, 400])
def test_power_sums_the_wins_that_chance_does_not_explain(games: int) -> None:
    def chance(wins: int, rate: float) -> float:
        return comb(games, wins) * rate**wins * (1 - rate) ** (games - wins)

    fair = [chance(wins, 0.5) for wins in range(games + 1)]
    odd = [
        wins for wins in range(games + 1) if min(sum(fair[: wins + 1]), sum(fair[wins:])) < 0.025
    ]
    assert power_of(games, 0.55) == pytest.approx(sum(chance(wins, 0.55) for wins in odd))


def test_without_a_difference_it_is_seen_in_at_most_5_of_100_runs() -> None:
    assert all(power_of(games, 0.5) <= 0.05 for games in range(1, 400, 7))


@pytest.mark.parametrize(("rate", "other"), [(0.55, 0.5), (0.45, 0.5), (0.6, 0.5), (0.3, 0.25)])
def test_so_many_games_give_about_the_power_asked_for(rate: float, other: float) -> None:
    for power in (0.5, 0.8, 0.95):
        games = games_needed(rate, other, power)
        assert power_of(games, rate, other) == pytest.approx(power, abs=0.05)


def test_the_table_of_powers_has_each_pair() -> None:
    table = power_table([0.55, 0.6], [100, 200, 300])
    assert len(table) == 6
    assert (table.groupby("rate").power.diff().dropna() > 0).all()
    assert table.power[4] == power_of(200, 0.6)


def test_so_many_games_make_the_interval_so_wide() -> None:
    for rate in (0.5, 0.25):
        games = games_for_width(0.01, rate)
        interval = wilson(rate * games, games)
        assert interval.high - interval.low == pytest.approx(0.01, abs=1e-5)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: games_needed(0), "rate is between 0 and 1, not 0"),
        (lambda: games_needed(0.5, 0.5), "No number of games tells 0.5 from itself"),
        (lambda: games_needed(0.6, power=1), "power is between 0 and 1, not 1"),
        (lambda: power_of(0, 0.5), "games is a whole number from 1, not 0"),
        (lambda: power_of(10, 1.5), "rate is between 0 and 1, not 1.5"),
        (lambda: games_for_width(2), "width is between 0 and 1, not 2"),
    ],
    ids=["rate", "the same", "power", "games", "above 1", "width"],
)
def test_numbers_out_of_range_are_refused(call: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()
