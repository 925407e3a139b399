"""Random replies and plans with random ends: what must hold however a model mixes its calls and however they end."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from planning_lines import MORE, rig
from planning_rig import failed, refused, Rig, succeeded
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome, TaskStatus
from robot_tool_agent.core.planning.calls import SkillResult
from robot_tool_agent.core.planning.phases import Phase
from robot_tool_agent.core.planning.side_by_side import must_keep_order
from robot_tool_agent.llm.scripted import calls, says

CALLS: list[tuple[str, dict[str, Any]]] = [
    ('navigate_to', {'place': 'kitchen'}),
    ('move_relative', {'distance_m': 0.5}),
    ('pick', {'object': 'cup_1'}),
    ('open_gripper', {}),
    ('tuck_arm', {}),
    ('look', {}),
    ('get_robot_state', {}),
    ('wait', {'duration_s': 1.0}),
]
ENDS: list[SkillResult] = [
    succeeded(),
    succeeded(),
    succeeded(),
    failed(ErrorCode.TIMEOUT),
    failed(ErrorCode.STOPPED_BY_SAFETY, Effect.PARTIAL, Outcome.STOPPED),
    refused(ErrorCode.UNKNOWN_ENTITY),
    refused(ErrorCode.SAFETY_LOCKED),
    failed(ErrorCode.VERIFICATION_FAILED, Effect.UNKNOWN),
]
OUTCOMES = ['SUCCEEDED', 'NOT_SUCCEEDED', 'FAILED', 'REJECTED', 'STOPPED']
ONE_CALL = st.sampled_from(CALLS)


@st.composite
def plans(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Return steps that wait for earlier ones only, in any order of the list."""
    steps: list[dict[str, Any]] = []
    for number in range(draw(st.integers(1, 7))):
        skill, arguments = draw(ONE_CALL)
        earlier = [step['id'] for step in steps]
        after = draw(st.lists(st.sampled_from(earlier), unique=True, max_size=2)) if earlier else []
        on = draw(st.lists(st.sampled_from(earlier), unique=True, max_size=2)) if earlier else []
        when = [{'step': name, 'outcome': draw(st.sampled_from(OUTCOMES))} for name in on]
        steps.append({'id': f's{number}', 'skill': skill, 'arguments': arguments, 'after': after, 'when': when})
    return draw(st.permutations(steps))


class Watched:
    """Plays a task whose calls end by lot, and checks what runs at any moment."""

    def __init__(self, reply: Any, data: st.DataObject, max_parallel: int) -> None:
        self.bench: Rig = rig(reply, says('DONE: all'), answer=lambda call: None, max_parallel=max_parallel)
        self.bench.skills = MORE
        self.data = data
        self.max_parallel = max_parallel
        self.running: list[str] = []
        self.ended: dict[str, SkillResult] = {}

    def play(self) -> None:
        self.bench.begin()
        seen = 0
        for _ in range(400):
            new = self.bench.sent[seen:]
            seen += len(new)
            self.running += [call.call_id for call in new]
            self.check()
            if self.bench.loop.end is not None:
                return
            self.step()
        raise AssertionError(f'no end; phase {self.bench.loop.phase}')

    def step(self) -> None:
        if not self.running:
            self.bench.advance(0.6)
            return
        call_id = self.data.draw(st.sampled_from(self.running))
        end = self.data.draw(st.sampled_from(ENDS))
        if self.bench.loop.phase is Phase.STOPPING:
            end = failed(ErrorCode.CANCELED, Effect.PARTIAL, Outcome.CANCELED)
        self.running.remove(call_id)
        if not end.may_be_sent_again:
            self.ended[call_id] = end
        self.bench.loop.call_ended(call_id, end, self.bench.now_s)
        self.bench.settle()

    def check(self) -> None:
        tools = {call.call_id: call.tool for call in self.bench.sent}
        assert len(self.running) <= self.max_parallel
        assert len(set(self.running)) == len(self.running)
        assert not set(self.running) & set(self.ended), 'a call that ended was sent again'
        for one in self.running:
            for other in self.running:
                assert one == other or not must_keep_order(tools[one], tools[other])


def judge(watched: Watched) -> None:
    end = watched.bench.loop.end
    assert end is not None
    assert not watched.running, 'the task ended while a call of it ran'
    results = list(watched.ended.values())
    if end.status is TaskStatus.SUCCEEDED:
        assert any(result.succeeded for result in results)
    if any(result.effect is Effect.UNKNOWN for result in results):
        assert end.status is TaskStatus.NEEDS_OPERATOR


@settings(max_examples=100, derandomize=True, deadline=None)
@given(st.lists(ONE_CALL, min_size=1, max_size=6), st.data(), st.integers(1, 4))
def test_a_reply_of_any_calls(named: list[tuple[str, dict[str, Any]]], data: st.DataObject, max_parallel: int) -> None:
    watched = Watched(calls(*named), data, max_parallel)
    watched.play()
    judge(watched)
    first = [call.call_id for call in watched.bench.sent]
    starts = list(dict.fromkeys(first))
    assert starts == sorted(starts, key=lambda call_id: int(call_id.rpartition(':')[2])), 'a call overtook another'
    status = watched.bench.loop.end.status  # type: ignore[union-attr]
    if any(not result.succeeded for result in watched.ended.values()):
        assert status is not TaskStatus.SUCCEEDED


@settings(max_examples=120, derandomize=True, deadline=None)
@given(plans(), st.data(), st.integers(1, 4))
def test_a_plan_of_any_steps(steps: list[dict[str, Any]], data: st.DataObject, max_parallel: int) -> None:
    watched = Watched(calls(('submit_plan', {'steps': steps})), data, max_parallel)
    watched.play()
    judge(watched)
    ids = {f't:1:{place}': step['id'] for place, step in enumerate(steps)}
    results = {ids[call_id]: result for call_id, result in watched.ended.items()}
    for step in (step for step in steps if step['id'] in results):
        assert all(met(name, outcome, results) for name, outcome in conditions(step).items()), 'run for nothing'
    memory = watched.bench.store.find('t')
    assert memory is not None
    told = [turn for turn in memory.turns if turn.role.value == 'tool']
    skipped = [row['id'] for row in watched.bench.data()['steps'] if 'condition' in row['message']] if told else []
    for step in (step for step in steps if step['id'] in skipped):
        assert not all(met(name, outcome, results) for name, outcome in conditions(step).items()), 'skipped for nothing'


def conditions(step: dict[str, Any]) -> dict[str, str]:
    return dict.fromkeys(step['after'], 'SUCCEEDED') | {item['step']: item['outcome'] for item in step['when']}


def met(name: str, outcome: str, results: dict[str, SkillResult]) -> bool:
    result = results.get(name)
    if result is None:
        return False
    return outcome == result.outcome.name or (outcome == 'NOT_SUCCEEDED' and not result.succeeded)
