"""A scripted model drives the real nodes in every way there is to run calls; ground truth says what the robot did."""

from __future__ import annotations

from collections.abc import Callable, Iterator
import json
from pathlib import Path
from typing import Any

from malformed_replies import ROWS
from players.stage import Stage
from players.start import launch_options, REHEARSAL_UP, TEST, wait_ready
import pytest
from readme_tables import code_block
from rehearsal.cast import VARIABLE
from robot_tool_agent.core.journal import Journal
from robot_tool_agent.core.outcomes import TaskStatus
from robot_tool_agent_interfaces.action import RunTask
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.fresh_start import fresh_start
from robot_tool_agent_sim.harness.probe import Probe
from robot_tool_agent_sim.harness.system import RunningSystem
from scenario_setups import SetUp

pytestmark = pytest.mark.slow
Line = dict[str, Any]
Play = Callable[..., tuple[RunTask.Result, list[str]]]
LIMITS = {'planner': {'max_corrections': 1, 'max_parallel': 2}, 'executor': {'breaker_failures': 100}}
DONE = {'calls': [{'name': 'finish_task', 'arguments': {'claim': 'DONE', 'text': 'as asked'}}]}


def calls(*named: tuple[str, Line]) -> Line:
    return {'calls': [{'name': name, 'arguments': arguments} for name, arguments in named]}


def step(name: str, skill: str, arguments: Line | None = None, **more: Any) -> Line:
    return {'id': name, 'skill': skill, 'arguments': arguments or {}, **more}


def plan(*steps: Line) -> Line:
    return calls(('submit_plan', {'steps': list(steps)}))


def _install_skill(folder: Path) -> None:
    """Lay the README's skill down as an installed package of its own."""
    information = folder / 'open_gripper-1.0.dist-info'
    information.mkdir(parents=True)
    (folder / 'open_gripper.py').write_text(code_block('python', 'class OpenGripper'), encoding='utf-8')
    (information / 'METADATA').write_text('Metadata-Version: 2.1\nName: open-gripper\nVersion: 1.0\n')
    points = '[robot_tool_agent.skills]\nopen_gripper = open_gripper:OpenGripper\n'
    (information / 'entry_points.txt').write_text(points)


