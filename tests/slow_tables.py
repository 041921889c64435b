"""The tables of a simulation once more, slowly: whole games by readers of `State` alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any

import pandas as pd

from splendor_nb import GameRecord, Rng, State, get_agent
from splendor_nb.engine.options import make_components, make_rules
from splendor_nb.engine.position import tables_for
from splendor_nb.engine.state import deal

COLORS = "WUGRK"
COLUMNS = {
    "games": "game deal rotation players turns rounds end_reason winners",
    "seats": "game seat agent turns points card_points noble_points bought reserved nobles "
    "gems_taken gold_taken returned win_share",
    "purchases": "game turn seat card level bonus points source gems_paid gold_paid",
    "visits": "game turn seat noble",
    "faults": "game turn seat kind text",
    "actions": "game turn seat step action",
}

Row = tuple[Any, ...]
Rows = dict[str, list[Row]]
Choose = Callable[..., str]
Step = tuple[State, str, State]  # before, the action, after


# --- games by the plain engine


def fresh_deal(players: int, seed: int, number: int, **options: Any) -> State:
    """The deal of that number under a master seed: its stream is that of role 0."""
    parts = {name: options.pop(name, None) for name in ("cards", "nobles", "tokens")}
    rules = make_rules(options.pop("rules", "standard"), **options)
    tables = tables_for(make_components(**parts), rules)
    return deal(tables, players, Rng.stream(seed, number, 0))


def played(
    agents: Sequence[str | Choose], seed: int, game: int, *, rotate: bool = True, **options: Any
) -> tuple[State, list[str]]:
    """The deal and the actions of one game of a simulation: roles 1 to 4 are the seats' agents."""
    k = len(agents)
    number, rotation = divmod(game, k) if rotate else (game, 0)
    start = state = fresh_deal(k, seed, number, **options)
    seated = [agents[(seat + rotation) % k] for seat in range(k)]
    callables = [get_agent(agent) if isinstance(agent, str) else agent for agent in seated]
    rngs = [Rng.stream(seed, number, seat + 1) for seat in range(k)]
    actions: list[str] = []
    while (seat := state.current_player) is not None:
        actions.append(str(callables[seat](state.observation(seat), rngs[seat])))
        state = state.apply(actions[-1])
    return start, actions


# --- their tables


def slow_tables(sim: Any, *, rotate: bool = True) -> Rows:
    """All tables of a simulation as lists of rows, worked out from its records."""
    tables: Rows = {name: [] for name in COLUMNS}
    for game in range(len(sim)):
        record = sim.record(game)
        rotation = game % sim.players if rotate else 0
        number = game // sim.players if rotate else game
        steps = list(steps_of(record))
        tables["games"].append((game, number, rotation, *game_row(record, steps)))
        names = [sim.agents[(seat + rotation) % sim.players] for seat in range(sim.players)]
        for seat, name in enumerate(names):
            tables["seats"].append((game, seat, name, *seat_row(record, steps, seat)))
        for kind, events in (("purchases", purchases), ("visits", visits), ("actions", actions)):
            tables[kind] += [(game, *row) for row in events(steps)]
        tables["faults"] += [
            (game, fault.turn, fault.seat, fault.kind, fault.text) for fault in record.faults
        ]
    return tables


def rows_of(sim: Any) -> Rows:
    """All tables of a simulation as lists of rows, as they are."""
    return {name: rows(getattr(sim, name)) for name in COLUMNS}


def rows(table: pd.DataFrame) -> list[Row]:
    """A table as a list of rows."""
    return list(table.astype(object).itertuples(index=False, name=None))


def steps_of(record: GameRecord) -> Iterator[Step]:
    """Each action with the positions before and after it."""
    for (before, after), action in zip(pairwise(record.states()), record.actions, strict=True):
        yield before, str(action), after


