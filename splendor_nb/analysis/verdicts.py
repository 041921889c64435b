"""What a search says of decisions: each one of a game, and which were mistakes.

Every decision is judged from what its seat knew. Standard library only: the board asks for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from splendor_nb.agents.champion import ChampionAgent
from splendor_nb.agents.growth import Stop
from splendor_nb.agents.search import SearchAgent
from splendor_nb.agents.thoughts import Thoughts
from splendor_nb.engine.forms import quoted, shortened
from splendor_nb.engine.notation import Action
from splendor_nb.engine.records import GameRecord
from splendor_nb.engine.rng import Rng
from splendor_nb.engine.state import Observation

THINKERS = {"champion": ChampionAgent, "search": SearchAgent}
ITERATIONS, TREES, TRIES = 2000, 4, 3
MISTAKE = 0.05  # of a win: what is less is no mistake that a person could learn from
SURE = 2.0  # standard errors
MOST_MISTAKES = 5


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a search says of one decision of a game.

    Attributes
    ----------
    step, turn, seat
        Which decision of the game it is, from 0; the turns finished before it; whose it was.
    action, share
        What was done, and the chance of winning that the search gives it, 0 to 1; `None` where it
        did not look at it.
    best, best_share
        What the search would have done, and the chance that it gives that.
    error
        The standard error of the difference, from the differences between trees; `None` where
        it is not known.
    alone
        Whether nothing else was legal: then nothing was searched, and the chances are `None`.
    """

    step: int
    turn: int
    seat: int
    action: Action
    share: float | None
    best: Action
    best_share: float | None
    error: float | None
    alone: bool = False

    @property
    def loss(self) -> float:
        """How much of a win the action gave away: 0 where it is the best one, or not judged."""
        if self.share is None or self.best_share is None:
            return 0.0
        return max(0.0, self.best_share - self.share)

    @property
    def is_mistake(self) -> bool:
        """Whether it gave away 5 % of a win, and more than two standard errors."""
        doubt = SURE * self.error if self.error is not None else 0.0
        return self.loss >= MISTAKE and self.loss > doubt


def make_thinker(
    agent: str | SearchAgent = "champion",
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    trees: int = TREES,
) -> SearchAgent:
    """Return the search that judges: several trees, so that they can tell how far they differ.

    Parameters
    ----------
    agent
        ``"champion"``, which plays as ``"search"`` where its network was not trained,
        ``"search"``, or a `SearchAgent` with settings of its own.
    iterations, seconds, trees
        As for `SearchAgent`; 2000 iterations by default.

    Raises
    ------
    TypeError, ValueError
        For what is not allowed; the message names what is.

    Examples
    --------
    >>> make_thinker("search", iterations=100)
    <agent search>
    """
    if isinstance(agent, SearchAgent):
        if iterations is not None or seconds is not None:
            raise TypeError("An agent that is given has its own budget: leave it out.")
        return agent
    if agent not in tuple(THINKERS):  # which needs no hash
        raise ValueError(
            f"What judges is {quoted(THINKERS)} or a SearchAgent, not {shortened(agent)}."
        )
    if iterations is None and seconds is None:
        iterations = ITERATIONS
    # Every action is tried, also one that looks bad at once: it may have been played.
    return THINKERS[agent](iterations=iterations, seconds=seconds, trees=trees, tries=TRIES)


def think(
    thinker: SearchAgent,
    observation: Observation,
    seed: int = 1,
    should_stop: Stop | None = None,
    insist_on: str | None = None,
) -> Thoughts:
    """Return what a search thinks of the seat's decision, the same for the same seed.

    Raises
    ------
    ValueError
        Where the decision is not the observation's seat's.
    """
    rng = Rng.stream(seed, observation.turn, observation.player + 1)
    return thinker.think(observation, rng, should_stop=should_stop, insist_on=insist_on)


def judge(
    record: GameRecord, thinker: SearchAgent, *, seed: int = 1, should_stop: Stop | None = None
) -> Iterator[Verdict]:
    """Yield what a search says of each decision of a game, in order.

    Parameters
    ----------
    should_stop
        As for `SearchAgent.think`; a decision over which it says yes is not told.

    Examples
    --------
    >>> from splendor_nb import play_game
    >>> record = play_game(["greedy", "random"], seed=1)
    >>> first = next(judge(record, make_thinker("search", iterations=200)))
    >>> first.step, first.seat, first.action == record.actions[0]
    (0, 0, True)
    """
    for step, (state, action) in enumerate(zip(record.states(), record.actions, strict=False)):
        seat = state.current_player
        assert seat is not None, "a position before an action is no end"  # noqa: S101
        observation = state.observation(seat)
        if len(observation.legal_actions()) == 1:
            yield Verdict(step, state.turn, seat, action, None, action, None, None, alone=True)
            continue
        thoughts = think(thinker, observation, seed, should_stop, insist_on=action)
        if thoughts.stopped:
            return
        yield _verdict(step, state.turn, action, thoughts)


def _verdict(step: int, turn: int, action: Action, thoughts: Thoughts) -> Verdict:
    """Return the verdict from thoughts that insisted on what was done: its visits say nothing."""
    done = next(one for one in thoughts.candidates if one.action == action)
    other = next(one for one in thoughts.candidates if one.action != action)
    best = other if (other.value or 0.0) > (done.value or 0.0) else done
    errors = [one.error for one in (best, done) if one.error is not None]
    error = sum(error**2 for error in errors) ** 0.5 if len(errors) == 2 else None
    return Verdict(step, turn, thoughts.player, action, done.value, best.action, best.value, error)


def largest_mistakes(verdicts: Iterable[Verdict], most: int = MOST_MISTAKES) -> list[Verdict]:
    """Return the mistakes that gave away most, in the order of the game.

    Examples
    --------
    >>> take, buy = Action("take WUG"), Action("buy 1W1")
    >>> largest_mistakes([Verdict(0, 0, 0, take, 0.3, buy, 0.5, 0.02)])[0].loss
    0.2
    """
    worst = sorted((one for one in verdicts if one.is_mistake), key=lambda one: -one.loss)
    return sorted(worst[:most], key=lambda one: one.step)
