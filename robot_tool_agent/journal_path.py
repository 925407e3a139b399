"""Where the journal of a robot lies, and what the planner keeps beside it."""

from __future__ import annotations

import os
from pathlib import Path


def default_journal_path(namespace: str) -> Path:
    """Return the journal's path if nothing else is said: one for each namespace, in ROS_HOME or ~/.ros."""
    home = Path(os.environ.get('ROS_HOME') or Path.home() / '.ros')
    return home / 'robot_tool_agent' / namespace.strip('/') / 'journal.sqlite3'


def default_memory_path(namespace: str) -> Path:
    """Return the path of the planner's memory of tasks if nothing else is said: beside the journal."""
    return default_journal_path(namespace).with_name('tasks.sqlite3')


def default_failures_path(namespace: str) -> Path:
    """Return the path of the planner's samples of failures if nothing else is said: beside the journal."""
    return default_journal_path(namespace).with_name('failures.jsonl')