def game_row(record: GameRecord, steps: list[Step]) -> Row:
    """Players, turns, rounds, how it ended, how many share the win."""
    last = record.state
    reason = "forfeit" if record.forfeited else last.end_reason
    # A forfeit happens in a turn that has begun; any other end comes after a turn.
    begun = last.turn if record.forfeited else steps[-1][0].turn
    rounds = begun // last.players + 1
    return last.players, last.turn, rounds, reason, len(winners(record))


def seat_row(record: GameRecord, steps: list[Step], seat: int) -> Row:
    """Turns, points, cards, nobles, what was taken, reserved and returned, the share of the win."""
    mine = [step for step in steps if step[0].current_player == seat]
    end = record.state.seats[seat]
    noble_points = sum(noble.points for noble in end.nobles)
    won = winners(record)
    return (
        sum(after.turn > before.turn for before, _, after in mine),
        end.points,
        sum(card.points for card in end.bought),
        noble_points,
        len(end.bought),
        sum(action.startswith("reserve") for _, action, _ in mine),
        len(end.nobles),
        sum(gained(step, COLORS) for step in mine if step[1].startswith("take")),
        sum(gained(step, "*") for step in mine if step[1].startswith("reserve")),
        sum(-gained(step, COLORS + "*") for step in mine if step[1].startswith("return")),
        1 / len(won) if seat in won else 0.0,
    )


def gained(step: Step, gems: str) -> int:
    """How many of these tokens the one who acts has more than before."""
    before, _, after = step
    seat = before.current_player
    assert seat is not None
    return sum(after.seats[seat].tokens[g] - before.seats[seat].tokens[g] for g in gems)


def winners(record: GameRecord) -> list[int]:
    """Who wins: most points, then fewest cards [R16]; a seat that forfeits does not."""
    out = record.faults[-1].seat if record.forfeited else None
    by_cards = record.start.rules.tie_break == "fewest_cards"
    score = {
        seat: (end.points, -len(end.bought) if by_cards else 0)
        for seat, end in enumerate(record.state.seats)
        if seat != out
    }
    return [seat for seat in score if score[seat] == max(score.values())]


def purchases(steps: list[Step]) -> Iterator[Row]:
    """A row for each card that somebody has more than before."""
    for step in steps:
        before, _, after = step
        seat = before.current_player
        assert seat is not None
        held, now = before.seats[seat], after.seats[seat]
        if len(now.bought) > len(held.bought):
            card = now.bought[-1]
            source = "reserve" if card in held.reserved else "market"
            paid = -gained(step, COLORS), -gained(step, "*")
            what = card.name, card.level, card.bonus, card.points
            yield (before.turn, seat, *what, source, *paid)


def visits(steps: list[Step]) -> Iterator[Row]:
    """A row for each noble that has left the table."""
    for before, _, after in steps:
        for noble in before.nobles:
            if noble not in after.nobles:
                yield before.turn, before.current_player, noble.name


def actions(steps: list[Step]) -> Iterator[Row]:
    """A row for each action, numbered within its turn."""
    turn, step = -1, 0
    for before, action, _ in steps:
        step = step + 1 if before.turn == turn else 0
        turn = before.turn
        yield turn, before.current_player, step, action


def points_by_round(sim: Any) -> dict[tuple[str, int], list[int]]:
    """The points of each agent after each round, one number a game; a game that is over stays."""
    rounds = max(sim.games["rounds"])
    points: dict[tuple[str, int], list[int]] = {
        (agent, number): [] for agent in sim.agents for number in range(1, rounds + 1)
    }
    for game in range(len(sim)):
        record = sim.record(game)
        seated = [seat.name for seat in record.seats]
        states = list(record.states())
        for number in range(1, rounds + 1):
            ended = [state for state in states if state.turn == number * sim.players]
            state = ended[0] if ended else states[-1]
            for seat, agent in enumerate(seated):
                points[agent, number].append(state.seats[seat].points)
    return points
