"""`python -m robot_tool_agent_sim.relay` runs the relay node."""

import sys

from robot_tool_agent_sim.relay.relay_node import main

sys.exit(main())
