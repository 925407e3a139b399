"""A robot that leans, tires, strays, does not obey, or obeys nobody."""

from __future__ import annotations

from robot_tool_agent.core.outcomes import Effect, Outcome
from robot_tool_agent.core.safety_state import SafetyMode
from scenario_setups import ARM, CLOCKED, TIGHT
from scenario_types import Act, CallEnds, Nothing, Scenario, Strike, Truth
from scenario_words import AHEAD, BLINDED, DOCK, FAR, STOP_S, STOPPED

HELD = (SafetyMode.STOPPING, SafetyMode.HOLDING)
STUDY_CORNER = (5.2, 1.5)
NOTHING = Nothing()
# From full speed, with what messages and wheels take beside the braking itself.
BRAKING_S = 0.8
# The executor, too, may see that odometry and the map disagree.
STRAYED = CallEnds(BLINDED.outcomes, (Effect.UNKNOWN, Effect.PARTIAL), BLINDED.errors)

SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        'bumper_silent', FAR, STOPPED, Truth(still_within_s=STOP_S), (Strike(Act.FAULT, 'bumper_lost', after_m=0.6),),
        fault='INPUT_INVALID', modes=HELD, ends_in=(SafetyMode.HOLDING,), distance_m=(0.6, 1.4),
    ),
    Scenario(
        'stop_button', FAR, STOPPED, Truth(still_within_s=STOP_S), (Strike(Act.FAULT, 'estop_pressed', after_m=0.6),),
        fault='OPERATOR_STOP', modes=(SafetyMode.ESTOPPED,), ends_in=(SafetyMode.ESTOPPED,), distance_m=(0.6, 1.2),
        set_up=ARM,
    ),
    Scenario(
        'robot_tilts', FAR, STOPPED, Truth(still_within_s=STOP_S), (Strike(Act.FAULT, 'tilted', after_m=0.6),),
        fault='TILT', modes=HELD, ends_in=(SafetyMode.HOLDING,), distance_m=(0.6, 1.4), set_up=ARM,
    ),
    Scenario(
        'joint_overruns', NOTHING, NOTHING, Truth(still_within_s=0.0),
        (Strike(Act.FAULT, 'joint_overruns', after_s=0.0),), fault='JOINT_LIMIT', modes=HELD,
        ends_in=(SafetyMode.HOLDING,), distance_m=(0.0, 0.001), set_up=ARM,
    ),
    # Told once a second, and believed after five.
    Scenario(
        'battery_low', FAR, STOPPED, Truth(safe_poses=(DOCK, STUDY_CORNER), brakes_within_s=BRAKING_S),
        (Strike(Act.FAULT, 'battery_low', after_m=0.4),), fault='BATTERY_LOW',
        modes=(SafetyMode.STOPPING, SafetyMode.RETREATING, SafetyMode.SAFE), ends_in=(SafetyMode.SAFE,),
        distance_m=(2.0, 9.0),
    ),
    Scenario(
        'moves_alone', NOTHING, NOTHING, Truth(still_within_s=4.0),
        (Strike(Act.FAULT, 'moves_alone', after_s=0.0), Strike(Act.FAULT, 'none', after_s=3.0)),
        fault='MOTION_WITHOUT_COMMAND', modes=HELD, ends_in=(SafetyMode.HOLDING,), distance_m=(0.2, 0.4),
    ),
    Scenario(
        'wheels_stuck_half_way', AHEAD, CallEnds((Outcome.STOPPED,), (Effect.PARTIAL,), ('STOPPED_BY_SAFETY',)),
        Truth(still_within_s=0.5), (Strike(Act.FAULT, 'wheels_stuck', after_m=0.3),), fault='NOT_FOLLOWING', modes=HELD,
        ends_in=(SafetyMode.HOLDING,), distance_m=(0.3, 0.4), set_up=TIGHT,
    ),
    Scenario(
        'obstacle_stays', AHEAD, STOPPED, Truth(safe_poses=(DOCK,), brakes_within_s=BRAKING_S),
        (Strike(Act.FAULT, 'obstacle_appears', after_m=0.2),), fault='OBSTACLE_PERSISTS',
        modes=(SafetyMode.STOPPING, SafetyMode.RETREATING, SafetyMode.SAFE), ends_in=(SafetyMode.SAFE,),
        distance_m=(0.4, 1.6), set_up=TIGHT,
    ),
    Scenario(
        'carried_out_of_bounds', AHEAD, STRAYED, Truth(at=(1.4, 2.0), at_within_m=0.25, still_within_s=STOP_S),
        (Strike(Act.FAULT, 'carried_away', after_m=0.3),), fault='GEOFENCE', modes=HELD, ends_in=(SafetyMode.HOLDING,),
        distance_m=(0.3, 0.8), set_up=TIGHT,
    ),
    Scenario(
        'clock_stops', AHEAD, STRAYED, Truth(still_within_s=1.5),
        (Strike(Act.FAULT, 'clock_stop', after_m=0.2), Strike(Act.FAULT, 'none', after_s=4.0)), fault='CLOCK_FROZEN',
        modes=(SafetyMode.STOPPING, SafetyMode.HOLDING, SafetyMode.STARTING, SafetyMode.READY),
        distance_m=(0.2, 1.0), set_up=CLOCKED,
    ),
)  # fmt: skip
