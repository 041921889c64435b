"""How far away nobles are: from nothing, for pairs and sets of them, and from a position.

Every function returns a tidy table. What is exact and what is a bound is said by a column.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import pandas as pd

from splendor_nb.analysis.noble_gaps import NobleGap, noble_gaps
from splendor_nb.analysis.noble_plans import MOST_CARDS, TOKENS, NoblePlan, noble_plans
from splendor_nb.engine.cards import COLORS, Gems, Noble, base_nobles
from splendor_nb.engine.forms import check_whole_number, quoted, shortened
from splendor_nb.engine.records import GameRecord
from splendor_nb.engine.state import Observation, State

# -- from nothing ----------------------------------------------------------------------------------


def noble_frontier(noble: str | None = None) -> pd.DataFrame:
    """Return the fewest tokens that earn a noble with perfect luck, by number of cards bought.

    Perfect luck: any card lies open when it is wanted, and nobody interferes. Gold counts as a
    token. The numbers come from the plans that are shipped with the kit.

    Parameters
    ----------
    noble
        One of them; by default all ten.

    Returns
    -------
    DataFrame
        noble : name
        most_cards : at most so many cards are bought, 1 to 12
        tokens : what the best plan found spends; missing where there is none
        at_least : no plan spends less; missing where so few cards cannot do it
        status : ``proven``, ``bound`` (whether less is possible is open), ``infeasible``
        turns : own turns of that plan with the bank of two players

    Raises
    ------
    ValueError
        Where there is no such noble.

    Examples
    --------
    >>> frontier = noble_frontier("RK")
    >>> known = frontier[frontier.status == "proven"]
    >>> list(zip(known.most_cards.tolist(), known.tokens.tolist()))
    [(8, 16), (9, 14), (10, 12), (11, 9), (12, 7)]
    """
    chosen = base_nobles() if noble is None else (_noble(noble),)
    rows = [_frontier_row(tile, cards) for tile in chosen for cards in range(1, MOST_CARDS + 1)]
    return _whole(pd.DataFrame(rows), ["tokens", "at_least", "turns"])


def _frontier_row(noble: Noble, cards: int) -> dict[str, Any]:
    row = {"noble": noble.name, "most_cards": cards}
    for plan in noble_plans():
        if plan.question == TOKENS and (plan.noble, plan.most_cards) == (noble.name, cards):
            return {**row, **_found(plan)}
    return {**row, "tokens": None, "at_least": None, "status": "infeasible", "turns": None}


def noble_turns(noble: str | None = None) -> pd.DataFrame:
    """Return the fewest own turns that earn a noble with perfect luck, by number of players.

    The number of players decides how many tokens the bank has; the turns of the others pass
    without an action.

    Parameters
    ----------
    noble
        One of them; by default all ten.

    Returns
    -------
    DataFrame
        noble, players : every pair of them has a row
        turns : own turns of the best plan found; missing where there is none
        at_least : no plan takes fewer
        status : ``proven`` or ``bound``
        cards, tokens : what that plan buys and spends

    Raises
    ------
    ValueError
        Where there is no such noble.

    Examples
    --------
    >>> noble_turns("WUK")[["players", "turns", "status"]].to_dict("list")
    {'players': [2, 3, 4], 'turns': [13, 13, 13], 'status': ['proven', 'proven', 'proven']}
    """
    names = {tile.name for tile in base_nobles()} if noble is None else {_noble(noble).name}
    rows = [
        {"noble": plan.noble, "players": plan.players, **_found(plan), "cards": len(plan.cards)}
        for plan in noble_plans()
        if plan.question != TOKENS and plan.noble in names
    ]
    columns = ["noble", "players", "turns", "at_least", "status", "cards", "tokens"]
    return _whole(pd.DataFrame(rows), ["turns", "at_least", "tokens"])[columns]


def _found(plan: NoblePlan) -> dict[str, Any]:
    return {name: getattr(plan, name) for name in ("tokens", "at_least", "status", "turns")}


# -- pairs and sets --------------------------------------------------------------------------------


def noble_pairs() -> pd.DataFrame:
    """Return what each two nobles have in common.

    Returns
    -------
    DataFrame
        first, second : names, each pair once
        shared : the colors that both ask for, ``"RK"``
        W, U, G, R, K : bonuses that both together ask for, by color
        cards : the fewest cards that earn both
        saved : how many fewer that is than for each alone

    Examples
    --------
    >>> pairs = noble_pairs()
    >>> pairs.nsmallest(2, "cards")[["first", "second", "shared", "cards"]].values.tolist()
    [['RK', 'GRK', 'RK', 11], ['RK', 'WRK', 'RK', 11]]
    """
    rows = []
    for first, second in combinations(base_nobles(), 2):
        both = demand([first, second])
        cards = sum(both.values())
        rows.append(
            {
                "first": first.name,
                "second": second.name,
                "shared": "".join(c for c in COLORS if first.cost[c] and second.cost[c]),
                **both,
                "cards": cards,
                "saved": sum(first.cost.values()) + sum(second.cost.values()) - cards,
            }
        )
    return pd.DataFrame(rows)


def demand(nobles: Iterable[Noble | str]) -> Gems:
    """Return the bonuses that nobles ask for together: of each color the most that one asks for.

    Raises
    ------
    ValueError
        Where there is no such noble.

    Examples
    --------
    >>> demand(["RK", "GRK"])
    Gems({'W': 0, 'U': 0, 'G': 3, 'R': 4, 'K': 4})
    """
    tiles = [_noble(noble) for noble in nobles]
    return Gems(max((tile.cost[color] for tile in tiles), default=0) for color in COLORS)


def fewest_cards(nobles: Iterable[Noble | str], number: int) -> int:
    """Return the fewest cards that earn so many of the nobles.

    Raises
    ------
    TypeError, ValueError
        Where `number` is not from 1 to how many they are, or there is no such noble.

    Examples
    --------
    >>> [fewest_cards(["RK", "GRK", "WU"], number) for number in (1, 2, 3)]
    [8, 11, 19]
    """
    tiles = [_noble(noble) for noble in nobles]
    check_whole_number("number", number, 1, len(tiles))
    return min(sum(demand(some).values()) for some in combinations(tiles, number))


def noble_sets(shown: int) -> pd.DataFrame:
    """Return all sets of nobles that a table may show, each with the same chance in a game.

    Parameters
    ----------
    shown
        How many are shown: one more than there are players, 3 to 5.

    Returns
    -------
    DataFrame
        nobles : their names with spaces
        W, U, G, R, K : bonuses that all together ask for, by color
        one, two, three : the fewest cards that earn one, two, three of them

    Raises
    ------
    TypeError, ValueError
        Where `shown` is not from 3 to 5.

    Examples
    --------
    >>> sets = noble_sets(3)
    >>> len(sets), sorted(set(sets.two))
    (120, [11, 12, 14])
    """
    check_whole_number("shown", shown, 3, 5)
    rows = []
    for tiles in combinations(base_nobles(), shown):
        fewest = {
            word: fewest_cards(tiles, n) for n, word in enumerate(("one", "two", "three"), start=1)
        }
        rows.append({"nobles": " ".join(tile.name for tile in tiles), **demand(tiles), **fewest})
    return pd.DataFrame(rows)


def set_distribution() -> pd.DataFrame:
    """Return how cheap nobles are in a game, over all set-ups.

    Returns
    -------
    DataFrame
        shown : nobles on the table, 3 to 5
        earned : how many of them are wanted, 1 to 3
        cards : the fewest cards that earn them
        sets : set-ups of which that is true
        share : of all set-ups, which is the chance

    Examples
    --------
    >>> table = set_distribution()
    >>> table[(table.shown == 3) & (table.earned == 2)][["cards", "sets"]].values.tolist()
    [[11, 70], [12, 40], [14, 10]]
    """
    rows = []
    for shown in (3, 4, 5):
        sets = noble_sets(shown)
        for earned, word in enumerate(("one", "two", "three"), start=1):
            for cards, number in sorted(Counter(sets[word]).items()):
                rows.append((shown, earned, cards, number, number / len(sets)))
    return pd.DataFrame(rows, columns=["shown", "earned", "cards", "sets", "share"])


# -- from a position -------------------------------------------------------------------------------


def noble_distances(observation: Observation | State) -> pd.DataFrame:
    """Return how far each seat is from each noble on the table, and what closes the gap.

    The cards that may close it are the open ones and those in the seat's own reserve, as far as
    the viewer may know them. The cheapest set and order are found exactly; see `noble_gaps`.

    Parameters
    ----------
    observation
        What a seat may know; of a state, what everybody may.

    Returns
    -------
    DataFrame
        seat, noble : every pair of them has a row
        W, U, G, R, K : bonuses missing, by color
        missing : bonuses missing in all
        cards : the cheapest open cards that close the gap, in order of buying; missing where the
        open cards cannot close it, and so are the next two
        price : gems that they cost after bonuses, those of the earlier ones included
        takes : the fewest takes that bring what the seat's tokens do not pay

    Raises
    ------
    TypeError
        Where it is neither an observation nor a state.

    Examples
    --------
    >>> from splendor_nb import new_game
    >>> table = noble_distances(new_game(players=2, seed=7).observation(player=0))
    >>> table[["seat", "noble", "missing"]].values.tolist()[:3]
    [[0, 'WRK', 9], [0, 'WUG', 9], [0, 'WK', 8]]
    """
    if not isinstance(observation, (Observation, State)):
        raise TypeError(f"This is for an observation or a state, not {shortened(observation)}.")
    table = pd.DataFrame(map(_distance_row, noble_gaps(observation)), columns=_DISTANCES)
    table["cards"] = table["cards"].astype("str")
    return _whole(table, ["price", "takes"])


_DISTANCES = ["seat", "noble", *COLORS, "missing", "cards", "price", "takes"]


def _distance_row(gap: NobleGap) -> dict[str, Any]:
    return {
        "seat": gap.seat,
        "noble": gap.noble.name,
        **gap.missing,
        "missing": gap.total_missing,
        "cards": None if gap.cards is None else " ".join(gap.cards),
        "price": gap.total_price,
        "takes": gap.takes,
    }


def noble_progress(record: GameRecord) -> pd.DataFrame:
    """Return how many bonuses each seat lacked for each noble, turn by turn.

    Parameters
    ----------
    record
        A game, finished or not.

    Returns
    -------
    DataFrame
        turn : turns finished, of all seats together
        seat, noble : every pair of them has a row a turn, while the noble is on the table
        missing : bonuses missing in all
        visits : whether the noble came to this seat at the end of this turn

    Examples
    --------
    >>> from splendor_nb import play_game
    >>> progress = noble_progress(play_game(["greedy", "greedy"], seed=7))
    >>> progress[progress.visits][["turn", "seat", "noble"]].values.tolist()
    [[39, 0, 'WUG'], [48, 1, 'WRK'], [55, 0, 'WK']]
    """
    rows: list[tuple[int, int, str, int, bool]] = []
    turn, waiting = -1, record.start.nobles
    for state in record.states():
        if state.turn == turn:
            continue
        turn = state.turn
        rows += [row for noble in waiting for row in _progress_rows(state, noble)]
        waiting = state.nobles
    return pd.DataFrame(rows, columns=["turn", "seat", "noble", "missing", "visits"])


def _progress_rows(state: State, noble: Noble) -> list[tuple[int, int, str, int, bool]]:
    return [
        (
            state.turn,
            number,
            noble.name,
            sum(max(0, noble.cost[color] - seat.bonuses[color]) for color in COLORS),
            noble in seat.nobles,
        )
        for number, seat in enumerate(state.seats)
    ]


# -- helpers ---------------------------------------------------------------------------------------


def _noble(noble: Noble | str) -> Noble:
    if isinstance(noble, Noble):
        return noble
    tiles = {tile.name: tile for tile in base_nobles()}
    if noble not in tiles:
        raise ValueError(f"There is no noble {shortened(noble)}; there are {quoted(tiles)}.")
    return tiles[noble]


def _whole(table: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Return a table in which numbers of these columns stay whole where some are missing."""
    return table.astype(dict.fromkeys(columns, "Int64"))
