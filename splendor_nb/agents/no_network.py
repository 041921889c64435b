"""What stands in for the network where it is not used, so that there is less to compile."""

from __future__ import annotations


def rate_by_network(s, t, room, moves, n):
    """Do nothing: no agent here has a network."""
