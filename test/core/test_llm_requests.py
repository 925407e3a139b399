"""What model services are sent: the request in each API's shape, forced calls, strict schemas, no key to a stranger."""

from __future__ import annotations

from dataclasses import replace
import json
from typing import Any

from model_server import answer, serving
from model_shapes import Shape, SHAPES
import pytest
from robot_tool_agent.core.planning.conversation import Message, ModelReply, Role, ToolCall
from robot_tool_agent.llm.registry import create
from robot_tool_agent.llm.settings import ProviderSettings
from services_rig import ask_once, CANARY, GO, GO_CALL, KNOWN_MODELS, provider, REQUEST, services, USED

pytest.importorskip('pydantic_ai', reason='the packages of requirements/models.txt want Python 3.11 or newer')


def names_of(tools: Any) -> list[str]:
    found = json.dumps(tools)
    return [tool.name for tool in REQUEST.tools if f'"name": "{tool.name}"' in found]


@services
def test_what_is_sent(shape: Shape) -> None:
    _, server = ask_once(shape, answer(shape.reply('DONE: x')))
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
    got, server = ask_once(shape, answer(shape.reply('DONE: x')), request=replace(REQUEST, messages=HISTORY))
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
    got, _ = ask_once(shape, answer(shape.reply('DONE: x')))
    assert got == ModelReply('DONE: x', (), USED)


@pytest.mark.parametrize('shape', SHAPES[:2], ids=lambda shape: shape.service)
@pytest.mark.parametrize('arguments', ['{"place": "kit', '', 'kitchen', '{"place": NaN}', '{"a": 1, "a": 2}', '[]'])
def test_arguments_come_as_the_model_wrote_them(shape: Shape, arguments: str) -> None:
    said = json.dumps(shape.reply('', (GO,))).replace(json.dumps(json.dumps(GO[2])), json.dumps(arguments))
    got, _ = ask_once(shape, answer(json.loads(said)))
    assert isinstance(got, ModelReply)
    assert got.calls == (ToolCall('r1', 'navigate_to', arguments),)


def test_openai_is_asked_to_keep_nothing() -> None:
    _, server = ask_once(SHAPES[0], answer(SHAPES[0].reply('DONE: x')))
    assert server.requests[0]['store'] is False
