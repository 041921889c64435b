"""Charts of the cards: what they hold, what they say, and that no color stands alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import ipywidgets
import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from splendor_nb import base_cards, new_game
from splendor_nb.analysis.card_chances import waits, what_is_left
from splendor_nb.analysis.card_questions import (
    color_flow,
    color_sums,
    family_table,
    relabellings,
    savings,
)
from splendor_nb.analysis.card_stats import card_table
from splendor_nb.charts.figures.card_chances import left_map, waiting
from splendor_nb.charts.figures.card_values import (
    card_points,
    efficiency,
    in_words,
    points_against_cost,
    savings_by_bonus,
)
from splendor_nb.charts.figures.cards import (
    asked,
    asked_map,
    cost_distribution,
    cost_map,
    flow_bars,
    symmetry,
)
from splendor_nb.charts.figures.style import TEMPLATE, gem_label, live
from splendor_nb.charts.theme import LOOKS

COLORS = "WUGRK"
OWN = [
    {"level": 1, "bonus": "W", "points": 0, "cost": {"U": 2}},
    {"level": 1, "bonus": "W", "points": 0, "cost": {"G": 2}},
    {"level": 3, "bonus": "K", "points": 9, "cost": {"W": 3, "K": 1}},
]


def left(cards: object) -> pd.DataFrame:
    return what_is_left(new_game(players=2, seed=7, cards=cards).observation(player=0))


# Each chart with its table, for the base game or for cards of one's own.
CHARTS: dict[str, Callable[[object], go.Figure]] = {
    "cost_distribution": lambda cards: cost_distribution(card_table(cards)),
    "cost_map": lambda cards: cost_map(color_flow(cards)),
    "asked_map": lambda cards: asked_map(card_table(cards)),
    "flow_bars": lambda cards: flow_bars(color_flow(cards)),
    "points_against_cost": lambda cards: points_against_cost(card_table(cards)),
    "efficiency": lambda cards: efficiency(family_table(cards)),
    "savings_by_bonus": lambda cards: savings_by_bonus(savings(cards)),
    "symmetry": lambda cards: symmetry(relabellings(cards)),
    "waiting": lambda cards: waiting({"K": waits(lambda c: c.bonus == "K", 3, among=cards)}),
    "left_map": lambda cards: left_map(left(cards)),
}


@pytest.fixture(params=CHARTS.values(), ids=CHARTS)
def chart(request: pytest.FixtureRequest) -> Callable[[object], go.Figure]:
    make: Callable[[object], go.Figure] = request.param
    return make


# -- what holds for every chart --------------------------------------------------------------------


def test_every_chart_has_a_title_and_says_what_its_axes_count(chart: Callable) -> None:
    drawn = chart(None)
    titles = [axis.title.text for axis in (*drawn.select_xaxes(), *drawn.select_yaxes())]
    assert drawn.layout.title.text
    assert max(len(line) for line in drawn.layout.title.text.split("<br>")) <= 70
    assert any(titles)
    assert drawn.layout.template == TEMPLATE


def test_every_chart_is_small_and_the_same_each_time(chart: Callable) -> None:
    drawn = chart(None)
    assert len(drawn.to_json()) < 22_000
    assert drawn.to_json() == chart(None).to_json()


def test_every_chart_draws_cards_of_ones_own_and_none_at_all(chart: Callable) -> None:
    assert chart(OWN).to_json() != chart(None).to_json()
    assert chart([]).layout.title.text


def test_a_live_chart_reaches_the_page_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = []
    monkeypatch.setattr(
        ipywidgets.Widget, "open", lambda self: sent.append(getattr(self, "_widget_data", None))
    )
    drawn = live(cost_distribution(card_table()))
    assert [len(data) for data in sent if data is not None] == [3]
    assert "__PLOTLY__" not in drawn._esm
    assert drawn.layout.title.text.startswith("Level 1 costs")


def test_levels_in_a_chart_differ_by_more_than_their_color() -> None:
    for make in ("cost_distribution", "efficiency", "savings_by_bonus"):
        bars = [trace for trace in CHARTS[make](None).data if trace.type == "bar"]
        looks = {trace.name: trace.marker.pattern.shape for trace in bars}
        assert list(looks) == ["level 1", "level 2", "level 3"]
        assert len(set(looks.values())) == 3


# -- what cards cost -------------------------------------------------------------------------------


def test_the_distribution_counts_cards_by_cost_and_level() -> None:
    drawn = cost_distribution(card_table())
    expected = Counter((card.level, sum(card.cost.values())) for card in base_cards())
    found = {
        (level, x): y
        for level, bars in enumerate(drawn.data, start=1)
        for x, y in zip(bars.x, bars.y, strict=True)
    }
    assert found == expected
    assert drawn.layout.barmode == "stack"
    assert drawn.layout.xaxis.title.text == "total cost, gems"


def test_the_map_holds_the_flow_with_its_numbers_written_in() -> None:
    drawn = cost_map(color_flow())
    for level, panel in enumerate(drawn.data, start=1):
        assert panel.texttemplate == "%{z}"
        assert list(panel.x) == list(COLORS)
        assert list(panel.y) == [gem_label(color) for color in COLORS]
        for row, bonus in enumerate(COLORS):
            cards = [card for card in base_cards() if card.name.startswith(f"{level}{bonus}")]
            assert list(panel.z[row]) == [sum(c.cost[color] for c in cards) for color in COLORS]


def test_the_title_of_the_map_tells_how_even_and_how_uneven_colors_are() -> None:
    title = cost_map(color_flow()).layout.title.text
    pairs = color_flow().groupby(["paid", "bonus"], observed=True).gems.sum()
    assert color_sums().groupby("color", observed=True).paid.sum().unique() == [117]
    assert title.startswith("Every color pays 117 gems")
    assert f"{pairs.min()} for one color of bonus and {pairs.max()} for another" in title


def test_the_map_of_a_choice_counts_the_chosen_cards_alone() -> None:
    chosen = card_table().query("name in ['2U5', '3K4']")
    gems = pd.DataFrame(asked(chosen), index=list(COLORS), columns=list(COLORS))
    assert gems.loc["U"].tolist() == [5, 3, 0, 0, 0]
    assert gems.loc["K"].tolist() == [0, 0, 0, 7, 3]
    assert gems.to_numpy().sum() == 18
    assert np.array_equal(asked_map(chosen).data[0].z, gems)


def test_every_part_of_the_flow_has_its_letter_on_it() -> None:
    for bars in flow_bars(color_flow()).data:
        letter = bars.text[0][0]
        assert bars.marker.color == LOOKS[letter].face
        assert bars.insidetextfont.color == LOOKS[letter].ink
        for text, gems in zip(bars.text, bars.x, strict=True):
            assert text == (f"{letter} {gems}" if gems > 1 else letter)


def test_the_flow_has_a_panel_a_level() -> None:
    flow = color_flow()
    drawn = flow_bars(flow)
    sums = [
        sum(sum(bars.x) for bars in drawn.data if bars.xaxis == axis) for axis in ("x", "x2", "x3")
    ]
    assert sums == flow.groupby("level", observed=True).gems.sum().tolist() == [165, 205, 215]


# -- what cards are worth --------------------------------------------------------------------------


def test_every_card_is_a_point_near_its_cost_and_points() -> None:
    cards = {card.name: card for card in base_cards()}
    seen = []
    for color, places in card_points(card_table()).items():
        for x, y, name in zip(places["x"], places["y"], places["customdata"], strict=True):
            assert cards[name].bonus == color
            assert abs(x - sum(cards[name].cost.values())) < 0.5
            assert abs(y - cards[name].points) < 0.5
            seen.append(name)
    assert sorted(seen) == sorted(cards)


def test_no_two_cards_lie_on_one_another() -> None:
    for table in (card_table(), card_table([OWN[0]] * 40)):
        spots = [
            (round(x, 6), round(y, 6))
            for places in card_points(table).values()
            for x, y in zip(places["x"], places["y"], strict=True)
        ]
        assert len(set(spots)) == len(table)


def test_many_equal_cards_stay_within_their_step() -> None:
    places = card_points(card_table([OWN[0]] * 40))["W"]
    assert max(map(abs, places["y"])) < 0.5


def test_points_are_told_apart_by_shape_and_named_by_letter() -> None:
    drawn = points_against_cost(card_table())
    assert [trace.name for trace in drawn.data] == [gem_label(color) for color in COLORS]
    assert len({trace.marker.symbol for trace in drawn.data}) == 5


def test_a_point_says_its_card_in_words() -> None:
    words = in_words(card_table().query("name == '1U4'").iloc[0].to_dict())
    assert "<b>1U4</b>, level 1, blue bonus" in words
    assert "0 points for 1 white and 2 black" in words
    assert "2 takes" in words
    assert in_words(card_table(OWN).iloc[2].to_dict()).count("9 points for 3 white and 1 black")


def test_the_title_of_the_points_finds_the_widest_choice() -> None:
    title = points_against_cost(card_table()).layout.title.text
    assert title == "Gems do not fix the points: 7 gems buy from 1 to 4"
    same = points_against_cost(card_table(OWN)).layout.title.text
    assert same == "What cards cost, and the points that they give"


def test_efficiency_ranks_the_families_that_give_points() -> None:
    drawn = efficiency(family_table())
    order = list(drawn.layout.yaxis.categoryarray)
    bars = {y: x for trace in drawn.data[:3] for x, y in zip(trace.x, trace.y, strict=True)}
    assert len(bars) == 11
    assert [bars[kind] for kind in order] == sorted(bars.values())
    assert order[-1] == "L3: 7 → 4 points"
    assert {"points per gem", "points per take"} == {
        axis.title.text for axis in drawn.select_xaxes()
    }
    assert drawn.data[0].text == ("0.25",)


def test_savings_stack_to_the_number_above_them() -> None:
    *bars, totals = savings_by_bonus(savings()).data
    assert [sum(parts) for parts in zip(*(bar.y for bar in bars), strict=True)] == list(totals.y)
    assert totals.text == ("43", "31", "21", "9", "7", "4", "2")
    assert totals.error_y.array is None


def test_colors_that_differ_get_whiskers_from_the_least_to_the_most() -> None:
    drawn = savings_by_bonus(savings(OWN))
    whiskers = drawn.data[-1]
    assert whiskers.y[0] == pytest.approx(4 / 5)  # W, U, G and K once each, R never
    assert whiskers.error_y.array[0] == pytest.approx(1 - 4 / 5)
    assert whiskers.error_y.arrayminus[0] == pytest.approx(4 / 5)
    assert "on average, since colors differ" in drawn.layout.title.text


# -- symmetry and chance ---------------------------------------------------------------------------


def test_symmetry_leaves_out_that_nothing_is_exchanged() -> None:
    drawn = symmetry(relabellings())
    ways = pd.Series(drawn.data[0].customdata).groupby(list(drawn.data[0].y)).sum()
    assert ways.to_dict() == {"deck": 119, "level 1": 119, "level 2": 119, "level 3": 119}
    whole = [y for x, y in zip(drawn.data[0].x, drawn.data[0].y, strict=True) if x == 100]
    assert whole == ["level 3"]
    assert "4 for level 3" in drawn.layout.title.text


def test_a_wait_is_a_staircase_of_chances() -> None:
    table = waits("1K8")
    (line,) = waiting({"1K8": table}).data
    assert line.line.shape == "hv"
    assert list(line.y) == [pytest.approx(100 * chance) for chance in table.by_then]
    assert line.name == "1K8, after 16.6 on average"


def test_several_waits_differ_by_more_than_their_color() -> None:
    lines = waiting({str(level): waits(lambda _: True, level) for level in (1, 2, 3)}).data
    assert len({line.line.dash for line in lines}) == 3


def test_a_wait_that_may_be_in_vain_says_so() -> None:
    gone = pd.DataFrame({"left": [0, 1], "chance": [0.25, 0.5], "by_then": [0.25, 0.75]})
    assert waiting({"2U5": gone}).data[0].name == "2U5, 25 % never"


def test_the_map_of_what_is_left_writes_the_numbers_in() -> None:
    table = left(None)
    drawn = left_map(table)
    assert drawn.layout.title.text.startswith("78 of 90 cards are still unseen")
    for row in table.itertuples():
        at = row.level - 1, COLORS.index(row.bonus)
        assert drawn.data[0].z[at] == row.chance
        assert drawn.data[0].text[at] == f"{row.unseen} of {row.cards}<br>{row.chance:.0%}"


def test_a_color_that_is_used_up_has_no_chance_written() -> None:
    table = left(None).assign(unseen=0, chance=np.nan)
    assert set(left_map(table).data[0].text.ravel()) == {"0 of 8", "0 of 6", "0 of 4"}
