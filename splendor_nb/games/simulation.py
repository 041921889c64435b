"""The result of many games: tidy tables, rates with their intervals, any game as a record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import pandas as pd

from splendor_nb import __version__
from splendor_nb.agents.registry import AGENTS
from splendor_nb.engine.forms import check_whole_number, quoted, shortened
from splendor_nb.engine.notation import write_action
from splendor_nb.engine.options import Rules
from splendor_nb.engine.records import GameRecord, Player
from splendor_nb.engine.rng import DEAL, Rng
from splendor_nb.engine.rules import apply_action
from splendor_nb.engine.state import deal
from splendor_nb.games import tables
from splendor_nb.games.intervals import clustered, clustered_share, wilson
from splendor_nb.games.kernels import list_events
from splendor_nb.games.setup import Chunk, Setup

GROUP_GAMES = 50_000
GROUPS = ("agent", "seat")
MEASURES = (
    *("win_share", "points", "card_points", "noble_points", "bought", "reserved", "nobles"),
    *("gems_taken", "gold_taken", "returned", "turns"),
)
RATES = ("games", "wins", "win_rate", "low", "high", "deals", "paired_low", "paired_high")
MEANS = ("measure", "mean", "low", "high", "sd", "games", "deals")
QUANTILES = {"q10": 0.1, "q25": 0.25, "median": 0.5, "q75": 0.75, "q90": 0.9}


class Store(Protocol):
    """Where the chunks of a simulation are: in memory, or in a folder."""

    def chunks(self) -> Iterator[Chunk]:
        """Yield the chunks in order."""

    def games(self) -> int:
        """Return how many games there are."""


class Memory:
    """Chunks that stay in memory."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = [tables.merge(group) for group in _gathered(chunks)]

    def chunks(self) -> Iterator[Chunk]:
        """Yield the chunks in order."""
        yield from self._chunks

    def games(self) -> int:
        """Return how many games there are."""
        return sum(chunk.games for chunk in self._chunks)


def _gathered(chunks: Sequence[Chunk]) -> Iterator[list[Chunk]]:
    """Yield chunks in groups, since making a table takes a moment however short it is."""
    group: list[Chunk] = []
    for chunk in chunks:
        group.append(chunk)
        if sum(member.games for member in group) >= GROUP_GAMES:
            yield group
            group = []
    if group:
        yield group


