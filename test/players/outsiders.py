"""Processes from outside that meddle with a running system."""

from __future__ import annotations

from collections.abc import Sequence
import os
from pathlib import Path
import signal
import subprocess
import sys
import uuid

from players.stage import Run, Stage
from robot_tool_agent.share_files import find_config
from scenario_types import Strike

CLIENT = Path(__file__).with_name('dying_client.py')
EXECUTOR = ('-m', 'robot_tool_agent.nodes.executor_node')
REFUSED = 2
LIMIT_S = 20.0


def dying_client(stage: Stage, what: Strike, run: Run) -> None:
    """Let a client send the call and be killed at once."""
    assert what.call is not None
    run.call_id = f'dying-{uuid.uuid4().hex[:12]}'
    words = (str(CLIENT), what.call.skill, what.call.arguments_json, run.call_id)
    assert _run(stage, words) == -signal.SIGKILL


def second_executor(stage: Stage, what: Strike, run: Run) -> None:
    """Start another executor beside the running one and see it refuse."""
    own = stage.home / f'journal_{uuid.uuid4().hex[:8]}.sqlite3'
    journal = stage.journal if what.subject == 'same journal' else own
    parameters = {'robot_file': find_config(stage.set_up.robot, 'robots'), 'journal_path': journal}
    given = [word for name, value in parameters.items() for word in ('-p', f'{name}:={value}')]
    assert _run(stage, (*EXECUTOR, '--ros-args', *given)) == REFUSED


def _run(stage: Stage, words: Sequence[str]) -> int:
    environment = {**os.environ, 'ROS_DOMAIN_ID': str(stage.domain_id), 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
    return subprocess.run([sys.executable, *words], env=environment, timeout=LIMIT_S, check=False).returncode
