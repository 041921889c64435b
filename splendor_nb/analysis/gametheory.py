"""The game of agents: who to send to a match when the other side chooses as well as you do.

A payoff table says what each agent, a row, wins on average against each other one, a column. Two
players who each choose an agent play a zero-sum game on it: what one wins the other does not.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.integrate import solve_ivp

from splendor_nb.analysis.zero_sum import (
    CLOSE,
    METHODS,
    Array,
    best_mix,
    dominator,
    is_equilibrium,
    solutions,
)
from splendor_nb.engine.forms import check_whole_number, quoted, shortened
from splendor_nb.games.tournament import Tournament


@dataclass(frozen=True)
class PayoffTable:
    """What each agent wins against each other one, from a tournament of two at a table.

    Attributes
    ----------
    scores
        The mean win share of the agent in the row against that in the column; 1/2 where an agent
        meets itself.
    low, high
        The ends of its 95 % interval over deals.
    games
        How many games are behind it.
    """

    scores: pd.DataFrame
    low: pd.DataFrame
    high: pd.DataFrame
    games: pd.DataFrame

    @property
    def agents(self) -> list[str]:
        """The names of the agents, in the order of the rows."""
        return list(self.scores.index)

    def _repr_html_(self) -> str:
        html: str = self.scores.style.format("{:.1%}").to_html()
        return html


@dataclass(frozen=True)
class Equilibrium:
    """A pair of mixed strategies of which neither side gains by leaving its own.

    Attributes
    ----------
    row, column
        The chance with which each side sends each agent, by name.
    value
        What the row side wins on average.
    """

    row: pd.Series
    column: pd.Series
    value: float


@dataclass(frozen=True)
class Equilibria:
    """The equilibria that were found, and one to work with.

    Attributes
    ----------
    found
        Each has passed the best-response check; there may be more between them.
    choice
        The mean of those found: in a zero-sum game it is an equilibrium too, and it is spread
        over all agents that any of them uses.
    """

    found: tuple[Equilibrium, ...]
    choice: Equilibrium

    def table(self) -> pd.DataFrame:
        """Return a column for each equilibrium's row side and ``choice``, a row for each agent."""
        columns = {f"equilibrium {i}": one.row for i, one in enumerate(self.found, start=1)}
        return pd.DataFrame({**columns, "choice": self.choice.row})


def payoff_table(tournament: Tournament) -> PayoffTable:
    """Return what each agent of a tournament wins against each other one.

    Raises
    ------
    TypeError, ValueError
        Where it is no tournament, or has more than two at a table: there the payoff of an agent
        depends on all others at once, which no table of pairs can hold.

    Examples
    --------
    >>> from splendor_nb import match
    >>> payoff_table(match("greedy", "random", games=20, seed=1, progress=False)).scores
            greedy  random
    greedy     0.5     1.0
    random     0.0     0.5
    """
    if not isinstance(tournament, Tournament):
        raise TypeError(f"payoff_table() takes a Tournament, not {shortened(tournament)}.")
    if tournament.players != 2:
        raise ValueError(
            f"A payoff table needs two at a table, not {tournament.players}: with more, what an "
            "agent wins depends on all the others at once. Play the tournament with players=2."
        )
    pairs = tournament.pairs()

    def square(column: str, itself: float) -> pd.DataFrame:
        table = pairs.pivot(index="a", columns="b", values=column).astype(float)
        table = table.reindex(index=list(tournament.agents), columns=list(tournament.agents))
        values = table.to_numpy(copy=True)
        np.fill_diagonal(values, itself)
        return pd.DataFrame(values, list(tournament.agents), list(tournament.agents))

    games = square("games", 0).astype(int)
    return PayoffTable(square("score", 0.5), square("low", 0.5), square("high", 0.5), games)


