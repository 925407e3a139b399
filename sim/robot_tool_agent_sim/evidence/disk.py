"""The disk under the journal. What was committed outlives every process; it can be full, locked or hang."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from enum import Enum
from random import Random
import sqlite3
from typing import Any, Generic, TypeVar

from robot_tool_agent.core.journal import BrokenJournal, CallRecord, Journal, JournalError
from robot_tool_agent.core.journal.storage import SCHEMA

Result = TypeVar('Result')
COMMIT_S = 0.004


class DiskState(Enum):
    """What happens to a transaction; the value is what SQLite says then."""

    WELL = ''
    FULL = 'database or disk is full'
    LOCKED = 'database is locked'
    READ_ONLY = 'attempt to write a readonly database'
    HANGS = 'hangs'


class Disk:
    """One journal file, in memory. Connections of the product's own Journal come and go with the processes."""

    def __init__(self) -> None:
        self.state = DiskState.WELL
        self._connection = sqlite3.connect(':memory:', isolation_level=None)
        self._connection.executescript(SCHEMA)

    def journal(self) -> Journal:
        """Return the journal as it is on the disk."""
        return Journal(self._connection)

    def recover(self, now_s: float) -> tuple[Journal, list[CallRecord]]:
        """Open the journal for a new process; on a disk that does not work it is broken and moves nothing."""
        if self.state is not DiskState.WELL:
            return BrokenJournal(self.state.value), []
        journal = self.journal()
        return journal, journal.recover(now_s)

    def close(self) -> None:
        """Forget everything."""
        self._connection.close()


class DiskJob(Generic[Result]):
    """One transaction on its way to the disk."""

    def __init__(self, work: Callable[[], Result], due_s: float) -> None:
        self.due_s = due_s
        self._work = work
        self._done = False
        self._value: Any = None
        self._error: JournalError | None = None

    def run(self, state: DiskState) -> None:
        """Do the work on a disk in this state."""
        if state is not DiskState.WELL:
            self._error = JournalError(state.value)
        else:
            try:
                self._value = self._work()
            except JournalError as error:
                self._error = error
        self._done = True

    def done(self) -> bool:
        """Tell whether it has ended."""
        return self._done

    def result(self) -> Result:
        """Return what it gave or raise its error."""
        if self._error is not None:
            raise self._error
        value: Result = self._value
        return value


class DiskQueue:
    """The journal thread of one process: work in order, each transaction COMMIT_S long."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._jobs: deque[DiskJob[Any]] = deque()
        self.lost = 0

    def submit(self, work: Callable[[], Result], now_s: float) -> DiskJob[Result]:
        """Queue work."""
        begin_s = max(now_s, self._jobs[-1].due_s if self._jobs else now_s)
        job = DiskJob(work, begin_s + COMMIT_S)
        self._jobs.append(job)
        return job

    def run(self, now_s: float) -> bool:
        """Do what is due; tell whether anything was."""
        ran = False
        while self._jobs and self._jobs[0].due_s <= now_s + 1e-9 and self._disk.state is not DiskState.HANGS:
            self._jobs.popleft().run(self._disk.state)
            ran = True
        return ran

    def cut(self, chance: Random) -> None:
        """Die with the process: of the transaction under way either all is on the disk or nothing; the rest is lost."""
        if self._jobs and self._disk.state is DiskState.WELL and chance.random() < 0.5:
            self._jobs.popleft().run(DiskState.WELL)
        self.lost += len(self._jobs)
        self._jobs.clear()
