"""The product's safety node, in which an exception can be ordered."""

import sys

from rehearsal.orders import Orders
from robot_tool_agent.nodes import safety_node


class FragileSafetyNode(safety_node.SafetyNode):
    """Raises an exception in its next turn once it was ordered to."""

    def __init__(self) -> None:
        self._orders = Orders.here()
        super().__init__()

    def _tick(self) -> None:
        if self._orders.take('raise'):
            raise ZeroDivisionError('as ordered')
        super()._tick()


def main() -> int:
    """Run the node; return the process's exit code."""
    safety_node.SafetyNode = FragileSafetyNode
    return safety_node.main()


if __name__ == '__main__':
    sys.exit(main())
