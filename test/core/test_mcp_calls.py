"""Tool calls of the SDK's client, in the old and the new protocol, against a robot that only counts."""

import asyncio
import json
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_rig import DONE, end_at_once, FakeRobot, run_on, SERVER_ID, with_client
import pytest
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome
from robot_tool_agent.mcp_server.results import CALL_ID_KEY, SkillEnd
from robot_tool_agent.mcp_server.running import RunningCall

BOTH = pytest.mark.parametrize('mode', ['legacy', 'auto'])


@BOTH
def test_a_call_reaches_the_executor_as_it_was_made(mode: str) -> None:
    robot = FakeRobot()

    async def work(client: Any, service: Any) -> None:
        result = await client.call_tool('navigate_to', {'place': '厨房'})
        assert not result.is_error
        assert result.structured_content['outcome'] == 'SUCCEEDED'
        assert result.meta[CALL_ID_KEY] == result.structured_content['call_id'] == robot.calls[0].call_id
        assert result.content[0].text.startswith('SUCCEEDED, effect DONE. there')

    with_client(robot, mode, work)
    assert [(call.skill, json.loads(call.arguments_json)) for call in robot.calls] == [
        ('navigate_to', {'place': '厨房'})
    ]
    assert robot.calls[0].task_id == SERVER_ID


@BOTH
def test_an_end_that_is_no_success_is_an_error(mode: str) -> None:
    def fail(robot: FakeRobot, running: RunningCall) -> None:
        robot.end(running, SkillEnd(Outcome.FAILED, Effect.PARTIAL, ErrorCode.VERIFICATION_FAILED, 'not there'))

    async def work(client: Any, service: Any) -> None:
        result = await client.call_tool('move_relative', {'distance_m': 1.0})
        assert result.is_error
        wanted = {'outcome': 'FAILED', 'effect': 'PARTIAL', 'error_code': 'VERIFICATION_FAILED'}
        assert wanted.items() <= result.structured_content.items()
        assert result.structured_content['advice'] == 'CHOOSE_ANOTHER'

    with_client(FakeRobot(fail), mode, work)


@BOTH
def test_the_client_may_name_the_call(mode: str) -> None:
    robot = FakeRobot()

    async def work(client: Any, service: Any) -> None:
        for _ in range(2):
            result = await client.call_tool('look', {}, meta={CALL_ID_KEY: 'mine-1'})
            assert result.structured_content['call_id'] == 'mine-1'
        refused = await client.call_tool('look', {}, meta={CALL_ID_KEY: 'not a key'})
        assert refused.is_error
        assert refused.structured_content['error_code'] == 'INVALID_ARGUMENT'

    with_client(robot, mode, work)
    assert [call.call_id for call in robot.calls] == ['mine-1', 'mine-1']


@BOTH
def test_every_call_without_a_name_is_another_one(mode: str) -> None:
    robot = FakeRobot()

    async def work(client: Any, service: Any) -> None:
        for _ in range(5):
            await client.call_tool('look', {})

    with_client(robot, mode, work)
    assert len({call.call_id for call in robot.calls}) == 5


@BOTH
def test_a_cancelled_call_is_stopped_and_its_end_can_be_read(mode: str) -> None:
    robot = FakeRobot(run_on)

    async def work(client: Any, service: Any) -> None:
        calling = asyncio.create_task(client.call_tool('navigate_to', {'place': 'study'}, meta={CALL_ID_KEY: 'go-1'}))
        await robot.started.wait()
        assert await read(client, 'robot://calls/go-1') == {'live': True, 'call_id': 'go-1'}
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        while robot.live_calls():
            await asyncio.sleep(0)
        told = await read(client, 'robot://calls/go-1')
        assert (told['live'], told['outcome'], told['effect']) == (False, 'CANCELED', 'PARTIAL')

    with_client(robot, mode, work)
    assert robot.canceled == ['go-1']


async def read(client: Any, uri: str) -> Any:
    return json.loads((await client.read_resource(uri)).contents[0].text)


@BOTH
def test_a_client_that_leaves_stops_its_calls(mode: str) -> None:
    robot = FakeRobot(run_on)

    async def work(client: Any, service: Any) -> None:
        asyncio.create_task(client.call_tool('navigate_to', {'place': 'study'}))  # noqa: RUF006  # ends with the client
        await robot.started.wait()

    with_client(robot, mode, work)
    assert robot.canceled == [robot.calls[0].call_id]


@BOTH
def test_progress_is_passed_on_and_rises(mode: str) -> None:
    def move(robot: FakeRobot, running: RunningCall) -> None:
        loop = asyncio.get_running_loop()
        for step, share in enumerate((0.0, 0.5, 0.5, 1.0)):
            loop.call_later(0.02 * step, running.tell_progress, f'running {step}', share)
        loop.call_later(0.1, robot.end, running, DONE)

    told: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async def work(client: Any, service: Any) -> None:
        await client.call_tool('look', {}, progress_callback=hear)

    with_client(FakeRobot(move), mode, work)
    assert [message for _, _, message in told] == ['running 0', 'running 1', 'running 2', 'running 3']
    assert [total for _, total, _ in told] == [1.0] * 4
    values = [value for value, _, _ in told]
    assert values == sorted(set(values))


