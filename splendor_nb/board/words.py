"""Words of the interface in one language, with their places filled in."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

from splendor_nb.board.texts import ENGLISH
from splendor_nb.engine.forms import quoted, shortened

LANGUAGES: dict[str, Mapping[str, str]] = {"en": ENGLISH}
LONGEST_NAME = 40  # in a sentence
_TURNS = re.compile("[\u202a-\u202e\u2066-\u2069]")  # marks that turn the direction of a text


class Words:
    """The catalogue of one language.

    Parameters
    ----------
    language
        A key of `LANGUAGES`.

    Raises
    ------
    ValueError
        Where there is no such language; the message names those that there are.

    Examples
    --------
    >>> Words("en").gems({"W": 2, "*": 1})
    '2 white and 1 gold'
    """

    def __init__(self, language: str = "en") -> None:
        if language not in tuple(LANGUAGES):  # which needs no hash
            known = quoted(LANGUAGES)
            raise ValueError(f"There is no language {shortened(language)}; there are {known}.")
        self.texts = LANGUAGES[language]

    def __call__(self, key: str, **places: object) -> str:
        """Return the text of a key, its places filled."""
        return self.texts[key].format_map(places)

    def color(self, gem: str) -> str:
        """Return the name of a gem's color."""
        return self(f"color.{gem}")

    def gems(self, gems: Mapping[str, int]) -> str:
        """Return gems as an enumeration of numbers and colors."""
        parts = [f"{number} {self.color(gem)}" for gem, number in gems.items() if number]
        return self.join(parts) or self("nothing")

    def count(self, noun: str, number: int) -> str:
        """Return a number with its noun: one point, or many."""
        return self(f"count.{noun}.{'one' if number == 1 else 'many'}", number=number)

    def join(self, items: Sequence[str]) -> str:
        """Return items as an enumeration with a last conjunction."""
        if len(items) < 2:
            return "".join(items)
        return self("list.comma").join(items[:-1]) + self("list.and") + items[-1]


def name_in_sentence(name: str) -> str:
    """Return a name as a part of a sentence: not too long, and leaving the words around it alone.

    A name that is written from right to left is set apart, so that the sentence keeps its order.

    Examples
    --------
    >>> name_in_sentence("Anna"), len(name_in_sentence("A" * 10_000))
    ('Anna', 40)
    """
    plain = " ".join(_TURNS.sub("", name).split())
    short = plain if len(plain) <= LONGEST_NAME else f"{plain[: LONGEST_NAME - 1]}…"
    if any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in short):
        return f"\u2068{short}\u2069"
    return short


def unquoted(text: str) -> str:
    """Return what an exception says as a person would write it, without marks around it.

    Examples
    --------
    >>> unquoted("ValueError: 'no gems'"), unquoted("StopIteration: ''")
    ('ValueError: no gems', 'StopIteration: ')
    """
    kind, colon, said = text.partition(": ")
    mark = said[:1] if said[:1] in ("'", '"') else ""
    return f"{kind}{colon}{said.removeprefix(mark).removesuffix(mark)}"
