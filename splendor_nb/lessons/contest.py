"""The exercises of lesson 10: a mended agent, the size of a contest, and how far luck goes."""

from __future__ import annotations

from math import comb, isclose

from splendor_nb.engine.forms import shortened
from splendor_nb.engine.notation import Action
from splendor_nb.engine.state import State
from splendor_nb.lessons.agents import first_complaint

AGENTS, GAMES, DECISIONS = 30, 20, 60  # of the contest that the second exercise is about
REFEREE_MS, CORES = 0.5, 2
WINS = 15  # of 20 games in the third


def check_mended(agent: object) -> str:
    """Return what is right or wrong in an agent that takes white, blue and green where it may.

    Examples
    --------
    >>> print(check_mended(lambda observation, rng: observation.legal_actions()[0]))
    Right: it takes them wherever that is legal, and does something legal elsewhere.
    """

    def takes_others(state: State, answer: Action) -> str | None:
        if answer == "take WUG" or "take WUG" not in state.legal_actions():
            return None
        return f"In turn {state.turn} 'take WUG' is legal, and it answers '{answer}'."

    right = "Right: it takes them wherever that is legal, and does something legal elsewhere."
    return first_complaint(agent, takes_others) or right


def check_schedule(games: object, minutes: object) -> str:
    """Return what is right or wrong about the games and minutes of a contest of thirty.

    Examples
    --------
    >>> print(check_schedule(17400, 4.35))
    Every pair counts once: A against B is B against A.
    """
    pairs = AGENTS * (AGENTS - 1) // 2
    known = {
        AGENTS * AGENTS * GAMES: "Nobody meets himself, and every pair counts once.",
        AGENTS * (AGENTS - 1) * GAMES: "Every pair counts once: A against B is B against A.",
        AGENTS * GAMES: "That would be 20 games for each agent, not for each pair.",
        pairs: "That is the number of pairs; each plays 20 games.",
    }
    if games != pairs * GAMES:
        return next(
            (answer for wrong, answer in known.items() if games == wrong),
            "How many pairs are there among thirty?",
        )
    right = pairs * GAMES * DECISIONS * REFEREE_MS / 1000 / 60 / CORES
    if not isinstance(minutes, (int, float)):
        return f"Give minutes as a number: this is {shortened(minutes)}."
    if isclose(minutes, right, rel_tol=0.05):
        return f"Right: {pairs * GAMES:,} games, and about {right:.1f} minutes."
    if isclose(minutes, right * CORES, rel_tol=0.05):
        return "The games are right. The minutes would be those of one core: two halve them."
    return "The games are right, the minutes are not: decisions times half a millisecond."


def check_luck(chance: object, number: object) -> str:
    """Return what is right or wrong about the luck of thirty equal agents in 20 games each.

    Examples
    --------
    >>> print(check_luck(0.0148, 0.44))
    That is the chance of exactly 15 wins: 'at least' holds those of 16 to 20 too.
    """
    right = _at_least(WINS)
    if not isinstance(chance, (int, float)) or not isinstance(number, (int, float)):
        return "Give two numbers: a chance from 0 to 1, and how many agents are expected."
    if isclose(chance, _at_least(WINS) - _at_least(WINS + 1), abs_tol=5e-4):
        return "That is the chance of exactly 15 wins: 'at least' holds those of 16 to 20 too."
    if isclose(chance, _at_least(WINS + 1), abs_tol=5e-4):
        return "That is the chance of more than 15 wins: 15 itself belongs to it."
    if not isclose(chance, right, abs_tol=5e-4):
        side = "large" if chance > right else "small"
        return f"The chance is too {side}: each game is a coin, and heads come 15 times or more."
    if isclose(number, right * AGENTS, abs_tol=0.05):
        return (
            f"Right: {right:.4f} for one, and {right * AGENTS:.2f} of thirty: who looks that good "
            "may be as good as the rest."
        )
    return "The chance is right. The expected number among thirty is not: each has that chance."


def _at_least(wins: int) -> float:
    """Return the chance that a fair coin wins so many of the games or more."""
    ways: int = sum(comb(GAMES, won) for won in range(wins, GAMES + 1))
    return ways / 2.0**GAMES
