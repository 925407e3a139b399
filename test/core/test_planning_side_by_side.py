"""Several calls in one reply: side by side where that changes nothing, in order where it does."""

from __future__ import annotations

from planning_lines import DONE, MORE, outcome, rig, table
from planning_rig import failed, refused, Rig, succeeded, view
import pytest
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome, TaskStatus
from robot_tool_agent.core.planning.phases import Phase
from robot_tool_agent.core.planning.side_by_side import must_keep_order
from robot_tool_agent.core.planning.tools import parse_tools
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.llm.scripted import calls, says

TOOLS = {tool.name: tool for tool in parse_tools(MORE[0])}
GO, OPEN, TUCK, BOW = ('navigate_to', {'place': 'kitchen'}), ('open_gripper', {}), ('tuck_arm', {}), ('bow', {})
LOOK, READ, WAIT = ('look', {}), ('get_robot_state', {}), ('wait', {'duration_s': 2.0})


def begun(*named: tuple[str, dict[str, object]], **limits: object) -> Rig:
    """Return a task whose calls were handed out and end only by hand."""
    bench = rig(calls(*named), DONE, answer=table(None), **limits)
    bench.skills = MORE
    bench.begin()
    return bench


def sent(bench: Rig) -> list[str]:
    return [call.tool.name for call in bench.sent]


def end(bench: Rig, place: int, result: object) -> None:
    bench.loop.call_ended(f't:1:{place}', result, bench.now_s)  # type: ignore[arg-type]
    bench.settle()


@pytest.mark.parametrize(
    ('one', 'other', 'ordered'),
    [
        ('navigate_to', 'open_gripper', False),
        ('tuck_arm', 'open_gripper', False),
        ('look', 'get_robot_state', False),
        ('look', 'look', False),
        ('navigate_to', 'move_relative', True),
        ('pick', 'open_gripper', True),
        ('tuck_arm', 'bow', True),
        ('navigate_to', 'look', True),
        ('look', 'open_gripper', True),
        ('wait', 'look', True),
        ('wait', 'navigate_to', True),
        ('wait', 'wait', True),
    ],
)
def test_which_calls_keep_their_order(one: str, other: str, ordered: bool) -> None:
    assert must_keep_order(TOOLS[one], TOOLS[other]) is ordered
    assert must_keep_order(TOOLS[other], TOOLS[one]) is ordered


@pytest.mark.parametrize(
    ('named', 'limit', 'first'),
    [
        ([GO, OPEN, TUCK], 3, ['navigate_to', 'open_gripper', 'tuck_arm']),
        ([GO, OPEN, TUCK], 2, ['navigate_to', 'open_gripper']),
        ([GO, OPEN, TUCK], 1, ['navigate_to']),
        ([TUCK, BOW, OPEN], 3, ['tuck_arm']),
        ([LOOK, READ, GO], 3, ['look', 'get_robot_state']),
        ([GO, LOOK, OPEN], 3, ['navigate_to']),
        ([WAIT, LOOK], 3, ['wait']),
    ],
)
def test_what_starts_at_once(named: list[tuple[str, dict[str, object]]], limit: int, first: list[str]) -> None:
    assert sent(begun(*named, max_parallel=limit)) == first


def test_a_place_that_becomes_free_is_taken_and_all_ends_reach_the_model() -> None:
    bench = begun(GO, OPEN, TUCK, LOOK, max_parallel=2)
    end(bench, 1, succeeded(n=1))
    assert sent(bench) == ['navigate_to', 'open_gripper', 'tuck_arm']
    end(bench, 2, succeeded(n=2))
    assert len(bench.sent) == 3
    end(bench, 0, succeeded(n=0))
    assert sent(bench)[3] == 'look'
    end(bench, 3, succeeded(n=3))
    assert outcome(bench.run_end()) == (TaskStatus.SUCCEEDED, None)
    assert [bench.data(turn)['result']['n'] for turn in range(4)] == [1, 2, 0, 3]


