"""
Hostile messages and requests for every subscription, service and action of every part: none of them ends it.

A part is asked what it made, so that what is new is met too; and no file that listens is left out (last test).
"""

from __future__ import annotations

from collections.abc import Iterator
import math
from pathlib import Path
from random import Random
import re
import sys
from typing import Any

from hostile_messages import hostile, TEXTS
from hostile_parts import Part, part_named, PARTS
import pytest
from rclpy.action import ActionServer
from rclpy.node import Node
import robot_tool_agent
from robot_tool_agent.core.outcomes import ErrorCode, TaskStatus
from robot_tool_agent.core.safety.requests import Answer
from robot_tool_agent.core.safety.supervisor import SafetySupervisor
from robot_tool_agent.nodes import nav2_navigator
from robot_tool_agent_interfaces.action import ExecuteSkill, RunTask
from robot_tool_agent_interfaces.srv import ResetSafety
import robot_tool_agent_sim

DOMAIN = 8
ROUNDS = 15
ACTUATORS = ('cmd_vel', 'joint_trajectory', 'motion_command')
MAX_TEXT = 2000


@pytest.fixture(autouse=True)
def domain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv('ROS_DOMAIN_ID', str(DOMAIN))
    monkeypatch.setenv('ROS_HOME', str(tmp_path))


@pytest.fixture(params=PARTS)
def part(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Part]:
    with part_named(request.param, tmp_path) as running:
        yield running


def numbers(message: Any) -> Iterator[float]:
    """Yield every number inside a message."""
    for name in message.get_fields_and_field_types():
        value = getattr(message, name)
        for item in [value] if isinstance(value, int | float | str) or hasattr(value, 'SLOT_TYPES') else value:
            if isinstance(item, float):
                yield item
            elif hasattr(item, 'get_fields_and_field_types'):
                yield from numbers(item)


def moves(message: Any) -> bool:
    """Tell whether a message to an actuator asks for motion."""
    return any(value != 0.0 for value in numbers(message))


def check(part: Part) -> None:
    """Assert that a part lives, moves nothing by nonsense and shows nothing that a terminal obeys."""
    part.turn()
    for topic, message in part.sent:
        if topic.endswith(ACTUATORS) and not isinstance(message, bytes):
            assert all(math.isfinite(value) for value in numbers(message)), (topic, message)
    part.sent.clear()
    for text in part.shown():
        assert text.isprintable()
        assert len(text) <= MAX_TEXT


def test_any_message_on_any_subscription(part: Part) -> None:
    for seed in range(ROUNDS):
        for subscription in list(part.node.subscriptions):
            random = Random(f'{subscription.topic_name} {seed}')
            bytes_only = subscription.raw
            message = random.randbytes(99) if bytes_only else hostile(subscription.msg_type, random)
            subscription.callback(message)
            check(part)


def test_any_request_to_any_service(part: Part) -> None:
    for seed in range(ROUNDS):
        for service in list(part.node.services):
            random = Random(f'{service.srv_name} {seed}')
            request = hostile(service.srv_type.Request, random)
            answer = part.done(service.callback, request, service.srv_type.Response())
            assert isinstance(answer, service.srv_type.Response)
            text = getattr(answer, 'message', '')
            assert text.isprintable(), (service.srv_name, text)
            assert len(text) <= MAX_TEXT
            check(part)


def test_who_resets_is_told_in_plain_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with part_named('safety', tmp_path) as part:
        monkeypatch.setattr(SafetySupervisor, 'reset', lambda _, operator, now_s: Answer(True, f'reset by {operator}'))
        (service,) = [item for item in part.node.services if item.srv_type is ResetSafety]
        for operator in TEXTS:
            answer = part.done(service.callback, ResetSafety.Request(operator_name=operator), ResetSafety.Response())
            assert answer.message.isprintable()
            assert len(answer.message) <= MAX_TEXT


