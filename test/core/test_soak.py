"""The arithmetic of a soak run: what counts as growth, as a missed tick, as a claim that is not true."""

from __future__ import annotations

from itertools import islice
import os

from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent_sim.faults import FAULTS as KNOWN
from robot_tool_agent_sim.soak.errands import Errand, errands, FAULTS, is_true
from robot_tool_agent_sim.soak.load import growth, Load, load_of
from robot_tool_agent_sim.soak.tally import missed_ticks, Tally
from sim_house import robot_description


def test_growth_beyond_the_slack_is_named_by_process() -> None:
    before = {'safety': Load(90.0, 40, 12), 'executor': Load(100.0, 50, 14)}
    assert growth(before, {'safety': Load(110.0, 44, 15), 'executor': Load(100.0, 50, 14)}) == []
    grown = growth(before, {'safety': Load(112.0, 40, 12), 'executor': Load(90.0, 55, 18)})
    assert grown == [
        'safety: memory 90 to 112 MB',
        'executor: file descriptors 50 to 55',
        'executor: threads 14 to 18',
    ]


def test_the_load_of_this_process_is_real() -> None:
    load = load_of(os.getpid())
    assert 5.0 < load.memory_mb < 4000.0
    assert load.files >= 3
    assert load.threads >= 1
    with open(os.devnull):
        assert load_of(os.getpid()).files == load.files + 1


def test_a_gap_counts_the_ticks_that_did_not_come() -> None:
    regular = [0.02 * number for number in range(50)]
    assert missed_ticks(regular) == 0
    assert missed_ticks([*regular, regular[-1] + 0.2]) == 9
    assert missed_ticks([]) == 0


def test_the_same_seed_gives_the_same_tasks_with_known_faults() -> None:
    first, again, other = (list(islice(errands(seed), 200)) for seed in (3, 3, 4))
    assert first == again
    assert first != other
    assert {errand.fault for errand in first} == {'', *FAULTS}
    assert set(FAULTS) <= set(KNOWN)
    assert {errand.place for errand in first} <= {'', *robot_description().places}


def test_a_success_is_borne_out_by_the_place_or_by_what_was_put_down() -> None:
    robot = robot_description()
    errand = Errand('go to the kitchen', 'kitchen', '', 0.0)
    assert is_true(errand, robot, Pose2D(7.0, 4.6, 0.0), 0)
    assert not is_true(errand, robot, Pose2D(7.0, 4.3, 0.0), 0)
    fetch = Errand('bring the cup', '', '', 0.0)
    assert [is_true(fetch, robot, Pose2D(0.0, 0.0, 0.0), places) for places in (0, 1, 2)] == [False, True, False]


def test_what_must_not_happen_is_a_problem() -> None:
    tally = Tally()
    tally.ends['FAILED'] += 1
    assert (tally.tasks, tally.problems()) == (1, [])
    tally.unfinished.append('x')
    tally.false_success.append('y')
    assert (tally.tasks, tally.problems()) == (2, ['claimed and not true: y', 'never ended: x'])
