"""What happened in an episode, line by line, and a hash of every step: equal seeds give equal ones."""

from __future__ import annotations

from dataclasses import dataclass, field
import hashlib
import struct

from robot_tool_agent_sim.world import World

PATH_EVERY_S = 0.1


@dataclass(frozen=True, slots=True)
class Line:
    """One event."""

    at_s: float
    who: str
    text: str


@dataclass(slots=True)
class Point:
    """Where the robot was, and in which mode the safety process."""

    at_s: float
    x_m: float
    y_m: float
    yaw_rad: float
    v_mps: float
    mode: str


@dataclass(slots=True)
class Timeline:
    """Lines, the path if `keeps_path`, and the digest of all steps."""

    keeps_path: bool = False
    lines: list[Line] = field(default_factory=list)
    path: list[Point] = field(default_factory=list)
    _hash: hashlib._Hash = field(default_factory=hashlib.sha256)

    def say(self, at_s: float, who: str, text: str) -> None:
        """Add a line."""
        self.lines.append(Line(round(at_s, 3), who, text))
        self._hash.update(f'{at_s:.3f} {who} {text}\n'.encode())

    def look(self, world: World, mode: str) -> None:
        """Take note of one step."""
        pose, twist = world.pose, world.twist
        self._hash.update(struct.pack('<5d', pose.x_m, pose.y_m, pose.yaw_rad, twist.v_mps, twist.w_radps))
        if self.keeps_path and (not self.path or world.now_s - self.path[-1].at_s >= PATH_EVERY_S - 1e-9):
            self.path.append(Point(world.now_s, pose.x_m, pose.y_m, pose.yaw_rad, twist.v_mps, mode))

    @property
    def digest(self) -> str:
        """Hash of all that was said and of every pose and velocity."""
        return str(self._hash.hexdigest())
