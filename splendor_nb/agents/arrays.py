"""The arithmetic of the network in numpy, where Numba is missing: the twin of `layers`."""

from __future__ import annotations

from typing import Any

WIDTH = 32


def copy_row(f: Any, out: int, source: int) -> None:
    """Copy a row."""
    f[out] = f[source]


def clear_row(f: Any, out: int) -> None:
    """Write 0 to a row."""
    f[out] = 0


def add_row(f: Any, out: int, source: int) -> None:
    """Add a row to another."""
    f[out] += f[source]


def rectify(f: Any, out: int) -> None:
    """Replace what is below 0 in a row by 0."""
    f[out].clip(0, None, out=f[out])


def dot(f: Any, one: int, other: int) -> Any:
    """Return the sum of the products of two rows, from the left."""
    return (f[one] * f[other]).cumsum()[-1]


def multiply(net: Any, out: int, blocks: int, x: int, n: int, rows: int) -> None:
    """Add to some rows what n rows of numbers make of a matrix.

    Number by number, as in `layers`: a product of matrices would add in an order of its own.
    """
    numbers, target = net.f[x : x + n].reshape(-1), net.f[out : out + blocks]
    for i in numbers.nonzero()[0].tolist():
        first = rows + blocks * i
        target += numbers[i] * net.f[first : first + blocks]
