"""One act in the picture: the map with the path above, the speed over time below."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from matplotlib import patheffects
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.patches import Circle
import numpy as np
from robot_tool_agent.core.geometry import Point
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.demo.house_map import draw_house, FAINT, furniture, INK
from robot_tool_agent_sim.demo.labels import along, Array, Box, Placer
from robot_tool_agent_sim.demo.played import Played
from robot_tool_agent_sim.demo.record import Record

# Okabe and Ito's palette, told apart by colour-blind eyes ("Color Universal Design", 2008).
COLOURS = {
    SafetyMode.STARTING: '#999999',
    SafetyMode.READY: '#0072B2',
    SafetyMode.STOPPING: '#D55E00',
    SafetyMode.RETREATING: '#E69F00',
    SafetyMode.SAFE: '#009E73',
    SafetyMode.HOLDING: '#CC79A7',
    SafetyMode.ESTOPPED: '#000000',
}
# A way back lies on the way there: the wider line goes below the narrower one.
WIDTHS = {SafetyMode.READY: 1.8, SafetyMode.STOPPING: 3.6, SafetyMode.RETREATING: 5.5}
THING, MARK = '#7b3294', '#b2182b'
GLYPH_M, LINE_M, FONT = 0.15, 0.33, 9.5
SEEN_MOVED_M = 0.03
SPACING_M = 0.1
ARRIVED_S = 0.5
SPEED_TICKS = 3
_HALO: list[patheffects.AbstractPathEffect] = [patheffects.withStroke(linewidth=2.4, foreground='white')]


def coloured(record: Record, at: Array) -> list[tuple[SafetyMode, Array]]:
    """Cut a line, one point a motion, shape (n, 2), into stretches of one safety state, joined end to end."""
    stretches: list[tuple[SafetyMode, Array]] = []
    first = 0
    modes = [record.mode_at(motion.at_s) or SafetyMode.STARTING for motion in record.motions]
    for index in range(1, len(modes) + 1):
        if index == len(modes) or modes[index] is not modes[first]:
            stretches.append((modes[first], at[first: index + 1]))
            first = index
    return stretches


def draw_map(axes: Axes, robot: RobotDescription, act: Played) -> None:
    """Draw the map of an act: path by safety state, objects before and after, marks, start and end."""
    draw_house(axes, robot)
    path = np.empty((0, 2))
    if act.record is not None:
        path = np.array([(motion.pose.x_m, motion.pose.y_m) for motion in act.record.motions])
        for mode, part in coloured(act.record, path):
            width = WIDTHS.get(mode, 1.8)
            line = LineCollection([part], colors=COLOURS[mode], linewidths=width, zorder=5.0 - 0.1 * width)
            line.set_capstyle('round')
            axes.add_collection(line)
    placer = _placer(robot, path)
    _safe_poses(axes, robot, placer)
    if act.record is not None:
        _robot(axes, robot, act.record, placer)
    rooms = _furniture_names(axes, robot, placer)
    _marks(axes, act, placer)
    _things(axes, act, placer)
    for name, config in robot.safe_poses.items():
        _text(axes, placer, config.pose.point, name.replace('_', ' '), COLOURS[SafetyMode.SAFE])
    for name, point in rooms.items():
        _text(axes, placer, point, name.replace('_', ' '), INK, offset=False)


def _placer(robot: RobotDescription, path: Array) -> Placer:
    walls = robot.map.walls
    xs, ys = [x for line in walls for x in line[::2]], [y for line in walls for y in line[1::2]]
    bounds = Box((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2, (max(xs) - min(xs)) / 2, (max(ys) - min(ys)) / 2)
    corners = [(*first, *second) for first, second in pairwise(path[::5].tolist())]
    return Placer(bounds, np.vstack([along(walls, SPACING_M), along(corners, SPACING_M)]))


def _text(
    axes: Axes, placer: Placer, at: Point, text: str, colour: str, offset: bool = True, bold: bool = False
) -> None:
    box = placer.place(at.x_m, at.y_m, GLYPH_M * len(text) + 0.1, LINE_M, offset)
    weight = 'bold' if bold else 'normal'
    label = axes.text(
        box.x_m, box.y_m, text, fontsize=FONT, color=colour, ha='center', va='center', weight=weight, zorder=9
    )
    label.set_path_effects(_HALO)


def _safe_poses(axes: Axes, robot: RobotDescription, placer: Placer) -> None:
    green = COLOURS[SafetyMode.SAFE]
    for config in robot.safe_poses.values():
        axes.plot(config.x_m, config.y_m, marker='s', ms=11, mfc='none', mec=green, mew=1.4, zorder=5)
        placer.taken.append(Box(config.x_m, config.y_m, 0.2, 0.2))


def _robot(axes: Axes, robot: RobotDescription, record: Record, placer: Placer) -> None:
    radius_m, start, end = robot.footprint.circumscribed_m, record.motions[0].pose, record.motions[-1].pose
    axes.add_patch(Circle((start.x_m, start.y_m), radius_m, fc='white', ec=INK, lw=1.0, ls=(0, (2, 1.5)), zorder=5))
    colour = tint(COLOURS[mode_at_rest(record)])
    axes.add_patch(Circle((end.x_m, end.y_m), radius_m, fc=colour, ec=INK, lw=1.3, zorder=7))
    nose = end.transform_point(Point(radius_m, 0.0))
    axes.plot([end.x_m, nose.x_m], [end.y_m, nose.y_m], color=INK, lw=1.6, zorder=8)
    for pose in (start, end):
        placer.taken.append(Box(pose.x_m, pose.y_m, radius_m, radius_m))
    _text(axes, placer, start.point, 'start', FAINT)
    _text(axes, placer, end.point, 'end', INK, bold=True)


def mode_at_rest(record: Record) -> SafetyMode:
    """Return the safety state soon after the robot last moved."""
    moved_s = max((motion.at_s for motion in record.motions if motion.moving), default=record.motions[0].at_s)
    return record.mode_at(moved_s + ARRIVED_S) or SafetyMode.STARTING


def tint(colour: str) -> tuple[float, float, float]:
    """Return a colour halfway to white."""
    red, green, blue = to_rgb(colour)
    return (red + 1.0) / 2, (green + 1.0) / 2, (blue + 1.0) / 2


def _things(axes: Axes, act: Played, placer: Placer) -> None:
    moved = {name: at for name, at in act.after.items() if at.distance_to(act.before[name]) > SEEN_MOVED_M}
    for name, before in act.before.items():
        for at in (before, act.after[name]):
            placer.taken.append(Box(at.x_m, at.y_m, 0.1, 0.1))
        axes.plot(before.x_m, before.y_m, marker='D', ms=5.5, mfc='white', mec=THING, mew=1.3, zorder=6)
        if name not in moved:
            axes.plot(before.x_m, before.y_m, marker='D', ms=5.5, mfc=THING, mec=THING, zorder=6)
    for at in moved.values():
        axes.plot(at.x_m, at.y_m, marker='D', ms=5.5, mfc=THING, mec=THING, zorder=8)
    for name in act.before:
        _text(axes, placer, act.after[name], name.split('_')[0], THING)


def _marks(axes: Axes, act: Played, placer: Placer) -> None:
    for mark in act.marks if act.record is not None else ():
        at = act.record.motion_at(mark.at_s).pose.point  # type: ignore[union-attr]
        axes.plot(at.x_m, at.y_m, marker='X', ms=9, mfc=MARK, mec='white', mew=0.9, zorder=10)
        placer.taken.append(Box(at.x_m, at.y_m, 0.2, 0.2))
        _text(axes, placer, at, mark.text, MARK, bold=True)


def _furniture_names(axes: Axes, robot: RobotDescription, placer: Placer) -> dict[str, Point]:
    """Write the names of places with a surface on their furniture; return the other places."""
    boxes = furniture(robot.map.walls)
    elsewhere = {}
    for name, place in robot.places.items():
        box = None if place.surface is None else _under(boxes, place.surface.point)
        if box is None:
            elsewhere[name] = place.pose.point
            continue
        upright = box.half_height_m > box.half_width_m
        axes.text(
            box.x_m, box.y_m, name, fontsize=FONT, color=INK, ha='center', va='center', rotation=90 if upright else 0
        )
        placer.taken.append(box)
    return elsewhere


def _under(boxes: Sequence[tuple[float, float, float, float]], point: Point) -> Box | None:
    """Return the piece of furniture that a point lies on, None if there is none."""
    for x_m, y_m, width_m, height_m in boxes:
        if x_m <= point.x_m <= x_m + width_m and y_m <= point.y_m <= y_m + height_m:
            return Box(x_m + width_m / 2, y_m + height_m / 2, width_m / 2, height_m / 2)
    return None


def draw_speed(axes: Axes, act: Played, top_mps: float) -> None:
    """Draw true speed over the time of the act, coloured as the path is."""
    axes.set_ylim(-0.02, top_mps * 1.3)
    axes.set_yticks(np.linspace(0.0, top_mps, SPEED_TICKS))
    axes.set_xlabel('time (s)', fontsize=9.5, color=INK, labelpad=2)
    axes.set_ylabel('speed (m/s)', fontsize=9.5, color=INK, labelpad=2)
    axes.tick_params(labelsize=9, length=2.5, colors=FAINT)
    for side in ('top', 'right'):
        axes.spines[side].set_visible(False)
    if act.record is None:
        return
    start_s = act.record.motions[0].at_s
    axes.set_xlim(0.0, act.record.motions[-1].at_s - start_s)
    line = np.array([(motion.at_s - start_s, abs(motion.v_mps)) for motion in act.record.motions])
    for mode, part in coloured(act.record, line):
        axes.fill_between(part[:, 0], part[:, 1], color=COLOURS[mode], alpha=0.25, lw=0)
        axes.plot(part[:, 0], part[:, 1], color=COLOURS[mode], lw=1.6, solid_capstyle='round')
    for mark in act.marks:
        at_s = mark.at_s - start_s
        axes.axvline(at_s, color=MARK, lw=1.2, ls=(0, (3, 2)))
        right = at_s > 0.6 * axes.get_xlim()[1]
        axes.annotate(
            mark.text,
            (at_s, top_mps * 1.18),
            xytext=(-4 if right else 4, 0),
            textcoords='offset points',
            fontsize=FONT,
            color=MARK,
            weight='bold',
            ha='right' if right else 'left',
            va='center',
        )
