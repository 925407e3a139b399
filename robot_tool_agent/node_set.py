"""The node set: which nodes a running system has and how each is started. Read by `rta up` and by the launch file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
import json
from pathlib import Path
import re

from robot_tool_agent.config_files import ConfigError, load_robot, read_yaml
from robot_tool_agent.share_files import find_config, share_folder

RESPAWN_DELAY_S = 1.0
# More restarts than this within the window mean that restarting does not help.
RESPAWN_MAX = 5
RESPAWN_WINDOW_S = 60.0
# Without a node that cannot come back the robot must first have come to rest and a running call must have been
# written down: braking and settling take about 1 s, the executor's last look at the sensors another.
LOST_NODE_GRACE_S = 3.0
EXIT_BAD_CONFIG = 2
_NAMESPACE = re.compile(r'/?[A-Za-z][A-Za-z0-9_]*(/[A-Za-z][A-Za-z0-9_]*)*')


@dataclass(frozen=True, slots=True)
class NodeSpec:
    """
    One node: its name, its console script and module, and which start options it takes as ROS parameters.

    `parameters` maps a ROS parameter to a field of StartOptions. A node that must not come back by itself has
    `respawn=False`; one that stands in for the robot has `only_sim=True`. `package` is where the script is installed.
    """

    name: str
    executable: str
    module: str
    respawn: bool
    only_sim: bool = False
    parameters: Mapping[str, str] = field(default_factory=lambda: {'robot_file': 'robot_file'})
    package: str = 'robot_tool_agent'


# Order is start order. The first node is the one that is asked to stop first, so that zero velocity goes out.
NODE_SET = (
    NodeSpec('safety', 'safety_node', 'robot_tool_agent.nodes.safety_node', respawn=False),
    NodeSpec(
        'simulator',
        'robot_node',
        'robot_tool_agent_sim.robot_node',
        respawn=False,
        only_sim=True,
        parameters={'robot_file': 'robot_file', 'world_file': 'world_file', 'fault': 'fault'},
    ),
    NodeSpec('executor', 'executor_node', 'robot_tool_agent.nodes.executor_node', respawn=True),
    NodeSpec(
        'planner',
        'planner_node',
        'robot_tool_agent.nodes.planner_node',
        respawn=True,
        parameters={'robot_file': 'robot_file', 'provider': 'llm'},
    ),
)


@dataclass(frozen=True, slots=True)
class StartOptions:
    """What a person chose at the start. None leaves the choice to the parameter files."""

    robot_file: Path
    world_file: Path | None = None
    params_file: Path | None = None
    sim: bool = True
    fault: str | None = None
    namespace: str = ''
    llm: str | None = None


def start_options(
    robot: str = 'sim_house',
    world: str = 'house',
    params_file: str = '',
    sim: bool = True,
    fault: str = '',
    namespace: str = '',
    llm: str = '',
) -> StartOptions:
    """
    Check the options as a person types them; an empty text is an option not given.

    `robot` and `world` are paths or names in `config/robots` and `config/worlds`. Raise ConfigError with every fault.
    """
    faults: list[str] = []

    def checked(read: Callable[[], Path | None]) -> Path | None:
        try:
            return read()
        except ConfigError as error:
            faults.append(str(error))
            return None

    robot_file = checked(lambda: _robot_file(robot))
    world_file = checked(lambda: find_config(world, 'worlds')) if sim else None
    extra = checked(lambda: _params_file(params_file)) if params_file else None
    if fault and not sim:
        faults.append(f'fault = {fault!r}: needs the simulator')
    if namespace and not _NAMESPACE.fullmatch(namespace):
        faults.append(f'namespace = {namespace!r}: words of letters, digits and _, joined by /')
    if faults or robot_file is None:
        raise ConfigError('\n'.join(faults))
    return StartOptions(robot_file, world_file, extra, sim, fault or None, namespace.strip('/'), llm or None)


def _robot_file(robot: str) -> Path:
    path = find_config(robot, 'robots')
    load_robot(path)
    return path


def _params_file(name: str) -> Path:
    path = Path(name).expanduser().absolute()
    if not isinstance(read_yaml(path), dict):
        raise ConfigError(f'{name}: not a ROS parameter file')
    return path


@dataclass(frozen=True, slots=True)
class PlannedNode:
    """One node as it is started: parameter files in rising priority, then single parameters, which win over files."""

    spec: NodeSpec
    namespace: str
    params_files: tuple[Path, ...]
    parameters: Mapping[str, str]

    def ros_arguments(self) -> tuple[str, ...]:
        """Return the node's arguments after the program's name."""
        namespace = ('-r', f'__ns:=/{self.namespace}') if self.namespace else ()
        files = (part for path in self.params_files for part in ('--params-file', str(path)))
        # JSON quotes are YAML quotes: a fault named `yes` or `1` stays a text.
        values = (
            part
            for name, value in self.parameters.items()
            for part in ('-p', f'{name}:={json.dumps(value, ensure_ascii=False)}')
        )
        return ('--ros-args', '-r', f'__node:={self.spec.name}', *namespace, *files, *values)


def planned_nodes(options: StartOptions) -> tuple[PlannedNode, ...]:
    """Return every node to start, in start order."""
    return tuple(_planned(spec, options) for spec in NODE_SET if options.sim or not spec.only_sim)


def _planned(spec: NodeSpec, options: StartOptions) -> PlannedNode:
    own = share_folder() / 'config' / f'{spec.name}.yaml'
    files = tuple(path for path in (own, options.params_file) if path is not None and path.is_file())
    chosen = {name: getattr(options, option) for name, option in spec.parameters.items()}
    given = {name: str(value) for name, value in chosen.items() if value is not None}
    return PlannedNode(spec, options.namespace, files, given)
