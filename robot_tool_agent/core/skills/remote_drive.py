"""A drive to a pose that a navigation stack outside the suite steers."""

from __future__ import annotations

from robot_tool_agent.core.geometry import Pose2D, ZERO_TWIST
from robot_tool_agent.core.motion import Motion
from robot_tool_agent.core.navigation import ProgressWatch
from robot_tool_agent.core.navigation.remote import bounded, Navigator, RemoteGoal, RemoteReport, RemoteState
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.sensors import SensorView
from robot_tool_agent.core.skills.base import Step, StepStatus
from robot_tool_agent.core.skills.blocked import stuck_step

STANDING = Motion(twist=ZERO_TWIST)


class RemoteDrive:
    """One goal of the navigation stack. Given at the first tick, so that nothing starts before STARTED is kept."""

    problem = ''

    def __init__(self, goal: Pose2D, robot: RobotDescription, navigator: Navigator) -> None:
        self._goal_pose = goal
        self._robot = robot
        self._navigator = navigator
        self._goal: RemoteGoal | None = None
        self._accept_by_s = 0.0
        self._first_left_m = 0.0
        self._watch = ProgressWatch()

    def tick(self, view: SensorView, now_s: float) -> Step:
        """Return the velocity the stack wants, within the robot's limits; FINISHED once it says that it arrived."""
        if self._goal is None:
            self._goal = self._navigator.start(self._goal_pose, now_s)
            self._accept_by_s = now_s + self._robot.navigation.accept_timeout_s
        report = self._goal.report(now_s)
        if report.state is RemoteState.SUCCEEDED:
            return Step(StepStatus.FINISHED, STANDING, 1.0, 'the navigation stack says it arrived')
        if report.state is RemoteState.WAITING:
            return self._waiting(now_s)
        if report.state is not RemoteState.ACTIVE:
            return _failed(f'the navigation stack {report.state.value}{_reason(report)}')
        return self._active(view, report, now_s)

    def release(self) -> None:
        """End the goal, whatever the motion ended by."""
        if self._goal is not None:
            self._goal.cancel()
            self._goal = None

    def _waiting(self, now_s: float) -> Step:
        if now_s < self._accept_by_s:
            return Step(StepStatus.RUNNING, STANDING, detail='waiting for the navigation stack')
        limit_s = self._robot.navigation.accept_timeout_s
        return _failed(f'the navigation stack did not take the goal within {limit_s:g} s')

    def _active(self, view: SensorView, report: RemoteReport, now_s: float) -> Step:
        is_fresh = now_s - report.twist_s <= self._robot.navigation.twist_timeout_s
        twist = bounded(report.twist, self._robot.limits) if is_fresh else ZERO_TWIST
        if self._watch.is_stuck(view, twist, now_s):
            return stuck_step(view)
        left_m = self._left_m(view, report)
        self._first_left_m = max(self._first_left_m, left_m)
        progress = 1.0 - left_m / max(self._first_left_m, 0.1)
        detail = f'driven by the navigation stack, {left_m:.2f} m left{"" if is_fresh else "; no velocity from it"}'
        return Step(StepStatus.RUNNING, Motion(twist=twist), min(max(progress, 0.0), 0.99), detail)

    def _left_m(self, view: SensorView, report: RemoteReport) -> float:
        pose = view.map_pose()
        if report.left_m is not None:
            return report.left_m
        return 0.0 if pose is None else pose.distance_to(self._goal_pose)


def _failed(detail: str) -> Step:
    return Step(StepStatus.FAILED, STANDING, detail=detail, error=ErrorCode.EXECUTION_ERROR)


def _reason(report: RemoteReport) -> str:
    return f': {report.detail}' if report.detail else ''
