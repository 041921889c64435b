"""The tables of a simulation: golden ones, and all columns against the plain engine."""

from __future__ import annotations

import copy
from functools import cache
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import pytest
from positions import CARDS, NOBLES, first_cards, tally
from slow_tables import COLUMNS, played, points_by_round, rows, rows_of, slow_tables

from splendor_nb import Rng, new_game, simulate

np = pytest.importorskip("numpy")
pd = pytest.importorskip("pandas")
stats = pytest.importorskip("scipy.stats")

GOLDEN = Path(__file__).parent / "golden"
TEAMS = {
    2: ["greedy", "random"],
    3: ["random", "greedy", "greedy"],
    4: ["greedy", "random", "greedy", "random"],
}


def dear_cards() -> list[dict[str, Any]]:
    """As many cards as in the base game, with other points and costs."""
    cards = copy.deepcopy(CARDS)
    for number, card in enumerate(cards):
        card["points"] = (card["points"] + number) % 4
        card["cost"]["W"], card["cost"]["K"] = card["cost"]["K"], card["cost"]["W"]
    return cards


OPTIONS: dict[str, dict[str, Any]] = {
    "standard": {},
    "payment": {"payment": "choose"},
    "take_fewer": {"take_fewer": "free"},
    "uzbek_sundanese": {"rules": "uzbek_sundanese"},
    "target": {"target": 5},
    "turn_limit": {"turn_limit": 30},
    "unseen_reserve": {"unseen_reserve": "off"},
    "own cards": {"cards": dear_cards()},
    "own nobles": {"nobles": [noble | {"points": 1 + i % 4} for i, noble in enumerate(NOBLES)]},
    "own tokens": {"tokens": tally("WWWWWWWUUUUGGGRRRRRKKK**")},
}


@cache
def sample(players: int, option: str, games: int, *, rotate: bool = True) -> Any:
    """Some games under an option."""
    more = OPTIONS[option]
    return simulate(TEAMS[players], games, 11, rotate_seats=rotate, **more)


def hesitant(observation: Any, rng: Rng) -> str:
    """An agent that raises now and then."""
    if rng.below(200) == 0:
        raise LookupError("nothing comes to mind")
    return rng.choice(observation.legal_actions())


# --- golden tables


def golden(name: str) -> Any:
    """A small simulation that may never change."""
    if name == "two":
        return simulate(["greedy", "random"], games=2, seed=1)
    if name == "three":
        options = {"payment": "choose", "take_fewer": "free", "tie_break": "none", "target": 8}
        return simulate("random", games=2, seed=2026, players=3, **options)
    return simulate(["random", hesitant, "greedy", "random"], games=4, seed=5, target=6)


@pytest.mark.parametrize("table", COLUMNS)
@pytest.mark.parametrize("name", ["two", "three", "four"])
def test_golden_games_never_change(name: str, table: str) -> None:
    expected = (GOLDEN / f"{name}_{table}.csv").read_text(encoding="utf-8")
    assert getattr(golden(name), table).to_csv(index=False, lineterminator="\n") == expected


def test_the_golden_games_have_something_of_everything() -> None:
    assert set(golden("two").purchases["source"]) == {"market", "reserve"}
    assert len(golden("two").visits) > 1
    assert (golden("three").actions["action"] == "pay").any()
    assert set(golden("four").faults["kind"]) == {"exception"}


# --- against game-by-game replay through the plain engine


def assert_plain(sim: Any, *, rotate: bool = True, **options: Any) -> None:
    """Compare each game with the plain engine's, and all columns with those worked out slowly."""
    for game in range(len(sim)):
        record = sim.record(game)
        start, actions = played(
            TEAMS[sim.players], sim.seed, game, rotate=rotate, **copy.deepcopy(options)
        )
        assert record.start == start
        assert list(record.actions) == actions
    found, expected = rows_of(sim), slow_tables(sim, rotate=rotate)
    for name in COLUMNS:
        assert found[name] == expected[name], name


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_column_is_that_of_the_plain_engine(players: int) -> None:
    assert_plain(sample(players, "standard", 40))


@pytest.mark.parametrize("option", OPTIONS)
def test_every_column_is_right_under_every_option(option: str) -> None:
    assert_plain(sample(2, option, 12), **OPTIONS[option])


