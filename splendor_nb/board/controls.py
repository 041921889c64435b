"""Controls in plain ipywidgets: settings around the board, and a whole game without it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from html import escape
from pathlib import Path
from typing import Any

import ipywidgets

from splendor_nb.agents.referee import AgentLike
from splendor_nb.agents.registry import AGENTS, HUMAN
from splendor_nb.board.advice import HINTS
from splendor_nb.board.board import Board
from splendor_nb.board.course import Course
from splendor_nb.board.pace import PACES, Pace
from splendor_nb.board.session import GameSession, Replay
from splendor_nb.board.table import Table, make_table
from splendor_nb.board.words import name_in_sentence
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.notation import KINDS
from splendor_nb.engine.options import RULE_SETS, Rules
from splendor_nb.engine.rng import checked_seed

LONGEST_SEED = 1000  # digits


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
        self.opponent = _dropdown(words("set.opponent"), *self._opponents())
        self.rules = _dropdown(words("set.rules"), *self._rule_sets())
        self.seed = ipywidgets.Text(
            description=words("set.seed"), placeholder=words("set.seed_any"), layout=_short()
        )
        self.speed = _dropdown(words("set.speed"), tuple(PACES), pace.speed)
        self.large = ipywidgets.ToggleButton(
            description=words("set.large"), value=board.size == "large", layout=_short()
        )
        advisor = self.session.advisor
        self.hints = _dropdown(words("set.hints"), *self._hint_numbers())
        self.evaluation = ipywidgets.ToggleButton(
            description=words("set.evaluation"),
            tooltip=words("set.evaluation_why"),
            value=advisor.evaluation,
            layout=_short(),
        )
        self.begin = _button(words("set.new_game"), self._new_game, style="primary")
        self.file = ipywidgets.Text(description=words("set.file"), layout=_short())
        self.keep = _button(words("set.save"), self._save)
        self.said = ipywidgets.Label()
        self.board = board
        self.chosen = self._choice()  # what the game on the board was begun with
        self.speed.observe(self._set_speed, "value")
        self.large.observe(self._set_size, "value")
        self.hints.observe(self._set_advice, "value")
        self.evaluation.observe(self._set_advice, "value")
        deal = [self.players, self.opponent, self.rules, self.seed, self.begin]
        rest = [self.speed, self.hints, self.evaluation, self.large, self.file, self.keep]
        rows = [_row(deal, (80, 118, 135, 95, 90)), _row(rest, (100, 95, 90, 60, 150, 60))]
        layout = ipywidgets.Layout(flex_flow="row wrap", grid_gap="0 24px")
        super().__init__([ipywidgets.Box(rows, layout=layout), self.said])
        self.game_named: Course | None = None
        self.session.on_change(self._suggest_file)
        self._suggest_file()

    def _opponents(self) -> tuple[list[tuple[str, AgentLike]], AgentLike]:
        """Return who may be played against, with a caller's own agent, and who is now."""
        options: list[tuple[str, AgentLike]] = [(name, name) for name in (*AGENTS, HUMAN)]
        table = self.session.table
        for seat, agent in zip(table.seats, table.agents, strict=True):
            if seat.agent in AGENTS:
                return options, seat.agent
            if agent is not None:
                return [*options, (seat.agent, agent)], agent
        return options, HUMAN

    def _rule_sets(self) -> tuple[list[tuple[str, Rules]], Rules]:
        """Return the rules that can be chosen, with a caller's own, and those of the game."""
        rules = self.session.state.rules
        options = list(RULE_SETS.items())
        if rules not in RULE_SETS.values():
            options.append((self.session.words("set.rules_own"), rules))
        return options, rules

    def _choice(self) -> tuple[int, AgentLike, Rules]:
        return self.players.value, self.opponent.value, self.rules.value

    def _set_speed(self, change: Any) -> None:
        self.pace.speed = change["new"]

    def _set_size(self, change: Any) -> None:
        self.board.size = "large" if change["new"] else "normal"

    def _hint_numbers(self) -> tuple[list[tuple[str, int | None]], int | None]:
        """Return how many hints can be chosen for a game, and how many there are now."""
        now = self.session.advisor.hints
        numbers = [*HINTS.values(), *([now] if now not in HINTS.values() else [])]
        return [(self._hints_in_words(number), number) for number in numbers], now

    def _hints_in_words(self, number: int | None) -> str:
        words = self.session.words
        if number is None:
            return words("set.hints_free")
        return words("set.hints_some", number=number) if number else words("set.hints_off")

    def _set_advice(self, _change: object) -> None:
        self.session.advise(hints=self.hints.value, evaluation=self.evaluation.value)

    def _new_game(self, _button: object) -> None:
        try:
            seed = _read_seed(self.seed.value)
        except ValueError as error:
            self.said.value = str(error)
            return
        self.session.new_game(self._next_table(), seed=seed)
        self.said.value = self.session.words("set.dealt")
        self.pace.start()

    def _next_table(self) -> Table:
        """Return who plays next, and how: what is not chosen anew stays as it is."""
        table, chosen, before = self.session.table, self._choice(), self.chosen
        if chosen == before and table.start is None:
            return table
        self.chosen = chosen
        players, opponent, rules = chosen
        lineup: list[AgentLike] = [HUMAN, *[opponent] * (players - 1)]
        names = None
        if chosen[:2] == before[:2]:
            lineup = [HUMAN if agent is None else agent for agent in table.agents]
            names = [seat.name for seat in table.seats]
        return make_table(lineup, self.session.words, names=names, rules=rules)

    def _suggest_file(self) -> None:
        """Give each game a file of its own."""
        if self.game_named is not self.session.course:
            self.game_named = self.session.course
            self.file.value = f"splendor-{datetime.now():%Y-%m-%d-%H%M%S}.json"

    def _save(self, _button: object) -> None:
        name = self.file.value.strip()
        if not name:
            self.said.value = self.session.words("set.no_file")
            return
        try:
            path = self.session.save(Path(name))
        except (OSError, ValueError) as error:
            text = getattr(error, "strerror", None) or error
            self.said.value = self.session.words("set.not_saved", text=text)
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
        self.unseen = ipywidgets.ToggleButton(description=words("peek"), layout=_short())
        self.again = _button(words("rematch"), self._rematch)
        steps = shown.steps if isinstance(shown, Replay) else 0
        self.step = ipywidgets.IntSlider(
            max=steps, description=words("plain.step"), layout=ipywidgets.Layout(width="30em")
        )
        self.viewer = ipywidgets.Dropdown(description=words("replay.viewer"), layout=_short())
        self.kind.observe(self._list_actions, "value")
        self.action.observe(self._allow, "value")
        self.unseen.observe(self._peek, "value")
        self.step.observe(self._go_to, "value")
        if isinstance(shown, Replay):
            viewers = shown.view()["replay"]["viewers"]
            self.viewer.options = [(one["label"], one["seat"]) for one in viewers]
        self.viewer.observe(self._look_as, "value")
        self.asked = ipywidgets.HBox()
        super().__init__([self.status, self.text, self.asked, self.story])
        shown.on_change(self._redraw)
        self._redraw()

    def _redraw(self) -> None:
        view = self.shown.view()
        self.status.value = f"<b>{escape(view['status'])}</b> {escape(view['error'])}"
        self.text.value = f"<pre>{escape(self.shown.text())}</pre>"
        lines = [line["text"] for line in view["log"][-6:]] + self._ending(view["result"])
        story = "<br>".join(escape(line) for line in lines)
        self.story.value = f'<div style="line-height: 1.5">{story}</div>'
        self._legal = self.shown.open_actions()
        kinds = [kind for kind in KINDS if any(action.kind == kind for action in self._legal)]
        self.kind.options = kinds
        if self.kind.value is None and kinds:
            self.kind.value = kinds[0]
        self.unseen.value = self.shown.peeking is not None
        self._list_actions()
        self.asked.children = self._what_is_asked(view)

    def _ending(self, result: dict[str, Any] | None) -> list[str]:
        """Return how the game ended, and the ranking."""
        if result is None:
            return []
        words = self.shown.words
        ranking = [
            words(
                "plain.place",
                place=row["place"],
                name=name_in_sentence(row["name"]),
                points=words.count("point", row["points"]),
                cards=words.count("card", row["cards"]),
            )
            for row in result["rows"]
        ]
        return [result["title"], result["text"], *ranking]

    def _what_is_asked(self, view: dict[str, Any]) -> list[Any]:
        if isinstance(self.shown, Replay):
            return [self.step, self.viewer]
        if view["result"] is not None:
            return [self.again]
        if not view["interactive"]:
            return []
        hidden = any(card.get("peek") for seat in view["seats"] for card in seat["reserved"])
        peek = [self.unseen] if hidden or self.unseen.value else []
        return [self.kind, self.action, self.play, *peek]

    def _list_actions(self, _change: object = None) -> None:
        """List the actions of one kind, none of them chosen: a second click plays nothing."""
        self.action.options = [action for action in self._legal if action.kind == self.kind.value]
        self.action.value = None
        self._allow()

    def _allow(self, _change: object = None) -> None:
        self.play.disabled = self.action.value is None

    def _send(self, kind: str, **fields: Any) -> None:
        self.shown.handle({"type": kind, "version": self.shown.version, **fields})
        if self.pace is not None:
            self.pace.start()

    def _play(self, _button: object) -> None:
        if self.action.value:
            self._send("act", action=self.action.value)

    def _rematch(self, _button: object) -> None:
        self._send("rematch")

    def _peek(self, change: Any) -> None:
        if change["new"] != (self.shown.peeking is not None):
            self._send("peek", seat=self.shown.view()["viewer"], on=change["new"])

    def _go_to(self, change: Any) -> None:
        self._send("goto", step=change["new"])

    def _look_as(self, change: Any) -> None:
        self._send("viewer", seat=change["new"])


