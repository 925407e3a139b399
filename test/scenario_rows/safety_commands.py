"""Motion commands that are none, and a second hand on the wheel."""

from __future__ import annotations

from robot_tool_agent.core.safety_state import SafetyMode
from scenario_setups import ARM
from scenario_types import Act, Nothing, Scenario, Strike, Truth
from scenario_words import AHEAD, FAR, STOP_S, STOPPED

HELD = (SafetyMode.STOPPING, SafetyMode.HOLDING)
NOTHING = Nothing()

SCENARIOS: tuple[Scenario, ...] = (
    Scenario(
        'command_is_no_number', AHEAD, STOPPED, Truth(still_within_s=STOP_S),
        (Strike(Act.COMMANDS, 'no_number', after_m=0.3),), fault='COMMAND_INVALID', modes=HELD,
        ends_in=(SafetyMode.HOLDING,), distance_m=(0.3, 1.0), quick=True,
    ),
    # Nobody else commands; for the second that it is let pass the robot drives as fast as it may, and no faster.
    Scenario(
        'command_is_too_fast', NOTHING, NOTHING, Truth(still_within_s=2.5),
        (Strike(Act.COMMANDS, 'too_fast', after_s=0.0),), fault='COMMAND_OVERSPEED', modes=HELD,
        ends_in=(SafetyMode.HOLDING,), distance_m=(0.2, 1.0),
    ),
    Scenario(
        'command_of_an_old_epoch', NOTHING, NOTHING, Truth(still_within_s=0.0),
        (Strike(Act.COMMANDS, 'old_epoch', after_s=0.0),), fault='EPOCH_MISMATCH', modes=HELD,
        ends_in=(SafetyMode.HOLDING,), distance_m=(0.0, 0.001),
    ),
    Scenario(
        'command_of_another_boot', NOTHING, NOTHING, Truth(still_within_s=0.0),
        (Strike(Act.COMMANDS, 'other_boot', after_s=0.0),), fault='SAFETY_RESTARTED', modes=HELD,
        ends_in=(SafetyMode.HOLDING,), distance_m=(0.0, 0.001),
    ),
    Scenario(
        'rival_on_cmd_vel', FAR, STOPPED, Truth(still_within_s=2.5), (Strike(Act.RIVAL, after_m=0.5),),
        fault='RIVAL_PUBLISHER', modes=HELD, ends_in=(SafetyMode.HOLDING,), distance_m=(0.5, 2.5),
    ),
    Scenario(
        'joint_target_far_out', NOTHING, NOTHING, Truth(still_within_s=0.0),
        (Strike(Act.COMMANDS, 'joint_far_out', after_s=0.0),), fault='JOINT_LIMIT', modes=HELD,
        ends_in=(SafetyMode.HOLDING,), distance_m=(0.0, 0.001), set_up=ARM,
    ),
)  # fmt: skip
