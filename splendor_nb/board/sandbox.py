"""`sandbox`: any position on the board in this cell, to try things out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from splendor_nb.agents.referee import refuse_useless
from splendor_nb.board.sandbox_controls import show_sandbox
from splendor_nb.board.sandbox_session import (
    SandboxSession,
    SandboxWords,
    course_of,
    sandbox_table,
)
from splendor_nb.board.sandbox_text import checked, read_data, read_text
from splendor_nb.engine.forms import check_whole_number, shortened
from splendor_nb.engine.records import GameRecord
from splendor_nb.engine.rng import checked_seed
from splendor_nb.engine.state import Observation, State, new_game

Position = State | GameRecord | Mapping[str, Any] | str


def sandbox(
    state: Position | None = None,
    *,
    players: int | None = None,
    names: Sequence[str] | None = None,
    seed: int | None = None,
    rules: Any = "standard",
    first_player: int | str = 0,
    ui: str = "board",
    controls: bool = True,
    size: str = "normal",
    dir: str = "ltr",  # noqa: A002  (the name that HTML gives it)
    language: str = "en",
    **options: Any,
) -> SandboxSession:
    """Show a sandbox in this cell, openly marked as one, and return it.

    Everybody's decisions are made at the board, all cards lie open, and everything can be taken
    back. The controls around the board keep branches, set up any position, ask `solve`,
    `forced_win` and `analyze` about it, and give it as text.

    Parameters
    ----------
    state
        A position, or a saved game to go on with: a `State`, a `GameRecord`, or either as JSON
        or its text. `None` deals anew.
    players
        The number of seats of a fresh deal, 2 to 4; without it, there are 2.
    names
        The names of the seats; any text.
    seed
        Any integer from 0, for a fresh deal; `None` draws one.
    rules, first_player, **options
        As for `new_game`; also ``cards``, ``nobles``, ``tokens``.
    ui, controls, size, dir, language
        As for `play`; `controls` are those of the sandbox.

    Returns
    -------
    SandboxSession
        ``box.state``, ``box.act("take WUG")``, ``box.take_back()``, ``box.branch("a")``,
        ``box.return_to("a")``, ``box.set_up(tokens={0: "2W"})``, ``box.to_text()``,
        ``box.paste(text)``, ``box.solve()``, ``box.forced_win()``, ``box.analyze()``.

    Raises
    ------
    RecordError
        Where the position breaks a rule; the message names the place.
    TypeError, ValueError
        For what is not allowed; the message names what is.

    Examples
    --------
    >>> box = sandbox(seed=7, target=10)
    >>> box.act("take WUG")
    >>> box.take_back()
    >>> box.state.turn, box.state.rules.target
    (0, 10)
    """
    words = SandboxWords(language)
    dealing = {"rules": rules, "first_player": first_player, **options}
    if state is None:
        given = checked_seed(seed)
        seats = 2 if players is None else check_whole_number("players", players, 2, 4)
        found: State | GameRecord = new_game(seats, seed=given, **dealing)
    else:
        given = 0
        refuse_useless("The position has been dealt already", players=players, seed=seed, **dealing)
        found = _found(state)
    course = course_of(found)
    record = GameRecord(course.start, course.actions)
    table = sandbox_table(course.start, words, names)
    box = SandboxSession(table, given, record=record, words=words)
    show_sandbox(box, ui=ui, controls=controls, size=size, direction=dir)
    return box


def _found(given: object) -> State | GameRecord:
    """Return the position or the game that is given in one of the forms that it can have."""
    if isinstance(given, State):
        return checked(given)
    if isinstance(given, GameRecord):
        return given
    if isinstance(given, str):
        return read_text(given)
    if isinstance(given, Mapping):
        return read_data(given)
    if isinstance(given, Observation):
        raise TypeError("A sandbox needs the whole position, a State; this is what one seat knows.")
    raise TypeError(
        "sandbox() takes a State, a GameRecord, or one of them as JSON or its text, "
        f"not {' '.join(shortened(given).split())}."
    )
