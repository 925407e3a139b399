"""The relay as a process of its own says at start what it cannot do. How it mistreats messages, scenarios show."""

from __future__ import annotations

import os
import subprocess
import sys

from robot_tool_agent_sim.harness.domains import free_domain


def test_an_unknown_saboteur_ends_the_start_and_names_the_valid_ones() -> None:
    environment = {**os.environ, 'ROS_DOMAIN_ID': str(free_domain()), 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'}
    command = [sys.executable, '-m', 'robot_tool_agent_sim.relay', '--ros-args', '-p', 'saboteur:=gremlin']
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=20.0, check=False)
    assert done.returncode == 2
    assert "saboteur = 'gremlin'" in done.stderr
    assert 'reply_dropped' in done.stderr
    assert 'motion_command_reordered' in done.stderr
