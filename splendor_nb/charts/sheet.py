"""What every picture is made of: a sheet with its symbols, and words that keep to their place.

All functions return SVG text. Lengths are in pixels of a picture that is shown at its own size.
"""

from __future__ import annotations

import hashlib
import re
import string
import unicodedata
from collections.abc import Callable, Iterable
from html import escape
from typing import Final

from splendor_nb.charts.theme import DARK, FONT

Word = tuple[float, float, str]  # where it stands, and what it is

_FONT_SIZE: Final = 14
_SMALL_LETTER: Final = 0.58  # how wide one is, in font sizes
_MOST_LETTERS: Final = 90
_INVISIBLE: Final = {"Cc", "Cf", "Cs", "Zl", "Zp"}
_RIGHT_TO_LEFT: Final = {"R", "AL", "AN"}
_JOINERS: Final = "\u200c\u200d"
_MARK: Final = "\0"  # stands before ids until the content is known; XML has no such letter


class Sheet:
    """The symbols that a picture has used so far, and what the last move touched.

    Parameters
    ----------
    last
        Actions, or bare names of cards.

    Attributes
    ----------
    symbols
        What has been drawn, by key.
    touched
        Names of cards and decks (``L2``) in these actions.
    piles
        Letters of the gems that they took or returned.
    """

    def __init__(self, last: Iterable[str] = ()) -> None:
        self.symbols: dict[str, str] = {}
        self.touched: set[str] = set()
        self.piles: set[str] = set()
        for action in last:
            kind, _, what = action.rpartition(" ")
            if kind in {"take", "return"}:
                self.piles.update(what)
            else:
                self.touched.add(what)

    def use(self, key: str, draw: Callable[[], str], x: float = 0, y: float = 0) -> str:
        """Return a reference to a symbol, which is drawn when it is used for the first time."""
        key = key.replace("*", "J")
        if key not in self.symbols:
            self.symbols[key] = re.sub("^<[a-z]+", rf'\g<0> id="{_MARK}{key}"', draw())
        return f'<use href="#{_MARK}{key}"{_at(x, y)}/>'

    def picture(self, body: Iterable[str], size: tuple[int, int], title: str, text: str) -> str:
        """Return the whole picture; the ids of its symbols begin with a mark of its content."""
        content = (
            f"<title>{xml(title)}</title><desc>{xml(text)}</desc>"
            f"<defs>{''.join(self.symbols.values())}</defs>{''.join(body)}"
        )
        digest = hashlib.sha256(content.encode()).digest()
        mark = "".join(string.ascii_letters[byte % 52] for byte in digest[:3])
        width, height = size
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" style="max-width:100%;height:auto" role="img" '
            f'font-family="{FONT}" font-size="{_FONT_SIZE}" font-weight="700" '
            f'text-anchor="middle" direction="ltr" fill="{DARK}">'
            f"{content.replace(_MARK, mark)}</svg>"
        )


def move(x: float, y: float, *drawings: str) -> str:
    """Return drawings at another place; an inner `svg` says it in fewer letters than a group."""
    return f"<svg{_at(x, y)}>{''.join(drawings)}</svg>"


def _at(x: float, y: float) -> str:
    return "".join(f' {axis}="{value:g}"' for axis, value in (("x", x), ("y", y)) if value)


# -- words -----------------------------------------------------------------------------------------


def line(
    x: float,
    y: float,
    text: str,
    *,
    color: str = "",
    size: int = 0,
    anchor: str = "",
    width: float | None = None,
) -> str:
    """Return a text, or nothing where there is none.

    What is not given is as around it. A text that could go beyond a `width` is held to the length
    that it should have, at most this width, since fonts differ.
    """
    if not text:
        return ""
    given = {"fill": color, "font-size": size, "text-anchor": anchor}
    own = length(text, size or _FONT_SIZE)
    if width is not None and own > 0.85 * width:
        given |= {"textLength": f"{min(own, width):.0f}", "lengthAdjust": "spacingAndGlyphs"}
    attributes = "".join(f' {name}="{value}"' for name, value in given.items() if value)
    return f'<text x="{x:g}" y="{y:g}"{attributes}>{xml(text)}</text>'


def words(placed: Iterable[Word], *, far: float = 8) -> str:
    """Return words, each at its place, as a single text.

    Each letter of a word has an x of its own, `far` from the one before, except in the last word,
    which is set as a whole; the last y holds for all that follows it.

    Examples
    --------
    >>> words([(30, 89, "4"), (30, 109, "12"), (65, 109, "2U5")])
    '<text x="30 30 38 65" y="89 109">4122U5</text>'
    """
    *firsts, (last_x, last_y, last) = placed
    places = [(x + far * i, y) for x, y, word in firsts for i in range(len(word))]
    xs = [*(x for x, _ in places), last_x]
    ys = [*(y for _, y in places), last_y]
    while ys[-2:-1] == ys[-1:]:
        ys.pop()
    text = "".join(word for _, _, word in firsts) + last
    return f'<text x="{_join(xs)}" y="{_join(ys)}">{xml(text)}</text>'


def _join(values: Iterable[float]) -> str:
    return " ".join(f"{value:g}" for value in values)


def xml(text: str) -> str:
    r"""Return text as XML may hold it: escaped, without letters that it forbids.

    Examples
    --------
    >>> xml("<b>\0 & c")
    '&lt;b&gt; &amp; c'
    """
    allowed = re.sub("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "", text)
    return escape(allowed, quote=False)


def cut(text: str, width: float) -> str:
    r"""Return text on one line, cut to a width; if it runs to the left, that is shut in.

    Invisible letters go, since among them are those that turn the text around them; the joiners
    of emoji stay.

    Examples
    --------
    >>> cut("Anna", 80), cut("Anna\nKarenina", 80)
    ('Anna', 'Anna Kar…')
    """
    shown: list[str] = []
    for letter in " ".join(text.split()):
        if unicodedata.category(letter) in _INVISIBLE and letter not in _JOINERS:
            continue
        width -= length(letter)
        if width < 0 or len(shown) == _MOST_LETTERS:
            shown[-1:] = "…"
            break
        shown.append(letter)
    tidy = "".join(shown)
    turned = any(unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT for letter in tidy)
    return f"\u2068{tidy}\u2069" if turned else tidy


def length(text: str, size: float = _FONT_SIZE) -> float:
    """Return about how long text is, whatever the font."""
    return sum(map(_letters, text)) * _SMALL_LETTER * size


def _letters(letter: str) -> float:
    """Return about how many small letters are as wide as this one."""
    if unicodedata.combining(letter) or unicodedata.category(letter) in _INVISIBLE:
        return 0
    if letter in " .,:;!|'()fijlt":
        return 0.5
    if letter in "mwжмфшщыю":
        return 1.5
    if letter in "WM@%ЖМФШЩЫЮ" or unicodedata.east_asian_width(letter) in "WF":
        return 1.8
    return 1.3 if letter.isupper() else 1
