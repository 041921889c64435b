"""Pictures: what they show, what they must not show, and how they stand in a page."""

from __future__ import annotations

import base64
import copy
import random
import re
from collections.abc import Iterator
from functools import cached_property
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from positions import (
    CARD_ID,
    components,
    deadlock,
    first_cards,
    new_card,
    new_noble,
    position,
    position_dict,
)
from sampling import game

from splendor_nb import Observation, State, base_cards, base_nobles, new_game
from splendor_nb.charts import sheet
from splendor_nb.charts.sheet import Sheet, cut, length, words
from splendor_nb.charts.svg import card_svg, img_html, noble_svg, position_svg
from splendor_nb.charts.theme import ACCENT, BACK, LIGHT, LOOKS, MUTED, NOBLE, PANEL, PAPER
from splendor_nb.engine.cards import COLOR_NAMES, COLORS, GEMS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SVG = "{http://www.w3.org/2000/svg}"
MARK = 3  # letters before each id that stand for the picture
ELEMENTS = {"svg", "title", "desc", "defs", "g", "use", "rect", "circle", "path", "text"}
FRAMES = {color.lower() for color in COLORS}  # the keys of cards; those of pips are capitals
NAMES = ("Anna", "Greedy", "Bert", "Look-ahead")
FSI, PDI = "\u2068", "\u2069"


class Picture:
    """A picture, read: its words and the symbols that it uses."""

    def __init__(self, svg: str) -> None:
        self.svg = svg
        self.root = ET.fromstring(svg)

    @property
    def title(self) -> str | None:
        return self.root.findtext(f"{SVG}title")

    @property
    def text_board(self) -> str | None:
        return self.root.findtext(f"{SVG}desc")

    @property
    def ids(self) -> list[str]:
        return [element.attrib["id"] for element in self.root.iter() if "id" in element.attrib]

    @property
    def symbols(self) -> dict[str, str]:
        """What is drawn under each key, without the mark of this picture."""
        mark = self.ids[0][:MARK]
        texts = {e.attrib["id"]: ET.tostring(e, "unicode") for e in self.root.iter() if e.get("id")}
        return {name[MARK:]: re.sub(f'(#|")({mark})', r"\1", t) for name, t in texts.items()}

    @cached_property
    def drawings(self) -> list[Drawing]:
        """Each part that lies at a place of its own."""
        return [
            Drawing(part) for part in self.root.iterfind(f".//{SVG}svg") if not part.get("width")
        ]

    @property
    def cards(self) -> dict[str, Drawing]:
        """The parts that show a card face up, by what is written on it."""
        return {part.label: part for part in self.drawings if part.kind in FRAMES}

    @property
    def nobles(self) -> list[Drawing]:
        return [part for part in self.drawings if part.kind[:1] == "n"]

    @property
    def seats(self) -> list[Drawing]:
        return [part for part in self.drawings if part.kind == "s"]

    @property
    def words(self) -> list[str]:
        return [element.text or "" for element in self.root.iter(f"{SVG}text")]

    def count(self, key: str) -> int:
        """How often a symbol is used."""
        return sum(use.attrib["href"][1 + MARK :] == key for use in self.root.iter(f"{SVG}use"))


class Drawing:
    """One part of a picture: keys of the symbols and words right in it, and the first of each."""

    def __init__(self, element: ET.Element) -> None:
        self.uses = element.findall(f"{SVG}use")
        self.keys = [use.attrib["href"][1 + MARK :] for use in self.uses]
        parts = [[part, *part] if part.get("width") else [part] for part in element]
        self.texts = [text for part in parts for text in part if text.tag == f"{SVG}text"]
        self.words = [text.text or "" for text in self.texts]
        self.kind, self.label = [*self.keys, ""][0], [*self.words, ""][0]

    def places(self, axis: str) -> list[float]:
        """Where the pips lie, one number for each, from their usual place."""
        pips = [use for use in self.uses if use.attrib["href"][1 + MARK :] in COLORS]
        return [float(use.get(axis, "0")) for use in pips]


def picture(state: State | Observation, **options: Any) -> Picture:
    return Picture(position_svg(state, **options))


def asked(cost: Any) -> list[str]:
    return [color for color in COLORS if cost[color]]


