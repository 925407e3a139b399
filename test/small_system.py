"""Safety node, simulator and executor as processes of their own, a probe beside them; the executor may die and return.

The world has one ball ahead of the robot. The executor is test/crashing_executor.py: the product's, with a journal that
can be told to end the process at a moment.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

import crashing_executor
from executor_process import executor
from players.watching import stands
from robot_tool_agent.core.journal import CallRecord, Journal
from robot_tool_agent.core.outcomes import Outcome
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.fresh_start import fresh_start
from robot_tool_agent_sim.harness.probe import Probe
from safety_process import safety_process
from sim_house import ROBOT_FILE
from sim_process import simulator

WORLD_FILE = Path(__file__).parent / 'worlds' / 'ball_ahead.yaml'
SUITE = ('safety', 'executor')
PROGRAM = (crashing_executor.__file__,)
LIMIT_S = 20.0
# A planner that does not wait long for an answer, s.
PATIENCE = ('executor_timeout_s:=3.0', 'call_margin_s:=0.1', 'cancel_timeout_s:=1.0')
MOVE_TIMEOUT_S = 6.0
RESTING = frozenset({SafetyMode.SAFE, SafetyMode.HOLDING})


class SmallSystem:
    """What the tests of exactly-once execution ask for. Waits raise TimeoutError at their deadline."""

    def __init__(self, domain_id: int, folder: Path, probe: Probe, stack: ExitStack, arguments: Sequence[str]) -> None:
        self.domain_id = domain_id
        self.probe = probe
        self.journal = folder / 'journal.sqlite3'
        self.fresh_s = 0.0
        self._order = folder / 'crash_order'
        self._robot_file = folder / 'robot.yaml'
        self._robot_file.write_text(_robot_yaml(), encoding='utf-8')
        self._arguments = ('-p', 'exclusive_wait_s:=0.0', *arguments)
        self._stack = stack
        self._executor: subprocess.Popen[str] | None = None

    def fresh(self) -> None:
        """Go back to the start with a living executor."""
        if self._executor is None or self._executor.poll() is not None:
            self.start_executor()
        fresh_start(self.probe, self.journal, SUITE)
        self.fresh_s = time.monotonic()

    def start_executor(self) -> None:
        """Start an executor, as a supervisor does after a crash, and wait until it serves and senses."""
        started_s = time.monotonic()
        os.environ[crashing_executor.ORDER] = str(self._order)
        process = executor(
            self.domain_id, self.journal, *self._arguments, robot=self._robot_file, program=PROGRAM
        )
        self._executor = self._stack.enter_context(process)
        self.wait(lambda: self._beats_since(started_s), 'heartbeat of the new executor')
        for skill in ('get_robot_state', 'look'):
            self.wait(lambda skill=skill: self._succeeds(skill), f'{skill} that succeeds')

    def _succeeds(self, skill: str) -> bool:
        return bool(self.probe.call_skill(skill).result.outcome == Outcome.SUCCEEDED)

    def _beats_since(self, since_s: float) -> bool:
        pulse = self.probe.seen.pulse('executor')
        return pulse is not None and pulse.received_s > since_s

    def order_crash(self, moment: str) -> None:
        """Let the executor end itself at a moment of the next motion."""
        assert moment in crashing_executor.MOMENTS
        self._order.write_text(moment, encoding='utf-8')

    def kill_executor(self) -> None:
        """End the executor with SIGKILL."""
        assert self._executor is not None
        self._executor.kill()

    @property
    def is_dead(self) -> bool:
        """Whether the executor is gone."""
        return self._executor is not None and self._executor.poll() is not None

    def wait_dead(self) -> None:
        """Wait until the executor is gone and the safety node has brought the robot to rest."""
        assert self._executor is not None
        assert self._executor.wait(LIMIT_S) == -signal.SIGKILL
        self.wait_rest()

    def wait_rest(self) -> None:
        """Wait until the safety node has stopped the robot and, where it could, brought it to a safe pose."""
        self.wait(lambda: self.mode() in RESTING and stands(self.probe), 'rest')

    def revive(self) -> None:
        """Start an executor in place of the dead one and make the robot ready, as a person would."""
        self.start_executor()
        self.wait(lambda: (state := self.probe.state()) is not None and state.resettable, 'a state that can be reset')
        answer = self.probe.reset_safety()
        assert answer.success, answer.message
        self.probe.wait_state(SafetyMode.READY, LIMIT_S)

    def mode(self) -> SafetyMode | None:
        """Return what the safety node is in."""
        state = self.probe.state()
        return None if state is None else state.mode

    def record(self, call_id: str) -> CallRecord | None:
        """Return what the journal has of a call."""
        journal = Journal.read_only(str(self.journal))
        try:
            return journal.record(call_id)
        finally:
            journal.close()

    def wait(self, happened: Callable[[], object], what: str) -> None:
        """Wait until something is true."""
        self.probe.wait_until(happened, LIMIT_S, what)

    def travelled_m(self) -> float:
        """Return how far the base has truly gone, counted after the last motion. Waits for the next count."""
        asked_s = time.monotonic()
        self.wait(lambda: self.probe.seen.counted(asked_s), 'truth_json')
        return float(self.probe.counters()['travelled_m'])

    def picks(self) -> int:
        """Return how often the gripper truly took something. Waits for the next count."""
        self.travelled_m()
        return int(self.probe.counters()['picks'])


def _robot_yaml() -> str:
    """Return the robot of the house with one skill more, and with less patience for straight ways."""
    text = ROBOT_FILE.read_text(encoding='utf-8')
    line = 'move_relative: {timeout_s: 40.0}'
    assert line in text
    return text.replace(line, f'move_relative: {{timeout_s: {MOVE_TIMEOUT_S}}}') + '  stumble: {}\n'


@contextmanager
def small_system(folder: Path, *arguments: str) -> Iterator[SmallSystem]:
    """Run the processes on a domain of their own; `arguments` are the executor's."""
    domain_id = free_domain()
    with ExitStack() as stack:
        stack.enter_context(safety_process(domain_id))
        stack.enter_context(simulator(domain_id, world=WORLD_FILE))
        probe = stack.enter_context(Probe(domain_id))
        yield SmallSystem(domain_id, folder, probe, stack, arguments)
