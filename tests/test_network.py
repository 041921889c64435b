"""The network: the same plain and compiled, blind to order, and the champion that plays by it."""

from __future__ import annotations

import csv
import itertools
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from test_search import content, no_numba, think, view
from truths import choices, decisions, two_truths

from splendor_nb import Rng, State, get_agent, new_game, play_game
from splendor_nb.agents import (
    arrays,
    champion,
    evaluation,
    growth,
    ladder,
    layers,
    network,
    no_network,
    planner,
    policies,
    search_arena,
    search_games,
    self_play,
    train_network,
    tree,
)
from splendor_nb.agents.champion import ChampionAgent, learned_rows, trained_players
from splendor_nb.agents.learner import Learner
from splendor_nb.agents.records import Log, exchange, make_log, static_numbers
from splendor_nb.agents.rooms import Room, make_room
from splendor_nb.agents.search_arena import SearchArena
from splendor_nb.engine import compiled, rng, rules
from splendor_nb.engine.cards import COLORS, data_folder
from splendor_nb.engine.options import Rules, make_components
from splendor_nb.engine.position import Position, Tables, tables_for

PLAYERS = (2, 3, 4)
BASE = tables_for(make_components(), Rules())


def rows_by_lot(seed: int) -> Any:
    """A network that has learned nothing."""
    rows = np.random.default_rng(seed).normal(0, 0.15, (network.LEARNED, network.WIDTH))
    rows[network.CARD_TABLE + BASE.empty] = 0
    rows[network.SEAT_BIAS, 4:] = 0
    return rows.astype(np.float32)


def room_for(players: int, rows: Any, *, plain: bool = True) -> Room:
    return make_room(BASE, players, [{}], nodes=2, learned=rows, plain=plain)


def judged(state: State | Position, room: Room, tables: Tables = BASE) -> tuple[Any, Any]:
    """What plain code says of the seats, and of the actions by number."""
    s = state.numbers() if isinstance(state, State) else state
    moves = [0] * rules.ACTIONS
    n = rules.legal_actions(s, tables, moves)
    network.rate_by_network(s, tables, room, moves, n)
    chances = [float(x) for x in room.desk.chances[:n]]
    return room.desk.outlook[: s.players], dict(zip(moves[:n], chances, strict=True))


@pytest.fixture(scope="module")
def twin() -> SimpleNamespace:
    """What works with the network, compiled, with the inner parts to call."""
    modules = rng, rules, evaluation, planner, layers, network
    return compiled.compile_modules(*modules, entries=["rate_by_network"])


# --- the same for all


@pytest.mark.parametrize("players", PLAYERS)
def test_plain_and_compiled_judge_the_same_to_the_last_bit(
    players: int, twin: SimpleNamespace
) -> None:
    rows, t = rows_by_lot(players), compiled.packed_tables(BASE)
    slow, fast = room_for(players, rows), room_for(players, rows, plain=False)
    for state in decisions("standard", players, 4)[::12]:
        outlook, chances = judged(state, slow)
        moves = np.array([*chances, *[0] * (rules.ACTIONS - len(chances))])
        s = compiled.pack_position(state.numbers(), BASE)[0]
        twin.rate_by_network(s, t, fast, moves, len(chances))
        assert fast.desk["outlook"][:players].tolist() == outlook
        assert fast.desk["chances"][: len(chances)].tolist() == list(chances.values())
        assert max(outlook) > min(outlook)


