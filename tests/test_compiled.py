"""The compiled twin: the same legal lists, states, choices and generator numbers as plain."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from splendor_nb import new_game
from splendor_nb.agents import policies
from splendor_nb.engine import compiled, rng, rules
from splendor_nb.engine.options import Rules, make_components
from splendor_nb.engine.position import Position, Tables, tables_for
from splendor_nb.games import playouts

np = pytest.importorskip("numpy")
pytest.importorskip("numba")

SOURCES = (rng, rules, policies)
OPTIONS = {
    "standard": Rules(),
    "gold": Rules(gold="four_only"),
    "take_fewer": Rules(take_fewer="free"),
    "payment": Rules(payment="choose"),
    "tie_break": Rules(tie_break="none"),
    "target": Rules(target=4),
    "unseen_reserve": Rules(unseen_reserve="off"),
    "turn_limit": Rules(turn_limit=37),
}
OWN_CARDS = [
    {"level": level, "bonus": bonus, "points": level, "cost": {cost: level + 1, bonus: 1}}
    for level in (1, 2, 3)
    for bonus, cost in ("WU", "UG", "GR", "RK", "KW")
    for _ in range(2)
]
OWN_TOKENS = dict(zip("WUGRK*", (3, 3, 2, 4, 5, 1), strict=True))


@pytest.fixture(scope="module")
def twin() -> SimpleNamespace:
    return compiled.compile_modules(*SOURCES)


class Pair:
    """One game, played by the plain rules and by their twin side by side."""

    def __init__(self, twin: SimpleNamespace, tables: Tables, players: int, game: int) -> None:
        self.twin, self.tables = twin, tables
        self.t = compiled.pack_tables(tables)[0]
        self.plain, self.r = Position(tables, players), [0]
        self.s = compiled.pack_position(self.plain, tables)[0]
        self.generator = np.zeros(1, np.int64)
        rng.seed_stream(self.r, 7, game, 0)
        twin.seed_stream(self.generator, 7, game, 0)
        rules.deal(self.plain, tables, self.r)
        twin.deal(self.s, self.t, self.generator)
        self.legal, self.numbers = [0] * rules.ACTIONS, np.zeros(rules.ACTIONS, np.int64)

    def play(self, policy: str) -> None:
        """Play to the end; what is legal and what is chosen is compared at every decision."""
        choose, choose_twin = getattr(policies, policy), getattr(self.twin, policy)
        plain, s, t = self.plain, self.s, self.t
        while plain.phase != rules.OVER:
            count = rules.legal_actions(plain, self.tables, self.legal)
            assert self.twin.legal_actions(s, t, self.numbers) == count
            assert self.numbers[:count].tolist() == self.legal[:count]
            action = choose(plain, self.tables, self.r, self.legal, count)
            assert choose_twin(s, t, self.generator, self.numbers, count) == action
            rules.apply_action(plain, self.tables, action)
            self.twin.apply_action(s, t, action)

    def assert_same(self) -> None:
        """Compare the positions and the generators."""
        assert compiled.unpack_position(self.s, self.tables).content() == self.plain.content()
        assert self.generator[0] == self.r[0]


def assert_lockstep(twin: SimpleNamespace, tables: Tables, games: int) -> None:
    for game in range(games):
        pair = Pair(twin, tables, players=2 + game % 3, game=game)
        pair.assert_same()
        pair.play("choose_greedy" if game % 4 == 3 else "choose_random")
        pair.assert_same()


@pytest.mark.parametrize("option", OPTIONS)
def test_plain_and_compiled_play_the_same_games(twin: SimpleNamespace, option: str) -> None:
    assert_lockstep(twin, tables_for(make_components(), OPTIONS[option]), games=60)


@pytest.mark.slow
@pytest.mark.parametrize("option", OPTIONS)
def test_plain_and_compiled_play_the_same_2000_games(twin: SimpleNamespace, option: str) -> None:
    assert_lockstep(twin, tables_for(make_components(), OPTIONS[option]), games=2000)


def test_tables_of_ones_own_play_the_same_games(twin: SimpleNamespace) -> None:
    components = make_components(cards=OWN_CARDS, tokens=OWN_TOKENS)
    assert_lockstep(twin, tables_for(components, Rules(target=9, turn_limit=200)), games=40)


def test_a_position_comes_back_from_a_record_as_it_was(twin: SimpleNamespace) -> None:
    pair = Pair(twin, tables_for(make_components(), Rules()), players=3, game=1)
    pair.play("choose_random")
    packed = compiled.pack_position(pair.plain, pair.tables)[0]
    assert compiled.unpack_position(packed, pair.tables).content() == pair.plain.content()


def test_why_illegal_gives_the_same_reasons(twin: SimpleNamespace) -> None:
    pair = Pair(twin, tables_for(make_components(), Rules(payment="choose")), players=2, game=5)
    for _ in range(60):
        for action in range(rules.ACTIONS - 1):
            if rules.BUY_RESERVED <= action < rules.RETURN or action == rules.SETTLE:
                continue  # a place that may hold no card
            expected = rules.why_illegal(pair.plain, pair.tables, action)
            assert pair.twin.why_illegal(pair.s, pair.t, action) == expected
        count = rules.legal_actions(pair.plain, pair.tables, pair.legal)
        action = pair.legal[count // 2]
        rules.apply_action(pair.plain, pair.tables, action)
        pair.twin.apply_action(pair.s, pair.t, action)


@pytest.mark.slow
def test_no_index_leaves_its_bounds() -> None:
    checked = compiled.compile_modules(*SOURCES, debug=True)
    assert_lockstep(checked, tables_for(make_components(), Rules()), games=60)
    assert_lockstep(checked, tables_for(make_components(), Rules(payment="choose")), games=60)


FIRST_GAME = """
import time
import numpy as np
from splendor_nb import new_game
from splendor_nb.agents import policies
from splendor_nb.engine import compiled, rng, rules
from splendor_nb.engine.options import Rules, make_components
from splendor_nb.engine.position import Position, tables_for
twin = compiled.compile_modules(rng, rules, policies)
tables = tables_for(make_components(), Rules())
s, t = compiled.pack_position(Position(tables, 2), tables)[0], compiled.pack_tables(tables)[0]
r, legal = np.zeros(1, np.int64), np.zeros(rules.ACTIONS, np.int64)
twin.seed_stream(r, 7, 3, 0)
twin.deal(s, t, r)
while s["phase"] != rules.OVER:
    twin.apply_action(s, t, twin.choose_random(s, t, r, legal, twin.legal_actions(s, t, legal)))
