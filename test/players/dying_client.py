"""Sends one skill call and is killed in the same breath: `dying_client.py SKILL ARGUMENTS CALL_ID`."""

import os
import signal
import sys

import rclpy
from rclpy.action import ActionClient
from robot_tool_agent_interfaces.action import ExecuteSkill

WAIT_S = 10.0

if __name__ == '__main__':
    rclpy.init()
    node = rclpy.create_node('dying_client')
    client = ActionClient(node, ExecuteSkill, 'execute_skill')
    if not client.wait_for_server(WAIT_S):
        sys.exit(1)
    skill, arguments, call_id = sys.argv[1:]
    goal = ExecuteSkill.Goal(call_id=call_id, skill=skill, arguments_json=arguments, requested_by='dying_client')
    client.send_goal_async(goal)
    os.kill(os.getpid(), signal.SIGKILL)
