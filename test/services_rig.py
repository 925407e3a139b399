"""Requests, services on loopback and what they say, shared by the tests of model services."""

from __future__ import annotations

from model_server import ModelServer, serving, Speak
from model_shapes import Shape, SHAPES
from planning_rig import SKILLS_JSON
import pytest
from robot_tool_agent.core.planning.conversation import Message, ModelReply, ModelRequest, Role, ToolCall, Usage
from robot_tool_agent.core.planning.tools import parse_tools
from robot_tool_agent.llm.provider import Provider, ProviderError
from robot_tool_agent.llm.registry import create
from robot_tool_agent.llm.settings import ProviderSettings

CANARY = 'sk-canary-5Tq9Zx71LmN0'
KEYS = dict.fromkeys(('OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'OPENAI_COMPATIBLE_API_KEY'), CANARY)
KNOWN_MODELS = {'openai': 'gpt-6.1-terra', 'anthropic': 'claude-sonnet-4-6', 'google': 'gemini-3.8-flash'}
TIMEOUT_S, SHORT_S = 10.0, 0.5
REQUEST = ModelRequest(
    (Message(Role.SYSTEM, 'You drive a robot.'), Message(Role.USER, 'go to the kitchen')),
    parse_tools(SKILLS_JSON),
    TIMEOUT_S,
    321,
)
GO, LOOK = ('r1', 'navigate_to', {'place': 'kitchen'}), ('r2', 'look', {})
GO_CALL, LOOK_CALL = ToolCall('r1', 'navigate_to', '{"place": "kitchen"}'), ToolCall('r2', 'look', '{}')
USED = Usage(7, 5)

services = pytest.mark.parametrize('shape', SHAPES, ids=lambda shape: shape.service)


def provider(shape: Shape, server: ModelServer, model: str = 'm') -> Provider:
    """Return the provider of a service that speaks to a server on loopback."""
    base = server.url + ('/v1' if shape.path.startswith('/v1/') and shape.service != 'anthropic' else '')
    settings = {f'{shape.service}_base_url': base, f'{shape.service}_model': model}
    return create(shape.service, ProviderSettings(**settings), KEYS)


def ask_once(
    shape: Shape, said: Speak, request: ModelRequest = REQUEST
) -> tuple[ModelReply | ProviderError, ModelServer]:
    """Ask a server that says one thing; return what became of it, and the server for what it was sent."""
    with serving(said) as server:
        try:
            return provider(shape, server).complete(request), server
        except ProviderError as error:
            return error, server
