"""`rta up`: starts the whole system, each node a process of its own, and ends it in order."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
import os
import signal
import sys
import time
from types import FrameType
from typing import Any, TYPE_CHECKING

from robot_tool_agent.commands.options import namespace_of, ros_command

if TYPE_CHECKING:
    from robot_tool_agent.node_set import PlannedNode
    from robot_tool_agent.processes.group import Ending, ProcessGroup
    from robot_tool_agent.processes.output import LinePrinter
    from robot_tool_agent.processes.process import ProcessPlan

READY_LINE = 'RTA READY'
POLL_PERIOD_S = 0.05
WAITING_NOTE_PERIOD_S = 10.0


def add_parser(commands: Any) -> None:
    """Declare the command. Its options are those of the launch file."""
    parser = ros_command(commands, 'up', 'Start the whole system and keep it running until SIGINT or SIGTERM.')
    parser.add_argument(
        '--robot', default='sim_house', help='robot YAML: a path or a name in config/robots (default: %(default)s)'
    )
    parser.add_argument('--params-file', default='', metavar='FILE', help='ROS parameters that override config/*.yaml')
    parser.add_argument(
        '--sim', action=argparse.BooleanOptionalAction, default=True, help='start the simulated robot (default: yes)'
    )
    parser.add_argument(
        '--world', default='house', help='simulated world: a path or a name in config/worlds (default: %(default)s)'
    )
    parser.add_argument('--fault', default='', help='fault of the simulated robot at the start')
    parser.add_argument(
        '--llm',
        default='',
        metavar='PROVIDERS',
        help='model providers of the planner in order, e.g. openai,rules (default: rules; see docs/models.md)',
    )
    parser.set_defaults(run=run)


class _StopRequest:
    """Remembers that a signal asked for the end."""

    def __init__(self) -> None:
        self.made = False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._take)

    def _take(self, number: int, frame: FrameType | None) -> None:
        self.made = True


def run(arguments: argparse.Namespace) -> int:
    """
    Run the system. Return 0 after a signal, 1 if a node was lost for good, 2 for a bad configuration.

    Raise ConfigError before anything starts if the options or the robot YAML are wrong.
    """
    stop = _StopRequest()
    from robot_tool_agent.node_set import planned_nodes, start_options
    from robot_tool_agent.processes.group import ProcessGroup
    from robot_tool_agent.processes.output import LinePrinter

    namespace = namespace_of(arguments)
    options = start_options(
        robot=arguments.robot,
        world=arguments.world,
        params_file=arguments.params_file,
        sim=arguments.sim,
        fault=arguments.fault,
        namespace=namespace,
        llm=arguments.llm,
    )
    printer = LinePrinter(sys.stdout)
    group = ProcessGroup([_process_plan(node) for node in planned_nodes(options)], printer, _environment())
    try:
        group.start()
        return _supervise(group, stop, printer, namespace)
    finally:
        group.stop()
        printer.say('all processes have ended', 'rta')
        printer.close(timeout_s=1.0)


def _process_plan(node: PlannedNode) -> ProcessPlan:
    from robot_tool_agent.processes.process import ProcessPlan

    return ProcessPlan(node.spec.name, node.spec.module, node.ros_arguments(), node.spec.respawn)


def _environment() -> Mapping[str, str]:
    colours = '1' if sys.stdout.isatty() else '0'
    return {'RCUTILS_COLORIZED_OUTPUT': colours, **os.environ, 'PYTHONUNBUFFERED': '1'}


def _supervise(group: ProcessGroup, stop: _StopRequest, printer: LinePrinter, namespace: str) -> int:
    ending = _until_ready(group, stop, printer, namespace)
    while not stop.made:
        now_s = time.monotonic()
        ending = _earlier(ending, group.poll(now_s), printer)
        if ending is not None and now_s >= ending.at_s:
            break
        time.sleep(POLL_PERIOD_S)
    if stop.made:
        printer.say('asked to stop: zero velocity first, then all nodes end', 'rta')
    return 0 if ending is None else ending.exit_code


def _until_ready(group: ProcessGroup, stop: _StopRequest, printer: LinePrinter, namespace: str) -> Ending | None:
    """Watch the processes and the system until it is ready, a signal comes, or the group must end."""
    from robot_tool_agent.commands.readiness import ReadinessProbe

    probe = ReadinessProbe(namespace)
    note_at_s = time.monotonic() + WAITING_NOTE_PERIOD_S
    try:
        while not stop.made:
            now_s = time.monotonic()
            ending = _earlier(None, group.poll(now_s), printer)
            if ending is not None:
                return ending
            if probe.ready(POLL_PERIOD_S):
                printer.say(READY_LINE)
                return None
            if now_s >= note_at_s:
                printer.say(f'not ready yet: {probe.missing()}', 'rta')
                note_at_s = now_s + WAITING_NOTE_PERIOD_S
    finally:
        probe.close()
    return None


def _earlier(known: Ending | None, new: Ending | None, printer: LinePrinter) -> Ending | None:
    """Return the ending that comes first, and say a new one aloud."""
    if new is None:
        return known
    printer.say(f'ERROR: {new.reason}. The system ends.', 'rta')
    return new if known is None or new.at_s < known.at_s else known
