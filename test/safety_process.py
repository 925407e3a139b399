"""The safety node as a real process, and a stand-in robot and executor round it in the test process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
import os
from pathlib import Path
import subprocess
import sys
import time
from typing import Any

from children import end
from geometry_msgs.msg import Twist
from robot_tool_agent.nodes.qos import LATCHED
from robot_tool_agent_interfaces.msg import MotionCommand, SafetyState
from robot_tool_agent_interfaces.srv import ResetSafety, TripSafety
from robot_tool_agent_sim.harness.stand_ins import StandInExecutor, StandInRobot, velocity_command
from sim_house import CONFIG, ROBOT_FILE
from sim_process import Probe

PARAMETERS = CONFIG / 'safety.yaml'


@contextmanager
def safety_process(domain: int, *arguments: str, robot: Path = ROBOT_FILE) -> Iterator[subprocess.Popen[str]]:
    """Run the node as a process of its own; end it by its pid whatever happens."""
    command = [sys.executable, '-m', 'robot_tool_agent.nodes.safety_node', '--ros-args']
    files = ['--params-file', str(PARAMETERS), '-p', f'robot_file:={robot}']
    environment = {**os.environ, 'ROS_DOMAIN_ID': str(domain), 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
    process = subprocess.Popen(
        [*command, *files, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        yield process
    finally:
        end(process)


class Bench:
    """Robot, executor and ears in the test process. `velocities` and `states` hold arrival time and message."""

    def __init__(self, domain: int, **executor: Any) -> None:
        self.probe = Probe(domain, kinds={})
        node = self.probe.node
        self.robot = StandInRobot(node)
        self.executor = StandInExecutor(node, **executor)
        self.velocities: list[tuple[float, Twist]] = []
        self.states: list[SafetyState] = []
        node.create_subscription(Twist, 'cmd_vel', lambda m: self.velocities.append((time.monotonic(), m)), 10)
        node.create_subscription(SafetyState, 'safety_state', self.states.append, LATCHED)

    @property
    def state(self) -> int:
        """Return the last state heard, -1 before the first."""
        return int(self.states[-1].state) if self.states else -1

    @property
    def speed_mps(self) -> float:
        """Forward speed of the last cmd_vel."""
        return float(self.velocities[-1][1].linear.x) if self.velocities else 0.0

    def until_state(self, *states: int, limit_s: float = 15.0) -> None:
        """Wait for one of the states."""
        self.probe.until(lambda: self.state in states, limit_s)

    def command(self, v_mps: float, call_id: str = 'call', epoch: int | None = None) -> MotionCommand:
        """Return a command of the present or a given epoch."""
        return velocity_command(v_mps, self.states[-1].epoch if epoch is None else epoch, call_id)

    def cruise(self, v_mps: float = 0.3, call_id: str = 'call') -> None:
        """Wait for READY, command a speed and wait until it goes out."""
        self.until_state(SafetyState.READY)
        self.executor.command = self.command(v_mps, call_id)
        self.probe.until(lambda: abs(self.speed_mps - v_mps) < 1e-6)

    def trip(self, fault: str, epoch: int = 0) -> Any:
        """Call trip_safety."""
        return self.probe.call(TripSafety, 'trip_safety', TripSafety.Request(fault=fault, detail='test', epoch=epoch))

    def reset(self, operator: str = 'Ada') -> Any:
        """Call reset_safety."""
        return self.probe.call(ResetSafety, 'reset_safety', ResetSafety.Request(operator_name=operator))

    def close(self) -> None:
        """End the test process's side."""
        self.probe.close()
