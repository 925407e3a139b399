"""Which faults stand right now, as pure questions to what is known. The table decides what follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.awareness import Awareness
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.faults import FaultCode
from robot_tool_agent.core.safety.liveness import Peers
from robot_tool_agent.core.safety.motion_control import MotionControl
from robot_tool_agent.core.safety.sim_clock import ClockWatch

Standing = dict[FaultCode, str]
Found = Iterator[tuple[FaultCode, str]]


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that conditions are judged on."""

    robot: RobotDescription
    config: SafetyConfig
    aware: Awareness
    peers: Peers
    control: MotionControl
    clock: ClockWatch


def standing_faults(evidence: Evidence, now_s: float) -> Standing:
    """Return the codes whose condition holds at now_s, each with what was seen."""
    return {code: text for judge in _JUDGES for code, text in judge(evidence, now_s)}


def _switches(evidence: Evidence, now_s: float) -> Found:
    if evidence.aware.estop_pressed:
        yield FaultCode.OPERATOR_STOP, 'the stop button is pressed'
    if evidence.aware.contact.alarming:
        yield FaultCode.BUMPER_CONTACT, 'the bumper is pressed'


_INPUTS = {
    FaultCode.ODOM_STALE: ('odom',),
    FaultCode.SCAN_STALE: ('scan',),
    FaultCode.INPUT_INVALID: ('bumper', 'estop', 'imu'),
}


def _inputs(evidence: Evidence, now_s: float) -> Found:
    """Yield silent inputs, or the standstill of the clock where it explains them."""
    aware, clock = evidence.aware, evidence.clock
    silent = {code: [name for name in names if aware.silent(name, now_s)] for code, names in _INPUTS.items()}
    explained = clock.explains_silence(now_s) and any(silent.values())
    if clock.frozen(now_s) or explained:
        yield FaultCode.CLOCK_FROZEN, f'ROS time has stood still for {clock.still_s(now_s):.1f} s'
    if not explained:
        for code, names in silent.items():
            if names:
                yield code, ', '.join(aware.silence(name) for name in names)


def _nodes(evidence: Evidence, now_s: float) -> Found:
    peers, rivals = evidence.peers, evidence.aware.rivals
    if not peers.executor.alive(now_s):
        yield FaultCode.EXECUTOR_LOST, 'no heartbeat from executor'
    if peers.planner_lost(now_s):
        yield FaultCode.PLANNER_LOST, 'no heartbeat from planner'
    if rivals:
        yield FaultCode.RIVAL_PUBLISHER, f'also publishing: {", ".join(rivals)}'
    elif peers.rival_safety(now_s):
        yield FaultCode.RIVAL_PUBLISHER, 'another safety node is alive'


def _body(evidence: Evidence, now_s: float) -> Found:
    aware, limits = evidence.aware, evidence.robot.limits
    if 0.0 <= aware.battery_fraction < limits.min_battery_fraction:
        yield FaultCode.BATTERY_LOW, f'{aware.battery_fraction:.0%} left'
    if aware.tilt_rad > evidence.config.tilt_limit_rad:
        yield FaultCode.TILT, f'leaning by {aware.tilt_rad:.2f} rad'
    past = evidence.control.ranges.outside({} if aware.joints is None else aware.joints.positions)
    if past:
        yield FaultCode.JOINT_LIMIT, f'past its limits: {", ".join(past)}'
    outside_m = evidence.control.limiter.outside_m(aware.map_pose())
    if outside_m > evidence.config.geofence_margin_m:
        yield FaultCode.GEOFENCE, f'{outside_m:.2f} m outside the geofence'


def _motion(evidence: Evidence, now_s: float) -> Found:
    aware, control = evidence.aware, evidence.control
    if not aware.stale('odom', now_s):
        uncommanded, unfollowed = aware.motion.uncommanded(), aware.motion.unfollowed()
        if uncommanded:
            yield FaultCode.MOTION_WITHOUT_COMMAND, uncommanded
        if unfollowed:
            yield FaultCode.NOT_FOLLOWING, unfollowed
    if control.stopped_by_obstacle():
        yield FaultCode.OBSTACLE_PERSISTS, f'the command is cut to nothing: {control.limit_reason.value}'
    if control.overspeeds(now_s):
        yield FaultCode.COMMAND_OVERSPEED, 'commands above the limits of the robot'
    if control.gate.mismatches(now_s):
        yield FaultCode.EPOCH_MISMATCH, 'commands of another epoch'


_JUDGES: tuple[Callable[[Evidence, float], Found], ...] = (_switches, _inputs, _nodes, _body, _motion)
