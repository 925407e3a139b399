"""A plan is checked whole before anything moves and then runs without the model."""

from __future__ import annotations

from collections.abc import Callable
import json
from typing import Any

from planning_lines import MORE, outcome, rig
from planning_rig import always, failed, refused, Rig, succeeded, view
import pytest
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome, TaskStatus
from robot_tool_agent.core.planning.calls import PlannedCall, SkillResult
from robot_tool_agent.core.planning.schema_check import check
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.llm.scripted import calls, says

Step = dict[str, Any]
DONE, FAILED = says('DONE: all of it'), says('FAILED: not all of it')


def step(name: str, skill: str, arguments: Step | None = None, **more: Any) -> Step:
    return {'id': name, 'skill': skill, 'arguments': arguments or {}, **more}


GO = step('go', 'navigate_to', {'place': 'kitchen'})
SEE = step('see', 'look', after=['go'])
TAKE = step('take', 'pick', {'object': 'cup_1'}, after=['see'])
BRING = step('bring', 'navigate_to', {'place': 'table'}, after=['take'])
HOME = step('home', 'go_to_safe_pose', when=[{'step': 'go', 'outcome': 'FAILED'}])
FETCH = [GO, SEE, TAKE, BRING]


def plan(*steps: Step) -> Any:
    return calls(('submit_plan', {'steps': list(steps)}))


def planned(*steps: Step, answer: Callable[[PlannedCall], SkillResult | None] = always, **limits: Any) -> Rig:
    bench = rig(plan(*steps), FAILED, answer=answer, **limits)
    bench.skills = MORE
    return bench


def by_skill(**results: SkillResult) -> Callable[[PlannedCall], SkillResult]:
    return lambda call: results.get(call.tool.name, succeeded())


def sent(bench: Rig) -> list[str]:
    return [call.tool.name for call in bench.sent]


def report(bench: Rig) -> dict[str, Any]:
    return {row['id']: row for row in bench.data()['steps']}


def test_a_plan_runs_to_its_end_with_one_question_to_the_model() -> None:
    bench = rig(plan(*FETCH), DONE)
    end = bench.run()
    assert (end.status, end.skill_calls, end.llm_calls) == (TaskStatus.SUCCEEDED, 4, 2)
    assert sent(bench) == ['navigate_to', 'look', 'pick', 'navigate_to']
    assert [call.call_id for call in bench.sent] == ['t:1:0', 't:1:1', 't:1:2', 't:1:3']
    assert bench.data()['plan'] == 'over'
    assert [row['outcome'] for row in bench.data()['steps']] == ['SUCCEEDED'] * 4


def test_order_comes_from_what_steps_wait_for_not_from_the_list() -> None:
    bench = planned(BRING, TAKE, SEE, GO)
    bench.run()
    assert [call.call_id for call in bench.sent] == ['t:1:3', 't:1:2', 't:1:1', 't:1:0']


def test_a_failure_without_a_condition_stops_the_plan() -> None:
    bench = planned(*FETCH, answer=by_skill(look=failed(ErrorCode.STALE_SENSOR)))
    end = bench.run()
    assert sent(bench) == ['navigate_to', 'look']
    assert bench.data()['plan'] == 'stopped'
    assert [row['outcome'] for row in bench.data()['steps']] == ['SUCCEEDED', 'FAILED', 'NOT_RUN', 'NOT_RUN']
    assert outcome(end) == (TaskStatus.FAILED, ErrorCode.STALE_SENSOR)


def test_a_failure_that_the_plan_provides_for_runs_the_other_branch() -> None:
    bench = planned(*FETCH, HOME, answer=by_skill(navigate_to=failed(ErrorCode.TIMEOUT)))
    bench.run()
    assert sent(bench) == ['navigate_to', 'go_to_safe_pose']
    assert bench.data()['plan'] == 'over'
    assert report(bench)['see'] == {
        'id': 'see',
        'skill': 'look',
        'outcome': 'NOT_RUN',
        'message': 'its condition is not met',
    }


