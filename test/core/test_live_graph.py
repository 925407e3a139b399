"""What `rta check` says of a running robot: one table of facts and the row each gets."""

from __future__ import annotations

from dataclasses import replace

import pytest
from robot_tool_agent.core.live_graph import Endpoint, Finding, judge_inputs, judge_output, Listened, TopicFacts
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.robot.topics import InputTopic, Topics
from sim_house import robot_description

SCAN = 'sensor_msgs/msg/LaserScan'
WINDOW_S = 2.0


def robot() -> RobotDescription:
    """Return the house robot with odometry and a scan of 20 Hz alone."""
    topics = Topics(odom=InputTopic(rate_hz=50.0), scan=InputTopic(rate_hz=20.0))
    return robot_description().model_copy(update={'topics': topics})


def heard(rate_hz: float, age_s: float = 0.01, frame: str = 'base_scan') -> Listened:
    count = round(WINDOW_S * rate_hz)
    return Listened([i / rate_hz for i in range(count)], [age_s] * count, frozenset({frame}))


GOOD = TopicFacts('/scan', SCAN, [Endpoint('/lidar', SCAN)], [], heard(20.0))


def row(facts: TopicFacts) -> Finding:
    odom = TopicFacts('/odom', 'nav_msgs/msg/Odometry', [Endpoint('/base', 'nav_msgs/msg/Odometry')], [], heard(50.0))
    odom = replace(odom, listened=replace(odom.listened, frames=frozenset({'odom'})))
    first, second = judge_inputs(robot(), {'odom': odom, 'scan': facts}, WINDOW_S)
    assert first == Finding('/odom', True, '50.0 Hz, 0.010 s old')
    return second


def test_a_topic_that_keeps_what_the_description_promises() -> None:
    assert row(GOOD) == Finding('/scan', True, '20.0 Hz, 0.010 s old')


@pytest.mark.parametrize(
    ('facts', 'found', 'remedy'),
    [
        (replace(GOOD, publishers=[]), 'nobody publishes it', 'or leave topics.scan out'),
        (
            replace(GOOD, publishers=[], same_type_elsewhere=('/front/scan',)),
            'nobody publishes it',
            'set topics.scan.name (this type comes on /front/scan)',
        ),
        (
            replace(GOOD, publishers=[Endpoint('/lidar', 'sensor_msgs/msg/PointCloud2')]),
            'published as sensor_msgs/msg/PointCloud2, needed is sensor_msgs/msg/LaserScan',
            'topics.scan.name',
        ),
        (
            replace(GOOD, publishers=[Endpoint('/lidar', SCAN, False, 'best effort, volatile')]),
            'quality of service does not match: /lidar (best effort, volatile)',
            'driver',
        ),
        (replace(GOOD, listened=Listened()), 'no message in 2.0 s', 'says nothing'),
        (replace(GOOD, listened=heard(2.0)), 'gaps of 0.50 s, 0.25 s is the limit', 'topics.scan.rate_hz'),
        (replace(GOOD, listened=heard(10.0)), '10.0 Hz, 0.010 s old, declared 20 Hz', 'lower topics.scan.rate_hz'),
        (replace(GOOD, listened=heard(20.0, 12.0)), 'stamps are 12.00 s old, 0.25 s is the limit', 'use_sim_time'),
        (replace(GOOD, listened=heard(20.0, -0.4)), 'stamps are 0.40 s in the future', 'set the clocks'),
        (replace(GOOD, listened=heard(20.0, frame='laser')), "frame 'laser', described is 'base_scan'", 'frames.scan'),
    ],
)
def test_each_difference_is_named_with_what_to_do(facts: TopicFacts, found: str, remedy: str) -> None:
    finding = row(facts)
    assert not finding.ok
    assert finding.found == found
    assert remedy in finding.remedy


def test_an_unnamed_frame_and_a_message_without_a_stamp_are_no_difference() -> None:
    assert row(replace(GOOD, listened=heard(20.0, frame=''))).ok
    assert row(replace(GOOD, listened=Listened(heard(20.0).arrivals_s))).found == '20.0 Hz'


TWIST, STAMPED = 'geometry_msgs/msg/Twist', 'geometry_msgs/msg/TwistStamped'
COMMAND = TopicFacts('/cmd_vel', TWIST, [Endpoint('/safety', TWIST)], [Endpoint('/base', TWIST)])


@pytest.mark.parametrize(
    ('facts', 'ok', 'found'),
    [
        (COMMAND, True, '1 subscription(s)'),
        (replace(COMMAND, subscriptions=[]), False, 'nobody listens to it'),
        (
            replace(COMMAND, subscriptions=[Endpoint('/base', STAMPED)]),
            False,
            f'taken as {STAMPED}, sent is {TWIST}',
        ),
        (
            replace(COMMAND, publishers=[*COMMAND.publishers, Endpoint('/teleop', TWIST)]),
            False,
            'also published by /teleop',
        ),
        (
            replace(COMMAND, subscriptions=[Endpoint('/base', TWIST, False, 'reliable, transient local')]),
            False,
            'quality of service does not match: /base (reliable, transient local)',
        ),
    ],
)
def test_a_command_topic_has_one_source_and_a_taker(facts: TopicFacts, ok: bool, found: str) -> None:
    finding = judge_output('cmd_vel', facts, '/safety')
    assert (finding.ok, finding.found) == (ok, found)
    assert bool(finding.remedy) is not ok
