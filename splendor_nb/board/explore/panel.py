"""What all panels for exploring share: labelled controls, a line that answers, and the code."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from html import escape
from typing import Any

import ipywidgets
import plotly.graph_objects as go

from splendor_nb.board.quiet import Quiet
from splendor_nb.charts.figures.style import live

CODE = "Show the code that gives the same"
BOX = "spl-explore"
_LABELLED = {"description_width": "initial"}  # a label as wide as its words
_NARROW = ipywidgets.Layout(width="auto", margin="2px 12px 2px 0")


class ExplorePanel(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """Controls above what they change, a line that says what came of it, and code for the same.

    Parameters
    ----------
    about
        What can be explored, ``"the cards"``: it stands where the panel is not live.
    controls
        Rows of controls.
    shown
        What the controls change.

    Attributes
    ----------
    source
        Code that gives what is shown.
    """

    def __init__(
        self,
        about: str,
        controls: Iterable[Sequence[ipywidgets.Widget]],
        shown: Sequence[ipywidgets.Widget],
    ) -> None:
        self.about = about
        self.source = ""
        self.message = ipywidgets.HTML()
        self.code = ipywidgets.HTML()
        self.code.layout.display = "none"
        self.unfold = ipywidgets.ToggleButton(description=CODE, layout=_NARROW)
        self.unfold.observe(self._unfold, "value")
        rows = [row(*widgets) for widgets in controls]
        super().__init__([*rows, self.message, *shown, row(self.unfold), self.code, Quiet(BOX)])
        self.add_class(BOX)

    def __repr__(self) -> str:
        return f"Splendor: run this cell (Shift+Enter) to explore {self.about}"

    def say(self, text: str) -> None:
        """Show a sentence on the line below the controls."""
        self.message.value = f'<div role="status">{escape(text)}</div>'

    def _unfold(self, change: Any) -> None:
        self.code.layout.display = "" if change["new"] else "none"

    def show_code(self, text: str) -> None:
        """Show code that gives what is shown."""
        self.source = text
        self.code.value = f'<pre style="line-height:1.4">{escape(text)}</pre>'


def watch(controls: Iterable[ipywidgets.Widget], redraw: Callable[[], None]) -> None:
    """Call a function whenever the value of a control has changed."""
    for control in controls:
        control.observe(lambda _change: redraw(), "value")


def row(*widgets: ipywidgets.Widget) -> ipywidgets.Box:
    """Return widgets side by side, on several lines where the cell is narrow."""
    layout = ipywidgets.Layout(flex_flow="row wrap", align_items="center")
    return ipywidgets.Box(widgets, layout=layout)


def live_figure(drawn: go.Figure, width: int) -> go.FigureWidget:
    """Return a figure that can be changed in place, so many pixels wide.

    Inside a panel plotly cannot tell how much room there is before it draws for the first time.
    """
    drawn.update_layout(width=width)
    return live(drawn)


def part(shown: ipywidgets.Widget, share: int, width: int) -> ipywidgets.Box:
    """Return a widget that has a share of a row, where the row has room for this many pixels."""
    layout = ipywidgets.Layout(flex=f"{share} 1 {width}px", min_width=f"min({width}px, 100%)")
    return ipywidgets.Box([shown], layout=layout)


def heading(text: str) -> ipywidgets.Label:
    """Return the words before a group of controls."""
    return ipywidgets.Label(text, layout=_NARROW, style={"font_weight": "bold"})


def check(label: str, *, value: bool = True) -> ipywidgets.Checkbox:
    """Return a box to tick."""
    return ipywidgets.Checkbox(value, description=label, indent=False, layout=_NARROW)


def choice(
    label: str, options: Sequence[tuple[str, Hashable]], value: Hashable
) -> ipywidgets.Dropdown:
    """Return a list of which one is chosen, as pairs of what is shown and what it stands for."""
    return ipywidgets.Dropdown(
        options=options, value=value, description=label, style=_LABELLED, layout=_NARROW
    )


def number(label: str, low: int, high: int, value: int) -> ipywidgets.BoundedIntText:
    """Return a field for a whole number in a range, ends included."""
    layout = ipywidgets.Layout(width="auto", max_width="11em", margin="2px 12px 2px 0")
    return ipywidgets.BoundedIntText(
        value, min=low, max=high, description=label, style=_LABELLED, layout=layout
    )


def button(label: str, act: Callable[[], Any]) -> ipywidgets.Button:
    """Return a button that calls a function."""
    pressed = ipywidgets.Button(description=label, layout=_NARROW)
    pressed.on_click(lambda _button: act())
    return pressed
