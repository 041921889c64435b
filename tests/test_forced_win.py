"""Forced wins: by hand, against brute force on other rules, and played out."""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
import reference
from positions import components, new_card, new_noble, position

from splendor_nb import Rng, State, get_agent, new_game, simulate
from splendor_nb.analysis.budget import Budget
from splendor_nb.analysis.forced_line import Line, turn_words
from splendor_nb.analysis.forced_win import forced_win, refutation, winning_actions
from splendor_nb.analysis.forcing import Forcing
from splendor_nb.analysis.puzzles import puzzles
from splendor_nb.analysis.tiny_games import tiny_games

Json = dict[str, Any]
WON_AT_ONCE = components(
    cards=[new_card(1, "W", "W", 1), new_card(1, "U", "U", 1), new_card(1, "G", "", 0)],
    nobles=[],
    tokens="WU",
)


def last_purchase(tokens: list[str], **changes: Any) -> State:
    """Seat 0 can buy the only point for white; seat 1 may have blue, and the other point."""
    setting = {"parts": WON_AT_ONCE, "target": 1, "unseen_reserve": "off"}
    return position(2, tokens=tokens, **(setting | changes))


# --- by hand


def test_a_purchase_that_nobody_can_match_wins() -> None:
    win = forced_win(last_purchase(["W", ""]), turns=1)
    assert win
    assert (win.turns, win.turn) == (1, "buy 1W1")
    assert str(win.line) == "buy 1W1, which wins"


def test_R15_the_others_play_the_round_to_its_end() -> None:
    state = last_purchase(["W", "U"])
    assert not forced_win(state, turns=1)
    assert refutation(state, "buy 1W1", 1) == "Then seat 1 answers: buy 1U1."


def test_R15_the_last_seat_of_a_round_wins_at_once() -> None:
    assert forced_win(last_purchase(["U", "W"], current=1), turns=1).turn == "buy 1W1"


def test_R16_fewer_cards_win_a_tie() -> None:
    assert forced_win(last_purchase(["W", "U"], bought=["", "1G1"]), turns=1)
    assert not forced_win(last_purchase(["W", "U"], bought=["1G1", ""]), turns=1)


def test_R16_a_shared_win_is_none() -> None:
    tied = last_purchase(["W", "U"], bought=["", "1G1"], tie_break="none")
    assert not forced_win(tied, turns=1)


def test_R14_a_noble_of_another_seat_counts() -> None:
    parts = components(
        cards=[new_card(1, "W", "W", 2), new_card(1, "U", "U", 1), new_card(1, "G", "G", 0)],
        nobles=[new_noble("U", 3)],
        tokens="WUG",
    )
    setting: Json = {"parts": parts, "target": 2, "unseen_reserve": "off"}
    assert not forced_win(position(2, tokens=["W", "U"], **setting), turns=1)
    assert forced_win(position(2, tokens=["W", "G"], **setting), turns=1)


def test_a_card_that_may_be_revealed_is_the_worst_one() -> None:
    cards = [new_card(1, "W", "W", 1), *[new_card(1, "G", "GGG", 0)] * 4, new_card(1, "U", "U", 2)]
    parts = components(cards=cards, nobles=[], tokens="WUGGG")
    setting: Json = {"parts": parts, "target": 1, "unseen_reserve": "off"}
    market = "1W1 1G1 1G2 1G3"
    for decks in ("1U1 1G4", "1G4 1U1"):  # whatever lies on top in truth
        state = position(2, tokens=["W", "U"], market=market, decks=decks, **setting)
        assert not forced_win(state, turns=1)
        assert "buy 1U1" in refutation(state, "buy 1W1", 1)
        poor = position(2, tokens=["W", ""], market=market, decks=decks, **setting)
        assert forced_win(poor, turns=1)


def test_an_unseen_reserve_is_the_worst_card_that_it_may_be() -> None:
    cards = [new_card(1, "W", "W", 1), *[new_card(1, "G", "GGG", 0)] * 4, new_card(1, "U", "U", 2)]
    parts = components(cards=cards, nobles=[], tokens="WUGGG")
    for hidden, open_ in (("1G4", "1U1"), ("1U1", "1G4")):
        state = position(
            2,
            parts=parts,
            target=1,
            tokens=["W", "U"],
            market="1W1 1G1 1G2 1G3",
            decks=open_,
            reserved=["", f"?{hidden}"],
        )
        assert not forced_win(state, turns=1)
        known = position(
            2,
            parts=parts,
            target=1,
            tokens=["W", "U"],
            market="1W1 1G1 1G2 1G3",
            decks=open_,
            reserved=["", hidden],
        )
        # Then the deck holds the other card alone, and may still reveal it.
        assert not forced_win(known, turns=1)


