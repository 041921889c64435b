"""What holds in every state of every game, whatever the rule options [R1] to [R18]."""

from __future__ import annotations

import copy
import json
import pickle
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest
import reference
from positions import CARDS, COLORS, GEMS, NOBLES, card_names, noble_names
from sampling import QUICK, SETTINGS, Sample, game, vocabulary

from splendor_nb import (
    Action,
    IllegalActionError,
    Observation,
    Rng,
    State,
    get_agent,
)

LONG = [(*table, seed + 100 * more) for *table, seed in QUICK for more in (1, 2, 3, 4)]


@pytest.fixture(
    params=[*QUICK, *(pytest.param(case, marks=pytest.mark.slow) for case in LONG)],
    ids=lambda case: f"{case[0]}-{case[1]}-{case[2]}",
)
def sample(request: pytest.FixtureRequest) -> Sample:
    """One game under one setting for two, three or four players."""
    return game(*request.param)


def states(sample: Sample, every: int = 1) -> Iterator[State]:
    """Each state that the game went through, or some of them, and always the end."""
    yield from (state for state, _ in sample.steps[::every])
    yield sample.end


# --- what is legal


def test_all_legal_actions_apply(sample: Sample) -> None:
    for state in states(sample, every=5):
        for action in state.legal_actions():
            assert isinstance(action, Action)
            assert state.why_illegal(action) is None
            assert state.apply(action) != state


def test_there_is_a_legal_action_until_the_end(sample: Sample) -> None:
    for state, _ in sample.steps:
        assert state.legal_actions()
        assert not state.is_terminal()
    assert list(sample.end.legal_actions()) == []
    assert sample.end.is_terminal()


def test_no_action_is_listed_twice(sample: Sample) -> None:
    for state in states(sample):
        actions = list(state.legal_actions())
        assert len(set(actions)) == len(actions)


def test_everything_else_has_a_reason_for_being_illegal(sample: Sample) -> None:
    words = vocabulary(sample.setting)
    for state in states(sample, every=9):
        legal = {str(action) for action in state.legal_actions()}
        assert legal <= set(words)
        for action in words:
            reason = state.why_illegal(action)
            assert (reason is None) == (action in legal), action
            assert reason is None or len(reason) > 10


def test_everything_else_is_refused_and_changes_nothing(sample: Sample) -> None:
    for state in states(sample, every=23):
        before, value = json.dumps(state.to_dict()), hash(state)
        for action in sorted(set(vocabulary(sample.setting)) - set(state.legal_actions())):
            with pytest.raises(IllegalActionError) as caught:
                state.apply(action)
            assert str(state.why_illegal(action)) in str(caught.value)
        assert (json.dumps(state.to_dict()), hash(state)) == (before, value)


def test_the_legal_list_agrees_with_the_reference(sample: Sample) -> None:
    for state in states(sample):
        legal = [str(action) for action in state.legal_actions()]
        assert legal == reference.legal_actions(state.to_dict())


def test_every_transition_agrees_with_the_reference(sample: Sample) -> None:
    for state, action in sample.steps:
        expected = reference.apply(state.to_dict(), str(action))
        assert state.apply(action).to_dict() == expected


def test_the_winners_agree_with_the_reference(sample: Sample) -> None:
    winners = reference.winners(sample.end.to_dict())
    assert sample.end.winners == winners
    shares = [1 / len(winners) if seat in winners else 0 for seat in range(sample.players)]
    assert list(sample.end.returns()) == pytest.approx(shares)


def test_nobody_has_won_before_the_end(sample: Sample) -> None:
    for state, _ in sample.steps:
        assert (state.winners, state.end_reason) == ((), None)
        assert list(state.returns()) == [0] * sample.players


# --- what is conserved


def test_tokens_of_each_color_are_conserved(sample: Sample) -> None:
    supply = dict(sample.steps[0][0].bank)
    for state in states(sample):
        held = [dict(seat.tokens) for seat in state.seats] + [dict(state.bank)]
        assert {gem: sum(tokens[gem] for tokens in held) for gem in GEMS} == supply
        assert min(number for tokens in held for number in tokens.values()) >= 0


