"""The robot: the world with its drivers. Sensors publish at their rates, commands are taken as a driver takes them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from robot_tool_agent.core.geometry import Twist2D
from robot_tool_agent.core.motion import JointTarget
from robot_tool_agent_sim.evidence.bus import Bus
from robot_tool_agent_sim.evidence.process import Outside, Process
from robot_tool_agent_sim.schedule import Schedule
from robot_tool_agent_sim.world import World

# ROS time of the readings minus steady time: the two clocks have nothing to do with each other.
STAMP_AHEAD_S = 1000.0
Take = Callable[[str, Any], None]


class RobotSide(Outside):
    """Steps the world and carries its readings to whoever listens: pairs of a process and its `take(topic, sample)`."""

    def __init__(self, world: World, bus: Bus) -> None:
        super().__init__()
        self.world = world
        self.silent: set[str] = set()
        self.clock_s = STAMP_AHEAD_S
        self._bus = bus
        self._listeners: list[tuple[str, Process, Take, frozenset[str]]] = []
        read = {
            'odom': world.odom,
            'global_pose': world.global_pose,
            'scan': world.scan,
            'bumper': world.bumper,
            'joint_states': world.joints,
            'battery_state': world.battery,
            'detected_objects': world.objects,
            'imu': world.imu,
            'estop': world.estop,
        }
        inputs = world.robot.topics.inputs()
        self._outputs = [(name, Schedule(topic.rate_hz), read[name]) for name, topic in inputs.items()]

    def listen(self, name: str, process: Process, take: Take, topics: frozenset[str]) -> None:
        """Send the readings of some topics to a process from now on."""
        self._listeners.append((name, process, take, topics))

    def step(self, dt_s: float) -> None:
        """Let the world go on and publish what is due."""
        world = self.world
        world.step(dt_s, world.now_s + dt_s + STAMP_AHEAD_S)
        clock = world.clock()
        self.clock_s = self.clock_s if clock is None else clock.stamp_s
        for topic, schedule, read in self._outputs:
            if not schedule.due(world.now_s):
                continue
            wanted = [entry for entry in self._listeners if topic in entry[3]]
            sample = read() if wanted else None
            if sample is not None:
                for name, process, take, _ in wanted:
                    self._bus.send(f'{topic}>{name}', process, partial(take, topic, sample))

    def on_twist(self, twist: Twist2D) -> None:
        """Take a velocity command."""
        self.world.command_base(twist)

    def on_joints(self, target: JointTarget) -> None:
        """Take a joint order."""
        self.world.command_joints(dict(zip(target.names, target.positions, strict=True)), target.duration_s)
