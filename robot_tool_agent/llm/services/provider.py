"""A provider that speaks to a model service through pydantic-ai: one request, one reply, no retry of its own."""

from __future__ import annotations

from collections.abc import Callable
import logging
from typing import Any

from pydantic_ai import direct
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from robot_tool_agent.core.planning.conversation import FailureKind, ModelReply, ModelRequest
from robot_tool_agent.core.planning.redaction import Redactor
from robot_tool_agent.llm.loop_thread import LoopThread
from robot_tool_agent.llm.provider import RetryLater
from robot_tool_agent.llm.services import wire
from robot_tool_agent.llm.services.failures import refused, shown, translate

# At their lower levels these log headers, and a server may send a key back in one.
for _name in ('httpx', 'httpx2', 'httpcore', 'httpcore2', 'openai', 'anthropic', 'google_genai', 'urllib3'):
    logging.getLogger(_name).setLevel(logging.WARNING)


class LibraryProvider:
    """
    Talks to one model of one service. `make_model` is called once, in the thread that all requests run in.

    `key_names` tells where the key comes from, `secrets` are texts that no message may hold.
    """

    def __init__(
        self,
        name: str,
        make_model: Callable[[], Model[Any]],
        key_names: str = '',
        secrets: tuple[str, ...] = (),
        strict: bool = False,
    ) -> None:
        self.name = name
        self._make_model = make_model
        self._key_names = key_names
        self._redact = Redactor({f'KEY_{number}': secret for number, secret in enumerate(secrets)})
        self._strict = strict
        self._model: Model[Any] | None = None
        self._earlier = wire.EarlierReplies()
        self._thread = LoopThread(f'model-{name}')

    def complete(self, request: ModelRequest) -> ModelReply:
        """Return the model's next turn. Blocks for at most `request.timeout_s` seconds. Raise a ProviderError."""
        turns = wire.turns(request.messages, self._earlier)
        response = self.exchange(turns, wire.parameters(request, self._strict), request)
        said = wire.reply(response)
        self._earlier.keep(said, response)
        return said

    def exchange(
        self, turns: list[ModelMessage], parameters: ModelRequestParameters, request: ModelRequest, **more: Any
    ) -> ModelResponse:
        """Return the response to turns that are in the library's words already; `more` goes into its settings."""
        settings = ModelSettings(max_tokens=request.max_output_tokens, timeout=request.timeout_s, max_retries=0, **more)
        try:
            response = self._thread.run(self._request(turns, parameters, settings), request.timeout_s)
        except TimeoutError:
            text = f'no whole reply within {request.timeout_s:g} s'
            raise RetryLater(text, kind=FailureKind.TIMEOUT) from None
        except Exception as error:
            raise translate(error, self._key_names, self._redact) from None
        self._check(response)
        return response

    async def _request(
        self, turns: list[ModelMessage], parameters: ModelRequestParameters, settings: ModelSettings
    ) -> ModelResponse:
        if self._model is None:
            self._model = self._make_model()
        return await direct.model_request(
            self._model, turns, model_settings=settings, model_request_parameters=parameters, instrument=False
        )

    def _check(self, response: ModelResponse) -> None:
        if response.finish_reason == 'content_filter':
            details = response.provider_details or {}
            raise refused(shown(str(details.get('refusal') or response.text or ''), self._redact))
        if response.finish_reason == 'error':
            raise RetryLater('the model broke off its reply', kind=FailureKind.UNREADABLE)
        if not response.parts and response.finish_reason is None:
            raise RetryLater('the reply holds nothing', kind=FailureKind.UNREADABLE)