def test_every_column_is_right_without_rotation() -> None:
    assert_plain(sample(3, "standard", 12, rotate=False), rotate=False)


@pytest.mark.slow
@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_column_of_300_games_is_that_of_the_plain_engine(players: int, option: str) -> None:
    assert_plain(sample(players, option, 300), **OPTIONS[option])


@pytest.mark.slow
def test_tables_of_another_size_play_the_same_games() -> None:
    more = {
        "cards": first_cards(12, 9, 6),
        "nobles": NOBLES[:2],
        "tokens": tally("WWUUGGRRKK*"),
    }
    assert_plain(simulate(TEAMS[2], 60, 11, **more), **more)


def test_every_column_is_right_where_agents_fail() -> None:
    sim = simulate(["greedy", hesitant, "random"], 60, 5)
    assert 0 < len(sim.faults) < 60
    assert set(sim.games["end_reason"]) == {"target", "forfeit"}
    found, expected = rows_of(sim), slow_tables(sim)
    for name in COLUMNS:
        assert found[name] == expected[name], name


def test_the_options_make_other_games() -> None:
    ends = {option: rows(sample(2, option, 12).games) for option in OPTIONS}
    same = {option for option in OPTIONS if ends[option] == ends["standard"]}
    assert same == {"standard"}


# --- their form


@pytest.mark.parametrize("table", COLUMNS)
def test_a_table_has_the_documented_columns(table: str) -> None:
    assert list(getattr(sample(2, "standard", 12), table).columns) == COLUMNS[table].split()


@pytest.mark.parametrize("table", COLUMNS)
def test_the_types_of_columns_do_not_depend_on_the_games(table: str) -> None:
    one, many = simulate(TEAMS[2], 1, 3), sample(2, "standard", 40)
    faulty = simulate(["greedy", hesitant], 60, 5)
    kinds = [str(getattr(sim, table).dtypes.to_dict()) for sim in (one, many)]
    assert kinds[0] == kinds[1]
    names = [column for column in COLUMNS[table].split() if column != "agent"]
    types = [getattr(sim, table)[names].dtypes.astype(str).to_dict() for sim in (many, faulty)]
    assert types[0] == types[1]


@pytest.mark.parametrize("table", COLUMNS)
def test_rows_are_numbered_from_0_and_in_order_of_games(table: str) -> None:
    rows_ = getattr(sample(3, "standard", 40), table)
    assert list(rows_.index) == list(range(len(rows_)))
    assert rows_["game"].is_monotonic_increasing


def test_shares_of_the_win_sum_to_one_in_each_game() -> None:
    sim = simulate("greedy", 200, 3, players=4, tie_break="none", target=3)
    shares = sim.seats.groupby("game")["win_share"].sum()
    assert shares.to_numpy() == pytest.approx(1)
    assert set(sim.games["winners"]) >= {1, 2}


def test_points_are_those_of_cards_and_nobles() -> None:
    seats = sample(3, "standard", 40).seats
    assert (seats["points"] == seats["card_points"] + seats["noble_points"]).all()
    assert (seats["noble_points"] == 3 * seats["nobles"]).all()
    assert (seats["nobles"] > 0).any()


def test_what_is_paid_and_kept_and_returned_is_what_was_taken() -> None:
    sim = sample(2, "standard", 40)
    paid = sim.purchases.groupby(["game", "seat"])[["gems_paid", "gold_paid"]].sum().sum(axis=1)
    for game, seat, taken, gold, returned in rows(
        sim.seats[["game", "seat", "gems_taken", "gold_taken", "returned"]]
    ):
        kept = sum(sim.record(game).state.seats[seat].tokens.values())
        assert taken + gold - returned == kept + paid.get((game, seat), 0)


# --- points by round


def assert_race(sim: Any) -> None:
    """Compare the race with the one worked out slowly."""
    race = sim.points_by_round().set_index(["agent", "round"])
    expected = points_by_round(sim)
    assert list(race.index) == list(expected)
    for key, points in expected.items():
        row = race.loc[key]
        assert row["mean"] == pytest.approx(mean(points))
        assert row["games"] == len(points)
        assert row["running"] == pytest.approx(mean(n >= key[1] for n in sim.games["rounds"]))
        quantiles = np.quantile(points, [0.1, 0.25, 0.5, 0.75, 0.9], method="inverted_cdf")
        assert [row[q] for q in ("q10", "q25", "median", "q75", "q90")] == list(quantiles)