def test_a_branch_for_a_failure_that_did_not_come_is_skipped() -> None:
    bench = planned(*FETCH, HOME)
    bench.run()
    assert sent(bench) == ['navigate_to', 'look', 'pick', 'navigate_to']
    assert report(bench)['home']['outcome'] == 'NOT_RUN'


@pytest.mark.parametrize(
    ('condition', 'runs'),
    [
        ({'outcome': 'FAILED', 'error_code': 'TIMEOUT'}, True),
        ({'outcome': 'NOT_SUCCEEDED'}, True),
        ({'outcome': 'NOT_SUCCEEDED', 'error_code': 'TIMEOUT'}, True),
        ({'outcome': 'FAILED', 'error_code': 'EXECUTION_ERROR'}, False),
        ({'outcome': 'STOPPED'}, False),
        ({'outcome': 'SUCCEEDED'}, False),
    ],
)
def test_conditions_look_at_outcome_and_error_code(condition: Step, runs: bool) -> None:
    home = step('home', 'go_to_safe_pose', when=[{'step': 'go', **condition}])
    bench = planned(GO, home, answer=by_skill(navigate_to=failed(ErrorCode.TIMEOUT)))
    bench.run()
    assert ('go_to_safe_pose' in sent(bench)) is runs


def test_a_condition_on_success_runs_after_success() -> None:
    bench = planned(GO, step('home', 'go_to_safe_pose', when=[{'step': 'go', 'outcome': 'SUCCEEDED'}]))
    bench.run()
    assert sent(bench) == ['navigate_to', 'go_to_safe_pose']


def test_a_step_may_run_after_a_failure_or_not_by_the_same_words() -> None:
    either = step('home', 'go_to_safe_pose', after=['go'], when=[{'step': 'go', 'outcome': 'NOT_SUCCEEDED'}])
    bench = planned(GO, either, answer=by_skill(navigate_to=failed(ErrorCode.TIMEOUT)))
    bench.run()
    assert sent(bench) == ['navigate_to', 'go_to_safe_pose']


def test_steps_that_wait_for_nothing_run_side_by_side_where_they_can() -> None:
    steps = [GO, step('open', 'open_gripper'), step('tuck', 'tuck_arm'), step('bow', 'bow')]
    bench = planned(*steps, answer=lambda call: None, max_parallel=4)
    bench.begin()
    assert sent(bench) == ['navigate_to', 'open_gripper', 'tuck_arm']
    bench.loop.call_ended('t:1:2', succeeded(), bench.now_s)
    bench.settle()
    assert sent(bench)[3:] == ['bow']


def test_a_step_does_not_overtake_an_earlier_one_it_must_not_run_with() -> None:
    bench = planned(GO, step('see', 'look'), step('back', 'navigate_to', {'place': 'desk'}), answer=lambda call: None)
    bench.begin()
    assert sent(bench) == ['navigate_to']
    bench.loop.call_ended('t:1:0', succeeded(), bench.now_s)
    bench.settle()
    assert sent(bench) == ['navigate_to', 'look']


@pytest.mark.parametrize('error', [ErrorCode.UNRESOLVED_CALL, ErrorCode.APPROVAL_DENIED])
def test_an_end_that_ends_the_task_does_so_in_a_plan_too(error: ErrorCode) -> None:
    home = step('home', 'go_to_safe_pose', when=[{'step': 'go', 'outcome': 'NOT_SUCCEEDED'}])
    bench = planned(GO, home, answer=by_skill(navigate_to=refused(error)))
    assert bench.run().error is error
    assert sent(bench) == ['navigate_to']


def test_a_step_waits_for_ready_like_any_call() -> None:
    results = [refused(ErrorCode.SAFETY_LOCKED), succeeded(), succeeded()]
    bench = planned(GO, SEE, answer=lambda call: results.pop(0))
    bench.view = view(SafetyMode.STOPPING)
    bench.begin()
    bench.advance(3.0)
    assert len(bench.sent) == 1
    bench.view = view()
    bench.run_end()
    assert [call.call_id for call in bench.sent] == ['t:1:0', 't:1:0', 't:1:1']


