"""The result of a contest: standings, pairs, faults, times, and every game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd

from splendor_nb.engine.forms import check_whole_number, quoted, shortened
from splendor_nb.engine.records import GameRecord, load_game
from splendor_nb.games.contest_folder import LOGS, GameLine
from splendor_nb.games.entrants import Entrant
from splendor_nb.games.intervals import clustered_share
from splendor_nb.games.ratings import fit_ratings
from splendor_nb.games.schedule import FINAL, rank
from splendor_nb.games.tournament import duels_of

Stages = Mapping[str, Sequence[GameLine]]


class Contest:
    """A contest that has been played.

    Attributes
    ----------
    path
        Its folder.
    settings
        What it was played with, as in its ``contest.json``.
    entrants
        All that wanted to take part; those that could not have a reason in ``refused``.
    stages
        The games by stage: ``league`` or ``round 1``, …, and ``final`` where there is one.
    """

    def __init__(
        self, path: Path, settings: Mapping[str, Any], entrants: Sequence[Entrant], stages: Stages
    ) -> None:
        self.path, self.settings, self.stages = path, dict(settings), dict(stages)
        self.entrants = tuple(entrants)
        self.players: int = settings["players"]
        self._names = {entrant.id: entrant.name for entrant in entrants}

    @property
    def contestants(self) -> tuple[Entrant, ...]:
        """Those that played."""
        return tuple(entrant for entrant in self.entrants if not entrant.refused)

    @property
    def refused(self) -> dict[str, str]:
        """Why files could not take part: a sentence for each, by file."""
        return {entrant.id: entrant.refused for entrant in self.entrants if entrant.refused}

    @cached_property
    def games(self) -> pd.DataFrame:
        """A row for each game.

        ``game``, its number from 0; ``stage``; ``deal``, ``rotation``; ``names``, in seat order;
        ``winner``, several where the win is shared; ``points``, in seat order; ``turns``;
        ``end_reason``; ``file``, the saved game in the folder.
        """
        rows = []
        for game, stage, line in self._lines():
            names = self._called(line.seated)
            won = [names[seat] for seat in line.winners]
            points = "–".join(map(str, line.points))
            ended = (line.turns, line.end_reason, line.file)
            place = (stage, line.deal, line.rotation)
            rows.append((game, *place, " – ".join(names), ", ".join(won), points, *ended))
        columns = ["game", "stage", "deal", "rotation", "names", "winner", "points", "turns"]
        return pd.DataFrame(rows, columns=[*columns, "end_reason", "file"])

    @cached_property
    def seats(self) -> pd.DataFrame:
        """A row for each game and seat.

        ``game``, ``stage``, ``deal``, ``seat``, ``name``, ``points``, ``bought``, and
        ``win_share``: 1, 1/k where k share the win, or 0.
        """
        columns = ["game", "stage", "deal", "seat", "name", "points", "bought", "win_share"]
        rows = [
            (game, stage, line.deal, seat, name, line.points[seat], line.bought[seat], share)
            for game, stage, line in self._lines()
            for seat, (name, share) in enumerate(
                zip(self._called(line.seated), line.shares.values(), strict=True)
            )
        ]
        return pd.DataFrame(rows, columns=columns)

    @cached_property
    def faults(self) -> pd.DataFrame:
        """A row for each fault.

        ``game``, ``name``, ``turn``, ``kind`` (``illegal``, ``unreadable``, ``exception``,
        ``timeout`` or ``died``), ``text``, and ``forfeit``, whether it ended the game.
        """
        rows = []
        for game, _, line in self._lines():
            for number, fault in enumerate(line.faults, 1):
                ends = line.end_reason == "forfeit" and number == len(line.faults)
                name = self._names[line.seated[fault.seat]]
                rows.append((game, name, fault.turn, fault.kind, fault.text, ends))
        return pd.DataFrame(rows, columns=["game", "name", "turn", "kind", "text", "forfeit"])

    def standings(self, stage: str | None = None) -> pd.DataFrame:
        """Return the table of the contest, the best first.

        Parameters
        ----------
        stage
            A stage for itself, such as ``final``; by itself all games before a final.

        Returns
        -------
        pandas.DataFrame
            A row for each contestant: ``rank``; ``name``; ``file``; ``games``; ``wins``, a win
            shared by k counting 1/k; ``win_rate`` with ``low`` and ``high`` (95 %, over deals);
            ``opponents``, the mean win rate of those met, which parts equal win rates; ``rating``
            in Elo's units above the mean; ``faults``.

        Raises
        ------
        ValueError
            Where there is no such stage.
        """
        if stage is not None:
            return self._table([self._stage(stage)])
        return self._table([name for name in self.stages if name != FINAL])

    def pairs(self, stage: str | None = None) -> pd.DataFrame:
        """Return how each contestant fared against each other one that it met.

        Returns
        -------
        pandas.DataFrame
            ``a``, ``b``; ``score``: the share of games in which `a` stood above `b`, a tie
            counting half; ``low``, ``high`` (95 %, over deals); ``games``.
        """
        duels = self._duels(list(self.stages) if stage is None else [self._stage(stage)])
        turned = duels.rename(columns={"a": "b", "b": "a"}).assign(score=1 - duels["score"])
        rows = []
        for pair, part in pd.concat([duels, turned]).groupby(["a", "b"]):
            found = clustered_share(part["score"], part["game"] // self.players)
            rows.append((*pair, found.estimate, found.low, found.high, len(part)))
        return pd.DataFrame(rows, columns=["a", "b", "score", "low", "high", "games"])

    def times(self) -> pd.DataFrame:
        """Return how long contestants thought; measured, so it differs from run to run.

        Returns
        -------
        pandas.DataFrame
            ``name``; ``moves``; ``mean_ms`` and ``slowest_ms`` of a move, with the way there and
            back; ``game_s``, the mean of a game.
        """
        rows = []
        for entrant in self.contestants:
            clocks = [
                line.clocks[line.seated.index(entrant.id)]
                for _, _, line in self._lines()
                if entrant.id in line.table
            ]
            moves = sum(clock.moves for clock in clocks)
            total_s = sum(clock.total_s for clock in clocks)
            slowest_s = max((clock.slowest_s for clock in clocks), default=0.0)
            mean_ms = 1e3 * total_s / max(1, moves)
            game_s = total_s / max(1, len(clocks))
            rows.append((entrant.name, moves, mean_ms, 1e3 * slowest_s, game_s))
        return pd.DataFrame(rows, columns=["name", "moves", "mean_ms", "slowest_ms", "game_s"])

    def record(self, game: int) -> GameRecord:
        """Return a game as a saved game, which `play` opens.

        Raises
        ------
        TypeError, ValueError
            Where there is no game of that number.
        RecordError
            Where its file was damaged.
        """
        game = check_whole_number("game", game, 0, len(self) - 1)
        file: str = self.games["file"].iloc[game]
        return load_game(self.path / file)

    def log(self, file: str) -> str:
        """Return what the contestant of a file printed, as far as it was kept.

        Raises
        ------
        ValueError
            Where no such file took part.
        """
        if file not in self._names:
            raise ValueError(f"file is one of {quoted(self._names)}, not {shortened(file)}.")
        path = self.path / LOGS / f"{file}.log"
        return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""

    def save_tables(self) -> list[Path]:
        """Write the tables as CSV files into the folder, and return their paths.

        A text that a spreadsheet would take for a formula gets an apostrophe in front.
        """
        tables = {
            "standings": self.standings(),
            "pairs": self.pairs(),
            "faults": self.faults,
            "games": self.games,
            "seats": self.seats,
            "times": self.times(),
        }
        paths = []
        for name, table in tables.items():
            paths.append(self.path / f"{name}.csv")
            table.map(_harmless).to_csv(paths[-1], index=False, encoding="utf-8")
        return paths

    def __len__(self) -> int:
        return sum(map(len, self.stages.values()))

    def __repr__(self) -> str:
        refused = f", {len(self.refused)} refused" if self.refused else ""
        return (
            f"<contest of {len(self.contestants)}{refused}: {len(self):,} games, "
            f"{len(self.faults)} faults, in {self.path}>"
        )

    def _repr_html_(self) -> str:
        shown = self.standings().drop(columns=["opponents"])
        return shown.to_html(index=False, float_format="{:.3g}".format, escape=True, border=0)

    # -- how tables are made -----------------------------------------------------------------------

    def _lines(self) -> Iterator[tuple[int, str, GameLine]]:
        game = 0
        for stage, lines in self.stages.items():
            for line in lines:
                yield game, stage, line
                game += 1

    def _called(self, ids: Iterable[str]) -> list[str]:
        return [self._names[one] for one in ids]

    def _stage(self, stage: str) -> str:
        if stage not in self.stages:
            raise ValueError(f"stage is one of {quoted(self.stages)}, not {shortened(stage)}.")
        return stage

    def _table(self, stages: Sequence[str]) -> pd.DataFrame:
        lines = [line for stage in stages for line in self.stages[stage]]
        seats = self.seats[self.seats["stage"].isin(stages)]
        shares, opponents = scores(lines)
        places = rank(shares, opponents)
        ratings = self._ratings(stages)
        faults = self.faults.merge(self.games[["game", "stage"]], on="game")
        faulty = faults[faults["stage"].isin(stages)]["name"].value_counts()
        rows = []
        for one, place in places.items():
            name = self._names[one]
            won = seats[seats["name"] == name]  # games of one table on one deal stand together
            found = clustered_share(won["win_share"], won["game"] // self.players)
            rate = (len(won), won["win_share"].sum(), found.estimate, found.low, found.high)
            rest = (opponents[one], ratings.get(name), int(faulty.get(name, 0)))
            rows.append((place, name, one, *rate, *rest))
        columns = ["rank", "name", "file", "games", "wins", "win_rate", "low", "high"]
        return pd.DataFrame(rows, columns=[*columns, "opponents", "rating", "faults"])

    def _ratings(self, stages: Sequence[str]) -> dict[str, float]:
        """Return the ratings by name, around their mean; NaN for those without a link to most."""
        duels = self._duels(stages)
        if duels.empty:
            return {}
        names = list(pd.unique(pd.concat([duels["a"], duels["b"]])))
        found = fit_ratings(duels, names, names[0]).set_index("agent")["rating"]
        return dict((found - found.mean()).round(1))

    def _duels(self, stages: Sequence[str]) -> pd.DataFrame:
        seats = self.seats[self.seats["stage"].isin(stages)]
        renamed = seats.rename(columns={"name": "agent", "stage": "group"})
        by_cards = self.settings["rules"]["tie_break"] == "fewest_cards"
        return duels_of(renamed, self.players, by_cards=by_cards)


def scores(lines: Iterable[GameLine]) -> tuple[dict[str, float], dict[str, float]]:
    """Return the win rate of each contestant, and the mean win rate of those that it met.

    Examples
    --------
    >>> ends = {"turns": 50, "end_reason": "target", "points": (15, 9), "bought": (12, 9)}
    >>> line = GameLine(("a", "b"), ("", ""), 0, 0, winners=(0,), clocks=(), faults=(), **ends)
    >>> scores([line])
    ({'a': 1.0, 'b': 0.0}, {'a': 0.0, 'b': 1.0})
    """
    won: dict[str, list[float]] = {}
    met: dict[str, list[str]] = {}
    for line in lines:
        for one, share in line.shares.items():
            won.setdefault(one, []).append(share)
            met.setdefault(one, []).extend(other for other in line.table if other != one)
    rates = {one: sum(shares) / len(shares) for one, shares in won.items()}
    return rates, {
        one: sum(rates[other] for other in others) / len(others) for one, others in met.items()
    }


def _harmless(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value[:1] in tuple("=+-@\t\r") else value