@pytest.fixture(scope='module')
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Return a running system whose planner speaks ordered scripts and whose robot can open its gripper."""
    home = tmp_path_factory.mktemp('ros_home')
    _install_skill(home / 'packages')
    last = '  go_to_safe_pose: {timeout_s: 90.0}'
    says = 'a scripted model, a robot that can open its gripper'
    set_up = SetUp(
        'ways', says, robot_changes=((last, f'{last}\n  open_gripper: {{}}'),), parameters=LIMITS, cast=('planner',)
    )
    options = [word for name, value in launch_options(home, set_up).items() for word in (f'--{name}', value)]
    extra = {VARIABLE: 'planner', 'PYTHONPATH': f'{TEST}:{home / "packages"}'}
    domain_id = free_domain()
    with RunningSystem(domain_id, home, options, REHEARSAL_UP, extra) as system, Probe(domain_id) as probe:
        wait_ready(system, probe)
        yield Stage(probe, system.kill, system.stop, system.home, domain_id, set_up)
        print(system.tail())


@pytest.fixture
def play(stage: Stage) -> Play:
    """Return a function that runs a task whose model says the lines; it returns the result and what was reported."""
    fresh_start(stage.probe, stage.journal)

    def run(*lines: Line) -> tuple[RunTask.Result, list[str]]:
        stage.orders.give('script', json.dumps(lines))
        goal = stage.probe.send_task('do as the script says')
        result = goal.result(120.0).result
        return result, [f'{item.kind} {item.text}' for item in goal.feedback]

    return run


def outcome(result: RunTask.Result) -> tuple[TaskStatus, str]:
    return TaskStatus(result.status), result.error_code


def called(stage: Stage) -> list[str]:
    """Return every call that the executor ever admitted."""
    journal = Journal.read_only(str(stage.journal))
    try:
        return [row.admission.call_id for row in journal.rows(10_000)]
    finally:
        journal.close()


def test_no_malformed_reply_moves_the_robot(stage: Stage, play: Play) -> None:
    before = called(stage)
    codes = {}
    for name, line, _ in ROWS:
        result, _ = play_again(stage, line)
        codes[name] = result.error_code
    assert codes == {name: code for name, _, code in ROWS}
    assert called(stage) == before
    truth = stage.probe.counters()
    assert (truth['travelled_m'], truth['turned_rad']) == pytest.approx((0.0, 0.0), abs=1e-3)
    assert (truth['contacts'], truth['picks'], truth['places'], truth['held']) == (0, 0, 0, None)


def play_again(stage: Stage, line: Line) -> tuple[RunTask.Result, list[str]]:
    """Run a task whose model says one line twice, in the state the robot is in."""
    stage.orders.give('script', json.dumps([line, line]))
    goal = stage.probe.send_task('do as the script says')
    return goal.result(30.0).result, [item.kind for item in goal.feedback]


def test_a_corrected_call_moves_the_robot_once(stage: Stage, play: Play) -> None:
    bad, good = calls(('move_relative', {'distance_m': '0.3'})), calls(('move_relative', {'distance_m': 0.3}))
    result, told = play(bad, good, DONE)
    assert outcome(result) == (TaskStatus.SUCCEEDED, '')
    assert [line for line in told if line.startswith('correction INVALID_ARGUMENT')]
    assert stage.probe.counters()['travelled_m'] == pytest.approx(0.3, abs=0.05)


def test_calls_of_one_reply_run_one_after_another(stage: Stage, play: Play) -> None:
    forward = ('move_relative', {'distance_m': 0.3})
    result, told = play(calls(forward, ('look', {}), ('rotate_relative', {'angle_rad': 0.5})), DONE)
    assert outcome(result) == (TaskStatus.SUCCEEDED, '')
    order = [line.split()[:2] for line in told if line.split()[0] in ('call', 'result')]
    names = ['move_relative', 'look', 'rotate_relative']
    assert [kind for kind, _ in order] == ['call', 'result'] * 3
    assert [name.rstrip(':') for _, name in order] == [name for name in names for _ in range(2)]
    truth = stage.probe.counters()
    assert (truth['travelled_m'], truth['turned_rad']) == pytest.approx((0.3, 0.5), abs=0.08)


def test_base_and_gripper_move_side_by_side(stage: Stage, play: Play) -> None:
    result, told = play(calls(('move_relative', {'distance_m': 0.6}), ('open_gripper', {})), DONE)
    assert outcome(result) == (TaskStatus.SUCCEEDED, '')
    kinds = [line.split()[0] for line in told if line.split()[0] in ('call', 'result')]
    assert kinds == ['call', 'call', 'result', 'result']
    assert 'open_gripper' in next(line for line in told if line.startswith('result'))
    assert stage.probe.counters()['travelled_m'] == pytest.approx(0.6, abs=0.05)


def test_a_plan_fetches_the_ball_without_the_model(stage: Stage, play: Play) -> None:
    fetch = plan(
        step('go', 'navigate_to', {'place': 'table'}),
        step('see', 'look', after=['go']),
        step('take', 'pick', {'object': 'ball_1'}, after=['see']),
        step('home', 'go_to_safe_pose', when=[{'step': 'take', 'outcome': 'NOT_SUCCEEDED'}]),
    )
    result, _ = play(fetch, DONE)
    assert outcome(result) == (TaskStatus.SUCCEEDED, '')
    assert (result.skill_calls, result.llm_calls) == (3, 2)
    truth = stage.probe.counters()
    assert (truth['held'], truth['picks']) == ('ball_1', 1)


def test_a_plan_takes_the_branch_for_a_refused_call(stage: Stage, play: Play) -> None:
    unseen = step('take', 'pick', {'object': 'unicorn'})
    turn = step('turn', 'rotate_relative', {'angle_rad': 0.5}, when=[{'step': 'take', 'outcome': 'REJECTED'}])
    never = step('never', 'move_relative', {'distance_m': 0.5}, after=['take'])
    result, _ = play(plan(unseen, turn, never), DONE)
    assert outcome(result) == (TaskStatus.SUCCEEDED, '')
    assert result.skill_calls == 2
    truth = stage.probe.counters()
    assert (truth['travelled_m'], truth['turned_rad']) == pytest.approx((0.0, 0.5), abs=0.08)


def test_a_plan_with_a_fault_in_its_last_step_moves_nothing(stage: Stage, play: Play) -> None:
    bad = plan(
        step('go', 'move_relative', {'distance_m': 0.5}),
        step('more', 'move_relative', {'distance_m': '0.5'}, after=['go']),
    )
    result, _ = play(bad, bad)
    assert outcome(result) == (TaskStatus.FAILED, 'INVALID_ARGUMENT')
    assert stage.probe.counters()['travelled_m'] == pytest.approx(0.0, abs=1e-3)


def test_step_by_step_the_model_decides_after_every_result(stage: Stage, play: Play) -> None:
    turn, move = ('rotate_relative', {'angle_rad': -0.4}), ('move_relative', {'distance_m': 0.3})
    result, told = play(calls(('look', {})), calls(turn), calls(move), DONE)
    assert outcome(result) == (TaskStatus.SUCCEEDED, '')
    assert (result.skill_calls, result.llm_calls) == (3, 4)
    kinds = [line.split()[0] for line in told if line.split()[0] in ('thinking', 'call', 'result')]
    assert kinds == ['thinking', 'call', 'result'] * 3 + ['thinking']


def test_the_same_failure_three_times_ends_the_task_and_names_the_limit(stage: Stage, play: Play) -> None:
    nothing_held = calls(('place', {'place': 'table'}))
    result, _ = play(*[nothing_held] * 5)
    assert outcome(result) == (TaskStatus.FAILED, 'BUDGET_EXHAUSTED')
    assert 'max_repeats = 3' in result.summary
    assert result.skill_calls == 3
    assert stage.probe.counters()['travelled_m'] == pytest.approx(0.0, abs=1e-3)


@pytest.mark.parametrize('claim', [DONE, {'text': 'DONE: I brought it'}])
def test_a_claim_after_looking_only_is_unverified(play: Play, claim: Line) -> None:
    result, _ = play(calls(('look', {})), claim)
    assert outcome(result) == (TaskStatus.UNVERIFIED, 'VERIFICATION_FAILED')


def test_the_valid_objects_of_pick_are_those_the_robot_sees(stage: Stage, play: Play) -> None:
    def valid() -> list[str]:
        rows = {row['name']: row for row in stage.probe.describe_skills()}
        return list(rows['pick']['arguments_schema']['properties']['object'].get('enum', ()))

    stage.probe.wait_until(lambda: 'ball_1' in valid(), 10.0, 'the ball among the valid objects')
    assert 'cup_1' not in valid()
    result, _ = play_again(stage, calls(('pick', {'object': 'cup_1'})))
    assert outcome(result) == (TaskStatus.FAILED, 'UNKNOWN_ENTITY')
    stage.probe.call_skill('rotate_relative', {'angle_rad': 3.1})
    stage.probe.wait_until(lambda: 'ball_1' not in valid(), 10.0, 'no ball behind the robot')
