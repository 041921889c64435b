"""The small games: that they are what they say."""

from __future__ import annotations

import re

import pytest

from splendor_nb.analysis.size import size_of
from splendor_nb.analysis.tiny_games import TinyGame, tiny_games

GAMES = tuple(tiny_games().values())
by_name = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def first_number(text: str) -> int:
    found = re.search(r"[\d,]+", text)
    assert found
    return int(found[0].replace(",", ""))


def test_there_are_four_the_smallest_first() -> None:
    sizes = [first_number(game.size) for game in GAMES]
    assert len(GAMES) == 4
    assert sizes == sorted(sizes)
    assert sizes[0] < 40
    assert sizes[-1] > 20_000
    with pytest.raises(TypeError):
        tiny_games()["blackboard"] = GAMES[1]  # type: ignore[index]


@by_name
def test_nothing_is_private_and_the_game_is_short(game: TinyGame) -> None:
    rules = game.start.rules
    assert game.start.players == 2
    assert rules.unseen_reserve == "off"
    assert rules.target <= 3
    assert rules.turn_limit <= 10


@by_name
def test_a_game_says_what_it_teaches(game: TinyGame) -> None:
    assert game.name in repr(game)
    assert game.teaches in repr(game)
    assert "\n" not in repr(game)


@pytest.mark.parametrize("name", ["blackboard", "surprise", "race"])
def test_a_game_has_as_many_positions_as_it_says(name: str) -> None:
    game = tiny_games()[name]
    s, t, end = game.start.numbers(), game.start.tables, game.start.rules.turn_limit
    size = size_of(s, t, end, open_decks=False)
    assert size.exact
    assert round(10**size.digits) == first_number(game.size)


def test_only_what_is_said_to_hold_chance_holds_it() -> None:
    with_decks = {game.name for game in GAMES if any(game.start.deck_sizes)}
    assert with_decks == {"surprise", "market"}
