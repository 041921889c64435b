"""Nobles in play: to whom they come in simulated games, and to whom from a position on.

Rates come with the number behind them and a 95 % interval. Where several games share a deal, the
interval is made of the deals (`splendor_nb.analysis.outcomes.share`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple, Protocol, cast

import pandas as pd

from splendor_nb.agents.referee import AgentLike, play_game, resolve_agent
from splendor_nb.analysis.outcomes import share
from splendor_nb.engine import rules
from splendor_nb.engine.forms import check_whole_number, shortened
from splendor_nb.engine.position import Position
from splendor_nb.engine.rng import DEAL, Rng, checked_seed
from splendor_nb.engine.state import Observation, State
from splendor_nb.games import kernels
from splendor_nb.games.intervals import clustered, wilson
from splendor_nb.games.playouts import OUTCOMES, play_on

TILES: Final = 10  # nobles of the base game
_ROOM: Final = 4096  # actions written down before the log begins anew; most games take about 100
_SEEDS: Final = 1 << 30


# -- simulated games -------------------------------------------------------------------------------


class Tables(NamedTuple):
    """The tables of simulated games that tell of nobles; see `Simulation`."""

    games: pd.DataFrame
    seats: pd.DataFrame
    visits: pd.DataFrame


class Played(Protocol):
    """What has such tables: a `Simulation`, or `Tables`."""

    games: pd.DataFrame
    seats: pd.DataFrame
    visits: pd.DataFrame


def put_together(runs: Iterable[Played]) -> Tables:
    """Return the tables of several runs as one, with games and deals numbered on.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> runs = [simulate("greedy", games=3, players=n, seed=1, progress=False) for n in (2, 3)]
    >>> put_together(runs).games[["game", "deal", "players"]].values.tolist()
    [[0, 0, 2], [1, 1, 2], [2, 2, 2], [3, 3, 3], [4, 4, 3], [5, 5, 3]]
    """
    parts, first_game, first_deal = [], 0, 0
    for run in runs:
        games = run.games.assign(game=run.games.game + first_game, deal=run.games.deal + first_deal)
        numbered = [table.assign(game=table.game + first_game) for table in (run.seats, run.visits)]
        parts.append((games, *numbered))
        first_game, first_deal = _next(games.game), _next(games.deal)
    return Tables(*(pd.concat(tables, ignore_index=True) for tables in zip(*parts, strict=True)))


def _next(numbers: pd.Series) -> int:
    return int(numbers.max()) + 1


def noble_visit_rates(
    games: pd.DataFrame, seats: pd.DataFrame, visits: pd.DataFrame, *, tiles: int = TILES
) -> pd.DataFrame:
    """Return how often each noble comes where it is shown, when, and whether to a winner.

    The tables do not say which nobles were shown. By lot it is players + 1 of all tiles [R5], so
    the share of games with a visit is divided by that chance.

    Parameters
    ----------
    games, seats, visits
        Of a `Simulation`, or of several (`put_together`).
    tiles
        How many nobles there are to be drawn from.

    Returns
    -------
    DataFrame
        players, noble : every pair that was seen has a row
        games : of so many players
        visits : games in which the noble came
        rate, low, high : chance that it comes where it is shown, with its interval (from 0; the
        estimate and its end may pass 1 a little, since how often it was shown is not counted)
        first_quarter, median_round, third_quarter : rounds in which it came, counted from 1
        to_winner, to_winner_low, to_winner_high : share of the visits to a seat that wins

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> sim = simulate("greedy", games=300, seed=1, progress=False)
    >>> table = noble_visit_rates(sim.games, sim.seats, sim.visits)
    >>> len(table), table.visits.sum() == len(sim.visits)
    (10, np.True_)
    """
    told = _visits_with_seats(games, seats, visits)
    rows = []
    for key, came in told.groupby(["players", "noble"], observed=True):
        players, noble = cast("tuple[int, str]", key)
        of_size = games[games.players == players]
        shown = min(1.0, (players + 1) / tiles)
        rate = share(of_size.game.isin(came.game), of_size.deal)
        rows.append(
            {
                "players": players,
                "noble": str(noble),
                "games": len(of_size),
                "visits": len(came),
                "rate": rate.estimate / shown,
                "low": rate.low / shown,
                "high": rate.high / shown,
                **_rounds(came["round"]),
                **_named("to_winner", came.win_share > 0, came.deal),
            }
        )
    return pd.DataFrame(rows, columns=_VISIT_COLUMNS)


_VISIT_COLUMNS = [
    *("players", "noble", "games", "visits", "rate", "low", "high"),
    *("first_quarter", "median_round", "third_quarter"),
    *("to_winner", "to_winner_low", "to_winner_high"),
]


def _visits_with_seats(
    games: pd.DataFrame, seats: pd.DataFrame, visits: pd.DataFrame
) -> pd.DataFrame:
    told = visits.merge(games[["game", "deal", "players"]], on="game")
    told = told.merge(seats[["game", "seat", "win_share"]], on=["game", "seat"])
    return told.assign(round=told.turn // told.players + 1)


def _rounds(rounds: pd.Series) -> dict[str, float]:
    names = ("first_quarter", "median_round", "third_quarter")
    return dict(zip(names, rounds.quantile([0.25, 0.5, 0.75]).tolist(), strict=True))


def _named(name: str, hits: pd.Series, deals: pd.Series) -> dict[str, float]:
    rate = share(hits, deals)
    return {name: rate.estimate, f"{name}_low": rate.low, f"{name}_high": rate.high}


def nobles_by_agent(games: pd.DataFrame, seats: pd.DataFrame) -> pd.DataFrame:
    """Return how many nobles each agent gets.

    Parameters
    ----------
    games, seats
        Of a `Simulation`, or of several (`put_together`).

    Returns
    -------
    DataFrame
        players, agent : every pair that was seen has a row
        seats : how often the agent sat there
        nobles, nobles_low, nobles_high : how many it gets in a game, on average
        with_noble, with_noble_low, with_noble_high : share of games in which it gets one or more

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> sim = simulate(["greedy", "random"], games=200, seed=1, progress=False)
    >>> nobles_by_agent(sim.games, sim.seats)[["agent", "seats"]].values.tolist()
    [['greedy', 200], ['random', 200]]
    """
    told = seats.merge(games[["game", "deal", "players"]], on="game")
    rows = []
    for (players, agent), part in told.groupby(["players", "agent"], observed=True):
        mean = clustered(part.nobles.astype(float), part.deal)
        ends = {"nobles_low": mean.low, "nobles_high": mean.high}
        some = _named("with_noble", part.nobles > 0, part.deal)
        row = {"players": players, "agent": str(agent), "seats": len(part)}
        rows.append({**row, "nobles": mean.estimate, **ends, **some})
    return pd.DataFrame(rows)


def winners_with_nobles(games: pd.DataFrame, seats: pd.DataFrame) -> pd.DataFrame:
    """Return how many of the winners had a noble, and how many of the others.

    Parameters
    ----------
    games, seats
        Of a `Simulation`, or of several (`put_together`).

    Returns
    -------
    DataFrame
        players, wins : two rows for each number of players; seats that share a win are winners
        seats : how many such seats there were
        with_noble, with_noble_low, with_noble_high : share of them with one noble or more
        nobles : how many they had on average

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> sim = simulate("greedy", games=300, seed=1, progress=False)
    >>> table = winners_with_nobles(sim.games, sim.seats)
    >>> table.wins.tolist(), bool(table.with_noble[1] > table.with_noble[0])
    ([False, True], True)
    """
    told = seats.merge(games[["game", "deal", "players"]], on="game")
    rows = []
    for (players, wins), part in told.groupby(["players", told.win_share > 0]):
        row = {"players": players, "wins": bool(wins), "seats": len(part)}
        some = _named("with_noble", part.nobles > 0, part.deal)
        rows.append({**row, **some, "nobles": part.nobles.mean()})
    return pd.DataFrame(rows)


# -- from a position on ----------------------------------------------------------------------------


def noble_chances(
    observation: Observation, games: int = 400, seed: int | None = 0, agent: AgentLike = "greedy"
) -> pd.DataFrame:
    """Return the chances that the nobles on the table come to each seat, from games played on.

    What the viewer does not know is dealt anew for each game, each way with the same chance; then
    the same agent plays all seats to the end.

    Parameters
    ----------
    observation
        What a seat may know.
    games
        How many, from 1.
    seed
        Any integer from 0; the same seed gives the same table. `None` draws one.
    agent
        A name or a callable; ``"greedy"`` and ``"random"`` are quick.

    Returns
    -------
    DataFrame
        seat, noble : every pair of them has a row
        visits : games in which the noble comes to the seat
        games : games played
        chance, low, high : from 0 to 1, with Wilson's interval for the chance between such agents

    Raises
    ------
    TypeError, ValueError
        For what is not allowed; the message names what is.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> seen = new_game(players=2, seed=7).observation(player=0)
    >>> chances = noble_chances(seen, games=20)
    >>> chances.groupby("noble", sort=False).visits.sum().max() <= 20
    np.True_
    """
    if not isinstance(observation, Observation):
        raise TypeError(f"Chances are for an observation, not {shortened(observation)}.")
    games = check_whole_number("games", games, 1)
    play = _player(observation, agent, checked_seed(seed))
    came: Counter[tuple[int, str]] = Counter()
    for game in range(games):
        came.update(play(game))
    rows = []
    for seat in range(observation.players):
        for noble in observation.nobles:
            number = came[seat, noble.name]
            chance = wilson(number, games)
            rows.append((seat, noble.name, number, games, *chance[:3]))
    columns = ["seat", "noble", "visits", "games", "chance", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


_Play = Callable[[int], list[tuple[int, str]]]


def _player(observation: Observation, agent: AgentLike, seed: int) -> _Play:
    """Return what plays game number n from the position, and says who is visited by whom."""
    resolve_agent(agent, 0)
    if kernels.plays_compiled((agent,)):
        return _Playouts(observation, str(agent), seed).play
    agents = [agent] * observation.players

    def play(game: int) -> list[tuple[int, str]]:
        rng = Rng.stream(seed, game, DEAL)
        start = observation.determinize(rng)
        end = play_game(agents, start=start, seed=rng.below(_SEEDS)).state
        return [(at, noble.name) for at, seat in enumerate(end.seats) for noble in seat.nobles]

    return play


class _Playouts:
    """Games by a policy, in plain Python: some hundreds are not worth compiling."""

    def __init__(self, observation: Observation, policy: str, seed: int) -> None:
        self._observation, self._seed, self._players = observation, seed, observation.players
        self._policies = [kernels.POLICIES[policy]] * observation.players
        self._names = [noble.name for noble in observation.tables.components.nobles]
        self._log, self._legal = [0] * _ROOM, [0] * rules.ACTIONS

    def play(self, game: int) -> list[tuple[int, str]]:
        """Play a game, and return who is visited by whom in the end."""
        rngs = [Rng.stream(self._seed, game, role) for role in range(self._players + 1)]
        end = self._play_out(self._observation.determinize(rngs[DEAL]), rngs)
        return [
            (seat, name)
            for seat in range(self._players)
            for row, name in enumerate(self._names)
            if end.visits[seat] >> row & 1
        ]

    def _play_out(self, state: State, rngs: Sequence[Rng]) -> Position:
        s, outcomes = state.numbers(), [[0] * OUTCOMES for _ in range(self._players)]
        generators = [rng.stream_state for rng in rngs]
        while s.phase != rules.OVER:
            play_on(
                *(s, state.tables, 0, self._policies, generators),
                *(self._legal, self._log, 0, outcomes, 0),
            )
        return s
