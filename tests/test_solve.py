"""Exact values: against brute force on other rules, against each other, and against play."""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
import reference
from positions import components, new_card, new_noble, position, tally

from splendor_nb import Rng, State, new_game
from splendor_nb.analysis.alphabeta import AlphaBeta
from splendor_nb.analysis.budget import Budget
from splendor_nb.analysis.expectimax import Expectimax
from splendor_nb.analysis.solve import solve
from splendor_nb.analysis.tiny_games import tiny_games

Json = dict[str, Any]
HALF = Fraction(1, 2)


# --- brute force, on the rules of the tests


def worth(p: Json) -> tuple[Fraction, ...]:
    """What a position is worth to each seat: every line to its end, nothing remembered."""
    if p["phase"] == "over":
        won = reference.winners(p)
        return tuple(Fraction(seat in won, len(won)) for seat in range(p["players"]))
    seat = p["current_player"]
    values = [mean_after(p, action) for action in reference.legal_actions(p)]
    return max(values, key=lambda value: value[seat])


def mean_after(p: Json, action: str) -> tuple[Fraction, ...]:
    """The mean over all cards that may be revealed."""
    after = reference.apply(p, action)
    drawn = [level for level in range(3) if len(after["decks"][level]) < len(p["decks"][level])]
    if not drawn:
        return worth(after)
    deck = p["decks"][drawn[0]]
    worths = []
    for place in range(len(deck)):
        other = deepcopy(p)
        other["decks"][drawn[0]] = [deck[place], *deck[:place], *deck[place + 1 :]]
        worths.append(worth(reference.apply(other, action)))
    return tuple(sum(column, Fraction(0)) / len(worths) for column in zip(*worths, strict=True))


@pytest.mark.parametrize("name", ["blackboard", "surprise"])
def test_the_value_is_that_of_brute_force(name: str) -> None:
    state = tiny_games()[name].start
    p = state.to_dict()
    solution = solve(state)
    assert solution.values == worth(p)
    assert {str(action): share for action, share in solution.actions.items()} == {
        action: mean_after(p, action)[0] for action in reference.legal_actions(p)
    }


def test_brute_force_agrees_for_three_seats() -> None:
    parts = {"cards": [new_card(1, "W", "W", 1), new_card(1, "U", "U", 1)], "nobles": []}
    state = new_game(
        3, seed=1, unseen_reserve="off", target=1, turn_limit=6, tokens=tally("WU*"), **parts
    )
    assert solve(state).values == worth(state.to_dict())


# --- the tiny games, by what a class can check


def test_the_first_player_of_the_blackboard_game_takes_both_gems() -> None:
    solution = solve(tiny_games()["blackboard"].start)
    assert solution.values == (1, 0)
    assert solution.best == ("take WU",)
    assert solution.actions["reserve 1W1"] == HALF
    assert solution.positions == 15


def test_values_after_a_surprise_are_quarters() -> None:
    solution = solve(tiny_games()["surprise"].start)
    assert solution.values == (Fraction(3, 4), Fraction(1, 4))
    assert solution.best == ("take WU",)
    assert solution.actions["reserve 1W3"] == Fraction(1, 4)


def test_who_knows_the_decks_can_do_better_than_by_chance() -> None:
    state = tiny_games()["surprise"].start
    values = solve(state, open_decks=True).values
    assert values is not None
    assert values[0] in (0, HALF, 1)
    assert values != solve(state).values


def test_the_largest_game_is_solved() -> None:
    solution = solve(tiny_games()["market"].start)
    assert solution.values == (Fraction(3, 4), Fraction(1, 4))
    assert solution.best == ("take WU",)
    assert solution.positions == 9_829


# --- pruned against not pruned


CARDS = (("W", "U", 0), ("U", "W", 0), ("W", "WU", 1), ("U", "UU", 1), ("W", "WW", 2), ("U", "", 0))
SETTINGS = (
    *product(("WU*",), ("gems_first", "choose"), ("forced", "free"), ("none",)),
    *product(("WWU**",), ("gems_first", "choose"), ("forced",), ("none", "fewest_cards")),
)


def small_game(number: int) -> State:
    """A game with chance, nobles of which two may come at once, and one of many options."""
    tokens, payment, take_fewer, tie_break = SETTINGS[number]
    return new_game(
        2,
        seed=number,
        cards=[*(new_card(1, *card) for card in CARDS), new_card(2, "W", "UU", 1)],
        nobles=[new_noble("W", 1), new_noble("U", 1)],
        tokens=tally(tokens),
        unseen_reserve="off",
        target=2,
        turn_limit=5,
        payment=payment,
        take_fewer=take_fewer,
        tie_break=tie_break,
    )


@pytest.mark.parametrize("open_decks", [False, True])
@pytest.mark.parametrize("number", range(8))
def test_bounds_change_nothing(number: int, open_decks: bool) -> None:
    state = small_game(number)
    s, t = state.numbers(), state.tables
    plain = Expectimax(t, None, Budget(), open_decks=open_decks)
    pruned = AlphaBeta(t, None, Budget(), open_decks=open_decks)
    assert pruned.values(s) == plain.values(s)
    solution = solve(state, open_decks=open_decks)
    assert solution.values == plain.values(s)
    assert solution.values is not None
    assert max(solution.actions.values()) == solution.values[0]


