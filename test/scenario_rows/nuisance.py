"""Nothing is wrong, so nothing may trip: the safety node stays READY and tells no fault."""

from __future__ import annotations

from robot_tool_agent.core.outcomes import Effect, Outcome
from scenario_setups import NARROW
from scenario_types import Act, CallEnds, Scenario, SkillCall, Strike, Truth
from scenario_words import AHEAD, BALL, CANCELED, DOCK, FAR, STOP_S, SUCCEEDED, TO_TABLE

AHEAD_OF_DOCK, STUDY = (2.0, 1.0), (6.2, 1.5)
TURN = SkillCall('rotate_relative', '{"angle_rad": 3.0}')
TO_STUDY = SkillCall('navigate_to', '{"place": "study"}')
GRASPED = CallEnds((Outcome.SUCCEEDED,), (Effect.DONE,))

SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        'turning_in_place', TURN, SUCCEEDED, Truth(at=DOCK, at_within_m=0.03), untroubled=True, time_s=(1.5, 15.0),
    ),
    Scenario(
        'stopping_from_full_speed', FAR, CallEnds(*CANCELED), Truth(still_within_s=STOP_S),
        (Strike(Act.CANCEL, after_m=1.5),), untroubled=True, distance_m=(1.5, 2.2),
    ),
    Scenario(
        'picking_next_to_a_wall', BALL, GRASPED, Truth(held='ball_1', picks=1), before=TO_TABLE, untroubled=True,
        time_s=(2.0, 40.0), distance_m=(0.0, 3.0),
    ),
    Scenario(
        'one_lost_scan_now_and_then', AHEAD, SUCCEEDED, Truth(at=AHEAD_OF_DOCK), ill_with='scan_skips', untroubled=True,
        distance_m=(0.9, 1.1), quick=True,
    ),
    Scenario(
        'no_ray_returns', AHEAD, SUCCEEDED, Truth(at=AHEAD_OF_DOCK), ill_with='scan_inf', untroubled=True,
        distance_m=(0.9, 1.1),
    ),
    Scenario(
        'narrow_door', TO_STUDY, SUCCEEDED, Truth(at=STUDY), untroubled=True, time_s=(8.0, 40.0),
        distance_m=(5.0, 6.5), set_up=NARROW,
    ),
)  # fmt: skip
