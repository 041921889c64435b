"""The page of the board in a browser, with a stub in the place of its Python model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import page_views as views
import pytest
from axe_playwright_python.sync_playwright import Axe

from splendor_nb.board.texts import ENGLISH

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

Json = dict[str, Any]

BOARD = Path(__file__).parents[1] / "splendor_nb" / "board"
HOST = "http://board.test"
TYPES = {".js": "text/javascript", ".css": "text/css"}
# The model's four methods that the page may use, and what they were given.
PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A notebook</title>
<link rel="stylesheet" href="board.css">
<style>
  body { margin: 0; background: #fff; }
  body[data-jp-theme-light="false"] {
    --jp-layout-color0: #111; --jp-ui-font-color0: #fff; background: #111; color: #fff;
  }
</style></head>
<body data-jp-theme-light="true">
<main class="jp-OutputArea">
  <h1>A notebook</h1>
  <div class="jp-OutputArea-child"><div id="cell"></div></div>
  <div class="jp-OutputArea-child"><div class="spl-static">a picture</div></div>
</main>
<script type="module">
import board from "./board.js";
const traits = {};
const listeners = {};
const known = (texts) => new Proxy(texts, {
  get: (words, key) => (key in words ? words[key] : void unknown.push(key)),
});
window.unknown = [];
window.sent = [];
window.passed = [];
window.model = {
  get: (name) => traits[name],
  on: (name, call) => (listeners[name] ??= new Set()).add(call),
  off: (name, call) => listeners[name].delete(call),
  send: (message) => sent.push(message),
};
window.change = (changes) => {
  if (changes.texts) changes.texts = known(changes.texts);
  Object.assign(traits, changes);
  for (const name in changes) listeners[`change:${name}`]?.forEach((call) => call());
};
window.listening = () => Object.values(listeners).reduce((sum, calls) => sum + calls.size, 0);
window.show = (id) => board.render({ model, el: document.getElementById(id) });
document.addEventListener("keydown", (event) => passed.push(event.key));
window.ready = true;
</script></body></html>
"""

VIEWS: dict[str, Callable[[], Json]] = {
    "main": views.main_view,
    "four": lambda: views.main_view(4),
    "public": lambda: views.main_view(3, viewer=None),
    "return": views.return_view,
    "noble": views.noble_view,
    "pay": views.pay_view,
    "pass": views.pass_view,
    "thinking": views.thinking_view,
    "shared": views.shared_view,
    "over": views.over_view,
    "replay": views.replay_view,
    "error": lambda: views.main_view() | {"error": "Agent greedy raised ZeroDivisionError."},
}


def serve(route: Route) -> None:
    """Answer with the page's own files; whatever comes from elsewhere stays away."""
    name = route.request.url.removeprefix(HOST).strip("/")
    if not route.request.url.startswith(HOST):
        route.abort()
    elif name in ("board.js", "board.css"):
        text = (BOARD / name).read_text(encoding="utf-8")
        route.fulfill(body=text, content_type=TYPES[Path(name).suffix])
    else:
        route.fulfill(body=PAGE, content_type="text/html")


class Cell:
    """A notebook's cell with a live board, as a person and as Python see it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator(".spl-board")

    def open(self, view: Json, **traits: Any) -> Cell:
        self.python({"view": view, "texts": ENGLISH, "dir": "ltr", "size": "normal"} | traits)
        self.page.evaluate("void (window.stop = show('cell'))")
        return self

    def python(self, changes: Json) -> None:
        self.page.evaluate("changes => change(changes)", changes)

    def answer(self, view: Json, **fields: Any) -> None:
        """Python's answer: a view with the next version."""
        shown = self.page.evaluate("model.get('view').version")
        self.python({"view": view | fields | {"version": shown + 1}})

    @property
    def sent(self) -> list[Json]:
        return self.page.evaluate("sent")

    @property
    def actions(self) -> list[str]:
        return [message["action"] for message in self.sent if message["type"] == "act"]

    @property
    def focused(self) -> str:
        return self.page.evaluate("document.activeElement.dataset.key ?? ''")

    def at(self, key: str) -> Locator:
        return self.root.locator(f'[data-key="{key}"]')

    def click(self, *keys: str) -> None:
        for key in keys:
            self.at(key).click()

    def click_dimmed(self, key: str) -> None:
        """Click what only looks as if nothing came of it."""
        self.at(key).click(force=True)

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def wait_for_frame(self) -> None:
        """Wait until what has happened is painted, and told to whom it concerns."""
        self.page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def boxes(self, selector: str) -> list[dict[str, float]]:
        """Where elements lie, from the left and from the top."""
        return self.root.locator(selector).evaluate_all(
            "nodes => nodes.map((node) => node.getBoundingClientRect().toJSON())"
        )

    def tip(self) -> str:
        tip = self.root.get_by_role("tooltip", include_hidden=True)
        tip.wait_for()
        return tip.inner_text()

    def notice(self) -> str:
        return self.root.locator(".spl-notice").inner_text()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    page.set_default_timeout(5000)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("requestfailed", lambda request: faults.append(request.url))
    page.route("**/*", serve)
    page.goto(f"{HOST}/")
    page.wait_for_function("window.ready")
    yield page
    page.close()
    assert not faults


