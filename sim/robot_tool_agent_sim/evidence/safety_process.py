"""The safety process: the core's supervisor with the timing of its node."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from robot_tool_agent.core.geometry import Twist2D, ZERO_TWIST
from robot_tool_agent.core.motion import MotionRequest
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.gate import Offer
from robot_tool_agent.core.safety.requests import Answer, TripRequest
from robot_tool_agent.core.safety.supervisor import Output, SafetySupervisor
from robot_tool_agent.core.safety.tilt import TiltSample
from robot_tool_agent.core.safety_state import SafetyMode, SafetyView
from robot_tool_agent_sim.evidence.bus import Bus
from robot_tool_agent_sim.evidence.process import Process
from robot_tool_agent_sim.evidence.robot_side import RobotSide
from robot_tool_agent_sim.readings import ImuSample
from robot_tool_agent_sim.schedule import Schedule

STATE_PERIOD_S = 0.1
TOPICS = frozenset({'odom', 'global_pose', 'scan', 'bumper', 'joint_states', 'battery_state', 'imu', 'estop'})
Hear = Callable[[SafetyView], None]


class SafetyProcess(Process):
    """Feeds the supervisor, sends what it decides to the robot and its state to those who listen."""

    def __init__(self, robot: RobotDescription, config: SafetyConfig, bus: Bus, base: RobotSide) -> None:
        super().__init__()
        self._robot, self._config, self._bus, self._base = robot, config, bus, base
        self.listeners: list[tuple[str, Process, Hear]] = []
        self.on_offer: Callable[[MotionRequest, Offer], None] = lambda request, offer: None
        self.on_output: Callable[[Twist2D], None] = lambda twist: None
        self.wrong_frames: set[str] = set()
        self.boot()
        base.listen('safety', self, self.on_sample, TOPICS & frozenset(robot.topics.inputs()))

    def boot(self) -> None:
        """Start, as a new process."""
        self.boots += 1
        self.alive, self.stopped = True, False
        self.supervisor = SafetySupervisor(self._robot, self._config, self.boots * 10**9, self._bus.now_s)
        self._take = self._takers(self.supervisor)
        self._told: SafetyView | None = None
        self._told_s = -STATE_PERIOD_S
        self._mode = self.supervisor.mode
        self._schedule = Schedule(self._config.gate_rate_hz)

    @property
    def mode(self) -> SafetyMode:
        """State of the machine."""
        return self.supervisor.mode

    def tick(self) -> None:
        """Decide and publish once; due at the gate's rate."""
        if self.runs and self._schedule.due(self._bus.now_s):
            self._publish(self._judge())

    def on_sample(self, topic: str, sample: Any) -> None:
        """Take a reading."""
        now_s = self._bus.now_s
        if topic in self.wrong_frames:
            self.supervisor.on_refused(topic, 'its frame is another')
        elif isinstance(sample, ImuSample):
            self.supervisor.on_tilt(TiltSample(sample.stamp_s, now_s, max(abs(sample.roll_rad), abs(sample.pitch_rad))))
        else:
            self._take[topic](sample if sample.received_s == now_s else replace(sample, received_s=now_s))
        self._hurry()

    def on_command(self, request: MotionRequest) -> None:
        """Take a motion command."""
        self.on_offer(request, self.supervisor.on_command(request, self._bus.now_s))
        self._hurry()

    def on_heartbeat(self, node: str, boot_id: int, sequence: int) -> None:
        """Take a sign of life."""
        self.supervisor.on_heartbeat(node, boot_id, sequence, self._bus.now_s)
        self._hurry()

    def on_trip(self, request: TripRequest) -> Answer:
        """Take a request to stop."""
        answer = self.supervisor.trip(request, self._bus.now_s)
        self._hurry()
        return answer

    def on_reset(self, operator: str) -> Answer:
        """Take a request to reset."""
        answer = self.supervisor.reset(operator, self._bus.now_s)
        self._hurry()
        return answer

    def _hurry(self) -> None:
        supervisor = self.supervisor
        changed = supervisor.mode is not self._mode
        if supervisor.zero_ordered:
            self._send_twist(ZERO_TWIST)
        elif changed or supervisor.hurries:
            self._send_twist(supervisor.hurry(self._bus.now_s))
        if changed:
            self._publish(self._judge())

    def _judge(self) -> Output:
        self.supervisor.on_ros_time(self._base.clock_s, self._bus.now_s)
        return self.supervisor.tick(self._bus.now_s)

    def _send_twist(self, twist: Twist2D) -> None:
        self.on_output(twist)
        self._bus.send('cmd_vel', self._base, lambda: self._base.on_twist(twist))

    def _publish(self, output: Output) -> None:
        self._mode = self.supervisor.mode
        self._send_twist(output.twist)
        joints = output.joints
        if joints is not None:
            self._bus.send('joint_trajectory', self._base, lambda: self._base.on_joints(joints))
        self._tell(output.view)

    def _tell(self, view: SafetyView) -> None:
        now_s = self._bus.now_s
        if _same(self._told, view) and now_s - self._told_s < STATE_PERIOD_S - 1e-9:
            return
        self._told, self._told_s = view, now_s
        for name, process, hear in self.listeners:
            self._bus.send(f'safety_state>{name}', process, lambda h=hear: h(view))  # type: ignore[misc]

    @staticmethod
    def _takers(supervisor: SafetySupervisor) -> dict[str, Callable[[Any], None]]:
        return {
            'odom': supervisor.on_odom,
            'global_pose': supervisor.on_global_pose,
            'scan': supervisor.on_scan,
            'bumper': supervisor.on_bumper,
            'joint_states': supervisor.on_joints,
            'battery_state': supervisor.on_battery,
            'estop': supervisor.on_estop,
        }


def _same(old: SafetyView | None, new: SafetyView) -> bool:
    """Tell whether there is no news; why the speed is limited just now can wait for the next turn."""
    return old is not None and replace(old, limit_reason=new.limit_reason) == new