def equilibria(payoffs: PayoffTable | pd.DataFrame | Array, method: str = "all") -> Equilibria:
    """Return equilibria of the zero-sum game on a payoff table.

    Parameters
    ----------
    payoffs
        A `PayoffTable`, or a table of what the row side wins; the column side wins the rest.
    method
        ``"support"`` and ``"vertex"`` enumeration and ``"lemke_howson"`` (all by Nashpy),
        ``"linear_program"`` (one equilibrium, whatever the table), or ``"all"``. What a method
        returns that fails the best-response check is dropped; where none is left, as may happen
        with ties, the linear program steps in.

    Raises
    ------
    TypeError, ValueError
        Where the table is none, or there is no such method.

    Examples
    --------
    >>> pennies = pd.DataFrame([[1, -1], [-1, 1]], ["heads", "tails"], ["heads", "tails"])
    >>> equilibria(pennies).choice.row.to_dict()
    {'heads': 0.5, 'tails': 0.5}
    """
    table = read_table(payoffs)
    if method != "all" and method not in METHODS:
        raise ValueError(f"method is one of {quoted(('all', *METHODS))}, not {shortened(method)}.")
    found: list[tuple[Array, Array]] = []
    for one in METHODS if method == "all" else (method,):
        _add_new(table, found, solutions(table.to_numpy(), one))
    if not found:
        _add_new(table, found, solutions(table.to_numpy(), "linear_program"))
    mean = tuple(np.mean([pair[side] for pair in found], axis=0) for side in (0, 1))
    named = [_named(table, *pair) for pair in sorted(found, key=_order)]
    return Equilibria(tuple(named), _named(table, *mean))


def exploitability(
    payoffs: PayoffTable | pd.DataFrame | Array, mix: Mapping[str, float] | Sequence[float]
) -> float:
    """Return how much less than the value of the game a mix wins against its best reply.

    0 means that nobody can do better against it than in equilibrium.

    Parameters
    ----------
    payoffs
        As for `equilibria`.
    mix
        The chance of each row, by name or in order; they add up to 1.

    Raises
    ------
    TypeError, ValueError
        Where the mix does not fit the table.

    Examples
    --------
    >>> rock_paper_scissors = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    >>> exploitability(rock_paper_scissors, [1, 0, 0])
    1.0
    """
    table = read_table(payoffs)
    shares = read_mix(mix, list(table.index))
    value = equilibria(table, "linear_program").choice.value
    return max(0.0, value - float((shares @ table.to_numpy()).min()))


def dominated(payoffs: PayoffTable | pd.DataFrame | Array) -> pd.DataFrame:
    """Return which rows nobody needs, since a mix of others does as well everywhere.

    Returns
    -------
    pandas.DataFrame
        A row for each dominated one: ``agent``; ``round``, from 1, in which it falls when what is
        dominated is taken out again and again; ``kind``: ``strict`` (worse everywhere) or
        ``weak`` (never better, somewhere worse); ``by``: the mix that dominates, by name. Only
        strict dominance takes agents out, since then the order is no matter.

    Examples
    --------
    >>> dominated(pd.DataFrame([[2, 2], [1, 1]], ["x", "y"], ["a", "b"])).agent.to_list()
    ['y']
    """
    table, rows, number = read_table(payoffs), [], 0
    square = list(table.index) == list(table.columns)
    while True:
        number += 1
        fallen = []
        for agent in table.index:
            others = table.drop(index=agent)
            kind, mix = dominator(others.to_numpy(), table.loc[agent].to_numpy())
            if kind == "strict" or (kind and number == 1):
                by = _mix_of(list(others.index), mix)
                rows.append({"agent": agent, "round": number, "kind": kind, "by": by})
            if kind == "strict":
                fallen.append(agent)
        table = table.drop(index=fallen, columns=fallen if square else [])
        if not fallen or len(table) < 2:
            return pd.DataFrame(rows, columns=["agent", "round", "kind", "by"])