def sampled(players: int, seed: int, setting: str = "standard") -> list[State]:
    """A few positions of a game, among them its start and its end."""
    sample = game(setting, players, seed)
    return [*[state for state, _ in sample.steps[::17]], sample.end]


def reserving_game(players: int, seed: int) -> Iterator[tuple[State, str]]:
    """Positions with reserves as full as they get, and the action that led there."""
    draw = random.Random(seed)
    state = new_game(players=players, seed=seed)
    while not state.is_terminal() and state.turn < 60:
        legal = state.legal_actions()
        action = draw.choice([a for a in legal if a.kind == "reserve"] or legal)
        state = state.apply(action)
        yield state, action


def many_pictures() -> list[str]:
    """Pictures of all kinds."""
    states = [s for players in (2, 3, 4) for s in sampled(players, players, "choose")]
    return [
        *(position_svg(state, names=NAMES, last=("take WUG", "return *")) for state in states),
        *(position_svg(state.observation(state.players - 1)) for state in states),
        *(card_svg(card) for card in base_cards()[::7]),
        *(noble_svg(noble) for noble in base_nobles()[::3]),
    ]


@pytest.fixture(scope="module")
def pictures() -> list[Picture]:
    return [Picture(svg) for svg in many_pictures()]


# -- the file --------------------------------------------------------------------------------------


def test_a_picture_is_an_image_with_a_name_and_the_text_board_as_its_description() -> None:
    for state in sampled(3, 1):
        shown = picture(state)
        assert shown.root.get("role") == "img"
        assert shown.title
        assert shown.text_board == state.text()


def test_a_picture_scales_with_the_room_that_it_has() -> None:
    for svg in (position_svg(new_game(seed=1)), card_svg(base_cards()[0])):
        root = ET.fromstring(svg)
        assert root.attrib["viewBox"] == f"0 0 {root.attrib['width']} {root.attrib['height']}"
        assert root.attrib["style"] == "max-width:100%;height:auto"


def test_a_picture_brings_its_own_ground_for_light_and_dark_pages() -> None:
    root = ET.fromstring(position_svg(new_game(seed=1)))
    ground = root.findall(f"{SVG}rect")[0]
    assert ground.attrib["fill"] == PANEL
    assert [ground.attrib[side] for side in ("width", "height")] == root.attrib["viewBox"].split()[
        2:
    ]


def test_a_picture_holds_no_script_and_nothing_from_outside(pictures: list[Picture]) -> None:
    for shown in pictures:
        for element in shown.root.iter():
            assert element.tag.removeprefix(SVG) in ELEMENTS
            for name, value in element.attrib.items():
                assert not name.startswith("on")
                assert "url(" not in value
                assert "://" not in value
            assert element.get("href", "#").startswith("#")
        assert shown.root.attrib["font-family"] == "sans-serif"


def test_ids_are_used_and_defined_once(pictures: list[Picture]) -> None:
    for shown in pictures:
        used = {use.attrib["href"][1:] for use in shown.root.iter(f"{SVG}use")}
        assert len(set(shown.ids)) == len(shown.ids)
        assert used == set(shown.ids)


def test_ids_of_different_pictures_do_not_meet(pictures: list[Picture]) -> None:
    different = {shown.svg: shown for shown in pictures}
    ids = [name for shown in different.values() for name in shown.ids]
    assert len(different) > 30
    assert len(set(ids)) == len(ids)


def test_one_key_is_one_drawing_in_all_pictures_so_that_clashing_marks_would_do_no_harm(
    pictures: list[Picture],
) -> None:
    drawn: dict[str, str] = {}
    for shown in pictures:
        for key, drawing in shown.symbols.items():
            assert drawn.setdefault(key, drawing) == drawing


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_position_of_the_base_game_stays_below_10_kB(players: int) -> None:
    sizes = []
    for seed in range(3):
        last: list[str] = []
        for number, (state, action) in enumerate(reserving_game(players, seed)):
            last = [action] if state.phase == "main" else [*last, action]
            if number % 5 == 0:
                for view in (state, state.observation(0)):
                    svg = position_svg(view, names=NAMES, last=[*last, "3R2"])
                    sizes.append(len(svg.encode()))
    assert len(sizes) > 60
    assert max(sizes) < 10_000


