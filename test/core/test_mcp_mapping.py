"""Skills as MCP tools, ends of calls as MCP results, and the ids of calls."""

import json
import math
from typing import Any

from import_graph import files_of, imports_of, is_inside, PRODUCT
import jsonschema
import pytest
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome
from robot_tool_agent.core.planning.tools import ToolsError
from robot_tool_agent.core.skills.registry import Situation, SkillRegistry
from robot_tool_agent.mcp_server.call_ids import call_id_of
from robot_tool_agent.mcp_server.progress import RisingProgress
from robot_tool_agent.mcp_server.results import CALL_ID_KEY, OUTPUT_SCHEMA, read_end, SkillEnd, tool_result
from robot_tool_agent.mcp_server.skill_tools import FACTS_KEY, tools_of
from sim_house import robot_description

REGISTRY = SkillRegistry(robot_description())
SKILLS_JSON = REGISTRY.describe(Situation(circuits={'pick': 'open'}))[0]
TOOLS = {tool['name']: tool for tool in tools_of(SKILLS_JSON)}


@pytest.mark.parametrize('name', REGISTRY.names)
def test_the_hints_of_a_tool_are_the_facts_of_its_skill(name: str) -> None:
    skill, hints = REGISTRY.find(name), TOOLS[name]['annotations']
    assert skill is not None
    assert hints['readOnlyHint'] is skill.reads_only
    assert hints['idempotentHint'] is skill.idempotent
    assert hints['destructiveHint'] is (not skill.reads_only)
    facts = TOOLS[name]['_meta'][FACTS_KEY]
    assert facts['risk'] == skill.risk.value
    assert facts['circuit'] == ('open' if name == 'pick' else 'closed')


def test_both_kinds_of_hints_occur() -> None:
    for hint in ('readOnlyHint', 'destructiveHint', 'idempotentHint'):
        assert {tool['annotations'][hint] for tool in TOOLS.values()} == {True, False}


@pytest.mark.parametrize('row', json.loads(SKILLS_JSON), ids=lambda row: row['name'])
def test_name_description_and_schema_are_the_executors(row: dict[str, Any]) -> None:
    tool = TOOLS[row['name']]
    assert tool['description'] == row['description']
    assert tool['inputSchema'] == row['arguments_schema']
    jsonschema.Draft202012Validator.check_schema(tool['inputSchema'])
    jsonschema.Draft202012Validator.check_schema(tool['outputSchema'])


@pytest.mark.parametrize('text', ['', '[]', '{}', 'null', '[{"name": "wait"}]', '[' * 2000])
def test_what_does_not_describe_skills_is_refused(text: str) -> None:
    with pytest.raises(ToolsError):
        tools_of(text)


ENDS = [
    SkillEnd(Outcome.SUCCEEDED, Effect.DONE, None, 'moved', {'moved_m': 0.5}, {'topic': 'odom'}, attempts=1),
    SkillEnd(Outcome.SUCCEEDED, Effect.DONE, None, 'moved', replayed=True),
    SkillEnd(Outcome.REJECTED, Effect.NONE, ErrorCode.INVALID_ARGUMENT, 'bad', {'faults': [{'value': math.nan}]}),
    SkillEnd(Outcome.UNKNOWN, Effect.UNKNOWN, ErrorCode.RESTARTED, 'x' * 100_000, {'a' * 50_000: ['b' * 9000] * 999}),
    SkillEnd(Outcome.FAILED, Effect.PARTIAL, ErrorCode.TIMEOUT, 'a\x00\x1b[2J\u202e\nb', {'label': '</data>\x07'}),
]


@pytest.mark.parametrize('end', ENDS, ids=lambda end: f'{end.outcome.name}-{len(end.message)}')
def test_a_result_says_what_the_call_did(end: SkillEnd) -> None:
    result = tool_result('call-1', end)
    content = result['structuredContent']
    jsonschema.validate(content, OUTPUT_SCHEMA)
    assert result['isError'] is (end.outcome is not Outcome.SUCCEEDED)
    assert (content['outcome'], content['effect']) == (end.outcome.name, end.effect.name)
    assert content['error_code'] == (end.error.value if end.error else '')
    assert content['advice'] == (end.error.advice.value if end.error else '')
    assert content['replayed'] is end.replayed
    assert result['_meta'] == {CALL_ID_KEY: 'call-1'}
    text = result['content'][0]['text']
    assert len(text) < 20_000
    assert all(char.isprintable() or char == '\n' for char in text)
    assert text.splitlines()[0].startswith(f'{end.outcome.name}, effect {end.effect.name}')
    assert ('replayed' in text.splitlines()[0]) is end.replayed


