"""The turtle adapter as a process beside a stand-in for turtlesim."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
import signal
from typing import Any

from geometry_msgs.msg import PoseWithCovarianceStamped
from nav_msgs.msg import Odometry
import pytest
from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.nodes.clock import seconds
from robot_tool_agent_sim.turtlesim.types import pose_type
from sensor_msgs.msg import LaserScan
from sim_house import CONFIG, ROBOT_FILE
from sim_process import Probe
from turtle_stand_in import turtle_adapter, turtle_stand_in, TurtleStandIn

DOMAIN = 25
TURTLE_FILE = CONFIG / 'robots' / 'turtlesim.yaml'
KINDS = {'odom': Odometry, 'global_pose': PoseWithCovarianceStamped, 'scan': LaserScan}
Running = tuple[Probe, TurtleStandIn, Any]


@pytest.fixture(scope='module')
def running() -> Iterator[Running]:
    with turtle_stand_in(DOMAIN) as turtle, turtle_adapter(DOMAIN, TURTLE_FILE) as process:
        probe = Probe(DOMAIN, kinds=KINDS)
        try:
            probe.until(lambda: all(probe.heard[topic] for topic in KINDS))
            yield probe, turtle, process
        finally:
            probe.close()


def test_it_speaks_as_a_robot_of_the_suite(running: Running) -> None:
    probe, turtle, _ = running
    turtle.teleport(2.0, 3.0, 0.5)
    probe.until(lambda: probe.heard['odom'][-1].pose.pose.position.x == 2.0)
    odom, located, scan = (probe.fresh(topic) for topic in ('odom', 'global_pose', 'scan'))
    assert (odom.header.frame_id, odom.child_frame_id) == ('odom', 'base_link')
    assert (located.header.frame_id, located.pose.pose.position.y) == ('map', 3.0)
    assert (scan.header.frame_id, len(scan.ranges)) == ('base_scan', 360)
    assert min(scan.ranges) == pytest.approx(2.0, abs=0.01)
    probe.heard['odom'].clear()
    probe.until(lambda: len(probe.heard['odom']) > 60)
    stamps = [seconds(message.header.stamp) for message in probe.heard['odom']]
    assert (len(stamps) - 1) / (stamps[-1] - stamps[0]) == pytest.approx(62.5, rel=0.2)


def test_a_silent_gate_means_zero_long_before_turtlesim_would_stop(running: Running) -> None:
    probe, turtle, _ = running
    turtle.teleport(5.0, 5.0, 0.0)
    with probe.driving(0.5):
        probe.until(lambda: turtle.commands and turtle.commands[-1].v_mps == 0.5)
        probe.until(lambda: probe.heard['odom'][-1].twist.twist.linear.x == pytest.approx(0.5, abs=0.1))
    probe.until(lambda: turtle.commands[-1] == Twist2D(), limit_s=0.9)
    probe.until(lambda: probe.heard['odom'][-1].twist.twist.linear.x == 0.0)


def test_a_turtle_that_says_nothing_lets_all_inputs_fall_silent(running: Running) -> None:
    probe, turtle, _ = running
    turtle.silent = True
    probe.drain()
    for messages in probe.heard.values():
        messages.clear()
    probe.listen(0.5)
    assert not any(probe.counts().values())
    turtle.silent = False
    probe.until(lambda: all(probe.heard[topic] for topic in KINDS))


def test_it_leaves_the_turtle_standing(running: Running) -> None:
    probe, turtle, process = running
    with probe.driving(0.5):
        probe.until(lambda: turtle.commands[-1].v_mps == 0.5)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10.0) == 0
    probe.until(lambda: turtle.commands[-1] == Twist2D())


def test_a_wrong_start_names_every_fault(tmp_path: Path) -> None:
    bad = tmp_path / 'bad.yaml'
    bad.write_text(ROBOT_FILE.read_text(encoding='utf-8').replace('radius_m: 0.18', 'radius_m: wide'), encoding='utf-8')
    for file, arguments, parts in (
        (bad, (), ('radius_m', 'wide')),
        (TURTLE_FILE, ('-p', 'command_timeout_s:=9.0', '-p', 'turtle:="a b"'), ('command_timeout_s', 'turtle')),
    ):
        with turtle_adapter(DOMAIN, file, *arguments) as process:
            said, _ = process.communicate(timeout=20.0)
        assert process.returncode == 2, said
        assert all(part in said for part in parts), said


def test_the_real_message_type_is_looked_for() -> None:
    pytest.importorskip('turtlesim')
    assert {'x', 'y', 'theta'} <= set(pose_type().get_fields_and_field_types())
