"""
The planner dies at every moment of a task and its task_id is sent again: nothing acts twice, no end claims too much.

The executive and its journal are the real ones; how far the robot drove is the truth.
"""

from __future__ import annotations

from collections.abc import Callable

from execution_bench import Bench
from memory_rig import Crash, drive_on, Fuse, memory_of_tasks, Planner, Script, stepwise, TASK
import pytest
from robot_tool_agent.core.heartbeats import HeartbeatMonitor
from robot_tool_agent.core.outcomes import ErrorCode, Outcome, TaskStatus
from robot_tool_agent.core.planning.memory.journal_file import TaskJournal
from robot_tool_agent.core.planning.record import TaskEnd
from robot_tool_agent.llm.scripted import calls, says

NUDGE_M = 0.1
# So short that a call under way does not outlive its planner.
LEASE_S = 0.1
ONE_BY_ONE = stepwise(calls(('nudge', {})), calls(('slide', {})), calls(('nudge', {})), says('DONE: there'))
IN_ONE_REPLY = stepwise(calls(('nudge', {}), ('nudge', {}), ('slide', {})), says('DONE: there'))
MENDED = stepwise(calls(('fly', {})), calls(('peek', {})), calls(('nudge', {})), says('DONE: there'))
SIDE_BY_SIDE = stepwise(
    calls(('peek', {}), ('nudge', {}), ('peek', {})), calls(('finish_task', {'claim': 'DONE', 'text': 'there'}))
)
STEPS = [
    {'id': 'go', 'skill': 'nudge', 'arguments': {}},
    {'id': 'see', 'skill': 'peek', 'arguments': {}, 'after': ['go']},
    {'id': 'on', 'skill': 'slide', 'arguments': {}, 'after': ['see']},
]
PLANNED = stepwise(calls(('submit_plan', {'steps': STEPS})), says('DONE: there'))
SCRIPTS = {
    'one_by_one': (ONE_BY_ONE, 3),
    'in_one_reply': (IN_ONE_REPLY, 3),
    'mended': (MENDED, 1),
    'side_by_side': (SIDE_BY_SIDE, 1),
    'planned': (PLANNED, 2),
}


def first_life(journal: TaskJournal, script: Script, at: int | None) -> tuple[Bench, Fuse, TaskEnd | None]:
    """Run the task until a moment, or to its end; the executive lives on for a while."""
    bench, fuse = Bench(), Fuse(at)
    bench.hub.heartbeats = HeartbeatMonitor(LEASE_S)
    planner = Planner(bench, journal, script, fuse)
    end = None
    try:
        end = planner.start()
    except Crash:
        drive_on(bench)
    return bench, fuse, end


def second_life(
    bench: Bench, journal: TaskJournal, script: Script, fuse: Fuse | None = None
) -> tuple[Planner, TaskEnd]:
    planner = Planner(bench, journal, script, fuse)
    return planner, planner.resume()


def moments(script: Script) -> list[str]:
    _, fuse, end = first_life(memory_of_tasks(), script, None)
    assert end is not None
    assert end.status is TaskStatus.SUCCEEDED
    return fuse.moments


def check(bench: Bench, end: TaskEnd, acting: int) -> None:
    """Assert that nothing acted twice and that success is claimed only if every acting call was seen to succeed."""
    driven_m = bench.pose.x_m - 1.0
    assert driven_m <= acting * NUDGE_M * 1.25
    started = [record for record in bench.journal.every() if record.end is not None and not record.admission.reads_only]
    assert len({record.admission.call_id for record in started}) == len(started) <= acting
    if end.status is TaskStatus.SUCCEEDED:
        assert [record.end.outcome for record in started if record.end] == [Outcome.SUCCEEDED] * acting
        assert driven_m == pytest.approx(acting * NUDGE_M, rel=0.25)
    else:
        assert end.error in (ErrorCode.CANCELED, ErrorCode.VERIFICATION_FAILED, ErrorCode.UNRESOLVED_CALL)


