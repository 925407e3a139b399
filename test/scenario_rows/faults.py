"""Sensors, wheels and gripper that fail in plain sight."""

from __future__ import annotations

from robot_tool_agent.core.outcomes import Effect, Outcome
from robot_tool_agent.core.safety_state import SafetyMode
from scenario_types import Act, CallEnds, Scenario, Strike, Truth
from scenario_words import AHEAD, FAR, STOP_S, STOPPED, UNSEEN, UNTOUCHED

SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        'odom_frozen', FAR, UNSEEN, Truth(still_within_s=STOP_S), (Strike(Act.FAULT, 'odom_frozen', after_m=0.6),),
        fault='ODOM_STALE', modes=(SafetyMode.STOPPING, SafetyMode.HOLDING), ends_in=(SafetyMode.HOLDING,),
        distance_m=(0.6, 1.4), quick=True,
    ),
    Scenario(
        'scan_lost', FAR, STOPPED, Truth(still_within_s=STOP_S), (Strike(Act.FAULT, 'scan_lost', after_m=0.6),),
        fault='SCAN_STALE', modes=(SafetyMode.STOPPING, SafetyMode.HOLDING), ends_in=(SafetyMode.HOLDING,),
        distance_m=(0.6, 1.4), quick=True,
    ),
    Scenario(
        'wheels_stuck', AHEAD, CallEnds((Outcome.FAILED,), (Effect.NONE,), ('EXECUTION_ERROR',)), UNTOUCHED,
        (Strike(Act.FAULT, 'wheels_stuck'),), fault='SKILL_FAILED', modes=(SafetyMode.STOPPING,),
        ends_in=(SafetyMode.SAFE, SafetyMode.READY), time_s=(2.0, 15.0), quick=True,
    ),
    Scenario(
        'bumper_hit', FAR, STOPPED, Truth(still_within_s=STOP_S), (Strike(Act.FAULT, 'bumper_hit', after_m=0.6),),
        fault='BUMPER_CONTACT', modes=(SafetyMode.STOPPING, SafetyMode.HOLDING), ends_in=(SafetyMode.HOLDING,),
        distance_m=(0.6, 1.4), quick=True,
    ),
)  # fmt: skip
