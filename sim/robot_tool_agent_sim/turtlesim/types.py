"""The message type of a turtle's pose: it moved to a package of its own in ROS 2 Kilted."""

import importlib

from robot_tool_agent.config_files import ConfigError

PACKAGES = ('turtlesim_msgs', 'turtlesim')  # from Kilted on; up to Jazzy


def pose_type() -> type:
    """Return turtlesim_msgs/msg/Pose or turtlesim/msg/Pose. Raise ConfigError where neither is installed."""
    for package in PACKAGES:
        try:
            module = importlib.import_module(f'{package}.msg')
        except ImportError:
            continue
        found = getattr(module, 'Pose', None)
        if isinstance(found, type):
            return found
    raise ConfigError(f'turtle_adapter: no message type Pose in {" or ".join(PACKAGES)}: install turtlesim')
