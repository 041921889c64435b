"""Panels: controls above figures that change in place."""
