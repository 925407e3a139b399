"""
The planner node with a memory that kills its own process at a moment, or fails there.

The file that PLANNER_CRASH_ORDER names holds the moment, a name in MOMENTS or FAILURES; it is used up.
"""

from collections.abc import Sequence
import os
from pathlib import Path
import signal
import sys

from robot_tool_agent.core.journal import JournalError
from robot_tool_agent.core.planning.memory.events import CallDone, ReplyTaken
from robot_tool_agent.core.planning.memory.journal_file import TaskJournal
from robot_tool_agent.core.planning.memory.writes import End, Note, Write
from robot_tool_agent.nodes import planner_memory, planner_node

ORDER = 'PLANNER_CRASH_ORDER'
KINDS = ('reply', 'second_reply', 'result', 'second_result', 'end')
MOMENTS = tuple(f'{side}_{kind}' for kind in KINDS for side in ('before', 'after'))
FAILURES = tuple(f'fail_{kind}' for kind in KINDS)


def is_ordered(moment: str) -> bool:
    """Tell whether this is the moment, once."""
    order = Path(os.environ[ORDER])
    if not order.exists() or order.read_text(encoding='utf-8') != moment:
        return False
    order.unlink()
    return True


def reach(moment: str) -> None:
    """Die without a word if this is the moment."""
    if is_ordered(moment):
        os.kill(os.getpid(), signal.SIGKILL)


def kind_of(writes: Sequence[Write]) -> str:
    """Return what a transaction is about."""
    if any(isinstance(item, End) for item in writes):
        return 'end'
    for item in writes:
        if isinstance(item, Note) and isinstance(item.event, CallDone):
            return 'result' if item.event.call_id.split(':')[1] == '1' else 'second_result'
        if isinstance(item, Note) and isinstance(item.event, ReplyTaken):
            return 'reply' if item.elapsed_s < CrashingMemory.first_result_s else 'second_reply'
    return ''


class CrashingMemory(TaskJournal):
    """A memory that is faithful up to the moment."""

    first_result_s = float('inf')

    def write(self, writes: Sequence[Write], at_s: float) -> None:
        """Commit."""
        kind = kind_of(writes)
        if kind == 'result':
            type(self).first_result_s = 0.0
        reach(f'before_{kind}')
        if is_ordered(f'fail_{kind}'):
            raise JournalError('database or disk is full')
        super().write(writes, at_s)
        reach(f'after_{kind}')


if __name__ == '__main__':
    planner_memory.TaskJournal = CrashingMemory
    sys.exit(planner_node.main())
