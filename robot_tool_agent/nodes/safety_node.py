"""The safety node: the only publisher of `cmd_vel` and `joint_trajectory`.

Subscribes: motion_command (MotionCommand, reliable), heartbeat (Heartbeat, reliable) and, where
the robot description has them, odom (nav_msgs/Odometry), global_pose (geometry_msgs/PoseWithCovarianceStamped), scan
(sensor_msgs/LaserScan), bumper and estop (std_msgs/Bool), joint_states (sensor_msgs/JointState), all best effort.

Publishes: cmd_vel (geometry_msgs/Twist or TwistStamped, reliable, at gate_rate_hz and at once on a fault),
joint_trajectory (trajectory_msgs/JointTrajectory, reliable), safety_state (SafetyState, transient local, on change and
at 10 Hz), heartbeat (10 Hz).

Services: trip_safety (TripSafety), reset_safety (ResetSafety).

Parameters: robot_file, cmd_vel_stamped and those of SafetyConfig; config/safety.yaml lists them with units.

Ends with 0 after SIGINT or SIGTERM, once the robot stands or 0.6 s have passed; the last cmd_vel is zero. Ends with 2
for a configuration that cannot be used, and with 1 after an exception, then with zero as its last cmd_vel.
"""

import os
import sys
from collections.abc import Callable
from typing import Any

from geometry_msgs.msg import PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from robot_tool_agent_interfaces.msg import Heartbeat, MotionCommand
from robot_tool_agent_interfaces.srv import ResetSafety, TripSafety
from sensor_msgs.msg import JointState, LaserScan
from std_msgs.msg import Bool

from robot_tool_agent.config_files import load_robot
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety.gate import Offer
from robot_tool_agent.core.safety.requests import Answer, TripRequest
from robot_tool_agent.core.safety.supervisor import SafetySupervisor
from robot_tool_agent.core.samples import BumperSample
from robot_tool_agent.nodes import conversions
from robot_tool_agent.nodes.clock import steady_now_s
from robot_tool_agent.nodes.heartbeat import HeartbeatPublisher
from robot_tool_agent.nodes.parameters import declare
from robot_tool_agent.nodes.qos import COMMAND, SENSOR
from robot_tool_agent.nodes.runtime import EXIT_CRASH, run_node
from robot_tool_agent.nodes.safety_outputs import SafetyOutputs
from robot_tool_agent.nodes.safety_parameters import SafetyParameters
from robot_tool_agent.nodes.stall_guard import StallGuard

SHUTDOWN_LIMIT_S = 0.6
DROPS_PERIOD_S = 1.0