def test_two_turns_are_needed_to_collect_and_buy() -> None:
    cards = [new_card(1, color, "WUG", 1) for color in "WUG"]
    setting: Json = {"target": 1, "unseen_reserve": "off"}
    enough_for_both = components(cards=cards, nobles=[], tokens="WUGWUG")
    assert not forced_win(position(2, parts=enough_for_both, **setting), turns=2)
    enough_for_one = components(cards=cards, nobles=[], tokens="WUG")
    state = position(2, parts=enough_for_one, **setting)
    assert not forced_win(state, turns=1)
    win = forced_win(state, turns=2)
    assert (win.turns, win.turn) == (2, "take WUG")
    assert str(win.line).splitlines()[0] == "take WUG"
    assert "which wins" in str(win.line)


def test_a_new_card_is_named_by_its_level_alone() -> None:
    cards = [new_card(1, "W", "W", 1), *[new_card(1, "G", "GGG", 0)] * 6]
    parts = components(cards=cards, nobles=[], tokens="WUGGG*")
    setting: Json = {"parts": parts, "target": 2, "unseen_reserve": "off", "tokens": ["W", ""]}
    state = position(2, market="1W1", **setting)
    search = Forcing(state.tables, 0, Budget(), open_decks=False)
    after = state.observation(0).apply("buy 1W1").numbers()
    told = {turn_words(turn, state.tables) for turn in search.replies(after)}
    assert "reserve the new card of level 1" in told


def test_a_line_names_the_answers_to_the_replies() -> None:
    cards = [new_card(1, color, "WU", 1) for color in "WUG"]
    parts = components(cards=cards, nobles=[], tokens="WU")
    win = forced_win(position(2, parts=parts, target=1, unseen_reserve="off"), turns=2)
    told = {reply: line.turn for replies, line in win.line.answers for reply in replies}
    assert set(told) == {"reserve 1W1", "reserve 1U1", "reserve 1G1"}
    for reply, answer in told.items():
        assert answer.startswith("buy")
        assert answer.removeprefix("buy") != reply.removeprefix("reserve")
    assert all(isinstance(line, Line) for _, line in win.line.answers)


# --- against brute force


def can_force(p: Json, seat: int, turns: int, known: dict[str, bool]) -> bool:
    """Whether a seat wins against every reply and every card, on the rules of the tests."""
    if p["phase"] == "over":
        return reference.winners(p) == (seat,)
    mine = p["current_player"] == seat
    if mine and turns == 0:
        return False
    key = f"{seat} {turns} {p}"
    if key not in known:
        ways = (
            all(
                can_force(after, seat, turns - (mine and after["turn"] > p["turn"]), known)
                for after in every_outcome(p, action)
            )
            for action in reference.legal_actions(p)
        )
        known[key] = any(ways) if mine else all(ways)
    return known[key]


def every_outcome(p: Json, action: str) -> Iterator[Json]:
    after = reference.apply(p, action)
    drawn = [level for level in range(3) if len(after["decks"][level]) < len(p["decks"][level])]
    if not drawn:
        yield after
        return
    deck = p["decks"][drawn[0]]
    for place in range(len(deck)):
        other = deepcopy(p)
        other["decks"][drawn[0]] = [deck[place], *deck[:place], *deck[place + 1 :]]
        yield reference.apply(other, action)


def wandering(start: State, seeds: int, decisions: int) -> Iterator[State]:
    """Positions that random play comes to."""
    for seed in range(seeds):
        state, draw = start, random.Random(seed)
        for _ in range(draw.randrange(decisions)):
            if not state.is_terminal():
                state = state.apply(draw.choice(state.legal_actions()))
        if not state.is_terminal():
            yield state


CROWDED = new_game(
    2,
    seed=3,
    cards=[new_card(1, "W", "WWW", 1), new_card(1, "U", "UUUU", 1), new_card(1, "G", "WWUU", 2)],
    nobles=[new_noble("W", 1)],
    tokens={"W": 12, "U": 12, "G": 0, "R": 0, "K": 0, "*": 1},
    unseen_reserve="off",
    target=2,
)
THREE = new_game(
    3,
    seed=3,
    cards=[new_card(1, "W", "W", 1), new_card(1, "U", "U", 1), new_card(1, "G", "WU", 2)],
    nobles=[],
    tokens={"W": 2, "U": 2, "G": 0, "R": 0, "K": 0, "*": 1},
    unseen_reserve="off",
    target=2,
)


@pytest.mark.parametrize(
    ("start", "turns", "seeds", "decisions", "least"),
    [
        (tiny_games()["race"].start, 3, 40, 7, 5),
        (CROWDED, 2, 40, 30, 5),
        (THREE, 2, 120, 9, 5),
    ],
    ids=["race", "crowded", "three seats"],
)
def test_without_decks_it_agrees_with_brute_force(
    start: State, turns: int, seeds: int, decisions: int, least: int
) -> None:
    known: dict[str, bool] = {}
    found = missed = 0
    for state in wandering(start, seeds, decisions):
        seat = state.current_player
        assert seat is not None
        for most in range(1, turns + 1):
            expected = can_force(state.to_dict(), seat, most, known)
            assert bool(forced_win(state, most)) == expected, (most, state)
            found += expected
            missed += not expected
    assert found >= least
    assert missed >= least


