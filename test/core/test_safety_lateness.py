"""Samples that tell of the past: they are no news, however long they keep coming, and nothing is driven on them."""

from __future__ import annotations

import pytest
from robot_tool_agent.core.freshness import InputWatch
from robot_tool_agent.core.safety_state import SafetyMode as M
from robot_tool_agent.core.samples import Sample
from safety_rig import cruising, FORWARD, modes_of, Rig

PERIOD_S = 0.05
LIMIT_S = 0.25


def delayed(watch: InputWatch, delay_s: float, from_s: float, to_s: float) -> list[bool]:
    """Offer samples that arrive periodically, each `delay_s` after its stamp, and return which were news."""
    count = round((to_s - from_s) / PERIOD_S)
    arrivals_s = [from_s + PERIOD_S * step for step in range(1, count + 1)]
    return [watch.offer(Sample(arrival_s - delay_s, arrival_s)) for arrival_s in arrivals_s]


def watch_on_time(until_s: float = 10.0) -> InputWatch:
    watch = InputWatch(LIMIT_S)
    assert all(delayed(watch, 0.01, 0.0, until_s))
    return watch


@pytest.mark.parametrize(('delay_s', 'news'), [(0.1, True), (0.25, True), (0.3, False), (0.8, False)])
def test_a_sample_is_news_only_if_it_was_not_under_way_for_longer_than_the_limit(delay_s: float, news: bool):
    assert set(delayed(watch_on_time(), delay_s, 11.0, 12.0)) == {news}


def test_an_input_that_stays_late_never_counts_as_fresh():
    watch = watch_on_time()
    assert not any(delayed(watch, 0.8, 11.0, 2_000.0))
    assert watch.stale(2_000.0)


def test_an_input_that_was_late_is_news_again_once_it_is_on_time():
    watch = watch_on_time()
    delayed(watch, 0.8, 11.0, 100.0)
    assert all(delayed(watch, 0.01, 101.0, 102.0))


def test_a_clock_that_drifts_as_far_as_a_kernel_may_slew_it_blinds_nobody():
    watch = watch_on_time(0.5)
    arrivals_s = [1.0 + PERIOD_S * step for step in range(40_000)]
    assert all(watch.offer(Sample(arrival_s - 0.01 - 500e-6 * arrival_s, arrival_s)) for arrival_s in arrivals_s)


def test_a_delay_that_grows_by_little_and_little_ends_as_late():
    watch = watch_on_time()
    arrivals_s = [11.0 + PERIOD_S * step for step in range(4_000)]
    late = [watch.offer(Sample(arrival_s - 0.01 - 0.01 * (arrival_s - 11.0), arrival_s)) for arrival_s in arrivals_s]
    assert not any(late[-100:])


@pytest.mark.parametrize('speed', [0.2, 0.5, 1.0, 4.0])
def test_a_simulated_clock_may_run_at_any_speed(speed: float):
    watch = InputWatch(LIMIT_S)
    arrivals_s = [100.0 + PERIOD_S * step for step in range(1, 2_000)]
    clocks_s = [speed * (arrival_s - 100.0) for arrival_s in arrivals_s]
    news = [
        watch.offer(Sample(clock_s - 0.01, arrival_s), clock_s)
        for arrival_s, clock_s in zip(arrivals_s, clocks_s, strict=True)
    ]
    assert all(news)
    assert not watch.offer(Sample(clocks_s[-1] + 0.1, arrivals_s[-1] + 1.0), clocks_s[-1] + 0.5), 'late by that clock'


def test_a_simulated_clock_that_stood_still_while_samples_came_leaves_nobody_blind():
    watch = InputWatch(LIMIT_S)
    arrivals_s = [100.0 + PERIOD_S * step for step in range(1, 200)]
    assert all(watch.offer(Sample(arrival_s, arrival_s), min(arrival_s, 103.0)) for arrival_s in arrivals_s)
    assert watch.offer(Sample(110.1, 110.1), 110.1)


@pytest.mark.parametrize('speed', [0.5, 1.0])
def test_the_robot_of_a_slow_simulation_is_driven_and_stopped_like_any_other(speed: float):
    rig = Rig()
    for _ in range(300):
        rig.safety.on_ros_time(0.1 + rig.world.stamp_s, rig.now_s)
        rig.world.step(0.02)
        rig.world.stamp_s = speed * rig.world.now_s
        rig.ticks += 1
        rig._sense()
        rig.tick()
    assert rig.mode is M.READY


@pytest.mark.parametrize('asked_after_s', [0.0, 0.1, 0.2, 0.24, 0.26, 0.3, 0.5, 0.7, 0.9, 1.2])
def test_a_stop_that_was_asked_for_beside_late_odometry_never_ends_in_a_retreat(asked_after_s: float):
    """The executor may be the first to miss odometry: its request alone would park the robot."""
    rig = cruising()
    rig.world.set_fault('odom_late')
    rig.run(asked_after_s, FORWARD)
    rig.trip('SKILL_UNKNOWN')
    rig.run(10.0)
    assert M.RETREATING not in modes_of(rig)
    assert (rig.mode, rig.fault) == (M.HOLDING, 'ODOM_STALE')


@pytest.mark.parametrize('input_name', ['odom', 'scan'])
def test_lateness_that_begins_on_the_way_back_ends_the_way_back(input_name: str):
    rig = cruising()
    rig.run(2.0, FORWARD)
    rig.trip('SKILL_UNKNOWN')
    rig.until(M.RETREATING, limit_s=5.0)
    rig.run(1.0)
    rig.world.set_fault(f'{input_name}_late')
    rig.until(M.HOLDING, limit_s=1.0)
    assert rig.fault == f'{input_name.upper()}_STALE'


def test_no_reset_is_taken_while_odometry_stays_late_and_one_is_once_it_is_on_time():
    rig = cruising()
    rig.world.set_fault('odom_late')
    rig.until(M.HOLDING, limit_s=5.0)
    rig.run(130.0)
    assert not _reset(rig)
    assert 'odom' in rig.output.view.detail
    rig.world.set_fault('none')
    rig.run(0.5)
    assert _reset(rig)


def _reset(rig: Rig) -> bool:
    return rig.safety.reset('Ada', rig.now_s).success
