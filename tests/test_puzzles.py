"""The puzzles: what they are, how tries are answered, and their proofs, made again more slowly."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from positions import components, new_card, position

from splendor_nb import IllegalActionError, NotationError, RecordError, State, new_game
from splendor_nb.analysis import make_puzzles
from splendor_nb.analysis.budget import Budget
from splendor_nb.analysis.forced_win import forced_win
from splendor_nb.analysis.forcing import Forcing
from splendor_nb.analysis.puzzles import (
    FILE,
    Puzzle,
    all_puzzles,
    hint,
    puzzle,
    puzzles,
    read_puzzles,
    write_puzzles,
)
from splendor_nb.engine import rules
from splendor_nb.engine.cards import data_folder
from splendor_nb.engine.notation import Action, read_action
from splendor_nb.engine.position import Position, Tables

ALL = all_puzzles()
every_one = pytest.mark.parametrize("one", ALL, ids=lambda one: one.name)


# --- what they are


def test_there_are_at_least_thirty_of_all_three_lengths() -> None:
    lengths = Counter(one.turns for one in ALL)
    assert len(ALL) >= 30
    assert set(lengths) == {1, 2, 3}
    assert min(lengths.values()) >= 10
    assert len({one.grade for one in ALL}) >= 4


def test_no_two_are_from_one_game() -> None:
    assert len({one.source for one in ALL}) == len(ALL)
    assert len({one.name for one in ALL}) == len(ALL)
    assert len({one.state for one in ALL}) == len(ALL)


def test_some_are_for_more_than_two_players() -> None:
    assert {one.state.players for one in ALL} >= {2, 3}


@every_one
def test_the_task_names_who_wins_and_how_soon(one: Puzzle) -> None:
    assert one.task.startswith(f"Seat {one.state.current_player} is to play")
    assert ("one turn", "two turns", "three turns")[one.turns - 1] in one.task
    assert one.solution in one.state.legal_actions()
    assert one.observation == one.state.observation(one.seat)


def test_none_is_a_purchase_without_an_alternative() -> None:
    for one in puzzles(turns=1):
        assert len([action for action in one.state.legal_actions() if action.kind == "buy"]) > 1


@every_one
def test_the_win_is_forced_and_takes_all_its_turns(one: Puzzle) -> None:
    win = one.win()
    assert win.turns == one.turns
    assert one.check(one.solution) == ""


# --- the proofs again, slowly


class Slow:
    """A proof from the rules alone: every reply, every card, no bounds, nothing remembered.

    Only the winner's own turns are taken from the search that is checked, as one shows a proof.
    """

    def __init__(self, one: Puzzle) -> None:
        self.t: Tables = one.state.tables
        self.seat = one.seat
        self.guide = Forcing(self.t, one.seat, Budget(), open_decks=False)
        self.replies = 0

    def shows_win(self, s: Position, turns: int) -> bool:
        if s.phase == rules.OVER:
            ranks = [rules.rank(s, self.t, seat) for seat in range(s.players)]
            return all(
                rank < ranks[self.seat] for seat, rank in enumerate(ranks) if seat != self.seat
            )
        if s.current != self.seat:
            self.replies += 1
            return all(self.shows_win(after, turns) for after in self.every_reply(s, turns))
        turn = self.guide.winning_turn(s, turns) if turns else None
        if turn is None:
            return False
        for action in turn.actions:
            assert rules.why_illegal(s, self.t, action) == rules.LEGAL
            s = done(s, self.t, action)
        return self.shows_win(s, turns - 1)

    def every_reply(self, s: Position, turns: int) -> Iterator[Position]:
        """Every decision of another seat; in the last round only what can change the ranking."""
        numbers = [0] * rules.ACTIONS
        legal = numbers[: rules.legal_actions(s, self.t, numbers)]
        backs = [back for back in s.market if back > self.t.empty]
        if s.phase == rules.MAIN and turns == 0:
            legal = [action for action in legal if action >= rules.BUY] + legal[:1]
        elif s.phase == rules.MAIN and s.n_reserved[s.current] < rules.RESERVE_LIMIT:
            legal += [rules.RESERVE + s.market.index(back) for back in set(backs)]
        yield from (done(s, self.t, action) for action in legal)
        if s.phase == rules.MAIN:
            yield from self.purchases_of_any_card(s)

    def purchases_of_any_card(self, s: Position) -> Iterator[Position]:
        """A back may be any card that lies nowhere in sight, if the seat can pay it."""
        in_sight = {card for row in (s.market, *s.reserved, *s.bought) for card in row}
        rows = ((rules.BUY, s.market), (rules.BUY_RESERVED, s.reserved[s.current]))
        for first, row in rows:
            for place, back in enumerate(row):
                if back <= self.t.empty or back in row[:place]:
                    continue
                for card in self.t.decks[back - self.t.empty - 1]:
                    if card in in_sight:
                        continue
                    turned = s.copy()
                    target = turned.market if first == rules.BUY else turned.reserved[s.current]
                    target[place] = card
                    if rules.why_illegal(turned, self.t, first + place) == rules.LEGAL:
                        yield done(turned, self.t, first + place)


def done(s: Position, t: Tables, action: int) -> Position:
    after = s.copy()
    rules.apply_action(after, t, action)
    return after


SHORT = [one for one in ALL if one.turns < 3]
LONG = [one for one in ALL if one.turns == 3]


@every_one
def test_a_win_is_proven_again(one: Puzzle) -> None:
    proof = Slow(one)
    assert proof.shows_win(one.observation.numbers(), one.turns)
    assert proof.replies >= one.turns - 1


def can_win(s: Position, t: Tables, seat: int, turns: int) -> bool:
    """Whether a seat wins with these decks, that all know: every decision, nothing left out."""
    if s.phase == rules.OVER:
        ranks = [rules.rank(s, t, other) for other in range(s.players)]
        return ranks.count(max(ranks)) == 1 and ranks[seat] == max(ranks)
    if s.current == seat and turns == 0:
        return False
    numbers = [0] * rules.ACTIONS
    legal = numbers[: rules.legal_actions(s, t, numbers)]
    mine = s.current == seat
    legal.sort(reverse=True)  # purchases decide most
    ways = (
        can_win(after, t, seat, turns - (mine and after.turn > s.turn))
        for after in (done(s, t, action) for action in legal)
    )
    return any(ways) if mine else all(ways)


def loses(one: Puzzle, action: str) -> bool:
    """Whether the others can spoil a first action, with one of some decks."""
    t = one.state.tables
    for seed in range(40):
        s = one.observation.determinize(seed).numbers()
        number = read_action(s, t, action)
        assert number is not None
        after = done(s, t, number)
        if not can_win(after, t, one.seat, one.turns - (after.turn > s.turn)):
            return True
    return False


@pytest.mark.parametrize("one", SHORT, ids=lambda one: one.name)
def test_no_other_action_wins(one: Puzzle) -> None:
    others = [action for action in one.state.legal_actions() if action != one.solution]
    assert [action for action in others if not loses(one, action)] == []


@pytest.mark.slow
@pytest.mark.parametrize("one", LONG, ids=lambda one: one.name)
def test_no_other_action_wins_in_three_turns(one: Puzzle) -> None:
    others = [action for action in one.state.legal_actions() if action != one.solution]
    assert [action for action in others if not loses(one, action)] == []


# --- tries and hints


@pytest.mark.parametrize("one", ALL[::5], ids=lambda one: one.name)
def test_wrong_tries_are_refuted_in_words(one: Puzzle) -> None:
    wrong = [action for action in one.state.legal_actions() if action != one.solution]
    for action in wrong[::7]:
        assert one.check(action).startswith("Then ")


def test_a_try_that_is_not_allowed_is_refused() -> None:
    one = ALL[0]
    with pytest.raises(ValueError, match="'pass' is not allowed now"):
        one.check("pass")
    with pytest.raises(NotationError):
        one.check("win")


def test_hints_say_more_and_more() -> None:
    one = puzzles(turns=2)[0]
    assert one.hint(1) == "Buy a card."
    assert one.solution not in one.hint(2)
    assert one.solution in one.hint(3)
    with pytest.raises(ValueError, match="from 1 to 3"):
        one.hint(4)


@pytest.mark.parametrize(
    ("action", "said"),
    [
        ("take WUG", "Think of white."),
        ("reserve L2", "It is a card that nobody has seen."),
        ("reserve 2U1", "It is a card of level 2."),
        ("noble WU", "Count points and cards at the end of the round."),
        ("return *", "Think of gold."),
    ],
)
def test_the_second_hint_is_about_what_matters(action: str, said: str) -> None:
    assert hint(Action(action), 2) == said


# --- puzzles of one's own


def own_position(**changes: Any) -> State:
    parts = components(
        cards=[new_card(1, "W", "W", 1), new_card(1, "U", "W", 0), new_card(1, "G", "G", 0)],
        nobles=[],
        tokens="WU",
    )
    setting: dict[str, Any] = {"parts": parts, "target": 1, "tokens": ["W", ""]}
    return position(2, unseen_reserve="off", **(setting | changes))


def test_a_position_of_ones_own_becomes_a_puzzle() -> None:
    one = puzzle(own_position(), turns=1, name="Monday", grade=1)
    assert one.solution == "buy 1W1"
    assert "Monday" in repr(one)
    assert one.check("buy 1U1") == "Then you are not close enough to the end of the game."


@pytest.mark.parametrize(
    ("changes", "turns", "message"),
    [
        ({"tokens": ["", "W"]}, 1, "Seat 0 has no forced win within 1 of its turns"),
        ({}, 2, "Seat 0 wins within 1 of its turns, not 2"),
    ],
)
def test_what_is_no_puzzle_is_refused(changes: Any, turns: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        puzzle(own_position(**changes), turns)


def test_two_actions_that_win_are_no_puzzle() -> None:
    parts = components(
        cards=[new_card(1, "W", "W", 1), new_card(1, "U", "W", 1)], nobles=[], tokens="W"
    )
    with pytest.raises(ValueError, match="More than one first action wins: buy 1W1 and buy 1U1"):
        puzzle(own_position(parts=parts), 1)


def test_other_arguments_are_refused() -> None:
    with pytest.raises(TypeError, match="a State"):
        puzzle(own_position().observation(0), 1)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="turns is a whole number from 1 to 3"):
        puzzle(own_position(), 4)
    with pytest.raises(ValueError, match="grade is a whole number from 1 to 5"):
        puzzles(grade=0)
    with pytest.raises(ValueError, match="turns is a whole number from 1 to 3"):
        puzzles(turns=0)


# --- the file


def test_puzzles_are_written_and_read_again() -> None:
    assert read_puzzles(json.loads(json.dumps(write_puzzles(ALL, "by hand")))) == ALL


def test_the_file_names_the_command_that_made_it() -> None:
    data = json.loads((data_folder() / FILE).read_text(encoding="utf-8"))
    assert data["made_by"] == (
        f"{make_puzzles.COMMAND} --seed {make_puzzles.SEED} --wanted {make_puzzles.WANTED}"
    )


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda data: data.update(format="other"), "format is 'splendor-nb-puzzles/1'"),
        (lambda data: data.pop("puzzles"), "the field 'puzzles' is missing"),
        (lambda data: data["puzzles"][0].pop("turns"), "the field 'turns' is missing"),
        (lambda data: data["puzzles"][0]["position"].pop("bank"), "bank"),
    ],
)
def test_a_damaged_file_is_refused(spoil: Any, message: str) -> None:
    data = copy.deepcopy(write_puzzles(ALL[:1], "by hand"))
    spoil(data)
    with pytest.raises(RecordError, match=message):
        read_puzzles(data)


def test_the_command_writes_what_it_makes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(make_puzzles, "data_folder", lambda: tmp_path)
    monkeypatch.setattr(make_puzzles, "make_puzzles", lambda seed, wanted: ALL[:wanted])
    make_puzzles.main(["--seed", "3", "--wanted", "2"])
    data = json.loads((tmp_path / FILE).read_text(encoding="utf-8"))
    assert read_puzzles(data) == ALL[:2]
    assert data["made_by"].endswith("--seed 3 --wanted 2")
    assert capsys.readouterr().out.startswith("2 puzzles in ")


@pytest.mark.slow
def test_the_command_makes_the_same_puzzles_again() -> None:
    made = make_puzzles.make_puzzles(make_puzzles.SEED, 2)
    states = {one.state for one in ALL}
    assert len(made) == 6
    assert {one.state for one in made} <= states


def test_a_puzzle_that_needs_more_turns_is_harder() -> None:
    easy, hard = puzzles(turns=1)[0], puzzles(turns=3)[-1]
    assert make_puzzles.grade_of(easy.state, 1, easy.solution) == easy.grade
    assert make_puzzles.grade_of(hard.state, 3, hard.solution) == hard.grade == 5


def test_a_new_game_is_no_puzzle_and_stays_a_game() -> None:
    state = new_game(2, seed=7)
    with pytest.raises(ValueError, match="no forced win"):
        puzzle(state, 1)
    with pytest.raises(IllegalActionError):
        state.apply("pass")
    assert not forced_win(state, 1)
