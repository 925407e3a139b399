"""What must be on the machine before anything is installed; each finding is one line that names the Debian package."""

from collections.abc import Iterator
import importlib.util
import os
import platform
import shutil
import sys

import layout


class SetupError(Exception):
    """Set-up cannot go on; the text is the line the user reads."""


def _compiler_found() -> bool:
    names = [*os.environ.get('CXX', '').split()[:1], 'c++', 'g++', 'clang++']
    return any(shutil.which(name) for name in names)


def _venv_found() -> bool:
    return all(importlib.util.find_spec(name) for name in ('venv', 'ensurepip'))


def _findings() -> Iterator[str]:
    version = f'{sys.version_info[0]}.{sys.version_info[1]}'
    if not _venv_found():
        yield f'the Python module venv is missing: install the Debian package python3-venv (or python{version}-venv)'
    if not _compiler_found():
        yield 'no C++ compiler found: install the Debian package g++'
    if not shutil.which('make'):
        yield 'make is missing: install the Debian package make'
    if not layout.ros_distro() and (sys.platform, platform.machine()) != ('linux', 'x86_64'):
        yield f'there are no ROS 2 wheels for {sys.platform} on {platform.machine()}: source a ROS 2 installation first'


def check_machine() -> None:
    """Raise `SetupError` with one line for each thing that is missing."""
    lines = list(_findings())
    if lines:
        raise SetupError('\n'.join(f'setup: {line}' for line in lines))
