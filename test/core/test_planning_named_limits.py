"""Every budget of a task is a parameter, is finite, and is named with its value in the result of a task that hit it."""

from __future__ import annotations

from collections.abc import Callable

from planning_lines import BAD, DONE, GO, LOOK, rig, table
from planning_rig import failed, refused, Rig, view
import pytest
from robot_tool_agent.core.outcomes import ErrorCode
from robot_tool_agent.core.planning.conversation import ModelReply, Usage
from robot_tool_agent.core.planning.limits import PlannerLimits
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.llm.provider import RetryLater
from robot_tool_agent.llm.scripted import calls, says

MANY = calls(*[('look', {})] * 3)
LOCKED, FAILED = refused(ErrorCode.SAFETY_LOCKED), failed(ErrorCode.VERIFICATION_FAILED)


def locked(bench: Rig) -> None:
    bench.view = view(SafetyMode.STOPPING)


def no_executor(bench: Rig) -> None:
    bench.silent_executor = True


def no_model(bench: Rig) -> None:
    bench.silent_model = True


CASES: dict[str, tuple[float, list[object], object, Callable[[Rig], None] | None]] = {
    'max_steps': (2, [GO, LOOK, DONE], table(failed(ErrorCode.TIMEOUT)), None),
    'max_corrections': (1, [BAD, BAD], table(None), None),
    'max_repeats': (2, [GO, GO], table(FAILED), None),
    'max_calls_per_reply': (2, [MANY] * 4, table(None), None),
    'max_plan_steps': (1, [calls(('submit_plan', {'steps': [{}, {}]}))] * 4, table(None), None),
    'max_task_tokens': (150, [ModelReply(calls=GO.calls, usage=Usage(100, 60)), DONE], table(FAILED), None),
    'max_output_tokens': (16, [ModelReply('cut', truncated=True)] * 4, table(None), None),
    'llm_timeout_s': (3.0, [GO], table(None), no_model),
    'task_timeout_s': (4.0, [GO], table(None), None),
    'wait_timeout_s': (5.0, [GO], table(LOCKED), locked),
    'executor_timeout_s': (6.0, [GO], table(None), no_executor),
    'call_margin_s': (7.0, [GO], table(None), None),
    'cancel_timeout_s': (8.0, [GO], table(None), None),
}
# These shape how a task runs and end none.
NO_ENDS = {'max_parallel', 'max_context_tokens', 'llm_retries', 'llm_backoff_s', 'wait_retry_s'}


@pytest.mark.parametrize('name', CASES)
def test_the_limit_that_was_hit_is_named(name: str) -> None:
    value, lines, answer, prepare = CASES[name]
    bench = rig(*lines, answer=answer, **{'llm_retries': 0, 'task_timeout_s': 250.0, name: value})
    if prepare is not None:
        prepare(bench)
    end = bench.run()
    assert end.error is not None
    told = end.summary if name != 'max_plan_steps' else str(bench.data())
    assert name in told or (name == 'max_plan_steps' and 'at most 1 items' in told)
    if name not in ('max_output_tokens', 'max_plan_steps'):
        assert f'{value:g}' in end.summary


def test_every_limit_of_the_loop_is_covered() -> None:
    own = set(PlannerLimits.model_fields)
    assert set(CASES) <= own
    assert {name for name in own if name.startswith('max_')} <= set(CASES) | NO_ENDS
    for name, field in PlannerLimits.model_fields.items():
        assert field.description, name
        assert {'ge', 'le'} <= {key for item in field.metadata for key in ('ge', 'le') if hasattr(item, key)}, name


def test_a_model_that_is_busy_for_ever_ends_the_task() -> None:
    bench = rig(*[RetryLater('busy')] * 3, says('never said'), llm_retries=1, llm_backoff_s=0.1)
    assert bench.run().error is ErrorCode.MODEL_UNAVAILABLE
