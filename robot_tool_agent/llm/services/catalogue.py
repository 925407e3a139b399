"""The services by name: which key each needs, and how its model is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from pydantic_ai.models import Model
from robot_tool_agent.llm.keys import find_key, need_key
from robot_tool_agent.llm.services.provider import LibraryProvider
from robot_tool_agent.llm.settings import LOOPBACK, ProviderSettings

Environment = Mapping[str, str]
OPENAI_KEYS = ('OPENAI_API_KEY',)
ANTHROPIC_KEYS = ('ANTHROPIC_API_KEY',)
GOOGLE_KEYS = ('GEMINI_API_KEY', 'GOOGLE_API_KEY')
COMPATIBLE_KEYS = ('OPENAI_COMPATIBLE_API_KEY',)


def openai(settings: ProviderSettings, environment: Environment) -> LibraryProvider:
    """Return OpenAI through its Responses API."""
    from pydantic_ai.models.openai import OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    key = need_key(OPENAI_KEYS, environment)

    def make() -> Model[Any]:
        provider = OpenAIProvider(base_url=settings.openai_base_url or None, api_key=key)
        # Each request holds the whole conversation, so the service need not keep any of it.
        ours = {'openai_store': False, 'openai_prompt_cache_diagnostics': False}
        return OpenAIResponsesModel(settings.openai_model, provider=provider, settings=ours)

    return _with_key('openai', make, OPENAI_KEYS, key)


def anthropic(settings: ProviderSettings, environment: Environment) -> LibraryProvider:
    """Return Anthropic through its Messages API, with strict schemas, which it keeps only when asked to."""
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    key = need_key(ANTHROPIC_KEYS, environment)

    def make() -> Model[Any]:
        provider = AnthropicProvider(base_url=settings.anthropic_base_url or None, api_key=key)
        return AnthropicModel(settings.anthropic_model, provider=provider)

    return _with_key('anthropic', make, ANTHROPIC_KEYS, key, strict=True)


def google(settings: ProviderSettings, environment: Environment) -> LibraryProvider:
    """Return Google Gemini through the Gemini API."""
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    key = need_key(GOOGLE_KEYS, environment)

    def make() -> Model[Any]:
        provider = GoogleProvider(base_url=settings.google_base_url or None, api_key=key)
        return GoogleModel(settings.google_model, provider=provider)

    return _with_key('google', make, GOOGLE_KEYS, key)


def compatible(settings: ProviderSettings, environment: Environment) -> LibraryProvider:
    """Return any server with OpenAI's chat completions: Ollama, vLLM, llama.cpp. Its key is optional."""
    if not settings.compatible_base_url or not settings.compatible_model:
        raise ValueError('set the parameters compatible_base_url and compatible_model')
    key = find_key(COMPATIBLE_KEYS, environment)
    make = chat_model('compatible', settings.compatible_model, settings.compatible_base_url, key)
    return _with_key('compatible', make, COMPATIBLE_KEYS, key)


def chat_model(service: str, model: str, base_url: str, key: str = '') -> Callable[[], Model[Any]]:
    """Return a maker of a model behind OpenAI's chat completions. Without a key none is sent, not even OpenAI's."""
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    def make() -> Model[Any]:
        client = _direct_client() if urlsplit(base_url).hostname in LOOPBACK else None
        provider = OpenAICompatibleProvider(service, base_url=base_url, api_key=key or None, http_client=client)
        # `max_tokens` is the older word for the limit, which all of these servers know.
        profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)
        return OpenAIChatModel(model, provider=provider, profile=profile)

    return make


def _direct_client() -> Any:
    """Return a client that asks no proxy of the environment: a server on this machine is behind none."""
    import httpx2
    from pydantic_ai.models import create_async_httpx2_client

    return create_async_httpx2_client(transport=httpx2.AsyncHTTPTransport())


def _with_key(
    name: str, make: Callable[[], Model[Any]], keys: tuple[str, ...], key: str, strict: bool = False
) -> LibraryProvider:
    return LibraryProvider(name, make, ' or '.join(keys), (key,) if key else (), strict)
