"""Errors of the library in our classes, named by what to do next. No text of them holds a key."""

from __future__ import annotations

from pydantic_ai import exceptions as library
from robot_tool_agent.core.planning.conversation import FailureKind
from robot_tool_agent.core.planning.redaction import Redactor
from robot_tool_agent.core.planning.untrusted import clean_text
from robot_tool_agent.llm.provider import FixRequest, ProviderError, RetryLater, UseAnotherProvider

MAX_DETAIL = 120
_POLICY = ('content_policy', 'content_filter', 'responsible_ai', 'safety system', 'usage policy', 'prohibited_content')
# How servers behind OpenAI's shape say so without a code of their own.
_TOO_LONG = ('context size', 'context length', 'context window')
# Request timeout and conflict (RFC 9110, 15.5.9 and 15.5.10): the same request may succeed later.
_TRY_AGAIN = (408, 409)

_Row = tuple[type[Exception], type[ProviderError], FailureKind, str]
_ROWS: tuple[_Row, ...] = (
    (library.ModelRateLimitError, RetryLater, FailureKind.RATE_LIMITED, 'rate limited'),
    (library.ModelQuotaExceededError, UseAnotherProvider, FailureKind.QUOTA, 'the quota of the account is used up'),
    (library.ModelTimeoutError, RetryLater, FailureKind.TIMEOUT, 'timed out'),
    (library.ModelUnavailableError, RetryLater, FailureKind.SERVER_ERROR, 'the server is overloaded or down'),
    (library.ModelServerError, RetryLater, FailureKind.SERVER_ERROR, 'the server failed'),
    (library.ModelConnectionError, RetryLater, FailureKind.UNREACHABLE, 'cannot be reached'),
    (library.ModelAuthenticationError, UseAnotherProvider, FailureKind.NOT_ALLOWED, 'the key was not accepted'),
    (library.ModelNotFoundError, UseAnotherProvider, FailureKind.NOT_FOUND, 'no such model or address'),
    (library.ModelContextWindowExceededError, FixRequest, FailureKind.TOO_LONG, 'the conversation is too long for it'),
)


def shown(text: str, redact: Redactor) -> str:
    """Return a provider's text in one bounded line, without keys."""
    return clean_text(redact(text), MAX_DETAIL)


def refused(detail: str) -> UseAnotherProvider:
    """Return the error of a model that declines to answer."""
    said = f': {detail}' if detail else ''
    return UseAnotherProvider(f'the model refused to answer{said}', FailureKind.REFUSED)


def translate(error: Exception, key_names: str, redact: Redactor) -> ProviderError:
    """Return our error for one of the library. `key_names` says where the key comes from."""
    if isinstance(error, library.ContentFilterError):
        return refused('')
    if isinstance(error, library.ModelAPIError):
        return _of_the_wire(error, _detail(error, key_names, redact))
    if isinstance(error, library.UserError):
        return FixRequest(f'the request does not suit this model: {shown(error.message, redact)}')
    return RetryLater(f'the reply cannot be read ({type(error).__name__})', kind=FailureKind.UNREADABLE)


def _of_the_wire(error: library.ModelAPIError, detail: str) -> ProviderError:
    told, wait_s = f' ({detail})' if detail else '', error.retry_after or 0.0
    for kind_of_error, ours, kind, text in _ROWS:
        if isinstance(error, kind_of_error):
            made = ours(f'{text}{told}', kind=kind)
            made.retry_after_s = wait_s
            return made
    if _against_policy(error):
        return refused(detail)
    if not isinstance(error, library.ModelHTTPError):
        return RetryLater('the reply cannot be read', kind=FailureKind.UNREADABLE)
    if any(word in _said(error.body).lower() for word in _TOO_LONG):
        return FixRequest(f'the conversation is too long for it{told}', FailureKind.TOO_LONG)
    if error.status_code in _TRY_AGAIN:
        return RetryLater(f'not served now{told}', wait_s)
    return FixRequest(f'the request was not accepted{told}')


def _detail(error: library.ModelAPIError, key_names: str, redact: Redactor) -> str:
    """Return status and message; of an error about the key, which may echo it, only where the key comes from."""
    if isinstance(error, library.ModelConnectionError) and error.__cause__ is not None:
        return type(error.__cause__.__cause__ or error.__cause__).__name__
    status = f'HTTP {error.status_code}' if isinstance(error, library.ModelHTTPError) else ''
    if isinstance(error, library.ModelAuthenticationError):
        return f'{status}; check {key_names}' if key_names else status
    said = shown(_said(error.body), redact)
    return ': '.join(part for part in (status, said) if part)


def _said(body: object) -> str:
    """Return the message of an error body; every known service puts it at `error.message` or at `message`."""
    if isinstance(body, dict):
        inner = body.get('error', body)
        return str(inner.get('message', '')) if isinstance(inner, dict) else str(inner)
    return body if isinstance(body, str) else ''


def _against_policy(error: library.ModelAPIError) -> bool:
    words = f'{error.provider_error_code} {error.provider_error_type} {_said(error.body)}'.lower()
    return any(word in words for word in _POLICY)
