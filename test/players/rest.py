"""Waits until the system rests, then asks ground truth."""

from __future__ import annotations

from typing import Any

from players.stage import Run, Stage
from players.watching import check_brakes, check_stop, stands
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.harness.probe import Probe
from scenario_types import Scenario, Truth

SETTLE_TIMEOUT_S = 40.0
REACH_M = 0.40


def check_rest(stage: Stage, scenario: Scenario, run: Run, travelled_before_m: float) -> None:
    """Hold where and how the system comes to rest against the table."""
    probe = stage.probe
    what = f'{scenario.name}: modes {[mode.name for mode in scenario.modes]}, then rest'
    probe.wait_until(lambda: _at_rest(probe, scenario, run.since_s), SETTLE_TIMEOUT_S, what)
    _check_told(probe, scenario, run)
    counted = probe.counters()
    travelled_m = counted['travelled_m'] - travelled_before_m
    assert scenario.distance_m[0] <= travelled_m <= scenario.distance_m[1], f'travelled {travelled_m:.3f} m'
    _check_truth(probe, scenario.truth, run, counted)


def _check_told(probe: Probe, scenario: Scenario, run: Run) -> None:
    """Hold what the safety node told against the table."""
    views = [seen.view for seen in probe.seen.states(run.since_s)]
    faults, details = {view.fault for view in views}, {view.detail for view in views}
    assert not scenario.fault or scenario.fault in faults, faults
    assert not scenario.told or any(scenario.told in detail for detail in details), details
    if scenario.untroubled:
        story = [(seen.view.mode.name, seen.view.fault) for seen in probe.seen.states(run.began_s)]
        assert set(story) == {(SafetyMode.READY.name, '')}, story


def _at_rest(probe: Probe, scenario: Scenario, since_s: float) -> bool:
    state = probe.state()
    if state is None or state.mode not in scenario.ends_in:
        return False
    wanted = iter(probe.seen.modes(since_s))
    return all(mode in wanted for mode in scenario.modes) and stands(probe)


def _check_truth(probe: Probe, truth: Truth, run: Run, counted: dict[str, Any]) -> None:
    pose = probe.true_pose()
    assert (counted['held'], counted['picks'], counted['places'], counted['contacts']) == (
        truth.held, truth.picks, truth.places, truth.contacts,
    ), counted  # fmt: skip
    if truth.at is not None:
        assert pose.distance_to(Point(*truth.at)) <= truth.at_within_m, pose
    if truth.safe_poses:
        assert min(pose.distance_to(Point(*place)) for place in truth.safe_poses) <= truth.at_within_m, pose
    if truth.released_at is not None:
        assert released_at(probe, run.began_s).distance_to(Point(*truth.released_at)) <= 0.12
    if truth.still_within_s is not None:
        assert run.struck_s is not None
        check_stop(probe, run.struck_s, truth.still_within_s)
    if truth.brakes_within_s is not None:
        check_brakes(probe, run.since_s, truth.brakes_within_s)


def released_at(probe: Probe, since_s: float) -> Point:
    """Return where the grasp point truly was when the last object was let go, map frame."""
    counted = [item for item in probe.seen.counted(since_s) if item.values['places'] > 0]
    assert counted, 'nothing was let go'
    return probe.seen.truth(since_s, counted[0].received_s)[-1].pose.transform_point(Point(REACH_M, 0.0))
