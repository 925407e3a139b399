"""
Rebuilds the loop of an interrupted task from its kept events, and says what it was waiting for.

The loop is a function of its events, so that the same events bring it to the same state. What the old process may or
may not have done with its last actions is not guessed: a call without a kept end is sent again under its own id, and
the executor's journal answers what became of it or lets it run for the first time.
"""

from __future__ import annotations

from collections.abc import Sequence

from robot_tool_agent.core.planning.actions import Action, AskModel, FetchTools, Finish, Report, SendCall
from robot_tool_agent.core.planning.endings import interrupted
from robot_tool_agent.core.planning.loop import TaskLoop
from robot_tool_agent.core.planning.memory.events import (
    CallDone,
    Entry,
    Event,
    ReplyTaken,
    Resumed,
    StopAsked,
    ToolsRead,
)
from robot_tool_agent.core.planning.memory.writes import Collector, Write
from robot_tool_agent.core.planning.record import TaskRecord


class ReplayError(Exception):
    """The kept events do not lead through this loop; the task cannot be taken up again."""


def replay(loop: TaskLoop, entries: Sequence[Entry], now_s: float) -> list[Action]:
    """
    Bring a new loop to where its task was and return what is to be done now.

    The time in which no process worked on the task does not count. Raise ReplayError if the events do not fit, or if
    the task was being stopped: nobody can say any more whether the stop was heard.
    """
    tape = _Tape(loop, now_s - (entries[-1].elapsed_s if entries else 0.0))
    for entry in entries:
        tape.play(entry)
    return tape.outstanding()


def take_up(
    loop: TaskLoop, record: TaskRecord, collector: Collector, now_s: float
) -> tuple[tuple[Write, ...], list[Action]]:
    """
    Rebuild an interrupted task in a new loop that writes to `collector`.

    Return what is to be stored first and what is to be done then. A task that cannot be rebuilt ends.
    """
    try:
        actions = replay(loop, record.entries, now_s)
    except ReplayError as error:
        loop.abandon(interrupted(f'interrupted by a restart of the planner and not taken up again: {error}'))
        actions = [action for action in loop.take_actions() if isinstance(action, Finish)]
    collector.take()  # all of it is stored already
    elapsed_s = record.entries[-1].elapsed_s if record.entries else 0.0
    collector.add_event(record.task_id, elapsed_s, Resumed())
    if loop.end is not None:
        collector.finish(record.task_id, loop.end)
    text = 'taken up again after a restart of the planner'
    return collector.take(), [Report(0, 'resumed', text, 0.0), *actions]


class _Tape:

    def __init__(self, loop: TaskLoop, begun_s: float) -> None:
        self._loop = loop
        self._begun_s = begun_s
        self._tools: ToolsRead | None = None
        self._fetch: FetchTools | None = None
        self._ask: AskModel | None = None
        self._sends: dict[str, SendCall] = {}
        self._finish: Finish | None = None
        self._stopped = ''
        loop.begin(begun_s)
        self._collect()

    def play(self, entry: Entry) -> None:
        now_s = self._begun_s + entry.elapsed_s
        try:
            self._feed(entry.event, now_s)
        except (KeyError, AttributeError):
            raise ReplayError(f'{type(entry.event).__name__} does not fit') from None
        self._collect()

    def outstanding(self) -> list[Action]:
        if self._stopped and self._finish is None:
            raise ReplayError(f'it was being stopped ({self._stopped}) and the end of its last call was not seen')
        single = [item for item in (self._fetch, self._ask, self._finish) if item is not None]
        return [*single, *self._sends.values()]

    def _feed(self, event: Event, now_s: float) -> None:
        if isinstance(event, ToolsRead):
            self._tools = event
            self._describe(now_s)
        elif isinstance(event, ReplyTaken):
            self._describe(now_s)
            if self._ask is None:
                raise ReplayError('a reply that was not asked for')
            request_id, self._ask = self._ask.request_id, None
            self._loop.reply_arrived(request_id, event.reply, now_s)
        elif isinstance(event, CallDone):
            del self._sends[event.call_id]
            self._loop.call_ended(event.call_id, event.result, now_s)
        elif isinstance(event, StopAsked):
            self._stopped = event.end.summary
            self._loop.stop(event.end, now_s)

    def _describe(self, now_s: float) -> None:
        if self._fetch is not None and self._tools is not None:
            self._fetch = None
            self._loop.tools_arrived(self._tools.skills_json, self._tools.schema_hash, now_s)
            self._collect()

    def _collect(self) -> None:
        for action in self._loop.take_actions():
            if isinstance(action, FetchTools):
                self._fetch = action
            elif isinstance(action, AskModel):
                self._ask = action
            elif isinstance(action, SendCall):
                self._sends[action.call.call_id] = action
            elif isinstance(action, Finish):
                self._finish = action
