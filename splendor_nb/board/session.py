"""A game in progress and a replay, without widgets: what the board shows and obeys."""

from __future__ import annotations

import functools
import os
import re
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from splendor_nb.agents.referee import ask, seat_rng
from splendor_nb.agents.search import SearchAgent
from splendor_nb.board.advice import Advisor
from splendor_nb.board.course import Course
from splendor_nb.board.table import Table
from splendor_nb.board.view import Json, Scene, page_view
from splendor_nb.board.words import Words, name_in_sentence, unquoted
from splendor_nb.engine.cards import Card
from splendor_nb.engine.errors import SplendorError
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.notation import Action
from splendor_nb.engine.records import Fault, GameRecord, Player, Result, result_of
from splendor_nb.engine.state import State

_SEAT = re.compile(r"(?P<mark>^[> ])?\bseat (?P<seat>\d)", re.MULTILINE)


class _Notifier:
    """Counts versions, and tells listeners of each change.

    Attributes
    ----------
    course, step
        The game that is shown, and how many of its actions have been played.
    peeking
        The seat of the person who looks at unseen reserves that lie face down otherwise.
    """

    course: Course
    step: int

    def __init__(self, words: Words | None) -> None:
        self.words = words or Words()
        self.version = 0
        self.error = ""
        self.peeking: int | None = None
        self.show_again: Callable[[], None] | None = None
        self._listeners: list[Callable[[], None]] = []

    def _ipython_display_(self) -> None:
        """Show the board in the cell that runs, unless it stands there already."""
        if self.show_again is None:
            sys.stdout.write(f"{self!r}\n")
        else:
            self.show_again()

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call the listener after every change."""
        self._listeners.append(listener)

    def fail(self, error: BaseException) -> None:
        """Show what went wrong in Python, which nothing else on the page would show."""
        text = unquoted(f"{type(error).__name__}: {shortened(str(error), 200)}")
        self.error = self.words("error.unexpected", text=text)
        self.changed()

    def tell(self) -> None:
        """Tell the listeners of something new that leaves the game as it is."""
        for listener in self._listeners:
            listener()

    def last_actions(self) -> list[Action]:
        """Return the actions of the last turn that is shown."""
        return [step.action for step in self.course.turn_at(self.step)]

    def changed(self) -> None:
        """Count a new version and tell the listeners."""
        self.version += 1
        self.tell()


class GameSession(_Notifier):
    """A game in progress: people and agents at 2 to 4 seats.

    Parameters
    ----------
    table
        Who plays, and how a game begins.
    seed
        The seed of the deal and of the agents.
    record
        A game to go on with, in place of a fresh deal.
    words
        The language of all that is shown.
    hints, evaluation
        What advice the person to decide gets: see `Advisor`.
    """

    def __init__(
        self,
        table: Table,
        seed: int,
        *,
        record: GameRecord | None = None,
        words: Words | None = None,
        hints: int | None = 0,
        evaluation: bool = False,
    ) -> None:
        super().__init__(words)
        self.advisor = Advisor(self.words, self.tell, self.fail, hints=hints, evaluation=evaluation)
        self.should_stop: Callable[[], bool] | None = None  # asked by a search that thinks
        self._lock = threading.RLock()
        self._idle = threading.Condition(self._lock)
        self.let_agents_play: Callable[[], None] | None = None
        self._begin(table, seed, record)

    def _begin(self, table: Table, seed: int, record: GameRecord | None = None) -> None:
        # Dealt first: a seed that is refused leaves the game that is being played as it is.
        self.course = Course(record.start, record.actions) if record else Course(table.deal(seed))
        self.table = table
        self.seed = seed
        self.error = ""
        self.forfeited = False
        self.faults = list(record.faults) if record else []
        played = len(self.course.steps)
        # A game that goes on may not draw the numbers again that its beginning has drawn.
        self._rngs = [seat_rng(seed, seat, played) for seat in range(len(self.seats))]
        self.peeking = None
        self.past: Replay | None = None  # the game from the beginning, while somebody looks back
        self.advisor.begin()
        self._show_advisor()

    # -- for code ----------------------------------------------------------------------------------

    @property
    def seats(self) -> tuple[Player, ...]:
        """Who sits where."""
        return self.table.seats

    @property
    def step(self) -> int:  # type: ignore[override]  # a running game is shown at its last step
        """How many actions have been played."""
        return len(self.course.steps)

    @property
    def state(self) -> State:
        """The position now, the whole truth."""
        return self.course.state

    @property
    def record(self) -> GameRecord:
        """The game so far, as it is saved."""
        return GameRecord(
            start=self.course.start,
            actions=self.course.actions,
            seats=self.seats,
            seed=self.seed,
            faults=tuple(self.faults),
            forfeited=self.forfeited,
        )

    @property
    def result(self) -> Result | None:
        """How the game ended; `None` while it runs."""
        return self.record.result if self.forfeited else result_of(self.state)

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the game so far to a file, and return its path.

        Raises
        ------
        OSError
            Where the file cannot be written.
        """
        return self.record.save(path)

    def act(self, action: str) -> None:
        """Do an action for the person whose decision it is, and let the agents answer.

        Raises
        ------
        IllegalActionError, NotationError
            Where the action is not allowed now or unreadable; nothing is changed.
        ValueError
            Where an agent has the decision.
        """
        self.decide(action)
        self.play_agents()

    def wait(self, timeout: float | None = None) -> None:
        """Wait until a person decides or the game is over, at most so many seconds."""
        with self._idle:
            self._idle.wait_for(lambda: not self.agent_decides(), timeout)

    def play_agents(self) -> None:
        """Let the agents play until a person decides or the game is over."""
        while self.agent_decides():
            self.play_agent()

    def agent_decides(self) -> bool:
        """Return whether an agent has the decision now."""
        seat = self.state.current_player
        return seat is not None and not self.forfeited and self.table.agents[seat] is not None

    def decide(self, action: str) -> None:
        """Do an action for the person whose decision it is.

        Raises
        ------
        IllegalActionError, NotationError
            Where the action is not allowed now or unreadable; nothing is changed.
        ValueError
            Where an agent has the decision, or the game is over by forfeit.
        """
        with self._lock:
            if self.forfeited:
                raise ValueError("The game is over by forfeit.")
            if self.agent_decides():
                raise ValueError(f"It is the turn of {self._name_to_play()}, an agent.")
            self.course.add(action)
            self.peeking = None
            self.changed()

    def play_agent(self) -> None:
        """Let an agent take one decision, if it is its turn; a fault ends the game by forfeit."""
        with self._lock:
            course, state, rngs = self.course, self.state, self._rngs
            seat = state.current_player
            agent = None if seat is None or self.forfeited else self.table.agents[seat]
        if seat is None or agent is None:
            return
        if isinstance(agent, SearchAgent):
            agent = functools.partial(agent, should_stop=self.should_stop)
        answer = ask(agent, state, rngs[seat])
        with self._lock:
            # A new game may have begun while the agent was thinking, even from the same position.
            if self.course is course and self.state is state:
                self._settle(answer)

    def _settle(self, answer: Action | Fault) -> None:
        """Take an agent's answer."""
        if isinstance(answer, Fault):
            self.faults.append(answer)
            self.forfeited = True
            name = self._name(answer.seat)
            # What an agent answered may name a card that only its seat knows.
            text = unquoted(answer.text) if answer.kind == "exception" else ""
            self.error = self.words("error.fault", name=name, kind=answer.kind, text=text).rstrip()
        else:
            self.course.add(answer)
        self.changed()
        self._idle.notify_all()

    def advise(self, *, hints: int | None, evaluation: bool) -> None:
        """Change what advice the person to decide gets: see `Advisor`."""
        self.advisor.set(hints=hints, evaluation=evaluation)
        self.tell()

    def changed(self) -> None:
        """Count a new version and tell the listeners; the advisor looks at the new position."""
        self._show_advisor()
        super().changed()

    def _show_advisor(self) -> None:
        """Let the advisor see what the person to decide may know: it thinks for nobody else."""
        seat = self.state.current_player if self._person_decides() else None
        observation = None if seat is None else self.state.observation(seat)
        self.advisor.look(observation, alone=len(self._people()) < 2)

    def new_game(self, table: Table | None = None, *, seed: int | None = None) -> None:
        """Begin another game: of the same players and with the next seed, if nothing is said."""
        with self._lock:
            self._begin(table or self.table, self.seed + 1 if seed is None else seed)
            self.changed()
            self._idle.notify_all()
        if self.let_agents_play is not None:
            self.let_agents_play()

    def __repr__(self) -> str:
        names = ", ".join(shortened(seat.name, 30) for seat in self.seats)
        return f"<game of {names}, seed {self.seed}>\n{self.state}"

    # -- for the page ------------------------------------------------------------------------------

    def look_back(self, step: int | None, viewer: int | None = None) -> None:
        """Show the position after so many actions of a finished game; `None` ends that.

        Parameters
        ----------
        viewer
            The seat whose knowledge is shown; `None` for what everyone may know.

        Raises
        ------
        ValueError
            Where the game is not over: unseen cards would be told.
        """
        with self._lock:
            if step is not None and not self.is_over():
                raise ValueError("A game is looked back at once it is over.")
            if step is None:
                self.past = None
            else:
                self.past = self.past or Replay(self.record, words=self.words)
                self.past.viewer = viewer
                self.past.go_to(step)
            self.changed()

    def view(self) -> Json:
        """Return the view for the page."""
        with self._lock:
            if self.past is not None:
                return {**self.past.view(), "version": self.version, "error": self.error}
            viewer = self._viewer()
            return page_view(
                Scene(
                    course=self.course,
                    step=len(self.course.steps),
                    seats=self.seats,
                    words=self.words,
                    viewer=viewer,
                    open_reserve=viewer is not None and self._is_open(viewer),
                    deciding=self._person_decides(),
                    alone=len(self._people()) < 2,
                    thinking=self._name_to_play() if self.agent_decides() else "",
                    error=self.error,
                    result=self.result,
                    faults=self.faults,
                    advice=self._advice(),
                    version=self.version,
                )
            )

    def _advice(self) -> Json | None:
        """Return what the advisor says, but for cards that still lie face down."""
        seat = self.state.current_player
        if seat is None or self.is_over():
            return None
        if not self._person_decides() or self._is_open(seat):
            return self.advisor.view()
        return self.advisor.view(self._face_down(seat))

    def handle(self, message: Mapping[str, Any]) -> None:
        """Do what a message of the page asks for; one that answers an older version is dropped."""
        with self._lock:
            if message.get("version") != self.version:
                return
            self.error = ""
            try:
                self._obey(message)
            except SplendorError as error:
                self.error = str(error)
                self.changed()

    def _obey(self, message: Mapping[str, Any]) -> None:
        kind = message.get("type")
        if self.past is not None and kind in ("goto", "viewer"):
            self.past.handle({**message, "version": self.past.version})
            self.changed()
        elif kind == "act" and self._person_decides():
            self.decide(str(message.get("action")))
        elif kind == "peek":
            seat = message.get("seat")
            self.peeking = seat if message.get("on") and seat == self._viewer() else None
            self.changed()
        elif kind == "hint" and self._person_decides():
            self.advisor.ask()
            self.changed()
        elif kind == "rematch" and self.is_over():
            self.new_game()
        elif kind in ("dismiss", "act", "hint", "rematch", "skip"):
            self.changed()
        else:
            raise SplendorError(self.words("error.no_message", text=shortened(dict(message))))

    def text(self) -> str:
        """Return the text board as the viewer knows it."""
        viewer, state = self._viewer(), self.state
        if viewer is not None and self._is_open(viewer):
            return _named(state.observation(viewer).text(), self.seats)
        return _named(state.text(), self.seats)

    def open_actions(self) -> list[Action]:
        """Return what the person to decide may do, but for cards that still lie face down."""
        if not self._person_decides():
            return []
        state = self.state
        seat = state.current_player or 0
        legal = state.observation(seat).legal_actions()
        if self._is_open(seat):
            return legal
        secret = self._face_down(seat)
        return [action for action in legal if action.card not in secret]

    def _face_down(self, seat: int) -> set[str]:
        """Return the names of the unseen reserves of a seat."""
        mine = self.state.seats[seat]
        return {
            card.name
            for card, hidden in zip(mine.reserved, mine.hidden, strict=True)
            if hidden and isinstance(card, Card)
        }

    def _is_open(self, seat: int) -> bool:
        """Return whether the unseen reserves of a seat lie face up for whoever looks on."""
        return len(self._people()) < 2 or self.peeking == seat

    def _people(self) -> list[int]:
        return [seat for seat, agent in enumerate(self.table.agents) if agent is None]

    def _person_decides(self) -> bool:
        return not self.is_over() and not self.agent_decides()

    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return self.forfeited or self.state.is_terminal()

    def _viewer(self) -> int | None:
        """Return whose knowledge is shown: the only person's, or that of the person to decide."""
        people = self._people()
        if len(people) == 1:
            return people[0]
        return self.state.current_player if self._person_decides() else None

    def _name_to_play(self) -> str:
        seat = self.state.current_player
        return "" if seat is None else self._name(seat)

    def _name(self, seat: int) -> str:
        return name_in_sentence(self.seats[seat].name)


