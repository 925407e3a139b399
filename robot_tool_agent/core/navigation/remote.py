"""
Driving by a navigation stack outside the suite (Nav2): what it says, and a skill's motion made of it. No ROS here.

The stack only proposes velocities; the executor wraps them as motion commands, so the gate stays in the path. What the
stack says of its own success ends the motion and proves nothing: sensors judge afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
import math
from typing import Protocol

from robot_tool_agent.core.geometry import Pose2D, Twist2D, ZERO_TWIST
from robot_tool_agent.core.robot import Limits


class RemoteState(Enum):
    """Where a goal of the navigation stack is."""

    WAITING = 'not yet accepted'
    ACTIVE = 'driving'
    SUCCEEDED = 'says it arrived'
    ABORTED = 'gave up'
    CANCELED = 'was canceled by somebody else'
    REJECTED = 'refused the goal'
    LOST = 'is gone'


@dataclass(frozen=True, slots=True)
class RemoteReport:
    """What is known of a goal. `twist` is the last velocity it wants and `twist_s` when it came, steady seconds."""

    state: RemoteState
    twist: Twist2D = ZERO_TWIST
    twist_s: float = -math.inf
    left_m: float | None = None
    detail: str = ''


class RemoteGoal(Protocol):
    """One goal given to the navigation stack."""

    def report(self, now_s: float) -> RemoteReport:
        """Return what is known of it."""

    def cancel(self) -> None:
        """End it, whatever became of it; also before it was accepted."""


class Navigator(Protocol):
    """A navigation stack."""

    def problem(self) -> str:
        """Return why it cannot take a goal now, an empty text if it can."""

    def start(self, goal: Pose2D, now_s: float) -> RemoteGoal:
        """Give it a goal, a pose of the map."""


def bounded(twist: Twist2D, limits: Limits) -> Twist2D:
    """Return a velocity within the robot's limits, v and w scaled together so that the arc stays; zero for NaN."""
    if not twist.is_finite():
        return ZERO_TWIST
    most_mps = limits.max_speed_mps if twist.v_mps >= 0.0 else limits.max_reverse_mps
    excess = max(abs(twist.v_mps) / most_mps, abs(twist.w_radps) / limits.max_turn_radps, 1.0)
    return Twist2D(twist.v_mps / excess, twist.w_radps / excess)
