"""Failures are counted by skill, provider and class over a window, alarm at a threshold, and leave samples."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from planning_lines import BAD, DONE, GO, LOOK, rig, table
from planning_rig import failed, refused, Rig, succeeded
import pytest
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Origin, Outcome
from robot_tool_agent.core.planning.counters import PlannerCounters
from robot_tool_agent.core.planning.failure_rates import FailureRates, Group, MAX_EVENTS, Rate
from robot_tool_agent.core.planning.failure_watch import FailureWatch
from robot_tool_agent.core.planning.limits import PlannerLimits
from robot_tool_agent.core.planning.loop import TaskLoop
from robot_tool_agent.core.planning.memory.writes import Collector
from robot_tool_agent.llm.provider import UseAnotherProvider
from robot_tool_agent.llm.scripted import says
from robot_tool_agent.sample_file import MAX_LINE_BYTES, SampleFile

WORLD = Origin.WORLD


def rates(**changes: Any) -> FailureRates:
    return FailureRates(**{'window_s': 60.0, 'alarm_rate': 0.5, 'alarm_count': 3, **changes})


def find(found: list[Rate], group: Group, name: str) -> Rate:
    return next(rate for rate in found if (rate.group, rate.name) == (group, name))


def test_rates_by_skill_and_by_class() -> None:
    counted = rates()
    for origin in (None, WORLD, WORLD, Origin.MODEL):
        counted.add(Group.SKILL, 'pick', origin, 0.0)
    counted.add(Group.SKILL, 'look', None, 0.0)
    counted.add(Group.PROVIDER, 'rules', None, 0.0)
    found = counted.rates(1.0)
    assert find(found, Group.SKILL, 'pick') == Rate(Group.SKILL, 'pick', 3, 4, alarm=True)
    assert find(found, Group.SKILL, 'pick').share == 0.75
    assert find(found, Group.SKILL, 'look') == Rate(Group.SKILL, 'look', 0, 1, alarm=False)
    assert find(found, Group.CLASS, 'WORLD') == Rate(Group.CLASS, 'WORLD', 2, 6, alarm=False)
    assert len(found) == 5


def test_old_events_leave_the_window() -> None:
    counted = rates()
    for at_s in (0.0, 30.0, 61.0):
        counted.add(Group.SKILL, 'pick', WORLD, at_s)
    assert find(counted.rates(60.0), Group.SKILL, 'pick').total == 3
    assert find(counted.rates(60.1), Group.SKILL, 'pick').total == 2
    assert counted.rates(200.0) == []


@pytest.mark.parametrize(
    ('failures', 'successes', 'alarm'), [(2, 0, False), (3, 3, True), (3, 4, False), (30, 30, True), (0, 9, False)]
)
def test_an_alarm_needs_both_a_rate_and_a_number(failures: int, successes: int, alarm: bool) -> None:
    counted = rates()
    for origin in [WORLD] * failures + [None] * successes:
        counted.add(Group.PROVIDER, 'p', origin, 0.0)
    assert find(counted.rates(0.0), Group.PROVIDER, 'p').alarm is alarm


def test_the_memory_of_events_is_bounded() -> None:
    counted = rates()
    for _ in range(MAX_EVENTS + 5):
        counted.add(Group.SKILL, 'pick', None, 0.0)
    assert counted.rates(0.0)[0].total == MAX_EVENTS


class Watched(Rig):
    """A rig whose task is watched as the node watches it."""

    def watch(self) -> Watched:
        self.counters, self.collector, self.samples = PlannerCounters(), Collector(), list[dict[str, Any]]()
        self.rates = rates()
        self.watcher = FailureWatch(self.rates, self.counters)
        self.loop = TaskLoop('t', 'do it', PlannerLimits(llm_retries=0), self.collector, self.counters)
        self.run()
        return self

    def settle(self) -> None:
        while (writes := self.collector.take()) or True:
            actions = self.loop.take_actions()
            if not writes and not actions:
                return
            self.samples += self.watcher.observe('t', writes, actions, self.now_s)
            for action in actions:
                self._do(action)


def watched(*lines: object, answer: object) -> Watched:
    return Watched(rig(*lines).provider, answer).watch()  # type: ignore[arg-type]


def test_a_failed_call_is_sampled_with_reply_and_evidence() -> None:
    slipped = failed(ErrorCode.VERIFICATION_FAILED, Effect.PARTIAL)
    bench = watched(GO, says('FAILED: slipped'), answer=table(slipped))
    call, task = bench.samples
    assert (call['failed'], call['error_code'], call['skill']) == ('call', 'VERIFICATION_FAILED', 'navigate_to')
    assert (call['task_id'], call['call_id'], call['provider']) == ('t', 't:1:0', 'model')
    assert json.loads(call['arguments_json']) == {'place': 'kitchen'}
    assert (call['outcome'], call['effect'], call['evidence']) == ('FAILED', 'PARTIAL', {})
    assert call['reply']['calls'][0]['name'] == 'navigate_to'
    assert (task['failed'], task['status']) == ('task', 'FAILED')
    json.dumps(bench.samples)
    found = bench.rates.rates(bench.now_s)
    assert find(found, Group.SKILL, 'navigate_to') == Rate(Group.SKILL, 'navigate_to', 1, 1, alarm=False)
    assert find(found, Group.PROVIDER, 'model') == Rate(Group.PROVIDER, 'model', 0, 2, alarm=False)
    assert find(found, Group.CLASS, 'WORLD') == Rate(Group.CLASS, 'WORLD', 1, 3, alarm=False)


def test_a_faulty_reply_is_sampled_and_counts_against_its_provider() -> None:
    bench = watched(BAD, GO, DONE, answer=table(succeeded()))
    assert [(sample['failed'], sample['error_code']) for sample in bench.samples] == [('reply', 'INVALID_ARGUMENT')]
    assert 'moon' in bench.samples[0]['reply']['calls'][0]['arguments_json']
    found = bench.rates.rates(bench.now_s)
    assert find(found, Group.PROVIDER, 'model') == Rate(Group.PROVIDER, 'model', 1, 3, alarm=False)
    assert find(found, Group.CLASS, 'ARGUMENTS').failed == 1


def test_a_request_without_a_reply_counts_against_its_provider() -> None:
    bench = watched(UseAnotherProvider('no'), answer=table(succeeded()))
    assert [sample['failed'] for sample in bench.samples] == ['request', 'task']
    assert find(bench.rates.rates(bench.now_s), Group.PROVIDER, 'model').failed == 1


def test_what_was_stopped_on_request_or_only_waited_is_no_failure() -> None:
    stopped = failed(ErrorCode.CANCELED, Effect.PARTIAL, Outcome.CANCELED)
    bench = watched(LOOK, GO, answer=table(refused(ErrorCode.RESOURCE_BUSY), succeeded(), stopped))
    found = bench.rates.rates(bench.now_s)
    assert (find(found, Group.SKILL, 'look').total, find(found, Group.SKILL, 'navigate_to').failed) == (1, 0)
    assert [sample['failed'] for sample in bench.samples] == ['task']


def test_the_samples_never_outgrow_their_file(tmp_path: Path) -> None:
    file = SampleFile(tmp_path / 'sub' / 'failures.jsonl', 20_000)
    for number in range(400):
        file.append({'number': number, 'text': 'x' * (number % 300)})
    sizes = [path.stat().st_size for path in (file.path, file.older)]
    assert sum(sizes) <= 20_000
    numbers = [json.loads(line)['number'] for path in (file.older, file.path) for line in path.read_text().splitlines()]
    assert numbers == list(range(numbers[0], 400))
    assert len(numbers) > 50


def test_a_huge_sample_keeps_its_plain_fields(tmp_path: Path) -> None:
    file = SampleFile(tmp_path / 'failures.jsonl', 200_000)
    file.append({'error_code': 'TIMEOUT', 'reply': {'text': '\ud800é' * 100_000}})
    line = file.path.read_bytes()
    assert len(line) < MAX_LINE_BYTES
    assert json.loads(line)['error_code'] == 'TIMEOUT'
