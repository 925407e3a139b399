"""What follows from a stop: a way back that fails; nodes that die, hang or break."""

from __future__ import annotations

from robot_tool_agent.core.outcomes import Effect, Outcome, TaskStatus
from robot_tool_agent.core.safety_state import SafetyMode
from scenario_setups import RESTARTING, TIGHT
from scenario_types import Act, CallEnds, Lost, Scenario, Strike, Task, TaskEnds, Truth
from scenario_words import FAR, STOP_S

BROKEN_OFF = (SafetyMode.STOPPING, SafetyMode.RETREATING, SafetyMode.HOLDING)
# What safety does is unseen while it is gone.
UNSEEN = CallEnds(
    (Outcome.STOPPED, Outcome.UNKNOWN), (Effect.PARTIAL, Effect.UNKNOWN), ('STOPPED_BY_SAFETY', 'STALE_SENSOR')
)

SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        'way_back_is_blocked', FAR, Lost(), Truth(still_within_s=STOP_S),
        (
            Strike(Act.KILL, 'executor', after_m=2.4),
            Strike(Act.FAULT, 'obstacle_appears', in_mode=SafetyMode.RETREATING),
        ),
        fault='RETREAT_BLOCKED', modes=BROKEN_OFF, ends_in=(SafetyMode.HOLDING,), distance_m=(2.6, 3.8),
    ),
    Scenario(
        'way_back_takes_too_long', FAR, Lost(), Truth(still_within_s=STOP_S),
        (Strike(Act.KILL, 'executor', after_m=2.4),), fault='RETREAT_TIMEOUT', modes=BROKEN_OFF,
        ends_in=(SafetyMode.HOLDING,), distance_m=(3.0, 4.6), set_up=TIGHT,
    ),
    Scenario(
        'planner_hangs', Task('go to the kitchen'), TaskEnds(tuple(TaskStatus), ('', 'CANCELED', 'GAVE_UP')),
        Truth(still_within_s=STOP_S),
        (Strike(Act.PAUSE, 'planner', after_m=0.8), Strike(Act.CONTINUE, 'planner', after_s=4.0)),
        told='PLANNER_LOST', distance_m=(0.8, 1.8),
    ),
    Scenario(
        'safety_killed', FAR, UNSEEN, Truth(still_within_s=STOP_S), (Strike(Act.KILL, 'safety', after_m=0.8),),
        fault='SAFETY_RESTARTED', modes=(SafetyMode.HOLDING,), ends_in=(SafetyMode.HOLDING,), distance_m=(0.8, 1.4),
        set_up=RESTARTING,
    ),
    Scenario(
        'safety_breaks', FAR, UNSEEN, Truth(still_within_s=STOP_S), (Strike(Act.ORDER, 'raise=now', after_m=0.8),),
        fault='INTERNAL_ERROR', modes=(SafetyMode.ESTOPPED, SafetyMode.HOLDING), ends_in=(SafetyMode.HOLDING,),
        distance_m=(0.8, 1.4), set_up=RESTARTING,
    ),
)  # fmt: skip