@pytest.mark.parametrize('name', SCRIPTS)
def test_a_crash_at_every_moment(name: str) -> None:
    script, acting = SCRIPTS[name]
    told = moments(script)
    assert len(told) > 15
    ends: set[TaskStatus] = set()
    for at in range(len(told)):
        journal = memory_of_tasks()
        bench, _, _ = first_life(journal, script, at)
        before_m = bench.pose.x_m
        planner, end = second_life(bench, journal, script)
        ends.add(end.status)
        check(bench, end, acting)
        again, kept = second_life(bench, journal, script)
        assert (again.sent, kept) == ([], end), told[at]
        assert before_m <= bench.pose.x_m
        assert len(set(planner.sent)) == len(planner.sent)
    assert TaskStatus.SUCCEEDED in ends
    assert TaskStatus.FAILED in ends


def test_a_second_crash_at_every_moment_of_the_second_life() -> None:
    whole = moments(ONE_BY_ONE)
    for first in range(0, len(whole), 4):
        for second in range(0, 12, 2):
            journal = memory_of_tasks()
            bench, _, _ = first_life(journal, ONE_BY_ONE, first)
            try:
                second_life(bench, journal, ONE_BY_ONE, Fuse(second))
            except Crash:
                drive_on(bench)
            _, end = second_life(bench, journal, ONE_BY_ONE)
            check(bench, end, 3)


def at(told: list[str], moment: str) -> int:
    return told.index(moment)


CASES: list[tuple[str, Callable[[list[str]], int], TaskStatus, list[str]]] = [
    # What was never sent runs once, first hand.
    ('never sent', lambda told: at(told, 'before t:2:0 is sent'), TaskStatus.SUCCEEDED, ['t:2:0', 't:3:0']),
    # The lease ended it half way: its stored end ends the task.
    ('half way', lambda told: at(told, 'while t:2:0 runs'), TaskStatus.FAILED, ['t:2:0']),
    # All calls ended and their ends are stored: they count.
    ('before the last text', lambda told: len(told) - 2, TaskStatus.SUCCEEDED, []),
]


@pytest.mark.parametrize(('moment', 'status', 'sent'), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_what_is_sent_again(
    moment: Callable[[list[str]], int], status: TaskStatus, sent: list[str]
) -> None:
    journal = memory_of_tasks()
    bench, _, _ = first_life(journal, ONE_BY_ONE, moment(moments(ONE_BY_ONE)))
    planner, end = second_life(bench, journal, ONE_BY_ONE)
    assert (end.status, planner.sent) == (status, sent)


def test_a_success_that_only_the_journal_saw_supports_no_claim() -> None:
    script, journal = stepwise(calls(('nudge', {})), says('DONE: there')), memory_of_tasks()
    told = moments(script)
    last_commits = [place for place, moment in enumerate(told) if moment == 'before the commit']
    bench, _, _ = first_life(journal, script, last_commits[-2])  # the call ended, its end is not stored yet
    assert bench.journal.record('t:1:0').end.outcome is Outcome.SUCCEEDED  # type: ignore[union-attr]
    driven_m = bench.pose.x_m
    planner, end = second_life(bench, journal, script)
    assert (end.status, end.error) == (TaskStatus.UNVERIFIED, ErrorCode.VERIFICATION_FAILED)
    assert planner.sent == ['t:1:0']
    assert bench.pose.x_m == driven_m


def test_a_rebuilt_conversation_is_the_one_that_was() -> None:
    whole = Planner(Bench(), memory_of_tasks(), MENDED)
    whole.start()
    journal = memory_of_tasks()
    bench, _, _ = first_life(journal, MENDED, len(moments(MENDED)) - 2)
    planner, end = second_life(bench, journal, MENDED)
    assert end.status is TaskStatus.SUCCEEDED
    assert planner.requests[-1].messages == whole.requests[-1].messages


def test_the_end_of_an_interrupted_task_is_stored_once_another_begins() -> None:
    journal = memory_of_tasks()
    bench, _, _ = first_life(journal, ONE_BY_ONE, 8)
    planner = Planner(bench, journal, ONE_BY_ONE)
    planner.collector.take()
    planner.collector.begin('other', 'something else')
    planner.journal.write(planner.collector.take(), 1.0)
    record = planner.journal.find(TASK)
    assert record is not None
    assert record.end is not None
    assert (record.end.status, record.end.error) == (TaskStatus.NEEDS_OPERATOR, ErrorCode.RESTARTED)
    assert 'other' in record.end.summary
