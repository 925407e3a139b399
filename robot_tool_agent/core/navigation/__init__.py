"""Ways through the known map and how to drive them."""

from robot_tool_agent.core.navigation.follower import Follower, FollowerState
from robot_tool_agent.core.navigation.house import house_map, HouseMap, Route
from robot_tool_agent.core.navigation.progress import ProgressWatch

__all__ = ['Follower', 'FollowerState', 'HouseMap', 'ProgressWatch', 'Route', 'house_map']