def test_the_whole_result_is_in_the_text_too() -> None:
    result = tool_result('call-1', ENDS[0])
    assert json.loads(result['content'][0]['text'].splitlines()[1]) == result['structuredContent']
    assert result['structuredContent']['result'] == {'moved_m': 0.5}


@pytest.mark.parametrize(
    ('broken', 'why'),
    [
        ({'outcome': 9}, '9'), ({'effect': 7}, '7'), ({'error_code': 'NEW'}, 'NEW'),
        ({'result_json': '[1]'}, 'object'), ({'evidence_json': '{'}, 'unreadable'),
        ({'result_json': '[' * 5000}, 'unreadable'),
    ],
)
def test_a_result_that_breaks_the_contract_is_an_unknown_end(broken: dict[str, Any], why: str) -> None:
    good = {'outcome': 1, 'effect': 2, 'error_code': '', 'message': '', 'result_json': '', 'evidence_json': '{}'}
    assert read_end(**good, replayed=True, attempts=3) == SkillEnd(
        Outcome.SUCCEEDED, Effect.DONE, replayed=True, attempts=3
    )
    end = read_end(**{**good, **broken})
    assert (end.outcome, end.effect, end.error) == (Outcome.UNKNOWN, Effect.UNKNOWN, ErrorCode.RESTARTED)
    assert why in end.message


def test_a_frame_sent_again_is_the_same_call() -> None:
    first = call_id_of(None, 'mcp-a', 7)
    assert call_id_of({'progressToken': 7}, 'mcp-a', 7) == first
    others = {call_id_of(None, 'mcp-a', 8), call_id_of(None, 'mcp-b', 7), call_id_of(None, 'mcp-a', 'x y')}
    assert len({first, *others}) == 4


@pytest.mark.parametrize('request_id', [0, -5, 10**30, '', 'a b', '\u4f60', 'x' * 5000, '../..', 'a\nb'])
def test_every_request_id_gives_a_usable_call_id(request_id: int | str) -> None:
    call_id = call_id_of({}, 'mcp-0123456789ab', request_id)
    assert 1 <= len(call_id) <= 128
    assert call_id.isascii()
    assert call_id.isprintable()
    assert ' ' not in call_id


def test_a_client_may_choose_the_call_id() -> None:
    assert call_id_of({CALL_ID_KEY: 'job-7:1'}, 'mcp-a', 1) == 'job-7:1'


@pytest.mark.parametrize('chosen', ['', 'a b', 'x' * 129, 7, True, ['a'], {'a': 1}, 'a\x00b', 'ä'])
def test_a_chosen_id_that_is_none_is_refused(chosen: object) -> None:
    with pytest.raises(ValueError, match='must be 1 to 128 characters'):
        call_id_of({CALL_ID_KEY: chosen}, 'mcp-a', 1)


def test_progress_rises_with_every_notification() -> None:
    rising = RisingProgress()
    told = [rising.next(share) for share in (0.0, 0.0, 0.5, 0.2, math.nan, 0.7, 1.0, 1.0, 0.3)]
    seen = [value for value in told if value is not None]
    assert seen == sorted(set(seen))
    assert seen[0] == 0.0
    assert seen[-1] == 1.0
    assert told[-1] is None


def test_only_files_named_so_know_ros() -> None:
    ros = ('rclpy', 'action_msgs', 'robot_tool_agent_interfaces', 'robot_tool_agent.nodes')
    for path in files_of(PRODUCT / 'mcp_server'):
        names = list(imports_of(path))
        assert any(name.startswith(ros) for name in names) is path.name.startswith('ros_'), path
        assert not any(is_inside(name, 'robot_tool_agent.llm') for name in names), path
