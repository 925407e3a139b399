"""A journal that cannot be used: the executor answers, reads and moves nothing."""

from __future__ import annotations

from typing import Any, NoReturn

from robot_tool_agent.core.journal.journal import Journal
from robot_tool_agent.core.journal.records import JournalError


class BrokenJournal(Journal):
    """Stands in for a journal that could not be opened. Every method raises JournalError with the reason."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def _raise(self, *_: Any, **__: Any) -> NoReturn:
        raise JournalError(self._reason)

    record = rows = every = unresolved = admit = refuse = start = end = note_read = note_attempt = attempts = _raise
    recover = resolve = _raise
