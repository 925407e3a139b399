"""The set-up program says what is missing in one line, remembers what is done, and reads progress right."""

import os
from pathlib import Path
import shutil
import subprocess
import sys
from types import ModuleType

from import_graph import ROOT
import pytest

PROGRAM = ROOT / 'scripts' / 'setup_env'
HIDE = (
    'import importlib.util as u; real = u.find_spec; '
    "u.find_spec = lambda name, *rest: None if name == 'ensurepip' else real(name, *rest)"
)
OLD = 'sys.version_info = (3, 9, 2)'
RUN = "import runpy, sys; {before}; sys.path.insert(0, sys.argv[1]); runpy.run_path(sys.argv[1], run_name='__main__')"


@pytest.fixture
def bare_project(tmp_path: Path) -> Path:
    """Return a project folder in which nothing is set up yet."""
    for name in ('scripts', 'requirements'):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns('__pycache__'))
    for name in ('setup.py', 'setup.cfg', 'package.xml'):
        shutil.copy(ROOT / name, tmp_path / name)
    return tmp_path


def run_setup(project: Path, before: str, path: str) -> 'subprocess.CompletedProcess[str]':
    code = RUN.format(before=before)
    env = {**os.environ, 'PATH': path, 'CXX': ''}
    command = [sys.executable, '-c', code, str(project / 'scripts' / 'setup_env')]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False)


def only_make(folder: Path) -> str:
    """Return a PATH on which make can be found and nothing else."""
    folder.mkdir()
    (folder / 'make').symlink_to('/bin/true')
    return str(folder)


def test_a_missing_compiler_is_named(bare_project: Path) -> None:
    done = run_setup(bare_project, 'pass', only_make(bare_project / 'bin'))
    assert done.returncode == 1
    assert done.stderr == 'setup: no C++ compiler found: install the Debian package g++\n'
    assert not (bare_project / '.venv').exists()


def test_a_missing_venv_module_is_named(bare_project: Path) -> None:
    done = run_setup(bare_project, HIDE, os.environ['PATH'])
    assert done.returncode == 1
    assert done.stderr.count('\n') == 1
    assert 'install the Debian package python3-venv' in done.stderr


def test_an_old_python_is_named(bare_project: Path) -> None:
    done = run_setup(bare_project, OLD, os.environ['PATH'])
    assert done.returncode == 1
    assert done.stderr.startswith('setup: python3 is 3.9, but 3.10 to 3.14 is needed')


@pytest.fixture
def stamps_module(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(PROGRAM))
    import stamps

    return stamps


def test_an_interrupted_step_stays_unfinished(stamps_module: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / 'stamps.json'
    marks = stamps_module.Stamps(path)
    assert marks.mark_of('build') == ''
    marks.begin('build')
    assert stamps_module.Stamps(path).mark_of('build') == stamps_module.UNFINISHED
    marks.complete('build', 'abc')
    assert stamps_module.Stamps(path).mark_of('build') == 'abc'


def test_a_damaged_stamp_file_counts_as_none(stamps_module: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / 'stamps.json'
    path.write_text('{"build": "ab')
    assert stamps_module.Stamps(path).mark_of('build') == ''


def test_the_digest_follows_content_and_name(stamps_module: ModuleType, tmp_path: Path) -> None:
    first, second = tmp_path / 'a.msg', tmp_path / 'b.msg'
    first.write_text('string text\n')
    before = stamps_module.digest_of(['x'], [first])
    assert stamps_module.digest_of(['x'], [first]) == before
    second.write_text('string text\n')
    assert stamps_module.digest_of(['x'], [second]) != before
    first.write_text('string words\n')
    assert stamps_module.digest_of(['x'], [first]) != before


def test_progress_is_read_from_the_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PROGRAM))
    import commands

    assert commands.build_progress('-- configuring\n[3/40] Building\n[7/40] Building\n') == (7, 40, 'compiling')
    assert commands.build_progress('-- configuring\n') == (0, 0, 'generating')
    read = commands.pip_progress(4)
    assert read('Collecting a\n  Downloading a\nCollecting b\n') == (2, 4, 'downloading')
    assert read('Collecting a\nInstalling collected packages: a\n') == (4, 4, 'installing')
