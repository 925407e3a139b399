"""The commands of `rta` as processes of their own against a fake system in the test process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
import json
from pathlib import Path
import signal
import threading
from typing import Any

import pytest
import rclpy
from rclpy.action import ActionServer, CancelResponse
from rclpy.context import Context
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from robot_tool_agent.core.journal import Admission, CallEnd, Journal
from robot_tool_agent.core.outcomes import Effect, ErrorCode, Outcome
from robot_tool_agent.nodes.qos import COMMAND, LATCHED
from robot_tool_agent_interfaces.action import ExecuteSkill, RunTask
from robot_tool_agent_interfaces.msg import Heartbeat, SafetyState
from robot_tool_agent_interfaces.srv import DescribeSkills, ResetSafety, ResolveCall, TripSafety
from rta_process import RTA, RtaProcess

DOMAIN, EMPTY_DOMAIN = 52, 53
SKILL = {
    'name': 'wait',
    'description': 'Waits.\nDoes not move.',
    'arguments_schema': {'type': 'object'},
    'reads_only': True,
    'idempotent': True,
    'resources': [],
    'risk': 'low',
    'timeout_s': 60.0,
}


class FakeSystem(Node):
    """Answers as the real nodes would. What a goal does is its instruction or skill: succeed, fail, hang, go_silent."""

    def __init__(self, context: Context) -> None:
        super().__init__('fake_system', context=context, namespace='robot2')
        self.requests: list[Any] = []
        self.goals: list[Any] = []
        self.silent = False
        self._sequence = 0
        self._states = self.create_publisher(SafetyState, 'safety_state', LATCHED)
        self._states.publish(SafetyState(state=SafetyState.HOLDING, epoch=7, fault='ODOM_STALE', resettable=True))
        self._pulse = self.create_publisher(Heartbeat, 'heartbeat', COMMAND)
        self.create_timer(0.1, self._beat)
        self.create_service(DescribeSkills, 'describe_skills', self._describe)
        for kind, name in ((TripSafety, 'trip_safety'), (ResetSafety, 'reset_safety'), (ResolveCall, 'resolve_call')):
            self.create_service(kind, name, self._decide)
        for kind, name in ((RunTask, 'run_task'), (ExecuteSkill, 'execute_skill')):
            ActionServer(self, kind, name, self._execute, cancel_callback=lambda goal: CancelResponse.ACCEPT)

    def _beat(self) -> None:
        if not self.silent:
            self._sequence += 1
            for name in ('planner', 'executor'):
                self._pulse.publish(Heartbeat(node=name, boot_id=1, sequence=self._sequence))

    def _describe(self, request: Any, response: Any) -> Any:
        response.skills_json, response.schema_hash = json.dumps([SKILL]), 'abc'
        return response

    def _decide(self, request: Any, response: Any) -> Any:
        self.requests.append(request)
        response.success = getattr(request, 'operator_name', 'x') != 'nobody'
        response.message = 'so be it'
        return response

    async def _execute(self, handle: Any) -> Any:
        goal = handle.request
        self.goals.append(goal)
        task = isinstance(goal, RunTask.Goal)
        kind = goal.instruction if task else goal.skill
        self.silent = kind == 'go_silent'
        self._feed_back(handle, task)
        while kind in ('hang', 'go_silent') and not handle.is_cancel_requested:
            await self._moment()
        return self._end(handle, task, kind)

    def _feed_back(self, handle: Any, task: bool) -> None:
        if task:
            handle.publish_feedback(RunTask.Feedback(step=3, kind='skill', text='[red]\x1b[2Jgo\n', progress=0.5))
        else:
            handle.publish_feedback(ExecuteSkill.Feedback(phase='run', detail='0.4 m left', progress=0.25))

    async def _moment(self) -> None:
        future: Any = rclpy.task.Future()
        timer = self.create_timer(0.05, lambda: future.set_result(None))
        await future
        self.destroy_timer(timer)

    def _end(self, handle: Any, task: bool, kind: str) -> Any:
        if handle.is_cancel_requested:
            handle.canceled()
            return RunTask.Result(status=3) if task else ExecuteSkill.Result(outcome=4, error_code='CANCELED')
        if kind == 'succeed':
            handle.succeed()
            done = ExecuteSkill.Result(outcome=1, effect=2, evidence_json='{"topic":"odom"}', attempts=1)
            return RunTask.Result(status=1, summary='there', skill_calls=2, llm_calls=3) if task else done
        handle.abort()
        failed = ExecuteSkill.Result(outcome=3, effect=1, error_code='TIMEOUT', advice='CHOOSE_ANOTHER', message='late')
        return RunTask.Result(status=5, error_code='TIMEOUT', summary='not shown') if task else failed


@pytest.fixture(scope='module')
def fake_system() -> Iterator[FakeSystem]:
    context = Context()
    rclpy.init(context=context, domain_id=DOMAIN)
    node = FakeSystem(context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    stop = threading.Event()

    def spin() -> None:
        while not stop.is_set():
            executor.spin_once(timeout_sec=0.05)

    thread = threading.Thread(target=spin)
    thread.start()
    try:
        yield node
    finally:
        stop.set()
        thread.join(timeout=10.0)
        node.destroy_node()
        context.try_shutdown()


@pytest.fixture(autouse=True)
def system(fake_system: FakeSystem) -> FakeSystem:
    """Return the fake system, alive and with nothing asked of it yet."""
    fake_system.silent = False
    fake_system.requests.clear()
    fake_system.goals.clear()
    return fake_system


def rta(*arguments: str, domain_id: int = DOMAIN) -> tuple[int, str]:
    """Run a command to its end; return its exit code and all it printed."""
    with RtaProcess([*RTA, '--namespace', 'robot2', *arguments], domain_id) as process:
        code = process.exit_code(timeout_s=30.0)
        return code, '\n'.join(process.lines)


def test_task_that_succeeds(system: FakeSystem) -> None:
    code, text = rta('task', 'succeed', '--task-id', 't-1')
    assert code == 0
    assert (system.goals[0].task_id, system.goals[0].instruction) == ('t-1', 'succeed')
    assert ' 50%  step 3  skill  [red] [2Jgo' in text
    assert 'SUCCEEDED  there' in text
    assert 'task t-1: 2 skill calls, 3 model calls' in text


def test_task_whose_success_nobody_saw_is_not_done() -> None:
    code, text = rta('task', 'fail')
    assert code == 1
    assert 'UNVERIFIED  TIMEOUT  not shown' in text


def test_tasks_get_ids_of_their_own(system: FakeSystem) -> None:
    rta('task', 'succeed')
    rta('task', 'succeed')
    assert len({goal.task_id for goal in system.goals}) == 2


@pytest.mark.parametrize('command', ['task', 'call'])
@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_cancels_and_waits_for_the_end(command: str, number: signal.Signals) -> None:
    with RtaProcess([*RTA, command, 'hang', '--namespace', 'robot2'], DOMAIN) as process:
        process.wait_line(r' ?[25][05]%  .*')
        process.send(number)
        assert process.exit_code() == 1
        assert any(line.startswith('CANCELED') for line in process.lines)


def test_a_call_that_takes_too_long_is_cancelled() -> None:
    code, text = rta('call', 'hang', '--timeout', '1')
    assert code == 1
    assert 'CANCELED  effect NONE' in text


@pytest.mark.parametrize('command', ['task', 'call'])
def test_a_server_whose_heartbeat_stops_is_not_waited_for(command: str) -> None:
    code, text = rta(command, 'go_silent')
    assert code == 3
    assert 'node was lost, the end was not seen' in text


def test_call_that_succeeds(system: FakeSystem) -> None:
    code, text = rta('call', 'succeed', '{"place": "厨房"}', '--call-id', 'c-1', '--json')
    assert code == 0
    goal = system.goals[0]
    assert (goal.call_id, goal.skill, goal.arguments_json) == ('c-1', 'succeed', '{"place": "厨房"}')
    assert goal.requested_by == 'operator'
    shown = json.loads(text[text.index('{'):])
    assert shown['outcome'] == 'SUCCEEDED'
    assert shown['effect'] == 'DONE'
    assert shown['evidence'] == {'topic': 'odom'}


def test_call_that_fails() -> None:
    code, text = rta('call', 'fail')
    assert code == 1
    assert 'FAILED  effect PARTIAL  TIMEOUT, advice CHOOSE_ANOTHER  late' in text


def test_skills() -> None:
    code, text = rta('skills')
    assert code == 0
    for part in ('wait', 'Waits.', 'reads only', '60 s'):
        assert part in text
    assert rta('skills', 'wait')[1].startswith('wait\n\nWaits.\nDoes not move.')
    assert rta('skills', 'fly') == (1, 'fly: no such skill; there are: wait')


def test_state() -> None:
    code, text = rta('state')
    assert (code, text) == (0, 'HOLDING  no motion  epoch 7  fault ODOM_STALE  can be reset')
    assert json.loads(rta('state', '--json')[1])['state'] == 'HOLDING'


def test_stop_and_reset_and_resolve(system: FakeSystem) -> None:
    assert rta('stop', '--reason', 'smoke') == (0, 'done: so be it')
    assert rta('reset', '--operator', 'Ada')[0] == 0
    assert rta('reset', '--operator', 'nobody') == (1, 'refused: so be it')
    assert rta('resolve', 'c-1', '--effect', 'partial', '--operator', 'Ada', '--reason', 'seen')[0] == 0
    stop, reset, _, resolve = system.requests
    assert (stop.fault, stop.detail, stop.epoch) == ('OPERATOR_STOP', 'smoke', 0)
    assert reset.operator_name == 'Ada'
    assert (resolve.call_id, resolve.effect, resolve.operator_name, resolve.reason) == ('c-1', 1, 'Ada', 'seen')


def test_without_a_system_every_command_says_so() -> None:
    commands = [['task', 'go'], ['call', 'wait'], ['skills'], ['state'], ['stop'], ['reset']]
    with ExitStack() as stack:
        running = [stack.enter_context(RtaProcess([*RTA, *command], EMPTY_DOMAIN)) for command in commands]
        for command, process in zip(commands, running, strict=True):
            assert process.exit_code(timeout_s=40.0) == 3, command
            assert 'Is the system up (`rta up`' in '\n'.join(process.lines), command


def test_journal(tmp_path: Path) -> None:
    path = str(tmp_path / 'journal.sqlite3')
    call = Admission('c-1', 'f', 't', 'pick', '{"object":"杯子"}', 'planner', frozenset({'gripper', 'arm'}), False)
    journal = Journal.open(path)
    journal.admit(call, 1_700_000_000.0)
    journal.start('c-1', '{"x_m":1.0}', 1_700_000_001.0)
    # The executor still has it open: reading must work beside it.
    code, text = rta('journal', '--path', path, 'list', '--json')
    assert code == 0
    assert [(row['call_id'], row['state'], row['unresolved']) for row in json.loads(text)] == [('c-1', 'STARTED', True)]
    end = CallEnd(Outcome.UNKNOWN, Effect.UNKNOWN, ErrorCode.TIMEOUT, 'lost sight', evidence_json='{"topic":"scan"}')
    journal.end('c-1', end, 1_700_000_002.0)
    journal.close()
    code, text = rta('journal', '--path', path, 'show', 'c-1')
    shown = json.loads(text)
    assert (code, shown['arguments'], shown['start']) == (0, {'object': '杯子'}, {'x_m': 1.0})
    assert shown['end']['outcome'] == 'UNKNOWN'
    assert shown['end']['evidence'] == {'topic': 'scan'}
    assert rta('journal', '--path', path, 'show', 'c-2') == (1, 'c-2: not in the journal')
    code, text = rta('journal', '--path', str(tmp_path / 'none'), 'list')
    assert code == 2
    assert 'unable to open' in text


def test_check() -> None:
    code, text = rta('check', 'sim_house')
    assert code == 0
    assert text.startswith('OK: ')
    code, text = rta('check', 'lunar')
    assert code == 2
    assert 'sim_house' in text.partition('there are: ')[2]


def test_wrong_use_is_exit_code_2() -> None:
    assert rta('resolve', 'c-1', '--effect', 'maybe')[0] == 2
    assert rta('fly')[0] == 2
