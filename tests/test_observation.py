"""What a seat may know [R18]: the observation, its JSON, and the truths that fit it."""

from __future__ import annotations

import copy
import json
import pickle
from collections import Counter
from collections.abc import Mapping
from itertools import permutations
from typing import Any

import pytest
from positions import (
    CARD_ID,
    GEMS,
    components,
    first_cards,
    letters,
    of_kind,
    play,
    position,
    position_dict,
)

from splendor_nb import (
    IllegalActionError,
    Observation,
    Rng,
    SplendorError,
    State,
    get_agent,
    new_game,
)

PUBLIC_FIELDS = [
    *("rules", "components", "players", "first_player", "current_player", "phase", "turn"),
    *("passes", "end_reason", "bank", "nobles"),
]


def secrets(**changes: Any) -> dict[str, Any]:
    """Three players who hold open and unseen reserves, as arguments of `position`."""
    setting: dict[str, Any] = {
        "players": 3,
        "tokens": ["WWU*", "GGRR", "K**"],
        "bought": ["1W1 2U1", "1G1", ""],
        "reserved": ["3W1 ?2U6", "?1K2 ?3K4", "2G3"],
        "current": 1,
    }
    return setting | changes


def swapped(first: str, second: str, **changes: Any) -> tuple[State, State]:
    """Two truths in which two cards have changed places."""
    truth = position_dict(**secrets(**changes))
    other = copy.deepcopy(truth)
    a, b = CARD_ID[first], CARD_ID[second]
    turned = {a: b, b: a}
    for deck in other["decks"]:
        deck[:] = [turned.get(card, card) for card in deck]
    for seat in other["seats"]:
        for kept in seat["reserved"]:
            kept["card"] = turned.get(kept["card"], kept["card"])
    return State.from_dict(truth), State.from_dict(other)


def everything(observation: Observation) -> list[object]:
    """All that an observation can be asked for."""
    return [
        json.dumps(observation.to_dict()),
        repr(observation),
        str(observation),
        pickle.dumps(observation),
        hash(observation),
        [str(action) for action in observation.legal_actions()],
        observation.why_illegal("reserve L1"),
        observation.why_illegal("buy 1K2"),
        observation.determinize(3).to_dict(),
    ]


def inside(thing: object) -> object:
    """Whatever an object holds, down to plain values, private fields included."""
    if isinstance(thing, Mapping):
        return {str(key): inside(value) for key, value in thing.items()}
    if isinstance(thing, list | tuple):
        return [inside(value) for value in thing]
    slots = [name for kind in type(thing).__mro__ for name in getattr(kind, "__slots__", ())]
    fields = {name: getattr(thing, name) for name in slots if hasattr(thing, name)}
    return inside(fields | getattr(thing, "__dict__", {})) or repr(thing)


# --- the format


def test_R18_an_observation_has_the_fields_of_a_position_and_its_viewer() -> None:
    state = position(**secrets())
    seen = state.observation(player=0).to_dict()
    assert seen.keys() == state.to_dict().keys() | {"viewer"}
    assert (seen["format"], seen["viewer"]) == ("splendor-nb-observation/1", 0)


@pytest.mark.parametrize("player", [0, 1, 2])
def test_R18_all_that_is_public_stands_in_every_observation(player: int) -> None:
    truth = position_dict(**secrets())
    seen = State.from_dict(truth).observation(player=player).to_dict()
    assert [seen[field] for field in PUBLIC_FIELDS] == [truth[field] for field in PUBLIC_FIELDS]
    assert seen["market"] == truth["market"]
    for shown, seat in zip(seen["seats"], truth["seats"], strict=True):
        for field in ("tokens", "bought", "nobles"):
            assert shown[field] == seat[field]


def test_R18_decks_are_sizes() -> None:
    state = position(**secrets())
    sizes = [len(deck) for deck in state.to_dict()["decks"]]
    assert state.observation(player=0).to_dict()["decks"] == sizes == list(state.deck_sizes)


def test_R18_a_foreign_unseen_reserve_is_a_back_with_its_level() -> None:
    seen = position(**secrets()).observation(player=0).to_dict()["seats"]
    assert seen[1]["reserved"] == [
        {"card": None, "level": 1, "hidden": True},
        {"card": None, "level": 3, "hidden": True},
    ]


