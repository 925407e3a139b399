"""The motion that pick and place share: drive to a stand-off, creep to the target, move the gripper, back off."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum

from robot_tool_agent.core.geometry import Point, Pose2D, Twist2D, ZERO_TWIST
from robot_tool_agent.core.motion import JointTarget, Motion, Profile
from robot_tool_agent.core.navigation import ProgressWatch
from robot_tool_agent.core.navigation.steering import advance, turn_towards
from robot_tool_agent.core.navigation.straight import StraightDrive
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.robot import Gripper, RobotDescription
from robot_tool_agent.core.sensors import SensorView
from robot_tool_agent.core.skills.base import Step, StepStatus
from robot_tool_agent.core.skills.blocked import stuck_step
from robot_tool_agent.core.skills.grasping import GripperMove
from robot_tool_agent.core.skills.pose_goal import PoseDrive
from robot_tool_agent.core.skills.reach import plan_reach

BACK_OFF_M = 0.25
AT_TARGET_M = 0.012
FACING_RAD = 0.04
CREEP_BEARING_RAD = 0.25
BEARING_GAIN_PER_S = 2.0
LOST_S = 1.0
MOVED_M = 0.10
MAX_PLANS = 3

Locate = Callable[[SensorView], Point | None]


class Phase(str, Enum):
    """Phases in their order, with the progress at which each begins."""

    DRIVE = 'driving to the stand-off'
    CREEP = 'approaching'
    ACT = 'moving the gripper'
    BACK_OFF = 'backing off'

    @property
    def progress(self) -> float:
        """Share of the skill that is done when the phase begins."""
        return {Phase.DRIVE: 0.0, Phase.CREEP: 0.4, Phase.ACT: 0.7, Phase.BACK_OFF: 0.9}[self]


class Handling:
    """
    One pick or place motion. `locate` says where the target is by the last sensor sample, None if it is not seen.

    `ready_m` is the opening to have before the gripper comes near the target (None: leave it), `act_m` the one to make.
    """

    def __init__(
        self, robot: RobotDescription, gripper: Gripper, locate: Locate, ready_m: float | None, act_m: float
    ) -> None:
        self._robot = robot
        self._gripper = gripper
        self._locate = locate
        self._ready = None if ready_m is None else GripperMove(ready_m, gripper)
        self._act = GripperMove(act_m, gripper)
        self._phase = Phase.DRIVE
        self._target: Point | None = None
        self._planned: Point | None = None
        self._seen_s = 0.0
        self._plans = 0
        self._drive: PoseDrive | None = None
        self._back: StraightDrive | None = None
        self._watch = ProgressWatch()

    def tick(self, view: SensorView, now_s: float) -> Step:
        """Return the motion wanted now."""
        pose = view.map_pose()
        self._see(view, now_s)
        if pose is None or view.odom is None:
            return self._running(ZERO_TWIST, 'waiting for a pose')
        step = {
            Phase.DRIVE: self._tick_drive,
            Phase.CREEP: self._tick_creep,
            Phase.ACT: self._tick_act,
            Phase.BACK_OFF: self._tick_back_off,
        }[self._phase](view, pose, now_s)
        twist = None if step.motion is None else step.motion.twist
        return stuck_step(view) if self._watch.is_stuck(view, twist, now_s) else step

    def _see(self, view: SensorView, now_s: float) -> None:
        seen = self._locate(view)
        if seen is not None:
            self._target, self._seen_s = seen, now_s

    def _tick_drive(self, view: SensorView, pose: Pose2D, now_s: float) -> Step:
        target = self._target
        if target is None:
            return _failed('the target is not seen')
        if self._planned is None:
            problem = self._plan(pose, target)
            if problem:
                return _failed(problem)
        joints = None if self._ready is None else self._ready.command(view, now_s)
        if self._drive is not None:
            step = self._drive.tick(view, now_s)
            if step.status is StepStatus.FINISHED:
                self._drive = None
            elif step.status is StepStatus.FAILED:
                return step
            twist = ZERO_TWIST if step.motion is None else step.motion.twist
            return self._running(twist or ZERO_TWIST, step.detail, joints, Profile.NORMAL)
        return self._face(pose, target, now_s, joints)

    def _face(self, pose: Pose2D, target: Point, now_s: float, joints: JointTarget | None) -> Step:
        """Look at the target and wait for the gripper to be ready."""
        bearing_rad = pose.bearing_to(target)
        if abs(bearing_rad) > FACING_RAD:
            twist = turn_towards(bearing_rad, self._robot.limits)
            return self._running(twist, 'facing the target', joints, Profile.NORMAL)
        if self._ready is not None and self._ready.is_stuck(now_s):
            return _failed('the gripper does not move')
        if self._ready is None or self._ready.is_over(now_s):
            self._phase, self._seen_s = Phase.CREEP, now_s
        return self._running(ZERO_TWIST, 'facing the target', joints)

    def _tick_creep(self, view: SensorView, pose: Pose2D, now_s: float) -> Step:
        target, planned = self._target, self._planned
        if target is None or planned is None or now_s - self._seen_s > LOST_S:
            return _failed('the target is no longer seen')
        if target.distance_to(planned) > MOVED_M:
            self._phase, self._planned = Phase.DRIVE, None
            return self._running(ZERO_TWIST, 'the target moved, planning anew')
        bearing_rad, gap_m = pose.bearing_to(target), pose.distance_to(target) - self._gripper.reach_m
        if abs(gap_m) <= AT_TARGET_M and abs(bearing_rad) <= FACING_RAD:
            self._phase = Phase.ACT
            return self._running(ZERO_TWIST, 'the target is at the gripper')
        if abs(bearing_rad) > (FACING_RAD if abs(gap_m) <= AT_TARGET_M else CREEP_BEARING_RAD):
            return self._running(turn_towards(bearing_rad, self._robot.limits), 'facing the target')
        v_mps = advance(gap_m, self._robot.limits.approach_speed_mps, self._robot.limits)
        return self._running(Twist2D(v_mps, BEARING_GAIN_PER_S * bearing_rad), f'{gap_m:.2f} m to the target')

    def _tick_act(self, view: SensorView, pose: Pose2D, now_s: float) -> Step:
        joints = self._act.command(view, now_s)
        if self._act.is_stuck(now_s):
            return _failed('the gripper does not move')
        if self._act.is_over(now_s) and view.odom is not None:
            top_mps = self._robot.limits.approach_speed_mps
            self._back = StraightDrive(view.odom.pose, -BACK_OFF_M, self._robot.limits, top_mps)
            self._phase = Phase.BACK_OFF
        return self._running(ZERO_TWIST, 'moving the gripper', joints)

    def _tick_back_off(self, view: SensorView, pose: Pose2D, now_s: float) -> Step:
        if self._back is None or view.odom is None:
            return _failed('no odometry')
        if self._back.is_over(view.odom.pose):
            return Step(StepStatus.FINISHED, Motion(twist=ZERO_TWIST), 1.0, 'done')
        return self._running(self._back.twist(view.odom.pose), 'backing off')

    def _plan(self, pose: Pose2D, target: Point) -> str:
        """Choose the side to come from; return why there is none."""
        self._plans += 1
        if self._plans > MAX_PLANS:
            return 'the target keeps moving'
        reach = plan_reach(self._robot, pose, target)
        self._planned = target
        self._drive = PoseDrive(pose, reach.standoff, self._robot) if reach.drives and not reach.problem else None
        return reach.problem

    def _running(
        self, twist: Twist2D, detail: str, joints: JointTarget | None = None, profile: Profile = Profile.APPROACH
    ) -> Step:
        motion = Motion(twist=twist, joints=joints, profile=profile)
        return Step(StepStatus.RUNNING, motion, self._phase.progress, f'{self._phase.value}: {detail}')


def _failed(detail: str) -> Step:
    return Step(StepStatus.FAILED, Motion(twist=ZERO_TWIST), detail=detail, error=ErrorCode.EXECUTION_ERROR)