def test_bounds_save_work() -> None:
    state = tiny_games()["surprise"].start
    plain, pruned = Budget(), Budget()
    Expectimax(state.tables, None, plain, open_decks=False).values(state.numbers())
    AlphaBeta(state.tables, None, pruned, open_decks=False).values(state.numbers())
    assert pruned.seen < plain.seen


def test_values_hold_at_every_position_of_best_play() -> None:
    state = tiny_games()["race"].start
    before = solve(state)
    while not state.is_terminal():
        solution = solve(state)
        assert solution.values == before.values
        state = state.apply(solution.best[0])
    assert state.returns() == [1, 0]


def test_best_play_wins_as_often_as_the_value_says() -> None:
    start = tiny_games()["surprise"].start
    games, won = 200, Fraction(0)
    choices: dict[State, Any] = {}
    for seed in range(games):
        state = start.observation(0).determinize(Rng(seed))
        while not state.is_terminal():
            if state not in choices:
                choices[state] = solve(state).best[0]
            state = state.apply(choices[state])
        won += Fraction(state.returns()[0])
    # Nine tenths of such runs lie within five hundredths of the value.
    assert abs(won / games - Fraction(3, 4)) < Fraction(1, 10)


# --- the horizon


def test_positions_after_the_last_turn_count_as_they_stand() -> None:
    lead = position(
        2,
        parts=components(
            cards=[new_card(1, "W", "W", 1), new_card(1, "U", "UUUU", 0)], nobles=[], tokens="WU"
        ),
        bought=["1W1"],
        unseen_reserve="off",
        target=5,
    )
    solution = solve(lead, turns=3)
    assert solution.values == (1, 0)
    assert "at most 3 more turns" in solution.horizon
    assert "as it stands" in solution.horizon


def test_the_turn_limit_is_part_of_what_is_solved() -> None:
    parts = {"cards": [new_card(1, "W", "WW", 1)], "nobles": [], "tokens": tally("WU")}
    values = {
        limit: solve(
            new_game(2, seed=1, unseen_reserve="off", target=1, turn_limit=limit, **parts)
        ).values
        for limit in (2, 4)
    }
    assert values[2] == values[4] == (HALF, HALF)
    assert (
        "turn limit of 4"
        in solve(new_game(2, seed=1, unseen_reserve="off", target=1, turn_limit=4, **parts)).horizon
    )


# --- what it refuses, and what it says


def test_a_reserve_that_is_private_is_refused() -> None:
    hidden = position(2, reserved=["", "?1G1"])
    with pytest.raises(ValueError, match="Seat 1 has reserved a card unseen"):
        solve(hidden, turns=1)
    assert solve(hidden, turns=1, open_decks=True).solved


def test_a_game_in_which_reserves_may_become_private_is_refused() -> None:
    with pytest.raises(ValueError, match="unseen_reserve='off'"):
        solve(new_game(2, seed=7), turns=1)


def test_a_game_that_is_too_large_is_refused_with_an_estimate() -> None:
    with pytest.raises(ValueError, match=r"about 10\^\d+ positions.*turns=.*positions="):
        solve(new_game(2, seed=7, unseen_reserve="off"))


def test_a_search_that_is_stopped_claims_nothing() -> None:
    state = tiny_games()["race"].start
    solution = solve(state, positions=100)
    assert not solution.solved
    assert solution.values is None
    assert solution.best == ()
    assert solution.positions == 100
    assert repr(solution) == "<not solved: the search stopped after 100 positions>"


def test_a_search_stops_in_time() -> None:
    solution = solve(new_game(2, seed=7, unseen_reserve="off"), turns=6, seconds=0.05)
    assert not solution.solved
    assert "0.05 s" in solution.why_not


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"turns": 0}, "turns is a whole number from 1"),
        ({"positions": 0}, "positions is a whole number from 1"),
        ({"seconds": 0}, "seconds is a number above 0"),
        ({"seconds": "1"}, "seconds is a number above 0"),
    ],
)
def test_limits_that_are_none_are_refused(wrong: Json, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        solve(tiny_games()["blackboard"].start, **wrong)


def test_what_is_no_running_state_is_refused() -> None:
    start = tiny_games()["blackboard"].start
    with pytest.raises(TypeError, match="a State, not 'Observation'"):
        solve(start.observation(0))  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="open_decks is True or False"):
        solve(start, open_decks=1)  # type: ignore[arg-type]
    over = start
    while not over.is_terminal():
        over = over.apply(over.legal_actions()[0])
    for open_decks in (False, True):
        with pytest.raises(ValueError, match="The game is over"):
            solve(over, open_decks=open_decks)


def test_a_solution_tells_all_in_one_line() -> None:
    assert repr(solve(tiny_games()["blackboard"].start)) == (
        "<solved: seat 0 1 and seat 1 0; seat 0 plays take WU. 15 positions; "
        "the value is for the game with its turn limit of 4>"
    )


def test_long_games_do_not_overrun_the_stack() -> None:
    parts = {"cards": [new_card(1, "W", "WW", 1)], "nobles": [], "tokens": tally("WU")}
    state = new_game(2, seed=1, unseen_reserve="off", target=1, turn_limit=1000, **parts)
    assert solve(state).solved


def test_a_search_that_is_told_to_stop_says_that_it_has_not_solved() -> None:
    asked = 0

    def stop_later() -> bool:
        nonlocal asked
        asked += 1
        return asked > 50

    solution = solve(tiny_games()["market"].start, should_stop=stop_later)
    assert not solution.solved
    assert solution.why_not == "the search stopped after 50 positions, by request"
