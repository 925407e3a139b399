"""`rta check` against a live graph: a base that publishes some topics well, some badly, some not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
import os
from pathlib import Path
import subprocess
import sys
from typing import Any

from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
import pytest
from robot_tool_agent.nodes.qos import COMMAND, SENSOR
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.ros_loop import RosLoop
from sensor_msgs.msg import BatteryState, LaserScan
from std_msgs.msg import Bool, String

ROBOT = """
name: my_robot
topics:
  cmd_vel: {{stamped: {stamped}}}
  odom: {{rate_hz: 50.0}}
  scan: {{rate_hz: 10.0, name: front/scan}}
  bumper: {{rate_hz: 10.0}}
  battery_state: {{rate_hz: 2.0}}
limits: {{max_speed_mps: 0.3, max_reverse_mps: 0.2, max_turn_radps: 1.0, max_accel_mps2: 0.5, max_decel_mps2: 1.0,
  max_turn_accel_radps2: 2.0, max_turn_decel_radps2: 3.0, approach_speed_mps: 0.1, retreat_speed_mps: 0.15,
  stop_distance_m: 0.1, approach_stop_distance_m: 0.05, slowdown_distance_m: 0.5}}
footprint: {{radius_m: 0.2}}
safe_poses: {{dock: {{x_m: 0.0, y_m: 0.0}}}}
skills: {{wait: {{}}}}
"""


class Base:
    """A robot's driver in namespace r1: what it publishes is told line by line by the test."""

    def __init__(self) -> None:
        self.domain_id = free_domain()
        self._loop = RosLoop('base', self.domain_id, 'r1')
        self._loop.node.create_subscription(Twist, 'cmd_vel', lambda message: None, COMMAND)

    def publish(self, kind: type[Any], topic: str, rate_hz: float, frame: str = '', old_s: int = 0) -> None:
        """Publish a topic at a rate with stamps `old_s` seconds old."""
        node = self._loop.node
        publisher = node.create_publisher(kind, topic, SENSOR)

        def tick() -> None:
            message = kind()
            if hasattr(message, 'header'):
                message.header.stamp = node.get_clock().now().to_msg()
                message.header.stamp.sec -= old_s
                message.header.frame_id = frame
            publisher.publish(message)

        node.create_timer(1.0 / rate_hz, tick)

    def start(self) -> None:
        """Begin to publish."""
        self._loop.start()

    def close(self) -> None:
        """Leave."""
        self._loop.close()


@pytest.fixture
def base() -> Iterator[Base]:
    """Return a base that is ended after the test."""
    made = Base()
    yield made
    made.close()


@pytest.fixture
def check(base: Base, tmp_path: Path) -> Callable[..., tuple[int, str]]:
    """Return a function that runs `rta check` in the base's domain and returns exit code and output."""

    def run(*options: str, stamped: str = 'false') -> tuple[int, str]:
        path = tmp_path / 'my_robot.yaml'
        path.write_text(ROBOT.format(stamped=stamped), encoding='utf-8')
        environment = {**os.environ, 'ROS_DOMAIN_ID': str(base.domain_id), 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
        command = [sys.executable, '-m', 'robot_tool_agent.cli', 'check', str(path), *options]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60.0, check=False)
        return done.returncode, done.stdout + done.stderr

    return run


def _all_is_well(base: Base) -> None:
    base.publish(Odometry, 'odom', 50.0, 'odom')
    base.publish(LaserScan, 'front/scan', 10.0, 'base_scan')
    base.publish(Bool, 'bumper', 10.0)
    base.publish(BatteryState, 'battery_state', 2.0)


def test_a_robot_as_described(base: Base, check: Callable[..., tuple[int, str]]) -> None:
    _all_is_well(base)
    base.start()
    code, text = check('--namespace', 'r1')
    assert code == 0, text
    assert text.count('\nok ') == 5, text
    assert 'BAD' not in text


def test_each_difference_has_its_row(base: Base, check: Callable[..., tuple[int, str]]) -> None:
    base.publish(Odometry, 'odom', 50.0, 'world')
    base.publish(LaserScan, 'scan', 10.0, 'base_scan')
    base.publish(String, 'bumper', 10.0)
    base.publish(BatteryState, 'battery_state', 2.0, old_s=30)
    base.publish(Twist, 'cmd_vel', 1.0)
    base.start()
    code, text = check('--namespace', 'r1', stamped='true')
    assert code == 1, text
    for part in (
        "/r1/odom           frame 'world', described is 'odom'",
        '/r1/front/scan     nobody publishes it',
        'set topics.scan.name (this type comes on /r1/scan)',
        '/r1/bumper         published as std_msgs/msg/String, needed is std_msgs/msg/Bool',
        '/r1/battery_state  stamps are 30.0',
        '/r1/cmd_vel        also published by /r1/base',
    ):
        assert part in text, text


def test_a_command_topic_of_the_wrong_type(base: Base, check: Callable[..., tuple[int, str]]) -> None:
    _all_is_well(base)
    base.start()
    code, text = check('--namespace', 'r1', stamped='true')
    assert code == 1, text
    assert 'taken as geometry_msgs/msg/Twist, sent is geometry_msgs/msg/TwistStamped' in text


def test_without_a_robot_the_file_alone_is_checked(base: Base, check: Callable[..., tuple[int, str]]) -> None:
    base.start()
    code, text = check('--namespace', 'nowhere')
    assert (code, 'No running robot' in text) == (0, True), text
    code, text = check('--file-only')
    assert (code, 'robot my_robot' in text, 'running' in text) == (0, True, False), text