@pytest.mark.parametrize("players", [2, 3])
def test_the_race_is_that_of_the_records(players: int) -> None:
    assert_race(sample(players, "standard", 40))


def test_the_race_holds_games_that_end_within_a_round() -> None:
    assert_race(simulate(["greedy", hesitant, "random"], 60, 5))


def test_points_never_fall_and_end_as_final_points() -> None:
    sim = sample(3, "standard", 40)
    race, last = sim.points_by_round(), sim.games["rounds"].max()
    for agent, part in race.groupby("agent", observed=True):
        for column in ("mean", "q10", "q25", "median", "q75", "q90"):
            assert part[column].is_monotonic_increasing
        assert part["running"].is_monotonic_decreasing
        assert part["running"].iloc[0] == 1
        final = sim.seats.loc[sim.seats["agent"] == agent, "points"].mean()
        assert part.set_index("round").loc[last, "mean"] == pytest.approx(final)


# --- rates


def by_hand(sim: Any, keys: list[str]) -> dict[Any, list[tuple[int, float]]]:
    """For each group the deal and share of the win of each seat, from the rows of `seats`."""
    deals = dict(rows(sim.games[["game", "deal"]]))
    groups: dict[Any, list[tuple[int, float]]] = {}
    for game, *key, share in rows(sim.seats[["game", *keys, "win_share"]]):
        groups.setdefault(tuple(key), []).append((deals[game], share))
    return groups


@pytest.mark.parametrize("keys", [["agent"], ["seat"], ["agent", "seat"]])
def test_win_rates_are_those_worked_out_by_hand(keys: list[str]) -> None:
    sim = sample(3, "standard", 40)
    table = sim.win_rates(by=keys if len(keys) > 1 else keys[0])
    groups = by_hand(sim, keys)
    assert len(table) == len(groups)
    for row in table.to_dict("records"):
        shares = groups[tuple(row[key] for key in keys)]
        n, wins = len(shares), sum(share for _, share in shares)
        assert (row["games"], row["deals"]) == (n, len({deal for deal, _ in shares}))
        assert row["wins"] == pytest.approx(wins)
        assert row["win_rate"] == pytest.approx(wins / n)
        assert (row["low"], row["high"]) == pytest.approx(wilson_by_hand(wins / n, n))


def wilson_by_hand(share: float, n: float, z: float = 1.959963984540054) -> tuple[float, float]:
    """Where p lies if the share is just z standard errors from it: a quadratic equation."""
    roots = np.roots([1 + z * z / n, -(2 * share + z * z / n), share * share])
    return min(roots), max(roots)


def batched(values: list[Any], size: int) -> list[list[Any]]:
    """The values in groups."""
    return [values[first : first + size] for first in range(0, len(values), size)]


def test_intervals_over_deals_are_those_of_as_many_games_as_scatter_like_deals() -> None:
    sim = simulate(["greedy", "random"], 60, 3, target=2)
    rates = sim.win_rates().set_index("agent")
    for (agent,), shares in by_hand(sim, ["agent"]).items():
        means = [mean(share for _, share in pair) for pair in batched(shares, 2)]
        share, variance = mean(means), stdev(means) ** 2 / len(means)
        expected = wilson_by_hand(share, share * (1 - share) / variance, stats.t.ppf(0.975, 29))
        assert expected[1] - expected[0] > 0.1
        row = rates.loc[agent]
        assert (row["paired_low"], row["paired_high"]) == pytest.approx(expected)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("agent", ["greedy", "random"])
def test_a_mirror_match_has_the_fair_share_in_its_intervals(agent: str, players: int) -> None:
    rates = simulate([agent] * players, 120 * players, 17).win_rates()
    assert list(rates["agent"]) == [agent, *(f"{agent}#{i}" for i in range(2, players + 1))]
    for low, high in (("low", "high"), ("paired_low", "paired_high")):
        assert (rates[low] - 1e-9 <= 1 / players).all()
        assert (1 / players <= rates[high] + 1e-9).all()


