"""Compares what a robot description promises with what is seen in a running ROS graph. No ROS here: facts come in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median

from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.robot.topics import InputTopic

# A rate this much below the declared one is worth a word; what the suite cannot live with is silence.
SLOW_SHARE = 0.7
FUTURE_S = 0.1


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One publisher or subscription. `compatible`: whether its quality of service fits the suite's."""

    node: str
    type_name: str
    compatible: bool = True
    qos: str = ''


@dataclass(frozen=True, slots=True)
class Listened:
    """What came on one topic. Times in seconds; `ages_s` are ROS time now minus stamp, none for unstamped messages."""

    arrivals_s: Sequence[float] = ()
    ages_s: Sequence[float] = ()
    frames: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TopicFacts:
    """All that was seen of one topic."""

    name: str
    expected_type: str
    publishers: Sequence[Endpoint] = ()
    subscriptions: Sequence[Endpoint] = ()
    listened: Listened = field(default_factory=Listened)
    same_type_elsewhere: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One row: topic, whether it is well, what was found, and what to do (empty if nothing)."""

    topic: str
    ok: bool
    found: str
    remedy: str = ''


def judge_inputs(robot: RobotDescription, facts: Mapping[str, TopicFacts], window_s: float) -> list[Finding]:
    """Return a row for every input topic of the robot, by standard name, after listening for `window_s` seconds."""
    inputs = robot.topics.inputs()
    return [_input(name, topic, facts[name], robot.frame_of(name), window_s) for name, topic in inputs.items()]


def _input(key: str, topic: InputTopic, facts: TopicFacts, frame: str, window_s: float) -> Finding:
    fault = (
        _unpublished(key, facts)
        or _mistyped(key, facts)
        or _incompatible(facts)
        or _silent(key, topic, facts.listened, window_s)
        or _stale(topic, facts.listened)
        or _framed(key, facts.listened, frame)
    )
    if fault is not None:
        return Finding(facts.name, False, *fault)
    rate_hz = _rate_hz(facts.listened, window_s)
    found = f'{rate_hz:.1f} Hz' + (f', {median(facts.listened.ages_s):.3f} s old' if facts.listened.ages_s else '')
    if rate_hz < SLOW_SHARE * topic.rate_hz:
        remedy = f'lower topics.{key}.rate_hz to what the robot does; it allows silence of {topic.stale_s:.2f} s now'
        return Finding(facts.name, False, f'{found}, declared {topic.rate_hz:g} Hz', remedy)
    return Finding(facts.name, True, found)


Fault = tuple[str, str]


def _unpublished(key: str, facts: TopicFacts) -> Fault | None:
    if facts.publishers:
        return None
    elsewhere = ', '.join(facts.same_type_elsewhere[:3])
    hint = f'set topics.{key}.name (this type comes on {elsewhere})' if elsewhere else f'or leave topics.{key} out'
    return 'nobody publishes it', f'start its driver, {hint}'


def _mistyped(key: str, facts: TopicFacts) -> Fault | None:
    wrong = sorted({end.type_name for end in facts.publishers if end.type_name != facts.expected_type})
    if not wrong:
        return None
    text = f'published as {", ".join(wrong)}, needed is {facts.expected_type}'
    return text, f'name the right topic in topics.{key}.name, or convert it'


def _incompatible(facts: TopicFacts) -> Fault | None:
    unfit = [f'{end.node} ({end.qos})' for end in facts.publishers if not end.compatible]
    return (f'quality of service does not match: {", ".join(unfit)}', 'change it in the driver') if unfit else None


def _silent(key: str, topic: InputTopic, heard: Listened, window_s: float) -> Fault | None:
    if not heard.arrivals_s:
        return f'no message in {window_s:.1f} s', 'look at its driver: it is connected and says nothing'
    gaps_s = [later - earlier for earlier, later in zip(heard.arrivals_s, heard.arrivals_s[1:], strict=False)]
    if max(gaps_s, default=0.0) > topic.stale_s:
        remedy = f'steady the driver, or lower topics.{key}.rate_hz'
        return f'gaps of {max(gaps_s):.2f} s, {topic.stale_s:.2f} s is the limit', remedy
    return None


def _stale(topic: InputTopic, heard: Listened) -> Fault | None:
    if not heard.ages_s:
        return None
    age_s = median(heard.ages_s)
    if age_s > topic.stale_s:
        return f'stamps are {age_s:.2f} s old, {topic.stale_s:.2f} s is the limit', 'set the clocks, or use_sim_time'
    if age_s < -FUTURE_S:
        return f'stamps are {-age_s:.2f} s in the future', 'set the clocks (chrony), or use_sim_time'
    return None


def _framed(key: str, heard: Listened, frame: str) -> Fault | None:
    wrong = sorted(name for name in heard.frames if frame and name not in ('', frame))
    if not wrong:
        return None
    entry = key if key in ('odom', 'scan') else 'map'
    return f'frame {", ".join(map(repr, wrong))}, described is {frame!r}', f'set frames.{entry}, or the driver'


def _rate_hz(heard: Listened, window_s: float) -> float:
    if len(heard.arrivals_s) < 2:
        return len(heard.arrivals_s) / window_s
    return (len(heard.arrivals_s) - 1) / max(heard.arrivals_s[-1] - heard.arrivals_s[0], 1e-6)


def judge_output(key: str, facts: TopicFacts, owner: str) -> Finding:
    """Return the row of a command topic: somebody must take it, and only the safety node, `owner`, may publish it."""
    rivals = sorted(end.node for end in facts.publishers if end.node != owner)
    if rivals:
        return Finding(facts.name, False, f'also published by {", ".join(rivals)}', 'remap their output away from it')
    if not facts.subscriptions:
        remedy = f'start the base driver, or set topics.{key}.name'
        return Finding(facts.name, False, 'nobody listens to it', remedy)
    wrong = sorted({end.type_name for end in facts.subscriptions if end.type_name != facts.expected_type})
    if wrong:
        stamped = 'set topics.cmd_vel.stamped' if key == 'cmd_vel' else 'use a driver of the right type'
        return Finding(facts.name, False, f'taken as {", ".join(wrong)}, sent is {facts.expected_type}', stamped)
    unfit = [f'{end.node} ({end.qos})' for end in facts.subscriptions if not end.compatible]
    if unfit:
        return Finding(facts.name, False, f'quality of service does not match: {", ".join(unfit)}', 'change it there')
    return Finding(facts.name, True, f'{len(facts.subscriptions)} subscription(s)')
