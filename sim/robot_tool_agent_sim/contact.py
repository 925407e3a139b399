"""Keeps the base out of walls and obstacles and tells when it touches them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from robot_tool_agent.core.geometry import Point, Pose2D, Twist2D
from robot_tool_agent.core.robot import Footprint
from robot_tool_agent_sim.obstacles import Discs
from robot_tool_agent_sim.walls import Array, cross, Walls

TOUCH_M = 0.001
RELEASE_M = 0.005
_PRESSED_M = 1e-6
_HALVINGS = 16


class ContactGuard:
    """Moves the footprint along arcs as far as walls and discs let it."""

    def __init__(self, footprint: Footprint, walls: Walls, discs: Discs | None = None) -> None:
        self._walls = walls
        self._discs = Discs() if discs is None else discs
        self._radius_m = footprint.circumscribed_m
        self._corners = None if footprint.polygon_m is None else np.array(footprint.polygon_m, dtype=np.float64)
        self._free_travel_m = 0.0
        self.touching = False

    def gap_m(self, pose: Pose2D) -> float:
        """Return the clearance of the footprint at a pose, negative if it overlaps something, infinite if alone."""
        if self._corners is None:
            return self._centre_gap_m(pose)
        return self._polygon_gap_m(pose)

    def changed(self) -> None:
        """Forget how far the way was free, because something came or went."""
        self._free_travel_m = 0.0

    def move(self, pose: Pose2D, twist: Twist2D, dt_s: float) -> tuple[Pose2D, float]:
        """Return the pose reached and the share (0 to 1) of the arc that was possible. Out of a wall always is."""
        if twist.is_zero():
            return pose, 1.0
        target = twist.step(pose, dt_s)
        travel_m = abs(twist.v_mps) * dt_s
        if travel_m < self._free_travel_m:
            self._free_travel_m -= travel_m
            return target, 1.0
        share = self._possible_share(pose, twist, dt_s)
        reached = target if share == 1.0 else twist.step(pose, dt_s * share)
        self._look_round(reached, blocked=share < 1.0)
        return reached, share

    def _possible_share(self, pose: Pose2D, twist: Twist2D, dt_s: float) -> float:
        gap_m, here_m = self.gap_m(twist.step(pose, dt_s)), self.gap_m(pose)
        if gap_m >= 0.0 or gap_m > here_m:
            return 1.0
        if here_m <= _PRESSED_M:
            return 0.0
        low, high = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            if self.gap_m(twist.step(pose, dt_s * middle)) >= 0.0:
                low = middle
            else:
                high = middle
        return low

    def _look_round(self, pose: Pose2D, blocked: bool) -> None:
        """Update the touch, with hysteresis, and how far the base may go before anything has to be computed again."""
        gap_m = self.gap_m(pose)
        self.touching = blocked or gap_m <= (RELEASE_M if self.touching else TOUCH_M)
        self._free_travel_m = self._centre_gap_m(pose) - RELEASE_M

    def _centre_gap_m(self, pose: Pose2D) -> float:
        nearest_m = self._walls.nearest_m(pose)
        if len(self._discs):
            nearest_m = min(nearest_m, self._discs.nearest_m(pose))
        return nearest_m - self._radius_m

    def _polygon_gap_m(self, pose: Pose2D) -> float:
        assert self._corners is not None
        cos, sin = math.cos(pose.yaw_rad), math.sin(pose.yaw_rad)
        corners = self._corners @ np.array(((cos, sin), (-sin, cos))) + (pose.x_m, pose.y_m)
        edges = np.roll(corners, -1, axis=0) - corners
        if self._walls.crossed_by_lines(corners, edges).any() or self._wall_inside(corners, edges):
            return -self._radius_m
        outline = Walls([(*corner, *(corner + edge)) for corner, edge in zip(corners, edges, strict=True)])
        walls = self._walls
        gap_m = min(_nearest_m(corners, walls), _nearest_m(walls.start, outline), _nearest_m(walls.end, outline))
        return min(gap_m, self._disc_gap_m(corners, edges, outline)) if len(self._discs) else gap_m

    def _disc_gap_m(self, corners: Array, edges: Array, outline: Walls) -> float:
        centres, radii_m = self._discs.centres, self._discs.radii_m
        inside = _inside(centres, corners, edges)
        gaps = [outline.nearest_m(Point(*centre)) for centre in centres.tolist()]
        return float((np.where(inside, 0.0, gaps) - radii_m).min())

    def _wall_inside(self, corners: Array, edges: Array) -> bool:
        return bool(_inside(self._walls.start, corners, edges).any())


def _inside(points: Array, corners: Array, edges: Array) -> NDArray[np.bool_]:
    """Tell which points lie in a convex outline: on the same side of every edge, shape (n,)."""
    side = cross(edges[None], points[:, None] - corners[None])
    inside: NDArray[np.bool_] = np.logical_or((side > 0.0).all(axis=1), (side < 0.0).all(axis=1))
    return inside


def _nearest_m(points: Array, segments: Walls) -> float:
    offset = points[:, None] - segments.start[None]
    length_squared = np.maximum((segments.along**2).sum(axis=1), 1e-18)
    share = np.clip((offset * segments.along[None]).sum(axis=2) / length_squared, 0.0, 1.0)
    gap = offset - share[..., None] * segments.along[None]
    return float(np.hypot(gap[..., 0], gap[..., 1]).min(initial=np.inf))