def replicator(
    payoffs: PayoffTable | pd.DataFrame | Array,
    start: Mapping[str, float] | Sequence[float] | None = None,
    *,
    time: float = 50.0,
    steps: int = 200,
) -> pd.DataFrame:
    """Return how a population of agents changes when what wins more than average grows.

    The replicator dynamics (P. Taylor and L. Jonker, 1978): the share of an agent grows at the
    rate by which its payoff against the population is above the average one.

    Parameters
    ----------
    payoffs
        A square table.
    start
        The shares at the beginning, by name or in order; equal if not said.
    time, steps
        How long, in units of one over the payoff, and how many points of time are returned.

    Returns
    -------
    pandas.DataFrame
        A row for each point of ``time``, a column for each agent: its share of the population.

    Raises
    ------
    TypeError, ValueError
        Where the table is not square, or the shares do not fit it.

    Examples
    --------
    >>> replicator([[0.5, 1.0], [0.0, 0.5]]).iloc[-1].round(3).to_list()
    [1.0, 0.0]
    """
    table = read_table(payoffs)
    if table.shape[0] != table.shape[1]:
        raise ValueError(f"A population plays itself: the table is square, not {table.shape}.")
    names = list(table.index)
    shares = read_mix([1 / len(names)] * len(names) if start is None else start, names)
    steps = check_whole_number("steps", steps, 2, 100_000)
    if not 0 < time < math.inf:
        raise ValueError(f"time is a number above 0, not {shortened(time)}.")
    matrix = table.to_numpy()

    def change(_: float, x: Array) -> Array:
        fitness = matrix @ x
        return np.asarray(x * (fitness - x @ fitness))

    points = np.linspace(0, time, steps)
    path = solve_ivp(change, (0, time), shares, "LSODA", points, rtol=1e-8, atol=1e-10).y.T
    path = np.clip(path, 0, None)
    grown = pd.DataFrame(path / path.sum(axis=1, keepdims=True), columns=names)
    return grown.set_index(pd.Index(points, name="time"))


def equilibrium_uncertainty(
    tournament: Tournament, draws: int = 500, seed: int = 0
) -> pd.DataFrame:
    """Return how sure an equilibrium is, given how few games it is made from.

    Deals are drawn again with replacement, as many as there are, in every pair; each draw gives
    a payoff table and its equilibrium by the linear program (the bootstrap of B. Efron, 1979).

    Returns
    -------
    pandas.DataFrame
        A row for each agent: ``share`` in the equilibrium of the table itself; ``low`` and
        ``high``, between which it lies in 95 % of the draws; ``used``, in what share of the
        draws it is used at all; ``draws``.

    Raises
    ------
    TypeError, ValueError
        As `payoff_table`, and where `draws` or `seed` are none.
    """
    payoffs = payoff_table(tournament)
    draws = check_whole_number("draws", draws, 1, 100_000)
    stream = np.random.PCG64(check_whole_number("seed", seed, 0))
    names = payoffs.agents
    shares = np.zeros((draws, len(names)))
    means = _means_by_deal(tournament)
    for draw in range(draws):
        matrix = np.full((len(names), len(names)), 0.5)
        for (a, b), of_deals in means.items():
            chosen = of_deals[_draw(stream, len(of_deals))].mean()
            matrix[a, b], matrix[b, a] = chosen, 1 - chosen
        shares[draw] = best_mix(matrix)
    ends = np.quantile(shares, [0.025, 0.975], axis=0)
    now = equilibria(payoffs, "linear_program").choice.row.to_numpy()
    return pd.DataFrame(
        {
            "agent": names,
            "share": now,
            "low": np.minimum(ends[0], now),
            "high": np.maximum(ends[1], now),
            "used": (shares > CLOSE).mean(axis=0),
            "draws": draws,
        }
    )


def games_needed(agents: int | Sequence[object], epsilon: float, delta: float = 0.05) -> int:
    """Return how many games a pair make a table of which no entry is off by more than epsilon.

    With a chance of at least 1 - delta (W. Hoeffding's bound, 1963, for all entries at once). An
    equilibrium of such a table loses at most 2 epsilon in the true one.

    Parameters
    ----------
    agents
        How many, or a list of them.
    epsilon
        As a win share, above 0.
    delta
        The chance of failing, between 0 and 1.

    Raises
    ------
    TypeError, ValueError
        Where they are out of range.

    Examples
    --------
    >>> games_needed(6, epsilon=0.05)
    1455
    """
    if not isinstance(agents, int):
        agents = len(agents)
    check_whole_number("agents", agents, 2)
    for name, value in (("epsilon", epsilon), ("delta", delta)):
        if not 0 < value < 1:
            raise ValueError(f"{name} is a number between 0 and 1, not {shortened(value)}.")
    return math.ceil(math.log(2 * agents**2 / delta) / (2 * epsilon**2))


