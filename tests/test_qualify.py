"""The quick test for students: what it asks, what it finds, what it advises."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from splendor_nb import Observation, Rng
from splendor_nb.__main__ import main
from splendor_nb.games import qualify as the_test
from splendor_nb.games.qualify import Qualification, qualify
from splendor_nb.games.sandbox import Limits

PATIENT = Limits(move_s=60, first_move_s=120, game_s=600)
BUYS = (
    "def agent(observation, rng):\n"
    "    legal = observation.legal_actions()\n"
    "    buys = [action for action in legal if action.kind == 'buy']\n"
    "    return rng.choice(buys or legal)\n"
)
EXAMPLES = Path(__file__).parents[1] / "notebooks" / "contest_example"
QUESTIONS = [
    "Are all its actions legal?",
    "Is it fast enough?",
    "Is it better than random?",
    "Does it answer the same to the same?",
    "Does it play with 3 players?",
    "Does it play with 4 players?",
]


@pytest.fixture
def few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test of fewer games, for agents that make no difference by their strength."""
    monkeypatch.setattr(the_test, "DEALS", {2: 1, 3: 1, 4: 1})


def answers(result: Qualification) -> dict[str, bool | None]:
    return {check.question: check.passed for check in result.checks}


def told(result: Qualification, question: str) -> str:
    (check,) = (check for check in result.checks if check.question == question)
    return f"{check.finding} {check.advice}"


def buying(observation: Observation, rng: Rng) -> str:
    legal = observation.legal_actions()
    return rng.choice([action for action in legal if action.kind == "buy"] or legal)


def test_a_good_agent_of_a_cell_passes() -> None:
    result = qualify(buying, limits=PATIENT)
    assert answers(result) == dict.fromkeys(QUESTIONS, True)
    assert result.passed
    assert result.name == "buying"


def test_a_good_file_passes_in_a_process_of_its_own(tmp_path: Path, few_games: None) -> None:
    (tmp_path / "anna.py").write_text(BUYS)
    result = qualify(tmp_path / "anna.py", limits=PATIENT)
    assert list(answers(result)) == QUESTIONS
    assert answers(result) | {QUESTIONS[2]: True} == dict.fromkeys(QUESTIONS, True)
    assert qualify(str(tmp_path / "anna.py"), limits=PATIENT).name == "anna.py"


@pytest.mark.parametrize("name", ["first", "buyer", "looker", "saver", "dreamer"])
def test_the_example_agents_make_no_faults(name: str, few_games: None) -> None:
    result = qualify(EXAMPLES / f"{name}.py", limits=PATIENT)
    assert answers(result) | {QUESTIONS[2]: True} == dict.fromkeys(QUESTIONS, True)


def test_the_test_is_the_same_every_time() -> None:
    assert told(qualify("greedy"), QUESTIONS[2]) == told(qualify("greedy"), QUESTIONS[2])


def test_random_is_not_better_than_random() -> None:
    result = qualify("random", limits=PATIENT)
    assert answers(result) == {**dict.fromkeys(QUESTIONS, True), QUESTIONS[2]: False}
    assert "cannot be told apart" in told(result, QUESTIONS[2])
    assert not result.passed


def test_an_illegal_action_is_found(few_games: None) -> None:
    result = qualify(lambda observation, rng: "pass", limits=PATIENT)
    assert answers(result)[QUESTIONS[0]] is False
    words = told(result, QUESTIONS[0])
    assert "faults in 2 of 2 games, first in turn 0 of deal 0: illegal: pass:" in words
    assert "legal_actions()" in words


def test_an_agent_for_two_players_only_is_found(few_games: None) -> None:
    def agent(observation: Observation, rng: Rng) -> str:
        other = observation.seats[2 - observation.players].points  # fits two players alone
        assert observation.players == 2, other
        return buying(observation, rng)

    result = qualify(agent, limits=PATIENT)
    assert answers(result)[QUESTIONS[0]] is True
    assert answers(result)[QUESTIONS[4]] is False
    assert answers(result)[QUESTIONS[5]] is False
    assert "exception: AssertionError" in told(result, QUESTIONS[4])
    assert "observation.players" in told(result, QUESTIONS[4])


@pytest.mark.parametrize(
    "limits", [Limits(move_s=0.1, first_move_s=60), Limits(move_s=60, first_move_s=60, game_s=0.2)]
)
def test_a_slow_agent_is_found(few_games: None, limits: Limits) -> None:
    def agent(observation: Observation, rng: Rng) -> str:
        time.sleep(0.25 * (3 < observation.turn < 8))
        return buying(observation, rng)

    result = qualify(agent, limits=limits)
    assert answers(result)[QUESTIONS[1]] is False
    assert "ran into a limit" in told(result, QUESTIONS[1])


