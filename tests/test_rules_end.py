"""The rules: the end of a turn [R13] [R14] and the end of the game [R15] to [R17]."""

from __future__ import annotations

from typing import Any

import pytest
from positions import bonus_cards, components, deadlock, letters, of_kind, play, position

from splendor_nb import IllegalActionError, State, new_game

FULL = "WWUUGGRRKK"
BLUE_AND_GREEN = "1U1 1U2 1U3 1U4 1G1 1G2 1G3 1G6"


def legal(state: State) -> list[str]:
    """The legal actions as text."""
    return [str(action) for action in state.legal_actions()]


def hosts(state: State, seat: int = 0) -> list[str]:
    """The nobles at a seat."""
    return [noble.name for noble in state.seats[seat].nobles]


# --- return


def test_R13_nobody_at_ten_returns() -> None:
    state = play(position(tokens=["WWUUGGR"]), "take WUG")
    assert sum(state.seats[0].tokens.values()) == 10
    assert (state.phase, state.current_player) == ("main", 1)


def test_R13_eleven_tokens_return_one() -> None:
    state = play(position(tokens=["WWUUGGRR"]), "take WUG")
    assert (state.phase, state.current_player) == ("return", 0)
    state = play(state, "return R")
    assert letters(state.seats[0].tokens) == "WWWUUUGGGR"
    assert (state.phase, state.current_player) == ("main", 1)


def test_R13_returns_exactly_down_to_ten() -> None:
    state = play(position(tokens=[FULL]), "take WUG")
    for number in (13, 12, 11):
        assert (state.phase, sum(state.seats[0].tokens.values())) == ("return", number)
        state = play(state, of_kind(state, "return")[0])
    assert sum(state.seats[0].tokens.values()) == 10
    assert (state.phase, state.current_player) == ("main", 1)


def test_R13_one_token_a_decision_and_nothing_else() -> None:
    state = play(position(tokens=["WWUUGGR***"]), "take WUK")
    assert legal(state) == ["return W", "return U", "return G", "return R", "return K", "return *"]


def test_R13_only_held_tokens_can_be_returned() -> None:
    state = play(position(tokens=["WWWUUUGGG"]), "take WUG")
    assert legal(state) == ["return W", "return U", "return G"]
    with pytest.raises(IllegalActionError):
        state.apply("return K")
    with pytest.raises(IllegalActionError):
        state.apply("return *")


def test_R13_just_taken_gems_may_be_returned() -> None:
    state = play(position(tokens=["WWWUUUGGG"]), "take WRK", "return K", "return R")
    assert letters(state.seats[0].tokens) == "WWWWUUUGGG"


def test_R13_gold_counts_and_may_be_returned() -> None:
    state = play(position(tokens=[FULL], market="2U5"), "reserve 2U5")
    assert state.phase == "return"
    state = play(state, "return *")
    assert letters(state.seats[0].tokens) == FULL
    assert state.bank["*"] == 5


def test_R13_a_single_possible_return_is_still_a_decision() -> None:
    supply = components(tokens="W" * 12 + "UGRK" * 4 + "*****")
    state = position(tokens=["W" * 11], parts=supply, phase="return")
    assert legal(state) == ["return W"]
    assert play(state, "return W").current_player == 1


def test_R13_returned_tokens_go_to_the_bank() -> None:
    state = play(position(tokens=[FULL]), "take WUG", "return K", "return K", "return R")
    assert letters(state.bank) == "WUGRRRKKKK*****"


def test_R13_ten_tokens_and_a_buy_return_nothing() -> None:
    state = play(position(tokens=[FULL], market="1W4"), "buy 1W4")
    assert (state.phase, state.current_player) == ("main", 1)


def test_R13_others_are_not_asked_to_return() -> None:
    state = play(position(tokens=["", FULL]), "take WUG")
    assert (state.phase, state.current_player) == ("main", 1)


# --- noble


