"""
Small nodes that stand in for the real ones, and misbehave as STAND_IN_<NAME> says.

Run as a program it is `rta` with the node set replaced by these stand-ins.
"""

from dataclasses import replace
import os
import signal
import sys
import threading

import rclpy
from rclpy.node import Node
from robot_tool_agent import cli, node_set
from robot_tool_agent.config_files import ConfigError
from robot_tool_agent.nodes.clock import steady_now_s
from robot_tool_agent.nodes.qos import LATCHED
from robot_tool_agent.nodes.runtime import run_node
from robot_tool_agent_interfaces.msg import SafetyState
from robot_tool_agent_interfaces.srv import DescribeSkills

REST_S = 0.3


class StandIn(Node):
    """Safety publishes READY, the executor serves one skill, the others only live."""

    def __init__(self, name: str, behaviour: str) -> None:
        super().__init__(name)
        self._rests_at_s: float | None = None
        self._name = name
        if behaviour == 'bad_config':
            raise ConfigError('max_speed_mps = 9: too much\nmax_turn_radps = 9: too much')
        if behaviour == 'crash':
            raise RuntimeError('broken on purpose')
        if name == 'safety':
            self._publisher = self.create_publisher(SafetyState, 'safety_state', LATCHED)
            self.create_timer(0.1, lambda: self._publisher.publish(SafetyState(state=SafetyState.READY, epoch=1)))
        if name == 'executor':
            self.create_service(DescribeSkills, 'describe_skills', self._describe)
        print(f'{name} is up as {self.get_fully_qualified_name()}', flush=True)

    def _describe(self, request: DescribeSkills.Request, response: DescribeSkills.Response) -> DescribeSkills.Response:
        response.skills_json = '[{"name": "wait"}]'
        return response

    def on_shutdown(self) -> bool:
        """Say when the stop began and when it was over; the safety node takes a while, as braking does."""
        if self._rests_at_s is None:
            self._rests_at_s = steady_now_s() + (REST_S if self._name == 'safety' else 0.0)
            print(f'{self._name} stopping', flush=True)
        if steady_now_s() < self._rests_at_s:
            return False
        print(f'{self._name} ends', flush=True)
        return True


def deaf() -> int:
    """Ignore every signal that can be ignored."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    print('deaf is up', flush=True)
    while True:
        threading.Event().wait(0.1)


def main() -> int:
    """Run the stand-in whose name is among the arguments."""
    name = next(item.partition(':=')[2] for item in sys.argv if item.startswith('__node:='))
    behaviour = os.environ.get(f'STAND_IN_{name.upper()}', '')
    if behaviour == 'deaf':
        return deaf()
    try:
        return run_node(lambda: StandIn(name, behaviour))
    finally:
        rclpy.try_shutdown()


if __name__ == '__main__':
    node_set.NODE_SET = tuple(replace(spec, module='up_stand_ins') for spec in node_set.NODE_SET)
    sys.exit(cli.main())
