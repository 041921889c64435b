"""The forms of what comes from outside, arguments and JSON: checked, or refused in a sentence."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from splendor_nb.engine.errors import RecordError

LONGEST_NUMBER = 10_000  # bits; Python writes no numbers above 4,300 digits


def check_whole_number(what: str, value: object, low: int, high: int | None = None) -> int:
    """Return the value if it is a whole number in the range, ends included.

    Raises
    ------
    TypeError, ValueError
        Where it is not; the message names the range.
    """
    if type(value) is int and low <= value and (high is None or value <= high):
        return value  # nearly always, so without making a sentence
    allowed = f"from {low}" if high is None else f"from {low} to {high}"
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{what} is a whole number {allowed}, not {shortened(value)}.")
    number = operator.index(value)
    if number < low or (high is not None and number > high):
        raise ValueError(f"{what} is a whole number {allowed}, not {shortened(value)}.")
    return number


def read_number(where: str, data: object, low: int, high: int | None = None) -> int:
    """Return a whole number of a file, or raise `RecordError`."""
    try:
        return check_whole_number(where, data, low, high)
    except (TypeError, ValueError) as error:
        raise RecordError(str(error)) from None


def read_mapping(where: str, data: object, names: Sequence[str]) -> Mapping[str, Any]:
    """Return a mapping that has just these fields, or raise `RecordError`."""
    if not isinstance(data, Mapping):
        raise RecordError(f"{where} is a mapping, not {shortened(data)}.")
    for name in names:
        if name not in data:
            raise RecordError(f"{where}: the field {name!r} is missing.")
    for name in data:
        if name not in names:
            raise RecordError(f"{where}: there is no field {shortened(name)}; {quoted(names)} are.")
    return data


def read_list(
    where: str, data: object, length: int | None = None, up_to: int | None = None
) -> list[Any]:
    """Return a list of this length, or raise `RecordError`."""
    if not isinstance(data, list):
        raise RecordError(f"{where} is a list, not {shortened(data)}.")
    if length is not None and len(data) != length:
        raise RecordError(f"{where} has {length} entries, not {len(data)}.")
    if up_to is not None and len(data) > up_to:
        raise RecordError(f"{where} has at most {up_to} entries, not {len(data)}.")
    return data


def read_text(where: str, data: object) -> str:
    """Return a text of a file, or raise `RecordError`."""
    if not isinstance(data, str):
        raise RecordError(f"{where} is a text, not {shortened(data)}.")
    return data


def read_one_of(where: str, data: object, names: Sequence[str | None]) -> int:
    """Return the place of the value among those allowed, or raise `RecordError`."""
    if not (data is None or isinstance(data, str)) or data not in names:
        raise RecordError(f"{where} is one of {quoted(names)}, not {shortened(data)}.")
    return names.index(data)


def quoted(names: Iterable[object]) -> str:
    """Return names as they are written in code, with commas."""
    return ", ".join(repr(name) for name in names)


def shortened(value: object, most: int = 60) -> str:
    """Return the value as it is written in code, cut off where it is long."""
    if isinstance(value, int) and value.bit_length() > LONGEST_NUMBER:
        return f"a number of {value.bit_length()} bits"
    shown = repr(value if not isinstance(value, str) else value[: most + 1])
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"
