"""Charts of the nobles: what they draw, their titles and units, and that grey is enough."""

from __future__ import annotations

from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest

from splendor_nb import GameRecord, base_nobles, new_game, play_game, simulate
from splendor_nb.analysis.card_stats import noble_table
from splendor_nb.analysis.noble_play import noble_chances, noble_visit_rates, put_together
from splendor_nb.analysis.reachability import (
    noble_frontier,
    noble_pairs,
    noble_progress,
    set_distribution,
)
from splendor_nb.charts.figures import nobles as charts
from splendor_nb.charts.theme import LOOKS

COLORS = "WUGRK"


@pytest.fixture(scope="module")
def game() -> GameRecord:
    return play_game(["greedy", "greedy", "greedy"], seed=4)


@pytest.fixture(scope="module")
def rates() -> pd.DataFrame:
    sims = [simulate("greedy", games=80, players=n, seed=2, progress=False) for n in (2, 4)]
    return noble_visit_rates(*put_together(sims))


@pytest.fixture(scope="module")
def all_figures(game: GameRecord, rates: pd.DataFrame) -> dict[str, go.Figure]:
    seen = new_game(players=3, seed=5).observation(player=0)
    return {
        "colors": charts.noble_colors(noble_table()),
        "pairs": charts.pairs_map(noble_pairs()),
        "sets": charts.set_costs(set_distribution()),
        "frontier": charts.frontier(noble_frontier()),
        "rates": charts.visit_rates(rates),
        "distances": charts.distances(noble_progress(game)),
        "chances": charts.chances(noble_chances(seen, games=20)),
    }


def with_a_bound() -> pd.DataFrame:
    """The frontier of one noble as if its last number were open."""
    table = noble_frontier("RK")
    table.loc[table.most_cards == 12, ["at_least", "status"]] = [5, "bound"]
    return table


def axis_titles(drawn: go.Figure) -> set[str]:
    axes = (*drawn.select_xaxes(), *drawn.select_yaxes())
    return {axis.title.text for axis in axes if axis.title.text}


def test_every_figure_has_a_title_that_fits_and_units_on_its_axes(
    all_figures: dict[str, go.Figure],
) -> None:
    for drawn in all_figures.values():
        lines = drawn.layout.title.text.split("<br>")
        assert all(0 < len(line) <= 70 for line in lines)
        assert axis_titles(drawn)
        assert drawn.layout.height
        assert len(drawn.to_json()) < 60_000


def test_series_differ_by_more_than_their_color(all_figures: dict[str, go.Figure]) -> None:
    lines = all_figures["distances"].data
    assert len({line.line.dash for line in lines if line.mode == "lines"}) == 4
    symbols = [points.marker.symbol for points in all_figures["rates"].data]
    assert len(set(symbols)) == 2
    for name in ("sets", "chances"):
        bars = all_figures[name].data
        assert len({bar.marker.pattern.shape for bar in bars if bar.name != "nobody"}) == 3


def test_the_map_of_colors_has_every_number_of_every_noble() -> None:
    drawn = charts.noble_colors(noble_table())
    numbers = {
        (noble, LOOKS[color].letter): int(number)
        for color, trace in zip(COLORS, drawn.data, strict=True)
        for noble, number in zip(trace.y, trace.text, strict=True)
    }
    asked = {(n.name, color): n.cost[color] for n in base_nobles() for color in n.name}
    assert numbers == asked
    for color, trace in zip(COLORS, drawn.data, strict=True):
        assert set(trace.x) == {f"{color} {LOOKS[color].name}"}
        assert trace.marker.color == LOOKS[color].face


def test_nobles_stand_along_the_ring_those_of_two_colors_first() -> None:
    shown = charts.noble_colors(noble_table()).layout.yaxis.categoryarray
    assert list(shown) == ["WU", "UG", "GR", "RK", "WK", "WUG", "UGR", "GRK", "WRK", "WUK"]


def test_the_map_of_pairs_has_each_pair_once() -> None:
    (heat,) = charts.pairs_map(noble_pairs()).data
    cells = {
        frozenset((x, y)): heat.z[row][column]
        for row, y in enumerate(heat.y)
        for column, x in enumerate(heat.x)
        if heat.z[row][column] == heat.z[row][column]
    }
    pairs = noble_pairs().itertuples()
    assert cells == {frozenset((pair.first, pair.second)): pair.cards for pair in pairs}


