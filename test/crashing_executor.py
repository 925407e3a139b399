"""The executor node with a journal that kills its own process at a moment, and with a skill that stumbles.

The file that CRASH_ORDER names holds the moment, a name in MOMENTS; it is used up by the crash.
"""

import os
import signal
import sys
from pathlib import Path

from robot_tool_agent.core.journal import Admission, CallEnd, Journal
from robot_tool_agent.core.journal.records import Decision
from robot_tool_agent.core.sensors import SensorView
from robot_tool_agent.core.skills.base import Step
from robot_tool_agent.core.skills.move_relative import MoveRelative
from robot_tool_agent.nodes import executor_node, executor_setup

ORDER = 'CRASH_ORDER'
MOMENTS = ('before_admitted', 'before_started', 'after_started', 'before_end', 'after_end')


def reach(moment: str) -> None:
    """Die without a word if this is the moment."""
    order = Path(os.environ[ORDER])
    if order.exists() and order.read_text(encoding='utf-8') == moment:
        order.unlink()
        os.kill(os.getpid(), signal.SIGKILL)


class CrashingJournal(Journal):
    """A journal that is faithful up to the moment."""

    def admit(self, call: Admission, wall_s: float, live: frozenset[str] = frozenset()) -> Decision:
        """Admit."""
        reach('before_admitted')
        return super().admit(call, wall_s, live)

    def start(self, call_id: str, start_json: str, wall_s: float) -> Decision:
        """Start."""
        reach('before_started')
        decision = super().start(call_id, start_json, wall_s)
        reach('after_started')
        return decision

    def end(self, call_id: str, end: CallEnd, wall_s: float) -> None:
        """End."""
        reach('before_end')
        super().end(call_id, end, wall_s)
        reach('after_end')


class Stumble(MoveRelative):
    """Drives like move_relative and raises an exception half way."""

    name = 'stumble'
    _HALF = 0.5

    def tick(self, view: SensorView, now_s: float) -> Step:
        """Drive, then break."""
        step = super().tick(view, now_s)
        if step.progress >= self._HALF:
            raise ZeroDivisionError('half way')
        return step


if __name__ == '__main__':
    executor_setup.Journal = CrashingJournal
    executor_setup.plugin_skills = lambda: [Stumble]
    sys.exit(executor_node.main())
