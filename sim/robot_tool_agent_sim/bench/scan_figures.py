"""How long the core takes to judge one scan."""

from __future__ import annotations

import time

import numpy as np
from robot_tool_agent.core.geometry import Pose2D, Twist2D
from robot_tool_agent.core.motion import Profile
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.limiter import Limiter, LimitReason, Scene
from robot_tool_agent.core.safety.scans import ScanReader
from robot_tool_agent.core.samples import ScanSample
from robot_tool_agent_sim.harness.ranges import corridor_ranges, INCREMENT_RAD, RANGE_MAX_M, RANGE_MIN_M

WARM_UP = 50
_TWIST = Twist2D(0.4, 0.1)
_START = Pose2D(0.01, 0.0, 0.0)


def scan_verdicts(robot: RobotDescription, count: int) -> list[float]:
    """Return the seconds from a scan of 360 rays in a corridor to the velocity it allows, `count` times."""
    limiter = Limiter(robot)
    reader = ScanReader(robot, limiter.reach_m)
    ranges = np.asarray(corridor_ranges(ahead_m=0.4), dtype=np.float64)
    spent: list[float] = []
    for number in range(WARM_UP + count):
        scan = ScanSample(float(number), float(number), 0.0, INCREMENT_RAD, RANGE_MIN_M, RANGE_MAX_M, ranges)
        began_s = time.perf_counter()
        obstacles = reader.read(scan)
        allowed = limiter.limit(_TWIST, Profile.NORMAL, Scene(obstacles, _START))
        spent.append(time.perf_counter() - began_s)
        if allowed.reason is not LimitReason.OBSTACLE:
            raise ValueError(f'the wall ahead was not seen: {allowed}')
    return spent[WARM_UP:]
