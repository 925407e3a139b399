"""Model services on loopback, each in the shape of its API: what we send, and what becomes of every kind of answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
import time
from typing import Any

from model_server import answer, dribble, hang, hang_up, ModelServer, raw, serving, Speak
from model_shapes import Shape, SHAPES
import pytest
from robot_tool_agent.core.planning.conversation import (
    FailureKind,
    ModelReply,
    ModelRequest,
    ToolCall,
)
from robot_tool_agent.llm.provider import FixRequest, Provider, ProviderError, RetryLater, UseAnotherProvider
from robot_tool_agent.llm.settings import ProviderSettings
from services_rig import (
    CANARY,
    GO,
    GO_CALL,
    LOOK,
    LOOK_CALL,
    provider,
    REQUEST,
    services,
    SHORT_S,
    USED,
)

pytest.importorskip('pydantic_ai', reason='the packages of requirements/models.txt want Python 3.11 or newer')

LIVE: dict[str, tuple[ModelServer, Provider]] = {}


@pytest.fixture(scope='module', autouse=True)
def _live() -> Iterator[None]:
    """Serve every shape once for all tests: a provider has to live on after whatever a server did to it."""
    with ExitStack() as stack:
        for shape in SHAPES:
            server = stack.enter_context(serving(hang))
            LIVE[shape.service] = (server, provider(shape, server))
        yield


def ask(shape: Shape, *says: Speak, request: ModelRequest = REQUEST) -> tuple[ModelReply | ProviderError, ModelServer]:
    server, asked = LIVE[shape.service]
    server.start_over(*says)
    try:
        return asked.complete(request), server
    except ProviderError as error:
        return error, server


REPLIES: dict[str, tuple[dict[str, Any], ModelReply]] = {
    'a call': ({'calls': (GO,)}, ModelReply('', (GO_CALL,), USED)),
    'text and a call': ({'text': 'I go', 'calls': (GO,)}, ModelReply('I go', (GO_CALL,), USED)),
    'parallel calls': ({'calls': (GO, LOOK)}, ModelReply('', (GO_CALL, LOOK_CALL), USED)),
    'text only': ({'text': 'DONE: there'}, ModelReply('DONE: there', (), USED)),
    'a cut-off reply': ({'text': 'DONE: th', 'end': 'cut'}, ModelReply('DONE: th', (), USED, truncated=True)),
    'an empty reply': ({}, ModelReply('', (), USED)),
    'an unknown tool': ({'calls': (('r1', 'fly', {}),)}, ModelReply('', (ToolCall('r1', 'fly', '{}'),), USED)),
    'wrong arguments': (
        {'calls': (('r1', 'wait', {'duration_s': '5', 'x': None}),)},
        ModelReply('', (ToolCall('r1', 'wait', '{"duration_s": "5", "x": null}'),), USED),
    ),
    'one reference twice': (
        {'calls': (GO, ('r1', 'look', {}))},
        ModelReply('', (GO_CALL, ToolCall('call_1', 'look', '{}')), USED),
    ),
}


@services
@pytest.mark.parametrize('name', REPLIES)
def test_replies(shape: Shape, name: str) -> None:
    said, wanted = REPLIES[name]
    got, server = ask(shape, answer(shape.reply(**said)))
    assert got == wanted
    assert len(server.requests) == 1


def error(shape: Shape, status: int, message: str, code: str, **headers: str) -> Speak:
    return answer(shape.error(status, message, code), status, **headers)


RATE_CODE = {'google': 'RESOURCE_EXHAUSTED', 'anthropic': 'rate_limit_error'}
TOO_LONG = {
    'google': (400, 'The input token count (9) exceeds the maximum number of tokens allowed (8)', 'INVALID_ARGUMENT'),
    'anthropic': (400, 'prompt is too long: 9 tokens > 8 maximum', 'invalid_request_error'),
}
OPENAI_TOO_LONG = (400, "This model's maximum context length is 8 tokens", 'context_length_exceeded')

FAILURES: dict[str, tuple[Any, type[ProviderError], FailureKind, float]] = {
    'rate limited': (
        lambda s: error(s, 429, 'slow down', RATE_CODE.get(s.service, 'rate_limit_exceeded'), Retry_After='7'),
        RetryLater,
        FailureKind.RATE_LIMITED,
        7.0,
    ),
    'rate limited without a time': (
        lambda s: error(s, 429, 'slow down', RATE_CODE.get(s.service, 'rate_limit_exceeded')),
        RetryLater,
        FailureKind.RATE_LIMITED,
        0.0,
    ),
    'server error': (lambda s: error(s, 500, 'oops', 'INTERNAL'), RetryLater, FailureKind.SERVER_ERROR, 0.0),
    'overloaded': (
        lambda s: error(s, 503, 'overloaded', 'UNAVAILABLE', Retry_After='3'),
        RetryLater,
        FailureKind.SERVER_ERROR,
        3.0,
    ),
    'bad key': (
        lambda s: error(s, 401, 'bad', 'authentication_error'),
        UseAnotherProvider,
        FailureKind.NOT_ALLOWED,
        0.0,
    ),
    'forbidden': (lambda s: error(s, 403, 'no', 'permission_error'), UseAnotherProvider, FailureKind.NOT_ALLOWED, 0.0),
    'no such model': (
        lambda s: error(s, 404, 'what?', 'not_found_error'),
        UseAnotherProvider,
        FailureKind.NOT_FOUND,
        0.0,
    ),
    'against policy': (
        lambda s: error(s, 400, 'rejected by our safety system', 'bad'),
        UseAnotherProvider,
        FailureKind.REFUSED,
        0.0,
    ),
    'bad schema': (
        lambda s: error(s, 400, 'schema not supported', 'invalid_request_error'),
        FixRequest,
        FailureKind.BAD_REQUEST,
        0.0,
    ),
    'too long': (lambda s: error(s, *TOO_LONG.get(s.service, OPENAI_TOO_LONG)), FixRequest, FailureKind.TOO_LONG, 0.0),
    'refusal': (lambda s: answer(s.reply('I will not', end='refused')), UseAnotherProvider, FailureKind.REFUSED, 0.0),
    'hang': (lambda s: hang, RetryLater, FailureKind.TIMEOUT, 0.0),
    'dribble': (lambda s: dribble, RetryLater, FailureKind.TIMEOUT, 0.0),
    'hang up': (lambda s: hang_up, RetryLater, FailureKind.UNREACHABLE, 0.0),
    'wrong schema': (lambda s: answer({'hello': 1}), RetryLater, FailureKind.UNREADABLE, 0.0),
    'no fields': (lambda s: answer({}), RetryLater, FailureKind.UNREADABLE, 0.0),
    'not an object': (lambda s: answer([1]), RetryLater, FailureKind.UNREADABLE, 0.0),
    'not JSON': (lambda s: raw(b'{"choices": ['), RetryLater, FailureKind.UNREADABLE, 0.0),
    'a web page': (lambda s: raw(b'<html>sign in</html>', 'text/html'), RetryLater, FailureKind.UNREADABLE, 0.0),
    'nothing': (lambda s: raw(b''), RetryLater, FailureKind.UNREADABLE, 0.0),
    'not text': (lambda s: raw(b'\xff\xfe\x00'), RetryLater, FailureKind.UNREADABLE, 0.0),
}


@services
@pytest.mark.parametrize('name', FAILURES)
def test_failures(shape: Shape, name: str) -> None:
    says, kind_of_error, kind, wait_s = FAILURES[name]
    silent = kind is FailureKind.TIMEOUT
    request = replace(REQUEST, timeout_s=SHORT_S) if silent else REQUEST
    started_s = time.monotonic()
    got, server = ask(shape, says(shape), request=request)
    took_s = time.monotonic() - started_s
    assert (type(got), getattr(got, 'kind', got)) == (kind_of_error, kind)
    assert isinstance(got, ProviderError)
    assert got.as_failure().retry is (kind_of_error is RetryLater)
    assert got.retry_after_s == wait_s
    assert len(server.requests) <= 1, 'the library sent the request again'
    assert silent or server.requests
    assert took_s < request.timeout_s + 2.0


@services
def test_nobody_listens(shape: Shape) -> None:
    with serving(hang) as server:
        closed = provider(shape, server)
    with pytest.raises(RetryLater, match='cannot be reached') as caught:
        closed.complete(REQUEST)
    assert caught.value.kind is FailureKind.UNREACHABLE


@services
@pytest.mark.parametrize('status', [400, 401, 403, 404, 429, 500])
def test_no_text_holds_a_key(shape: Shape, status: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level('DEBUG')
    echo = f'bad key {CANARY} and Bearer {CANARY[:14]}XYZ in {{"authorization": "{CANARY}"}}'
    with serving(error(shape, status, echo, CANARY, X_Echo=CANARY)) as server:
        asked = provider(shape, server)
        with pytest.raises(ProviderError) as caught:
            asked.complete(REQUEST)
    assert any(CANARY in value for headers in server.headers for value in headers.values())
    shown = (str(caught.value), repr(caught.value), repr(caught.value.as_failure()), repr(asked), caplog.text)
    for text in shown:
        assert 'canary' not in text
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@pytest.fixture
def slow_and_fast() -> Iterator[tuple[Provider, Provider]]:
    with serving(hang) as slow, serving(answer(SHAPES[2].reply('DONE: x'))) as fast:
        yield provider(SHAPES[0], slow), provider(SHAPES[2], fast)


def test_one_that_hangs_holds_up_no_other(slow_and_fast: tuple[Provider, Provider]) -> None:
    slow, fast = slow_and_fast
    for _ in range(2):
        with pytest.raises(RetryLater):
            slow.complete(replace(REQUEST, timeout_s=0.2))
    started_s = time.monotonic()
    assert fast.complete(REQUEST).text == 'DONE: x'
    assert time.monotonic() - started_s < 1.0


def test_default_models_are_known_to_the_library() -> None:
    from pydantic_ai.models import known_model_names

    settings, known = ProviderSettings(), set(known_model_names())
    for service in ('openai', 'anthropic', 'google'):
        assert f'{service}:{getattr(settings, f"{service}_model")}' in known
