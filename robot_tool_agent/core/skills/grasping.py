"""The gripper: what it holds, where it grasps, and how it is moved. Openings in metres, points in the map."""

from __future__ import annotations

from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.motion import JointTarget
from robot_tool_agent.core.robot import Gripper
from robot_tool_agent.core.samples import SeenObject
from robot_tool_agent.core.sensors import SensorView

SIGHT_ERROR_M = 0.05
RESEND_S = 1.0
MIN_MOVE_S = 0.5
REST_S = 0.4
STUCK_S = 3.0
STILL_M = 0.0005


def grasp_point(view: SensorView) -> Point | None:
    """Return the point between the fingers, None without a gripper or a pose."""
    pose, gripper = view.map_pose(), view.robot.gripper
    return None if pose is None or gripper is None else pose.transform_point(Point(gripper.reach_m, 0.0))


def object_at_gripper(view: SensorView) -> SeenObject | None:
    """Return the seen object nearest to the grasp point, if it is within reach of it."""
    point, gripper = grasp_point(view), view.robot.gripper
    if point is None or gripper is None or view.objects is None or not view.objects.objects:
        return None
    nearest = min(view.objects.objects, key=lambda item: point.distance_to(item.position))
    return nearest if point.distance_to(nearest.position) <= grasp_tolerance_m(gripper) else None


def grasp_tolerance_m(gripper: Gripper) -> float:
    """Return how far a held object may be seen from the grasp point: the gripper's reach and the error of sight."""
    return gripper.reach_tolerance_m + SIGHT_ERROR_M


class GripperMove:
    """One opening or closing: sends the target, waits until the fingers rest."""

    def __init__(self, target_m: float, gripper: Gripper) -> None:
        self._target_m = target_m
        self._gripper = gripper
        self._begun_s: float | None = None
        self._sent_s = 0.0
        self._opening_m: float | None = None
        self._moved_s = 0.0
        self._has_moved = False

    def command(self, view: SensorView, now_s: float) -> JointTarget | None:
        """Return the target when it is time to send it: at once, then now and again until the fingers moved."""
        opening_m = view.gripper_opening_m()
        self._watch(opening_m, now_s)
        due = self._begun_s is None or (not self._has_moved and now_s - self._sent_s >= RESEND_S)
        if opening_m is None or self._is_at_target(opening_m) or not due:
            return None
        self._begun_s = now_s if self._begun_s is None else self._begun_s
        self._sent_s = now_s
        duration_s = abs(self._target_m - opening_m) / self._gripper.speed_mps
        return JointTarget((self._gripper.joint,), (self._target_m,), duration_s)

    def is_over(self, now_s: float) -> bool:
        """Tell whether the fingers are at the target, or moved and rest before it because something is between them."""
        if self._opening_m is None:
            return False
        rests = now_s - self._moved_s >= REST_S
        if self._is_at_target(self._opening_m):
            return rests or self._begun_s is None
        moving_s = 0.0 if self._begun_s is None else now_s - self._begun_s
        return self._has_moved and rests and moving_s >= MIN_MOVE_S

    def is_stuck(self, now_s: float) -> bool:
        """Tell whether the fingers did not move at all although told to."""
        return not self._has_moved and self._begun_s is not None and now_s - self._begun_s >= STUCK_S

    def _is_at_target(self, opening_m: float) -> bool:
        return abs(opening_m - self._target_m) <= 2.0 * STILL_M

    def _watch(self, opening_m: float | None, now_s: float) -> None:
        if opening_m is None:
            return
        if self._opening_m is None or abs(opening_m - self._opening_m) > STILL_M:
            self._has_moved = self._has_moved or (self._opening_m is not None and self._begun_s is not None)
            self._opening_m, self._moved_s = opening_m, now_s