def test_equal_values_give_the_same_text() -> None:
    for state in sampled(2, 5):
        twin = State.from_dict(state.to_dict())
        assert position_svg(twin, names=NAMES) == position_svg(state, names=NAMES)


def test_values_show_their_pictures_in_a_notebook() -> None:
    state = new_game(players=2, seed=7)
    card, noble = base_cards()[40], base_nobles()[3]
    assert state._repr_svg_() == position_svg(state)
    assert state.observation(1)._repr_svg_() == position_svg(state.observation(1))
    assert card._repr_svg_() == card_svg(card)
    assert noble._repr_svg_() == noble_svg(noble)


# -- cards and nobles ------------------------------------------------------------------------------


def test_a_card_shows_bonus_points_cost_and_name() -> None:
    for card in base_cards():
        shown = Picture(card_svg(card))
        uses = Drawing(shown.root)
        numbers = "".join(str(card.cost[color]) for color in asked(card.cost))
        points = [f"{'q' if card.bonus == 'W' else 'p'}{card.points}"] if card.points else []
        assert uses.keys == [card.bonus.lower(), *points, *asked(card.cost)]
        assert uses.words == [numbers + card.name]
        assert (str(card.points) in shown.words) == (card.points > 0)
        assert LOOKS[card.bonus].shape in shown.svg
        assert shown.title == f"Card {card.name}"


def test_a_noble_shows_points_colors_name_and_title() -> None:
    for noble in base_nobles():
        shown = Picture(noble_svg(noble))
        numbers = "".join(str(noble.cost[color]) for color in asked(noble.cost))
        assert str(noble.points) in shown.words
        assert numbers + noble.name in shown.words
        assert noble.title in shown.words
        assert all(shown.count(color) == 1 for color in noble.name)


@pytest.mark.parametrize("colors", ["W", "WU", "UGR", "WGRK", "WUGRK"])
def test_pips_of_a_card_do_not_cover_each_other(colors: str) -> None:
    state = new_game(players=2, seed=1, cards=[new_card(1, "W", colors * 12)])
    [part] = picture(state).cards.values()
    heights = part.places("y")
    assert len(heights) == len(colors)
    assert heights[-1] == 0
    assert all(below - above >= 17 for above, below in pairwise(heights))
    assert 104 + heights[0] - 9 >= 26  # the band ends at 28


def test_numbers_of_two_digits_stand_beside_their_pips() -> None:
    state = new_game(players=2, seed=1, cards=[new_card(2, "U", "W" * 12 + "K" * 7, 11)])
    [part] = picture(state).cards.values()
    assert part.words == ["1272U1"]
    assert part.texts[0].attrib["x"] == "30 38 30 65"
    assert part.texts[0].attrib["y"] == "89 89 109"


@pytest.mark.parametrize("price", ["W" * 4, "UUKK", "WUG", "WUGR", "WUGRK", "W" * 11 + "K" * 12])
def test_pips_of_a_noble_keep_apart_and_inside(price: str) -> None:
    state = new_game(players=2, seed=1, nobles=[new_noble(price)])
    [part] = picture(state).nobles
    places = list(zip(part.places("x"), part.places("y"), strict=True))
    room = 34 if max(price.count(color) for color in COLORS) < 10 else 42
    assert len(places) == len(set(price))
    assert all(14 + x - 9 > 31 and 14 + x - 9 + room <= 137 for x, _ in places)
    for (x, y), (next_x, next_y) in pairwise(places):
        assert next_x - x >= room or y - next_y >= 18


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nobles_share_the_height_of_the_market(players: int) -> None:
    svg = position_svg(new_game(players=players, seed=1))
    tiles = Picture(svg).nobles
    height = int(tiles[0].kind.partition("h")[2])
    assert [tile.kind for tile in tiles] == [f"n3h{height}"] * (players + 1)
    assert 3 * 126 - 20 < (players + 1) * (height + 8) <= 3 * 126


