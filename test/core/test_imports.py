"""
The import arrows: core <- llm <- nodes, core <- sim, and no ROS below the nodes.

Modules of the simulator that are ROS skins themselves may share the helpers of the nodes.
"""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
import subprocess
import sys

from import_graph import files_of, imports_of, is_inside, PRODUCT, ROOT, SIMULATOR
import pytest

CORE = PRODUCT / 'core'
LLM = PRODUCT / 'llm'
SERVICES = 'robot_tool_agent.llm.services'  # needs packages that want Python 3.11
NODES = PRODUCT / 'nodes'
NODE_MODULES = ('planner_node', 'executor_node', 'safety_node')

# Standard modules that bring in a clock, chance, parallel work or the outside world.
NOT_IN_CORE = {
    'time', 'datetime', 'random', 'secrets', 'uuid', 'threading', 'asyncio', 'concurrent', 'multiprocessing', 'queue',
    'subprocess', 'signal', 'socket', 'urllib', 'http', 'os', 'pathlib', 'io', 'shutil', 'tempfile', 'fcntl', 'sqlite3',
}
JOURNAL_MAY = {'os', 'pathlib', 'io', 'fcntl', 'sqlite3'}
CORE_MAY = {'pydantic', 'pydantic_core', 'numpy', 'transitions'}


ROS_ENDS = ('_msgs', '_srvs', '_interfaces')


def _is_ros(name: str) -> bool:
    top = name.split('.')[0]
    return top in {'rclpy', 'launch', 'launch_ros', 'ament_index_python'} or top.endswith(ROS_ENDS)


def _core_violation(path: Path, name: str) -> bool:
    top = name.split('.')[0]
    if top == 'robot_tool_agent':
        return not is_inside(name, 'robot_tool_agent.core')
    if top in CORE_MAY:
        return is_inside(name, 'numpy.random')
    in_journal = path.is_relative_to(CORE / 'journal') or path.name.startswith('journal')
    banned = NOT_IN_CORE - (JOURNAL_MAY if in_journal else set())
    return top not in sys.stdlib_module_names or top in banned


def _llm_violation(path: Path, name: str) -> bool:
    ours = is_inside(name, 'robot_tool_agent.core') or is_inside(name, 'robot_tool_agent.llm')
    return _is_ros(name) or (name.startswith('robot_tool_agent') and not ours)


def _node_violation(path: Path, name: str) -> bool:
    if is_inside(name, 'robot_tool_agent.llm'):
        return 'planner' not in path.relative_to(NODES).as_posix()
    others = [module for module in NODE_MODULES if module != path.stem]
    return any(is_inside(name, f'robot_tool_agent.nodes.{module}') for module in others)


def _product_violation(path: Path, name: str) -> bool:
    return is_inside(name, 'robot_tool_agent_sim') or name.startswith('.')


def _sim_violation(path: Path, name: str) -> bool:
    if is_inside(name, 'robot_tool_agent.nodes'):
        ros_skin = any(_is_ros(other) for other in imports_of(path))
        return not ros_skin or any(is_inside(name, f'robot_tool_agent.nodes.{module}') for module in NODE_MODULES)
    return name.startswith(('robot_tool_agent.llm', '.'))


@pytest.mark.parametrize(
    ('folder', 'violates'),
    [
        (CORE, _core_violation),
        (LLM, _llm_violation),
        (NODES, _node_violation),
        (PRODUCT, _product_violation),
        (SIMULATOR, _sim_violation),
    ],
    ids=['core', 'llm', 'nodes', 'product', 'sim'],
)
def test_import_arrows(folder: Path, violates: Callable[[Path, str], bool]) -> None:
    files = files_of(folder)
    assert files, f'no modules in {folder}'
    wrong = [(path, name) for path in files for name in imports_of(path) if violates(path, name)]
    assert not wrong, '\n'.join(f'{path.relative_to(ROOT)} imports {name}' for path, name in wrong)


@pytest.mark.parametrize(
    ('name', 'wrong'),
    [
        ('rclpy.node', True), ('std_msgs.msg.Bool', True), ('time.monotonic', True), ('random', True), ('os', True),
        ('numpy.random.default_rng', True), ('yaml', True), ('robot_tool_agent.llm.rules', True),
        ('robot_tool_agent_sim.world', True), ('.geometry', True), ('sqlite3', True),
        ('math', False), ('numpy', False), ('pydantic.BaseModel', False), ('robot_tool_agent.core.geometry', False),
    ],
)
def test_the_core_rule_tells_right_from_wrong(name: str, wrong: bool) -> None:
    assert _core_violation(CORE / 'geometry.py', name) is wrong


def test_the_journal_alone_may_use_sqlite() -> None:
    assert not _core_violation(CORE / 'journal' / 'store.py', 'sqlite3')
    assert _core_violation(CORE / 'journal' / 'store.py', 'time')


def _module_names(folder: Path) -> list[str]:
    relative = [path.relative_to(ROOT).with_suffix('') for path in files_of(folder)]
    return ['.'.join(path.parts).removesuffix('.__init__') for path in relative]


IMPORT_ALL_WITHOUT_ROS = """
import importlib, sys

class NoRos:
    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top in ("rclpy", "ament_index_python") or top.endswith(("_msgs", "_srvs", "_interfaces")):
            raise ImportError(f"{name} is blocked")

sys.meta_path.insert(0, NoRos())
for name in sys.argv[1:]:
    importlib.import_module(name)
print("imported", len(sys.argv) - 1)
"""


@pytest.mark.parametrize('folder', [CORE, LLM], ids=['core', 'llm'])
def test_every_module_imports_without_ros(folder: Path) -> None:
    names = [name for name in _module_names(folder) if not name.startswith(SERVICES) or find_spec('pydantic_ai')]
    command = [sys.executable, '-c', IMPORT_ALL_WITHOUT_ROS, *names]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == f'imported {len(names)}'


def test_ros_is_blocked_while_core_tests_run() -> None:
    with pytest.raises(ImportError):
        __import__('rclpy.node')
