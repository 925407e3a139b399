"""Planar poses, twists and angles. Frames: REP 105; axes: REP 103 (x forward, y left, yaw counter-clockwise)."""

from __future__ import annotations

from dataclasses import dataclass
import math


def wrap_angle(angle_rad: float) -> float:
    """Return the same angle in (-pi, pi]."""
    wrapped = math.remainder(angle_rad, math.tau)
    return math.pi if wrapped == -math.pi else wrapped


# Beyond this a coordinate is nonsense: a thousand kilometres.
MAX_COORDINATE_M = 1e6


@dataclass(frozen=True, slots=True)
class Point:
    """A point in metres, in the frame its user names."""

    x_m: float
    y_m: float

    def is_sane(self) -> bool:
        """Tell whether the coordinates are finite and not absurdly large."""
        return abs(self.x_m) <= MAX_COORDINATE_M and abs(self.y_m) <= MAX_COORDINATE_M

    def distance_to(self, other: Point | Pose2D) -> float:
        """Return the Euclidean distance in metres."""
        return math.hypot(other.x_m - self.x_m, other.y_m - self.y_m)


@dataclass(frozen=True, slots=True)
class Pose2D:
    """A planar pose, equally a planar transform: metres and radians."""

    x_m: float
    y_m: float
    yaw_rad: float

    @property
    def point(self) -> Point:
        """Return the position alone."""
        return Point(self.x_m, self.y_m)

    def is_finite(self) -> bool:
        """Tell whether no coordinate is NaN or infinite."""
        return math.isfinite(self.x_m) and math.isfinite(self.y_m) and math.isfinite(self.yaw_rad)

    def distance_to(self, other: Pose2D | Point) -> float:
        """Return the Euclidean distance of the positions in metres."""
        return math.hypot(other.x_m - self.x_m, other.y_m - self.y_m)

    def is_sane(self) -> bool:
        """Tell whether the pose is finite and its coordinates are not absurdly large."""
        return self.point.is_sane() and math.isfinite(self.yaw_rad)

    def bearing_to(self, other: Pose2D | Point) -> float:
        """Return the direction of the other position seen from here, relative to this yaw, in (-pi, pi]."""
        return wrap_angle(math.atan2(other.y_m - self.y_m, other.x_m - self.x_m) - self.yaw_rad)

    def compose(self, inner: Pose2D) -> Pose2D:
        """Return this transform applied to a pose given in this pose's frame."""
        cos_yaw, sin_yaw = math.cos(self.yaw_rad), math.sin(self.yaw_rad)
        return Pose2D(
            self.x_m + cos_yaw * inner.x_m - sin_yaw * inner.y_m,
            self.y_m + sin_yaw * inner.x_m + cos_yaw * inner.y_m,
            wrap_angle(self.yaw_rad + inner.yaw_rad),
        )

    def inverse(self) -> Pose2D:
        """Return the inverse transform."""
        cos_yaw, sin_yaw = math.cos(self.yaw_rad), math.sin(self.yaw_rad)
        return Pose2D(
            -(cos_yaw * self.x_m + sin_yaw * self.y_m),
            -(-sin_yaw * self.x_m + cos_yaw * self.y_m),
            wrap_angle(-self.yaw_rad),
        )

    def relative_to(self, frame: Pose2D) -> Pose2D:
        """Return this pose expressed in the frame of another pose."""
        return frame.inverse().compose(self)

    def transform_point(self, point: Point) -> Point:
        """Return a point of this pose's frame in the parent frame."""
        moved = self.compose(Pose2D(point.x_m, point.y_m, 0.0))
        return moved.point


@dataclass(frozen=True, slots=True)
class Twist2D:
    """Velocity of a differential drive in base_link: forward m/s and counter-clockwise rad/s."""

    v_mps: float = 0.0
    w_radps: float = 0.0

    def is_finite(self) -> bool:
        """Tell whether no component is NaN or infinite."""
        return math.isfinite(self.v_mps) and math.isfinite(self.w_radps)

    def is_zero(self) -> bool:
        """Tell whether both components are exactly zero."""
        return self.v_mps == 0.0 and self.w_radps == 0.0

    def scaled(self, factor: float) -> Twist2D:
        """Return both components times a factor, which keeps the arc."""
        return Twist2D(self.v_mps * factor, self.w_radps * factor)

    def step(self, pose: Pose2D, dt_s: float) -> Pose2D:
        """Return the pose after dt_s along the arc of this twist (exact unicycle integration)."""
        turn = self.w_radps * dt_s
        if abs(turn) < 1e-9:
            return pose.compose(Pose2D(self.v_mps * dt_s, 0.0, turn))
        radius = self.v_mps / self.w_radps
        return pose.compose(Pose2D(radius * math.sin(turn), radius * (1.0 - math.cos(turn)), turn))


ZERO_TWIST = Twist2D()