class SafetyNode(Node):
    """Feeds the supervisor and publishes what it decides. No decision is made here."""

    def __init__(self) -> None:
        super().__init__('safety')
        parameters = declare(self, SafetyParameters)
        robot = load_robot(parameters.robot_file)
        self._heartbeat = HeartbeatPublisher(self)
        self._supervisor = SafetySupervisor(robot, parameters, self._heartbeat.boot_id, steady_now_s())
        stamped = robot.topics.cmd_vel.stamped if parameters.cmd_vel_stamped is None else parameters.cmd_vel_stamped
        self._outputs = SafetyOutputs(self, robot, stamped)
        self._told = self._supervisor.mode
        self._shutdown_s: float | None = None
        self._counted: dict[str, int] = {}
        self._stall_guard = StallGuard(_exit_stalled)
        self._listen_to_sensors(robot)
        self.create_subscription(MotionCommand, 'motion_command', self._on_command, COMMAND)
        self.create_subscription(Heartbeat, 'heartbeat', self._on_heartbeat, COMMAND)
        self.create_service(TripSafety, 'trip_safety', self._on_trip)
        self.create_service(ResetSafety, 'reset_safety', self._on_reset)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self.create_timer(1.0 / parameters.gate_rate_hz, self._tick, clock=steady)
        self.create_timer(DROPS_PERIOD_S, self._log_drops, clock=steady)
        self._stall_guard.start()

    def on_shutdown(self) -> bool:
        """Stop the robot; True once it stands or the limit has passed. The last message is zero."""
        now_s = steady_now_s()
        if self._shutdown_s is None:
            self._shutdown_s = now_s
            self._supervisor.trip(TripRequest('OPERATOR_STOP', 'the safety node was told to end'), now_s)
        self._tick()
        return self._supervisor.stands() or now_s - self._shutdown_s >= SHUTDOWN_LIMIT_S

    def on_crash(self) -> None:
        """Publish zero and the reason: the process ends with an error."""
        self._outputs.publish(self._supervisor.fail(repr(sys.exc_info()[1]), steady_now_s()))

    def _listen_to_sensors(self, robot: RobotDescription) -> None:
        supervisor = self._supervisor
        self._listen(robot, 'odom', Odometry, conversions.odom_sample, supervisor.on_odom)
        self._listen(robot, 'scan', LaserScan, conversions.scan_sample, supervisor.on_scan)
        self._listen(
            robot, 'global_pose', PoseWithCovarianceStamped, conversions.global_pose_sample, supervisor.on_global_pose
        )
        self._listen(robot, 'joint_states', JointState, conversions.joint_sample, supervisor.on_joints)
        self._listen(robot, 'bumper', Bool, self._switch_sample, supervisor.on_bumper)
        self._listen(robot, 'estop', Bool, self._switch_sample, supervisor.on_estop)

    def _listen(
        self,
        robot: RobotDescription,
        topic: str,
        kind: type,
        convert: Callable[[Any, float], Any],
        take: Callable[[Any], None],
    ) -> None:
        """Feed a sensor topic to the supervisor if this robot has it."""
        if topic not in robot.topics.inputs():
            return

        def callback(message: Any) -> None:
            take(convert(message, steady_now_s()))
            self._publish_if_changed()

        self.create_subscription(kind, robot.topics.resolved(topic), callback, SENSOR)

    def _switch_sample(self, message: Bool, received_s: float) -> BumperSample:
        ros_now_s = float(self.get_clock().now().nanoseconds) * 1e-9
        return conversions.bumper_sample(message, ros_now_s, received_s)

    def _on_command(self, message: MotionCommand) -> None:
        now_s = steady_now_s()
        try:
            self._supervisor.on_command(conversions.motion_request(message), now_s)
        except ValueError as error:
            self._supervisor.on_malformed_command(message.epoch, str(error), now_s)
        self._publish_if_changed()

    def _on_heartbeat(self, message: Heartbeat) -> None:
        self._supervisor.on_heartbeat(message.node, message.boot_id, message.sequence, steady_now_s())
        self._publish_if_changed()

    def _on_trip(self, request: TripSafety.Request, response: TripSafety.Response) -> TripSafety.Response:
        asked = TripRequest(request.fault, request.detail, request.call_id, request.task_id, request.epoch)
        answer = self._supervisor.trip(asked, steady_now_s())
        self._publish_if_changed()
        return _answered(response, answer)

    def _on_reset(self, request: ResetSafety.Request, response: ResetSafety.Response) -> ResetSafety.Response:
        answer = self._supervisor.reset(request.operator_name, steady_now_s())
        self.get_logger().info(f'reset asked by {request.operator_name!r}: {answer.message}')
        self._publish_if_changed()
        return _answered(response, answer)

    def _publish_if_changed(self) -> None:
        """Publish at once after an event that changed the state: a stop does not wait for the next period."""
        if self._supervisor.mode is not self._told:
            self._tick()

    def _tick(self) -> None:
        self._stall_guard.beat()
        output = self._supervisor.tick(steady_now_s())
        self._told = self._supervisor.mode
        self._outputs.publish(output)

    def _log_drops(self) -> None:
        counters = self._supervisor.counters
        fresh = {reason: count - self._counted.get(reason, 0) for reason, count in counters.items()}
        dropped = [f'{reason} {count}' for reason, count in fresh.items() if count and reason != Offer.ACCEPTED.value]
        if dropped:
            self.get_logger().info(f'dropped commands: {", ".join(dropped)}')
        self._counted = counters


def _answered(response: Any, answer: Answer) -> Any:
    response.success, response.message = answer.success, answer.message
    return response


def _exit_stalled() -> None:
    print('safety: the loop has stalled; the process ends so that the robot stops by its own timeout', file=sys.stderr)
    sys.stderr.flush()
    os._exit(EXIT_CRASH)


def main() -> int:
    """Run the safety node."""
    return run_node(SafetyNode)


if __name__ == '__main__':
    sys.exit(main())
