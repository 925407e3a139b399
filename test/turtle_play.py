"""What a turtle must be able to do, judged by its own poses: for the real turtlesim and for a stand-in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
import time

from robot_tool_agent.core.geometry import Point, Pose2D
from robot_tool_agent.core.outcomes import ErrorCode, Outcome, TaskStatus
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.harness.probe import Probe

SIDE_M = 2.0
SQUARE = f'draw a square of {SIDE_M:g} m'
CORNERS = 'visit the corners'
HOME = 'go home'
PLACE_TOLERANCE_M = 0.12
DRAWN_TOLERANCE_M = 0.3
READY_TIMEOUT_S, PARK_TIMEOUT_S = 30.0, 60.0


@dataclass(frozen=True, slots=True)
class TurtleStage:
    """A running system round a turtle. `track` returns the poses since the start, `teleport` puts the turtle away."""

    probe: Probe
    robot: RobotDescription
    track: Callable[[], Sequence[Pose2D]]
    teleport: Callable[[float, float, float], None]

    def here(self) -> Pose2D:
        """Return where the turtle is."""
        return self.track()[-1]

    def ready(self) -> None:
        """Bring safety to READY, as a person would by a reset."""

        def ready() -> bool:
            state = self.probe.state()
            if state is not None and state.resettable:
                self.probe.reset_safety()
            return state is not None and state.mode is SafetyMode.READY

        self.probe.wait_until(ready, READY_TIMEOUT_S, 'READY')

    def done(self, instruction: str) -> list[Pose2D]:
        """Run a task that must succeed and return the poses on its way."""
        begin = len(self.track())
        end = self.probe.run_task(instruction)
        assert end.result.status == TaskStatus.SUCCEEDED, end.result
        return list(self.track()[begin:])


def draws_a_square(stage: TurtleStage) -> None:
    """Check that the turtle passes the four corners of a square in turn and is back where it began."""
    stage.ready()
    start = stage.here()
    way = stage.done(SQUARE)
    for ahead_m, left_m in ((SIDE_M, 0.0), (SIDE_M, SIDE_M), (0.0, SIDE_M), (0.0, 0.0)):
        corner = start.transform_point(Point(ahead_m, left_m))
        near = [number for number, pose in enumerate(way) if pose.distance_to(corner) < DRAWN_TOLERANCE_M]
        assert near, f'corner {corner} was not passed'
        way = way[near[0]:]
    assert stage.here().distance_to(start) < DRAWN_TOLERANCE_M


def visits_the_corners(stage: TurtleStage) -> None:
    """Check that the turtle is at all four corners, one after another."""
    stage.ready()
    way = stage.done(CORNERS)
    for number in (1, 2, 3, 4):
        place = stage.robot.places[f'corner_{number}'].pose
        near = [index for index, pose in enumerate(way) if pose.distance_to(place) < PLACE_TOLERANCE_M]
        assert near, f'corner_{number} was not reached'
        way = way[near[0]:]


def goes_home(stage: TurtleStage) -> None:
    """Check that the turtle ends at its parking pose."""
    stage.ready()
    stage.done(HOME)
    assert stage.here().distance_to(stage.robot.safe_poses['parking'].pose) < PLACE_TOLERANCE_M


def notices_a_teleport(stage: TurtleStage) -> None:
    """Put the turtle elsewhere in mid-skill: no success is claimed; it parks in open space, else it stays there."""
    stage.ready()
    begin_s, start, put = time.monotonic(), stage.here(), Pose2D(8.0, 3.0, 1.0)
    goal = stage.probe.send_skill('navigate_to', {'place': 'corner_4'})
    stage.probe.wait_until(lambda: stage.here().distance_to(start) > 0.6, READY_TIMEOUT_S, 'a turtle on its way')
    stage.teleport(put.x_m, put.y_m, put.yaw_rad)
    result = goal.result(READY_TIMEOUT_S).result
    assert result.outcome in (Outcome.FAILED, Outcome.STOPPED), result
    assert result.error_code in (ErrorCode.STOPPED_BY_SAFETY.value, ErrorCode.EXECUTION_ERROR.value), result
    rest = SafetyMode.SAFE if stage.robot.open_space else SafetyMode.HOLDING
    stage.probe.wait_state(rest, PARK_TIMEOUT_S)
    state = stage.probe.state()
    assert state is not None
    assert state.fault == 'ODOM_JUMP', state
    assert (SafetyMode.RETREATING in stage.probe.seen.modes(begin_s)) is stage.robot.open_space
    parking = stage.robot.safe_poses['parking'].pose
    left_m = stage.here().distance_to(parking if stage.robot.open_space else put)
    assert left_m < (PLACE_TOLERANCE_M if stage.robot.open_space else 1.0), stage.here()
