"""A robot that slips, drops, sees or believes the wrong thing, in ways that its own report does not show."""

from __future__ import annotations

from robot_tool_agent.core.outcomes import Effect, Outcome, TaskStatus
from robot_tool_agent.core.safety_state import SafetyMode
from scenario_types import Act, CallEnds, Follow, Scenario, Strike, Task, TaskEnds, Truth
from scenario_words import AHEAD, BALL, BLINDED, CONTRADICTED, FAR, READ, refused, STATE, STOP_S, TO_TABLE

HELD = (SafetyMode.STOPPING, SafetyMode.HOLDING)
PARKED = (SafetyMode.SAFE, SafetyMode.HOLDING, SafetyMode.READY)
BLOCKED = ('EXECUTION_ERROR', 'STOPPED_BY_SAFETY')

SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        'wheels_slip', AHEAD, CONTRADICTED, Truth(), (Strike(Act.FAULT, 'wheels_slip'),), fault='SKILL_UNKNOWN',
        modes=(SafetyMode.STOPPING,), ends_in=PARKED, distance_m=(0.1, 1.4),
        then=(Follow(AHEAD, refused('UNRESOLVED_CALL'), after_reset=True),),
    ),
    Scenario(
        'drops_on_the_way', Task('bring the ball from the table to the shelf'),
        TaskEnds((TaskStatus.FAILED,), ('PRECONDITION_FAILED', 'EXECUTION_ERROR', 'VERIFICATION_FAILED')),
        Truth(picks=1), ill_with='gripper_drops', ends_in=PARKED, time_s=(10.0, 60.0), distance_m=(3.0, 20.0),
        then=(Follow(STATE, READ, tells_truth=True),),
    ),
    Scenario(
        'doors_shut', FAR, CallEnds((Outcome.FAILED, Outcome.STOPPED), (Effect.PARTIAL,), BLOCKED), Truth(),
        (Strike(Act.FAULT, 'doors_shut', after_m=0.6),), ends_in=PARKED, distance_m=(1.0, 12.0), time_s=(3.0, 60.0),
        modes=(SafetyMode.STOPPING,),
    ),
    *(
        Scenario(
            name, AHEAD, BLINDED, Truth(still_within_s=STOP_S), (Strike(Act.FAULT, name, after_m=0.3),),
            fault='ODOM_STALE', modes=HELD, ends_in=(SafetyMode.HOLDING,), distance_m=(0.3, 1.0),
        )
        for name in ('odom_wrong_frame', 'odom_zero_quaternion', 'odom_nan')
    ),
    Scenario(
        'stale_transform_used_as_current', FAR, BLINDED, Truth(),
        (Strike(Act.FAULT, 'global_pose_frozen', after_m=0.6),), ends_in=PARKED, distance_m=(0.6, 14.0),
    ),
    Scenario(
        'old_transform_under_new_stamps', FAR, BLINDED, Truth(),
        (Strike(Act.FAULT, 'global_pose_stuck_values', after_m=0.6),), ends_in=PARKED, distance_m=(0.6, 14.0),
    ),
    Scenario(
        'global_pose_wrong_frame', FAR, BLINDED, Truth(),
        (Strike(Act.FAULT, 'global_pose_wrong_frame', after_m=0.6),), ends_in=PARKED, distance_m=(0.6, 14.0),
    ),
    Scenario(
        'objects_wrong_frame', BALL,
        CallEnds((Outcome.REJECTED, Outcome.UNKNOWN), (Effect.NONE, Effect.UNKNOWN), ('STALE_SENSOR',)), Truth(),
        (Strike(Act.FAULT, 'objects_wrong_frame'),), before=TO_TABLE, ends_in=PARKED, distance_m=(0.0, 8.0),
    ),
    Scenario(
        'person_who_walks_on', AHEAD, CallEnds((Outcome.SUCCEEDED,), (Effect.DONE,)), Truth(at=(2.0, 1.0)),
        (Strike(Act.FAULT, 'person_steps_in', after_m=0.1),), distance_m=(0.9, 1.1), time_s=(3.0, 30.0),
    ),
)  # fmt: skip
