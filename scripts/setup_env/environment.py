"""Environment variables: for the build commands, and as a file for the user's shell."""

import os
from pathlib import Path
import shlex

import layout

# The wheels restart Python to set LD_LIBRARY_PATH unless this says that it is set already.
WHEELS_READY = '_ROS_WHEELS_BOOTSTRAP_COMPLETE'
SETTINGS = layout.VENV / 'ros_env_settings.sh'


def library_folders() -> list[Path]:
    """Folders with the shared libraries of the wheels."""
    return [layout.VENV / 'lib', *sorted(layout.SITE_PACKAGES.glob('ros_*.libs'))]


def build_env() -> dict[str, str]:
    """Environment in which colcon finds this venv and, without a sourced ROS 2, the wheels."""
    env = {key: value for key, value in os.environ.items() if key != 'PYTHONHOME'}
    env['PATH'] = f"{layout.VENV / 'bin'}:{env.get('PATH', '')}"
    env['VIRTUAL_ENV'] = str(layout.VENV)
    # colcon else adds a load limit, which starves the build on a busy machine, and `make` leaves its own flags here.
    env['MAKEFLAGS'] = f'-j{os.cpu_count() or 1}'
    if not layout.ros_distro():
        env.pop('PYTHONPATH', None)
        env['AMENT_PREFIX_PATH'] = env['CMAKE_PREFIX_PATH'] = str(layout.VENV)
        env['LD_LIBRARY_PATH'] = ':'.join(str(folder) for folder in library_folders())
        env[WHEELS_READY] = '1'
    return env


def settings_text() -> str:
    """Shell lines that `scripts/ros_env.sh` reads; `_rta_prepend` is defined there."""
    prefixes = [layout.INSTALL]
    libraries = [layout.INSTALL / 'lib']
    python = [layout.INSTALL / layout.SITE_PACKAGES.relative_to(layout.VENV), layout.BUILD / layout.PACKAGE]
    lines = [f'export VIRTUAL_ENV={shlex.quote(str(layout.VENV))}']
    if layout.ros_distro():
        lines.append(_ros_guard(layout.ros_distro()))
        python.insert(0, layout.SITE_PACKAGES)  # for `ros2`, which runs on the system's Python
    else:
        lines.append(f'export {WHEELS_READY}=1')
        prefixes.insert(0, layout.VENV)
        libraries = library_folders() + libraries
    lines += _prepends('AMENT_PREFIX_PATH', prefixes) + _prepends('CMAKE_PREFIX_PATH', prefixes)
    lines += _prepends('LD_LIBRARY_PATH', libraries) + _prepends('PYTHONPATH', python)
    lines += _prepends('PATH', [layout.VENV / 'bin'])
    return '\n'.join(lines) + '\n'


def _ros_guard(distro: str) -> str:
    hint = f'ros_env.sh: source ROS 2 {distro} first, or run make setup without it'
    return f'[ -n "${{ROS_DISTRO:-}}" ] || echo {shlex.quote(hint)} >&2'


def _prepends(name: str, folders: list[Path]) -> list[str]:
    return [f'_rta_prepend {name} {shlex.quote(str(folder))}' for folder in folders]
