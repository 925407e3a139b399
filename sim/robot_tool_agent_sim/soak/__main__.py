"""`python -m robot_tool_agent_sim.soak`: see `--help`."""

from __future__ import annotations

import sys

from robot_tool_agent_sim.soak.main import main

if __name__ == '__main__':
    sys.exit(main())
