"""Who takes part: students' files and agents of the kit, each tried once before the contest."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from splendor_nb import __version__
from splendor_nb.agents.registry import get_agent
from splendor_nb.engine.forms import shortened
from splendor_nb.engine.rng import Rng
from splendor_nb.engine.state import new_game
from splendor_nb.games.sandbox import Limits, Sandbox, Trouble

LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Entrant:
    """One that wants to take part.

    Attributes
    ----------
    id
        The name of its file, or of an agent of the kit.
    agent
        The file, or that name.
    digest
        A hash of the file: a changed one plays again.
    name
        How it is called: what its file says in ``name``, or else the file's own name.
    refused
        Why it cannot play, in a sentence; empty where it can.
    """

    id: str
    agent: Path | str
    digest: str
    name: str
    refused: str = ""

    @property
    def is_reference(self) -> bool:
        """Whether it is an agent of the kit."""
        return isinstance(self.agent, str)


def find_files(folder: str | os.PathLike[str]) -> list[Entrant]:
    """Return the students' files of a folder, by name; those that begin with ``_`` or ``.`` rest.

    Raises
    ------
    ValueError
        Where there are none, or no such folder.

    Examples
    --------
    >>> find_files("nowhere")
    Traceback (most recent call last):
        ...
    ValueError: There is no folder 'nowhere'; a contest takes one with agents.
    """
    path = Path(folder)
    if not path.is_dir():
        raise ValueError(f"There is no folder {str(path)!r}; a contest takes one with agents.")
    files = sorted(file for file in path.glob("*.py") if file.name[0] not in "._")
    if not files:
        raise ValueError(
            f"There is no agent in {str(path)!r}: every .py file there with an 'agent' takes part."
        )
    return [Entrant(file.name, file, _hash(file), file.stem) for file in files]


def find_references(names: Iterable[str]) -> list[Entrant]:
    """Return agents of the kit that take part.

    Raises
    ------
    TypeError, ValueError
        Where there is no agent of such a name, or it is named twice.

    Examples
    --------
    >>> [entrant.name for entrant in find_references(["random", "greedy"])]
    ['random', 'greedy']
    """
    if isinstance(names, str):
        raise TypeError(f"references is a list of names of agents, not {shortened(names)}.")
    found: list[Entrant] = []
    for name in names:
        agent = get_agent(name)
        agent(new_game(seed=0).observation(0), Rng(0))  # what has to be compiled is, this once
        if name in [entrant.id for entrant in found]:
            raise ValueError(f"references: {name!r} is there twice.")
        found.append(Entrant(name, name, f"splendor_nb {__version__}", name))
    return found


def admit(
    entrants: Sequence[Entrant], limits: Limits, logs: Path, workers: int
) -> tuple[Entrant, ...]:
    """Return the entrants with their names and, where one cannot play, the reason.

    Every file is run once, within the limits. Equal names are numbered.
    """

    def tried(entrant: Entrant) -> Entrant:
        return entrant if entrant.is_reference else _try(entrant, limits, log_of(logs, entrant))

    with ThreadPoolExecutor(workers) as pool:
        return tuple(_number_equal(list(pool.map(tried, entrants))))


def log_of(logs: Path, entrant: Entrant) -> Path:
    """Return the file that holds what an entrant prints.

    Examples
    --------
    >>> log_of(Path("logs"), Entrant("anna.py", Path("anna.py"), "", "Anna")).name
    'anna.py.log'
    """
    return logs / f"{entrant.id}.log"


def _try(entrant: Entrant, limits: Limits, log: Path) -> Entrant:
    with Sandbox(entrant.agent, limits, log=log) as sandbox:
        answer = sandbox.start()
    if isinstance(answer, Trouble):
        return replace(entrant, refused=answer.text)
    name = (answer or "").strip()[:LONGEST_NAME]
    return replace(entrant, name=name or entrant.name)


def _number_equal(entrants: Sequence[Entrant]) -> list[Entrant]:
    seen: Counter[str] = Counter()
    taken = {entrant.name for entrant in entrants}
    named = []
    for entrant in entrants:
        seen[entrant.name] += 1
        name = entrant.name
        if seen[entrant.name] > 1:
            while (name := f"{entrant.name}#{seen[entrant.name]}") in taken:
                seen[entrant.name] += 1
            taken.add(name)
        named.append(replace(entrant, name=name))
    return named


def _hash(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()[:16]
