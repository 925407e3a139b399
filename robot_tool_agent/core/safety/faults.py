"""The fault table: what is watched, what it does, what ends it. Everything else looks faults up here."""

from __future__ import annotations

from robot_tool_agent.core.safety.fault_rows import (
    ALL_BUT_ESTOPPED,
    DRIVING,
    Fault,
    FaultCode,
    LIVE,
    MOVING,
    Reaction,
    READY,
    Rearm,
    STALE,
)
from robot_tool_agent.core.safety_state import SafetyMode

__all__ = ['FAULTS', 'Fault', 'FaultCode', 'Reaction', 'Rearm']

_ROWS = (
    Fault(
        FaultCode.OPERATOR_STOP, 'trip_safety and the topic estop', 'a request, or estop true', '-', None,
        Reaction.STOP_NOW, 'estop false again', True, Rearm.RESET,
        'A person stopped the robot. Look round it, release the stop button, then reset.',
        ALL_BUT_ESTOPPED, zero_at_once=True, on_request=True,
    ),
    Fault(
        FaultCode.BUMPER_CONTACT, 'topic bumper', 'bumper true', '-', None,
        Reaction.HOLD, 'motion away from the contact', False, Rearm.RESET,
        'The robot touches something. Free it or reset: then only motion away from the contact passes.',
        LIVE, zero_at_once=True, can_disable=True,
    ),
    Fault(
        FaultCode.OBSTACLE_PERSISTS, 'commands that an obstacle stops', 'obstacle_persists_s', 's', 6.0,
        Reaction.RETREAT, 'ends with the command', True, Rearm.RESET,
        'The executor kept driving at something that does not go away. Clear the way, then reset.',
        READY, persistence_parameter='obstacle_persists_s', can_disable=True,
    ),
    Fault(
        FaultCode.GEOFENCE, 'pose in the map', 'geofence_margin_m', 'm', 0.05,
        Reaction.HOLD, 'motion back inside', False, Rearm.RESET,
        'The robot is outside its geofence. Bring it back or reset: then only motion inwards passes.',
        MOVING, persistence_s=0.2, can_disable=True,
    ),
    Fault(
        FaultCode.COMMAND_INVALID, 'topic motion_command', 'NaN, infinite or malformed', '-', None,
        Reaction.HOLD, 'ends with the command', True, Rearm.RESET,
        'The executor sent a command that is no motion. The command did not pass. Look at the skill, then reset.',
        READY,
    ),
    Fault(
        FaultCode.COMMAND_OVERSPEED, 'topic motion_command', 'overspeed_persists_s', 's', 1.0,
        Reaction.HOLD, 'ends with the command', True, Rearm.RESET,
        'The executor kept asking for more speed than the robot may have; it never got it. Look at the skill.',
        READY, persistence_parameter='overspeed_persists_s', can_disable=True,
    ),
    Fault(
        FaultCode.EPOCH_MISMATCH, 'topic motion_command', 'epoch_mismatch_s', 's', 2.0,
        Reaction.HOLD, 'ends with the command', True, Rearm.RESET,
        'Somebody keeps sending commands of an ended epoch; none passed. Look at the executor, then reset.',
        READY, persistence_parameter='epoch_mismatch_s', can_disable=True,
    ),
    Fault(
        FaultCode.ODOM_STALE, 'topic odom', STALE, 's', 0.25,
        Reaction.HOLD, 'fresh odometry', True, Rearm.RESET,
        'Odometry is silent or repeats itself, so nobody knows how the robot moves. Check the base driver, then reset.',
        MOVING,
    ),
    Fault(
        FaultCode.SCAN_STALE, 'topic scan', STALE, 's', 0.25,
        Reaction.HOLD, 'fresh scans', True, Rearm.RESET,
        'The range sensor is silent or blind. Check it, then reset.',
        MOVING, can_disable=True,
    ),
    Fault(
        FaultCode.ODOM_JUMP, 'topic odom', 'twice what the limits allow, plus 0.15 m or 0.3 rad', '-', None,
        Reaction.HOLD, 'ends with the jump', True, Rearm.RESET,
        'Odometry jumped, so the way back is unknown. Check the base driver and the pose in the map, then reset.',
        MOVING, can_disable=True,
    ),
    Fault(
        FaultCode.INPUT_INVALID, 'topics bumper, estop and imu', STALE, 's', 0.25,
        Reaction.HOLD, 'fresh messages', True, Rearm.RESET,
        'A required sensor is silent or talks nonsense. Check its driver, then reset.',
        MOVING, can_disable=True,
    ),
    Fault(
        FaultCode.CLOCK_FROZEN, '/clock, with use_sim_time', 'clock_frozen_s', 's', 0.5,
        Reaction.HOLD, 'a clock that runs', True, Rearm.CLEARED,
        'The simulated clock stands still. The robot is ready again by itself once it runs.',
        MOVING, can_disable=True,
    ),
    Fault(
        FaultCode.EXECUTOR_LOST, 'heartbeat of executor', 'executor_timeout_s', 's', 0.5,
        Reaction.RETREAT, 'a rising heartbeat', True, Rearm.RESET,
        'The executor died or hangs. The robot parks itself. Check the calls it left unresolved, then reset.',
        MOVING | {SafetyMode.SAFE},
    ),
    Fault(
        FaultCode.PLANNER_LOST, 'heartbeat of planner', 'planner_timeout_s', 's', 2.0,
        Reaction.REPORT, 'a rising heartbeat', True, Rearm.NONE,
        'The planner died or hangs. The executor cancels the calls it began; other calls go on.',
        LIVE, can_disable=True,
    ),
    Fault(
        FaultCode.SKILL_FAILED, 'trip_safety by the executor', 'a request', '-', None,
        Reaction.RETREAT, 'ends with the request', True, Rearm.SELF,
        'A motion failed and what it did is known. The robot parks itself and is ready again by itself.',
        READY, on_request=True, of_call=True,
    ),
    Fault(
        FaultCode.SKILL_UNKNOWN, 'trip_safety by the executor', 'a request', '-', None,
        Reaction.RETREAT, 'ends with the request', True, Rearm.RESET,
        'A motion ended and nobody knows what it did. Look at the scene, resolve the call, then reset.',
        MOVING | {SafetyMode.SAFE}, on_request=True, of_call=True,
    ),
    Fault(
        FaultCode.MOTION_WITHOUT_COMMAND, 'odom against cmd_vel', 'motion_band_mps', 'm/s', 0.05,
        Reaction.HOLD, 'standstill in odometry', True, Rearm.RESET,
        'ALARM: the robot moves more than it is told, or another way. Cut its power and check the base.',
        DRIVING | {SafetyMode.SAFE}, persistence_s=0.3, can_disable=True, alarm=True,
    ),
    Fault(
        FaultCode.NOT_FOLLOWING, 'odom against cmd_vel', 'not_following_s', 's', 4.0,
        Reaction.HOLD, 'ends with the command', True, Rearm.RESET,
        'The robot moves much less than it is told. Check wheels, motors and what holds it, then reset.',
        DRIVING, persistence_parameter='not_following_s', can_disable=True,
    ),
    Fault(
        FaultCode.RIVAL_PUBLISHER, 'publishers of cmd_vel and joint_trajectory', 'any other node', '-', None,
        Reaction.HOLD, 'the end of the other publisher', True, Rearm.RESET,
        'ALARM: another node commands the robot past this gate. End that node, then reset.',
        MOVING | {SafetyMode.SAFE}, persistence_s=0.6, can_disable=True, alarm=True,
    ),
    Fault(
        FaultCode.BATTERY_LOW, 'topic battery_state', 'min_battery_fraction', '-', 0.1,
        Reaction.RETREAT, 'charging', False, Rearm.RESET,
        'The battery is nearly empty. The robot parks itself. Charge it; a reset lets it be driven there.',
        READY, persistence_s=5.0, can_disable=True,
    ),
    Fault(
        FaultCode.TILT, 'topic imu', 'tilt_limit_rad', 'rad', 0.35,
        Reaction.HOLD, 'an upright robot', True, Rearm.RESET,
        'The robot leans too far. Set it upright on even ground, then reset.',
        MOVING | {SafetyMode.SAFE}, persistence_s=0.2, can_disable=True,
    ),
    Fault(
        FaultCode.JOINT_LIMIT, 'joint_states and joint targets', 'limits of the arm joint', 'rad', None,
        Reaction.HOLD, 'a joint back within its limits', False, Rearm.RESET,
        'A joint is past its limits, or was asked to go there; the target did not pass. Look at the arm, then reset.',
        DRIVING, persistence_s=0.2, can_disable=True,
    ),
    Fault(
        FaultCode.STOP_NOT_CONFIRMED, 'topic odom while stopping', 'stop_timeout_s', 's', 2.0,
        Reaction.HOLD, 'odometry that shows standstill', True, Rearm.RESET,
        'ALARM: the robot was told to stop and odometry does not show it. Cut its power.',
        frozenset({SafetyMode.STOPPING}), alarm=True,
    ),
    Fault(
        FaultCode.RETREAT_BLOCKED, 'retreat', 'retreat_blocked_s', 's', 2.5,
        Reaction.HOLD, 'ends with the retreat', True, Rearm.RESET,
        'The way back to a safe pose is blocked or unknown. Clear the way, then reset.',
        frozenset({SafetyMode.STOPPING, SafetyMode.RETREATING}),
    ),
    Fault(
        FaultCode.RETREAT_TIMEOUT, 'retreat', 'retreat_timeout_s', 's', 90.0,
        Reaction.HOLD, 'ends with the retreat', True, Rearm.RESET,
        'The retreat took too long. Look at the robot, then reset.',
        frozenset({SafetyMode.RETREATING}),
    ),
    Fault(
        FaultCode.SAFETY_RESTARTED, 'heartbeat and commands of executor', 'restart_margin_s', 's', 5.0,
        Reaction.HOLD, 'ends with the reset', False, Rearm.RESET,
        'The safety node restarted under a running system and forgot its latch. Look at the robot, then reset.',
        frozenset({SafetyMode.STARTING, SafetyMode.READY}), on_request=True,
    ),
    Fault(
        FaultCode.INTERNAL_ERROR, 'the safety process', 'an exception', '-', None,
        Reaction.STOP_NOW, 'a new start', False, Rearm.RESET,
        'The safety node failed and ended. Read its log and start the system again.',
        ALL_BUT_ESTOPPED, zero_at_once=True, alarm=True,
    ),
)  # fmt: skip

FAULTS: dict[FaultCode, Fault] = {row.code: row for row in _ROWS}
