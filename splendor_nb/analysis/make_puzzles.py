"""Makes the puzzles of the kit: ``python -m splendor_nb.analysis.make_puzzles``.

Every position near the end of a simulated game is tried. It becomes a puzzle if a win is proven,
has just one first action, and is not plain to see; from one game comes one puzzle at most.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from splendor_nb.agents.registry import get_agent
from splendor_nb.analysis.budget import OutOfBudget
from splendor_nb.analysis.forced_win import checked_view, forced_win, search_from
from splendor_nb.analysis.puzzles import FILE, Puzzle, prove, write_puzzles
from splendor_nb.analysis.successors import legal_numbers
from splendor_nb.engine.cards import data_folder
from splendor_nb.engine.notation import Action
from splendor_nb.engine.rng import Rng
from splendor_nb.engine.state import State
from splendor_nb.games.simulate import simulate

COMMAND = "python -m splendor_nb.analysis.make_puzzles"
SEED, WANTED = 20, 12  # puzzles of each number of turns
LATE = 12  # decisions from the end of a game that are tried
QUICK = 3_000  # positions for a first look; what takes longer is left alone
PLAYERS = (2, 2, 2, 3)  # in turn, so that most puzzles are for two
AGENT = "greedy"


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the file of puzzles.

    Parameters
    ----------
    arguments
        Those of the command line, if not said.
    """
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--wanted", type=int, default=WANTED)
    given = parser.parse_args(arguments)
    made = make_puzzles(given.seed, given.wanted)
    command = f"{COMMAND} --seed {given.seed} --wanted {given.wanted}"
    text = json.dumps(write_puzzles(made, command), separators=(",", ":"))
    path = data_folder() / FILE
    path.write_text(text.replace('{"name"', '\n{"name"') + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(made)} puzzles in {path}\n")


def make_puzzles(seed: int, wanted: int) -> tuple[Puzzle, ...]:
    """Return so many puzzles of one, of two and of three turns, easy ones first.

    Parameters
    ----------
    seed
        That of the games; the same seed makes the same puzzles.
    wanted
        How many of each number of turns.
    """
    found: list[Puzzle] = []
    missing = Counter({1: wanted, 2: wanted, 3: wanted})
    for number, positions in enumerate(_games(seed)):
        source = f"game {number} of {AGENT} agents, seed {seed}"
        for state in positions:
            one = _as_puzzle(state, source, missing)
            if one is not None:
                found.append(one)
                missing[one.turns] -= 1
                break
        if not +missing:
            break
    found.sort(key=lambda one: (one.turns, one.grade))
    numbers = Counter[int]()
    return tuple(_named(one, numbers) for one in found)


def _named(one: Puzzle, numbers: Counter[int]) -> Puzzle:
    numbers[one.turns] += 1
    return replace(one, name=f"{one.turns}-{numbers[one.turns]:02}")


def _games(seed: int) -> Iterator[list[State]]:
    """Yield the late positions of game after game, without end."""
    number = 0
    while True:
        players = PLAYERS[number % len(PLAYERS)]
        record = simulate(AGENT, 1, seed * 10_000 + number, players=players, progress=False)
        states, game = [], record.record(0)
        state = game.start
        for action in game.actions:
            if state.phase == "main":
                states.append(state)
            state = state.apply(action)
        yield states[-LATE:]
        number += 1


def _as_puzzle(state: State, source: str, missing: Counter[int]) -> Puzzle | None:
    """Return the position as a puzzle if it is one that is wanted."""
    win = forced_win(state, 3, positions=QUICK)
    if win.turns is None or not missing[win.turns] or not _is_only(state, win.turns):
        return None
    try:
        solution = prove(state, win.turns)
    except ValueError:
        return None
    grade = grade_of(state, win.turns, solution)
    return None if grade is None else Puzzle("", win.turns, grade, state, solution, source)


def _is_only(state: State, turns: int) -> bool:
    """Tell whether just one first action wins; a second one ends the search."""
    view = checked_view(state)
    search, s = search_from(view, QUICK * 5), view.numbers()
    winning = 0
    try:
        for action in legal_numbers(s, view.tables):
            winning += search.wins_by(s, turns, action)
            if winning > 1:
                return False
    except OutOfBudget:
        return False
    return winning == 1


def grade_of(state: State, turns: int, solution: Action) -> int | None:
    """Return how hard a puzzle is, 1 to 5; `None` where it is plain to see.

    It is harder the more turns it takes, where it does not begin with a purchase, and where a
    player who buys what is best at once goes wrong. It is plain where one purchase is possible,
    and that is it.

    Examples
    --------
    >>> from splendor_nb.analysis.puzzles import puzzles
    >>> one = puzzles(turns=3)[-1]
    >>> grade_of(one.state, 3, one.solution)
    5
    """
    buys = [action for action in state.legal_actions() if action.kind == "buy"]
    if turns == 1 and buys == [solution]:
        return None
    tempting = get_agent("greedy")(checked_view(state), Rng(0)) != solution
    is_quiet = solution.kind != "buy"
    return min(5, turns + tempting + is_quiet)


if __name__ == "__main__":
    main()
