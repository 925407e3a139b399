"""
The safety node: the only publisher of `cmd_vel` and `joint_trajectory`.

Subscribes: motion_command (MotionCommand, reliable), heartbeat (Heartbeat, reliable) and, where
the robot description has them, odom (nav_msgs/Odometry), global_pose (geometry_msgs/PoseWithCovarianceStamped), scan
(sensor_msgs/LaserScan), bumper and estop (std_msgs/Bool), joint_states (sensor_msgs/JointState), imu
(sensor_msgs/Imu), battery_state (sensor_msgs/BatteryState), all best effort.

Publishes: cmd_vel (geometry_msgs/Twist or TwistStamped, reliable, at gate_rate_hz and at once on a fault),
joint_trajectory (trajectory_msgs/JointTrajectory, reliable), safety_state (SafetyState, transient local, on change and
at 10 Hz), heartbeat (10 Hz), /diagnostics (diagnostic_msgs/DiagnosticArray, reliable, 1 Hz).

Services: trip_safety (TripSafety), reset_safety (ResetSafety).

Parameters: robot_file, cmd_vel_stamped and those of SafetyConfig; config/safety.yaml lists them with units.

Ends with 0 after SIGINT or SIGTERM, once the robot stands or 0.6 s have passed; the last cmd_vel is zero. Ends with 2
for a configuration that cannot be used, and with 1 after an exception, then with zero as its last cmd_vel.
"""

import os
import sys
from typing import Any

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from robot_tool_agent.config_files import load_robot
from robot_tool_agent.core.geometry import ZERO_TWIST
from robot_tool_agent.core.safety.gate import Offer
from robot_tool_agent.core.safety.requests import Answer, TripRequest
from robot_tool_agent.core.safety.supervisor import SafetySupervisor
from robot_tool_agent.nodes import conversions
from robot_tool_agent.nodes.clock import steady_now_s
from robot_tool_agent.nodes.gate_timer import GateTimer
from robot_tool_agent.nodes.heartbeat import HeartbeatPublisher
from robot_tool_agent.nodes.parameters import declare
from robot_tool_agent.nodes.qos import COMMAND
from robot_tool_agent.nodes.rivals import other_publishers
from robot_tool_agent.nodes.runtime import EXIT_CRASH, run_node
from robot_tool_agent.nodes.safety_diagnostics import SafetyDiagnostics
from robot_tool_agent.nodes.safety_inputs import SafetyInputs
from robot_tool_agent.nodes.safety_outputs import SafetyOutputs
from robot_tool_agent.nodes.safety_parameters import SafetyParameters
from robot_tool_agent.nodes.stall_guard import StallGuard
from robot_tool_agent.nodes.told_text import told_text
from robot_tool_agent_interfaces.msg import Heartbeat, MotionCommand
from robot_tool_agent_interfaces.srv import ResetSafety, TripSafety

SHUTDOWN_LIMIT_S = 0.6
# A process that ends at once takes what it has just said with it.
LAST_WORDS_S = 0.2
LOOK_ROUND_PERIOD_S = 0.5
TELL_PERIOD_S = 1.0