def test_R14_a_noble_comes_when_the_bonuses_reach_it() -> None:
    bought = ["1W1 1W2 1W3 " + bonus_cards("UUUU")[0]]
    state = position(bought=bought, market="1W6", nobles="WU RK GR")
    state = play(state, "buy 1W6")
    assert hosts(state) == ["WU"]
    assert [noble.name for noble in state.nobles] == ["RK", "GR"]


def test_R14_a_noble_gives_three_points() -> None:
    state = position(bought=bonus_cards("WWWWUUUU"), nobles="WU RK GR")
    state = play(state, "take WUG")
    assert state.seats[0].points == 3


def test_R14_one_bonus_short_is_too_little() -> None:
    state = position(bought=bonus_cards("WWWWUUU"), nobles="WU RK GR")
    assert hosts(play(state, "take WUG")) == []


def test_R14_more_bonuses_than_asked_for_suffice() -> None:
    state = position(bought=bonus_cards("WWWWWUUUUUUK"), nobles="WU RK GR")
    assert hosts(play(state, "take WUG")) == ["WU"]


def test_R14_each_color_of_three_must_be_reached() -> None:
    state = position(3, bought=bonus_cards("WWWUUUGG", "WWWUUUGGG"), nobles="WUG RK GR UG")
    state = play(state, "take WUG", "take WUG")
    assert (hosts(state, 0), hosts(state, 1)) == ([], ["WUG"])


def test_R14_tokens_do_not_count() -> None:
    state = position(bought=bonus_cards("WWWUUU"), tokens=["WWWUUU*"], nobles="WU RK GR")
    assert hosts(play(state, "take GRK")) == []


def test_R14_points_do_not_count() -> None:
    state = position(bought=["3W4 3W3 3U4"], nobles="WU RK GR")
    assert hosts(play(state, "take GRK")) == []


@pytest.mark.parametrize("action", ["take WUG", "take KK", "reserve 2U5", "reserve L3", "buy 1W4"])
def test_R14_a_noble_comes_after_any_action(action: str) -> None:
    bought = ["1W1 1W2 1W3 1W5 " + bonus_cards("UUUUKK")[0]]
    state = position(bought=bought, market="2U5 1W4", nobles="WU RK GR")
    assert hosts(play(state, action)) == ["WU"]


def test_R14_a_noble_comes_after_a_forced_pass() -> None:
    state = position(**deadlock(bought=["", BLUE_AND_GREEN], nobles="UG WU WK", current=1))
    assert legal(state) == ["pass"]
    assert hosts(play(state, "pass"), 1) == ["UG"]


def test_R14_the_noble_comes_after_returning() -> None:
    state = position(bought=bonus_cards("WWWWUUUU"), tokens=[FULL], nobles="WU RK GR")
    state = play(state, "take WUG", "return W", "return W")
    assert hosts(state) == []
    assert hosts(play(state, "return W")) == ["WU"]


def test_R14_only_the_player_in_turn_is_visited() -> None:
    state = position(bought=["", *bonus_cards("WWWWUUUU")], nobles="WU RK GR")
    state = play(state, "take WUG")
    assert hosts(state, 1) == []
    assert hosts(play(state, "take WUG"), 1) == ["WU"]


def test_R14_a_single_noble_comes_without_a_decision() -> None:
    state = play(position(bought=bonus_cards("WWWWUUUU"), nobles="WU RK GR"), "take WUG")
    assert (state.phase, state.current_player) == ("main", 1)


def test_R14_of_several_nobles_the_player_chooses_one() -> None:
    state = position(bought=bonus_cards("WWWWUUUUGGG"), nobles="WU WUG RK")
    state = play(state, "take WUG")
    assert (state.phase, state.current_player) == ("noble", 0)
    assert legal(state) == ["noble WUG", "noble WU"]
    state = play(state, "noble WU")
    assert (hosts(state), state.current_player) == (["WU"], 1)


