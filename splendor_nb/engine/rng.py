"""Chance: a small generator of our own, the same plain, compiled and for ever.

Multiply-with-carry on one integer below 2**63: the low 32 bits are the last word, the rest is
the carry. No product here reaches 2**63, since compiled code would leave the result undefined.
The functions work on `r`, a sequence of length one that holds that integer.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import MutableSequence, Sequence
from typing import TypeVar

from splendor_nb.engine.forms import LONGEST_NUMBER, check_whole_number

# A safe prime multiplier: both A * 2**32 - 1 and A * 2**31 - 1 are prime (G. Marsaglia).
A = 1_804_287_159
WORD = 0xFFFFFFFF

DEAL, FREE = 0, 5  # the roles of the deal and of a generator made by hand; 1 to 4 are the seats

Item = TypeVar("Item")


def next_word(r):
    """Return the next 32 random bits."""
    x = A * (r[0] & WORD) + (r[0] >> 32)
    r[0] = x
    return (x & WORD) ^ (x >> 32)


def below(r, n):
    """Return a uniform number from 0 to n - 1, for n from 1 to 2**31 (D. Lemire)."""
    while True:
        product = next_word(r) * n
        rest = product & WORD
        if rest >= n or rest >= (WORD + 1) % n:
            return product >> 32


def shuffle(r, items, n):
    """Shuffle the first n of the items in place (R. Durstenfeld)."""
    for last in range(n - 1, 0, -1):
        other = below(r, last + 1)
        items[last], items[other] = items[other], items[last]


def mix(word):
    """Return 32 bits of which each depends on all bits of the word (C. Wellons' constants)."""
    word ^= word >> 16
    word = (word * 0x21F0AAAD) & WORD
    word ^= word >> 15
    word = (word * 0x735A2D97) & WORD
    return word ^ (word >> 15)


def seed_stream(r, master, deal, role):
    """Start the stream of one deal and role: 0 the deal, 1 to 4 the seats' agents."""
    low = mix(master & WORD)
    high = mix((master >> 32) ^ 0x5BD1E995)
    for word in (deal & WORD, deal >> 32, role):
        low = mix(low ^ word)
        high = mix(high ^ low)
    # The carry must stay below A, and the state must be neither 0 nor the fixed point.
    r[0] = ((high % (A - 2) + 1) << 32) | low


class Rng:
    """A generator of random numbers that promises its stream for ever.

    Parameters
    ----------
    seed
        Any integer from 0; `None` draws one.

    Raises
    ------
    TypeError, ValueError
        Where the seed is no integer from 0.

    Examples
    --------
    >>> rng = Rng(7)
    >>> [rng.below(6) for _ in range(5)]
    [2, 0, 3, 0, 4]
    """

    __slots__ = ("stream_state",)

    def __init__(self, seed: int | None = None) -> None:
        self.stream_state = [0]
        number = checked_seed(seed)
        seed_stream(self.stream_state, master_seed(number, FREE), 0, FREE)

    @classmethod
    def stream(cls, seed: int, deal: int, role: int) -> Rng:
        """Return the stream of one deal and role under a master seed."""
        rng = cls.__new__(cls)
        rng.stream_state = [0]
        seed_stream(rng.stream_state, master_seed(seed, role), deal, role)
        return rng

    def random(self) -> float:
        """Return a number from 0 (included) to 1 (not included), in steps of 2**-53."""
        high, low = next_word(self.stream_state) >> 5, next_word(self.stream_state) >> 6
        return float((high << 26) + low) / (1 << 53)

    def below(self, n: int) -> int:
        """Return a uniform number from 0 to n - 1.

        Raises
        ------
        ValueError
            Where n is below 1.
        """
        if isinstance(n, bool) or not isinstance(n, int):
            raise TypeError(f"below() takes a whole number from 1, not {n!r}.")
        if n < 1:
            raise ValueError(f"below() takes a whole number from 1, not {n}.")
        if n <= 1 << 31:
            return int(below(self.stream_state, n))
        while (number := self._bits(n.bit_length())) >= n:
            pass
        return number

    def choice(self, items: Sequence[Item]) -> Item:
        """Return one of the items, each with the same chance.

        Raises
        ------
        ValueError
            Where there are none.
        """
        if not items:
            raise ValueError("choice() needs at least one item to choose from.")
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Shuffle the items in place, each order with the same chance."""
        shuffle(self.stream_state, items, len(items))

    def __repr__(self) -> str:
        return f"<Rng at {self.stream_state[0]}>"

    def _bits(self, count: int) -> int:
        number = 0
        for _ in range(0, count, 32):
            number = (number << 32) | next_word(self.stream_state)
        return number >> (-count % 32)


def checked_seed(seed: int | None) -> int:
    """Return the seed, or a fresh one for `None`.

    Raises
    ------
    TypeError, ValueError
        Where the seed is no integer from 0, or one of more than 10,000 bits.
    """
    if seed is None:
        return secrets.randbelow(1 << 32)
    number = check_whole_number("A seed (or None to draw one)", seed, 0)
    if number.bit_length() > LONGEST_NUMBER:
        raise ValueError(f"A seed has at most {LONGEST_NUMBER} bits, not {number.bit_length()}.")
    return number


def master_seed(seed: int, role: int) -> int:
    """Return 62 bits that stand for a seed of any size in one role, the same on every machine.

    A stream can be followed back to these bits, but the bits not to the seed, nor to those of
    another role: an agent cannot find out from its own stream how the cards were dealt.
    """
    digest = hashlib.sha256(seed.to_bytes(seed.bit_length() // 8 + 1, "little")).digest()
    if role != DEAL:
        digest = hashlib.sha256(digest + bytes([role])).digest()
    return int.from_bytes(digest[:8], "little") >> 2


def master_seeds(seed: int, players: int) -> tuple[int, ...]:
    """Return the master seeds of the deal and of each seat's agent."""
    return tuple(master_seed(seed, role) for role in range(players + 1))
