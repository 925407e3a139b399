"""The whole safety layer behind one interface: samples, commands and time in, output out. No clock, no ROS."""

from __future__ import annotations

from dataclasses import dataclass
import math

from robot_tool_agent.core.geometry import Twist2D, ZERO_TWIST
from robot_tool_agent.core.motion import JointTarget, MotionRequest
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.awareness import Awareness
from robot_tool_agent.core.safety.conditions import Evidence
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.fault_watch import FaultWatch
from robot_tool_agent.core.safety.faults import FaultCode, Reaction
from robot_tool_agent.core.safety.gate import Gate, Offer
from robot_tool_agent.core.safety.limiter import Limiter
from robot_tool_agent.core.safety.liveness import Finding, Peers
from robot_tool_agent.core.safety.machine import Event
from robot_tool_agent.core.safety.motion_control import MotionControl
from robot_tool_agent.core.safety.parking import Parking
from robot_tool_agent.core.safety.reactor import Reactor
from robot_tool_agent.core.safety.report import make_view, notices, RESETTABLE
from robot_tool_agent.core.safety.requests import Answer, refusal_of_reset, refusal_of_trip, TripRequest
from robot_tool_agent.core.safety.sim_clock import ClockWatch
from robot_tool_agent.core.safety.stages import Stages
from robot_tool_agent.core.safety.status import Status, status_of
from robot_tool_agent.core.safety.tilt import TiltSample
from robot_tool_agent.core.safety.turns import Turns
from robot_tool_agent.core.safety_state import SafetyMode, SafetyView
from robot_tool_agent.core.samples import (
    BatterySample,
    BumperSample,
    GlobalPoseSample,
    JointSample,
    OdomSample,
    ScanSample,
)

_RECORDED = frozenset({SafetyMode.READY, SafetyMode.STOPPING, SafetyMode.RETREATING})
_DRIVEN = frozenset({SafetyMode.READY, SafetyMode.RETREATING})
_FINDINGS = {Finding.OLDER: FaultCode.SAFETY_RESTARTED, Finding.REPLACED: FaultCode.EXECUTOR_LOST}


@dataclass(frozen=True, slots=True)
class Output:
    """What goes to the robot now, and the state to tell. `joints` None: no new joint order."""

    twist: Twist2D
    joints: JointTarget | None
    view: SafetyView


