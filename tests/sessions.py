"""Games in progress for the tests: sessions without widgets, and what a page sends them."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Any

from positions import position

from splendor_nb import Observation, Rng, State
from splendor_nb.board.session import GameSession, Replay
from splendor_nb.board.table import make_table
from splendor_nb.board.words import Words
from splendor_nb.engine.records import Fault, GameRecord, Player

PATIENCE_S = 20  # far more than anything here takes, and less than forever

Shown = GameSession | Replay


def session_of(
    *lineup: Any,
    seed: int = 7,
    start: State | None = None,
    record: GameRecord | None = None,
    **options: Any,
) -> GameSession:
    """A game at the table of this lineup; options are those of a deal, and names."""
    words = Words()
    table = make_table(lineup, words, start=start, **options)
    return GameSession(table, seed, record=record, words=words)


def send(shown: Shown, kind: str, **fields: Any) -> None:
    """A message of a page that shows the newest view."""
    shown.handle({"type": kind, "version": shown.version, **fields})


def act(shown: Shown, *actions: str) -> None:
    """A person's clicks at the page, one after the other."""
    for action in actions:
        send(shown, "act", action=action)


def play_on(game: GameSession, limit: int = 2000) -> None:
    """Let a person play to the end, always the first action that is legal."""
    for _ in range(limit):
        if game.result is not None:
            return
        game.act(game.state.legal_actions()[0])
    raise AssertionError(f"a game longer than {limit} decisions")


def finished(
    start: State, *actions: str, names: Iterable[str] = ("Anna", "Ben", "Cleo", "Dan")
) -> GameRecord:
    """A game that ended after these actions, since the next seat made a fault."""
    seats = [Player(name, "human") for name in names][: start.players]
    state = start
    for action in actions:
        state = state.apply(action)
    fault = Fault(state.current_player or 0, state.turn, "died", "It went home.")
    return GameRecord.from_dict(
        GameRecord(start, tuple(actions), tuple(seats), 7, (fault,), forfeited=True).to_dict()
    )


class Script:
    """An agent that plays what is written down for it, then the first legal action."""

    def __init__(self, *actions: str) -> None:
        self.name = "script"
        self.actions = iter(actions)

    def __call__(self, observation: Observation, _rng: Rng) -> str:
        return next(self.actions, observation.legal_actions()[0])


class Slow:
    """An agent that thinks until it is told to answer."""

    def __init__(self, answer: str = "") -> None:
        self.name = "slow"
        self.answer = answer
        self.asked = threading.Event()
        self.may_answer = threading.Event()
        self.answered = threading.Event()

    def __call__(self, observation: Observation, _rng: Rng) -> str:
        self.asked.set()
        assert self.may_answer.wait(PATIENCE_S)
        self.answered.set()
        return self.answer or observation.legal_actions()[0]


# -- positions that ask for something --------------------------------------------------------------


def returning(**more: Any) -> State:
    """Seat 0 has just taken three gems too many."""
    return position(tokens=["WWUUGGRRKK"], **more).apply("take WUG")


def choosing(**more: Any) -> State:
    """Two nobles would visit seat 0 [R14]."""
    cards = "1W1 1W2 1W3 1U1 1U2 1U3 1U4 1K1 1K2 1K3 1R1 1R2 1R3 1R4"
    state = position(bought=[f"{cards} 1W4"], nobles="WUK WU RK", **more)
    return state.apply("take WUG")


def paying(**more: Any) -> State:
    """Seat 0 may put gold in place of gems for 1W4, which costs two blue and two black."""
    state = position(tokens=["UUKK**"], reserved=["?3W1 ?1W4"], payment="choose", **more)
    return state.apply("buy 1W4")


def over(**more: Any) -> State:
    """The last turn has been played; both seats share the win."""
    return position(turn=39, current=1, turn_limit=40, **more).apply("take WUG")


def enabled(view: dict[str, Any]) -> Iterator[str]:
    """The actions that a page offers."""
    for control in controls_of(view):
        if not control["why"]:
            yield control["action"]
    for pick, entry in view["picks"].items():
        if not entry["why"]:
            yield f"take {pick}"


def controls_of(view: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every control of a view."""
    cards = [card for row in view["market"] for card in row if card]
    cards += [card for seat in view["seats"] for card in seat["reserved"]]
    prompt = [view["prompt"]] if view["prompt"] else []
    for thing in (*cards, *view["decks"], *view["nobles"], *prompt):
        yield from thing.get("controls", ())
