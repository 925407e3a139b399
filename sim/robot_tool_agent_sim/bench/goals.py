"""What the figures should be, and whether they are. A missed goal is told, never hidden."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

EVENT_ECHO = {'operator_stop': 'bool', 'bumper': 'bool', 'obstacle': 'scan', 'invalid_command': 'command'}
TIMEOUT_KINDS = ('odometry_stale', 'executor_killed', 'executor_stopped')
P50_RATIO, P95_RATIO = 1.3, 2.0
READ_ONLY_MORE_MS, MOTION_MORE_MS, COMMITS = 5.0, 45.0, 2
ACK_MS, LOOKUP_RATIO, SCAN_US, CPU_PERCENT = 50.0, 2.0, 100.0, 45.0


@dataclass(frozen=True, slots=True)
class Goal:
    """One figure beside its limit. `basis` says where the limit comes from."""

    name: str
    value: float
    limit: float
    unit: str
    basis: str

    @property
    def met(self) -> bool:
        """Whether the figure is within its limit."""
        return self.value <= self.limit


def goals_of(figures: Mapping[str, Any], tick_ms: float) -> list[Goal]:
    """Return every goal with its figure; `figures` as in build/bench.json, `tick_ms` the gate's period."""
    return [*_events(figures), *_timeouts(figures, tick_ms), *_calls(figures), *_costs(figures)]


def _events(figures: Mapping[str, Any]) -> Iterator[Goal]:
    for kind, echo in EVENT_ECHO.items():
        measured, bare = figures['fault_to_zero'][kind], figures['echo'][echo]
        for key, ratio in (('p50_ms', P50_RATIO), ('p95_ms', P95_RATIO)):
            basis = f'{ratio:g} x echo {echo} {bare[key]:.2f}'
            yield Goal(f'fault_to_zero {kind} {key[:3]}', measured[key], ratio * bare[key], 'ms', basis)


def _timeouts(figures: Mapping[str, Any], tick_ms: float) -> Iterator[Goal]:
    echo = figures['echo']['twist']
    for kind in TIMEOUT_KINDS:
        for key in ('p50_ms', 'p95_ms'):
            basis = f'one tick {tick_ms:g} + echo twist {echo[key]:.2f}'
            value = figures['fault_to_zero'][kind][key]
            yield Goal(f'fault_to_zero {kind} {key[:3]}', value, tick_ms + echo[key], 'ms', basis)


def _calls(figures: Mapping[str, Any]) -> Iterator[Goal]:
    calls = figures['skill_call']
    bare, commit = calls['bare']['p50_ms'], calls['commit_ms']['p50_ms']
    yield Goal(
        'skill_call read_only p50', calls['read_only']['p50_ms'], bare + READ_ONLY_MORE_MS, 'ms', f'bare {bare:.2f} + 5'
    )
    limit = bare + COMMITS * commit + MOTION_MORE_MS
    basis = f'bare {bare:.2f} + 2 commits of {commit:.2f} + 45'
    yield Goal('skill_call motion p50', calls['motion']['p50_ms'], limit, 'ms', basis)
    ack = figures['cancel']['ack_ms']
    yield Goal('cancel ack p95', ack['p95_ms'], ACK_MS, 'ms', 'fixed')


def _costs(figures: Mapping[str, Any]) -> Iterator[Goal]:
    yield Goal('journal look-up p95 ratio', figures['journal_lookup_ratio'], LOOKUP_RATIO, '', 'fixed')
    yield Goal('scan verdict p50', figures['scan_check_us']['p50_us'], SCAN_US, 'us', 'fixed')
    bare = figures['cpu_percent']['bare']
    yield Goal('safety node', figures['cpu_percent']['safety'], CPU_PERCENT, '% of a core', f'bare {bare:.1f}')
