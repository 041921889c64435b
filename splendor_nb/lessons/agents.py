"""The exercises of lesson 05: agents are put into real positions, and told what they did there."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from splendor_nb.agents.referee import ask, play_game
from splendor_nb.engine.cards import gems_in_words
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.notation import Action
from splendor_nb.engine.records import Fault
from splendor_nb.engine.rng import Rng
from splendor_nb.engine.state import State, new_game
from splendor_nb.games.tournament import compare

GAMES = 60  # against greedy


def check_frugal(agent: object) -> str:
    """Return what is right or wrong in an agent that reserves only where nothing else is legal.

    Parameters
    ----------
    agent
        A function of an observation and a generator.

    Examples
    --------
    >>> print(check_frugal(lambda observation, rng: observation.legal_actions()[-1]))
    In turn 0 it answers 'reserve L3', where 15 other actions are legal.
    """

    def reserves(state: State, answer: Action) -> str | None:
        others = [action for action in state.legal_actions() if action.kind != "reserve"]
        if answer.kind != "reserve" or not others:
            return None
        return (
            f"In turn {state.turn} it answers '{answer}', where {len(others)} other actions are "
            "legal."
        )

    right = "Right: in no position did it reserve where something else was legal."
    return first_complaint(agent, reserves) or right


def check_nearest(nearest: object) -> str:
    """Return what is right or wrong in a function for the bonuses missing for the nearest noble.

    Parameters
    ----------
    nearest
        Gets an observation and a seat, and returns how many bonuses that seat lacks for the noble
        for which it lacks fewest.

    Examples
    --------
    >>> print(check_nearest(lambda observation, player: 9))
    In turn 0 the seat 0 has nothing as bonuses: it is 8 away from the nearest noble, not 9.
    """
    if not callable(nearest):
        return f"Give a function of an observation and a seat: this is {shortened(nearest)}."
    for state in _positions():
        for seat in range(state.players if state.nobles else 0):
            wanted, got = _nearest(state, seat), nearest(state.observation(seat), seat)
            if got != wanted:
                return _where_it_differs(state, seat, wanted, got)
    return "Right, for both seats of every position that was tried."


def check_repeatable(agent: Any) -> str:
    """Return whether an agent answers the same to the same observation and generator.

    Examples
    --------
    >>> print(check_repeatable(lambda observation, rng: rng.choice(observation.legal_actions())))
    Right: asked twice, it gave the same answer everywhere.
    """

    def differs(state: State, answer: Action) -> str | None:
        again = ask(agent, state, Rng(1))
        if isinstance(again, Fault):
            return _told(again)
        if again == answer:
            return None
        return (
            f"In turn {state.turn} it answers '{answer}', and '{again}' when it is asked the same "
            "again. What it remembers outside of the game, or draws by another generator than "
            "`rng`, must not count."
        )

    right = "Right: asked twice, it gave the same answer everywhere."
    return first_complaint(agent, differs) or right


def check_beats_greedy(agent: Any) -> str:
    """Return whether an agent is better than greedy beyond doubt in 60 games on 30 deals.

    Examples
    --------
    >>> print(check_beats_greedy(lambda observation, rng: observation.legal_actions()[0]))
    Not yet: it wins 12 % of 60 games (95 % interval 5 to 24 %).
    """
    if complaint := first_complaint(agent, lambda state, answer: None):
        return complaint
    verdict = compare(agent, "greedy", games=GAMES, seed=2025, progress=False)
    won = (
        f"it wins {100 * verdict.score:.0f} % of {GAMES} games (95 % interval "
        f"{100 * verdict.low:.0f} to {100 * verdict.high:.0f} %)."
    )
    if verdict.low > 0.5:
        return f"Right: {won}"
    if verdict.score > 0.5:
        return f"Nearly: {won} The interval still holds one half: it may be luck."
    return f"Not yet: {won}"


def first_complaint(agent: object, look: Callable[[State, Action], str | None]) -> str | None:
    """Return the first that is wrong with what an agent answers in real positions, if anything is.

    Parameters
    ----------
    look
        Gets each position and the answer to it, and says what is wrong with it.

    Examples
    --------
    >>> first_complaint(7, lambda state, answer: None)
    'Give an agent, a function of an observation and a generator: this is 7.'
    """
    if not callable(agent):
        return (
            "Give an agent, a function of an observation and a generator: this is "
            f"{shortened(agent)}."
        )
    for state in _positions():
        answer = ask(agent, state, Rng(1))
        complaint = _told(answer) if isinstance(answer, Fault) else look(state, answer)
        if complaint:
            return complaint
    return None


@functools.cache
def _positions() -> tuple[State, ...]:
    """Return positions of real games in which a seat decides about its turn."""
    return tuple(state for seed in (1, 2, 3) for state in _game(seed) if state.phase == "main")


def _game(seed: int) -> Iterator[State]:
    state = new_game(players=2, seed=seed)
    for action in play_game(["greedy", "random"], seed=seed).actions:
        yield state
        state = state.apply(action)


def _nearest(state: State, seat: int) -> int:
    bonuses = state.seats[seat].bonuses
    return min(
        sum(max(0, asked - bonuses[color]) for color, asked in noble.cost.items())
        for noble in state.nobles
    )


def _where_it_differs(state: State, seat: int, wanted: int, got: object) -> str:
    return (
        f"In turn {state.turn} the seat {seat} has {gems_in_words(state.seats[seat].bonuses)} as "
        f"bonuses: it is {wanted} away from the nearest noble, not {shortened(got)}."
    )


def _told(fault: Fault) -> str:
    return f"In turn {fault.turn} its answer is a fault ({fault.kind}): {fault.text}"
