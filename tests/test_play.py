"""`play` and what it puts into a cell: arguments, the widget's traits and messages, controls."""

from __future__ import annotations

import asyncio
import html
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from IPython.core.events import EventManager, available_events
from positions import position
from sessions import PATIENCE_S, Slow, act, finished, over, play_on, session_of

from splendor_nb import (
    GameRecord,
    Observation,
    Rng,
    State,
    get_agent,
    load_game,
    new_game,
    play,
    play_game,
)
from splendor_nb.board import show as show_module
from splendor_nb.board.board import Board
from splendor_nb.board.controls import PlainControls, Settings
from splendor_nb.board.pace import Pace
from splendor_nb.board.session import GameSession, Replay
from splendor_nb.board.words import name_in_sentence

HEAVY = ("numpy", "pandas", "plotly", "numba", "scipy", "nashpy", "joblib", "tqdm")


def first_legal(observation: Observation, _rng: Rng) -> str:
    """An agent of three lines, as one writes it in a cell."""
    return observation.legal_actions()[0]


class Counting:
    """A stateful agent, made anew for each seat."""

    made = 0

    def __init__(self) -> None:
        type(self).made += 1

    def __call__(self, observation: Observation, _rng: Rng) -> str:
        return observation.legal_actions()[-1]


def names_of(game: GameSession | Replay) -> list[str]:
    return [seat.name for seat in game.seats]


def agents_of(game: GameSession | Replay) -> list[str]:
    return [seat.agent for seat in game.seats]


def running() -> GameRecord:
    """A game of Anna against greedy, two turns old."""
    game = session_of("human", "greedy", names=["Anna", "Bot"], seed=9, target=12)
    game.act("take WUG")
    return game.record


# --- who plays


@pytest.mark.parametrize(
    ("who", "agents", "names"),
    [
        ("greedy", ["human", "greedy"], ["You", "greedy"]),
        ("random", ["human", "random"], ["You", "random"]),
        ("human", ["human", "human"], ["Player 1", "Player 2"]),
        (first_legal, ["human", "first_legal"], ["You", "first_legal"]),
        (Counting, ["human", "Counting"], ["You", "Counting"]),
        (get_agent("greedy"), ["human", "greedy"], ["You", "greedy"]),
        (["human", "greedy"], ["human", "greedy"], ["You", "greedy"]),
        (("greedy", "human"), ["greedy", "human"], ["greedy", "You"]),
        (
            ["human", "greedy", "human", "greedy"],
            ["human", "greedy", "human", "greedy"],
            ["Player 1", "greedy", "Player 2", "greedy#2"],
        ),
        (
            ["random", first_legal, Counting],
            ["random", "first_legal", "Counting"],
            ["random", "first_legal", "Counting"],
        ),
    ],
    ids=str,
)
def test_the_first_argument_says_who_plays(who: Any, agents: list[str], names: list[str]) -> None:
    game = play(who, seed=7, speed="slow")
    assert isinstance(game, GameSession)
    assert (agents_of(game), names_of(game)) == (agents, names)