# -- positions -------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4])
def test_market_nobles_decks_and_bank_are_shown(players: int) -> None:
    for state in sampled(players, 8):
        shown = picture(state)
        open_cards = [card for row in state.market for card in row if card]
        for card in open_cards:
            number = "".join(str(card.cost[color]) for color in asked(card.cost))
            assert shown.cards[number + card.name].kind == card.bonus.lower()
        assert len(shown.cards) == len(open_cards)
        labels = [part.label for part in shown.nobles]
        assert [re.sub("[0-9]", "", label) for label in labels] == [n.name for n in state.nobles]
        decks = [part.words[:2] for part in shown.drawings if part.label.startswith("L")]
        sizes = [[f"L{n}", str(state.deck_sizes[n - 1])] for n in (3, 2, 1)]
        assert decks == sizes
        assert "".join(str(state.bank[gem]) for gem in GEMS) in shown.words


@pytest.mark.parametrize("players", [2, 3, 4])
def test_each_player_has_points_bonuses_tokens_and_cards(players: int) -> None:
    for state in sampled(players, 9):
        shown = picture(state, names=NAMES)
        assert "".join(str(seat.points) for seat in state.seats) in shown.words
        for name, seat, part in zip(NAMES, state.seats, shown.seats, strict=False):
            bonuses = "".join(str(number or "·") for number in seat.bonuses.values())
            tokens = "".join(str(number or "·") for number in seat.tokens.values())
            cards = "1 card" if len(seat.bought) == 1 else f"{len(seat.bought)} cards"
            assert part.words[0] == bonuses + cards
            assert part.words[1] == f"{tokens}{sum(seat.tokens.values())}/10"
            assert part.words[2] == name
            assert len(part.words) == 3 + bool(seat.nobles) + len(seat.reserved)


def test_nobles_that_visited_stand_beside_their_host() -> None:
    seats = picture(position(4, visited=["WUK", "GR WU RK"])).seats
    assert seats[0].words[3:] == ["noble WUK"]
    assert seats[1].words[3:] == ["nobles RK GR WU"]
    assert seats[2].words[3:] == []
    assert picture(position(4, visited=["UG WRK WUG GRK"])).seats[0].words[3:] == ["4 nobles"]


def test_a_reserve_shows_points_and_cost() -> None:
    shown = picture(position(reserved=["1W1 3U4", "2R6"]))
    assert shown.seats[0].words[3:] == ["1W1 0p 2R 1K", "3U4 5p 7W 3U"]
    assert shown.seats[1].words[3:] == ["2R6 3p 6R"]


def test_an_empty_slot_and_an_empty_deck_are_outlines() -> None:
    state = new_game(players=2, seed=1, cards=first_cards(3, 4, 5))
    shown = picture(state)
    assert shown.count("e") == 1 + 2  # a slot and the deck of level 1, the deck of level 2
    assert shown.count("b") == 1


def test_a_card_that_nobody_has_seen_yet_is_a_back() -> None:
    seen = new_game(players=2, seed=7).observation(0)
    after = seen.apply(next(a for a in seen.legal_actions() if a.startswith("reserve 2")))
    shown = picture(after)
    assert "L2?" in shown.words
    assert shown.count("b") == 3 + 1


def test_a_card_without_cost_is_free() -> None:
    parts = components(cards=[new_card(1, "W", "")])
    assert picture(position(parts=parts, reserved=["1W1"])).seats[0].words[3] == "1W1 0p free"


@pytest.mark.parametrize(
    ("phase", "status"),
    [
        ("main", "Turn 11: Bert to play"),
        ("return", "Turn 11: Bert returns tokens"),
        ("noble", "Turn 11: Bert chooses a noble"),
        ("pay", "Turn 11: Bert pays"),
    ],
)
def test_the_heading_tells_who_is_asked_for_what(phase: str, status: str) -> None:
    state = next(
        state
        for seed in range(40)
        for state, _ in game("choose", 2, seed).steps
        if state.phase == phase
    )
    number = f"Turn {state.turn + 1}:"
    expected = status.replace("Turn 11:", number)
    names = ["Bert", "Anna"] if state.current_player == 0 else ["Anna", "Bert"]
    shown = picture(state, names=names)
    assert shown.title == expected
    assert expected in shown.words
    assert picture(state, names=names, title="Puzzle 3").title == f"Puzzle 3 – {expected}"


def test_the_seat_that_decides_is_framed() -> None:
    for player in (0, 1, 2):
        parts = picture(position(3, current=player)).seats
        assert ["t" in part.keys for part in parts] == [player == seat for seat in range(3)]


