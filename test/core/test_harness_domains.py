"""Two processes that look for a ROS domain at the same time find different ones."""

from __future__ import annotations

import subprocess
import sys

from robot_tool_agent_sim.harness import domains

ASK = 'import os, sys; from robot_tool_agent_sim.harness import domains; '
SAME_START = 'os.getpid = lambda: int(sys.argv[1]); print(domains.free_domain(), flush=True); sys.stdin.read()'


def test_a_domain_belongs_to_one_process_until_that_ends() -> None:
    command = [sys.executable, '-c', ASK + SAME_START, '7']
    first = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert first.stdout is not None
        taken = first.stdout.readline()
        second = subprocess.run(command, input='', capture_output=True, text=True, timeout=20.0, check=True)
        assert taken.strip().isdigit()
        assert second.stdout.strip().isdigit()
        assert second.stdout != taken
    finally:
        first.kill()
        first.communicate(timeout=10.0)


def test_one_process_may_use_its_domain_again() -> None:
    assert domains.free_domain() == domains.free_domain()
