"""Tables of what a search thinks: of one decision, and of every decision of a game."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from splendor_nb.agents.growth import Stop
from splendor_nb.agents.search import SearchAgent
from splendor_nb.agents.thoughts import Candidate
from splendor_nb.analysis.changes import change_by
from splendor_nb.analysis.verdicts import (
    TREES,
    Verdict,
    judge,
    largest_mistakes,
    make_thinker,
    think,
)
from splendor_nb.engine.cards import gems_in_words
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.notation import Action
from splendor_nb.engine.records import GameRecord
from splendor_nb.engine.rng import checked_seed
from splendor_nb.engine.state import Observation


def analyze(
    observation: Observation,
    agent: str | SearchAgent = "champion",
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    trees: int = TREES,
    seed: int = 1,
    should_stop: Stop | None = None,
) -> pd.DataFrame:
    """Return what a search thinks of each action that the observation's seat may do.

    The table depends on the observation, the settings and the seed alone, unless `seconds` or
    `should_stop` end the search: not on what the seat cannot know [R18].

    Parameters
    ----------
    observation
        Of the seat that decides.
    agent
        ``"champion"``, which searches as ``"search"`` where its network was not trained,
        ``"search"``, or a `SearchAgent` of `get_agent`, with its own settings.
    iterations, seconds
        The budget, over all trees: 2000 iterations if nothing is said.
    trees
        How many trees, each with worlds of its own: the standard error is worked out from how
        far they differ.
    seed
        Of the search; any integer from 0.
    should_stop
        Asked every few milliseconds; once it says yes, the search ends with what it has.

    Returns
    -------
    DataFrame
        A row for each legal action, the best first, then by visits. ``attrs`` holds ``player``,
        ``win_share`` (of the best action) and ``iterations``.

        action
            The action, as text.
        win_share
            The chance of winning that the search gives it, 0 to 1; missing without visits.
        error
            Its standard error, from the differences between the trees: what comes from the cards
            that they deal. What all of them judge wrongly is not in it; it is 0 where no unseen
            card comes into play.
        visits
            How many descents of the trees went through it.
        prior
            What the network, or the planner, would give it at once, 0 to 1.
        line
            What is expected to happen, in words.
        why
            What the action itself changes, in words.

    Raises
    ------
    TypeError, ValueError
        Where it is no observation of the seat that decides, or a setting is not allowed.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> table = analyze(new_game(players=2, seed=7).observation(0), "search", iterations=400)
    >>> len(table), int(table["visits"].sum())
    (30, 396)
    >>> table.loc[0, "why"]
    '1 token left for 1W2'
    """
    if not isinstance(observation, Observation):
        raise TypeError(
            "analyze() takes what a seat may know, state.observation(player), not "
            f"{' '.join(shortened(observation).split())}."
        )
    thinker = make_thinker(agent, iterations=iterations, seconds=seconds, trees=trees)
    thoughts = think(thinker, observation, checked_seed(seed), should_stop)
    table = pd.DataFrame([_row(observation, one) for one in thoughts.candidates])
    table.attrs = {
        "player": thoughts.player,
        "win_share": thoughts.candidates[0].value,
        "iterations": thoughts.iterations,
    }
    return table


def _row(observation: Observation, one: Candidate) -> dict[str, object]:
    return {
        "action": str(one.action),
        "win_share": float("nan") if one.value is None else one.value,
        "error": float("nan") if one.error is None else one.error,
        "visits": one.visits,
        "prior": one.prior,
        "line": line_in_words(observation, one.line),
        "why": change_by(observation, one.action).in_words(),
    }


def line_in_words(observation: Observation, line: Sequence[Action]) -> str:
    """Return a line of actions in words, each with the seat that does it.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> view = new_game(players=2, seed=7).observation(0)
    >>> line_in_words(view, [Action("take WUG"), Action("take RR")])
    'seat 0 takes 1 white, 1 blue and 1 green; seat 1 takes 2 red'
    """
    state = observation.determinize(1)  # what is told does not depend on how it is dealt
    told = []
    for action in line:
        if state.why_illegal(action) is not None:
            break
        told.append(f"seat {state.current_player} {action_in_words(action)}")
        state = state.apply(action)
    return "; ".join(told)


_VERBS = {
    "reserve": "reserves",
    "buy": "buys",
    "return": "returns",
    "noble": "is visited by",
    "gold": "gives gold for",
    "pay": "pays",
    "pass": "passes",
}


def action_in_words(action: Action) -> str:
    """Return an action in words, in the third person.

    Examples
    --------
    >>> action_in_words(Action("reserve L2")), action_in_words(Action("return *"))
    ('reserves a card of level 2 unseen', 'returns 1 gold')
    """
    if action.kind == "take":
        return f"takes {_gems_of(action)}"
    if action.kind == "reserve" and action.level is not None:
        return f"reserves a card of level {action.level} unseen"
    things = action.card or action.noble or (_gems_of(action) if action.gems else "")
    return f"{_VERBS[action.kind]} {things}".rstrip()


def _gems_of(action: Action) -> str:
    letters = action.gems or ""
    return gems_in_words({gem: letters.count(gem) for gem in dict.fromkeys(letters)})


def analyze_game(
    record: GameRecord,
    agent: str | SearchAgent = "champion",
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    trees: int = TREES,
    seed: int = 1,
    should_stop: Stop | None = None,
) -> pd.DataFrame:
    """Return what a search thinks of every decision of a game, each from what its seat knew.

    Parameters
    ----------
    record
        A game, finished or not.
    agent, iterations, seconds, trees, seed, should_stop
        As for `analyze`; a search that is stopped ends the table before its decision.

    Returns
    -------
    DataFrame
        A row for each decision. ``attrs["mistakes"]`` lists the steps of the largest mistakes.

        step, turn, seat
            Which decision of the game, from 0; turns finished before it; whose it was.
        action
            What was done.
        win_share
            The chance of winning that the search gives it, 0 to 1; missing where nothing else
            was legal.
        best, best_share
            What the search would have done, and the chance that it gives that.
        loss
            How much of a win was given away, 0 to 1.
        error
            The standard error of the loss, from the differences between trees.
        mistake
            Whether at least 5 % of a win was given away, and more than two standard errors.

    Raises
    ------
    TypeError, ValueError
        Where it is no record, or a setting is not allowed.

    Examples
    --------
    >>> from splendor_nb import play_game
    >>> record = play_game(["greedy", "random"], seed=1)
    >>> table = analyze_game(record, "search", iterations=40)
    >>> len(table) == len(record.actions)
    True
    """
    if not isinstance(record, GameRecord):
        raise TypeError(
            "analyze_game() takes a GameRecord, as game.record, play_game(…) and load_game(…) "
            f"return it, not {' '.join(shortened(record).split())}."
        )
    thinker = make_thinker(agent, iterations=iterations, seconds=seconds, trees=trees)
    verdicts = list(judge(record, thinker, seed=checked_seed(seed), should_stop=should_stop))
    table = pd.DataFrame([_verdict_row(one) for one in verdicts], columns=list(COLUMNS))
    table.attrs = {"mistakes": [one.step for one in largest_mistakes(verdicts)]}
    return table.astype(COLUMNS)


COLUMNS = {
    "step": "int64",
    "turn": "int64",
    "seat": "int64",
    "action": "str",
    "win_share": "float64",
    "best": "str",
    "best_share": "float64",
    "loss": "float64",
    "error": "float64",
    "mistake": "bool",
}


def _verdict_row(one: Verdict) -> list[object]:
    return [
        *(one.step, one.turn, one.seat, str(one.action), one.share, str(one.best)),
        *(one.best_share, one.loss, one.error, one.is_mistake),
    ]
