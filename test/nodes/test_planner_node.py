"""The planner node as a real process, with a small executor in the test process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
import signal
import subprocess
import time
from typing import Any

from action_msgs.msg import GoalStatus
from planner_process import CANCELED, House, LOCKED, planner, script, SUCCEEDED
import pytest
from robot_tool_agent.llm.registry import NAMES
from robot_tool_agent_interfaces.action import RunTask
from robot_tool_agent_interfaces.msg import SafetyState
from sim_house import ROBOT_FILE

DOMAIN = 40
SUCCESS, CANCELLED, ABORTED = GoalStatus.STATUS_SUCCEEDED, GoalStatus.STATUS_CANCELED, GoalStatus.STATUS_ABORTED
QUICK = ('executor_timeout_s:=2.0', 'cancel_timeout_s:=2.0', 'executor_lost_s:=0.6', 'wait_retry_s:=0.1')


@pytest.fixture(scope='module')
def shared() -> Iterator[House]:
    """One planner with the rules, one house."""
    house = House(DOMAIN)
    try:
        house.serve()
        with planner(DOMAIN, *QUICK, f'robot_file:={ROBOT_FILE}') as process:
            # The first task also lets every endpoint find its other side, so that no feedback is missed later.
            assert house.run('warm-up', 'go home')[0] == SUCCESS
            yield house
            assert process.poll() is None, 'the planner died during the tests'
    finally:
        house.close()


@pytest.fixture
def house(shared: House) -> House:
    shared.goals.clear()
    shared.canceled.clear()
    shared.answers.clear()
    shared.feedback.clear()
    shared.mode, shared.beating = SafetyState.READY, True
    return shared


def test_a_task_runs_to_its_verified_end(house: House) -> None:
    status, result = house.run('drive-1', 'go to the kitchen')
    assert (status, result.status, result.error_code) == (SUCCESS, RunTask.Result.SUCCEEDED, '')
    assert (result.skill_calls, result.llm_calls) == (1, 2)
    assert house.sent() == [('drive-1:1:0', 'navigate_to', '{"place": "kitchen"}')]
    assert (house.goals[0].requested_by, house.goals[0].task_id) == ('planner', 'drive-1')
    house.until(lambda: len(house.feedback) >= 5)  # the last one may come after the result
    assert [item.kind for item in house.feedback] == ['thinking', 'call', 'result', 'thinking', 'end']


def test_the_lease_has_a_heartbeat_under_the_name_that_asks(house: House) -> None:
    seen = len(house.beats)
    house.until(lambda: len(house.beats) >= seen + 3)
    numbers = [beat.sequence for beat in house.beats[-3:]]
    assert numbers == sorted(set(numbers))


def test_a_task_id_sent_again_gets_the_stored_end_and_moves_nothing(house: House) -> None:
    first = house.run('once', '去厨房')
    again = house.run('once', '去厨房')
    assert again == first
    assert len(house.goals) == 1
    status, other = house.run('once', 'go to the table')
    assert (status, other.error_code) == (ABORTED, 'IDEMPOTENCY_MISMATCH')
    assert len(house.goals) == 1


def test_a_running_task_is_attached_to_and_a_second_one_is_refused(house: House) -> None:
    house.answers = [None]
    first = house.ask('long', 'go to the table')
    house.until(lambda: 'long:1:0' in house.pending)
    second = house.ask('long', 'go to the table')
    status, other = house.run('other', 'go to the desk')
    assert (status, other.error_code) == (ABORTED, 'RESOURCE_BUSY')
    house.finish('long:1:0', SUCCEEDED)
    assert house.end(first) == house.end(second)
    assert len(house.goals) == 1
    assert house.run('other', 'go to the desk')[0] == SUCCESS


def test_feedback_of_the_skill_is_passed_on(house: House) -> None:
    house.answers = [None]
    handle = house.ask('feedback', 'go to the table')
    house.until(lambda: any(item.kind == 'progress' for item in house.feedback))
    progress = next(item for item in house.feedback if item.kind == 'progress')
    assert (progress.step, progress.progress) == (1, 0.5)
    assert progress.text == 'navigate_to: running on the way'
    house.finish('feedback:1:0', SUCCEEDED)
    assert house.end(handle)[0] == SUCCESS


def test_cancel_stops_the_call_and_waits_for_its_end(house: House) -> None:
    house.answers = [None]
    handle = house.ask('cancel', 'go to the kitchen, then go to the table')
    house.until(lambda: 'cancel:1:0' in house.pending)
    canceling = handle.cancel_goal_async()
    house.until(lambda: house.canceled == ['cancel:1:0'])
    assert canceling.result() is None or len(canceling.result().goals_canceling) == 1
    result = handle.get_result_async()
    house.listen(0.3)
    assert not result.done()
    house.finish('cancel:1:0', CANCELED)
    status, end = house.end(handle)
    assert (status, end.status, end.error_code) == (CANCELLED, RunTask.Result.CANCELED, 'CANCELED')
    assert len(house.goals) == 1


def test_only_the_handle_that_cancelled_ends_as_cancelled(house: House) -> None:
    house.answers = [None]
    first = house.ask('both', 'go to the kitchen')
    house.until(lambda: 'both:1:0' in house.pending)
    second = house.ask('both', 'go to the kitchen')
    second.cancel_goal_async()
    house.until(lambda: house.canceled == ['both:1:0'])
    house.finish('both:1:0', CANCELED)
    assert [house.end(handle)[0] for handle in (first, second)] == [ABORTED, CANCELLED]


def test_a_locked_robot_is_waited_for(house: House) -> None:
    house.mode, house.answers = SafetyState.RETREATING, [LOCKED]
    handle = house.ask('wait', 'go to the kitchen')
    house.until(lambda: any(item.kind == 'waiting' for item in house.feedback))
    house.listen(0.5)
    assert len(house.goals) == 1
    house.mode = SafetyState.READY
    status, result = house.end(handle)
    assert (status, result.skill_calls) == (SUCCESS, 1)
    assert [call_id for call_id, _, _ in house.sent()] == ['wait:1:0', 'wait:1:0']


def test_cancel_while_waiting_ends_at_once(house: House) -> None:
    house.mode, house.answers = SafetyState.RETREATING, [LOCKED]
    handle = house.ask('wait-cancel', 'go to the kitchen')
    house.until(lambda: any(item.kind == 'waiting' for item in house.feedback))
    handle.cancel_goal_async()
    assert house.end(handle, 3.0)[0] == CANCELLED


@pytest.mark.parametrize(
    ('task_id', 'instruction', 'code'),
    [
        ('a b', 'go home', 'INVALID_ARGUMENT'),
        ('x' * 97, 'go home', 'INVALID_ARGUMENT'),
        ('blank', ' ', 'INVALID_ARGUMENT'),
        ('unclear', 'sing a song', 'NEEDS_ANSWER'),
    ],
)
def test_bad_input_gets_a_result_with_its_code(house: House, task_id: str, instruction: str, code: str) -> None:
    status, result = house.run(task_id, instruction)
    assert (status, result.error_code, result.skill_calls) == (ABORTED, code, 0)
    assert house.goals == []


def test_a_task_without_an_id_gets_one(house: House) -> None:
    assert house.run('', 'go home')[0] == SUCCESS
    assert house.goals[0].task_id.startswith('task-')
    assert house.goals[0].call_id == f'{house.goals[0].task_id}:1:0'


def test_a_restarted_executor_is_asked_what_became_of_the_call(house: House) -> None:
    restarted = {'outcome': 6, 'effect': 3, 'error_code': 'RESTARTED', 'advice': 'ASK_OPERATOR', 'replayed': True}
    house.answers = [None, restarted]
    handle = house.ask('restart', 'go to the kitchen')
    house.until(lambda: 'restart:1:0' in house.pending)
    house.boot += 1
    status, result = house.end(handle)
    assert (status, result.status) == (ABORTED, RunTask.Result.NEEDS_OPERATOR)
    assert result.error_code == 'RESTARTED'
    assert [call_id for call_id, _, _ in house.sent()] == ['restart:1:0', 'restart:1:0']
    house.finish('restart:1:0', CANCELED)


def test_an_executor_that_falls_silent_leaves_the_task_to_an_operator(house: House) -> None:
    house.answers = [None]
    handle = house.ask('silent', 'go to the kitchen')
    house.until(lambda: 'silent:1:0' in house.pending)
    house.beating = False
    status, result = house.end(handle, 10.0)
    assert (status, result.status) == (ABORTED, RunTask.Result.NEEDS_OPERATOR)
    assert result.error_code == 'UNRESOLVED_CALL'
    assert len(house.goals) == 1
    assert 'silent:1:0' in house.canceled
    house.finish('silent:1:0', CANCELED)


# Planners of their own


@pytest.fixture
def lone_house() -> Iterator[House]:
    house = House(DOMAIN + 1)
    try:
        yield house
    finally:
        house.close()


def test_without_an_executor_the_task_ends_by_its_deadline(lone_house: House) -> None:
    lone_house.beating = False
    with planner(DOMAIN + 1, *QUICK):
        status, result = lone_house.run('alone', 'go to the kitchen')
    assert (status, result.error_code, result.skill_calls) == (ABORTED, 'TIMEOUT', 0)


def test_cancel_before_the_call_could_be_sent_ends_at_once(lone_house: House) -> None:
    lone_house.describe()
    with planner(DOMAIN + 1, 'executor_timeout_s:=20.0'):
        handle = lone_house.ask('unsent', 'go to the kitchen')
        lone_house.until(lambda: any(item.kind == 'call' for item in lone_house.feedback))
        handle.cancel_goal_async()
        status, result = lone_house.end(handle, 5.0)
    assert (status, result.status, result.error_code) == (CANCELLED, RunTask.Result.CANCELED, 'CANCELED')


def scripted(folder: Path, *lines: dict[str, Any]) -> tuple[str, ...]:
    return (
        *QUICK,
        'provider:=scripted',
        f'script_file:={script(folder, *lines)}',
        'llm_timeout_s:=0.5',
        'llm_retries:=0',
    )


@pytest.mark.parametrize(
    ('lines', 'status', 'code'),
    [
        ([{'text': 'I brought the cup.'}], RunTask.Result.UNVERIFIED, 'VERIFICATION_FAILED'),
        ([{'silent_s': 3600.0}], RunTask.Result.FAILED, 'MODEL_UNAVAILABLE'),
        ([{'fails': 'stop'}], RunTask.Result.FAILED, 'MODEL_UNAVAILABLE'),
        ([{'calls': [{'name': 'fly', 'arguments': {}}]}] * 4, RunTask.Result.FAILED, 'UNKNOWN_SKILL'),
    ],
)
def test_a_model_that_errs_moves_nothing(
    lone_house: House, tmp_path: Path, lines: list[dict[str, Any]], status: int, code: str
) -> None:
    lone_house.serve()
    with planner(DOMAIN + 1, *scripted(tmp_path, *lines)) as process:
        result = lone_house.run('model', 'bring the cup')[1]
        assert (result.status, result.error_code) == (status, code)
        assert lone_house.goals == []
        assert stop(process, signal.SIGTERM) == 0


def stop(process: subprocess.Popen[str], number: int, limit_s: float = 10.0) -> int:
    process.send_signal(number)
    return process.wait(timeout=limit_s)


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_cancels_the_running_call_before_the_planner_ends(lone_house: House, number: int) -> None:
    lone_house.serve()
    with planner(DOMAIN + 1, *QUICK) as process:
        lone_house.answers = [None]
        handle = lone_house.ask('ended', 'go to the kitchen')
        lone_house.until(lambda: 'ended:1:0' in lone_house.pending)
        result = handle.get_result_async()
        process.send_signal(number)
        lone_house.until(lambda: lone_house.canceled == ['ended:1:0'])
        assert process.poll() is None
        lone_house.finish('ended:1:0', CANCELED)
        lone_house.until(result.done)
        assert result.result().result.error_code == 'CANCELED'
        deadline_s = time.monotonic() + 5.0
        lone_house.until(lambda: process.poll() is not None or time.monotonic() > deadline_s)
        assert process.poll() == 0


def test_bad_parameters_are_named_all_at_once() -> None:
    with planner(DOMAIN + 1, 'max_steps:=0', 'llm_timeout_s:=-1.0', 'provider:=oracle') as process:
        output, _ = process.communicate(timeout=20.0)
    assert process.returncode == 2
    for word in ('max_steps = 0', '1 to 200', 'llm_timeout_s = -1.0', '0.1 to 600.0', "'oracle'", ', '.join(NAMES)):
        assert word in output
    assert 'Traceback' not in output


@pytest.mark.parametrize(
    'parameter', ['robot_file:=/nowhere/robot.yaml', 'provider:=scripted', f'script_file:={ROBOT_FILE}']
)
def test_an_unusable_file_is_a_configuration_error(parameter: str) -> None:
    extra = ('provider:=scripted',) if parameter.startswith('script_file') else ()
    with planner(DOMAIN + 1, parameter, *extra) as process:
        output, _ = process.communicate(timeout=20.0)
    assert process.returncode == 2
    assert 'Traceback' not in output