def test_R14_a_noble_cannot_be_refused() -> None:
    state = position(bought=bonus_cards("WWWWUUUUGGG"), nobles="WU WUG RK")
    state = play(state, "take WUG")
    for action in ("pass", "noble RK", "take WUG", "reserve L1"):
        with pytest.raises(IllegalActionError):
            state.apply(action)


def test_R14_at_most_one_noble_a_turn() -> None:
    state = position(bought=bonus_cards("WWWWUUUUGGG"), nobles="WU WUG RK")
    state = play(state, "take WUG", "noble WU")
    assert hosts(state) == ["WU"]
    assert state.seats[0].points == 3


def test_R14_the_second_noble_comes_at_the_end_of_the_next_turn() -> None:
    state = position(bought=bonus_cards("WWWWUUUUGGG"), nobles="WU WUG RK")
    state = play(state, "take WUG", "noble WU", "take WUR", "take KK")
    assert sorted(hosts(state)) == ["WU", "WUG"]
    assert state.seats[0].points == 6


def test_R14_three_nobles_leave_a_choice_twice() -> None:
    state = position(bought=bonus_cards("WWWWUUUUGGGG"), nobles="WU WUG UG")
    state = play(state, "take WUG", "noble UG", "take WUR", "take KK")
    assert legal(state) == ["noble WUG", "noble WU"]


def test_R14_another_player_may_be_visited_before() -> None:
    state = position(3, bought=bonus_cards("WWWUUUGGG", "WWWUUUGGG"), nobles="WUG RK GR WK")
    state = play(state, "take WUG", "take WUG")
    assert (hosts(state, 0), hosts(state, 1)) == (["WUG"], [])


# --- end of the game


def about_to_win(players: int, first: int, seat: int) -> State:
    """A position in which a seat at 14 points can buy one point more."""
    bought = [""] * players
    bought[seat] = "3W4 3U4 3W2"
    tokens = [""] * players
    tokens[seat] = "GGGG"
    return position(players, bought=bought, tokens=tokens, market="1W8", current=seat, first=first)


@pytest.mark.parametrize(
    ("players", "first", "place"),
    [(n, first, place) for n in (2, 3, 4) for first in range(n) for place in range(n)],
)
def test_R15_the_round_is_finished(players: int, first: int, place: int) -> None:
    state = play(about_to_win(players, first, (first + place) % players), "buy 1W8")
    followers = []
    while not state.is_terminal():
        followers.append(state.current_player)
        state = play(state, of_kind(state, "take")[0])
    assert followers == [(first + later) % players for later in range(place + 1, players)]
    assert (state.end_reason, state.turn % players) == ("target", 0)


def test_R15_the_last_seat_of_the_round_ends_the_game_at_once() -> None:
    state = play(about_to_win(2, 0, 1), "buy 1W8")
    assert (state.is_terminal(), state.phase, state.current_player) == (True, "over", None)
    assert state.winners == (1,)


def test_R15_fourteen_points_do_not_end_the_game() -> None:
    state = play(about_to_win(2, 0, 1), "take WUR")
    assert not state.is_terminal()


def test_R15_a_noble_can_bring_the_fifteenth_point() -> None:
    bought = ["", "3W4 3U4 2W1 2U1 " + bonus_cards("RRRRKKKK")[0]]
    state = position(bought=bought, current=1, nobles="RK WUG GR")
    assert state.seats[1].points == 12
    state = play(state, "take WUG")
    assert (state.seats[1].points, state.end_reason) == (15, "target")


def test_R15_the_game_waits_for_the_returned_tokens_and_the_noble() -> None:
    bought = ["", "3W4 3U4 2W1 2U1 " + bonus_cards("RRRRKKKKGGG")[0]]
    state = position(bought=bought, tokens=["", FULL[:9]], current=1, nobles="RK GRK WU")
    state = play(state, "take WUK")
    assert state.phase == "return"
    state = play(state, "return W", "return U")
    assert state.phase == "noble"
    state = play(state, "noble GRK")
    assert (state.seats[1].points, state.end_reason) == (15, "target")


