"""
What the launch tests of all set-ups share: the launch description, one test for each row, the end of the processes.

launch_testing starts the system of a file once; so every set-up has a file of its own.
"""

from __future__ import annotations

from collections.abc import Callable
import os
from pathlib import Path
import signal
import sys
import tempfile
import unittest

from launch import LaunchDescription
from launch.actions import IncludeLaunchDescription, SetEnvironmentVariable
from launch.launch_description_sources import PythonLaunchDescriptionSource
import launch_testing.actions
import launch_testing.asserts
from players.play import play
from players.stage import Stage
from players.start import environment, launch_options, TEST
from rehearsal.cast import MANY, PACKAGE
from rehearsal.cast import node_set as rehearsed
from robot_tool_agent import node_set
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.nodes.runtime import EXIT_CRASH
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.processes import processes_of, wait_gone
from scenario_setups import SetUp
from scenario_types import Scenario
from scenarios import rows_of

ROOT = TEST.parent
READY_TIMEOUT_S = 45.0
KILLED = -signal.SIGKILL


class Theatre:
    """The system of one set-up under launch."""

    def __init__(self, set_up: SetUp) -> None:
        self.set_up = set_up
        self.home = Path(tempfile.mkdtemp(prefix='ros_home_'))
        self.domain_id = free_domain()

    def description(self) -> LaunchDescription:
        """Start the whole system with its own launch file."""
        settings = {
            'ROS_DOMAIN_ID': str(self.domain_id),
            'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
            'ROS_HOME': str(self.home),
            **_environment(self.set_up, self.home),
        }
        options = launch_options(self.home, self.set_up)
        agent = IncludeLaunchDescription(
            PythonLaunchDescriptionSource(str(ROOT / 'launch' / 'agent.launch.py')),
            launch_arguments={name.replace('-', '_'): value for name, value in options.items()}.items(),
        )
        if self.set_up.cast:
            node_set.NODE_SET, node_set.RESPAWN_MAX = rehearsed(self.set_up.cast), MANY
        variables = [SetEnvironmentVariable(name, value) for name, value in settings.items()]
        return LaunchDescription([*variables, agent, launch_testing.actions.ReadyToTest()])

    def signal(self, name: str, number: signal.Signals) -> None:
        """Send a signal to a node that the launch file started, by its process id."""
        (pid,) = (pid for pid, command in processes_of(self.home).items() if f'__node:={name}' in command.split())
        os.kill(pid, number)

    def cases(self) -> type[unittest.TestCase]:
        """Return one test for each row of the set-up; they share the running system."""
        theatre = self

        class TestScenarios(unittest.TestCase):
            """One test for each row of the table."""

            stage: Stage

            @classmethod
            def setUpClass(cls) -> None:
                probe = Probe(theatre.domain_id)
                cls.addClassCleanup(probe.close)
                probe.wait_state(SafetyMode.READY, READY_TIMEOUT_S)
                cls.stage = Stage(
                    probe, theatre.signal, _never, theatre.home, theatre.domain_id, theatre.set_up
                )

        for number, scenario in enumerate(rows_of(self.set_up)):
            setattr(TestScenarios, f'test_{number:02}_{scenario.name}', _test_of(scenario))
        return TestScenarios

    def after(self) -> type[unittest.TestCase]:
        """Return the tests of how the processes ended."""
        theatre = self

        class TestAfterShutdown(unittest.TestCase):
            """How the processes ended."""

            def test_exit_codes(self, proc_info: launch_testing.ProcInfoHandler) -> None:
                """Only those that a scenario killed, and that came back, may show a signal."""
                for node in ('safety', 'simulator'):
                    allowed = [0, EXIT_CRASH, KILLED] if node in theatre.set_up.cast else [0]
                    launch_testing.asserts.assertExitCodes(proc_info, allowed, process=node)
                for node in ('executor', 'planner'):
                    launch_testing.asserts.assertExitCodes(proc_info, [0, KILLED], process=node)

            def test_no_orphans(self) -> None:
                """Nothing that the launch started outlives it."""
                assert wait_gone(theatre.home, 8.0) == {}

        return TestAfterShutdown


def _never() -> int:
    raise NotImplementedError('launch_testing cannot be interrupted from within')


def _test_of(scenario: Scenario) -> Callable[[unittest.TestCase], None]:
    def test(self: unittest.TestCase) -> None:
        play(self.stage, scenario)  # type: ignore[attr-defined]

    test.__doc__ = f'Play {scenario.name}.'
    return test


def _environment(set_up: SetUp, home: Path) -> dict[str, str]:
    """Return the environment of a rehearsal; launch finds its programs in a package made for it in `home`."""
    if not set_up.cast:
        return {}
    prefix = home / 'rehearsal_prefix'
    index, programs = prefix / 'share/ament_index/resource_index/packages', prefix / 'lib' / PACKAGE
    for folder in (index, programs):
        folder.mkdir(parents=True)
    (index / PACKAGE).touch()
    for spec in rehearsed(set_up.cast):
        if spec.package == PACKAGE:
            script = programs / spec.executable
            script.write_text(f'#!{sys.executable}\nimport sys\nfrom {spec.module} import main\nsys.exit(main())\n')
            script.chmod(0o755)
    extra = environment(set_up)
    paths = {'PYTHONPATH': extra['PYTHONPATH'], 'AMENT_PREFIX_PATH': str(prefix)}
    return {**extra, **{name: os.pathsep.join([path, os.environ.get(name, '')]) for name, path in paths.items()}}
