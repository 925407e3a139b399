"""The table of saboteurs, by name. Each one changes as little as it can; a seeded one draws from the world's seed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
import math

from robot_tool_agent_sim.doorways import DoorsShut
from robot_tool_agent_sim.fault import Fault
from robot_tool_agent_sim.hand_faults import DropsOnTheWay, GripperLies, GripperSlips, ObjectMoved, ObjectRemoved
from robot_tool_agent_sim.message_faults import in_another_frame, Reworded, without_rotation
from robot_tool_agent_sim.motion_faults import (
    CarriedAway,
    IgnoresStop,
    InTheWay,
    JointOverruns,
    MotionLies,
    MovesAlone,
    SlowWheels,
    WheelsSlip,
    WheelsStuck,
)
from robot_tool_agent_sim.sensor_faults import (
    Altered,
    BatteryLow,
    BumperHit,
    ClockJump,
    Frozen,
    FrozenOnGoal,
    Late,
    Lost,
    nowhere,
    OdomJump,
    OdomNoisy,
    pressed,
    ranges_of,
    shortened,
    Skips,
    tipped,
)

NO_FAULT = 'none'
OBSTACLE_RADIUS_M = 0.15
PERSON_RADIUS_M = 0.2
PERSON_STAYS_S = 4.0
SKIPS_EVERY = 5
FAULTS: dict[str, Callable[[], Fault]] = {
    NO_FAULT: Fault,
    'gripper_slips': GripperSlips,
    'odom_frozen': partial(Frozen, 'odom'),
    'scan_lost': partial(Lost, 'scan'),
    'wheels_stuck': WheelsStuck,
    'bumper_hit': BumperHit,
    'motion_lies': MotionLies,
    'odom_stuck_values': partial(Frozen, 'odom', stamps_rise=True),
    'odom_frozen_on_goal': partial(FrozenOnGoal, 'odom'),
    'odom_jump': OdomJump,
    'odom_late': partial(Late, 'odom'),
    'odom_noisy': OdomNoisy,
    'odom_nan': partial(Altered, 'odom', nowhere),
    'scan_frozen': partial(Frozen, 'scan'),
    'scan_nan': partial(Altered, 'scan', ranges_of(math.nan)),
    'scan_late': partial(Late, 'scan'),
    'scan_short': partial(Altered, 'scan', shortened),
    'scan_zero': partial(Altered, 'scan', ranges_of(0.0)),
    'scan_inf': partial(Altered, 'scan', ranges_of(math.inf)),
    'scan_skips': partial(Skips, 'scan', SKIPS_EVERY),
    'ignores_stop': IgnoresStop,
    'moves_alone': MovesAlone,
    'carried_away': CarriedAway,
    'slow_wheels': SlowWheels,
    'wheels_slip': WheelsSlip,
    'joint_overruns': JointOverruns,
    'gripper_lies': GripperLies,
    'object_moved': ObjectMoved,
    'object_removed': ObjectRemoved,
    'obstacle_appears': partial(InTheWay, OBSTACLE_RADIUS_M),
    'person_steps_in': partial(InTheWay, PERSON_RADIUS_M, PERSON_STAYS_S),
    'bumper_lost': partial(Lost, 'bumper'),
    'bumper_stuck': partial(Altered, 'bumper', pressed),
    'estop_pressed': partial(Altered, 'estop', pressed),
    'battery_low': BatteryLow,
    'tilted': partial(Altered, 'imu', tipped),
    'clock_stop': partial(Lost, 'clock'),
    'clock_jump': ClockJump,
    'gripper_drops': DropsOnTheWay,
    'doors_shut': DoorsShut,
    'odom_wrong_frame': partial(Reworded, 'odom', in_another_frame),
    'odom_zero_quaternion': partial(Reworded, 'odom', without_rotation),
    'scan_wrong_frame': partial(Reworded, 'scan', in_another_frame),
    'global_pose_wrong_frame': partial(Reworded, 'global_pose', in_another_frame),
    'global_pose_frozen': partial(Frozen, 'global_pose'),
    'global_pose_stuck_values': partial(Frozen, 'global_pose', stamps_rise=True),
    'global_pose_late': partial(Late, 'global_pose'),
    'objects_wrong_frame': partial(Reworded, 'detected_objects', in_another_frame),
}


def make_fault(name: str) -> Fault:
    """Return a new saboteur. Raise ValueError with the valid names if there is none of this name."""
    if name not in FAULTS:
        raise ValueError(f'unknown fault {name!r}; valid names: {", ".join(FAULTS)}')
    return FAULTS[name]()