class Replay(_Notifier):
    """A saved game, shown step by step.

    Attributes
    ----------
    record
        The saved game.
    step
        How many of its actions have been played.
    viewer
        The seat whose knowledge is shown; `None` for what everyone may know.
    """

    def __init__(self, record: GameRecord, *, words: Words | None = None) -> None:
        super().__init__(words)
        self.record = record
        self.seats = record.seats
        self.course = Course(record.start, record.actions)
        self.step = 0
        self.viewer: int | None = None

    @property
    def steps(self) -> int:
        """The number of actions."""
        return len(self.course.steps)

    @property
    def state(self) -> State:
        """The position that is shown, the whole truth."""
        return self.course.state_at(self.step)

    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return self.record.result is not None

    def go_to(self, step: int) -> None:
        """Show the position after so many actions; beyond an end, that end.

        Raises
        ------
        TypeError
            Where it is no whole number.
        """
        if isinstance(step, bool) or not isinstance(step, int):
            raise TypeError(f"step is a whole number, not {shortened(step)}.")
        self.step = max(0, min(step, self.steps))
        self.changed()

    def view(self) -> Json:
        """Return the view for the page."""
        at_end = self.step == self.steps
        return page_view(
            Scene(
                course=self.course,
                step=self.step,
                seats=self.seats,
                words=self.words,
                viewer=self.viewer,
                error=self.error,
                result=self.record.result if at_end else None,
                faults=self.record.faults,
                replay=self._place(),
                version=self.version,
            )
        )

    def handle(self, message: Mapping[str, Any]) -> None:
        """Do what a message of the page asks for; one that answers an older version is dropped."""
        if message.get("version") != self.version:
            return
        self.error = ""
        kind, step, seat = (message.get(key) for key in ("type", "step", "seat"))
        if kind == "goto" and type(step) is int:
            self.go_to(step)
        elif kind == "viewer" and (seat is None or self._is_seat(seat)):
            self.viewer = seat
            self.changed()
        elif kind in ("dismiss", "skip", "play"):
            self.changed()
        else:
            self.error = self.words("error.no_message", text=shortened(dict(message)))
            self.changed()

    def __repr__(self) -> str:
        return f"<replay at step {self.step} of {self.steps}>\n{self.state}"

    def text(self) -> str:
        """Return the text board as the viewer knows it."""
        viewer, state = self.viewer, self.state
        known = (state if viewer is None else state.observation(viewer)).text()
        return _named(known, self.seats)

    def open_actions(self) -> list[Action]:
        """Return what a person may do: nothing, in a replay."""
        return []

    def _is_seat(self, seat: object) -> bool:
        return type(seat) is int and seat in range(len(self.seats))

    def _place(self) -> Json:
        names = [name_in_sentence(seat.name) for seat in self.seats]
        viewers = [{"seat": None, "label": self.words("viewer.public")}] + [
            {"seat": seat, "label": self.words("viewer.seat", name=name)}
            for seat, name in enumerate(names)
        ]
        last = self.course.steps[self.step - 1] if self.step else None
        label = f"{names[last.seat]}: {last.action}" if last else ""
        return {
            "step": self.step,
            "steps": self.steps,
            "label": label,
            "viewers": viewers,
        }


def _named(text: str, seats: Sequence[Player]) -> str:
    """Return a text board with the names of the players in place of their seats."""
    names = [name_in_sentence(seat.name) for seat in seats]
    width = max(map(len, names))

    def name_at(place: re.Match[str]) -> str:
        name = names[int(place["seat"])]
        return name if place["mark"] is None else f"{place['mark']}{name:<{width}}"

    return _SEAT.sub(name_at, text)
