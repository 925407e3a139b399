"""`rta` with the node set of a rehearsal, named by the environment."""

import sys

from rehearsal.cast import chosen
from rehearsal.cast import node_set as rehearsed
from robot_tool_agent import cli, node_set

if __name__ == '__main__':
    node_set.NODE_SET = rehearsed(chosen())
    sys.exit(cli.main())
