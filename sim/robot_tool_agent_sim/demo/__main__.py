"""Runs the demonstration."""

import sys

from robot_tool_agent_sim.demo.main import main

if __name__ == '__main__':
    sys.exit(main())