def test_R18_the_own_unseen_reserve_is_known() -> None:
    seen = position(**secrets()).observation(player=1).to_dict()["seats"]
    assert seen[1]["reserved"] == [
        {"card": CARD_ID["1K2"], "hidden": True},
        {"card": CARD_ID["3K4"], "hidden": True},
    ]
    assert seen[0]["reserved"][1] == {"card": None, "level": 2, "hidden": True}


def test_R18_a_card_reserved_from_the_market_is_known_to_all() -> None:
    for player in range(3):
        seats = position(**secrets()).observation(player=player).to_dict()["seats"]
        assert seats[0]["reserved"][0] == {"card": CARD_ID["3W1"], "hidden": False}
        assert seats[2]["reserved"] == [{"card": CARD_ID["2G3"], "hidden": False}]


def test_R18_a_card_that_is_being_paid_for_is_known_to_all() -> None:
    state = position(tokens=["UUKK**"], reserved=["?3W1 ?1W4"], payment="choose")
    state = play(state, "buy 1W4", "gold U")
    seen = state.observation(player=1).to_dict()
    assert seen["paying"] == {"card": CARD_ID["1W4"], "gold": "U"}
    assert seen["seats"][0]["reserved"] == [
        {"card": None, "level": 3, "hidden": True},
        {"card": CARD_ID["1W4"], "hidden": True},
    ]


def test_R18_a_bought_card_is_known_to_all() -> None:
    state = play(position(tokens=["UUKK"], reserved=["?1W4"]), "buy 1W4")
    assert state.observation(player=1).to_dict()["seats"][0]["bought"] == [CARD_ID["1W4"]]


# --- the readers


def test_R18_readers_of_an_observation_are_those_of_a_state() -> None:
    state = position(**secrets())
    seen = state.observation(player=1)
    assert seen.player == 1
    assert (seen.players, seen.current_player, seen.phase) == (3, 1, "main")
    assert (seen.turn, seen.market, seen.nobles) == (state.turn, state.market, state.nobles)
    assert dict(seen.bank) == dict(state.bank)
    assert list(seen.deck_sizes) == list(state.deck_sizes)
    assert [seat.points for seat in seen.seats] == [seat.points for seat in state.seats]
    assert seen.winners == ()
    assert seen.end_reason is None
    assert not seen.is_terminal()


def test_R18_a_back_knows_its_level_and_nothing_else() -> None:
    reserved = position(**secrets()).observation(player=0).seats[1].reserved
    assert [back.level for back in reserved] == [1, 3]
    assert not any(hasattr(back, "cost") or hasattr(back, "points") for back in reserved)


def test_R18_the_truth_shows_every_reserve() -> None:
    assert [c.name for c in position(**secrets()).seats[1].reserved] == ["1K2", "3K4"]


def test_R18_the_repr_of_a_state_hides_unseen_reserves() -> None:
    state = position(**secrets())
    for name in ("2U6", "1K2", "3K4"):
        assert name not in repr(state)
        assert name in state.text(reveal=True)
    assert "3W1" in repr(state)
    assert "2G3" in repr(state)


def test_R18_the_repr_of_an_observation_shows_the_own_reserve() -> None:
    seen = position(**secrets()).observation(player=1)
    assert "1K2" in repr(seen)
    assert "3K4" in repr(seen)
    assert "2U6" not in repr(seen)


def test_R18_revealing_an_observation_shows_no_more_than_it_knows() -> None:
    truth, other = swapped("1K2", "1K5", current=0)
    texts = {state.observation(player=0).text(reveal=True) for state in (truth, other)}
    assert len(texts) == 1
    assert "1K2" not in texts.pop()


def test_R18_only_the_seat_in_turn_has_legal_actions() -> None:
    state = position(**secrets())
    assert state.observation(player=1).legal_actions() == state.legal_actions()
    assert list(state.observation(player=0).legal_actions()) == []
    assert list(state.observation(player=2).legal_actions()) == []


def test_R18_the_viewer_may_buy_an_unseen_reserve_that_it_knows() -> None:
    state = position(tokens=["UUKK"], reserved=["?1W4"])
    assert of_kind(state.observation(player=0), "buy") == ["buy 1W4"]


