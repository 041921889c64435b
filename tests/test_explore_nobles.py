"""The panel to look into the nobles: its controls, and what they change."""

from __future__ import annotations

from typing import Any

import ipywidgets
import pytest

from splendor_nb import GameRecord, new_game, play_game
from splendor_nb.analysis.noble_gaps import noble_gaps
from splendor_nb.analysis.reachability import fewest_cards, noble_distances, noble_sets
from splendor_nb.board.explore.noble_pages import NOTHING, OPEN_CARDS, position_page, set_up_page
from splendor_nb.board.explore.nobles import GAME, GIVEN, SET_UP, NoblePanel, explore_nobles


@pytest.fixture
def panel() -> NoblePanel:
    return explore_nobles()


@pytest.fixture(scope="module")
def record() -> GameRecord:
    return play_game(["greedy", "greedy", "greedy"], seed=4)


def shown(panel: NoblePanel) -> list[str]:
    return [figure.layout.title.text for figure in panel.figures.children]


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


def is_hidden(control: Any) -> bool:
    return bool(control.layout.display == "none")


# -- a set-up --------------------------------------------------------------------------------------


def test_at_first_a_set_up_is_shown(panel: NoblePanel) -> None:
    assert panel.look_at.value == SET_UP
    assert panel.picked() == ["RK", "GRK", "WU"]
    assert panel.message.value.count("Two of them take 11 cards or more, all three 19.") == 1
    assert len(panel.figures.children) == 2
    assert panel.listing.value.count("<tr>") == 4
    assert "16 with 8 cards, 7 with 12 cards" in panel.listing.value


def test_ticking_nobles_changes_everything(panel: NoblePanel) -> None:
    panel.ticks["WU"].value = False
    panel.ticks["WRK"].value = panel.ticks["RK"].value = True
    assert panel.picked() == ["RK", "GRK", "WRK"]
    assert panel.listing.value.count("<tr>") == 4
    assert "Machiavelli" not in panel.listing.value
    tiles = panel.figures.children[0]
    assert {name for trace in tiles.data for name in trace.y} == {"RK", "GRK", "WRK"}
    assert "['RK', 'GRK', 'WRK']" in panel.source


def test_any_number_of_nobles_can_be_ticked(panel: NoblePanel) -> None:
    for tick in panel.ticks.values():
        tick.value = False
    assert NOTHING in panel.message.value
    assert not panel.figures.children
    panel.ticks["UG"].value = True
    assert "A table shows 3, 4 or 5 nobles." in panel.message.value
    for tick in panel.ticks.values():
        tick.value = True
    assert panel.listing.value.count("<tr>") == 11


@pytest.mark.parametrize("names", ["RK GRK WU", "WU UG GR RK", "RK GRK WRK WUK GR"])
def test_a_set_up_is_compared_with_all_others_of_its_size(names: str) -> None:
    nobles = names.split()
    two = fewest_cards(nobles, 2)
    share = (noble_sets(len(nobles)).two > two).mean()
    words = set_up_page(nobles).words
    assert f"Two of them take {two} cards or more" in words
    assert f"two are dearer in {100 * share:.0f} % of all set-ups." in words


# -- a game ----------------------------------------------------------------------------------------


def test_a_game_shows_the_distances_after_a_turn(panel: NoblePanel) -> None:
    panel.look_at.value = GAME
    panel.turn.value = 40
    view = panel.observation()
    assert (view.turn, view.player) == (40, 0)
    assert panel.listing.value.count("<tr>") == 1 + len(noble_gaps(view))
    assert shown(panel) == ["3 of 3 nobles came, the first in turn 39"]
    assert panel.figures.children[0].layout.shapes[0].x0 == 40
    panel.viewer.value = 1
    assert panel.observation().player == 1


def test_the_code_gives_what_the_panel_shows(panel: NoblePanel) -> None:
    panel.look_at.value = GAME
    panel.players.value, panel.seed.value = 3, 4
    panel.turn.value, panel.viewer.value = 30, 2
    names: dict[str, Any] = {}
    exec(
        panel.source.replace("from splendor_nb import noble_chances, noble_distances, ", IMPORTS),
        names,
    )
    assert names["observation"] == panel.observation()
    assert noble_distances(names["observation"]).equals(noble_distances(panel.observation()))


IMPORTS = "from splendor_nb.analysis.reachability import noble_distances\nfrom splendor_nb import "


