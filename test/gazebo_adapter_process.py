"""The Gazebo adapter where ros_gz is not installed: std_msgs/String as contacts, one for each character."""

from __future__ import annotations

import sys

from robot_tool_agent.nodes.runtime import run_node
from robot_tool_agent_sim.gazebo.adapter_node import GazeboAdapterNode
from std_msgs.msg import String

if __name__ == '__main__':
    sys.exit(run_node(lambda: GazeboAdapterNode(String, lambda message: len(message.data))))
