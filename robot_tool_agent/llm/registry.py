"""Which providers there are, by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
import importlib
import importlib.util
import sys
from types import ModuleType

from robot_tool_agent.llm.provider import Provider
from robot_tool_agent.llm.rules import RulesProvider
from robot_tool_agent.llm.script_file import read_script
from robot_tool_agent.llm.settings import ProviderSettings

Environment = Mapping[str, str]
SERVICES = ('openai', 'anthropic', 'google', 'compatible')
NAMES = ('rules', *SERVICES, 'local', 'scripted')


def create(name: str, settings: ProviderSettings, environment: Environment) -> Provider:
    """
    Return a provider. Raise ValueError, with the valid names or what is missing, if that cannot be done.

    Whatever a provider needs is imported only when it is created, so that the others start without it.
    """
    if name == 'rules':
        return RulesProvider()
    if name == 'scripted':
        return read_script(settings.script_file)
    if name == 'local':
        make: Callable[[ProviderSettings], Provider] = _module('local').local
        return make(settings)
    if name in SERVICES:
        service: Callable[[ProviderSettings, Environment], Provider] = getattr(_module('catalogue'), name)
        return service(settings, environment)
    raise ValueError(f'no provider {name!r}; valid: {", ".join(NAMES)}')


def _module(name: str) -> ModuleType:
    """Import a module that needs pydantic-ai, or say plainly why that cannot be done."""
    if importlib.util.find_spec('pydantic_ai') is None:
        running = f'{sys.version_info[0]}.{sys.version_info[1]}'
        raise ValueError(
            f'needs the packages in requirements/models.txt (pydantic-ai-slim), which want Python 3.11 or newer; '
            f'this is Python {running}, and pydantic_ai is not installed'
        )
    try:
        return importlib.import_module(f'robot_tool_agent.llm.services.{name}')
    except ImportError as error:
        raise ValueError(f'a package of requirements/models.txt cannot be imported: {error}') from None
