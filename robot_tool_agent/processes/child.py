"""
Runs one node in a process that never outlives the one that started it.

    python -m robot_tool_agent.processes.child PARENT_PID MODULE_OR_SCRIPT [ARGUMENT...]

A module is run by its `main() -> int`, a script (a path) as a program.

When the parent is gone the node gets SIGTERM, so that a safety node still sends its zeros, and SIGKILL if that does not
end it.
"""

from __future__ import annotations

import importlib
import os
import runpy
import signal
import sys
import threading
import time

WATCH_PERIOD_S = 0.2
ORPHAN_GRACE_S = 3.0


def main() -> int:
    """Run what the command line names and return its exit code."""
    parent_pid, target = int(sys.argv[1]), sys.argv[2]
    sys.argv = sys.argv[2:]
    threading.Thread(target=_end_with, args=(parent_pid,), name='parent-watch', daemon=True).start()
    if os.sep in target:
        runpy.run_path(target, run_name='__main__')
        return 0
    return int(importlib.import_module(target).main() or 0)


def _end_with(parent_pid: int) -> None:
    # A dead parent is replaced as soon as it dies, so a changed parent needs no kernel support to be seen.
    while os.getppid() == parent_pid:
        time.sleep(WATCH_PERIOD_S)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(ORPHAN_GRACE_S)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == '__main__':
    sys.exit(main())
