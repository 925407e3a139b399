"""The running system of the demonstration: started, watched, waited for, ended."""

from __future__ import annotations

from collections.abc import Callable
import os
import socket
import time

from robot_tool_agent.config_files import ConfigError
from robot_tool_agent.core.safety.faults import FaultCode, FAULTS, Rearm
from robot_tool_agent.core.safety_state import SafetyMode, SafetyView
from robot_tool_agent_sim.demo.house import House
from robot_tool_agent_sim.demo.record import Count, Motion, Record, State
from robot_tool_agent_sim.demo.timeline import Timeline
from robot_tool_agent_sim.demo.watch import Watch
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.system import READY_LINE, RunningSystem

BEFORE_S = 1.0
# DDS over UDP, port mapping of the RTPS specification: 7400 + 250 * domain + 10 is the first unicast discovery port.
FIRST_PORT, PORTS_A_DOMAIN, UNICAST = 7400, 250, 10
DOMAINS, LAST_DOMAIN = 101, 232


class SystemLost(Exception):
    """The system ended while it was needed."""


def free_domain() -> int:
    """
    Return ROS_DOMAIN_ID if it is set, else a domain that nobody on this machine uses.

    Raise ConfigError if it is set to something that is no domain.
    """
    chosen = os.environ.get('ROS_DOMAIN_ID')
    if chosen:
        if not (chosen.isdecimal() and int(chosen) <= LAST_DOMAIN):
            raise ConfigError(f'ROS_DOMAIN_ID = {chosen!r}: allowed: 0 to {LAST_DOMAIN}')
        return int(chosen)
    candidates = [1 + (os.getpid() + step) % DOMAINS for step in range(DOMAINS)]
    return next((domain for domain in candidates if _is_free(domain)), candidates[0])


def _is_free(domain: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(('', FIRST_PORT + PORTS_A_DOMAIN * domain + UNICAST))
        except OSError:
            return False
    return True


class Stage:
    """System, probe and timeline together. Every wait keeps the timeline going and ends if the system does."""

    def __init__(self, system: RunningSystem, probe: Probe, timeline: Timeline, house: House) -> None:
        self.system = system
        self.probe = probe
        self.timeline = timeline
        self.house = house
        self.watch = Watch(probe, timeline)

    def come_up(self, timeout_s: float) -> None:
        """Wait until the system can take tasks and the probe sees it. Raise TimeoutError with its last lines."""
        try:
            self.be_ready(timeout_s, self._served)
        except (TimeoutError, SystemLost) as error:
            raise TimeoutError(f'{error}. Its last lines:\n{self.system.tail()}') from None

    def _served(self) -> bool:
        seen = self.probe.seen
        return READY_LINE in self.system.lines and bool(seen.truth() and seen.counted())

    def wait(self, happened: Callable[[], object], timeout_s: float, what: str) -> None:
        """Wait until something is true. Raise TimeoutError at the deadline, SystemLost if the system ends."""

        def turn() -> bool:
            self.watch.look()
            return bool(happened()) or self.system.exit_code is not None

        self.probe.wait_until(turn, timeout_s, what)
        if self.system.exit_code is not None:
            raise SystemLost(f'the system ended with exit code {self.system.exit_code} while waiting for {what}')

    def wait_mode(self, mode: SafetyMode, timeout_s: float, since_s: float) -> None:
        """Wait until the safety node has reported a mode since a time."""
        self.wait(lambda: mode in self.probe.seen.modes(since_s), timeout_s, f'safety state {mode.name}')

    def wait_still(self, timeout_s: float) -> None:
        """Wait until the robot truly stands."""
        self.wait(lambda: self.probe.true_speed() == 0.0, timeout_s, 'the robot at rest')

    def watch_for(self, duration_s: float) -> None:
        """Let time pass while everything is watched."""
        until_s = time.monotonic() + duration_s
        self.wait(lambda: time.monotonic() >= until_s, duration_s + 1.0, 'the end of a look')

    def be_ready(self, timeout_s: float, also: Callable[[], bool] = lambda: True) -> None:
        """
        Wait until the robot may move and `also` is true.

        As operator, reset the safety node where it does not come back by itself.
        """

        def ready() -> bool:
            view = self.probe.state()
            if view is not None and _needs_reset(view):
                self.watch.catch_up()
                self.timeline.say('demo', f'as operator: reset after {view.fault}')
                self.probe.reset_safety('demo')
            return view is not None and view.mode is SafetyMode.READY and also()

        self.wait(ready, timeout_s, f'safety state READY and the line {READY_LINE}')
        self.watch.catch_up()

    def record(self, since_s: float) -> Record:
        """Return what was seen since a time, with the state and the counters that held then."""
        seen = self.probe.seen
        motions = [Motion(p.received_s, p.pose, p.twist.v_mps, p.twist.w_radps) for p in seen.truth(since_s)]
        states = [State(s.received_s, s.view.mode, s.view.fault) for s in seen.states(since_s - BEFORE_S)]
        counts = [_count(c.received_s, c.values) for c in seen.counted(since_s - BEFORE_S)]
        return Record(motions, _changes(states), counts[_last_before(counts, since_s):])


def _needs_reset(view: SafetyView) -> bool:
    alone = view.mode is SafetyMode.SAFE and FAULTS[FaultCode(view.fault)].rearm is Rearm.SELF
    return view.resettable and view.mode is not SafetyMode.READY and not alone


def _count(at_s: float, values: dict[str, object]) -> Count:
    held = values['held']
    numbers = [int(str(values[name])) for name in ('picks', 'places', 'contacts')]
    return Count(at_s, None if held is None else str(held), *numbers)


def _changes(states: list[State]) -> list[State]:
    return [now for i, now in enumerate(states) if i == 0 or now.mode is not states[i - 1].mode]


def _last_before(counts: list[Count], since_s: float) -> int:
    return max((i for i, count in enumerate(counts) if count.at_s <= since_s), default=0)
