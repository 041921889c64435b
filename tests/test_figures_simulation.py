"""Charts of many games: what they hold, what they say, and that nobody's name is markup."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest

from splendor_nb import simulate
from splendor_nb.analysis import noble_play, outcomes, paired
from splendor_nb.analysis.sample_size import power_table
from splendor_nb.charts.figures import comparisons, purchases, simulation
from splendor_nb.charts.figures.style import TEMPLATE
from splendor_nb.charts.theme import LOOKS
from splendor_nb.games.simulation import Simulation

EVIL = "<b>me</b><img src=x>"


@cache
def played(*agents: str, players: int = 2, games: int = 300, **options: Any) -> Simulation:
    """Some games: of a team, or of one agent for all seats."""
    team = agents[0] if len(agents) == 1 else list(agents)
    return simulate(team, games=games, seed=3, players=players, progress=False, **options)


def visits(sim: Simulation) -> go.Figure:
    rates = noble_play.noble_visit_rates(sim.games, sim.seats, sim.visits)
    return purchases.noble_visits(outcomes.noble_visits(sim), rates)


def other_rules(team: tuple[str, ...], games: int) -> go.Figure:
    runs = [played(*team, games=games, rules=name) for name in ("standard", "uzbek_sundanese")]
    return comparisons.rule_differences(paired.paired_differences(*runs), "one", "other")


# Each chart with its table, of so many games.
CHARTS: dict[str, Callable[[int], go.Figure]] = {
    "win_rates": lambda n: simulation.win_rates(
        outcomes.rates_by_seat(played("greedy", "random", games=n))
    ),
    "win_rates of equals": lambda n: simulation.win_rates(
        outcomes.rates_by_seat(played("greedy", players=4, games=n))
    ),
    "seat_advantage": lambda n: simulation.seat_advantage(
        outcomes.seat_advantage(
            {name: [played(name, players=p, games=n) for p in (2, 3)] for name in ("greedy",)}
        )
    ),
    "game_length": lambda n: simulation.game_length(
        outcomes.game_lengths({name: played(name, games=n) for name in ("greedy", "random")})
    ),
    "points_race": lambda n: simulation.points_race(
        played("greedy", "random", games=n).points_by_round()
    ),
    "rule_differences": partial(other_rules, ("greedy", "random")),
    "rule_differences of equals": partial(other_rules, ("greedy",)),
    "power_curves": lambda n: comparisons.power_curves(power_table([0.55, 0.6], [n, 10 * n])),
    "winners_buy": lambda n: purchases.winners_buy(
        outcomes.card_outcomes(played("greedy", games=n))
    ),
    "noble_visits": lambda n: visits(played("greedy", games=n)),
    "win_rate_by": lambda n: purchases.win_rate_by(
        outcomes.win_rate_by(played("greedy", games=n), "nobles")
    ),
}


@pytest.fixture(params=CHARTS.values(), ids=CHARTS)
def chart(request: pytest.FixtureRequest) -> Callable[[int], go.Figure]:
    make: Callable[[int], go.Figure] = request.param
    return make


# -- what holds for every chart --------------------------------------------------------------------


def test_every_chart_has_a_title_and_says_what_its_axes_count(chart: Callable) -> None:
    drawn = chart(300)
    titles = [axis.title.text for axis in (*drawn.select_xaxes(), *drawn.select_yaxes())]
    assert drawn.layout.title.text
    assert max(len(line) for line in drawn.layout.title.text.split("<br>")) <= 72
    assert any(titles)
    assert drawn.layout.template == TEMPLATE


def test_every_chart_is_small_and_the_same_each_time(chart: Callable) -> None:
    drawn = chart(300)
    assert len(drawn.to_json()) < 28_000
    assert drawn.to_json() == chart(300).to_json()


@pytest.mark.parametrize("games", [1, 2, 7])
def test_every_chart_draws_a_few_games_too(chart: Callable, games: int) -> None:
    assert chart(games).layout.title.text
    assert chart(games).to_json() != chart(300).to_json()


# A run that is stopped before the first game is over has such tables.
EMPTY: dict[str, Callable[[], go.Figure]] = {
    "win_rates": lambda: simulation.win_rates(
        pd.DataFrame(columns=["agent", "seat", "games", "win_rate", "low", "high"])
    ),
    "seat_advantage": lambda: simulation.seat_advantage(outcomes.seat_advantage({})),
    "game_length": lambda: simulation.game_length(outcomes.game_lengths({})),
    "points_race": lambda: simulation.points_race(pd.DataFrame()),
    "power_curves": lambda: comparisons.power_curves(power_table([], [])),
}


@pytest.mark.parametrize("make", EMPTY.values(), ids=EMPTY)
def test_no_games_are_said_in_words(make: Callable[[], go.Figure]) -> None:
    assert re.match(r"No games|How many games", make().layout.title.text)


def test_series_differ_by_more_than_their_color() -> None:
    rates = CHARTS["win_rates"](300)
    assert len({trace.marker.symbol for trace in rates.data}) == 2
    lines = CHARTS["game_length"](300)
    assert len({(trace.line.dash, trace.marker.symbol) for trace in lines.data}) == 2
    race = CHARTS["points_race"](300)
    assert len({trace.line.dash for trace in race.data if trace.showlegend is None}) > 1


@pytest.mark.parametrize(
    "draw",
    [
        lambda sim: simulation.win_rates(outcomes.rates_by_seat(sim)),
        lambda sim: simulation.points_race(sim.points_by_round()),
        lambda sim: simulation.game_length(outcomes.game_lengths({EVIL: sim})),
        lambda sim: purchases.winners_buy(outcomes.card_outcomes(sim, sim.agents[0]), EVIL),
        lambda sim: comparisons.rule_differences(
            paired.paired_differences(sim, sim), EVIL, "other"
        ),
    ],
    ids=["rates", "race", "lengths", "cards", "rules"],
)
def test_names_are_no_markup_and_not_endless(draw: Callable[[Simulation], go.Figure]) -> None:
    def bot(observation: Any, rng: Any) -> Any:
        return observation.legal_actions()[0]

    bot.name = EVIL + "!" * 200  # type: ignore[attr-defined]
    drawn = draw(simulate([bot, "greedy"], games=2, seed=1, target=3, progress=False)).to_json()
    assert "<img" not in drawn
    assert "\\u003cimg" not in drawn
    assert "\\u003cb\\u003e" not in drawn.replace("\\u003cb\\u003e%{customdata", "")
    assert "&lt;b&gt;me" in drawn
    assert "!" * 30 not in drawn


# -- who wins --------------------------------------------------------------------------------------


def test_win_rates_carry_their_intervals_and_the_fair_share() -> None:
    table = outcomes.rates_by_seat(played("greedy", "random"))
    drawn = simulation.win_rates(table)
    for trace in drawn.data:
        mine = table[table.agent == trace.name]
        assert list(trace.y) == pytest.approx(100 * mine.win_rate)
        assert list(trace.error_y.array) == pytest.approx(100 * (mine.high - mine.win_rate))
        assert list(trace.error_y.arrayminus) == pytest.approx(100 * (mine.win_rate - mine.low))
    assert drawn.layout.shapes[0].y0 == 50
    assert list(drawn.layout.xaxis.ticktext) == ["all seats", "seat 0", "seat 1"]


def test_the_title_names_who_wins_most_the_first_of_equals() -> None:
    table = pd.DataFrame(
        {
            "agent": ["a", "b", "c"],
            "seat": outcomes.ANY_SEAT,
            "games": 10,
            "win_rate": [0.2, 0.4, 0.4],
            "low": 0.1,
            "high": 0.6,
        }
    )
    title = simulation.win_rates(table).layout.title.text
    assert title == "b wins 40.0 % of its games (95 % interval 10.0 to 60.0)"


def advantage(*rows: tuple[int, float, float, float]) -> pd.DataFrame:
    columns = ["seat", "advantage", "low", "high"]
    return pd.DataFrame(rows, columns=columns).assign(run="me", players=2, games=9)


def test_the_title_finds_an_advantage_only_where_the_interval_does() -> None:
    unsure = advantage((0, -0.09, -0.2, 0.02), (1, 0.09, -0.02, 0.2))
    assert "every seat wins its fair share" in simulation.seat_advantage(unsure).layout.title.text
    sure = advantage((0, -0.05, -0.06, -0.04), (1, 0.09, -0.02, 0.2))
    title = simulation.seat_advantage(sure).layout.title.text
    assert title == "Seat 0 of 2 loses most: 5.0 points below its fair share (me)"


def test_each_run_has_a_panel_and_each_number_of_players_one_look() -> None:
    runs = {
        name: [played(name, players=players) for players in (2, 3)] for name in ("greedy", "random")
    }
    drawn = simulation.seat_advantage(outcomes.seat_advantage(runs))
    assert [panel.text for panel in drawn.layout.annotations] == ["greedy", "random"]
    looks = {(trace.name, trace.marker.symbol) for trace in drawn.data}
    assert looks == {("2 players", "circle"), ("3 players", "diamond")}
    assert sum(trace.showlegend for trace in drawn.data) == 2


# -- lengths and the race --------------------------------------------------------------------------


def test_the_title_of_lengths_tells_medians() -> None:
    table = pd.DataFrame(
        {
            "run": ["a"] * 3 + ["b"] * 2,
            "rounds": [20, 21, 22, 30, 31],
            "games": [2, 3, 4, 1, 9],
            "share": 0.5,
            "low": 0.4,
            "high": 0.6,
        }
    )
    title = simulation.game_length(table).layout.title.text
    assert title == "Half of the games are over after 21 rounds (a), or 31 (b)"
    alone = simulation.game_length(table[table.run == "a"]).layout.title.text
    assert alone == "Half of the games are over after 21 rounds"


def test_the_race_shows_medians_the_middle_half_and_how_many_still_run() -> None:
    race = played("greedy", "random").points_by_round()
    shown = race[race.running >= simulation.RAREST]
    greedy = shown[shown.agent == "greedy"]
    low, high, median = simulation.points_race(race).data[:3]
    assert list(low.y) == greedy.q25.tolist()
    assert list(high.y) == greedy.q75.tolist()
    assert list(median.y) == greedy["median"].tolist()
    running = simulation.points_race(race).data[6]
    assert list(running.y) == pytest.approx((100 * greedy.running).tolist())
    assert min(running.y) >= 1


def test_rounds_that_few_games_reach_are_shaded_and_the_legend_says_so() -> None:
    race = played("greedy", "random").points_by_round()
    drawn = simulation.points_race(race)
    few = race[(race.running < 0.1) & (race.running >= simulation.RAREST)]
    assert {shape.x0 for shape in drawn.layout.shapes} == {few["round"].min()}
    assert {shape.x1 for shape in drawn.layout.shapes} == {few["round"].max()}
    assert drawn.data[-1].name == "less than 10 % still run"
    many = simulation.points_race(race[race.running >= 0.1])
    assert not many.layout.shapes


# -- cards and nobles ------------------------------------------------------------------------------


def test_every_bought_card_is_a_point_in_the_panel_of_its_level() -> None:
    cards = outcomes.card_outcomes(played("greedy"))
    drawn = purchases.winners_buy(cards)
    axes = {3: "y", 2: "y2", 1: "y3"}
    found = {}
    for trace in drawn.data:
        for data, x, y in zip(trace.customdata, trace.x, trace.y, strict=True):
            found[data[0]] = (trace.yaxis, trace.name[0], x, y)
    bought = cards[cards.bought > 0]
    assert len(found) == len(bought)
    for row in bought.itertuples():
        expected = (axes[row.level], row.bonus, 100 * row.rate, 100 * row.win_rate)
        assert found[row.card] == pytest.approx(expected)


def test_colors_of_cards_have_letters_and_shapes() -> None:
    drawn = purchases.winners_buy(outcomes.card_outcomes(played("greedy")))
    shapes = {trace.name[0]: trace.marker.symbol for trace in drawn.data}
    assert shapes == {letter: LOOKS[letter].marker for letter in "WUGRK"}


def test_the_cards_at_the_ends_of_a_level_bear_their_names() -> None:
    cards = outcomes.card_outcomes(played("greedy"))
    drawn = purchases.winners_buy(cards)
    named = {text for trace in drawn.data for text in trace.text if text}
    expected = set()
    for _, level in cards[cards.bought > 0].groupby("level"):
        ranked = level.sort_values("win_rate").card
        expected |= {*ranked.head(2), *ranked.tail(2)}
    assert named == expected


def test_visits_stand_beside_their_rates_in_one_order() -> None:
    sim = played("greedy")
    drawn = visits(sim)
    heat, rates = drawn.data
    assert heat.y == rates.y
    assert list(rates.x) == sorted(rates.x)
    table = outcomes.noble_visits(sim).set_index(["noble", "round"]).visits
    for noble, row in zip(heat.y, heat.z, strict=True):
        assert row == tuple(table[noble, at] for at in heat.x) or row == [
            table[noble, at] for at in heat.x
        ]
    assert sum(map(sum, heat.z)) == len(sim.visits)


def test_no_visit_is_said_in_words() -> None:
    sim = played("random", games=3, target=1)
    assert visits(sim).layout.title.text == "No noble has visited anybody"


def test_win_rates_by_number_tell_how_many_seats_had_it() -> None:
    table = outcomes.win_rate_by(played("greedy"), "nobles")
    drawn = purchases.win_rate_by(table)
    assert list(drawn.data[0].y) == pytest.approx(100 * table.win_rate)
    assert drawn.layout.xaxis.ticktext[0] == f"0<br>{table.share[0]:.0%}"
    assert drawn.layout.shapes[0].y0 == pytest.approx(50)


# -- one run beside another ------------------------------------------------------------------------


def test_differences_stand_with_their_intervals_and_both_means() -> None:
    runs = [played("greedy", rules=name) for name in ("standard", "uzbek_sundanese")]
    table = paired.paired_differences(*runs).set_index("measure")
    points, means = comparisons.rule_differences(table.reset_index(), "one", "other").data
    gold = [text for text in means.text if text.endswith("→ 0.00")]
    assert gold == [f"   {table['first']['gold_taken']:.2f} → 0.00"]
    at = list(means.text).index(gold[0])
    assert points.x[at] == table.difference["gold_taken"]
    assert means.x[at] == table.high["gold_taken"]


def test_equals_have_no_win_rate_and_rounds_stand_once() -> None:
    equals = other_rules(("greedy",), 300)
    assert "win rate" not in equals.layout.yaxis.ticktext
    team = other_rules(("greedy", "random"), 300)
    assert "win rate" in team.layout.yaxis.ticktext
    measures = len(team.layout.yaxis.ticktext)
    assert [len(trace.x) for trace in team.data] == [measures] * 2 + [measures - 1] * 2


@pytest.mark.parametrize(
    ("low", "difference", "high", "said"),
    [
        (0.1, 0.25, 0.4, "games are 0.25 rounds longer"),
        (-3, -2, -1, "games are 2 rounds shorter"),
        (-1, 0.5, 2, "games are as long, as far as these tell"),
    ],
)
def test_the_title_says_longer_only_where_the_interval_does(
    low: float, difference: float, high: float, said: str
) -> None:
    row = {"agent": "a", "measure": "rounds", "first": 30.0, "second": 31.0, "deals": 9}
    table = pd.DataFrame([row | {"difference": difference, "low": low, "high": high}])
    title = comparisons.rule_differences(table, "one", "other").layout.title.text
    assert title == f"Same deals, one → other:<br>{said}"


def test_power_is_drawn_over_games_on_a_log_axis() -> None:
    table = power_table([0.55, 0.6], [100, 1000])
    drawn = comparisons.power_curves(table)
    assert drawn.layout.xaxis.type == "log"
    assert [line.name for line in drawn.data] == ["55 %", "60 %"]
    assert list(drawn.data[1].y) == pytest.approx(100 * table.power[2:])
