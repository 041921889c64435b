"""The panel to play many games: what it plays, what it shows, and that it can always be stopped."""

from __future__ import annotations

import ast
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import ipywidgets
import pytest

from splendor_nb import Rng, simulate
from splendor_nb.board.explore import runs
from splendor_nb.board.explore.simulation import (
    CHART,
    PICTURES,
    PURCHASES,
    RULES,
    SimulationPanel,
    explore_simulation,
    read_seed,
)
from splendor_nb.games.simulation import Memory, Simulation
from splendor_nb.lessons.simulation import (
    check_games_needed,
    check_interval,
    check_paired_error,
)


@pytest.fixture
def panel() -> Iterator[SimulationPanel]:
    made = explore_simulation()
    made.games.value = 60
    made.seed.value = "7"
    yield made
    made.stop()
    made.wait()


def play(panel: SimulationPanel) -> None:
    """Press Run, and wait for what comes of it."""
    panel.run()
    panel.wait()


def shown(panel: SimulationPanel) -> dict[str, Any]:
    """The figure on the panel, as the page gets it."""
    figure: dict[str, Any] = panel.shown.outputs[0]["data"][CHART]
    return figure


def title(panel: SimulationPanel) -> str:
    text: str = shown(panel)["layout"]["title"]["text"]
    return text


def offered(control: ipywidgets.Dropdown) -> list[Any]:
    return [value for _, value in control.options]


def controls_within(widget: Any) -> list[Any]:
    """All widgets that a person can set or press."""
    kinds = (ipywidgets.Dropdown, ipywidgets.BoundedIntText, ipywidgets.Text, ipywidgets.Button)
    if isinstance(widget, kinds):
        return [widget]
    return [one for child in getattr(widget, "children", ()) for one in controls_within(child)]


def press(panel: SimulationPanel, label: str) -> None:
    next(one for one in controls_within(panel) if one.description == label).click()


class Slow:
    """An agent that waits for a sign before its first decision, and then takes its time."""

    name = "slow"
    go = threading.Event()

    def __call__(self, observation: Any, rng: Rng) -> Any:
        self.go.wait(10)
        time.sleep(0.001)
        return rng.choice(observation.legal_actions())


# -- playing ---------------------------------------------------------------------------------------


def test_it_plays_what_is_chosen(panel: SimulationPanel) -> None:
    panel.players.value = 3
    panel.agents[2].value = "greedy"
    panel.rules.value = "uzbek_sundanese"
    press(panel, "Run")
    panel.wait()
    expected = simulate(
        ["greedy", "random", "greedy"], 60, 7, rules="uzbek_sundanese", progress=False
    )
    assert panel.played is not None
    assert panel.played.sim.seats.equals(expected.seats)
    assert panel.played.sim.games.equals(expected.games)
    assert "60 games in " in panel.message.value
    assert "seed 7." in panel.message.value
    assert panel.bar.value == panel.bar.max == 60


def test_one_agent_for_all_seats_gets_a_deal_for_each_game(panel: SimulationPanel) -> None:
    panel.agents[1].value = "greedy"
    play(panel)
    assert panel.played is not None
    assert panel.played.sim.games.deal.nunique() == 60


def test_only_as_many_lists_of_agents_show_as_there_are_players(panel: SimulationPanel) -> None:
    for players in (2, 4, 3):
        panel.players.value = players
        hidden = [agent.layout.display == "none" for agent in panel.agents]
        assert hidden == [at >= players for at in range(4)]


def test_without_a_seed_one_is_drawn_and_told(panel: SimulationPanel) -> None:
    panel.seed.value = " "
    play(panel)
    assert panel.played is not None
    first = panel.played.sim.seed
    assert f"seed {first}." in panel.message.value
    play(panel)
    assert panel.played.sim.seed != first


def test_agents_of_ones_own_stand_in_the_lists() -> None:
    def mine(observation: Any, rng: Rng) -> Any:
        return rng.choice(observation.legal_actions())

    panel = explore_simulation([mine])
    assert offered(panel.agents[0])[-1] is mine
    panel.agents[0].value, panel.games.value = mine, 4
    play(panel)
    assert panel.played is not None
    assert panel.played.sim.agents == ("mine", "random")