def test_seats_of_a_mirror_match_need_the_intervals_over_deals() -> None:
    """Two games of one deal by one agent are the same game, so half of them tell nothing."""
    rates = simulate(["random", "random"], 400, 17).win_rates("seat")
    assert list(rates["deals"]) == [200, 200]
    wide, narrow = rates["paired_high"] - rates["paired_low"], rates["high"] - rates["low"]
    assert (wide / narrow).to_numpy() == pytest.approx(2**0.5, rel=0.03)


BAD_GROUPS: list[Any] = ["game", "", [], ["agent", "agents"], [["agent"]], 3, None, {"deal": 1}]


@pytest.mark.parametrize("by", BAD_GROUPS)
@pytest.mark.parametrize("name", ["win_rates", "summary"])
def test_another_grouping_is_refused(name: str, by: Any) -> None:
    with pytest.raises((TypeError, ValueError), match=r"by is .*'agent'.*'seat'"):
        getattr(sample(2, "standard", 12), name)(by)


# --- summary


def test_a_summary_is_the_mean_of_each_column() -> None:
    sim = sample(3, "standard", 40)
    summary = sim.summary().set_index(["agent", "measure"])
    for agent in sim.agents:
        seats = sim.seats[sim.seats["agent"] == agent]
        for measure in COLUMNS["seats"].split()[3:]:
            row, values = summary.loc[(agent, measure)], list(seats[measure])
            assert row["mean"] == pytest.approx(mean(values))
            assert row["sd"] == pytest.approx(stdev(values))
            assert (row["games"], row["deals"]) == (40, 14)


def test_the_interval_of_a_summary_is_over_deals() -> None:
    sim = sample(2, "standard", 40)
    row = sim.summary("seat").set_index(["seat", "measure"]).loc[(1, "bought")]
    bought = [n for seat, n in rows(sim.seats[["seat", "bought"]]) if seat == 1]
    means = [mean(bought[game : game + 2]) for game in range(0, 40, 2)]
    reach = stats.t.ppf(0.975, 19) * stdev(means) / 20**0.5
    assert (row["low"], row["high"]) == pytest.approx((mean(means) - reach, mean(means) + reach))


def test_deals_that_are_not_played_in_all_rotations_count_by_their_games() -> None:
    sim = simulate(["greedy", "greedy"], 5, 3)
    row = sim.summary().set_index(["agent", "measure"]).loc[("greedy", "points")]
    points = sim.seats.loc[sim.seats["agent"] == "greedy", "points"]
    assert row["mean"] == pytest.approx(points.mean())
    assert row["deals"] == 3
    assert row["low"] < row["mean"] < row["high"]


# --- hardly any games


def test_one_game_has_tables_and_no_certainty() -> None:
    sim = simulate(["greedy", "random"], 1, 3)
    (greedy, _) = sim.win_rates().to_dict("records")
    assert (greedy["games"], greedy["deals"]) == (1, 1)
    assert greedy["paired_high"] - greedy["paired_low"] > 0.7
    assert sim.summary()["high"].eq(float("inf")).all()
    assert sim.points_by_round()["games"].eq(1).all()


def test_no_games_have_the_same_columns() -> None:
    def interrupted(observation: Any, rng: Rng) -> str:
        raise KeyboardInterrupt

    some, none = simulate(["greedy", "random"], 2, 3), simulate([interrupted, "random"], 2, 3)
    assert (len(none), none.partial) == (0, True)
    for name in COLUMNS:
        table = getattr(none, name)
        assert list(table.columns) == COLUMNS[name].split()
        assert len(table) == 0
    for name in ("win_rates", "summary", "points_by_round"):
        assert list(getattr(none, name)().columns) == list(getattr(some, name)().columns)


# --- what a new game deals


@pytest.mark.parametrize("option", ["standard", "payment", "own cards", "own tokens"])
def test_deal_0_is_that_of_new_game(option: str) -> None:
    start = new_game(players=2, seed=11, **copy.deepcopy(OPTIONS[option]))
    assert sample(2, option, 12).record(0).start == start
    assert sample(2, option, 12).record(1).start == start
    assert sample(2, option, 12).record(2).start != start
