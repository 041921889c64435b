"""The loader: compiles modules written like `rules`, with plain Python as the fallback.

Every function of these modules is compiled into a second namespace, so that calls between them
reach compiled twins, while the plain functions stay as they are. Compiled code works on numpy
records that have the fields of `Position` and `Tables` under the same names.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib.util
import inspect
import os
import sys
import threading
from collections.abc import Collection, Iterator
from pathlib import Path
from types import FunctionType, ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

from splendor_nb.engine.options import make_components, make_rules
from splendor_nb.engine.position import LISTS, NUMBERS, TABLES, Position, Tables, tables_for

if TYPE_CHECKING:
    import numpy as np

SEATS = 4  # records have room for four, so that one compilation serves all numbers of players
LEVEL_SIZE, DECK_SIZE = 40, 90  # and for the base game's cards, or more where there are more
MASKS = ("visits", "content")  # sets of nobles, as bits

_ONE_AT_A_TIME = threading.Lock()  # where compiled code is kept is a setting of the whole process

_TABLE_NUMBERS = (
    "choose_payment",
    "empty",
    "nobles",
    "take_fewer",
    "target",
    "tie_break",
    "turn_limit",
    "unseen_reserve",
)
_TABLE_ARRAYS = (
    "bonus",
    "content",
    "cost",
    "deck_size",
    "decks",
    "level",
    "missing",
    "n_takes",
    "noble_points",
    "piles",
    "points",
    "take_colors",
    "take_gems",
    "take_size",
    "takes",
)


def has_numba() -> bool:
    """Return whether Numba is installed here."""
    return importlib.util.find_spec("numba") is not None


def compile_modules(
    *modules: ModuleType,
    debug: bool = False,
    entries: Collection[str] | None = None,
    inlined: Collection[str] = (),
) -> SimpleNamespace:
    """Return the functions of modules as compiled twins, plain where Numba is missing.

    Parameters
    ----------
    *modules
        Modules written like `rules`, each after those that it imports from.
    debug
        Whether to check bounds, which makes a wrong index an error; nothing is kept then.
    entries
        The functions that Python is going to call, all of them by default. The others then do
        without their way in from Python, which takes a quarter of the time of compiling.
    inlined
        Functions that are written into those that call them, since that is in one place: large
        ones would otherwise be translated once more for each step down to them.

    Returns
    -------
    SimpleNamespace
        The functions by name, the entries alone where they are named.
    """
    names = [name for module in modules for name in _functions(module)]
    entries = names if entries is None else entries
    if not has_numba():
        _say_plain()
        plain = {name: f for module in modules for name, f in _functions(module).items()}
        return SimpleNamespace(**{name: plain[name] for name in entries})
    with _ONE_AT_A_TIME:
        return _compile(modules, frozenset(entries), frozenset(inlined), debug=debug)


def _compile(
    modules: tuple[ModuleType, ...],
    entries: frozenset[str],
    inlined: frozenset[str],
    *,
    debug: bool,
) -> SimpleNamespace:
    import numba

    namespace: dict[str, Any] = {}
    options: dict[str, Any] = (
        {"boundscheck": True} if debug else {"cache": _cache_folder() is not None}
    )
    inner = options | {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    with _cache_for(modules, [*sorted(entries), "inlined", *sorted(inlined)]):
        for module in modules:
            namespace.update(_constants(module))
            for name, function in _functions(module).items():
                twin = FunctionType(function.__code__, namespace, name, function.__defaults__)
                twin.__module__ = function.__module__
                chosen = options if name in entries else inner
                if name in inlined:
                    chosen = chosen | {"inline": "always"}
                namespace[name] = numba.njit(nogil=True, **chosen)(twin)
    return SimpleNamespace(**{name: namespace[name] for name in entries})


def pack_position(position: Position, tables: Tables) -> np.ndarray[Any, Any]:
    """Return a position as one numpy record, in an array of length 1."""
    import numpy as np

    record = np.zeros(1, position_dtype(tables))
    for name in NUMBERS:
        record[name] = getattr(position, name)
    for name in ("reserved", "bought", "decks"):
        record[name] = tables.empty
    for name in (*LISTS, *TABLES):
        _fill(record[0][name], getattr(position, name))
    return record


def unpack_position(record: Any, tables: Tables) -> Position:
    """Return a numpy record as a position.

    Parameters
    ----------
    record
        One record, such as ``pack_position(…)[0]``.
    tables
        The tables of the game.
    """
    position = Position(tables, int(record["players"]))
    for name in NUMBERS:
        setattr(position, name, int(record[name]))
    for name in LISTS:
        setattr(position, name, record[name][: len(getattr(position, name))].tolist())
    for name in TABLES:
        rows = getattr(position, name)
        kept = [record[name][i][: len(row)].tolist() for i, row in enumerate(rows)]
        setattr(position, name, kept)
    return position


def pack_tables(tables: Tables) -> np.ndarray[Any, Any]:
    """Return the tables of a game as one numpy record, in an array of length 1."""
    import numpy as np

    base = _base_shapes()
    arrays = {
        name: _padded(_rectangle(getattr(tables, name)), base.get(name, ()))
        for name in _TABLE_ARRAYS
    }
    numbers = [(name, np.int64) for name in _TABLE_NUMBERS]
    fields = [(name, _kind(name), array.shape) for name, array in arrays.items()]
    record = np.zeros(1, np.dtype([*numbers, *fields], align=True))
    for name in _TABLE_NUMBERS:
        record[name] = getattr(tables, name)
    for name, array in arrays.items():
        record[name] = array
    return record


@functools.lru_cache(maxsize=16)
def packed_tables(tables: Tables) -> Any:
    """Return the record of the tables of a game, made once for each."""
    return pack_tables(tables)[0]


def position_dtype(tables: Tables) -> np.dtype[Any]:
    """Return the form of a position's record: the fields of `Position`, with room for four."""
    import numpy as np

    level = max(LEVEL_SIZE, *(len(deck) for deck in tables.decks))
    shapes = {
        "gold_for": (5,),
        "bank": (6,),
        "market": (12,),
        "deck_size": (3,),
        "decks": (3, level),
        "tokens": (SEATS, 6),
        "bonuses": (SEATS, 5),
        "reserved": (SEATS, 3),
        "hidden": (SEATS, 3),
        "bought": (SEATS, max(DECK_SIZE, tables.empty)),
    }
    numbers = [(name, np.int64) for name in NUMBERS]
    arrays = [(name, _kind(name), shapes.get(name, (SEATS,))) for name in (*LISTS, *TABLES)]
    return np.dtype([*numbers, *arrays], align=True)