class Goal:
    """A goal as a server holds it; `ends` are what the server made of it."""

    def __init__(self, request: Any) -> None:
        self.request, self.is_cancel_requested = request, False
        self.ends: list[str] = []
        self.feedback: list[Any] = []
        self.publish_feedback = self.feedback.append

    def __getattr__(self, name: str) -> Any:
        assert name in ('succeed', 'abort', 'canceled'), name
        return lambda: self.ends.append(name)


SKILLS = ('move_relative', 'rotate_relative', 'navigate_to', 'pick', 'place', 'look', 'wait', 'get_robot_state', 'fly')
ARGUMENTS = ('{}', '', '{', 'null', '[]', '{"distance_m": 1e999}', '{"distance_m": 0.3}', '{"object": "\x00"}')
ARGUMENTS += ('{"place": "kitchen"}', '[' * 9999, '{"a": "\\ud800"}')


def test_any_goal_for_a_skill_is_refused_without_motion(tmp_path: Path) -> None:
    with part_named('executor', tmp_path) as part:
        (server,) = part.action_servers()
        for seed in range(60):
            random = Random(seed)
            request = hostile(ExecuteSkill.Goal, random)
            request.call_id = random.choice((request.call_id, f'call-{seed}', 'a', 'x' * 129))
            request.skill = random.choice((request.skill, *SKILLS))
            request.arguments_json = random.choice((request.arguments_json, *ARGUMENTS))
            goal = Goal(request)
            result = part.done(server._execute_callback, goal)
            assert (result.outcome, result.effect) == (ExecuteSkill.Result.REJECTED, ExecuteSkill.Result.EFFECT_NONE)
            assert ErrorCode(result.error_code)
            assert result.message.isprintable()
            assert len(result.message) <= MAX_TEXT
            assert goal.ends == ['abort']
            assert not any(moves(message) for topic, message in part.sent if topic.endswith(ACTUATORS))
            check(part)


def test_any_goal_for_a_task_has_an_end(tmp_path: Path) -> None:
    with part_named('planner', tmp_path) as part:
        (server,) = part.action_servers()
        for seed in range(30):
            goal = Goal(hostile(RunTask.Goal, Random(seed)))
            running = part.executor.create_task(server._execute_callback, goal)
            for _ in range(3):
                part.executor.spin_once(timeout_sec=0.005)
            goal.is_cancel_requested = True
            part.done(server._cancel_callback, goal)
            result = part.done(_ended, running)
            assert result.status in (TaskStatus.CANCELED, TaskStatus.FAILED), result
            assert len(goal.ends) == 1
            assert result.summary.isprintable()
            assert len(result.summary) <= MAX_TEXT
            check(part)


async def _ended(task: Any) -> Any:
    return await task


LISTENS = re.compile(r'\b(create_subscription|create_service|ActionServer)\(')
# They listen for tests and measurements, and nothing of the suite listens to them.
TOOLS = ('harness', 'bench', 'demo')


def listening_files() -> set[Path]:
    """Return every file that subscribes or serves."""
    folders = [Path(str(package.__file__)).resolve().parent for package in (robot_tool_agent, robot_tool_agent_sim)]
    files = [(path, path.relative_to(folder)) for folder in folders for path in folder.rglob('*.py')]
    return {path for path, short in files if short.parts[0] not in TOOLS and LISTENS.search(path.read_text('utf-8'))}


def test_every_file_that_listens_is_met_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    met = {Path(str(nav2_navigator.__file__)).resolve()}  # in test_hostile_strangers.py
    for owner, name in ((Node, 'create_subscription'), (Node, 'create_service'), (ActionServer, '__init__')):
        made = getattr(owner, name)

        def noted(*arguments: Any, _made: Any = made, **more: Any) -> Any:
            met.add(Path(sys._getframe(1).f_code.co_filename).resolve())
            return _made(*arguments, **more)

        monkeypatch.setattr(owner, name, noted)
    for name in PARTS:
        with part_named(name, tmp_path):
            pass
    assert listening_files() - met == set()
    assert len(listening_files()) > 15
