"""The controls around a sandbox: back and branches above the board, tools below it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

import anywidget
import ipywidgets
import traitlets
from IPython import get_ipython
from IPython.display import display

from splendor_nb.board.board import DIRECTIONS, SIZES, check_one_of
from splendor_nb.board.quiet import Quiet
from splendor_nb.board.sandbox_asks import SECONDS, Answer
from splendor_nb.board.sandbox_form import SetUpForm
from splendor_nb.board.sandbox_session import SandboxSession
from splendor_nb.board.show import UIS, show
from splendor_nb.engine.forms import shortened

BOX = "spl-sandbox"
FEW_TURNS = 60  # a game that is shorter is one to be solved to its end
TURNS = "3"  # that an exact value looks ahead in a longer one, if nothing is said

_CELL = "padding:0.2em 1.2em 0.2em 0;text-align:start;vertical-align:top"
_SHORT = f"{_CELL};white-space:nowrap"  # all columns but the last
_COPY = """
export default {
  render({ model, el }) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "jupyter-button widget-button";
    button.style.width = "auto";
    button.style.minWidth = "6em";
    const say = () => { button.textContent = model.get("label"); };
    button.addEventListener("click", async () => {
      await copy(model.get("text"), el);
      button.textContent = model.get("done");
      setTimeout(say, 2000);
    });
    model.on("change:label", say);
    say();
    el.append(button);
  },
};