def test_cancel_stops_the_step_and_drops_the_rest() -> None:
    bench = planned(*FETCH, answer=lambda call: None)
    bench.begin()
    bench.loop.cancel(bench.now_s)
    bench.settle()
    bench.loop.call_ended('t:1:0', failed(ErrorCode.CANCELED, Effect.PARTIAL, Outcome.CANCELED), bench.now_s)
    assert outcome(bench.run_end()) == (TaskStatus.CANCELED, ErrorCode.CANCELED)
    assert len(bench.sent) == 1


def test_a_claim_after_a_stopped_plan_is_unverified() -> None:
    bench = rig(plan(*FETCH), DONE, answer=by_skill(pick=failed(ErrorCode.VERIFICATION_FAILED)))
    assert bench.run().status is TaskStatus.UNVERIFIED


def test_a_long_report_loses_results_before_outcomes() -> None:
    many = [step(f's{n}', 'look', after=[f's{n - 1}'] if n else []) for n in range(16)]
    bench = planned(*many, answer=lambda call: succeeded(call=call.call_id, text='x' * 390))
    bench.run()
    rows = bench.data()['steps']
    assert [row['outcome'] for row in rows] == ['SUCCEEDED'] * 16
    assert 'result' not in rows[0]
    assert 'result' in rows[15]


BROKEN = {
    'no steps': ([], 'steps', 'INVALID_ARGUMENT'),
    'too many': ([step(f's{n}', 'look') for n in range(17)], 'steps', 'INVALID_ARGUMENT'),
    'no id': ([{'skill': 'look', 'arguments': {}}], 'steps[0].id', 'INVALID_ARGUMENT'),
    'bad id': ([step('Go!', 'look')], 'steps[0].id', 'INVALID_ARGUMENT'),
    'same id twice': ([GO, step('go', 'look')], 'steps[1].id', 'INVALID_ARGUMENT'),
    'unknown key': ([step('a', 'look', then=['b'])], 'steps[0].then', 'INVALID_ARGUMENT'),
    'unknown skill': ([GO, step('a', 'fly')], 'steps[1].skill', 'UNKNOWN_SKILL'),
    'plan in a plan': ([step('a', 'submit_plan', {'steps': []})], 'steps[0].skill', 'UNKNOWN_SKILL'),
    'end in a plan': ([step('a', 'finish_task')], 'steps[0].skill', 'UNKNOWN_SKILL'),
    'unknown step after': ([GO, step('a', 'look', after=['come'])], 'steps[1].after[0]', 'INVALID_ARGUMENT'),
    'after itself': ([step('a', 'look', after=['a'])], 'steps[0].after[0]', 'INVALID_ARGUMENT'),
    'unknown step when': (
        [step('a', 'look', when=[{'step': 'b', 'outcome': 'FAILED'}])],
        'steps[0].when[0].step',
        'INVALID_ARGUMENT',
    ),
    'unknown outcome': (
        [GO, step('a', 'look', when=[{'step': 'go', 'outcome': 'failed'}])],
        'steps[1].when[0].outcome',
        'INVALID_ARGUMENT',
    ),
    'unknown error': (
        [GO, step('a', 'look', when=[{'step': 'go', 'outcome': 'FAILED', 'error_code': 'OOPS'}])],
        'steps[1].when[0].error_code',
        'INVALID_ARGUMENT',
    ),
    'error of a success': (
        [GO, step('a', 'look', when=[{'step': 'go', 'outcome': 'SUCCEEDED', 'error_code': 'TIMEOUT'}])],
        'steps[1].when[0].error_code',
        'INVALID_ARGUMENT',
    ),
    'two conditions on one step': (
        [GO, step('a', 'look', when=[{'step': 'go', 'outcome': 'FAILED'}, {'step': 'go', 'outcome': 'STOPPED'}])],
        'steps[1].when[1].step',
        'INVALID_ARGUMENT',
    ),
    'circle of two': ([step('a', 'look', after=['b']), step('b', 'look', after=['a'])], 'steps', 'INVALID_ARGUMENT'),
    'circle through a condition': (
        [step('a', 'look', after=['b']), step('b', 'look', when=[{'step': 'a', 'outcome': 'FAILED'}])],
        'steps',
        'INVALID_ARGUMENT',
    ),
    'number in quotes late': (
        [GO, SEE, step('m', 'move_relative', {'distance_m': '1.0'})],
        'steps[2].arguments.distance_m',
        'INVALID_ARGUMENT',
    ),
    'out of range late': (
        [GO, step('w', 'wait', {'duration_s': 61})],
        'steps[1].arguments.duration_s',
        'INVALID_ARGUMENT',
    ),
    'missing argument': ([step('m', 'move_relative')], 'steps[0].arguments.distance_m', 'INVALID_ARGUMENT'),
    'extra argument': ([step('l', 'look', {'at': 'cup'})], 'steps[0].arguments.at', 'INVALID_ARGUMENT'),
    'unknown place': ([step('g', 'navigate_to', {'place': 'moon'})], 'steps[0].arguments.place', 'INVALID_ARGUMENT'),
    'arguments are text': ([{**GO, 'arguments': '{"place": "kitchen"}'}], 'steps[0].arguments', 'INVALID_ARGUMENT'),
    'steps are an object': ({'go': GO}, 'steps', 'INVALID_ARGUMENT'),
}


