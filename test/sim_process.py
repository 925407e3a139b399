"""The simulator as a process of its own, and a node in the test process that listens to it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
import json
import os
from pathlib import Path
import subprocess
import sys
import time
from typing import Any

from children import end
from geometry_msgs.msg import PoseWithCovarianceStamped, Twist, TwistStamped
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import GetParameters, SetParameters
import rclpy
from rclpy.executors import SingleThreadedExecutor
from robot_tool_agent_interfaces.msg import DetectedObjects
from sensor_msgs.msg import BatteryState, JointState, LaserScan
from sim_house import ROBOT_FILE, WORLD_FILE
from std_msgs.msg import Bool, String
from std_srvs.srv import Trigger

KINDS = {
    'odom': Odometry,
    'global_pose': PoseWithCovarianceStamped,
    'scan': LaserScan,
    'bumper': Bool,
    'joint_states': JointState,
    'battery_state': BatteryState,
    'detected_objects': DetectedObjects,
    'sim/ground_truth': Odometry,
    'sim/truth_json': String,
}


@contextmanager
def simulator(domain: int, *arguments: str, robot: Path = ROBOT_FILE, world: Path = WORLD_FILE) -> Iterator[Any]:
    """Run the node as a process of its own."""
    command = [sys.executable, '-m', 'robot_tool_agent_sim.robot_node', '--ros-args']
    files = ['-p', f'robot_file:={robot}', '-p', f'world_file:={world}']
    environment = {**os.environ, 'ROS_DOMAIN_ID': str(domain), 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
    process = subprocess.Popen(
        [*command, *files, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        yield process
    finally:
        end(process)


class Probe:
    """A node in the test process that listens to everything."""

    def __init__(self, domain: int, namespace: str = '', kinds: dict[str, Any] = KINDS) -> None:
        os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
        self.context = rclpy.Context()
        rclpy.init(context=self.context, domain_id=domain)
        self.node = rclpy.create_node('probe', namespace=namespace, context=self.context)
        self.executor = SingleThreadedExecutor(context=self.context)
        self.executor.add_node(self.node)
        self.heard: dict[str, list[Any]] = defaultdict(list)
        for topic, kind in kinds.items():
            self.node.create_subscription(kind, topic, self.heard[topic].append, 10)

    def close(self) -> None:
        self.executor.shutdown()
        self.node.destroy_node()
        rclpy.shutdown(context=self.context)

    def until(self, reached: Callable[[], Any], limit_s: float = 15.0) -> None:
        deadline_s = time.monotonic() + limit_s
        while not reached():
            assert time.monotonic() < deadline_s, f'not reached in {limit_s} s; heard {self.counts()}'
            self.executor.spin_once(timeout_sec=0.05)

    def listen(self, duration_s: float) -> None:
        deadline_s = time.monotonic() + duration_s
        self.until(lambda: time.monotonic() >= deadline_s, duration_s + 1.0)

    def counts(self) -> dict[str, int]:
        return {topic: len(messages) for topic, messages in self.heard.items()}

    def drain(self) -> None:
        """Take everything that waits, so that what comes next is of now."""
        quiet = 0
        while quiet < 5:
            before = self.counts()
            self.executor.spin_once(timeout_sec=0.0)
            quiet = quiet + 1 if self.counts() == before else 0

    def fresh(self, topic: str) -> Any:
        """Return the next message of a topic."""
        self.drain()
        self.heard[topic].clear()
        self.until(lambda: self.heard[topic])
        return self.heard[topic][-1]

    def truth(self) -> dict[str, Any]:
        return json.loads(self.fresh('sim/truth_json').data)

    def call(self, kind: Any, name: str, request: Any) -> Any:
        client = self.node.create_client(kind, name)
        try:
            self.until(client.service_is_ready)
            future = client.call_async(request)
            self.until(future.done)
            return future.result()
        finally:
            self.node.destroy_client(client)

    def reset(self) -> None:
        assert self.call(Trigger, 'sim/reset', Trigger.Request()).success

    def set_parameter(self, name: str, value: ParameterValue) -> Any:
        request = SetParameters.Request(parameters=[Parameter(name=name, value=value)])
        return self.call(SetParameters, 'simulator/set_parameters', request).results[0]

    def set_fault(self, name: str) -> Any:
        return self.set_parameter('fault', ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=name))

    def fault(self) -> str:
        answer = self.call(GetParameters, 'simulator/get_parameters', GetParameters.Request(names=['fault']))
        return str(answer.values[0].string_value)

    @contextmanager
    def driving(self, v_mps: float, message: type = Twist) -> Iterator[None]:
        publisher = self.node.create_publisher(message, 'cmd_vel', 10)
        command = message()
        (command.twist if message is TwistStamped else command).linear.x = v_mps
        timer = self.node.create_timer(0.05, lambda: publisher.publish(command))
        try:
            yield
        finally:
            self.node.destroy_timer(timer)
            self.node.destroy_publisher(publisher)