def test_the_end_names_and_frames_the_winners() -> None:
    for setting in ("standard", "no_tie_break", "limit_31"):
        for players in (2, 3):
            end = game(setting, players, 4).end
            shown = picture(end, names=NAMES)
            framed = [seat for seat, part in enumerate(shown.seats) if "t" in part.keys]
            assert framed == list(end.winners)
            assert f"Over after {end.turn} turns: " in (shown.title or "")
            assert all(NAMES[seat] in (shown.title or "") for seat in end.winners)
            assert ("turn limit" in (shown.title or "")) == (end.end_reason == "limit")


def test_a_stalemate_is_called_so() -> None:
    state = position(**deadlock(end_reason="stalemate", phase="over", current=None, passes=2))
    assert "(stalemate)" in (picture(state).title or "")


def test_an_observation_says_whose_it_is() -> None:
    state = new_game(players=2, seed=7, target=9)
    seen = state.observation(1)
    assert "first to 9 points" in picture(state).words
    assert "as Greedy sees it, to 9 points" in picture(seen, names=NAMES).words


# -- what is secret --------------------------------------------------------------------------------


def swapped(truth: dict[str, Any], first: str, second: str) -> State:
    """The truth in which an unseen reserve of seat 0 and a card of a deck have changed places."""
    other = copy.deepcopy(truth)
    reserved = next(r for r in other["seats"][0]["reserved"] if r["card"] == CARD_ID[first])
    deck = next(d for d in other["decks"] if CARD_ID[second] in d)
    reserved["card"] = CARD_ID[second]
    deck[deck.index(CARD_ID[second])] = CARD_ID[first]
    return State.from_dict(other)


def test_R18_an_unseen_reserve_is_face_down_to_all_but_its_owner() -> None:
    truth = position_dict(reserved=["?2U6 1W1", ""], bought=["", "2R1"])
    state, other = State.from_dict(truth), swapped(truth, "2U6", "2K6")
    assert picture(state).seats[0].words[3:] == ["L2? unseen", "1W1 0p 2R 1K"]
    assert position_svg(state) == position_svg(other)
    assert position_svg(state.observation(1)) == position_svg(other.observation(1))
    assert picture(state.observation(0)).seats[0].words[3] == "(2U6) 3p 6U"
    assert picture(other.observation(0)).seats[0].words[3] == "(2K6) 3p 6K"


@pytest.mark.parametrize("setting", ["standard", "choose", "small"])
def test_R18_truths_that_fit_one_knowledge_have_one_picture(setting: str) -> None:
    hidden = 0
    for seed in range(3):
        for state in sampled(3, seed, setting):
            hidden += sum(sum(seat.hidden) for seat in state.seats)
            for player in range(3):
                other = state.observation(player).determinize(seed)
                seen, also = state.observation(player), other.observation(player)
                assert position_svg(state) == position_svg(other)
                assert position_svg(seen) == position_svg(also)
    assert hidden > 0


def test_R18_no_name_of_a_face_down_card_is_in_the_file() -> None:
    state = position(reserved=["?3W4 ?2U6", "?1K2"])
    assert not re.search("3W4|2U6|1K2", position_svg(state))
    assert not re.search("3W4|2U6", position_svg(state.observation(1)))
    assert not re.search("1K2", position_svg(state.observation(0)))


# -- the last move ---------------------------------------------------------------------------------


def test_a_picture_without_a_last_move_marks_nothing() -> None:
    shown = picture(new_game(players=2, seed=7))
    assert shown.count("m") + shown.count("o") == 0


def test_piles_of_a_take_and_a_return_are_marked() -> None:
    shown = picture(new_game(players=2, seed=7), last=["take WUG", "return *"])
    assert shown.count("o") == 4


def test_a_noble_named_like_a_take_marks_no_pile() -> None:
    shown = picture(position(2, visited=["WUK", ""]), last=["buy 1W1", "noble WUK"])
    assert shown.count("o") == 0