def test_R15_a_later_seat_may_overtake_in_the_last_round() -> None:
    bought = ["3W4 3U4 3W2", "3G4 3R4 3G2"]
    state = position(bought=bought, tokens=["GGGG", "UUUU**"], market="1W8 2U6")
    state = play(state, "buy 1W8")
    assert not state.is_terminal()
    state = play(state, "buy 2U6")
    assert [seat.points for seat in state.seats] == [15, 17]
    assert state.winners == (1,)


def test_R15_reaching_it_in_the_last_round_adds_no_turn() -> None:
    bought = ["3W4 3U4 3W2", "3G4 3R4 3G2", ""]
    state = position(3, bought=bought, tokens=["GGGG", "UUUUU"], market="1W8 2U3")
    state = play(state, "buy 1W8", "buy 2U3", "take WUK")
    assert (state.is_terminal(), state.turn % 3) == (True, 0)


def test_R15_over_means_no_actions() -> None:
    state = play(about_to_win(2, 0, 1), "buy 1W8")
    assert legal(state) == []
    for action in ("take WUG", "pass", "buy 1W1"):
        with pytest.raises(IllegalActionError):
            state.apply(action)
        assert state.why_illegal(action)


def test_R15_turn_counts_the_last_turn_too() -> None:
    state = about_to_win(2, 0, 1)
    assert play(state, "buy 1W8").turn == state.turn + 1


def test_R15_nobody_has_won_before_the_end() -> None:
    state = play(about_to_win(3, 0, 1), "buy 1W8")
    assert (state.winners, state.end_reason) == ((), None)
    assert list(state.returns()) == [0, 0, 0]


# --- who wins


def finish(*bought: str, **parts: Any) -> State:
    """The end of a game, reached by the last seat's take."""
    players = len(bought)
    state = position(players, bought=bought, current=players - 1, **parts)
    return play(state, "take WUG")


def test_R16_most_points_win() -> None:
    state = finish("3W4 3U4 3G4", "3W3 3W2 3U3 3U2", "")
    assert [seat.points for seat in state.seats] == [15, 16, 0]
    assert state.winners == (1,)
    assert list(state.returns()) == [0, 1, 0]


def test_R16_fewest_bought_cards_break_a_tie() -> None:
    state = finish("3W4 3U4 3W3 1W8", "3G4 3R4 3K4", "")
    assert [seat.points for seat in state.seats] == [15, 15, 0]
    assert state.winners == (1,)


def test_R16_fewer_cards_do_not_beat_more_points() -> None:
    assert finish("3W4 3U4 3W3 3W2", "3G4 3R4 3K4", "").winners == (0,)


def test_R16_cards_without_points_count() -> None:
    assert finish("3W4 3U4 3G4 1W1", "3G3 3R4 3K4 1G8", "").winners == (0, 1)
    assert finish("3W4 3U4 3G4 1W1 1W2", "3G3 3R4 3K4 1G8", "").winners == (1,)


def test_R16_reserved_cards_do_not_count() -> None:
    state = finish("3W4 3U4 3G4", "3G3 3R4 3K4 1G8", "", reserved=["2W1 2W2 2W3"])
    assert state.winners == (0,)


def test_R16_nobles_do_not_count_as_cards() -> None:
    state = finish("3W4 3U3 2U6", "3G4 3R4 3K4", "", visited=["RK"])
    assert [seat.points for seat in state.seats] == [15, 15, 0]
    assert state.winners == (0, 1)


def test_R16_a_full_tie_is_shared() -> None:
    state = finish("3W4 3U4 3W3 1W8", "3G4 3R4 3G3 1G8", "")
    assert [seat.points for seat in state.seats] == [15, 15, 0]
    assert state.winners == (0, 1)
    assert list(state.returns()) == [0.5, 0.5, 0]


