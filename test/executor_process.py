"""The executor as a process of its own beside the simulator; the test process stands in for the safety node."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
import os
from pathlib import Path
import subprocess
import sys
import time
from typing import Any

from action_msgs.msg import GoalStatus
from children import end
from geometry_msgs.msg import Twist
from rclpy.action import ActionClient
from rclpy.qos import DurabilityPolicy, QoSProfile
from robot_tool_agent_interfaces.action import ExecuteSkill
from robot_tool_agent_interfaces.msg import Heartbeat, MotionCommand, SafetyState
from robot_tool_agent_interfaces.srv import TripSafety
from sim_house import ROBOT_FILE
from sim_process import KINDS, Probe
from trajectory_msgs.msg import JointTrajectory

PROGRAM = ('-m', 'robot_tool_agent.nodes.executor_node')
STATUS = {GoalStatus.STATUS_SUCCEEDED: 'succeeded', GoalStatus.STATUS_CANCELED: 'canceled'}
STATUS[GoalStatus.STATUS_ABORTED] = 'aborted'


@contextmanager
def executor(
    domain: int, journal: Path, *arguments: str, robot: Path = ROBOT_FILE, program: Sequence[str] = PROGRAM
) -> Iterator[subprocess.Popen[str]]:
    """
    Run the executor node, or a program that stands for it, as a process of its own.

    It bears a long silence of the safety node: a test that plays it cannot always keep to 10 Hz.
    """
    command = [sys.executable, *program, '--ros-args']
    files = ['-p', f'robot_file:={robot}', '-p', f'journal_path:={journal}', '-p', 'safety_timeout_s:=2.0']
    environment = {**os.environ, 'ROS_DOMAIN_ID': str(domain), 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
    process = subprocess.Popen(
        [*command, *files, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        yield process
    finally:
        end(process)


class SafetyStandIn(Probe):
    """A probe that says READY, passes motion commands of its epoch on to the simulator, and takes trips."""

    def __init__(self, domain: int) -> None:
        super().__init__(domain, kinds={name: KINDS[name] for name in ('sim/ground_truth', 'sim/truth_json')})
        self.epoch, self.state, self.speaks = 5, SafetyState.READY, True
        self.trips: list[TripSafety.Request] = []
        self.beats: list[Heartbeat] = []
        self.commands: list[MotionCommand] = []
        node = self.node
        latched = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
        self._states = node.create_publisher(SafetyState, 'safety_state', latched)
        self._cmd_vel = node.create_publisher(Twist, 'cmd_vel', 10)
        self._joints = node.create_publisher(JointTrajectory, 'joint_trajectory', 10)
        node.create_subscription(MotionCommand, 'motion_command', self._pass_on, 10)
        node.create_subscription(Heartbeat, 'heartbeat', self.beats.append, 10)
        node.create_service(TripSafety, 'trip_safety', self._trip)
        node.create_timer(0.1, self.speak)
        self.client = ActionClient(node, ExecuteSkill, 'execute_skill')

    def speak(self) -> None:
        """Publish the state, unless silenced."""
        if self.speaks:
            ready = self.state == SafetyState.READY
            self._states.publish(SafetyState(boot_id=1, state=self.state, epoch=self.epoch, motion_allowed=ready))

    def stop(self, state: int = SafetyState.STOPPING) -> None:
        """Leave READY at once, as the safety node does."""
        self.state, self.epoch = state, self.epoch + 1
        self.speak()
        self._cmd_vel.publish(Twist())

    def ready(self) -> None:
        """Be READY again, in a new epoch."""
        self.state, self.epoch, self.speaks = SafetyState.READY, self.epoch + 1, True
        self.speak()

    def _pass_on(self, command: MotionCommand) -> None:
        self.commands.append(command)
        if command.epoch != self.epoch or self.state != SafetyState.READY:
            return
        if command.use_twist:
            self._cmd_vel.publish(command.twist)
        if command.joints.points:
            self._joints.publish(command.joints)

    def _trip(self, request: TripSafety.Request, response: TripSafety.Response) -> TripSafety.Response:
        self.trips.append(request)
        response.success = True
        return response

    def goal(self, skill: str, arguments: str = '{}', call_id: str = 'a', by: str = 'tester') -> Any:
        """
        Send a goal and return its accepted handle.

        A killed executor still looks ready in the graph for a while, and a request to it is lost: it is sent again.
        """
        self.until(self.client.server_is_ready, 20.0)
        request = ExecuteSkill.Goal(
            call_id=call_id, task_id='t', skill=skill, arguments_json=arguments, requested_by=by
        )
        for _ in range(5):
            future = self.client.send_goal_async(request)
            deadline_s = time.monotonic() + 3.0
            self._until_done(future, deadline_s)
            if future.done():
                break
        handle = future.result()
        assert handle.accepted
        return handle

    def _until_done(self, future: Any, deadline_s: float) -> None:
        self.until(lambda: future.done() or time.monotonic() > deadline_s)

    def end(self, handle: Any, limit_s: float = 60.0) -> tuple[str, ExecuteSkill.Result]:
        """Wait for a goal's end; return its action status and result."""
        future = handle.get_result_async()
        self.until(future.done, limit_s)
        return STATUS[future.result().status], future.result().result

    def call_skill(self, skill: str, arguments: str = '{}', call_id: str = 'a', limit_s: float = 60.0) -> Any:
        """Send a goal and wait for its end."""
        return self.end(self.goal(skill, arguments, call_id), limit_s)

    def cancel(self, handle: Any) -> float:
        """Ask a goal to end; return the seconds until the request was answered."""
        asked_s = time.monotonic()
        future = handle.cancel_goal_async()
        self.until(future.done)
        return time.monotonic() - asked_s

    def true_speed_mps(self) -> float:
        """Return the true speed now."""
        return abs(self.fresh('sim/ground_truth').twist.twist.linear.x)

    def set_off(self, call_id: str, arguments: str = '{"distance_m": 2.0}') -> Any:
        """
        Send a `move_relative` and return its goal once the robot truly moves.

        On a busy machine a sensor can be stale at that moment: a call refused for that is sent again under its id.
        """
        for _ in range(5):
            handle = self.goal('move_relative', arguments, call_id)
            ended = handle.get_result_async()
            self.until(lambda ended=ended: ended.done() or self.true_speed_mps() > 0.2, 20.0)
            if not ended.done():
                return handle
            assert ended.result().result.error_code in ('STALE_SENSOR', 'SAFETY_LOCKED'), ended.result().result
        raise AssertionError('the call was refused five times')

    def moving(self, speed_mps: float = 0.1) -> None:
        """Wait until the robot truly moves."""
        self.until(lambda: self.true_speed_mps() > speed_mps, 20.0)
