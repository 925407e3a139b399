"""The product's executor with a journal that takes orders, a skill that stumbles, its action behind a relay."""

import sys
import threading

from rehearsal.cast import chosen
from rehearsal.journal import RehearsalJournal
from rehearsal.orders import Orders
from robot_tool_agent.core.sensors import SensorView
from robot_tool_agent.core.skills.base import Step
from robot_tool_agent.core.skills.move_relative import MoveRelative
from robot_tool_agent.nodes import executor_node, executor_setup
from robot_tool_agent_sim.relay.relay_node import aside


class Stumble(MoveRelative):
    """Drives like move_relative and raises an exception half way."""

    name = 'stumble'
    _HALF = 0.5

    def tick(self, view: SensorView, now_s: float) -> Step:
        """Drive, then break."""
        step = super().tick(view, now_s)
        if step.progress >= self._HALF:
            raise ZeroDivisionError('half way')
        return step


def main() -> int:
    """Run the node; return the process's exit code."""
    threading.Event().wait(float(Orders.here().take('slow_start') or 0.0))
    executor_setup.Journal = RehearsalJournal
    executor_setup.plugin_skills = lambda: [Stumble]
    if 'relay' in chosen():
        sys.argv.extend(aside())
    return executor_node.main()


if __name__ == '__main__':
    sys.exit(main())
