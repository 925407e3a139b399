"""Objects as vision_msgs/Detection3DArray: read like our own, imported only where the robot says so."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from robot_tool_agent.config_files import ConfigError
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.robot.topics import ObjectsTopic, ObjectsType
from robot_tool_agent.core.samples import SeenObject
from robot_tool_agent.nodes.conversions import detections_sample, frame_fault
from robot_tool_agent.nodes.topic_types import input_type, type_name
from sim_house import robot_description
from stand_in_interfaces import environment_with


def detection(name: str, *hypotheses: tuple[str, float], x_m: float = 2.0) -> Any:
    results = [SimpleNamespace(hypothesis=SimpleNamespace(class_id=label, score=score)) for label, score in hypotheses]
    centre = SimpleNamespace(position=SimpleNamespace(x=x_m, y=0.5, z=0.4))
    return SimpleNamespace(id=name, results=results, bbox=SimpleNamespace(center=centre))


def test_the_best_hypothesis_is_the_label() -> None:
    header = SimpleNamespace(stamp=SimpleNamespace(sec=7, nanosec=500_000_000))
    items = [detection('', ('cup', 0.4), ('bowl', 0.9)), detection('box_3', ('box', 0.8), x_m=3.0), detection('x')]
    sample = detections_sample(SimpleNamespace(header=header, detections=items), 100.0)
    assert (sample.stamp_s, sample.received_s) == (7.5, 100.0)
    assert sample.objects == (
        SeenObject('bowl_0', 'bowl', Point(2.0, 0.5), 0.9),
        SeenObject('box_3', 'box', Point(3.0, 0.5), 0.8),
    )


@pytest.mark.parametrize(
    ('named', 'demanded', 'fault'),
    [
        ('map', 'map', ''),
        ('/map', 'map', ''),
        ('', 'map', ''),
        ('camera', '', ''),
        ('camera', 'map', "its frame is 'camera', not 'map'"),
    ],
)
def test_a_message_of_another_frame_is_told_from_one_that_names_none(named: str, demanded: str, fault: str) -> None:
    message = SimpleNamespace(header=SimpleNamespace(frame_id=named))
    assert frame_fault(message, demanded) == fault


def _detecting() -> Any:
    robot = robot_description()
    objects = ObjectsTopic(rate_hz=10.0, type=ObjectsType.DETECTION3D)
    return robot.model_copy(update={'topics': robot.topics.model_copy(update={'detected_objects': objects})})


def test_our_own_message_needs_no_foreign_package() -> None:
    named = type_name(input_type(robot_description(), 'detected_objects'))
    assert named == 'robot_tool_agent_interfaces/msg/DetectedObjects'


def test_a_missing_package_is_a_configuration_fault() -> None:
    if importlib.util.find_spec('vision_msgs') is None:
        with pytest.raises(ConfigError, match='vision_msgs is not installed'):
            input_type(_detecting(), 'detected_objects')
    else:
        assert type_name(input_type(_detecting(), 'detected_objects')) == 'vision_msgs/msg/Detection3DArray'


@pytest.mark.slow
def test_a_real_message_of_that_shape_is_read() -> None:
    script = """
from vision_msgs.msg import Detection3D, Detection3DArray, ObjectHypothesisWithPose
from robot_tool_agent.nodes.conversions import detections_sample, frame_fault
item, best = Detection3D(id='cup_1'), ObjectHypothesisWithPose()
best.hypothesis.class_id, best.hypothesis.score = 'cup', 0.75
item.results.append(best)
item.bbox.center.position.x = 2.5
print(detections_sample(Detection3DArray(detections=[item]), 1.0).objects)
"""
    done = subprocess.run(
        [sys.executable, '-c', script],
        env=environment_with('vision_msgs'), capture_output=True, text=True, timeout=60.0, check=True,
    )  # fmt: skip
    assert done.stdout.strip() == str((SeenObject('cup_1', 'cup', Point(2.5, 0.0), 0.75),))