def test_only_nobles_of_the_game_can_be_ticked(panel: NoblePanel) -> None:
    panel.look_at.value = GAME
    free = {name for name, tick in panel.ticks.items() if not tick.disabled}
    assert free == {noble.name for noble in new_game(2, seed=7).nobles} == set(panel.picked())
    panel.look_at.value = SET_UP
    assert not any(tick.disabled for tick in panel.ticks.values())
    assert panel.picked() == ["RK", "GRK", "WU"]


def test_controls_without_a_meaning_are_hidden(panel: NoblePanel) -> None:
    of_game = (panel.players, panel.seed, panel.turn, panel.viewer, panel.games, panel.estimate)
    assert all(map(is_hidden, of_game))
    assert not is_hidden(panel.look_at)
    panel.look_at.value = GAME
    assert not any(map(is_hidden, of_game))


def test_a_shorter_game_takes_the_turn_back_to_its_end(panel: NoblePanel) -> None:
    panel.look_at.value = GAME
    panel.turn.value = panel.turn.max
    for seed in range(4):
        panel.seed.value = seed
        assert panel.turn.value <= panel.turn.max
        assert panel.observation().turn == panel.turn.value


def test_playing_on_adds_the_chances_in_front(panel: NoblePanel) -> None:
    panel.look_at.value = GAME
    panel.turn.value, panel.games.value = 20, 25
    panel.estimate.click()
    assert shown(panel)[0] == "Who will be visited? 25 games played on from here"
    assert len(panel.figures.children) == 2
    assert panel.source.endswith("noble_chances(observation, 25)")
    assert "After turn 20" in panel.message.value
    panel.turn.value = 21
    assert len(panel.figures.children) == 1


def test_without_a_noble_on_the_table_there_is_nothing_to_play_for(panel: NoblePanel) -> None:
    panel.look_at.value = GAME
    panel.turn.value = panel.turn.max
    for tick in panel.ticks.values():
        tick.value = False
    panel.estimate.click()
    assert "there is nothing to play for" in panel.message.value


# -- something given -------------------------------------------------------------------------------


def test_a_position_is_shown_as_each_seat_sees_it(record: GameRecord) -> None:
    state = list(record.states())[40]
    panel = explore_nobles(state)
    assert panel.look_at.value == GIVEN
    assert panel.observation() == state.observation(0)
    panel.viewer.value = 2
    assert panel.observation() == state.observation(2)
    assert is_hidden(panel.turn)


def test_an_observation_stays_that_of_its_seat(record: GameRecord) -> None:
    view = list(record.states())[40].observation(1)
    panel = explore_nobles(view)
    assert panel.observation() == view
    assert is_hidden(panel.viewer)
    assert panel.source.startswith("from splendor_nb import")
    assert "observation = position\n" in panel.source


def test_a_game_can_be_given(record: GameRecord) -> None:
    panel = explore_nobles(record)
    panel.turn.value = 12
    assert panel.observation() == next(
        state for state in record.states() if state.turn == 12
    ).observation(0)
    assert len(panel.figures.children) == 1


@pytest.mark.parametrize("position", ["here", 7, ["WU"]])
def test_anything_else_is_refused(position: Any) -> None:
    with pytest.raises(TypeError, match="position is a position or a game, not"):
        explore_nobles(position)


def test_other_nobles_are_refused() -> None:
    own = [{"points": 3, "cost": {"W": 2}}, {"points": 3, "cost": {"U": 2}}]
    with pytest.raises(ValueError, match="knows the nobles of the base game"):
        explore_nobles(new_game(2, seed=1, nobles=own))


# -- how it is made --------------------------------------------------------------------------------


def test_a_gap_that_the_open_cards_cannot_close_says_so() -> None:
    view = new_game(players=2, seed=7).observation(player=0)
    page = position_page(["WRK"], view, None, "")
    assert page.listing.count(OPEN_CARDS) == 2
    assert page.figures == ()


def test_every_control_has_a_name(panel: NoblePanel) -> None:
    controls = controls_within(panel)
    assert len(controls) >= 5 + 10 + 2
    assert all(control.description for control in controls)


def test_the_listing_can_be_scrolled_with_the_keyboard(panel: NoblePanel) -> None:
    assert 'tabindex="0"' in panel.listing.value
    assert 'aria-label="The nobles"' in panel.listing.value


def test_where_it_is_not_live_it_says_what_to_do(panel: NoblePanel) -> None:
    assert repr(panel) == "Splendor: run this cell (Shift+Enter) to explore the nobles"
