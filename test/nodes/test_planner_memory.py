"""The planner's memory with real processes: ends survive it, secrets stay out of it, without it nothing is sent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
import json
from pathlib import Path
import signal
from typing import Any

from action_msgs.msg import GoalStatus
import crashing_planner
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from planner_process import CANCELED, House, planner, script, SUCCEEDED
import pytest
from robot_tool_agent.core.planning.memory.journal_file import TaskJournal
from robot_tool_agent_interfaces.action import RunTask

DOMAIN = 47
CANARY = 'canary-4f1c-value-of-a-key'
KEY_LIKE = 'sk-proj-abcdEFGH1234ijklMNOP5678'
FAILED_CALL = {'outcome': 3, 'effect': 1, 'error_code': 'VERIFICATION_FAILED', 'advice': 'CHOOSE_ANOTHER'}
GO = {'calls': [{'name': 'navigate_to', 'arguments': {'place': 'kitchen'}}]}


@pytest.fixture
def house() -> Iterator[House]:
    house = House(DOMAIN)
    try:
        house.serve()
        yield house
    finally:
        house.close()


def at(folder: Path, *more: str) -> tuple[str, ...]:
    return (f'memory_path:={folder}/tasks.sqlite3', f'failures_path:={folder}/failures.jsonl', *more)


def test_a_stored_end_outlives_the_process(house: House, tmp_path: Path) -> None:
    with planner(DOMAIN, *at(tmp_path)):
        first = house.run('once', 'go to the kitchen')
    with planner(DOMAIN, *at(tmp_path)):
        again = house.run('once', 'go to the kitchen')
        assert house.run('once', 'go home')[1].error_code == 'IDEMPOTENCY_MISMATCH'
    assert again == first
    assert first[1].status == RunTask.Result.SUCCEEDED
    assert len(house.goals) == 1


def test_a_killed_planner_sends_nothing_until_it_is_asked_and_then_the_same_id(house: House, tmp_path: Path) -> None:
    house.answers = [None]
    with planner(DOMAIN, *at(tmp_path)) as process:
        house.ask('broken', 'go to the kitchen, then go home')
        house.until(lambda: 'broken:1:0' in house.pending)
        process.kill()
        process.wait(timeout=10.0)
    house.finish('broken:1:0', CANCELED)
    with planner(DOMAIN, *at(tmp_path)):
        house.until(house.client.server_is_ready)
        house.listen(1.0)
        assert len(house.goals) == 1
        house.answers = [{**SUCCEEDED, 'replayed': True}, SUCCEEDED]
        status, result = house.run('broken', 'go to the kitchen, then go home')
    assert (status, result.status) == (GoalStatus.STATUS_SUCCEEDED, RunTask.Result.SUCCEEDED)
    assert [call_id for call_id, _, _ in house.sent()] == ['broken:1:0', 'broken:1:0', 'broken:2:0']
    assert any(item.kind == 'resumed' for item in house.feedback)


def test_an_interrupted_task_that_is_too_old_ends(house: House, tmp_path: Path) -> None:
    house.answers = [None]
    with planner(DOMAIN, *at(tmp_path)) as process:
        house.ask('old', 'go to the kitchen')
        house.until(lambda: 'old:1:0' in house.pending)
        process.kill()
        process.wait(timeout=10.0)
    house.finish('old:1:0', CANCELED)
    with planner(DOMAIN, *at(tmp_path, 'resume_within_s:=0.0')):
        ends = [house.run('old', 'go to the kitchen') for _ in range(2)]
    assert ends[0] == ends[1]
    assert (ends[0][1].status, ends[0][1].error_code) == (RunTask.Result.NEEDS_OPERATOR, 'RESTARTED')
    assert len(house.goals) == 1


def test_without_a_memory_nothing_is_sent_and_the_planner_lives(house: House, tmp_path: Path) -> None:
    (tmp_path / 'tasks.sqlite3').write_bytes(b'this is no database' * 500)
    statuses: list[DiagnosticStatus] = []
    house.node.create_subscription(DiagnosticArray, '/diagnostics', lambda item: statuses.extend(item.status), 10)
    with planner(DOMAIN, *at(tmp_path)) as process:
        for name in ('a', 'b'):
            status, result = house.run(name, 'go to the kitchen')
            assert (status, result.error_code) == (GoalStatus.STATUS_ABORTED, 'JOURNAL_UNAVAILABLE')
        house.until(lambda: any(item.name == 'planner: memory' for item in statuses))
        assert next(item for item in statuses if item.name == 'planner: memory').level == DiagnosticStatus.ERROR
        assert house.goals == []
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=10.0) == 0


@pytest.mark.parametrize(('moment', 'sent'), [('fail_reply', 0), ('fail_result', 1), ('fail_end', 1)])
def test_a_memory_that_fails_once_ends_that_task_only(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str, sent: int
) -> None:
    order = tmp_path / 'order'
    order.write_text(moment, encoding='utf-8')
    monkeypatch.setenv(crashing_planner.ORDER, str(order))
    with planner(DOMAIN, *at(tmp_path), program=(crashing_planner.__file__,)):
        first = house.run('first', 'go to the kitchen, then go home')[1]
        assert len(house.goals) == sent + (moment == 'fail_end')
        if moment == 'fail_end':
            assert (first.status, 'could not be stored' in first.summary) == (RunTask.Result.SUCCEEDED, True)
        else:
            assert (first.status, first.error_code) == (RunTask.Result.FAILED, 'JOURNAL_UNAVAILABLE')
            assert 'disk is full' in first.summary
        assert not order.exists()
        assert house.run('second', 'go home')[1].status == RunTask.Result.SUCCEEDED


def test_a_second_planner_with_the_same_memory_does_not_start(house: House, tmp_path: Path) -> None:
    with planner(DOMAIN, *at(tmp_path)):
        assert house.run('first', 'go home')[0] == GoalStatus.STATUS_SUCCEEDED
        with planner(DOMAIN, *at(tmp_path), namespace='/other') as second:
            output, _ = second.communicate(timeout=20.0)
    assert second.returncode == 2
    assert 'in use by another planner' in output
    assert 'Traceback' not in output


def test_no_secret_of_the_environment_is_written(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv('ANTHROPIC_API_KEY', CANARY)
    leak = f'{CANARY} and {KEY_LIKE}'
    bad = {'calls': [{'name': 'navigate_to', 'arguments': {'place': leak}}]}
    house.answers = [{**FAILED_CALL, 'message': leak, 'evidence_json': json.dumps({'seen': leak})}]
    path = script(tmp_path / 'scripts', bad, {**GO, 'text': leak}, {'text': f'FAILED: {leak}'})
    with planner(DOMAIN, *at(tmp_path / 'kept', 'provider:=scripted', f'script_file:={path}')) as process:
        assert house.run('leak', f'use {leak}')[1].status == RunTask.Result.FAILED
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=10.0)
    for file in (tmp_path / 'kept').iterdir():
        assert CANARY.encode() not in file.read_bytes(), file
        assert KEY_LIKE.encode() not in file.read_bytes(), file
    assert (tmp_path / 'kept' / 'failures.jsonl').stat().st_size > 200
    assert CANARY not in output
    with closing(TaskJournal.read_only(str(tmp_path / 'kept' / 'tasks.sqlite3'))) as journal:
        kinds = [kind for _, kind, _ in journal.lines('leak')]
    assert [kinds.count(kind) for kind in ('reply', 'result', 'turn')] == [3, 1, 5]


def test_failures_are_counted_and_an_alarm_is_told(house: House, tmp_path: Path) -> None:
    seen: dict[str, DiagnosticStatus] = {}
    house.node.create_subscription(
        DiagnosticArray, '/diagnostics', lambda array: seen.update({item.name: item for item in array.status}), 10
    )
    lines: list[dict[str, Any]] = [item for _ in range(3) for item in (GO, {'text': 'FAILED: no'})]
    house.answers = [FAILED_CALL] * 3
    path = script(tmp_path / 'scripts', *lines)
    given = ('provider:=scripted', f'script_file:={path}', 'failure_alarm_count:=3')
    with planner(DOMAIN, *at(tmp_path, *given)):
        for number in range(3):
            house.run(f'fails-{number}', 'go to the kitchen')
        skills = 'planner: failures by skill'
        house.until(lambda: skills in seen and seen[skills].level == DiagnosticStatus.WARN)
    assert seen[skills].message == 'fails too often: navigate_to 3 of 3'
    assert {(pair.key, pair.value) for pair in seen[skills].values} == {('navigate_to', '3 of 3 (1.00)')}
    providers = seen['planner: failures by provider']
    assert [(pair.key, pair.value) for pair in providers.values] == [('scripted', '0 of 6 (0.00)')]
    assert seen['planner: memory'].level == DiagnosticStatus.OK
    samples = [json.loads(line) for line in (tmp_path / 'failures.jsonl').read_text().splitlines()]
    assert [sample['failed'] for sample in samples] == ['call', 'task'] * 3
    assert {sample['provider'] for sample in samples} == {'scripted'}