def test_every_card_is_in_one_place(sample: Sample) -> None:
    number = len(SETTINGS[sample.setting].get("cards", CARDS))
    for state in states(sample):
        position = state.to_dict()
        places = [card for pile in position["market"] + position["decks"] for card in pile]
        for seat in position["seats"]:
            places += seat["bought"] + [kept["card"] for kept in seat["reserved"]]
        assert sorted(card for card in places if card is not None) == list(range(number))


def test_every_noble_is_in_one_place(sample: Sample) -> None:
    shown = Counter(noble.name for noble in sample.steps[0][0].nobles)
    for state in states(sample):
        held = [noble.name for seat in state.seats for noble in seat.nobles]
        assert Counter(held) + Counter(noble.name for noble in state.nobles) == shown


def test_a_slot_is_empty_only_over_an_empty_deck(sample: Sample) -> None:
    for state in states(sample):
        for row, left in zip(state.market, state.deck_sizes, strict=True):
            assert len(row) == 4
            assert left == 0 or None not in row


# --- what is bounded


def test_never_above_ten_tokens_after_a_turn(sample: Sample) -> None:
    for state in states(sample):
        for seat, own in enumerate(state.seats):
            held = sum(own.tokens.values())
            returning = state.phase == "return" and seat == state.current_player
            assert 10 < held <= 13 if returning else held <= 10


def test_never_more_than_three_in_reserve(sample: Sample) -> None:
    for state in states(sample):
        assert max(len(seat.reserved) for seat in state.seats) <= 3


def test_gold_is_never_above_its_supply(sample: Sample) -> None:
    supply = sample.steps[0][0].bank["*"]
    for state in states(sample):
        assert 0 <= state.bank["*"] <= supply


# --- what follows from the cards


def test_points_and_bonuses_follow_from_cards_and_nobles(sample: Sample) -> None:
    for state in states(sample, every=3):
        for seat in state.seats:
            colors = [card.bonus for card in seat.bought]
            assert dict(seat.bonuses) == {color: colors.count(color) for color in COLORS}
            values = [piece.points for piece in (*seat.bought, *seat.nobles)]
            assert seat.points == sum(values)


def test_names_follow_from_the_tables(sample: Sample) -> None:
    options, position = SETTINGS[sample.setting], sample.end.to_dict()
    cards = card_names(options.get("cards", CARDS))
    nobles = noble_names(options.get("nobles", NOBLES))
    for row, shown in zip(position["market"], sample.end.market, strict=True):
        names = [None if card is None else card.name for card in shown]
        assert names == [None if card is None else cards[card] for card in row]
    assert [noble.name for noble in sample.end.nobles] == [nobles[n] for n in position["nobles"]]


# --- the course of a game


def test_turns_are_equal_at_the_end_unless_it_is_a_stalemate(sample: Sample) -> None:
    turns = Counter[int]()
    for state, after in pairwise(states(sample)):
        assert state.current_player is not None
        assert after.turn - state.turn in (0, 1)
        turns[state.current_player] += after.turn - state.turn
    assert turns.total() == sample.end.turn
    if sample.end.end_reason != "stalemate":
        assert len({turns[seat] for seat in range(sample.players)}) == 1


def test_the_turn_tells_who_plays(sample: Sample) -> None:
    first = sample.steps[0][0].current_player
    assert first is not None
    for state, _ in sample.steps:
        assert state.current_player == (first + state.turn) % sample.players


def test_every_game_ends_for_a_reason(sample: Sample) -> None:
    rules, end = sample.end.to_dict()["rules"], sample.end
    best = max(seat.points for seat in end.seats)
    assert end.end_reason in {"target", "stalemate", "limit"}
    assert (end.end_reason == "target") == (best >= rules["target"])
    if end.end_reason == "limit":
        assert rules["turn_limit"] <= end.turn < rules["turn_limit"] + sample.players


