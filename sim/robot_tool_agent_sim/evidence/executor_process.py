"""The executor process: the core's executive with the timing of its node and the goals of its action."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any, TypeVar

from robot_tool_agent.core.execution.approvals import ApprovalDesk
from robot_tool_agent.core.execution.breaker import CircuitBreaker
from robot_tool_agent.core.execution.call import CallRequest, CallResult, CancelCause
from robot_tool_agent.core.execution.config import ExecutionConfig
from robot_tool_agent.core.execution.executive import Executive
from robot_tool_agent.core.execution.hub import Hub
from robot_tool_agent.core.execution.ports import ApprovalAsk, TripRequest, Turn
from robot_tool_agent.core.execution.safety_watch import SafetyWatch
from robot_tool_agent.core.heartbeats import HeartbeatMonitor
from robot_tool_agent.core.motion import MotionRequest
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.requests import TripRequest as SafetyTrip
from robot_tool_agent.core.safety_state import SafetyView
from robot_tool_agent.core.sensors import SensorView
from robot_tool_agent.core.skills.registry import SkillRegistry
from robot_tool_agent_sim.evidence.bus import Bus
from robot_tool_agent_sim.evidence.disk import Disk, DiskJob, DiskQueue
from robot_tool_agent_sim.evidence.process import Process
from robot_tool_agent_sim.evidence.robot_side import RobotSide
from robot_tool_agent_sim.evidence.safety_process import SafetyProcess
from robot_tool_agent_sim.schedule import Schedule

Result = TypeVar('Result')
TICK_HZ = 20.0
HEARTBEAT_HZ = 10.0
EXCLUSIVE_WAIT_S = 2.0
TOPICS = frozenset({'odom', 'global_pose', 'scan', 'bumper', 'joint_states', 'battery_state', 'detected_objects'})


@dataclass(slots=True)
class TripJob:
    """A trip_safety request; answered when the safety node's answer came back."""

    answer: bool | None = None

    def done(self) -> bool:
        """Tell whether the answer is there."""
        return self.answer is not None

    def result(self) -> bool:
        """Return whether the safety node took the request."""
        return bool(self.answer)


class Audience:
    """Whoever hears what the executor says. Every method may be replaced."""

    def __init__(self) -> None:
        self.result: Callable[[str, CallResult], None] = lambda goal, result: None
        self.accepted: Callable[[str], None] = lambda goal: None
        self.asked: Callable[[ApprovalAsk], None] = lambda ask: None
        self.heartbeat: Callable[[int, int], None] = lambda boot, sequence: None
        self.submitted: Callable[[CallRequest], None] = lambda request: None
        self.ended: Callable[[CallRequest, CallResult], None] = lambda request, result: None
        self.motion: Callable[[MotionRequest], None] = lambda request: None