def test_one_that_is_nearly_too_slow_is_warned(few_games: None) -> None:
    def agent(observation: Observation, rng: Rng) -> str:
        time.sleep(0.5 * (observation.turn == 4))
        return buying(observation, rng)

    result = qualify(agent, limits=Limits(move_s=60, first_move_s=60, game_s=0.9))
    assert "That is close" in told(result, QUESTIONS[1]) or not answers(result)[QUESTIONS[1]]
    assert "That is close" not in told(qualify("greedy", limits=PATIENT), QUESTIONS[1])


@pytest.mark.parametrize("kind", ["function", "class", "file"])
def test_other_generators_and_memories_are_found(
    tmp_path: Path, few_games: None, kind: str
) -> None:
    class Counts:
        games = 0

        def __init__(self) -> None:
            Counts.games += 1

        def __call__(self, observation: Observation, rng: Rng) -> str:
            legal = observation.legal_actions()
            return legal[Counts.games % len(legal)]

    def draws(observation: Observation, rng: Rng) -> str:
        return random.choice(observation.legal_actions())

    file = tmp_path / "draws.py"
    file.write_text(
        "import random\ndef agent(o, r):\n    return random.choice(o.legal_actions())\n"
    )
    agent: object = {"function": draws, "class": Counts, "file": file}[kind]
    result = qualify(agent, limits=PATIENT)
    assert answers(result)[QUESTIONS[3]] is False
    assert "Draw by the rng" in told(result, QUESTIONS[3])


def test_what_cannot_be_asked_is_left_out(few_games: None) -> None:
    result = qualify(lambda observation, rng: 1 // 0, limits=PATIENT)
    assert answers(result)[QUESTIONS[3]] is None
    assert "could not be asked" in told(result, QUESTIONS[3])


def test_a_file_that_cannot_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "anna.py").write_text("def agent(:")
    result = qualify(tmp_path / "anna.py")
    assert answers(result) == {"Can it be started?": False}
    assert "line 1: SyntaxError" in repr(result)


def test_a_file_that_never_ends_is_stopped(tmp_path: Path) -> None:
    (tmp_path / "anna.py").write_text("while True: pass")
    result = qualify(tmp_path / "anna.py", limits=Limits(first_move_s=2))
    assert "No answer within 2 s" in repr(result)


@pytest.mark.parametrize(
    ("agent", "error", "sentence"),
    [
        ("nowhere.py", ValueError, "There is no file 'nowhere.py'"),
        ("nobody", ValueError, "There is no agent 'nobody'"),
        (7, TypeError, "an agent is a name or a callable"),
    ],
)
def test_what_is_no_agent_is_refused(agent: object, error: type, sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        qualify(agent)


def test_the_result_shows_as_text_as_html_and_as_a_table(few_games: None) -> None:
    def agent(observation: Observation, rng: Rng) -> str:
        return "<script>alert(1)</script>"

    agent.__name__ = "<b>bold</b>"
    result = qualify(agent, limits=PATIENT)
    text, html = repr(result), result._repr_html_()
    assert text.splitlines()[0] == "<b>bold</b>: not ready yet"
    assert "✗ Are all its actions legal? No:" in text
    assert "<script" not in html
    assert "<b>bold" not in html
    assert "&lt;script&gt;" in html
    assert "✗ failed" in html
    table = result.table()
    assert list(table.columns) == ["question", "passed", "finding", "advice"]
    assert table["question"].tolist() == QUESTIONS


def test_the_exit_code_says_whether_it_passed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.py").write_text("x = 1")
    assert main(["qualify", str(tmp_path / "bad.py")]) == 1
    assert "The file has no 'agent'" in capsys.readouterr().out
    assert main(["qualify", str(tmp_path / "none.py")]) == 2
    assert "There is no file" in capsys.readouterr().err


def test_the_exit_code_is_0_for_one_that_passed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    passed = Qualification("anna.py", (the_test.Check("?", passed=True, finding="Yes."),))
    monkeypatch.setattr(the_test, "qualify", lambda file: passed)
    assert main(["qualify", str(tmp_path / "anna.py")]) == 0
    assert capsys.readouterr().out == "anna.py: ready to hand in\n✓ ? Yes.\n"
