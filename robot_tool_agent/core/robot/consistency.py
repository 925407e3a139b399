"""What must fit together in a robot description. Each function returns every fault it finds, a line each."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robot_tool_agent.core.robot.description import RobotDescription


def body_faults(robot: RobotDescription) -> list[str]:
    """Return what is wrong with gripper, arm and their topics."""
    topics = robot.topics
    unreachable = topics.joint_states is None or topics.joint_trajectory is None
    parts = [name for name in ('gripper', 'arm') if getattr(robot, name) is not None]
    faults = [_needs_joints(part) for part in parts if unreachable]
    if robot.arm is None:
        return faults
    if robot.gripper is not None and robot.gripper.joint in robot.arm.joints:
        faults.append(f'arm.joints: {robot.gripper.joint} is the gripper')
    for name, position_rad in robot.arm_home.items():
        joint = robot.arm.joints.get(name)
        if joint is None or not joint.allows(position_rad):
            faults.append(f'arm_home.{name} = {position_rad}: not a joint of the arm, or past its limits')
    return faults


def _needs_joints(part: str) -> str:
    return f'{"an" if part == "arm" else "a"} {part} needs topics.joint_states and topics.joint_trajectory'


def limit_faults(robot: RobotDescription) -> list[str]:
    """Return the limits that the hardware does not have; a value the maker does not state is not compared."""
    stated = {name: value for name, value in robot.hardware.model_dump().items() if value is not None}
    limits = {**robot.limits.model_dump(), 'retreat_speed_mps': robot.limits.retreat_speed_mps}
    pairs = [(name, limits[name], most) for name, most in stated.items()]
    if 'max_speed_mps' in stated:
        pairs.append(('max_reverse_mps', limits['max_reverse_mps'], stated['max_speed_mps']))
    return [f'limits.{name} = {value}: the hardware can do {most}' for name, value, most in pairs if value > most]


def space_faults(robot: RobotDescription) -> list[str]:
    """Return the poses outside the geofence, and an open space that nothing bounds or watches."""
    outside = [key for key, point in robot.base_poses().items() if not robot.inside_geofence(point)]
    faults = [f'outside the geofence: {", ".join(outside)}'] if outside else []
    if robot.open_space and (robot.geofence is None or robot.topics.scan is None):
        faults.append('open_space needs a geofence and topics.scan')
    return faults


def approval_faults(robot: RobotDescription) -> list[str]:
    """Return the approval policies that name a skill or a place that does not exist."""
    faults = []
    for policy in robot.approvals:
        if policy.skill not in robot.skills:
            faults.append(f'approvals: skill {policy.skill!r} is not enabled; enabled: {", ".join(robot.skills)}')
        if policy.place is not None and robot.find_place(policy.place) is None:
            faults.append(f'approvals: no place {policy.place!r}; places: {", ".join(robot.places)}')
    return faults
