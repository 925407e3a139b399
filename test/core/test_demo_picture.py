"""The picture of the demonstration: free labels, furniture, colours by state, a file of the promised size."""

from __future__ import annotations

from pathlib import Path
import struct

import numpy as np
import pytest
from robot_tool_agent.core.geometry import Point, Pose2D
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.demo.house import prepare_house
from robot_tool_agent_sim.demo.house_map import furniture
from robot_tool_agent_sim.demo.judgement import Verdict
from robot_tool_agent_sim.demo.labels import along, Box, Placer
from robot_tool_agent_sim.demo.panel import coloured, mode_at_rest
from robot_tool_agent_sim.demo.picture import draw
from robot_tool_agent_sim.demo.played import Played
from robot_tool_agent_sim.demo.record import Count, Mark, Motion, Record, State

BOUNDS = Box(5.0, 3.0, 5.0, 3.0)


def record() -> Record:
    """Two seconds at 0.5 m/s, stopped by a fault after one and a half, SAFE at the end."""
    motions = [Motion(i / 50, Pose2D(6.0 + min(i, 75) / 100, 3.9, 0.0), 0.5 * (i < 75), 0.0) for i in range(200)]
    states = [State(0.0, SafetyMode.READY), State(1.0, SafetyMode.STOPPING), State(1.8, SafetyMode.SAFE)]
    return Record(motions, states, [Count(0.0, None, 0, 0, 0)])


def test_labels_keep_off_each_other_and_off_the_path():
    path = along([(1.0, 3.0, 9.0, 3.0)], 0.1)
    placer = Placer(BOUNDS, path)
    boxes = [placer.place(5.0, 3.0, 1.5, 0.3, offset=True) for _ in range(4)]
    assert not any(first.overlaps(second) for i, first in enumerate(boxes) for second in boxes[:i])
    assert not any(box.covered(path) for box in boxes)
    assert all(Point(box.x_m, box.y_m).distance_to(Point(5.0, 3.0)) < 2.5 for box in boxes)


def test_labels_stay_inside_the_map():
    placer = Placer(BOUNDS, np.empty((0, 2)))
    box = placer.place(9.9, 5.9, 2.0, 0.3, offset=True)
    assert box.x_m + box.half_width_m <= 10.0
    assert box.y_m + box.half_height_m <= 6.0


def test_a_label_that_may_lie_on_its_point_does():
    assert Placer(BOUNDS, np.empty((0, 2))).place(4.0, 2.0, 1.0, 0.3, offset=False) == Box(4.0, 2.0, 0.5, 0.15)


def test_furniture_is_what_has_three_sides(tmp_path: Path):
    robot = prepare_house(tmp_path).robot
    found = [tuple(round(value, 3) for value in box) for box in furniture(robot.map.walls)]
    counter, table, shelf, desk = (6.2, 5.4, 2.2, 0.6), (2.2, 0.0, 1.4, 0.6), (8.4, 0.6, 0.6, 1.6), (0.0, 4.2, 0.6, 1.2)
    assert sorted(found) == sorted([counter, table, shelf, desk])


def test_a_path_is_cut_where_the_state_changes_without_a_gap():
    seen = record()
    line = np.array([(motion.at_s, motion.v_mps) for motion in seen.motions])
    parts = coloured(seen, line)
    assert [mode for mode, _ in parts] == [SafetyMode.READY, SafetyMode.STOPPING, SafetyMode.SAFE]
    assert parts[0][1][-1, 0] == parts[1][1][0, 0] == pytest.approx(1.0)
    assert parts[1][1][-1, 0] == parts[2][1][0, 0] == pytest.approx(1.8)
    assert sum(len(part) for _, part in parts) == len(line) + 2


def test_the_robot_is_drawn_in_the_state_in_which_it_came_to_rest():
    assert mode_at_rest(record()) is SafetyMode.SAFE


def test_the_house_starts_where_the_robot_file_has_a_safe_pose(tmp_path: Path):
    house = prepare_house(tmp_path)
    assert 'x_m: 6.7' in house.world_file.read_text(encoding='utf-8')
    assert house.things['cup_1'] == Point(7.0, 5.48)


def test_picture_is_1600_pixels_wide_also_when_acts_are_missing(tmp_path: Path):
    house = prepare_house(tmp_path)
    seen = Played('a', 'fetch', 'x', 'SUCCEEDED', Verdict('all well', ()), record(), [Mark(1.0, 'slips')])
    seen.before = seen.after = house.things
    missing = Played('b', 'not played', 'y', before=house.things, after=house.things)
    path = tmp_path / 'run.png'
    draw(house, [seen, missing, missing], path)
    header = path.read_bytes()[:24]
    assert header[:8] == b'\x89PNG\r\n\x1a\n'
    assert struct.unpack('>II', header[16:24])[0] == 1600
    assert path.stat().st_size < 300_000
