"""A real planner process whose model writes text that no wire takes: it refuses it and lives on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
import signal
from typing import Any

from planner_process import House, planner, script
import pytest
from robot_tool_agent_interfaces.action import RunTask

DOMAIN = 43
LONG = 'x' * 1_000_000
FAILED, UNVERIFIED = RunTask.Result.FAILED, RunTask.Result.UNVERIFIED


@pytest.fixture
def house() -> Iterator[House]:
    house = House(DOMAIN)
    try:
        house.serve()
        yield house
    finally:
        house.close()


def call(name: str, arguments: Any) -> dict[str, Any]:
    return {'calls': [{'name': name, 'arguments': arguments}]}


# Four faulty replies end a task: one more than are sent back.
TASKS: list[tuple[dict[str, Any], int, str]] = [
    (call('pick', r'{"\ud800": 1}'), FAILED, 'INVALID_JSON'),
    (call('pick', {'object': '\ud800'}), FAILED, 'INVALID_JSON'),
    (call('pick', LONG), FAILED, 'INVALID_JSON'),
    (call('pick', {'\x00\x1b[2J': '\x07'}), FAILED, 'INVALID_ARGUMENT'),
    (call('\ud800\x00' + LONG, {}), FAILED, 'UNKNOWN_SKILL'),
    ({'text': '\ud800\x00'}, FAILED, 'INVALID_ARGUMENT'),
]
CLAIMS = [f'DONE: \ud800\x00\x1b[2J{LONG}', f'{LONG}\udfff', 'ANSWER: a\x00b\ud800c']


def test_a_model_that_writes_what_no_wire_takes_ends_its_tasks_only(house: House, tmp_path: Path) -> None:
    lines = [line for line, _, _ in TASKS for _ in range(4)] + [{'text': text} for text in CLAIMS]
    path = script(tmp_path, *lines, call('navigate_to', {'place': 'kitchen'}), {'text': 'DONE: there'})
    with planner(DOMAIN, 'provider:=scripted', f'script_file:={path}') as process:
        ends = [house.run(f'task-{place}', 'pick it up')[1] for place in range(len(TASKS) + len(CLAIMS))]
        expected = [(status, code) for _, status, code in TASKS] + [(UNVERIFIED, 'VERIFICATION_FAILED')] * len(CLAIMS)
        assert [(end.status, end.error_code) for end in ends] == expected
        assert house.goals == []
        assert house.run('last', 'go to the kitchen')[1].status == RunTask.Result.SUCCEEDED
        texts = [end.summary for end in ends] + [item.text for item in house.feedback]
        assert all(text.isprintable() and len(text) <= 2000 for text in texts)
        assert any('surrogate' in text for text in texts)
        process.send_signal(signal.SIGTERM)
        output, _ = process.communicate(timeout=10.0)
    assert process.returncode == 0
    assert 'Traceback' not in output
    assert '\x00' not in output
    assert '\x1b[2J' not in output
    assert max(map(len, output.splitlines())) < 2000


def test_a_label_with_a_nul_reaches_the_executor_escaped(house: House, tmp_path: Path) -> None:
    path = script(tmp_path, call('pick', {'object': 'cup\x00\n'}), {'text': 'FAILED: no'})
    with planner(DOMAIN, 'provider:=scripted', f'script_file:={path}'):
        house.run('nul', 'pick it up')
    assert house.sent() == [('nul:1:0', 'pick', r'{"object": "cup\u0000\n"}')]