def test_the_arithmetic_of_both_is_the_same_and_right() -> None:
    draw = np.random.default_rng(8)
    for n, blocks in ((1, 1), (2, 3), (3, 4)):
        f = draw.normal(size=(n + blocks + 32 * n * blocks, 32)).astype(np.float32)
        f[:n] *= draw.random((n, 32)) < 0.3
        exact = f[n : n + blocks].reshape(-1).astype(float)
        exact += f[:n].reshape(-1).astype(float) @ f[n + blocks :].reshape(32 * n, -1)
        results = []
        for module in (layers, arrays):
            net = SimpleNamespace(f=f.copy(), places=[0] * 400, values=np.zeros(400, np.float32))
            module.multiply(net, n, blocks, 0, n, n + blocks)
            for step in (module.rectify, module.clear_row):
                results.append(net.f.tolist())
                step(net.f, n)
            module.add_row(net.f, n, n + blocks)
            module.copy_row(net.f, 0, n + blocks + 1)
            results += [net.f.tolist(), float(module.dot(net.f, n, n + blocks + 2))]
        assert results[: len(results) // 2] == results[len(results) // 2 :]
        first = np.array(results[0])[n : n + blocks].reshape(-1)
        assert first == pytest.approx(exact, abs=1e-4)
        assert (np.array(results[1])[n] == np.maximum(first[:32], 0)).all()


@pytest.mark.parametrize("trees", [1, 2])
def test_the_champion_thinks_the_same_plain_and_compiled(trees: int) -> None:
    states = decisions("standard", 2, 3)[:60:20]
    agent = ChampionAgent(iterations=40, trees=trees)
    fast = [content(think(agent, state)) for state in states]
    with no_numba():
        agent = ChampionAgent(iterations=40, trees=trees)
        assert [content(think(agent, state)) for state in states] == fast
    planned = [content(think(get_agent("search", iterations=40, trees=trees), s)) for s in states]
    assert planned != fast


# --- where things lie does not matter


@pytest.mark.parametrize("players", PLAYERS)
def test_the_order_of_cards_and_nobles_does_not_matter(players: int) -> None:
    room, draw = room_for(players, rows_by_lot(1)), np.random.default_rng(2)
    for state in decisions("standard", players, 6)[30::25]:
        outlook, chances = judged(state, room)
        s, slots = state.numbers(), draw.permutation(rules.SLOTS).tolist()
        s.market = [s.market[slot] for slot in slots]
        for seat in range(players):
            turn_reserve(s, seat)
        moved, changed = judged(s, room)
        assert moved == pytest.approx(outlook, abs=1e-5)
        assert sorted(changed.values()) == pytest.approx(sorted(chances.values()), abs=1e-4)
        for place, slot in enumerate(slots):
            if rules.BUY + place in changed:
                before = chances[rules.BUY + slot]
                assert changed[rules.BUY + place] == pytest.approx(before, abs=1e-4)


def turn_reserve(s: Position, seat: int) -> None:
    """Lay the cards of a reserve the other way round."""
    n = s.n_reserved[seat]
    s.reserved[seat][:n] = s.reserved[seat][:n][::-1]
    s.hidden[seat][:n] = s.hidden[seat][:n][::-1]


def test_seats_count_from_the_one_to_move() -> None:
    room = room_for(3, rows_by_lot(3))
    for state in decisions("standard", 3, 6)[20::30]:
        outlook, chances = judged(state, room)
        s = state.numbers()
        for name in ("visits", "points", "n_reserved", "n_bought", "tokens", "bonuses"):
            turn(s, name)
        for name in ("reserved", "hidden", "bought"):
            turn(s, name)
        s.current = (s.current + 1) % 3
        moved, changed = judged(s, room)
        assert changed == chances
        assert [*moved[1:], moved[0]] == pytest.approx(outlook)


def turn(s: Position, name: str) -> None:
    """Move what lies before each seat on to the next."""
    table = getattr(s, name)
    setattr(s, name, [table[-1], *table[:-1]])


@pytest.mark.parametrize("players", PLAYERS)
def test_a_game_with_its_colors_exchanged_is_seen_in_exchanged_columns(players: int) -> None:
    colors = [3, 0, 4, 1, 2]
    other = tables_for(recolored(colors), Rules())
    coloring = exchange(colors, players)
    assert (static_numbers(other) == static_numbers(BASE)[:, coloring.static]).all()
    for state in decisions("standard", players, 5)[::20]:
        before, after = seen_in(state.numbers(), BASE), seen_in(painted(state, colors), other)
        assert (after.shown == before.shown).all()
        assert (after.views == before.views[:, :, coloring.views]).all()
        assert (after.needs == before.needs[:, :, coloring.needs]).all()
        assert (after.facts[:, 0] == before.facts[:, 0, coloring.table_facts]).all()
        assert (after.facts[:, 1:] == before.facts[:, 1:, coloring.seat_facts]).all()
        assert (after.visits == before.visits[:, coloring.visits]).all()
        assert (after.views != before.views).any()


def recolored(colors: list[int]) -> Any:
    """The base game's cards and nobles, each color in the place of another."""
    base = make_components()
    cards = [
        {
            "level": card.level,
            "bonus": COLORS[colors.index(COLORS.index(card.bonus))],
            "points": card.points,
            "cost": {COLORS[i]: card.cost[COLORS[color]] for i, color in enumerate(colors)},
        }
        for card in base.cards
    ]
    nobles = [
        {
            "points": noble.points,
            "cost": {COLORS[i]: noble.cost[COLORS[color]] for i, color in enumerate(colors)},
        }
        for noble in base.nobles
    ]
    return make_components(cards=cards, nobles=nobles)


def painted(state: State, colors: list[int]) -> Position:
    """The same position with its colors exchanged; the cards keep their rows."""
    s = state.numbers()
    for gems in (s.bank, *s.tokens, *s.bonuses):
        gems[:5] = [gems[color] for color in colors]
    return s


def seen_in(s: Position, tables: Tables) -> Log:
    """What the network sees of a position; the legal actions count as tried once."""
    room = make_room(tables, s.players, [{}], learned=rows_by_lot(1), plain=True)
    log, moves = make_log(1, s.players), [0] * rules.ACTIONS
    search_games.clear_visits(log.visits[0])
    for action in moves[: rules.legal_actions(s, tables, moves)]:
        if action < rules.NOBLE:
            log.visits[0, action] = 1
    search_games.write_record(s, tables, room.network, log, 0)
    return log


# --- what it cannot know


@pytest.mark.parametrize("players", PLAYERS)
def test_R18_the_network_sees_the_same_in_two_truths(players: int) -> None:
    room, hidden = room_for(players, rows_by_lot(2)), 0
    for first, second in two_truths("standard", players, seed=8, every=2):
        assert judged(first, room) == judged(second, room)
        hidden += first.numbers().reserved != second.numbers().reserved
    assert hidden > 3


def test_R18_the_champion_chooses_the_same_in_two_truths() -> None:
    agent, pairs = ChampionAgent(iterations=12, trees=1, worlds=2), 0
    for truths in two_truths("standard", 2, seed=8):
        assert len(choices(agent, truths)) == 1
        pairs += 1
    assert pairs > 10


def test_R18_all_that_the_champion_says_is_the_same_in_two_truths() -> None:
    agent = ChampionAgent(iterations=100)
    for truths in two_truths("standard", 2, seed=9, every=10):
        first, second = (content(think(agent, state)) for state in truths)
        assert first == second


# --- the champion


def test_it_says_once_where_it_has_not_been_trained_and_searches(
    capsys: pytest.CaptureFixture[str],
) -> None:
    champion._say.cache_clear()
    agent, plain = ChampionAgent(iterations=30), get_agent("search", iterations=30, trees=2)
    for setting, players in [("target_5", 2), ("small", 2), ("target_5", 3)] * 2:
        state = decisions(setting, players, 4)[5]
        assert content(think(agent, state)) == content(think(plain, state))
    think(agent, decisions("standard", 2, 4)[5])
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "The champion plays as 'search' here: its network knows the standard rules only.",
        "The champion plays as 'search' here: its network knows the base cards and nobles only.",
    ]


