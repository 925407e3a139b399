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
AGAIN = SkillCall('', again=True)

SUCCEEDED = CallEnds((Outcome.SUCCEEDED,), (Effect.DONE,))
STOPPED = CallEnds((Outcome.STOPPED,), (Effect.PARTIAL,), ('STOPPED_BY_SAFETY',))
# Safety and executor watch odometry with the same limit; either may be the first to see that it stands still.
UNSEEN = CallEnds((Outcome.UNKNOWN,), (Effect.UNKNOWN,), ('STOPPED_BY_SAFETY', 'STALE_SENSOR'))
SLIPPED = CallEnds((Outcome.FAILED,), (Effect.NONE, Effect.PARTIAL), ('VERIFICATION_FAILED',))
# The lie is found while moving or, at the latest, at the end.
CONTRADICTED = CallEnds((Outcome.UNKNOWN,), (Effect.UNKNOWN,), ('VERIFICATION_FAILED', 'EXECUTION_ERROR'))
CANCELED = (Outcome.CANCELED,), (Effect.PARTIAL,), ('CANCELED',)
STOP_S = 1.0


def refused(error: str) -> CallEnds:
    """Return the end of a call that never began."""
    return CallEnds((Outcome.REJECTED,), (Effect.NONE,), (error,))


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
        'gripper_slips', SkillCall('pick', '{"object": "ball"}'),
        SLIPPED,
        Truth(picks=1, safe_poses=(DOCK,)), Strike(Act.FAULT, 'gripper_slips'),
        before=(SkillCall('navigate_to', '{"place": "table"}'),), fault='SKILL_FAILED',
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
            Follow(AGAIN, CallEnds((Outcome.UNKNOWN,), (Effect.UNKNOWN,), ('RESTARTED',), True)),
            Follow(SkillCall('move_relative', '{"distance_m": 0.5}'), refused('UNRESOLVED_CALL')),
        ),
    ),
    Scenario(
        'planner_killed', Task('go to the kitchen'), Lost(), Truth(still_within_s=STOP_S),
        Strike(Act.KILL, 'planner', after_m=0.8), distance_m=(0.8, 1.8), reset_stays_still=True,
    ),
)  # fmt: skip

SCENARIOS: tuple[Scenario, ...] = _GOALS + _FAULTS + _PEOPLE + _REFUSALS + _KILLS