def test_a_reserved_card_and_its_successor_and_a_deck_are_marked() -> None:
    state = position(reserved=["1W1", ""], market="1W2", turn=21, current=1)
    shown = picture(state, last=["reserve 1W1", "1W2"])
    [line] = [text for text in shown.seats[0].texts if text.text == "1W1 0p 2R 1K"]
    marked = [name for name, part in shown.cards.items() if "m" in part.keys]
    assert line.attrib["fill"] == ACCENT
    assert marked == ["11111W2"]
    [deck] = [p for p in picture(state, last=["reserve L2"]).drawings if "m" in p.keys]
    assert deck.label == "L2"


def test_the_card_that_is_being_paid_for_is_marked() -> None:
    state = next(s for s, _ in game("choose", 2, 4).steps if s.phase == "pay" and s.paying)
    in_market = [card.name for row in state.market for card in row if card == state.paying]
    marked = [words for words, part in picture(state).cards.items() if "m" in part.keys]
    assert [words[-len(name) :] for words, name in zip(marked, in_market, strict=True)] == in_market


def test_the_moves_stand_beside_the_seat_that_made_them() -> None:
    for first in range(3):
        state = new_game(players=3, seed=3, first_player=first)
        for _ in range(4):
            mover = state.current_player
            action = state.legal_actions()[0]
            state = state.apply(action)
            shown = picture(state, last=[action])
            assert [action in part.words for part in shown.seats] == [
                seat == mover for seat in range(3)
            ]


def test_in_the_middle_of_a_turn_the_moves_are_those_of_whoever_decides() -> None:
    state = position(tokens=["WWUUGGRRKK", ""]).apply("take WUG")
    assert state.phase == "return"
    shown = picture(state, last=["take WUG"])
    assert "take WUG" in shown.seats[0].words


def test_at_the_end_the_last_seat_of_the_round_made_the_last_move() -> None:
    sample = game("standard", 3, 5)
    last, action = sample.steps[-1]
    shown = picture(sample.end, last=[action])
    [mover] = [seat for seat, part in enumerate(shown.seats) if action in part.words]
    assert mover == last.current_player


def test_a_long_turn_is_one_line_and_bare_names_are_no_moves() -> None:
    state = new_game(players=2, seed=7)
    shown = picture(state, last=["take WUG", "return K", "return R", "return *", "1W1"])
    [line] = [word for word in shown.words if word.startswith("take")]
    assert line.startswith("take WUG, return")
    assert line.endswith("…")
    assert "1W1" not in line


# -- names of players ------------------------------------------------------------------------------


def shown_name(name: str) -> str:
    """How the first seat is called."""
    return picture(new_game(players=2, seed=7), names=[name]).seats[0].words[2]


def test_seats_without_a_name_are_numbered() -> None:
    parts = picture(new_game(players=3, seed=7), names=["Anna"]).seats
    assert [part.words[2] for part in parts] == ["Anna", "Seat 1", "Seat 2"]
    assert shown_name("") == shown_name(" \t\u200b\u202e ") == "Seat 0"


def test_more_names_than_seats_are_left_out() -> None:
    assert "Look-ahead" not in position_svg(new_game(players=2, seed=7), names=NAMES)


def test_markup_in_a_name_is_text() -> None:
    assert shown_name("<b>&amp;</b>") == "<b>&amp;</b>"
    assert shown_name("\"'><script>").startswith("\"'><script>")
    assert "<script>" not in position_svg(new_game(seed=1), names=["<script>alert(1)</script>"])


def test_markup_in_a_title_is_text() -> None:
    shown = picture(new_game(seed=1), title="</title><a href='x'>&")
    assert (shown.title or "").startswith("</title><a href='x'>& – Turn 1")


def test_a_name_that_runs_to_the_left_is_shut_in() -> None:
    assert shown_name("شطرنج (1)") == f"{FSI}شطرنج (1){PDI}"
    shown = picture(new_game(seed=1), names=["שלום"])
    assert shown.title == f"Turn 1: {FSI}שלום{PDI} to play"
    assert shown.root.attrib["direction"] == "ltr"


@pytest.mark.parametrize(
    "control", ["\u202e", "\u2067", "\u2069", "\u200f", "\0", "\x1b", "\ud800", "\uffff"]
)
def test_letters_that_turn_or_break_the_text_go(control: str) -> None:
    assert shown_name(f"An{control}na") == "Anna"
    shown = picture(new_game(seed=1), names=[f"An{control}na"], title=f"A{control}B")
    assert shown.title == "AB – Turn 1: Anna to play"


