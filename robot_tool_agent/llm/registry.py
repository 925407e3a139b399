"""Which providers there are, by name."""

from __future__ import annotations

from robot_tool_agent.llm.provider import Provider
from robot_tool_agent.llm.rules import RulesProvider
from robot_tool_agent.llm.script_file import read_script

NAMES = ('rules', 'scripted')


def create(name: str, script_file: str = '') -> Provider:
    """Return a provider. Raise ValueError, with the valid names or the fault of the script, if that cannot be done."""
    if name == 'rules':
        return RulesProvider()
    if name == 'scripted':
        return read_script(script_file)
    raise ValueError(f'no provider {name!r}; valid: {", ".join(NAMES)}')
