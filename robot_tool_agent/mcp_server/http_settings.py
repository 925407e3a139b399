"""Where the HTTP server listens and which token it wants. Whatever is not surely safe is refused."""

from __future__ import annotations

from collections.abc import Mapping
import ipaddress
import os
from pathlib import Path
import stat

TOKEN_VARIABLE = 'RTA_MCP_TOKEN'
MIN_TOKEN_CHARS = 32
MAX_TOKEN_BYTES = 4096


class HttpSettingsError(ValueError):
    """The settings cannot be used. The text says why."""


def loopback_address(text: str) -> tuple[str, int]:
    """Return host and port of `HOST:PORT`; port 0 is any free one. Raise HttpSettingsError unless it is loopback."""
    host, colon, port = text.rpartition(':')
    host = host.strip('[]')
    host = '127.0.0.1' if host == 'localhost' else host
    try:
        loopback, number = ipaddress.ip_address(host).is_loopback, int(port)
    except ValueError:
        raise HttpSettingsError(f'--http {text}: must be an address and a port, e.g. 127.0.0.1:8765') from None
    if not colon or not loopback:
        raise HttpSettingsError(f'--http {text}: only loopback addresses are served; use an SSH tunnel from elsewhere')
    if not 0 <= number <= 65_535:
        raise HttpSettingsError(f'--http {text}: the port must be 0 to 65535')
    return host, number


def read_token(file: str, environment: Mapping[str, str]) -> str:
    """Return the token from a file, else from RTA_MCP_TOKEN. Raise HttpSettingsError if there is no good one."""
    token = _of_file(file) if file else environment.get(TOKEN_VARIABLE, '')
    token = token.strip()
    source = file or TOKEN_VARIABLE
    if not token:
        raise HttpSettingsError(f'{source}: no token; HTTP is never served without one (e.g. `openssl rand -hex 32`)')
    if len(token) < MIN_TOKEN_CHARS or not token.isascii() or not token.isprintable() or ' ' in token:
        raise HttpSettingsError(
            f'{source}: a token has at least {MIN_TOKEN_CHARS} printable ASCII characters, no blank'
        )
    return token


def _of_file(file: str) -> str:
    try:
        with Path(file).open('rb') as stream:
            mode = os.fstat(stream.fileno()).st_mode
            data = stream.read(MAX_TOKEN_BYTES)
    except OSError as error:
        raise HttpSettingsError(f'{file}: {error.strerror}') from None
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise HttpSettingsError(f'{file}: others may read it; chmod 600 first')
    return data.decode('ascii', 'replace')
