"""Exit codes and errors that the commands share."""

from __future__ import annotations

EXIT_OK = 0
EXIT_NOT_DONE = 1
EXIT_CONFIG = 2
EXIT_NO_ANSWER = 3


class NoAnswer(Exception):
    """The system did not answer in time. The text names what was asked, and what to check."""
