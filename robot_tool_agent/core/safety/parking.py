"""Brings the stopped robot back to a safe pose: plans the way, drives it, knows when it is over."""

from __future__ import annotations

from enum import Enum

from robot_tool_agent.core.geometry import Twist2D, ZERO_TWIST
from robot_tool_agent.core.motion import JointTarget, Profile
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.arm_home import ArmHome, ArmStatus
from robot_tool_agent.core.safety.awareness import Awareness
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.gate import BaseCommand, NO_COMMAND
from robot_tool_agent.core.safety.retreat import Retreat, RetreatStatus
from robot_tool_agent.core.safety.straight_way import plan_straight_way
from robot_tool_agent.core.safety.trail import DEFAULT_GAP_M, Trail
from robot_tool_agent.core.safety.way_back import plan_way_back

ARRIVAL_STANDSTILL_S = 0.1


class ParkingEnd(Enum):
    """How a retreat ended; the value says why."""

    ARRIVED = 'at the safe pose'
    BLIND = 'the scan covers no direction of travel'
    STUCK = 'no progress on the way back'
    LATE = 'the retreat took too long'
    VOID = 'odometry jumped, the way back is unknown'
    ARM_UNSEEN = 'the base is parked; the joints of the arm are not seen'
    ARM_STUCK = 'the base is parked; the arm does not get home'


_ENDS = {
    RetreatStatus.BLIND: ParkingEnd.BLIND,
    RetreatStatus.STUCK: ParkingEnd.STUCK,
    RetreatStatus.LATE: ParkingEnd.LATE,
}


_ARM_ENDS = {
    ArmStatus.HOME: ParkingEnd.ARRIVED,
    ArmStatus.UNSEEN: ParkingEnd.ARM_UNSEEN,
    ArmStatus.STUCK: ParkingEnd.ARM_STUCK,
}


class Parking:
    """Owns the trail and, while retreating, the drive along it and then the arm's way home."""

    def __init__(self, robot: RobotDescription, config: SafetyConfig, aware: Awareness) -> None:
        self._robot = robot
        self._config = config
        self._aware = aware
        self._drive: Retreat | None = None
        self._arm = ArmHome(robot)
        unseen_m = max(robot.limits.max_speed_mps, robot.limits.max_reverse_mps) * robot.topics.odom.stale_s
        self.trail = Trail(config.trail_spacing_m, config.trail_length_m, max(DEFAULT_GAP_M, unseen_m))

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
        pose = aware.odom.pose
        way = plan_way_back(self._robot, aware.localizer, pose, self.trail.points(), config.safe_pose_departure_m)
        if way is None and self._robot.open_space:
            way = plan_straight_way(self._robot, aware.localizer, pose, aware.obstacle_points())
        if way is None:
            free = ' and none that can be reached straight' if self._robot.open_space else ''
            return f'no safe pose along the trail{free}'
        self._arm = ArmHome(self._robot)
        self._drive = Retreat(way, self._robot.limits, now_s, config.retreat_timeout_s, config.retreat_blocked_s)
        return ''

    def step(self, last: Twist2D, now_s: float) -> tuple[BaseCommand, ParkingEnd | None]:
        """Return the velocity wanted now and, once the retreat is over, how it ended. `last` is the present output."""
        if self._drive is None or self._aware.odom is None:
            return NO_COMMAND, ParkingEnd.VOID
        pose = self._aware.odom.pose
        step = self._drive.step(pose, None if self._aware.stale('scan', now_s) else self._aware.obstacles, now_s)
        if step.status is RetreatStatus.AT_GOAL and self._rests(last) and self._drive.arrived(pose):
            return NO_COMMAND, _ARM_ENDS.get(self._arm.step(self._aware.joints, now_s))
        return BaseCommand(step.twist, Profile.NORMAL), _ENDS.get(step.status)

    def take_joints(self) -> JointTarget | None:
        """Return the order that brings the arm home, once."""
        return self._arm.take_order()

    def _rests(self, last: Twist2D) -> bool:
        return last == ZERO_TWIST and self._aware.standstill.held_s() >= ARRIVAL_STANDSTILL_S
