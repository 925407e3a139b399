"""
The simulated robot as a ROS 2 node.

Node `simulator`. Topic names are relative; the robot YAML says which the robot has, at what rate, and may rename them.
Publishes (reliable, depth 10: any subscription matches) `odom`, `global_pose`, `scan`, `bumper`, `joint_states`,
`battery_state`, `detected_objects`, `imu`, `estop`; for judges `sim/ground_truth` (nav_msgs/Odometry, map frame,
50 Hz) and `sim/truth_json` (std_msgs/String, 10 Hz); `/clock` at the step rate with `publish_clock`.
Subscribes: `cmd_vel` (Twist, or TwistStamped where the YAML says so), `joint_trajectory` (last point counts).
Service: `sim/reset` (std_srvs/Trigger): robot to spawn, world restored, counters zero, fault `none`.
Parameters: those of `SimulatorSettings`, fixed at start, and `fault`, which may be set at any time.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
import sys
import time
from typing import Any

from geometry_msgs.msg import PoseWithCovarianceStamped, Twist, TwistStamped
from nav_msgs.msg import Odometry
from rcl_interfaces.msg import ParameterDescriptor, SetParametersResult
import rclpy.clock
from rclpy.node import Node
from rclpy.parameter import Parameter
from robot_tool_agent.config_files import ConfigError
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.nodes import parameters
from robot_tool_agent.nodes.clock import time_message
from robot_tool_agent.nodes.conversions import joint_target
from robot_tool_agent.nodes.qos import COMMAND
from robot_tool_agent.nodes.runtime import run_node
from robot_tool_agent_interfaces.msg import DetectedObjects
from robot_tool_agent_sim.faults import FAULTS, NO_FAULT
from robot_tool_agent_sim.messages import Messages
from robot_tool_agent_sim.schedule import Schedule
from robot_tool_agent_sim.settings import build_world, SimulatorSettings
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import BatteryState, Imu, JointState, LaserScan
from std_msgs.msg import Bool, String
from std_srvs.srv import Trigger
from trajectory_msgs.msg import JointTrajectory

# A process that was stopped for longer than this goes on where it was: the world must not leap.
MAX_STEP_S = 0.1
ROLL_OUT_S = 2.0
GROUND_TRUTH_HZ = 50.0
TRUTH_JSON_HZ = 10.0


@dataclass(frozen=True, slots=True)
class _Output:
    """One periodic topic: `build` returns its message, None for silence."""

    schedule: Schedule
    publisher: Any
    build: Callable[[], Any]

    def publish_if_due(self, now_s: float) -> None:
        if not self.schedule.due(now_s):
            return
        message = self.build()
        if message is not None:
            self.publisher.publish(message)


class SimulatorNode(Node):
    """Steps the world in real time (times `time_scale`) and carries messages in and out."""

    def __init__(self) -> None:
        super().__init__('simulator')
        self._settings, fault = self._declare()
        self._world = build_world(self._settings, fault)
        self.add_on_set_parameters_callback(self._check_fault)
        self.add_post_set_parameters_callback(self._apply_fault)
        self._messages = Messages(self._world.robot.frames)
        self._outputs = self._robot_outputs() + self._judge_outputs()
        simulated = self._settings.publish_clock
        self._clock_publisher = self.create_publisher(Clock, '/clock', COMMAND) if simulated else None
        self._subscribe()
        self.create_service(Trigger, 'sim/reset', self._on_reset)
        self._last_s = time.monotonic()
        self._asked_to_end_s: float | None = None
        steady = rclpy.clock.Clock(clock_type=rclpy.clock.ClockType.STEADY_TIME)
        self.create_timer(1.0 / self._settings.step_rate_hz, self._on_timer, clock=steady)

    def _declare(self) -> tuple[SimulatorSettings, str]:
        names = ', '.join(FAULTS)
        descriptor = ParameterDescriptor(description='what goes wrong', additional_constraints=f'one of {names}')
        fault = self.declare_parameter('fault', NO_FAULT, descriptor).value
        lines = [] if fault in FAULTS else [f'simulator: parameter fault = {fault!r}: unknown; valid names: {names}']
        try:
            settings = parameters.declare(self, SimulatorSettings)
        except ConfigError as error:
            raise ConfigError('\n'.join([str(error), *lines])) from None
        if lines:
            raise ConfigError(lines[0])
        return settings, fault

    def _robot_outputs(self) -> list[_Output]:
        world, messages = self._world, self._messages
        sources: dict[str, tuple[type, Callable[[], Any], Callable[[Any], Any]]] = {
            'odom': (Odometry, world.odom, messages.odometry),
            'global_pose': (PoseWithCovarianceStamped, world.global_pose, messages.global_pose),
            'scan': (LaserScan, world.scan, messages.scan),
            'bumper': (Bool, world.bumper, messages.bumper),
            'joint_states': (JointState, world.joints, messages.joints),
            'battery_state': (BatteryState, world.battery, messages.battery),
            'detected_objects': (DetectedObjects, world.objects, messages.objects),
            'imu': (Imu, world.imu, messages.imu),
            'estop': (Bool, world.estop, messages.bumper),
        }
        topics = world.robot.topics
        return [
            self._output(topics.resolved(name), sources[name][0], topic.rate_hz, self._reader(name, *sources[name][1:]))
            for name, topic in topics.inputs().items()
        ]

    def _reader(self, topic: str, read: Callable[[], Any], convert: Callable[[Any], Any]) -> Callable[[], Any]:
        """Return a function that reads a sensor and converts what it says, None for silence."""

        def build() -> Any:
            sample = read()
            return None if sample is None else self._world.fault.worded(topic, convert(sample))

        return build

    def _judge_outputs(self) -> list[_Output]:
        world, messages = self._world, self._messages
        return [
            self._output(
                'sim/ground_truth',
                Odometry,
                GROUND_TRUTH_HZ,
                lambda: messages.ground_truth(world.stamp_s, world.pose, world.twist),
            ),
            self._output('sim/truth_json', String, TRUTH_JSON_HZ, lambda: String(data=world.truth().to_json())),
        ]

    def _output(self, topic: str, kind: type, rate_hz: float, build: Callable[[], Any]) -> _Output:
        return _Output(Schedule(rate_hz), self.create_publisher(kind, topic, COMMAND), build)

    def _subscribe(self) -> None:
        topics = self._world.robot.topics
        stamped = topics.cmd_vel.stamped
        self.create_subscription(
            TwistStamped if stamped else Twist,
            topics.resolved('cmd_vel'),
            (lambda message: self._on_twist(message.twist)) if stamped else self._on_twist,
            COMMAND,
        )
        if topics.joint_trajectory is not None:
            self.create_subscription(JointTrajectory, topics.resolved('joint_trajectory'), self._on_trajectory, COMMAND)

    def _on_twist(self, message: Twist) -> None:
        self._world.command_base(Twist2D(message.linear.x, message.angular.z))

    def _on_trajectory(self, message: JointTrajectory) -> None:
        target = joint_target(message)
        if target is not None:
            positions = dict(zip(target.names, target.positions, strict=False))
            self._world.command_joints(positions, target.duration_s)

    def _on_reset(self, request: Trigger.Request, response: Trigger.Response) -> Trigger.Response:
        self._world.reset()
        self.set_parameters([Parameter('fault', value=NO_FAULT)])
        response.success, response.message = True, 'robot at spawn, world restored'
        return response

    def _check_fault(self, changed: list[Parameter]) -> SetParametersResult:
        for parameter in changed:
            if parameter.name == 'fault' and parameter.value not in FAULTS:
                reason = f'unknown fault {parameter.value!r}; valid names: {", ".join(FAULTS)}'
                return SetParametersResult(successful=False, reason=reason)
        return SetParametersResult(successful=True)

    def _apply_fault(self, changed: list[Parameter]) -> None:
        for parameter in changed:
            if parameter.name == 'fault':
                self._world.set_fault(parameter.value)
                self.get_logger().info(f'fault: {parameter.value}')

    def on_shutdown(self) -> bool:
        """Go on until the base stands, for at most ROLL_OUT_S: a robot does not vanish when its programs end."""
        now_s = time.monotonic()
        self._asked_to_end_s = now_s if self._asked_to_end_s is None else self._asked_to_end_s
        return self._world.twist.is_zero() or now_s - self._asked_to_end_s >= ROLL_OUT_S

    def _on_timer(self) -> None:
        now_s = time.monotonic()
        elapsed_s, self._last_s = min(now_s - self._last_s, MAX_STEP_S), now_s
        if elapsed_s <= 0.0:
            return
        simulated = self._settings.publish_clock
        self._world.step(elapsed_s * self._settings.time_scale, None if simulated else self._ros_now_s())
        clock = None if self._clock_publisher is None else self._world.clock()
        if self._clock_publisher is not None and clock is not None:
            self._clock_publisher.publish(Clock(clock=time_message(clock.stamp_s)))
        for output in self._outputs:
            output.publish_if_due(self._world.now_s)

    def _ros_now_s(self) -> float:
        return float(self.get_clock().now().nanoseconds) * 1e-9


def main(argv: Sequence[str] | None = None) -> int:
    """Run the node; return the process's exit code."""
    return run_node(SimulatorNode, argv)


if __name__ == '__main__':
    sys.exit(main())