def test_after_a_failure_what_runs_goes_on_and_nothing_more_is_sent() -> None:
    bench = begun(GO, OPEN, TUCK, LOOK, max_parallel=2)
    end(bench, 1, failed(ErrorCode.EXECUTION_ERROR))
    assert (bench.loop.phase, bench.canceled) == (Phase.CALL, [])
    end(bench, 0, succeeded())
    finished = bench.run_end()
    assert sent(bench) == ['navigate_to', 'open_gripper']
    assert finished.status is TaskStatus.UNVERIFIED, 'a call beside the verified one failed'


def test_an_end_that_needs_a_person_stops_the_others_first() -> None:
    bench = begun(GO, OPEN)
    end(bench, 1, failed(ErrorCode.VERIFICATION_FAILED, Effect.UNKNOWN))
    assert (bench.loop.phase, bench.canceled) == (Phase.STOPPING, ['t:1:0'])
    end(bench, 0, failed(ErrorCode.CANCELED, Effect.PARTIAL, Outcome.CANCELED))
    assert outcome(bench.run_end()) == (TaskStatus.NEEDS_OPERATOR, ErrorCode.VERIFICATION_FAILED)


def test_cancel_stops_all_that_run_and_awaits_every_end() -> None:
    bench = begun(GO, OPEN, TUCK)
    bench.loop.cancel(bench.now_s)
    bench.settle()
    assert bench.canceled == ['t:1:0', 't:1:1', 't:1:2']
    for place in (2, 0):
        end(bench, place, failed(ErrorCode.CANCELED, Effect.NONE, Outcome.CANCELED))
        assert bench.loop.end is None
    end(bench, 1, failed(ErrorCode.CANCELED, Effect.UNKNOWN, Outcome.UNKNOWN))
    assert outcome(bench.run_end()) == (TaskStatus.NEEDS_OPERATOR, ErrorCode.UNRESOLVED_CALL)


def test_one_call_waits_for_ready_while_another_runs() -> None:
    bench = begun(GO, OPEN)
    bench.view = view(SafetyMode.STOPPING)
    end(bench, 0, refused(ErrorCode.SAFETY_LOCKED))
    assert bench.loop.phase is Phase.CALL
    bench.advance(5.0)
    assert len(bench.sent) == 2
    end(bench, 1, succeeded())
    assert bench.loop.phase is Phase.WAIT
    bench.view = view()
    bench.advance(0.1)
    assert [call.call_id for call in bench.sent] == ['t:1:0', 't:1:1', 't:1:0']
    end(bench, 0, succeeded())
    assert bench.run_end().status is TaskStatus.SUCCEEDED


def test_one_call_that_is_overdue_stops_all() -> None:
    bench = begun(GO, OPEN, executor_timeout_s=5.0, call_margin_s=1.0)
    bench.until(Phase.STOPPING)
    assert bench.canceled == ['t:1:0', 't:1:1']
    assert bench.now_s - 100.0 == pytest.approx(5.0 + 5.0 + 1.0, abs=0.1)


def test_one_lost_call_is_asked_for_again_and_the_other_is_left_alone() -> None:
    bench = begun(GO, OPEN)
    bench.loop.call_lost('t:1:1', 'no answer', True, bench.now_s)
    bench.settle()
    assert [call.call_id for call in bench.sent] == ['t:1:0', 't:1:1', 't:1:1']
    end(bench, 1, succeeded())
    end(bench, 0, succeeded())
    assert bench.run_end().status is TaskStatus.SUCCEEDED


def test_refused_arguments_beside_a_success_are_sent_back() -> None:
    bench = rig(calls(GO, OPEN), says('FAILED: no'), answer=table(refused(ErrorCode.UNKNOWN_ENTITY), succeeded()))
    bench.skills = MORE
    bench.run()
    assert bench.kinds().count('correction') == 1
