"""Actions wait here until what led to them is on disk."""

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future as ThreadFuture
from dataclasses import dataclass, replace
from typing import Protocol

from robot_tool_agent.core.planning.actions import Action, AskModel, CancelCall, Finish, SendCall
from robot_tool_agent.core.planning.memory.writes import Write
from robot_tool_agent.nodes.clock import steady_now_s

NOT_KEPT = '; this end could not be stored'


class OutboxEvents(Protocol):
    """Who carries actions out and hears what was not."""

    def do_action(self, action: Action) -> None:
        """Carry out one action."""

    def on_unsent(self, call_id: str, reason: str) -> None:
        """Take note that a call will not be sent."""

    def on_stored(self) -> None:
        """Take note that the memory works."""

    def on_not_stored(self, reason: str) -> None:
        """Take note that the memory failed."""


@dataclass(eq=False)
class _Batch:
    """What follows from one event, and the job that stores the event; None if there is nothing to store."""

    job: 'ThreadFuture[None] | None'
    actions: list[Action]
    until_s: float


class Outbox:
    """Keeps the order of events. A cancel waits for no disk: it passes, or takes back the call that still waits."""

    def __init__(
        self, write: Callable[[Sequence[Write]], 'ThreadFuture[None]'], events: OutboxEvents, timeout_s: float
    ) -> None:
        self._write = write
        self._events = events
        self._timeout_s = timeout_s
        self._held: deque[_Batch] = deque()

    def push(self, writes: Sequence[Write], actions: Sequence[Action]) -> None:
        """Take an event's writes and the actions that follow from it."""
        job = self._write(writes) if writes else None
        held = [action for action in actions if not isinstance(action, CancelCall)]
        self._held.append(_Batch(job, held, steady_now_s() + self._timeout_s))
        for action in actions:
            if isinstance(action, CancelCall):
                self._cancel(action)
        self.check()

    def check(self) -> None:
        """Carry out what may be carried out. Called when a job is done and at the node's rate."""
        while self._held:
            trouble = self._trouble(self._held[0])
            if trouble is None:
                return
            batch = self._held.popleft()
            if trouble:
                self._fail(batch, trouble)
                continue
            if batch.job is not None:
                self._events.on_stored()
            for action in batch.actions:
                self._events.do_action(action)

    def _trouble(self, batch: _Batch) -> str | None:
        """Return None while a batch must wait, an empty text once it may go, else why it never may."""
        if batch.job is None:
            return ''
        if batch.job.done():
            error = batch.job.exception()
            return '' if error is None else str(error) or type(error).__name__
        late = steady_now_s() >= batch.until_s
        return f'not done within memory_timeout_s = {self._timeout_s:g}' if late else None

    def _fail(self, batch: _Batch, reason: str) -> None:
        """Send nothing of this batch and of those after it, and tell so."""
        unsent: list[str] = []
        for other in (batch, *self._held):
            unsent += [action.call.call_id for action in other.actions if isinstance(action, SendCall)]
            other.actions = [action for action in other.actions if not isinstance(action, SendCall | AskModel)]
        self._events.on_not_stored(reason)
        for call_id in unsent:
            self._events.on_unsent(call_id, 'the reply it came in could not be stored')
        for action in batch.actions:
            self._events.do_action(_not_kept(action) if isinstance(action, Finish) else action)

    def _cancel(self, cancel: CancelCall) -> None:
        for batch in self._held:
            for action in batch.actions:
                if isinstance(action, SendCall) and action.call.call_id == cancel.call_id:
                    batch.actions.remove(action)
                    self._events.on_unsent(cancel.call_id, 'canceled before it was sent')
                    return
        self._events.do_action(cancel)


def _not_kept(finish: Finish) -> Finish:
    return Finish(replace(finish.end, summary=finish.end.summary + NOT_KEPT))
