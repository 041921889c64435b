"""Tidy tables of games that have been played, from chunks: typed the same way every time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from splendor_nb.engine import rules
from splendor_nb.engine.cards import COLORS
from splendor_nb.engine.notation import lexicon
from splendor_nb.games import playouts, replays
from splendor_nb.games.setup import Chunk, Setup

END_REASONS = ("target", "stalemate", "limit", "forfeit")
SOURCES = ("market", "reserve")
OUTCOME_COLUMNS = {
    "points": playouts.POINTS,
    "noble_points": playouts.NOBLE_POINTS,
    "bought": playouts.BOUGHT,
    "reserved": playouts.RESERVED,
    "nobles": playouts.NOBLES,
    "gems_taken": playouts.GEMS_TAKEN,
    "gold_taken": playouts.GOLD_TAKEN,
    "returned": playouts.RETURNED,
}
Rows = np.ndarray[Any, Any]


def merge(chunks: Sequence[Chunk]) -> Chunk:
    """Return chunks that follow on each other as one."""
    starts = np.cumsum([0, *(len(chunk.log) for chunk in chunks)])
    return Chunk(
        first=chunks[0].first,
        turns=np.concatenate([chunk.turns for chunk in chunks]),
        ended=np.concatenate([chunk.ended for chunk in chunks]),
        outcomes=np.concatenate([chunk.outcomes for chunk in chunks]),
        log=np.concatenate([chunk.log for chunk in chunks]),
        ends=np.concatenate([c.ends + start for c, start in zip(chunks, starts, strict=False)]),
        faults=[fault for chunk in chunks for fault in chunk.faults],
    )


def empty(setup: Setup, first: int = 0) -> Chunk:
    """Return a chunk without any games."""
    none = np.zeros(0, np.int64)
    outcomes = np.zeros((0, playouts.OUTCOMES), np.int32)
    return Chunk(first, none, none, outcomes, np.zeros(0, np.uint8), none, [])


def games_table(setup: Setup, chunk: Chunk) -> pd.DataFrame:
    """Return a row for each game."""
    game, players = _numbers(chunk), setup.players
    forfeited = chunk.ended == playouts.FORFEITED
    begun = np.where(forfeited, chunk.turns // players + 1, -(-chunk.turns // players))
    won = chunk.outcomes[:, playouts.WON].reshape(-1, players)
    return pd.DataFrame(
        {
            "game": game,
            "deal": game // players if setup.rotate else game,
            "rotation": _small(game % players if setup.rotate else game * 0),
            "players": _small(np.full(chunk.games, players)),
            "turns": _small(chunk.turns),
            "rounds": _small(begun),
            "end_reason": as_names(chunk.ended - 1, END_REASONS),
            "winners": _small(won.sum(axis=1)),
        }
    )


def seats_table(setup: Setup, chunk: Chunk) -> pd.DataFrame:
    """Return a row for each game and seat."""
    players, outcomes = setup.players, chunk.outcomes
    game = np.repeat(_numbers(chunk), players)
    seat = np.tile(np.arange(players), chunk.games)
    turns = np.repeat(chunk.turns, players)
    won = outcomes[:, playouts.WON].reshape(-1, players)
    table = pd.DataFrame(
        {
            "game": game,
            "seat": _small(seat),
            "agent": agents_at(setup, game, seat),
            "turns": _small(turns // players + (seat < turns % players)),
            **{name: _small(outcomes[:, column]) for name, column in OUTCOME_COLUMNS.items()},
            "win_share": (won / np.maximum(1, won.sum(axis=1, keepdims=True))).ravel(),
        }
    )
    table.insert(5, "card_points", table["points"] - table["noble_points"])
    return table


def agents_at(setup: Setup, game: Rows, seat: Rows) -> pd.Categorical[str]:
    """Return who sits at a seat of a game: the agents move on by one seat a rotation."""
    rotation = game % setup.players if setup.rotate else 0
    return as_names((seat + rotation) % setup.players, setup.agents)


def purchases_table(setup: Setup, first: int, rows: Rows) -> pd.DataFrame:
    """Return a row for each card bought, from the rows of `replays`."""
    cards = setup.components.cards
    number = rows[:, replays.CARD]
    bonuses = np.array([COLORS.index(card.bonus) for card in cards])
    return pd.DataFrame(
        {
            **_when(first, rows),
            "card": as_names(number, [card.name for card in cards]),
            "level": _small(np.array([card.level for card in cards])[number]),
            "bonus": as_names(bonuses[number], COLORS, ordered=True),
            "points": _small(np.array([card.points for card in cards])[number]),
            "source": as_names(rows[:, replays.FROM_RESERVE], SOURCES),
            "gems_paid": _small(rows[:, replays.GEMS_PAID]),
            "gold_paid": _small(rows[:, replays.GOLD_PAID]),
        }
    )


def visits_table(setup: Setup, first: int, rows: Rows) -> pd.DataFrame:
    """Return a row for each visit of a noble, from the rows of `replays`."""
    names = [noble.name for noble in setup.components.nobles]
    noble = as_names(rows[:, replays.NOBLE_ROW], names)
    return pd.DataFrame({**_when(first, rows), "noble": noble})


def actions_table(setup: Setup, first: int, rows: Rows) -> pd.DataFrame:
    """Return a row for each action, from the rows of `replays`."""
    words = lexicon(setup.tables)
    fixed = [word for word in words.fixed if word is not None]
    texts = [*fixed, *words.reserve, *words.buy]
    place = np.array([0 if word is None else fixed.index(word) for word in words.fixed])
    number, card = rows[:, replays.ACTION], rows[:, replays.NAMED]
    card_word = len(fixed) + card + np.where(number >= rules.BUY, len(words.reserve), 0)
    codes = np.where(card < 0, place[number], card_word)
    return pd.DataFrame(
        {
            **_when(first, rows),
            "step": _small(rows[:, replays.STEP]),
            "action": as_names(codes, [str(text) for text in texts]),
        }
    )


def faults_table(faults: Iterable[tuple[int, Any]]) -> pd.DataFrame:
    """Return a row for each fault."""
    rows = [(game, f.turn, f.seat, f.kind, f.text) for game, f in faults]
    table = pd.DataFrame(rows, columns=["game", "turn", "seat", "kind", "text"])
    small = {"turn": "int32", "seat": "int32"}
    return table.astype({"game": "int64", **small, "kind": "str", "text": "str"})


def as_names(codes: Rows, names: Sequence[str], *, ordered: bool = False) -> pd.Categorical[str]:
    """Return numbers as the names that they stand for."""
    return pd.Categorical.from_codes(codes, pd.Index(list(names)), ordered=ordered)


def _when(first: int, rows: Rows) -> dict[str, Rows]:
    return {
        "game": first + rows[:, replays.GAME].astype(np.int64),
        "turn": _small(rows[:, replays.TURN]),
        "seat": _small(rows[:, replays.SEAT]),
    }


def _numbers(chunk: Chunk) -> Rows:
    return np.arange(chunk.first, chunk.first + chunk.games, dtype=np.int64)


def _small(values: Rows) -> Rows:
    return np.asarray(values, np.int32)
