"""The journal: exactly-once motion across crashes."""

from robot_tool_agent.core.journal.broken import BrokenJournal
from robot_tool_agent.core.journal.journal import Journal
from robot_tool_agent.core.journal.records import (
    Admission,
    Admitted,
    CallEnd,
    CallRecord,
    CallState,
    JournalError,
    JournalInUseError,
    NotAdmitted,
    Replay,
)

__all__ = [
    'Admission',
    'Admitted',
    'BrokenJournal',
    'CallEnd',
    'CallRecord',
    'CallState',
    'Journal',
    'JournalError',
    'JournalInUseError',
    'NotAdmitted',
    'Replay',
]
