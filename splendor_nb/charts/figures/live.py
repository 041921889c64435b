"""Charts as widgets that a panel changes in place, on a busy machine too."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

import plotly.graph_objects as go


def _script() -> str:
    """Return the page's part of a live chart, with plotly's own widget inside as text."""
    plotly = resources.files("plotly").joinpath("package_data/widgetbundle.js")
    ours = resources.files(__package__).joinpath("live.js").read_text(encoding="utf-8")
    return ours.replace("__PLOTLY__", json.dumps(plotly.read_text(encoding="utf-8")))


class LiveFigure(go.FigureWidget):  # type: ignore[misc]  # plotly has no types
    """A figure as a widget, whose first message to the page holds all of it.

    Plotly's own opens the channel first and sends the figure after it; a page that draws in
    between, as it may within a panel, shows empty axes for ever. And it starts so slowly that
    later changes may be lost: see live.js.

    Parameters
    ----------
    drawn
        The figure.
    """

    _esm = _script()
    _filled = False

    def __init__(self, drawn: go.Figure, **more: Any) -> None:
        super().__init__(drawn, **more)
        self._config = {"displayModeBar": False}  # it lies on the title; there is no public name
        self._filled = True
        self.open()

    def open(self) -> None:
        """Open the channel to the page, once the figure is there."""
        if self._filled:
            super().open()
