"""An executive on a virtual clock: a robot that obeys at once, a safety node that says READY, a journal in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
import sqlite3
from typing import Any

from robot_tool_agent.core.execution.approvals import ApprovalDesk
from robot_tool_agent.core.execution.breaker import CircuitBreaker
from robot_tool_agent.core.execution.call import CallRequest, CallResult
from robot_tool_agent.core.execution.config import ExecutionConfig
from robot_tool_agent.core.execution.executive import Executive
from robot_tool_agent.core.execution.hub import Hub
from robot_tool_agent.core.execution.ports import ApprovalAsk, TripRequest, Turn
from robot_tool_agent.core.execution.safety_watch import SafetyWatch
from robot_tool_agent.core.geometry import Pose2D, Twist2D, ZERO_TWIST
from robot_tool_agent.core.heartbeats import HeartbeatMonitor
from robot_tool_agent.core.journal import Journal, JournalError
from robot_tool_agent.core.journal.storage import SCHEMA
from robot_tool_agent.core.motion import Motion, MotionRequest
from robot_tool_agent.core.outcomes import Effect
from robot_tool_agent.core.robot import SkillConfig
from robot_tool_agent.core.safety_state import SafetyMode, SafetyView
from robot_tool_agent.core.samples import GlobalPoseSample, JointSample, OdomSample
from robot_tool_agent.core.sensors import Instant, newer, SensorView
from robot_tool_agent.core.skills.base import Resource, Risk, Skill, SkillArguments, Step, StepStatus, Verdict
from robot_tool_agent.core.skills.registry import SkillRegistry
from sim_house import robot_description

TICK_S = 0.05
ENABLED = ('nudge', 'slide', 'glide', 'grip', 'peek', 'move_relative', 'rotate_relative')
LINES = '\n'.join(f'Line {number} of a description that says nothing.' for number in range(20))


class NoArguments(SkillArguments):
    """Takes nothing."""


class Nudge(Skill[NoArguments]):
    """Drives 0.1 m forward in five ticks; as a test wants it, raises, never ends, or says failed half way."""

    name = 'nudge'
    description = LINES
    arguments_type = NoArguments
    resources = frozenset({Resource.BASE})
    required_topics = ('odom',)
    timeout_s = 3.0
    ticks = 5
    raise_at: int | None = None
    # The first so many instances say failed before they move.
    fail_first = 0
    made = 0
    fail_at: int | None = None

    def __init__(self, arguments: NoArguments, robot: Any) -> None:
        super().__init__(arguments, robot)
        self._count = 0
        self._last_s = -1.0
        type(self).made += 1
        self._fails = type(self).made <= type(self).fail_first

    def start_facts(self, view: SensorView) -> dict[str, Any]:
        assert view.odom is not None
        return {'x_m': view.odom.pose.x_m}

    def tick(self, view: SensorView, now_s: float) -> Step:
        self._count += now_s > self._last_s  # it may be asked twice at one moment
        self._last_s = now_s
        if self._fails:
            return Step(StepStatus.FAILED, detail='cannot begin')
        if self._count == type(self).raise_at:
            raise RuntimeError('half way')
        if self._count == type(self).fail_at:
            return Step(StepStatus.FAILED, detail='cannot go on')
        if self._count > type(self).ticks:
            return Step(StepStatus.FINISHED, progress=1.0)
        return Step(StepStatus.RUNNING, Motion(Twist2D(0.4, 0.0)), progress=self._count / 10)

    def verify(self, view: SensorView, start: Mapping[str, Any], since: Instant) -> Verdict | None:
        if not newer(view.odom, since):
            return None
        assert view.odom is not None
        moved_m = view.odom.pose.x_m - start['x_m']
        effect = Effect.DONE if 0.09 < moved_m < 0.15 else Effect.PARTIAL if moved_m > 0.001 else Effect.NONE
        return Verdict(effect is Effect.DONE, effect, f'moved {moved_m:.2f} m', {'measured': round(moved_m, 3)})


class Slide(Nudge):
    """The same, allowed to be repeated."""

    name = 'slide'
    idempotent = True
    judged_after_retreat = True


class Glide(Nudge):
    """Does what Nudge does, another way."""

    name = 'glide'
    fail_first = 0


class Grip(Nudge):
    """Needs the gripper only and a person's yes."""

    name = 'grip'
    resources = frozenset({Resource.GRIPPER})
    risk = Risk.HIGH


class Peek(Skill[NoArguments]):
    """Reads odometry."""

    name = 'peek'
    description = LINES
    arguments_type = NoArguments
    reads_only = True
    idempotent = True
    required_topics = ('odom',)

    def tick(self, view: SensorView, now_s: float) -> Step:
        return Step(StepStatus.FINISHED)

    def verify(self, view: SensorView, start: Mapping[str, Any], since: Instant) -> Verdict | None:
        return Verdict(True, Effect.NONE, 'seen', {'measured': 1}, {'fresh': True})


class DoneJob:
    """Work that was done at once, as the journal's thread would have done it; told only once the ports are not held."""

    def __init__(self, work: Callable[[], Any], held: Callable[[], bool] = lambda: False) -> None:
        self._held = held
        self._error: JournalError | None = None
        self._value: Any = None
        try:
            self._value = work()
        except JournalError as error:
            self._error = error

    def done(self) -> bool:
        return not self._held()

    def result(self) -> Any:
        if self._error is not None:
            raise self._error
        return self._value