def test_a_name_stands_on_one_line() -> None:
    assert shown_name("Anna\nof\r\n\tTuscany") == "Anna of Tuscany"


@pytest.mark.parametrize("letter", ["a", "W", "i", "名", "\u0301", "ש", "😀", "👩‍🚀"])
def test_a_name_of_ten_thousand_letters_is_cut(letter: str) -> None:
    svg = position_svg(new_game(seed=1), names=[letter * 10_000] * 2, title=letter * 10_000)
    assert len(svg.encode()) < 10_000
    assert ET.fromstring(svg).findtext(f"{SVG}desc")


def test_emoji_of_several_parts_stay_together() -> None:
    assert shown_name("👩‍🚀 Ada") == "👩‍🚀 Ada"


def test_what_is_cut_fits() -> None:
    for name in ("Wilhelmina Montgomery", "illiillii" * 9, "MW@%" * 9, "名前" * 20):
        for width in (40, 80, 158):
            assert length(cut(name, width)) <= width + length("…")


# -- as an image -----------------------------------------------------------------------------------


class Images(HTMLParser):
    """The elements of a piece of HTML with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_an_image_carries_the_picture_and_its_words() -> None:
    svg = position_svg(new_game(seed=1), names=["Анна"])
    alt = 'A "board" <b> & more'
    (outer, around), (inner, image) = Images(img_html(svg, alt)).found
    assert (outer, around, inner) == ("div", {"class": "spl-static"}, "img")
    assert image["alt"] == alt
    head, _, data = (image["src"] or "").partition(",")
    assert head == "data:image/svg+xml;base64"
    assert base64.b64decode(data).decode() == svg


# -- the sheet -------------------------------------------------------------------------------------


def test_a_symbol_is_drawn_once() -> None:
    sheet, drawn = Sheet(), []

    def draw() -> str:
        drawn.append(1)
        return "<g></g>"

    references = [sheet.use("x", draw), sheet.use("x", draw, 3), sheet.use("x", draw, 0, 1.5)]
    root = ET.fromstring(sheet.picture(references, (9, 9), "", ""))
    [key] = [group.attrib["id"] for group in root.iter(f"{SVG}g")]
    assert len(drawn) == 1
    assert [use.attrib for use in root.iter(f"{SVG}use")] == [
        {"href": f"#{key}"},
        {"href": f"#{key}", "x": "3"},
        {"href": f"#{key}", "y": "1.5"},
    ]


def test_words_of_one_text_keep_their_places() -> None:
    text = ET.fromstring(words([(1, 5, "12"), (30, 5, "3"), (60, 7, "four")], far=9))
    assert text.attrib == {"x": "1 10 30 60", "y": "5 5 5 7"}
    assert text.text == "123four"
    assert ET.fromstring(words([(4, 5, "one")])).attrib == {"x": "4", "y": "5"}


# -- the palette -----------------------------------------------------------------------------------


def luminance(color: str) -> float:
    """Relative luminance of a CSS color, as the web's rules for contrast define it."""
    digits = color.removeprefix("#")
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    dark, light = sorted(luminance(color) for color in (first, second))
    return (light + 0.05) / (dark + 0.05)


