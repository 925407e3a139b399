"""Safety node, simulator and executor as processes of their own, a probe beside them: the suite without a planner."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, ExitStack
from functools import partial
from pathlib import Path
import time

from executor_process import executor
from robot_tool_agent.core.outcomes import Outcome
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.fresh_start import fresh_start
from robot_tool_agent_sim.harness.probe import Probe
from safety_process import safety_process
from sim_process import simulator

WORLD_FILE = Path(__file__).parent / 'worlds' / 'ball_ahead.yaml'
SUITE = ('safety', 'executor')
LIMIT_S = 20.0


class SmallSystem:
    """What the crash tests of the planner ask for. Waits raise TimeoutError at their deadline."""

    def __init__(self, domain_id: int, journal: Path, probe: Probe) -> None:
        self.domain_id = domain_id
        self.probe = probe
        self._journal = journal

    def fresh(self) -> None:
        """Go back to the start."""
        fresh_start(self.probe, self._journal, SUITE)

    def wait_senses(self) -> None:
        """Wait until the executor serves and hears the robot."""
        for skill in ('get_robot_state', 'look'):
            self.wait(partial(self._succeeds, skill), f'{skill} that succeeds')

    def wait(self, happened: Callable[[], object], what: str) -> None:
        """Wait until something is true."""
        self.probe.wait_until(happened, LIMIT_S, what)

    def travelled_m(self) -> float:
        """Return how far the base has truly gone, counted after the last motion. Waits for the next count."""
        asked_s = time.monotonic()
        self.wait(lambda: self.probe.seen.counted(asked_s), 'truth_json')
        return float(self.probe.counters()['travelled_m'])

    def _succeeds(self, skill: str) -> bool:
        return bool(self.probe.call_skill(skill).result.outcome == Outcome.SUCCEEDED)


@contextmanager
def small_system(folder: Path) -> Iterator[SmallSystem]:
    """Run the processes on a domain of their own."""
    domain_id, journal = free_domain(), folder / 'journal.sqlite3'
    with ExitStack() as stack:
        stack.enter_context(safety_process(domain_id))
        stack.enter_context(simulator(domain_id, world=WORLD_FILE))
        probe = stack.enter_context(Probe(domain_id))
        stack.enter_context(executor(domain_id, journal, '-p', 'exclusive_wait_s:=0.0'))
        small = SmallSystem(domain_id, journal, probe)
        small.wait_senses()
        yield small
