"""
Skill calls from goal to result: a bare server, a call that reads, a journalled call whose motion is zero.

The executor runs alone in its process; this process plays robot and safety node. The motion is `navigate_to` to where
the robot stands. What the call has to wait for its sensors is taken off: from the stamp of the call's first command
of zero, which ends its motion, until samples published since then suffice for a verdict by
`seen_enough_s`. Every wait of the executor beyond that, for its own tick as well, counts.
"""

from __future__ import annotations

from collections.abc import Callable
import json
import threading
import time
from typing import Any

from rclpy.action import ActionClient
from rclpy.task import Future
from robot_tool_agent.nodes.clock import seconds
from robot_tool_agent.nodes.qos import COMMAND, LATCHED
from robot_tool_agent_interfaces.action import ExecuteSkill
from robot_tool_agent_interfaces.msg import MotionCommand, SafetyState
from robot_tool_agent_sim.bench.bare_server import ACTION
from robot_tool_agent_sim.harness.ros_loop import RosLoop
from robot_tool_agent_sim.harness.stand_ins import StandInRobot, START
from robot_tool_agent_sim.harness.traces import seen_enough_s

# As short as the executor allows: it is taken off anyway.
SETTLE_S = 0.02
# A sample that was on its way when the motion ended counts as published after it.
ON_ITS_WAY_S = 0.005
STATE_PERIOD_S = 0.1
EPOCH = 5
START_TIMEOUT_S, CALL_TIMEOUT_S = 20.0, 10.0
STAY = json.dumps({'x_m': START.x_m, 'y_m': START.y_m, 'yaw_rad': START.yaw_rad})


class _Call:
    """One goal on its way. Its callbacks run in the client's thread."""

    def __init__(self, goal: ExecuteSkill.Goal) -> None:
        self.goal = goal
        self.sent_s = self.ended_s = 0.0
        self.result: Any = None
        self._done = threading.Event()

    def send(self, client: ActionClient) -> None:
        self.sent_s = time.monotonic()
        client.send_goal_async(self.goal).add_done_callback(self._on_accepted)

    def _on_accepted(self, future: Future) -> None:
        future.result().get_result_async().add_done_callback(self._on_result)

    def _on_result(self, future: Future) -> None:
        self.ended_s = time.monotonic()
        self.result = future.result().result
        self._done.set()

    def wait(self) -> None:
        if not self._done.wait(CALL_TIMEOUT_S):
            raise TimeoutError(f'{self.goal.skill}: no result within {CALL_TIMEOUT_S:g} s')


class Caller:
    """Client, stand-in robot and stand-in safety node, spun in a background thread."""

    def __init__(self, domain_id: int) -> None:
        self._loop = RosLoop('caller', domain_id, '')
        node = self._loop.node
        self._robot = StandInRobot(node)
        self._bare = ActionClient(node, ExecuteSkill, ACTION)
        self._skills = ActionClient(node, ExecuteSkill, 'execute_skill')
        self._states = node.create_publisher(SafetyState, 'safety_state', LATCHED)
        self._zero_stamp_s: dict[str, float] = {}
        self._number = 0
        node.create_subscription(MotionCommand, 'motion_command', self._on_motion, COMMAND)
        node.create_timer(STATE_PERIOD_S, self._say_ready)
        self._loop.start()

    def close(self) -> None:
        """Leave the ROS graph."""
        self._loop.close()

    def come_up(self) -> None:
        """Wait until both servers answer and the executor can move."""
        deadline_s = time.monotonic() + START_TIMEOUT_S
        for client in (self._bare, self._skills):
            if not client.wait_for_server(START_TIMEOUT_S):
                raise TimeoutError('no action server')
        while True:
            try:
                self.bare_s(), self.read_only_s(), self.motion_s()
                return
            except (ValueError, TimeoutError):
                if time.monotonic() > deadline_s:
                    raise

    def bare_s(self) -> float:
        """Return the seconds of a call to the bare server."""
        call = self._call(self._bare, 'get_robot_state', '{}')
        return call.ended_s - call.sent_s

    def read_only_s(self) -> float:
        """Return the seconds of a call that reads the robot's state."""
        call = self._call(self._skills, 'get_robot_state', '{}')
        return call.ended_s - call.sent_s

    def motion_s(self) -> float:
        """Return the seconds of a journalled call whose motion is zero, waiting for sensors taken off."""
        call = self._call(self._skills, 'navigate_to', STAY)
        zero_stamp_s = self._zero_stamp_s.pop(call.goal.call_id)
        zero_s = zero_stamp_s - (time.time() - time.monotonic())
        enough_s = self._loop.call(lambda: self._enough_s(zero_stamp_s))
        if enough_s is None or enough_s > call.ended_s:
            raise ValueError(f'the result came before the samples it needs: {enough_s} {call.ended_s}')
        return (zero_s - call.sent_s) + (call.ended_s - enough_s)

    def _enough_s(self, zero_stamp_s: float) -> float | None:
        since_s = zero_stamp_s - ON_ITS_WAY_S
        return seen_enough_s(self._robot.odometry, self._robot.poses, since_s, SETTLE_S)

    def _call(self, client: ActionClient, skill: str, arguments: str) -> _Call:
        self._number += 1
        goal = ExecuteSkill.Goal(call_id=f'call-{self._number}', skill=skill, arguments_json=arguments)
        call = _Call(goal)
        self._loop.call(lambda: call.send(client))
        call.wait()
        if call.result.outcome != ExecuteSkill.Result.SUCCEEDED:
            raise ValueError(f'{skill}: {call.result.error_code} {call.result.message}')
        return call

    def _on_motion(self, message: MotionCommand) -> None:
        if message.twist.linear.x == 0.0 == message.twist.angular.z:
            self._zero_stamp_s.setdefault(message.call_id, seconds(message.header.stamp))

    def _say_ready(self) -> None:
        state = SafetyState(boot_id=1, state=SafetyState.READY, epoch=EPOCH, motion_allowed=True)
        self._states.publish(state)


KINDS: dict[str, Callable[[Caller], float]] = {
    'bare': Caller.bare_s,
    'read_only': Caller.read_only_s,
    'motion': Caller.motion_s,
}
