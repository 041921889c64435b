"""A quick test for students before they hand in an agent, with advice in words."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from splendor_nb.agents.referee import resolve_agent
from splendor_nb.agents.registry import agent_name, get_agent
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.records import Fault, Player
from splendor_nb.engine.rng import Rng
from splendor_nb.engine.state import Observation, new_game
from splendor_nb.games.contest_game import Chair, OpenChair, Played, play_seated
from splendor_nb.games.intervals import clustered_share
from splendor_nb.games.sandbox import Limits, Sandbox, Trouble

SEED = 1  # the same test for everybody
DEALS = {2: 20, 3: 2, 4: 2}  # by the number of seats; each is played in every rotation
BUDGET_S = {2: 45.0, 3: 10.0, 4: 10.0}  # no new game is begun after so long
ENOUGH_FAULTS = 4  # and after so many, there is nothing to learn from more
VIEWS, VIEWS_S = 30, 10.0  # on which the same answer is asked for twice, and for how long
CLOSE_TO_LIMIT = 0.5
LOOKS = {True: ("✓", "passed"), False: ("✗", "failed"), None: ("–", "left out")}


@dataclass(frozen=True, slots=True)
class Check:
    """One question of the test.

    Attributes
    ----------
    question
        What was asked.
    passed
        The answer; `None` where it could not be asked.
    finding
        What was seen, in a sentence.
    advice
        What to do, where there is something to do.
    """

    question: str
    passed: bool | None
    finding: str
    advice: str = ""


@dataclass(frozen=True, repr=False)
class Qualification:
    """What the test found.

    Attributes
    ----------
    name
        Of the agent.
    checks
        Question by question.
    """

    name: str
    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether the agent may be handed in: no question was answered with no."""
        return all(check.passed is not False for check in self.checks)

    def table(self) -> pd.DataFrame:
        """Return the questions as a table: ``question``, ``passed``, ``finding``, ``advice``.

        Examples
        --------
        >>> result = Qualification("anna", (Check("Is it fast?", passed=True, finding="Yes."),))
        >>> result.table()[["question", "passed"]]
              question  passed
        0  Is it fast?    True
        >>> result
        anna: ready to hand in
        ✓ Is it fast? Yes.
        """
        rows = [
            (check.question, check.passed, check.finding, check.advice) for check in self.checks
        ]
        return pd.DataFrame(rows, columns=["question", "passed", "finding", "advice"])

    def __repr__(self) -> str:
        lines = [f"{self.name}: {self._verdict()}"]
        for check in self.checks:
            lines.append(f"{LOOKS[check.passed][0]} {check.question} {check.finding}")
            if check.advice:
                lines.append(f"    {check.advice}")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{LOOKS[check.passed][0]} {LOOKS[check.passed][1]}</td>"
            f"<td>{escape(check.question)}</td><td>{escape(check.finding)}"
            f"{'<br><b>' + escape(check.advice) + '</b>' if check.advice else ''}</td></tr>"
            for check in self.checks
        )
        title = f"<bdi>{escape(self.name)}</bdi>: {escape(self._verdict())}"
        style = 'style="text-align:start"'
        return f"<table {style}><caption {style}><b>{title}</b></caption>{rows}</table>"

    def _verdict(self) -> str:
        return "ready to hand in" if self.passed else "not ready yet"


def qualify(agent: Any, *, limits: Limits | None = None) -> Qualification:
    """Return what a fixed test finds: whether an agent is fit for a contest, with advice.

    Are its actions legal, and quick? Is it better than random, does it answer the same to the same,
    does it play at every number of seats? That takes seconds for a quick agent, some minutes for
    one that uses all its time. One that has passed may lose, but hardly by its faults.

    Parameters
    ----------
    agent
        A function or a class as in a cell, which is tested in this process; or the path of a file,
        which is tested in a process of its own, as in `contest`; or the name of an agent.
    limits
        Those of the contest.

    Raises
    ------
    TypeError, ValueError
        Where there is no such agent or file.

    Examples
    --------
    >>> def agent(observation, rng):
    ...     return "take WUG"
    >>> result = qualify(agent)
    >>> result.passed, result.checks[0].question, result.checks[0].passed
    (False, 'Are all its actions legal?', False)
    """
    limits = limits or Limits()
    name, chair = _seat_down(agent, limits)
    try:
        if isinstance(chair, Sandbox) and isinstance(answer := chair.start(), Trouble):
            return Qualification(name, (_unreadable_file(answer),))
        return Qualification(name, tuple(_checks(chair, limits)))
    finally:
        chair.stop()


