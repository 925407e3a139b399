"""Robot description: what the YAML of one robot says, checked."""

from robot_tool_agent.core.robot.body import Arm, Footprint, Frames, Gripper, JointRange, PoseConfig
from robot_tool_agent.core.robot.description import RobotDescription
from robot_tool_agent.core.robot.limits import Hardware, Limits
from robot_tool_agent.core.robot.navigation import Backend, NavigationConfig
from robot_tool_agent.core.robot.surroundings import ApprovalPolicy, KnownMap, Place, SkillConfig, Surface
from robot_tool_agent.core.robot.topics import InputTopic, Topics

__all__ = [
    'ApprovalPolicy',
    'Arm',
    'Backend',
    'Footprint',
    'Frames',
    'Gripper',
    'Hardware',
    'InputTopic',
    'JointRange',
    'KnownMap',
    'Limits',
    'NavigationConfig',
    'Place',
    'PoseConfig',
    'RobotDescription',
    'SkillConfig',
    'Surface',
    'Topics',
]
