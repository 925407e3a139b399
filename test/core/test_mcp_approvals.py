"""A call that waits for a person: asked through the client where it can, and only a clear yes is a yes."""

import asyncio
from collections.abc import Callable
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_rig import ask_person, FakeRobot, with_client
import mcp_types as types
import pytest
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome
from robot_tool_agent.mcp_server.approvals import operator_name, text
from robot_tool_agent.mcp_server.results import CALL_ID_KEY, SkillEnd
from robot_tool_agent.mcp_server.running import Question, RunningCall

BOTH = pytest.mark.parametrize('mode', ['legacy', 'auto'])
CALL = ('pick', {'object': 'cup_1'})
MINE = {CALL_ID_KEY: 'pick-1'}
Answer = Callable[[Any, Any], Any]


def answers(action: str, content: dict[str, Any] | None = None, heard: list[str] | None = None) -> Answer:
    """Return what stands for the person at the client."""

    async def answer(context: Any, params: Any) -> types.ElicitResult:
        if heard is not None:
            heard.append(params.message)
        return types.ElicitResult(action=action, content=content)

    return answer


@BOTH
def test_a_yes_lets_the_call_go_on(mode: str) -> None:
    robot, heard = FakeRobot(ask_person), []

    async def work(client: Any, service: Any) -> None:
        result = await client.call_tool(*CALL, meta=MINE)
        assert not result.is_error
        assert result.structured_content['call_id'] == 'pick-1'

    info = types.Implementation(name='desk\x1b[2J app', version='1')
    yes = answers('accept', {'approve': True}, heard)
    with_client(robot, mode, work, elicitation_callback=yes, client_info=info)
    assert robot.decisions == [('pick-1', True, 'person at MCP client desk[2J app')]
    assert len(robot.calls) == 1
    assert len(heard) == 1
    assert 'pick with {"object": "cup_1"}' in heard[0]
    assert 'pick is high risk' in heard[0]


@BOTH
@pytest.mark.parametrize(
    ('action', 'content'),
    [
        ('decline', None), ('accept', {'approve': False}), ('accept', {}), ('accept', None),
        ('accept', {'approve': 'true'}), ('accept', {'approve': 1}), ('accept', {'yes': True}),
    ],
)  # fmt: skip
def test_whatever_is_not_a_clear_yes_is_a_no(mode: str, action: str, content: dict[str, Any] | None) -> None:
    robot = FakeRobot(ask_person)

    async def work(client: Any, service: Any) -> None:
        result = await client.call_tool(*CALL)
        assert result.is_error
        assert result.structured_content['error_code'] == 'APPROVAL_DENIED'

    with_client(robot, mode, work, elicitation_callback=answers(action, content))
    assert [approve for _, approve, _ in robot.decisions] == [False]


def expire_soon(robot: FakeRobot, running: RunningCall) -> None:
    """Let a call wait for a person, and end as the executor does when nobody answers."""
    ask_person(robot, running)
    running.tell_progress('waiting for approval', 0.0)
    expired = SkillEnd(Outcome.REJECTED, Effect.NONE, ErrorCode.APPROVAL_EXPIRED, 'nobody answered')
    asyncio.get_running_loop().call_later(0.2, robot.end, running, expired)


@BOTH
def test_a_form_that_is_dismissed_leaves_the_question_open(mode: str) -> None:
    robot = FakeRobot(expire_soon)

    async def work(client: Any, service: Any) -> None:
        result = await client.call_tool(*CALL, meta=MINE)
        assert result.structured_content['error_code'] == 'APPROVAL_EXPIRED'
        assert 'rta approve pick-1' in result.content[0].text

    with_client(robot, mode, work, elicitation_callback=answers('cancel'))
    assert robot.decisions == []


@BOTH
@pytest.mark.parametrize('able', [False, True], ids=['no form', 'operator only'])
def test_where_nobody_can_be_asked_the_client_is_told_how_to_approve(mode: str, able: bool) -> None:
    robot, told = FakeRobot(expire_soon), []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append(message)

    async def work(client: Any, service: Any) -> None:
        result = await client.call_tool(*CALL, meta=MINE, progress_callback=hear)
        assert result.structured_content['error_code'] == 'APPROVAL_EXPIRED'

    yes = answers('accept', {'approve': True}) if able else None
    with_client(robot, mode, work, elicitation_callback=yes, ask_client=False)
    assert robot.decisions == []
    assert told == ['waiting for approval; waiting for approval (pick is high risk): rta approve pick-1, or rta deny']


@BOTH
def test_an_operator_may_be_faster_than_the_form(mode: str) -> None:
    robot = FakeRobot(ask_person)

    async def slow(context: Any, params: Any) -> types.ElicitResult:
        await robot.decide('pick-1', True, 'ana')
        await asyncio.sleep(0.05)
        return types.ElicitResult(action='decline')

    async def work(client: Any, service: Any) -> None:
        result = await client.call_tool(*CALL, meta=MINE)
        assert not result.is_error

    with_client(robot, mode, work, elicitation_callback=slow)
    assert robot.decisions[0] == ('pick-1', True, 'ana')
    assert len(robot.calls) == 1


async def paused(client: Any) -> types.InputRequiredResult:
    """Make the call and return the question, unanswered."""
    result = await client.session.call_tool(*CALL, meta=MINE, allow_input_required=True)
    assert isinstance(result, types.InputRequiredResult)
    return result


YES = {'approval': types.ElicitResult(action='accept', content={'approve': True})}


@pytest.mark.parametrize('state', ['', 'x', 'pick-1', 'a' * 50_000])
def test_a_state_that_was_not_given_out_moves_nothing(state: str) -> None:
    robot = FakeRobot(ask_person)

    async def work(client: Any, service: Any) -> None:
        await paused(client)
        with pytest.raises(MCPError, match='nothing was sent'):
            await client.session.call_tool(*CALL, input_responses=YES, request_state=state)

    with_client(robot, 'auto', work, elicitation_callback=answers('accept'))
    assert (len(robot.calls), robot.decisions) == (1, [])


def test_an_answer_counts_once_and_for_its_own_call() -> None:
    robot = FakeRobot(ask_person)

    async def work(client: Any, service: Any) -> None:
        first = await paused(client)
        await client.session.call_tool(*CALL, input_responses=YES, request_state=first.request_state)
        with pytest.raises(MCPError, match='no call waits'):
            await client.session.call_tool(*CALL, input_responses=YES, request_state=first.request_state)
        second = await paused(client)
        other = ('pick', {'object': 'knife_1'})
        with pytest.raises(MCPError, match='another call'):
            await client.session.call_tool(*other, input_responses=YES, request_state=second.request_state)

    with_client(robot, 'auto', work, elicitation_callback=answers('accept'))
    assert len(robot.decisions) == 1
    assert [call.arguments_json for call in robot.calls] == ['{"object": "cup_1"}'] * 2
    assert robot.canceled == ['pick-1']


@pytest.mark.parametrize(
    'arguments_json', ['{"object": "a\\u001b[2Jb\\u202e"}', 'no json', '[' * 9000, '{"a": "' + 'x' * 9000]
)
def test_a_question_shows_untrusted_text_as_bounded_data(arguments_json: str) -> None:
    shown = text(Question('c', 'pick', arguments_json, 'r' * 9000, 60.0))
    assert len(shown) < 1200
    assert shown.isprintable()


def test_a_client_without_a_name_has_one_in_the_log() -> None:
    assert operator_name(None) == operator_name(types.Implementation(name='\x00', version='')) != ''
    assert len(operator_name(types.Implementation(name='n' * 9000, version=''))) < 100
