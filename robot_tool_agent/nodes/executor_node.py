"""
The executor node: skills as ROS 2 actions, judged by sensors.

Action: `execute_skill` (ExecuteSkill).
Services: `describe_skills`, `resolve_call`, `decide_approval`, `control_call`.
Publishes: `motion_command`, `approval_requests` (transient local), `heartbeat` (10 Hz).
Subscribes: `safety_state` (transient local), `heartbeat`, and the sensor topics of the robot description.
Calls: `trip_safety`.
Parameters: `robot_file`, `journal_path`, `tick_hz`, `result_timeout_s` and those of ExecutionConfig; see
config/executor.yaml.
"""

from collections.abc import Sequence
import sys

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.task import Future
from robot_tool_agent.core.execution.call import CallRequest, CallResult, CancelCause
from robot_tool_agent.core.execution.executive import Executive
from robot_tool_agent.core.execution.ports import Turn
from robot_tool_agent.nodes.action_ends import end_goal
from robot_tool_agent.nodes.clock import steady_now_s, wall_now_s
from robot_tool_agent.nodes.conversions import safety_view
from robot_tool_agent.nodes.exclusive import Exclusive
from robot_tool_agent.nodes.executor_ports import NodePorts
from robot_tool_agent.nodes.executor_services import ExecutorServices
from robot_tool_agent.nodes.executor_setup import build_executive, ExecutorParameters
from robot_tool_agent.nodes.heartbeat import HeartbeatPublisher
from robot_tool_agent.nodes.parameters import declare
from robot_tool_agent.nodes.qos import COMMAND, LATCHED
from robot_tool_agent.nodes.runtime import run_node
from robot_tool_agent.nodes.sensor_inputs import subscribe_sensors
from robot_tool_agent.nodes.told_text import told_text
from robot_tool_agent_interfaces.action import ExecuteSkill
from robot_tool_agent_interfaces.msg import Heartbeat, SafetyState

# How long results may take to leave before the process ends.
LINGER_S = 0.3


class ExecutorNode(Node):
    """Feeds the executive and carries its answers."""

    def __init__(self) -> None:
        super().__init__('executor')
        self._settings = declare(self, ExecutorParameters)
        self._wake = self.create_guard_condition(self._advance_without_tick)
        self._ports = NodePorts(self, self._wake.trigger)
        self.executive: Executive = build_executive(self, self._settings, self._ports)
        self._goals: dict[str, ServerGoalHandle] = {}
        self._busy_s = -LINGER_S
        self._sim_time = bool(self.get_parameter('use_sim_time').value)
        self._shown: dict[str, tuple[str, float, str]] = {}
        hub = self.executive.hub
        subscribe_sensors(self, hub.robot, hub.view, self._advance_without_tick)
        self.create_subscription(SafetyState, 'safety_state', self._on_safety, LATCHED)
        self.create_subscription(Heartbeat, 'heartbeat', self._on_heartbeat, COMMAND)
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._tick_timer = self.create_timer(1.0 / self._settings.tick_hz, self._tick, clock=steady)
        self._heartbeat: HeartbeatPublisher | None = None
        self._exclusive = Exclusive(self, self._settings.exclusive_wait_s)

    def _serve(self) -> None:
        """Begin to serve: nobody else does."""
        self._heartbeat = HeartbeatPublisher(self, self._exclusive.boot_id)
        self._answers = ExecutorServices(self, self.executive)
        self._server = ActionServer(
            self,
            ExecuteSkill,
            'execute_skill',
            self._execute,
            goal_callback=lambda goal: GoalResponse.ACCEPT,
            cancel_callback=self._on_cancel,
            result_timeout=round(self._settings.result_timeout_s),
        )

    def on_shutdown(self) -> bool:
        """End every live call; True once all have their end stored and those who asked were told."""
        self.executive.cancel_all(CancelCause.SHUTDOWN)
        if self.executive.hub.live or self._goals:
            self._busy_s = steady_now_s()
        return steady_now_s() - self._busy_s >= LINGER_S

    def destroy_node(self) -> None:
        """Finish the journal's work, then end."""
        self._ports.close()
        self.executive.hub.journal.close()
        super().destroy_node()

    async def _execute(self, goal: ServerGoalHandle) -> ExecuteSkill.Result:
        asked = goal.request
        request = CallRequest(asked.call_id, asked.task_id, asked.skill, asked.arguments_json, asked.requested_by)
        ended: Future = Future()
        call = self.executive.submit(request, self._turn(), ended.set_result)
        if call is not None:
            self._goals[call.call_id] = goal
            if goal.is_cancel_requested:  # asked for between acceptance and this line
                self.executive.cancel(call.call_id, CancelCause.REQUEST)
        result: CallResult = await ended
        if call is not None and self._goals.get(call.call_id) is goal:  # a later goal with the id may have come in
            del self._goals[call.call_id]
        self.get_logger().info(f'{told_text(request.call_id, 128)} {told_text(request.skill, 64)}: {_summary(result)}')
        return end_goal(goal, result)

    def _on_cancel(self, goal: ServerGoalHandle) -> CancelResponse:
        call_id = goal.request.call_id
        # A second goal with the id of a live call holds no call: cancelling it must not end the first one's.
        if self._goals.get(call_id) is goal:
            self.executive.cancel(call_id, CancelCause.REQUEST)
        return CancelResponse.ACCEPT

    def _on_safety(self, message: SafetyState) -> None:
        try:
            view = safety_view(message)
        except ValueError as error:
            self.get_logger().error(f'safety_state cannot be read, so nothing may move: {error}')
            self.executive.on_unreadable_safety(self._turn(tick=False))
            return
        self.executive.on_safety(view, self._turn(tick=False))

    def _on_heartbeat(self, message: Heartbeat) -> None:
        self._exclusive.on_heartbeat(message)
        self.executive.hub.heartbeats.heard(message.node, message.boot_id, message.sequence, steady_now_s())

    def _turn(self, tick: bool = True) -> Turn:
        if self._sim_time:
            self.executive.hub.view.clock_s = float(self.get_clock().now().nanoseconds) * 1e-9 or None
        return Turn(steady_now_s(), wall_now_s(), tick)

    def _advance_without_tick(self) -> None:
        self.executive.advance(self._turn(tick=False))

    def _tick(self) -> None:
        if self._heartbeat is None and self._exclusive.over():
            self._serve()
        self.executive.advance(self._turn())
        for call_id, goal in self._goals.items():
            call = self.executive.hub.live.get(call_id)
            shown = None if call is None else (call.phase.value, round(call.progress, 2), call.detail)
            if shown is not None and self._shown.get(call_id) != shown:
                self._shown[call_id] = shown
                phase, progress, detail = shown
                goal.publish_feedback(ExecuteSkill.Feedback(phase=phase, progress=progress, detail=detail))
        self._shown = {call_id: shown for call_id, shown in self._shown.items() if call_id in self._goals}


def _summary(result: CallResult) -> str:
    end = result.end
    code = f' {end.error.value}' if end.error else ''
    return f'{end.outcome.name} effect {end.effect.name}{code}{" (replayed)" if result.replayed else ""}: {end.message}'


def main(argv: Sequence[str] | None = None) -> int:
    """Run the executor node; return the process's exit code."""
    return run_node(ExecutorNode, argv)


if __name__ == '__main__':
    sys.exit(main())
