"""A differential-drive robot with a gripper in a planar house. Deterministic: the same calls give the same bytes."""

from __future__ import annotations

import math
from typing import TypeVar, cast

import numpy as np

from robot_tool_agent.core.geometry import ZERO_TWIST, Point, Pose2D, Twist2D
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.samples import (
    BatterySample,
    BumperSample,
    GlobalPoseSample,
    JointSample,
    ObjectsSample,
    OdomSample,
    Sample,
    ScanSample,
)
from robot_tool_agent_sim import lidar
from robot_tool_agent_sim.contact import ContactGuard
from robot_tool_agent_sim.description import WorldDescription
from robot_tool_agent_sim.faults import NO_FAULT, make_fault
from robot_tool_agent_sim.hand import Hand, Thing
from robot_tool_agent_sim.sight import Detector
from robot_tool_agent_sim.truth import Truth
from robot_tool_agent_sim.walls import Walls
from robot_tool_agent_sim.wheels import Wheels

MAX_SUBSTEP_S = 0.05
BUMPER_HOLD_S = 0.2
BATTERY_LIFE_S = 3 * 3600.0
_ORIGIN = Pose2D(0.0, 0.0, 0.0)
Reading = TypeVar('Reading', bound=Sample)


class World:
    """The house, the robot in it and one fault. Map frame, SI units; a reading is None where a fault silences it."""

    def __init__(
        self, robot: RobotDescription, description: WorldDescription, fault: str = NO_FAULT, seed: int = 0
    ) -> None:
        """Put the robot at the spawn pose. Raise ValueError if that touches a wall or the fault is unknown."""
        self.robot = robot
        self._description = description
        self._seed = seed
        walls = Walls(robot.map.walls)
        self._lidar = lidar.Lidar(walls)
        self._detector = Detector(walls)
        self._walls = walls
        self.now_s = 0.0
        self.stamp_s = 0.0
        self.reset()
        if self._guard.gap_m(self.pose) < 0.0:
            raise ValueError(f'spawn: the footprint at {description.spawn} overlaps a wall')
        self.set_fault(fault)

    def reset(self) -> None:
        """Start anew: robot at spawn, objects back, counters zero, odometry zero, no fault, same seed. Time runs on."""
        self.pose = self._description.spawn.pose
        self.twist = ZERO_TWIST
        self.wheels = Wheels(self.robot.limits)
        gripper, objects = self.robot.gripper, self._description.objects
        self.hand = None if gripper is None else Hand(gripper, objects)
        self.things = (
            {name: Thing(item.label, item.width_m, item.point) for name, item in objects.items()}
            if self.hand is None
            else self.hand.things
        )
        self._guard = ContactGuard(self.robot.footprint, self._walls)
        self._odom_pose, self._odom_twist = _ORIGIN, ZERO_TWIST
        self._rng = np.random.default_rng(self._seed)
        self._contacts, self._travelled_m, self._turned_rad = 0, 0.0, 0.0
        self._bumper_until_s = -math.inf
        self._started_s = self.now_s
        self.set_fault(NO_FAULT)

    def set_fault(self, name: str) -> None:
        """Let a fault strike; `none` heals. Raise ValueError with the valid names if it is unknown."""
        self.fault = make_fault(name)
        self.fault_name = name
        self.wheels.twist = self.twist
        self.fault.started(self)

    def command_base(self, twist: Twist2D) -> None:
        """Take a velocity command; it holds for 0.25 s of simulated time."""
        self.wheels.command(twist, self.now_s)

    def command_gripper(self, opening_m: float, duration_s: float = 0.0) -> None:
        """Take a gripper command: opening in metres, to be reached in `duration_s` or as fast as the gripper can."""
        if self.hand is not None and math.isfinite(opening_m):
            self.hand.command(opening_m, duration_s)

    def step(self, dt_s: float, stamp_s: float | None = None) -> None:
        """Let `dt_s` pass. `stamp_s` is the ROS time of the readings after it; left out, it is the simulated time."""
        if not (dt_s > 0.0 and math.isfinite(dt_s)):
            raise ValueError(f'dt_s must be positive and finite, not {dt_s}')
        parts = math.ceil(dt_s / MAX_SUBSTEP_S - 1e-9)
        for _ in range(parts):
            self._substep(dt_s / parts)
        self.stamp_s = self.now_s if stamp_s is None else stamp_s

    def _substep(self, dt_s: float) -> None:
        mean = self.wheels.advance(self.now_s, dt_s)
        self.now_s += dt_s
        moved = self._move_base(self.fault.ground_motion(mean), dt_s)
        self._odom_pose = self.fault.reported_motion(mean, moved).step(self._odom_pose, dt_s)
        self._odom_twist = self.fault.reported_motion(self.wheels.twist, self.twist)
        if self.hand is not None and self.fault.moves_hand:
            self.hand.advance(self.pose, dt_s)
        self.fault.stepped(self, dt_s)

    def _move_base(self, motion: Twist2D, dt_s: float) -> Twist2D:
        """Move by a mean twist, or as far as the walls allow, and return the mean twist that became true."""
        touched = self._guard.touching
        self.pose, share = self._guard.move(self.pose, motion, dt_s)
        if share < 1.0:
            self.wheels.twist = ZERO_TWIST
        self.twist = self.fault.ground_motion(self.wheels.twist)
        if self._guard.touching:
            self._contacts += not touched
            self._bumper_until_s = self.now_s + BUMPER_HOLD_S
        moved = motion.scaled(share)
        self._travelled_m += abs(moved.v_mps) * dt_s
        self._turned_rad += abs(moved.w_radps) * dt_s
        return moved

    def _sensed(self, topic: str, sample: Reading) -> Reading | None:
        return cast('Reading | None', self.fault.sensed(topic, sample))

    def odom(self) -> OdomSample | None:
        """Return wheel odometry: zero at spawn, exact unless a fault says otherwise."""
        return self._sensed('odom', OdomSample(self.stamp_s, self.now_s, self._odom_pose, self._odom_twist))

    def global_pose(self) -> GlobalPoseSample | None:
        """Return the pose in the map."""
        return self._sensed('global_pose', GlobalPoseSample(self.stamp_s, self.now_s, self.pose))

    def scan(self) -> ScanSample | None:
        """Return one revolution of the range sensor. Rays are cast now, so ask only when it is needed."""
        ranges_m = self._lidar.ranges_m(self.pose.compose(self.robot.frames.scan_pose.pose))
        if self._description.scan_noise_m > 0.0:
            noise_m = self._rng.normal(0.0, self._description.scan_noise_m, ranges_m.shape)
            ranges_m = np.maximum(ranges_m + noise_m, lidar.RANGE_MIN_M)
        sample = ScanSample(
            self.stamp_s,
            self.now_s,
            lidar.ANGLE_MIN_RAD,
            lidar.ANGLE_INCREMENT_RAD,
            lidar.RANGE_MIN_M,
            lidar.RANGE_MAX_M,
            ranges_m,
        )
        return self._sensed('scan', sample)

    def bumper(self) -> BumperSample | None:
        """Return the contact switch: pressed while the base touches a wall and 0.2 s longer."""
        pressed = self._guard.touching or self.now_s < self._bumper_until_s - 1e-9
        return self._sensed('bumper', BumperSample(self.stamp_s, self.now_s, pressed))

    def joints(self) -> JointSample | None:
        """Return the gripper's opening under its joint's name; None for a robot without gripper."""
        if self.hand is None:
            return None
        positions = {self.hand.gripper.joint: self.hand.jaw.opening_m}
        return self._sensed('joint_states', JointSample(self.stamp_s, self.now_s, positions))

    def battery(self) -> BatterySample | None:
        """Return the state of charge, 1 after a reset and 0 three hours later."""
        fraction = max(0.0, 1.0 - (self.now_s - self._started_s) / BATTERY_LIFE_S)
        return self._sensed('battery_state', BatterySample(self.stamp_s, self.now_s, fraction))

    def objects(self) -> ObjectsSample | None:
        """Return the objects in view, in the map frame."""
        held = None if self.hand is None else self.hand.held
        seen = self._detector.seen(self.pose, self.things, held)
        return self._sensed('detected_objects', ObjectsSample(self.stamp_s, self.now_s, seen))

    def object_positions(self) -> dict[str, Point]:
        """Return where every object really is, by id, map frame."""
        return {name: thing.position for name, thing in self.things.items()}

    def truth(self) -> Truth:
        """Return what really happened since the last reset."""
        hand = self.hand
        return Truth(
            held=None if hand is None else hand.held,
            contacts=self._contacts,
            travelled_m=self._travelled_m,
            turned_rad=self._turned_rad,
            picks=0 if hand is None else hand.picks,
            places=0 if hand is None else hand.places,
            fault=self.fault_name,
        )
