"""The skills as MCP tools: names, schemas and hints say what the executor says, nothing is added."""

from __future__ import annotations

import json
from typing import Any

from robot_tool_agent.core.planning.tools import parse_tools
from robot_tool_agent.mcp_server.results import OUTPUT_SCHEMA

Json = dict[str, Any]
FACTS_KEY = 'robot-tool-agent/facts'
FACTS = ('reads_only', 'idempotent', 'resources', 'risk', 'timeout_s', 'circuit')


def tools_of(skills_json: str) -> list[Json]:
    """
    Return the tools in the form of the wire (MCP `Tool`), in the order of `describe_skills`.

    Raise ToolsError, a ValueError, if the text is not what DescribeSkills.srv promises.
    """
    parse_tools(skills_json)
    return [_tool(skill) for skill in json.loads(skills_json)]


def _tool(skill: Json) -> Json:
    return {
        'name': skill['name'],
        'description': skill['description'],
        'inputSchema': skill['arguments_schema'],
        'outputSchema': OUTPUT_SCHEMA,
        'annotations': hints(skill['reads_only'], skill['idempotent']),
        '_meta': {FACTS_KEY: {name: skill[name] for name in FACTS if name in skill}},
    }


def hints(reads_only: bool, idempotent: bool) -> Json:
    """
    Return the annotations of a skill.

    A motion is destructive in the protocol's sense: where the robot or an object was is gone afterwards. The world is
    open: what the sensors find in it, labels too, comes from outside.
    """
    return {
        'readOnlyHint': reads_only,
        'destructiveHint': not reads_only,
        'idempotentHint': idempotent,
        'openWorldHint': True,
    }
