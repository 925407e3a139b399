"""What the demonstration calls true: verdicts from recorded ground truth, also where the claim is false."""

from __future__ import annotations

from dataclasses import replace

import pytest
from robot_tool_agent.core.geometry import Point, Pose2D
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.demo.judgement import judge_fetch, judge_kill, judge_slip, nearest, Repeat
from robot_tool_agent_sim.demo.record import Count, Motion, Record, State
from robot_tool_agent_sim.demo.things import let_go, positions_after

DOCK = Pose2D(0.0, 0.0, 0.0)
POSES = {'dock': DOCK, 'far': Pose2D(9.0, 0.0, 0.0)}
SPOT = Point(2.4, 0.0)
NEAR_M = 0.08
READY, STOPPING, RETREATING, SAFE = SafetyMode.READY, SafetyMode.STOPPING, SafetyMode.RETREATING, SafetyMode.SAFE


def drive(start_m: float, end_m: float, since_s: float, speed_mps: float) -> list[Motion]:
    """Straight on along x at 50 Hz with a signed speed."""
    steps = round((end_m - start_m) / speed_mps * 50)
    return [
        Motion(since_s + i / 50, Pose2D(start_m + speed_mps * i / 50, 0.0, 0.0), speed_mps, 0.0) for i in range(steps)
    ]


def rest(at_m: float, since_s: float, until_s: float) -> list[Motion]:
    steps = round((until_s - since_s) * 50)
    return [Motion(since_s + i / 50, Pose2D(at_m, 0.0, 0.0), 0.0, 0.0) for i in range(steps)]


def counts(*rows: tuple[float, str | None, int, int]) -> list[Count]:
    return [Count(at_s, held, picks, places, contacts=2) for at_s, held, picks, places in rows]


@pytest.fixture
def fetch() -> Record:
    motions = drive(0.0, 2.0, 0.0, 0.5) + rest(2.0, 4.0, 6.0)
    carried = counts((0, None, 3, 3), (1, 'cup', 4, 3), (4.9, 'cup', 4, 3), (5, None, 4, 4))
    return Record(motions, [State(0.0, READY)], carried)


def judged_fetch(record: Record, claims: bool = True):
    lies_at = positions_after(record, {'cup': Point(0.5, 0.0)}, 0.4)['cup']
    return judge_fetch(record, claims, 'cup', lies_at, SPOT)


def test_a_thing_let_go_lies_where_the_gripper_was(fetch: Record):
    assert let_go(fetch) == [(5, 'cup')]
    after = positions_after(fetch, {'cup': Point(0.5, 0.0), 'book': Point(7.0, 7.0)}, 0.4)
    assert after['cup'].x_m == pytest.approx(2.4)
    assert after['book'] == Point(7.0, 7.0)


def test_a_held_thing_is_at_the_gripper(fetch: Record):
    held = replace(fetch, counts=fetch.counts[:-1])
    assert let_go(held) == []
    assert positions_after(held, {'cup': Point(0.5, 0.0)}, 0.4)['cup'].x_m == pytest.approx(2.4)


def test_fetch_as_promised(fetch: Record):
    verdict = judged_fetch(fetch)
    assert verdict.agrees
    assert verdict.truth == 'cup 0.00 m from its spot; 1 grasp, 1 release'


def test_fetch_claimed_but_the_cup_is_elsewhere(fetch: Record):
    lost = replace(fetch, counts=counts((0, None, 0, 0), (1, 'cup', 1, 0), (2, None, 1, 0)))
    verdict = judged_fetch(lost)
    assert not verdict.agrees
    assert verdict.faults[0] == 'success was claimed, but cup is 1.00 m from where it belongs'
    assert '0 releases instead of one' in verdict.faults


def test_fetch_claimed_while_the_cup_is_still_held(fetch: Record):
    verdict = judged_fetch(replace(fetch, counts=fetch.counts[:-1]))
    assert any(fault.startswith('success was claimed') for fault in verdict.faults)
    assert verdict.truth.startswith('cup in the gripper')


def test_fetch_done_but_not_reported(fetch: Record):
    assert judged_fetch(fetch, claims=False).faults == ('the task was not reported as done',)


def test_fetch_with_a_second_grasp_or_a_contact(fetch: Record):
    twice = [replace(count, picks=count.picks + (count.at_s > 2)) for count in fetch.counts]
    assert judged_fetch(replace(fetch, counts=twice)).faults == ('2 grasps instead of one',)
    hit = [replace(count, contacts=count.contacts + (count.at_s > 2)) for count in fetch.counts]
    assert judged_fetch(replace(fetch, counts=hit)).faults == ('1 contact with a wall',)


def test_fetch_that_ends_moving(fetch: Record):
    rolling = replace(fetch.motions[-1], v_mps=0.2)
    moving = replace(fetch, motions=[*fetch.motions, rolling])
    assert judged_fetch(moving).faults == ('the robot still moves at the end',)


