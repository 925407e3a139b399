"""The ament linters find nothing. They come with a ROS 2 installation; `make lint` checks the like with ruff."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = [str(ROOT / part) for part in ('robot_tool_agent', 'sim', 'launch', 'test', 'setup.py')]


@pytest.mark.linter
@pytest.mark.flake8
def test_flake8() -> None:
    pytest.importorskip('flake8')
    linter = pytest.importorskip('ament_flake8.main')
    code, errors = linter.main_with_errors(argv=['--config', str(ROOT / 'test' / 'ament' / 'flake8.ini'), *CODE])
    assert code == 0, '\n'.join(errors)


@pytest.mark.linter
@pytest.mark.pep257
def test_pep257() -> None:
    pytest.importorskip('pydocstyle')
    linter = pytest.importorskip('ament_pep257.main')
    assert linter.main(argv=CODE) == 0
