"""Hostile messages on every subscription of four real processes: all live on, nothing moves, and work goes on after."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, ExitStack
import math
from pathlib import Path
from random import Random
import subprocess
import time
from typing import Any

from executor_process import executor
from geometry_msgs.msg import PoseWithCovarianceStamped, Twist
from hostile_messages import hostile
from nav_msgs.msg import Odometry
from planner_process import planner
import pytest
from robot_tool_agent.core.outcomes import Outcome, TaskStatus
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent.nodes.qos import COMMAND, LATCHED
from robot_tool_agent_interfaces.msg import DetectedObjects, Heartbeat, MotionCommand, SafetyState
from robot_tool_agent_sim.harness.domains import free_domain
from robot_tool_agent_sim.harness.fresh_start import fresh_start
from robot_tool_agent_sim.harness.probe import Probe
from safety_process import safety_process
from sensor_msgs.msg import BatteryState, JointState, LaserScan
import sim_process
from std_msgs.msg import Bool
from trajectory_msgs.msg import JointTrajectory

ROUNDS = 40
ROUND_S = 0.05
SEED = 20_261_130
KINDS = {
    'odom': Odometry,
    'global_pose': PoseWithCovarianceStamped,
    'scan': LaserScan,
    'bumper': Bool,
    'joint_states': JointState,
    'battery_state': BatteryState,
    'detected_objects': DetectedObjects,
    'motion_command': MotionCommand,
    'heartbeat': Heartbeat,
    'safety_state': SafetyState,
    'cmd_vel': Twist,
    'joint_trajectory': JointTrajectory,
}


class System:
    """Four processes, each with what it wrote."""

    def __init__(self, domain_id: int, journal: Path, processes: dict[str, subprocess.Popen[str]]) -> None:
        self.domain_id, self.journal, self.processes = domain_id, journal, processes

    def ended(self) -> dict[str, int]:
        """Return the exit codes of processes that ended."""
        codes = {name: process.poll() for name, process in self.processes.items()}
        return {name: code for name, code in codes.items() if code is not None}


@pytest.fixture
def running(tmp_path: Path) -> Iterator[System]:
    domain_id, journal = free_domain(), tmp_path / 'journal.sqlite3'
    with ExitStack() as stack:
        processes = {
            'safety': stack.enter_context(safety_process(domain_id)),
            'simulator': stack.enter_context(sim_process.simulator(domain_id)),
            'executor': stack.enter_context(executor(domain_id, journal, '-p', 'exclusive_wait_s:=0.0')),
            'planner': stack.enter_context(planner(domain_id, 'provider:=rules')),
        }
        yield System(domain_id, journal, processes)


@contextmanager
def outsider(domain_id: int) -> Iterator[sim_process.Probe]:
    """Return a node that hears the truth and speaks on every topic."""
    probe = sim_process.Probe(domain_id, kinds={'sim/ground_truth': Odometry})
    try:
        yield probe
    finally:
        probe.close()


def tamed(topic: str, message: Any, random: Random) -> Any:
    """
    Take out what is no nonsense but an order, or the word of a second node of the same name.

    A velocity that is a number drives the simulator, as it would drive any base; a lower boot of an executor ends ours.
    """
    if topic == 'cmd_vel':
        message.linear.x = random.choice((math.nan, math.inf, -math.inf))
    if topic == 'motion_command' and message.use_twist:
        message.twist.angular.z = math.nan
    if topic == 'heartbeat':
        message.boot_id |= 2**63
    return message


def flood(probe: sim_process.Probe, system: System) -> None:
    """Publish rounds of hostile messages on every topic, as fast as a system may be expected to read them."""
    random = Random(SEED)
    publishers = {
        topic: probe.node.create_publisher(kind, topic, LATCHED if topic == 'safety_state' else COMMAND)
        for topic, kind in KINDS.items()
    }
    probe.until(lambda: all(item.get_subscription_count() > 0 for item in publishers.values()))
    for _ in range(ROUNDS):
        for topic, publisher in publishers.items():
            publisher.publish(tamed(topic, hostile(KINDS[topic], random), random))
        probe.listen(ROUND_S)
        assert system.ended() == {}
    for publisher in publishers.values():
        probe.node.destroy_publisher(publisher)


def truly_moved(probe: sim_process.Probe) -> list[Odometry]:
    """Return the true states in which the robot moved."""
    heard = probe.heard['sim/ground_truth']
    return [item for item in heard if abs(item.twist.twist.linear.x) > 1e-3 or abs(item.twist.twist.angular.z) > 1e-3]


def test_nonsense_on_every_topic_moves_nothing_and_ends_nobody(running: System) -> None:
    with Probe(running.domain_id) as probe:
        fresh_start(probe, running.journal)
    with outsider(running.domain_id) as probe:
        probe.fresh('sim/ground_truth')
        flood(probe, running)
        assert len(probe.heard['sim/ground_truth']) > 50
        assert truly_moved(probe) == []
    with Probe(running.domain_id) as probe:
        fresh_start(probe, running.journal)
        began_s = time.monotonic()
        assert probe.call_skill('move_relative', {'distance_m': 0.3}).result.outcome == Outcome.SUCCEEDED
        assert probe.counters()['travelled_m'] == pytest.approx(0.3, abs=0.08)
        assert probe.run_task('go to the living room').result.status == TaskStatus.SUCCEEDED
        assert probe.true_pose().y_m == pytest.approx(1.9, abs=0.15)
        assert set(probe.seen.modes(began_s)) == {SafetyMode.READY}
    assert running.ended() == {}
