"""What the executive needs from outside: time, slow work, the gate, the safety node, a person."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from robot_tool_agent.core.motion import MotionRequest

Result = TypeVar('Result')
Result_co = TypeVar('Result_co', covariant=True)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of the executive: steady time, wall-clock time for people, and whether skills tick in it."""

    now_s: float
    wall_s: float
    tick: bool = True


class Job(Protocol[Result_co]):
    """Work that goes on elsewhere."""

    def done(self) -> bool:
        """Tell whether the result is there."""

    def result(self) -> Result_co:
        """Return the result or raise what the work raised. Call only when done."""


@dataclass(frozen=True, slots=True)
class TripRequest:
    """Content of one trip_safety request."""

    fault: str
    detail: str
    call_id: str
    task_id: str
    epoch: int


@dataclass(frozen=True, slots=True)
class ApprovalAsk:
    """Content of one approval request; `timeout_s` from now on a missing answer is a no."""

    call_id: str
    task_id: str
    skill: str
    arguments_json: str
    requested_by: str
    reason: str
    timeout_s: float


class Ports(Protocol):
    """The executive's way out."""

    def submit(self, work: Callable[[], Result]) -> Job[Result]:
        """Run slow work (the journal's) in order, off this thread. The executive gets a turn when it is done."""

    def send_motion(self, request: MotionRequest) -> None:
        """Publish one motion command."""

    def trip(self, request: TripRequest) -> Job[bool]:
        """Ask the safety node to stop the robot; the result says whether it took the request."""

    def ask_approval(self, ask: ApprovalAsk) -> None:
        """Publish one approval request."""

    def jitter(self) -> float:
        """Return a number from 0 to 1 by chance."""

    def log(self, text: str) -> None:
        """Write full detail, such as a stack trace, to the log."""
