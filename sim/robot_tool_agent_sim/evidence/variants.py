"""The variants of fault kinds: what is done to the world, to messages, to processes."""

from __future__ import annotations

from collections.abc import Callable
import math
from random import Random

from robot_tool_agent.core.geometry import Point
from robot_tool_agent_sim.evidence import tampering
from robot_tool_agent_sim.evidence.strike import Stage, Strike, When
from robot_tool_agent_sim.evidence.tampering import LOST, Noise, OneMessage
from robot_tool_agent_sim.faults import NO_FAULT
from robot_tool_agent_sim.world import World

Make = Callable[[Random], Strike]
ALL_TOPICS = (
    'odom', 'global_pose', 'scan', 'bumper', 'joint_states', 'battery_state', 'detected_objects', 'imu', 'estop',
    'motion_command', 'cmd_vel', 'joint_trajectory', 'safety_state', 'heartbeat', 'trip', 'goal', 'acceptance',
    'result', 'cancel', 'describe', 'reset_safety',
)  # fmt: skip
COMMANDS = ('motion_command', 'cmd_vel', 'joint_trajectory')
WATCHES = ('safety_state', 'heartbeat', 'trip')
SENSORS = ('odom', 'scan', 'global_pose', 'bumper', 'joint_states', 'detected_objects')
DOORS = (Point(4.5, 1.5), Point(4.5, 4.5), Point(2.3, 3.0), Point(6.7, 3.0))
DOOR_RADIUS_M, DOOR_CLEAR_M = 0.45, 1.2
# Objects above this line lie on the kitchen counter, which runs along x; the others on the shelf, along y.
COUNTER_Y_M = 5.0
ACTION = ('goal', 'acceptance', 'result', 'describe')


# What a saboteur of the simulator waits for by itself, or must find.
_WHEN = {
    **dict.fromkeys(('object_moved', 'object_removed', 'gripper_lies', 'gripper_slips'), When.ANY),
    **dict.fromkeys(('bumper_hit', 'person_steps_in', 'obstacle_appears'), When.DRIVING),
}


def in_world(name: str, bound_s: float | None, lasts_s: float = math.inf) -> Strike:
    """Return a saboteur of the simulator's own table."""
    when = _WHEN.get(name, When.MOVING)
    return Strike(
        name, lambda stage: stage.world.set_fault(name), lambda stage: stage.world.set_fault(NO_FAULT), lasts_s, when,
        bound_s,
    )  # fmt: skip


def lost(topic: str, bound_s: float | None) -> Make:
    """Silence a sensor."""
    return lambda chance: Strike(
        f'{topic}_lost', lambda stage: silence(stage, topic, True), lambda stage: silence(stage, topic, False),
        bound_s=bound_s,
    )  # fmt: skip


def silence(stage: Stage, topic: str, silent: bool) -> None:
    """Let a sensor fall silent, or speak again."""
    stage.set_tamper(Noise((f'{topic}>',), 1.0, stage.chance, tampering.dropped) if silent else None)


def wrong_frame(topic: str, bound_s: float) -> Make:
    """Let a sensor speak in a wrong frame."""
    return lambda chance: Strike(
        f'{topic}_wrong_frame', lambda stage: stage.wrong_frame(topic, True),
        lambda stage: stage.wrong_frame(topic, False), bound_s=bound_s,
    )  # fmt: skip


def slipping(chance: Random) -> Strike:
    """Let the wheels slip."""
    return in_world('wheels_slip', None)


def slips_once(chance: Random) -> Strike:
    """Let the object slip once: the gripper grips again afterwards."""

    def begin(stage: Stage) -> None:
        stage.world.set_fault('gripper_slips')

    return Strike('slips_once', begin, lambda stage: stage.world.set_fault(NO_FAULT), 0.35, When.HOLDING)


def object_moved(chance: Random) -> Strike:
    """Move an object along the furniture it lies on, as the hand comes near."""
    way_m = chance.choice((-1.0, 1.0)) * chance.uniform(0.12, 0.3)

    def begin(stage: Stage) -> None:
        hand = stage.world.hand
        name = None if hand is None else hand.nearest(hand.grasp_point(stage.world.pose))
        if hand is not None and name is not None:
            at = hand.things[name].position
            along_x = at.y_m > COUNTER_Y_M
            hand.things[name].position = Point(at.x_m + way_m, at.y_m) if along_x else Point(at.x_m, at.y_m + way_m)

    return Strike('moved along', begin, when=When.REACHING)


def drops(chance: Random) -> Strike:
    """Let the gripper lose what it carries on the way."""

    def begin(stage: Stage) -> None:
        if stage.world.hand is not None:
            stage.world.hand.drop()

    return Strike('drops', begin, when=When.DRIVING_WITH_LOAD)


def door_shut(chance: Random) -> Strike:
    """Shut every door that the robot is not standing in."""

    def begin(stage: Stage) -> None:
        for number, door in enumerate(DOORS):
            if door.distance_to(stage.world.pose.point) > DOOR_CLEAR_M:
                stage.world.put_obstacle(f'door {number}', door, DOOR_RADIUS_M)

    return Strike('door_shut', begin, when=When.ANY)


