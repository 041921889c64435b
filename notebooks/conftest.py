"""Compiles what the notebooks run, so that what is said the first time is not in their output."""

from __future__ import annotations

import pytest


def pytest_collection_finish(session: pytest.Session) -> None:
    """Play a game in compiled code before the first notebook starts."""
    if any(item.path.suffix == ".ipynb" for item in session.items):
        from splendor_nb import simulate

        _ = simulate(["greedy", "random"], games=1, seed=0, progress=False).actions
