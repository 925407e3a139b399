"""A differential-drive robot with a gripper in a planar house. Deterministic: the same calls give the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
import math
from typing import cast, TypeVar

import numpy as np
from robot_tool_agent.core.geometry import Point, Pose2D, Twist2D, ZERO_TWIST
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
from robot_tool_agent_sim.arm import ArmJoints
from robot_tool_agent_sim.contact import ContactGuard
from robot_tool_agent_sim.description import WorldDescription
from robot_tool_agent_sim.faults import make_fault, NO_FAULT
from robot_tool_agent_sim.hand import Hand, Thing
from robot_tool_agent_sim.obstacles import Discs
from robot_tool_agent_sim.readings import ImuSample
from robot_tool_agent_sim.sight import Detector
from robot_tool_agent_sim.truth import Truth
from robot_tool_agent_sim.walls import Walls, with_capped_ends
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
        """Put the robot at the spawn pose. Raise ValueError if something is there already or the fault is unknown."""
        self.robot = robot
        self._description = description
        self.seed = seed
        self.fault, self.fault_name = make_fault(NO_FAULT), NO_FAULT
        self._map_walls = Walls(robot.map.walls)
        self._walls = Walls(with_capped_ends(robot.map.walls))
        self._detector = Detector(self._map_walls)
        self.now_s = 0.0
        self.stamp_s = 0.0
        self.reset()
        if self._guard.gap_m(self.pose) < 0.0:
            raise ValueError(f'spawn: the footprint at {description.spawn} overlaps a wall or an obstacle')
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
        arm = self.robot.arm
        self.arm = ArmJoints({} if arm is None else arm.joints, self.robot.arm_home)
        self._discs = Discs()
        self._lidar = lidar.Lidar(self._walls, self._discs)
        self._guard = ContactGuard(self.robot.footprint, self._walls, self._discs)
        for name, obstacle in self._description.obstacles.items():
            self.put_obstacle(name, obstacle.centre, obstacle.radius_m)
        self._odom_pose, self._odom_twist = _ORIGIN, ZERO_TWIST
        self._rng = np.random.default_rng(self.seed)
        self._contacts, self._travelled_m, self._turned_rad = 0, 0.0, 0.0
        self._bumper_until_s = -math.inf
        self._started_s = self.now_s
        self.set_fault(NO_FAULT)

    def set_fault(self, name: str) -> None:
        """Let a fault strike; `none` heals. Raise ValueError with the valid names if it is unknown."""
        fault = make_fault(name)
        self.fault.ended(self)
        self.fault, self.fault_name = fault, name
        self.wheels.twist = self.twist
        self.fault.started(self)

    def command_base(self, twist: Twist2D) -> None:
        """Take a velocity command; it holds for 0.25 s of simulated time."""
        self.wheels.command(twist, self.now_s)

    def command_gripper(self, opening_m: float, duration_s: float = 0.0) -> None:
        """Take a gripper command: opening in metres, to be reached in `duration_s` or as fast as the gripper can."""
        if self.hand is not None and math.isfinite(opening_m):
            self.hand.command(opening_m, duration_s)

    def command_joints(self, positions: Mapping[str, float], duration_s: float = 0.0) -> None:
        """Take a command for gripper (m) and arm joints (rad) by name; names the robot does not have do not count."""
        if self.hand is not None and self.hand.gripper.joint in positions:
            self.command_gripper(positions[self.hand.gripper.joint], duration_s)
        self.arm.command(positions, duration_s)

    def put_obstacle(self, name: str, centre: Point, radius_m: float) -> None:
        """Put something round on the floor that the robot's map does not know, or move it. Map frame, m."""
        self._discs.put(name, centre, radius_m)
        self._guard.changed()

    def remove_obstacle(self, name: str) -> None:
        """Take an obstacle away, if it is there."""
        self._discs.remove(name)
        self._guard.changed()

    def shift_odom(self, ahead_m: float) -> None:
        """Let odometry leap along its heading while the base stays, m."""
        self._odom_pose = self._odom_pose.compose(Pose2D(ahead_m, 0.0, 0.0))

    def carry(self, by: Pose2D) -> None:
        """Put the base down somewhere else, given in base_link. Odometry knows nothing of it, m and rad."""
        self.pose = self.pose.compose(by)

    def wall_between(self, first: Point, second: Point) -> bool:
        """Tell whether a wall of the map crosses the straight line between two points."""
        return bool(self._map_walls.crossed_by(first, second).any())

    def step(self, dt_s: float, stamp_s: float | None = None) -> None:
        """Let `dt_s` pass. `stamp_s` is the ROS time of the readings after it; left out, it is the simulated time."""
        if not (dt_s > 0.0 and math.isfinite(dt_s)):
            raise ValueError(f'dt_s must be positive and finite, not {dt_s}')
        parts = math.ceil(dt_s / MAX_SUBSTEP_S - 1e-9)
        for _ in range(parts):
            self._substep(dt_s / parts)
        self.stamp_s = self.now_s if stamp_s is None else stamp_s

    def _substep(self, dt_s: float) -> None:
        mean = self.wheels.advance(self.fault.wanted(self.wheels.target(self.now_s), self.now_s), dt_s)
        self.now_s += dt_s
        rolled = self._move_base(self.fault.ground_motion(mean), dt_s)
        drift = self._description.odom_drift
        self._odom_pose = drift.reported(self.fault.reported_motion(mean, rolled)).step(self._odom_pose, dt_s)
        rolling = self.fault.ground_motion(self.wheels.twist)
        self._odom_twist = drift.reported(self.fault.reported_motion(self.wheels.twist, rolling))
        if self.fault.moves_hand:
            self._move_hand(dt_s)
        self.fault.stepped(self, dt_s)

    def _move_hand(self, dt_s: float) -> None:
        self.arm.advance(dt_s)
        if self.hand is not None:
            self.hand.advance(self.pose, dt_s, self.fault.grasps)

    def _move_base(self, motion: Twist2D, dt_s: float) -> Twist2D:
        """Move by a mean twist, or as far as there is room, and return the mean twist for which the wheels rolled."""
        touched = self._guard.touching
        self.pose, share = self._guard.move(self.pose, motion, dt_s)
        slips = self._description.wheels_slip
        if share < 1.0 and not slips:
            self.wheels.twist = ZERO_TWIST
        self.twist = ZERO_TWIST if share < 1.0 else self.fault.ground_motion(self.wheels.twist)
        if self._guard.touching:
            self._contacts += not touched
            self._bumper_until_s = self.now_s + BUMPER_HOLD_S
        moved = motion.scaled(share)
        self._travelled_m += abs(moved.v_mps) * dt_s
        self._turned_rad += abs(moved.w_radps) * dt_s
        return motion if slips else moved

    def _sensed(self, topic: str, sample: Reading) -> Reading | None:
        return cast('Reading | None', self.fault.sensed(topic, sample))

    def odom(self) -> OdomSample | None:
        """Return wheel odometry: zero at spawn; drift, wheels that slip against a wall and faults spoil it."""
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
        """Return the contact switch: pressed while the base touches something and 0.2 s longer."""
        pressed = self._guard.touching or self.now_s < self._bumper_until_s - 1e-9
        return self._sensed('bumper', BumperSample(self.stamp_s, self.now_s, pressed))

    def joints(self) -> JointSample | None:
        """Return the gripper's opening, m, and the arm's joints, rad, by name; None for a robot without either."""
        positions = {} if self.hand is None else {self.hand.gripper.joint: self.hand.jaw.opening_m}
        positions |= self.arm.positions()
        if not positions:
            return None
        return self._sensed('joint_states', JointSample(self.stamp_s, self.now_s, positions))

    def imu(self) -> ImuSample | None:
        """Return the attitude: upright, with the true yaw and turn rate."""
        sample = ImuSample(self.stamp_s, self.now_s, 0.0, 0.0, self.pose.yaw_rad, self.twist.w_radps)
        return self._sensed('imu', sample)

    def estop(self) -> BumperSample | None:
        """Return the stop button, which nobody presses but a fault."""
        return self._sensed('estop', BumperSample(self.stamp_s, self.now_s, False))

    def clock(self) -> Sample | None:
        """Return the time of `/clock` as a sample's stamp."""
        return self._sensed('clock', Sample(self.stamp_s, self.now_s))

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
