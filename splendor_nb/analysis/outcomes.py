"""What many games say, as tables: who wins, how long it takes, what is bought, what a rule does.

The tables are those that `splendor_nb.charts.figures.simulation` draws. Every rate comes with the
interval that holds the truth in 95 of 100 such runs, and with what it was counted over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
import pandas as pd

from splendor_nb.engine.forms import quoted, shortened
from splendor_nb.games.intervals import Interval, clustered, normal_quantile, wilson
from splendor_nb.games.simulation import MEASURES, Simulation

ANY_SEAT: Final = -1  # the seat of a row that counts all seats


# -- who wins --------------------------------------------------------------------------------------


def rates_by_seat(sim: Simulation) -> pd.DataFrame:
    """Return how often each agent wins, over all seats and at each of them.

    Parameters
    ----------
    sim
        Games that have been played.

    Returns
    -------
    pandas.DataFrame
        A row for each agent and seat: ``agent`` (without a number, where one plays all seats),
        ``seat`` (`ANY_SEAT` for all of them), ``games``, and ``win_rate`` from 0 to 1 with ``low``
        and ``high``, which respect that games of one deal share its luck.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> table = rates_by_seat(simulate(["greedy", "random"], games=200, seed=1, progress=False))
    >>> table[["agent", "seat", "games", "win_rate"]]
        agent  seat  games  win_rate
    0  greedy    -1    200       1.0
    1  greedy     0    100       1.0
    2  greedy     1    100       1.0
    3  random    -1    200       0.0
    4  random     0    100       0.0
    5  random     1    100       0.0
    """
    seats = seats_with_deals(sim)
    names = agent_names(sim)
    seats["agent"] = seats["agent"].astype("str").map(dict(zip(sim.agents, names, strict=True)))
    rows = []
    for agent in dict.fromkeys(names):
        of_agent = seats[seats["agent"] == agent]
        if len(set(names)) > 1:
            rows.append({"agent": agent, "seat": ANY_SEAT, **_win_rate(of_agent)})
        rows += [
            {"agent": agent, "seat": seat, **_win_rate(part)}
            for seat, part in of_agent.groupby("seat")
        ]
    return pd.DataFrame(rows, columns=["agent", "seat", "games", "win_rate", "low", "high"])


def seat_advantage(runs: Mapping[str, Sequence[Simulation]]) -> pd.DataFrame:
    """Return how much more often each seat wins than its fair share, where all play alike.

    Parameters
    ----------
    runs
        By name, runs in which one agent has all seats, such as one each for 2, 3 and 4 players.

    Returns
    -------
    pandas.DataFrame
        A row for each run and seat: ``run``, ``players``, ``seat``, ``games``, and ``advantage``
        with ``low`` and ``high``: the win rate less 1 / players.

    Raises
    ------
    ValueError
        Where the seats of a run have different agents.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> games = simulate("random", players=3, games=300, seed=1, progress=False)
    >>> table = seat_advantage({"random": [games]})
    >>> table[["run", "players", "seat", "games"]].values.tolist()
    [['random', 3, 0, 300], ['random', 3, 1, 300], ['random', 3, 2, 300]]
    >>> bool(abs(table.advantage.sum()) < 1e-9)
    True
    """
    tables = [_advantage(name, sim) for name, sims in runs.items() for sim in sims]
    empty = pd.DataFrame(columns=_ADVANTAGE_COLUMNS)
    return pd.concat(tables, ignore_index=True) if tables else empty


_ADVANTAGE_COLUMNS: Final = ["run", "players", "seat", "games", "advantage", "low", "high"]


def _advantage(name: str, sim: Simulation) -> pd.DataFrame:
    if len(set(agent_names(sim))) > 1:
        raise ValueError(
            f"{shortened(name)}: one agent has all seats where seats are compared, "
            f"not {quoted(sim.agents)}."
        )
    table = rates_by_seat(sim).rename(columns={"win_rate": "advantage"})
    table[["advantage", "low", "high"]] -= 1 / sim.players
    return table.assign(run=name, players=sim.players)[_ADVANTAGE_COLUMNS]


def win_rate_by(sim: Simulation, measure: str) -> pd.DataFrame:
    """Return how often those seats win that end with so much of something.

    Who wins has more of many things *because* it does well: this table counts, it does not tell
    what would happen to somebody who went for more.

    Parameters
    ----------
    sim
        Games that have been played.
    measure
        A column of `Simulation.seats` that holds whole numbers, such as ``"nobles"``.

    Returns
    -------
    pandas.DataFrame
        A row for each number that there was: the number under the name of the measure, ``seats``
        that ended with it, ``share`` of all seats, and ``win_rate`` with ``low`` and ``high``.

    Raises
    ------
    ValueError
        For another column.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> table = win_rate_by(simulate("greedy", games=500, seed=1, progress=False), "nobles")
    >>> bool(table.win_rate.is_monotonic_increasing), table.seats.sum()
    (True, np.int64(1000))
    """
    numbers = [name for name in (*MEASURES, "turns") if name != "win_share"]
    if measure not in numbers:
        raise ValueError(f"measure is one of {quoted(numbers)}, not {shortened(measure)}.")
    seats = seats_with_deals(sim)
    rows = []
    for number, part in seats.groupby(measure):
        rate = share(part["win_share"], part["deal"])
        rows.append(
            {
                measure: number,
                "seats": len(part),
                "share": len(part) / len(seats),
                "win_rate": rate.estimate,
                "low": rate.low,
                "high": rate.high,
            }
        )
    return pd.DataFrame(rows, columns=[measure, "seats", "share", "win_rate", "low", "high"])


# -- how long games are ----------------------------------------------------------------------------


def game_lengths(runs: Mapping[str, Simulation]) -> pd.DataFrame:
    """Return how many rounds games take, as a distribution for each run.

    Parameters
    ----------
    runs
        By name: ``{"2 players": …, "3 players": …}``.

    Returns
    -------
    pandas.DataFrame
        A row for each run and number of rounds, from its shortest game to its longest: ``run``,
        ``rounds``, ``games``, and their ``share`` of the run with ``low`` and ``high``.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> games = simulate("greedy", games=500, seed=1, progress=False)
    >>> table = game_lengths({"greedy": games})
    >>> table.games.sum() == 500, bool(table.rounds.diff().dropna().eq(1).all())
    (np.True_, True)
    """
    rows = []
    for name, sim in runs.items():
        rounds = sim.games["rounds"]
        span = range(rounds.min(), rounds.max() + 1) if len(rounds) else ()
        for number in span:
            there = rounds == number
            rate = share(there, sim.games["deal"])
            rows.append(
                {
                    "run": name,
                    "rounds": number,
                    "games": int(there.sum()),
                    "share": rate.estimate,
                    "low": rate.low,
                    "high": rate.high,
                }
            )
    return pd.DataFrame(rows, columns=["run", "rounds", "games", "share", "low", "high"])


# -- what is bought, who visits --------------------------------------------------------------------


def card_outcomes(sim: Simulation, agent: str | None = None) -> pd.DataFrame:
    """Return how often each card is bought, and how often those win who have bought it.

    Who buys a dear card often wins since the game went well before: the win rate is that of the
    buyers, not what the card does.

    Parameters
    ----------
    sim
        Games that have been played.
    agent
        Whose purchases count, by the name in `Simulation.agents`; all if not said.

    Returns
    -------
    pandas.DataFrame
        A row for each card: ``card``, ``level``, ``bonus``; ``bought``, the number of games in
        which it was, and the ``rate`` among all games with ``rate_low`` and ``rate_high``; the
        buyers' ``win_rate`` with ``win_low`` and ``win_high`` (NaN where nobody bought it); and
        ``usual``, the win rate of those whose purchases count, over all their games.

    Raises
    ------
    ValueError
        Where there is no such agent.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> games = simulate(["greedy", "random"], games=200, seed=1, progress=False)
    >>> table = card_outcomes(games, agent="greedy")
    >>> len(table), bool((table.rate_low <= table.rate).all())
    (90, True)
    """
    if agent is not None and agent not in sim.agents:
        raise ValueError(f"agent is one of {quoted(sim.agents)}, not {shortened(agent)}.")
    seats = seats_with_deals(sim)
    if agent is not None:
        seats = seats[seats["agent"] == agent]
    wins = seats[["game", "seat", "deal", "win_share"]]
    bought = sim.purchases[["game", "seat", "card"]].merge(wins, on=["game", "seat"])
    rows = [_card_row(sim, card, buyers) for card, buyers in _by_name(bought, "card")]
    table = pd.DataFrame(rows, columns=_CARD_COLUMNS)
    return table.astype({"level": "int32"}).assign(usual=seats["win_share"].mean())


_CARD_COLUMNS: Final = (
    *("card", "level", "bonus", "bought", "rate", "rate_low", "rate_high"),
    *("win_rate", "win_low", "win_high"),
)


def _card_row(sim: Simulation, card: str, buyers: pd.DataFrame) -> tuple[object, ...]:
    rate = share(sim.games["game"].isin(buyers["game"]), sim.games["deal"])
    wins = share(buyers["win_share"], buyers["deal"])
    # A card is named by its level, its color and its number.
    return (card, int(card[0]), card[1], len(buyers), *rate[:3], *wins[:3])


def noble_visits(sim: Simulation) -> pd.DataFrame:
    """Return in which rounds nobles visit.

    Parameters
    ----------
    sim
        Games that have been played.

    Returns
    -------
    pandas.DataFrame
        A row for each noble and round, from 1 to the last with a visit: ``noble``, ``round``,
        ``visits``, and ``share``: visits per game, all games counted.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> games = simulate("greedy", games=300, seed=1, progress=False)
    >>> noble_visits(games).visits.sum() == len(games.visits)
    np.True_
    """
    visits = _with_rounds(sim, sim.visits)
    last = int(visits["round"].max()) if len(visits) else 0
    every = pd.MultiIndex.from_product(
        [visits["noble"].cat.categories, range(1, last + 1)], names=["noble", "round"]
    )
    counts = visits.groupby(["noble", "round"], observed=True).size()
    table = counts.reindex(every, fill_value=0).rename("visits").reset_index()
    return table.assign(share=table["visits"] / max(1, len(sim)))


def beaten_on_cards(sim: Simulation) -> Interval:
    """Return the share of games in which a winner has fewer points of cards than somebody else.

    There the points of nobles have turned the result. It is a count after the fact: had the nobles
    been worth nothing, the game would have gone on.

    Parameters
    ----------
    sim
        Games that have been played.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> turned = beaten_on_cards(simulate("greedy", games=500, seed=1, progress=False))
    >>> turned.low < turned.estimate < turned.high, turned.n
    (True, 500)
    """
    seats = seats_with_deals(sim)
    most = seats.groupby("game")["card_points"].transform("max")
    beaten = (seats["win_share"] > 0) & (seats["card_points"] < most)
    by_game = beaten.groupby(seats["game"].to_numpy()).any()
    return share(by_game, sim.games["deal"])


# -- intervals -------------------------------------------------------------------------------------


def share(hits: pd.Series, deals: pd.Series) -> Interval:
    """Return how often something happens, with an interval that respects deals and stays in 0 to 1.

    It is Wilson's interval for as many independent trials as would give the error that the deals
    show (E. L. Korn and B. I. Graubard, 1998); so it holds near 0 and 1, too.

    Parameters
    ----------
    hits
        Whether it happened, or how much of it, from 0 to 1.
    deals
        The deal that each belongs to.

    Returns
    -------
    Interval
        With the number of deals as ``n``; all NaN where there is nothing to count.

    Examples
    --------
    >>> twice = pd.Series([0, 0, 1, 1, 2, 2, 3, 3])  # two games each of four deals
    >>> rate = share(pd.Series([True, True, False, False] * 2), twice)
    >>> [round(number, 2) for number in rate]
    [0.5, 0.05, 0.95, 4]
    """
    plain = clustered(hits.astype(float), deals)
    if plain.n == 0:
        return plain
    trials = _worth(plain, len(hits))
    rate = wilson(plain.estimate * trials, trials)
    return Interval(plain.estimate, rate.low, rate.high, plain.n)


def _worth(plain: Interval, trials: int) -> int:
    """Return to how many independent trials an interval amounts."""
    error = (plain.high - plain.low) / 2 / normal_quantile()
    if error == 0:
        return plain.n  # all alike: what the deals would be without each other
    worth = plain.estimate * (1 - plain.estimate) / error**2
    return int(np.clip(worth, 1, trials))


def _win_rate(part: pd.DataFrame) -> dict[str, float]:
    rate = share(part["win_share"], part["deal"])
    return {"games": len(part), "win_rate": rate.estimate, "low": rate.low, "high": rate.high}


# -- what the tables share -------------------------------------------------------------------------


def seats_with_deals(sim: Simulation) -> pd.DataFrame:
    """Return `Simulation.seats` with the deal of each game.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> games = simulate(["greedy", "random"], games=4, seed=1, progress=False)
    >>> seats_with_deals(games).deal.tolist()
    [0, 0, 0, 0, 1, 1, 1, 1]
    """
    return sim.seats.merge(sim.games[["game", "deal"]], on="game")


def _with_rounds(sim: Simulation, events: pd.DataFrame) -> pd.DataFrame:
    return events.assign(round=events["turn"] // sim.players + 1)


def _by_name(events: pd.DataFrame, column: str) -> Iterable[tuple[str, pd.DataFrame]]:
    """Yield the events of every name in order, of those without any too."""
    groups = dict(iter(events.groupby(column, observed=True)))
    for name in events[column].cat.categories:
        yield name, groups.get(name, events.iloc[:0])


def agent_names(sim: Simulation) -> list[str]:
    """Return the agents' names, without their numbers where one plays all seats.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> agent_names(simulate("greedy", players=3, games=1, seed=1, progress=False))
    ['greedy', 'greedy', 'greedy']
    """
    first = sim.agents[0]
    numbered = [first, *(f"{first}#{number}" for number in range(2, sim.players + 1))]
    return [first] * sim.players if list(sim.agents) == numbered else list(sim.agents)
