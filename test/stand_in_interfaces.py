"""Builds the interface packages of test/interfaces, which stand in for packages that a plain environment has not."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
import subprocess
import sys

ROOT = Path(__file__).resolve().parents[1]
BASE = ROOT / 'build' / 'test_interfaces'
BUILD_TIMEOUT_S = 600.0
COLCON = 'import sys; from colcon_core.command import main; sys.argv[0] = "colcon"; sys.exit(main())'


def environment_with(package: str) -> dict[str, str]:
    """Return an environment in which a child process can import a package: the real one, or the stand-in built here."""
    if importlib.util.find_spec(package) is not None:
        return dict(os.environ)
    install = BASE / 'install'
    _build(package)
    python = install / 'lib' / f'python{sys.version_info[0]}.{sys.version_info[1]}' / 'site-packages'
    added = {'PYTHONPATH': python, 'LD_LIBRARY_PATH': install / 'lib', 'AMENT_PREFIX_PATH': install}
    paths = {name: f'{path}{os.pathsep}{os.environ.get(name, "")}' for name, path in added.items()}
    return {**os.environ, **paths}


def _build(package: str) -> None:
    """Build with colcon as the set-up does; a second build of unchanged files takes a moment."""
    sys.path.insert(0, str(ROOT / 'scripts' / 'setup_env'))
    try:
        import environment
        import headers
    finally:
        sys.path.pop(0)
    command = [sys.executable, '-c', COLCON, 'build', '--base-paths', str(ROOT / 'test' / 'interfaces')]
    command += ['--build-base', str(BASE / 'build'), '--install-base', str(BASE / 'install'), '--merge-install']
    command += ['--packages-select', package, '--cmake-args', '-G', 'Ninja', '-DBUILD_TESTING=OFF']
    command += [f'-DPython3_EXECUTABLE={sys.executable}', f'-DPython3_INCLUDE_DIR={headers.include_folder()}']
    env = {**environment.build_env(), **headers.compiler_env(), 'COLCON_LOG_PATH': str(BASE / 'log')}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=BUILD_TIMEOUT_S)
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