class Simulation:
    """Many games that have been played, as tidy tables.

    A ``seat`` and a ``turn`` count from 0; the turn of an event is the number of turns finished
    before it, of all seats together. Cards and nobles go by their names.

    Attributes
    ----------
    agents
        The names of the agents in the order of the list, numbered where one comes twice.
    players, seed, rules
        What was played.
    requested
        How many games were asked for.
    partial
        Whether some of them are missing.
    ended_because
        Why they are: ``"interrupted"``, or what `until` of `simulate` has found.
    """

    def __init__(self, setup: Setup, store: Store, ended_because: str = "interrupted") -> None:
        self._setup, self._store = setup, store
        self.agents: tuple[str, ...] = setup.agents
        self.players: int = setup.players
        self.seed: int = setup.seed
        self.rules: Rules = setup.rules
        self.requested: int = setup.games
        self.partial: bool = store.games() < setup.games
        self.ended_because: str = ended_because if self.partial else ""

    # -- tables ------------------------------------------------------------------------------------

    @cached_property
    def games(self) -> pd.DataFrame:
        """A row for each game.

        =============  ==========================================================================
        ``game``       number of the game, from 0
        ``deal``       number of its deal: games of one deal start from the same cards
        ``rotation``   seat i has agent (i + rotation) mod players of the list
        ``players``    number of seats
        ``turns``      turns finished, of all seats together
        ``rounds``     rounds begun
        ``end_reason`` ``target``, ``stalemate``, ``limit``, or ``forfeit`` after a fault
        ``winners``    how many seats share the win
        =============  ==========================================================================
        """
        return self._concat(tables.games_table)

    @cached_property
    def seats(self) -> pd.DataFrame:
        """A row for each game and seat.

        ================  =======================================================================
        ``game``          number of the game
        ``seat``          number of the seat; 0 began
        ``agent``         who sat there
        ``turns``         turns that the seat has finished
        ``points``        prestige points in the end, of cards and nobles
        ``card_points``   those of cards
        ``noble_points``  those of nobles
        ``bought``        cards bought
        ``reserved``      how often a card was reserved
        ``nobles``        nobles that visited
        ``gems_taken``    gems taken, before returns
        ``gold_taken``    gold taken with reservations
        ``returned``      tokens returned, gold included
        ``win_share``     1 for a win, 1/k for a win shared by k seats, else 0
        ================  =======================================================================
        """
        return self._concat(tables.seats_table)

    @cached_property
    def purchases(self) -> pd.DataFrame:
        """A row for each card bought, made from the logs when it is first asked for.

        ====================  ===================================================================
        ``game, turn, seat``  when, and by whom
        ``card``              name of the card
        ``level, bonus``      its level and color
        ``points``            its prestige points
        ``source``            ``market`` or ``reserve``
        ``gems_paid``         gems paid, without gold
        ``gold_paid``         gold paid
        ====================  ===================================================================
        """
        return self._concat(
            lambda setup, chunk: tables.purchases_table(
                setup, chunk.first, list_events(setup, chunk)[0]
            )
        )

    @cached_property
    def visits(self) -> pd.DataFrame:
        """A row for each visit of a noble: ``game, turn, seat``, and ``noble``, its name."""
        return self._concat(
            lambda setup, chunk: tables.visits_table(
                setup, chunk.first, list_events(setup, chunk)[1]
            )
        )

    @cached_property
    def actions(self) -> pd.DataFrame:
        """A row for each action: ``game, turn, seat``, ``step`` within the turn, ``action``.

        Made from the logs when it is first asked for: about 100 rows a game.
        """
        return self._concat(
            lambda setup, chunk: tables.actions_table(
                setup, chunk.first, list_events(setup, chunk, decisions=True)[2]
            )
        )

    @cached_property
    def faults(self) -> pd.DataFrame:
        """A row for each fault of an agent; it has ended its game.

        ====================  ===================================================================
        ``game, turn, seat``  when, and whose
        ``kind``              ``illegal``, ``unreadable`` or ``exception``
        ``text``              what happened, in a sentence
        ====================  ===================================================================
        """
        faults = [fault for chunk in self._store.chunks() for fault in chunk.faults]
        return tables.faults_table(faults)

    # -- results -----------------------------------------------------------------------------------

    def win_rates(self, by: str | Sequence[str] = "agent") -> pd.DataFrame:
        """Return how often agents or seats win, with 95 % intervals.

        Parameters
        ----------
        by
            ``"agent"``, ``"seat"``, or both as a list.

        Returns
        -------
        pandas.DataFrame
            A row for each group: ``games`` and ``wins`` (shared ones as shares), ``win_rate``
            from 0 to 1, ``low`` and ``high`` (Wilson's interval, as if all games were
            independent), ``deals``, and ``paired_low`` and ``paired_high``: the interval made of
            the deals, which are what is independent where several games share one (see
            `clustered_share`).

        Raises
        ------
        ValueError
            Where there is no such group.
        """
        rows = []
        for group, part in self._groups(by):
            rate = wilson(part["win_share"].sum(), len(part))
            paired = clustered_share(part["win_share"], part["deal"])
            rows.append(
                {
                    **group,
                    "games": rate.n,
                    "wins": part["win_share"].sum(),
                    "win_rate": rate.estimate,
                    "low": rate.low,
                    "high": rate.high,
                    "deals": paired.n,
                    "paired_low": paired.low,
                    "paired_high": paired.high,
                }
            )
        keys = [by] if isinstance(by, str) else list(by)
        return pd.DataFrame(rows, columns=[*keys, *RATES])

    def summary(self, by: str | Sequence[str] = "agent") -> pd.DataFrame:
        """Return the means of what seats have in the end, with 95 % intervals over deals.

        Parameters
        ----------
        by
            ``"agent"``, ``"seat"``, or both as a list.

        Returns
        -------
        pandas.DataFrame
            A row for each group and measure: ``measure``, a column of `seats`; ``mean``, ``low``,
            ``high`` and ``sd`` (of single games) in the unit of that column; ``games``, ``deals``.

        Raises
        ------
        ValueError
            Where there is no such group.
        """
        rows = []
        for group, part in self._groups(by):
            for measure in MEASURES:
                mean = clustered(part[measure], part["deal"])
                rows.append(
                    {
                        **group,
                        "measure": measure,
                        "mean": mean.estimate,
                        "low": mean.low,
                        "high": mean.high,
                        "sd": part[measure].std(),
                        "games": len(part),
                        "deals": mean.n,
                    }
                )
        keys = [by] if isinstance(by, str) else list(by)
        return pd.DataFrame(rows, columns=[*keys, *MEANS])

    def points_by_round(self) -> pd.DataFrame:
        """Return the race: the points that agents have after each round.

        A game that is over keeps its last points, so that every round counts all games.

        Returns
        -------
        pandas.DataFrame
            A row for each agent and round, from 1: ``mean``, ``q10``, ``q25``, ``median``,
            ``q75`` and ``q90`` of the points; ``running``, the share of games that reach that
            round; ``games``.
        """
        rounds = int(self.games["rounds"].max()) if len(self) else 0
        reached = self.games["rounds"].to_numpy()
        counts = self._points_after_rounds(rounds)
        rows = []
        for agent, of_agent in zip(self.agents, counts, strict=True):
            for number, count in enumerate(of_agent, start=1):
                shares = np.cumsum(count) / count.sum()
                rows.append(
                    {
                        "agent": agent,
                        "round": number,
                        "mean": float((count * np.arange(len(count))).sum() / count.sum()),
                        **{name: int(np.searchsorted(shares, q)) for name, q in QUANTILES.items()},
                        "running": float((reached >= number).mean()),
                        "games": int(count.sum()),
                    }
                )
        table = pd.DataFrame(
            rows, columns=["agent", "round", "mean", *QUANTILES, "running", "games"]
        )
        return table.astype({"agent": pd.CategoricalDtype(list(self.agents))})

    def record(self, game: int) -> GameRecord:
        """Return a game as a saved game, which `play` opens.

        Raises
        ------
        TypeError, ValueError
            Where it is not among the games played.
        """
        if not len(self):
            raise ValueError("No game has been played to its end.")
        game = check_whole_number("game", game, 0, len(self) - 1)
        for chunk in self._store.chunks():
            if game < chunk.first + chunk.games:
                return self._replay(game, chunk)
        raise AssertionError("unreachable")

    @property
    def code(self) -> str:
        """The line that makes this result again."""
        setup = self._setup
        agents = [
            repr(kind) if source is None and kind in AGENTS else kind
            for kind, source in zip(setup.kinds, setup.sources, strict=True)
        ]
        own = setup.components.to_dict() or {}
        options = [
            *(
                f", {name}={value!r}"
                for name, value in setup.rules.items()
                if value != Rules()[name]
            ),
            *(f", {name}={part!r}" for name, part in own.items() if part is not None),
        ]
        rotate = "" if setup.rotate else ", rotate_seats=False"
        line = f"simulate([{', '.join(agents)}], games={setup.games}, seed={setup.seed}"
        return f"{line}{''.join(options)}{rotate})  # splendor_nb {__version__}"

    def __len__(self) -> int:
        return self._store.games()

    def __repr__(self) -> str:
        part = f" of {self.requested:,} asked for" if self.partial else ""
        return f"<{len(self):,} games{part}: {self.code}>"

    def deals_of_seats(self) -> np.ndarray[Any, Any]:
        """Return the deal of each row of `seats`."""
        return np.repeat(self.games["deal"].to_numpy(), self.players)

    # -- parts -------------------------------------------------------------------------------------

    def _concat(self, make: Callable[[Setup, Chunk], pd.DataFrame]) -> pd.DataFrame:
        chunks = list(self._store.chunks()) or [tables.empty(self._setup)]
        return pd.concat([make(self._setup, chunk) for chunk in chunks], ignore_index=True)

    def _groups(self, by: str | Sequence[str]) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
        keys = [by] if isinstance(by, str) or not isinstance(by, Sequence) else list(by)
        if not keys or any(key not in GROUPS for key in keys):
            raise ValueError(f"by is one or both of {quoted(GROUPS)}, not {shortened(by)}.")
        table = self.seats.assign(deal=self.deals_of_seats())
        for values, part in table.groupby(keys, observed=True):
            yield dict(zip(keys, values, strict=True)), part

    def _points_after_rounds(self, rounds: int) -> np.ndarray[Any, Any]:
        """Return counts of games by agent, round and points."""
        setup = self._setup
        most = int(self.seats["points"].max()) if len(self) else 0
        counts = np.zeros((setup.players, rounds, most + 1), np.int64)
        for chunk in self._store.chunks():
            points = points_after_rounds(setup, chunk, rounds)
            seats = tables.seats_table(setup, chunk)
            for number, agent in enumerate(setup.agents):
                mine = points[(seats["agent"] == agent).to_numpy()]
                for place in range(rounds):
                    counts[number, place] += np.bincount(mine[:, place], minlength=most + 1)
        return counts

    def _replay(self, game: int, chunk: Chunk) -> GameRecord:
        setup, i = self._setup, game - chunk.first
        rng = Rng.stream(setup.seed, setup.deal(game), DEAL)
        start = deal(setup.tables, setup.players, rng)
        position, actions = start.numbers(), []
        for number in chunk.log[chunk.ends[i - 1] if i else 0 : chunk.ends[i]].tolist():
            actions.append(write_action(position, setup.tables, number))
            apply_action(position, setup.tables, number)
        seated = [(seat + setup.rotation(game)) % setup.players for seat in range(setup.players)]
        faults = tuple(fault for number, fault in chunk.faults if number == game)
        return GameRecord(
            start=start,
            actions=tuple(actions),
            seats=tuple(Player(setup.agents[k], setup.kinds[k]) for k in seated),
            seed=setup.seed if setup.deal(game) == 0 else None,
            faults=faults,
            forfeited=bool(faults),
        )


def points_after_rounds(setup: Setup, chunk: Chunk, rounds: int) -> np.ndarray[Any, Any]:
    """Return the points of each seat of each game after each round, as rows and columns."""
    purchases, visits, _ = list_events(setup, chunk)
    card_points = np.array([card.points for card in setup.components.cards])
    noble_points = np.array([noble.points for noble in setup.components.nobles])
    gained = np.zeros((chunk.games * setup.players, rounds), np.int64)
    for rows, points in ((purchases, card_points), (visits, noble_points)):
        game, turn, seat, what = rows[:, :4].T
        np.add.at(gained, (game * setup.players + seat, turn // setup.players), points[what])
    return gained.cumsum(axis=1)
