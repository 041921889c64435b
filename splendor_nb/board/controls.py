"""Controls in plain ipywidgets: settings around the board, and a whole game without it."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import ipywidgets

from splendor_nb.agents.registry import AGENTS, HUMAN
from splendor_nb.board.board import Board
from splendor_nb.board.pace import PACES, Pace
from splendor_nb.board.session import GameSession, Replay
from splendor_nb.board.table import make_table
from splendor_nb.engine.notation import KINDS
from splendor_nb.engine.options import RULE_SETS
from splendor_nb.engine.rng import checked_seed

SHORT = ipywidgets.Layout(width="auto", min_width="6em")


class Settings(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Players, opponents, rules, seed, speed and size; a new game, and saving.

    Parameters
    ----------
    pace
        What lets the agents play; its session is the game.
    board
        The board whose size is changed.
    """

    def __init__(self, pace: Pace, board: Board) -> None:
        self.pace = pace
        self.session = pace.session
        words = self.session.words
        self.players = _dropdown(words("set.players"), (2, 3, 4), len(self.session.seats))
        self.opponent = _dropdown(words("set.opponent"), (*AGENTS, HUMAN), self._opponent())
        self.rules = _dropdown(words("set.rules"), tuple(RULE_SETS), "standard")
        self.seed = ipywidgets.Text(
            description=words("set.seed"), placeholder=words("set.seed_any"), layout=SHORT
        )
        self.speed = _dropdown(words("set.speed"), tuple(PACES), pace.speed)
        self.large = ipywidgets.ToggleButton(
            description=words("set.large"), value=board.size == "large", layout=SHORT
        )
        self.begin = _button(words("set.new_game"), self._new_game, style="primary")
        self.file = ipywidgets.Text(description=words("set.file"), layout=SHORT)
        self.keep = _button(words("set.save"), self._save)
        self.said = ipywidgets.Label()
        self.board = board
        self.speed.observe(self._set_speed, "value")
        self.large.observe(self._set_size, "value")
        row = ipywidgets.Layout(flex_flow="row wrap", align_items="center")
        super().__init__(
            [
                ipywidgets.Box(
                    [self.players, self.opponent, self.rules, self.seed, self.begin], layout=row
                ),
                ipywidgets.Box(
                    [self.speed, self.large, self.file, self.keep, self.said], layout=row
                ),
            ]
        )
        self._suggest_file()

    def _opponent(self) -> str:
        names = [seat.agent for seat in self.session.seats[1:] if seat.agent in AGENTS]
        return names[0] if names else HUMAN

    def _set_speed(self, change: Any) -> None:
        self.pace.speed = change["new"]

    def _set_size(self, change: Any) -> None:
        self.board.size = "large" if change["new"] else "normal"

    def _new_game(self, _button: object) -> None:
        try:
            seed = _read_seed(self.seed.value)
        except ValueError as error:
            self.said.value = str(error)
            return
        lineup = [HUMAN, *[self.opponent.value] * (self.players.value - 1)]
        table = make_table(lineup, self.session.words, rules=self.rules.value)
        self.session.new_game(table, seed=seed)
        self.said.value = self.session.words("set.dealt", seed=seed)
        self._suggest_file()
        self.pace.start()

    def _suggest_file(self) -> None:
        self.file.value = f"splendor-{self.session.seed}.json"

    def _save(self, _button: object) -> None:
        try:
            path = self.session.save(Path(self.file.value))
        except OSError as error:
            self.said.value = self.session.words("set.not_saved", text=error.strerror or error)
        else:
            self.said.value = self.session.words("set.saved", path=path)


class PlainControls(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """A whole game in plain ipywidgets: the text board, the legal actions by kind, a Play button.

    Parameters
    ----------
    shown
        The game in progress or the replay.
    pace
        What lets the agents play, for a game in progress.
    """

    def __init__(self, shown: GameSession | Replay, pace: Pace | None) -> None:
        self.shown = shown
        self.pace = pace
        words = shown.words
        self.status = ipywidgets.HTML()
        self.text = ipywidgets.HTML()
        self.story = ipywidgets.HTML()
        self.kind = ipywidgets.ToggleButtons(description=words("plain.kind"))
        self.action = ipywidgets.Select(description=words("plain.action"), rows=8)
        self.play = _button(words("plain.play"), self._play, style="primary")
        self.open = ipywidgets.ToggleButton(description=words("peek"), layout=SHORT)
        self.again = _button(words("rematch"), self._rematch)
        steps = shown.steps if isinstance(shown, Replay) else 0
        self.step = ipywidgets.IntSlider(
            max=steps, description=words("plain.step"), layout=ipywidgets.Layout(width="30em")
        )
        self.kind.observe(self._list_actions, "value")
        self.open.observe(self._peek, "value")
        self.step.observe(self._go_to, "value")
        self.asked = ipywidgets.HBox()
        super().__init__([self.status, self.text, self.asked, self.story])
        shown.on_change(self._redraw)
        self._redraw()

    def _redraw(self) -> None:
        view = self.shown.view()
        self.status.value = f"<b>{escape(view['status'])}</b> {escape(view['error'])}"
        self.text.value = f"<pre>{escape(self.shown.text())}</pre>"
        lines = [escape(line["text"]) for line in view["log"][-6:]]
        self.story.value = "<br>".join(lines)
        self._legal = self.shown.open_actions()
        kinds = [kind for kind in KINDS if any(action.kind == kind for action in self._legal)]
        self.kind.options = kinds
        self._list_actions()
        self.asked.children = self._what_is_asked(view)

    def _what_is_asked(self, view: dict[str, Any]) -> list[Any]:
        if isinstance(self.shown, Replay):
            return [self.step]
        if view["result"] is not None:
            return [self.again]
        if not view["interactive"]:
            return []
        hidden = any(card.get("peek") for seat in view["seats"] for card in seat["reserved"])
        peek = [self.open] if hidden or self.open.value else []
        return [self.kind, self.action, self.play, *peek]

    def _list_actions(self, _change: object = None) -> None:
        self.action.options = [action for action in self._legal if action.kind == self.kind.value]

    def _send(self, kind: str, **fields: Any) -> None:
        self.shown.handle({"type": kind, "version": self.shown.version, **fields})
        if self.pace is not None:
            self.pace.start()

    def _play(self, _button: object) -> None:
        if self.action.value:
            self.open.value = False
            self._send("act", action=self.action.value)

    def _rematch(self, _button: object) -> None:
        self._send("rematch")

    def _peek(self, change: Any) -> None:
        self._send("peek", seat=self.shown.view()["viewer"], on=change["new"])

    def _go_to(self, change: Any) -> None:
        self._send("goto", step=change["new"])


def _dropdown(description: str, options: tuple[Any, ...], value: Any) -> ipywidgets.Dropdown:
    return ipywidgets.Dropdown(options=options, value=value, description=description, layout=SHORT)


def _button(description: str, act: Any, style: str = "") -> ipywidgets.Button:
    button = ipywidgets.Button(description=description, button_style=style, layout=SHORT)
    button.on_click(act)
    return button


def _read_seed(text: str) -> int:
    if not text.strip():
        return checked_seed(None)
    if not text.strip().isdecimal():
        raise ValueError(f"A seed is a whole number from 0, not {text!r}.")
    return int(text)
