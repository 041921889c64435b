"""Puzzles on the board: tries, refutations, hints, replies; and one solved in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from lab import Desk
from scripts import last_word_without_heavy_libraries

from splendor_nb import IllegalActionError, NotationError
from splendor_nb.analysis.forced_win import forced_win
from splendor_nb.analysis.puzzles import Puzzle, puzzles
from splendor_nb.board.board import Board
from splendor_nb.board.puzzle import PuzzlePanel, PuzzleSession, WrongTryError, show_puzzle

if TYPE_CHECKING:
    pass

SHORT, LONG = puzzles(turns=1)[0], puzzles(turns=2)[0]
SAMPLE = [*puzzles(turns=1)[::4], *puzzles(turns=2)[::4], *puzzles(turns=3)[::6]]


def wrong_for(one: Puzzle) -> str:
    return next(str(action) for action in one.state.legal_actions() if action != one.solution)


def solve(session: PuzzleSession) -> None:
    """Solve a puzzle by asking for the last hint of every decision."""
    while not session.state.is_terminal():
        for _ in range(3):
            session.hint()
        session.act(session.told.removeprefix("Play: ").removesuffix("."))


# --- tries


def test_a_wrong_try_is_refuted_counted_and_not_done() -> None:
    session = PuzzleSession(LONG)
    with pytest.raises(WrongTryError, match=r"does not win\. Then"):
        session.act(wrong_for(LONG))
    assert session.tries == 1
    assert session.state == LONG.state
    assert "1 wrong try so far" in session.status()


def test_the_right_action_is_done() -> None:
    session = PuzzleSession(SHORT)
    session.act(SHORT.solution)
    assert session.state != SHORT.state
    assert session.tries == 0


def test_what_is_not_allowed_is_no_try() -> None:
    session = PuzzleSession(LONG)
    with pytest.raises(IllegalActionError):
        session.act("pass")
    with pytest.raises(NotationError):
        session.act("win")
    assert session.tries == 0


@pytest.mark.parametrize("one", SAMPLE, ids=lambda one: one.name)
def test_a_puzzle_is_solved_in_its_turns_whatever_the_reply(one: Puzzle) -> None:
    session = PuzzleSession(one)
    assert session.turns_left == one.turns
    solve(session)
    assert session.is_solved
    assert session.tries == 0
    played = {step.turn for step in session.course.steps if step.seat == one.seat}
    assert len(played) <= one.turns
    assert session.status() == "Solved, with no wrong tries."


@pytest.mark.parametrize("one", puzzles(turns=3)[:3], ids=lambda one: one.name)
def test_turns_are_counted_down_and_the_win_stays_forced(one: Puzzle) -> None:
    session = PuzzleSession(one)
    session.act(one.solution)
    while session.state.turn == one.state.turn:
        session.act(forced_win(session.state, session.turns_left).turn)
    assert session.state.current_player == one.seat
    assert session.turns_left == 2
    assert forced_win(session.state, 2)


def test_the_others_reply_so_that_the_usual_answer_fails() -> None:
    one = puzzles(turns=2)[1]  # its line has an answer of its own to each of three replies
    usual = max(one.win().line.answers, key=lambda answer: len(answer[0]))
    session = PuzzleSession(one)
    solve(session)
    reply = next(step.action for step in session.course.steps if step.seat != one.seat)
    assert str(reply) not in usual[0]


# --- hints


def test_hints_say_more_each_time_and_begin_anew_at_the_next_decision() -> None:
    session = PuzzleSession(LONG)
    assert session.hint() == LONG.hint(1)
    assert session.hint() == LONG.hint(2)
    assert session.hint() == session.hint() == LONG.hint(3)
    session.act(LONG.solution)
    assert session.hints == 0
    assert session.told == ""


def test_a_new_start_keeps_the_count_of_tries() -> None:
    session = PuzzleSession(SHORT)
    with pytest.raises(WrongTryError):
        session.act(wrong_for(SHORT))
    solve(session)
    session.new_game()
    assert session.state == SHORT.state
    assert (session.tries, session.told) == (1, "")


# --- on the page


def test_a_wrong_try_on_the_board_shows_the_refutation_there() -> None:
    session = PuzzleSession(LONG)
    board = Board(session)
    wrong = wrong_for(LONG)
    board._hear(board, {"type": "act", "action": wrong, "version": session.version}, [])
    assert session.tries == 1
    assert "does not win" in board.view["error"]
    assert session.state == LONG.state
    board._hear(board, {"type": "act", "action": LONG.solution, "version": session.version}, [])
    assert session.state != LONG.state


def test_the_panel_asks_counts_and_hints() -> None:
    session = PuzzleSession(SHORT)
    panel = PuzzlePanel(session)
    assert "within one turn" in panel.task.value
    panel.hint.click()
    assert SHORT.hint(1) in panel.line.value
    with pytest.raises(WrongTryError):
        session.act(wrong_for(SHORT))
    assert "1 wrong try" in panel.line.value
    assert "does not win" not in panel.line.value  # the board says that
    solve(session)
    assert "Solved" in panel.line.value
    assert panel.hint.disabled
    assert "run this cell" in repr(panel)


def test_the_board_shows_what_the_solver_knows() -> None:
    other = Puzzle(
        LONG.name, LONG.turns, LONG.grade, LONG.observation.determinize(3), LONG.solution
    )
    assert PuzzleSession(other).view() == PuzzleSession(LONG).view()


def test_it_is_shown_without_a_notebook_too() -> None:
    session = show_puzzle(SHORT)
    assert session.state == SHORT.state
    with pytest.raises(TypeError, match="a puzzle, not '1-01'"):
        show_puzzle("1-01")  # type: ignore[arg-type]


def test_puzzles_need_none_of_the_heavy_libraries() -> None:
    code = (
        "from splendor_nb.analysis.puzzles import puzzles\n"
        "from splendor_nb.board.puzzle import show_puzzle\n"
        "session = show_puzzle(puzzles(turns=1)[0])\n"
        "session.act(session.puzzle.solution)\n"
        "print(session.tries)"
    )
    assert last_word_without_heavy_libraries(code) == "0"


# --- in a real JupyterLab


def click(board: Any, action: str) -> None:
    """Do an action by clicks: a card first, then what to do with it, or gems one by one."""
    kind, _, what = action.partition(" ")
    if kind == "take":
        board.click(*[f"pile-{gem}" for gem in what], "confirm")
    else:
        board.root.locator(f'button.spl-card[aria-label*="card {what},"]').click()
        board.root.locator(f'[data-key="{action}"]').click()


def test_a_puzzle_is_solved_in_jupyterlab(desk: Desk) -> None:
    one = puzzles(turns=2)[2]
    cell = (
        "from splendor_nb.analysis.puzzles import puzzles\n"
        "from splendor_nb.board.puzzle import show_puzzle\n"
        "session = show_puzzle(puzzles(turns=2)[2], speed='instant')"
    )
    board = desk.run(cell).board()
    panel = desk.output(0)
    assert "wins within two turns" in panel.inner_text()
    panel.get_by_role("button", name="Hint").click()
    panel.get_by_text(one.hint(1)).wait_for()
    wrong = next(action for action in one.state.legal_actions() if action.kind == "take")
    click(board, wrong)
    board.root.get_by_text("does not win").first.wait_for()
    assert board.log == []
    click(board, one.solution)
    board.wait_for_lines(2)
    click(board, one.win().line.answers[0][1].turn)
    board.root.locator(".spl-result").wait_for()
    panel.get_by_text("Solved, with 1 wrong try.").wait_for()
    assert desk.strangers == []