@pytest.mark.parametrize("name", ["surprise", "market"])
def test_with_decks_it_never_claims_too_much(name: str) -> None:
    known: dict[str, bool] = {}
    found = 0
    for state in wandering(tiny_games()[name].start, 80, 8):
        seat = state.current_player
        assert seat is not None
        if win := forced_win(state, 2):
            found += 1
            assert can_force(state.to_dict(), seat, win.turns or 0, known), state
    assert found >= 5


def test_the_actions_that_win_are_those_of_brute_force() -> None:
    known: dict[str, bool] = {}
    for state in wandering(tiny_games()["race"].start, 12, 7):
        seat, p = state.current_player, state.to_dict()
        assert seat is not None
        expected = [
            action
            for action in reference.legal_actions(p)
            if can_force(
                after := reference.apply(p, action), seat, 2 - (after["turn"] > p["turn"]), known
            )
        ]
        assert list(winning_actions(state, 2)) == expected


# --- in real games


def late_positions(players: int, games: int, seed: int) -> Iterator[State]:
    sim = simulate("greedy", games, seed, players=players, progress=False)
    for number in range(games):
        record = sim.record(number)
        states = [record.start]
        for action in record.actions:
            states.append(states[-1].apply(action))
        yield from (state for state in states[-9:-1] if state.phase == "main")


@pytest.mark.parametrize(("players", "games", "turns"), [(2, 5, 3), (3, 5, 2), (4, 4, 1)])
def test_a_win_is_won_against_everyone_and_every_deck(players: int, games: int, turns: int) -> None:
    played = 0
    for state in late_positions(players, games, seed=77):
        win = forced_win(state, turns, positions=5_000)
        if win.turns is None:
            continue
        for deck, name in enumerate(("random", "greedy", "random")):
            play_out(state, win.turns, deck, name)
            played += 1
    assert played >= 9


def play_out(state: State, turns: int, seed: int, opponents: str) -> None:
    """Play a forced win from what the seat knows; it has to be found again at each turn."""
    seat = state.current_player
    assert seat is not None
    rng, agent = Rng(seed), get_agent(opponents)
    state = state.observation(seat).determinize(seed)
    while not state.is_terminal():
        if state.current_player == seat:
            win = forced_win(state, turns)
            assert win, state
            for action in win.turn.split(", "):
                state = state.apply(action)
            turns -= 1
        else:
            assert state.current_player is not None
            state = state.apply(agent(state.observation(state.current_player), rng))
    assert state.winners == (seat,)


def test_it_asks_for_no_more_than_the_seat_knows() -> None:
    for state in late_positions(2, 2, seed=5):
        seat = state.current_player
        assert seat is not None
        known = state.observation(seat)
        answers = {
            (win.found, win.turns, win.turn, win.positions)
            for truth in (state, known, known.determinize(1), known.determinize(2))
            for win in [forced_win(truth, 2)]
        }
        assert len(answers) == 1


def test_a_search_that_is_stopped_claims_nothing() -> None:
    state = next(state for state in late_positions(2, 1, seed=5))
    win = forced_win(state, 3, positions=1)
    assert not win
    assert not win.decided
    assert repr(win) == "<not decided within 1 positions>"
    with pytest.raises(ValueError, match="There is no line"):
        _ = win.line


# --- what is refused


@pytest.mark.parametrize("turns", [0, 7])
def test_other_numbers_of_turns_are_refused(turns: int) -> None:
    with pytest.raises(ValueError, match="turns is a whole number from 1 to 6"):
        forced_win(new_game(2, seed=7), turns)


def test_what_another_seat_knows_is_refused() -> None:
    state = new_game(2, seed=7)
    with pytest.raises(ValueError, match=r"decision of seat 0.* what seat 1 knows"):
        forced_win(state.observation(1))
    with pytest.raises(TypeError, match="an Observation or a State"):
        forced_win("state")  # type: ignore[arg-type]


def test_a_game_that_is_over_is_refused() -> None:
    with pytest.raises(ValueError, match="The game is over"):
        forced_win(last_purchase(["W", ""]).apply("buy 1W1").apply("reserve 1U1"))


def test_an_action_that_is_not_allowed_has_no_refutation() -> None:
    with pytest.raises(ValueError, match="'buy 1U1' is not allowed now"):
        refutation(last_purchase(["W", ""]), "buy 1U1", 1)


def test_a_try_that_wins_has_no_refutation() -> None:
    assert refutation(last_purchase(["W", ""]), "buy 1W1", 1) == ""


def test_a_search_that_is_told_to_stop_has_not_decided() -> None:
    late = puzzles(turns=3)[0].state
    assert not forced_win(late, turns=3, should_stop=lambda: True).decided
    assert forced_win(late, turns=3, should_stop=lambda: False).decided
