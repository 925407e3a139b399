"""Watches a system from outside and asks it to do things. What it records of the simulator is ground truth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
import json
import time
from types import TracebackType
from typing import Any
import uuid

from action_msgs.srv import CancelGoal
from geometry_msgs.msg import Twist
from nav_msgs.msg import Odometry
from rcl_interfaces.srv import SetParameters
from rclpy.action import ActionClient
from rclpy.parameter import Parameter
from robot_tool_agent.core.geometry import Pose2D, Twist2D
from robot_tool_agent.core.outcomes import Effect
from robot_tool_agent.core.safety_state import SafetyMode, SafetyView
from robot_tool_agent.nodes.clock import seconds
from robot_tool_agent.nodes.conversions import safety_view, yaw_of
from robot_tool_agent.nodes.qos import COMMAND, LATCHED, SENSOR
from robot_tool_agent_interfaces.action import ExecuteSkill, RunTask
from robot_tool_agent_interfaces.msg import DetectedObjects, Heartbeat, MotionCommand, SafetyState
from robot_tool_agent_interfaces.srv import DecideApproval, DescribeSkills, ResetSafety, ResolveCall, TripSafety
from robot_tool_agent_sim.harness.goals import ask, Ended, Goal
from robot_tool_agent_sim.harness.recording import (
    CommandSeen,
    Counted,
    MotionSeen,
    PulseSeen,
    Recording,
    StateSeen,
    TruthPoint,
)
from robot_tool_agent_sim.harness.ros_loop import RosLoop
from std_msgs.msg import String
from std_srvs.srv import Trigger

OPERATOR = 'probe'
PULSE_S = 0.5
# What an action is made of; a caller may ask past its client library.
CANCEL, GET_RESULT = 'execute_skill/_action/cancel_goal', 'execute_skill/_action/get_result'


class Probe:
    """A node beside the system; use it as a context manager. Waits raise TimeoutError at their deadline."""

    def __init__(self, domain_id: int, namespace: str = '') -> None:
        self.domain_id = domain_id
        self.seen = Recording()
        self.goals: list[Goal] = []
        self.domain_id = domain_id
        self._loop = RosLoop(f'probe_{uuid.uuid4().hex[:8]}', domain_id, namespace)
        self._subscribe()
        node = self._loop.node
        self._skills = ActionClient(node, ExecuteSkill, 'execute_skill')
        self._tasks = ActionClient(node, RunTask, 'run_task')
        kinds = {
            CANCEL: CancelGoal,
            GET_RESULT: ExecuteSkill.Impl.GetResultService,
            'decide_approval': DecideApproval,
            'describe_skills': DescribeSkills,
            'resolve_call': ResolveCall,
            'trip_safety': TripSafety,
            'reset_safety': ResetSafety,
            'sim/reset': Trigger,
            'simulator/set_parameters': SetParameters,
            'relay/set_parameters': SetParameters,
        }
        self._clients = {name: node.create_client(kind, name) for name, kind in kinds.items()}
        self._loop.start()

    def _subscribe(self) -> None:
        node = self._loop.node
        node.create_subscription(Odometry, 'sim/ground_truth', self._on_truth, COMMAND)
        node.create_subscription(String, 'sim/truth_json', self._on_counted, COMMAND)
        node.create_subscription(SafetyState, 'safety_state', self._on_state, LATCHED)
        node.create_subscription(Twist, 'cmd_vel', self._on_command, COMMAND)
        node.create_subscription(MotionCommand, 'motion_command', self._on_motion, COMMAND)
        node.create_subscription(Heartbeat, 'heartbeat', self._on_pulse, COMMAND)
        node.create_subscription(DetectedObjects, 'detected_objects', self._on_objects, SENSOR)

    def __enter__(self) -> Probe:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Leave the ROS graph."""
        self._loop.close()

    def _on_truth(self, message: Odometry) -> None:
        place, twist = message.pose.pose, message.twist.twist
        pose = Pose2D(place.position.x, place.position.y, yaw_of(place.orientation))
        speed = Twist2D(twist.linear.x, twist.angular.z)
        self.seen.add_truth(TruthPoint(time.monotonic(), seconds(message.header.stamp), pose, speed))

    def _on_counted(self, message: String) -> None:
        self.seen.add_counted(Counted(time.monotonic(), json.loads(message.data)))

    def _on_state(self, message: SafetyState) -> None:
        self.seen.add_state(StateSeen(time.monotonic(), safety_view(message)))

    def _on_command(self, message: Twist) -> None:
        self.seen.add_command(CommandSeen(time.monotonic(), Twist2D(message.linear.x, message.angular.z)))

    def _on_motion(self, message: MotionCommand) -> None:
        twist = Twist2D(message.twist.linear.x, message.twist.angular.z) if message.use_twist else Twist2D()
        self.seen.add_motion(MotionSeen(time.monotonic(), message.call_id, message.epoch, twist))

    def _on_pulse(self, message: Heartbeat) -> None:
        self.seen.add_pulse(message.node, PulseSeen(time.monotonic(), message.boot_id))

    def _on_objects(self, message: DetectedObjects) -> None:
        for item in message.objects:
            self.seen.add_object(item.id, item.pose.position.x, item.pose.position.y)

    # Asking for motion

    def send_skill(
        self,
        skill: str,
        arguments: Mapping[str, Any] | str = '{}',
        call_id: str | None = None,
        task_id: str = '',
        goal_uuid: bytes | None = None,
    ) -> Goal:
        """Send a skill call and return once it is accepted. Arguments as text are sent as they are."""
        goal = ExecuteSkill.Goal(
            call_id=f'probe-{uuid.uuid4().hex[:12]}' if call_id is None else call_id,
            task_id=task_id,
            skill=skill,
            arguments_json=arguments if isinstance(arguments, str) else json.dumps(arguments),
            requested_by=OPERATOR,
        )
        return self._send(self._skills, goal, f'{skill} {goal.arguments_json} ({goal.call_id})', 'executor', goal_uuid)

    def call_skill(
        self,
        skill: str,
        arguments: Mapping[str, Any] | str = '{}',
        call_id: str | None = None,
        task_id: str = '',
        timeout_s: float = 60.0,
    ) -> Ended:
        """Make a skill call and return its end."""
        return self.send_skill(skill, arguments, call_id, task_id).result(timeout_s)

    def send_task(self, instruction: str, task_id: str | None = None) -> Goal:
        """Send a task and return once it is accepted."""
        name = f'task-{uuid.uuid4().hex[:8]}' if task_id is None else task_id
        goal = RunTask.Goal(task_id=name, instruction=instruction)
        return self._send(self._tasks, goal, f'task {instruction!r}', 'planner')

    def run_task(self, instruction: str, task_id: str | None = None, timeout_s: float = 180.0) -> Ended:
        """Run a task and return its end."""
        return self.send_task(instruction, task_id).result(timeout_s)

    def _send(self, client: ActionClient, message: Any, name: str, server: str, goal_uuid: bytes | None = None) -> Goal:
        self.goals = [goal for goal in self.goals if not goal.done and not goal.lost]
        goal = Goal(self._loop, self.seen, name, server)
        goal.send(client, message, goal_uuid)
        self.goals.append(goal)
        return goal

    # Services

    def _ask(self, name: str, request: Any) -> Any:
        return ask(self._loop, self.seen, self._clients[name], request)

    def describe_skills(self) -> list[dict[str, Any]]:
        """Return the skills that are served."""
        skills: list[dict[str, Any]] = json.loads(self._ask('describe_skills', DescribeSkills.Request()).skills_json)
        return skills

    def cancel_goal(self, goal_uuid: bytes) -> int:
        """Ask for the end of a goal by its id and return the answer's code (CancelGoal)."""
        request = CancelGoal.Request()
        request.goal_info.goal_id.uuid = list(goal_uuid)
        return int(self._ask(CANCEL, request).return_code)

    def result_of(self, goal_uuid: bytes) -> Ended:
        """Ask for the result of a goal by its id."""
        request = ExecuteSkill.Impl.GetResultService.Request()
        request.goal_id.uuid = list(goal_uuid)
        answer = self._ask(GET_RESULT, request)
        return Ended(answer.status, answer.result)

    def decide(self, call_id: str, approve: bool) -> Any:
        """Answer a request for approval as operator."""
        request = DecideApproval.Request(call_id=call_id, approve=approve, operator_name=OPERATOR, reason='a test')
        return self._ask('decide_approval', request)

    def resolve_call(self, call_id: str, effect: Effect, reason: str) -> Any:
        """Say as operator what an unresolved call did."""
        request = ResolveCall.Request(call_id=call_id, effect=int(effect), operator_name=OPERATOR, reason=reason)
        return self._ask('resolve_call', request)

    def trip(self, fault: str = 'OPERATOR_STOP', detail: str = 'by the probe', epoch: int = 0) -> Any:
        """Ask the safety node to stop the robot."""
        return self._ask('trip_safety', TripSafety.Request(fault=fault, detail=detail, epoch=epoch))

    def reset_safety(self, operator: str = OPERATOR) -> Any:
        """Clear the latch."""
        return self._ask('reset_safety', ResetSafety.Request(operator_name=operator))

    def reset_sim(self) -> None:
        """Put the simulated robot and world back to their start."""
        answer = self._ask('sim/reset', Trigger.Request())
        if not answer.success:
            raise RuntimeError(f'sim/reset: {answer.message}')

    def set_fault(self, name: str) -> None:
        """Let a fault strike the simulated robot; `none` heals it. Raise ValueError for an unknown one."""
        self._set_parameter('simulator', 'fault', name)

    def set_saboteur(self, name: str) -> None:
        """Let a saboteur of the relay strike; `none` sends it away. Raise ValueError for an unknown one."""
        self._set_parameter('relay', 'saboteur', name)

    def _set_parameter(self, node: str, name: str, value: str) -> None:
        parameter = Parameter(name, value=value).to_parameter_msg()
        result = self._ask(f'{node}/set_parameters', SetParameters.Request(parameters=[parameter])).results[0]
        if not result.successful:
            raise ValueError(result.reason)

    # What is seen

    def wait_until(self, happened: Callable[[], object], timeout_s: float, what: str) -> None:
        """Wait until something is true."""
        self.seen.wait_until(happened, timeout_s, what)

    def wait_state(self, mode: SafetyMode, timeout_s: float, since_s: float | None = None) -> None:
        """Wait until the safety state is a mode, or, with `since_s`, was it at any time since."""

        def reached() -> bool:
            if since_s is not None:
                return mode in self.seen.modes(since_s)
            view = self.state()
            return view is not None and view.mode is mode

        self.wait_until(reached, timeout_s, f'safety state {mode.name}; modes: {self.seen.modes()[-6:]}')

    def state(self) -> SafetyView | None:
        """Return the newest safety state."""
        states = self.seen.states(time.monotonic() - 2.0)
        return states[-1].view if states else None

    def true_pose(self) -> Pose2D:
        """Return the newest true pose in the map. Raise LookupError before the first."""
        return self._newest_truth().pose

    def true_speed(self) -> float:
        """Return the newest true forward speed, without its sign, m/s. Raise LookupError before the first."""
        return abs(self._newest_truth().twist.v_mps)

    def _newest_truth(self) -> TruthPoint:
        points = self.seen.truth(time.monotonic() - 5.0)
        if not points:
            raise LookupError('no ground truth received')
        return points[-1]

    def counters(self) -> dict[str, Any]:
        """Return the newest content of truth_json. Raise LookupError before the first."""
        counted = self.seen.counted(time.monotonic() - 5.0)
        if not counted:
            raise LookupError('no truth_json received')
        return counted[-1].values

    def publishers_of(self, topic: str) -> list[str]:
        """Return the names of the nodes that publish a topic."""
        infos = self._loop.call(lambda: self._loop.node.get_publishers_info_by_topic(topic))
        return sorted(info.node_name for info in infos)

    def alive(self, node: str) -> bool:
        """Tell whether a node's heartbeat is fresh."""
        pulse = self.seen.pulse(node)
        return pulse is not None and time.monotonic() - pulse.received_s < PULSE_S
