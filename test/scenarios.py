"""The one table of failure scenarios. Real processes (test/system) and launch_testing (test/launch) both play it.

The house is config/robots/sim_house.yaml with test/worlds/house_with_ball.yaml; every scenario begins at (1.0, 1.0).
"""

from __future__ import annotations

from robot_tool_agent.core.outcomes import Effect, Outcome, TaskStatus
from robot_tool_agent.core.safety_state import SafetyMode
from scenario_types import Act, CallEnds, Follow, Lost, Scenario, SkillCall, Strike, Task, TaskEnds, Truth

WORLD = 'worlds/house_with_ball.yaml'
DOCK, KITCHEN_CORNER = (1.0, 1.0), (6.7, 3.9)
KITCHEN, LIVING_ROOM, TABLE_TOP = (7.0, 4.7), (2.0, 1.9), (2.9, 0.52)

FAR = SkillCall('navigate_to', '{"place": "kitchen"}')
AHEAD = SkillCall('move_relative', '{"distance_m": 1.0}')
BALL = SkillCall('pick', '{"object": "ball"}')
TO_TABLE = (SkillCall('navigate_to', '{"place": "table"}'),)
AGAIN = SkillCall('', again=True)

SUCCEEDED = CallEnds((Outcome.SUCCEEDED,), (Effect.DONE,))
STOPPED = CallEnds((Outcome.STOPPED,), (Effect.PARTIAL,), ('STOPPED_BY_SAFETY',))
# Safety and executor watch odometry with the same limit; either may be the first to see that it stands still.
UNSEEN = CallEnds((Outcome.STOPPED, Outcome.UNKNOWN), (Effect.UNKNOWN,), ('STOPPED_BY_SAFETY', 'STALE_SENSOR'))
# Either of them may also be the first to see that sensors contradict each other.
BLINDED = CallEnds(UNSEEN.outcomes, UNSEEN.effects, (*UNSEEN.errors, 'EXECUTION_ERROR'))
SLIPPED = CallEnds((Outcome.FAILED,), (Effect.NONE, Effect.PARTIAL), ('VERIFICATION_FAILED',))
# The lie is found while moving or, at the latest, at the end.
CONTRADICTED = CallEnds((Outcome.UNKNOWN,), (Effect.UNKNOWN,), ('VERIFICATION_FAILED', 'EXECUTION_ERROR'))
CANCELED = (Outcome.CANCELED,), (Effect.PARTIAL,), ('CANCELED',)
STOP_S = 1.0


def refused(error: str) -> CallEnds:
    """Return the end of a call that never began."""
    return CallEnds((Outcome.REJECTED,), (Effect.NONE,), (error,))


def lost(*effects: Effect) -> CallEnds:
    """Return the replay of a call whose end was lost with its executor, with what is known of its effect by now."""
    return CallEnds((Outcome.UNKNOWN,), effects, ('RESTARTED',), replayed=True)


UNTOUCHED = Truth(at=DOCK, at_within_m=0.01)

_GOALS = (
    Scenario(
        'goto_kitchen', FAR, SUCCEEDED, Truth(at=KITCHEN), time_s=(14.0, 50.0), distance_m=(7.0, 13.0),
    ),
    Scenario(
        'fetch_cup', Task('bring the cup from the kitchen to the table'), TaskEnds((TaskStatus.SUCCEEDED,)),
        Truth(picks=1, places=1, released_at=TABLE_TOP), time_s=(30.0, 110.0), distance_m=(14.0, 26.0),
    ),
    Scenario(
        'chinese_task', Task('去客厅'), TaskEnds((TaskStatus.SUCCEEDED,)), Truth(at=LIVING_ROOM),
        time_s=(2.0, 20.0), distance_m=(1.0, 2.5),
    ),
    Scenario(
        'task_with_unknown_place', Task('go to the moon'), TaskEnds((TaskStatus.NEEDS_OPERATOR,), ('NEEDS_ANSWER',)),
        UNTOUCHED, time_s=(0.0, 10.0),
    ),
)  # fmt: skip

