"""Who is better: matches and tournaments over the same deals, with intervals and verdicts."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from splendor_nb.agents.referee import AgentLike, resolve_agent, seat_names
from splendor_nb.agents.registry import Agent
from splendor_nb.engine.forms import check_whole_number, quoted, shortened
from splendor_nb.engine.rng import Rng, checked_seed
from splendor_nb.engine.state import new_game
from splendor_nb.games.intervals import Interval, clustered_share
from splendor_nb.games.ratings import fit_ratings
from splendor_nb.games.simulate import simulate
from splendor_nb.games.simulation import Simulation

TIMED_MOVES, TIMED_S = 60, 5.0  # enough for a median, and not too long


class Tournament:
    """The games of several agents against each other, every group over the same deals.

    Attributes
    ----------
    agents
        Their names, numbered where one comes twice.
    players, seed
        Seats at a table, and the master seed.
    simulations
        The games of each group of agents, by their names.
    """

    def __init__(
        self,
        agents: tuple[str, ...],
        simulations: Mapping[tuple[str, ...], Simulation],
        moves: pd.DataFrame,
    ) -> None:
        self.agents, self.simulations = agents, dict(simulations)
        first = next(iter(self.simulations.values()))
        self.players: int = first.players
        self.seed: int = first.seed
        self._moves = moves

    @cached_property
    def seats(self) -> pd.DataFrame:
        """The seats of all games, as in `Simulation.seats`, with ``group`` and ``deal``."""
        tables = []
        for number, (group, sim) in enumerate(self.simulations.items()):
            table = sim.seats.assign(group=number, deal=sim.deals_of_seats())
            codes = table["agent"].cat.codes.to_numpy()
            tables.append(table.assign(agent=np.array(group, object)[codes]))
        return pd.concat(tables, ignore_index=True)

    @cached_property
    def duels(self) -> pd.DataFrame:
        """A row for each game and pair of agents in it: all that ratings are made from.

        ``group`` and ``deal``; ``game``; ``a`` and ``b``; ``score``: 1 where `a` beats `b`, 0
        where `b` beats `a`, 1/2 where neither does. With two seats that is the win share. With
        more, who stands higher in the game beats the other: by more points, then by fewer cards
        where the rules break ties so [R16].
        """
        first = next(iter(self.simulations.values()))
        return duels_of(self.seats, self.players, by_cards=first.rules.tie_break == "fewest_cards")

    def pairs(self) -> pd.DataFrame:
        """Return how each agent fares against each other one.

        Returns
        -------
        pandas.DataFrame
            A row for each ordered pair: ``a``, ``b``; ``score``, the mean of `a` against `b` as
            in `duels`; ``low`` and ``high``, its 95 % interval over deals; ``games``, ``deals``.
        """
        turned = self.duels.rename(columns={"a": "b", "b": "a"})
        turned["score"] = 1 - turned["score"]
        parts = pd.concat([self.duels, turned]).groupby(["a", "b"], sort=False)
        rows = [
            (*pair, *_over_deals(part["score"], part["group"], part["deal"]))
            for pair, part in parts
        ]
        table = pd.DataFrame(rows, columns=["a", "b", "score", "low", "high", "games", "deals"])
        order = {agent: number for number, agent in enumerate(self.agents)}
        return table.sort_values(["a", "b"], key=lambda c: c.map(order), ignore_index=True)

    def wins(self) -> pd.DataFrame:
        """Return the share of games won, by agent and seat.

        Returns
        -------
        pandas.DataFrame
            A row for each agent and seat: ``win_rate`` with ``low`` and ``high`` (95 %, over
            deals), ``games``, ``deals``.
        """
        rows = [
            (agent, seat, *_over_deals(part["win_share"], part["group"], part["deal"]))
            for (agent, seat), part in self.seats.groupby(["agent", "seat"], sort=False)
        ]
        columns = ["agent", "seat", "win_rate", "low", "high", "games", "deals"]
        return pd.DataFrame(rows, columns=columns).sort_values(["agent", "seat"], ignore_index=True)

    def ratings(self, anchor: str | None = None) -> pd.DataFrame:
        """Return how strong the agents are, fitted to all results at once.

        Parameters
        ----------
        anchor
            The agent that has rating 0; the first if not said.

        Returns
        -------
        pandas.DataFrame
            A row for each agent, the best first: ``rating`` in Elo's units (400 are odds of ten
            to one) with ``low`` and ``high`` (95 %, over deals), and ``games``. See `fit_ratings`.

        Raises
        ------
        ValueError
            Where there is no such agent.
        """
        if anchor is not None and anchor not in self.agents:
            raise ValueError(f"anchor is one of {quoted(self.agents)}, not {shortened(anchor)}.")
        return fit_ratings(self.duels, self.agents, anchor or self.agents[0])

    def moves(self) -> pd.DataFrame:
        """Return the time that agents take: ``agent``, ``median_ms``, ``q95_ms``, ``moves``.

        Measured on this machine, in a few games played for that alone, so it differs from run to
        run.
        """
        return self._moves

    @cached_property
    def faults(self) -> pd.DataFrame:
        """All faults: ``group``, ``agent`` and the columns of `Simulation.faults`."""
        seats = self.seats[["group", "game", "seat", "agent"]]
        faults = [sim.faults.assign(group=i) for i, sim in enumerate(self.simulations.values())]
        return pd.concat(faults).merge(seats, on=["group", "game", "seat"])

    @property
    def stopped(self) -> dict[tuple[str, ...], str]:
        """Why groups ended before all their games were played, in a sentence each."""
        return {
            group: f"after {len(sim):,} of {sim.requested:,} games: {sim.ended_because}"
            for group, sim in self.simulations.items()
            if sim.partial
        }

    def __repr__(self) -> str:
        games = sum(len(sim) for sim in self.simulations.values())
        return f"<tournament of {', '.join(self.agents)}: {games:,} games, seed {self.seed}>"


@dataclass(frozen=True)
class Verdict:
    """Which of two agents is better, as far as the games tell.

    Attributes
    ----------
    text
        In a sentence.
    score, low, high
        The first agent's share of the wins, and its 95 % interval over deals.
    games
        How many were played.
    games_to_settle
        About how many the observed difference would need for an interval that leaves out 1/2;
        `None` where there is no difference at all.
    """

    text: str
    score: float
    low: float
    high: float
    games: int
    games_to_settle: int | None

    def __repr__(self) -> str:
        return self.text


def tournament(
    agents: Sequence[AgentLike],
    games: int = 400,
    seed: int | None = None,
    *,
    players: int = 2,
    stop_early: float | None = None,
    workers: int | None = None,
    progress: bool | None = None,
    path: str | os.PathLike[str] | None = None,
    **options: Any,
) -> Tournament:
    """Return a tournament: every group of agents plays the same deals, in every rotation.

    Parameters
    ----------
    agents
        2 or more names or callables, at least as many as players.
    games
        For each group, rounded up to whole deals.
    seed
        Any integer from 0; `None` draws one.
    players
        Seats at a table: 2, 3 or 4.
    stop_early
        With two players: the least difference of win shares that matters, such as 0.05. A match
        ends as soon as a sequential test has settled which of the two is better by that much, with
        errors of 5 % either way; `Tournament.stopped` says so.
    workers, progress, **options
        As for `simulate`.
    path
        A folder in which every group has one of its own, as for `simulate`.

    Raises
    ------
    TypeError, ValueError
        For what is not allowed; the message names what is.

    Examples
    --------
    >>> result = tournament(["random", "greedy"], games=100, seed=1)
    >>> result.pairs()[["a", "b", "score", "games"]]
            a       b  score  games
    0  random  greedy    0.0    100
    1  greedy  random    1.0    100
    """
    players = check_whole_number("players", players, 2, 4)
    chosen = _check_agents(agents, players)
    seed, names = checked_seed(seed), tuple(seat_names(chosen))
    until = None if stop_early is None else _sequential_test(stop_early, players)
    games = -(-check_whole_number("games", games, 1) // players) * players
    simulations: dict[tuple[str, ...], Simulation] = {}
    for places in combinations(range(len(chosen)), players):
        sim = simulate(
            [chosen[place] for place in places],
            games,
            seed,
            workers=workers,
            progress=progress,
            until=until,
            path=None if path is None else Path(path) / _folder_name(places),
            **options,
        )
        simulations[tuple(names[place] for place in places)] = sim
    return Tournament(names, simulations, _time_agents(chosen, names, players, seed))


def match(
    first: AgentLike, second: AgentLike, games: int = 400, seed: int | None = None, **arguments: Any
) -> Tournament:
    """Return a tournament of two; the arguments are those of `tournament`."""
    return tournament([first, second], games, seed, **arguments)


def compare(
    first: AgentLike, second: AgentLike, games: int = 400, seed: int | None = None, **arguments: Any
) -> Verdict:
    """Return which of two agents is better, in a plain sentence with the interval behind it.

    The arguments are those of `tournament`.

    Examples
    --------
    >>> compare("greedy", "random", games=100, seed=1)
    greedy is better than random: it wins 100.0 % (95 % interval 92.9 to 100.0 %) of 100 games.
    """
    result = match(first, second, games, seed, **arguments)
    a, b = result.agents
    score = result.pairs().iloc[0]
    return judge(a, b, Interval(score.score, score.low, score.high, int(score.deals)), score.games)


def judge(a: str, b: str, score: Interval, games: int) -> Verdict:
    """Return in words what a score of `a` against `b` says."""
    numbers = [f"{100 * number:.1f}" for number in score[:3]]
    shares = f"{numbers[0]} % (95 % interval {numbers[1]} to {numbers[2]} %)"
    settle = _games_to_settle(score, games)
    if score.low > 0.5:
        text = f"{a} is better than {b}: it wins {shares} of {games:,} games."
    elif score.high < 0.5:
        text = f"{b} is better than {a}, which wins {shares} of {games:,} games."
    elif settle is None:
        text = f"{a} and {b} cannot be told apart: {shares} of {games:,} games."
    else:
        text = (
            f"{a} and {b} cannot be told apart yet: {a} wins {shares} of {games:,} games; about "
            f"{settle:,} would settle a difference of this size."
        )
    return Verdict(text, score.estimate, score.low, score.high, games, settle)


def duels_of(seats: pd.DataFrame, players: int, *, by_cards: bool) -> pd.DataFrame:
    """Return who beats whom in each game; see `Tournament.duels`."""
    cards = seats["bought"] if by_cards else 0
    # One that forfeits shares no win whatever its points, so the win comes first.
    standing = (seats["win_share"] > 0) * 1_000_000_000 + seats["points"] * 10_000 - cards
    table = seats.assign(standing=standing)
    by_seat = [table[table["seat"] == seat].reset_index(drop=True) for seat in range(players)]
    parts = []
    for first, second in combinations(by_seat, 2):
        sign = np.sign(first["standing"] - second["standing"])
        parts.append(
            pd.DataFrame(
                {
                    "group": first["group"],
                    "deal": first["deal"],
                    "game": first["game"],
                    "a": first["agent"],
                    "b": second["agent"],
                    "score": (1 + sign) / 2,
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def _over_deals(
    values: pd.Series, group: pd.Series, deal: pd.Series
) -> tuple[float, float, float, int, int]:
    """Return a mean share with its interval over deals, and the numbers of games and deals."""
    clusters = group.astype("int64") * (int(deal.max()) + 1) + deal
    found = clustered_share(values, clusters)
    return found.estimate, found.low, found.high, len(values), found.n


def _games_to_settle(score: Interval, games: int) -> int | None:
    """Return about how many games shrink the interval to the distance from 1/2."""
    distance = abs(score.estimate - 0.5)
    reach = (score.high - score.low) / 2
    if distance < 1e-9 or not math.isfinite(reach):
        return None
    return math.ceil(games * (reach / distance) ** 2)


def _check_agents(agents: Sequence[AgentLike], players: int) -> list[AgentLike]:
    if isinstance(agents, str) or not isinstance(agents, Sequence):
        raise TypeError(f"agents is a list of names or callables, not {shortened(agents)}.")
    if len(agents) < players:
        raise ValueError(f"A table of {players} needs {players} agents or more, not {len(agents)}.")
    for number, agent in enumerate(agents):
        resolve_agent(agent, number)
    return list(agents)


def _folder_name(places: tuple[int, ...]) -> str:
    return "-".join(f"{place:02}" for place in places)


def _sequential_test(least: Any, players: int) -> Callable[[Simulation], bool]:
    """Return whether it is settled which of two agents is better by at least `least`.

    A. Wald's sequential ratio test of 1/2 + least/2 against 1/2 - least/2, errors 5 % each, on
    the means of deals, taken as normal with the variance that they show.
    """
    if players != 2:
        raise ValueError("stop_early settles which of two is better: it needs players=2.")
    if isinstance(least, bool) or not isinstance(least, (int, float)) or not 0 < least <= 1:
        raise ValueError(
            f"stop_early is a difference of win shares above 0, up to 1, not {shortened(least)}."
        )

    def is_settled(sim: Simulation) -> bool:
        first = sim.seats[sim.seats["agent"] == sim.agents[0]]
        deals = first.groupby(first["game"] // 2)["win_share"].mean()
        variance = max(float(deals.var()), 1 / (4 * len(deals)))
        evidence = abs(float((deals - 0.5).sum())) * least / variance
        return evidence > math.log(0.95 / 0.05)

    return is_settled


def _time_agents(
    agents: Sequence[AgentLike], names: tuple[str, ...], players: int, seed: int
) -> pd.DataFrame:
    """Return how long agents think, each beside others that pick at random."""
    rows = []
    for name, agent in zip(names, agents, strict=True):
        times = np.array(list(_think(resolve_agent(agent, 0), players, seed))) * 1e3
        middle, most = np.quantile(times, [0.5, 0.95]) if len(times) else (np.nan, np.nan)
        rows.append((name, float(middle), float(most), len(times)))
    return pd.DataFrame(rows, columns=["agent", "median_ms", "q95_ms", "moves"])


def _think(agent: Agent, players: int, seed: int) -> Iterator[float]:
    """Yield the seconds that an agent takes for each of some moves of a game."""
    state, rng = new_game(players, seed=seed), Rng(seed)
    begun, moves = time.perf_counter(), 0
    while (seat := state.current_player) is not None and moves < TIMED_MOVES:
        if seat != 0:
            state = state.apply(rng.choice(state.legal_actions()))
            continue
        observation, start = state.observation(0), time.perf_counter()
        try:
            answer = agent(observation, rng)
        except Exception:  # noqa: BLE001  (its fault is in the table of faults)
            return
        yield time.perf_counter() - start
        moves += 1
        if answer not in state.legal_actions() or time.perf_counter() - begun > TIMED_S:
            return
        state = state.apply(answer)
