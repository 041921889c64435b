"""The panel to look through the cards: its controls, and what they change."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import ipywidgets
import pytest
from lab import Desk, run_server

from splendor_nb import Card, base_cards
from splendor_nb.analysis.card_stats import card_table
from splendor_nb.board.explore.cards import NO_CARD, CardPanel, explore_cards

if TYPE_CHECKING:
    from playwright.sync_api import Browser

COLORS = "WUGRK"
PATIENCE_MS = 120_000  # the page loads plotly first
TAG = [{"level": 1, "bonus": "W", "points": 0, "cost": {"U": 2}}]


@pytest.fixture
def panel() -> CardPanel:
    return explore_cards()


def drawn_names(panel: CardPanel) -> list[str]:
    """The cards in the figure of points, in table order."""
    names = {name for trace in panel.points.data[:-1] for name in trace.customdata or ()}
    return [card.name for card in base_cards() if card.name in names]


def names(condition: Any) -> list[str]:
    return [card.name for card in base_cards() if condition(card)]


def controls_within(widget: Any) -> list[Any]:
    """All widgets that a person can set or press."""
    kinds = (
        ipywidgets.Checkbox,
        ipywidgets.Dropdown,
        ipywidgets.BoundedIntText,
        ipywidgets.Button,
    )
    if isinstance(widget, kinds):
        return [widget]
    return [one for child in getattr(widget, "children", ()) for one in controls_within(child)]


# -- filters ---------------------------------------------------------------------------------------


def test_at_first_all_cards_are_there(panel: CardPanel) -> None:
    assert drawn_names(panel) == [card.name for card in base_cards()]
    assert panel.listing.value.count("<tr>") == 91
    assert "90 of 90 cards; together 140 points for 585 gems." in panel.message.value


def test_every_filter_leaves_the_cards_that_it_says(panel: CardPanel) -> None:
    filters = panel.filters
    filters.levels[1].value = False
    assert panel.found.name.tolist() == names(lambda c: c.level > 1)
    filters.bonuses["K"].value = filters.bonuses["R"].value = False
    assert panel.found.name.tolist() == names(lambda c: c.level > 1 and c.bonus in "WUG")
    filters.paid.value = "R"
    assert panel.found.name.tolist() == names(
        lambda c: c.level > 1 and c.bonus in "WUG" and c.cost["R"]
    )
    filters.points[1].value = 2
    filters.gems[0].value = 8
    assert panel.found.name.tolist() == names(
        lambda c: (
            c.level == 2
            and c.bonus in "WUG"
            and c.cost["R"]
            and c.points <= 2
            and sum(c.cost.values()) >= 8
        )
    )


def test_a_shape_is_chosen_among_those_that_there_are(panel: CardPanel) -> None:
    shapes = [value for _, value in panel.filters.shape.options]
    assert shapes[1:] == sorted(set(card_table()["shape"]), key=shapes.index)
    panel.filters.shape.value = "6+3+3"
    assert panel.found.name.tolist() == ["3W3", "3U2", "3G3", "3R3", "3K3"]


def test_table_figures_and_list_of_names_follow_the_filters(panel: CardPanel) -> None:
    panel.filters.shape.value = "6+3+3"
    found = panel.found.name.tolist()
    assert drawn_names(panel) == found
    assert [value for _, value in panel.card.options][1:] == found
    assert panel.listing.value.count("<tr>") == 6
    assert panel.map.data[0].z.sum() == 60


def test_nothing_that_fits_is_said_in_words(panel: CardPanel) -> None:
    for tick in panel.filters.levels.values():
        tick.value = False
    assert NO_CARD in panel.message.value
    assert panel.listing.value == ""
    assert drawn_names(panel) == []
    assert not panel.map.data[0].z.any()


def test_a_range_the_wrong_way_round_fits_no_card(panel: CardPanel) -> None:
    panel.filters.points[0].value = 4
    panel.filters.points[1].value = 2
    assert NO_CARD in panel.message.value


def test_all_cards_come_back_by_one_button(panel: CardPanel) -> None:
    panel.filters.paid.value = "W"
    panel.filters.gems[1].value = 5
    panel.filters.levels[2].value = False
    (button,) = [one for one in controls_within(panel) if isinstance(one, ipywidgets.Button)]
    button.click()
    assert len(panel.found) == 90
    assert panel.filters.condition() == ""


def test_rows_are_sorted_best_first_and_cheapest_first(panel: CardPanel) -> None:
    panel.sort.value = "points_per_gem"
    first = panel.listing.value.split("<td")[1]
    assert ">3W2<" in first  # the first of those of seven gems for four points
    panel.sort.value = "total_cost"
    assert ">1W1<" in panel.listing.value.split("<td")[1]


# -- one card --------------------------------------------------------------------------------------


def click(panel: CardPanel, name: str) -> None:
    """Click the point of a card: what the page sends then."""
    trace = next(t for t in panel.points.data[:-1] if name in t.customdata)
    panel.points._js2py_pointsCallback = {
        "event_type": "plotly_click",
        "points": {
            "trace_indexes": [panel.points.data.index(trace)],
            "point_indexes": [list(trace.customdata).index(name)],
            "xs": [0],
            "ys": [0],
        },
    }


def test_a_click_on_a_point_draws_its_card_and_marks_it_twice(panel: CardPanel) -> None:
    click(panel, "3U2")
    assert isinstance(panel.picked, Card)
    assert panel.picked.name == panel.card.value == "3U2"
    assert "3U2: 4 points, costs 6 white, 3 blue and 3 black" in panel.drawing.value
    assert "data:image/svg+xml;base64," in panel.drawing.value
    ring = panel.points.data[-1]
    assert (round(ring.x[0]), round(ring.y[0])) == (12, 4)
    frame = panel.map.data[-1]
    assert list(frame.x) == ["W", "U", "K"]
    assert set(frame.y) == {"U blue"}


def test_a_card_chosen_by_name_is_the_same_as_a_click(panel: CardPanel) -> None:
    other = explore_cards()
    click(other, "1K8")
    panel.card.value = "1K8"
    assert panel.drawing.value == other.drawing.value
    assert list(panel.points.data[-1].x) == list(other.points.data[-1].x)


def test_no_card_leaves_no_mark(panel: CardPanel) -> None:
    assert "Click a point" in panel.drawing.value
    click(panel, "3U2")
    panel.card.value = ""
    assert panel.picked is None
    assert list(panel.points.data[-1].x) == list(panel.map.data[-1].x) == []


def test_a_card_stays_picked_while_it_passes_the_filters(panel: CardPanel) -> None:
    click(panel, "3U2")
    panel.filters.levels[1].value = False
    assert panel.card.value == "3U2"
    assert len(panel.points.data[-1].x) == 1
    panel.filters.levels[3].value = False
    assert panel.picked is None
    assert list(panel.points.data[-1].x) == []


# -- what it says beside ---------------------------------------------------------------------------


def test_the_code_gives_the_table_that_is_shown(panel: CardPanel) -> None:
    panel.filters.bonuses["G"].value = False
    panel.filters.shape.value = "3+3+2"
    panel.filters.points[1].value = 4
    panel.sort.value = "points"
    code = panel.source
    there: dict[str, Any] = {}
    exec(code, there)
    assert there["table"].equals(panel.found.sort_values("points", ascending=False, kind="stable"))
    assert "card_table()" in code


def test_the_code_for_all_cards_is_the_table_itself(panel: CardPanel) -> None:
    assert "query" not in panel.source
    assert "card_table(cards)" in explore_cards(TAG).source


def test_the_code_is_folded_away_until_it_is_asked_for(panel: CardPanel) -> None:
    assert panel.code.layout.display == "none"
    panel.unfold.value = True
    assert panel.code.layout.display != "none"
    assert "card_table()" in panel.code.value


def test_every_control_has_a_name(panel: CardPanel) -> None:
    controls = controls_within(panel)
    assert len(controls) == 3 + 5 + 2 + 4 + 2 + 1
    described = [control.description for control in controls]
    assert all(described)
    assert len(set(described)) == len(described)


def test_without_a_kernel_it_says_how_to_start(panel: CardPanel) -> None:
    assert repr(panel) == "Splendor: run this cell (Shift+Enter) to explore the cards"


def test_cards_of_ones_own_are_explored_the_same_way() -> None:
    panel = explore_cards(TAG)
    assert panel.found.name.tolist() == ["1W1"]
    assert explore_cards([]).message.value.count(NO_CARD) == 1


def test_what_is_no_list_of_cards_is_refused() -> None:
    with pytest.raises(TypeError, match="cards is a list of mappings"):
        explore_cards("3W4")


# -- in the page -----------------------------------------------------------------------------------


def test_all_of_it_is_done_by_keyboard_and_no_key_reaches_the_notebook(
    browser: Browser, tmp_path: Path
) -> None:
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE_MS)
    with run_server(tmp_path) as server:
        desk = Desk(browser, server)
        desk.context.set_default_timeout(PATIENCE_MS)
        start = "from splendor_nb.board.explore.cards import explore_cards\nexplore_cards()"
        desk.run(start, "1", boards=0)
        page, keys = desk.page, desk.page.keyboard
        points = page.locator(".js-plotly-plot .scatterlayer .point")
        expect(points).to_have_count(90)
        page.get_by_label("level 1").focus()
        keys.press("x")
        keys.press("Space")
        page.get_by_text("50 of 90 cards").wait_for()
        expect(points).to_have_count(50)
        page.get_by_label("Card", exact=True).focus()
        keys.type("3K4")
        page.get_by_text("3K4: 5 points, costs 7 red and 3 black").wait_for()
        expect(points).to_have_count(53)  # a ring around it, and frames around its two colors
        page.get_by_role("region", name="The cards").focus()
        keys.press("d")
        keys.press("d")
        keys.press("Tab")
        keys.press("Space")
        page.get_by_text('table.query("level in [2, 3]")').wait_for()
        assert len(desk.cells()) == 2
        assert desk.strangers == []
        desk.close()
