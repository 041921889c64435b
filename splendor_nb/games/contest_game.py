"""One game of a contest: contestants at a table, a referee, and a clock for each."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from splendor_nb.agents.referee import ask, resolve_agent
from splendor_nb.agents.registry import Agent
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.notation import Action
from splendor_nb.engine.records import Fault, GameRecord, Player
from splendor_nb.engine.rng import Rng
from splendor_nb.engine.state import Observation, State
from splendor_nb.games.contestant import told
from splendor_nb.games.sandbox import Limits, Trouble

STRIKES = 3  # of a beginner: so many faults are one too many


class Chair(Protocol):
    """Where a contestant sits: a `Sandbox`, or an `OpenChair` in this process."""

    def begin(self, rng: Rng) -> None:
        """Begin a game."""

    def ask(self, observation: Observation) -> str | Trouble:
        """Return what the contestant answers, or what it did wrong."""

    def stop(self) -> None:
        """End its process; the next question starts another one."""


class OpenChair:
    """A contestant in this process: nothing holds it back, but what it does is told.

    Parameters
    ----------
    agent
        A function, or a class that is called anew for every game.
    limits
        Those of time count: an answer that came too late is no answer.
    """

    def __init__(self, agent: object, limits: Limits | None = None) -> None:
        self._given, self.limits = agent, limits or Limits()
        self._agent: Agent | None = None
        self._rng = Rng(0)
        self._used_s = 0.0

    def begin(self, rng: Rng) -> None:
        """Begin a game; the generator stays as it is."""
        self._agent, self._used_s = None, 0.0
        self._rng.stream_state[0] = rng.stream_state[0]

    def ask(self, observation: Observation) -> str | Trouble:
        """Return what the agent answers, or what it did wrong.

        Examples
        --------
        >>> from splendor_nb import new_game
        >>> OpenChair(lambda observation, rng: 7).ask(new_game(seed=1).observation(0)).kind
        'unreadable'
        """
        limits = self.limits
        allowed_s = limits.first_move_s if self._agent is None else limits.move_s
        allowed_s = min(allowed_s, limits.game_s - self._used_s)
        begun = time.perf_counter()
        try:
            if self._agent is None:
                self._agent = resolve_agent(self._given, 0)
            answer: object = self._agent(observation, self._rng)
        except Exception as error:  # noqa: BLE001  (an agent is foreign code: what it raises is its fault)
            return Trouble("exception", told(error))
        elapsed_s = time.perf_counter() - begun
        self._used_s += elapsed_s
        if elapsed_s > allowed_s:
            return Trouble("timeout", f"The answer took longer than {max(0.0, allowed_s):.3g} s.")
        return answer if isinstance(answer, str) else _unreadable(answer)

    def stop(self) -> None:
        """Forget the agent; the next question makes another one."""
        self._agent = None


class Clock(NamedTuple):
    """How long one seat thought in a game: its answers, seconds in all, the longest."""

    moves: int = 0
    total_s: float = 0.0
    slowest_s: float = 0.0

    def plus(self, elapsed_s: float) -> Clock:
        """Return the clock after one more answer.

        Examples
        --------
        >>> Clock().plus(0.25).plus(0.5)
        Clock(moves=2, total_s=0.75, slowest_s=0.5)
        """
        return Clock(self.moves + 1, self.total_s + elapsed_s, max(self.slowest_s, elapsed_s))


class Played(NamedTuple):
    """A finished game, and a clock for each seat."""

    record: GameRecord
    clocks: tuple[Clock, ...]


class StoppedError(Exception):
    """The contest was interrupted in the middle of a game."""


def play_seated(
    start: State,
    chairs: Sequence[Chair],
    players: Sequence[Player],
    rngs: Sequence[Rng],
    *,
    strikes: int = 1,
    stopped: Callable[[], bool] = lambda: False,
) -> Played:
    """Return a game of contestants, played to its end or to the fault that forfeits it.

    Parameters
    ----------
    start
        The deal.
    chairs, players, rngs
        For each seat: who is asked, how that is called in the record, the generator that it gets.
    strikes
        How many faults forfeit the game. In place of one before, any legal action is taken.
    stopped
        Asked before every move whether to give up.

    Raises
    ------
    StoppedError
        Where `stopped` said so.

    Examples
    --------
    >>> from splendor_nb import get_agent, new_game
    >>> chairs = [OpenChair(get_agent("greedy")), OpenChair(lambda observation, rng: "pass")]
    >>> seats = [Player("Anna", "greedy"), Player("Ben", "ben.py")]
    >>> game = play_seated(new_game(seed=1), chairs, seats, [Rng(1), Rng(2)]).record
    >>> game.result.winners, game.faults[0].kind
    ((0,), 'illegal')
    """
    clocks = [Clock() for _ in chairs]
    state, actions, faults, forfeited = start, list[Action](), list[Fault](), False
    for chair, rng in zip(chairs, rngs, strict=True):
        chair.begin(rng)
    while (seat := state.current_player) is not None:
        if stopped():
            raise StoppedError
        begun = time.perf_counter()
        answer = _answer_of(chairs[seat], state, seat)
        clocks[seat] = clocks[seat].plus(time.perf_counter() - begun)
        if isinstance(answer, Fault):
            faults.append(answer)
            forfeited = sum(fault.seat == seat for fault in faults) >= strikes
            if forfeited:
                chairs[seat].stop()
                break
            answer = rngs[seat].choice(state.legal_actions())
        actions.append(answer)
        state = state.apply(answer)
    record = GameRecord(start, tuple(actions), tuple(players), None, tuple(faults), forfeited)
    return Played(record, tuple(clocks))


def _answer_of(chair: Chair, state: State, seat: int) -> Action | Fault:
    """Return what the contestant answers, once it is known to be legal, or its fault."""
    reply = chair.ask(state.observation(seat))
    if isinstance(reply, Trouble):
        return Fault(seat, state.turn, reply.kind, reply.text)
    return ask(lambda *_: reply, state, _UNUSED)


def _unreadable(answer: object) -> Trouble:
    text = f"An action is a text such as 'take WUG', not {shortened(answer)}."
    return Trouble("unreadable", text)


_UNUSED = Rng(0)