def test_R18_there_is_an_observation_of_a_finished_game() -> None:
    state = play(position(turn=39, current=1, turn_limit=40, reserved=["?1W4"]), "take WUG")
    seen = state.observation(player=1)
    assert (seen.phase, seen.current_player, seen.winners) == ("over", None, (0, 1))
    assert list(seen.legal_actions()) == []
    assert seen.to_dict()["seats"][0]["reserved"][0]["card"] is None


@pytest.mark.parametrize("player", [-1, 3, 7])
def test_a_seat_outside_is_refused(player: int) -> None:
    with pytest.raises(ValueError, match=str(player)):
        position(**secrets()).observation(player=player)


@pytest.mark.parametrize("player", ["0", 1.0, True, None])
def test_a_seat_of_another_type_is_refused(player: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        position(**secrets()).observation(player=player)


# --- an observation is a value


@pytest.mark.parametrize("player", [0, 1, 2])
def test_an_observation_round_trips(player: int) -> None:
    seen = position(**secrets()).observation(player=player)
    text = json.dumps(seen.to_dict())
    for twin in (
        Observation.from_dict(json.loads(text)),
        pickle.loads(pickle.dumps(seen)),
        copy.copy(seen),
        copy.deepcopy(seen),
    ):
        assert twin == seen
        assert hash(twin) == hash(seen)
        assert json.dumps(twin.to_dict()) == text


def test_observations_of_two_seats_differ_even_when_they_know_the_same() -> None:
    state = position()
    assert state.observation(player=0) != state.observation(player=1)


def test_an_observation_is_no_state() -> None:
    state = position()
    assert state.observation(player=0) != state
    with pytest.raises(SplendorError):
        State.from_dict(state.observation(player=0).to_dict())
    with pytest.raises(SplendorError):
        Observation.from_dict(state.to_dict())


@pytest.mark.parametrize(
    "change",
    [
        {"viewer": 3},
        {"viewer": None},
        {"decks": [36, 26]},
        {"decks": [36, 26, 17]},
        {"decks": [36, 26, -1]},
        {"truth": 1},
    ],
    ids=str,
)
def test_a_wrong_observation_is_refused(change: dict[str, Any]) -> None:
    seen = position(**secrets()).observation(player=0).to_dict()
    with pytest.raises(SplendorError):
        Observation.from_dict(seen | change)


@pytest.mark.parametrize("viewer", [-1, 2, True, "0"])
def test_an_observation_of_nobody_is_refused(viewer: object) -> None:
    seen = position().observation(player=0).to_dict()
    with pytest.raises(SplendorError, match="viewer"):
        Observation.from_dict(seen | {"viewer": viewer})


@pytest.mark.parametrize("level", [0, 4, True, "1", None])
def test_a_back_of_no_level_is_refused(level: object) -> None:
    seen = position(**secrets()).observation(player=0).to_dict()
    seen["seats"][1]["reserved"][0] = {"card": None, "level": level, "hidden": True}
    with pytest.raises(SplendorError, match="level"):
        Observation.from_dict(seen)


@pytest.mark.parametrize("current", [0, 1])
def test_an_observation_that_knows_a_secret_of_another_is_refused(current: int) -> None:
    state = position(**secrets(current=current))
    seen = state.observation(player=0).to_dict()
    seen["seats"][1]["reserved"] = state.to_dict()["seats"][1]["reserved"]
    with pytest.raises(SplendorError, match="R18"):
        Observation.from_dict(seen)


# --- looking ahead


def test_R18_a_refilled_slot_shows_a_back() -> None:
    seen = position(market="1W4", tokens=["UUKK"]).observation(player=0).apply("buy 1W4")
    assert seen.market[0][0].level == 1
    assert seen.to_dict()["market"][0][0] == {"card": None, "level": 1}
    assert list(seen.deck_sizes) == [35, 26, 16]
    assert seen.seats[0].bonuses["W"] == 1


def test_R18_an_observation_with_backs_in_the_market_round_trips() -> None:
    seen = position(market="1W4", tokens=["UUKK"]).observation(player=0).apply("buy 1W4")
    twin = Observation.from_dict(json.loads(json.dumps(seen.to_dict())))
    assert twin == seen
    assert twin.market == seen.market
    for back in ({"card": 3, "level": 1}, {"card": None, "level": 2}, {"card": None}):
        data = seen.to_dict()
        data["market"][0][0] = back
        with pytest.raises(SplendorError):
            Observation.from_dict(data)


def test_R18_an_empty_deck_reveals_no_back() -> None:
    state = position(parts=components(cards=first_cards(4, 4, 4)), market="1W4")
    assert state.observation(player=0).apply("reserve 1W4").market[0][0] is None


def test_R18_reserving_unseen_in_an_observation_gives_a_back() -> None:
    seen = position().observation(player=0).apply("reserve L2")
    assert [back.level for back in seen.seats[0].reserved] == [2]
    assert seen.to_dict()["seats"][0]["reserved"] == [{"card": None, "level": 2, "hidden": True}]
    assert letters(seen.seats[0].tokens) == "*"


def test_R18_a_back_can_neither_be_bought_nor_reserved_by_name() -> None:
    seen = position(tokens=["WWUUGGRRK"]).observation(player=0).apply("reserve L1")
    assert list(seen.legal_actions()) == []
    assert Observation.from_dict(seen.to_dict()) == seen


def test_R18_nothing_is_legal_in_an_observation_once_another_is_in_turn() -> None:
    seen = position().observation(player=0).apply("take WUG")
    assert seen.current_player == 1
    assert list(seen.legal_actions()) == []


def test_R18_the_own_decisions_within_a_turn_stay_open() -> None:
    seen = position(tokens=["WWUUGGRRKK"]).observation(player=0).apply("take WUG")
    assert seen.phase == "return"
    assert of_kind(seen, "return") == [f"return {gem}" for gem in "WUGRK"]


def test_an_illegal_action_is_refused_by_an_observation() -> None:
    seen = position().observation(player=0)
    with pytest.raises(IllegalActionError):
        seen.apply("pass")


def test_applying_leaves_the_observation_alone() -> None:
    seen = position().observation(player=0)
    before = json.dumps(seen.to_dict())
    seen.apply("reserve L1")
    assert json.dumps(seen.to_dict()) == before


# --- two truths


@pytest.mark.parametrize("viewer", [0, 2])
def test_R18_an_unseen_reserve_of_another_changes_nothing_that_is_seen(viewer: int) -> None:
    truth, other = swapped("1K2", "1K5", current=viewer)
    assert truth != other
    assert truth.observation(player=viewer) == other.observation(player=viewer)
    assert everything(truth.observation(player=viewer)) == everything(
        other.observation(player=viewer)
    )


def test_R18_the_order_of_the_decks_changes_nothing_that_is_seen() -> None:
    truth = position_dict(**secrets())
    other = copy.deepcopy(truth)
    for deck in other["decks"]:
        deck.reverse()
    for viewer in range(3):
        first = State.from_dict(truth).observation(player=viewer)
        second = State.from_dict(other).observation(player=viewer)
        assert everything(first) == everything(second)


def test_R18_nothing_inside_an_observation_tells_two_truths_apart() -> None:
    truth, other = swapped("1K2", "1K5", current=0)
    first, second = (state.observation(player=0) for state in (truth, other))
    assert everything(first) == everything(second)
    assert inside(truth) != inside(other)
    assert inside(first) == inside(second)


def test_R18_whether_an_unseen_reserve_is_affordable_betrays_nothing() -> None:
    rich = {"tokens": ["", "GG*"], "reserved": ["", "?1K2"], "bought": [], "players": 2}
    truth, other = swapped("1K2", "1K8", **rich)
    assert of_kind(truth, "buy") != of_kind(other, "buy")
    assert everything(truth.observation(player=0)) == everything(other.observation(player=0))


def test_R18_the_owner_tells_the_truths_apart() -> None:
    truth, other = swapped("1K2", "1K5")
    assert truth.observation(player=1) != other.observation(player=1)


@pytest.mark.parametrize("agent", ["random", "greedy"])
def test_R18_agents_choose_the_same_in_two_truths(agent: str) -> None:
    truth, other = swapped("1K2", "1K5", current=0)
    answers = [
        str(get_agent(agent)(state.observation(player=0), Rng(5))) for state in (truth, other)
    ]
    assert answers[0] == answers[1]


# --- determinizing


@pytest.mark.parametrize("viewer", [0, 1, 2])
@pytest.mark.parametrize("seed", range(5))
def test_R18_a_determinized_state_fits_the_observation(viewer: int, seed: int) -> None:
    seen = position(**secrets()).observation(player=viewer)
    assert isinstance(seen.determinize(seed), State)
    assert seen.determinize(seed).observation(player=viewer) == seen


def test_R18_determinize_takes_a_generator_or_a_whole_number() -> None:
    seen = position(**secrets()).observation(player=0)
    assert seen.determinize(9) == seen.determinize(9) == seen.determinize(Rng(9))
    assert len({seen.determinize(seed) for seed in range(20)}) == 20


def test_R18_determinize_draws_anew_from_one_generator() -> None:
    seen, rng = position(**secrets()).observation(player=0), Rng(9)
    assert seen.determinize(rng) != seen.determinize(rng)


def test_R18_determinize_leaves_nothing_open_after_looking_ahead() -> None:
    seen = position(market="1W4", tokens=["UUKK"]).observation(player=0)
    for ahead in (seen.apply("buy 1W4"), seen.apply("reserve L2")):
        truth = ahead.determinize(3)
        assert State.from_dict(truth.to_dict()) == truth
        assert list(truth.deck_sizes) == list(ahead.deck_sizes)
        assert truth.legal_actions()


def test_R18_determinize_is_uniform_over_the_truths_that_fit() -> None:
    # Four level-1 cards are unknown: one in the other's reserve, three in the deck.
    parts = components(cards=first_cards(8, 0, 0), nobles=[])
    state = position(parts=parts, market="1W1 1W2 1W3 1W4", reserved=["", "?1W5"])
    seen, rng = state.observation(player=0), Rng(17)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(2400):
        truth = seen.determinize(rng).to_dict()
        counts[truth["seats"][1]["reserved"][0]["card"], *truth["decks"][0]] += 1
    assert set(counts) == set(permutations((4, 5, 6, 7)))
    assert sum((number - 100) ** 2 / 100 for number in counts.values()) < 49.7


def test_R18_determinize_is_uniform_over_what_a_refilled_slot_may_hold() -> None:
    parts = components(cards=first_cards(8, 0, 0), nobles=[])
    seen = position(parts=parts, market="1W1 1W2 1W3 1W4").observation(player=0)
    seen, rng = seen.apply("reserve 1W1"), Rng(18)
    truths = [seen.determinize(rng).to_dict() for _ in range(2400)]
    counts = Counter((truth["market"][0][0], *truth["decks"][0]) for truth in truths)
    assert set(counts) == set(permutations((4, 5, 6, 7)))
    assert sum((number - 100) ** 2 / 100 for number in counts.values()) < 49.7


def test_R18_determinize_keeps_levels_apart() -> None:
    seen = position(**secrets()).observation(player=0)
    for seed in range(10):
        truth = seen.determinize(seed).to_dict()
        levels = [[1 + (card >= 40) + (card >= 70) for card in deck] for deck in truth["decks"]]
        assert [set(found) for found in levels] == [{1}, {2}, {3}]
        assert truth["seats"][1]["reserved"][0]["card"] < 40


def test_R18_the_bank_of_an_observation_is_read_only() -> None:
    seen = position().observation(player=0)
    with pytest.raises(TypeError):
        seen.bank["W"] = 9  # type: ignore[index]
    assert list(seen.bank) == list(GEMS)


@pytest.mark.parametrize("rng", [-1, True, 1.5, "x", None], ids=repr)
def test_a_wrong_generator_is_refused(rng: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        position().observation(player=0).determinize(rng)


def test_the_tables_of_a_game_cannot_be_changed() -> None:
    tables = new_game(players=2, seed=7).observation(0).tables
    with pytest.raises(AttributeError, match="never change"):
        tables.target = 1
    with pytest.raises(TypeError):
        tables.missing[0][0][0] = 0  # type: ignore[index]
