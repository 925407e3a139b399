"""What ground truth shows over time: rest, stops, retreats."""

from __future__ import annotations

import math
import time

from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.recording import TruthPoint

STILL_MPS, STILL_RADPS = 0.01, 0.03
REST_S = 0.3
MESSAGE_DELAY_S = 0.15
MOVING_AGAIN = frozenset({SafetyMode.RETREATING})


def watch_until(probe: Probe, until_s: float) -> None:
    """Let time pass while the probe records."""
    probe.wait_until(lambda: time.monotonic() >= until_s, max(until_s - time.monotonic(), 0.0) + 1.0, 'a moment')


def stands(probe: Probe) -> bool:
    """Tell whether ground truth has shown standstill for a moment."""
    now_s = time.monotonic()
    points = probe.seen.truth(now_s - REST_S)
    return len(points) > 3 and not any(point.moves(STILL_MPS, STILL_RADPS) for point in points)


def check_still(probe: Probe, travelled_m: float, since_s: float) -> None:
    """Watch for a moment that nothing moves."""
    watch_until(probe, time.monotonic() + REST_S)
    assert not any(point.moves(STILL_MPS, STILL_RADPS) for point in probe.seen.truth(since_s))
    assert probe.counters()['travelled_m'] - travelled_m < 1e-3


def check_stop(probe: Probe, struck_s: float, within_s: float) -> None:
    """Assert that the robot stands a given time after a strike, and that only a retreat moves it after that."""
    watch_until(probe, struck_s + within_s + REST_S)
    late = probe.seen.truth(struck_s + within_s)
    assert late, 'no ground truth after the strike'
    for point in late:
        if point.moves(STILL_MPS, math.inf):
            assert _retreats(probe, point, within_s), _story(probe, point, struck_s)


def check_brakes(probe: Probe, since_s: float, within_s: float) -> None:
    """Assert that the robot stood in a given time after the safety node first told STOPPING."""
    told_s = next(seen.received_s for seen in probe.seen.states(since_s) if seen.view.mode is SafetyMode.STOPPING)
    points = probe.seen.truth(told_s, told_s + within_s)
    assert any(not point.moves(STILL_MPS, STILL_RADPS) for point in points), points[-1:]


def _story(probe: Probe, point: TruthPoint, struck_s: float) -> str:
    """Tell what the safety node said around a moment, in seconds after the strike."""
    around = probe.seen.states(point.received_s - 1.0, point.received_s + 1.0)
    told = [f'{seen.received_s - struck_s:.2f} {seen.view.mode.name} {seen.view.fault}' for seen in around]
    return f'{point} moves {point.received_s - struck_s:.2f} s after the strike; {told}'


def _retreats(probe: Probe, point: TruthPoint, within_s: float) -> bool:
    """Tell whether a moment lies in a retreat, or in the time to stop after one that a new fault broke off."""
    around = probe.seen.states(point.received_s - within_s, point.received_s + MESSAGE_DELAY_S)
    return any(seen.view.mode in MOVING_AGAIN for seen in around)
