"""Splendor in Jupyter: a complete engine, a board to play on, tables and charts.

An unofficial study kit. Importing this package is quick: heavy parts load on first use.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False  # `typing` itself would take a third of the time of this import
if TYPE_CHECKING:
    from splendor_nb.agents.referee import play_game
    from splendor_nb.agents.registry import get_agent
    from splendor_nb.analysis.analyze import analyze, analyze_game
    from splendor_nb.analysis.card_chances import market_chance, unseen_reserve, waits, what_is_left
    from splendor_nb.analysis.card_stats import card_table, noble_table
    from splendor_nb.analysis.forced_win import forced_win
    from splendor_nb.analysis.game_tree import game_tree
    from splendor_nb.analysis.gametheory import (
        dominated,
        equilibria,
        equilibrium_uncertainty,
        exploitability,
        games_needed,
        payoff_table,
        replicator,
    )
    from splendor_nb.analysis.noble_plans import noble_plan
    from splendor_nb.analysis.noble_play import noble_chances
    from splendor_nb.analysis.puzzles import puzzle, puzzles
    from splendor_nb.analysis.reachability import noble_distances, noble_frontier
    from splendor_nb.analysis.solve import solve
    from splendor_nb.analysis.takes import fewest_takes
    from splendor_nb.analysis.tiny_games import tiny_games
    from splendor_nb.board.explore.cards import explore_cards
    from splendor_nb.board.explore.nobles import explore_nobles
    from splendor_nb.board.explore.simulation import explore_simulation
    from splendor_nb.board.play import play
    from splendor_nb.board.puzzle import show_puzzle
    from splendor_nb.board.sandbox import sandbox
    from splendor_nb.charts.pages import write_contest_page
    from splendor_nb.charts.puzzle_sheet import puzzle_sheet
    from splendor_nb.engine.cards import Back, Card, Gems, Noble, base_cards, base_nobles
    from splendor_nb.engine.errors import (
        IllegalActionError,
        NotationError,
        RecordError,
        SplendorError,
    )
    from splendor_nb.engine.notation import Action
    from splendor_nb.engine.options import Rules
    from splendor_nb.engine.records import GameRecord, load_game
    from splendor_nb.engine.rng import Rng
    from splendor_nb.engine.state import Observation, State, new_game
    from splendor_nb.games.contest import contest
    from splendor_nb.games.qualify import qualify
    from splendor_nb.games.sandbox import Limits
    from splendor_nb.games.simulate import load_simulation, simulate
    from splendor_nb.games.tournament import compare, match, tournament

_HOMES = {
    "Action": "engine.notation",
    "Back": "engine.cards",
    "Card": "engine.cards",
    "GameRecord": "engine.records",
    "Gems": "engine.cards",
    "IllegalActionError": "engine.errors",
    "Limits": "games.sandbox",
    "Noble": "engine.cards",
    "NotationError": "engine.errors",
    "Observation": "engine.state",
    "RecordError": "engine.errors",
    "Rng": "engine.rng",
    "Rules": "engine.options",
    "SplendorError": "engine.errors",
    "State": "engine.state",
    "analyze": "analysis.analyze",
    "analyze_game": "analysis.analyze",
    "base_cards": "engine.cards",
    "base_nobles": "engine.cards",
    "card_table": "analysis.card_stats",
    "compare": "games.tournament",
    "contest": "games.contest",
    "dominated": "analysis.gametheory",
    "equilibria": "analysis.gametheory",
    "equilibrium_uncertainty": "analysis.gametheory",
    "exploitability": "analysis.gametheory",
    "explore_cards": "board.explore.cards",
    "explore_nobles": "board.explore.nobles",
    "explore_simulation": "board.explore.simulation",
    "fewest_takes": "analysis.takes",
    "forced_win": "analysis.forced_win",
    "game_tree": "analysis.game_tree",
    "games_needed": "analysis.gametheory",
    "get_agent": "agents.registry",
    "load_game": "engine.records",
    "load_simulation": "games.simulate",
    "market_chance": "analysis.card_chances",
    "match": "games.tournament",
    "new_game": "engine.state",
    "noble_chances": "analysis.noble_play",
    "noble_distances": "analysis.reachability",
    "noble_frontier": "analysis.reachability",
    "noble_plan": "analysis.noble_plans",
    "noble_table": "analysis.card_stats",
    "payoff_table": "analysis.gametheory",
    "play": "board.play",
    "play_game": "agents.referee",
    "puzzle": "analysis.puzzles",
    "puzzle_sheet": "charts.puzzle_sheet",
    "puzzles": "analysis.puzzles",
    "qualify": "games.qualify",
    "replicator": "analysis.gametheory",
    "sandbox": "board.sandbox",
    "show_puzzle": "board.puzzle",
    "simulate": "games.simulate",
    "solve": "analysis.solve",
    "tiny_games": "analysis.tiny_games",
    "tournament": "games.tournament",
    "unseen_reserve": "analysis.card_chances",
    "waits": "analysis.card_chances",
    "what_is_left": "analysis.card_chances",
    "write_contest_page": "charts.pages",
}

__all__ = sorted(_HOMES)  # noqa: PLE0605  (the names are those of the table above)


def __getattr__(name: str) -> object:
    """Load a public name from its room when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module 'splendor_nb' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"splendor_nb.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return [*__all__, "__version__"]
