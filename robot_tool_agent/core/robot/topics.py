"""Which topics a robot has and how often they come."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

from pydantic import Field, Strict
from robot_tool_agent.core.robot.base import ConfigModel

MIN_STALE_S = 0.25
STALE_PERIODS = 3.0


class InputTopic(ConfigModel):
    """A periodic topic the robot publishes. Left out of the YAML, the robot does not have it."""

    rate_hz: float = Field(ge=0.1, le=1000.0, description='declared rate, Hz')
    name: str | None = Field(
        default=None, min_length=1, max_length=255, description='topic name if not the standard one'
    )

    @property
    def stale_s(self) -> float:
        """Age in seconds above which the topic is stale: max(0.25 s, 3 periods)."""
        return max(MIN_STALE_S, STALE_PERIODS / self.rate_hz)


class ObjectsType(str, Enum):
    """In which message detected objects come."""

    OWN = 'DetectedObjects'
    DETECTION3D = 'Detection3DArray'


class ObjectsTopic(InputTopic):
    """Detected objects, poses in the map frame: robot_tool_agent_interfaces/DetectedObjects or vision_msgs."""

    type: Annotated[ObjectsType, Strict(False)] = Field(
        default=ObjectsType.OWN, description='DetectedObjects, or Detection3DArray of vision_msgs'
    )


class CmdVelTopic(ConfigModel):
    """Velocity command of the base."""

    name: str | None = Field(default=None, min_length=1, max_length=255, description='topic name if not cmd_vel')
    stamped: bool = Field(default=False, description='true: TwistStamped, false: Twist')


class JointTrajectoryTopic(ConfigModel):
    """Trajectory command of arm and gripper."""

    name: str | None = Field(
        default=None, min_length=1, max_length=255, description='topic name if not joint_trajectory'
    )


class Topics(ConfigModel):
    """Topics towards and from the robot."""

    cmd_vel: CmdVelTopic = CmdVelTopic()
    joint_trajectory: JointTrajectoryTopic | None = None
    odom: InputTopic
    global_pose: InputTopic | None = None
    scan: InputTopic | None = None
    bumper: InputTopic | None = None
    imu: InputTopic | None = None
    joint_states: InputTopic | None = None
    battery_state: InputTopic | None = None
    detected_objects: ObjectsTopic | None = None
    estop: InputTopic | None = None

    def inputs(self) -> dict[str, InputTopic]:
        """Return the sensor topics this robot has, by standard name."""
        named = ((name, getattr(self, name)) for name in type(self).model_fields)
        return {name: topic for name, topic in named if isinstance(topic, InputTopic)}

    def resolved(self, standard_name: str) -> str:
        """Return the topic name to use for a standard name such as `odom`."""
        topic = getattr(self, standard_name)
        return standard_name if topic is None or topic.name is None else str(topic.name)