_FAULTS = (
    Scenario(
        'gripper_slips', BALL,
        SLIPPED,
        Truth(picks=1, safe_poses=(DOCK,)), Strike(Act.FAULT, 'gripper_slips'),
        before=TO_TABLE, fault='SKILL_FAILED',
        modes=(SafetyMode.STOPPING, SafetyMode.RETREATING, SafetyMode.SAFE),
        ends_in=(SafetyMode.SAFE, SafetyMode.READY), time_s=(2.0, 30.0), distance_m=(1.0, 8.0),
    ),
    Scenario(
        'odom_frozen', FAR, UNSEEN, Truth(still_within_s=STOP_S), Strike(Act.FAULT, 'odom_frozen', after_m=0.6),
        fault='ODOM_STALE', modes=(SafetyMode.STOPPING, SafetyMode.HOLDING), ends_in=(SafetyMode.HOLDING,),
        distance_m=(0.6, 1.4),
    ),
    Scenario(
        'scan_lost', FAR, STOPPED, Truth(still_within_s=STOP_S), Strike(Act.FAULT, 'scan_lost', after_m=0.6),
        fault='SCAN_STALE', modes=(SafetyMode.STOPPING, SafetyMode.HOLDING), ends_in=(SafetyMode.HOLDING,),
        distance_m=(0.6, 1.4),
    ),
    Scenario(
        'wheels_stuck', AHEAD, CallEnds((Outcome.FAILED,), (Effect.NONE,), ('EXECUTION_ERROR',)), UNTOUCHED,
        Strike(Act.FAULT, 'wheels_stuck'), fault='SKILL_FAILED', modes=(SafetyMode.STOPPING,),
        ends_in=(SafetyMode.SAFE, SafetyMode.READY), time_s=(2.0, 15.0),
    ),
    Scenario(
        'bumper_hit', FAR, STOPPED, Truth(still_within_s=STOP_S), Strike(Act.FAULT, 'bumper_hit', after_m=0.6),
        fault='BUMPER_CONTACT', modes=(SafetyMode.STOPPING, SafetyMode.HOLDING), ends_in=(SafetyMode.HOLDING,),
        distance_m=(0.6, 1.4),
    ),
    Scenario(
        'motion_lies', AHEAD,
        CONTRADICTED,
        UNTOUCHED, Strike(Act.FAULT, 'motion_lies'), fault='SKILL_UNKNOWN', modes=(SafetyMode.STOPPING,),
        ends_in=(SafetyMode.SAFE, SafetyMode.HOLDING), time_s=(1.0, 20.0),
    ),
)  # fmt: skip

_LIES = (
    Scenario(
        'odom_frozen_on_goal', AHEAD, CallEnds((Outcome.UNKNOWN,), (Effect.UNKNOWN,), ('STALE_SENSOR',)),
        Truth(at=(2.0, 1.0)), ill_with='odom_frozen_on_goal', fault='ODOM_STALE',
        modes=(SafetyMode.STOPPING, SafetyMode.HOLDING), ends_in=(SafetyMode.HOLDING,), distance_m=(0.9, 1.1),
        then=(Follow(AGAIN, CallEnds((Outcome.UNKNOWN,), (Effect.UNKNOWN,), ('STALE_SENSOR',), replayed=True)),),
    ),
    Scenario(
        'cancel_that_wheels_ignore', SkillCall('move_relative', '{"distance_m": 2.5}'),
        CallEnds((Outcome.UNKNOWN,), (Effect.UNKNOWN,), ('CANCELED',)), Truth(), Strike(Act.CANCEL, after_m=0.3),
        ill_with='ignores_stop', fault='STOP_NOT_CONFIRMED', modes=(SafetyMode.STOPPING, SafetyMode.HOLDING),
        ends_in=(SafetyMode.HOLDING,), distance_m=(1.0, 2.8),
        then=(
            Follow(AGAIN, CallEnds((Outcome.UNKNOWN,), (Effect.UNKNOWN,), ('CANCELED',), replayed=True)),
            Follow(AHEAD, refused('UNRESOLVED_CALL')),
        ),
    ),
    Scenario(
        'odom_stuck_values', AHEAD, BLINDED, Truth(still_within_s=STOP_S),
        Strike(Act.FAULT, 'odom_stuck_values', after_m=0.3), modes=(SafetyMode.STOPPING, SafetyMode.HOLDING),
        ends_in=(SafetyMode.HOLDING,), distance_m=(0.3, 1.0),
    ),
    Scenario(
        'odom_jump', AHEAD, BLINDED, Truth(still_within_s=STOP_S), Strike(Act.FAULT, 'odom_jump', after_m=0.3),
        fault='ODOM_JUMP', modes=(SafetyMode.STOPPING, SafetyMode.HOLDING), ends_in=(SafetyMode.HOLDING,),
        distance_m=(0.3, 1.0), then=(Follow(AHEAD, refused('UNRESOLVED_CALL')),),
    ),
    Scenario(
        'odom_late', AHEAD, BLINDED, Truth(still_within_s=STOP_S), Strike(Act.FAULT, 'odom_late', after_m=0.3),
        fault='ODOM_STALE', modes=(SafetyMode.STOPPING, SafetyMode.HOLDING), ends_in=(SafetyMode.HOLDING,),
        distance_m=(0.3, 1.0),
    ),
    Scenario(
        'object_moved', BALL, CallEnds((Outcome.FAILED,), (Effect.PARTIAL,), ('EXECUTION_ERROR',)),
        Truth(safe_poses=(DOCK,)), Strike(Act.FAULT, 'object_moved'), before=TO_TABLE, fault='SKILL_FAILED',
        modes=(SafetyMode.STOPPING, SafetyMode.RETREATING, SafetyMode.SAFE),
        ends_in=(SafetyMode.SAFE, SafetyMode.READY), time_s=(1.0, 40.0), distance_m=(0.1, 8.0),
    ),
    *(
        Scenario(
            name, BALL, ends, Truth(), Strike(Act.FAULT, name),
            before=TO_TABLE, fault='SKILL_UNKNOWN',
            modes=(SafetyMode.STOPPING,), ends_in=(SafetyMode.SAFE, SafetyMode.HOLDING), time_s=(1.0, 40.0),
            distance_m=(0.1, 8.0), then=(Follow(BALL, refused('UNRESOLVED_CALL')),),
        )
        for name, ends in (('gripper_lies', CONTRADICTED), ('object_removed', CONTRADICTED))
    ),
)  # fmt: skip

