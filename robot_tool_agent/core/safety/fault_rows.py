"""What a row of the fault table is made of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

from robot_tool_agent.core.safety_state import SafetyMode


class FaultCode(str, Enum):
    """Names of faults as they appear in SafetyState.fault."""

    OPERATOR_STOP = 'OPERATOR_STOP'
    BUMPER_CONTACT = 'BUMPER_CONTACT'
    OBSTACLE_PERSISTS = 'OBSTACLE_PERSISTS'
    GEOFENCE = 'GEOFENCE'
    COMMAND_INVALID = 'COMMAND_INVALID'
    COMMAND_OVERSPEED = 'COMMAND_OVERSPEED'
    EPOCH_MISMATCH = 'EPOCH_MISMATCH'
    ODOM_STALE = 'ODOM_STALE'
    SCAN_STALE = 'SCAN_STALE'
    ODOM_JUMP = 'ODOM_JUMP'
    INPUT_INVALID = 'INPUT_INVALID'
    CLOCK_FROZEN = 'CLOCK_FROZEN'
    EXECUTOR_LOST = 'EXECUTOR_LOST'
    PLANNER_LOST = 'PLANNER_LOST'
    SKILL_FAILED = 'SKILL_FAILED'
    SKILL_UNKNOWN = 'SKILL_UNKNOWN'
    MOTION_WITHOUT_COMMAND = 'MOTION_WITHOUT_COMMAND'
    NOT_FOLLOWING = 'NOT_FOLLOWING'
    RIVAL_PUBLISHER = 'RIVAL_PUBLISHER'
    BATTERY_LOW = 'BATTERY_LOW'
    TILT = 'TILT'
    JOINT_LIMIT = 'JOINT_LIMIT'
    STOP_NOT_CONFIRMED = 'STOP_NOT_CONFIRMED'
    RETREAT_BLOCKED = 'RETREAT_BLOCKED'
    RETREAT_TIMEOUT = 'RETREAT_TIMEOUT'
    SAFETY_RESTARTED = 'SAFETY_RESTARTED'
    INTERNAL_ERROR = 'INTERNAL_ERROR'


class Reaction(IntEnum):
    """What a fault does to a moving robot; a higher one overrules a lower one. REPORT does nothing but tell."""

    REPORT = 0
    RETREAT = 1
    HOLD = 2
    STOP_NOW = 3


class Rearm(Enum):
    """How the robot comes back."""

    RESET = 'by reset'
    SELF = 'by itself in SAFE, at most rearm_max per rearm_window_s, else by reset'
    CLEARED = 'by itself once the cause has ended'
    NONE = 'nothing to come back from'


@dataclass(frozen=True, slots=True)
class Fault:
    """
    One row. `default` is in `unit`; a threshold named like a parameter or a robot key takes its value there.

    `persistence_s` is how long the condition must stand, or `persistence_parameter` names the parameter that says so.
    `clears_alone`: the cause ends without reset or motion, so a reset waits for it; of other causes a reset takes note,
    and they act again only after they have ended once. `states` are those in which the fault acts. `on_request`:
    trip_safety may name it. `of_call`: such a request is bound to the epoch of its call. `can_disable`: the parameter
    disabled_faults may name it. `alarm`: it is told at the level of an error.
    """

    code: FaultCode
    watched: str
    threshold: str
    unit: str
    default: float | None
    reaction: Reaction
    clears: str
    clears_alone: bool
    rearm: Rearm
    sentence: str
    states: frozenset[SafetyMode]
    persistence_s: float = 0.0
    persistence_parameter: str = ''
    zero_at_once: bool = False
    on_request: bool = False
    of_call: bool = False
    can_disable: bool = False
    alarm: bool = False


# Three periods of the declared rate, but not less than a quarter of a second (InputTopic.stale_s).
STALE = 'max(0.25 s, 3 periods)'
READY = frozenset({SafetyMode.READY})
DRIVING = frozenset({SafetyMode.READY, SafetyMode.RETREATING})
MOVING = frozenset({SafetyMode.READY, SafetyMode.STOPPING, SafetyMode.RETREATING})
LIVE = MOVING | {SafetyMode.STARTING, SafetyMode.SAFE}
ALL_BUT_ESTOPPED = frozenset(SafetyMode) - {SafetyMode.ESTOPPED}
