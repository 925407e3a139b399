"""`rta` with the node set of a rehearsal, named by the environment."""

import sys

from rehearsal.cast import chosen, MANY
from rehearsal.cast import node_set as rehearsed
from robot_tool_agent import cli, node_set
from robot_tool_agent.processes import group

if __name__ == '__main__':
    group.RESPAWN_MAX = MANY
    node_set.NODE_SET = rehearsed(chosen())
    sys.exit(cli.main())
