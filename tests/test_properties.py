"""Properties that follow from the rules, tried on states of many games by hypothesis."""

from __future__ import annotations

import copy
import json
import re
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from positions import CARDS, COLORS, GEMS, NOBLES, card_names, components, full_position_dict
from sampling import QUICK, SETTINGS, game

from splendor_nb import (
    GameRecord,
    IllegalActionError,
    NotationError,
    Observation,
    RecordError,
    State,
    new_game,
    play_game,
)

Json = dict[str, Any]
STANDARD_TABLES = [case for case in QUICK if "cards" not in SETTINGS[case[0]]]


@st.composite
def reached(draw: st.DrawFn, phase: str | None = None) -> State:
    """A state that a sampled game went through before its end."""
    steps = game(*draw(st.sampled_from(STANDARD_TABLES))).steps
    state = steps[draw(st.integers(0, len(steps) - 1))][0]
    assume(phase is None or state.phase == phase)
    return state


def legal(state: State) -> list[str]:
    """The legal actions as text."""
    return [str(action) for action in state.legal_actions()]


def changed(state: State, **options: object) -> State:
    """The same position under other rule options."""
    position = state.to_dict()
    return State.from_dict(position | {"rules": position["rules"] | options})


# --- what the rules imply


@given(reached("main"), st.data())
def test_R10_a_buyer_pays_the_price_and_gold_only_for_what_is_missing(
    state: State, data: st.DataObject
) -> None:
    state = changed(state, payment="gems_first")
    buys = [action for action in state.legal_actions() if action.kind == "buy"]
    assume(buys)
    buy = data.draw(st.sampled_from(buys))
    assert state.current_player is not None
    before, after = (s.seats[state.current_player] for s in (state, state.apply(buy)))
    cost = CARDS[card_names(CARDS).index(buy.card or "")]["cost"]
    paid = {gem: before.tokens[gem] - after.tokens[gem] for gem in GEMS}
    price = {color: max(0, cost[color] - before.bonuses[color]) for color in COLORS}
    assert {c: paid[c] for c in COLORS} == {c: min(price[c], before.tokens[c]) for c in COLORS}
    assert sum(paid.values()) == sum(price.values())


@given(reached("main"), st.sampled_from(GEMS))
def test_R10_one_more_token_makes_nothing_unaffordable(state: State, gem: str) -> None:
    position = state.to_dict()
    seat = position["seats"][position["current_player"]]
    assume(position["bank"][gem] and sum(seat["tokens"].values()) < 10)
    position["bank"][gem] -= 1
    seat["tokens"][gem] += 1
    richer = [action for action in legal(State.from_dict(position)) if action.startswith("buy")]
    assert {action for action in legal(state) if action.startswith("buy")} <= set(richer)


@given(reached("main"))
def test_take_free_only_adds_takes(state: State) -> None:
    forced, free = (legal(changed(state, take_fewer=value)) for value in ("forced", "free"))
    assert set(forced) - set(free) <= {"pass"}
    assert all(action.startswith("take") for action in set(free) - set(forced))


@given(reached("main"))
def test_payment_choose_changes_no_purchase_but_only_how_it_is_paid(state: State) -> None:
    assert legal(changed(state, payment="choose")) == legal(changed(state, payment="gems_first"))


@given(reached("main"))
def test_unseen_reserve_off_only_leaves_out_the_decks(state: State) -> None:
    position = state.to_dict()
    for seat in position["seats"]:
        for kept in seat["reserved"]:
            kept["hidden"] = False
    on = State.from_dict(position | {"rules": position["rules"] | {"unseen_reserve": "on"}})
    off = changed(on, unseen_reserve="off")
    left = [action for action in legal(on) if not action.startswith("reserve L")]
    assert legal(off) == (left or ["pass"])


@given(reached(), st.integers(1, 3))
def test_R6_turning_the_table_changes_nothing(state: State, turns: int) -> None:
    position = state.to_dict()
    players = position["players"]

    def turned(data: Json) -> Json:
        seats = data["seats"]
        other = dict(data, seats=[seats[(i - turns) % players] for i in range(players)])
        for field in ("first_player", "current_player"):
            seat = data[field]
            other[field] = seat if seat is None else (seat + turns) % players
        return other

    twin = State.from_dict(turned(position))
    assert legal(twin) == legal(state)
    for action in legal(state)[::7]:
        assert twin.apply(action).to_dict() == turned(state.apply(action).to_dict())


