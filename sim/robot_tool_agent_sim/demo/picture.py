"""The picture of a run: one column an act."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
import textwrap

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.demo.house import House
from robot_tool_agent_sim.demo.house_map import FAINT, INK
from robot_tool_agent_sim.demo.panel import COLOURS, draw_map, draw_speed, MARK, THING, WIDTHS
from robot_tool_agent_sim.demo.played import Played

WIDTH_IN, HEIGHT_IN, DPI = 16.0, 7.2, 100
MARGINS = {'left': 0.035, 'right': 0.99, 'top': 0.80, 'bottom': 0.125, 'wspace': 0.12, 'hspace': 0.2}
CAPTION_CHARACTERS = 58
TITLE_AT, LINE_STEP = 0.95, 0.031
GOOD, BAD = '#00664d', '#b2182b'


def draw(house: House, played: Sequence[Played], path: Path) -> None:
    """Write the picture of a run as a PNG file, 1600 pixels wide."""
    with matplotlib.rc_context({'font.family': 'DejaVu Sans', 'axes.edgecolor': FAINT}):
        figure = Figure(figsize=(WIDTH_IN, HEIGHT_IN), dpi=DPI, facecolor='white')
        FigureCanvasAgg(figure)
        grid = figure.add_gridspec(2, len(played), height_ratios=(3.5, 1.0), **MARGINS)
        for column, act in enumerate(played):
            above, below = figure.add_subplot(grid[0, column]), figure.add_subplot(grid[1, column])
            draw_map(above, house.robot, act)
            draw_speed(below, act, house.robot.limits.max_speed_mps)
            left = above.get_position().x0
            _caption(figure, act, left)
        style = {'frameon': False, 'fontsize': 10.5, 'handletextpad': 0.5, 'columnspacing': 1.6}
        figure.legend(handles=_legend(), loc='lower center', ncols=10, **style)
        figure.savefig(path, dpi=DPI)


def _caption(figure: Figure, act: Played, left: float) -> None:
    truth = textwrap.shorten(f'true: {act.verdict.truth}', CAPTION_CHARACTERS * 2, placeholder=' …')
    lines = [(f'asked: {act.asked}', INK), (f'claimed: {act.claimed}', INK)]
    lines += [(line, GOOD if act.verdict.agrees else BAD) for line in textwrap.wrap(truth, CAPTION_CHARACTERS)]
    figure.text(left, TITLE_AT, f'{act.letter}   {act.title}', fontsize=15, weight='bold', color=INK, va='baseline')
    for number, (text, colour) in enumerate(lines, start=1):
        height = TITLE_AT - 0.008 - LINE_STEP * number
        figure.text(left, height, text, fontsize=11, color=colour, va='baseline')


def _legend() -> list[Line2D]:
    modes = (SafetyMode.READY, SafetyMode.STOPPING, SafetyMode.RETREATING, SafetyMode.SAFE, SafetyMode.HOLDING)
    lines = [Line2D([], [], color=COLOURS[mode], lw=WIDTHS.get(mode, 2.2), label=mode.name) for mode in modes]
    signs = (
        Line2D([], [], ls='', marker='s', ms=9, mfc='none', mec=COLOURS[SafetyMode.SAFE], mew=1.4, label='safe pose'),
        Line2D([], [], ls='', marker='D', ms=5.5, mfc='white', mec=THING, mew=1.3, label='object before'),
        Line2D([], [], ls='', marker='D', ms=5.5, mfc=THING, mec=THING, label='object after'),
        Line2D([], [], ls='', marker='X', ms=9, mfc=MARK, mec='white', label='what went wrong'),
        Line2D([], [], ls='', marker='o', ms=11, mfc='#d9d9d9', mec=INK, label='robot at the end (colour: state)'),
    )
    return [*lines, *signs]
