"""A contest for a class: a folder of students' agents in, a league table out."""

from __future__ import annotations

import math
import os
import secrets
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

from splendor_nb import __version__
from splendor_nb.engine.forms import check_whole_number, shortened
from splendor_nb.engine.options import make_components, make_rules
from splendor_nb.engine.position import Tables, tables_for
from splendor_nb.engine.records import Player
from splendor_nb.engine.rng import DEAL, Rng, checked_seed
from splendor_nb.engine.state import deal as deal_out
from splendor_nb.games.contest_folder import ContestFolder, GameLine
from splendor_nb.games.contest_game import STRIKES, play_seated
from splendor_nb.games.contest_result import Contest, scores
from splendor_nb.games.entrants import Entrant, admit, find_files, find_references, log_of
from splendor_nb.games.sandbox import Limits, Sandbox
from splendor_nb.games.schedule import FINAL, LEAGUE, Match, rank, round_robin, swiss_round
from splendor_nb.games.workers import bar

REFERENCES = ("random", "greedy")
PAIRING = 6  # the role of the stream that orders a first Swiss round
SEED_BITS = 62


def contest(
    folder: str | os.PathLike[str],
    *,
    games: int = 20,
    seed: int | None = None,
    players: int = 2,
    swiss: int | None = None,
    finals: int | None = None,
    references: Sequence[str] = REFERENCES,
    beginners: bool = False,
    limits: Limits | None = None,
    path: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    progress: bool | None = None,
    rules: str | Mapping[str, Any] = "standard",
    **options: Any,
) -> Contest:
    """Return a contest among the agents of a folder, played within limits.

    Each contestant plays in a process of its own, which gets observations and sends text; `sandbox`
    says what that holds off, and what not. Its file is run anew for every game, and the generators
    of `random` and numpy are seeded, so that games do not depend on each other. What the limits of
    time decide may differ from run to run; all the rest is the same for the same seed, however
    many workers there are.

    Parameters
    ----------
    folder
        Every ``.py`` file in it with an ``agent``, a function of an observation and a generator or
        a class of such, is a contestant; ``name = "…"`` in it is how it is called.
    games
        For each group that meets (with `swiss`, in each round), rounded up to whole deals: every
        deal is played in every rotation of the seats, and all groups of a stage play the same.
    seed
        Any integer from 0; `None` draws a long one, or goes on with that of `path`. A small one
        can be guessed from the first market, and with it all the decks.
    players
        Seats at a table: 2, 3 or 4.
    swiss
        So many rounds among neighbors in rank; without it every group meets, which with 3 or 4
        seats soon are very many.
    finals
        So many of the best, agents of the kit not counted, play each other again on fresh deals.
    references
        Agents of the kit that join in.
    beginners
        Whether a random legal action takes the place of a fault, up to the third in a game; without
        it, the first one forfeits the game.
    limits
        See `Limits`.
    path
        The folder of the result, ``<folder>-contest`` if not said. The same call goes on with what
        is there: only what is missing, and what files that have changed had played, is played.
    workers
        How many games run at once: the number of cores if not said. Where agents think by the
        clock, half of them leaves each a core of its own.
    progress
        Whether to show a bar; if not said, from the second second on.
    rules, **options
        As for `new_game`.

    Raises
    ------
    TypeError, ValueError
        For what is not allowed, where there are no agents, and where too few can play.
    RecordError
        Where `path` holds something else, or a contest with other settings.
    KeyboardInterrupt
        Where it was interrupted; the games that are finished are kept.
    """
    entrants = [*find_references(references), *find_files(folder)]
    form = _Form(
        players=check_whole_number("players", players, 2, 4),
        games=check_whole_number("games", games, 1),
        swiss=None if swiss is None else check_whole_number("swiss", swiss, 1),
        finals=None if finals is None else check_whole_number("finals", finals, players),
    )
    if limits is not None and not isinstance(limits, Limits):
        raise TypeError(f"limits are Limits(…), not {shortened(limits)}.")
    workers = check_whole_number("workers", workers or os.cpu_count() or 1, 1, 256)
    store = ContestFolder(_path_beside(folder) if path is None else Path(path))
    settings = _settings(form, seed, store, beginners, limits or Limits(), rules, options)
    store.open(settings, entrants)
    admitted = admit(entrants, limits or Limits(), store.logs, workers)
    playing = [entrant for entrant in admitted if not entrant.refused]
    _check_enough(admitted, playing, form)
    hall = Hall(store, playing, settings, limits or Limits(), workers)
    with bar(form.total(playing), 0, progress) as shown:
        stages = _play(hall, form, playing, settings["seed"], shown)
    result = Contest(store.path, settings, admitted, stages)
    result.save_tables()
    return result


