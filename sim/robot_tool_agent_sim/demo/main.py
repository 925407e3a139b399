"""
`python -m robot_tool_agent_sim.demo`: plays three acts and says whether ground truth agrees with all of them.

Exit code 0 if it does, 1 if it does not or the system does not come up, 128 plus the number of a signal that
ended it, so 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import os
from pathlib import Path
import shutil
import signal
import tempfile
from types import FrameType

from rich.console import Console
from rich.text import Text
from robot_tool_agent.config_files import ConfigError
from robot_tool_agent_sim.demo.acts import play_all
from robot_tool_agent_sim.demo.house import House, prepare_house
from robot_tool_agent_sim.demo.picture import draw
from robot_tool_agent_sim.demo.played import BROKEN_OFF, Played
from robot_tool_agent_sim.demo.report import print_report
from robot_tool_agent_sim.demo.stage import free_domain, Stage
from robot_tool_agent_sim.demo.timeline import terminal, Timeline
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.system import RunningSystem

PICTURE = 'run.png'
LOG = 'system.log'
START_TIMEOUT_S = 45.0
START_EXPECTED_S = 6.0
# The audience must not take the processor from the robot. Its nodes were started before and keep theirs.
NICE = 5
SHOWN_LINES = 20
EXIT_OK, EXIT_WRONG, EXIT_SIGNAL = 0, 1, 128


class _Stopped(KeyboardInterrupt):
    """A signal, the only argument, asked for the end."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the demonstration and return the exit code."""
    arguments = _arguments(argv)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _stop)
    console = terminal()
    try:
        return _run(console, arguments.out, arguments.save_picture)
    except _Stopped as stopped:
        console.print('\ninterrupted; everything that was started has ended', markup=False)
        return EXIT_SIGNAL + int(stopped.args[0])
    except (TimeoutError, ConfigError) as error:
        console.print(Text(f'the system did not come up: {error}', style='red'), soft_wrap=True)
        return EXIT_WRONG


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser('robot_tool_agent_sim.demo', description='Three acts, judged by ground truth.')
    folder = Path('build/demo')
    parser.add_argument('--out', type=Path, default=folder, metavar='DIR', help='for picture and log (%(default)s)')
    parser.add_argument('--save-picture', type=Path, metavar='PATH', help='keep a copy of the picture there')
    return parser.parse_args(argv)


def _stop(number: int, frame: FrameType | None) -> None:
    """End once, in order: a second signal must not interrupt the clearing up."""
    for other in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(other, signal.SIG_IGN)
    raise _Stopped(number)


def _run(console: Console, out: Path, copy: Path | None) -> int:
    out.mkdir(parents=True, exist_ok=True)
    home = Path(tempfile.mkdtemp(prefix='ros_home_', dir=out))
    try:
        house = prepare_house(home)
        played = _play(console, house, home, out / LOG)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    print_report(console, played)
    draw(house, played, out / PICTURE)
    console.print(f'picture: {out / PICTURE}   log: {out / LOG}', markup=False)
    if copy is not None:
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(out / PICTURE, copy)
    return EXIT_OK if all(act.verdict.agrees for act in played) else EXIT_WRONG


def _play(console: Console, house: House, home: Path, log: Path) -> list[Played]:
    domain = free_domain()
    with Timeline(console) as timeline, RunningSystem(domain, home, ['--world', str(house.world_file)]) as system:
        try:
            os.nice(NICE)
            timeline.begin('starting', START_EXPECTED_S)
            timeline.say('demo', f'rta up, ROS_DOMAIN_ID {domain}: safety, simulator, executor, planner')
            with Probe(domain) as probe:
                stage = Stage(system, probe, timeline, house)
                stage.come_up(START_TIMEOUT_S)
                played = play_all(stage)
            timeline.begin('ending', START_EXPECTED_S)
            system.stop()
        finally:
            log.write_text('\n'.join(system.lines) + '\n', encoding='utf-8')
        _say_if_broken(console, system, played)
    return played


def _say_if_broken(console: Console, system: RunningSystem, played: Sequence[Played]) -> None:
    if any(act.verdict.truth == BROKEN_OFF for act in played):
        console.print(Text(f'last lines of the system:\n{system.tail(SHOWN_LINES)}', style='dim'), soft_wrap=True)
