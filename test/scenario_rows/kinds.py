"""Nine failures under fixed names, so that other systems can be measured on the same ones (docs/scenarios.md)."""

from __future__ import annotations

from robot_tool_agent.core.outcomes import Effect, Outcome
from robot_tool_agent.core.safety_state import SafetyMode
from scenario_setups import REHEARSAL
from scenario_types import Act, CallEnds, Follow, Lost, Scenario, SkillCall, Strike, Truth, Untold
from scenario_words import (
    AGAIN,
    AHEAD,
    BALL,
    CONTRADICTED,
    DOCK,
    FAR,
    lost,
    MOVE,
    MOVED,
    MOVED_M,
    READ,
    refused,
    REPLAYED,
    SLIPPED,
    STATE,
    STOP_S,
    SUCCEEDED,
    TO_TABLE,
    UNSEEN,
    UNTOUCHED,
)

STUMBLE = SkillCall('stumble', '{"distance_m": 0.8}')
HALF = (Outcome.FAILED,), (Effect.PARTIAL,), ('EXECUTION_ERROR',)
OVERRUN = (Outcome.UNKNOWN,), (Effect.UNKNOWN,), ('CANCELED',)
FROZEN = (Outcome.UNKNOWN,), (Effect.UNKNOWN,), ('STALE_SENSOR',)
HELD = (SafetyMode.STOPPING, SafetyMode.HOLDING)

MALFORMED = (
    ('move_relative', '{"distance_m": 0.5', 'INVALID_JSON'),
    ('move_relative', '', 'INVALID_JSON'),
    ('move_relative', '[0.5]', 'INVALID_JSON'),
    ('move_relative', 'null', 'INVALID_JSON'),
    ('move_relative', '"{\\"distance_m\\": 0.5}"', 'INVALID_JSON'),
    ('move_relative', "{'distance_m': 0.5}", 'INVALID_JSON'),
    ('move_relative', '{"distance_m": 0.5,}', 'INVALID_JSON'),
    ('move_relative', '{"distance_m": NaN}', 'INVALID_JSON'),
    ('move_relative', '{"distance_m": -Infinity}', 'INVALID_JSON'),
    ('move_relative', '{"distance_m": 1e999}', 'INVALID_JSON'),
    ('move_relative', '{"distance_m": 0.5, "distance_m": 1.0}', 'INVALID_JSON'),
    ('move_relative', '[' * 2000 + ']' * 2000, 'INVALID_JSON'),
    ('move_relative', '{}', 'INVALID_ARGUMENT'),
    ('move_relative', '{"distance_m": "0.5"}', 'INVALID_ARGUMENT'),
    ('move_relative', '{"distance_m": true}', 'INVALID_ARGUMENT'),
    ('move_relative', '{"distance_m": null}', 'INVALID_ARGUMENT'),
    ('move_relative', '{"distance_m": [0.5]}', 'INVALID_ARGUMENT'),
    ('move_relative', '{"distance_m": 50.0}', 'INVALID_ARGUMENT'),
    ('move_relative', '{"distance_m": 0.5, "speed_mps": 2.0}', 'INVALID_ARGUMENT'),
    ('move_relative', '{"distance": 0.5}', 'INVALID_ARGUMENT'),
    ('navigate_to', '{"x_m": 2.0, "y_m": 2.0}', 'INVALID_ARGUMENT'),
    ('navigate_to', '{"x_m": 50.0, "y_m": 2.0, "yaw_rad": 0.0}', 'INVALID_ARGUMENT'),
    ('navigate_to', '{"place": "moon"}', 'UNKNOWN_ENTITY'),
    ('pick', '{"object": "../../etc/passwd"}', 'UNKNOWN_ENTITY'),
    ('fly', '{"distance_m": 0.5}', 'UNKNOWN_SKILL'),
)

SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        'kind_1', MOVE, Untold(SUCCEEDED), MOVED, (Strike(Act.MESSAGES, 'reply_dropped'),), distance_m=MOVED_M,
        then=(Follow(AGAIN, REPLAYED),), set_up=REHEARSAL, quick=True,
        says='the reply is lost although the motion was done',
    ),
    Scenario(
        'kind_2', AHEAD, CONTRADICTED, UNTOUCHED, (Strike(Act.FAULT, 'motion_lies'),), fault='SKILL_UNKNOWN',
        modes=(SafetyMode.STOPPING,), ends_in=(SafetyMode.SAFE, SafetyMode.HOLDING), time_s=(1.0, 20.0),
        then=(Follow(AHEAD, refused('UNRESOLVED_CALL'), after_reset=True),),
        quick=True,
        says='actuators and odometry report the motion, and nothing moved',
    ),
    Scenario(
        'kind_3', STUMBLE, CallEnds(*HALF), Truth(), fault='SKILL_FAILED', modes=(SafetyMode.STOPPING,),
        ends_in=(SafetyMode.SAFE, SafetyMode.READY), distance_m=(0.3, 1.2), told_standing=True,
        then=(Follow(AGAIN, CallEnds(*HALF, replayed=True)),), set_up=REHEARSAL, quick=True,
        says='an error half way through a motion',
    ),
    Scenario(
        'kind_4', SkillCall('move_relative', '{"distance_m": 0.6}'), SUCCEEDED, Truth(at=(1.6, 1.0)),
        (Strike(Act.CALL, after_m=0.1, call=AGAIN, ends=refused('IN_PROGRESS')),), distance_m=(0.5, 0.7),
        then=(Follow(AGAIN, REPLAYED), Follow(AGAIN, REPLAYED)),
        quick=True,
        says='the same id twice, at once and in turn',
    ),
    Scenario(
        'kind_5', AHEAD, Lost(), Truth(still_within_s=STOP_S), (Strike(Act.KILL, 'executor', after_m=0.4),),
        fault='EXECUTOR_LOST', modes=(SafetyMode.STOPPING, SafetyMode.RETREATING, SafetyMode.SAFE),
        ends_in=(SafetyMode.SAFE,), distance_m=(0.4, 2.5),
        then=(
            Follow(AGAIN, lost(Effect.UNKNOWN)),
            Follow(AHEAD, refused('UNRESOLVED_CALL'), after_reset=True),
        ),
        says='SIGKILL of the executor in mid-motion, restart, the same id again',
    ),
    Scenario(
        'kind_6', SkillCall('move_relative', '{"distance_m": 2.5}'), CallEnds(*OVERRUN), Truth(),
        (Strike(Act.CANCEL, after_m=0.3),), ill_with='ignores_stop', fault='STOP_NOT_CONFIRMED', modes=HELD,
        ends_in=(SafetyMode.HOLDING,), distance_m=(1.0, 2.8),
        then=(Follow(AGAIN, CallEnds(*OVERRUN, replayed=True)), Follow(AHEAD, refused('UNRESOLVED_CALL'))),
        says='the stop is accepted and the motion goes on',
    ),
    Scenario(
        'kind_7', FAR, UNSEEN, Truth(still_within_s=STOP_S), (Strike(Act.FAULT, 'odom_frozen', after_m=0.6),),
        fault='ODOM_STALE', modes=HELD, ends_in=(SafetyMode.HOLDING,), distance_m=(0.6, 1.4),
        says='odometry freezes, on the way and exactly on the goal',
        sequel=Scenario(
            'kind_7 on the goal', AHEAD, CallEnds(*FROZEN), Truth(at=(2.0, 1.0)), ill_with='odom_frozen_on_goal',
            fault='ODOM_STALE', modes=HELD, ends_in=(SafetyMode.HOLDING,), distance_m=(0.9, 1.1),
            then=(Follow(AGAIN, CallEnds(*FROZEN, replayed=True)),),
        ),
    ),
    Scenario(
        'kind_8', SkillCall(*MALFORMED[0][:2]), refused(MALFORMED[0][2]), UNTOUCHED,
        then=tuple(Follow(SkillCall(skill, text), refused(error)) for skill, text, error in MALFORMED[1:]),
        says='twenty-five malformed calls',
    ),
    Scenario(
        'kind_9', BALL, SLIPPED, Truth(picks=1, safe_poses=(DOCK,)), (Strike(Act.FAULT, 'gripper_slips'),),
        before=TO_TABLE, fault='SKILL_FAILED',
        modes=(SafetyMode.STOPPING, SafetyMode.RETREATING, SafetyMode.SAFE),
        ends_in=(SafetyMode.SAFE, SafetyMode.READY), time_s=(2.0, 30.0), distance_m=(1.0, 8.0),
        then=(Follow(STATE, READ, tells_truth=True),),
        says='what stands where after a grasp that failed',
    ),
)  # fmt: skip