class ExecutorProcess(Process):
    """Runs calls for goals that come over the bus; its ports lead onto the bus and to the disk."""

    def __init__(
        self,
        robot: RobotDescription,
        config: ExecutionConfig,
        bus: Bus,
        disk: Disk,
        safety: SafetyProcess,
        base: RobotSide,
        chance: Random,
    ) -> None:
        super().__init__()
        self._robot, self._config, self._bus, self._disk = robot, config, bus, disk
        self._safety, self._chance = safety, chance
        self.audience = Audience()
        self.logs: list[str] = []
        self.boot(serve_in_s=0.0)
        base.listen('executor', self, self.on_sample, TOPICS & frozenset(robot.topics.inputs()))
        safety.listeners.append(('executor', self, self.on_safety))

    def boot(self, serve_in_s: float = EXCLUSIVE_WAIT_S) -> None:
        """Start as a new process: all that it knows comes from the disk."""
        self.boots += 1
        self.alive, self.stopped, self.leaving = True, False, False
        now_s, config, robot = self._bus.now_s, self._config, self._robot
        journal, unresolved = self._disk.recover(now_s)
        self.queue = DiskQueue(self._disk)
        self.hub = Hub(
            robot,
            config,
            journal,
            self,
            SensorView(robot),
            SafetyWatch(config.safety_timeout_s),
            HeartbeatMonitor(config.lease_timeout_s),
            ApprovalDesk(robot),
            CircuitBreaker(config.breaker_failures, config.breaker_window_s, config.breaker_open_s),
            SkillRegistry(robot),
        )
        self.executive = Executive(self.hub)
        self.executive.resolver.take(unresolved)
        self._serves_from_s = now_s + serve_in_s
        self._goals: dict[str, str] = {}
        self._sequence = 0
        self._news = False
        self._tick, self._beat = Schedule(TICK_HZ), Schedule(HEARTBEAT_HZ)
        view = self.hub.view
        self._take: dict[str, Callable[[Any], None]] = {
            'odom': view.on_odom,
            'global_pose': view.on_global_pose,
            'scan': view.on_scan,
            'bumper': view.on_bumper,
            'joint_states': view.on_joints,
            'battery_state': view.on_battery,
            'detected_objects': view.on_objects,
        }

    def kill(self) -> None:
        """End at once; the disk keeps what was committed."""
        self.queue.cut(self._chance)
        super().kill()

    def leave(self) -> None:
        """Begin to end in order, as on SIGTERM."""
        self.leaving = True
        self.executive.cancel_all(CancelCause.SHUTDOWN)

    @property
    def serves(self) -> bool:
        """Whether goals are taken."""
        return self.runs and self._bus.now_s >= self._serves_from_s and not self.leaving

    def turn(self) -> None:
        """Do what is due now: the disk's work, heartbeat, tick, or a turn after news."""
        if not self.runs:
            return
        now_s = self._bus.now_s
        worked = self.queue.run(now_s)
        if now_s >= self._serves_from_s and self._beat.due(now_s):
            self._sequence += 1
            self.audience.heartbeat(self.boots, self._sequence)
        tick = self._tick.due(now_s)
        if tick or worked or (self._news and self.hub.live):
            self._news = False
            self.executive.advance(self._turn(tick))
        if self.leaving and not self.hub.live:
            super().kill()

    # Messages

    def on_sample(self, topic: str, sample: Any) -> None:
        """Take a reading."""
        now_s = self._bus.now_s
        self._take[topic](sample if sample.received_s == now_s else replace(sample, received_s=now_s))
        self._news = True

    def on_safety(self, view: SafetyView) -> None:
        """Take a state of the safety node."""
        self.executive.on_safety(view, self._turn(tick=False))

    def on_heartbeat(self, node: str, boot_id: int, sequence: int) -> None:
        """Take a sign of life."""
        self.hub.heartbeats.heard(node, boot_id, sequence, self._bus.now_s)

    def on_goal(self, goal: str, request: CallRequest) -> None:
        """Take a goal; every goal is accepted, every refusal is a result."""
        if not self.serves:
            return
        self.audience.accepted(goal)
        self.audience.submitted(request)
        call = self.executive.submit(request, self._turn(), lambda result: self._on_end(goal, request, result))
        if call is not None:
            self._goals[call.call_id] = goal

    def on_cancel(self, goal: str) -> None:
        """Cancel the call of a goal, if this goal holds it."""
        for call_id, holder in self._goals.items():
            if holder == goal:
                self.executive.cancel(call_id, CancelCause.REQUEST)

    def _on_end(self, goal: str, request: CallRequest, result: CallResult) -> None:
        if self._goals.get(request.call_id) == goal:
            del self._goals[request.call_id]
        self.audience.ended(request, result)
        self.audience.result(goal, result)

    def _turn(self, tick: bool = True) -> Turn:
        return Turn(self._bus.now_s, self._bus.now_s, tick)

    # Ports of the executive

    def submit(self, work: Callable[[], Result]) -> DiskJob[Result]:
        """Queue work for the disk."""
        return self.queue.submit(work, self._bus.now_s)

    def send_motion(self, request: MotionRequest) -> None:
        """Publish one motion command."""
        self.audience.motion(request)
        self._bus.send('motion_command', self._safety, lambda: self._safety.on_command(request))

    def trip(self, request: TripRequest) -> TripJob:
        """Ask the safety node to stop the robot."""
        job = TripJob()
        asked = SafetyTrip(request.fault, request.detail, request.call_id, request.task_id, request.epoch)

        def ask() -> None:
            answer = self._safety.on_trip(asked)
            self._bus.send('trip_answer', self, lambda: setattr(job, 'answer', answer.success))

        self._bus.send('trip_safety', self._safety, ask)
        return job

    def ask_approval(self, ask: ApprovalAsk) -> None:
        """Publish an approval request."""
        self.audience.asked(ask)

    def jitter(self) -> float:
        """Return a number from 0 to 1 by seeded chance."""
        return self._chance.random()

    def log(self, text: str) -> None:
        """Keep what the executor logs."""
        self.logs.append(text)
