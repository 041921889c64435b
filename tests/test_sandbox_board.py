"""The sandbox: set up, take back, branch, paste, ask; and all of that in a real browser."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest
from lab import Desk
from scripts import last_word_without_heavy_libraries
from sessions import act, enabled, over, paying, returning, send

from splendor_nb import GameRecord, RecordError, State, new_game, play_game
from splendor_nb.analysis import solve as solve_module
from splendor_nb.analysis.puzzles import puzzles
from splendor_nb.analysis.tiny_games import tiny_games
from splendor_nb.board import sandbox_asks
from splendor_nb.board.board import Board
from splendor_nb.board.controls import PlainControls
from splendor_nb.board.sandbox import sandbox
from splendor_nb.board.sandbox_asks import Asks
from splendor_nb.board.sandbox_controls import SandboxBar, SandboxTools
from splendor_nb.board.sandbox_session import SandboxSession
from splendor_nb.board.sandbox_text import checked, write_text

if TYPE_CHECKING:
    pass

PATIENCE_S = 60


@pytest.fixture
def box() -> SandboxSession:
    return sandbox(seed=7)


def names(cards: Any) -> list[str]:
    return [card.name for card in cards]


# --- it is openly a sandbox


def test_the_board_says_that_it_is_a_sandbox(box: SandboxSession) -> None:
    board = Board(box)
    assert board.view["status"].startswith("Sandbox. Seat 0, it is your turn")
    assert board.texts["facts"].startswith("Sandbox · ")
    assert board.texts["board"] == "Splendor board, a sandbox"
    assert repr(box).startswith("<sandbox>\n")


def test_every_seat_is_played_by_whoever_sits_there(box: SandboxSession) -> None:
    act(box, "take WUG", "take WUR")
    assert box.state.turn == 2
    assert [seat.agent for seat in box.record.seats] == ["human", "human"]
    assert len(set(enabled(box.view()))) == len(box.state.legal_actions())


def test_unseen_reserves_lie_open_for_everyone(box: SandboxSession) -> None:
    act(box, "reserve L2")
    card = box.state.seats[0].reserved[0]
    shown = box.view()["seats"][0]["reserved"][0]
    assert shown["name"] == card.name
    assert card.name in box.text()
    assert not any(key in shown for key in ("back", "peek"))


@pytest.mark.parametrize("start", [returning(), paying(), over()], ids=["return", "pay", "over"])
def test_any_phase_can_be_shown(start: State) -> None:
    view = sandbox(start).view()
    assert view["phase"] == start.phase
    assert view["status"].startswith("Sandbox. ")


# --- what can be opened


def test_a_position_is_opened_in_every_form() -> None:
    state = new_game(players=3, seed=5).apply("take WUG")
    record = GameRecord(new_game(players=3, seed=5), ("take WUG",), ())
    for form in (state, state.to_dict(), json.dumps(state.to_dict()), record):
        assert sandbox(form).state == state
    assert sandbox(record).course.actions == ("take WUG",)


def test_a_fresh_deal_takes_what_new_game_takes() -> None:
    box = sandbox(players=4, seed=3, first_player=2, target=5, names=["a", "b", "c", "d"])
    assert box.state == new_game(players=4, seed=3, first_player=2, target=5)
    assert [seat.name for seat in box.seats] == ["a", "b", "c", "d"]


def test_positions_of_real_games_and_puzzles_are_all_accepted() -> None:
    for seed, players in enumerate((2, 3, 4)):
        for state in play_game(["greedy"] * players, seed=seed).states():
            assert checked(state) is state
    for one in puzzles()[::3]:
        assert sandbox(one.state).state == one.state


@pytest.mark.parametrize(
    ("call", "kind", "said"),
    [
        (lambda: sandbox(new_game(seed=1), seed=2), TypeError, "leave out 'seed'"),
        (lambda: sandbox(new_game(seed=1), target=5), TypeError, "leave out 'target'"),
        (lambda: sandbox(new_game(seed=1).observation(0)), TypeError, "what one seat knows"),
        (lambda: sandbox(5), TypeError, "takes a State"),
        (lambda: sandbox(players=5), ValueError, "from 2 to 4"),
        (lambda: sandbox(names=["a"]), ValueError, "for each of 2 seats"),
        (lambda: sandbox(ui="film"), ValueError, "ui is one of"),
        (lambda: sandbox(size="huge"), ValueError, "size is one of"),
        (lambda: sandbox(dir="up"), ValueError, "dir is one of"),
        (lambda: sandbox(language="xx"), ValueError, "no language"),
        (lambda: sandbox(colour="red"), (TypeError, ValueError), "colour"),
    ],
)
def test_what_cannot_be_opened_is_refused_in_a_sentence(
    call: Callable[[], object], kind: Any, said: str
) -> None:
    with pytest.raises(kind, match=said):
        call()


# --- taking back


def test_decisions_are_taken_back_one_by_one(box: SandboxSession) -> None:
    start = box.state
    act(box, "take WUG", "take WUR")
    box.take_back()
    assert box.state == start.apply("take WUG")
    act(box, "reserve L1")
    box.take_back(2)
    assert box.state == start
    assert not box.can_take_back


def test_no_more_is_taken_back_than_there_is(box: SandboxSession) -> None:
    act(box, "take WUG")
    after = box.state
    with pytest.raises(ValueError, match="nothing left"):
        box.take_back(2)
    with pytest.raises(ValueError, match="from 1"):
        box.take_back(0)
    assert box.state is after


def test_a_finished_game_goes_on_after_taking_back() -> None:
    record = play_game(["greedy", "greedy"], seed=3)
    box = sandbox(record)
    assert box.view()["result"] is not None
    box.take_back()
    assert box.result is None
    assert box.view()["interactive"]
    act(box, record.actions[-1])
    assert box.view()["result"] is not None


def test_rematch_at_the_end_goes_back_to_the_start() -> None:
    record = play_game(["greedy", "greedy"], seed=3)
    box = sandbox(record)
    send(box, "rematch")
    assert box.state == record.start
    box.take_back()
    assert box.state == record.state


def test_changes_by_hand_are_taken_back_too(box: SandboxSession) -> None:
    before = box.state
    box.set_up(tokens={0: "2W"})
    box.paste(sandbox(players=3, seed=2).to_text())
    assert box.state.players == len(box.seats) == len(box.view()["seats"]) == 3
    box.take_back()
    assert box.state.seats[0].tokens["W"] == 2
    box.take_back()
    assert box.state == before
    assert len(box.seats) == 2


def test_a_new_deal_can_be_had_and_taken_back(box: SandboxSession) -> None:
    before = box.state
    box.new_game(seed=8)
    assert box.state == new_game(seed=8)
    box.take_back()
    assert box.state == before
    with pytest.raises(TypeError, match="seats of a sandbox"):
        box.new_game(box.table)


# --- branches


def test_a_branch_is_returned_to_with_the_way_to_it(box: SandboxSession) -> None:
    act(box, "take WUG")
    assert box.branch("here") == "here"
    here = box.state
    act(box, "take WUR")
    box.return_to("here")
    assert box.state == here
    assert box.course.actions == ("take WUG",)
    act(box, "reserve L1")
    assert box.branches["here"] == here
    box.return_to("here")
    assert box.state == here


def test_what_was_played_after_a_branch_is_not_lost(box: SandboxSession) -> None:
    box.branch("start")
    act(box, "take WUG")
    played = box.state
    box.return_to("start")
    box.take_back()
    assert box.state == played


def test_branches_get_names_of_their_own(box: SandboxSession) -> None:
    assert [box.branch(), box.branch(), box.branch("  my   way ")] == [
        "Branch 1",
        "Branch 2",
        "my way",
    ]
    assert repr(box).startswith("<sandbox, branches: 'Branch 1', 'Branch 2', 'my way'>")
    assert list(box.branches) == ["Branch 1", "Branch 2", "my way"]


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("here", ValueError, "already"),
        ("", ValueError, "1 to 40"),
        ("x" * 41, ValueError, "1 to 40"),
        (3, TypeError, "is a text"),
    ],
)
def test_names_that_branches_cannot_have(
    box: SandboxSession, name: Any, kind: type[Exception], said: str
) -> None:
    box.branch("here")
    with pytest.raises(kind, match=said):
        box.branch(name)
    assert list(box.branches) == ["here"]


def test_a_branch_that_is_not_there_is_refused(box: SandboxSession) -> None:
    with pytest.raises(ValueError, match="none yet"):
        box.return_to("x")
    box.branch("here")
    with pytest.raises(ValueError, match="there are: 'here'"):
        box.return_to(["here"])  # type: ignore[arg-type]


# --- set up


def test_the_bank_holds_what_the_seats_do_not(box: SandboxSession) -> None:
    box.set_up(tokens={0: "2W K *", 1: {"W": 1}})
    assert dict(box.state.seats[0].tokens) == {"W": 2, "U": 0, "G": 0, "R": 0, "K": 1, "*": 1}
    assert dict(box.state.bank) == {"W": 1, "U": 4, "G": 4, "R": 4, "K": 3, "*": 4}


def test_cards_come_from_wherever_they_lie_and_slots_are_refilled(box: SandboxSession) -> None:
    before = box.state
    mine, unseen = before.market[0][0], before.deck(2)[3]
    box.set_up(bought={0: mine.name}, reserved={1: f"?{unseen.name}"})
    state = box.state
    assert names(state.seats[0].bought) == [mine.name]
    assert state.seats[1].hidden == (True,)
    assert names(state.seats[1].reserved) == [unseen.name]
    assert state.market[0][0] == before.deck(1)[0]
    assert state.deck_sizes == (35, 25, 16)


def test_the_market_and_the_next_cards_are_as_asked_for(box: SandboxSession) -> None:
    displaced = box.state.market[0]
    box.set_up(market={1: "1W1 1U1 1G1 1R1"}, decks={1: ["1K1", "1K2"]})
    assert names(box.state.market[0]) == ["1W1", "1U1", "1G1", "1R1"]
    deck = names(box.state.deck(1))
    assert deck[:2] == ["1K1", "1K2"]
    assert set(names(displaced)) - {"1W1", "1U1", "1G1", "1R1"} <= set(deck)


def test_next_cards_stay_next_where_a_slot_is_refilled(box: SandboxSession) -> None:
    before = box.state
    top, first = before.deck(1)[0].name, before.market[0][0].name
    box.set_up(decks={1: top}, bought={0: first})
    assert box.state.deck(1)[0].name == top
    assert box.state.market[0][0] == before.deck(1)[1]


def test_bonuses_bring_cards_that_give_them(box: SandboxSession) -> None:
    box.set_up(bonuses={0: "3W U"})
    assert dict(box.state.seats[0].bonuses) == {"W": 3, "U": 1, "G": 0, "R": 0, "K": 0}
    assert box.state.seats[0].points == 0
    kept = names(box.state.seats[0].bought)
    box.set_up(bonuses={0: "W 2K"})
    assert dict(box.state.seats[0].bonuses) == {"W": 1, "U": 0, "G": 0, "R": 0, "K": 2}
    assert names(box.state.seats[0].bought)[0] == kept[0]


def test_nobles_move_to_seats_and_others_come(box: SandboxSession) -> None:
    box.set_up(bonuses={0: "3W 3U 3K"}, visits={0: "KUW"})
    assert names(box.state.seats[0].nobles) == ["WUK"]
    assert len(box.state.nobles) == 2
    box.set_up(visits={0: ""}, nobles="WU RK GR")
    assert names(box.state.seats[0].nobles) == []
    assert set(names(box.state.nobles)) == {"WU", "RK", "GR"}


@pytest.mark.parametrize("mover", [0, 1, 2])
def test_whoever_is_to_move_moves_in_the_same_round(mover: int) -> None:
    box = sandbox(players=3, seed=7, first_player=1)
    act(box, "take WUG")
    box.set_up(current_player=mover)
    assert box.state.current_player == mover
    assert (box.state.turn + 1) % 3 == mover
    box.set_up(turn=30)
    assert (box.state.turn, box.state.current_player) == (30, 1)


def test_a_set_up_begins_the_turn_but_for_tokens_to_return() -> None:
    box = sandbox(returning())
    box.set_up(bonuses={1: "W"})
    assert box.state.phase == "return"
    box.set_up(tokens={0: "2W"})
    assert box.state.phase == "main"


def test_rule_options_are_set_up(box: SandboxSession) -> None:
    box.set_up(target=3, unseen_reserve="off")
    assert box.state.rules.target == 3
    assert box.solve(turns=1).solved
    box.set_up(gold="four_only")
    assert box.state.bank["*"] == 0


def test_plain_controls_play_in_a_sandbox(box: SandboxSession) -> None:
    plain = PlainControls(box, None)
    plain.kind.value = "reserve"
    plain.action.value = "reserve L3"
    plain.play.click()
    assert names(box.state.seats[0].reserved)[0] in plain.text.value
    assert "Sandbox. " in plain.status.value


def test_tables_of_ones_own_are_set_up_too() -> None:
    box = sandbox(tiny_games()["surprise"].start)
    card = box.state.market[0][0]
    box.set_up(bought={0: [card.name]}, current_player=1)
    assert names(box.state.seats[0].bought) == [card.name]


WRONG = {
    "30 tokens in the bank": ({"bank": "30W"}, r"hold 30 W tokens.*\[R2, R3\]"),
    "30 tokens at a seat": ({"tokens": {0: "30W"}}, r"hold 30 white tokens.*4 \[R2, R3\]"),
    "11 tokens at a seat": ({"tokens": {0: "3W 3U 3G 2R"}}, r"\[R13\]"),
    "a gem of no color": ({"tokens": {0: "2W X"}}, "'X' is no gem"),
    "tokens of no kind": ({"tokens": {0: 5}}, "gems are letters"),
    "tokens of no seat": ({"tokens": {2: "W"}}, "key of tokens .* from 0 to 1"),
    "tokens of nobody": ({"tokens": "WW"}, "tokens is a mapping"),
    "less than nothing": ({"tokens": {0: {"W": -1}}}, "from 0"),
    "gold as a bonus": ({"bonuses": {0: "*"}}, "none of WUGRK"),
    "too many bonuses": ({"bonuses": {0: "19W"}}, "The decks hold .* white bonus"),
    "two truths about bonuses": ({"bonuses": {0: "2W"}, "bought": {0: "1W1"}}, "name one of both"),
    "a card twice": ({"bought": {0: "1W1", 1: "1W1"}}, r"Card 1W1 is put there twice: .*seat 1"),
    "a card twice at a seat": ({"bought": {0: "1W1 1W1"}}, r"twice: in the bought cards of seat 0"),
    "a card of no name": ({"bought": {0: "9Z9"}}, "no card '9Z9'"),
    "cards of no kind": ({"bought": {0: 9}}, "names are one text"),
    "a name of no kind": ({"bought": {0: [9]}}, "a name is a text"),
    "four reserved": ({"reserved": {0: "1W1 1W2 1W3 1W4"}}, "at most 3"),
    "three slots": ({"market": {1: "1W1 1W2 1W3"}}, "has 4 slots, not 3"),
    "a level in another's market": ({"market": {1: "2W1 1W2 1W3 1W4"}}, "is of level 2, not 1"),
    "a level in another's deck": ({"decks": {3: "2W1"}}, "cannot hold 2W1"),
    "an empty slot": ({"market": {1: "1W1 1W2 1W3 -"}}, r"an empty slot, but its deck .*\[R12\]"),
    "a noble of no name": ({"nobles": "WX"}, "no noble 'WX'"),
    "too few nobles": ({"nobles": "WUK"}, r"hold 1 nobles, not 3 \[R5\]"),
    "a noble twice": ({"nobles": "WUK WUK RK"}, "twice"),
    "a noble at two seats": ({"visits": {0: "RK", 1: "KR"}}, r"at seat 0 too \[R14\]"),
    "a noble too early": ({"visits": {0: "WUK"}}, r"cannot have visited seat 0.*3 white.*\[R14\]"),
    "no seat to move": ({"current_player": 2}, "from 0 to 1"),
    "a mover that does not fit": ({"current_player": 1, "turn": 0}, "current_player is 0"),
    "past the limit": ({"turn": 1000}, r"turn_limit 1000 \[R17\]"),
    "a wish of no name": ({"weather": "fine"}, "'weather' is nothing that can be set up"),
    "an option of no value": ({"target": 0}, "target"),
    "unseen where it is off": (
        {"unseen_reserve": "off", "reserved": {0: "?1W1"}},
        r"unseen_reserve is off \[R9\]",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_set_up_is_refused_in_a_sentence_and_changes_nothing(
    box: SandboxSession, name: str
) -> None:
    wishes, said = WRONG[name]
    before, version = box.state, box.version
    with pytest.raises((TypeError, ValueError), match=said) as caught:
        box.set_up(**wishes)
    assert str(caught.value).rstrip().endswith((".", ")"))
    assert "\n" not in str(caught.value)
    assert (box.state, box.version) == (before, version)
    assert not box.can_take_back


def test_a_game_whose_last_round_is_over_cannot_go_on(box: SandboxSession) -> None:
    with pytest.raises(RecordError, match=r"Seat 0 has 5 points, and the round is over.*\[R15\]"):
        box.set_up(bought={0: _worth(box.state, 5)}, target=5)
    box.set_up(bought={0: _worth(box.state, 5)}, target=5, current_player=1)
    assert box.view()["last_round"]


def _worth(state: State, points: int) -> str:
    """A card of so many points."""
    cards = state.tables.components.cards
    return next(card.name for card in cards if card.points == points)


# --- text


def test_a_position_goes_to_text_and_back(box: SandboxSession) -> None:
    for state in list(play_game(["greedy", "random"], seed=2).states())[::9]:
        box.paste(write_text(state))
        assert box.state == state


def test_a_saved_game_is_pasted_with_its_course(box: SandboxSession) -> None:
    record = play_game(["greedy", "random"], seed=2)
    box.paste(json.dumps(record.to_dict()))
    assert box.course.actions == record.actions
    box.take_back()
    assert box.result is None


def _text(**parts: Any) -> str:
    return json.dumps({**new_game(seed=7).to_dict(), **parts})


TWICE = new_game(seed=7).to_dict()
TWICE["decks"][0][1] = TWICE["decks"][0][0]
BROKEN = {
    "nothing": ("", "There is no text"),
    "spaces": (" \n", "There is no text"),
    "words": ("take WUG", "line 1 is no JSON"),
    "cut": (_text()[:700], "breaks off before its end"),
    "cut in a word": (_text()[:12], "no position"),
    "a number": ("12", "it has no format"),
    "a list": ("[]", "it has no format"),
    "no format": ("{}", "it has no format"),
    "another format": ('{"format": "chess"}', "field 'rules' is missing"),
    "nested": ("[" * 100_000, "nested too deep"),
    "a long number": ('{"format": 1' + "0" * 5000 + "}", "too long"),
    "too long": ("x" * 2_000_001, "at most 2,000,000 letters"),
    "what one seat knows": (
        json.dumps(new_game(seed=7).observation(0).to_dict()),
        "what one seat knows",
    ),
    "30 tokens": (_text(bank={"W": 30, "U": 4, "G": 4, "R": 4, "K": 4, "*": 5}), "30 W tokens"),
    "a card twice": (json.dumps(TWICE), "is there 2 times"),
    "too few cards": (_text(decks=[[], [], []]), r"hold 4 cards of level 1.*\[R4\]"),
    "no seats": (_text(seats=[]), "seats has 2 entries, not 0"),
    "another mover": (_text(current_player=1), "current_player is 0"),
    "markup": ("<script>alert(1)</script>", "line 1 is no JSON"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_text_is_refused_in_a_sentence_and_changes_nothing(
    box: SandboxSession, name: str
) -> None:
    text, said = BROKEN[name]
    before = box.state
    with pytest.raises(RecordError, match=said) as caught:
        box.paste(text)
    assert len(str(caught.value)) < 300
    assert box.state is before
    assert not box.can_take_back


def test_only_text_is_pasted(box: SandboxSession) -> None:
    with pytest.raises(TypeError, match="pasted as text"):
        box.paste(b"{}")  # type: ignore[arg-type]


# --- asking


def test_a_tiny_game_is_solved() -> None:
    box = sandbox(tiny_games()["surprise"].start)
    box.asks.ask(box.state, "solve")
    box.asks.wait(PATIENCE_S)
    answer = box.asks.answer
    assert answer is not None
    assert "Solved: seat 0 gets 3/4 of a win and seat 1 gets 1/4 of a win" in answer.text
    assert answer.rows[0] == ("take WU", "3/4")


def test_what_is_not_solved_is_not_claimed(box: SandboxSession) -> None:
    box.asks.ask(box.state, "solve", open_decks=True, positions=50)
    box.asks.wait(PATIENCE_S)
    assert box.asks.answer is not None
    assert box.asks.answer.text.startswith("Not solved: the search stopped after 50 positions.")
    assert box.asks.answer.rows == ()


def test_what_cannot_be_asked_is_answered_with_the_reason(box: SandboxSession) -> None:
    box.asks.ask(box.state, "solve")
    box.asks.wait(PATIENCE_S)
    assert "unseen_reserve='off'" in str(box.asks.answer)
    finished = sandbox(over())
    for question in ("solve", "forced_win", "analyze"):
        finished.asks.ask(finished.state, question)
        finished.asks.wait(PATIENCE_S)
        assert "The game is over" in str(finished.asks.answer)
    with pytest.raises(ValueError, match="A question is one of"):
        box.asks.ask(box.state, "why")


def test_a_forced_win_is_told_with_its_line() -> None:
    one = puzzles(turns=2)[0]
    box = sandbox(one.state)
    box.asks.ask(box.state, "forced_win", turns=2)
    box.asks.wait(PATIENCE_S)
    assert box.asks.answer is not None
    first, *line = box.asks.answer.text.splitlines()
    assert first.startswith(f"Seat {one.seat} wins within 2 of its turns")
    assert line[0] == str(one.win().turn)
    assert box.forced_win(2)


def test_no_forced_win_and_an_undecided_one_differ(box: SandboxSession) -> None:
    box.asks.ask(box.state, "forced_win", turns=1)
    box.asks.wait(PATIENCE_S)
    assert str(box.asks.answer and box.asks.answer.text) == (
        "Seat 0 has no forced win within this turn."
    )
    late = sandbox(puzzles(turns=3)[0].state)
    late.asks.ask(late.state, "forced_win", turns=3, positions=1)
    late.asks.wait(PATIENCE_S)
    assert "Not decided within 1 positions" in str(late.asks.answer)


def test_a_position_is_analyzed_from_what_its_seat_knows() -> None:
    box, other = sandbox(seed=7), sandbox(new_game(seed=7).observation(0).determinize(5))
    tables = [one.analyze(agent="search", iterations=200) for one in (box, other)]
    assert tables[0].equals(tables[1])
    box.asks.ask(box.state, "analyze", agent="search", iterations=200)
    box.asks.wait(PATIENCE_S)
    assert box.asks.answer is not None
    assert box.asks.answer.rows[0][0] == tables[0]["action"][0]
    assert "an estimate, not a proof" in box.asks.answer.text


class Gate:
    """Stands in place of `solve`, and answers when it is told to."""

    def __init__(self) -> None:
        self.begun, self.may_end = threading.Event(), threading.Event()

    def __call__(self, state: State, **limits: Any) -> Any:
        self.begun.set()
        assert self.may_end.wait(PATIENCE_S)
        return solve_module.solve(state, **limits)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    gate = Gate()
    monkeypatch.setattr(sandbox_asks, "solve", gate)
    yield gate
    gate.may_end.set()


def test_the_kernel_is_free_while_an_answer_is_looked_for(gate: Gate) -> None:
    box = sandbox(tiny_games()["blackboard"].start)
    tools = SandboxTools(box)
    tools.ask.solve.click()
    assert gate.begun.wait(PATIENCE_S)
    assert box.asks.is_running
    assert "Looking for an answer" in tools.ask.answer.value
    assert not tools.ask.stop.disabled
    asked = box.state
    box.act(box.state.legal_actions()[0])  # the game goes on meanwhile
    gate.may_end.set()
    box.asks.wait(PATIENCE_S)
    assert box.asks.state == asked
    assert "Solved" in tools.ask.answer.value
    assert "another position than the one on the board" in tools.ask.answer.value
    box.take_back()
    assert "another position" not in tools.ask.answer.value


def test_a_stopped_question_gets_no_answer_later(gate: Gate) -> None:
    box = sandbox(tiny_games()["blackboard"].start)
    tools = SandboxTools(box)
    tools.ask.solve.click()
    assert gate.begun.wait(PATIENCE_S)
    tools.ask.stop.click()
    assert "Stopped, without an answer." in tools.ask.answer.value
    assert tools.ask.stop.disabled
    gate.may_end.set()
    box.asks.wait(PATIENCE_S)
    assert "Stopped" in tools.ask.answer.value


def test_the_last_question_is_the_one_that_is_answered(gate: Gate) -> None:
    state = tiny_games()["blackboard"].start
    asks = Asks(sandbox(state).words, lambda: None)
    asks.ask(state, "solve")
    assert gate.begun.wait(PATIENCE_S)
    asks.ask(state, "forced_win")
    asks.wait(PATIENCE_S)
    gate.may_end.set()
    assert asks.answer is not None
    assert "wins within" in asks.answer.text


# --- the controls


def test_the_bar_takes_back_and_keeps_branches(box: SandboxSession) -> None:
    bar = SandboxBar(box)
    assert bar.back.disabled
    assert bar.start.disabled
    assert bar.go.disabled
    act(box, "take WUG")
    bar.name.value = "mine"
    bar.keep.click()
    assert "Kept as mine." in bar.said.value
    act(box, "take WUR")
    bar.back.click()
    assert box.state.turn == 1
    assert "Taken back." in bar.said.value
    act(box, "take WUR")
    assert bar.said.value == ""
    bar.go.click()
    assert box.state == box.branches["mine"]
    bar.name.value = "mine"
    bar.keep.click()
    assert "already" in bar.said.value
    bar.start.click()
    assert box.state == new_game(seed=7)


def test_names_of_branches_are_shown_as_text(box: SandboxSession) -> None:
    bar = SandboxBar(box)
    bar.name.value = "<b>x</b>"
    bar.keep.click()
    assert "&lt;b&gt;x&lt;/b&gt;" in bar.said.value


def test_the_form_follows_the_board_and_sends_only_what_is_changed(box: SandboxSession) -> None:
    set_up = SandboxTools(box).set_up
    form = set_up.form
    assert form.wishes() == {}
    act(box, "take WUG")
    assert form.fields["tokens", 0].value == "1W 1U 1G"
    assert form.fields["current_player", None].value == 1
    form.fields["tokens", 0].value = "2W *"
    form.fields["bonuses", 1].value = "2K"
    assert form.wishes() == {"tokens": {0: "2W *"}, "bonuses": {1: "2K"}}
    set_up.apply.click()
    assert box.state.seats[0].tokens["*"] == 1
    assert box.state.seats[1].bonuses["K"] == 2
    assert "is set up" in set_up.said.value
    assert form.wishes() == {}
    set_up.apply.click()
    assert "Nothing is changed" in set_up.said.value


def test_the_form_sets_every_part(box: SandboxSession) -> None:
    form = SandboxTools(box).set_up.form
    state = list(play_game(["greedy", "greedy"], seed=4).states())[50]
    assert state.phase == "main"
    other = SandboxTools(sandbox(state)).set_up.form
    for key, field in other.fields.items():
        form.fields[key].value = field.value
        if key[0] == "bonuses":
            form.fields[key].value = form.filled[key]
    for key, field in other.slots.items():
        form.slots[key].value = field.value
    box.set_up(**form.wishes())
    assert box.state.seats == state.seats
    assert box.state.market == state.market
    assert box.state.nobles == state.nobles
    assert box.state.bank == state.bank
    assert box.state.turn == state.turn
    assert box.state.deck_sizes == state.deck_sizes


def test_a_wrong_form_says_why_and_keeps_what_was_written(box: SandboxSession) -> None:
    set_up = SandboxTools(box).set_up
    set_up.form.fields["tokens", 0].value = "30W"
    set_up.apply.click()
    assert "[R2, R3]" in set_up.said.value
    assert set_up.form.fields["tokens", 0].value == "30W"
    assert box.state == new_game(seed=7)
    set_up.again.click()
    assert set_up.form.fields["tokens", 0].value == ""


def test_an_answer_leaves_what_is_half_written(box: SandboxSession) -> None:
    tools = SandboxTools(box)
    tools.set_up.form.fields["tokens", 0].value = "2W"
    tools.text.area.value = "{"
    box.asks.ask(box.state, "forced_win", turns=1)
    box.asks.wait(PATIENCE_S)
    assert "no forced win" in tools.ask.answer.value
    assert tools.set_up.form.fields["tokens", 0].value == "2W"
    assert tools.text.area.value == "{"


def test_the_form_grows_with_the_seats(box: SandboxSession) -> None:
    form = SandboxTools(box).set_up.form
    box.paste(sandbox(players=4, seed=1).to_text())
    assert ("tokens", 3) in form.fields
    box.take_back()
    assert ("tokens", 3) not in form.fields


def test_text_is_copied_and_read(box: SandboxSession) -> None:
    text = SandboxTools(box).text
    act(box, "take WUG")
    kept = text.area.value
    assert text.copy.text == kept == box.to_text()
    act(box, "take WUR")
    text.area.value = kept[:100]
    text.read.click()
    assert "breaks off" in text.said.value
    assert text.area.value == kept[:100]
    text.area.value = kept
    text.read.click()
    assert box.to_text() == kept
    assert "is read" in text.said.value


def test_turns_are_a_number_or_nothing(box: SandboxSession) -> None:
    ask = SandboxTools(box).ask
    ask.turns.value = "many"
    ask.solve.click()
    assert "not &#x27;many&#x27;" in ask.said.value
    assert box.asks.state is None


def test_it_needs_none_of_the_heavy_libraries() -> None:
    code = (
        "from splendor_nb.board.sandbox import sandbox\n"
        "from splendor_nb.board.sandbox_controls import SandboxTools\n"
        "box = sandbox(seed=7)\n"
        "tools = SandboxTools(box)\n"
        "box.set_up(tokens={0: '2W'})\n"
        "print(box.forced_win(1).decided)"
    )
    assert last_word_without_heavy_libraries(code) == "True"


# --- in a real JupyterLab


def test_a_sandbox_is_worked_with_in_jupyterlab(desk: Desk) -> None:
    cells = [
        "from splendor_nb.board.sandbox import sandbox\none = sandbox(seed=7)",
        "two = sandbox(players=3, seed=8, dir='rtl')",
    ]
    desk.run(*cells, boards=2)
    board, output = desk.board(0), desk.output(0)
    assert board.root.get_by_text("Sandbox · round 1").is_visible()
    board.click("pile-W", "pile-U", "pile-G", "confirm")
    board.wait_for_lines(1)
    output.get_by_role("button", name="Keep branch").click()
    output.get_by_text("Kept as Branch 1.").wait_for()
    board.click("pile-W", "pile-U", "pile-R", "confirm")
    board.wait_for_lines(2)
    output.get_by_role("button", name="Take back").click()
    output.get_by_text("Taken back.", exact=True).wait_for()
    assert len(board.log) == 1
    output.get_by_role("tab", name="Set up").click()
    tokens = output.get_by_role("textbox", name="Tokens").first
    tokens.fill("30W")
    tokens.press("Tab")
    output.get_by_role("button", name="Set up", exact=True).click()
    output.get_by_text("[R2, R3]").wait_for()
    tokens.fill("3W")
    tokens.press("x")  # no command of the notebook
    tokens.fill("3W")
    tokens.press("Tab")
    output.get_by_role("button", name="Set up", exact=True).click()
    output.get_by_text("The position is set up").wait_for()
    assert board.log == []
    output.get_by_role("button", name="Return to it").click()
    board.wait_for_lines(1)
    output.get_by_role("tab", name="Ask").click()
    output.get_by_role("button", name="Forced win").click()
    output.get_by_text("Seat 1 has no forced win within 2 of its turns.").wait_for()
    output.get_by_role("tab", name="As text").click()
    area = output.locator("textarea").last
    area.fill('{"format": "splendor-nb-position/1", ')
    output.get_by_role("button", name="Read this text").click()
    output.get_by_text("it breaks off before its end").wait_for()
    assert desk.board(1).root.get_attribute("dir") == "rtl"
    assert desk.board(1).log == []
    assert len(desk.cells()) == 2
    assert desk.strangers == []