async function copy(text, el) {
  try {
    await navigator.clipboard.writeText(text);
  } catch { // a page that is not served safely has no clipboard of its own
    const area = document.createElement("textarea");
    area.value = text;
    el.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
"""


class CopyButton(anywidget.AnyWidget):
    """A button that puts a text on the clipboard of the page.

    Parameters
    ----------
    label, done
        What it says, and what it says for a moment after that.
    """

    _esm = _COPY
    text = traitlets.Unicode("").tag(sync=True)
    label = traitlets.Unicode("").tag(sync=True)
    done = traitlets.Unicode("").tag(sync=True)

    def __init__(self, label: str, done: str) -> None:
        super().__init__(label=label, done=done)

    def __repr__(self) -> str:
        return f"<{self.label}>"


class _Part(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """A part of the controls, with a line that answers."""

    def __init__(self, session: SandboxSession) -> None:
        self.session = session
        self.words = session.words
        self.said = ipywidgets.HTML()
        self._version = session.version
        super().__init__()
        session.on_change(self._hush)

    def _hush(self) -> None:
        """Forget what was said about a position that is no longer there."""
        if self._version != self.session.version:
            self._version = self.session.version
            self.said.value = ""

    def say(self, text: str) -> None:
        self.said.value = f'<div role="status">{escape(text)}</div>'

    def button(self, key: str, act: Callable[[], str], *, primary: bool = False) -> Any:
        """Return a button that does something, then says what came of it, or why it did not."""

        def press(_button: object) -> None:
            try:
                self.say(act())
            except (TypeError, ValueError) as error:
                self.say(str(error))

        why = f"sandbox.{key}_why"
        pressed = ipywidgets.Button(
            description=self.words(f"sandbox.{key}"),
            tooltip=self.words(why) if why in self.words.texts else "",
            button_style="primary" if primary else "",
            layout=ipywidgets.Layout(width="auto", min_width="6em"),
        )
        pressed.on_click(press)
        return pressed


class SandboxBar(_Part):
    """What stands above the board: that it is a sandbox, take back, and branches.

    Parameters
    ----------
    session
        The sandbox.
    """

    def __init__(self, session: SandboxSession) -> None:
        super().__init__(session)
        words = self.words
        title, note = escape(words("sandbox.title")), escape(words("sandbox.note"))
        head = ipywidgets.HTML(f"<div><b>{title}.</b> {note}</div>")
        self.back = self.button("take_back", self._take_back, primary=True)
        self.start = self.button("start", self._start)
        self.name = ipywidgets.Text(
            description=words("sandbox.name"), layout=_field(170), style=_LABELLED
        )
        self.keep = self.button("branch", self._keep)
        self.kept = ipywidgets.Dropdown(
            description=words("sandbox.branches"), layout=_field(220), style=_LABELLED
        )
        self.go = self.button("return", self._return)
        left = row(self.back, self.start)
        middle = row(self.name, self.keep)
        right = row(self.kept, self.go)
        layout = ipywidgets.Layout(flex_flow="row wrap", grid_gap="0 20px")
        rows = ipywidgets.Box([left, middle, right], layout=layout)
        self.children = [head, rows, self.said, Quiet(BOX)]
        self.add_class(BOX)
        session.on_change(self.redraw)
        self.redraw()

    def __repr__(self) -> str:
        return "Splendor: run this cell (Shift+Enter) to use the sandbox"

    def redraw(self) -> None:
        """Show what can be taken back, and which branches there are."""
        session, words = self.session, self.words
        self.back.disabled = not session.can_take_back
        self.start.disabled = not session.course.steps
        self.name.placeholder = session.next_name()
        options = [
            (words("sandbox.branch_at", name=name, turn=state.turn), name)
            for name, state in session.branches.items()
        ]
        self.kept.disabled = self.go.disabled = not options
        chosen = self.kept.value
        shown = options or [(words("sandbox.no_branches"), "")]
        if list(self.kept.options) != shown:
            self.kept.options = shown
            self.kept.value = chosen if chosen in session.branches else shown[-1][1]

    def _take_back(self) -> str:
        self.session.take_back()
        return self.words("sandbox.taken_back")

    def _start(self) -> str:
        self.session.new_game()
        return ""

    def _keep(self) -> str:
        name = self.session.branch(self.name.value.strip() or None)
        self.name.value = ""
        self.kept.value = name
        return self.words("sandbox.kept", name=name)

    def _return(self) -> str:
        self.session.return_to(self.kept.value)
        return self.words("sandbox.returned", name=self.kept.value)


class AskTools(_Part):
    """Questions about the position, with their limits, and the last answer.

    Parameters
    ----------
    session
        The sandbox.
    """

    def __init__(self, session: SandboxSession) -> None:
        super().__init__(session)
        words = self.words
        rules = session.state.rules
        short = rules.turn_limit <= FEW_TURNS
        self.turns = ipywidgets.Text(
            "" if short else TURNS,
            description=words("sandbox.ask_turns"),
            placeholder=words("sandbox.all"),
            layout=_field(110),
            style=_LABELLED,
        )
        self.seconds = _number(words("sandbox.ask_seconds"), 1, 600, int(SECONDS))
        self.open_decks = ipywidgets.Checkbox(
            rules.unseen_reserve == "on",
            description=words("sandbox.open_decks"),
            tooltip=words("sandbox.open_decks_why"),
            indent=False,
            layout=ipywidgets.Layout(width="auto"),
        )
        self.own_turns = _number(words("sandbox.own_turns"), 1, 6, 2)
        self.iterations = _number(words("sandbox.iterations"), 40, 200_000, 2000)
        self.solve = self.button("solve", self._solve)
        self.win = self.button("forced_win", self._win)
        self.analyze = self.button("analyze", self._analyze)
        self.stop = self.button("stop", self._stop)
        self.answer = ipywidgets.HTML()
        rows = [
            (self.solve, self.turns, self.seconds, self.open_decks),
            (self.win, self.own_turns),
            (self.analyze, self.iterations),
        ]
        for first in (self.solve, self.win, self.analyze, self.stop):
            first.layout.width = "110px"
        self.children = [*(row(*one) for one in rows), row(self.stop, self.said), self.answer]
        session.on_change(self.redraw)
        self.redraw()

    def redraw(self) -> None:
        """Show the answer, or that one is looked for."""
        asks, words = self.session.asks, self.words
        self.stop.disabled = not asks.is_running
        if asks.is_running:
            self.answer.value = f'<div role="status">{escape(words("sandbox.asking"))}</div>'
        elif asks.answer is not None:
            self.answer.value = _html(self._where(), asks.answer)

    def _where(self) -> str:
        """Return about which position the answer is."""
        state, words = self.session.asks.state, self.words
        if state is None:
            return ""
        over = state.current_player is None
        key = "sandbox.asked_over" if over else "sandbox.asked_at"
        where = words(key, turn=state.turn, seat=state.current_player)
        if state == self.session.state:
            return where
        return f"{where} ({words('sandbox.earlier')})"

    def _solve(self) -> str:
        text = self.turns.value.strip()
        if text and not text.isdecimal():
            raise ValueError(self.words("sandbox.no_turns", text=shortened(text)))
        return self._ask(
            "solve",
            turns=int(text) if text else None,
            seconds=float(self.seconds.value),
            open_decks=self.open_decks.value,
        )

    def _win(self) -> str:
        return self._ask("forced_win", turns=self.own_turns.value)

    def _analyze(self) -> str:
        return self._ask("analyze", iterations=self.iterations.value)

    def _ask(self, question: str, **limits: Any) -> str:
        self.session.asks.ask(self.session.state, question, **limits)
        return ""

    def _stop(self) -> str:
        self.session.asks.stop()
        return ""


class TextTools(_Part):
    """The position as text: to be copied, or replaced and read.

    Parameters
    ----------
    session
        The sandbox.
    """

    def __init__(self, session: SandboxSession) -> None:
        super().__init__(session)
        words = self.words
        self.area = ipywidgets.Textarea(
            tooltip=words("sandbox.text_why"),
            rows=10,
            layout=ipywidgets.Layout(width="auto", height="220px"),
        )
        self.copy = CopyButton(words("sandbox.copy"), words("sandbox.copied"))
        self.read = self.button("paste", self._read, primary=True)
        self.again = self.button("discard", self._discard)
        why = ipywidgets.HTML(f"<div>{escape(words('sandbox.text_why'))}</div>")
        self.children = [why, self.area, row(self.copy, self.read, self.again), self.said]
        session.on_change(self.redraw)
        self.redraw()

    def redraw(self) -> None:
        """Show the position that is on the board now."""
        text = self.session.to_text()
        if text != self.copy.text:
            self.copy.text = self.area.value = text

    def _read(self) -> str:
        self.session.paste(self.area.value)
        self.area.value = self.copy.text
        return self.words("sandbox.pasted")

    def _discard(self) -> str:
        self.area.value = self.copy.text
        return ""


class SetUpTools(_Part):
    """The position as a form: what is changed in it is put on the board.

    Parameters
    ----------
    session
        The sandbox.
    """

    def __init__(self, session: SandboxSession) -> None:
        super().__init__(session)
        self.form = SetUpForm(session)
        self.apply = self.button("apply", self._apply, primary=True)
        self.again = self.button("discard", self._discard)
        how = ipywidgets.HTML(
            f'<div style="line-height:1.4">{escape(self.words("sandbox.how"))}</div>'
        )
        self.children = [how, self.form, row(self.apply, self.again), self.said]

    def _apply(self) -> str:
        wishes = self.form.wishes()
        if not wishes:
            return self.words("sandbox.no_change")
        self.session.set_up(**wishes)
        self.form.fill()
        return self.words("sandbox.is_set")

    def _discard(self) -> str:
        self.form.fill()
        return ""


class SandboxTools(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """What stands below the board: asking, setting up, and the position as text.

    Parameters
    ----------
    session
        The sandbox.
    """

    def __init__(self, session: SandboxSession) -> None:
        words = session.words
        self.ask = AskTools(session)
        self.set_up = SetUpTools(session)
        self.text = TextTools(session)
        titles = [words(f"sandbox.tab_{name}") for name in ("ask", "set_up", "text")]
        self.tabs = ipywidgets.Tab([self.ask, self.set_up, self.text], titles=titles)
        super().__init__([self.tabs, Quiet(BOX)])
        self.add_class(BOX)

    def __repr__(self) -> str:
        return "Splendor: the controls of the sandbox"


class _Cell:
    """What stands in the cell: the board between its controls, once in each cell that asks."""

    def __init__(self, session: SandboxSession, **look: Any) -> None:
        self.bar, self.tools = SandboxBar(session), SandboxTools(session)
        self.cell = get_ipython().execution_count
        display(self.bar)
        show(session, controls=False, **look)
        display(self.tools)
        self.board_again = session.show_again
        session.show_again = self.again

    def again(self) -> None:
        """Show it in the cell that runs now, unless it stands there already."""
        cell = get_ipython().execution_count
        if cell != self.cell and self.board_again is not None:
            self.cell = cell
            display(self.bar)
            self.board_again()
            display(self.tools)


def show_sandbox(
    session: SandboxSession, *, ui: str, controls: bool, size: str, direction: str
) -> None:
    """Display a sandbox in this cell, if there is a notebook to show it.

    Raises
    ------
    ValueError
        Where `ui`, `size` or `direction` is not one that there is.
    """
    check_one_of("ui", ui, UIS)
    check_one_of("size", size, SIZES)
    check_one_of("dir", direction, DIRECTIONS)
    look: dict[str, Any] = {"ui": ui, "size": size, "direction": direction}
    if controls and get_ipython() is not None:
        _Cell(session, **look)
    else:
        show(session, controls=False, **look)


_LABELLED = {"description_width": "initial"}  # a label as wide as its words


def row(*widgets: Any) -> ipywidgets.Box:
    """Return widgets side by side, on several lines where the cell is narrow."""
    layout = ipywidgets.Layout(flex_flow="row wrap", align_items="center", grid_gap="0 8px")
    return ipywidgets.Box(widgets, layout=layout)


def _field(width: int) -> ipywidgets.Layout:
    return ipywidgets.Layout(width=f"{width}px")


def _number(label: str, low: int, high: int, value: int) -> ipywidgets.BoundedIntText:
    return ipywidgets.BoundedIntText(
        value, min=low, max=high, description=label, style=_LABELLED, layout=_field(150)
    )


def _html(where: str, answer: Answer) -> str:
    """Return an answer as HTML; all its words as text."""
    lines = [f"<b>{escape(where)}.</b>", f"<div>{_lines(answer.text)}</div>"]
    if answer.rows:
        lines.append(_table(answer))
    return f'<div role="status" style="line-height:1.45">{"".join(lines)}</div>'


def _lines(text: str) -> str:
    """Return lines as HTML, set in as they are."""
    return "<br>".join(
        "&nbsp;" * 2 * (len(line) - len(line.lstrip())) + escape(line.lstrip())
        for line in text.splitlines()
    )


def _table(answer: Answer) -> str:
    rows = [_cells("th", answer.columns), *(_cells("td", one) for one in answer.rows)]
    body = "".join(f"<tr>{cells}</tr>" for cells in rows)
    return f'<table style="border-collapse:collapse;margin-top:0.5em">{body}</table>'


def _cells(tag: str, texts: Sequence[str]) -> str:
    *short, last = texts
    styled = [*((text, _SHORT) for text in short), (last, _CELL)]
    return "".join(f'<{tag} style="{style}">{escape(text)}</{tag}>' for text, style in styled)
