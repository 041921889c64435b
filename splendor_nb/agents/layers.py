"""The arithmetic of the network, written like the rules: what is compiled.

All works on rows of 32 numbers in single precision. Where Numba is missing `arrays` does the same
in numpy, number by number, with every sum in the same order.
"""

from __future__ import annotations

WIDTH = 32


def copy_row(f, out, source):
    """Copy a row."""
    target, row = f[out], f[source]
    for j in range(WIDTH):
        target[j] = row[j]


def clear_row(f, out):
    """Write 0 to a row."""
    target = f[out]
    for j in range(WIDTH):
        target[j] = 0


def add_row(f, out, source):
    """Add a row to another."""
    target, row = f[out], f[source]
    for j in range(WIDTH):
        target[j] += row[j]


def rectify(f, out):
    """Replace what is below 0 in a row by 0."""
    target = f[out]
    for j in range(WIDTH):
        if target[j] < 0:
            target[j] = 0


def dot(f, one, other):
    """Return the sum of the products of two rows, from the left."""
    left, right = f[one], f[other]
    total = left[0] * right[0]
    for j in range(1, WIDTH):
        total += left[j] * right[j]
    return total


def multiply(net, out, blocks, x, n, rows):
    """Add to some rows what n rows of numbers make of a matrix.

    Each number belongs to as many rows of the matrix as there are rows to add to. Most numbers
    are 0: the others are gathered first, since four at a time go fastest.
    """
    f, places, values = net.f, net.places, net.values
    count = 0
    for i in range(n):
        count = gather(f[x + i], WIDTH * i, count, places, values)
    for i in range(count, count + 3):
        places[i] = 0
        values[i] = 0
    for i in range(0, count, 4):
        a, b, c, d = values[i], values[i + 1], values[i + 2], values[i + 3]
        first, second = rows + blocks * places[i], rows + blocks * places[i + 1]
        third, fourth = rows + blocks * places[i + 2], rows + blocks * places[i + 3]
        for j in range(blocks):
            add_four(
                f[out + j], a, f[first + j], b, f[second + j], c, f[third + j], d, f[fourth + j]
            )


def gather(row, start, count, places, values):
    """List the numbers of a row that are not 0, and their places; return how many there are."""
    for i in range(WIDTH):
        places[count] = start + i
        values[count] = row[i]
        count += int(row[i] != 0)
    return count


def add_four(target, a, first, b, second, c, third, d, fourth):
    """Add four rows, each so many times, one after the other."""
    for j in range(WIDTH):
        target[j] = (((target[j] + a * first[j]) + b * second[j]) + c * third[j]) + d * fourth[j]
