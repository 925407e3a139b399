"""What all calls of one executor share."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Any, TypeVar

from robot_tool_agent.core.execution.approvals import ApprovalDesk
from robot_tool_agent.core.execution.breaker import CircuitBreaker
from robot_tool_agent.core.execution.call import Call, CancelCause
from robot_tool_agent.core.execution.config import ExecutionConfig
from robot_tool_agent.core.execution.ports import Job, Ports, Turn
from robot_tool_agent.core.execution.safety_watch import SafetyWatch
from robot_tool_agent.core.heartbeats import HeartbeatMonitor
from robot_tool_agent.core.journal import Journal, JournalError
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.sensors import SensorView
from robot_tool_agent.core.skills.base import Resource
from robot_tool_agent.core.skills.registry import SkillRegistry

Result = TypeVar('Result')
Steps = Generator[None, None, Result]


@dataclass(slots=True)
class Hub:
    """Sensors, safety, journal, locks and the way out. `turn` is the present one; the executive sets it."""

    robot: RobotDescription
    config: ExecutionConfig
    journal: Journal
    ports: Ports
    view: SensorView
    safety: SafetyWatch
    heartbeats: HeartbeatMonitor
    approvals: ApprovalDesk
    breaker: CircuitBreaker
    registry: SkillRegistry
    turn: Turn = field(default_factory=lambda: Turn(0.0, 0.0, False))
    live: dict[str, Call] = field(default_factory=dict)
    locks: dict[Resource, Call] = field(default_factory=dict)

    # Whether this turn came so late that messages of the safety node may have been missed.
    stalled: bool = False

    @property
    def now_s(self) -> float:
        """Steady time of the present turn."""
        return self.turn.now_s

    def live_ids(self) -> frozenset[str]:
        """Return the ids of the calls running in this process."""
        return frozenset(self.live)

    def lock(self, call: Call) -> Call | None:
        """Take all resources of a call, or none. Return the call that has one of them, None on success."""
        holders = [self.locks[name] for name in call.skill.resources if name in self.locks]
        if holders:
            return holders[0]
        self.locks.update(dict.fromkeys(call.skill.resources, call))
        return None

    def unlock(self, call: Call) -> None:
        """Free the resources of a call."""
        for name in [name for name, holder in self.locks.items() if holder is call]:
            del self.locks[name]

    def wants_end(self, call: Call) -> bool:
        """Tell whether a call is to end early; one bound to a heartbeat is cancelled here when that falls silent."""
        call.leased = call.leased or self.heartbeats.known(call.request.requested_by)
        if call.cancel is None and call.leased and not self.heartbeats.alive(call.request.requested_by, self.now_s):
            call.cancel = CancelCause.LEASE
        return call.cancel is not None


def wait_for(hub: Hub, job: Job[Any], timeout_s: float = float('inf')) -> Steps[bool]:
    """Take turns until a job is done or the time is over; return whether it is done."""
    deadline_s = hub.now_s + timeout_s
    while not job.done():
        if hub.now_s >= deadline_s:
            return False
        yield
    return True


def result_of(hub: Hub, job: Job[Result]) -> Steps[Result]:
    """
    Take turns until a journal job is done and return its result, or raise what it raised.

    Raise JournalError if it is not done in time: a disk that hangs is no journal. What it may still write then is read
    as a call whose end is not known.
    """
    if not (yield from wait_for(hub, job, hub.config.journal_timeout_s)):
        raise JournalError(f'no answer within {hub.config.journal_timeout_s:g} s')
    return job.result()
