"""What the executor asks the gate to do."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from robot_tool_agent.core.geometry import Twist2D


class Profile(str, Enum):
    """How close to obstacles a motion may go. Values are those of MotionCommand.msg."""

    NORMAL = 'normal'
    APPROACH = 'approach'


@dataclass(frozen=True, slots=True)
class JointTarget:
    """Joint positions (rad or m) to reach in `duration_s`: one trajectory point."""

    names: tuple[str, ...]
    positions: tuple[float, ...]
    duration_s: float


@dataclass(frozen=True, slots=True)
class MotionRequest:
    """Content of one MotionCommand. `twist` None leaves the base alone, `joints` None leaves the joints alone."""

    epoch: int
    call_id: str
    profile: Profile = Profile.NORMAL
    twist: Twist2D | None = None
    joints: JointTarget | None = None
    last: bool = False


@dataclass(frozen=True, slots=True)
class Motion:
    """What a skill wants right now; the executor adds epoch and call_id."""

    twist: Twist2D | None = None
    joints: JointTarget | None = None
    profile: Profile = field(default=Profile.NORMAL)
