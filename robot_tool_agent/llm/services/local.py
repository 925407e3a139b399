"""A small model on this machine, held to the tools' schemas by a grammar. Often wrong; needs no network and no key."""

from __future__ import annotations

from dataclasses import replace
import threading

from robot_tool_agent.core.planning.conversation import FailureKind, ModelReply, ModelRequest
from robot_tool_agent.core.planning.planner_tools import PLAN
from robot_tool_agent.llm import constrained
from robot_tool_agent.llm.local_process import LocalProcess
from robot_tool_agent.llm.provider import RetryLater
from robot_tool_agent.llm.services import wire
from robot_tool_agent.llm.services.catalogue import chat_model
from robot_tool_agent.llm.services.provider import LibraryProvider
from robot_tool_agent.llm.settings import ProviderSettings

# A call is some forty tokens; what goes on for longer runs in circles.
MAX_OUTPUT_TOKENS = 256


def local(settings: ProviderSettings) -> LocalProvider:
    """Return the local model, started and ready. Raise ValueError if that cannot be done."""
    return LocalProvider(settings)


class LocalProvider:
    """Serves itself: starts a process with the model, and a new one if that has ended."""

    name = 'local'

    def __init__(self, settings: ProviderSettings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._start(settings.local_start_timeout_s)

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return the model's next turn. Plans are not offered: they are beyond a model of this size."""
        tools = tuple(tool for tool in request.tools if tool.name != PLAN)
        limit = min(request.max_output_tokens, MAX_OUTPUT_TOKENS)
        request = replace(request, tools=tools, max_output_tokens=limit)
        form = {'name': 'reply', 'schema': constrained.reply_schema(request.tools, request.must_call)}
        body = {'response_format': {'type': 'json_schema', 'json_schema': form}}
        turns = wire.turns(constrained.dialogue(request), wire.EarlierReplies())
        plain = wire.parameters(ModelRequest((), (), request.timeout_s, request.max_output_tokens), strict=False)
        response = self._running(request.timeout_s).exchange(turns, plain, request, temperature=0.0, extra_body=body)
        return constrained.read(wire.reply(response))

    def _running(self, timeout_s: float) -> LibraryProvider:
        with self._lock:
            if not self._process.alive:
                try:
                    self._start(timeout_s)
                except ValueError as error:
                    raise RetryLater(str(error), kind=FailureKind.UNREACHABLE) from None
            return self._provider

    def _start(self, timeout_s: float) -> None:
        self._process = LocalProcess(self._settings)
        self._process.wait_ready(timeout_s)
        make = chat_model('local', 'local', f'{self._process.url}/v1', self._process.key)
        self._provider = LibraryProvider('local', make, secrets=(self._process.key,))
