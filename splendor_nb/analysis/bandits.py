"""Which of several agents is the best, with few games: rules for the many-armed bandit.

An arm is an agent, a pull one of its games, the reward its share of the win. What a rule costs is
its regret: the wins that always pulling the best arm would have brought beyond its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import betaincinv

from splendor_nb.agents.referee import AgentLike
from splendor_nb.engine.forms import check_whole_number, quoted, shortened
from splendor_nb.games.intervals import mean_interval, wilson
from splendor_nb.games.simulate import simulate

Array = np.ndarray[Any, Any]
EPSILON = 0.1
DRAWS = 10_000  # a chance is made of so many rewards, which rounds it
CLOSE = 1e-9  # values that differ by less are equal


@dataclass(frozen=True)
class BanditRuns:
    """What rules did in many repetitions.

    Attributes
    ----------
    curves
        A row for each rule and pull.

        rule, pull
            Which rule; how many pulls it has made, from 1.
        regret, low, high
            What it has cost by then, in wins: the mean, and the ends of its 95 % interval.
        right, right_low, right_high
            In what share of the repetitions the best arm would be named by then, as the one with
            the highest mean, and the ends of its 95 % interval.
    pulls
        A row for each rule and arm.

        rule, arm
            Which.
        share
            Of all pulls of the rule, 0 to 1.
        mean
            The true mean reward of the arm.
    """

    curves: pd.DataFrame
    pulls: pd.DataFrame


def arm_rewards(
    agents: Mapping[str, AgentLike],
    rival: AgentLike = "greedy",
    *,
    games: int = 200,
    seed: int = 1,
    progress: bool = False,
) -> dict[str, list[float]]:
    """Return what each agent won in each of so many games against the same rival.

    Parameters
    ----------
    agents
        By name; each is an arm.
    rival
        Whom they play, on the same deals, seats exchanged.
    games, seed, progress
        As for `simulate`.

    Returns
    -------
    dict
        For each name its shares of the win, 0 to 1, in the order of the games.

    Examples
    --------
    >>> arm_rewards({"me": "random"}, games=4)
    {'me': [0.0, 0.0, 0.0, 0.0]}
    """
    _check_names(agents)
    found = {}
    for name, agent in agents.items():
        sim = simulate([agent, rival], games=games, seed=seed, progress=progress)
        mine = sim.seats["agent"] == sim.agents[0]
        found[name] = sim.seats.loc[mine].sort_values("game")["win_share"].tolist()
    return found


def run_bandit(
    arms: Mapping[str, float | Sequence[float]],
    rules: Sequence[str] = ("uniform", "epsilon_greedy", "ucb1", "thompson"),
    *,
    pulls: int = 300,
    repetitions: int = 200,
    seed: int = 1,
) -> BanditRuns:
    """Return how rules of choosing arms do, each in so many repetitions.

    Parameters
    ----------
    arms
        For each arm its chance of winning, rounded to 1/10,000, or rewards from 0 to 1 that are
        drawn from, with replacement: their mean then is the truth.
    rules
        ``"uniform"``: each arm in turn. ``"epsilon_greedy"``: one pull in ten at random, else the
        highest mean. ``"ucb1"``: the highest mean plus ``sqrt(2 ln t / n)`` (P. Auer, N.
        Cesa-Bianchi and P. Fischer, 2002). ``"thompson"``: the highest draw from what is believed
        of each mean, a beta distribution (W. Thompson, 1933). All begin with each arm once.
    pulls, repetitions
        How many.
    seed
        Any integer from 0, for the raw bits of numpy's PCG64.

    Raises
    ------
    TypeError, ValueError
        For what is not allowed; the message names what is.

    Examples
    --------
    >>> runs = run_bandit({"good": 0.9, "bad": 0.1}, ["uniform", "ucb1"], pulls=100)
    >>> last = runs.curves.query("pull == 100").set_index("rule")["regret"]
    >>> float(last["uniform"].round(6)), bool(last["ucb1"] < 20)
    (40.0, True)
    """
    table = _checked_arms(arms)
    _check_rules(rules)
    check_whole_number("pulls", pulls, len(table), 1_000_000)
    check_whole_number("repetitions", repetitions, 1, 100_000)
    check_whole_number("seed", seed, 0)
    curves, shares = [], []
    for rule in rules:
        chosen, named = _play(list(table.values()), RULES[rule], pulls, repetitions, seed)
        curves.append(_curve(rule, table, chosen, named))
        shares.append(_shares(rule, table, chosen))
    return BanditRuns(pd.concat(curves, ignore_index=True), pd.concat(shares, ignore_index=True))


@dataclass
class _Beliefs:
    """What is known of the arms in each repetition; arrays of shape (repetitions, arms)."""

    pulls: Array
    wins: Array
    draw: Callable[[tuple[int, ...]], Array]

    @property
    def means(self) -> Array:
        return np.asarray(self.wins / np.maximum(self.pulls, 1))

    def highest(self, values: Array) -> Array:
        """Return in each repetition the arm with the highest value; equals are drawn between."""
        return np.asarray((values + CLOSE * self.draw(values.shape)).argmax(axis=1))


def _uniform(known: _Beliefs, t: int) -> Array:
    return np.full(len(known.pulls), t % known.pulls.shape[1])


def _epsilon_greedy(known: _Beliefs, t: int) -> Array:
    n, arms = known.pulls.shape
    at_random = np.minimum((known.draw((n,)) * arms).astype(int), arms - 1)
    return np.asarray(np.where(known.draw((n,)) < EPSILON, at_random, known.highest(known.means)))


def _ucb1(known: _Beliefs, t: int) -> Array:
    bonus = np.sqrt(2 * math.log(t) / known.pulls)
    return known.highest(known.means + bonus)


def _thompson(known: _Beliefs, t: int) -> Array:
    losses = known.pulls - known.wins
    drawn = betaincinv(1 + known.wins, 1 + losses, known.draw(known.pulls.shape))
    return known.highest(drawn)


Rule = Callable[[_Beliefs, int], Array]
RULES: Mapping[str, Rule] = {
    "uniform": _uniform,
    "epsilon_greedy": _epsilon_greedy,
    "ucb1": _ucb1,
    "thompson": _thompson,
}


def _play(
    arms: Sequence[Array], rule: Rule, pulls: int, repetitions: int, seed: int
) -> tuple[Array, Array]:
    """Return the arm that is pulled, and the one that looks best after it: (pulls, repetitions)."""
    bits = np.random.PCG64(seed)

    def draw(shape: tuple[int, ...]) -> Array:
        """Return numbers from 0 to below 1, from raw bits, which numpy keeps for ever."""
        raw = bits.random_raw(math.prod(shape)).reshape(shape)
        return np.asarray((raw >> np.uint64(11)) * 2.0**-53)

    known = _Beliefs(np.zeros((repetitions, len(arms))), np.zeros((repetitions, len(arms))), draw)
    everyone = np.arange(repetitions)
    chosen, named = np.zeros((2, pulls, repetitions), int)
    sizes = np.array([len(rewards) for rewards in arms])
    padded = np.zeros((len(arms), sizes.max()))
    for row, rewards in zip(padded, arms, strict=True):
        row[: len(rewards)] = rewards
    for t in range(pulls):
        arm = np.full(repetitions, t) if t < len(arms) else rule(known, t)
        game = (draw((repetitions,)) * sizes[arm]).astype(int)
        known.pulls[everyone, arm] += 1
        known.wins[everyone, arm] += padded[arm, game]
        chosen[t], named[t] = arm, known.highest(known.means)
    return chosen, named


def _curve(rule: str, arms: Mapping[str, Array], chosen: Array, named: Array) -> pd.DataFrame:
    means = _means(arms)
    regret = (means.max() - means)[chosen].cumsum(axis=0)
    right = (means[named] == means.max()).mean(axis=1)
    repetitions = chosen.shape[1]
    of_regret = [mean_interval(row) for row in regret]
    of_right = [wilson(share * repetitions, repetitions) for share in right]
    return pd.DataFrame(
        {
            "rule": rule,
            "pull": np.arange(1, len(chosen) + 1),
            "regret": regret.mean(axis=1),
            "low": [interval.low for interval in of_regret],
            "high": [interval.high for interval in of_regret],
            "right": right,
            "right_low": [interval.low for interval in of_right],
            "right_high": [interval.high for interval in of_right],
        }
    )


def _shares(rule: str, arms: Mapping[str, Array], chosen: Array) -> pd.DataFrame:
    counts = np.bincount(chosen.ravel(), minlength=len(arms))
    return pd.DataFrame(
        {"rule": rule, "arm": list(arms), "share": counts / chosen.size, "mean": _means(arms)}
    )


def _means(arms: Mapping[str, Array]) -> Array:
    return np.array([rewards.mean() for rewards in arms.values()])


def _check_rules(rules: object) -> None:
    known = tuple(RULES)  # which needs no hash
    given = rules if isinstance(rules, list | tuple) else ()
    if not given or any(rule not in known for rule in given):
        raise ValueError(f"rules lists some of {quoted(known)}, not {shortened(rules)}.")
    if len(set(given)) < len(given):
        raise ValueError(f"rules lists each rule once, not {shortened(rules)}.")


def _checked_arms(arms: object) -> dict[str, Array]:
    """Return the rewards of each arm: a chance becomes rewards that are drawn as often."""
    if not isinstance(arms, Mapping) or len(arms) < 2:
        raise TypeError(f"arms is a mapping of two names or more, not {shortened(arms)}.")
    _check_names(arms)
    return {name: _rewards(name, given) for name, given in arms.items()}


def _check_names(named: object) -> None:
    if not isinstance(named, Mapping) or not named:
        raise TypeError(f"Agents or arms come in a mapping by name, not {shortened(named)}.")
    if not all(isinstance(name, str) for name in named):
        raise TypeError(f"The names are texts, not {shortened(list(named))}.")


def _rewards(name: object, given: object) -> Array:
    if isinstance(given, bool):
        raise TypeError(f"Arm {shortened(name)}: a chance or rewards, not {given}.")
    if isinstance(given, int | float):
        if not 0 <= given <= 1:
            raise ValueError(f"Arm {shortened(name)}: a chance is from 0 to 1, not {given}.")
        return (np.arange(DRAWS) < round(DRAWS * given)).astype(float)
    try:
        rewards = np.asarray(given, float)
    except (TypeError, ValueError):
        rewards = np.empty(0)
    if rewards.ndim != 1 or not len(rewards) or not ((rewards >= 0) & (rewards <= 1)).all():
        raise ValueError(f"Arm {shortened(name)}: rewards are a list of numbers from 0 to 1.")
    return rewards