def _noise(name: str, channels: tuple[str, ...], share: float, treat: Callable[[Random], tuple[float, ...]]) -> Make:
    def make(chance: Random) -> Strike:
        noise = Noise(channels, share, chance, treat)
        begin, end = _tampering(noise)
        return Strike(name, begin, end, 4.0, When.MOVING, None, lambda: noise.count)

    return make


def _one(name: str, channel: str, delays_s: tuple[float, ...]) -> Make:
    return lambda chance: one(name, channel, delays_s, chance.choice((0, 0, 1) if channel in ACTION else (5, 20, 40)))


def one(name: str, channel: str, delays_s: tuple[float, ...], skip: int) -> Strike:
    """Treat one message of a channel badly, after letting some pass."""
    message = OneMessage(channel, delays_s, skip)
    begin, end = _tampering(message)
    return Strike(name, begin, end, math.inf, When.ANY, None, lambda: message.count, early=True)


def _tampering(tamper: OneMessage | Noise) -> tuple[Callable[[Stage], None], Callable[[Stage], None]]:
    return lambda stage: stage.set_tamper(tamper), lambda stage: stage.set_tamper(None)


DROPPED = (
    _noise('any topic dropped', ALL_TOPICS, 0.2, tampering.dropped),
    _noise('commands dropped', COMMANDS, 0.5, tampering.dropped),
    _noise('watches dropped', WATCHES, 0.5, tampering.dropped),
    _noise('sensors dropped', SENSORS, 0.6, tampering.dropped),
    *(_one(f'{name} lost', name, LOST) for name in (*ACTION, 'trip_safety', 'trip_answer')),
)
DELAYED = (
    _noise('any topic delayed', ALL_TOPICS, 0.3, tampering.delayed),
    _noise('commands delayed', COMMANDS, 0.7, tampering.delayed),
    _noise('sensors delayed', SENSORS, 0.7, tampering.delayed),
    *(_one(f'{name} late', name, (3.0,)) for name in ACTION),
)
DUPLICATED = (
    _noise('any topic duplicated', ALL_TOPICS, 0.5, tampering.duplicated),
    _noise('commands duplicated', COMMANDS, 0.8, tampering.duplicated),
    *(_one(f'{name} duplicated', name, (0.0, delay_s)) for name in ACTION for delay_s in (0.0, 2.0, 6.0)),
)
REORDERED = (
    _noise('any topic reordered', ALL_TOPICS, 0.4, tampering.reordered),
    _noise('commands reordered', COMMANDS, 0.5, tampering.reordered),
    _noise('sensors reordered', SENSORS, 0.5, tampering.reordered),
)


def one_lost(chance: Random) -> Strike:
    """Lose one message, of any kind."""
    channel = chance.choice((*ACTION, *COMMANDS, 'odom', 'scan', 'safety_state', 'heartbeat', 'global_pose'))
    return _one(f'one {channel} lost', channel, LOST)(chance)


def killed(name: str, back_in_s: float | None, bound_s: float) -> Make:
    """Kill a process; it comes back after a while or, where nothing starts it again, never."""
    return lambda chance: Strike(
        f'{name} killed', lambda stage: stage.kill(name, back_in_s),
        when=chance.choice((When.MOVING, When.MOVING, When.ANY)), bound_s=bound_s,
    )  # fmt: skip


def frozen(name: str) -> Make:
    """Stop a process for a while."""

    def make(chance: Random) -> Strike:
        for_s = chance.choice((0.3, 1.0, 3.0))
        bound_s = 0.9 if for_s >= 1.0 and name != 'planner' else 1.2 if for_s >= 1.0 else None
        return Strike(f'{name} stopped for {for_s} s', lambda stage: stage.freeze(name, for_s), bound_s=bound_s)

    return make


def exits(name: str) -> Make:
    """Let a process end in order, as on SIGTERM."""
    return lambda chance: Strike(f'{name} exits', lambda stage: stage.leave(name, 1.0), bound_s=1.0)


def disk(state: str) -> Make:
    """Let the disk fail for a while, or for good."""

    def make(chance: Random) -> Strike:
        lasts_s = chance.choice((2.0, 8.0, math.inf))
        return Strike(
            f'disk {state}', lambda stage: stage.set_disk(state), lambda stage: stage.set_disk('WELL'), lasts_s,
            chance.choice((When.ANY, When.MOVING)),
        )  # fmt: skip

    return make


def stop_request(chance: Random) -> Strike:
    """Let a person ask for a stop."""
    return Strike('stop requested', lambda stage: stage.stop_request(), bound_s=0.5)


def stop_button(chance: Random) -> Strike:
    """Let a person press the stop button; it gets stuck."""
    return in_world('estop_pressed', 0.5, chance.choice((3.0, math.inf)))


def cancels(chance: Random) -> Strike:
    """Let a person cancel the task."""
    return Strike('canceled', lambda stage: stage.cancel_task(), bound_s=0.8)


def stands(world: World) -> bool:
    """Tell whether the robot as good as stands."""
    return abs(world.twist.v_mps) < 0.02 and abs(world.twist.w_radps) < 0.05
