"""Skills on sensors as they are: a noisy localization and detector, odometry that is two percent off."""

from dataclasses import replace

import numpy as np
import pytest
from robot_tool_agent.core.geometry import Point, Pose2D
from skill_rig import Rig

POSITION_NOISE_M = 0.015
YAW_NOISE_RAD = 0.01
SIGHT_NOISE_M = 0.008
ODOMETRY_SCALE = 1.02
TASK = [
    ('navigate_to', {'place': 'kitchen'}),
    ('pick', {'object': 'cup'}),
    ('navigate_to', {'place': 'table'}),
    ('place', {'place': 'table'}),
    ('move_relative', {'distance_m': -0.4}),
    ('rotate_relative', {'angle_rad': 3.0}),
    ('go_to_safe_pose', {}),
]


def noisy_rig(seed):
    rig, rng = Rig(), np.random.default_rng(seed)
    localize, detect, roll = rig.world.global_pose, rig.world.objects, rig.world.odom

    def global_pose():
        sample = localize()
        x_m, y_m = rng.normal((sample.pose.x_m, sample.pose.y_m), POSITION_NOISE_M)
        return replace(sample, pose=Pose2D(x_m, y_m, rng.normal(sample.pose.yaw_rad, YAW_NOISE_RAD)))

    def objects():
        sample = detect()
        seen = [
            replace(item, position=Point(*rng.normal((item.position.x_m, item.position.y_m), SIGHT_NOISE_M)))
            for item in sample.objects
        ]
        return replace(sample, objects=tuple(seen))

    def odom():
        sample = roll()
        pose = sample.pose
        return replace(sample, pose=Pose2D(ODOMETRY_SCALE * pose.x_m, ODOMETRY_SCALE * pose.y_m, pose.yaw_rad))

    rig.world.global_pose, rig.world.objects, rig.world.odom = global_pose, objects, odom
    return rig


@pytest.mark.parametrize('seed', range(3))
def test_a_fetch_task_succeeds_with_noise(seed):
    rig = noisy_rig(seed)
    for name, arguments in TASK:
        run = rig.run(name, arguments)
        assert run.refusal is None, (name, run.refusal)
        assert run.verdict.reached, (name, run.end.detail, run.verdict.message)
    truth = rig.world.truth()
    assert (truth.held, truth.picks, truth.places, truth.contacts) == (None, 1, 1, 0)
    assert rig.world.object_positions()['cup_1'].distance_to(Point(2.9, 0.52)) < 0.06