def test_faults_of_an_agent_are_counted() -> None:
    def broken(observation: Any, rng: Rng) -> Any:
        raise LookupError("nothing comes to mind")

    panel = explore_simulation([broken])
    panel.agents[0].value, panel.games.value = broken, 4
    play(panel)
    assert "4 ended by an agent&#x27;s fault." in panel.message.value


def test_what_cannot_be_called_is_no_agent() -> None:
    with pytest.raises(TypeError, match="An agent is a function or a class, not 'greedy'"):
        explore_simulation(["greedy"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("abc", "A seed is a whole number from 0, not &#x27;abc&#x27;."),
        ("-1", "not &#x27;-1&#x27;"),
        ("1e3", "not &#x27;1e3&#x27;"),
        ("<b>", "not &#x27;&lt;b&gt;&#x27;"),
        ("9" * 1001, "A seed has at most 1000 digits."),
    ],
    ids=["a word", "below 0", "a float", "markup", "too long"],
)
def test_a_bad_seed_is_answered_in_a_sentence(panel: SimulationPanel, text: str, said: str) -> None:
    panel.seed.value = text
    play(panel)
    assert said in panel.message.value
    assert panel.played is None


def test_a_seed_is_read_as_it_is_typed() -> None:
    assert read_seed(" 042 ") == 42
    assert read_seed("") is None
    with pytest.raises(ValueError, match="whole number"):
        read_seed("²")


def test_rules_are_not_compared_with_themselves(panel: SimulationPanel) -> None:
    panel.other.value = panel.rules.value
    play(panel)
    assert "The other rules are the same" in panel.message.value
    assert panel.played is None


def test_what_simulate_refuses_is_said(
    panel: SimulationPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: Any) -> Any:
        raise ValueError("This cannot be played.")

    monkeypatch.setattr(runs, "simulate", refuse)
    play(panel)
    assert "This cannot be played." in panel.message.value
    monkeypatch.undo()
    play(panel)
    assert panel.played is not None


# -- stopping --------------------------------------------------------------------------------------


@pytest.fixture
def slow() -> Iterator[SimulationPanel]:
    """A panel with an agent that gives time to press Stop."""
    Slow.go.clear()
    panel = explore_simulation([Slow])
    panel.agents[0].value, panel.games.value, panel.seed.value = Slow, 5000, "7"
    yield panel
    Slow.go.set()
    panel.stop()
    panel.wait(20)


def wait_for_games(panel: SimulationPanel) -> None:
    deadline = time.monotonic() + 30
    while panel.bar.value == 0 and time.monotonic() < deadline:
        time.sleep(0.01)


def test_the_kernel_stays_free_while_games_are_played(slow: SimulationPanel) -> None:
    start = time.monotonic()
    slow.run()
    assert time.monotonic() - start < 1
    assert "Playing 5,000 games" in slow.message.value
    slow.run()
    assert "press Stop first" in slow.message.value


def test_stop_keeps_what_is_finished_and_marks_it(slow: SimulationPanel) -> None:
    slow.run()
    Slow.go.set()
    wait_for_games(slow)
    pressed = time.monotonic()
    press(slow, "Stop")
    slow.wait(20)
    assert time.monotonic() - pressed < 8  # two seconds, and patience with a busy machine
    assert slow.played is not None
    finished = len(slow.played.sim)
    assert 0 < finished < 5000
    assert slow.played.sim.partial
    assert f"Stopped: {finished:,} of 5,000 games are finished" in slow.message.value
    assert f"games={finished}, seed=7" in slow.source


def test_games_of_a_stopped_run_are_the_first_of_a_whole_one(slow: SimulationPanel) -> None:
    slow.run()
    Slow.go.set()
    wait_for_games(slow)
    slow.stop()
    slow.wait(20)
    assert slow.played is not None
    part = slow.played.sim
    whole = simulate([Slow, "random"], len(part), 7, progress=False)
    assert part.seats.equals(whole.seats)