class SafetySupervisor:
    """
    Decides on every command and every tick whether and how fast the robot may move.

    All times are steady seconds. Event faults change `mode` at once: a caller that sees `mode` change or `hurries` true
    sends what `hurry` returns, and if `mode` changed calls `tick` without waiting for the next period. One tick more is
    due at `next_deadline_s`.
    """

    def __init__(self, robot: RobotDescription, config: SafetyConfig, boot_id: int, now_s: float) -> None:
        self._robot = robot
        self._config = config
        self._boot_id = boot_id
        self.notices = notices(robot, config)
        self._reactor = Reactor(config, boot_id, now_s, self._on_change)
        limiter = Limiter(robot, FaultCode.GEOFENCE.value not in config.disabled_faults)
        self._gate = Gate(robot, config.command_timeout_s)
        self._aware = Awareness(robot, config, limiter.reach_m)
        self._peers = Peers(config, boot_id, now_s)
        self._clock = ClockWatch(config.clock_frozen_s)
        self._parking = Parking(robot, config, self._aware)
        self._control = MotionControl(robot, self._gate, limiter, self._aware, self._parking)
        evidence = Evidence(robot, config, self._aware, self._peers, self._control, self._clock)
        self._watch = FaultWatch(evidence, now_s)
        self._stages = Stages(config, self._reactor, self._watch, self._aware, self._control, self._parking)
        self._turns = Turns(1.0 / config.gate_rate_hz, config.command_timeout_s, now_s)
        self._hurried = False

    @property
    def mode(self) -> SafetyMode:
        """Return the state of the machine."""
        return self._reactor.mode

    @property
    def epoch(self) -> int:
        """Return the epoch that commands must carry."""
        return self._reactor.epoch.value

    @property
    def counters(self) -> dict[str, int]:
        """How often the gate accepted or dropped a command, and how often it cut one down, by reason."""
        return {**self._gate.counters, **self._control.cuts}

    @property
    def zero_ordered(self) -> bool:
        """Whether a fault since the last tick asks for zero at once: that is what the next tick will return."""
        return self._reactor.zero_ordered

    @property
    def hurries(self) -> bool:
        """Whether news since the last tick asks for a lower output: that must not wait for the next period."""
        return self._hurried or self.zero_ordered

    def on_odom(self, sample: OdomSample) -> None:
        """Take odometry; a jump is a fault at once."""
        jumps = self._aware.jumps
        if not self._aware.on_odom(sample):
            return
        if self._aware.jumps != jumps:
            self._on_jump(sample.received_s)
        if self.mode in _RECORDED:
            self._parking.trail.record(sample.pose)

    def on_scan(self, sample: ScanSample) -> None:
        """Take a scan."""
        self._aware.on_scan(sample)
        if self.mode in _DRIVEN and self._control.would_cut(sample.received_s):
            self._hurried = True

    def on_global_pose(self, sample: GlobalPoseSample) -> None:
        """Take a pose in the map."""
        self._aware.on_global_pose(sample)

    def on_joints(self, sample: JointSample) -> None:
        """Take joint positions."""
        self._aware.on_joints(sample)

    def on_battery(self, sample: BatterySample) -> None:
        """Take the state of charge."""
        self._aware.on_battery(sample)

    def on_tilt(self, sample: TiltSample) -> None:
        """Take how far the robot leans."""
        self._aware.on_tilt(sample)

    def on_bumper(self, sample: BumperSample) -> None:
        """Take the contact switch; a new contact is a fault at once."""
        self._aware.on_bumper(sample)
        if self._aware.contact.alarming:
            self._strike(FaultCode.BUMPER_CONTACT, 'the bumper is pressed', sample.received_s)

    def on_estop(self, sample: BumperSample) -> None:
        """Take the stop button; a press is a fault at once."""
        self._aware.on_estop(sample)
        if self._aware.estop_pressed:
            self._strike(FaultCode.OPERATOR_STOP, 'the stop button is pressed', sample.received_s)

    def on_refused(self, name: str, reason: str) -> None:
        """Take notice of a message of an input that was not even read, and why."""
        self._aware.refused[name] = reason

    def on_ros_time(self, ros_s: float, now_s: float) -> None:
        """Take the present ROS time, where it comes from a simulated clock."""
        self._clock.on_time(ros_s, now_s)
        self._aware.clock_s = ros_s if ros_s > 0.0 else None

    def on_rivals(self, names: tuple[str, ...]) -> None:
        """Take the names of other nodes that publish to the actuators."""
        self._aware.rivals = names

    def on_heartbeat(self, node: str, boot_id: int, sequence: int, now_s: float) -> None:
        """Take a sign of life."""
        finding = self._peers.heard(node, boot_id, sequence, now_s)
        if finding is not None:
            self._strike(_FINDINGS[finding], finding.value, now_s)

    def on_command(self, request: MotionRequest, now_s: float) -> Offer:
        """Take a motion command; the answer says whether it was heard."""
        if self._reactor.epoch.is_of_another_boot(request.epoch):
            self._strike(FaultCode.SAFETY_RESTARTED, 'a command carries an epoch of another safety node', now_s)
        answer = self._gate.offer(request, now_s, self._turns.deaf(now_s))
        if answer is Offer.INVALID:
            self._strike(FaultCode.COMMAND_INVALID, f'call {request.call_id!r} sent no valid motion', now_s)
        elif answer is Offer.JOINT_LIMIT:
            self._strike(FaultCode.JOINT_LIMIT, f'call {request.call_id!r} asked for a joint past its limits', now_s)
        return answer

    def on_malformed_command(self, epoch: int, reason: str, now_s: float) -> None:
        """Take notice of a command that could not even be read; it is a fault if it is of this epoch."""
        self._gate.counters[Offer.INVALID.value] += 1
        if epoch == self.epoch:
            self._strike(FaultCode.COMMAND_INVALID, reason, now_s)

    def trip(self, request: TripRequest, now_s: float) -> Answer:
        """Stop the robot on request. A request for a call of another epoch than the present one has no effect."""
        refusal = refusal_of_trip(request, self.epoch)
        if refusal:
            return Answer(False, refusal)
        what = request.detail or 'on request'
        detail = f'{what} (call {request.call_id})' if request.call_id else what
        if self._strike(FaultCode(request.fault), detail, now_s):
            return Answer(True, f'{request.fault}: {self.mode.name}')
        return Answer(True, f'no effect in {self.mode.name}, on_skill_failed: {self._config.on_skill_failed}')

    def reset(self, operator: str, now_s: float) -> Answer:
        """Clear the latch for a named person. Moves nothing; the inputs are checked anew before READY."""
        self._watch.refresh(now_s)
        blockers = [*self._watch.blockers(), *(['the robot still moves'] if self._aware.moves(now_s) else [])]
        refusal = refusal_of_reset(operator, self.mode, blockers)
        if refusal:
            return Answer(False, refusal)
        if self.mode not in RESETTABLE:
            return Answer(True, 'nothing to reset')
        self._aware.acknowledge()
        self._watch.acknowledge()
        self._reactor.come_back(Event.RESET, now_s)
        return Answer(True, f'reset by {operator.strip()}')

    def fail(self, detail: str, now_s: float) -> Output:
        """Return the last output of a process that is about to end because of an error of its own."""
        self._strike(FaultCode.INTERNAL_ERROR, detail, now_s)
        return Output(ZERO_TWIST, None, self._view(now_s))

    def stands(self) -> bool:
        """Tell whether the output is zero and odometry has shown standstill for a moment."""
        return self._control.last.is_zero() and self._aware.standstill.held_s() > 0.0

    def tick(self, now_s: float) -> Output:
        """Return what goes to the robot now. Called at the gate's rate and after every change of mode."""
        dt_s = self._turns.turn(now_s)
        if self._turns.excused or self._turns.deaf(now_s):
            self._aware.clear_gaps()
        if not self._turns.excused:
            for code, detail in self._watch.look(now_s):
                self._strike(code, detail, now_s)
            self._aware.clear_gaps()
            self._stages.advance(now_s)
        self._move(now_s, dt_s)
        return Output(self._control.last, self._control.take_joints(self.mode, now_s), self._view(now_s))

    def hurry(self, now_s: float) -> Twist2D:
        """Return the velocity that goes to the robot now because of news that slow it. The next tick does the rest."""
        self._move(now_s, self._turns.step(now_s))
        return self._control.last

    def next_deadline_s(self, now_s: float) -> float:
        """
        Return when silence will next mean something: an input stale, a command dead, the executor lost.

        Infinite if none of them is waited for. A tick at the period alone would come up to a period late.
        """
        inputs_s = [watch.deadline_s for watch in self._aware.watches.values()]
        deadlines_s = [*inputs_s, self._gate.base_deadline_s, self._peers.executor.deadline_s]
        return min((deadline_s for deadline_s in deadlines_s if deadline_s >= now_s), default=math.inf)

    def _move(self, now_s: float, dt_s: float) -> None:
        self._hurried = False
        if self._turns.deaf(now_s):
            self._gate.forget()
        if self._reactor.take_zero_order():
            self._control.stop_at_once()
        end = self._control.step(self.mode, now_s, dt_s)
        if end is not None:
            self._stages.end_retreat(end, now_s)

    def status(self, now_s: float) -> Status:
        """Return all that is worth telling for diagnosis."""
        return status_of(self._view(now_s), self._aware, self._peers, self.counters, self.notices, now_s)

    def _on_jump(self, now_s: float) -> None:
        """Stop; in open space a robot that was driving may park. One that stood was carried, and stays where it is."""
        self._parking.void()
        drove = self.mode in (SafetyMode.READY, SafetyMode.STOPPING) and not self._control.last.is_zero()
        reaction = Reaction.RETREAT if drove and self._robot.open_space else None
        self._strike(FaultCode.ODOM_JUMP, 'the pose jumped', now_s, reaction)

    def _strike(self, code: FaultCode, detail: str, now_s: float, reaction: Reaction | None = None) -> bool:
        return not self._watch.disabled(code) and self._reactor.strike(code, detail, now_s, reaction)

    def _on_change(self, old: SafetyMode, new: SafetyMode, now_s: float) -> None:
        if new is SafetyMode.READY:
            self._gate.open(self.epoch)
        elif old is SafetyMode.READY:
            self._gate.close()
            self._aware.standstill.restart()
        if old in _DRIVEN and new is not SafetyMode.SAFE:
            self._control.hold_joints(now_s)

    def _view(self, now_s: float) -> SafetyView:
        told = [*self._watch.reports(), *self.notices]
        moves = self._aware.moves(now_s)
        return make_view(self._boot_id, self._reactor, self._watch.blockers(), told, moves, self._control.limit_reason)
