"""The world's readings as ROS messages, written as a robot's driver would."""

import array
import math

from geometry_msgs.msg import Pose, PoseWithCovarianceStamped, Quaternion
from nav_msgs.msg import Odometry
from robot_tool_agent.core.geometry import Point, Pose2D, Twist2D
from robot_tool_agent.core.robot import Frames
from robot_tool_agent.core.samples import (
    BatterySample,
    BumperSample,
    GlobalPoseSample,
    JointSample,
    ObjectsSample,
    OdomSample,
    ScanSample,
    SeenObject,
)
from robot_tool_agent.nodes.clock import time_message
from robot_tool_agent.nodes.conversions import quaternion_of, twist_message
from robot_tool_agent_interfaces.msg import DetectedObject, DetectedObjects
from robot_tool_agent_sim import lidar
from robot_tool_agent_sim.readings import ImuSample
from sensor_msgs.msg import BatteryState, Imu, JointState, LaserScan
from std_msgs.msg import Bool, Header

NOMINAL_VOLTAGE_V = 12.0
GRAVITY_MPS2 = 9.80665


class Messages:
    """Builds each message in the frames of one robot."""

    def __init__(self, frames: Frames) -> None:
        self._frames = frames

    def odometry(self, sample: OdomSample) -> Odometry:
        """Return wheel odometry in the odom frame."""
        return self._odometry(self._frames.odom, sample.stamp_s, sample.pose, sample.twist)

    def ground_truth(self, stamp_s: float, pose: Pose2D, twist: Twist2D) -> Odometry:
        """Return the true pose in the map frame with the true velocity in base_link."""
        return self._odometry(self._frames.map, stamp_s, pose, twist)

    def _odometry(self, frame: str, stamp_s: float, pose: Pose2D, twist: Twist2D) -> Odometry:
        message = Odometry(header=_header(stamp_s, frame), child_frame_id=self._frames.base)
        message.pose.pose = _pose(pose)
        message.twist.twist = twist_message(twist)
        return message

    def global_pose(self, sample: GlobalPoseSample) -> PoseWithCovarianceStamped:
        """Return the localization's pose in the map frame."""
        message = PoseWithCovarianceStamped(header=_header(sample.stamp_s, self._frames.map))
        message.pose.pose = _pose(sample.pose)
        return message

    def scan(self, sample: ScanSample) -> LaserScan:
        """Return one revolution in the sensor's frame."""
        increment_rad = sample.angle_increment_rad
        return LaserScan(
            header=_header(sample.stamp_s, self._frames.scan),
            angle_min=sample.angle_min_rad,
            angle_max=sample.angle_min_rad + increment_rad * (lidar.RAYS - 1),
            angle_increment=increment_rad,
            range_min=sample.range_min_m,
            range_max=sample.range_max_m,
            # An array of floats goes through the setter without a check of each element.
            ranges=array.array('f', sample.ranges_m.astype('f4').tobytes()),
        )

    def bumper(self, sample: BumperSample) -> Bool:
        """Return a switch: bumper or stop button."""
        return Bool(data=sample.pressed)

    def joints(self, sample: JointSample) -> JointState:
        """Return the joint positions."""
        return JointState(
            header=_header(sample.stamp_s, ''),
            name=list(sample.positions),
            position=array.array('d', sample.positions.values()),
        )

    def battery(self, sample: BatterySample) -> BatteryState:
        """Return the state of charge."""
        return BatteryState(
            header=_header(sample.stamp_s, self._frames.base),
            voltage=NOMINAL_VOLTAGE_V,
            percentage=sample.fraction,
            power_supply_status=BatteryState.POWER_SUPPLY_STATUS_DISCHARGING,
            present=True,
        )

    def imu(self, sample: ImuSample) -> Imu:
        """Return attitude, turn rate and what an accelerometer feels of gravity, axes of base_link."""
        message = Imu(header=_header(sample.stamp_s, self._frames.base))
        message.orientation = _attitude(sample.roll_rad, sample.pitch_rad, sample.yaw_rad)
        message.angular_velocity.z = sample.w_radps
        up, felt = math.cos(sample.pitch_rad) * GRAVITY_MPS2, message.linear_acceleration
        felt.x, felt.y = -math.sin(sample.pitch_rad) * GRAVITY_MPS2, math.sin(sample.roll_rad) * up
        felt.z = math.cos(sample.roll_rad) * up
        return message

    def objects(self, sample: ObjectsSample) -> DetectedObjects:
        """Return the detected objects in the map frame."""
        header = _header(sample.stamp_s, self._frames.map)
        return DetectedObjects(header=header, objects=[_detected(item, header) for item in sample.objects])


def _detected(item: SeenObject, header: Header) -> DetectedObject:
    pose = _pose(_at(item.position))
    return DetectedObject(header=header, id=item.id, label=item.label, pose=pose, confidence=item.confidence)


def _at(point: Point) -> Pose2D:
    return Pose2D(point.x_m, point.y_m, 0.0)


def _header(stamp_s: float, frame: str) -> Header:
    return Header(stamp=time_message(stamp_s), frame_id=frame)


def _attitude(roll_rad: float, pitch_rad: float, yaw_rad: float) -> Quaternion:
    """Return the quaternion of fixed-axis roll, pitch, yaw (REP 103): q = q_yaw * q_pitch * q_roll."""
    (cr, sr), (cp, sp), (cy, sy) = (
        (math.cos(angle_rad / 2.0), math.sin(angle_rad / 2.0)) for angle_rad in (roll_rad, pitch_rad, yaw_rad)
    )
    return Quaternion(
        w=cy * cp * cr + sy * sp * sr,
        x=cy * cp * sr - sy * sp * cr,
        y=cy * sp * cr + sy * cp * sr,
        z=sy * cp * cr - cy * sp * sr,
    )


def _pose(pose: Pose2D) -> Pose:
    message = Pose(orientation=quaternion_of(pose.yaw_rad))
    message.position.x, message.position.y = pose.x_m, pose.y_m
    return message