def test_stopped_during_the_other_rules_the_first_run_stays() -> None:
    plan = runs.Plan({"agents": "greedy", "games": 500, "seed": 7}, "standard", "uzbek_sundanese")
    answers: list[Any] = []
    job = runs.Job(plan, lambda finished: job.stop() if finished > 500 else None, answers.append)
    job.run()
    (played,) = answers
    assert len(played.sim) == 500
    assert played.other is None
    assert runs.report(played).startswith("Stopped: 500 of 1,000 games are finished")


def test_stopped_before_a_game_is_over_it_keeps_what_was_shown(panel: SimulationPanel) -> None:
    play(panel)
    before = panel.shown.outputs
    assert panel.played is not None
    plan = panel.played.plan
    none = Simulation(panel.played.sim._setup, Memory([]))
    panel._done(runs.Played(plan, none, None, 0.0))
    assert "Stopped before the first game was over" in panel.message.value
    assert panel.shown.outputs == before


def test_stop_has_nothing_to_do_where_nothing_runs(panel: SimulationPanel) -> None:
    panel.stop()
    assert "Nothing is running." in panel.message.value


# -- what it shows ---------------------------------------------------------------------------------


def run_code(source: str) -> Any:
    """What the last line of some code gives, as a cell would show it."""
    body = ast.parse(source).body
    last = body.pop()
    assert isinstance(last, ast.Expr)
    there: dict[str, Any] = {}
    exec(compile(ast.Module(body, []), "code", "exec"), there)
    return eval(compile(ast.Expression(last.value), "code", "eval"), there)


@pytest.mark.parametrize("name", PICTURES)
def test_the_code_draws_the_picture_that_is_shown(panel: SimulationPanel, name: str) -> None:
    panel.other.value = "uzbek_sundanese"
    play(panel)
    panel.picture.value = name
    panel.wait()
    drawn = run_code(panel.source)
    assert drawn.layout.title.text == title(panel)
    assert len(drawn.data) == len(shown(panel)["data"])
    assert drawn.to_json() == run_code(panel.source).to_json()


def test_every_picture_draws_a_single_game(panel: SimulationPanel) -> None:
    panel.games.value = 1
    panel.other.value = "uzbek_sundanese"
    play(panel)
    for name in offered(panel.picture):
        panel.picture.value = name
        panel.wait()
        assert "Drawing" not in panel.message.value


def test_the_picture_stays_chosen_over_runs_and_is_drawn_anew(panel: SimulationPanel) -> None:
    play(panel)
    panel.picture.value = "how long games are"
    panel.wait()
    before = shown(panel)
    panel.seed.value = "8"
    play(panel)
    assert panel.picture.value == "how long games are"
    assert shown(panel)["data"] != before["data"]


def test_other_rules_are_offered_only_where_they_were_played(panel: SimulationPanel) -> None:
    play(panel)
    assert RULES not in offered(panel.picture)
    panel.other.value = "uzbek_sundanese"
    play(panel)
    assert panel.bar.max == 120
    panel.picture.value = RULES
    panel.wait()
    assert title(panel).startswith("Same deals, standard → uzbek_sundanese:")
    panel.other.value = ""
    play(panel)
    assert panel.picture.value == "who wins, by seat"
    assert title(panel).startswith("greedy wins")


