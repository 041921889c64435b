"""The project's own generator, and what the seed of a game settles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from positions import GEMS, of_kind

from splendor_nb import Card, Rng, new_game, play_game
from splendor_nb.engine import rng

# The 99.9 % points of chi-square; the seeds are fixed, so a test fails once or never.
CHI_SQUARE_LIMIT = {1: 10.8, 5: 20.5, 9: 27.9, 23: 49.7}


def chi_square(counts: Counter[Any], kinds: int) -> float:
    """How far counts of equally likely outcomes are from equal."""
    expected = counts.total() / kinds
    seen = sum((number - expected) ** 2 for number in counts.values())
    return (seen + (kinds - len(counts)) * expected**2) / expected


def numbers(generator: Rng, size: int = 20) -> list[int]:
    """Some draws."""
    return [generator.below(1000) for _ in range(size)]


# --- the generator


def test_one_seed_gives_one_stream() -> None:
    assert numbers(Rng(7)) == numbers(Rng(7))


def test_neighboring_seeds_give_other_streams() -> None:
    streams = {tuple(numbers(Rng(seed))) for seed in range(200)}
    assert len(streams) == 200


def test_the_first_draws_of_neighboring_seeds_are_spread() -> None:
    counts = Counter(Rng(seed).below(10) for seed in range(2000))
    assert chi_square(counts, 10) < CHI_SQUARE_LIMIT[9]


@pytest.mark.parametrize("seed", [0, 1, 2**31, 2**32, 2**63, 2**64, 10**30, 7**500])
def test_any_whole_number_from_zero_is_a_seed(seed: int) -> None:
    first = numbers(Rng(seed))
    assert first == numbers(Rng(seed))
    assert len(set(first)) > 10


def test_huge_seeds_are_told_apart() -> None:
    assert len({tuple(numbers(Rng(seed))) for seed in (1, 2**32 + 1, 2**64 + 1, 2**128 + 1)}) == 4


@pytest.mark.parametrize("seed", [-1, -(10**20)])
def test_a_negative_seed_is_refused(seed: int) -> None:
    with pytest.raises(ValueError, match=str(seed)):
        Rng(seed)


@pytest.mark.parametrize("seed", [True, False, 1.5, 2.0, "x", "1", b"1", [1]], ids=repr)
def test_a_seed_of_another_type_is_refused(seed: object) -> None:
    with pytest.raises((TypeError, ValueError), match="seed"):
        Rng(seed)  # type: ignore[arg-type]


def test_random_lies_from_zero_to_below_one() -> None:
    rng = Rng(1)
    draws = [rng.random() for _ in range(5000)]
    assert 0 <= min(draws) < 0.01
    assert 0.99 < max(draws) < 1
    assert sum(draws) / 5000 == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(("number", "limit"), [(2, 1), (6, 5), (10, 9)])
def test_below_is_uniform(number: int, limit: int) -> None:
    rng = Rng(3)
    counts = Counter(rng.below(number) for _ in range(6000))
    assert set(counts) == set(range(number))
    assert chi_square(counts, number) < CHI_SQUARE_LIMIT[limit]


def test_below_one_is_always_zero() -> None:
    rng = Rng(3)
    assert {rng.below(1) for _ in range(50)} == {0}


@pytest.mark.parametrize("number", [0, -1])
def test_below_nothing_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=str(number)):
        Rng(3).below(number)


@pytest.mark.parametrize("number", [True, 2.5, "3", None], ids=repr)
def test_below_another_type_is_refused(number: object) -> None:
    with pytest.raises(TypeError, match="whole number"):
        Rng(3).below(number)  # type: ignore[arg-type]


@pytest.mark.parametrize("bits", [31, 32, 33, 64, 100])
def test_below_a_large_number_reaches_its_whole_range(bits: int) -> None:
    rng, number = Rng(3), 2**bits + 1
    draws = [rng.below(number) for _ in range(2000)]
    assert max(draws) < number
    assert chi_square(Counter(10 * draw // number for draw in draws), 10) < CHI_SQUARE_LIMIT[9]
    assert len({draw % 1024 for draw in draws}) > 800


def test_choice_is_uniform_over_a_sequence() -> None:
    rng = Rng(4)
    counts = Counter(rng.choice(GEMS) for _ in range(6000))
    assert chi_square(counts, 6) < CHI_SQUARE_LIMIT[5]


def test_choice_takes_lists_and_tuples() -> None:
    assert Rng(4).choice(["only"]) == Rng(4).choice(("only",)) == "only"


def test_choice_of_nothing_is_refused() -> None:
    with pytest.raises((ValueError, IndexError)):
        Rng(4).choice([])


def test_shuffle_works_in_place_and_keeps_everything() -> None:
    items = list(range(50))
    assert Rng(5).shuffle(items) is None  # type: ignore[func-returns-value]
    assert items != list(range(50))
    assert sorted(items) == list(range(50))


def test_shuffle_is_uniform_over_the_orders() -> None:
    rng = Rng(6)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(12000):
        items = [0, 1, 2, 3]
        rng.shuffle(items)
        counts[tuple(items)] += 1
    assert set(counts) == set(permutations(range(4)))
    assert chi_square(counts, 24) < CHI_SQUARE_LIMIT[23]


def test_consecutive_draws_are_independent() -> None:
    rng = Rng(8)
    pairs = Counter((rng.below(2), rng.below(12)) for _ in range(12000))
    assert chi_square(pairs, 24) < CHI_SQUARE_LIMIT[23]


# --- the seed of a game


def deal(seed: int | None, **arguments: Any) -> dict[str, Any]:
    """The position that a new game starts with."""
    return new_game(players=2, seed=seed, **arguments).to_dict()


def test_one_seed_deals_one_game() -> None:
    assert deal(11) == deal(11)


def test_other_seeds_deal_other_games() -> None:
    assert len({str(deal(seed)["market"]) for seed in range(50)}) == 50


def test_a_huge_seed_is_fine() -> None:
    assert deal(10**40) == deal(10**40) != deal(10**40 + 1)


def test_seed_zero_is_a_seed() -> None:
    assert deal(0) == deal(0)


def test_without_a_seed_games_differ() -> None:
    assert deal(None) != deal(None)


def test_a_drawn_seed_is_recorded_and_gives_the_game_again() -> None:
    record = play_game(["random", "random"])
    seed = record.to_dict()["seed"]
    assert isinstance(seed, int)
    assert play_game(["random", "random"], seed=seed).to_dict() == record.to_dict()


def test_a_game_starts_from_the_deal_of_its_seed() -> None:
    record = play_game(["random", "greedy"], seed=21)
    assert record.to_dict()["start"] == deal(21)
    assert record.to_dict()["seed"] == 21


def test_the_deal_is_the_same_whoever_plays() -> None:
    starts = [
        play_game([name, "random"], seed=5).to_dict()["start"] for name in ("greedy", "random")
    ]
    assert starts[0] == starts[1]


def test_the_same_game_twice_is_the_same_game() -> None:
    first, second = (play_game(["random"] * 3, seed=8) for _ in range(2))
    assert first.to_dict() == second.to_dict()


def test_two_random_seats_draw_from_streams_of_their_own() -> None:
    drawn: dict[int, list[int]] = {0: [], 1: []}

    def spy(seat: int) -> Callable[..., str]:
        def agent(observation: Any, rng: Rng) -> str:
            drawn[seat].append(rng.below(10**6))
            return str(observation.legal_actions()[0])

        return agent

    play_game([spy(0), spy(1)], seed=9, turn_limit=20)
    assert len(drawn[0]) >= 10
    assert not set(drawn[0]) & set(drawn[1])


def test_how_much_one_agent_draws_does_not_move_another() -> None:
    def calm(observation: Any, rng: Rng) -> str:
        return of_kind(observation, "take", "return", "reserve", "noble", "pass", "buy")[0]

    def greedy_for_numbers(observation: Any, rng: Rng) -> str:
        numbers(rng, 37)
        return calm(observation, rng)

    games = [
        play_game([agent, "random"], seed=4, turn_limit=60) for agent in (calm, greedy_for_numbers)
    ]
    assert [str(a) for a in games[0].actions] == [str(a) for a in games[1].actions]


@pytest.mark.parametrize("seed", [-1, True, 1.5, "x"], ids=repr)
@pytest.mark.parametrize("start", [new_game, play_game], ids=["new_game", "play_game"])
def test_a_wrong_seed_of_a_game_is_refused(start: Callable[..., Any], seed: object) -> None:
    arguments = {"players": 2} if start is new_game else {"agents": ["random", "random"]}
    with pytest.raises((TypeError, ValueError), match="seed") as caught:
        start(**arguments, seed=seed)
    assert str(seed) in str(caught.value)


# --- the same for ever: whoever changes these figures changes every seed that was ever noted down


@pytest.mark.parametrize(
    ("seed", "draws"),
    [
        (0, [726, 998, 309, 748, 248, 920]),
        (7, [402, 108, 655, 61, 806, 810]),
        (10**30, [412, 676, 711, 492, 182, 584]),
    ],
)
def test_the_stream_of_a_seed_never_changes(seed: int, draws: list[int]) -> None:
    assert numbers(Rng(seed), 6) == draws


def test_the_shuffle_of_a_seed_never_changes() -> None:
    items = list(range(10))
    Rng(7).shuffle(items)
    assert items == [3, 1, 6, 2, 7, 9, 8, 5, 0, 4]


def test_the_deal_of_a_seed_never_changes() -> None:
    state = new_game(players=3, seed=7, first_player="random")
    assert [" ".join(card.name for card in row) for row in state.market] == [
        "1R4 1W6 1W2 1K7",
        "2K3 2R5 2K2 2G3",
        "3K4 3W2 3W3 3G2",
    ]
    assert [noble.name for noble in state.nobles] == ["RK", "WRK", "WUG", "WK"]
    assert state.current_player == 2


@pytest.mark.parametrize(
    ("agents", "points", "turns", "actions"),
    [
        (["random", "random"], [5, 17], 72, 91),
        (["greedy", "greedy"], [15, 15], 56, 57),
        (["greedy", "random", "greedy"], [16, 3, 13], 87, 123),
    ],
    ids=["random", "greedy", "three"],
)
def test_the_game_of_a_seed_never_changes(
    agents: list[str], points: list[int], turns: int, actions: int
) -> None:
    game = play_game(agents, seed=7)
    assert game.to_dict()["result"]["points"] == points
    assert (game.state.turn, len(game.actions)) == (turns, actions)


def test_a_generator_made_by_hand_does_not_deal_the_game_of_its_seed() -> None:
    shared = 0
    for seed in range(200):
        state = new_game(players=2, seed=seed)
        other = state.observation(0).determinize(seed)
        truth = {card.name for card in state.deck(1)[:5] if isinstance(card, Card)}
        shared += sum(card.name in truth for card in other.deck(1)[:5] if isinstance(card, Card))
    assert 0.5 < shared / 200 < 0.9  # 25/36 of a card by chance


# --- what an agent could find out from its generator


def unmixed(word: int) -> int:
    """The word that `rng.mix` makes this one from."""
    word ^= (word >> 15) ^ (word >> 30)
    word = word * pow(0x735A2D97, -1, 1 << 32) & rng.WORD
    word ^= (word >> 15) ^ (word >> 30)
    word = word * pow(0x21F0AAAD, -1, 1 << 32) & rng.WORD
    return word ^ (word >> 16)


def masters_behind(state: int, number: int, role: int) -> set[int]:
    """The master seeds that start a stream of this deal and role in this state."""
    found = set()
    for high in range((state >> 32) - 1, 1 << 32, rng.A - 2):
        low = state & rng.WORD
        for word in (role, number >> 32, number & rng.WORD):
            high = unmixed(high) ^ low
            low = unmixed(low) ^ word
        found.add((unmixed(high) ^ 0x5BD1E995) << 32 | unmixed(low))
    return found


def test_the_stream_of_an_agent_does_not_tell_how_the_cards_were_dealt() -> None:
    """The deal's own stream would: it leads back to the master seed, the agents' do not."""
    secret = rng.master_seed(7, rng.DEAL)
    for number in (0, 3, 2**40):
        behind = masters_behind(Rng.stream(7, number, rng.DEAL).stream_state[0], number, rng.DEAL)
        assert secret in behind
        for role in (1, 2, 3, 4, rng.FREE):
            behind = masters_behind(Rng.stream(7, number, role).stream_state[0], number, role)
            assert rng.master_seed(7, role) in behind
            assert secret not in behind
            assert not behind & {rng.master_seed(7, r) for r in range(6) if r != role}