@pytest.fixture
def slip() -> Record:
    motions = drive(0.0, 2.0, 0.0, 0.5) + rest(2.0, 4.0, 7.0) + drive(2.0, 0.0, 7.0, -0.25) + rest(0.0, 15.0, 16.0)
    states = [State(0.0, READY), State(6.0, STOPPING), State(7.0, RETREATING), State(15.0, SAFE), State(16.0, READY)]
    return Record(motions, states, counts((0, None, 1, 1), (5.0, 'book', 2, 1), (5.4, None, 2, 1)))


def test_slip_as_promised(slip: Record):
    verdict = judge_slip(slip, False, 5.4, POSES, NEAR_M)
    assert verdict.agrees
    assert verdict.truth == 'gripper empty after 1 grasp; parked at dock'


def test_slip_claimed_as_success(slip: Record):
    assert judge_slip(slip, True, 5.4, POSES, NEAR_M).faults == ('success was claimed although the gripper is empty',)


def test_slip_repeated_blindly(slip: Record):
    again = [*slip.counts, Count(6.0, 'book', 3, 1, 2), Count(6.3, None, 3, 1, 2)]
    assert judge_slip(replace(slip, counts=again), False, 5.4, POSES, NEAR_M).faults == ('2 grasps instead of one',)


def test_slip_that_never_happened(slip: Record):
    held = judge_slip(replace(slip, counts=slip.counts[:2]), False, None, POSES, NEAR_M)
    assert 'nothing slipped' in held.faults
    assert 'book is held' in held.faults


def test_slip_without_parking(slip: Record):
    motions = [motion for motion in slip.motions if motion.at_s < 7.0]
    verdict = judge_slip(Record(motions, slip.states[:3], slip.counts), False, 5.4, POSES, NEAR_M)
    assert verdict.faults == (
        'the safety node never reported SAFE after the slip',
        'the robot stands 2.00 m from its nearest safe pose, dock',
    )


def killed(stop_s: float = 0.4, retreat: SafetyMode = RETREATING, last: SafetyMode = SAFE) -> Record:
    """Killed at 2.0 s at 0.5 m/s, at rest stop_s later, back at the dock at 8 s."""
    end_m = 1.0 + 0.5 * stop_s
    motions = drive(0.0, end_m, 0.0, 0.5) + rest(end_m, 2.0 + stop_s, 4.0)
    motions += drive(end_m, 0.0, 4.0, -0.25)
    motions += rest(0.0, motions[-1].at_s + 0.02, 14.0)
    arrived_s = next(motion.at_s for motion in motions if motion.at_s > 4.5 and not motion.moving)
    states = [State(0.0, READY), State(2.3, STOPPING), State(3.9, retreat), State(arrived_s, last)]
    return Record(motions, states, counts((0.0, None, 1, 1), (13.0, None, 1, 1)))


REPEAT = Repeat(12.0, claims_success=False)


def test_kill_as_promised():
    verdict = judge_kill(killed(), 2.0, REPEAT, POSES, NEAR_M)
    assert verdict.agrees, verdict.faults
    assert verdict.truth == '0.50 m/s to rest in 0.40 s; parked at dock; sent again it moved 0.00 m'


def test_kill_with_a_late_stop():
    assert judge_kill(killed(1.2), 2.0, REPEAT, POSES, NEAR_M).faults == ('no standstill within 1 s of the kill',)


def test_kill_of_a_robot_that_stood():
    verdict = judge_kill(killed(), 3.0, REPEAT, POSES, NEAR_M)
    assert verdict.faults == ('the robot did not drive when the executor died (0.00 m/s)',)


def test_kill_followed_by_motion_outside_a_retreat():
    verdict = judge_kill(killed(retreat=READY), 2.0, REPEAT, POSES, NEAR_M)
    assert verdict.faults == ('the robot moved 2.0 s after the kill without being in RETREATING',)


def test_kill_that_ends_holding():
    verdict = judge_kill(killed(last=SafetyMode.HOLDING), 2.0, REPEAT, POSES, NEAR_M)
    assert verdict.faults == ('the safety node never reported SAFE after the kill',)


def test_kill_whose_call_moves_again():
    record = killed()
    later = drive(0.0, 0.05, 14.0, 0.5) + rest(0.05, 14.1, 15.0)
    states = [*record.states, State(14.0, RETREATING), State(14.2, SAFE)]
    moved = Record([*record.motions, *later], states, record.counts)
    verdict = judge_kill(moved, 2.0, REPEAT, POSES, NEAR_M)
    assert verdict.faults == ('the call sent again moved the robot 0.050 m',)


def test_kill_whose_call_claims_success_or_never_answers():
    claimed = judge_kill(killed(), 2.0, Repeat(12.0, claims_success=True), POSES, NEAR_M)
    assert claimed.faults == ('the call sent again claims success',)
    assert judge_kill(killed(), 2.0, None, POSES, NEAR_M).faults == ('the call sent again got no answer',)


def test_kill_that_ends_away_from_every_safe_pose():
    assert 'the robot stands 1.00 m from its nearest safe pose, a' in judge_kill(
        killed(), 2.0, REPEAT, {'a': Pose2D(0.0, 1.0, 0.0)}, NEAR_M
    ).faults


def test_nearest_safe_pose():
    assert nearest(Pose2D(6.0, 0.0, 0.0), POSES) == ('far', 3.0)
