"""The safety supervisor round a simulated robot, in one deterministic loop of 50 Hz."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from robot_tool_agent.core.geometry import Point, Pose2D, Twist2D
from robot_tool_agent.core.motion import JointTarget, MotionRequest, Profile
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.requests import Answer, TripRequest
from robot_tool_agent.core.safety.supervisor import Output, SafetySupervisor
from robot_tool_agent.core.safety.tilt import TiltSample
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.core.samples import BumperSample, ScanSample
from robot_tool_agent_sim.world import World
from sim_house import house, robot_description

DT_S = 0.02
FORWARD = Twist2D(0.4, 0.0)
BOOT_ID = 10**18
SCAN_EVERY, BEAT_EVERY = 3, 5


class Rig:
    """Steps world and supervisor together. Attributes switch parts off; `history` holds every output with its time."""

    def __init__(self, world: World | None = None, **config: Any) -> None:
        self.world = house() if world is None else world
        self.safety = SafetySupervisor(self.world.robot, SafetyConfig(**config), BOOT_ID, self.world.now_s)
        self.executor_boot_id = BOOT_ID + 1
        self.beats = self.scans = self.odometry = self.bumper = True
        self.call_id = 'call'
        self.sequence = 0
        self.ticks = 0
        self.history: list[tuple[float, Output]] = []

    @property
    def now_s(self) -> float:
        """Steady time, which is the world's."""
        return self.world.now_s

    @property
    def output(self) -> Output:
        """Return the last output."""
        return self.history[-1][1]

    @property
    def mode(self) -> SafetyMode:
        """Return the state of the machine."""
        return self.safety.mode

    @property
    def fault(self) -> str:
        """Return the fault in the last view."""
        return self.output.view.fault

    def step(self, twist: Twist2D | None = None, profile: Profile = Profile.NORMAL) -> Output:
        """Let one period pass: the world moves, sensors speak, the command is offered, the gate ticks."""
        self.world.step(DT_S)
        self.ticks += 1
        self._sense()
        if twist is not None:
            self.command(twist, profile)
        return self.tick()

    def tick(self) -> Output:
        """Let the gate answer now."""
        output = self.safety.tick(self.now_s)
        self.history.append((self.now_s, output))
        self.world.command_base(output.twist)
        if output.joints is not None:
            target = output.joints
            self.world.command_joints(dict(zip(target.names, target.positions, strict=True)), target.duration_s)
        return output

    def command(
        self, twist: Twist2D | None, profile: Profile = Profile.NORMAL, joints: JointTarget | None = None, **other: Any
    ) -> None:
        """Offer a command of the present epoch, or of another given one."""
        epoch = other.pop('epoch', self.safety.epoch)
        call_id = other.pop('call_id', self.call_id)
        self.safety.on_command(MotionRequest(epoch, call_id, profile, twist, joints, **other), self.now_s)

    def run(self, duration_s: float, twist: Twist2D | None = None, profile: Profile = Profile.NORMAL) -> None:
        """Step for a while with one command."""
        for _ in range(round(duration_s / DT_S)):
            self.step(twist, profile)

    def until(self, *modes: SafetyMode, limit_s: float = 120.0, twist: Twist2D | None = None) -> None:
        """Step until the machine is in one of the modes; fail at the limit."""
        for _ in range(round(limit_s / DT_S)):
            if self.mode in modes:
                return
            self.step(twist)
        raise AssertionError(f'still {self.mode.name} after {limit_s} s: {self.output.view}')

    def ready(self) -> Rig:
        """Step until commands may pass."""
        self.until(SafetyMode.READY, limit_s=2.0)
        return self

    def go_to(self, x_m: float, y_m: float, limit_s: float = 40.0) -> None:
        """Drive straight to a point of the map; fail if safety does not let the robot get there."""
        for _ in range(round(limit_s / DT_S)):
            pose = self.world.pose
            left_m, bearing = pose.distance_to(Point(x_m, y_m)), pose.bearing_to(Point(x_m, y_m))
            if left_m < 0.03:
                return
            speed = 0.0 if abs(bearing) > 0.3 else min(0.5, 0.05 + left_m)
            self.step(Twist2D(speed, max(-1.5, min(1.5, 3.0 * bearing))))
            assert self.mode is SafetyMode.READY, self.output.view
        raise AssertionError(f'({x_m}, {y_m}) not reached, at {self.world.pose}: {self.output.view}')

    def trip(self, fault: str, epoch: int = 0) -> Answer:
        """Ask for a stop."""
        return self.safety.trip(TripRequest(fault, 'test', 'call', 'task', epoch), self.now_s)

    def press(self, pressed: bool) -> None:
        """Let the bumper speak once."""
        self.safety.on_bumper(BumperSample(self.world.stamp_s + 1e-4, self.now_s, pressed))

    def true_speed(self) -> float:
        """Return the robot's real forward speed, m/s."""
        return abs(self.world.twist.v_mps)

    def _sense(self) -> None:
        world, safety = self.world, self.safety
        odom = world.odom()
        if self.odometry and odom is not None:
            safety.on_odom(odom)
        imu = world.imu()
        if imu is not None:
            tilt_rad = math.acos(math.cos(imu.roll_rad) * math.cos(imu.pitch_rad))
            safety.on_tilt(TiltSample(imu.stamp_s, imu.received_s, tilt_rad))
        if self.ticks % SCAN_EVERY == 0:
            self._sense_slowly()
        if self.beats and self.ticks % BEAT_EVERY == 0:
            self.sequence += 1
            safety.on_heartbeat('executor', self.executor_boot_id, self.sequence, self.now_s)

    def _sense_slowly(self) -> None:
        world, safety = self.world, self.safety
        readings = (
            (world.scan() if self.scans else None, safety.on_scan),
            (world.bumper() if self.bumper else None, safety.on_bumper),
            (world.estop(), safety.on_estop),
            (world.battery(), safety.on_battery),
            (world.joints(), safety.on_joints),
            (world.global_pose(), safety.on_global_pose),
        )
        for sample, take in readings:
            if sample is not None:
                take(sample)  # type: ignore[operator]


