"""
Everything of the suite that listens, built in the test process: nodes, commands of `rta`, the MCP server's node.

What they publish is kept and goes nowhere. A part lists no topic and no service: it is asked what it made.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager, ExitStack
from dataclasses import dataclass, field
from pathlib import Path
import time
from types import SimpleNamespace
from typing import Any

from geometry_msgs.msg import Pose2D
import pytest
import rclpy
from rclpy.action import ActionServer
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.publisher import Publisher
from robot_tool_agent.commands import approval_requests, goals, live_check, readiness, standstill, state
from robot_tool_agent.commands.session import Session
from robot_tool_agent.config_files import load_robot
from robot_tool_agent.mcp_server.ros_node import McpNode
from robot_tool_agent.nodes.clock_guard import guard_clock
from robot_tool_agent.nodes.executor_node import ExecutorNode
from robot_tool_agent.nodes.planner_node import PlannerNode
from robot_tool_agent.nodes.ros_services import guard_services
from robot_tool_agent.nodes.safety_node import SafetyNode
from robot_tool_agent.nodes.stall_guard import StallGuard
from robot_tool_agent_interfaces.action import RunTask
from robot_tool_agent_sim.gazebo.adapter_node import GazeboAdapterNode
from robot_tool_agent_sim.relay.relay_node import RelayNode
from robot_tool_agent_sim.robot_node import SimulatorNode
from robot_tool_agent_sim.turtlesim.adapter_node import TurtleAdapterNode
from sim_house import CONFIG, WORLD_FILE
from std_msgs.msg import String

ROBOT_FILE = CONFIG / 'robots' / 'sim_house_arm.yaml'
FILES = {'robot_file': ROBOT_FILE, 'world_file': WORLD_FILE}
TURN_LIMIT_S = 10.0


@dataclass
class Part:
    """A part that runs: its node, what it published as (topic, message), and what a person would read of it."""

    node: Node
    executor: SingleThreadedExecutor
    sent: list[tuple[str, Any]]
    shown: Callable[[], list[str]] = field(default=list)

    def turn(self) -> None:
        """Let the part do what is due."""
        self.executor.spin_once(timeout_sec=0.0)

    def done(self, work: Callable[..., Any], *arguments: Any) -> Any:
        """Run a callback, or a coroutine to its end, among the part's own turns."""
        task = self.executor.create_task(work, *arguments)
        until_s = time.monotonic() + TURN_LIMIT_S
        while not task.done():
            assert time.monotonic() < until_s, f'{work} does not end'
            self.executor.spin_once(timeout_sec=0.01)
        return task.result()

    def action_servers(self) -> list[ActionServer]:
        """Return the actions it serves."""
        return [item for item in self.node.waitables if isinstance(item, ActionServer)]


@dataclass(frozen=True)
class Recipe:
    """How a node is made: its class and the parameters it needs to start soon; `own` are paths that it writes."""

    make: Callable[[], Node]
    files: tuple[str, ...] = ('robot_file',)
    own: tuple[str, ...] = ()
    more: Mapping[str, object] = field(default_factory=dict)

    def arguments(self, folder: Path, without: Container[str] = ()) -> list[str]:
        """Return the ROS arguments of a start in order, or what is left of them without some parameters."""
        given: dict[str, object] = {name: FILES[name] for name in self.files}
        given |= {name: folder / name for name in self.own} | dict(self.more)
        words = [('-p', f'{name}:={value}') for name, value in given.items() if name not in without]
        return ['--ros-args', *(word for pair in words for word in pair)]


NODES = {
    'safety': Recipe(SafetyNode),
    'executor': Recipe(ExecutorNode, own=('journal_path',), more={'exclusive_wait_s': 0.0}),
    'planner': Recipe(PlannerNode, own=('memory_path', 'failures_path')),
    'simulator': Recipe(SimulatorNode, files=('robot_file', 'world_file')),
    'relay': Recipe(RelayNode, files=()),
    'turtle_adapter': Recipe(lambda: TurtleAdapterNode(Pose2D)),
    'gazebo_adapter': Recipe(
        lambda: GazeboAdapterNode(String, lambda message: len(message.data)), files=('robot_file', 'world_file')
    ),
}


