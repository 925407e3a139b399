"""The steps of the set-up: what each depends on, and what it does."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
import shutil
import sys

from commands import build_progress, pip_progress, run
from display import StepDisplay
import environment
import headers
import layout
from stamps import digest_of, Stamps
import wheels

# Raise this when a step does its work in another way, so that existing folders are set up anew.
RECIPE = '1'

COLCON = "import sys; from colcon_core.command import main; sys.argv[0] = 'colcon'; sys.exit(main())"


@dataclass(frozen=True)
class Step:
    """
    One step: a `digest` of all it depends on, and `action(display, unfinished)`, which does the work.

    `unfinished` says that an earlier attempt was begun and not completed.
    """

    name: str
    title: str
    digest: str
    action: Callable[[StepDisplay, bool], None]
    result: Path

    def is_done(self, stamps: Stamps) -> bool:
        """Whether the step was completed for this very input and its result is still there."""
        return stamps.mark_of(self.name) == self.digest and self.result.exists()


def all_steps() -> list[Step]:
    """Return the steps in order; the digest of each holds that of the step before, since it builds upon it."""
    python = f'{layout.BASE_PYTHON.resolve()} {sys.version}'
    packages = digest_of([RECIPE, python, str(layout.ROOT), layout.ros_distro()], layout.requirement_files())
    interfaces = digest_of([packages], _files_of(layout.ROOT / layout.INTERFACES))
    build_files = [layout.ROOT / name for name in ('setup.py', 'setup.cfg', 'package.xml')]
    shared = [str(path) for folder in ('launch', 'config') for path in _files_of(layout.ROOT / folder)]
    package = digest_of([interfaces, *shared], build_files)
    origin = f'on ROS 2 {layout.ros_distro()}' if layout.ros_distro() else 'with the ROS 2 Jazzy wheels'
    return [
        Step('packages', f'Python environment {origin}', packages, _install_packages, layout.VENV_PYTHON),
        Step('interfaces', f'building {layout.INTERFACES}', interfaces, _build_interfaces, _marker(layout.INTERFACES)),
        Step('package', f'building {layout.PACKAGE}', package, _build_package, _marker(layout.PACKAGE)),
    ]


def _marker(package: str) -> Path:
    return layout.INSTALL / 'share' / package / 'package.sh'


def _files_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob('*') if path.is_file() and '__pycache__' not in path.parts)


def _install_packages(show: StepDisplay, unfinished: bool) -> None:
    # Always from nothing: a pip run that was cut off leaves packages that look installed and are not.
    for folder in (layout.VENV, layout.BUILD / layout.INTERFACES, layout.BUILD / layout.PACKAGE, layout.INSTALL):
        shutil.rmtree(folder, ignore_errors=True)
    headers.ensure_headers()
    env = environment.build_env()
    site = ['--system-site-packages'] if layout.ros_distro() else []
    command: list[str | Path] = [layout.BASE_PYTHON, '-m', 'venv', *site, layout.VENV]
    run(command, 'venv.log', env, show, lambda _: (0, 0, 'creating .venv'))
    arguments = _numpy_limit()
    for path in layout.requirement_files():
        arguments += ['-r', path]
    command = [layout.VENV_PYTHON, '-m', 'pip', 'install', '--disable-pip-version-check', '--no-input', '--no-compile']
    run([*command, *arguments], 'pip.log', env, show, pip_progress(_count_pins()))
    wheels.repair_cmake_paths(headers.include_folder())


def _count_pins() -> int:
    return sum(path.read_text().count('==') for path in layout.requirement_files())


def _numpy_limit() -> list[str | Path]:
    """Hold numpy to the major version that the sourced ROS 2 was compiled against."""
    if not layout.ros_distro():
        return []
    try:
        major = int(metadata.version('numpy').split('.')[0])
    except metadata.PackageNotFoundError:
        return []
    limit = layout.LOGS / 'numpy_limit.txt'
    limit.parent.mkdir(parents=True, exist_ok=True)
    limit.write_text(f'numpy<{major + 1}\n')
    return ['-c', limit]


def _build_interfaces(show: StepDisplay, unfinished: bool) -> None:
    if unfinished:
        shutil.rmtree(layout.BUILD / layout.INTERFACES, ignore_errors=True)
    headers.ensure_headers()
    env = {**environment.build_env(), **headers.compiler_env()}
    options = ['-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release', '-DBUILD_TESTING=OFF']
    options += [f'-DPython3_EXECUTABLE={layout.VENV_PYTHON}', f'-DPython3_INCLUDE_DIR={headers.include_folder()}']
    _colcon(layout.INTERFACES, ['--cmake-args', *options], env, show)


def _build_package(show: StepDisplay, unfinished: bool) -> None:
    for folder in (layout.BUILD / layout.PACKAGE, layout.INSTALL / 'share' / layout.PACKAGE):
        shutil.rmtree(folder, ignore_errors=True)
    _colcon(layout.PACKAGE, [], environment.build_env(), show)
    _write_command()
    environment.SETTINGS.write_text(environment.settings_text())


def _colcon(package: str, options: list[str], env: dict[str, str], show: StepDisplay) -> None:
    # Where the system has the very version of colcon that is pinned, pip adds no command to the venv.
    command: list[str | Path] = [layout.VENV_PYTHON, '-c', COLCON, 'build', '--base-paths', '.', layout.INTERFACES]
    command += ['--packages-select', package, '--merge-install', '--symlink-install']
    command += ['--event-handlers', 'console_direct+', *options]
    run(command, f'{package}.log', env, show, build_progress)


def _write_command() -> None:
    """Make `rta` a command of the environment, beside `ros2 run robot_tool_agent rta`."""
    command = layout.VENV / 'bin' / 'rta'
    command.write_text(f'#!/bin/sh\nexec "{layout.VENV_PYTHON}" -m {layout.PACKAGE}.cli "$@"\n')
    command.chmod(0o755)
