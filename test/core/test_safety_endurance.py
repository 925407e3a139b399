"""Long runs: a day of ticks, and 50 tasks in a row, without growth and without a trip."""

from __future__ import annotations

from dataclasses import replace
import gc
import math
import resource

import pytest
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.motion import MotionRequest
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.requests import TripRequest
from robot_tool_agent.core.safety.supervisor import SafetySupervisor
from robot_tool_agent.core.safety_state import SafetyMode as M
from robot_tool_agent.core.samples import BumperSample, GlobalPoseSample, JointSample, OdomSample
from safety_rig import at, BOOT_ID, Rig, robot_description, scan_of

HOUR_S = 3600.0
RATE_HZ = 20.0
# The circle wanders through the day.
UNFENCED = robot_description().model_copy(update={'geofence': None})
GROWTH_OBJECTS, GROWTH_KB = 200, 3000


class Day:
    """A robot that drives a circle all day, fails now and then and is reset, at the lowest rates that are fresh."""

    def __init__(self) -> None:
        self.safety = SafetySupervisor(UNFENCED, SafetyConfig(gate_rate_hz=RATE_HZ), BOOT_ID, 0.0)
        self.ticks = 0
        self.modes: dict[M, int] = dict.fromkeys(M, 0)
        self._scan = scan_of()
        self._twist = Twist2D()
        self._pose = at()

    def run(self, until_s: float) -> None:
        while self.ticks / RATE_HZ < until_s:
            self._turn(self.ticks / RATE_HZ)
            self.ticks += 1

    def _turn(self, now_s: float) -> None:
        safety = self.safety
        self._pose = self._twist.step(self._pose, 1.0 / RATE_HZ)
        safety.on_odom(OdomSample(1e6 + now_s, now_s, self._pose, self._twist))
        if self.ticks % 4 == 0:
            self._sense_slowly(now_s)
        if self.ticks % 5 == 0:
            call = f'call-{self.ticks // 400}'
            last = self.ticks % 400 == 395
            safety.on_command(MotionRequest(safety.epoch, call, twist=Twist2D(0.3, 0.3), last=last), now_s)
        if self.ticks % 12_000 == 11_999:
            safety.trip(TripRequest('SKILL_UNKNOWN'), now_s)
        if self.ticks % 12_000 == 3_000:
            safety.reset('Ada', now_s)
        output = safety.tick(now_s)
        self._twist = output.twist
        self.modes[output.view.mode] += 1

    def _sense_slowly(self, now_s: float) -> None:
        stamp_s = 1e6 + now_s
        self.safety.on_scan(replace(self._scan, stamp_s=stamp_s, received_s=now_s))
        self.safety.on_bumper(BumperSample(stamp_s, now_s, False))
        self.safety.on_joints(JointSample(stamp_s, now_s, {'gripper_joint': 0.1}))
        self.safety.on_global_pose(GlobalPoseSample(stamp_s, now_s, at(2.0, 1.9).compose(self._pose)))
        self.safety.on_heartbeat('executor', BOOT_ID, self.ticks + 1, now_s)
        self.safety.on_heartbeat('planner', BOOT_ID, self.ticks + 1, now_s)


def memory() -> tuple[int, int]:
    """Return the number of live objects and the most memory this process ever had, kB."""
    gc.collect()
    return len(gc.get_objects()), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def grown(day: Day, first_s: float, last_s: float) -> tuple[int, int]:
    day.run(first_s)
    objects, kilobytes = memory()
    day.run(last_s)
    objects_then, kilobytes_then = memory()
    return objects_then - objects, kilobytes_then - kilobytes


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_day_of_ticks_leaves_memory_flat():
    day = Day()
    objects, kilobytes = grown(day, HOUR_S, 24.0 * HOUR_S)
    assert day.ticks == 24 * 3600 * RATE_HZ
    assert day.modes[M.READY] > 0.5 * day.ticks
    assert day.modes[M.HOLDING] + day.modes[M.SAFE] > 0
    assert objects < GROWTH_OBJECTS
    assert kilobytes < GROWTH_KB


def test_ten_minutes_of_ticks_leave_memory_flat():
    day = Day()
    objects, kilobytes = grown(day, 300.0, 900.0)
    assert day.modes[M.READY] > 0.5 * day.ticks
    assert objects < GROWTH_OBJECTS
    assert kilobytes < GROWTH_KB


def test_fifty_tasks_in_a_row_do_not_trip():
    rig = Rig().ready()
    for task in range(50):
        rig.call_id = f'task-{task}'
        rig.go_to(*((2.0, 1.2) if task % 2 else (1.3, 1.2)))
        rig.command(Twist2D(), last=True)
        rig.run(0.3)
    assert all(output.view.mode is M.READY for _, output in rig.history[60:])
    assert rig.world.truth().contacts == 0
    assert math.isfinite(rig.world.pose.x_m)
