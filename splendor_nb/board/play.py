"""`play`: a game of Splendor in this cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from splendor_nb.agents.referee import AgentLike, refuse_useless
from splendor_nb.agents.registry import AGENTS, HUMAN, Agent
from splendor_nb.board.advice import checked_hints
from splendor_nb.board.pace import checked_speed
from splendor_nb.board.session import GameSession, Replay
from splendor_nb.board.show import show
from splendor_nb.board.table import make_table
from splendor_nb.board.words import Words
from splendor_nb.engine.forms import check_whole_number, quoted, shortened
from splendor_nb.engine.records import GameRecord
from splendor_nb.engine.rng import checked_seed
from splendor_nb.engine.state import State

Players = str | Agent | Sequence[AgentLike]


def play(
    game: Players | GameRecord | State = "greedy",
    *,
    agents: Players | None = None,
    players: int | None = None,
    names: Sequence[str] | None = None,
    seed: int | None = None,
    rules: Any = "standard",
    first_player: int | str = 0,
    speed: str = "normal",
    ui: str = "board",
    controls: bool = True,
    size: str = "normal",
    dir: str = "ltr",  # noqa: A002  (the name that HTML gives it)
    language: str = "en",
    hints: str | int = "off",
    evaluation: bool = False,
    **options: Any,
) -> GameSession | Replay:
    """Show the board in this cell, and return the game.

    Parameters
    ----------
    game
        Who plays: one opponent (a name or a callable), against whom you have the first seat, or a
        list with ``"human"`` for every person, in seat order. Or a `GameRecord`: one that is
        running goes on, a finished one opens as a replay. Or a `State` to play from. A record and
        a state bring their own deal, a finished game its players too.
    agents
        Who plays, where `game` is a record or a state.
    players
        The number of seats, 2 to 4, where one opponent is given: it takes all others. Without it,
        there are 2.
    names
        The names of the seats; any text.
    seed
        Any integer from 0, for the deal and the agents; `None` draws one (``game.seed``).
    rules, first_player, **options
        As for `new_game`; also ``cards``, ``nobles``, ``tokens``.
    speed
        How fast agents play: ``"slow"``, ``"normal"``, ``"fast"`` or ``"instant"``.
    ui
        ``"board"``, or ``"controls"``: plain ipywidgets, for front ends without custom widgets.
    controls
        Whether the controls for players, rules, seed and speed stand above the board.
    size
        ``"normal"``, or ``"large"`` for a projector.
    dir
        ``"ltr"``, or ``"rtl"`` to lay the board out from right to left.
    language
        The language of the interface: ``"en"``.
    hints
        Hints of a search for the person to decide: ``"off"``, ``"limited"`` (3 a game),
        ``"free"``, or how many a game.
    evaluation
        Whether the board shows what chance of winning a search gives the only person who plays,
        from what that person knows.

    Returns
    -------
    GameSession or Replay
        ``game.state``, ``game.record``, ``game.act("take WUG")``, ``game.save(path)``.

    Raises
    ------
    TypeError, ValueError
        For what is not allowed; the message names what is.
    """
    words = Words(language)
    checked_speed(speed)
    most_hints = checked_hints(hints)
    dealing = {"rules": rules, "first_player": first_player, **options}
    if isinstance(game, GameRecord | State):
        refuse_useless("A record or a state has been dealt already", players=players, **dealing)
    if isinstance(game, GameRecord) and game.result is not None:
        refuse_useless("A finished game opens as a replay", agents=agents, names=names, seed=seed)
        refuse_useless("Nobody decides in a replay", hints=None if most_hints == 0 else hints)
        shown: GameSession | Replay = Replay(game, words=words)
    else:
        record, lineup = _opening(game, agents, players)
        table = make_table(
            lineup,
            words,
            names=_names_of(game) if names is None else names,
            start=None if record is None else record.start,
            **dealing,
        )
        given = seed if seed is not None or record is None else record.seed
        shown = GameSession(
            table,
            checked_seed(given),
            record=record,
            words=words,
            hints=most_hints,
            evaluation=evaluation,
        )
    show(shown, ui=ui, controls=controls, speed=speed, size=size, direction=dir)
    return shown


def _opening(
    game: Players | GameRecord | State, agents: Players | None, players: int | None
) -> tuple[GameRecord | None, list[AgentLike]]:
    """Return the game to go on with, if one is given, and who sits where."""
    if isinstance(game, State):
        record = GameRecord(start=game)
        return record, _lineup("greedy" if agents is None else agents, game.players)
    if isinstance(game, GameRecord):
        if agents is None:
            return game, _agents_of(game)
        return game, _lineup(agents, game.start.players)
    if agents is not None:
        raise TypeError("agents says who plays a record or a state; here the first argument does.")
    return None, _lineup(game, players)


def _lineup(given: Players, players: int | None) -> list[AgentLike]:
    seats = 2 if players is None else check_whole_number("players", players, 2, 4)
    if isinstance(given, str) or callable(given):
        return [HUMAN, *[given] * (seats - 1)]
    if not isinstance(given, Sequence):
        raise TypeError(
            "play() takes an opponent, a list of players, a GameRecord or a State, "
            f"not {' '.join(shortened(given).split())}."  # in one line, even of a text board
        )
    if players is not None and players != len(given):
        raise ValueError(f"There are {players} seats, but {len(given)} players are listed.")
    return list(given)


def _agents_of(record: GameRecord) -> list[AgentLike]:
    for seat, player in enumerate(record.seats):
        if player.agent != HUMAN and player.agent not in AGENTS:
            raise ValueError(
                f"Seat {seat} was played by {shortened(player.agent)}, which is no agent with a "
                f"name here ({quoted(AGENTS)}); say who plays with agents=[…]."
            )
    return [player.agent for player in record.seats]


def _names_of(game: object) -> list[str] | None:
    """Return who sits at a record's seats; otherwise names are made up."""
    return [player.name for player in game.seats] if isinstance(game, GameRecord) else None
