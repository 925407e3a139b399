"""A running system in which turning needs a person's yes, with ground truth and the journal beside it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
import time

from players.watching import stands
from robot_tool_agent.core.journal import CallEnd, Journal
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.fresh_start import fresh_start
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.system import RunningSystem
from sim_house import ROBOT_FILE

LIMIT_S = 20.0
STOP_S = 2.0


class House:
    """The running system, from outside."""

    def __init__(self, running: RunningSystem, probe: Probe, folder: Path) -> None:
        self.running, self.probe, self.domain_id = running, probe, running.domain_id
        self._folder = folder
        self._homes = 0

    def home(self) -> Path:
        """Return a new folder to know a server by."""
        self._homes += 1
        home = self._folder / f'mcp_{self._homes}'
        home.mkdir()
        return home

    def fresh(self) -> None:
        """Bring the system back to its start."""
        fresh_start(self.probe, self.running.journal_path)

    def travelled_m(self) -> float:
        """Return how far the base has truly gone."""
        return self.counted('travelled_m')

    def turned_rad(self) -> float:
        """Return how far the base has truly turned."""
        return self.counted('turned_rad')

    def counted(self, name: str) -> float:
        """Return a true count. Waits for the next one."""
        asked_s = time.monotonic()
        self.probe.wait_until(lambda: self.probe.seen.counted(asked_s), LIMIT_S, 'truth_json')
        return float(self.probe.counters()[name])

    def wait_drive(self, metres: float = 0.3) -> None:
        """Wait until the base has truly gone some way."""
        try:
            self.probe.wait_until(lambda: self.probe.counters()['travelled_m'] > metres, LIMIT_S, 'a drive')
        except TimeoutError as error:
            raise TimeoutError(f'{error}; {self.probe.state()}\n{self.running.tail()}') from None

    def wait_stop(self) -> None:
        """Wait for standstill, which must come soon."""
        self.probe.wait_until(lambda: stands(self.probe), STOP_S, 'standstill')

    def end_of(self, call_id: str) -> CallEnd | None:
        """Return what the journal has as the end of a call."""
        journal = Journal.read_only(str(self.running.journal_path))
        try:
            record = journal.record(call_id)
        finally:
            journal.close()
        return None if record is None else record.end

    def wait_end(self, call_id: str) -> CallEnd:
        """Wait until the journal has the end of a call."""
        self.probe.wait_until(lambda: self.end_of(call_id) is not None, LIMIT_S, f'the end of {call_id}')
        end = self.end_of(call_id)
        assert end is not None
        return end


@contextmanager
def house_that_asks(folder: Path) -> Iterator[House]:
    """Start the system on a domain of its own, wait until it is ready, end it."""
    text = ROBOT_FILE.read_text(encoding='utf-8')
    assert 'approvals: []' in text
    robot_file, domain_id = folder / 'robot.yaml', free_domain()
    robot_file.write_text(text.replace('approvals: []', 'approvals: [{skill: rotate_relative}]'), encoding='utf-8')
    with RunningSystem(domain_id, folder / 'home', ['--robot', str(robot_file)]) as running, Probe(domain_id) as probe:
        running.wait_ready()
        yield House(running, probe, folder)
