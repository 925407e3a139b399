"""The planner process and model services on loopback: one that fails is left for the next, and no key is ever shown."""

from __future__ import annotations

from collections.abc import Iterator
import subprocess
import time

from action_msgs.msg import GoalStatus
from model_server import answer, dribble, hang, ModelServer, serving
from model_shapes import SHAPES
from planner_process import House, planner, SUCCEEDED
import pytest
from robot_tool_agent_sim.harness.domains import free_domain

pytest.importorskip('pydantic_ai', reason='the packages of requirements/models.txt want Python 3.11 or newer')

CANARY = 'sk-canary-5Tq9Zx71LmN0'
OPENAI, COMPATIBLE, ANTHROPIC, _ = SHAPES
GO = answer(ANTHROPIC.reply('', (('r1', 'navigate_to', {'place': 'kitchen'}),)))
DONE = answer(ANTHROPIC.reply('DONE: the robot is in the kitchen'))
BUSY = answer(OPENAI.error(429, f'slow down, {CANARY}', 'rate_limit_exceeded'), 429, Retry_After='90')
QUICK = ('llm_timeout_s:=8.0', 'llm_retries:=1', 'llm_backoff_s:=0.1', 'executor_lost_s:=2.0', 'max_output_tokens:=99')


@pytest.fixture
def house() -> Iterator[House]:
    house = House(free_domain())
    try:
        house.serve()
        yield house
    finally:
        house.close()


def parameters(provider: str, openai: ModelServer, anthropic: ModelServer) -> tuple[str, ...]:
    addresses = (f'openai_base_url:={openai.url}/v1', f'anthropic_base_url:={anthropic.url}')
    return (*QUICK, f'provider:={provider}', *addresses)


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv('OPENAI_API_KEY', CANARY)
    monkeypatch.setenv('ANTHROPIC_API_KEY', CANARY)


def output_of(process: subprocess.Popen[str]) -> str:
    process.terminate()
    return process.communicate(timeout=15.0)[0]


def test_a_service_that_is_busy_is_left_for_the_next_and_not_asked_again_too_soon(house: House) -> None:
    with (
        serving(BUSY) as busy,
        serving(GO, DONE) as good,
        planner(house.domain, *parameters('openai,anthropic', busy, good)) as process,
    ):
        house.answers = [SUCCEEDED]
        status, result = house.run('next', 'go to the kitchen')
        output = output_of(process)
    assert (status, result.llm_calls) == (GoalStatus.STATUS_SUCCEEDED, 3), result.summary
    assert [goal.skill for goal in house.goals] == ['navigate_to']
    assert (len(busy.requests), len(good.requests)) == (1, 2)
    notes = [item.text for item in house.feedback if item.kind == 'retry']
    assert len(notes) == 1
    assert notes[0].startswith('openai: rate limited (HTTP 429: slow down')
    assert notes[0].endswith('; asking anthropic')
    for shown in (output, result.summary, *(item.text for item in house.feedback)):
        assert 'canary' not in shown


@pytest.mark.parametrize('bad', [hang, dribble], ids=['hang', 'dribble'])
def test_a_service_that_does_not_end_its_reply_holds_nothing_up(house: House, bad: object) -> None:
    limits = ('llm_timeout_s:=1.0', 'llm_retries:=0')
    with (
        serving(bad) as slow,  # type: ignore[arg-type]
        serving(DONE) as good,
        planner(house.domain, *parameters('openai,anthropic', slow, good), *limits),
    ):
        house.ask('warm-up', 'go to the kitchen')
        house.until(lambda: any(item.kind == 'end' for item in house.feedback), 30.0)
        house.feedback.clear()
        beats, began_s = len(house.beats), time.monotonic()
        _, result = house.run('slow', 'go to the kitchen')
        took_s = time.monotonic() - began_s
        assert len(house.beats) - beats > 5.0 * took_s, 'the planner fell silent while it waited'
    assert result.error_code == 'VERIFICATION_FAILED'
    assert took_s < 4.0
    # The first request may die before it leaves: importing the client's library counts against its time.
    assert 1 <= len(slow.requests) <= 2
    assert len(good.requests) == 2


def test_when_nobody_answers_the_user_learns_why(house: House) -> None:
    refuses = answer(ANTHROPIC.error(401, f'invalid x-api-key {CANARY}', 'authentication_error'), 401)
    with (
        serving(BUSY) as busy,
        serving(refuses) as strict,
        planner(house.domain, *parameters('openai,anthropic', busy, strict)) as process,
    ):
        status, result = house.run('nobody', 'go to the kitchen')
        output = output_of(process)
    assert (status, result.error_code) == (GoalStatus.STATUS_ABORTED, 'MODEL_UNAVAILABLE')
    for part in ('openai (1 try): rate limited', 'the key was not accepted (HTTP 401; check ANTHROPIC_API_KEY)'):
        assert part in result.summary
    assert 'safety is READY' in result.summary
    assert 'canary' not in output + result.summary
    assert house.goals == []


def test_the_rules_planner_takes_over_where_it_is_listed(house: House) -> None:
    with (
        serving(BUSY) as busy,
        serving(BUSY) as other,
        planner(house.domain, *parameters('openai, rules', busy, other)),
    ):
        house.answers = [SUCCEEDED]
        status, _ = house.run('rules', 'go to the kitchen')
    assert status == GoalStatus.STATUS_SUCCEEDED
    assert [goal.skill for goal in house.goals] == ['navigate_to']


def test_what_a_provider_lacks_ends_the_start_with_every_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv('OPENAI_API_KEY')
    with planner(free_domain(), 'provider:=openai,compatible,rules') as process:
        output, _ = process.communicate(timeout=40.0)
    assert process.returncode == 2
    assert 'provider openai: no key: set the environment variable OPENAI_API_KEY' in output
    assert 'provider compatible: set the parameters compatible_base_url and compatible_model' in output
    assert 'Traceback' not in output
