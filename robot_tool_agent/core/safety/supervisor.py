"""The whole safety layer behind one interface: samples, commands and time in, output out. No clock, no ROS."""

from __future__ import annotations

from dataclasses import dataclass

from robot_tool_agent.core.geometry import ZERO_TWIST, Twist2D
from robot_tool_agent.core.motion import JointTarget, MotionRequest
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.awareness import Awareness
from robot_tool_agent.core.safety.braking import slew
from robot_tool_agent.core.safety.conditions import Standing, standing_faults
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.faults import FAULTS, FaultCode, Reaction
from robot_tool_agent.core.safety.gate import Gate, Offer
from robot_tool_agent.core.safety.joint_guard import JointGuard
from robot_tool_agent.core.safety.limiter import Limiter, LimitReason
from robot_tool_agent.core.safety.liveness import ExecutorWatch, Finding
from robot_tool_agent.core.safety.machine import Event
from robot_tool_agent.core.safety.parking import Parking, ParkingEnd
from robot_tool_agent.core.safety.reactor import Reactor
from robot_tool_agent.core.safety.rearm import RearmBudget
from robot_tool_agent.core.safety.report import RESETTABLE, make_view, reset_blockers
from robot_tool_agent.core.safety.requests import Answer, TripRequest, refusal_of_reset, refusal_of_trip
from robot_tool_agent.core.safety.watchdogs import Persistence
from robot_tool_agent.core.safety_state import SafetyMode, SafetyView
from robot_tool_agent.core.samples import BumperSample, GlobalPoseSample, JointSample, OdomSample, ScanSample

MAX_STEP_S = 0.04
STALL_PERIODS = 3.0
_RECORDED = frozenset({SafetyMode.READY, SafetyMode.STOPPING, SafetyMode.RETREATING})

_FINDINGS = {Finding.OLDER: FaultCode.SAFETY_RESTARTED, Finding.REPLACED: FaultCode.EXECUTOR_LOST}


@dataclass(frozen=True, slots=True)
class Output:
    """What goes to the robot now, and the state to tell. `joints` None: no new joint order."""

    twist: Twist2D
    joints: JointTarget | None
    view: SafetyView


