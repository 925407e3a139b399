"""`rta up` with the real nodes and the simulated robot: what the robot does when the system is told to end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
import re
import signal

from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
import pytest
import rclpy
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from robot_tool_agent.commands.up import READY_LINE
from robot_tool_agent.nodes.qos import COMMAND, SENSOR
from rta_process import gone, RTA, RtaProcess, wait_for

DOMAIN = 56
STANDS_MPS = 0.01


class Watcher(Node):
    """Remembers what went to the robot and how it truly moved."""

    def __init__(self, context: Context) -> None:
        super().__init__('watcher', context=context)
        self.commanded_mps: list[float] = []
        self.true_mps: list[float] = []
        self.create_subscription(Twist, 'cmd_vel', lambda m: self.commanded_mps.append(m.linear.x), COMMAND)
        self.create_subscription(
            Odometry, 'sim/ground_truth', lambda m: self.true_mps.append(m.twist.twist.linear.x), SENSOR
        )


@contextmanager
def watcher() -> Iterator[tuple[Watcher, SingleThreadedExecutor]]:
    """Yield a node in the system's domain and what spins it."""
    context = Context()
    rclpy.init(context=context, domain_id=DOMAIN)
    node = Watcher(context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    try:
        yield node, executor
    finally:
        executor.shutdown()
        node.destroy_node()
        context.try_shutdown()


def wait_until_ready(system: RtaProcess, home: dict[str, str]) -> None:
    """Wait for READY; where a crowded machine made a sensor late during the start, do what an operator does: reset."""

    def said(pattern: str) -> bool:
        return any(re.search(pattern, line) for line in list(system.lines))

    wait_for(lambda: said(f'^{READY_LINE}$|HOLDING .*_STALE'), 60.0, READY_LINE, system.lines)
    if not said(f'^{READY_LINE}$'):
        with RtaProcess([*RTA, 'reset', '--operator', 'test'], DOMAIN, home) as reset:
            reset.exit_code()
    system.wait_line(READY_LINE, timeout_s=30.0)


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_driving_robot_is_brought_to_rest_before_the_nodes_end(number: signal.Signals, tmp_path: Path) -> None:
    home = {'ROS_HOME': str(tmp_path)}
    with watcher() as (seen, executor), RtaProcess([*RTA, 'up'], DOMAIN, home) as system:
        wait_until_ready(system, home)
        drive = ['call', 'move_relative', '{"distance_m": 1.0}']
        with RtaProcess([*RTA, *drive], DOMAIN, home):

            def drives() -> bool:
                executor.spin_once(timeout_sec=0.05)
                return bool(seen.true_mps) and seen.true_mps[-1] > 0.25

            wait_for(drives, 30.0, 'the robot drives', system.lines)
            system.send(number)
            pids = system.children()

            def ended() -> bool:
                executor.spin_once(timeout_sec=0.05)
                return gone(system.pid)

            wait_for(ended, 20.0, 'rta up ended')
            assert system.exit_code() == 0
        assert set(pids) == {'safety', 'simulator', 'executor', 'planner'}
        assert all(gone(pid) for pid in pids.values())
        assert seen.commanded_mps[-1] == 0.0
        # The simulator lives on for a moment after the safety node: what it says last is how the robot was left.
        assert abs(seen.true_mps[-1]) < STANDS_MPS
        assert not any('killed' in line for line in system.lines)