def test_set_ups_are_drawn_as_shares_in_percent() -> None:
    table = set_distribution()
    for bars, shown in zip(charts.set_costs(table).data, (3, 4, 5), strict=True):
        part = table[(table.shown == shown) & (table.earned > 1)]
        assert list(bars.y) == (100 * part.share).tolist()
        assert sum(bars.y) == pytest.approx(200)  # two questions
        assert "0" not in bars.text
    assert charts.set_costs(table).layout.title.text.startswith("With 3 nobles shown, 11 cards")


def test_the_frontier_draws_what_is_proven_as_disks_with_the_numbers() -> None:
    drawn = charts.frontier(noble_frontier())
    assert [note.text for note in drawn.layout.annotations] == sorted(
        (noble.name for noble in base_nobles()), key=len
    )
    names = [note.text for note in drawn.layout.annotations]
    for name, points in zip(names, drawn.data, strict=True):
        known = noble_frontier(name).query("status == 'proven'")
        assert list(points.x) == known.most_cards.tolist()
        assert list(points.y) == known.tokens.tolist()
        assert list(points.text) == known.tokens.astype(str).tolist()
        assert set(points.marker.symbol) == {"circle"}
    assert drawn.layout.title.text.endswith("(all proven)")


def test_the_frontier_draws_a_bound_as_an_open_diamond_with_its_range() -> None:
    drawn = charts.frontier(with_a_bound())
    points = drawn.data[0]
    assert points.marker.symbol[-1] == "diamond-open"
    assert points.text[-1] == "5–7"
    assert points.error_y.arrayminus[-1] == 2
    assert points.error_y.array[-1] == 0
    assert points.customdata[-1] == "bound"
    assert "all proven" not in drawn.layout.title.text


def test_a_bound_without_a_plan_is_left_out_of_the_line() -> None:
    table = with_a_bound()
    table.loc[table.most_cards == 12, "tokens"] = pd.NA
    assert list(charts.frontier(table).data[0].x) == [8, 9, 10, 11]


def test_visit_rates_are_drawn_with_their_intervals(rates: pd.DataFrame) -> None:
    drawn = charts.visit_rates(rates)
    left, right = drawn.data[0], drawn.data[1]
    part = rates[rates.players == 2]
    assert list(left.x) == pytest.approx((100 * part.rate).tolist())
    assert [x - less for x, less in zip(left.x, left.error_x.arrayminus, strict=True)] == (
        pytest.approx((100 * part.low).tolist())
    )
    assert list(right.x) == part.median_round.tolist()
    names = drawn.layout.yaxis.ticktext
    assert [names[round(y)] for y in left.y] == part.noble.tolist()
    assert {trace.name for trace in drawn.data} == {"2 players", "4 players"}


def test_the_course_of_a_game_ends_in_stars_where_nobles_came(game: GameRecord) -> None:
    progress = noble_progress(game)
    drawn = charts.distances(progress, ["Anna", "<b>Bo", "Cy"])
    stars = [trace for trace in drawn.data if "markers" in trace.mode]
    assert len(stars) == 3
    came = [(x, name) for trace in stars for x, name in zip(trace.x, trace.text, strict=True)]
    visits = progress[progress.visits].sort_values(["seat", "turn"])
    assert came == list(zip(visits.turn, visits.noble, strict=True))
    lines = [trace for trace in drawn.data if trace.mode == "lines"]
    for line, (_, part) in zip(
        lines, progress.groupby(["seat", "noble"], sort=False), strict=False
    ):
        assert len(line.x) == len(line.customdata)
        assert all(abs(y - n) < 0.4 for y, n in zip(line.y, line.customdata, strict=True))
        assert len(part)
    titles = axis_titles(drawn)
    assert "Anna:<br>bonuses missing" in titles
    assert "&lt;b&gt;Bo:<br>bonuses missing" in titles


def test_chances_add_up_with_nobody(all_figures: dict[str, go.Figure]) -> None:
    bars = all_figures["chances"].data
    assert [bar.name for bar in bars] == ["seat 0", "seat 1", "seat 2", "nobody"]
    for heights in zip(*(bar.y for bar in bars), strict=True):
        assert sum(heights) == pytest.approx(100)


@pytest.mark.parametrize(
    ("draw", "table", "title"),
    [
        (charts.visit_rates, pd.DataFrame(columns=["players", "noble", "rate"]), "No noble has"),
        (charts.distances, None, "None of 4 nobles came"),
    ],
)
def test_a_title_says_where_there_is_nothing(draw: Any, table: Any, title: str) -> None:
    if table is None:
        record = play_game(["random", "random", "random"], seed=1, turn_limit=12)
        table = noble_progress(record)
    assert draw(table).layout.title.text.startswith(title)
