"""One run beside another on the same deals: what a rule, a noble or an agent changes."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from splendor_nb.analysis.outcomes import agent_names, seats_with_deals, share
from splendor_nb.engine.forms import shortened
from splendor_nb.games.intervals import Interval, clustered
from splendor_nb.games.simulation import MEASURES, Simulation


def paired_differences(first: Simulation, second: Simulation) -> pd.DataFrame:
    """Return what the second run has more of than the first, on the same deals.

    Deal by deal the runs start from the same cards, so that most of their luck is the same in
    both: the difference is much more certain than two runs apart would be.

    Parameters
    ----------
    first, second
        Runs with the same seed, agents and games, such as under two sets of rules.

    Returns
    -------
    pandas.DataFrame
        A row for each agent and measure: ``agent``; ``measure``, ``rounds`` or a column of
        `Simulation.seats`; the means ``first`` and ``second``; ``difference``, second less first,
        with ``low`` and ``high``; ``deals``. Where one agent plays all seats, they count together.

    Raises
    ------
    ValueError
        Where the runs are not of the same deals and agents.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> runs = [simulate("greedy", games=300, seed=1, rules=rules, progress=False)
    ...         for rules in ("standard", "uzbek_sundanese")]
    >>> table = paired_differences(*runs).set_index("measure")
    >>> float(table.second["gold_taken"]), bool(table.high["gold_taken"] < 0)
    (0.0, True)
    """
    _need_same_deals(first, second)
    names = dict(zip(first.agents, agent_names(first), strict=True))
    before, after = (_measured(sim, names) for sim in (first, second))
    rows = []
    for agent in dict.fromkeys(names.values()):
        mine = before["agent"] == agent
        for measure in ("rounds", *MEASURES):
            old, new = before.loc[mine, measure], after.loc[mine, measure]
            change = clustered(new - old, before.loc[mine, "deal"])
            rows.append((agent, measure, old.mean(), new.mean(), *change))
    columns = ["agent", "measure", "first", "second", "difference", "low", "high", "deals"]
    return pd.DataFrame(rows, columns=columns)


def other_winner(first: Simulation, second: Simulation) -> Interval:
    """Return the share of games that somebody else wins in the second run, on the same deals.

    A win that is shared in one of the runs and not in the other counts too.

    Parameters
    ----------
    first, second
        Runs with the same seed, agents and games.

    Raises
    ------
    ValueError
        Where the runs are not of the same deals and agents.

    Examples
    --------
    >>> from splendor_nb import simulate
    >>> games = simulate("greedy", games=300, seed=1, progress=False)
    >>> other_winner(games, games).estimate
    0.0
    """
    _need_same_deals(first, second)
    changed = first.seats["win_share"] != second.seats["win_share"]
    by_game = changed.groupby(first.seats["game"]).any()
    return share(by_game, first.games["deal"])


def _measured(sim: Simulation, names: Mapping[str, str]) -> pd.DataFrame:
    seats = seats_with_deals(sim).merge(sim.games[["game", "rounds"]], on="game")
    return seats.assign(agent=seats["agent"].astype("str").map(dict(names)))


def _need_same_deals(first: Simulation, second: Simulation) -> None:
    for what in ("seed", "agents", "players"):
        one, other = getattr(first, what), getattr(second, what)
        if one != other:
            raise ValueError(
                f"The runs are not of the same deals: {what} is {shortened(one)} in the first and "
                f"{shortened(other)} in the second."
            )
    if len(first) != len(second):
        raise ValueError(
            f"The runs are not of the same games: the first has {len(first)}, "
            f"the second {len(second)}."
        )
    where = ["game", "deal", "rotation"]
    if not first.games[where].equals(second.games[where]):
        raise ValueError("The runs are not of the same deals: rotate_seats differs.")