def test_it_says_for_how_many_players_it_has_not_been_trained(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(champion, "_stored", lambda: {2: rows_by_lot(1)})
    assert champion.why_not_trained(BASE, 2) == ""
    assert champion.why_not_trained(BASE, 4) == "its network has not been trained for 4 players."
    monkeypatch.setattr(champion, "_has_numpy", lambda: False)
    assert trained_players() == ()
    assert champion.why_not_trained(BASE, 2) == "its network needs numpy."


def test_the_champion_finds_a_win_that_is_there() -> None:
    agent, found = ChampionAgent(iterations=100), 0
    for seed in range(6):
        for state in list(play_game(["planner", "planner"], seed=seed).states())[-4:-1]:
            winning = [a for a in state.legal_actions() if wins(state, a)]
            assert not winning or agent(view(state), Rng(seed)) in winning
            found += bool(winning)
    assert found >= 2


def wins(state: State, action: str) -> bool:
    """Tell whether an action wins at once."""
    return state.apply(action).winners == (state.current_player,)


def test_a_copy_of_the_champion_by_pickle_thinks_the_same() -> None:
    state = decisions("standard", 2, 5)[30]
    agent = get_agent("champion", iterations=60, worlds=2)
    assert isinstance(agent, ChampionAgent)
    copied = pickle.loads(pickle.dumps(agent))
    assert repr(copied) == repr(agent) == "<agent champion>"
    assert content(think(copied, state)) == content(think(agent, state))


def test_two_champions_finish_their_game() -> None:
    agents = [ChampionAgent(iterations=40), ChampionAgent(iterations=20)]
    game = play_game(agents, seed=4)
    assert game.result is not None
    assert game.result.end_reason == "target"
    assert len(game.actions) < 150


@pytest.mark.slow
def test_the_champion_beats_planner_and_search() -> None:
    arena = SearchArena(2)
    one = arena.rival(iterations=200, learned=learned_rows(2))
    for rival, least in ((arena.rival(iterations=0), 0.85), (arena.rival(iterations=200), 0.6)):
        assert arena.duel(one, rival, first=0, deals=40).mean() > least


# --- what is stored


def test_what_is_stored_is_small_and_needs_no_pickle() -> None:
    path = data_folder() / champion.FILE
    assert path.stat().st_size < 200_000
    for players in trained_players():
        rows = learned_rows(players)
        assert rows.shape == (network.LEARNED, network.WIDTH)
        assert rows.dtype == np.float32
        assert np.isfinite(rows).all()
        assert not rows[network.CARD_TABLE + BASE.empty].any()
        assert 20_000 < np.count_nonzero(rows) < 60_000


def test_the_curve_shows_how_it_learned_for_all_it_has_been_trained_for() -> None:
    with (data_folder() / champion.CURVE).open(encoding="utf-8", newline="") as file:
        curve = list(csv.DictReader(file))
    assert list(curve[0]) == ["players", *train_network.COLUMNS]
    assert {int(row["players"]) for row in curve} == set(trained_players())
    for players in trained_players():
        steps = [int(row["steps"]) for row in curve if int(row["players"]) == players]
        assert steps == sorted(set(steps))


def test_what_is_installed_comes_back_in_half_precision(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(champion, "data_folder", lambda: tmp_path)
    champion._stored.cache_clear()
    row = dict.fromkeys(train_network.COLUMNS, "1")
    try:
        for players, seed in ((3, 1), (2, 2), (3, 3)):
            champion.install_rows(players, rows_by_lot(seed), [row])
        assert trained_players() == (2, 3)
        assert learned_rows(3) == pytest.approx(rows_by_lot(3), rel=1e-3, abs=1e-6)
        lines = (tmp_path / champion.CURVE).read_text(encoding="utf-8").splitlines()
        assert [line[:4] for line in lines] == ["play", "2,1,", "3,1,"]
    finally:
        champion._stored.cache_clear()


# --- learning


@pytest.fixture
def plain_arena(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Arenas where nothing is compiled."""
    with no_numba():
        search_arena.kernels.cache_clear()
        yield SearchArena
        search_arena.kernels.cache_clear()


@pytest.mark.parametrize(("players", "iterations"), [(2, 0), (3, 0), (2, 4)])
def test_records_say_what_was_seen_tried_and_won(
    players: int, iterations: int, plain_arena: Any
) -> None:
    arena = plain_arena(players)
    rows = learned_rows(2) if iterations else None
    rival = arena.rival(iterations=iterations, learned=rows)
    log = arena.record(rival, first=7, games=1)
    assert len(log.value) > 20 * players
    assert (log.shares.sum(axis=1) == 1).all()
    assert (log.facts[0, 0, :5] == (0, 0, 4, 5, 7)[players]).all()
    assert ((log.value == -1) == (iterations == 0)).all()
    totals = log.visits.clip(0).sum(axis=1)
    if iterations:
        assert (totals == iterations - 1).all()
        assert ((log.value >= 0) & (log.value <= 1)).all()
    else:
        assert ((totals > 900) & (totals <= search_games.WHOLE)).all()
    winner = {int(seat) for seat, share in zip(log.seat, log.shares[:, 0], strict=True) if share}
    assert len(winner) == 1
    again = arena.record(arena.rival(iterations=iterations, learned=rows), first=7, games=1)
    assert (again.visits == log.visits).all()


def test_a_duel_with_itself_is_even(plain_arena: Any) -> None:
    arena = plain_arena(2)
    wins = arena.duel(arena.rival(iterations=0), arena.rival(iterations=0), first=3, deals=2)
    assert wins.tolist() == [0.5, 0.5]


def test_the_favorite_is_the_most_visited_action() -> None:
    rows = [(3, 2.9, 5), (5, 1.0, 9), (5, 2.0, 30), (5, 2.0, 7), (4, 3.5, 1)]
    edges = [SimpleNamespace(visits=n, value=x, action=action) for n, x, action in rows]
    room: Any = SimpleNamespace(nodes=[SimpleNamespace(first=0, n_edges=5)], edges=edges)
    assert search_games.favorite(room) == 7
    edges[0].visits = 6
    assert search_games.favorite(room) == 5


def test_what_is_drawn_early_on_follows_the_visits() -> None:
    visits = [-1] * rules.NOBLE
    visits[3], visits[40], visits[50] = 60, 30, 10
    r = Rng(3).stream_state
    drawn = [search_games.draw_action(r, visits, 0) for _ in range(2000)]
    shares = [drawn.count(action) / 2000 for action in (3, 40, 50)]
    assert shares == pytest.approx([0.4 + 0.6 * 0.6, 0.6 * 0.3, 0.6 * 0.1], abs=0.03)
    assert {search_games.draw_action(r, visits, 30) for _ in range(50)} == {3}


def test_torch_learns_the_network_that_plays(plain_arena: Any) -> None:
    pytest.importorskip("torch")
    for players in (2, 3):
        arena = plain_arena(players)
        log = arena.record(arena.rival(iterations=0), first=1, games=2)
        learner = Learner(BASE, players, seed=3)
        losses = [
            sum(learner.learn(log, exchange(colors, players)))
            for colors in itertools.islice(itertools.permutations(range(5)), 30)
        ]
        assert losses[-1] < losses[0]
        check_twin(learner, players)


def check_twin(learner: Learner, players: int) -> None:
    """Hold what torch says of a position against what the network says."""
    room = room_for(players, learner.rows())
    state = new_game(players=players, seed=4)
    once = seen_in(state.numbers(), BASE)
    scores, outlook = learner.think(learner._average, once, exchange(range(5), players))
    judged(state, room)
    net: Any = room.network
    for action in np.flatnonzero(once.visits[0] > 0):
        mine = float(network.score_of(net.f, action))
        assert mine == pytest.approx(float(scores[0, action]), abs=1e-4)
    assert room.desk.scores[:players] == pytest.approx(outlook[0].tolist(), abs=1e-4)


def test_a_training_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    words = ["--planner-games", "200", "--planner-steps", "2", "--games", "2"]
    words += ["--iterations", "4", "--measure-deals", "2", "--measure-iterations", "4"]
    words += ["--measure-every", "2", "--minutes", "0.001", "--reuse", "20"]
    given = train_network.read_settings([str(tmp_path), *words])
    first = train_network.Training(given)
    first.run()
    first._go_round()
    second = train_network.Training(given)
    second.run()
    assert second.round == 1
    for training in (first, second):
        training._go_round()
    assert (first.learner.rows() == second.learner.rows()).all()


# --- compiling


def test_no_two_modules_that_compile_together_use_one_name() -> None:
    owner: dict[str, str] = {}
    modules = rng, rules, policies, evaluation, planner, layers, network, tree, ladder, self_play
    for module in (*modules, search_games):
        for name, value in {**compiled._functions(module), **compiled._constants(module)}.items():
            assert owner.setdefault(name, repr(value)) == repr(value), f"{module.__name__}: {name}"


def test_what_stands_in_for_the_network_has_its_place() -> None:
    (name,) = compiled._functions(no_network)
    assert name in compiled._functions(network)
    assert name in growth.INLINED
    assert tree.BY_NETWORK != tree.BY_PLANNER
