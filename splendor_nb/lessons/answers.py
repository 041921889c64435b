"""What the checks of several lessons need: whether a number is right, and how it is told."""

from __future__ import annotations

from typing import Any, Final

from splendor_nb.engine.forms import shortened

CLOSE: Final = 1e-6


def is_close(got: Any, right: float) -> bool:
    """Return whether an answer is a number, and the right one but for rounding.

    Examples
    --------
    >>> is_close(0.1 + 0.2, 0.3), is_close("0.3", 0.3)
    (True, False)
    """
    return isinstance(got, int | float) and abs(got - right) <= CLOSE


def as_number(got: object) -> str:
    """Return an answer as a short number, or as what it is where it is none.

    Examples
    --------
    >>> as_number(0.123456), as_number("many")
    ('0.1235', "'many'")
    """
    return f"{float(got):.4g}" if isinstance(got, int | float) else shortened(got)
