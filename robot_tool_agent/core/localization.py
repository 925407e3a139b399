"""Where the robot is in the map: odometry carried by the last correction of a localization (REP 105)."""

from __future__ import annotations

from collections import deque

from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.samples import GlobalPoseSample, OdomSample

IDENTITY = Pose2D(0.0, 0.0, 0.0)


class Localizer:
    """Keeps the transform from odom to map. Where a robot has no localization, map equals odom."""

    def __init__(self, has_global_pose: bool, history: int = 100) -> None:
        self._has_global_pose = has_global_pose
        self._odom: deque[OdomSample] = deque(maxlen=history)
        self._correction: Pose2D | None = None if has_global_pose else IDENTITY
        self._corrected_stamp_s = -float('inf')

    @property
    def map_from_odom(self) -> Pose2D | None:
        """Transform that takes a pose in odom to the map; None before the first global pose."""
        return self._correction

    @property
    def corrected_stamp_s(self) -> float:
        """Stamp of the last correction used, -inf before it."""
        return self._corrected_stamp_s

    def on_odom(self, sample: OdomSample) -> None:
        """Take odometry that is news. A stamp that fell means that a clock was set: older pairs mean nothing then."""
        if self._odom and sample.stamp_s <= self._odom[-1].stamp_s:
            self._odom.clear()
            self._corrected_stamp_s = -float('inf')
        self._odom.append(sample)

    def on_global_pose(self, sample: GlobalPoseSample) -> None:
        """
        Take a global pose and pair it with the odometry nearest in time.

        One from before the odometry on hand has no partner: odometry may have jumped in between.
        """
        if not self._has_global_pose or not self._odom or sample.stamp_s <= self._corrected_stamp_s:
            return
        if sample.stamp_s < self._odom[0].stamp_s:
            return
        nearest = min(self._odom, key=lambda odom: abs(odom.stamp_s - sample.stamp_s))
        self._correction = sample.pose.compose(nearest.pose.inverse())
        self._corrected_stamp_s = sample.stamp_s

    def restart(self) -> None:
        """Forget everything: odometry jumped. Without localization nobody knows then where the robot is in the map."""
        self._odom.clear()
        self._correction = None
        self._corrected_stamp_s = -float('inf')

    def acknowledge_jump(self) -> None:
        """Take odometry as the map again: a person has seen to it. Localization, where it exists, speaks for itself."""
        if not self._has_global_pose:
            self._correction = IDENTITY

    def to_map(self, pose_odom: Pose2D) -> Pose2D | None:
        """Return a pose of the odom frame in the map, None before the first global pose."""
        return None if self._correction is None else self._correction.compose(pose_odom)

    def to_odom(self, pose_map: Pose2D) -> Pose2D | None:
        """Return a pose of the map in the odom frame, None before the first global pose."""
        return None if self._correction is None else self._correction.inverse().compose(pose_map)
