"""Entry point of `python -m robot_tool_agent_sim.bench`."""

import sys

from robot_tool_agent_sim.bench.main import main

if __name__ == '__main__':
    sys.exit(main())