def _kind(name: str) -> Any:
    import numpy as np

    return np.int64 if name in MASKS else np.int16


def _fill(target: Any, source: Any) -> None:
    for place, value in enumerate(source):
        if isinstance(value, list):
            target[place][: len(value)] = value
        else:
            target[place] = value


def _rectangle(rows: Any) -> Any:
    """Return nested tuples as an array, short rows lengthened by their last number."""
    import numpy as np

    if rows and isinstance(rows[0], tuple) and not (rows[0] and isinstance(rows[0][0], tuple)):
        width = max(map(len, rows))
        rows = [[*row, *(row[-1:] or (0,)) * (width - len(row))] for row in rows]
    return np.array(rows, np.int64)


def _padded(array: Any, least: tuple[int, ...]) -> Any:
    """Return an array that is at least so large, by rows that nothing reads.

    So cards and nobles of one's own need no other compiled code, unless there are more of them.
    """
    import numpy as np

    if not array.size:
        return np.zeros(least, np.int64)
    more = [(0, max(0, size - have)) for size, have in zip(least, array.shape, strict=False)]
    return np.pad(array, more, mode="edge")


@functools.cache
def _base_shapes() -> dict[str, tuple[int, ...]]:
    """Return the shapes of the base game's tables."""
    base = tables_for(make_components(), make_rules())
    return {name: _rectangle(getattr(base, name)).shape for name in _TABLE_ARRAYS}


def _functions(module: ModuleType) -> dict[str, FunctionType]:
    """Return the functions without annotations that a module defines: those meant to compile."""
    return {
        name: function
        for name, function in vars(module).items()
        if inspect.isfunction(function)
        and function.__module__ == module.__name__
        and not function.__annotations__
    }


def _constants(module: ModuleType) -> dict[str, int]:
    return {name: value for name, value in vars(module).items() if isinstance(value, int)}


@contextlib.contextmanager
def _cache_for(modules: tuple[ModuleType, ...], choices: Collection[str] = ()) -> Iterator[None]:
    """Keep what is compiled in a folder named after all sources that are compiled together."""
    from numba.core import config as numba_config

    config: Any = numba_config
    folder, before = _cache_folder(), config.CACHE_DIR
    if folder is not None:
        sources = "".join([*map(inspect.getsource, modules), *choices])
        kept = folder / hashlib.sha256(sources.encode()).hexdigest()[:16]
        if not kept.exists():
            sys.stderr.write("Compiling the rules for this machine, this once: some seconds.\n")
        config.CACHE_DIR = str(kept)
    try:
        yield
    finally:
        config.CACHE_DIR = before


@functools.cache
def _cache_folder() -> Path | None:
    """Return where compiled code may be kept between processes; `None` if nowhere."""
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    folder = (Path(home) if home else Path.home() / ".cache") / "splendor-nb"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


@functools.cache
def _say_plain() -> None:
    """Say once that nothing is compiled here."""
    sys.stderr.write("Numba is not installed here: games run in plain Python, only slower.\n")