_PEOPLE = (
    Scenario(
        'operator_stop', FAR, STOPPED, Truth(still_within_s=STOP_S), Strike(Act.OPERATOR_STOP, after_m=0.6),
        fault='OPERATOR_STOP', modes=(SafetyMode.ESTOPPED,), ends_in=(SafetyMode.ESTOPPED,), distance_m=(0.6, 1.2),
        reset_stays_still=True,
    ),
    Scenario(
        'cancel', AHEAD, CallEnds(*CANCELED), Truth(still_within_s=STOP_S),
        Strike(Act.CANCEL, after_m=0.3), distance_m=(0.3, 0.8),
        then=(Follow(AGAIN, CallEnds(*CANCELED, replayed=True)),),
    ),
    Scenario(
        'same_id_in_turn', SkillCall('move_relative', '{"distance_m": 0.4}'), SUCCEEDED, Truth(at=(1.4, 1.0)),
        distance_m=(0.3, 0.5),
        then=(
            Follow(AGAIN, CallEnds((Outcome.SUCCEEDED,), (Effect.DONE,), replayed=True)),
            Follow(SkillCall('move_relative', '{"distance_m": 0.5}', again=True), refused('IDEMPOTENCY_MISMATCH')),
        ),
    ),
    Scenario(
        'same_id_at_once', SkillCall('move_relative', '{"distance_m": 0.6}'), SUCCEEDED, Truth(at=(1.6, 1.0)),
        Strike(Act.SEND_AGAIN, after_m=0.1), distance_m=(0.5, 0.7),
    ),
)  # fmt: skip

_REFUSALS = tuple(
    Scenario(name, SkillCall(skill, arguments, call_id), refused(error), UNTOUCHED, time_s=(0.0, 5.0))
    for name, skill, arguments, call_id, error in (
        ('unknown_place', 'navigate_to', '{"place": "moon"}', '', 'UNKNOWN_ENTITY'),
        ('unknown_skill', 'fly', '{}', '', 'UNKNOWN_SKILL'),
        ('bad_json', 'move_relative', '{"distance_m": 0.5', '', 'INVALID_JSON'),
        ('nan', 'move_relative', '{"distance_m": NaN}', '', 'INVALID_JSON'),
        ('infinite', 'move_relative', '{"distance_m": 1e999}', '', 'INVALID_JSON'),
        ('number_as_text', 'move_relative', '{"distance_m": "0.5"}', '', 'INVALID_ARGUMENT'),
        ('goal_outside_the_map', 'navigate_to', '{"x_m": 50.0, "y_m": 2.0, "yaw_rad": 0.0}', '', 'INVALID_ARGUMENT'),
        ('call_id_with_spaces', 'move_relative', '{"distance_m": 0.5}', 'a call', 'INVALID_ARGUMENT'),
        ('nothing_to_place', 'place', '{"place": "table"}', '', 'PRECONDITION_FAILED'),
    )
)

_KILLS = (
    Scenario(
        'executor_killed', FAR, Lost(), Truth(still_within_s=STOP_S, safe_poses=(DOCK, KITCHEN_CORNER)),
        Strike(Act.KILL, 'executor', after_m=0.8), fault='EXECUTOR_LOST',
        modes=(SafetyMode.STOPPING, SafetyMode.RETREATING, SafetyMode.SAFE), ends_in=(SafetyMode.SAFE,),
        distance_m=(0.8, 4.0),
        then=(
            Follow(AGAIN, lost(Effect.NONE, Effect.PARTIAL), resolved_by='sensors'),
            Follow(SkillCall('move_relative', '{"distance_m": 0.5}'), refused('SAFETY_LOCKED')),
        ),
    ),
    Scenario(
        'executor_killed_in_a_motion_that_nobody_can_judge', AHEAD, Lost(), Truth(still_within_s=STOP_S),
        Strike(Act.KILL, 'executor', after_m=0.4), fault='EXECUTOR_LOST',
        modes=(SafetyMode.STOPPING, SafetyMode.RETREATING, SafetyMode.SAFE), ends_in=(SafetyMode.SAFE,),
        distance_m=(0.4, 2.5),
        then=(
            Follow(AGAIN, lost(Effect.UNKNOWN)),
            Follow(SkillCall('move_relative', '{"distance_m": 0.5}'), refused('UNRESOLVED_CALL')),
        ),
    ),
    Scenario(
        'planner_killed', Task('go to the kitchen'), Lost(), Truth(still_within_s=STOP_S),
        Strike(Act.KILL, 'planner', after_m=0.8), distance_m=(0.8, 1.8), reset_stays_still=True,
    ),
)  # fmt: skip

SCENARIOS: tuple[Scenario, ...] = _GOALS + _FAULTS + _LIES + _PEOPLE + _REFUSALS + _KILLS