def test_R16_three_may_share() -> None:
    state = finish("3W4 3U4 3W3 1W8", "3G4 3R4 3G3 1G8", "3K4 3K3 3K2 2K3", "")
    assert [seat.points for seat in state.seats] == [15, 15, 15, 0]
    assert state.winners == (0, 1, 2)
    assert list(state.returns()) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


# --- the two house rules


def test_R17_a_full_round_of_forced_passes_is_a_stalemate() -> None:
    state = play(position(**deadlock()), "pass")
    assert not state.is_terminal()
    state = play(state, "pass")
    assert (state.end_reason, state.phase, state.current_player) == ("stalemate", "over", None)


def test_R17_a_stalemate_may_come_within_a_round() -> None:
    state = play(position(**deadlock(current=1)), "pass", "pass")
    assert (state.end_reason, state.turn) == ("stalemate", 23)


def test_R17_one_pass_is_no_stalemate() -> None:
    state = position(**deadlock(passes=0, current=1))
    assert not play(state, "pass").is_terminal()


def test_R17_passes_are_counted_across_a_saved_position() -> None:
    state = position(**deadlock(passes=1, current=1))
    assert play(state, "pass").end_reason == "stalemate"


def test_R17_an_action_in_between_starts_the_count_again() -> None:
    tokens = ["WWWWUUUUGG", "GGRRRRKKK"]
    state = position(**deadlock(tokens=tokens, passes=1, current=0))
    state = play(state, "take K", "return U")
    assert state.to_dict()["passes"] == 0


def test_R17_a_noble_in_between_starts_the_count_again() -> None:
    state = position(**deadlock(bought=["", BLUE_AND_GREEN], nobles="UG WU WK"))
    state = play(state, "pass", "pass")
    assert (hosts(state, 1), state.is_terminal()) == (["UG"], False)
    assert state.to_dict()["passes"] == 0
    assert play(state, "pass", "pass").end_reason == "stalemate"


def test_R17_a_stalemate_is_ranked_by_points() -> None:
    state = play(position(**deadlock(bought=["1K8", ""])), "pass", "pass")
    assert (state.end_reason, state.winners) == ("stalemate", (0,))


def test_R17_the_limit_ends_the_game() -> None:
    state = play(position(turn=39, current=1, turn_limit=40), "take WUG")
    assert (state.end_reason, state.turn) == ("limit", 40)


def test_R17_the_limit_is_not_reached_a_turn_earlier() -> None:
    state = play(position(turn=38, turn_limit=40), "take WUG")
    assert not state.is_terminal()


@pytest.mark.parametrize(
    ("players", "limit", "turns"),
    [(2, 1, 2), (2, 2, 2), (2, 3, 4), (3, 4, 6), (4, 5, 8), (4, 8, 8)],
)
def test_R17_the_limit_waits_for_the_end_of_the_round(players: int, limit: int, turns: int) -> None:
    state = new_game(players=players, seed=3, turn_limit=limit, first_player=1)
    while not state.is_terminal():
        state = play(state, of_kind(state, "take", "return")[0])
    assert (state.end_reason, state.turn) == ("limit", turns)


def test_R17_the_limit_is_ranked_by_points() -> None:
    state = finish("1W8", "2W6", turn=39, turn_limit=40)
    assert (state.end_reason, state.winners) == ("limit", (1,))


def test_R17_the_target_comes_before_the_limit() -> None:
    state = finish("3W4 3U4 3G4", "", turn=39, turn_limit=40)
    assert state.end_reason == "target"


def test_R17_the_target_comes_before_a_stalemate() -> None:
    bought = ["1K8", ""]
    state = position(**deadlock(bought=bought, passes=1, current=1, target=1))
    assert play(state, "pass").end_reason == "target"


def test_R17_a_stalemate_comes_before_the_limit() -> None:
    state = position(**deadlock(turn=38, turn_limit=40))
    assert play(state, "pass", "pass").end_reason == "stalemate"
