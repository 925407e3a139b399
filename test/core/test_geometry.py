"""Planar geometry: right values, and laws that must hold."""

import math

from hypothesis import given
from hypothesis import strategies as st
import pytest
from robot_tool_agent.core.geometry import Point, Pose2D, Twist2D, wrap_angle

coordinates = st.floats(-100, 100)
poses = st.builds(Pose2D, coordinates, coordinates, st.floats(-math.pi, math.pi))


@pytest.mark.parametrize(
    ('angle', 'wrapped'),
    [(0.0, 0.0), (math.pi, math.pi), (-math.pi, math.pi), (3 * math.pi / 2, -math.pi / 2), (7.0, 7.0 - math.tau)],
)
def test_wrap_angle(angle, wrapped):
    assert wrap_angle(angle) == pytest.approx(wrapped)


def test_compose_turns_then_moves():
    moved = Pose2D(1.0, 2.0, math.pi / 2).compose(Pose2D(1.0, 0.5, math.pi / 4))
    assert (moved.x_m, moved.y_m, moved.yaw_rad) == pytest.approx((0.5, 3.0, 3 * math.pi / 4))


def test_bearing_is_relative_to_the_heading():
    assert Pose2D(0.0, 0.0, math.pi / 2).bearing_to(Point(-1.0, 0.0)) == pytest.approx(math.pi / 2)


@given(poses, poses)
def test_relative_to_undoes_compose(frame, inner):
    back = frame.compose(inner).relative_to(frame)
    assert back.distance_to(inner) < 1e-9
    assert abs(wrap_angle(back.yaw_rad - inner.yaw_rad)) < 1e-9


@given(poses)
def test_inverse_composes_to_identity(pose):
    unit = pose.compose(pose.inverse())
    assert unit.distance_to(Point(0.0, 0.0)) < 1e-9
    assert abs(unit.yaw_rad) < 1e-9


def test_a_quarter_circle():
    end = Twist2D(math.pi / 2, math.pi / 2).step(Pose2D(0.0, 0.0, 0.0), 1.0)
    assert (end.x_m, end.y_m, end.yaw_rad) == pytest.approx((1.0, 1.0, math.pi / 2))


@given(poses, st.floats(-2, 2), st.floats(-2, 2))
def test_two_half_steps_are_one_step(pose, v_mps, w_radps):
    twist = Twist2D(v_mps, w_radps)
    whole, halves = twist.step(pose, 0.2), twist.step(twist.step(pose, 0.1), 0.1)
    assert whole.distance_to(halves) < 1e-6


def test_nan_is_not_finite():
    assert not Pose2D(0.0, math.nan, 0.0).is_finite()
    assert not Twist2D(math.inf, 0.0).is_finite()
    assert Twist2D(1.0, 0.0).is_finite()