print(r[0], s["turn"])
"""


def first_game(cache: Path) -> str:
    environment: dict[str, Any] = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    run = [sys.executable, "-c", FIRST_GAME]
    done = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    return done.stdout


def test_a_cold_and_a_warm_cache_give_the_same_game(tmp_path: Path) -> None:
    cold = first_game(tmp_path)
    kept = list(tmp_path.rglob("*.nbc"))
    assert kept
    assert first_game(tmp_path) == cold
    assert list(tmp_path.rglob("*.nbc")) == kept


def test_the_cache_is_named_after_all_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    from numba.core import config

    before = config.CACHE_DIR
    with compiled._cache_for((rng, rules)):
        two = config.CACHE_DIR
    with compiled._cache_for(SOURCES):
        three = config.CACHE_DIR
    assert three != two
    assert before == config.CACHE_DIR


def test_without_numba_the_plain_functions_serve(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compiled, "has_numba", lambda: False)
    compiled._say_plain.cache_clear()
    for _ in range(2):
        assert compiled.compile_modules(rules).legal_actions is rules.legal_actions
    assert capsys.readouterr().err.count("plain Python") == 1


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("rotate", [False, True])
def test_whole_games_are_the_same_plain_and_compiled(players: int, rotate: bool) -> None:
    twin = compiled.compile_modules(*SOURCES, playouts)
    tables, games = tables_for(make_components(), Rules()), 12
    masters = rng.master_seeds(5, players)
    numbers = (7, games, players, rotate)
    seats = [policies.GREEDY, policies.RANDOM, policies.GREEDY, policies.RANDOM]
    plain = Position(tables, players)
    generators = [[0] for _ in range(5)]
    out = rooms(games, players)
    played = playouts.play_games(
        plain, tables, masters, *numbers, seats, generators, [0] * rules.ACTIONS, *out
    )
    s, t = compiled.pack_position(plain, tables)[0], compiled.pack_tables(tables)[0]
    fast, streams = rooms(games, players), np.zeros((5, 1), np.int64)
    legal = np.zeros(rules.ACTIONS, np.int64)
    again = twin.play_games(
        *(s, t, np.array(masters), *numbers, np.array(seats), streams, legal), *fast
    )
    assert again == played == games
    for one, other in zip(out, fast, strict=True):
        assert np.array_equal(one, other)
    assert streams[: players + 1].tolist() == generators[: players + 1]
    assert compiled.unpack_position(s, tables).content() == plain.content()


def rooms(games: int, players: int) -> tuple[np.ndarray, ...]:
    """Return room for a log, its ends, turns, ways to end, and what each seat did."""
    log, per_game = np.zeros(games * 400, np.uint8), [np.zeros(games, np.int64) for _ in range(3)]
    return log, *per_game, np.zeros((games * players, playouts.OUTCOMES), np.int32)


def test_a_deal_is_that_of_new_game() -> None:
    tables, seed = tables_for(make_components(), Rules()), 11
    position, r = Position(tables, 3), [0]
    rng.seed_stream(r, rng.master_seed(seed, rng.DEAL), 0, rng.DEAL)
    rules.deal(position, tables, r)
    assert position.content() == new_game(players=3, seed=seed).numbers().content()
