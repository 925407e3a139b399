"""
Starts the whole system, e.g. `ros2 launch robot_tool_agent agent.launch.py robot:=sim_house fault:=gripper_slips`.

Which nodes there are and how they start is declared in `robot_tool_agent/node_set.py`, for this file and for `rta up`.
"""

import os
import shlex
import sys
import time

from launch import LaunchContext, LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction, RegisterEventHandler, TimerAction
from launch.conditions import evaluate_condition_expression
from launch.event_handlers import OnProcessExit
from launch.events.process import ProcessExited
from launch.substitutions import LaunchConfiguration
from launch.utilities import normalize_to_list_of_substitutions
from launch_ros.actions import Node
from robot_tool_agent.node_set import (
    EXIT_BAD_CONFIG,
    LOST_NODE_GRACE_S,
    planned_nodes,
    PlannedNode,
    RESPAWN_DELAY_S,
    RESPAWN_MAX,
    RESPAWN_WINDOW_S,
    start_options,
)
from robot_tool_agent.processes.respawn import RestartBudget

ARGUMENTS = {
    'robot': ('sim_house', 'robot YAML: a path or a name in config/robots'),
    'world': ('house', 'simulated world: a path or a name in config/worlds'),
    'params_file': ('', 'ROS parameters that override config/*.yaml'),
    'sim': ('true', 'start the simulated robot'),
    'fault': ('', 'fault of the simulated robot at the start'),
    'namespace': ('', 'namespace of every node'),
    'llm': ('', 'model providers of the planner in order, e.g. openai,rules'),
}


class SystemEnds(RuntimeError):
    """Ends the launch with a non-zero exit code: a node that the system cannot do without is gone."""


def generate_launch_description() -> LaunchDescription:
    """Return the arguments and the nodes they lead to."""
    declared = [
        DeclareLaunchArgument(name, default_value=default, description=text)
        for name, (default, text) in ARGUMENTS.items()
    ]
    return LaunchDescription([*declared, OpaqueFunction(function=_start)])


def _start(context: LaunchContext) -> list:
    chosen = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    # The same words that conditions of other launch files take: true, false, 1, 0 in any case.
    sim = evaluate_condition_expression(context, normalize_to_list_of_substitutions(chosen.pop('sim')))
    planned = planned_nodes(start_options(sim=sim, **chosen))
    # Launch signals in reverse order of start: the safety node is started last to be told first.
    return [action for node in reversed(planned) for action in _actions(node)]


def _actions(planned: PlannedNode) -> list:
    spec = planned.spec
    node = Node(
        package=spec.package,
        executable=spec.executable,
        exec_name=spec.name,
        name=spec.name,
        namespace=f'/{planned.namespace}',
        parameters=[*map(str, planned.params_files), dict(planned.parameters)],
        # Launch leaves its processes running when SIGTERM or SIGKILL ends it; these notice and end too.
        prefix=f'{shlex.quote(sys.executable)} -m robot_tool_agent.processes.child {os.getpid()}',
        output='screen',
        respawn=spec.respawn,
        respawn_delay=RESPAWN_DELAY_S,
    )
    budget = RestartBudget(RESPAWN_MAX, RESPAWN_WINDOW_S)

    def on_exit(event: ProcessExited, context: LaunchContext) -> list | None:
        if context.is_shutdown:
            return None
        return _after(planned, event.returncode, budget)

    # Registered first: a node that ends at once must not be missed.
    return [RegisterEventHandler(OnProcessExit(target_action=node, on_exit=on_exit)), node]


def _after(planned: PlannedNode, exit_code: int, budget: RestartBudget) -> list | None:
    """Return what follows from a node that ended; None where restarting it is enough."""
    reason = f'{planned.spec.name} ended with exit code {exit_code}'
    if exit_code == EXIT_BAD_CONFIG:
        return [_end(f'{reason}: bad configuration')]
    if not planned.spec.respawn:
        return [TimerAction(period=LOST_NODE_GRACE_S, actions=[_end(f'{reason}; it never comes back by itself')])]
    if not budget.take(time.monotonic()):
        return [_end(f'{reason}; {RESPAWN_MAX} restarts in {RESPAWN_WINDOW_S:g} s did not help')]
    return None


def _end(reason: str) -> OpaqueFunction:
    def end(context: LaunchContext) -> None:
        raise SystemEnds(reason)

    return OpaqueFunction(function=end)