def test_without_arguments_a_person_plays_against_greedy() -> None:
    assert agents_of(play()) == ["human", "greedy"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_one_opponent_takes_all_other_seats(players: int) -> None:
    game = play("greedy", players=players, seed=7)
    assert agents_of(game) == ["human", *["greedy"] * (players - 1)]
    assert game.state == new_game(players, seed=7)


def test_each_seat_gets_an_agent_of_its_own_from_a_class() -> None:
    before = Counting.made
    play(Counting, players=4)
    assert Counting.made == before + 3


@pytest.mark.parametrize("first_player", [0, 1, 2, "random"])
def test_the_first_player_and_the_options_are_those_of_a_deal(first_player: Any) -> None:
    game = play(["human"] * 3, seed=3, first_player=first_player, rules="uzbek_sundanese", target=9)
    assert game.state == new_game(
        3, seed=3, first_player=first_player, rules="uzbek_sundanese", target=9
    )


def test_components_of_ones_own_are_played_with() -> None:
    tokens = {"W": 2, "U": 2, "G": 2, "R": 2, "K": 2, "*": 1}
    assert dict(play("human", tokens=tokens).state.bank) == tokens


def test_names_are_free() -> None:
    game = play(["human", "greedy"], names=("<b>Anna</b>", "<b>Anna</b>"))
    assert names_of(game) == ["<b>Anna</b>"] * 2


def test_without_a_seed_one_is_drawn_and_kept() -> None:
    game = play("greedy")
    assert game.state == new_game(seed=game.seed)
    assert play("greedy").seed != game.seed


def test_the_same_seed_and_actions_give_the_same_game() -> None:
    games = [play(["human", "random"], seed=2, target=5, speed="instant") for _ in range(2)]
    for game in games:
        play_on(game)
    assert games[0].record == games[1].record


# --- a state, a record


def test_a_state_is_played_from() -> None:
    state = position(3, tokens=["WUG", "", "RR"])
    game = play(state, seed=5)
    assert (game.state, game.seed) == (state, 5)
    assert agents_of(game) == ["human", "greedy", "greedy"]


def test_a_state_is_played_from_by_whom_one_wants() -> None:
    game = play(position(2), agents=["human", first_legal], names=["Anna", "Ben"])
    assert (agents_of(game), names_of(game)) == (["human", "first_legal"], ["Anna", "Ben"])


def test_a_running_record_goes_on() -> None:
    record = running()
    game = play(record)
    assert isinstance(game, GameSession)
    assert (game.record, names_of(game), game.seed) == (record, ["Anna", "Bot"], 9)
    game.act(game.state.legal_actions()[0])
    assert game.state.turn == 4


def test_a_running_record_goes_on_after_a_round_trip(tmp_path: Path) -> None:
    game = play(load_game(running().save(tmp_path / "game.json")))
    assert game.record == running()


def test_a_running_record_can_be_taken_over() -> None:
    game = play(running(), agents=["human", first_legal], names=["Anna", "Mine"], seed=1)
    assert (agents_of(game), names_of(game)) == (["human", "first_legal"], ["Anna", "Mine"])
    assert game.seed == 1


def test_a_record_that_names_no_players_goes_on_with_people() -> None:
    game = play(GameRecord(start=new_game(3, seed=7), actions=()))
    assert agents_of(game) == ["human"] * 3


def test_a_finished_record_opens_as_a_replay() -> None:
    record = play_game(["greedy", "greedy"], seed=7, target=3)
    shown = play(record)
    assert isinstance(shown, Replay)
    assert shown.view()["replay"]["steps"] == shown.steps == len(record.actions)


def test_a_replay_takes_no_seed_not_even_zero() -> None:
    record = play_game(["greedy", "greedy"], seed=7, target=3)
    with pytest.raises(TypeError, match="'seed'"):
        play(record, seed=0)


def test_a_forfeited_record_opens_as_a_replay() -> None:
    assert isinstance(play(finished(new_game(seed=7), "take WUG")), Replay)


def test_a_finished_state_is_shown() -> None:
    assert play(over()).view()["phase"] == "over"


# --- bad arguments: one clear sentence each


BAD: dict[str, tuple[Callable[[], object], str]] = {
    "an unknown opponent": (lambda: play("gready"), "'random', 'greedy'"),
    "nothing": (lambda: play(None), "an opponent, a list of players, a GameRecord or a State"),
    "a number": (lambda: play(7), "not 7"),
    "a dictionary": (lambda: play({"human": 1}), "not {'human': 1}"),
    "an observation": (lambda: play(new_game(seed=7).observation(0)), "a GameRecord or a State"),
    "one player": (lambda: play(["human"]), "from 2 to 4, not 1"),
    "five players": (lambda: play(["human"] * 5), "from 2 to 4, not 5"),
    "nobody": (lambda: play([]), "from 2 to 4, not 0"),
    "a number in the list": (lambda: play(["human", 7]), "Seat 1: an agent is a name or"),
    "bytes": (lambda: play(b"greedy"), "from 2 to 4"),
    "players 0": (lambda: play(players=0), "from 2 to 4, not 0"),
    "players 5": (lambda: play(players=5), "from 2 to 4, not 5"),
    "players as text": (lambda: play(players="2"), "not '2'"),
    "players as a fraction": (lambda: play(players=2.5), "not 2.5"),
    "players as a truth": (lambda: play(players=True), "not True"),
    "players beside a list": (lambda: play(["human"] * 2, players=4), "4 seats, but 2 players"),
    "a negative seed": (lambda: play(seed=-1), "seed"),
    "a seed as a truth": (lambda: play(seed=True), "seed"),
    "a seed as a fraction": (lambda: play(seed=1.5), "seed"),
    "a seed as text": (lambda: play(seed="x"), "seed"),
    "an unknown set of rules": (lambda: play(rules="chess"), "'standard', 'uzbek_sundanese'"),
    "rules of another type": (lambda: play(rules=["x"]), "rules is a mapping"),
    "an unknown option": (lambda: play(speeed="slow"), "'speeed'"),
    "a wrong value": (lambda: play(target=16), "from 1 to 15"),
    "a first player outside": (lambda: play(first_player=2), "from 0 to 1"),
    "a first player of no kind": (lambda: play(first_player="last"), "'random'"),
    "an unknown speed": (lambda: play(speed="quick"), "'slow', 'normal', 'fast', 'instant'"),
    "a speed of no kind": (lambda: play(speed=["slow"]), "'slow', 'normal'"),
    "an unknown ui": (lambda: play(ui="text"), "'board', 'controls'"),
    "an unknown size": (lambda: play(size="huge"), "'normal', 'large'"),
    "an unknown size of controls": (lambda: play(ui="controls", size=2), "'normal', 'large'"),
    "an unknown direction": (lambda: play(dir="up"), "'ltr', 'rtl'"),
    "an unknown language": (lambda: play(language="xx"), "'en'"),
    "a language of no kind": (lambda: play(language=["en"]), "'en'"),
    "one name for all": (lambda: play(names="Anna"), "a list of texts"),
    "too few names": (lambda: play(names=["Anna"]), "for each of 2 seats"),
    "a name of no kind": (lambda: play(names=["Anna", 5]), "a list of texts"),
    "names of no kind": (lambda: play(names=5), "a list of texts"),
    "agents beside players": (lambda: play("greedy", agents="random"), "agents"),
    "too many for a state": (lambda: play(position(2), agents=["human"] * 3), "2 seats"),
    "a first player for a state": (lambda: play(position(2), first_player=False), "'first_player'"),
    "a deal for a state": (lambda: play(position(2), target=9, first_player=1), "'target'"),
    "rules for a record": (lambda: play(running(), rules={"target": 9}), "'rules'"),
    "players for a record": (lambda: play(running(), players=2), "'players'"),
    "agents for a replay": (lambda: play(finished(position()), agents="greedy"), "'agents'"),
    "a lost agent": (
        lambda: play(session_of("human", first_legal).record),
        "say who plays with agents",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_argument_gets_one_clear_sentence(case: str) -> None:
    call, words = BAD[case]
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    message = str(caught.value)
    assert words in message
    assert len(message) < 300
    assert "\n" not in message


# --- the widget: traits and messages


def board_of(*lineup: Any, speed: str = "instant", **options: Any) -> tuple[Board, GameSession]:
    game = session_of(*lineup, **options)
    return Board(game, Pace(game, speed)), game


def click(board: Board, kind: str, **fields: Any) -> None:
    """A message as it comes from the page."""
    board._handle_custom_msg({"type": kind, "version": board.view["version"], **fields}, [])


def test_a_click_reaches_the_game_and_the_view_comes_back() -> None:
    board, game = board_of("human", "greedy")
    click(board, "act", action="take WUG")
    game.wait(PATIENCE_S)
    assert board.view == game.view()
    assert game.state.turn == 2


def test_a_double_click_on_the_board_is_one_move() -> None:
    board, game = board_of("human", "human")
    message = {"type": "act", "version": board.view["version"], "action": "take WUG"}
    for _ in range(2):
        board._handle_custom_msg(message, [])
    assert len(game.record.actions) == 1


def test_the_page_sets_no_trait_of_the_board() -> None:
    board, game = board_of("human", "greedy")
    board.set_state({"view": {"version": 99}})
    click(board, "act", action="take WUG")
    game.wait(PATIENCE_S)
    board._redraw()
    assert board.view == game.view()


@pytest.mark.parametrize("message", [None, [], "act", 7])
def test_a_message_of_no_form_is_shown_on_the_board(message: Any) -> None:
    board, game = board_of("human", "greedy")
    board._handle_custom_msg(message, [])
    assert board.view["error"].startswith("Something went wrong in Python: AttributeError")
    click(board, "dismiss")
    assert board.view["error"] == ""
    assert game.record.actions == ()


def test_an_exception_in_an_agent_is_shown_on_the_board() -> None:
    def broken(_observation: Observation, _rng: Rng) -> str:
        raise KeyError("<b>gems</b>")

    board, game = board_of("human", broken)
    click(board, "act", action="take WUG")
    game.wait(PATIENCE_S)
    assert "KeyError" in board.view["error"]
    assert "<b>gems</b>" in board.view["error"]
    assert board.view["result"]["title"] == "Winner: You"


def test_skip_ends_the_pauses_even_if_the_page_is_behind() -> None:
    board, game = board_of("human", "greedy", speed="slow")
    click(board, "act", action="take WUG")
    board._handle_custom_msg({"type": "skip", "version": 0}, [])
    game.wait(1.2)
    assert game.state.turn == 2


def test_a_new_game_from_code_lets_an_agent_begin() -> None:
    game = play(["greedy", "human"], seed=7, speed="instant")
    game.wait(PATIENCE_S)
    game.new_game(seed=8)
    game.wait(PATIENCE_S)
    assert (game.seed, game.state.turn, game.state.current_player) == (8, 1, 1)


def test_a_rematch_lets_an_agent_begin() -> None:
    board, game = board_of("greedy", "human", start=position(turn=39, turn_limit=40, current=1))
    click(board, "act", action="take WUG")
    assert board.view["phase"] == "over"
    game.table = session_of("greedy", "human").table
    click(board, "rematch")
    game.wait(PATIENCE_S)
    assert (game.state.turn, game.state.current_player) == (1, 1)


def test_the_board_of_a_replay_steps() -> None:
    board = Board(Replay(finished(position(), "take WUG", "take RR")))
    click(board, "goto", step=2)
    assert board.view["replay"]["step"] == 2
    click(board, "viewer", seat=1)
    assert board.view["viewer"] == 1


def test_the_board_brings_the_words_and_its_looks() -> None:
    board = Board(session_of("human", "greedy"), size="large", direction="rtl")
    assert (board.size, board.dir) == ("large", "rtl")
    assert board.texts["confirm"] == "Confirm"
    assert repr(board) == "<Splendor board>"


def test_whole_games_are_played_by_clicks() -> None:
    for players in (2, 3, 4):
        board, game = board_of(*["human"] * players, seed=players, turn_limit=30)
        while board.view["phase"] != "over":
            click(board, "act", action=str(game.state.legal_actions()[-1]))
            assert board.view["error"] == ""
        assert board.view["result"]["rows"][0]["place"] == 1


# --- in a cell


class Notebook:
    """A notebook as `show` sees it: what is displayed, and the pictures that are updated."""

    def __init__(self) -> None:
        self.execution_count = 1
        self.events = EventManager(self, available_events)
        self.shown: list[Any] = []
        self.pictures: list[str] = []

    def display(self, thing: Any, display_id: bool = False) -> Any:
        self.shown.append(thing)
        if not display_id:
            return None
        self.pictures.append(thing.data)
        return SimpleNamespace(update=lambda picture: self.pictures.append(picture.data))

    @property
    def panel(self) -> Any:
        return self.shown[-2]

    @property
    def kinds(self) -> list[str]:
        return [type(child).__name__ for child in self.panel.children]

    def part(self, kind: type) -> Any:
        return next(child for child in self.panel.children if isinstance(child, kind))


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Notebook]:
    notebook = Notebook()
    monkeypatch.setattr(show_module, "get_ipython", lambda: notebook)
    monkeypatch.setattr(show_module, "display", notebook.display)
    return notebook


def test_a_cell_shows_the_board_with_controls_and_a_picture(notebook: Notebook) -> None:
    play("greedy", seed=7)
    assert notebook.kinds == ["Settings", "Board", "ReviewPanel"]
    assert len(notebook.shown) == 2
    assert notebook.pictures[0].startswith('<div class="spl-static"><img ')


def test_the_controls_can_be_left_out(notebook: Notebook) -> None:
    play("greedy", seed=7, controls=False)
    assert notebook.kinds == ["Board"]


def test_a_replay_has_no_controls_around_it_but_its_analysis(notebook: Notebook) -> None:
    play(finished(position(), "take WUG"))
    assert notebook.kinds == ["Board", "ReviewPanel"]


def test_the_game_at_the_end_of_its_cell_is_not_shown_twice(notebook: Notebook) -> None:
    game = play("greedy", seed=7)
    game._ipython_display_()
    assert len(notebook.shown) == 2
    notebook.execution_count = 2
    game._ipython_display_()
    assert len(notebook.shown) == 4


def test_where_the_board_is_not_live_it_says_how_to_play(notebook: Notebook) -> None:
    play("greedy", seed=7)
    assert repr(notebook.panel) == "Splendor: run this cell (Shift+Enter) to play"
    assert "Run this cell (Shift+Enter) to play." in notebook.pictures[0]


def test_the_picture_follows_every_change_of_the_position(notebook: Notebook) -> None:
    game = play(["human", "human"], seed=7)
    game.act("take WUG")
    game.new_game(seed=8)
    game.new_game(seed=9)  # also a first turn: only the deal is another
    game.fail(RuntimeError("no change"))
    assert len(notebook.pictures) == len(set(notebook.pictures)) == 4


def test_in_a_kernel_the_picture_follows_when_there_is_time(notebook: Notebook) -> None:
    async def cell() -> None:
        game = play(["human", "human"], seed=7)
        game.act("take WUG")
        game.act("take WUG")
        assert len(notebook.pictures) == 1
        await asyncio.sleep(2 * show_module.PICTURE_DELAY_S)

    asyncio.run(cell())
    assert len(notebook.pictures) == 2
    assert notebook.events.callbacks["post_run_cell"] == []


def test_in_a_kernel_the_picture_follows_before_the_cell_ends(notebook: Notebook) -> None:
    async def cell() -> None:
        play(["human", "human"], seed=7).act("take WUG")
        notebook.events.trigger("post_run_cell", None)
        assert len(notebook.pictures) == 2

    asyncio.run(cell())


def test_R18_the_picture_is_the_public_one(notebook: Notebook) -> None:
    first = play(position(tokens=["UUKK"], reserved=["?1W4"]), agents=["human", "greedy"])
    data = first.state.to_dict()
    deck = data["decks"][0]
    hidden = data["seats"][0]["reserved"][0]
    hidden["card"], deck[3] = deck[3], hidden["card"]
    play(State.from_dict(data), agents=["human", "greedy"])
    assert notebook.pictures[0] == notebook.pictures[1]


def test_names_are_text_in_the_picture(notebook: Notebook) -> None:
    play(["human", "human"], names=["<script>alert(1)</script>", "B" * 10_000], seed=7)
    assert "<script" not in notebook.pictures[0]
    assert len(notebook.pictures[0]) < 20_000


def test_two_boards_in_one_notebook_do_not_disturb_each_other(notebook: Notebook) -> None:
    one = play(["human", "human"], seed=7)
    board = notebook.part(Board)
    other = play(["human", "human"], seed=8)
    before = board.view
    other.act("take WUG")
    assert board.view is before
    click(notebook.part(Board), "act", action="take WUG")
    assert (len(one.record.actions), len(other.record.actions)) == (0, 2)


def test_running_the_cell_again_begins_again(notebook: Notebook) -> None:
    games = [play(["human", "greedy"], seed=7, speed="instant") for _ in range(5)]
    click(notebook.part(Board), "act", action="take WUG")
    games[-1].wait(PATIENCE_S)
    assert [len(game.record.actions) for game in games] == [0, 0, 0, 0, 2]


def test_outside_a_notebook_a_game_can_be_played_too() -> None:
    game = play("greedy", seed=7)
    game.act("take WUG")
    assert game.state.turn == 2


# --- the controls around the board


def settings_of(notebook: Notebook) -> Settings:
    settings: Settings = notebook.part(Settings)
    return settings


def test_the_controls_show_what_is_played(notebook: Notebook) -> None:
    play(["human", "random", "random"], seed=7, rules="uzbek_sundanese", speed="fast", size="large")
    settings = settings_of(notebook)
    assert (settings.players.value, settings.opponent.value, settings.speed.value) == (
        3,
        "random",
        "fast",
    )
    assert (settings.rules.label, settings.large.value) == ("uzbek_sundanese", True)


def test_a_new_game_is_dealt_as_the_controls_say(notebook: Notebook) -> None:
    game = play("greedy", seed=7)
    settings = settings_of(notebook)
    settings.players.value, settings.opponent.value = 4, "human"
    settings.rules.label, settings.seed.value = "uzbek_sundanese", " 12 "
    settings.begin.click()
    assert game.state == new_game(4, seed=12, rules="uzbek_sundanese")
    assert agents_of(game) == ["human"] * 4
    assert settings.said.value == "A new game is dealt."
    assert notebook.part(Board).view == game.view()


def test_a_new_game_keeps_what_is_not_chosen_anew(notebook: Notebook) -> None:
    game = play(["human", first_legal], names=["Anna", "Ben"], seed=7, target=4, first_player=1)
    settings = settings_of(notebook)
    settings.seed.value = "8"
    settings.begin.click()
    game.wait(PATIENCE_S)
    assert game.record.start == new_game(seed=8, target=4, first_player=1)
    assert (names_of(game), agents_of(game)) == (["Anna", "Ben"], ["human", "first_legal"])
    settings.players.value = 3
    settings.begin.click()
    assert agents_of(game) == ["human", "first_legal", "first_legal"]
    assert game.state.rules.target == 4
    settings.rules.label = "standard"
    settings.begin.click()
    assert (agents_of(game)[1], game.state.rules.target) == ("first_legal", 15)


def test_a_new_game_after_a_saved_one_is_a_new_deal(notebook: Notebook) -> None:
    game = play(running())
    settings = settings_of(notebook)
    settings.seed.value = "3"
    settings.begin.click()
    assert game.record.start == new_game(seed=3, target=12)
    assert names_of(game) == ["Anna", "Bot"]


@pytest.mark.parametrize("seed", ["-1", "x", "1.5", "1e3", "٣٣ ٣", "0x7", "9" * 5000, "²"])
def test_a_bad_seed_is_told_and_the_game_goes_on(notebook: Notebook, seed: str) -> None:
    game = play("greedy", seed=7)
    settings = settings_of(notebook)
    settings.seed.value = seed
    settings.begin.click()
    assert settings.said.value.startswith("A seed ")
    assert len(settings.said.value) < 150
    assert game.seed == 7


@pytest.mark.parametrize("seed", ["0", "7" * 300, "٣"])
def test_any_whole_number_is_a_seed(notebook: Notebook, seed: str) -> None:
    game = play("greedy", seed=7)
    settings = settings_of(notebook)
    settings.seed.value = seed
    settings.begin.click()
    assert game.seed == int(seed)
    assert len(settings.said.value) < 100
    assert len(settings.file.value) < 60


def test_without_a_seed_in_the_controls_one_is_drawn(notebook: Notebook) -> None:
    game = play("greedy", seed=7)
    settings_of(notebook).begin.click()
    assert game.state == new_game(seed=game.seed)
    assert game.seed != 7


def test_the_speed_and_the_size_change_at_once(notebook: Notebook) -> None:
    play("greedy", seed=7)
    settings = settings_of(notebook)
    settings.speed.value, settings.large.value = "instant", True
    assert (settings.pace.speed, notebook.part(Board).size) == ("instant", "large")
    settings.large.value = False
    assert notebook.part(Board).size == "normal"


def test_the_save_button_saves(
    notebook: Notebook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    game = play(["human", "human"], seed=7)
    game.act("take WUG")
    settings = settings_of(notebook)
    settings.file.value = "mine.json"
    settings.keep.click()
    assert settings.said.value == "Saved as mine.json."
    assert load_game("mine.json") == game.record


@pytest.mark.parametrize(
    "name", ["", "  ", "missing/game.json", "/proc/game.json", "x" * 300, "\0", "."]
)
def test_a_file_that_cannot_be_written_is_told(notebook: Notebook, name: str) -> None:
    play("greedy", seed=7)
    settings = settings_of(notebook)
    settings.file.value = name
    settings.keep.click()
    assert settings.said.value.startswith(("Not saved: ", "Give the file a name."))


def test_each_game_is_saved_in_a_file_of_its_own(notebook: Notebook) -> None:
    game = play(["human", "human"], seed=7)
    settings = settings_of(notebook)
    settings.file.value = "mine.json"
    game.act("take WUG")
    assert settings.file.value == "mine.json"
    game.new_game()
    assert settings.file.value.startswith("splendor-2")
    settings.file.value = "mine.json"
    game.new_game(seed=game.seed)  # the same deal is another game
    assert settings.file.value.startswith("splendor-2")


def test_a_new_game_leaves_an_agent_that_still_thinks(notebook: Notebook) -> None:
    slow = Slow()
    game = play(["human", slow], seed=7, speed="instant")
    click(notebook.part(Board), "act", action="take WUG")
    assert slow.asked.wait(PATIENCE_S)
    settings = settings_of(notebook)
    settings.opponent.value = "greedy"
    settings.begin.click()
    slow.may_answer.set()
    game.act("take WUG")
    assert agents_of(game) == ["human", "greedy"]
    assert len(game.record.actions) == 2


# --- plain controls


def plain_of(notebook: Notebook) -> PlainControls:
    plain: PlainControls = notebook.part(PlainControls)
    return plain


def choose(plain: PlainControls, action: str) -> None:
    plain.kind.value = action.split(maxsplit=1)[0]
    plain.action.value = action


def test_the_plain_controls_are_plain_and_say_so(notebook: Notebook) -> None:
    play("greedy", seed=7, ui="controls")
    assert notebook.kinds == ["PlainControls"]
    assert "the game is played with the controls" in notebook.pictures[0]
    modules = {type(widget).__module__.split(".")[0] for widget in plain_of(notebook).children}
    assert modules == {"ipywidgets"}


def test_the_plain_controls_list_the_legal_actions_by_kind(notebook: Notebook) -> None:
    game = play("greedy", seed=7, ui="controls")
    plain = plain_of(notebook)
    listed = []
    for kind in plain.kind.options:
        plain.kind.value = kind
        listed += plain.action.options
    assert sorted(listed) == sorted(game.state.legal_actions())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_whole_game_is_played_with_plain_controls(notebook: Notebook, players: int) -> None:
    lineup = ["human", "random", "human", "greedy"][:players]
    game = play(lineup, seed=players, ui="controls", speed="instant", turn_limit=30)
    plain = plain_of(notebook)
    while game.result is None:
        game.wait(PATIENCE_S)
        if game.result is None:
            choose(plain, game.open_actions()[-1])
            plain.play.click()
    assert plain.asked.children == (plain.again,)
    assert game.result.end_reason == "limit"
    assert "Winner" in plain.status.value
    assert "<br>1. " in plain.story.value
    plain.again.click()
    assert (game.result, game.seed) == (None, players + 1)


def test_a_double_click_on_play_is_one_move(notebook: Notebook) -> None:
    game = play(["human", "human"], seed=7, ui="controls")
    plain = plain_of(notebook)
    choose(plain, "take RR")
    plain.play.click()
    plain.play.click()
    assert [str(action) for action in game.record.actions] == ["take RR"]


def test_play_can_be_pressed_when_an_action_is_chosen(notebook: Notebook) -> None:
    play(["human", "human"], seed=7, ui="controls")
    plain = plain_of(notebook)
    assert (plain.kind.value, len(plain.action.options)) == ("take", 15)
    assert plain.play.disabled
    choose(plain, "take RR")
    assert not plain.play.disabled
    plain.kind.value = "reserve"
    assert plain.play.disabled


def test_R18_plain_controls_show_unseen_reserves_on_request_only(notebook: Notebook) -> None:
    game = play(position(tokens=["UUKK"], reserved=["?1W4"]), agents="human", ui="controls")
    plain = plain_of(notebook)
    assert plain.unseen in plain.asked.children
    assert "1W4" not in plain.text.value
    assert "buy" not in plain.kind.options
    plain.unseen.value = True
    assert "1W4" in plain.text.value
    choose(plain, "buy 1W4")
    plain.play.click()
    assert [str(action) for action in game.record.actions] == ["buy 1W4"]
    assert not plain.unseen.value
    assert plain.unseen not in plain.asked.children


def test_R18_what_was_looked_at_in_plain_controls_is_hidden_again(notebook: Notebook) -> None:
    state = position(reserved=["?1W4", "?1K2"])
    game = play(state, agents="human", ui="controls")
    plain = plain_of(notebook)
    plain.unseen.value = True
    plain.unseen.value = False
    assert "1W4" not in plain.text.value
    plain.unseen.value = True
    game.act("take WUG")
    assert not plain.unseen.value
    assert not {"1W4", "1K2"} & set(plain.text.value.replace("(", " ").split())


def test_markup_is_text_in_plain_controls(notebook: Notebook) -> None:
    def broken(_observation: Observation, _rng: Rng) -> str:
        raise KeyError("<b>gems</b>")

    names = ["<script>alert(1)</script>", "<b>Ben</b>"]
    game = play(["human", broken], names=names, seed=7, ui="controls", speed="instant")
    plain = plain_of(notebook)
    choose(plain, "take RR")
    plain.play.click()
    game.wait(PATIENCE_S)
    for widget in (plain.status, plain.text, plain.story):
        assert "<script" not in widget.value
        assert "<b>Ben" not in widget.value
        assert "<b>gems" not in widget.value
    assert "&lt;b&gt;Ben" in plain.status.value


def test_a_replay_steps_in_plain_controls(notebook: Notebook) -> None:
    shown = play(finished(position(), "take WUG", "take RR"), ui="controls")
    plain = plain_of(notebook)
    assert plain.asked.children == (plain.step, plain.viewer)
    assert plain.step.max == 2
    plain.step.value = 2
    assert shown.step == 2
    assert "Winner: Ben" in plain.story.value


def test_a_replay_in_plain_controls_shows_the_view_that_is_chosen(notebook: Notebook) -> None:
    shown = play(finished(position(), "reserve L1", names=["Anna", "Ben"]), ui="controls")
    plain = plain_of(notebook)
    plain.step.value = 1
    assert [label for label, _ in plain.viewer.options] == [
        "What everyone sees",
        "What Anna sees",
        "What Ben sees",
    ]
    assert "L1?" in plain.text.value
    plain.viewer.value = 0
    assert isinstance(shown, Replay)
    assert shown.viewer == 0
    assert "L1?" not in plain.text.value
    plain.viewer.value = 1
    assert "L1?" in plain.text.value


@pytest.mark.parametrize("names", [["Anna", "Benedict"], ["seat 1", "seat 0"], ["<b>", "אבג"]])
def test_plain_controls_call_the_players_by_name(notebook: Notebook, names: list[str]) -> None:
    game = play(["human", "human"], names=names, seed=7, ui="controls")
    lines = game.text().splitlines()
    called = [name_in_sentence(name) for name in names]
    assert lines[0] == f"2 players, turn 0: {called[0]} to take, reserve or buy"
    width = max(map(len, called))
    assert [line.partition("0 points")[0] for line in lines[-2:]] == [
        f">{called[0]:<{width}}  ",
        f" {called[1]:<{width}}  ",
    ]
    assert html.escape(lines[-1]) in plain_of(notebook).text.value


def test_an_error_is_shown_in_plain_controls(notebook: Notebook) -> None:
    game = play(["human", "human"], seed=7, ui="controls")
    act(game, "pass")
    assert "[R11]" in plain_of(notebook).status.value


# --- where only the widgets are installed


BLOCKER = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Block())
"""


@pytest.mark.parametrize("ui", ["board", "controls"])
def test_a_game_is_played_where_heavy_libraries_are_blocked(ui: str) -> None:
    code = BLOCKER.format(blocked=HEAVY) + (
        "from splendor_nb import load_game, play, play_game\n"
        "from splendor_nb.board.board import Board\n"
        f"game = play(['human', 'greedy'], seed=7, target=3, ui={ui!r})\n"
        "board = Board(game)\n"
        "while board.view['result'] is None:\n"
        "    game.act(game.state.legal_actions()[0])\n"
        "replay = play(game.record)\n"
        f"loaded = sorted(set({HEAVY!r}) & set(sys.modules))\n"
        "print(game.result.end_reason, replay.view()['replay']['step'], loaded)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stderr == ""
    assert run.stdout == "target 0 []\n"
