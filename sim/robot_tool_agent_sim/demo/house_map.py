"""Draws the house: walls, furniture, places and safe poses. Metres of the map frame."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.patches import Rectangle
from robot_tool_agent.core.robot import RobotDescription

Segment = tuple[float, float, float, float]
WALL, FURNITURE, INK, FAINT = '#3c3c3c', '#e9e1d3', '#222222', '#6b6b6b'
SIDES_OF_FURNITURE = 3
MARGIN_M = 0.07


def draw_house(axes: Axes, robot: RobotDescription) -> None:
    """Draw what never changes and set up the axes."""
    walls = robot.map.walls
    for x_m, y_m, width_m, height_m in furniture(walls):
        axes.add_patch(Rectangle((x_m, y_m), width_m, height_m, facecolor=FURNITURE, edgecolor='none', zorder=0))
    lines = [(line[:2], line[2:]) for line in walls]
    axes.add_collection(LineCollection(lines, colors=WALL, linewidths=2.2, capstyle='projecting', zorder=3))
    xs, ys = [x for line in walls for x in line[::2]], [y for line in walls for y in line[1::2]]
    axes.set_xlim(min(xs) - MARGIN_M, max(xs) + MARGIN_M)
    axes.set_ylim(min(ys) - MARGIN_M, max(ys) + MARGIN_M)
    axes.set_aspect('equal')
    axes.set_xlabel('x (m)', fontsize=9.5, color=INK, labelpad=2)
    axes.set_ylabel('y (m)', fontsize=9.5, color=INK, labelpad=2)
    axes.tick_params(labelsize=9, length=2.5, colors=FAINT)
    for spine in axes.spines.values():
        spine.set_visible(False)


def furniture(walls: Sequence[Segment]) -> list[tuple[float, float, float, float]]:
    """Return x, y, width, height of what stands against a wall: three joined sides, the wall is the fourth."""
    chains = [chain for chain in _chains(walls) if len(chain) == SIDES_OF_FURNITURE]
    boxes = []
    for chain in chains:
        xs, ys = [x for line in chain for x in line[::2]], [y for line in chain for y in line[1::2]]
        boxes.append((min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)))
    return boxes


def _chains(walls: Sequence[Segment]) -> list[list[Segment]]:
    """Group segments that share an end."""
    chains: list[list[Segment]] = []
    for wall in walls:
        ends = {wall[:2], wall[2:]}
        joined = [chain for chain in chains if any({line[:2], line[2:]} & ends for line in chain)]
        chains = [chain for chain in chains if chain not in joined]
        chains.append([line for chain in joined for line in chain] + [wall])
    return chains