class FakePorts:
    """Remembers what the executive sent."""

    def __init__(self) -> None:
        self.motions: list[MotionRequest] = []
        self.trips: list[TripRequest] = []
        self.asks: list[ApprovalAsk] = []
        self.logs: list[str] = []
        self.fail_from: int | None = None
        self.held = False
        self._submitted = 0

    def submit(self, work: Callable[[], Any]) -> DoneJob:
        self._submitted += 1
        if self.fail_from is not None and self._submitted >= self.fail_from:
            return DoneJob(_disk_full)
        return DoneJob(work, lambda: self.held)

    def send_motion(self, request: MotionRequest) -> None:
        self.motions.append(request)

    def trip(self, request: TripRequest) -> DoneJob:
        self.trips.append(request)
        return DoneJob(lambda: True, lambda: self.held)

    def ask_approval(self, ask: ApprovalAsk) -> None:
        self.asks.append(ask)

    def jitter(self) -> float:
        return 0.5

    def log(self, text: str) -> None:
        self.logs.append(text)


def _disk_full() -> None:
    raise JournalError('database or disk is full')


def memory_journal() -> Journal:
    """Return a journal that lives as long as its connection."""
    connection = sqlite3.connect(':memory:', isolation_level=None)
    connection.executescript(SCHEMA)
    return Journal(connection)


class Bench:
    """One executive, one obedient robot, one clock."""

    def __init__(self, journal: Journal | None = None, **robot_changes: Any) -> None:
        skills = {name: SkillConfig() for name in ENABLED}
        for skill in (Nudge, Slide, Glide, Grip):
            skill.made = 0
        self.robot = robot_description().model_copy(update={'skills': skills, **robot_changes})
        self.ports = FakePorts()
        self.journal = journal or memory_journal()
        config = ExecutionConfig()
        self.hub = Hub(
            self.robot,
            config,
            self.journal,
            self.ports,
            SensorView(self.robot),
            SafetyWatch(config.safety_timeout_s),
            HeartbeatMonitor(config.lease_timeout_s),
            ApprovalDesk(self.robot),
            CircuitBreaker(config.breaker_failures, config.breaker_window_s, config.breaker_open_s),
            SkillRegistry(self.robot, (Nudge, Slide, Glide, Grip, Peek)),
        )
        self.executive = Executive(self.hub)
        self.now_s = 100.0
        self.pose = Pose2D(1.0, 1.0, 0.0)
        self.mode = SafetyMode.READY
        self.epoch = 7
        self.obeys_stop = True
        self.senses = True
        self.planner_beats = True
        self.speaks = True
        self.opening_m = 0.0
        self.opening_mps = 0.0
        self.boot_id = 1
        self.fault = ''
        # How odometry differs from the truth: a shift, values that stand still, or a delay in seconds.
        self.odom_shift = Pose2D(0.0, 0.0, 0.0)
        self.odom_stuck: Pose2D | None = None
        self.results: dict[str, list[CallResult]] = {}
        self.step(3)

    def send(self, call_id: str, skill: str = 'nudge', arguments: str = '{}', by: str = 'tester') -> None:
        """Send one goal."""
        request = CallRequest(call_id, 'task', skill, arguments, by)
        ends = self.results.setdefault(call_id, [])
        self.executive.submit(request, Turn(self.now_s, self.now_s), ends.append)

    def step(self, ticks: int = 1) -> None:
        """Let time pass: the robot moves as last told, sensors and safety speak, calls tick."""
        for _ in range(ticks):
            self.now_s += TICK_S
            self.pose = self._twist().step(self.pose, TICK_S)
            if self.senses:
                told = self.odom_stuck or self.odom_shift.compose(self.pose)
                self.hub.view.on_odom(OdomSample(self.now_s, self.now_s, told, self._twist()))
                self.opening_m += self.opening_mps * TICK_S
                joints = {'gripper_joint': self.opening_m}
                self.hub.view.on_joints(JointSample(self.now_s, self.now_s, joints))
                self.hub.view.on_global_pose(GlobalPoseSample(self.now_s, self.now_s, self.pose))
            ready = self.mode is SafetyMode.READY
            view = SafetyView(self.boot_id, self.mode, self.epoch, ready, False, self.fault)
            if self.speaks:
                self.executive.on_safety(view, Turn(self.now_s, self.now_s, False))
            if self.planner_beats:
                self.hub.heartbeats.heard('planner', 1, round(self.now_s * 100), self.now_s)
            self.executive.advance(Turn(self.now_s, self.now_s))

    def end(self, call_id: str, ticks: int = 400) -> CallResult:
        """Step until a call has its end; the last one if it was sent more than once."""
        for _ in range(ticks):
            if self.results[call_id]:
                return self.results[call_id][-1]
            self.step()
        raise AssertionError(f'{call_id} has no end after {ticks} ticks')

    def _twist(self) -> Twist2D:
        """Return the velocity last asked for; a robot that does not obey a stop hears no zero."""
        asked = [request.twist for request in self.ports.motions if request.twist is not None]
        heard = [twist for twist in asked if self.obeys_stop or not twist.is_zero()]
        return heard[-1] if heard and self.mode is SafetyMode.READY else ZERO_TWIST
