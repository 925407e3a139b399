"""The fault table: what is watched, what it does, what ends it. Everything else looks faults up here."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

from robot_tool_agent.core.safety_state import SafetyMode


class FaultCode(str, Enum):
    """Names of faults as they appear in SafetyState.fault."""

    OPERATOR_STOP = 'OPERATOR_STOP'
    BUMPER_CONTACT = 'BUMPER_CONTACT'
    COMMAND_INVALID = 'COMMAND_INVALID'
    ODOM_STALE = 'ODOM_STALE'
    SCAN_STALE = 'SCAN_STALE'
    INPUT_INVALID = 'INPUT_INVALID'
    EXECUTOR_LOST = 'EXECUTOR_LOST'
    SKILL_FAILED = 'SKILL_FAILED'
    SKILL_UNKNOWN = 'SKILL_UNKNOWN'
    STOP_NOT_CONFIRMED = 'STOP_NOT_CONFIRMED'
    RETREAT_BLOCKED = 'RETREAT_BLOCKED'
    RETREAT_TIMEOUT = 'RETREAT_TIMEOUT'
    SAFETY_RESTARTED = 'SAFETY_RESTARTED'
    INTERNAL_ERROR = 'INTERNAL_ERROR'


class Reaction(IntEnum):
    """What a fault does to a moving robot; a higher one overrules a lower one."""

    RETREAT = 1
    HOLD = 2
    STOP_NOW = 3


class Rearm(Enum):
    """How the robot comes back."""

    RESET = 'by reset'
    SELF = 'by itself in SAFE, at most rearm_max per rearm_window_s, else by reset'


STANDING_STATES = frozenset({SafetyMode.STARTING, SafetyMode.SAFE})
MOVING_STATES = frozenset({SafetyMode.READY, SafetyMode.STOPPING, SafetyMode.RETREATING})
LIVE_STATES = MOVING_STATES | STANDING_STATES
ALL_BUT_ESTOPPED = frozenset(SafetyMode) - {SafetyMode.ESTOPPED}


@dataclass(frozen=True, slots=True)
class Fault:
    """One row. `default` is in `unit`; a threshold named like a parameter or a robot key takes its value there.

    `persistence_s` is how long the condition must stand. `clears_alone`: the cause ends without reset or motion, so a
    reset waits for it. `states` are those in which the fault acts. `on_request`: trip_safety may name it.
    """

    code: FaultCode
    watched: str
    threshold: str
    unit: str
    default: float | None
    persistence_s: float
    reaction: Reaction
    clears: str
    clears_alone: bool
    rearm: Rearm
    sentence: str
    states: frozenset[SafetyMode]
    zero_at_once: bool = False
    on_request: bool = False


_ROWS = (
    Fault(
        FaultCode.OPERATOR_STOP, 'trip_safety and the topic estop', 'a request, or estop true', '-', None, 0.0,
        Reaction.STOP_NOW, 'estop false again', True, Rearm.RESET,
        'A person stopped the robot. Look round it, release the stop button, then reset.',
        ALL_BUT_ESTOPPED, zero_at_once=True, on_request=True,
    ),
    Fault(
        FaultCode.BUMPER_CONTACT, 'topic bumper', 'bumper true', '-', None, 0.0,
        Reaction.HOLD, 'motion away from the contact', False, Rearm.RESET,
        'The robot touches something. Free it or reset: then only motion away from the contact passes.',
        LIVE_STATES, zero_at_once=True,
    ),
    Fault(
        FaultCode.COMMAND_INVALID, 'topic motion_command', 'NaN, infinite or malformed', '-', None, 0.0,
        Reaction.HOLD, 'ends with the command', True, Rearm.RESET,
        'The executor sent a command that is no motion. The command did not pass. Look at the skill, then reset.',
        frozenset({SafetyMode.READY}),
    ),
    Fault(
        FaultCode.ODOM_STALE, 'topic odom', 'max(0.25 s, 3 periods)', 's', 0.25, 0.0,
        Reaction.HOLD, 'fresh odometry', True, Rearm.RESET,
        'Odometry is silent or repeats itself, so nobody knows how the robot moves. Check the base driver, then reset.',
        MOVING_STATES,
    ),
    Fault(
        FaultCode.SCAN_STALE, 'topic scan', 'max(0.25 s, 3 periods)', 's', 0.25, 0.0,
        Reaction.HOLD, 'fresh scans', True, Rearm.RESET,
        'The range sensor is silent or blind. Check it, then reset.',
        MOVING_STATES,
    ),
    Fault(
        FaultCode.INPUT_INVALID, 'topics bumper and estop', 'max(0.25 s, 3 periods)', 's', 0.25, 0.0,
        Reaction.HOLD, 'fresh messages', True, Rearm.RESET,
        'A required switch is silent. Check its driver, then reset.',
        MOVING_STATES,
    ),
    Fault(
        FaultCode.EXECUTOR_LOST, 'heartbeat of executor', 'executor_timeout_s', 's', 0.5, 0.0,
        Reaction.RETREAT, 'a rising heartbeat', True, Rearm.RESET,
        'The executor died or hangs. The robot parks itself. Check the calls it left unresolved, then reset.',
        MOVING_STATES | {SafetyMode.SAFE},
    ),
    Fault(
        FaultCode.SKILL_FAILED, 'trip_safety by the executor', 'a request', '-', None, 0.0,
        Reaction.RETREAT, 'ends with the request', True, Rearm.SELF,
        'A motion failed and what it did is known. The robot parks itself and is ready again by itself.',
        frozenset({SafetyMode.READY}), on_request=True,
    ),
    Fault(
        FaultCode.SKILL_UNKNOWN, 'trip_safety by the executor', 'a request', '-', None, 0.0,
        Reaction.RETREAT, 'ends with the request', True, Rearm.RESET,
        'A motion ended and nobody knows what it did. Look at the scene, resolve the call, then reset.',
        MOVING_STATES | {SafetyMode.SAFE}, on_request=True,
    ),
    Fault(
        FaultCode.STOP_NOT_CONFIRMED, 'topic odom while stopping', 'stop_timeout_s', 's', 2.0, 0.0,
        Reaction.HOLD, 'odometry that shows standstill', True, Rearm.RESET,
        'ALARM: the robot was told to stop and odometry does not show it. Cut its power.',
        frozenset({SafetyMode.STOPPING}),
    ),
    Fault(
        FaultCode.RETREAT_BLOCKED, 'retreat', 'retreat_blocked_s', 's', 2.5, 0.0,
        Reaction.HOLD, 'ends with the retreat', True, Rearm.RESET,
        'The way back to a safe pose is blocked or unknown. Clear the way, then reset.',
        frozenset({SafetyMode.STOPPING, SafetyMode.RETREATING}),
    ),
    Fault(
        FaultCode.RETREAT_TIMEOUT, 'retreat', 'retreat_timeout_s', 's', 90.0, 0.0,
        Reaction.HOLD, 'ends with the retreat', True, Rearm.RESET,
        'The retreat took too long. Look at the robot, then reset.',
        frozenset({SafetyMode.RETREATING}),
    ),
    Fault(
        FaultCode.SAFETY_RESTARTED, 'heartbeat and commands of executor', 'restart_margin_s', 's', 5.0, 0.0,
        Reaction.HOLD, 'ends with the reset', False, Rearm.RESET,
        'The safety node restarted under a running system and forgot its latch. Look at the robot, then reset.',
        frozenset({SafetyMode.STARTING, SafetyMode.READY}), on_request=True,
    ),
    Fault(
        FaultCode.INTERNAL_ERROR, 'the safety process', 'an exception', '-', None, 0.0,
        Reaction.STOP_NOW, 'a new start', False, Rearm.RESET,
        'The safety node failed and ended. Read its log and start the system again.',
        ALL_BUT_ESTOPPED, zero_at_once=True,
    ),
)  # fmt: skip

FAULTS: dict[FaultCode, Fault] = {row.code: row for row in _ROWS}
