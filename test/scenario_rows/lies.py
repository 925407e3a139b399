"""Sensors and actuators that lie."""

from __future__ import annotations

from robot_tool_agent.core.outcomes import Effect, Outcome
from robot_tool_agent.core.safety_state import SafetyMode
from scenario_types import Act, CallEnds, Follow, Scenario, Strike, Truth
from scenario_words import AHEAD, BALL, BLINDED, CONTRADICTED, DOCK, refused, STOP_S, TO_TABLE

SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        'odom_stuck_values', AHEAD, BLINDED, Truth(still_within_s=STOP_S),
        (Strike(Act.FAULT, 'odom_stuck_values', after_m=0.3),), modes=(SafetyMode.STOPPING, SafetyMode.HOLDING),
        ends_in=(SafetyMode.HOLDING,), distance_m=(0.3, 1.0),
    ),
    Scenario(
        'odom_jump', AHEAD, BLINDED, Truth(still_within_s=STOP_S), (Strike(Act.FAULT, 'odom_jump', after_m=0.3),),
        fault='ODOM_JUMP', modes=(SafetyMode.STOPPING, SafetyMode.HOLDING), ends_in=(SafetyMode.HOLDING,),
        distance_m=(0.3, 1.0), then=(Follow(AHEAD, refused('UNRESOLVED_CALL')),), quick=True,
    ),
    Scenario(
        'odom_late', AHEAD, BLINDED, Truth(still_within_s=STOP_S), (Strike(Act.FAULT, 'odom_late', after_m=0.3),),
        fault='ODOM_STALE', modes=(SafetyMode.STOPPING, SafetyMode.HOLDING), ends_in=(SafetyMode.HOLDING,),
        distance_m=(0.3, 1.0),
    ),
    Scenario(
        'object_moved', BALL, CallEnds((Outcome.FAILED,), (Effect.PARTIAL,), ('EXECUTION_ERROR',)),
        Truth(safe_poses=(DOCK,)), (Strike(Act.FAULT, 'object_moved'),), before=TO_TABLE, fault='SKILL_FAILED',
        modes=(SafetyMode.STOPPING, SafetyMode.RETREATING, SafetyMode.SAFE),
        ends_in=(SafetyMode.SAFE, SafetyMode.READY), time_s=(1.0, 40.0), distance_m=(0.1, 8.0),
    ),
    *(
        Scenario(
            name, BALL, ends, Truth(), (Strike(Act.FAULT, name),),
            before=TO_TABLE, fault='SKILL_UNKNOWN',
            modes=(SafetyMode.STOPPING,), ends_in=(SafetyMode.SAFE, SafetyMode.HOLDING), time_s=(1.0, 40.0),
            distance_m=(0.1, 8.0), then=(Follow(BALL, refused('UNRESOLVED_CALL')),),
        )
        for name, ends in (('gripper_lies', CONTRADICTED), ('object_removed', CONTRADICTED))
    ),
)  # fmt: skip
