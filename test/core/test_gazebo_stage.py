"""The Gazebo adapter's logic: contacts, objects and localization from the true poses of models."""

from __future__ import annotations

import math

import pytest
from robot_tool_agent.config_files import load_model, load_robot
from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent_sim.description import WorldDescription
from robot_tool_agent_sim.gazebo.stage import CONTACT_HOLD_S, Readings, Stage
from sim_house import CONFIG, WORLD_FILE

ROBOT = load_robot(CONFIG / 'robots' / 'gazebo_house.yaml')
OBJECTS = load_model(WORLD_FILE, WorldDescription).objects
AT_COUNTER = Pose2D(7.0, 4.7, math.pi / 2)


def stage() -> Stage:
    made = Stage(ROBOT, OBJECTS)
    for name, item in OBJECTS.items():
        made.on_object(name, Pose2D(item.x_m, item.y_m, 0.0))
    return made


def readings(made: Stage, pose: Pose2D = AT_COUNTER, begin_s: float = 5.0, duration_s: float = 2.0) -> list[Readings]:
    steps = round(duration_s * 50.0)
    found = [made.on_robot(pose, begin_s + 0.02 * step, 100.0 + 0.02 * step) for step in range(steps)]
    return [item for item in found if item is not None]


def test_each_reading_comes_at_the_rate_of_the_robot_description() -> None:
    found = readings(stage())
    assert len(found) == 100
    assert sum(item.global_pose is not None for item in found) == pytest.approx(20, abs=1)
    assert sum(item.objects is not None for item in found) == pytest.approx(20, abs=1)
    assert sum(item.bumper is not None for item in found) == pytest.approx(40, abs=1)
    assert found[0].truth.pose == AT_COUNTER
    assert found[0].truth.stamp_s == 5.0


def seen_from(pose: Pose2D, made: Stage | None = None) -> dict[str, tuple[float, float]]:
    found = next(item.objects for item in readings(made or stage(), pose) if item.objects is not None)
    return {item.id: (item.position.x_m, item.position.y_m) for item in found.objects}


def test_objects_ahead_are_seen_and_walls_hide_the_rest() -> None:
    assert seen_from(AT_COUNTER) == {'cup_1': (7.0, 5.48), 'bottle_1': (7.8, 5.48)}
    assert seen_from(Pose2D(7.0, 4.7, -math.pi / 2)) == {}
    assert seen_from(Pose2D(7.0, 2.5, math.pi / 2)) == {}, 'too far, and in another room'


def test_what_is_between_the_fingers_is_seen_wherever_the_robot_looks() -> None:
    made, away = stage(), Pose2D(2.0, 2.0, 1.0)
    hand = away.compose(Pose2D(0.40, 0.02, 0.0))
    made.on_object('cup_1', hand)
    assert seen_from(away, made) == {'cup_1': (hand.x_m, hand.y_m)}


def test_unknown_objects_and_poses_that_are_no_number_are_left_out() -> None:
    made = Stage(ROBOT, OBJECTS)
    made.on_object('ghost', Pose2D(7.0, 5.48, 0.0))
    made.on_object('cup_1', Pose2D(math.nan, 5.48, 0.0))
    assert seen_from(AT_COUNTER, made) == {}
    assert made.on_robot(Pose2D(0.0, math.inf, 0.0), 1.0, 1.0) is None


def test_a_contact_lasts_as_long_as_gazebo_repeats_it() -> None:
    made = stage()
    pressed: list[bool] = []
    for step in range(100):
        stamp_s = 5.0 + 0.02 * step
        if 20 <= step < 40:
            made.on_contacts(2, stamp_s)
        made.on_contacts(0, stamp_s)
        found = made.on_robot(AT_COUNTER, stamp_s, stamp_s)
        assert found is not None
        pressed += [found.bumper.pressed] if found.bumper is not None else []
    first, last = pressed.index(True), len(pressed) - 1 - pressed[::-1].index(True)
    assert first * 0.05 == pytest.approx(0.4, abs=0.06)
    assert last * 0.05 == pytest.approx(0.8 + CONTACT_HOLD_S, abs=0.06)
    assert all(pressed[first: last + 1])


def test_a_robot_without_gripper_and_bumper_gets_neither() -> None:
    bare = ROBOT.topics.model_copy(update={'bumper': None})
    robot = ROBOT.model_copy(update={'topics': bare, 'gripper': None})
    found = readings(Stage(robot, OBJECTS))
    assert not [item for item in found if item.bumper is not None]
    assert [item for item in found if item.objects is not None]


def test_a_world_that_begins_anew_does_not_silence_the_sensors() -> None:
    made = stage()
    readings(made, begin_s=500.0)
    anew = readings(made, begin_s=0.0)
    assert sum(item.global_pose is not None for item in anew) == pytest.approx(20, abs=1)
