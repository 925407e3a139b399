"""Messages to the core's values and back. No decisions here."""

import math
from typing import Any

from geometry_msgs.msg import PoseWithCovarianceStamped, Quaternion, Twist
from nav_msgs.msg import Odometry
import numpy as np
from robot_tool_agent.core.geometry import Point, Pose2D, Twist2D
from robot_tool_agent.core.motion import JointTarget, MotionRequest, Profile
from robot_tool_agent.core.safety_state import SafetyMode, SafetyView
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
from robot_tool_agent.nodes.clock import seconds, time_message
from robot_tool_agent_interfaces.msg import DetectedObjects, MotionCommand, SafetyState
from sensor_msgs.msg import BatteryState, JointState, LaserScan
from std_msgs.msg import Bool
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint


def frame_fault(message: Any, frame: str) -> str:
    """Say how a message's frame is not the one demanded; empty if it is, if none is demanded or none is named."""
    named = message.header.frame_id.lstrip('/') if frame else ''
    return '' if named in ('', frame) else f'its frame is {message.header.frame_id[:64]!r}, not {frame!r}'


def yaw_of(orientation: Quaternion) -> float:
    """Return the yaw of a quaternion in rad; NaN for one that is no rotation (norm not near 1)."""
    norm = math.hypot(orientation.x, orientation.y, orientation.z, orientation.w)
    if not 0.9 < norm < 1.1:
        return math.nan
    siny = 2.0 * (orientation.w * orientation.z + orientation.x * orientation.y)
    cosy = 1.0 - 2.0 * (orientation.y**2 + orientation.z**2)
    return math.atan2(siny, cosy)


def quaternion_of(yaw_rad: float) -> Quaternion:
    """Return the quaternion of a rotation about z."""
    return Quaternion(z=math.sin(yaw_rad / 2.0), w=math.cos(yaw_rad / 2.0))


def odom_sample(message: Odometry, received_s: float) -> OdomSample:
    """Return the planar part of an odometry message."""
    pose, twist = message.pose.pose, message.twist.twist
    return OdomSample(
        seconds(message.header.stamp),
        received_s,
        Pose2D(pose.position.x, pose.position.y, yaw_of(pose.orientation)),
        Twist2D(twist.linear.x, twist.angular.z),
    )


def global_pose_sample(message: PoseWithCovarianceStamped, received_s: float) -> GlobalPoseSample:
    """Return the planar part of a pose in the map."""
    pose = message.pose.pose
    return GlobalPoseSample(
        seconds(message.header.stamp), received_s, Pose2D(pose.position.x, pose.position.y, yaw_of(pose.orientation))
    )


def scan_sample(message: LaserScan, received_s: float) -> ScanSample:
    """Return a scan with its ranges as an array."""
    return ScanSample(
        seconds(message.header.stamp),
        received_s,
        message.angle_min,
        message.angle_increment,
        message.range_min,
        message.range_max,
        np.asarray(message.ranges, dtype=np.float64),
    )


def bumper_sample(message: Bool, ros_now_s: float, received_s: float) -> BumperSample:
    """Return a contact state; the message has no header, so its stamp is its arrival."""
    return BumperSample(ros_now_s, received_s, bool(message.data))


def joint_sample(message: JointState, received_s: float) -> JointSample:
    """Return joint positions by name."""
    return JointSample(
        seconds(message.header.stamp), received_s, dict(zip(message.name, message.position, strict=False))
    )


def battery_sample(message: BatteryState, received_s: float) -> BatterySample:
    """Return the state of charge."""
    return BatterySample(seconds(message.header.stamp), received_s, float(message.percentage))


def objects_sample(message: DetectedObjects, received_s: float) -> ObjectsSample:
    """Return the detected objects; their poses are in the map frame."""
    seen = tuple(
        SeenObject(item.id, item.label, Point(item.pose.position.x, item.pose.position.y), float(item.confidence))
        for item in message.objects
    )
    return ObjectsSample(seconds(message.header.stamp), received_s, seen)


def detections_sample(message: Any, received_s: float) -> ObjectsSample:
    """
    Return the objects of a vision_msgs/Detection3DArray, poses in the map frame.

    The label is the class of the best hypothesis. An object keeps its id where the detector tracks it; without one it
    is called after class and place in the list, which holds for one message only. No hypothesis: no object.
    """
    seen = []
    for place, item in enumerate(message.detections):
        best = max(item.results, key=lambda result: float(result.hypothesis.score), default=None)
        if best is None:
            continue
        label, position = best.hypothesis.class_id, item.bbox.center.position
        name = item.id or f'{label}_{place}'
        seen.append(SeenObject(name, label, Point(position.x, position.y), float(best.hypothesis.score)))
    return ObjectsSample(seconds(message.header.stamp), received_s, tuple(seen))


def twist_message(twist: Twist2D) -> Twist:
    """Return a planar velocity as a message."""
    message = Twist()
    message.linear.x = float(twist.v_mps)
    message.angular.z = float(twist.w_radps)
    return message


def trajectory_message(target: JointTarget) -> JointTrajectory:
    """Return a joint target as a trajectory of one point."""
    point = JointTrajectoryPoint(positions=[float(value) for value in target.positions])
    nanoseconds = round(target.duration_s * 1e9)
    point.time_from_start.sec = nanoseconds // 1_000_000_000
    point.time_from_start.nanosec = nanoseconds % 1_000_000_000
    return JointTrajectory(joint_names=list(target.names), points=[point])


def joint_target(message: JointTrajectory) -> JointTarget | None:
    """Return the last point of a trajectory, None if it has none."""
    if not message.points:
        return None
    point = message.points[-1]
    duration_s = point.time_from_start.sec + point.time_from_start.nanosec * 1e-9
    return JointTarget(tuple(message.joint_names), tuple(point.positions), duration_s)


def motion_message(request: MotionRequest, stamp_s: float) -> MotionCommand:
    """Return a motion request as a message."""
    message = MotionCommand(
        epoch=request.epoch, call_id=request.call_id, profile=request.profile.value, last=request.last
    )
    message.header.stamp = time_message(stamp_s)
    if request.twist is not None:
        message.use_twist = True
        message.twist = twist_message(request.twist)
    if request.joints is not None:
        message.joints = trajectory_message(request.joints)
    return message


def motion_request(message: MotionCommand) -> MotionRequest:
    """Return a motion message as a request. Raise ValueError for an unknown profile or unusable joints."""
    twist = Twist2D(message.twist.linear.x, message.twist.angular.z) if message.use_twist else None
    return MotionRequest(
        message.epoch, message.call_id, Profile(message.profile), twist, joint_target(message.joints), message.last
    )


def safety_message(view: SafetyView, stamp_s: float) -> SafetyState:
    """Return a safety view as a message."""
    message = SafetyState(
        boot_id=view.boot_id,
        state=int(view.mode),
        epoch=view.epoch,
        motion_allowed=view.motion_allowed,
        resettable=view.resettable,
        fault=view.fault,
        detail=view.detail,
        limit_reason=view.limit_reason,
    )
    message.header.stamp = time_message(stamp_s)
    return message


def safety_view(message: SafetyState) -> SafetyView:
    """Return a safety message as a view. Raise ValueError for an unknown state."""
    return SafetyView(
        message.boot_id,
        SafetyMode(message.state),
        message.epoch,
        message.motion_allowed,
        message.resettable,
        message.fault,
        message.detail,
        message.limit_reason,
    )