@BOTH
def test_too_many_calls_at_once_are_told_to_wait(mode: str) -> None:
    robot = FakeRobot(run_on)

    async def work(client: Any, service: Any) -> None:
        calls = [asyncio.create_task(client.call_tool('look', {})) for _ in range(8)]
        while len(robot.calls) < 8:
            await asyncio.sleep(0)
        refused = await client.call_tool('look', {})
        assert refused.structured_content['error_code'] == 'RATE_LIMITED'
        robot.cancel_all()
        assert [(await call).structured_content['outcome'] for call in calls] == ['CANCELED'] * 8

    with_client(robot, mode, work)
    assert len(robot.calls) == 8


@BOTH
def test_a_call_that_the_executor_never_got_says_so(mode: str) -> None:
    def lose(robot: FakeRobot, running: RunningCall) -> None:
        robot.running.remove(running)
        running.tell_unsent('the executor is not there')

    async def work(client: Any, service: Any) -> None:
        with pytest.raises(MCPError, match='the executor is not there; nothing was sent to the robot'):
            await client.call_tool('look', {})

    with_client(FakeRobot(lose), mode, work)


def test_a_server_that_ends_takes_no_call() -> None:
    robot = FakeRobot()

    async def work(client: Any, service: Any) -> None:
        service.calls.closing = True
        with pytest.raises(MCPError, match='ending'):
            await client.call_tool('look', {})

    with_client(robot, 'legacy', work)
    assert robot.calls == []


@pytest.mark.parametrize(
    ('name', 'arguments'), [('x' * 100_000, {}), ('look\x00', {'a': 'b' * 200_000}), ('\x1b[2J', {'\x00': '\x07'})]
)
def test_what_a_client_sends_is_bounded_before_it_is_passed_on(name: str, arguments: dict[str, Any]) -> None:
    robot = FakeRobot()

    async def work(client: Any, service: Any) -> None:
        await client.call_tool(name, arguments)

    with_client(robot, 'legacy', work)
    call = robot.calls[0]
    assert len(call.skill) <= 128
    assert len(call.arguments_json) <= 2 * 16_384
    assert '\x00' not in call.skill + call.arguments_json


def test_the_tools_are_those_of_the_executor_and_a_change_is_announced() -> None:
    robot = FakeRobot(end_at_once)
    heard: list[str] = []

    async def hear(message: Any) -> None:
        heard.append(getattr(message, 'method', type(message).__name__))

    async def work(client: Any, service: Any) -> None:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == [skill['name'] for skill in json.loads(robot.skills_json or '')]
        await service.look_for_new_tools()
        assert heard == []
        robot.open_circuit('pick')
        await service.look_for_new_tools()
        while not heard:
            await asyncio.sleep(0)
        assert heard == ['notifications/tools/list_changed']
        robot.skills_json = None
        with pytest.raises(MCPError, match='no answer'):
            await client.list_tools()

    with_client(robot, 'legacy', work, message_handler=hear)


def test_a_client_of_the_new_protocol_listens_for_changes() -> None:
    robot = FakeRobot(end_at_once)

    async def work(client: Any, service: Any) -> None:
        await client.list_tools()
        async with client.listen(tools_list_changed=True, resource_subscriptions=['robot://safety']) as events:
            robot.open_circuit('pick')
            await service.look_for_new_tools()
            await service.safety_changed()
            told = [type(await anext(events)).__name__ for _ in range(2)]
        assert told == ['ToolsListChanged', 'ResourceUpdated']

    with_client(robot, 'auto', work)


def test_a_subscriber_hears_of_the_safety_state() -> None:
    heard: list[Any] = []

    async def hear(message: Any) -> None:
        heard.append(message)

    async def work(client: Any, service: Any) -> None:
        with pytest.warns(Warning, match='subscribe'):
            await client.subscribe_resource('robot://safety')
        await service.safety_changed()
        while not heard:
            await asyncio.sleep(0)
        assert [message.params.uri for message in heard] == ['robot://safety']
        with pytest.raises(MCPError), pytest.warns(Warning, match='subscribe'):
            await client.subscribe_resource('file:///etc/passwd')
        with pytest.warns(Warning, match='subscribe'):
            await client.unsubscribe_resource('robot://safety')
        await service.safety_changed()
        await client.list_tools()
        assert len(heard) == 1

    with_client(FakeRobot(), 'legacy', work, message_handler=hear)


@BOTH
def test_resources_are_json(mode: str) -> None:
    robot = FakeRobot()

    async def work(client: Any, service: Any) -> None:
        assert {item.uri for item in (await client.list_resources()).resources} == {'robot://state', 'robot://safety'}
        templates = (await client.list_resource_templates()).resource_templates
        assert [item.uri_template for item in templates] == ['robot://calls/{call_id}']
        assert await read(client, 'robot://safety') == {'state': 'READY', 'motion_allowed': True}
        assert (await read(client, 'robot://state'))['outcome'] == 'SUCCEEDED'
        for uri in ('robot://calls/none', 'robot://', 'file:///etc/passwd', 'robot://safety/..'):
            with pytest.raises(MCPError):
                await client.read_resource(uri)

    with_client(robot, mode, work)
    assert [call.skill for call in robot.calls] == ['get_robot_state']
