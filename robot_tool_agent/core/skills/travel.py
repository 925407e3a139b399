"""How far the base came since a call started, by two sensors that must agree."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
import math
from typing import Any

from robot_tool_agent.core.geometry import Pose2D, wrap_angle
from robot_tool_agent.core.outcomes import Effect, ErrorCode
from robot_tool_agent.core.samples import GlobalPoseSample, OdomSample
from robot_tool_agent.core.sensors import Instant, newer, SensorView
from robot_tool_agent.core.skills.base import Json, Refusal, Verdict
from robot_tool_agent.core.skills.evidence import check, pose_json

DRIFT_M = 0.15
DRIFT_SHARE = 0.1
DRIFT_RAD = 0.3
STILL_M = 0.03
STILL_RAD = 0.05


@dataclass(frozen=True, slots=True)
class Travel:
    """Displacement since the start in the frame of the start pose, by odometry and by localization where it exists."""

    odom: OdomSample
    by_odom: Pose2D
    localization: GlobalPoseSample | None
    by_global: Pose2D | None
    jumped: bool = False

    @property
    def best(self) -> Pose2D:
        """Return the displacement to report: localization does not depend on wheels."""
        return self.by_odom if self.by_global is None else self.by_global

    @property
    def is_still(self) -> bool:
        """Tell whether neither sensor saw a displacement."""
        poses = [pose for pose in (self.by_odom, self.by_global) if pose is not None]
        return all(math.hypot(pose.x_m, pose.y_m) <= STILL_M and abs(pose.yaw_rad) <= STILL_RAD for pose in poses)

    @property
    def contradiction(self) -> str:
        """Say how odometry and localization differ beyond drift, an empty text if they agree."""
        if self.jumped:
            return 'odometry jumped, or may have jumped unseen, since the start'
        if self.by_global is None:
            return ''
        apart_m = self.by_odom.distance_to(self.by_global)
        moved_m = max(math.hypot(pose.x_m, pose.y_m) for pose in (self.by_odom, self.by_global))
        apart_rad = abs(wrap_angle(self.by_odom.yaw_rad - self.by_global.yaw_rad))
        if apart_m <= DRIFT_M + DRIFT_SHARE * moved_m and apart_rad <= DRIFT_RAD:
            return ''
        return f'odom and global_pose contradict each other by {apart_m:.2f} m and {apart_rad:.2f} rad'

    def checks(self) -> list[Json]:
        """Return both displacements as comparable numbers."""
        alone = check('odom', self.odom, {'moved': pose_json(self.by_odom)}, None, None)
        if self.localization is None or self.by_global is None:
            return [alone]
        tolerance = {'position_m': DRIFT_M, 'position_share': DRIFT_SHARE, 'yaw_rad': DRIFT_RAD}
        moved, wanted = {'moved': pose_json(self.by_global)}, {'moved': pose_json(self.by_odom)}
        return [check('global_pose', self.localization, moved, wanted, tolerance)]


def pose_facts(view: SensorView) -> Json:
    """
    Return where the base is before a motion, as JSON: `odom` and, where it exists, `global`, each x, y, yaw.

    `seen` names the view and how often odometry had jumped in it.
    """
    facts: Json = {'odom': None if view.odom is None else _listed(view.odom.pose)}
    facts['seen'] = [view.first_odom_s, view.jumps]
    if view.robot.topics.global_pose is not None and view.global_pose is not None:
        facts['global'] = _listed(view.global_pose.pose)
    return facts


def base_has_news(view: SensorView, since: Instant) -> bool:
    """Tell whether odometry and, where the robot has it, localization are newer than an instant."""
    has_global = view.robot.topics.global_pose is not None
    return newer(view.odom, since) and (not has_global or newer(view.global_pose, since))


def travel_since(view: SensorView, start: Mapping[str, Any]) -> Travel | None:
    """Return the displacement since `pose_facts`, None if a pose is missing then or now."""
    first = _pose(start.get('odom'))
    if view.odom is None or first is None:
        return None
    moved = view.odom.pose.relative_to(first)
    if view.robot.topics.global_pose is None:
        return Travel(view.odom, moved, None, None, jumped=start.get('seen') != [view.first_odom_s, view.jumps])
    first_global = _pose(start.get('global'))
    if view.global_pose is None or first_global is None:
        return None
    by_global = view.global_pose.pose.relative_to(first_global)
    return Travel(view.odom, moved, view.global_pose, by_global, _jumped(view, start))


def unknown(message: str, proof: Json) -> Verdict:
    """Return the verdict that sensors cannot tell or contradict each other: never a success."""
    return Verdict(False, Effect.UNKNOWN, message, proof)


def localization_refusal(view: SensorView, now_s: float) -> Refusal | None:
    """Refuse while the robot cannot be placed in the map: no pose yet, or a localization that fell silent."""
    has_global = view.robot.topics.global_pose is not None
    if view.map_pose() is not None and (not has_global or view.is_fresh('global_pose', now_s)):
        return None
    topic = 'global_pose' if has_global else 'odom'
    age_s = view.age_s(topic, now_s)
    heard = 'never came' if math.isinf(age_s) else f'is {age_s:.1f} s old'
    message = f'{topic} {heard}; wait until the robot is localized'
    return Refusal(ErrorCode.STALE_SENSOR, message, {'topic': topic})


def _jumped(view: SensorView, start: Mapping[str, Any]) -> bool:
    """Tell whether this view saw odometry jump since the start; what another process saw, localization must tell."""
    seen = start.get('seen')
    if not isinstance(seen, list) or len(seen) != 2 or seen[0] != view.first_odom_s:
        return False
    return bool(seen[1] != view.jumps)


def _listed(pose: Pose2D) -> list[float]:
    return [round(value, 6) for value in (pose.x_m, pose.y_m, pose.yaw_rad)]


def _pose(stored: Any) -> Pose2D | None:
    return Pose2D(*stored) if isinstance(stored, list | tuple) and len(stored) == 3 else None
