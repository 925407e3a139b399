"""The planner as a real process: calls side by side and a plan, with the executor's answers in the test's hand."""

from __future__ import annotations

from collections.abc import Iterator
import json
from pathlib import Path
from typing import Any

import planner_process
from planner_process import CANCELED, House, planner, script, SUCCEEDED
from planning_lines import MORE
import pytest
from robot_tool_agent_interfaces.action import RunTask

DOMAIN = 45
FAILED = {'outcome': 3, 'effect': 0, 'error_code': 'TIMEOUT', 'advice': 'CHOOSE_ANOTHER', 'message': 'too slow'}
DONE = {'calls': [{'name': 'finish_task', 'arguments': {'claim': 'DONE', 'text': 'as asked'}}]}
BOTH = {'calls': [{'name': 'navigate_to', 'arguments': {'place': 'kitchen'}}, {'name': 'open_gripper'}]}


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """Return a house whose robot has skills for base, arm and gripper."""
    monkeypatch.setattr(planner_process, 'SKILLS_JSON', MORE[0])
    house = House(DOMAIN)
    try:
        house.serve()
        yield house
    finally:
        house.close()


def scripted(folder: Path, *lines: dict[str, Any]) -> tuple[str, ...]:
    return ('provider:=scripted', f'script_file:={script(folder, *lines)}', 'cancel_timeout_s:=3.0')


def step(name: str, skill: str, arguments: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {'id': name, 'skill': skill, 'arguments': arguments or {}, **more}


def test_two_calls_run_at_once_and_a_cancel_stops_both(house: House, tmp_path: Path) -> None:
    with planner(DOMAIN, *scripted(tmp_path, BOTH, DONE, BOTH)):
        house.answers = [None, None]
        handle = house.ask('both', 'go and open')
        house.until(lambda: len(house.pending) == 2)
        house.finish('both:1:1', SUCCEEDED)
        house.finish('both:1:0', SUCCEEDED)
        result = house.end(handle)[1]
        assert (result.status, result.skill_calls) == (RunTask.Result.SUCCEEDED, 2)
        house.answers = [None, None]
        handle = house.ask('stop', 'go and open')
        house.until(lambda: len(house.pending) == 2)
        handle.cancel_goal_async()
        house.until(lambda: sorted(house.canceled) == ['stop:1:0', 'stop:1:1'])
        house.finish('stop:1:0', CANCELED)
        result = handle.get_result_async()
        house.listen(0.3)
        assert not result.done()
        house.finish('stop:1:1', CANCELED)
        assert house.end(handle)[1].status == RunTask.Result.CANCELED


def test_a_plan_runs_with_one_question_to_the_model_and_takes_its_branch(house: House, tmp_path: Path) -> None:
    steps = [
        step('go', 'navigate_to', {'place': 'kitchen'}),
        step('take', 'pick', {'object': 'cup_1'}, after=['go']),
        step('home', 'go_to_safe_pose', when=[{'step': 'go', 'outcome': 'FAILED', 'error_code': 'TIMEOUT'}]),
    ]
    submitted = {'calls': [{'name': 'submit_plan', 'arguments': json.dumps({'steps': steps})}]}
    with planner(DOMAIN, *scripted(tmp_path, submitted, DONE)):
        house.answers = [FAILED]
        result = house.run('plan', 'fetch the cup')[1]
    assert (result.status, result.llm_calls) == (RunTask.Result.SUCCEEDED, 2)
    assert [(call_id, skill) for call_id, skill, _ in house.sent()] == [
        ('plan:1:0', 'navigate_to'),
        ('plan:1:2', 'go_to_safe_pose'),
    ]
