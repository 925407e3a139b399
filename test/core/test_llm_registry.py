"""Which providers there are, what each needs, and that nobody pays for one that is not asked for."""

from __future__ import annotations

import importlib.util
import socket
import subprocess
import sys

from pydantic import ValidationError
import pytest
from robot_tool_agent.llm.keys import find_key
from robot_tool_agent.llm.provider import Provider
from robot_tool_agent.llm.registry import create, SERVICES
from robot_tool_agent.llm.settings import ProviderSettings

KEY = 'sk-canary-5Tq9Zx71LmN0'
COMPATIBLE = ProviderSettings(compatible_base_url='http://localhost:11434/v1', compatible_model='qwen3')
ENVIRONMENT = {'OPENAI_API_KEY': KEY, 'ANTHROPIC_API_KEY': KEY, 'GOOGLE_API_KEY': KEY}

HAS_LIBRARY = importlib.util.find_spec('pydantic_ai') is not None
needs_library = pytest.mark.skipif(not HAS_LIBRARY, reason='pydantic-ai-slim wants Python 3.11')


@needs_library
@pytest.mark.parametrize('name', SERVICES)
def test_a_service_is_made_from_settings_and_environment_alone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ('OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'):
        monkeypatch.delenv(variable, raising=False)
    provider: Provider = create(name, COMPATIBLE, ENVIRONMENT)
    assert provider.name == name
    assert KEY not in repr(provider)


@needs_library
@pytest.mark.parametrize(
    ('name', 'part'),
    [
        ('openai', 'OPENAI_API_KEY'),
        ('anthropic', 'ANTHROPIC_API_KEY'),
        ('google', 'GEMINI_API_KEY or GOOGLE_API_KEY'),
        ('compatible', 'compatible_base_url and compatible_model'),
    ],
)
def test_what_is_missing_is_named(name: str, part: str) -> None:
    with pytest.raises(ValueError, match=part):
        create(name, ProviderSettings(), {})


def test_an_unknown_name_is_answered_with_the_valid_ones() -> None:
    with pytest.raises(ValueError, match=r'oracle.*; valid: rules, openai, .*local, scripted'):
        create('oracle', ProviderSettings(), {})


@pytest.mark.parametrize('name', [*SERVICES, 'local'])
def test_without_the_library_the_reason_is_plain(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, 'find_spec', lambda module: None)
    with pytest.raises(ValueError, match=r'requirements/models\.txt .*Python 3\.11 or newer; this is Python 3\.'):
        create(name, COMPATIBLE, ENVIRONMENT)


def test_the_rules_planner_starts_without_the_library() -> None:
    code = (
        'import sys; from robot_tool_agent.llm.registry import create; '
        'from robot_tool_agent.llm.settings import ProviderSettings; '
        'create("rules", ProviderSettings(), {}); '
        'print(sorted({"pydantic_ai", "openai", "anthropic", "google.genai", "xllamacpp"} & set(sys.modules)))'
    )
    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == '[]'


def test_the_first_key_that_is_set_counts() -> None:
    names = ('GEMINI_API_KEY', 'GOOGLE_API_KEY')
    assert find_key(names, {'GOOGLE_API_KEY': 'b', 'GEMINI_API_KEY': 'a\n'}) == 'a'
    assert find_key(names, {'GOOGLE_API_KEY': 'b', 'GEMINI_API_KEY': ' '}) == 'b'
    assert find_key(names, {}) == ''


@pytest.mark.parametrize('key', [f'{KEY}\nx', f'{KEY}é', f'{KEY} {KEY}', f'{KEY}\x7f'])
def test_what_cannot_be_a_key_is_refused_without_showing_it(key: str) -> None:
    with pytest.raises(ValueError, match='OPENAI_API_KEY') as caught:
        find_key(('OPENAI_API_KEY',), {'OPENAI_API_KEY': key})
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    ('name', 'url'),
    [
        ('openai_base_url', 'http://example.org/v1'),
        ('anthropic_base_url', 'ftp://localhost'),
        ('google_base_url', 'localhost:8080'),
        ('compatible_base_url', 'http://'),
        ('compatible_base_url', f'http://user:{KEY}@localhost/v1'),
    ],
)
def test_addresses_that_cannot_be_used(name: str, url: str) -> None:
    with pytest.raises(ValidationError, match=name):
        ProviderSettings(**{name: url})


@pytest.mark.parametrize('url', ['http://127.0.0.1:1/v1', 'http://localhost/v1', 'https://proxy.example.org/openai'])
def test_addresses_that_can(url: str) -> None:
    assert ProviderSettings(openai_base_url=url).openai_base_url == url


def test_a_plain_address_in_the_house_network_is_fine_for_a_server_without_a_key() -> None:
    assert ProviderSettings(compatible_base_url='http://10.0.0.7:11434/v1')


def test_tests_reach_nothing_but_this_machine() -> None:
    with pytest.raises(OSError, match='no network'):
        socket.create_connection(('example.org', 443), timeout=1.0)
    with pytest.raises(OSError, match='no network'), socket.socket() as client:
        client.connect(('192.0.2.1', 443))
