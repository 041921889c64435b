"""Every selection of gems on the way to a legal take, so that the page can build one up."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

from splendor_nb.board.words import Words
from splendor_nb.engine.cards import COLORS, GEMS, GOLD
from splendor_nb.engine.notation import Action
from splendor_nb.engine.state import Observation


def gem_picks(view: Observation, legal: Sequence[Action], words: Words) -> dict[str, Any]:
    """Return each selection of gems that leads to a legal take, and what may be added to it.

    Keys are letters in the order ``WUGRK``, shorter ones first. ``why`` is empty where the
    selection may be confirmed, ``add`` has for each gem an empty text where it may be added;
    otherwise they say why not.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> view = new_game(players=2, seed=7).observation(0)
    >>> picks = gem_picks(view, view.legal_actions(), Words())
    >>> list(picks)[:4], len(picks), picks["WUG"]["why"], picks["WUG"]["add"]["*"]
    (['', 'W', 'U', 'G'], 31, '', 'Gold comes only with a reservation [R9].')
    """
    takes = [action.gems or "" for action in legal if action.kind == "take"]
    parts = {part for take in takes for part in _parts(take)}
    return {
        pick: {
            "why": _why_not_take(view, pick, takes, words),
            "add": {gem: _why_not_add(view, pick, gem, parts, words) for gem in GEMS},
        }
        for pick in sorted(parts or {""}, key=_place)
    }


def _place(pick: str) -> tuple[int, list[int]]:
    return len(pick), [COLORS.index(color) for color in pick]


def _parts(take: str) -> list[str]:
    """Return all selections from which a take can be completed, itself included."""
    return ["".join(part) for size in range(4) for part in combinations(take, size)]


def _why_not_take(view: Observation, pick: str, takes: Sequence[str], words: Words) -> str:
    if not pick:
        return words("pick.empty")
    return "" if pick in takes else view.why_illegal(f"take {pick}") or ""


def _why_not_add(view: Observation, pick: str, gem: str, parts: set[str], words: Words) -> str:
    if gem == GOLD:
        return words("pick.gold")
    more = "".join(sorted(pick + gem, key=GEMS.index))
    if more in parts:
        return ""
    if view.bank[gem] == 0:
        return view.why_illegal(f"take {gem}") or ""
    is_take = len(more) == 2 or (len(more) == 3 == len(set(more)))
    return (is_take and view.why_illegal(f"take {more}")) or words("pick.full")
