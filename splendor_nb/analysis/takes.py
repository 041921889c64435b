"""The fewest turns of taking gems that bring what something costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from splendor_nb.engine.cards import COLORS
from splendor_nb.engine.forms import check_whole_number, quoted, shortened


def fewest_takes(cost: Mapping[str, int] | Sequence[int]) -> int:
    """Return the fewest takes, from empty hands, that bring at least these gems.

    A take brings three gems of different colors [R7] or two of one color [R8]; more of a color
    than is needed does no harm. The number is exact under these assumptions: the bank never runs
    short, each take is as one likes, gold is not used, and the limit of ten tokens [R13] is
    ignored (of the base game only the cards that cost more than ten come near it).

    Parameters
    ----------
    cost
        Gems that are missing, from 0: five numbers in the order ``W U G R K``, or a mapping of
        letters, in which a color that is left out counts 0. `Card.cost` is one.

    Raises
    ------
    TypeError, ValueError
        Where the cost has not this form; the message names the place.

    Examples
    --------
    Seven gems in three takes, five gems of one color in three as well:

    >>> fewest_takes({"W": 4, "U": 2, "G": 1})
    3
    >>> fewest_takes([0, 0, 0, 5, 0])
    3
    """
    numbers = _read_cost(cost)
    most = max(*numbers, (sum(numbers) + 2) // 3)  # takes of three that do without takes of two
    return min(threes + _pairs(numbers, threes) for threes in range(most + 1))


def _pairs(cost: Sequence[int], threes: int) -> int:
    """Return how many takes of two are needed beside so many takes of three.

    Takes of three bring up to ``threes`` of each color, and three times that in all, spread as
    one likes. A gem spent where an odd number is missing saves a whole take of two; after that
    every two gems of one color save one. So the single gems go first.
    """
    saved_by_one = sum(number % 2 for number in cost) if threes else 0
    saved_by_two = sum((min(number, threes) - number % 2) // 2 for number in cost if threes)
    gems = 3 * threes
    ones = min(saved_by_one, gems)
    twos = min(saved_by_two, (gems - ones) // 2)
    return sum((number + 1) // 2 for number in cost) - ones - twos


def _read_cost(cost: object) -> list[int]:
    if isinstance(cost, Mapping) and set(cost) <= set(COLORS):
        return [check_whole_number(f"cost: {x}", cost.get(x, 0), 0) for x in COLORS]
    if isinstance(cost, Sequence) and not isinstance(cost, str) and len(cost) == len(COLORS):
        return [check_whole_number(f"cost[{at}]", number, 0) for at, number in enumerate(cost)]
    raise ValueError(
        f"cost is five numbers, or a mapping of {quoted(COLORS)} to numbers, not {shortened(cost)}."
    )
