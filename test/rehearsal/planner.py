"""The product's planner node whose model speaks the ordered script, and the product's rules where there is none."""

import sys

from rehearsal.orders import Orders
from robot_tool_agent.core.planning.conversation import ModelReply, ModelRequest
from robot_tool_agent.llm.provider import Provider
from robot_tool_agent.llm.rules import RulesProvider
from robot_tool_agent.llm.script_file import read_script
from robot_tool_agent.nodes import planner_node, planner_setup


class OrderedModel:
    """Begins a script anew whenever it is ordered anew."""

    name = 'ordered'

    def __init__(self) -> None:
        self._orders = Orders.here()
        self._number = 0
        self._model: Provider = RulesProvider()

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return the next line."""
        number = self._orders.number('script')
        if number != self._number:
            self._number = number
            self._model = read_script(str(self._orders.path('script'))) if number else RulesProvider()
        return self._model.complete(request)


def main() -> int:
    """Run the node; return the process's exit code."""
    planner_setup.create = lambda *settings: OrderedModel()
    return planner_node.main()


if __name__ == '__main__':
    sys.exit(main())
