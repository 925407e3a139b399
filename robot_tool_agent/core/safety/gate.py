"""Which commands are heard: epoch, call lease, content, freshness. Base and joints are gated apart."""

from __future__ import annotations

from collections import Counter, deque
from dataclasses import dataclass
from enum import Enum
import math

from robot_tool_agent.core.geometry import Twist2D, ZERO_TWIST
from robot_tool_agent.core.motion import JointTarget, MotionRequest, Profile
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.joint_ranges import JointRanges

CLOSED_CALLS_KEPT = 256
MAX_CALL_ID = 128
MISMATCH_MEMORY_S = 0.3


class Offer(str, Enum):
    """What became of a command; every value but ACCEPTED is a reason for a drop and a counter."""

    ACCEPTED = 'accepted'
    CLOSED_GATE = 'not_ready'
    EPOCH = 'epoch'
    CLOSED_CALL = 'closed_call'
    LEASE = 'lease'
    INVALID = 'invalid'
    WAITED = 'waited'
    JOINT_LIMIT = 'joint_limit'


@dataclass(frozen=True, slots=True)
class BaseCommand:
    """The velocity that is asked for right now."""

    twist: Twist2D
    profile: Profile


NO_COMMAND = BaseCommand(ZERO_TWIST, Profile.NORMAL)


class _Lease:
    """One call at a time owns a channel, until it closes or falls silent: `until_s` at the latest."""

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._owner = ''
        self.until_s = -math.inf

    def grants(self, call_id: str, now_s: float) -> bool:
        return call_id == self._owner or now_s > self.until_s

    def take(self, call_id: str, now_s: float, hold_s: float = 0.0) -> None:
        self._owner = call_id
        self.until_s = now_s + max(self._timeout_s, hold_s)

    def held(self, now_s: float) -> bool:
        return now_s <= self.until_s

    def release(self, call_id: str) -> None:
        if call_id == self._owner:
            self.until_s = -math.inf


class Gate:
    """Opens for one epoch at a time. `counters` says how often each reason dropped or accepted a command."""

    def __init__(self, robot: RobotDescription, command_timeout_s: float) -> None:
        self._ranges = JointRanges(robot)
        self._mismatch_s = -math.inf
        self._base = _Lease(command_timeout_s)
        self._joints = _Lease(command_timeout_s)
        self._command = NO_COMMAND
        self._target: JointTarget | None = None
        self._closed: deque[str] = deque(maxlen=CLOSED_CALLS_KEPT)
        self._epoch: int | None = None
        self.counters: Counter[str] = Counter()

    def open(self, epoch: int) -> None:
        """Admit commands of this epoch from now on."""
        self._epoch = epoch

    def close(self) -> None:
        """Admit nothing and forget what was admitted."""
        self._epoch = None
        self.forget()

    def forget(self) -> None:
        """Forget what was admitted; the next command must be sent anew."""
        self._command, self._target = NO_COMMAND, None
        for lease in (self._base, self._joints):
            lease.take('', -math.inf)

    def offer(self, request: MotionRequest, now_s: float, waited: bool = False) -> Offer:
        """Take a command or drop it; the answer says which and why. `waited`: it lay in the queue of a stalled loop."""
        answer = self._judge(request, now_s, waited)
        self.counters[answer.value] += 1
        if answer is Offer.ACCEPTED:
            self._accept(request, now_s)
        elif answer is Offer.EPOCH:
            self._mismatch_s = now_s
        if request.last and answer in (Offer.ACCEPTED, Offer.LEASE, Offer.WAITED):
            self._close_call(request.call_id)
        return answer

    def mismatches(self, now_s: float) -> bool:
        """Tell whether commands of another epoch arrive right now."""
        return now_s - self._mismatch_s <= MISMATCH_MEMORY_S

    @property
    def base_deadline_s(self) -> float:
        """Return the time beyond which the velocity command is dead without another."""
        return self._base.until_s

    def base(self, now_s: float) -> BaseCommand:
        """Return the fresh velocity command, zero if there is none."""
        return self._command if self._base.held(now_s) else NO_COMMAND

    def take_joints(self) -> JointTarget | None:
        """Return an admitted joint target once."""
        target, self._target = self._target, None
        return target

    def _judge(self, request: MotionRequest, now_s: float, waited: bool) -> Offer:
        if self._epoch is None:
            return Offer.CLOSED_GATE
        if request.epoch != self._epoch:
            return Offer.EPOCH
        if not 1 <= len(request.call_id) <= MAX_CALL_ID:
            return Offer.INVALID
        if request.call_id in self._closed:
            return Offer.CLOSED_CALL
        if waited:
            return Offer.WAITED
        if not self._valid(request):
            return Offer.INVALID
        if request.joints is not None and not self._ranges.admit(request.joints):
            return Offer.JOINT_LIMIT
        base_free = request.twist is None or self._base.grants(request.call_id, now_s)
        joints_free = request.joints is None or self._joints.grants(request.call_id, now_s)
        return Offer.ACCEPTED if base_free and joints_free else Offer.LEASE

    def _valid(self, request: MotionRequest) -> bool:
        if request.twist is not None and not request.twist.is_finite():
            return False
        joints = request.joints
        return joints is None or (
            len(joints.names) == len(joints.positions) > 0
            and self._ranges.names.issuperset(joints.names)
            and all(math.isfinite(position) for position in joints.positions)
            and 0.0 <= joints.duration_s < math.inf
        )

    def _accept(self, request: MotionRequest, now_s: float) -> None:
        if request.twist is not None:
            self._base.take(request.call_id, now_s)
            self._command = BaseCommand(request.twist, request.profile)
        if request.joints is not None:
            self._joints.take(request.call_id, now_s, request.joints.duration_s)
            self._target = request.joints

    def _close_call(self, call_id: str) -> None:
        self._closed.append(call_id)
        self._base.release(call_id)
        self._joints.release(call_id)
