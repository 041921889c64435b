"""Keeps the keys that are pressed within a panel from being taken for commands of the notebook."""

from __future__ import annotations

from typing import Any

import anywidget
import traitlets

# The page puts a widget into its box only after it has drawn it.
_SCRIPT = """
export default {
  render({ model, el }) {
    let left = 600;
    const hush = () => {
      const box = el.closest(`.${model.get("box")}`);
      if (box === null) {
        left -= 1;
        if (left > 0) requestAnimationFrame(hush);
        return;
      }
      box.addEventListener("keydown", (event) => {
        if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
      });
    };
    hush();
  },
};
"""


class Quiet(anywidget.AnyWidget):
    """An empty widget that quiets the box around it.

    In JupyterLab the key X on a box to tick would cut the cell with the panel in it.

    Parameters
    ----------
    box
        The class of the box in the page.
    """

    _esm = _SCRIPT
    box = traitlets.Unicode("").tag(sync=True)

    def __init__(self, box: str, **more: Any) -> None:
        super().__init__(box=box, **more)
