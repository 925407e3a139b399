"""The journal: exactly-once motion across crashes."""

from robot_tool_agent.core.journal.journal import Journal
from robot_tool_agent.core.journal.records import (
    Admission,
    Admitted,
    CallEnd,
    CallRecord,
    CallState,
    JournalError,
    NotAdmitted,
    Replay,
)

__all__ = [
    'Admission',
    'Admitted',
    'CallEnd',
    'CallRecord',
    'CallState',
    'Journal',
    'JournalError',
    'NotAdmitted',
    'Replay',
]
