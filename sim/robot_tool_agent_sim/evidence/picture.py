"""The picture of an episode: the map with the path above, the speed over time below."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import matplotlib
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
import numpy as np
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.demo.house_map import draw_house, FAINT, INK
from robot_tool_agent_sim.demo.panel import COLOURS, MARK, WIDTHS
from robot_tool_agent_sim.evidence.plan import house
from robot_tool_agent_sim.evidence.playing import Played
from robot_tool_agent_sim.evidence.timeline import Point

WIDTH_IN, HEIGHT_IN, DPI = 9.0, 8.4, 110
MARGINS = {'left': 0.07, 'right': 0.98, 'top': 0.90, 'bottom': 0.12, 'hspace': 0.22}
GONE = '#999999'
THIN = 1.8


def draw(played: Played, path: Path) -> None:
    """Write a PNG file."""
    with matplotlib.rc_context({'font.family': 'DejaVu Sans', 'axes.edgecolor': FAINT}):
        figure = Figure(figsize=(WIDTH_IN, HEIGHT_IN), dpi=DPI, facecolor='white')
        FigureCanvasAgg(figure)
        grid = figure.add_gridspec(2, 1, height_ratios=(3.4, 1.0), **MARGINS)
        above, below = figure.add_subplot(grid[0]), figure.add_subplot(grid[1])
        _draw_map(above, played)
        _draw_speed(below, played)
        _title(figure, played)
        style: dict[str, Any] = {'frameon': False, 'fontsize': 9, 'handletextpad': 0.5, 'columnspacing': 1.4}
        figure.legend(handles=_legend(), loc='lower center', ncols=8, **style)
        figure.savefig(path, dpi=DPI)


def _title(figure: Figure, played: Played) -> None:
    plan, end = played.plan, played.end
    fault = 'no fault' if plan.kind is None else f'{plan.kind.name} ({end.variant})'
    who = 'the obvious agent' if played.baseline else 'this suite'
    claim = 'success claimed' if end.claimed else 'no success claimed'
    truth = 'goal reached' if end.reached else 'goal not reached'
    figure.text(0.07, 0.955, f'seed {plan.seed}: {fault}', fontsize=13, weight='bold', color=INK)
    figure.text(0.07, 0.925, f'{who}: {claim}, {truth}', fontsize=10.5, color=MARK if played.broken else INK)


def _draw_map(axes: Axes, played: Played) -> None:
    draw_house(axes, house()[0])
    path = played.timeline.path
    for mode, part in _stretches(path):
        points = np.array([(point.x_m, point.y_m) for point in part])
        # A way back lies on the way there: the wider line goes below the narrower one.
        width = _width(mode)
        line = LineCollection([points], colors=_colour(mode), linewidths=width, zorder=5.0 - 0.1 * width)
        axes.add_collection(line)
    if path:
        axes.plot(path[0].x_m, path[0].y_m, marker='o', ms=9, mfc='white', mec=INK, zorder=6)
        axes.plot(path[-1].x_m, path[-1].y_m, marker='o', ms=9, mfc=_colour(path[-1].mode), mec=INK, zorder=7)
    for at_s in _strikes(played):
        nearest = min(path, key=lambda point: abs(point.at_s - at_s))
        axes.plot(nearest.x_m, nearest.y_m, marker='X', ms=11, mfc=MARK, mec='white', zorder=8)


def _draw_speed(axes: Axes, played: Played) -> None:
    for mode, part in _stretches(played.timeline.path):
        axes.plot([point.at_s for point in part], [point.v_mps for point in part], color=_colour(mode), lw=1.8)
    for at_s in _strikes(played):
        axes.axvline(at_s, color=MARK, lw=1.2, ls=(0, (4, 2)))
    axes.set_xlabel('time (s)', fontsize=9.5, color=INK)
    axes.set_ylabel('speed (m/s)', fontsize=9.5, color=INK)
    axes.tick_params(labelsize=9, colors=FAINT)


def _stretches(path: list[Point]) -> list[tuple[str, list[Point]]]:
    """Cut a path into stretches of one mode, joined end to end."""
    stretches: list[tuple[str, list[Point]]] = []
    for point in path:
        if stretches and stretches[-1][0] == point.mode:
            stretches[-1][1].append(point)
            continue
        before = [stretches[-1][1][-1]] if stretches else []
        stretches.append((point.mode, [*before, point]))
    return stretches


def _strikes(played: Played) -> list[float]:
    return [line.at_s for line in played.timeline.lines if line.who == 'fault' and line.text.endswith('strikes')]


def _colour(mode: str) -> str:
    return COLOURS[SafetyMode[mode]] if mode in SafetyMode.__members__ else GONE


def _width(mode: str) -> float:
    return WIDTHS.get(SafetyMode[mode], THIN) if mode in SafetyMode.__members__ else THIN


def _legend() -> list[Line2D]:
    lines = [Line2D([], [], color=colour, lw=2.4, label=mode.name) for mode, colour in COLOURS.items()]
    return [*lines, Line2D([], [], ls='', marker='X', ms=9, mfc=MARK, mec='white', label='fault')]
