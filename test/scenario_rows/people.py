"""Stops, cancels and calls sent again."""

from __future__ import annotations

from robot_tool_agent.core.outcomes import Effect, Outcome
from robot_tool_agent.core.safety_state import SafetyMode
from scenario_types import Act, CallEnds, Follow, Scenario, SkillCall, Strike, Truth
from scenario_words import AGAIN, AHEAD, CANCELED, FAR, STOP_S, STOPPED, SUCCEEDED, refused

SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        'operator_stop', FAR, STOPPED, Truth(still_within_s=STOP_S), (Strike(Act.OPERATOR_STOP, after_m=0.6),),
        fault='OPERATOR_STOP', modes=(SafetyMode.ESTOPPED,), ends_in=(SafetyMode.ESTOPPED,), distance_m=(0.6, 1.2),
        reset_stays_still=True, quick=True,
    ),
    Scenario(
        'cancel', AHEAD, CallEnds(*CANCELED), Truth(still_within_s=STOP_S),
        (Strike(Act.CANCEL, after_m=0.3),), distance_m=(0.3, 0.8),
        then=(Follow(AGAIN, CallEnds(*CANCELED, replayed=True)),), quick=True,
    ),
    Scenario(
        'same_id_in_turn', SkillCall('move_relative', '{"distance_m": 0.4}'), SUCCEEDED, Truth(at=(1.4, 1.0)),
        distance_m=(0.3, 0.5),
        then=(
            Follow(AGAIN, CallEnds((Outcome.SUCCEEDED,), (Effect.DONE,), replayed=True)),
            Follow(SkillCall('move_relative', '{"distance_m": 0.5}', again=True), refused('IDEMPOTENCY_MISMATCH')),
        ), quick=True,
    ),
    Scenario(
        'same_id_at_once', SkillCall('move_relative', '{"distance_m": 0.6}'), SUCCEEDED, Truth(at=(1.6, 1.0)),
        (Strike(Act.CALL, after_m=0.1, call=AGAIN, ends=refused('IN_PROGRESS')),), distance_m=(0.5, 0.7), quick=True,
    ),
)  # fmt: skip
