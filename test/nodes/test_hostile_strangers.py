"""What other people's packages may send: Nav2's answers and vision_msgs' detections. Neither need be installed here."""

from __future__ import annotations

from collections.abc import Iterator
import math
from random import Random
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

from geometry_msgs.msg import Twist, TwistStamped
from hostile_messages import hostile, value_of
import pytest
import rclpy
from rclpy.node import Node
from rclpy.task import Future
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.robot import Backend, NavigationConfig
from robot_tool_agent.core.sensors import SensorView
from robot_tool_agent.core.skills.base import StepStatus
from robot_tool_agent.core.skills.remote_drive import RemoteDrive
from robot_tool_agent.nodes import nav2_navigator
from robot_tool_agent.nodes.clock import steady_now_s
from robot_tool_agent.nodes.conversions import detections_sample
from sim_house import robot_description

DOMAIN = 10
SEEDS = range(200)
ROBOT = robot_description()
ROUNDING = 1e-9


class Stack:
    """An action client of a navigation stack whose every answer a test gives."""

    def __init__(self, *_: Any) -> None:
        self.taken, self.ended = Future(), Future()
        self.feedback: Any = None
        self.canceled = 0

    def server_is_ready(self) -> bool:
        return True

    def send_goal_async(self, goal: Any, feedback_callback: Any) -> Future:
        self.taken, self.ended, self.feedback = Future(), Future(), feedback_callback
        return self.taken

    def handle(self, accepted: bool) -> Any:
        def cancel() -> None:
            self.canceled += 1

        return SimpleNamespace(accepted=accepted, get_result_async=lambda: self.ended, cancel_goal_async=cancel)


@pytest.fixture(params=[Twist, TwistStamped])
def navigator(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return a navigator on a node, as the executor has it."""
    action = ModuleType('nav2_msgs.action')
    action.NavigateToPose = SimpleNamespace(Goal=SimpleNamespace)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, 'nav2_msgs', ModuleType('nav2_msgs'))
    monkeypatch.setitem(sys.modules, 'nav2_msgs.action', action)
    monkeypatch.setattr(nav2_navigator, 'ActionClient', Stack)
    context = rclpy.Context()
    rclpy.init(context=context, domain_id=DOMAIN)
    node = Node('executor', context=context)
    settings = NavigationConfig(backend=Backend.NAV2, stamped=request.param is TwistStamped)
    try:
        yield nav2_navigator.Nav2Navigator(node, ROBOT.model_copy(update={'navigation': settings}))
    finally:
        node.destroy_node()
        context.try_shutdown()


def check(drive: RemoteDrive, view: SensorView) -> StepStatus:
    """Assert that a step of the drive is one that a robot may be given and a person may read."""
    limits, step = ROBOT.limits, drive.tick(view, steady_now_s())
    assert 0.0 <= step.progress <= 1.0
    assert step.detail.isprintable()
    assert len(step.detail) <= 400
    twist = step.motion.twist
    assert twist is not None
    assert -limits.max_reverse_mps - ROUNDING <= twist.v_mps <= limits.max_speed_mps + ROUNDING
    assert abs(twist.w_radps) <= limits.max_turn_radps + ROUNDING
    return step.status


def test_a_navigation_stack_that_says_anything_gives_steps_in_order(navigator: Any) -> None:
    stack, view = navigator.client, SensorView(ROBOT)
    (listening,) = [item for item in navigator._node.subscriptions if item.topic_name == '/cmd_vel_nav']
    ends = set()
    for seed in SEEDS:
        random = Random(seed)
        drive = RemoteDrive(Pose2D(2.0, 1.0, 0.0), ROBOT, navigator)
        check(drive, view)
        stack.taken.set_result(random.choice((None, *[stack.handle(True)] * 5, stack.handle(False))))
        for _ in range(4):
            listening.callback(hostile(listening.msg_type, random))
            left_m = value_of('float', random)
            stack.feedback(SimpleNamespace(feedback=SimpleNamespace(distance_remaining=left_m)))
            check(drive, view)
        text, code = value_of('string', random), value_of('uint16', random)
        result = random.choice((SimpleNamespace(), SimpleNamespace(error_code=code, error_msg=text)))
        stack.ended.set_result(SimpleNamespace(status=random.randrange(-1, 10), result=result))
        ends.add(check(drive, view))
        drive.release()
    assert ends >= {StepStatus.FINISHED, StepStatus.FAILED}


def test_any_detections_are_objects_at_sane_places_or_none() -> None:
    view = SensorView(ROBOT)
    for seed in SEEDS:
        random = Random(seed)
        view.on_objects(detections_sample(detections(random), 10.0 + seed))
        seen = () if view.objects is None else view.objects.objects
        assert all(item.position.is_sane() and math.isfinite(item.confidence) for item in seen)


def detections(random: Random) -> Any:
    """Return a vision_msgs/Detection3DArray with anything in it."""

    def hypothesis() -> Any:
        pair = SimpleNamespace(class_id=value_of('string', random), score=value_of('double', random))
        return SimpleNamespace(hypothesis=pair)

    def detection() -> Any:
        place = SimpleNamespace(x=value_of('double', random), y=value_of('double', random))
        box = SimpleNamespace(center=SimpleNamespace(position=place))
        results = [hypothesis() for _ in range(random.randrange(4))]
        return SimpleNamespace(id=value_of('string', random), results=results, bbox=box)

    stamp = SimpleNamespace(sec=1000 + random.randrange(9), nanosec=value_of('uint32', random))
    items = [detection() for _ in range(random.randrange(5))]
    return SimpleNamespace(header=SimpleNamespace(stamp=stamp), detections=items)
