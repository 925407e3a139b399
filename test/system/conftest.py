"""A running system per module."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from players.start import running, System
import pytest


@pytest.fixture(scope='module')
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[System]:
    """Return one running system for all tests of a module."""
    with running(tmp_path_factory.mktemp('ros_home')) as started:
        yield started


@pytest.fixture(autouse=True)
def _last_lines(request: pytest.FixtureRequest) -> Iterator[None]:
    """Play nothing on a system that has ended; show what it said last in the report of a test that fails."""
    if 'system' not in request.fixturenames:
        yield
        return
    started, _ = request.getfixturevalue('system')
    assert started.exit_code is None, started.tail()
    yield
    print(started.tail())


@pytest.fixture
def start(tmp_path: Path) -> Callable[[], object]:
    """Return a function that starts a system for one test."""
    return lambda: running(tmp_path)
