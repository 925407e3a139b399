"""Changes of the output: bounded both ways, never past the target."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
import pytest
from robot_tool_agent.core.geometry import Twist2D, ZERO_TWIST
from robot_tool_agent.core.safety.braking import Ramp, slew, stop_time_s
from sim_house import robot_description

LIMITS = robot_description().limits  # 0.8 and 1.5 m/s^2, 4 and 6 rad/s^2
DT_S = 0.02
SPEEDS = st.floats(-2.0, 2.0)
JERKY = LIMITS.model_copy(update={'max_jerk_mps3': 4.0})


@pytest.mark.parametrize(
    ('last', 'target', 'wanted'),
    [
        ((0.0, 0.0), (0.5, 0.0), (0.016, 0.0)),
        ((0.5, 0.0), (0.0, 0.0), (0.47, 0.0)),
        ((-0.3, 0.0), (0.0, 0.0), (-0.27, 0.0)),
        ((0.0, 0.0), (0.0, 1.0), (0.0, 0.08)),
        ((0.0, 1.0), (0.0, 0.0), (0.0, 0.88)),
        ((0.02, 0.0), (0.0, 0.0), (0.0, 0.0)),
        ((0.49, 0.0), (0.5, 0.0), (0.5, 0.0)),
        ((0.5, 1.0), (0.0, 0.0), (0.47, 0.88)),
    ],
)
def test_one_tick(last: tuple[float, float], target: tuple[float, float], wanted: tuple[float, float]):
    out = slew(Twist2D(*last), Twist2D(*target), LIMITS, DT_S)
    assert (out.v_mps, out.w_radps) == pytest.approx(wanted)


def test_speeding_up_keeps_the_arc():
    out = slew(ZERO_TWIST, Twist2D(0.4, 0.8), LIMITS, DT_S)
    assert out.w_radps / out.v_mps == pytest.approx(2.0)
    assert out.v_mps == pytest.approx(0.016)


def test_a_change_of_direction_passes_through_zero():
    out = slew(Twist2D(0.01, 0.0), Twist2D(-0.5, 0.0), LIMITS, DT_S)
    assert out == ZERO_TWIST


def test_full_speed_is_braked_in_a_third_of_a_second():
    assert stop_time_s(Twist2D(0.5, 1.0), LIMITS) == pytest.approx(1.0 / 3.0)
    twist = Twist2D(0.5, 1.6)
    for _ in range(17):
        twist = slew(twist, ZERO_TWIST, LIMITS, DT_S)
    assert twist == ZERO_TWIST


def speeds_of(ramp: Ramp, start: Twist2D, target: Twist2D, ticks: int) -> list[float]:
    speeds = [start.v_mps]
    twist = start
    for _ in range(ticks):
        twist = ramp.next(twist, target, DT_S)
        speeds.append(twist.v_mps)
    return speeds


def test_jerk_is_bounded_on_speeding_up():
    speeds = speeds_of(Ramp(JERKY), ZERO_TWIST, Twist2D(0.5, 0.0), 60)
    accelerations = [0.0, *((after - before) / DT_S for before, after in pairwise(speeds))]
    rises = [after - before for before, after in pairwise(accelerations) if after > 0.0]
    assert max(rises) <= 4.0 * DT_S + 1e-9
    assert max(accelerations) == pytest.approx(0.8)
    assert speeds[-1] == 0.5
    assert accelerations[1:11] == pytest.approx([4.0 * DT_S * tick for tick in range(1, 11)])


def test_braking_is_never_delayed_by_the_jerk_limit_and_the_next_start_is_soft_again():
    ramp = Ramp(JERKY)
    speeds_of(ramp, ZERO_TWIST, Twist2D(0.5, 0.0), 60)
    assert ramp.next(Twist2D(0.5, 0.0), ZERO_TWIST, DT_S).v_mps == pytest.approx(0.47)
    assert ramp.next(Twist2D(0.2, 0.0), Twist2D(0.5, 0.0), DT_S).v_mps == pytest.approx(0.2 + 4.0 * DT_S * DT_S)


def test_without_a_jerk_limit_the_whole_acceleration_is_there_at_once():
    assert LIMITS.max_jerk_mps3 is None
    assert Ramp(LIMITS).next(ZERO_TWIST, Twist2D(0.5, 0.0), DT_S).v_mps == pytest.approx(0.016)


@given(SPEEDS, SPEEDS, SPEEDS, SPEEDS)
def test_never_faster_than_target_or_last_minus_the_step_and_never_rising_too_fast(
    v_last: float, w_last: float, v_target: float, w_target: float
):
    out = slew(Twist2D(v_last, w_last), Twist2D(v_target, w_target), LIMITS, DT_S)
    for last, target, now, fall, rise in (
        (v_last, v_target, out.v_mps, 1.5 * DT_S, 0.8 * DT_S),
        (w_last, w_target, out.w_radps, 6.0 * DT_S, 4.0 * DT_S),
    ):
        assert abs(now) <= max(abs(target), abs(last) - fall) + 1e-12
        assert abs(now) <= abs(last) + rise + 1e-12
        assert abs(now) >= min(abs(target), abs(last)) - 1e-12 or last * target < 0.0
        assert abs(last) - abs(now) <= fall + 1e-12
