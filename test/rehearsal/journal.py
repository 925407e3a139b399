"""A journal that is faithful until an order breaks its disk or ends its process."""

from __future__ import annotations

import os
import signal
import sqlite3

from rehearsal.orders import Orders
from robot_tool_agent.core.journal import Admission, CallEnd, Journal
from robot_tool_agent.core.journal.records import Decision, NotAdmitted
from robot_tool_agent.core.outcomes import Effect

MOMENTS = ('before_admitted', 'before_started', 'after_started', 'before_end', 'after_end')
EXIT_CODE = 3
FILLER_BYTES = 1_000_000
ALL_PAGES = 2**32 - 2


def reach(moment: str) -> None:
    """Die without a word, or exit, if this is the moment."""
    orders = Orders.here()
    if orders.read('crash') == moment:
        orders.take('crash')
        os.kill(os.getpid(), signal.SIGKILL)
    if orders.read('exit') == moment:
        orders.take('exit')
        os._exit(EXIT_CODE)


class Disk:
    """Breaks the disk under a connection: no page is free, nothing may be written, or another writer has the file."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._state = ''
        self._other: sqlite3.Connection | None = None

    def obey(self) -> None:
        """Bring the disk into the state that is ordered."""
        state = Orders.here().read('disk')
        if state == self._state:
            return
        self._heal()
        if state:
            {'full': self._fill, 'read_only': self._protect, 'locked': self._lock}[state]()
        self._state = state

    def _heal(self) -> None:
        self._connection.execute('PRAGMA query_only=OFF')
        self._connection.execute(f'PRAGMA max_page_count={ALL_PAGES}')
        if self._other is not None:
            self._other.close()
            self._other = None
        for name in ('more_at_insert', 'more_at_update'):
            self._connection.execute(f'DROP TRIGGER IF EXISTS {name}')
        self._connection.execute('DROP TABLE IF EXISTS filler')

    def _fill(self) -> None:
        """Let no page be free and every write need some: SQLite itself then reports a full disk."""
        self._connection.execute('CREATE TABLE filler (bytes BLOB)')
        for name, moment in (('more_at_insert', 'INSERT'), ('more_at_update', 'UPDATE')):
            self._connection.execute(
                f'CREATE TEMP TRIGGER {name} AFTER {moment} ON calls '
                f'BEGIN INSERT INTO filler VALUES (zeroblob({FILLER_BYTES})); END'
            )
        (pages,) = self._connection.execute('PRAGMA page_count').fetchone()
        self._connection.execute(f'PRAGMA max_page_count={pages}')

    def _protect(self) -> None:
        self._connection.execute('PRAGMA query_only=ON')

    def _lock(self) -> None:
        (_, _, path) = self._connection.execute('PRAGMA database_list').fetchone()
        self._other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._other.execute('BEGIN IMMEDIATE')


class RehearsalJournal(Journal):
    """The product's journal with its disk in the hand of the orders."""

    def __init__(self, *arguments: object) -> None:
        super().__init__(*arguments)  # type: ignore[arg-type]
        self._disk = Disk(self._connection)

    def admit(self, call: Admission, wall_s: float, live: frozenset[str] = frozenset()) -> Decision:
        """Admit."""
        reach('before_admitted')
        self._disk.obey()
        return super().admit(call, wall_s, live)

    def start(self, call_id: str, start_json: str, wall_s: float) -> Decision:
        """Start."""
        reach('before_started')
        self._disk.obey()
        decision = super().start(call_id, start_json, wall_s)
        reach('after_started')
        return decision

    def end(self, call_id: str, end: CallEnd, wall_s: float) -> None:
        """End."""
        reach('before_end')
        self._disk.obey()
        super().end(call_id, end, wall_s)
        reach('after_end')

    def resolve(
        self, call_id: str, effect: Effect, by: str, evidence_json: str, live: frozenset[str] = frozenset()
    ) -> NotAdmitted | None:
        """Resolve."""
        self._disk.obey()
        return super().resolve(call_id, effect, by, evidence_json, live)
