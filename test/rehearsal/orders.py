"""
What the nodes of a rehearsal are told to do wrong. An order is a file, so that it reaches a process at any moment.

Orders of the executor: `crash` and `exit` (a moment of the next call, see executor.py), `disk` (full, read_only,
locked), `slow_start` (seconds before it starts the next time). Of the planner: `script` (the lines of its model, JSON).
Of the safety node: `raise` (an exception).
"""

from __future__ import annotations

import os
from pathlib import Path


class Orders:
    """The orders of the system whose ROS_HOME is `home`."""

    def __init__(self, home: Path) -> None:
        self._folder = home / 'orders'

    @classmethod
    def here(cls) -> Orders:
        """Return the orders of the system that this process belongs to."""
        return cls(Path(os.environ['ROS_HOME']))

    def give(self, name: str, value: str) -> None:
        """Give an order; it is there whole or not at all."""
        self._folder.mkdir(exist_ok=True)
        draft = self._folder / f'.{name}'
        draft.write_text(value, encoding='utf-8')
        draft.replace(self._folder / name)

    def read(self, name: str) -> str:
        """Return an order, empty if none was given."""
        try:
            return (self._folder / name).read_text(encoding='utf-8')
        except FileNotFoundError:
            return ''

    def number(self, name: str) -> int:
        """Return what changes whenever the order is given anew, 0 for none."""
        try:
            return (self._folder / name).stat().st_mtime_ns
        except FileNotFoundError:
            return 0

    def path(self, name: str) -> Path:
        """Return the file of an order."""
        return self._folder / name

    def take(self, name: str) -> str:
        """Return an order and use it up."""
        value = self.read(name)
        self.path(name).unlink(missing_ok=True)
        return value

    def clear(self) -> None:
        """Take all orders back."""
        if self._folder.exists():
            for path in self._folder.iterdir():
                path.unlink(missing_ok=True)
