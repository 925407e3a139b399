"""A real planner process and an executor whose heartbeat falls silent while its call lives on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from action_msgs.msg import GoalStatus
from planner_process import CANCELED, House, planner, SUCCEEDED
import pytest
from robot_tool_agent_interfaces.action import RunTask

DOMAIN = 44
QUICK = ('executor_timeout_s:=2.0', 'cancel_timeout_s:=2.0', 'executor_lost_s:=1.0', 'wait_retry_s:=0.1')
RUNNING = {'outcome': 2, 'effect': 0, 'error_code': 'IN_PROGRESS', 'advice': 'WAIT', 'message': 'it runs'}
SILENCE_S = 3.0


@pytest.fixture(scope='module')
def shared() -> Iterator[House]:
    house = House(DOMAIN)
    try:
        house.serve()
        with planner(DOMAIN, *QUICK) as process:
            assert house.run('warm-up', 'go home')[0] == GoalStatus.STATUS_SUCCEEDED
            yield house
            assert process.poll() is None, 'the planner died during the tests'
    finally:
        house.close()


@pytest.fixture
def house(shared: House) -> House:
    shared.goals.clear()
    shared.canceled.clear()
    shared.feedback.clear()
    shared.answers = [None, *[RUNNING] * 200]
    shared.beating = True
    return shared


def start(house: House, task_id: str) -> Any:
    """Let the task's call run and the heartbeat fall silent until the planner has noticed."""
    handle = house.ask(task_id, 'go to the kitchen')
    house.until(lambda: f'{task_id}:1:0' in house.pending)
    house.beating = False
    house.until(lambda: any(item.kind == 'lost' for item in house.feedback))
    return handle


def start_again(house: House, task_id: str) -> Any:
    """Let the heartbeat come back, so that the planner learns that its call runs on."""
    handle = start(house, task_id)
    house.beating = True
    house.until(lambda: any(item.kind == 'waiting' for item in house.feedback))
    return handle


def test_a_cancel_after_the_silence_reaches_the_call(house: House) -> None:
    handle = start_again(house, 'after')
    handle.cancel_goal_async()
    house.until(lambda: 'after:1:0' in house.canceled, 3.0)
    house.finish('after:1:0', CANCELED)
    status, result = house.end(handle, 5.0)
    assert (status, result.error_code) == (GoalStatus.STATUS_CANCELED, 'CANCELED')


def test_a_cancel_in_the_silence_reaches_the_call(house: House) -> None:
    handle = start(house, 'within')
    handle.cancel_goal_async()
    house.until(lambda: house.canceled == ['within:1:0'], 3.0)
    house.finish('within:1:0', CANCELED)
    status, result = house.end(handle, 5.0)
    assert (status, result.error_code) == (GoalStatus.STATUS_CANCELED, 'CANCELED')
    assert len(house.goals) == 1


def test_a_silence_that_lasts_stops_the_call_before_the_task_ends(house: House) -> None:
    handle = start(house, 'lasting')
    end = handle.get_result_async()
    house.until(lambda: house.canceled == ['lasting:1:0'], SILENCE_S + 2.0)
    assert not end.done()
    house.finish('lasting:1:0', CANCELED)
    house.until(end.done, 5.0)
    result = end.result().result
    assert (result.status, result.error_code) == (RunTask.Result.FAILED, 'TIMEOUT')
    assert len(house.goals) == 1


def test_a_call_that_ends_after_the_silence_succeeds_first_hand(house: House) -> None:
    handle = start_again(house, 'late')
    house.finish('late:1:0', SUCCEEDED)
    status, result = house.end(handle, 5.0)
    assert (status, result.status) == (GoalStatus.STATUS_SUCCEEDED, RunTask.Result.SUCCEEDED)
    assert result.skill_calls == 1
    assert house.canceled == []


def test_a_second_silence_stops_the_call_too(house: House) -> None:
    start_again(house, 'twice')
    house.beating = False
    house.until(lambda: 'twice:1:0' in house.canceled, 10.0)
    house.finish('twice:1:0', CANCELED)
    house.until(lambda: any(item.kind == 'end' for item in house.feedback), 5.0)


def test_a_call_taken_only_after_its_task_ended_is_stopped() -> None:
    house, operator = House(DOMAIN + 1), House(DOMAIN + 1)
    house.beating = False  # the operator's house beats in its place: alive, but its goals are not answered
    house.answers = [None, *[RUNNING] * 5]
    try:
        house.serve()
        operator.describe()
        with planner(DOMAIN + 1, *QUICK):
            status, result = operator.run('deaf', 'go to the kitchen')
            assert (status, result.error_code) == (GoalStatus.STATUS_ABORTED, 'UNRESOLVED_CALL')
            assert house.goals == []
            house.until(lambda: 'deaf:1:0' in house.pending, 5.0)
            house.until(lambda: 'deaf:1:0' in house.canceled, 5.0)
            house.finish('deaf:1:0', CANCELED)
    finally:
        operator.close()
        house.close()


def test_a_signal_ends_the_planner_soon_even_if_its_executor_is_gone() -> None:
    house = House(DOMAIN + 2)
    try:
        house.serve()
        house.answers = [None] * 3
        with planner(DOMAIN + 2) as process:
            house.ask('gone', 'go to the kitchen')
            house.until(lambda: 'gone:1:0' in house.pending)
            process.terminate()  # from here on nobody answers: this process no longer spins the executor's interfaces
            assert process.wait(5.0) == 0
    finally:
        house.close()
