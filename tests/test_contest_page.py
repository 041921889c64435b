"""The page of a contest: all that it shows, and that nothing of a student gets loose in it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from splendor_nb.charts.pages import contest_page, write_contest_page
from splendor_nb.games.contest import contest
from splendor_nb.games.contest_result import Contest
from splendor_nb.games.sandbox import Limits

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FIRST = "def agent(observation, rng):\n    return observation.legal_actions()[0]\n"
LAST = "def agent(observation, rng):\n    return observation.legal_actions()[-1]\n"
MARKUP = (
    "</bdi><script>document.title='loose'</script><img src=x onerror=\"document.title='loose'\">"
)
RIGHT_TO_LEFT = "محمد"
AGENTS = {
    "anna": f"name = 'Anna'\n{LAST}",
    "ben": f"name = {MARKUP!r}\ndef agent(o, r):\n    return {MARKUP!r}\n",
    "carl": f"name = {RIGHT_TO_LEFT!r}\n{FIRST}",
    "dora": f"raise ValueError({MARKUP!r})",
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Contest:
    """A small contest with a final, faults, and names that would like to be more than text."""
    folder = tmp_path_factory.mktemp("class") / "agents"
    folder.mkdir()
    for name, source in AGENTS.items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")
    return contest(
        folder,
        games=2,
        finals=2,
        seed=7,
        references=["greedy"],
        limits=Limits(move_s=60, first_move_s=120, game_s=600),
        progress=False,
        target=3,
        turn_limit=40,
    )


class Reader(HTMLParser):
    """Collects the tags of a page, its attributes that fetch or run something, and its text."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    return reader


def test_the_page_shows_standings_pairs_faults_times_games_and_pictures(played: Contest) -> None:
    text = " ".join(read(contest_page(played)).text)
    for title in ("Standings", "Final", "Who beat whom", "Faults", "Time", "Games"):
        assert title in text
    for name in ("Anna", RIGHT_TO_LEFT, "greedy"):
        assert name in text
    assert "unreadable" in text
    assert "dora.py" in text
    assert f"{len(played)} games" in text
    assert "Seed 7" in text


def test_nothing_of_a_student_is_more_than_text(played: Contest) -> None:
    page = read(contest_page(played))
    assert page.tags.count("script") == 1
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert any("<script>document.title=" in text for text in page.text)


def test_nothing_comes_from_outside(played: Contest) -> None:
    page = contest_page(played)
    reader = read(page)
    sources = [value for name, value in reader.attributes if name == "src"]
    links = [value for name, value in reader.attributes if name == "href"]
    assert all(source.startswith("data:image/svg+xml;base64,") for source in sources)
    assert all(re.match(r"(games|logs)/[^:]+$", link) for link in links)
    assert "default-src 'none'" in page
    assert "@import" not in page
    assert "url(" not in page


def test_links_lead_to_files_that_are_there(played: Contest) -> None:
    from urllib.parse import unquote

    links = [value for name, value in read(contest_page(played)).attributes if name == "href"]
    assert len(links) >= len(played)
    assert all((played.path / unquote(link)).is_file() for link in links)


def test_every_game_has_a_row_and_few_have_a_picture(played: Contest) -> None:
    page = contest_page(played, pictures=3)
    assert page.count(">saved game</a>") == len(played)
    assert read(page).tags.count("img") == 3
    assert read(contest_page(played, pictures=0)).tags.count("img") == 0


def test_a_game_with_a_fault_is_the_first_picture(played: Contest) -> None:
    first = played.faults["game"].iloc[0]
    assert f"<summary>Game {first}: " in contest_page(played, pictures=1)


def test_the_page_is_written_into_the_folder(played: Contest) -> None:
    file = write_contest_page(played)
    assert file == played.path / "index.html"
    assert file.read_text(encoding="utf-8") == contest_page(played)


def test_the_same_contest_gives_the_same_page(played: Contest) -> None:
    assert contest_page(played) == contest_page(played)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [700, 1200])
def test_a_browser_shows_it_sorts_it_and_fetches_nothing(
    browser: Browser, played: Contest, width: int, scheme: str
) -> None:
    from playwright.sync_api import expect

    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
    page.set_default_timeout(60_000)
    requests: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: errors.append(message.text))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(write_contest_page(played).as_uri())
    expect(page).to_have_title("A contest of Splendor agents")
    games = page.locator("section", has_text="saved game").locator("table")
    games.get_by_role("button", name="Turns").click()
    turns = column(page, "Turns")
    assert turns == sorted(turns)
    games.get_by_role("button", name="Turns").click()
    assert column(page, "Turns") == sorted(turns, reverse=True)
    assert games.locator("th[aria-sort]").count() == 1
    page.locator("summary", has_text="Game").first.click()
    picture = page.locator("details[open] img").first
    expect(picture).to_be_visible()
    assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") == 760
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert errors == []
    assert [url for url in requests if not url.startswith("data:")] == requests[:1]
    assert requests[0].startswith("file:")
    page.close()


def column(page: Page, head: str) -> list[int]:
    """Return the numbers of a column of the table of games."""
    table = page.locator("section", has_text="saved game").locator("table")
    place = table.locator("thead th").all_text_contents().index(head) + 1
    return [int(text) for text in table.locator(f"td:nth-child({place})").all_text_contents()]


def test_without_faults_the_page_says_so(tmp_path: Path) -> None:
    (tmp_path / "agents").mkdir()
    (tmp_path / "agents" / "anna.py").write_text(LAST)
    limits = Limits(move_s=60, first_move_s=120, game_s=600)
    result = contest(
        tmp_path / "agents", games=1, target=2, seed=1, limits=limits, references=["greedy"]
    )
    page = contest_page(result)
    assert "No fault in any game." in page
    assert "Final" not in page