# -- parts -----------------------------------------------------------------------------------------


def read_table(payoffs: object) -> pd.DataFrame:
    """Return a payoff table as a frame of numbers.

    Raises
    ------
    TypeError, ValueError
        Where it is no table of finite numbers, or names come twice.
    """
    if isinstance(payoffs, PayoffTable):
        payoffs = payoffs.scores
    try:
        table: pd.DataFrame = pd.DataFrame(payoffs).astype(float)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise TypeError(f"payoffs is a table of numbers, not {shortened(payoffs)}.") from None
    if table.empty or not np.isfinite(table.to_numpy()).all():
        raise ValueError(
            "payoffs has a finite number for every pair; a pair that never met is none."
        )
    if table.index.has_duplicates or table.columns.has_duplicates:
        raise ValueError("payoffs has every name once.")
    return table


def read_mix(mix: object, names: Sequence[Any]) -> Array:
    """Return chances in the order of the names.

    Raises
    ------
    ValueError
        Where they do not fit, are negative, or do not add up to 1.
    """
    if isinstance(mix, pd.Series):
        mix = mix.to_dict()
    if isinstance(mix, Mapping):
        strangers = [name for name in mix if name not in names]
        if strangers:
            raise ValueError(f"There is no {quoted(strangers)} in the table of {quoted(names)}.")
        mix = [mix.get(name, 0.0) for name in names]
    shares = np.asarray(mix, float)
    if shares.shape != (len(names),):
        raise ValueError(f"A mix has {len(names)} chances, one for each of {quoted(names)}.")
    if (shares < 0).any() or abs(float(shares.sum()) - 1) > 1e-6:
        raise ValueError(f"Chances are not negative and add up to 1, not {float(shares.sum()):g}.")
    return np.asarray(shares / shares.sum())


def _add_new(
    table: pd.DataFrame,
    found: list[tuple[Array, Array]],
    candidates: Iterable[tuple[Array, Array]],
) -> None:
    """Add the candidates that pass the best-response check and are not there yet."""
    matrix = table.to_numpy()
    for pair in candidates:
        row, column = (np.asarray(side, float) for side in pair)
        if not is_equilibrium(matrix, row, column):
            continue
        if not any(
            np.allclose(row, one, atol=1e-6) and np.allclose(column, other, atol=1e-6)
            for one, other in found
        ):
            found.append((np.clip(row, 0, None), np.clip(column, 0, None)))


def _means_by_deal(tournament: Tournament) -> dict[tuple[int, int], Array]:
    """Return for each pair, by place, the mean score of every deal."""
    place = {agent: number for number, agent in enumerate(tournament.agents)}
    duels, means = tournament.duels, {}
    turned = duels["a"].map(place) > duels["b"].map(place)
    first = duels["a"].where(~turned, duels["b"])
    second = duels["b"].where(~turned, duels["a"])
    score = duels["score"].where(~turned, 1 - duels["score"])
    pairs = pd.DataFrame({"a": first.map(place), "b": second.map(place), "score": score})
    for a, b in sorted(set(zip(pairs["a"], pairs["b"], strict=True))):
        part = pairs[(pairs["a"] == a) & (pairs["b"] == b)]["score"]
        means[a, b] = part.groupby(duels["deal"].loc[part.index]).mean().to_numpy()
    return means


def _draw(stream: np.random.PCG64, n: int) -> Array:
    """Return n numbers below n, from the raw bits of a generator, which numpy keeps for ever."""
    return np.asarray((stream.random_raw(n) >> np.uint64(11)) * 2.0**-53 * n).astype(int)


def _order(pair: tuple[Array, Array]) -> tuple[float, ...]:
    return tuple(-np.concatenate(pair).round(9))


def _named(table: pd.DataFrame, row: Array, column: Array) -> Equilibrium:
    value = float(row @ table.to_numpy() @ column)
    return Equilibrium(pd.Series(row, table.index), pd.Series(column, table.columns), value)


def _mix_of(names: Sequence[Any], shares: Array) -> dict[Any, float]:
    return {
        name: round(float(share), 6)
        for name, share in zip(names, shares, strict=True)
        if share > 1e-6
    }
