"""What waits for the disk: order, failure, time-out and cancel. No ROS graph, jobs that the test ends."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from planning_lines import DONE, GO, LOOK
from planning_rig import SCHEMA_HASH, SKILLS_JSON, succeeded
import pytest
from robot_tool_agent.core.journal import JournalError
from robot_tool_agent.core.outcomes import ErrorCode, TaskStatus
from robot_tool_agent.core.planning.actions import Action, AskModel, CancelCall, FetchTools, Finish, Report, SendCall
from robot_tool_agent.core.planning.calls import PlannedCall
from robot_tool_agent.core.planning.conversation import ModelRequest
from robot_tool_agent.core.planning.limits import PlannerLimits
from robot_tool_agent.core.planning.loop import TaskLoop
from robot_tool_agent.core.planning.memory.writes import Begin, Collector
from robot_tool_agent.core.planning.record import TaskEnd
from robot_tool_agent.core.planning.tools import parse_tools
from robot_tool_agent.llm.scripted import calls, ScriptedProvider
from robot_tool_agent.nodes import planner_outbox
from robot_tool_agent.nodes.planner_outbox import Outbox

TOOL = parse_tools(SKILLS_JSON)[0]
WRITE = [Begin('t', 'go')]
FINISH = Finish(TaskEnd(TaskStatus.SUCCEEDED, 'there'))
ASK = AskModel(1, ModelRequest((), (), 1.0, 1), 'model')


def send(call_id: str) -> SendCall:
    return SendCall(PlannedCall(call_id, call_id, TOOL, '{}'), 1.0)


class Desk:
    """Jobs in the order in which they were submitted, and everything that was told."""

    def __init__(self) -> None:
        self.jobs: list[Future[None]] = []
        self.told: list[Any] = []
        self.stored = 0
        self.now_s = 0.0
        self.box = Outbox(self.write, self, timeout_s=5.0)

    def write(self, writes: Any) -> Future[None]:
        self.jobs.append(Future())
        return self.jobs[-1]

    def do_action(self, action: Action) -> None:
        self.told.append(action)

    def on_unsent(self, call_id: str, reason: str) -> None:
        self.told.append(('unsent', call_id))

    def on_stored(self) -> None:
        self.stored += 1

    def on_not_stored(self, reason: str) -> None:
        self.told.append(('not stored', reason))


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Desk:
    made = Desk()
    monkeypatch.setattr(planner_outbox, 'steady_now_s', lambda: made.now_s)
    return made


def test_nothing_is_sent_before_it_is_stored(desk: Desk) -> None:
    desk.box.push(WRITE, [send('a')])
    desk.box.check()
    assert desk.told == []
    desk.jobs[0].set_result(None)
    desk.box.check()
    assert (desk.told, desk.stored) == ([send('a')], 1)


def test_what_needs_no_storing_waits_for_what_came_before(desk: Desk) -> None:
    report = Report(1, 'progress', 'half', 0.5)
    desk.box.push([], [report])
    assert desk.told == [report]
    desk.box.push(WRITE, [send('a')])
    desk.box.push([], [report])
    assert desk.told == [report]
    desk.jobs[0].set_result(None)
    desk.box.check()
    assert desk.told == [report, send('a'), report]


def test_a_failure_sends_nothing_and_the_end_says_so(desk: Desk) -> None:
    desk.box.push(WRITE, [send('a'), ASK, FINISH])
    desk.box.push([], [send('b')])
    desk.jobs[0].set_exception(JournalError('disk full'))
    desk.box.check()
    assert desk.told[:3] == [('not stored', 'disk full'), ('unsent', 'a'), ('unsent', 'b')]
    (end,) = desk.told[3:]
    assert isinstance(end, Finish)
    assert (end.end.status, 'could not be stored' in end.end.summary) == (TaskStatus.SUCCEEDED, True)


def test_a_disk_that_hangs_is_a_failure_at_its_deadline(desk: Desk) -> None:
    desk.box.push(WRITE, [send('a')])
    desk.now_s = 4.9
    desk.box.check()
    assert desk.told == []
    desk.now_s = 5.0
    desk.box.check()
    assert desk.told[0][0] == 'not stored'
    assert 'memory_timeout_s = 5' in desk.told[0][1]
    desk.jobs[0].set_result(None)
    desk.box.check()
    assert send('a') not in desk.told


def test_a_cancel_waits_for_no_disk(desk: Desk) -> None:
    desk.box.push([], [send('a')])
    desk.box.push(WRITE, [CancelCall('a')])
    assert desk.told == [send('a'), CancelCall('a')]


def test_a_cancel_takes_back_what_still_waits(desk: Desk) -> None:
    desk.box.push(WRITE, [send('a'), send('b')])
    desk.box.push(WRITE, [CancelCall('a')])
    assert desk.told == [('unsent', 'a')]
    for job in desk.jobs:
        job.set_result(None)
    desk.box.check()
    assert desk.told == [('unsent', 'a'), send('b')]


class Life:
    """A task's loop behind an outbox whose write number `fails` does not succeed."""

    def __init__(self, fails: int) -> None:
        self.fails, self.writes = fails, 0
        self.sent: list[str] = []
        self.ends: list[TaskEnd] = []
        self.collector = Collector()
        self.provider = ScriptedProvider([LOOK, GO, calls(('look', {}), ('navigate_to', {'place': 'table'})), DONE])
        self.loop = TaskLoop('t', 'do it', PlannerLimits(), self.collector)
        self.box = Outbox(self.write, self, timeout_s=5.0)
        self.loop.begin(0.0)
        self.pump()

    def write(self, writes: Any) -> Future[None]:
        job: Future[None] = Future()
        if self.writes == self.fails:
            job.set_exception(JournalError('disk full'))
        else:
            job.set_result(None)
        self.writes += 1
        return job

    def pump(self) -> None:
        while True:
            writes, actions = self.collector.take(), self.loop.take_actions()
            if not writes and not actions:
                return
            self.box.push(writes, actions)

    def do_action(self, action: Action) -> None:
        if isinstance(action, FetchTools):
            self.loop.tools_arrived(SKILLS_JSON, SCHEMA_HASH, 0.0)
        elif isinstance(action, AskModel):
            self.loop.reply_arrived(action.request_id, self.provider.complete(action.request), 0.0)
        elif isinstance(action, SendCall):
            self.sent.append(action.call.call_id)
            self.loop.call_ended(action.call.call_id, succeeded(), 0.0)
        elif isinstance(action, Finish):
            self.ends.append(action.end)
        self.pump()

    def on_unsent(self, call_id: str, reason: str) -> None:
        self.loop.call_lost(call_id, reason, False, 0.0)
        self.pump()

    def on_stored(self) -> None:
        pass

    def on_not_stored(self, reason: str) -> None:
        self.loop.not_stored(reason, 0.0)
        self.pump()


def test_whichever_write_fails_the_task_ends_once_and_sends_nothing_more() -> None:
    whole = Life(-1)
    assert [end.status for end in whole.ends] == [TaskStatus.SUCCEEDED]
    assert len(whole.sent) == 4
    sent: list[int] = []
    for fails in range(whole.writes):
        life = Life(fails)
        assert len(life.ends) == 1
        assert life.sent == whole.sent[: len(life.sent)]
        last = fails == whole.writes - 1
        assert life.ends[0].status is (TaskStatus.SUCCEEDED if last else TaskStatus.FAILED)
        assert (life.ends[0].error is ErrorCode.JOURNAL_UNAVAILABLE) != last
        sent.append(len(life.sent))
    assert sent == sorted(sent)
    assert (sent[0], sent[-1]) == (0, 4)
