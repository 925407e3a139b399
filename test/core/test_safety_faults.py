"""The fault table as data: complete, consistent with parameters and state machine."""

from __future__ import annotations

from pydantic import ValidationError
import pytest
from robot_tool_agent.core.safety.config import DISABLABLE, SafetyConfig
from robot_tool_agent.core.safety.faults import Fault, FaultCode, FAULTS, Reaction, Rearm
from robot_tool_agent.core.safety.latch import Cause, Latch
from robot_tool_agent.core.safety_state import SafetyMode

ROWS = list(FAULTS.values())
UNITS = {'s': 's', 'm': 'm', 'mps': 'm/s', 'rad': 'rad'}


@pytest.fixture(params=ROWS, ids=lambda row: row.code.value)
def row(request: pytest.FixtureRequest) -> Fault:
    return request.param


def test_every_code_has_its_row():
    assert set(FAULTS) == set(FaultCode)


def test_a_threshold_that_names_a_parameter_has_its_default(row: Fault):
    if row.threshold in SafetyConfig.model_fields:
        assert row.default == getattr(SafetyConfig(), row.threshold)
        assert row.unit == UNITS[row.threshold.rsplit('_', 1)[1]]


def test_the_sentence_says_something_and_ends(row: Fault):
    assert 20 < len(row.sentence) < 160
    assert row.sentence.endswith('.')


def test_a_fault_acts_in_some_state_and_none_acts_in_estopped(row: Fault):
    assert row.states
    assert SafetyMode.ESTOPPED not in row.states


def test_stop_now_means_zero_at_once(row: Fault):
    assert row.reaction is not Reaction.STOP_NOW or row.zero_at_once


def test_only_a_failed_skill_and_a_frozen_clock_end_without_a_person():
    assert [row.code for row in ROWS if row.rearm is Rearm.SELF] == [FaultCode.SKILL_FAILED]
    assert [row.code for row in ROWS if row.rearm is Rearm.CLEARED] == [FaultCode.CLOCK_FROZEN]
    assert all((row.rearm is Rearm.NONE) is (row.reaction is Reaction.REPORT) for row in ROWS)


def test_a_persistence_that_names_a_parameter_names_one(row: Fault):
    assert row.persistence_parameter == '' or row.persistence_parameter == row.threshold
    assert row.persistence_parameter == '' or row.persistence_parameter in SafetyConfig.model_fields


def test_what_stops_for_people_and_lost_knowledge_cannot_be_switched_off():
    never = {'OPERATOR_STOP', 'COMMAND_INVALID', 'ODOM_STALE', 'EXECUTOR_LOST', 'STOP_NOT_CONFIRMED', 'INTERNAL_ERROR'}
    assert not never & set(DISABLABLE)
    for code in never:
        with pytest.raises(ValidationError, match='cannot be disabled'):
            SafetyConfig(disabled_faults=(code,))


def test_what_may_be_asked_for():
    asked = {row.code for row in ROWS if row.on_request}
    assert asked == {
        FaultCode.OPERATOR_STOP,
        FaultCode.SKILL_FAILED,
        FaultCode.SKILL_UNKNOWN,
        FaultCode.SAFETY_RESTARTED,
    }


def cause(code: FaultCode) -> Cause:
    return Cause(FAULTS[code], FAULTS[code].reaction, code.value)


@pytest.mark.parametrize(
    ('first', 'second', 'kept'),
    [
        (FaultCode.SKILL_FAILED, FaultCode.SKILL_UNKNOWN, FaultCode.SKILL_UNKNOWN),
        (FaultCode.SKILL_UNKNOWN, FaultCode.SKILL_FAILED, FaultCode.SKILL_UNKNOWN),
        (FaultCode.EXECUTOR_LOST, FaultCode.ODOM_STALE, FaultCode.ODOM_STALE),
        (FaultCode.ODOM_STALE, FaultCode.SCAN_STALE, FaultCode.ODOM_STALE),
        (FaultCode.BUMPER_CONTACT, FaultCode.OPERATOR_STOP, FaultCode.OPERATOR_STOP),
        (FaultCode.OPERATOR_STOP, FaultCode.SKILL_FAILED, FaultCode.OPERATOR_STOP),
    ],
)
def test_the_latch_keeps_the_strongest_and_of_equals_the_first(first: FaultCode, second: FaultCode, kept: FaultCode):
    latch = Latch()
    latch.add(cause(first))
    latch.add(cause(second))
    assert latch.code is kept
    assert latch.rearm is FAULTS[kept].rearm


def test_a_cleared_latch_has_no_cause_and_does_not_rearm():
    latch = Latch()
    latch.add(cause(FaultCode.SKILL_FAILED))
    latch.clear()
    assert latch.code is None
    assert latch.rearm is Rearm.RESET
