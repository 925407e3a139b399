"""A node that is none of the suite and does what none of the suite may: commands past the executor, past the gate."""

from __future__ import annotations

from collections.abc import Callable
import math

from geometry_msgs.msg import Twist
from robot_tool_agent.core.safety_state import SafetyView
from robot_tool_agent.nodes.qos import COMMAND
from robot_tool_agent_interfaces.msg import MotionCommand
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.ros_loop import RosLoop
from robot_tool_agent_sim.harness.stand_ins import REPEAT_S, velocity_command
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

CALL_ID = 'intruder'
FAST_MPS, SLOW_MPS = 2.0, 0.2
FAR_RAD = 3.0
MATCH_TIMEOUT_S = 5.0


def _joint_far_out(view: SafetyView) -> MotionCommand:
    point = JointTrajectoryPoint(positions=[FAR_RAD])
    point.time_from_start.sec = 1
    joints = JointTrajectory(joint_names=['arm_shoulder'], points=[point])
    return MotionCommand(epoch=view.epoch, call_id=CALL_ID, profile='normal', joints=joints)


COMMANDS: dict[str, Callable[[SafetyView], MotionCommand]] = {
    'no_number': lambda view: velocity_command(math.nan, view.epoch, CALL_ID),
    'too_fast': lambda view: velocity_command(FAST_MPS, view.epoch, CALL_ID),
    'old_epoch': lambda view: velocity_command(SLOW_MPS, view.epoch - 1, CALL_ID),
    'other_boot': lambda view: velocity_command(SLOW_MPS, view.boot_id - 1, CALL_ID),
    'joint_far_out': _joint_far_out,
}


class Intruder:
    """Comes and goes; `probe` tells it the state of the safety node."""

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self._name = ''
        self._loop = RosLoop('intruder', probe.domain_id, '')
        self._commands = self._loop.node.create_publisher(MotionCommand, 'motion_command', COMMAND)
        self._loop.node.create_timer(REPEAT_S, self._send)
        self._loop.start()
        probe.wait_until(self._commands.get_subscription_count, MATCH_TIMEOUT_S, 'a gate that hears the intruder')

    def command(self, name: str) -> None:
        """Send commands of one kind, at 20 Hz, from now on."""
        assert name in COMMANDS
        self._name = name

    def rival(self) -> None:
        """Become a publisher of cmd_vel; one that says nothing yet is dangerous enough."""
        self._loop.call(lambda: self._loop.node.create_publisher(Twist, 'cmd_vel', COMMAND))

    def close(self) -> None:
        """Go."""
        self._loop.close()

    def _send(self) -> None:
        view = self._probe.state()
        if self._name and view is not None:
            self._commands.publish(COMMANDS[self._name](view))
