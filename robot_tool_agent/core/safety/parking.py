"""Brings the stopped robot back to a safe pose: plans the way, drives it, knows when it is over."""

from __future__ import annotations

from enum import Enum

from robot_tool_agent.core.geometry import ZERO_TWIST, Twist2D
from robot_tool_agent.core.motion import Profile
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.awareness import Awareness
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.gate import NO_COMMAND, BaseCommand
from robot_tool_agent.core.safety.retreat import Retreat, RetreatStatus
from robot_tool_agent.core.safety.trail import Trail
from robot_tool_agent.core.safety.way_back import plan_way_back

ARRIVAL_STANDSTILL_S = 0.1


class ParkingEnd(Enum):
    """How a retreat ended; the value says why."""

    ARRIVED = 'at the safe pose'
    BLIND = 'the scan covers no direction of travel'
    STUCK = 'no progress on the way back'
    LATE = 'the retreat took too long'
    VOID = 'odometry jumped, the way back is unknown'


_ENDS = {
    RetreatStatus.BLIND: ParkingEnd.BLIND,
    RetreatStatus.STUCK: ParkingEnd.STUCK,
    RetreatStatus.LATE: ParkingEnd.LATE,
}


class Parking:
    """Owns the trail and, while retreating, the drive along it."""

    def __init__(self, robot: RobotDescription, config: SafetyConfig, aware: Awareness) -> None:
        self._robot = robot
        self._config = config
        self._aware = aware
        self._drive: Retreat | None = None
        self.trail = Trail(config.trail_spacing_m, config.trail_length_m)

    @property
    def goal_name(self) -> str:
        """Name of the safe pose of the present way back, empty without one."""
        return '' if self._drive is None else self._drive.goal_name

    def void(self) -> None:
        """Odometry jumped: where the robot came from is unknown."""
        self.trail.void()
        self._drive = None

    def begin(self, now_s: float) -> str:
        """Plan the way back. Return why there is none, empty if it can begin."""
        aware, config = self._aware, self._config
        if aware.odom is None or aware.stale('odom', now_s):
            return 'no fresh odometry for a retreat'
        if aware.obstacles is None or aware.stale('scan', now_s):
            return 'no fresh scan for a retreat'
        way = plan_way_back(
            self._robot, aware.localizer, aware.odom.pose, self.trail.points(), config.safe_pose_departure_m
        )
        if way is None:
            return 'no safe pose along the trail'
        self._drive = Retreat(way, self._robot.limits, now_s, config.retreat_timeout_s, config.retreat_blocked_s)
        return ''

    def step(self, last: Twist2D, now_s: float) -> tuple[BaseCommand, ParkingEnd | None]:
        """Return the velocity wanted now and, once the retreat is over, how it ended. `last` is the present output."""
        if self._drive is None or self._aware.odom is None:
            return NO_COMMAND, ParkingEnd.VOID
        pose = self._aware.odom.pose
        step = self._drive.step(pose, self._aware.obstacles, now_s)
        if step.status is RetreatStatus.AT_GOAL and self._rests(last) and self._drive.arrived(pose):
            return NO_COMMAND, ParkingEnd.ARRIVED
        return BaseCommand(step.twist, Profile.NORMAL), _ENDS.get(step.status)

    def _rests(self, last: Twist2D) -> bool:
        return last == ZERO_TWIST and self._aware.standstill.held_s() >= ARRIVAL_STANDSTILL_S