def _checks(chair: Chair, limits: Limits) -> Iterator[Check]:
    """Yield the answers; what needs whole games is left out where there are none."""
    runs = {players: _play(chair, players) for players in DEALS}
    yield _is_legal(runs[2])
    yield _is_quick([game for run in runs.values() for game in run], limits)
    yield _beats_random(runs[2])
    yield _is_reproducible(chair)
    for players in (3, 4):
        yield _survives(players, runs[players])


class _Game(NamedTuple):
    """A game of the test: what was played, at which seat, on which deal."""

    played: Played
    seat: int
    deal: int

    @property
    def fault(self) -> Fault | None:
        """What the agent did wrong."""
        faults = self.played.record.faults
        return faults[0] if faults else None


def _play(chair: Chair, players: int) -> list[_Game]:
    """Return games against agents that play at random, until the budget of time is used up."""
    games, begun = list[_Game](), time.monotonic()
    for deal, seat in product(range(DEALS[players]), range(players)):
        late = games and time.monotonic() - begun > BUDGET_S[players]
        if late or sum(game.fault is not None for game in games) == ENOUGH_FAULTS:
            break
        games.append(_play_game(chair, players, deal, seat))
    return games


def _play_game(chair: Chair, players: int, deal: int, seat: int) -> _Game:
    chairs: list[Chair] = [OpenChair(get_agent("random")) for _ in range(players)]
    chairs[seat] = chair
    called = [Player("random", "random") for _ in range(players)]
    rngs = [Rng.stream(SEED, deal, role) for role in range(1, players + 1)]
    start = new_game(players, seed=SEED + deal)
    return _Game(play_seated(start, chairs, called, rngs), seat, deal)


# -- the questions ---------------------------------------------------------------------------------


def _yes(question: str, finding: str, advice: str = "") -> Check:
    return Check(question, passed=True, finding=finding, advice=advice)


def _no(question: str, finding: str, advice: str) -> Check:
    return Check(question, passed=False, finding=finding, advice=advice)


def _unreadable_file(trouble: Trouble) -> Check:
    question = "Can it be started?"
    return _no(question, trouble.text, "Run the file by itself and mend what it says.")


ADVICE = {
    "illegal": "Choose among observation.legal_actions(); it lists all that is allowed.",
    "unreadable": "Return an action of observation.legal_actions(), or its text.",
    "exception": "Try the position in a cell: the line above tells where it went wrong.",
    "timeout": "Think less: look at fewer actions, or stop by the clock well before the limit.",
    "died": "Do not leave the process: no exit(), no threads or processes that end it.",
}


def _is_legal(games: Sequence[_Game]) -> Check:
    question = "Are all its actions legal?"
    faulty = [game for game in games if game.fault]
    if not faulty:
        moves = sum(game.played.clocks[game.seat].moves for game in games)
        return _yes(question, f"Yes: {moves:,} actions in {len(games)} games.")
    return _no(question, _told(faulty, len(games)), _advice(faulty))


def _survives(players: int, games: Sequence[_Game]) -> Check:
    question = f"Does it play with {players} players?"
    faulty = [game for game in games if game.fault]
    if not faulty:
        return _yes(question, f"Yes: {len(games)} games without a fault.")
    advice = "There may be 2 to 4 seats: ask observation.players and observation.player."
    return _no(question, _told(faulty, len(games)), f"{_advice(faulty)} {advice}")


def _told(faulty: Sequence[_Game], games: int) -> str:
    fault = faulty[0].fault
    if fault is None:
        raise AssertionError("unreachable")
    kind = {"unreadable": "unreadable answer"}.get(fault.kind, fault.kind)
    where = f"first in turn {fault.turn} of deal {faulty[0].deal}"
    return f"No: faults in {len(faulty)} of {games} games, {where}: {kind}: {fault.text}"


def _advice(faulty: Sequence[_Game]) -> str:
    kinds = dict.fromkeys(game.fault.kind for game in faulty if game.fault)
    return " ".join(ADVICE[kind] for kind in kinds)


