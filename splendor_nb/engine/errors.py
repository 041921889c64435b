"""What can go wrong, named by what the caller can do about it."""

from __future__ import annotations


class SplendorError(ValueError):
    """A mistake in an action, a text or a file: the message says what, where, what is allowed."""


class NotationError(SplendorError):
    """A text that is no action of this game: misspelled, or about what it does not have."""


class IllegalActionError(SplendorError):
    """An action that is readable but not allowed now; the state is unchanged."""


class RecordError(SplendorError):
    """A position or a saved game that does not hold together; the message names the place."""
