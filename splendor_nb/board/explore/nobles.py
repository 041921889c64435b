"""A panel to look into the nobles: of a table laid out by hand, or of a position in a game."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final

import ipywidgets
import plotly.graph_objects as go

from splendor_nb.agents.referee import play_game
from splendor_nb.analysis.noble_play import noble_chances
from splendor_nb.board.explore.noble_pages import Page, position_page, set_up_page
from splendor_nb.board.explore.panel import (
    ExplorePanel,
    button,
    check,
    choice,
    heading,
    live_figure,
    number,
    row,
    watch,
)
from splendor_nb.charts.figures.nobles import chances
from splendor_nb.engine.cards import base_nobles
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.records import GameRecord
from splendor_nb.engine.state import Observation, State

SET_UP, GAME, GIVEN = "set-up", "game", "given"
WIDTH: Final = 640  # of a figure, in pixels
HIGHEST_SEED: Final = 999_999
MOST_GAMES: Final = 5000
MARGIN: Final = "2px 12px 2px 0"
SHOWN_AT_FIRST: Final = ("RK", "GRK", "WU")

Given = State | Observation | GameRecord


def explore_nobles(position: Given | None = None) -> NoblePanel:
    """Return a panel to look into the nobles.

    Either a set of nobles is picked: what they ask for, together and each, and the fewest tokens
    and turns for them. Or a turn of a game: how far every seat is from each noble, how it came to
    that, and the chances from there on.

    Parameters
    ----------
    position
        What to begin with: a position, what a seat knows of one, or a game; without it, a set.

    Raises
    ------
    TypeError
        Where it is none of these.
    ValueError
        Where it is played with other nobles than those of the base game.

    Examples
    --------
    >>> explore_nobles()
    Splendor: run this cell (Shift+Enter) to explore the nobles
    """
    if position is not None:
        if not isinstance(position, (State, Observation, GameRecord)):
            raise TypeError(f"position is a position or a game, not {shortened(position)}.")
        if _start(position).tables.components.nobles != base_nobles():
            raise ValueError("The panel knows the nobles of the base game; these are others.")
    return NoblePanel(position)


class NoblePanel(ExplorePanel):
    """The panel of `explore_nobles`.

    Parameters
    ----------
    position
        What to begin with, if anything.

    Attributes
    ----------
    page
        What is shown.
    """

    def __init__(self, position: Given | None) -> None:
        self.position = position
        self.page = Page("")
        self._make_controls()
        self.listing = ipywidgets.HTML()
        self.figures = row()
        super().__init__(
            "the nobles",
            [
                [self.look_at, self.players, self.seed, self.turn, self.viewer],
                [heading("Nobles"), *self.ticks.values()],
                [self.games, self.estimate],
            ],
            [self.listing, self.figures],
        )
        self._fitting = False
        self.change_place()
        watch([self.look_at, self.players, self.seed], self.change_place)
        watch([self.turn, self.viewer, *self.ticks.values()], self.redraw)

    def _make_controls(self) -> None:
        places = [("a set-up", SET_UP), ("a game of greedy agents", GAME)]
        if self.position is not None:
            places.insert(0, ("the position given", GIVEN))
        self.look_at = choice("Look at", places, places[0][1])
        self.players = choice("Players", [(str(n), n) for n in (2, 3, 4)], 2)
        self.seed = number("Seed", 0, HIGHEST_SEED, 7)
        self.turn = number("After turn", 0, 0, 0)
        self.viewer = number("Seen by seat", 0, 1, 0)
        self.ticks = {noble.name: check(noble.name, value=False) for noble in base_nobles()}
        self.games = number("Games", 1, MOST_GAMES, 400)
        self.estimate = button("Play on to estimate the chances", self.show_chances)

    # -- what is looked at -------------------------------------------------------------------------

    def place(self) -> Given | None:
        """Return the game or the position that is looked at; None for a set-up."""
        if self.look_at.value == SET_UP:
            return None
        if self.look_at.value == GAME:
            return _game(self.players.value, self.seed.value)
        return self.position

    def observation(self) -> Observation:
        """Return what the chosen seat knows after the chosen turn.

        Raises
        ------
        ValueError
            Where a set-up is looked at, which is no position.
        """
        place = self.place()
        if place is None:
            raise ValueError("A set-up is no position.")
        if isinstance(place, Observation):
            return place
        state = _turns(place)[self.turn.value] if isinstance(place, GameRecord) else place
        return state.observation(int(self.viewer.value))

    def picked(self) -> list[str]:
        """Return the nobles that are ticked."""
        return [name for name, tick in self.ticks.items() if tick.value]

    def change_place(self) -> None:
        """Show the controls that mean something for what is looked at, with their ranges."""
        place = self.place()
        self._fitting = True
        for control, wanted in self._wanted(place).items():
            # A layout of its own: the controls of a panel share one.
            hidden = {} if wanted else {"display": "none"}
            control.layout = ipywidgets.Layout(width="auto", margin=MARGIN, **hidden)
        self.turn.max = len(_turns(place)) - 1 if isinstance(place, GameRecord) else 0
        self.viewer.max = 1 if place is None else _start(place).players - 1
        shown = None if place is None else {noble.name for noble in _start(place).nobles}
        for name, tick in self.ticks.items():
            tick.disabled = shown is not None and name not in shown
            tick.value = name in (SHOWN_AT_FIRST if shown is None else shown)
        self._fitting = False
        self.redraw()

    def _wanted(self, place: Given | None) -> dict[ipywidgets.Widget, bool]:
        of_game = self.look_at.value == GAME
        return {
            self.players: of_game,
            self.seed: of_game,
            self.turn: isinstance(place, GameRecord),
            self.viewer: isinstance(place, (GameRecord, State)),
            self.games: place is not None,
            self.estimate: place is not None,
        }

    # -- what is shown -----------------------------------------------------------------------------

    def redraw(self) -> None:
        """Show what the controls ask for."""
        if self._fitting:  # the controls are being set; it is drawn once they are
            return
        place, names = self.place(), self.picked()
        if place is None:
            self.page = set_up_page(names)
        else:
            record = place if isinstance(place, GameRecord) else None
            self.page = position_page(names, self.observation(), record, self._code())
        self.say(self.page.words)
        self.listing.value = self.page.listing
        self.show_code(self.page.code)
        self._draw(self.page.figures)

    def show_chances(self) -> None:
        """Play games on from the position, and show who is visited how often."""
        view, games = self.observation(), self.games.value
        if not {noble.name for noble in view.nobles} & set(self.picked()):
            self.say("None of these nobles is on the table: there is nothing to play for.")
            return
        self.say(f"Playing {games:,} games on from here …")
        found = noble_chances(view, games)
        self.say(self.page.words)
        self._draw((chances(found[found.noble.isin(self.picked())]), *self.page.figures))
        self.show_code(f"{self._code()}\n\nnoble_chances(observation, {games})")

    def _draw(self, drawn: Sequence[go.Figure]) -> None:
        old = self.figures.children
        self.figures.children = tuple(live_figure(figure, WIDTH) for figure in drawn)
        for figure in old:
            figure.close()

    def _code(self) -> str:
        """Return code that makes the observation."""
        lines = ["from splendor_nb import noble_chances, noble_distances, play_game", ""]
        place, name = self.place(), "position"
        if self.look_at.value == GAME:
            name, agents = "game", f'["greedy"] * {self.players.value}'
            lines.append(f"game = play_game({agents}, seed={self.seed.value})")
        if isinstance(place, GameRecord):
            turn = f"(state for state in {name}.states() if state.turn == {self.turn.value})"
            lines.append(f"position = next{turn}")
        seen = "" if isinstance(place, Observation) else f".observation({self.viewer.value})"
        return "\n".join([*lines, f"observation = position{seen}"])


def _start(place: Given) -> State | Observation:
    return place.start if isinstance(place, GameRecord) else place


@functools.lru_cache(maxsize=16)
def _game(players: int, seed: int) -> GameRecord:
    return play_game(["greedy"] * players, seed=seed)


def _turns(record: GameRecord) -> list[State]:
    """Return the first position after each number of finished turns."""
    first: dict[int, State] = {}
    for state in record.states():
        first.setdefault(state.turn, state)
    return list(first.values())