def _is_quick(games: Sequence[_Game], limits: Limits) -> Check:
    question = "Is it fast enough?"
    clocks = [game.played.clocks[game.seat] for game in games]
    typical_s = max(clock.total_s / max(1, clock.moves) for clock in clocks)
    longest_s = max(clock.total_s for clock in clocks)
    late = any(game.fault and game.fault.kind == "timeout" for game in games)
    finding = (
        f"An action took up to {_seconds(typical_s)} of {limits.move_s:g} s in the mean of a game, "
        f"a game up to {_seconds(longest_s)} of {limits.game_s:g} s."
    )
    if late:
        return _no(question, f"No: it ran into a limit. {finding}", ADVICE["timeout"])
    near = typical_s > CLOSE_TO_LIMIT * limits.move_s or longest_s > CLOSE_TO_LIMIT * limits.game_s
    advice = "That is close: the machine of the contest may be slower, or busy." if near else ""
    return _yes(question, f"Yes. {finding}", advice)


def _seconds(value: float) -> str:
    return f"{value:.2f} s" if value >= 0.1 else f"{1e3 * value:.1f} ms"


def _beats_random(games: Sequence[_Game]) -> Check:
    question = "Is it better than random?"
    shares = [
        1 / len(result.winners) if game.seat in result.winners else 0.0
        for game in games
        if (result := game.played.record.result)
    ]
    found = clustered_share(pd.Series(shares), pd.Series([game.deal for game in games]))
    finding = (
        f"It wins {100 * found.estimate:.0f} % of {len(games)} games "
        f"(95 % interval {100 * found.low:.0f} to {100 * found.high:.0f} %)."
    )
    if len(games) < 2 * DEALS[2] and not any(game.fault for game in games):
        finding += f" So slow an agent got fewer than {2 * DEALS[2]} games."
    if found.low > 0.5:
        return _yes(question, f"Yes. {finding}")
    if found.high < 0.5:
        return _no(question, f"No, worse. {finding}", "Buy cards: they win, tokens do not.")
    return _no(
        question,
        f"It cannot be told apart from it. {finding}",
        "Begin with an agent that buys whatever it can, and watch it play on the board.",
    )


def _is_reproducible(chair: Chair) -> Check:
    question = "Does it answer the same to the same?"
    views = list(_views())
    answers = [_answers(chair, views, luck) for luck in (1, 2)]
    pairs = list(zip(*answers, strict=False))
    if not pairs or isinstance(pairs[0][0], Trouble):
        return Check(question, None, "It could not be asked, since the agent has faults.")
    for number, (first, second) in enumerate(pairs):
        if first != second:
            return _no(
                question,
                f"No: in the same game it answered {_answer(first)}, then {_answer(second)}, "
                f"after {number} equal answers.",
                "Draw by the rng that it is given, not by random or numpy; keep nothing from game "
                "to game; do not think by the clock.",
            )
    return _yes(question, f"Yes: {len(pairs)} answers, asked for twice.")


def _answer(reply: object) -> str:
    return reply.text if isinstance(reply, Trouble) else shortened(str(reply))


def _answers(chair: Chair, views: Sequence[Observation], luck: int) -> list[str | Trouble]:
    """Return what the agent answers in a game that goes on whatever it says.

    Generators other than the one that it is given draw something else each time.
    """
    chair.stop()
    chair.begin(Rng(SEED), luck) if isinstance(chair, Sandbox) else chair.begin(Rng(SEED))
    answers, begun = list[str | Trouble](), time.monotonic()
    for view in views:
        answers.append(chair.ask(view))
        if isinstance(answers[-1], Trouble) or time.monotonic() - begun > VIEWS_S:
            break
    return answers


def _views() -> Iterator[Observation]:
    """Yield what seat 0 sees whenever it decides in a game of greedy agents."""
    state, rng, greedy, seen = new_game(seed=SEED), Rng(SEED), get_agent("greedy"), 0
    while (seat := state.current_player) is not None and seen < VIEWS:
        if seat == 0:
            seen += 1
            yield state.observation(0)
        state = state.apply(greedy(state.observation(seat), rng))


# -- what is tested --------------------------------------------------------------------------------


def _seat_down(agent: Any, limits: Limits) -> tuple[str, Chair]:
    """Return the name of what is tested, and a chair in which it sits."""
    if isinstance(agent, os.PathLike) or (isinstance(agent, str) and agent.endswith(".py")):
        file = Path(agent)
        if not file.is_file():
            raise ValueError(f"There is no file {str(file)!r}.")
        return file.name, Sandbox(file, limits)
    if isinstance(agent, type):
        return agent.__name__, OpenChair(agent, limits)
    return agent_name(agent), OpenChair(resolve_agent(agent, 0), limits)