def cruising(**config: Any) -> Rig:
    """Return a rig whose robot drives at 0.4 m/s along the living room."""
    rig = Rig(**config).ready()
    rig.run(1.5, FORWARD)
    assert abs(rig.true_speed() - 0.4) < 1e-6
    return rig


def modes_of(rig: Rig) -> list[SafetyMode]:
    """Return the modes in the order they were told."""
    told: list[SafetyMode] = []
    for _, output in rig.history:
        if not told or told[-1] is not output.view.mode:
            told.append(output.view.mode)
    return told


def scan_of(ranges: dict[int, float] | None = None, default_m: float = math.inf, count: int = 360) -> ScanSample:
    """Return a scan all round in which the given rays (degrees, counter-clockwise from ahead) have the given ranges."""
    values = np.full(count, default_m)
    for degree, range_m in (ranges or {}).items():
        values[degree % count] = range_m
    return ScanSample(1.0, 1.0, 0.0, math.tau / count, 0.05, 8.0, values)


def wall_ahead(distance_m: float, half_angle_deg: int = 80) -> ScanSample:
    """Return a scan of an endless wall across the way ahead at a distance from base_link."""
    degrees = range(-half_angle_deg, half_angle_deg + 1)
    return scan_of({degree: distance_m / math.cos(math.radians(degree)) for degree in degrees})


def at(x_m: float = 0.0, y_m: float = 0.0, yaw_rad: float = 0.0) -> Pose2D:
    """Return a pose."""
    return Pose2D(x_m, y_m, yaw_rad)


__all__ = [
    'BOOT_ID',
    'DT_S',
    'FORWARD',
    'Rig',
    'at',
    'cruising',
    'house',
    'modes_of',
    'robot_description',
    'scan_of',
    'wall_ahead',
]
