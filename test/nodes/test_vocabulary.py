"""The core's vocabulary is the interfaces' vocabulary, name for name and number for number."""

import pytest
from robot_tool_agent.core.motion import Profile
from robot_tool_agent.core.outcomes import Advice, Effect, ErrorCode, Origin, Outcome, TaskStatus
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_interfaces.action import ExecuteSkill, RunTask
from robot_tool_agent_interfaces.msg import MotionCommand, SafetyState
from robot_tool_agent_interfaces.srv import ResolveCall


@pytest.mark.parametrize('member', list(Outcome), ids=lambda member: member.name)
def test_outcome(member):
    assert getattr(ExecuteSkill.Result, member.name) == member


@pytest.mark.parametrize('member', list(Effect), ids=lambda member: member.name)
def test_effect(member):
    assert getattr(ExecuteSkill.Result, f'EFFECT_{member.name}') == member


@pytest.mark.parametrize('member', [Effect.NONE, Effect.PARTIAL, Effect.DONE], ids=lambda member: member.name)
def test_effect_an_operator_may_name(member):
    assert getattr(ResolveCall.Request, f'EFFECT_{member.name}') == member


@pytest.mark.parametrize('member', list(TaskStatus), ids=lambda member: member.name)
def test_task_status(member):
    assert getattr(RunTask.Result, member.name) == member


@pytest.mark.parametrize('member', list(SafetyMode), ids=lambda member: member.name)
def test_safety_state(member):
    assert getattr(SafetyState, member.name) == member


@pytest.mark.parametrize('member', list(Profile), ids=lambda member: member.name)
def test_profile(member):
    assert getattr(MotionCommand, f'PROFILE_{member.name}') == member.value


@pytest.mark.parametrize('member', list(ErrorCode), ids=lambda member: member.name)
def test_every_error_code_is_its_name_and_has_advice(member):
    assert member.value == member.name
    assert isinstance(member.advice, Advice)
    assert isinstance(member.origin, Origin)


def test_the_error_codes_of_the_contract_are_all_there():
    needed = (
        'INVALID_JSON UNKNOWN_SKILL INVALID_ARGUMENT UNKNOWN_ENTITY PRECONDITION_FAILED STALE_SENSOR RESOURCE_BUSY'
        ' SAFETY_LOCKED APPROVAL_DENIED APPROVAL_EXPIRED IDEMPOTENCY_MISMATCH IN_PROGRESS UNRESOLVED_CALL CIRCUIT_OPEN'
        ' RATE_LIMITED TIMEOUT VERIFICATION_FAILED EXECUTION_ERROR STOPPED_BY_SAFETY CANCELED RESTARTED'
        ' JOURNAL_UNAVAILABLE'
    )
    assert set(needed.split()) <= {member.value for member in ErrorCode}