def test_a_picture_that_is_done_leaves_what_was_said_meanwhile(
    panel: SimulationPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(panel)
    assert panel.played is not None
    report = panel.message.value

    panel.draw()
    panel.wait()
    assert panel.message.value == report
    first = PICTURES[panel.picture.value]

    def draw(played: runs.Played, who: str | None) -> Any:
        panel.say("Something newer.")
        return first.draw(played, who)

    monkeypatch.setitem(PICTURES, panel.picture.value, replace(first, draw=draw))
    panel.draw()
    panel.wait()
    assert "Something newer." in panel.message.value


def test_purchases_may_be_those_of_one_agent(panel: SimulationPanel) -> None:
    play(panel)
    assert panel.who.layout.display == "none"
    panel.picture.value = PURCHASES
    panel.wait()
    assert panel.who.layout.display != "none"
    assert offered(panel.who) == ["", "greedy", "random"]
    assert "who = None" in panel.source
    panel.who.value = "random"
    panel.wait()
    assert shown(panel)["layout"]["xaxis3"]["title"]["text"] == "games in which random buys it, %"
    assert run_code(panel.source).layout.title.text == title(panel)


def test_a_name_with_markup_is_shown_as_text() -> None:
    def bot(observation: Any, rng: Rng) -> Any:
        return rng.choice(observation.legal_actions())

    bot.name = "<b>me</b>"  # type: ignore[attr-defined]
    panel = explore_simulation([bot])
    panel.agents[0].value, panel.games.value = bot, 2
    play(panel)
    for name in offered(panel.picture):
        panel.picture.value = name
        panel.wait()
        assert "<b>me" not in str(shown(panel))
        assert "<b>me" not in panel.code.value
        assert "<b>me" not in panel.message.value


def test_at_first_it_says_what_to_do(panel: SimulationPanel) -> None:
    assert title(panel) == "Choose who plays, and press Run"
    assert "Nothing has been played yet." in panel.message.value
    assert repr(panel) == "Splendor: run this cell (Shift+Enter) to explore many games"


def test_every_control_has_a_name(panel: SimulationPanel) -> None:
    described = [control.description for control in controls_within(panel)]
    assert all(described)
    assert len(set(described)) == len(described)


# -- the checks of the exercises -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (4904, "Right"),
        (5000, "Right"),
        (1000, "Too few: with 1,000 games one sees the difference in 23 of 100 runs"),
        (20_000, "More than it takes"),
        (10**30, "More than it takes"),
        (0, "Give a whole number"),
        ("many", "Give a whole number"),
        (True, "Give a whole number"),
    ],
)
def test_the_number_of_games_is_checked(answer: object, said: str) -> None:
    assert check_games_needed(answer).startswith(said)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((0.509, 0.571), "Right"),
        ([0.5091, 0.5709], "Right"),
        ((0.524, 0.556), "That is one standard error"),
        ((0.514, 0.566), "That leaves out 5 of 100 on each side"),
        ((0.042, 1.0), "Its middle"),
        ((0.53, 0.55), "Too narrow"),
        ((0.49, 0.59), "Too wide"),
        ((0.571, 0.509), "The ends are shares from 0 to 1"),
        ((50.9, 57.1), "The ends are shares from 0 to 1"),
        ((0.5, 0.6, 0.7), "Give the two ends"),
        (0.54, "Give the two ends"),
        (("a", "b"), "Give the two ends"),
    ],
)
def test_the_interval_is_checked(answer: object, said: str) -> None:
    assert check_interval(answer).startswith(said)


def spread(first: list[float], second: list[float], *, by: float) -> float:
    """The root of the squared deviations of the differences over a number."""
    changes = [b - a for a, b in zip(first, second, strict=True)]
    middle = sum(changes) / len(changes)
    return (sum((change - middle) ** 2 for change in changes) / by) ** 0.5


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda a, b: spread(a, b, by=5) / 6**0.5, "Right"),
        (lambda a, b: spread(a, b, by=5), "That is how far single deals spread"),
        (lambda a, b: spread(a, b, by=5) / 6, "The error falls with the root"),
        (lambda a, b: spread(a, b, by=6) / 6**0.5, "Nearly: the mean is estimated too"),
        (lambda a, b: sum(b) / 6 - sum(a) / 6, "That is the mean difference itself"),
        (lambda a, b: 0.0, "Not yet"),
        (lambda a, b: None, "The function returns a number"),
        (3, "Give a function"),
    ],
    ids=["right", "spread", "root", "n", "mean", "nothing", "none", "no function"],
)
def test_the_error_of_a_paired_difference_is_checked(answer: object, said: str) -> None:
    assert check_paired_error(answer).startswith(said)