@given(reached(), st.permutations(COLORS))
def test_colors_may_trade_places(state: State, order: list[str]) -> None:
    turn = dict(zip(COLORS, order, strict=True)) | {"*": "*"}

    def recolored(gems: Json) -> Json:
        return {turn[gem]: gems[gem] for gem in gems}

    position = state.to_dict()
    position["components"] = components(
        cards=[c | {"bonus": turn[c["bonus"]], "cost": recolored(c["cost"])} for c in CARDS],
        nobles=[noble | {"cost": recolored(noble["cost"])} for noble in NOBLES],
    )
    position["bank"] = recolored(position["bank"])
    for seat in position["seats"]:
        seat["tokens"] = recolored(seat["tokens"])
    assume(position["paying"] is None)
    kinds = sorted(action.kind for action in State.from_dict(position).legal_actions())
    assert kinds == sorted(action.kind for action in state.legal_actions())


@given(st.integers(0), st.sampled_from([2, 3, 4]))
def test_any_seed_deals_a_whole_game(seed: int, players: int) -> None:
    deal = new_game(players=players, seed=seed).to_dict()
    assert sorted(card for pile in deal["market"] + deal["decks"] for card in pile) == [*range(90)]
    assert deal["nobles"] == sorted(set(deal["nobles"]))
    assert len(deal["nobles"]) == players + 1


# --- text


@given(reached("main"), st.randoms(use_true_random=False))
def test_the_letters_of_a_take_may_stand_in_any_order_and_case(state: State, random: Any) -> None:
    for take in [action for action in legal(state) if action.startswith("take")][:4]:
        letters = list(take.split()[1])
        random.shuffle(letters)
        text = f"Take {''.join(random.choice((c, c.lower())) for c in letters)}"
        assert state.apply(text) == state.apply(take)


WORDS = ["take", "buy", "reserve", "return", "noble", "gold", "pay", "pass", "W", "2U5", "L1", "*"]


@given(reached(), st.one_of(st.text(), st.lists(st.sampled_from(WORDS)).map(" ".join)))
@example(new_game(players=2, seed=1), "take WUG")
def test_any_text_is_legal_illegal_or_unreadable(state: State, text: str) -> None:
    try:
        reason = state.why_illegal(text)
    except NotationError:
        with pytest.raises(NotationError):
            state.apply(text)
        return
    if reason is None:
        assert state.apply(text) != state
    else:
        with pytest.raises(IllegalActionError, match=re.escape(reason)):
            state.apply(text)


# --- files

VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 100),
    st.floats(allow_nan=False),
    st.text(max_size=5),
    st.just([]),
    st.just({}),
    st.integers().map(lambda number: 10**30 + number),
)


def places(data: Any) -> list[tuple[Any, Any]]:
    """Every container in JSON with each of its keys."""
    found: list[tuple[Any, Any]] = []
    if isinstance(data, dict | list):
        keys = list(data) if isinstance(data, dict) else range(len(data))
        for key in keys:
            found += [(data, key), *places(data[key])]
    return found


@st.composite
def spoiled(draw: st.DrawFn, whole: Json) -> Json:
    """JSON of which one place was changed, left out or doubled."""
    data = copy.deepcopy(whole)
    container, key = draw(st.sampled_from(places(data)))
    change = draw(st.sampled_from(["put", "drop", "double", "swap"]))
    if change == "put":
        container[key] = draw(VALUES)
    elif change == "drop":
        del container[key]
    elif isinstance(container, list):
        other = draw(st.integers(0, len(container) - 1))
        if change == "double":
            container.insert(other, container[key])
        else:
            container[key], container[other] = container[other], container[key]
    return data


def in_order(data: Any) -> Any:
    """The same JSON with nobles by row number, whatever order they were written in."""
    if isinstance(data, list):
        return [in_order(part) for part in data]
    if not isinstance(data, dict):
        return data
    return {
        key: sorted(part)
        if key == "nobles" and part and isinstance(part[0], int)
        else in_order(part)
        for key, part in data.items()
    }


def read(kind: Any, data: Json) -> Any:
    """What the JSON describes, None if it is refused as documented."""
    try:
        found = kind.from_dict(data)
    except RecordError:
        return None
    assert json.dumps(found.to_dict()) == json.dumps(in_order(data))
    return found


@settings(max_examples=400)
@given(spoiled(full_position_dict()))
def test_a_spoiled_position_is_refused_or_read_as_it_stands(data: Json) -> None:
    before = json.dumps(data)
    state = read(State, data)
    assert json.dumps(data) == before
    if state is not None:
        assert all(state.apply(action) != state for action in state.legal_actions())


@settings(max_examples=400)
@given(spoiled(State.from_dict(full_position_dict()).observation(player=0).to_dict()))
def test_a_spoiled_observation_is_refused_or_read_as_it_stands(data: Json) -> None:
    seen = read(Observation, data)
    if seen is not None:
        assert seen.determinize(1).observation(player=seen.player) == seen


@settings(max_examples=400)
@given(spoiled(play_game(["random", "greedy"], seed=4, target=3).to_dict()))
def test_a_spoiled_game_is_refused_or_read_as_it_stands(data: Json) -> None:
    game = read(GameRecord, data)
    if game is not None:
        assert list(game.states())[-1] == game.state
