"""The turtle adapter where turtlesim is not installed: geometry_msgs/Pose2D, which has x, y and theta, as its pose."""

from __future__ import annotations

import sys

from geometry_msgs.msg import Pose2D
from robot_tool_agent.nodes.runtime import run_node
from robot_tool_agent_sim.turtlesim.adapter_node import TurtleAdapterNode

if __name__ == '__main__':
    sys.exit(run_node(lambda: TurtleAdapterNode(Pose2D)))
