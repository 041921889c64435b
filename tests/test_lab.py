"""The board in a real JupyterLab, Notebook and Voila, as a person with a browser meets it."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from axe_playwright_python.sync_playwright import Axe
from lab import Desk, Seen, Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

START = "from splendor_nb import play\n"
PEOPLE = START + "game = play(['human', 'human'], seed=7, names=['Anna', 'Ben'])"
AGAINST_GREEDY = START + "game = play('greedy', seed=7, speed='instant')"
SHORT = START + "game = play('random', seed=3, target=3, speed='instant')"
PROGRESS = "print(len(game.record.actions))"
MOST_DECISIONS = 120
MOST_TABS = 90  # from anywhere in JupyterLab to anywhere on the board


@pytest.fixture(scope="module")
def window(browser: Browser, server: Server) -> Iterator[Desk]:
    """A JupyterLab that is loaded once for the whole file."""
    desk = Desk(browser, server)
    yield desk
    desk.close()
    assert desk.strangers == []


@pytest.fixture
def lab(window: Desk) -> Iterator[Desk]:
    """JupyterLab without an open notebook."""
    yield window
    window.leave()


def take(board: Seen, gems: str = "WUG") -> None:
    board.click(*[f"pile-{gem}" for gem in gems], "confirm")


def wait_for_count(desk: Desk, number: int | str) -> None:
    """Wait until a cell has this execution count; ``*`` while it runs."""
    desk.page.locator(".jp-InputPrompt:visible", has_text=f"[{number}]:").first.wait_for()


def last_picture(desk: Desk) -> str:
    """The heading of the static picture."""
    source = desk.page.locator(".spl-static img").first.get_attribute("src") or ""
    svg = base64.b64decode(source.partition(",")[2]).decode()
    return svg[svg.index("<title>") + 7 : svg.index("</title>")]


def wait_for_picture(desk: Desk, heading: str) -> None:
    """Wait until the static picture, which the live board hides, has followed the game."""
    for _ in range(50):
        if last_picture(desk) == heading:
            return
        desk.page.wait_for_timeout(100)
    raise AssertionError(f"the picture says {last_picture(desk)!r}")


# --- whole games


def play_to_the_end(board: Seen, decide: Callable[[str, list[str]], None]) -> set[str]:
    """Let somebody decide until the game is over; return what kinds of decisions there were."""
    done = set()
    for _ in range(MOST_DECISIONS):
        board.wait_until_asked()
        if board.is_over():
            return done
        kind, keys = board.wish()
        told = len(board.log)
        decide(kind, keys)
        board.wait_for_lines(told + 1)
        done.add(kind)
    raise AssertionError(f"a game of more than {MOST_DECISIONS} decisions")


def test_a_whole_game_is_played_by_clicks(lab: Desk) -> None:
    board = lab.run(SHORT).board()

    def decide(kind: str, keys: list[str]) -> None:
        board.click(*keys)
        if kind == "take":
            board.click("confirm")
        elif kind != "answer":
            board.root.locator(f'[data-key^="{kind} "]').click()

    assert {"take", "buy"} <= play_to_the_end(board, decide)
    result = board.root.locator(".spl-result")
    assert "3 points" in result.inner_text()
    assert result.locator("tr").count() == 3
    assert result.locator("td").first.inner_text() == "1"
    board.click("rematch")
    result.wait_for(state="detached")
    assert board.log == []


def press(lab: Desk, *keys: str) -> None:
    for key in keys:
        lab.page.keyboard.press(key)


def tab_to(lab: Desk, board: Seen, reached: Callable[[], bool]) -> None:
    for _ in range(MOST_TABS):
        if reached():
            return
        press(lab, "Tab")
    raise AssertionError(f"{MOST_TABS} times Tab led to {board.focused!r} only")


def test_a_whole_game_is_played_by_the_keyboard_alone(lab: Desk) -> None:
    board = lab.run(SHORT).board()
    tab_to(lab, board, lambda: board.root.locator(":focus").count() > 0)

    def decide(kind: str, keys: list[str]) -> None:
        if kind == "take":
            press(lab, *[pile[-1].lower() for pile in keys], "Enter")
        elif kind == "answer":
            tab_to(lab, board, lambda: board.focused == keys[0])
            press(lab, "Enter")
        else:
            go_to(lab, board, keys[0])
            press(lab, "b" if kind == "buy" else "s")

    assert {"take", "buy"} <= play_to_the_end(board, decide)
    tab_to(lab, board, lambda: board.focused == "rematch")
    press(lab, "Enter")
    board.root.locator(".spl-result").wait_for(state="detached")
    assert board.log == []
    assert lab.cells() == [f"code: {SHORT}"]


def go_to(lab: Desk, board: Seen, key: str) -> None:
    """Move the focus to a card of the market or the reserve."""
    level, *places = re.findall(r"\d", key)
    if key.startswith("slot"):
        press(lab, level, *["ArrowRight"] * int(places[0]))
    else:
        tab_to(lab, board, lambda: board.focused == key)
    assert board.focused == key


# --- one click is one move


def test_a_double_click_is_one_move(lab: Desk) -> None:
    board = lab.run(PEOPLE, PROGRESS).board()
    board.click("pile-W", "pile-U", "pile-G")
    board.at("confirm").dblclick()
    board.wait_for_lines(1)
    lab.start(1)
    wait_for_count(lab, 3)
    assert lab.printed(1) == "1"


def test_clicks_behind_a_busy_cell_are_one_move_and_it_says_that_it_waits(lab: Desk) -> None:
    twice = ["game", "import time; time.sleep(3)", PROGRESS]
    lab.run(PEOPLE, *twice, boards=2)
    wait_for_count(lab, 4)
    lab.start(2)
    wait_for_count(lab, "*")
    # The same board in two places: what one has sent, the other does not know.
    one, other = lab.board(0), lab.board(1)
    take(one, "WUG")
    take(other, "URK")
    notice = one.root.locator(".spl-notice")
    lab.page.wait_for_function(
        "() => document.querySelector('.spl-notice').innerText.startsWith('Waiting')"
    )
    assert other.wait_for_lines(1) == one.wait_for_lines(1)
    assert notice.inner_text() == ""
    lab.start(3)
    wait_for_count(lab, 6)
    assert lab.printed(3) == "1"


def test_after_five_runs_of_the_cell_one_click_is_one_move(lab: Desk) -> None:
    lab.run(PEOPLE, PROGRESS)
    for run in range(3, 7):
        lab.start(0)
        wait_for_count(lab, run)
    lab.wait_for_boards(1)
    assert lab.page.locator(".spl-board").count() == 1
    board = lab.board()
    take(board)
    assert len(board.wait_for_lines(1)) == 1
    lab.start(1)
    wait_for_count(lab, 7)
    assert lab.printed(1) == "1"


def test_restart_and_run_all_gives_a_board_that_works(lab: Desk) -> None:
    lab.run(AGAINST_GREEDY)
    take(lab.board())
    lab.board().wait_for_lines(2)
    lab.page.locator(".jp-NotebookPanel-toolbar:visible").locator(
        "[data-command='notebook:restart-run-all']"
    ).click()
    lab.page.click(".jp-Dialog .jp-mod-accept")
    lab.page.wait_for_function(
        "() => { const board = document.querySelector('.spl-board');"
        " return board && !board.querySelector('.spl-log li') }"
    )
    take(lab.board(), "URK")
    assert lab.board().wait_for_lines(2)[0].startswith("You took")


def test_two_boards_in_one_notebook_do_not_disturb_each_other(lab: Desk) -> None:
    lab.run(PEOPLE, PEOPLE.replace("seed=7", "seed=8"), boards=2)
    one, other = lab.board(0), lab.board(1)
    take(one)
    one.wait_for_lines(1)
    assert other.log == []
    other.at("pile-K").focus()
    for key in "kk":
        lab.page.keyboard.press(key)
    lab.page.keyboard.press("Enter")
    assert other.wait_for_lines(1) == ["Anna took 2 black."]
    assert len(one.log) == 1


def test_at_a_shared_screen_nothing_stays_picked_for_the_next_person(lab: Desk) -> None:
    board = lab.run(PEOPLE).board()
    take(board)
    board.wait_for_lines(1)
    assert board.at("confirm").count() == 0
    board.click("deck-1")
    board.click("reserve L1")
    board.wait_for_lines(2)
    assert board.at("reserve L1").count() == 0


def test_R18_unseen_reserves_show_while_the_button_is_held(lab: Desk) -> None:
    board = lab.run(PEOPLE).board()
    for level in (1, 2):
        board.click(f"deck-{level}", f"reserve L{level}")
        board.wait_for_lines(level)
    reserve = board.at("reserve-0-0")
    assert reserve.get_attribute("aria-label") == "Level 1 card reserved unseen"
    board.at("peek-0").hover()
    lab.page.mouse.down()
    board.root.locator('[data-key="reserve-0-0"] .spl-costs').wait_for()
    assert "costs" in (reserve.get_attribute("aria-label") or "")
    lab.page.mouse.up()
    board.root.locator('[data-key="reserve-0-0"] .spl-costs').wait_for(state="detached")
    assert reserve.get_attribute("aria-label") == "Level 1 card reserved unseen"
    assert board.at("peek-1").count() == 0


# --- what goes wrong, and what could


def test_an_exception_in_an_agent_is_shown_on_the_board(lab: Desk) -> None:
    agent = "def broken(observation, rng):\n    raise KeyError('<b>no gems</b>')\n"
    board = lab.run(START + agent + "game = play(broken, seed=7, speed='instant')").board()
    take(board)
    alert = board.root.get_by_role("alert")
    alert.locator("p").wait_for()
    assert "KeyError" in alert.inner_text()
    assert "<b>no gems</b>" in alert.inner_text()
    assert "Winner: You" in board.root.locator(".spl-result").inner_text()
    board.click("dismiss")
    alert.locator("p").wait_for(state="detached")


def test_markup_in_a_name_is_text(lab: Desk) -> None:
    evil = "<img src=x onerror='window.hacked = 1'><b>Eve</b>"
    names = f"names=[{evil!r}, {'A' * 10_000!r}]"
    lab.run(START + f"game = play(['human', 'human'], seed=7, {names})", "game")
    board = lab.board()
    take(board)
    board.wait_for_lines(1)
    assert board.root.locator(".spl-person").first.inner_text() == evil
    assert board.root.locator("b", has_text=re.compile("^Eve$")).count() == 0
    assert lab.page.evaluate("window.hacked") is None
    assert board.root.evaluate("root => root.scrollWidth <= root.clientWidth")


def test_keys_on_a_card_do_nothing_to_the_notebook(lab: Desk) -> None:
    board = lab.run(PEOPLE, "1 + 1").board()
    before = lab.cells()
    board.at("slot-1-0").focus()
    for key in ("x", "b", "a", "d", "d", "m", "y", "z", "c", "v", "0", "0", "Enter", "Escape"):
        lab.page.keyboard.press(key)
    assert lab.cells() == before
    assert board.log == []
    assert lab.page.locator(".jp-Dialog").count() == 0


@pytest.mark.parametrize("theme", ["JupyterLab Dark", "JupyterLab Light"])
def test_axe_finds_nothing_wrong_and_every_button_has_a_name(lab: Desk, theme: str) -> None:
    lab.run(AGAINST_GREEDY)
    lab.command("apputils:change-theme", theme=theme)
    light = "true" if "Light" in theme else "false"
    lab.page.locator(f'body[data-jp-theme-light="{light}"]').wait_for(state="attached")
    board = lab.board()
    take(board)
    board.wait_for_lines(2)
    board.click("slot-1-0")
    lab.page.wait_for_timeout(300)  # colors fade
    result = Axe().run(lab.page, context=".spl-board")
    assert result.response["violations"] == []
    snapshot = lab.output(0).aria_snapshot()
    buttons = re.findall(r"- button\b.*", snapshot)
    assert len(buttons) > 25
    assert [button for button in buttons if not re.match(r'- button "\S', button)] == []


# --- where it is shown


@pytest.mark.parametrize("app", ["lab", "notebook"])
def test_nothing_is_asked_of_other_hosts(desk: Desk, app: str) -> None:
    desk.server.write("quiet.ipynb", AGAINST_GREEDY)
    desk.open("quiet.ipynb", app).run_by_keyboard()
    board = desk.wait_for_boards(1).board()
    take(board)
    assert board.wait_for_lines(2)[0].startswith("You took")
    assert not desk.page.locator(".spl-static").first.is_visible()
    desk.page.wait_for_timeout(1500)  # for what is fetched late
    assert desk.strangers == []


def test_the_board_is_shown_in_voila(desk: Desk) -> None:
    desk.server.write("voila.ipynb", AGAINST_GREEDY)
    board = desk.open("voila.ipynb", "voila").wait_for_boards(1).board()
    take(board)
    assert board.wait_for_lines(2)[0].startswith("You took")
    assert not desk.page.locator(".spl-static").first.is_visible()


def test_a_game_goes_on_after_a_reload_and_a_later_reader_sees_the_saved_position(
    desk: Desk,
) -> None:
    desk.run(AGAINST_GREEDY)
    take(desk.board())
    desk.board().wait_for_lines(2)
    wait_for_picture(desk, "Turn 3: You to play")
    desk.save()
    name = desk.name
    desk.page.reload()
    board = desk.wait_for_boards(1).board()
    assert len(board.log) == 2
    take(board, "URW")
    board.wait_for_lines(4)
    assert not desk.page.locator(".spl-static").first.is_visible()

    assert "widgets" not in desk.server.read(name).metadata
    desk.server.stop_kernels()
    desk.open(name)
    picture = desk.page.locator(".spl-static img").first
    picture.wait_for()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 300
    assert desk.page.locator(".spl-board").count() == 0
    assert last_picture(desk) == "Turn 3: You to play"


def test_the_plain_controls_play_and_show_the_picture_beside_them(lab: Desk) -> None:
    lab.run(
        START + "game = play('greedy', seed=7, speed='instant', ui='controls')",
        PROGRESS,
        boards=0,
    )
    output = lab.output(0)
    output.get_by_role("listbox").select_option("take WUG")
    output.get_by_role("button", name="Play").click()
    output.get_by_text("greedy took 2 black.").wait_for()
    assert output.locator(".spl-static img").is_visible()


def test_a_board_fits_a_narrow_and_a_wide_cell(lab: Desk) -> None:
    board = lab.run(START + "game = play('greedy', players=4, seed=7)").board()
    for width in (700, 1400):
        board.root.evaluate("(root, width) => { root.style.width = `${width}px` }", width)
        assert board.root.evaluate("root => root.scrollWidth <= root.clientWidth")
        boxes = board.root.locator("button.spl-card, button.spl-pile").evaluate_all(
            "nodes => nodes.map(node => node.getBoundingClientRect().toJSON())"
        )
        assert min(box["width"] for box in boxes) >= 24