def test_points_and_bought_cards_never_go_down(sample: Sample) -> None:
    kept = [[(s.points, len(s.bought)) for s in state.seats] for state in states(sample)]
    for before, after in pairwise(kept):
        assert all(old <= new for old, new in zip(before, after, strict=True))


# --- a state is a value


def test_a_state_round_trips_through_json(sample: Sample) -> None:
    for state in states(sample, every=4):
        text = json.dumps(state.to_dict(), allow_nan=False)
        twin = State.from_dict(json.loads(text))
        assert twin == state
        assert hash(twin) == hash(state)
        assert json.dumps(twin.to_dict()) == text
        assert list(twin.legal_actions()) == list(state.legal_actions())


def test_a_state_round_trips_through_pickle_and_copies(sample: Sample) -> None:
    for state in states(sample, every=9):
        for twin in (pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state)):
            assert twin == state
            assert hash(twin) == hash(state)
            assert (repr(twin), twin.text(reveal=True)) == (repr(state), state.text(reveal=True))


def test_an_action_round_trips_through_text(sample: Sample) -> None:
    for state in states(sample, every=9):
        for action in state.legal_actions():
            assert Action(str(action)) == action == str(action)
            assert pickle.loads(pickle.dumps(action)) == action
            assert state.apply(str(action).upper()) == state.apply(action)


def test_all_states_of_a_game_differ(sample: Sample) -> None:
    found = list(states(sample))
    assert len(set(found)) == len(found)


def test_applying_twice_gives_the_same_and_leaves_the_state_alone(sample: Sample) -> None:
    for state, action in sample.steps[::4]:
        before = json.dumps(state.to_dict())
        assert state.apply(action) == state.apply(action)
        assert json.dumps(state.to_dict()) == before


def test_the_text_board_is_plain_and_has_no_address(sample: Sample) -> None:
    for state in states(sample, every=20):
        assert " at 0x" not in repr(state)
        assert state.text() == state.text()


# --- what a seat may know


def received(observation: Observation) -> list[object]:
    """All that an agent or a page can receive."""
    return [
        json.dumps(observation.to_dict()),
        repr(observation),
        pickle.dumps(observation),
        hash(observation),
        [str(action) for action in observation.legal_actions()],
    ]


def test_two_truths_with_one_observation_look_the_same(sample: Sample) -> None:
    for state in states(sample, every=9):
        for player in range(sample.players):
            seen = state.observation(player=player)
            other = seen.determinize(state.turn)
            assert received(other.observation(player=player)) == received(seen)


def test_agents_choose_the_same_in_two_truths(sample: Sample) -> None:
    for state, _ in sample.steps[::9]:
        seen = state.observation(player=state.current_player)
        other = seen.determinize(state.turn).observation(player=state.current_player)
        for name in ("random", "greedy"):
            answers = {str(get_agent(name)(view, Rng(3))) for view in (seen, other)}
            assert len(answers) == 1
            assert answers <= {str(action) for action in state.legal_actions()}


def test_an_observation_of_the_seat_in_turn_has_its_legal_list(sample: Sample) -> None:
    for state, _ in sample.steps[::3]:
        for player in range(sample.players):
            legal = state.legal_actions() if player == state.current_player else []
            assert list(state.observation(player=player).legal_actions()) == list(legal)


def test_looking_ahead_agrees_with_the_truth_where_nothing_is_revealed(sample: Sample) -> None:
    for state, action in sample.steps[::3]:
        player = state.current_player
        ahead = state.observation(player=player).apply(action)
        after = state.apply(action).observation(player=player)
        if str(action).startswith(("take", "return", "noble", "gold", "pass")):
            assert ahead == after
        assert (ahead.turn, ahead.phase, ahead.bank) == (after.turn, after.phase, after.bank)
        assert [s.tokens for s in ahead.seats] == [s.tokens for s in after.seats]


def test_an_observation_round_trips(sample: Sample) -> None:
    for state in states(sample, every=23):
        for player in range(sample.players):
            seen = state.observation(player=player)
            assert Observation.from_dict(json.loads(json.dumps(seen.to_dict()))) == seen
            assert pickle.loads(pickle.dumps(seen)) == seen