def test_the_contrast_of_black_and_white_is_21() -> None:
    assert contrast("#000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("letter", GEMS)
def test_letters_stand_out_from_their_gem(letter: str) -> None:
    look = LOOKS[letter]
    assert contrast(look.ink, look.face) >= 4.5
    assert contrast(look.ink, look.fill) >= 3  # large figures
    assert contrast(look.edge, PAPER) >= 3


def test_text_stands_out_from_what_it_is_written_on() -> None:
    for ink, ground in [
        (MUTED, PANEL),
        (ACCENT, PAPER),
        (ACCENT, PANEL),
        (LIGHT, BACK),
        (LIGHT, NOBLE),
    ]:
        assert contrast(ink, ground) >= 4.5


def test_gems_have_the_colors_of_the_board_and_a_shape_and_a_marker_each() -> None:
    fills = ["#f4f1e8", "#2f6fc4", "#2e8b57", "#c43c3c", "#2f2f37", "#e0b030"]
    assert [look.fill for look in LOOKS.values()] == fills
    assert tuple(LOOKS) == tuple(look.letter for look in LOOKS.values()) == GEMS
    assert [look.name for look in LOOKS.values()] == list(COLOR_NAMES.values())
    for field in ("shape", "marker", "stone"):
        assert len({getattr(look, field) for look in LOOKS.values()}) == len(GEMS)


def test_shapes_can_be_moved() -> None:
    for look in LOOKS.values():
        assert look.shape.startswith("m")
        assert look.shape == look.shape.lower()


# -- in a browser ----------------------------------------------------------------------------------

BOXES = """() => [...document.querySelectorAll('svg text')].map(text => {
  const {left, right} = text.getBoundingClientRect()
  const frame = text.closest('svg svg[width]')
  const end = frame ? frame.getScreenCTM().e + frame.width.baseVal.value : Infinity
  return {text: text.textContent, left, right: Math.min(right, end)}
}).filter(box => box.right > box.left)"""
LONG_NAMES = ("Ш" * 40, "Wilhelmina Montgomery-Fitzgerald", "illi" * 30, "名前はとても長いです" * 3)


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 800, "height": 900})
    yield page
    page.close()


def crowded() -> State:
    """Everything that a position can hold, with numbers of two digits."""
    cards = [
        new_card(level, color, "".join(COLORS).replace(color, "") * 11, 10 * level)
        for level in (1, 2, 3)
        for color in COLORS
    ]
    parts = components(cards=cards, tokens=10 * "WUGRK*")
    return position(4, parts=parts, reserved=["1W1 2W1 3W1"], tokens=["WWWWWWWWWW"])


@pytest.mark.parametrize("font", ["Liberation Sans", "DejaVu Sans", "sans-serif"])
def test_no_text_leaves_the_picture_nor_its_place(page: Page, font: str) -> None:
    state = crowded()
    svg = position_svg(state, names=LONG_NAMES, last=["take WUG", "return W", "return U"])
    page.set_content(f"<body style='margin:0'>{svg.replace('sans-serif', font)}")
    boxes = page.evaluate(BOXES)
    called = {cut(name, 158) for name in LONG_NAMES} | {"take WUG, return W, …"}
    assert len(boxes) > 40
    assert all(box["left"] >= 0 and box["right"] <= 760 for box in boxes)
    assert {box["text"] for box in boxes} >= called
    assert all(box["right"] <= 16 + 231 for box in boxes if box["text"] in called)
    lines = [box for box in boxes if re.match(r"\dW\d \d+p", box["text"])]
    assert lines
    assert all(box["right"] <= 744 for box in lines)


@pytest.mark.parametrize("font", ["Liberation Sans", "DejaVu Sans"])
@pytest.mark.parametrize("title", ["Puzzle 3", "Find the best move. " * 9, "W" * 99])
def test_the_two_halves_of_the_heading_do_not_meet(page: Page, font: str, title: str) -> None:
    for view in (crowded(), crowded().observation(0)):
        for names in (NAMES, LONG_NAMES):
            svg = position_svg(view, names=names, title=title)
            page.set_content(f"<body style='margin:0'>{svg.replace('sans-serif', font)}")
            heading, aim = page.evaluate(BOXES)[:2]
            shown, _, status = heading["text"].partition(" – ")
            assert "to play" in status
            assert shown == title or (shown.endswith("…") and len(shown) < 60)
            assert heading["right"] < aim["left"]


def test_a_picture_asks_for_nothing_and_shrinks_with_the_page(page: Page) -> None:
    asked_for: list[str] = []
    page.on("request", lambda request: asked_for.append(request.url))
    page.set_content(f"<div style='width:400px'>{img_html(position_svg(crowded()), 'board')}</div>")
    page.wait_for_function("document.images[0].complete")
    natural = page.evaluate("document.images[0].naturalWidth")
    assert (natural, page.evaluate("document.images[0].width")) == (760, 400)
    assert all(url.startswith("data:image/svg+xml") for url in asked_for)


def test_the_board_has_the_colors_of_the_pictures() -> None:
    css = (Path(sheet.__file__).parents[1] / "board" / "board.css").read_text(encoding="utf-8")
    for look in LOOKS.values():
        assert look.fill.lower() in css.lower()
