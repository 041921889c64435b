"""Agents: whoever decides for a seat, by observations only."""