_DROPS = frozenset(offer.value for offer in Offer) - {Offer.ACCEPTED.value}


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
        self._diagnostics = SafetyDiagnostics(self)
        self._sim_time = bool(self.get_parameter('use_sim_time').value)
        self._told = self._supervisor.mode
        self._shutdown_s: float | None = None
        self._counted: dict[str, int] = {}
        self._stall_guard = StallGuard(_exit_stalled)
        SafetyInputs(self, robot, self._supervisor, self._publish_if_due)
        self.create_subscription(MotionCommand, 'motion_command', self._on_command, COMMAND)
        self.create_subscription(Heartbeat, 'heartbeat', self._on_heartbeat, COMMAND)
        self.create_service(TripSafety, 'trip_safety', self._on_trip)
        self.create_service(ResetSafety, 'reset_safety', self._on_reset)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        period_s = 1.0 / parameters.gate_rate_hz
        self._timer = GateTimer(self, steady, period_s, self._tick, self._supervisor.next_deadline_s)
        self.create_timer(LOOK_ROUND_PERIOD_S, self._look_round, clock=steady)
        self.create_timer(TELL_PERIOD_S, self._tell, clock=steady)
        for notice in self._supervisor.notices:
            self.get_logger().error(notice)
        self._stall_guard.start()

    def on_shutdown(self) -> bool:
        """Stop the robot; True once it stands or the limit has passed. The last message is zero."""
        now_s = steady_now_s()
        if self._shutdown_s is None:
            self._shutdown_s = now_s
            self._supervisor.trip(TripRequest('OPERATOR_STOP', 'the safety node was told to end'), now_s)
        self._tick()
        over = self._supervisor.stands() or now_s - self._shutdown_s >= SHUTDOWN_LIMIT_S
        if over:
            self._stall_guard.stop()
        return over

    def on_crash(self) -> None:
        """Publish zero and the reason: the process ends with an error."""
        self._outputs.publish(self._supervisor.fail(repr(sys.exc_info()[1]), steady_now_s()))
        self._outputs.wait_heard(LAST_WORDS_S)
        self._stall_guard.stop()

    def _on_command(self, message: MotionCommand) -> None:
        now_s = steady_now_s()
        try:
            self._supervisor.on_command(conversions.motion_request(message), now_s)
        except ValueError as error:
            self._supervisor.on_malformed_command(message.epoch, str(error), now_s)
        self._publish_if_due()

    def _on_heartbeat(self, message: Heartbeat) -> None:
        self._supervisor.on_heartbeat(message.node, message.boot_id, message.sequence, steady_now_s())
        self._publish_if_due()

    def _on_trip(self, request: TripSafety.Request, response: TripSafety.Response) -> TripSafety.Response:
        asked = TripRequest(request.fault, request.detail, request.call_id, request.task_id, request.epoch)
        answer = self._supervisor.trip(asked, steady_now_s())
        self._publish_if_due()
        return _answered(response, answer)

    def _on_reset(self, request: ResetSafety.Request, response: ResetSafety.Response) -> ResetSafety.Response:
        answer = self._supervisor.reset(request.operator_name, steady_now_s())
        response = _answered(response, answer)
        self.get_logger().info(f'reset asked by {told_text(request.operator_name)!r}: {response.message}')
        self._publish_if_due()
        return response

    def _publish_if_due(self) -> None:
        """Publish at once after news that changed the state or slow the robot: a stop does not wait for the period."""
        changed = self._supervisor.mode is not self._told
        if self._supervisor.zero_ordered:
            self._outputs.publish_velocity(ZERO_TWIST)
        elif changed or self._supervisor.hurries:
            self._outputs.publish_velocity(self._supervisor.hurry(steady_now_s()))
        if changed:
            self._tick()

    def _tick(self) -> None:
        self._stall_guard.beat()
        now_s = steady_now_s()
        if self._sim_time:
            self._supervisor.on_ros_time(float(self.get_clock().now().nanoseconds) * 1e-9, now_s)
        output = self._supervisor.tick(now_s)
        self._told = self._supervisor.mode
        self._outputs.publish(output)
        self._timer.turned(now_s)

    def _look_round(self) -> None:
        self._supervisor.on_rivals(other_publishers(self, self._outputs.actuator_topics))

    def _tell(self) -> None:
        self._diagnostics.publish(self._supervisor.status(steady_now_s()))
        self._log_drops()

    def _log_drops(self) -> None:
        counters = self._supervisor.counters
        fresh = {reason: count - self._counted.get(reason, 0) for reason, count in counters.items()}
        dropped = [f'{reason} {count}' for reason, count in fresh.items() if count and reason in _DROPS]
        if dropped:
            self.get_logger().info(f'dropped commands: {", ".join(dropped)}')
        self._counted = counters


def _answered(response: Any, answer: Answer) -> Any:
    response.success, response.message = answer.success, told_text(answer.message)
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