@pytest.mark.parametrize('name', BROKEN)
def test_nothing_of_a_faulty_plan_is_run(name: str) -> None:
    steps, field, code = BROKEN[name]
    bench = rig(calls(('submit_plan', {'steps': steps})), says('FAILED: no'))
    assert outcome(bench.run())[1] is ErrorCode[code]
    assert bench.sent == []
    data = bench.data()
    assert (data['sent'], data['error_code']) == (False, code)
    assert field in [fault['field'] for fault in data['faults']]
    assert 'Traceback' not in json.dumps(data)


def test_all_faults_of_a_plan_come_at_once() -> None:
    bad = [step('a', 'fly'), step('b', 'wait', {'duration_s': '1'}), step('b', 'look', after=['c'])]
    bench = rig(plan(*bad), FAILED)
    bench.run()
    fields = {fault['field'] for fault in bench.data()['faults']}
    assert fields == {'steps[0].skill', 'steps[1].arguments.duration_s', 'steps[2].id', 'steps[2].after[0]'}


@pytest.mark.parametrize('beside', [('look', {}), ('submit_plan', {'steps': [GO]}), ('finish_task', {})])
def test_a_plan_is_the_only_call_of_its_reply(beside: tuple[str, Step]) -> None:
    bench = rig(calls(beside, ('submit_plan', {'steps': [GO]})), FAILED)
    bench.run()
    assert bench.sent == []
    assert 'must be the only call' in bench.data()['message']


def test_the_schema_that_the_model_is_given_takes_good_plans_only() -> None:
    bench = rig(FAILED)
    bench.run()
    request = bench.provider.requests[0]  # type: ignore[attr-defined]
    schema = next(tool.parameters for tool in request.tools if tool.name == 'submit_plan')
    assert check({'steps': [*FETCH, HOME]}, schema) == []
    for name in ('number in quotes late', 'unknown key', 'unknown skill', 'no steps', 'extra argument'):
        assert check({'steps': BROKEN[name][0]}, schema), name


def test_without_plan_steps_no_plan_is_offered_or_taken() -> None:
    bench = planned(GO, max_plan_steps=0)
    assert bench.run().error is ErrorCode.UNKNOWN_SKILL
    assert bench.sent == []
