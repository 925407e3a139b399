"""Processes that hang and wake again."""

from __future__ import annotations

from robot_tool_agent.core.outcomes import Effect, Outcome, TaskStatus
from robot_tool_agent.core.safety_state import SafetyMode
from scenario_types import Act, CallEnds, Scenario, Strike, Task, TaskEnds, Truth
from scenario_words import AHEAD, FAR, MOVE, refused, STOP_S

PARKED = (SafetyMode.SAFE, SafetyMode.HOLDING)
STOPPED_OR_UNKNOWN = (Outcome.STOPPED, Outcome.UNKNOWN), (Effect.PARTIAL, Effect.UNKNOWN)

SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        'executor_hangs_and_wakes', AHEAD, CallEnds(*STOPPED_OR_UNKNOWN, ('STOPPED_BY_SAFETY', 'STALE_SENSOR')),
        Truth(still_within_s=STOP_S),
        (Strike(Act.PAUSE, 'executor', after_m=0.3), Strike(Act.CONTINUE, 'executor', after_s=4.0)),
        fault='EXECUTOR_LOST', modes=(SafetyMode.STOPPING,), ends_in=PARKED, distance_m=(0.3, 1.6),
        reset_stays_still=True,
    ),
    Scenario(
        'jump_when_a_stop_is_released', AHEAD,
        CallEnds(*STOPPED_OR_UNKNOWN, ('STOPPED_BY_SAFETY', 'STALE_SENSOR')), Truth(still_within_s=STOP_S),
        (
            Strike(Act.OPERATOR_STOP, after_m=0.3),
            Strike(Act.PAUSE, 'executor', after_s=0.0),
            Strike(Act.RESET, after_s=2.5),
            Strike(Act.RESET, after_s=0.5),
            Strike(Act.CONTINUE, 'executor', after_s=2.0),
        ),
        fault='OPERATOR_STOP', modes=(SafetyMode.ESTOPPED,),
        ends_in=(SafetyMode.READY, SafetyMode.HOLDING, SafetyMode.ESTOPPED, SafetyMode.STARTING),
        distance_m=(0.3, 0.7),
    ),
    Scenario(
        'planner_hangs_and_wakes', Task('go to the kitchen'),
        TaskEnds((TaskStatus.FAILED, TaskStatus.CANCELED, TaskStatus.NEEDS_OPERATOR), ('CANCELED',)),
        Truth(still_within_s=STOP_S),
        (Strike(Act.PAUSE, 'planner', after_m=0.6), Strike(Act.CONTINUE, 'planner', after_s=4.0)),
        distance_m=(0.6, 1.4),
    ),
    Scenario(
        'safety_hangs_and_wakes', FAR, CallEnds(*STOPPED_OR_UNKNOWN, ('STOPPED_BY_SAFETY', 'STALE_SENSOR')),
        Truth(still_within_s=STOP_S),
        (Strike(Act.PAUSE, 'safety', after_m=0.6), Strike(Act.CONTINUE, 'safety', after_s=3.0)),
        ends_in=(SafetyMode.SAFE, SafetyMode.HOLDING, SafetyMode.READY), distance_m=(0.6, 3.0),
    ),
    Scenario(
        'two_resets_and_a_stop', MOVE, refused('SAFETY_LOCKED'), Truth(),
        (
            Strike(Act.OPERATOR_STOP),
            Strike(Act.RESET),
            Strike(Act.RESET),
            Strike(Act.OPERATOR_STOP),
        ),
        fault='OPERATOR_STOP', ends_in=(SafetyMode.ESTOPPED,), reset_stays_still=True,
    ),
)  # fmt: skip