@pytest.fixture
def cell(page: Page) -> Cell:
    return Cell(page)


# --- gems


def test_gems_are_picked_one_by_one_and_sent_on_confirm(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.click("pile-U", "pile-W", "pile-G")
    assert cell.sent == []
    cell.click("confirm")
    assert cell.sent == [{"type": "act", "version": 17, "action": "take WUG"}]


def test_the_same_gem_twice_makes_two(cell: Cell) -> None:
    cell.open(views.main_view(4))
    cell.at("pile-G").dblclick()
    assert cell.at("pile-G").get_attribute("aria-label") == "green gems, 4 in the bank, 2 picked"
    cell.click("confirm")
    assert cell.actions == ["take GG"]


def test_an_unfinished_pick_cannot_be_confirmed_and_says_why(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.click("pile-W")
    cell.at("confirm").hover()
    assert cell.tip() == "Pick three different gems, or two of one color."
    cell.click_dimmed("confirm")
    assert cell.actions == []
    assert cell.notice() == "Pick three different gems, or two of one color."


def test_confirm_stands_out_when_a_pick_is_complete(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.click("pile-W", "pile-U")
    assert "spl-ready" not in (cell.at("confirm").get_attribute("class") or "")
    cell.click("pile-K")
    assert "spl-ready" in (cell.at("confirm").get_attribute("class") or "")
    assert cell.sent == []


def test_a_picked_gem_is_put_back_by_pressing_it(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.click("pile-W", "pile-U", "picked-0", "pile-R", "pile-K", "confirm")
    assert cell.actions == ["take URK"]


def test_cancel_drops_the_pick(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.click("pile-W", "cancel")
    assert cell.at("confirm").count() == 0
    assert cell.at("pile-W").get_attribute("aria-label") == "white gems, 1 in the bank"


@pytest.mark.parametrize("way", ["hover", "focus"])
def test_a_dimmed_pile_says_why(cell: Cell, way: str) -> None:
    cell.open(views.main_view())
    gold = cell.at("pile-*")
    assert gold.get_attribute("aria-disabled") == "true"
    assert gold.get_attribute("disabled") is None
    getattr(gold, way)()
    assert cell.tip() == "Gold comes only with a reservation [R9]."


def test_a_dimmed_button_is_described_by_its_reason(cell: Cell) -> None:
    cell.open(views.main_view())
    reason = cell.page.locator(f"#{cell.at('pile-*').get_attribute('aria-describedby')}")
    assert reason.text_content() == "Gold comes only with a reservation [R9]."


# --- cards and decks


def test_a_chosen_card_is_bought(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.click("slot-2-1", "buy 2G1")
    assert cell.actions == ["buy 2G1"]


def test_a_card_out_of_reach_can_be_reserved_and_says_what_is_missing(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.click("slot-3-1")
    cell.at("buy 3U3").focus()
    assert cell.tip() == "You miss 5 white for 3U3."
    cell.click_dimmed("buy 3U3")
    assert cell.actions == []
    cell.click("reserve 3U3")
    assert cell.actions == ["reserve 3U3"]


def test_each_card_shows_by_a_sign_whether_it_can_be_bought(cell: Cell) -> None:
    cell.open(views.main_view())
    marks = {
        name: cell.at(name).locator(".spl-mark").inner_text()
        for name in ("slot-1-0", "slot-2-1", "slot-3-1")
    }
    assert marks == {"slot-1-0": "✓", "slot-2-1": "✓ 1★", "slot-3-1": "−5"}


def test_a_deck_is_reserved_from_unseen(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.click("deck-2", "reserve L2")
    assert cell.actions == ["reserve L2"]


def test_a_card_of_the_own_reserve_is_bought(cell: Cell) -> None:
    view = views.main_view()
    view["seats"][0]["reserved"][0]["controls"][0]["why"] = ""
    cell.open(view)
    cell.click("reserve-0-0", "buy 2R3")
    assert cell.actions == ["buy 2R3"]


def test_the_reserves_of_others_are_pictures(cell: Cell) -> None:
    cell.open(views.main_view(3))
    assert cell.at("reserve-1-0").get_attribute("role") == "img"
    assert cell.at("reserve-2-0").get_attribute("aria-label") == "Level 3 card reserved unseen"


def test_choosing_a_card_drops_the_pick_and_the_other_way_round(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.click("pile-W", "slot-1-0")
    assert cell.at("confirm").count() == 0
    cell.click("pile-W")
    assert cell.at("slot-1-0").get_attribute("aria-pressed") == "false"


def test_a_second_click_takes_the_choice_back_and_a_double_click_does_not(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.at("slot-1-0").dblclick()
    assert cell.at("slot-1-0").get_attribute("aria-pressed") == "true"
    cell.page.wait_for_timeout(600)  # or it would be a triple click
    cell.click("slot-1-0")
    assert cell.at("slot-1-0").get_attribute("aria-pressed") == "false"


def test_an_empty_slot_and_a_back_in_the_market_are_no_buttons(cell: Cell) -> None:
    view = views.main_view()
    view["market"][0][0] = None
    view["market"][1][0] = views.back(2)
    cell.open(view)
    assert cell.at("slot-1-0").evaluate("node => node.tagName") == "SPAN"
    assert cell.at("slot-2-0").get_attribute("role") == "img"


# --- one message for each version


def test_a_double_click_sends_once(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.click("deck-1")
    cell.at("reserve L1").dblclick()
    assert cell.actions == ["reserve L1"]


def test_a_double_click_over_a_quick_answer_sends_once(cell: Cell) -> None:
    cell.open(views.return_view())
    box = cell.at("return W").bounding_box()
    assert box
    x, y = box["x"] + 9, box["y"] + 9
    cell.page.mouse.click(x, y)
    cell.answer(views.return_view())
    cell.page.mouse.move(x, y)
    cell.page.mouse.down(click_count=2)
    cell.page.mouse.up(click_count=2)
    assert cell.actions == ["return W"]


def test_clicks_before_an_answer_are_dropped_and_the_next_version_is_answered(cell: Cell) -> None:
    cell.open(views.return_view())
    cell.click("return W", "return U")
    cell.answer(views.return_view())
    cell.click("return U")
    assert [(message["action"], message["version"]) for message in cell.sent] == [
        ("return W", 17),
        ("return U", 18),
    ]


def test_it_says_when_it_waits_for_python(cell: Cell) -> None:
    cell.open(views.return_view())
    cell.click("return W")
    assert cell.notice() == ""
    cell.page.wait_for_function("document.querySelector('.spl-notice').textContent")
    assert cell.notice() == "Waiting for Python…"
    cell.answer(views.return_view())
    assert cell.notice() == ""


# --- redrawing


def test_a_redraw_keeps_a_pick_that_is_still_possible(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.click("pile-W", "pile-U")
    cell.answer(views.main_view(), status="Something else has changed.")
    cell.click("pile-G", "confirm")
    assert cell.actions == ["take WUG"]


def test_a_redraw_drops_a_pick_that_is_no_longer_possible(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.click("pile-W", "pile-U")
    cell.answer(views.thinking_view(2))
    assert cell.at("confirm").count() == 0


def test_a_redraw_drops_a_choice_that_has_left_the_market(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.click("slot-1-0")
    view = views.main_view()
    view["market"][0][0] = None
    cell.answer(view)
    assert cell.at("cancel").count() == 0


def test_a_redraw_keeps_the_element_that_has_the_focus(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.at("slot-2-3").focus()
    cell.page.evaluate("window.before = document.activeElement")
    cell.answer(views.thinking_view(2))
    assert cell.page.evaluate("document.activeElement === before")


def test_the_focus_returns_to_the_table_when_its_button_has_gone(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.at("pile-U").focus()
    cell.keys("w", "u", "g")
    assert cell.focused == "confirm"
    cell.keys("Enter")
    cell.answer(views.thinking_view(2))
    assert cell.focused == "pile-U"


def test_the_focus_goes_to_what_is_asked_when_its_button_has_gone(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.at("pile-U").focus()
    cell.keys("w", "u", "g", "Enter")
    cell.answer(views.return_view())
    assert cell.focused == "action"


def test_a_redraw_keeps_the_log_and_where_it_is_scrolled_to(cell: Cell) -> None:
    lines = [{"id": n, "turn": n, "seat": n % 2, "text": f"Line {n}."} for n in range(60)]
    cell.open(views.main_view() | {"log": lines})
    log = cell.root.get_by_role("log")
    log.evaluate("node => { node.scrollTop = 40; window.log = node; }")
    cell.wait_for_frame()
    log.evaluate("node => { window.line = node.querySelector('li') }")
    more = [*lines, {"id": 60, "turn": 60, "seat": 0, "text": "Line 60."}]
    cell.answer(views.main_view(), log=more)
    assert log.evaluate("node => [node.scrollTop, node === window.log, line.isConnected]") == [
        40,
        True,
        True,
    ]
    log.evaluate("node => { node.scrollTop = 1e6 }")
    cell.wait_for_frame()
    cell.answer(views.main_view(), log=[*more, {"id": 61, "turn": 61, "seat": 1, "text": "Last."}])
    cell.wait_for_frame()
    assert log.get_by_text("Last.").is_visible()
    assert log.evaluate("node => node.scrollTop + node.clientHeight >= node.scrollHeight - 1")


def test_texts_direction_and_size_redraw(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.python({"texts": ENGLISH | {"hint": "Was tun?"}})
    assert cell.root.get_by_text("Was tun?").is_visible()
    cell.python({"dir": "rtl", "size": "large"})
    assert cell.root.get_attribute("dir") == "rtl"
    assert cell.root.evaluate("node => getComputedStyle(node).fontSize") == "19px"


def test_two_boards_of_one_model_share_no_id(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.page.evaluate(
        "document.querySelector('main').append(Object.assign("
        "document.createElement('div'), { id: 'second' })); show('second')"
    )
    ids = cell.page.eval_on_selector_all("[id]", "nodes => nodes.map(node => node.id)")
    assert len(ids) == len(set(ids)) > 4


def test_a_closed_board_leaves_nothing_behind(cell: Cell) -> None:
    cell.open(views.replay_view())
    cell.click("play")
    cell.page.evaluate("stop()")
    assert cell.root.count() == 0
    assert cell.page.evaluate("listening()") == 0
    before = len(cell.sent)
    cell.answer(views.replay_view(13))
    cell.page.wait_for_timeout(1000)
    assert len(cell.sent) == before


# --- keyboard


def test_a_turn_by_keyboard_alone(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.root.focus()
    cell.keys("w", "u", "k", "Enter")
    assert cell.actions == ["take WUK"]


def test_letters_work_on_a_keyboard_of_another_script(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.root.focus()
    cell.root.dispatch_event("keydown", {"key": "ц", "code": "KeyW", "bubbles": True})
    assert cell.at("picked-0").is_visible()


def test_a_letter_that_is_not_possible_says_why(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.root.focus()
    cell.keys("w", "w")
    assert cell.notice() == "Two white need a pile of four [R8]."


def test_space_picks_and_the_complete_pick_moves_on_to_confirm(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.at("pile-W").focus()
    cell.keys("Space", "ArrowDown", "Enter", "ArrowDown", "Space")
    assert cell.focused == "confirm"
    cell.keys("Enter")
    assert cell.actions == ["take WUG"]


def test_enter_on_a_card_moves_on_to_what_can_be_done_with_it(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.at("slot-3-1").focus()
    cell.keys("Enter")
    assert cell.focused == "reserve 3U3"
    cell.keys("Escape")
    assert cell.focused == "slot-3-1"
    assert cell.at("cancel").count() == 0


def test_b_buys_and_s_reserves_what_has_the_focus(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.at("slot-2-1").focus()
    cell.keys("b")
    cell.answer(views.main_view())
    cell.at("deck-3").focus()
    cell.keys("s")
    assert cell.actions == ["buy 2G1", "reserve L3"]


def test_b_on_a_card_out_of_reach_says_why(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.at("slot-3-1").focus()
    cell.keys("b")
    assert (cell.actions, cell.notice()) == ([], "You miss 5 white for 3U3.")


@pytest.mark.parametrize(
    ("direction", "path"),
    [
        ("ltr", ["slot-2-1", "slot-1-1", "slot-1-0", "deck-1"]),
        ("rtl", ["slot-2-1", "slot-1-1", "slot-1-2", "slot-1-3"]),
    ],
)
def test_arrows_move_over_the_table(cell: Cell, direction: str, path: list[str]) -> None:
    cell.open(views.main_view(), dir=direction)
    cell.at("slot-3-1").focus()
    passed = []
    for key in ("ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft"):
        cell.keys(key)
        passed.append(cell.focused)
    assert passed == path


def test_tab_stops_once_in_the_market_and_once_in_the_bank(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.at("help").focus()
    stops = []
    for key in ("Tab", "Tab", "Tab", "2", "Tab", "Shift+Tab"):
        cell.keys(key)
        stops.append(cell.focused)
    assert stops == ["deck-3", "pile-W", "fold-0", "slot-2-0", "pile-W", "slot-2-0"]


def test_a_key_that_is_held_down_presses_once(cell: Cell) -> None:
    cell.open(views.main_view(4))
    cell.at("pile-G").focus()
    cell.page.keyboard.down("Enter")
    cell.page.keyboard.down("Enter")  # the keyboard's own repetition
    cell.page.keyboard.up("Enter")
    assert cell.at("picked-0").count() == 1
    assert cell.at("picked-1").count() == 0


def test_keys_stay_away_from_the_notebook(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.at("slot-1-0").focus()
    cell.keys("x", "b", "d", "M", "Shift+Enter", "Escape", "ArrowUp", "?")
    assert cell.page.evaluate("passed.filter((key) => key !== 'Shift')") == []


def test_tab_and_combinations_go_on_to_the_notebook(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.at("slot-1-0").focus()
    cell.keys("Tab", "Control+s", "Alt+z")
    assert {"Tab", "s", "z"} <= set(cell.page.evaluate("passed"))


def test_the_question_mark_opens_the_keys_and_escape_closes_them(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.at("slot-1-0").focus()
    cell.keys("?")
    assert cell.root.get_by_text("reserve the focused or chosen card or deck").is_visible()
    cell.keys("Escape")
    assert cell.root.get_by_role("group", name="Keys").count() == 0


# --- what else is asked


def test_returning_shows_the_counter_and_goes_by_bar_chip_and_letter(cell: Cell) -> None:
    cell.open(views.return_view())
    assert cell.root.get_by_text("12 of 10").is_visible()
    cell.click("return W")
    cell.answer(views.return_view())
    cell.click("token-0-U")
    cell.answer(views.return_view())
    cell.keys("k")
    cell.answer(views.return_view())
    cell.keys("o")
    cell.answer(views.return_view())
    cell.keys("*")
    assert cell.actions == ["return W", "return U", "return K", "return *", "return *"]


def test_cards_say_why_they_have_to_wait(cell: Cell) -> None:
    cell.open(views.return_view())
    cell.at("slot-1-0").focus()
    assert cell.tip() == "Return tokens first [R13]."
    cell.at("pile-W").focus()
    assert cell.tip() == "You hold 12 tokens: return 2 more."


@pytest.mark.parametrize("key", ["noble-UG", "noble UG"])
def test_a_noble_is_chosen_by_its_tile_or_by_the_prompt(cell: Cell, key: str) -> None:
    cell.open(views.noble_view())
    cell.click(key)
    assert cell.actions == ["noble UG"]


def test_nobles_show_how_far_every_player_is(cell: Cell) -> None:
    cell.open(views.noble_view())
    assert cell.at("noble-WUK").locator(".spl-needs > span").all_inner_texts() == [
        "✓",
        "9",
        "3",
        "8",
    ]
    cell.at("noble-WUK").hover()
    assert "Greedy: 9 bonuses missing" in cell.tip()


def test_paying_by_choice(cell: Cell) -> None:
    cell.open(views.pay_view())
    cell.click_dimmed("gold K")
    cell.click("gold G")
    cell.answer(views.pay_view())
    cell.click("pay")
    assert cell.actions == ["gold G", "pay"]


def test_passing_is_said_then_done(cell: Cell) -> None:
    cell.open(views.pass_view())
    assert "You can neither take, reserve nor buy: you pass." in cell.at("action").inner_text()
    cell.click("pass")
    assert cell.actions == ["pass"]


def test_a_thinking_agent_can_be_skipped(cell: Cell) -> None:
    cell.open(views.thinking_view())
    assert "Greedy is thinking" in cell.at("action").inner_text()
    assert cell.root.get_by_text("Last round").is_visible()
    cell.click("skip")
    assert cell.sent == [{"type": "skip", "version": 17}]


def test_an_error_is_an_alert_until_it_is_dismissed(cell: Cell) -> None:
    cell.open(views.main_view())
    alert = cell.root.get_by_role("alert", include_hidden=True)
    alert.evaluate("node => { window.alerted = node }")
    cell.answer(views.main_view(), error="Agent greedy raised ZeroDivisionError.")
    assert "ZeroDivisionError" in alert.inner_text()
    assert alert.evaluate("node => node === alerted")
    cell.click("dismiss")
    assert cell.sent == [{"type": "dismiss", "version": 18}]


def test_the_end_shows_the_ranking_and_offers_a_rematch(cell: Cell) -> None:
    cell.open(views.over_view())
    rows = cell.root.get_by_role("row").all_inner_texts()
    assert [row.split("\t")[0] for row in rows] == ["Place", "1", "2", "3", "4"]
    cell.click("rematch")
    assert cell.sent == [{"type": "rematch", "version": 17}]


def test_what_moved_last_is_marked(cell: Cell) -> None:
    cell.open(views.main_view())
    assert cell.at("pile-R").locator(".spl-taken").inner_text() == "−1"
    assert cell.at("seat-1").locator(".spl-pip.spl-touched").count() == 3
    assert (cell.at("slot-1-2").get_attribute("aria-label") or "").endswith("new")


def test_bought_cards_are_listed_on_request(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.click("fold-1")
    assert cell.at("seat-1").get_by_text("2G5").is_visible()
    cell.answer(views.main_view())
    assert cell.at("fold-1").get_attribute("aria-expanded") == "true"


# --- several people at one screen


def test_unseen_cards_show_only_while_the_button_is_held(cell: Cell) -> None:
    cell.open(views.shared_view())
    cell.at("peek-0").hover()
    cell.page.mouse.down()
    assert cell.sent == [{"type": "peek", "version": 17, "seat": 0, "on": True}]
    cell.answer(views.shared_view(peeking=True))
    cell.page.mouse.up()
    assert cell.sent[1:] == [{"type": "peek", "version": 18, "seat": 0, "on": False}]


@pytest.mark.parametrize("end", ["leave", "blur"])
def test_unseen_cards_hide_when_the_pointer_or_the_window_is_left(cell: Cell, end: str) -> None:
    cell.open(views.shared_view())
    cell.at("peek-0").hover()
    cell.page.mouse.down()
    cell.answer(views.shared_view(peeking=True))
    if end == "leave":
        cell.page.mouse.move(5, 5)
    else:
        cell.page.evaluate("window.dispatchEvent(new Event('blur'))")
    assert [message["on"] for message in cell.sent] == [True, False]


def test_letting_go_before_python_answers_is_not_lost(cell: Cell) -> None:
    cell.open(views.shared_view())
    cell.at("peek-0").hover()
    cell.page.mouse.down()
    cell.page.mouse.up()
    assert len(cell.sent) == 1
    cell.answer(views.shared_view(peeking=True))
    assert [(message["version"], message["on"]) for message in cell.sent] == [
        (17, True),
        (18, False),
    ]


def test_a_key_switches_the_unseen_cards_and_leaving_the_button_hides_them(cell: Cell) -> None:
    cell.open(views.shared_view())
    cell.at("peek-0").focus()
    cell.keys("Enter")
    cell.answer(views.shared_view(peeking=True))
    assert cell.at("peek-0").get_attribute("aria-pressed") == "true"
    cell.keys("Enter")
    cell.answer(views.shared_view())
    cell.keys("Enter")
    cell.answer(views.shared_view(peeking=True))
    cell.keys("Tab")
    assert [message["on"] for message in cell.sent] == [True, False, True, False]


# --- replay


def test_a_replay_steps_by_buttons(cell: Cell) -> None:
    cell.open(views.replay_view())
    for key, step in (("first", 0), ("back", 11), ("forward", 13), ("last", 87)):
        cell.click(key)
        assert cell.sent[-1]["step"] == step
        cell.answer(views.replay_view(12))


def test_a_replay_steps_by_keys(cell: Cell) -> None:
    cell.open(views.replay_view())
    cell.root.focus()
    for key, step in (("ArrowRight", 13), ("ArrowLeft", 11), ("Home", 0), ("End", 87)):
        cell.keys(key)
        assert cell.sent[-1]["step"] == step
        cell.answer(views.replay_view(12))


def test_a_replay_asks_for_the_newest_step_only(cell: Cell) -> None:
    cell.open(views.replay_view())
    cell.at("slider").focus()
    cell.keys("ArrowRight", "ArrowRight", "ArrowRight")
    assert [message["step"] for message in cell.sent] == [13]
    cell.answer(views.replay_view(13))
    assert [message["step"] for message in cell.sent] == [13, 15]
    assert cell.at("slider").input_value() == "15"


def test_a_replay_plays_by_itself_to_the_end(cell: Cell) -> None:
    cell.open(views.replay_view(85))
    cell.root.focus()
    cell.keys("Space")
    assert cell.at("play").get_attribute("aria-label") == "Pause"
    cell.answer(views.replay_view(86))
    cell.page.wait_for_function("sent.length === 2")
    cell.answer(views.replay_view(87))
    assert cell.at("play").get_attribute("aria-label") == "Play"
    cell.page.wait_for_timeout(1000)
    assert [message["step"] for message in cell.sent] == [86, 87]


def test_a_replay_shows_another_seats_view(cell: Cell) -> None:
    cell.open(views.replay_view())
    assert cell.at("viewer").input_value() == "0"
    cell.at("viewer").select_option(label="Public view")
    assert cell.sent == [{"type": "viewer", "version": 112, "seat": None}]


# --- who looks at it, and where


def test_every_button_has_a_name(cell: Cell) -> None:
    cell.open(views.main_view())
    for make in VIEWS.values():
        cell.answer(make())
        names = cell.root.locator("button").evaluate_all(
            "nodes => nodes.map((node) => node.ariaLabel ?? node.textContent)"
        )
        assert all(re.search(r"\w", name) for name in names)


def test_every_word_is_in_the_catalogue(cell: Cell) -> None:
    cell.open(views.main_view())
    cell.click("help")
    for make in VIEWS.values():
        cell.answer(make())
        assert cell.page.evaluate("unknown") == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["four", "return", "shared", "over", "replay", "error"])
def test_it_is_accessible(cell: Cell, name: str, theme: str) -> None:
    cell.page.evaluate(
        "light => { document.body.dataset.jpThemeLight = light }", str(theme == "light").lower()
    )
    cell.open(VIEWS[name]())
    found = Axe().run(cell.page).response["violations"]
    assert [(one["id"], [node["html"] for node in one["nodes"]]) for one in found] == []


def test_names_are_shown_as_text(cell: Cell) -> None:
    bad = '<img src=x onerror="window.hacked = true"><b>😀 אבג</b>'
    cell.open(views.main_view())
    for make in VIEWS.values():
        text = json.dumps(make()).replace("Anna", json.dumps(bad)[1:-1])
        cell.answer(json.loads(text))
        assert bad in cell.root.inner_text()
        assert cell.root.locator("img").count() == 0
    assert cell.page.evaluate("window.hacked") is None


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.parametrize("size", ["normal", "large"])
def test_nothing_sticks_out_at_any_width(cell: Cell, direction: str, size: str) -> None:
    cell.open(views.main_view(), dir=direction, size=size)
    for make in VIEWS.values():
        long = json.dumps(make()).replace("Anna", "Anna" * 2500)
        cell.answer(json.loads(long))
        for width in (380, 700, 1000, 1400):
            cell.page.set_viewport_size({"width": width, "height": 900})
            assert cell.page.evaluate("document.documentElement.scrollWidth") <= width
            assert cell.root.evaluate("node => node.scrollWidth <= node.clientWidth")


def sticks_out(inner: dict[str, float], outer: dict[str, float]) -> bool:
    far = inner["right"] > outer["right"] + 1 or inner["left"] < outer["left"] - 1
    return far or inner["top"] < outer["top"] - 1 or inner["bottom"] > outer["bottom"] + 1


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
@pytest.mark.parametrize("width", [700, 1000, 1500])
def test_prices_and_marks_stay_on_their_cards_and_tiles(
    cell: Cell, width: int, direction: str
) -> None:
    cell.page.set_viewport_size({"width": width, "height": 900})
    view = views.main_view(4)
    view["seats"][1]["reserved"] = [views.card("3K1", None, reserved=True)]  # of four prices
    cell.open(view, dir=direction)
    for owner, part in (
        ('[data-key="reserve-1-0"]', ".spl-pip"),
        *[(f'[data-key="noble-{name}"]', ".spl-missing") for name in views.NOBLES],
    ):
        (outer,) = cell.boxes(owner)
        inside = cell.boxes(f"{owner} {part}")
        assert len(inside) > 1
        assert not any(sticks_out(inner, outer) for inner in inside)


@pytest.mark.parametrize("name", ["four", "over"])
def test_on_a_wide_page_nothing_is_left_empty_below_the_table(cell: Cell, name: str) -> None:
    cell.page.set_viewport_size({"width": 1500, "height": 900})
    view = VIEWS[name]()
    for seat in view["seats"]:  # as tall as they get
        seat["reserved"] = [views.card(card, None, reserved=True) for card in ("3K1", "1W4", "2R3")]
    cell.open(view)
    (action,), (side,) = cell.boxes(".spl-action"), cell.boxes(".spl-side")
    assert abs(action["bottom"] - side["bottom"]) < 2


def test_what_can_be_bought_is_framed_only_while_it_can_be_bought(cell: Cell) -> None:
    cell.open(views.main_view())
    framed = cell.root.locator(".spl-card.spl-able")
    assert framed.count() == 4
    for view in (views.return_view(), views.noble_view(), views.pay_view()):
        cell.answer(view)
        assert framed.count() == 0
        assert cell.root.locator(".spl-noble.spl-able").count() == 2 * bool(
            view["prompt"]["kind"] == "noble"
        )


def test_on_a_board_from_right_to_left_sentences_keep_the_direction_of_their_language(
    cell: Cell,
) -> None:
    log = [{"id": 0, "turn": 1, "seat": 0, "text": "\u2068אבג\u2069 took white."}]
    cell.open(views.main_view() | {"log": log, "error": "No."}, dir="rtl")
    cell.click_dimmed("pile-*")
    cell.at("pile-*").focus()
    cell.tip()
    said = ".spl-status bdi, .spl-news bdi, .spl-alert bdi, .spl-notice bdi, .spl-log bdi, .spl-tip"
    directions = cell.root.locator(said).evaluate_all(
        "nodes => nodes.map((node) => getComputedStyle(node).direction)"
    )
    assert directions == ["ltr"] * 8
    cell.python({"texts": ENGLISH | {"dir": "rtl"}})
    assert cell.root.locator(".spl-status bdi").get_attribute("dir") == "rtl"


def test_at_full_width_it_fits_on_one_screen(cell: Cell) -> None:
    cell.open(views.main_view())
    for view in (views.main_view(), views.main_view(4), views.noble_view()):
        cell.answer(view)
        assert cell.root.evaluate("node => node.offsetHeight") <= 800


def test_it_follows_the_theme(cell: Cell) -> None:
    cell.open(views.main_view())
    color = "node => getComputedStyle(node).backgroundColor"
    light = cell.root.evaluate(color)
    cell.page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    assert cell.root.evaluate(color) != light


def test_a_live_board_hides_the_picture_beside_it(cell: Cell) -> None:
    picture = cell.page.locator(".spl-static")
    assert picture.is_visible()
    cell.open(views.main_view())
    assert not picture.is_visible()
    cell.page.evaluate("stop()")
    assert picture.is_visible()
