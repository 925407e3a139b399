"""The Gazebo adapter as a process; the test publishes what the bridge would."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
import os
from pathlib import Path
import signal
import subprocess
import sys
from typing import Any

from geometry_msgs.msg import PoseStamped, PoseWithCovarianceStamped, Twist
from nav_msgs.msg import Odometry
import pytest
from robot_tool_agent.nodes.clock import time_message
from robot_tool_agent.nodes.conversions import quaternion_of
from robot_tool_agent_interfaces.msg import DetectedObjects
from sim_house import CONFIG, WORLD_FILE
from sim_process import Probe
from std_msgs.msg import Bool, String

DOMAIN = 24
ROBOT_FILE = CONFIG / 'robots' / 'gazebo_house.yaml'
PROGRAM = Path(__file__).parents[1] / 'gazebo_adapter_process.py'
KINDS = {
    'global_pose': PoseWithCovarianceStamped,
    'detected_objects': DetectedObjects,
    'bumper': Bool,
    'sim/ground_truth': Odometry,
    'gazebo/cmd_vel': Twist,
}


@contextmanager
def adapter(*command: str) -> Iterator[subprocess.Popen[str]]:
    files = ['-p', f'robot_file:={ROBOT_FILE}', '-p', f'world_file:={WORLD_FILE}']
    environment = {**os.environ, 'ROS_DOMAIN_ID': str(DOMAIN), 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
    process = subprocess.Popen(
        [sys.executable, *command, '--ros-args', *files],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.communicate(timeout=10.0)


class Bridge:
    """What Gazebo would say, at 50 Hz. Entries of `poses` are x, y, yaw by model."""

    def __init__(self, probe: Probe) -> None:
        self._probe = probe
        self.poses = {'rover': (7.0, 4.7, 1.5708), 'cup_1': (7.0, 5.48, 0.0)}
        self.contacts = ''
        node = probe.node
        self._publishers: dict[str, Any] = {
            name: node.create_publisher(PoseStamped, f'gazebo/pose/{name}', 10) for name in self.poses
        }
        self._contacts = node.create_publisher(String, 'gazebo/contacts', 10)
        self._timer = node.create_timer(0.02, self._speak)

    def _speak(self) -> None:
        stamp = time_message(self._probe.node.get_clock().now().nanoseconds * 1e-9)
        for name, (x_m, y_m, yaw_rad) in self.poses.items():
            message = PoseStamped()
            message.header.stamp = stamp
            message.pose.position.x, message.pose.position.y = x_m, y_m
            message.pose.orientation = quaternion_of(yaw_rad)
            self._publishers[name].publish(message)
        if self.contacts:
            self._contacts.publish(String(data=self.contacts))

    def stop(self) -> None:
        """Fall silent, as a dead Gazebo would."""
        self._timer.cancel()


Running = tuple[Probe, Bridge, Any]


@pytest.fixture(scope='module')
def running() -> Iterator[Running]:
    with adapter(str(PROGRAM)) as process:
        probe = Probe(DOMAIN, kinds=KINDS)
        try:
            bridge = Bridge(probe)
            probe.until(lambda: all(probe.heard[topic] for topic in set(KINDS) - {'gazebo/cmd_vel'}))
            yield probe, bridge, process
        finally:
            probe.close()


def soon(probe: Probe, topic: str, test: Callable[[Any], bool]) -> None:
    probe.heard[topic].clear()
    probe.until(lambda: any(test(message) for message in probe.heard[topic]))


def test_it_localizes_and_sees(running: Running) -> None:
    probe, _, _ = running
    pose, objects, truth = (probe.fresh(topic) for topic in ('global_pose', 'detected_objects', 'sim/ground_truth'))
    assert (pose.header.frame_id, pose.pose.pose.position.y) == ('map', 4.7)
    assert [(item.id, item.label, item.pose.position.y) for item in objects.objects] == [('cup_1', 'cup', 5.48)]
    assert (truth.header.frame_id, truth.pose.pose.position.x) == ('map', 7.0)


def test_contacts_press_the_bumper_and_its_silence_lets_go(running: Running) -> None:
    probe, bridge, _ = running
    soon(probe, 'bumper', lambda message: not message.data)
    bridge.contacts = 'ab'
    soon(probe, 'bumper', lambda message: message.data)
    bridge.contacts = ''
    soon(probe, 'bumper', lambda message: not message.data)


def test_a_silent_gate_stops_a_drive_that_would_never_stop(running: Running) -> None:
    probe, _, _ = running
    with probe.driving(0.3):
        soon(probe, 'gazebo/cmd_vel', lambda message: message.linear.x == 0.3)
    probe.until(lambda: probe.heard['gazebo/cmd_vel'][-1] == Twist(), limit_s=1.0)


def test_a_dead_gazebo_is_silent_and_the_end_is_in_order(running: Running) -> None:
    probe, bridge, process = running
    bridge.stop()
    probe.drain()
    for messages in probe.heard.values():
        messages.clear()
    probe.listen(0.5)
    assert not any(probe.counts().values())
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=10.0) == 0
    probe.until(lambda: probe.heard['gazebo/cmd_vel'])
    assert probe.heard['gazebo/cmd_vel'][-1] == Twist()


def test_without_ros_gz_the_start_says_so() -> None:
    try:
        import ros_gz_interfaces.msg  # noqa: F401
    except ImportError:
        pass
    else:
        pytest.skip('ros_gz is installed here')
    with adapter('-m', 'robot_tool_agent_sim.gazebo.adapter_node') as process:
        said, _ = process.communicate(timeout=20.0)
    assert process.returncode == 2
    assert 'ros_gz_interfaces/msg/Contacts: install ros_gz' in said
