"""A localization that speaks twice a second, as AMCL does when it is asked for updates at rest."""

import pytest
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.robot import InputTopic
from sim_house import house, robot_description
from skill_rig import Rig

RATE_HZ = 2.0


class SlowRig(Rig):
    """A rig whose robot hears `global_pose` at RATE_HZ until `localized` is False."""

    localized = True
    _heard_s = -1.0

    def _sense(self) -> None:
        due = self.localized and self.world.now_s - self._heard_s >= 1.0 / RATE_HZ
        self.silent = set() if due else {'global_pose'}
        before = self.view.global_pose
        super()._sense()
        if self.view.global_pose is not before:
            self._heard_s = self.world.now_s


def slow_rig(x_m: float = 2.0, y_m: float = 1.9) -> SlowRig:
    known = robot_description()
    topics = known.topics.model_copy(update={'global_pose': InputTopic(rate_hz=RATE_HZ)})
    return SlowRig(house(x_m, y_m, 0.0), known.model_copy(update={'topics': topics}))


def test_places_and_distances_are_reached_before_and_after_a_long_rest():
    rig = slow_rig()
    assert rig.run('navigate_to', {'place': 'kitchen'}).verdict.reached
    assert rig.world.pose.distance_to(Pose2D(7.0, 4.7, 0.0)) < 0.08
    rig.advance(None, 10.0)
    assert rig.run('navigate_to', {'place': 'living_room'}).verdict.reached
    assert rig.world.pose.distance_to(Pose2D(2.0, 1.9, 0.0)) < 0.08
    rig.advance(None, 10.0)
    before = rig.world.pose
    run = rig.run('move_relative', {'distance_m': 0.3})
    assert run.verdict.reached
    assert run.verdict.evidence['checks'][0]['stamp_s'] > run.since.stamp_s
    assert rig.world.pose.distance_to(before) == pytest.approx(0.3, abs=0.02)


def test_wheels_that_slip_are_no_success():
    rig = slow_rig()

    def carried_back(moving, step):
        if moving.world.truth().travelled_m > 0.2:
            moving.world.pose = Pose2D(1.9, 1.9, 0.0)

    verdict = rig.run('move_relative', {'distance_m': 0.3}, hook=carried_back).verdict
    assert verdict is not None
    assert not verdict.reached


def test_no_updates_no_motion():
    rig = slow_rig()
    rig.localized = False
    rig.advance(None, 1.0)
    assert rig.run('move_relative', {'distance_m': 0.1}).refusal is None
    rig = slow_rig()
    rig.localized = False
    rig.advance(None, 2.1)
    assert rig.run('move_relative', {'distance_m': 0.1}).refusal.error is ErrorCode.STALE_SENSOR
