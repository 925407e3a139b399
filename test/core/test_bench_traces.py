"""When a command answered a fault, how a robot stopped, when samples suffice for a verdict."""

from __future__ import annotations

import pytest
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent_sim.harness.ranges import corridor_ranges, open_ranges
from robot_tool_agent_sim.harness.traces import (
    first_drop_s,
    Moment,
    Published,
    seen_enough_s,
    Speed,
    stop_after,
)


def speeds(*values: float, since_s: float = 0.0) -> list[Speed]:
    """One command every 20 ms; the first is the last before the event at 0.01 s."""
    return [Speed(since_s + 0.02 * index, value) for index, value in enumerate(values)]


@pytest.mark.parametrize(
    ('values', 'to_zero', 'wanted_s'),
    [
        ((0.4, 0.4, 0.37, 0.34), False, 0.04),
        ((0.4, 0.0, 0.0), False, 0.02),
        ((0.4, 0.37, 0.0), True, 0.04),
        ((-0.3, -0.3, -0.2), False, 0.04),
        ((0.4, 0.37, 0.4, 0.3), False, 0.06),
        ((0.4, 0.37, 0.4), False, None),
        ((0.4, 0.0, 0.1, 0.05), True, None),
        ((0.4, 0.4, 0.4), False, None),
        ((0.4, 0.5, 0.45), False, 0.04),
    ],
)
def test_the_answer_is_the_first_slower_command_that_no_faster_one_follows(
    values: tuple[float, ...], to_zero: bool, wanted_s: float | None
) -> None:
    found_s = first_drop_s(speeds(*values), 0.01, to_zero)
    assert found_s == (None if wanted_s is None else pytest.approx(wanted_s))


def test_without_a_command_before_the_fault_there_is_no_answer() -> None:
    assert first_drop_s(speeds(0.4, 0.0, since_s=1.0), 0.5) is None


def test_a_stop_counts_time_and_way_from_the_event() -> None:
    moments = [Moment(1.0, Pose2D(0.0, 0.0, 0.0), 0.4), Moment(1.02, Pose2D(0.008, 0.0, 0.0), 0.4)]
    moments += [Moment(1.1, Pose2D(0.03, 0.04, 0.0), 0.1), Moment(1.2, Pose2D(0.03, 0.05, 0.0), 0.009)]
    moments += [Moment(1.3, Pose2D(1.0, 0.05, 0.0), 0.2)]
    stop = stop_after(moments, 1.0)
    assert stop is not None
    assert stop.time_s == pytest.approx(0.2)
    assert stop.distance_m == pytest.approx(0.008 + (0.022**2 + 0.04**2) ** 0.5 + 0.01)


def test_a_robot_that_goes_on_has_no_stop() -> None:
    assert stop_after([Moment(1.0, Pose2D(0.0, 0.0, 0.0), 0.4), Moment(2.0, Pose2D(0.4, 0.0, 0.0), 0.4)], 1.0) is None
    assert stop_after([Moment(2.0, Pose2D(0.4, 0.0, 0.0), 0.0)], 1.0) is None


def test_samples_suffice_once_standstill_is_long_enough_and_both_sensors_spoke_again() -> None:
    odometry = [Published(100.0 + 0.02 * index, 5.0 + 0.02 * index) for index in range(8)]
    poses = [Published(100.03, 5.03), Published(100.095, 5.095)]
    # Ended at 5.01: standing from 5.02, settled at 5.06, then odometry of 5.08 and the pose of 5.095.
    assert seen_enough_s(odometry, poses, 5.01, 0.039) == pytest.approx(100.095)
    assert seen_enough_s(odometry, [*poses[:1], Published(100.07, 5.07)], 5.01, 0.039) == pytest.approx(100.08)
    assert seen_enough_s(odometry, poses[:1], 5.01, 0.039) is None
    assert seen_enough_s(odometry, poses, 5.2, 0.039) is None
    assert seen_enough_s([], poses, 5.01, 0.039) is None


def test_a_corridor_has_two_walls_and_may_have_something_ahead() -> None:
    ranges = corridor_ranges(half_width_m=0.8)
    assert ranges[90] == pytest.approx(0.8)
    assert ranges[270] == pytest.approx(0.8)
    assert ranges[30] == pytest.approx(1.6)
    assert ranges[0] == float('inf')
    blocked = corridor_ranges(half_width_m=0.8, ahead_m=0.22)
    assert blocked[0] == blocked[20] == blocked[340] == 0.22
    assert blocked[90] == pytest.approx(0.8)
    assert open_ranges() == [float('inf')] * 360
