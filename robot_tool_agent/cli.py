"""
The `rta` command.

Exit codes: 0 done, 1 not done, 2 wrong use or wrong configuration, 3 the system did not answer, 130 interrupted.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
import os
import sys

from robot_tool_agent.commands import call, check, journal, mcp, operator, skills, state, task, tasks, up
from robot_tool_agent.commands.errors import EXIT_CONFIG, EXIT_NO_ANSWER, NoAnswer
from robot_tool_agent.commands.options import add_ros_options
from robot_tool_agent.commands.plugins import add_plugin_parsers

COMMANDS = (up, task, tasks, call, skills, state, operator, journal, check, mcp)
EXIT_INTERRUPTED = 130


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = argparse.ArgumentParser(prog='rta', description='Run, ask and watch a robot_tool_agent system.')
    add_ros_options(top)
    commands = top.add_subparsers(dest='command', required=True, metavar='COMMAND')
    for module in COMMANDS:
        module.add_parser(commands)
    add_plugin_parsers(commands)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    arguments = parser().parse_args(argv)
    domain_id = getattr(arguments, 'domain_id', None)
    if domain_id is not None:
        os.environ['ROS_DOMAIN_ID'] = str(domain_id)
    try:
        return int(arguments.run(arguments))
    except NoAnswer as error:
        print(f'rta: {error}', file=sys.stderr)
        return EXIT_NO_ANSWER
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except Exception as error:
        if not _is_config_error(error):
            raise
        print(error, file=sys.stderr)
        return EXIT_CONFIG


def _is_config_error(error: Exception) -> bool:
    # Imported late: it brings pydantic, which `rta --help` does without.
    from robot_tool_agent.config_files import ConfigError

    return isinstance(error, ConfigError)


if __name__ == '__main__':
    sys.exit(main())