def _short() -> ipywidgets.Layout:
    return ipywidgets.Layout(width="auto", min_width="4em")


def _row(controls: Sequence[Any], widths: Sequence[int]) -> ipywidgets.Box:
    """Return controls of these widths in pixels, spread over one row, or over more on a phone."""
    for control, width in zip(controls, widths, strict=True):
        control.layout.flex = f"1 1 {width}px"
        control.style.description_width = "initial"
    layout = ipywidgets.Layout(flex_flow="row wrap", grid_gap="0 8px", flex="1 1 620px")
    return ipywidgets.Box(controls, layout=layout)


def _dropdown(description: str, options: Sequence[Any], value: Any) -> ipywidgets.Dropdown:
    return ipywidgets.Dropdown(
        options=options, value=value, description=description, layout=_short()
    )


def _button(description: str, act: Any, style: str = "") -> ipywidgets.Button:
    button = ipywidgets.Button(description=description, button_style=style, layout=_short())
    button.on_click(act)
    return button


def _read_seed(text: str) -> int:
    if not text.strip():
        return checked_seed(None)
    if not text.strip().isdecimal():
        raise ValueError(f"A seed is a whole number from 0, not {shortened(text)}.")
    if len(text.strip()) > LONGEST_SEED:
        raise ValueError(f"A seed has at most {LONGEST_SEED} digits.")
    return int(text)
