"""Model services on loopback, each in the shape of its API: what we send, and what becomes of every kind of answer."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest

from model_server import ModelServer, Speak, answer, dribble, hang, hang_up, raw, serving
from model_shapes import SHAPES, Shape
from planning_rig import SKILLS_JSON
from robot_tool_agent.core.planning.conversation import (
    FailureKind,
    Message,
    ModelReply,
    ModelRequest,
    Role,
    ToolCall,
    Usage,
)
from robot_tool_agent.core.planning.tools import parse_tools
from robot_tool_agent.llm.provider import FixRequest, Provider, ProviderError, RetryLater, UseAnotherProvider
from robot_tool_agent.llm.registry import create
from robot_tool_agent.llm.settings import ProviderSettings

pytest.importorskip('pydantic_ai', reason='the packages of requirements/models.txt want Python 3.11 or newer')

CANARY = 'sk-canary-5Tq9Zx71LmN0'
KEYS = dict.fromkeys(
    ('OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'OPENAI_COMPATIBLE_API_KEY'), CANARY
)
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
    base = server.url + ('/v1' if shape.path.startswith('/v1/') and shape.service != 'anthropic' else '')
    settings = {f'{shape.service}_base_url': base, f'{shape.service}_model': model}
    return create(shape.service, ProviderSettings(**settings), KEYS)


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
        RetryLater, FailureKind.RATE_LIMITED, 7.0),
    'rate limited without a time': (
        lambda s: error(s, 429, 'slow down', RATE_CODE.get(s.service, 'rate_limit_exceeded')),
        RetryLater, FailureKind.RATE_LIMITED, 0.0),
    'server error': (
        lambda s: error(s, 500, 'oops', 'INTERNAL'), RetryLater, FailureKind.SERVER_ERROR, 0.0),
    'overloaded': (
        lambda s: error(s, 503, 'overloaded', 'UNAVAILABLE', Retry_After='3'),
        RetryLater, FailureKind.SERVER_ERROR, 3.0),
    'bad key': (
        lambda s: error(s, 401, 'bad', 'authentication_error'), UseAnotherProvider, FailureKind.NOT_ALLOWED, 0.0),
    'forbidden': (
        lambda s: error(s, 403, 'no', 'permission_error'), UseAnotherProvider, FailureKind.NOT_ALLOWED, 0.0),
    'no such model': (
        lambda s: error(s, 404, 'what?', 'not_found_error'), UseAnotherProvider, FailureKind.NOT_FOUND, 0.0),
    'against policy': (
        lambda s: error(s, 400, 'rejected by our safety system', 'bad'), UseAnotherProvider, FailureKind.REFUSED, 0.0),
    'bad schema': (
        lambda s: error(s, 400, 'schema not supported', 'invalid_request_error'),
        FixRequest, FailureKind.BAD_REQUEST, 0.0),
    'too long': (
        lambda s: error(s, *TOO_LONG.get(s.service, OPENAI_TOO_LONG)), FixRequest, FailureKind.TOO_LONG, 0.0),
    'refusal': (
        lambda s: answer(s.reply('I will not', end='refused')), UseAnotherProvider, FailureKind.REFUSED, 0.0),
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


def names_of(tools: Any) -> list[str]:
    found = json.dumps(tools)
    return [tool.name for tool in REQUEST.tools if f'"name": "{tool.name}"' in found]


@services
def test_what_is_sent(shape: Shape) -> None:
    _, server = ask(shape, answer(shape.reply('DONE: x')))
    (body,), (path,) = server.requests, server.paths
    text = json.dumps(body)
    assert path.split('?')[0] == shape.path.split('?')[0]
    assert names_of(body['tools']) == [tool.name for tool in REQUEST.tools]
    assert all(part in text for part in ('You drive a robot.', 'go to the kitchen', 'additionalProperties', ': 321'))
    assert 'stream": true' not in text


HISTORY = (
    *REQUEST.messages,
    Message(Role.ASSISTANT, 'thinking', (ToolCall('a', 'navigate_to', '{"place": "kit'), ToolCall('b', 'fly!', '{}'))),
    Message(Role.TOOL, '<data>{"sent": false}</data>', ref='a'),
    Message(Role.TOOL, '<data>{"sent": 0}</data>', ref='b'),
    Message(Role.ASSISTANT, ''),
    Message(Role.USER, 'Your reply is empty.'),
    Message(Role.ASSISTANT, '', (GO_CALL,)),
    Message(Role.TOOL, '<data>{"outcome": "SUCCEEDED"}</data>', ref='r1'),
)


@services
def test_a_conversation_with_faulty_calls_can_be_sent_again(shape: Shape) -> None:
    got, server = ask(shape, answer(shape.reply('DONE: x')), request=replace(REQUEST, messages=HISTORY))
    assert got == ModelReply('DONE: x', (), USED)
    text = json.dumps(server.requests[0])
    places = [text.index(part) for part in ('fly_', 'sent', 'Your reply is empty.', 'SUCCEEDED')]
    assert places == sorted(places)
    assert 'fly!' not in text
    assert r'place\\\": \\\"kit' in text or r'place\": \"kit' in text


FORCED = {
    'openai': lambda body: body['tool_choice'] == 'required',
    'compatible': lambda body: body['tool_choice'] == 'required',
    'anthropic': lambda body: body['tool_choice']['type'] == 'any',
    'google': lambda body: body['toolConfig']['functionCallingConfig']['mode'] == 'ANY',
}


@services
@pytest.mark.parametrize('must', [True, False])
def test_a_call_is_forced_when_one_is_wanted(shape: Shape, must: bool) -> None:
    with serving(answer(shape.reply('', (GO,)))) as server:
        asked = provider(shape, server, KNOWN_MODELS.get(shape.service, 'm'))
        asked.complete(replace(REQUEST, must_call=must))
        asked.complete(replace(REQUEST, must_call=must, tools=()))
    assert FORCED[shape.service](server.requests[0]) is must
    assert not server.requests[1].get('tools')


STRICT = {
    'openai': lambda body: [tool['name'] for tool in body['tools'] if tool.get('strict')],
    'compatible': lambda body: [tool['function']['name'] for tool in body['tools'] if tool['function'].get('strict')],
    'anthropic': lambda body: [tool['name'] for tool in body['tools'] if tool.get('strict')],
}


@pytest.mark.parametrize('shape', [shape for shape in SHAPES if shape.service in STRICT], ids=lambda s: s.service)
def test_schemas_are_strict_where_the_service_takes_that(shape: Shape) -> None:
    with serving(answer(shape.reply('DONE: x'))) as server:
        provider(shape, server, KNOWN_MODELS.get(shape.service, 'm')).complete(REQUEST)
    wanted = {'look', 'wait'} if shape.service == 'compatible' else {'look', 'wait', 'pick', 'place'}
    assert wanted <= set(STRICT[shape.service](server.requests[0]))


def _thought(service: str, said: dict[str, Any]) -> None:
    """Put a mark of a thought into a reply, as the service does."""
    if service == 'openai':
        said['output'].insert(0, {'type': 'reasoning', 'id': 'rs_1', 'summary': [], 'encrypted_content': 'bWFyaw=='})
    elif service == 'anthropic':
        said['content'].insert(0, {'type': 'thinking', 'thinking': 'hm', 'signature': 'bWFyaw=='})
    else:
        said['candidates'][0]['content']['parts'][0]['thoughtSignature'] = 'bWFyaw=='


@pytest.mark.parametrize('shape', [SHAPES[0], SHAPES[2], SHAPES[3]], ids=lambda shape: shape.service)
def test_marks_of_thoughts_go_back_to_the_service_that_made_them(shape: Shape) -> None:
    said = shape.reply('', (GO,))
    _thought(shape.service, said)
    with serving(answer(said)) as server:
        asked = provider(shape, server, KNOWN_MODELS[shape.service])
        first = asked.complete(REQUEST)
        result = Message(Role.TOOL, '<data>{}</data>', ref='r1')
        asked.complete(replace(REQUEST, messages=(*REQUEST.messages, first.message(), result)))
    assert first == ModelReply('', (GO_CALL,), USED)
    assert 'bWFyaw==' not in json.dumps(server.requests[0])
    assert 'bWFyaw==' in json.dumps(server.requests[1])


def test_a_key_of_openai_never_goes_to_another_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('OPENAI_API_KEY', CANARY)
    shape = SHAPES[1]
    with serving(answer(shape.reply('DONE: x'))) as server:
        settings = ProviderSettings(compatible_base_url=f'{server.url}/v1', compatible_model='m')
        create('compatible', settings, {'OPENAI_API_KEY': CANARY}).complete(REQUEST)
    assert CANARY not in json.dumps(server.headers)


def test_a_server_on_this_machine_is_asked_past_any_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ('http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'):
        monkeypatch.setenv(name, 'http://127.0.0.1:9')
    shape = SHAPES[1]
    got, _ = ask(shape, answer(shape.reply('DONE: x')))
    assert got == ModelReply('DONE: x', (), USED)


@pytest.mark.parametrize('shape', SHAPES[:2], ids=lambda shape: shape.service)
@pytest.mark.parametrize('arguments', ['{"place": "kit', '', 'kitchen', '{"place": NaN}', '{"a": 1, "a": 2}', '[]'])
def test_arguments_come_as_the_model_wrote_them(shape: Shape, arguments: str) -> None:
    said = json.dumps(shape.reply('', (GO,))).replace(json.dumps(json.dumps(GO[2])), json.dumps(arguments))
    got, _ = ask(shape, answer(json.loads(said)))
    assert isinstance(got, ModelReply)
    assert got.calls == (ToolCall('r1', 'navigate_to', arguments),)


def test_openai_is_asked_to_keep_nothing() -> None:
    _, server = ask(SHAPES[0], answer(SHAPES[0].reply('DONE: x')))
    assert server.requests[0]['store'] is False


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
