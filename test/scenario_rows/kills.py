"""Processes that die."""

from __future__ import annotations

from robot_tool_agent.core.outcomes import Effect
from robot_tool_agent.core.safety_state import SafetyMode
from scenario_types import Act, Follow, Lost, Scenario, SkillCall, Strike, Task, Truth
from scenario_words import AGAIN, DOCK, FAR, KITCHEN_CORNER, lost, refused, STOP_S

SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        'executor_killed', FAR, Lost(), Truth(still_within_s=STOP_S, safe_poses=(DOCK, KITCHEN_CORNER)),
        (Strike(Act.KILL, 'executor', after_m=0.8),), fault='EXECUTOR_LOST',
        modes=(SafetyMode.STOPPING, SafetyMode.RETREATING, SafetyMode.SAFE), ends_in=(SafetyMode.SAFE,),
        distance_m=(0.8, 4.0),
        then=(
            Follow(AGAIN, lost(Effect.NONE, Effect.PARTIAL), resolved_by='sensors'),
            Follow(SkillCall('move_relative', '{"distance_m": 0.5}'), refused('SAFETY_LOCKED')),
        ),
    ),
    Scenario(
        'planner_killed', Task('go to the kitchen'), Lost(), Truth(still_within_s=STOP_S),
        (Strike(Act.KILL, 'planner', after_m=0.8),), distance_m=(0.8, 1.8), reset_stays_still=True,
    ),
)  # fmt: skip