class SafetySupervisor:
    """Decides on every command and every tick whether and how fast the robot may move.

    All times are steady seconds. Event faults change `mode` at once: a caller that sees it change calls `tick` without
    waiting for the next period.
    """

    def __init__(self, robot: RobotDescription, config: SafetyConfig, boot_id: int, now_s: float) -> None:
        self._config = config
        self._limits = robot.limits
        self._boot_id = boot_id
        self._reactor = Reactor(config, boot_id, now_s, self._on_change)
        self._gate = Gate(robot, config.command_timeout_s)
        self._limiter = Limiter(robot)
        self._aware = Awareness(robot, self._limiter.reach_m)
        self._executor = ExecutorWatch(boot_id, config.executor_timeout_s, config.restart_margin_s)
        self._parking = Parking(robot, config, self._aware)
        self._joint_guard = JointGuard(robot)
        self._rearm = RearmBudget(config.rearm_max, config.rearm_window_s)
        self._persistence = Persistence()
        self._standing: Standing = {}
        self._clear_since_s = now_s
        self._last = ZERO_TWIST
        self._joint_order: JointTarget | None = None
        self._limit_reason = LimitReason.NONE
        self._tick_s = now_s
        self._excused = False

    @property
    def mode(self) -> SafetyMode:
        """The state of the machine."""
        return self._reactor.mode

    @property
    def epoch(self) -> int:
        """The epoch that commands must carry."""
        return self._reactor.epoch.value

    @property
    def counters(self) -> dict[str, int]:
        """How often the gate accepted or dropped a command, by reason."""
        return dict(self._gate.counters)

    def on_odom(self, sample: OdomSample) -> None:
        """Take odometry."""
        jumps = self._aware.jumps
        if not self._aware.on_odom(sample):
            return
        if self._aware.jumps != jumps:
            self._parking.void()
        if self.mode in _RECORDED:
            self._parking.trail.record(sample.pose)

    def on_scan(self, sample: ScanSample) -> None:
        """Take a scan."""
        self._aware.on_scan(sample)

    def on_global_pose(self, sample: GlobalPoseSample) -> None:
        """Take a pose in the map."""
        self._aware.on_global_pose(sample)

    def on_joints(self, sample: JointSample) -> None:
        """Take joint positions."""
        self._aware.on_joints(sample)

    def on_bumper(self, sample: BumperSample) -> None:
        """Take the contact switch; a new contact is a fault at once."""
        self._aware.on_bumper(sample)
        if self._aware.contact.alarming:
            self._reactor.strike(FaultCode.BUMPER_CONTACT, 'the bumper is pressed', sample.received_s)

    def on_estop(self, sample: BumperSample) -> None:
        """Take the stop button; a press is a fault at once."""
        self._aware.on_estop(sample)
        if self._aware.estop_pressed:
            self._reactor.strike(FaultCode.OPERATOR_STOP, 'the stop button is pressed', sample.received_s)

    def on_heartbeat(self, node: str, boot_id: int, sequence: int, now_s: float) -> None:
        """Take a sign of life."""
        finding = self._executor.heard(node, boot_id, sequence, now_s)
        if finding is not None:
            self._reactor.strike(_FINDINGS[finding], finding.value, now_s)

    def on_command(self, request: MotionRequest, now_s: float) -> Offer:
        """Take a motion command; the answer says whether it was heard."""
        if self._reactor.epoch.is_of_earlier_boot(request.epoch):
            self._reactor.strike(
                FaultCode.SAFETY_RESTARTED, 'a command carries an epoch of an earlier safety node', now_s
            )
        answer = self._gate.offer(request, now_s)
        if answer is Offer.INVALID:
            self._reactor.strike(FaultCode.COMMAND_INVALID, f'call {request.call_id!r} sent no valid motion', now_s)
        return answer

    def on_malformed_command(self, epoch: int, reason: str, now_s: float) -> None:
        """Take notice of a command that could not even be read; it is a fault if it is of this epoch."""
        self._gate.counters[Offer.INVALID.value] += 1
        if epoch == self.epoch:
            self._reactor.strike(FaultCode.COMMAND_INVALID, reason, now_s)

    def trip(self, request: TripRequest, now_s: float) -> Answer:
        """Stop the robot on request. A request of another epoch than the present one (0: any) has no effect."""
        refusal = refusal_of_trip(request, self.epoch)
        if refusal:
            return Answer(False, refusal)
        what = request.detail or 'on request'
        detail = f'{what} (call {request.call_id})' if request.call_id else what
        if self._reactor.strike(FaultCode(request.fault), detail, now_s):
            return Answer(True, f'{request.fault}: {self.mode.name}')
        return Answer(True, f'no effect in {self.mode.name}, on_skill_failed: {self._config.on_skill_failed}')

    def reset(self, operator: str, now_s: float) -> Answer:
        """Clear the latch for a named person. Moves nothing; the inputs are checked anew before READY."""
        self._standing = standing_faults(self._aware, self._executor, now_s)
        refusal = refusal_of_reset(operator, self.mode, reset_blockers(self._standing, self._aware.moves(now_s)))
        if refusal:
            return Answer(False, refusal)
        if self.mode not in RESETTABLE:
            return Answer(True, 'nothing to reset')
        self._aware.contact.acknowledge()
        self._reactor.come_back(Event.RESET, now_s)
        return Answer(True, f'reset by {operator.strip()}')

    def fail(self, detail: str, now_s: float) -> Output:
        """Return the last output of a process that is about to end because of an error of its own."""
        self._reactor.strike(FaultCode.INTERNAL_ERROR, detail, now_s)
        return Output(ZERO_TWIST, None, self._view(now_s))

    def stands(self) -> bool:
        """Tell whether the output is zero and odometry has shown standstill for a moment."""
        return self._last.is_zero() and self._aware.standstill.held_s() > 0.0

    def tick(self, now_s: float) -> Output:
        """Return what goes to the robot now. Called at the gate's rate and after every change of mode.

        A tick after a stall of this process judges nothing: messages that prove life may wait behind it. The next does.
        """
        elapsed_s = now_s - self._tick_s
        self._tick_s = now_s
        self._excused = elapsed_s > STALL_PERIODS / self._config.gate_rate_hz and not self._excused
        if not self._excused:
            self._watch(now_s)
            self._advance(now_s)
        if self._reactor.take_zero_order():
            self._last = ZERO_TWIST
        self._last = self._next_twist(now_s, min(max(elapsed_s, 0.0), MAX_STEP_S))
        self._aware.contact.on_output(self._last.v_mps)
        return Output(self._last, self._joints(now_s), self._view(now_s))

    def _watch(self, now_s: float) -> None:
        self._standing = standing_faults(self._aware, self._executor, now_s)
        if self._standing:
            self._clear_since_s = now_s
        needed_s = {code.value: FAULTS[code].persistence_s for code in self._standing}
        for name in self._persistence.lasting(needed_s, now_s):
            self._reactor.strike(FaultCode(name), self._standing[FaultCode(name)], now_s)

    def _on_change(self, old: SafetyMode, new: SafetyMode, now_s: float) -> None:
        if new is SafetyMode.READY:
            self._gate.open(self.epoch)
        elif old is SafetyMode.READY:
            self._gate.close()
            self._joint_order = self._joint_guard.hold(self._aware.joints, now_s)
            self._aware.standstill.restart()

    def _advance(self, now_s: float) -> None:
        """Take the step that time and inputs allow in this mode."""
        if self.mode is SafetyMode.STARTING and now_s - self._clear_since_s >= self._config.start_settle_s:
            self._reactor.fire(Event.INPUTS_READY, now_s)
        elif self.mode is SafetyMode.STOPPING:
            self._advance_stop(now_s)
        elif self.mode is SafetyMode.SAFE and self._reactor.latch.rearms_itself:
            self._advance_rearm(now_s)

    def _advance_stop(self, now_s: float) -> None:
        if not self._last.is_zero():
            self._reactor.since_s = now_s
        elif self._aware.standstill.held_s() >= self._config.settle_s:
            self._finish_stop(now_s)
        elif now_s - self._reactor.since_s >= self._config.stop_timeout_s:
            self._give_up_stop(now_s)

    def _finish_stop(self, now_s: float) -> None:
        if self._reactor.latch.reaction is not Reaction.RETREAT:
            self._reactor.fire(Event.HOLD, now_s)
            return
        refusal = self._parking.begin(now_s)
        if refusal:
            self._reactor.hold_because(FaultCode.RETREAT_BLOCKED, refusal, now_s)
        else:
            self._reactor.fire(Event.RETREAT, now_s)

    def _give_up_stop(self, now_s: float) -> None:
        """Hold without a confirmed standstill. If odometry is silent nothing can confirm it: that stays the fault."""
        if self._aware.stale('odom', now_s):
            self._reactor.fire(Event.HOLD, now_s, 'standstill not confirmed')
        else:
            self._reactor.hold_because(FaultCode.STOP_NOT_CONFIRMED, 'odometry still shows motion', now_s)

    def _advance_rearm(self, now_s: float) -> None:
        if not self._rearm.available(now_s):
            self._reactor.detail = f'{self._config.rearm_max} self re-arms used up, reset needed'
        elif now_s - self._reactor.since_s >= self._config.rearm_delay_s:
            self._rearm.take(now_s)
            self._reactor.come_back(Event.REARM, now_s)

    def _next_twist(self, now_s: float, dt_s: float) -> Twist2D:
        self._limit_reason = LimitReason.NONE
        if self.mode is SafetyMode.READY:
            command = self._gate.base(now_s)
            allowed = self._limiter.limit(command.twist, command.profile, self._aware.scene())
            self._limit_reason = allowed.reason
            return slew(self._last, allowed.twist, self._limits, dt_s)
        if self.mode is SafetyMode.STOPPING:
            return slew(self._last, ZERO_TWIST, self._limits, dt_s)
        if self.mode is SafetyMode.RETREATING:
            return self._retreat_twist(now_s, dt_s)
        return ZERO_TWIST

    def _retreat_twist(self, now_s: float, dt_s: float) -> Twist2D:
        wanted, end = self._parking.step(self._last, now_s)
        if end is ParkingEnd.ARRIVED:
            self._reactor.fire(Event.ARRIVE, now_s, f'parked at {self._parking.goal_name}')
            return ZERO_TWIST
        if end is not None:
            code = FaultCode.RETREAT_TIMEOUT if end is ParkingEnd.LATE else FaultCode.RETREAT_BLOCKED
            self._reactor.hold_because(code, end.value, now_s)
            return ZERO_TWIST
        allowed = self._limiter.limit(wanted.twist, wanted.profile, self._aware.scene())
        self._limit_reason = allowed.reason
        return slew(self._last, allowed.twist, self._limits, dt_s)

    def _joints(self, now_s: float) -> JointTarget | None:
        target = self._gate.take_joints() if self.mode is SafetyMode.READY else None
        if target is not None:
            self._joint_guard.on_sent(target, now_s)
            return target
        order, self._joint_order = self._joint_order, None
        return order

    def _view(self, now_s: float) -> SafetyView:
        moves = self._aware.moves(now_s)
        return make_view(self._boot_id, self._reactor, self._standing, moves, self._limit_reason)
