"""The demonstration as a person starts it: its exit codes, its picture, and that it leaves nothing behind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
import os
from pathlib import Path
import re
import select
import signal
import struct
import subprocess
import sys
import time

import pytest

pytestmark = pytest.mark.alone
DOMAIN = 90
RUN = [sys.executable, '-m', 'robot_tool_agent_sim.demo']
# A world that the simulator refuses: the robot starts in a wall.
RUN_IN_A_WALL = [
    sys.executable,
    '-c',
    """
import sys
from robot_tool_agent_sim.demo import house, main

def prepare(folder):
    found = house.prepare_house(folder)
    text = found.world_file.read_text()
    found.world_file.write_text(text.replace('x_m: 6.7', 'x_m: 0.0'))
    assert found.world_file.read_text() != text
    return found

main.prepare_house = prepare
sys.exit(main.main(sys.argv[1:]))
""",
]


@contextmanager
def demo(out: Path, command: list[str], domain: str) -> Iterator[subprocess.Popen[str]]:
    """Run the demonstration into a folder; end it if the test does not."""
    environment = {**os.environ, 'ROS_DOMAIN_ID': domain, 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
    process = subprocess.Popen(
        [*command, '--out', str(out)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=30)


def read_until(process: subprocess.Popen[str], pattern: str, timeout_s: float) -> str:
    """Read output until it matches; fail at the deadline or the end of the output."""
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    text, deadline_s = '', time.monotonic() + timeout_s
    while not re.search(pattern, text):
        left_s = deadline_s - time.monotonic()
        ready, _, _ = select.select([process.stdout], [], [], max(left_s, 0.0))
        chunk = os.read(process.stdout.fileno(), 65536).decode() if ready else ''
        assert chunk, f'no {pattern!r} in {timeout_s:g} s:\n{text}'
        text += chunk
    os.set_blocking(process.stdout.fileno(), True)
    return text


def left_behind(out: Path) -> list[int]:
    """Return the processes whose ROS_HOME is below the folder: everything that the demonstration started."""
    mark = b'ROS_HOME=' + os.fsencode(out.absolute())
    found = []
    for folder in Path('/proc').iterdir():
        try:
            alive = folder.name.isdigit() and mark in (folder / 'environ').read_bytes()
        except OSError:
            continue
        if alive:
            found.append(int(folder.name))
    return found


def size_of_png(path: Path) -> tuple[int, int]:
    """Width and height in pixels, from the header."""
    header = path.read_bytes()[:24]
    assert header[:8] == b'\x89PNG\r\n\x1a\n'
    width, height = struct.unpack('>II', header[16:24])
    return width, height


@pytest.mark.slow
@pytest.mark.timeout(180)
def test_three_acts_agree_with_ground_truth(tmp_path: Path):
    copy = tmp_path / 'copies' / 'demo.png'
    began_s = time.monotonic()
    with demo(tmp_path / 'out', [*RUN, '--save-picture', str(copy)], str(DOMAIN)) as process:
        text, _ = process.communicate(timeout=170)
    assert process.returncode == 0, text
    assert text.count('as promised') == 3, text
    assert 'SIGKILL to the executor' in text
    assert 'UNKNOWN RESTARTED' in text
    assert len(text.splitlines()) < 90, 'a flood of lines'
    assert '\x1b' not in text
    assert size_of_png(tmp_path / 'out' / 'run.png')[0] == 1600
    assert copy.read_bytes() == (tmp_path / 'out' / 'run.png').read_bytes()
    assert copy.stat().st_size < 300_000
    assert 'RTA READY' in (tmp_path / 'out' / 'system.log').read_text()
    assert left_behind(tmp_path) == []
    assert time.monotonic() - began_s < 120.0


@pytest.mark.parametrize('number', [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_ends_cleanly_when_interrupted_in_mid_act(tmp_path: Path, number: signal.Signals):
    with demo(tmp_path, RUN, str(DOMAIN + 1)) as process:
        read_until(process, 'call navigate_to', 60.0)
        assert left_behind(tmp_path)
        process.send_signal(number)
        text, _ = process.communicate(timeout=30)
    assert process.returncode == 128 + number, text
    assert 'Traceback' not in text
    assert left_behind(tmp_path) == []
    assert list(tmp_path.glob('ros_home_*')) == []


def test_a_system_that_does_not_come_up_is_shown_with_its_last_lines(tmp_path: Path):
    with demo(tmp_path, RUN_IN_A_WALL, str(DOMAIN + 2)) as process:
        text, _ = process.communicate(timeout=60)
    assert process.returncode == 1, text
    assert 'did not come up' in text
    assert 'overlaps a wall' in text
    assert 'Traceback' not in text
    assert left_behind(tmp_path) == []


def test_an_impossible_domain_gets_one_clear_line(tmp_path: Path):
    with demo(tmp_path, RUN, '999') as process:
        text, _ = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "ROS_DOMAIN_ID = '999': allowed: 0 to 232" in text
    assert 'Traceback' not in text
