"""Odometry that drifts from the map: by how much, and that places and safe poses are reached all the same."""

from __future__ import annotations

import pytest
from robot_tool_agent.config_files import load_model
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.outcomes import Effect
from robot_tool_agent_sim.description import WorldDescription
from robot_tool_agent_sim.drift import OdomDrift
from robot_tool_agent_sim.world import World
from sim_house import CONFIG, robot_description
from skill_rig import Rig


def drifting(**drift: float) -> World:
    """Return the house with the robot at (1, 1) and wheels that are off."""
    description = load_model(CONFIG / 'worlds' / 'house_drift.yaml', WorldDescription)
    update = {'odom_drift': OdomDrift(**drift)} if drift else {}
    return World(robot_description(), description.model_copy(update=update))


def test_odometry_counts_too_much_and_imagines_a_turn() -> None:
    world = drifting(scale=1.05, turn_rad_per_m=0.03)
    while world.truth().travelled_m < 1.0:
        world.command_base(Twist2D(0.4, 0.0))
        world.step(0.02)
    odom = world.odom()
    assert odom is not None
    assert odom.pose.yaw_rad == pytest.approx(0.03, abs=0.001)
    assert odom.twist == Twist2D(pytest.approx(0.42), pytest.approx(0.012))
    assert odom.pose.x_m == pytest.approx(1.05, abs=0.01)
    assert world.pose.yaw_rad == 0.0


def test_without_drift_odometry_is_the_way_driven() -> None:
    assert OdomDrift().reported(Twist2D(-0.3, 0.7)) == Twist2D(-0.3, 0.7)


@pytest.mark.parametrize('place', ['kitchen', 'shelf', 'desk'])
def test_places_and_safe_poses_are_reached_in_the_map(place: str) -> None:
    rig = Rig(drifting())
    there = rig.run('navigate_to', {'place': place})
    assert there.verdict is not None
    assert (there.verdict.reached, there.verdict.effect) == (True, Effect.DONE), there.verdict.message
    assert rig.world.pose.distance_to(rig.robot.places[place].pose) < 0.08
    odom = rig.view.odom
    assert odom is not None
    home = rig.world.pose.relative_to(Rig(drifting()).world.pose)
    assert odom.pose.distance_to(home) > 0.1  # the odom frame is elsewhere by now
    back = rig.run('go_to_safe_pose', {})
    assert back.verdict is not None
    assert back.verdict.reached, back.verdict.message
    assert min(rig.world.pose.distance_to(pose.pose) for pose in rig.robot.safe_poses.values()) < 0.08


def test_a_relative_motion_is_measured_by_what_does_not_drift() -> None:
    rig = Rig(drifting())
    run = rig.run('move_relative', {'distance_m': 1.0})
    assert run.verdict is not None
    assert run.verdict.reached, run.verdict.message
    assert rig.world.pose.x_m - 1.0 == pytest.approx(1.0, abs=0.05)