class _Form(NamedTuple):
    """The form of a contest: who meets whom, how often."""

    players: int
    games: int
    swiss: int | None
    finals: int | None

    def deals(self, stage: int) -> range:
        """Return the deals of a stage, counted from 0; no two stages share one."""
        deals = -(-self.games // self.players)
        return range(stage * deals, (stage + 1) * deals)

    def total(self, entrants: Sequence[Entrant]) -> int:
        """Return the number of games among so many."""
        students = sum(not entrant.is_reference for entrant in entrants)
        tables = (
            math.comb(len(entrants), self.players)
            if self.swiss is None
            else self.swiss * (len(entrants) // self.players)
        )
        tables += math.comb(min(self.finals or 0, students), self.players)
        return tables * len(self.deals(0)) * self.players


class Hall:
    """Where the games of a contest are played, several at once.

    Parameters
    ----------
    store
        Where finished games are kept.
    entrants
        Those that play.
    settings
        What is played.
    limits
        What each contestant may use.
    workers
        How many games run at once.
    """

    def __init__(
        self,
        store: ContestFolder,
        entrants: Sequence[Entrant],
        settings: Mapping[str, Any],
        limits: Limits,
        workers: int,
    ) -> None:
        self._store, self._settings, self._limits = store, settings, limits
        self._workers = workers
        self._entrants = {entrant.id: entrant for entrant in entrants}
        self._tables: Tables = tables_for(
            make_components(**(settings["components"] or {})), make_rules(settings["rules"])
        )
        self._strikes = STRIKES if settings["beginners"] else 1
        self._stopped = threading.Event()

    def play(self, matches: Sequence[Match], shown: Any) -> list[GameLine]:
        """Return the games of matches, in order; those that the store has are not played again."""
        with ThreadPoolExecutor(self._workers) as pool:
            try:
                tasks = [pool.submit(self._play_match, match) for match in matches]
                for task in as_completed(tasks):
                    shown.update(task.result())
            except BaseException:
                self._stopped.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        lines = self._store.lines
        return [lines[match.table, *game] for match in matches for game in match.games()]

    def _play_match(self, match: Match) -> int:
        """Play what is missing of a match, by one process for each contestant."""
        games = list(match.games())
        missing = [game for game in games if (match.table, *game) not in self._store.lines]
        table = [self._entrants[one] for one in match.table]
        with ExitStack() as stack:
            boxes = [
                stack.enter_context(
                    Sandbox(one.agent, self._limits, log=log_of(self._store.logs, one))
                )
                for one in table
            ]
            for deal, rotation in missing:
                self._play_game(table, boxes, deal, rotation)
        return len(games)

    def _play_game(
        self, table: Sequence[Entrant], boxes: Sequence[Sandbox], deal: int, rotation: int
    ) -> None:
        seed, players = self._settings["seed"], len(table)
        seated = [(seat + rotation) % players for seat in range(players)]
        played = play_seated(
            deal_out(self._tables, players, Rng.stream(seed, deal, DEAL)),
            [boxes[place] for place in seated],
            [Player(table[place].name, table[place].id) for place in seated],
            [Rng.stream(seed, deal, seat + 1) for seat in range(players)],
            strikes=self._strikes,
            stopped=self._stopped.is_set,
        )
        line = self._store.add(table, deal, rotation, played)
        for fault in line.faults:
            entrant = table[seated[fault.seat]]
            with log_of(self._store.logs, entrant).open("a", encoding="utf-8") as log:
                log.write(f"[{line.file}, turn {fault.turn}] {fault.kind}: {fault.text}\n")


def _play(
    hall: Hall, form: _Form, playing: Sequence[Entrant], seed: int, shown: Any
) -> dict[str, list[GameLine]]:
    """Return the games of all stages; what comes next may depend on what came out."""
    ids = [entrant.id for entrant in playing]
    stages: dict[str, list[GameLine]] = {}
    if form.swiss is None:
        league = round_robin(LEAGUE, ids, form.players, form.deals(0))
        stages[LEAGUE] = hall.play(league, shown)
    for matches in _swiss_rounds(form, ids, seed, stages):
        stages[matches[0].stage] = hall.play(matches, shown)
    students = [entrant.id for entrant in playing if not entrant.is_reference]
    if form.finals is not None and len(students) >= form.players:
        best = [one for one in _ranked(ids, stages) if one in students][: form.finals]
        final = round_robin(FINAL, best, form.players, form.deals(form.swiss or 1))
        stages[FINAL] = hall.play(final, shown)
    return stages


def _swiss_rounds(
    form: _Form, ids: Sequence[str], seed: int, stages: Mapping[str, Sequence[GameLine]]
) -> Iterator[list[Match]]:
    """Yield the matches of each Swiss round, by the results so far."""
    order, played = list(ids), list[Match]()
    Rng.stream(seed, 0, PAIRING).shuffle(order)
    for number in range(1, (form.swiss or 0) + 1):
        matches = swiss_round(
            number, _ranked(order, stages), played, form.players, form.deals(number - 1)
        )
        played += matches
        yield matches


def _ranked(order: Sequence[str], stages: Mapping[str, Sequence[GameLine]]) -> list[str]:
    """Return contestants, the best first; equal ones as they came."""
    shares, opponents = scores(line for lines in stages.values() for line in lines)
    places = rank(shares, opponents)
    return sorted(order, key=lambda one: places.get(one, len(order) + 1))


def _settings(
    form: _Form,
    seed: int | None,
    store: ContestFolder,
    beginners: bool,
    limits: Limits,
    rules: str | Mapping[str, Any],
    options: Mapping[str, Any],
) -> dict[str, Any]:
    """Return what every game depends on; with other settings it is another contest."""
    if not isinstance(beginners, bool):
        raise TypeError(f"beginners is True or False, not {shortened(beginners)}.")
    parts = {name: options[name] for name in ("cards", "nobles", "tokens") if name in options}
    rest = {name: value for name, value in options.items() if name not in parts}
    if seed is None:
        seed = store.seed()
    return {
        "version": __version__,
        "seed": secrets.randbits(SEED_BITS) if seed is None else checked_seed(seed),
        "players": form.players,
        "beginners": beginners,
        "limits": asdict(limits),
        "rules": dict(make_rules(rules, **rest)),
        "components": make_components(**parts).to_dict(),
    }


def _check_enough(admitted: Sequence[Entrant], playing: Sequence[Entrant], form: _Form) -> None:
    students = [entrant for entrant in playing if not entrant.is_reference]
    if students and len(playing) >= form.players:
        return
    refused = [f"{entrant.id}: {entrant.refused}" for entrant in admitted if entrant.refused]
    if not students:
        raise ValueError("\n".join(["No file can play:", *refused]))
    few = f"A table has {form.players} seats, and only {len(playing)} can play."
    raise ValueError("\n".join([few, *refused]))


def _path_beside(folder: str | os.PathLike[str]) -> Path:
    path = Path(folder).resolve()
    return path.with_name(f"{path.name}-contest")
