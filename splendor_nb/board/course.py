"""The course of a game: every position that it went through, and each turn in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

from splendor_nb.board.words import Words
from splendor_nb.engine.cards import Card, Noble
from splendor_nb.engine.notation import Action
from splendor_nb.engine.state import State


@dataclass(frozen=True, slots=True)
class Step:
    """One decision.

    Attributes
    ----------
    seat, turn
        Whose it was, and the number of turns finished before it.
    action
        What was decided.
    nobles
        Nobles that visited because of it.
    state
        What it led to.
    """

    seat: int
    turn: int
    action: Action
    nobles: tuple[Noble, ...]
    state: State


class Course:
    """The course of a game from its start, growing with each action.

    Attributes
    ----------
    start
        The first position.
    steps
        All decisions in order.
    """

    def __init__(self, start: State, actions: Iterable[str] = ()) -> None:
        self.start = start
        self.steps: list[Step] = []
        for action in actions:
            self.add(action)

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions in order."""
        return tuple(step.action for step in self.steps)

    @property
    def state(self) -> State:
        """The last position."""
        return self.state_at(len(self.steps))

    def state_at(self, number: int) -> State:
        """Return the position after so many steps."""
        return self.steps[number - 1].state if number else self.start

    def add(self, action: str) -> Step:
        """Do an action in the last position.

        Raises
        ------
        IllegalActionError, NotationError
            Where the action does not fit; the course is unchanged.
        """
        before = self.state
        after = before.apply(action)
        seat = before.current_player or 0  # never `None`: nothing is legal once the game is over
        met = before.seats[seat].nobles
        nobles = tuple(noble for noble in after.seats[seat].nobles if noble not in met)
        self.steps.append(Step(seat, before.turn, Action(action), nobles, after))
        return self.steps[-1]

    def turn_at(self, number: int) -> list[Step]:
        """Return the steps of the turn to which the last of the first so many steps belongs."""
        if number == 0:
            return []
        turn = self.steps[number - 1].turn
        latest_first = takewhile(lambda step: step.turn == turn, self.steps[number - 1 :: -1])
        return list(latest_first)[::-1]

    def new_cards(self, number: int) -> set[str]:
        """Return the open cards that came within the last round, by name."""
        state = self.state_at(number)
        before = self.start
        for step in self.steps[:number]:
            if step.state.turn > state.turn - state.players:
                break
            before = step.state
        return _open_cards(state) - _open_cards(before)


def _open_cards(state: State) -> set[str]:
    return {card.name for row in state.market for card in row if isinstance(card, Card)}


def describe(step: Step, names: Sequence[str], words: Words) -> str:
    """Return a decision in words that everyone may read, nobles included."""
    sentences = [_describe_action(step, names[step.seat], words)]
    if step.action.kind != "noble":
        sentences += [_describe_visit(noble, names[step.seat], words) for noble in step.nobles]
    return " ".join(sentences)


def _describe_action(step: Step, name: str, words: Words) -> str:
    action = step.action
    gems = words.gems(Counter(action.gems or ""))
    if action.kind == "reserve" and action.card is None:
        return words("log.reserve_unseen", name=name, level=action.level)
    if action.kind == "noble":
        return _describe_visit(step.nobles[0], name, words)
    if action.kind == "buy" and step.state.phase == "pay":
        return words("log.buying", name=name, card=action.card)
    card = step.state.seats[step.seat].bought[-1].name if action.kind == "pay" else action.card
    return words(f"log.{action.kind}", name=name, gems=gems, card=card)


def _describe_visit(noble: Noble, name: str, words: Words) -> str:
    return words("log.noble", name=name, noble=noble.title or noble.name, points=noble.points)
