"""How an executor begins and ends: kills, signals, rivals, bad files, a person who decides; each on its own node."""

import signal

from executor_process import executor, SafetyStandIn
import pytest
from robot_tool_agent_interfaces.action import ExecuteSkill
from robot_tool_agent_interfaces.msg import ApprovalRequest
from robot_tool_agent_interfaces.srv import DecideApproval, ResolveCall
from sim_house import ROBOT_FILE
from sim_process import simulator

SIM_DOMAIN, BARE_DOMAIN = 6, 7
Result = ExecuteSkill.Result


def test_a_kill_in_mid_motion_is_remembered(tmp_path):
    journal = tmp_path / 'journal.sqlite3'
    domain = SIM_DOMAIN
    with simulator(domain):
        rig = SafetyStandIn(domain)
        try:
            with executor(domain, journal) as process:
                rig.until(lambda: rig.call_skill('get_robot_state')[0] == 'succeeded', 30.0)
                rig.set_off('killed')
                process.send_signal(signal.SIGKILL)
                process.wait(10)
            rig.until(lambda: rig.true_speed_mps() < 0.01, 5.0)
            stood_at_m = rig.truth()['travelled_m']
            with executor(domain, journal):
                rig.until(lambda: rig.call_skill('get_robot_state')[0] == 'succeeded', 30.0)
                status, result = rig.call_skill('move_relative', '{"distance_m": 2.0}', 'killed')
                assert (status, result.outcome, result.error_code) == ('aborted', Result.UNKNOWN, 'RESTARTED')
                assert result.replayed
                status, result = rig.call_skill('move_relative', '{"distance_m": 0.3}', 'next')
                assert (result.error_code, result.effect) == ('UNRESOLVED_CALL', 0)
                assert rig.truth()['travelled_m'] == pytest.approx(stood_at_m, abs=0.001)
                request = ResolveCall.Request(
                    call_id='killed', effect=1, operator_name='ann', reason='it stands half way'
                )
                assert rig.call(ResolveCall, 'resolve_call', request).success
                assert rig.call_skill('move_relative', '{"distance_m": 0.3}', 'after')[0] == 'succeeded'
        finally:
            rig.close()


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_node_with_0(tmp_path, number):
    with executor(BARE_DOMAIN, tmp_path / 'journal.sqlite3') as process:
        rig = SafetyStandIn(BARE_DOMAIN)
        try:
            rig.until(rig.client.server_is_ready, 20.0)
        finally:
            rig.close()
        process.send_signal(number)
        assert process.wait(10) == 0


def test_a_signal_in_mid_call_stands_still_and_tells_the_caller(tmp_path):
    domain = SIM_DOMAIN
    with simulator(domain), executor(domain, tmp_path / 'journal.sqlite3') as process:
        rig = SafetyStandIn(domain)
        try:
            rig.until(lambda: rig.call_skill('get_robot_state')[0] == 'succeeded', 30.0)
            handle = rig.set_off('ended')
            process.send_signal(signal.SIGTERM)
            status, result = rig.end(handle, 10.0)
            assert (status, result.outcome, result.effect) == ('aborted', Result.CANCELED, Result.EFFECT_PARTIAL)
            assert process.wait(10) == 0
        finally:
            rig.close()


def test_a_second_executor_on_another_journal_refuses_to_start(tmp_path):
    with executor(BARE_DOMAIN, tmp_path / 'one.sqlite3') as first:
        rig = SafetyStandIn(BARE_DOMAIN)
        try:
            rig.until(rig.client.server_is_ready, 20.0)
            with executor(BARE_DOMAIN, tmp_path / 'two.sqlite3') as second:
                output, _ = second.communicate(timeout=20)
            assert second.returncode == 2
            assert 'another executor serves execute_skill' in output
            assert first.poll() is None
        finally:
            rig.close()


def test_bad_files_end_the_node_with_2_and_every_fault(tmp_path):
    robot = tmp_path / 'robot.yaml'
    text = ROBOT_FILE.read_text(encoding='utf-8')
    robot.write_text(text.replace('rate_hz: 50.0', 'rate_hz: 0').replace('pick: {', 'pik: {'), encoding='utf-8')
    with executor(BARE_DOMAIN, tmp_path / 'journal.sqlite3', robot=robot) as process:
        output, _ = process.communicate(timeout=20)
    assert process.returncode == 2
    assert 'topics.odom.rate_hz = 0' in output


def test_a_second_executor_on_the_same_journal_refuses_to_start(tmp_path):
    journal = tmp_path / 'journal.sqlite3'
    with executor(BARE_DOMAIN, journal) as first:
        rig = SafetyStandIn(BARE_DOMAIN)
        try:
            rig.until(rig.client.server_is_ready, 20.0)
        finally:
            rig.close()
        with executor(BARE_DOMAIN, journal) as second:
            output, _ = second.communicate(timeout=20)
        assert second.returncode == 2
        assert 'in use by another executor' in output
        assert first.poll() is None


def test_a_person_decides_by_service_and_no_answer_is_a_no(tmp_path):
    domain = SIM_DOMAIN
    robot = tmp_path / 'robot.yaml'
    text = ROBOT_FILE.read_text(encoding='utf-8')
    robot.write_text(text.replace('approvals: []', 'approvals: [{skill: move_relative}]'), encoding='utf-8')
    arguments = ('-p', 'approval_timeout_s:=5.0')
    with simulator(domain), executor(domain, tmp_path / 'journal.sqlite3', *arguments, robot=robot):
        rig = SafetyStandIn(domain)
        asked = []
        rig.node.create_subscription(ApprovalRequest, 'approval_requests', asked.append, 10)
        try:
            rig.until(lambda: rig.call_skill('get_robot_state')[0] == 'succeeded', 30.0)
            for call_id, approve, code in (('yes', True, ''), ('no', False, 'APPROVAL_DENIED')):
                handle = rig.goal('move_relative', '{"distance_m": 0.2}', call_id)
                rig.until(lambda call_id=call_id: [item for item in asked if item.call_id == call_id])
                request = DecideApproval.Request(call_id=call_id, approve=approve, operator_name='ann')
                assert rig.call(DecideApproval, 'decide_approval', request).success
                assert rig.end(handle)[1].error_code == code
                assert not rig.call(DecideApproval, 'decide_approval', request).success
            assert rig.truth()['travelled_m'] == pytest.approx(0.2, abs=0.05)
            _, late = rig.call_skill('move_relative', '{"distance_m": 0.3}', 'late')
            assert (late.error_code, late.outcome) == ('APPROVAL_EXPIRED', Result.REJECTED)
        finally:
            rig.close()