@contextmanager
def node_part(recipe: Recipe, folder: Path) -> Iterator[Part]:
    """Run a node in this process, as `run_node` does."""
    rclpy.init(args=recipe.arguments(folder))
    with ExitStack() as stack:
        stack.callback(rclpy.try_shutdown)
        sent = stack.enter_context(_kept_publications())
        node = recipe.make()
        stack.callback(node.destroy_node)
        guard_services(node)
        guard_clock(node)
        executor = SingleThreadedExecutor()
        stack.callback(executor.shutdown, timeout_sec=1.0)
        executor.add_node(node)
        part = Part(node, executor, sent)
        _serve(part)
        yield part


def _serve(part: Part) -> None:
    """Wait until the executor has listened for another one and serves."""
    until_s = time.monotonic() + TURN_LIMIT_S
    while isinstance(part.node, ExecutorNode) and not part.action_servers():
        assert time.monotonic() < until_s
        part.executor.spin_once(timeout_sec=0.05)


@contextmanager
def _kept_publications() -> Iterator[list[tuple[str, Any]]]:
    sent: list[tuple[str, Any]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Publisher, 'publish', lambda publisher, message: sent.append((publisher.topic_name, message)))
        # It would end the process, which here is that of the test.
        patch.setattr(StallGuard, 'start', lambda guard: None)
        yield sent


@contextmanager
def session_part(make: Callable[[Session], Callable[[], list[str]]]) -> Iterator[Part]:
    """Run a part of `rta` on a session of its own. `make` returns what a person is shown."""
    session = Session('')
    with ExitStack() as stack:
        stack.callback(session.__exit__, None, None, None)
        sent = stack.enter_context(_kept_publications())
        shown = make(session)
        yield Part(session.node, session._executor, sent, shown)


def _approvals(session: Session) -> Callable[[], list[str]]:
    said: list[str] = []
    view: Any = SimpleNamespace(say=said.append, start=lambda: None, stop=lambda: None)
    requests = approval_requests.ApprovalRequests(session, view, '', ask=False)

    def shown() -> list[str]:
        requests.poll()
        return said

    return shown


def _goal(session: Session) -> Callable[[], list[str]]:
    goals.GoalRun(session, RunTask, 'run_task', 'planner')
    return list


def _standstill(session: Session) -> Callable[[], list[str]]:
    standstill.Standstill(session)
    return list


def _state(session: Session) -> Callable[[], list[str]]:
    states = state._subscribe(session)
    return lambda: [state._line(message) for message in states]


def _live_check(session: Session) -> Callable[[], list[str]]:
    robot = load_robot(ROBOT_FILE)
    listeners = {name: live_check._listen(session, robot, name) for name in robot.topics.inputs()}

    def shown() -> list[str]:
        facts = {name: live_check._facts(session, robot, name, listener) for name, listener in listeners.items()}
        return [str(finding) for finding in live_check.judge_inputs(robot, facts, 3.0)]

    return shown


COMMANDS = {
    'approval_requests': _approvals,
    'goal': _goal,
    'standstill': _standstill,
    'state': _state,
    'live_check': _live_check,
}


@contextmanager
def readiness_part() -> Iterator[Part]:
    """Run what `rta up` waits by."""
    probe = readiness.ReadinessProbe('')
    with ExitStack() as stack:
        stack.callback(probe.close)
        sent = stack.enter_context(_kept_publications())
        yield Part(probe._node, probe._executor, sent, lambda: [probe.missing()])


class _Listener:
    """What hears of the robot in an MCP server."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def on_question(self, question: Any) -> None:
        assert question.timeout_s >= 0.0
        self.heard.append(question)

    def on_safety(self, view: dict[str, Any], heard_s: float) -> None:
        self.heard.append(view)

    def on_tick(self) -> None:
        """Nothing is due."""


@contextmanager
def mcp_part() -> Iterator[Part]:
    """Run the node of an MCP server."""
    context = rclpy.Context()
    rclpy.init(context=context)
    with ExitStack() as stack:
        stack.callback(context.try_shutdown)
        sent = stack.enter_context(_kept_publications())
        node = McpNode(context, '', _Listener())
        stack.callback(node.destroy_node)
        executor = SingleThreadedExecutor(context=context)
        stack.callback(executor.shutdown)
        executor.add_node(node)
        yield Part(node, executor, sent)


PARTS = (*NODES, *COMMANDS, 'readiness', 'mcp')


def part_named(name: str, folder: Path) -> Any:
    """Return a context manager that runs a part."""
    if name in NODES:
        return node_part(NODES[name], folder)
    if name in COMMANDS:
        return session_part(COMMANDS[name])
    return {'readiness': readiness_part, 'mcp': mcp_part}[name]()
