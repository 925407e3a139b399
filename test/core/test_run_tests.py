"""The parts of `make test`: one that fails ends the run, one that selects nothing does not."""

from __future__ import annotations

import os
from pathlib import Path
import subprocess

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / 'scripts' / 'run_tests'
# Stands in for python: notes how it was called, ends with the next of the given codes.
STAND_IN = """#!/bin/sh
echo "$*" >> "$NOTES"
set -- $(cat "$CODES")
code=$1
shift
echo "$*" > "$CODES"
exit $code
"""


def run(tmp_path: Path, codes: str, *arguments: str) -> tuple[int, list[str]]:
    """Run the script with a stand-in for pytest; return its exit code and the calls of pytest."""
    stand_in, notes, left = tmp_path / 'python', tmp_path / 'notes', tmp_path / 'codes'
    stand_in.write_text(STAND_IN, encoding='utf-8')
    stand_in.chmod(0o755)
    notes.touch()
    left.write_text(codes, encoding='utf-8')
    environment = {'PATH': f'{tmp_path}:{os.environ["PATH"]}', 'NOTES': str(notes), 'CODES': str(left)}
    code = subprocess.run([str(SCRIPT), *arguments], env=environment, timeout=30.0, check=False).returncode
    return code, notes.read_text(encoding='utf-8').splitlines()


@pytest.mark.parametrize(
    ('which', 'codes', 'code', 'parts'),
    [
        ('short', '0 0', 0, 2),
        ('short', '0 5', 0, 2),
        ('short', '5 0', 0, 2),
        ('short', '5 5', 5, 2),
        ('short', '1', 1, 1),
        ('short', '0 1', 1, 2),
        ('short', '5 2', 2, 2),
        ('all', '0 0 0', 0, 3),
        ('all', '0 1', 1, 2),
        ('all', '5 0 5', 0, 3),
        ('all', '5 5 5', 5, 3),
        ('none', '', 2, 0),
    ],
)
def test_the_run_ends_as_its_parts_do(tmp_path: Path, which: str, codes: str, code: int, parts: int) -> None:
    ended, calls = run(tmp_path, codes, which)
    assert (ended, len(calls)) == (code, parts)


def test_arguments_reach_every_part_as_they_were_given(tmp_path: Path) -> None:
    _, calls = run(tmp_path, '0 0', 'short', '-k', 'a or b')
    assert all(call.endswith('-m not slow -k a or b') for call in calls)


def test_together_the_parts_of_the_long_run_leave_no_system_test_out(tmp_path: Path) -> None:
    _, calls = run(tmp_path, '0 0 0', 'all')
    assert '-m' not in calls[0].partition('pytest')[2].split()
    assert [call.partition('-m pytest ')[2] for call in calls[1:]] == [
        'test/system -n 2 --dist loadfile -m slow and not alone',
        'test/system -m alone or not slow',
    ]
