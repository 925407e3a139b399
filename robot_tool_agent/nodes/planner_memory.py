"""The memory of tasks behind a worker thread: the node never waits for a disk."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future as ThreadFuture
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from rclpy.node import Node
from rclpy.task import Future
from robot_tool_agent.config_files import ConfigError
from robot_tool_agent.core.journal import JournalError, JournalInUseError
from robot_tool_agent.core.planning.memory.journal_file import TaskJournal
from robot_tool_agent.core.planning.memory.writes import Write
from robot_tool_agent.core.planning.redaction import Redactor
from robot_tool_agent.nodes.clock import steady_now_s, wall_now_s


class MemoryWorker:
    """Reads and writes in order on one thread. `wake` is called from there when `settle` has something to do."""

    def __init__(self, journal: TaskJournal | str, timeout_s: float, wake: Callable[[], None]) -> None:
        """Take a memory, or the reason why there is none: then every request fails with it."""
        self._journal = journal
        self._timeout_s = timeout_s
        self._wake = wake
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix='memory')
        self._finds: list[tuple[ThreadFuture[Any], Future, float]] = []

    def write(self, writes: Sequence[Write]) -> 'ThreadFuture[None]':
        """Commit these in one transaction."""
        return self._submit(lambda journal: journal.write(writes, wall_now_s()))

    def find(self, task_id: str) -> Future:
        """Return a future with the record of a task, or None; it raises JournalError."""
        asked: Future = Future()
        job = self._submit(lambda journal: journal.find(task_id))
        self._finds.append((job, asked, steady_now_s() + self._timeout_s))
        return asked

    def run(self, work: Callable[[], None]) -> None:
        """Do other slow work in its turn; it must not raise."""
        self._worker.submit(work)

    def settle(self) -> None:
        """Give out what was found. Called in the node's thread."""
        now_s = steady_now_s()
        waiting, self._finds = self._finds, []
        for job, asked, until_s in waiting:
            if not job.done() and now_s < until_s:
                self._finds.append((job, asked, until_s))
            elif not job.done():
                asked.set_exception(JournalError(f'no answer within {self._timeout_s:g} s'))
            elif (error := job.exception()) is not None:
                asked.set_exception(error)
            else:
                asked.set_result(job.result())

    def close(self) -> None:
        """Finish the work on hand and close the file."""
        self._worker.shutdown(wait=True)
        if isinstance(self._journal, TaskJournal):
            self._journal.close()

    def _submit(self, work: Callable[[TaskJournal], Any]) -> 'ThreadFuture[Any]':
        job = self._worker.submit(self._do, work)
        job.add_done_callback(lambda _: self._wake())
        return job

    def _do(self, work: Callable[[TaskJournal], Any]) -> Any:
        if isinstance(self._journal, str):
            raise JournalError(self._journal)
        return work(self._journal)


def open_memory(node: Node, path: Path, redact: Redactor, keep: int) -> TaskJournal | str:
    """
    Open the memory of tasks, or return why it cannot be used: then the planner lives on and starts no task.

    Raise ConfigError if another planner has it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return TaskJournal.open(str(path), redact, keep)
    except JournalInUseError as error:
        raise ConfigError(f'{node.get_name()}: parameter memory_path = {str(path)!r}: {error}') from None
    except (OSError, JournalError) as error:
        node.get_logger().error(f'no task will be started: the memory of tasks cannot be used: {path}: {error}')
        return f'{path}: {error}'
