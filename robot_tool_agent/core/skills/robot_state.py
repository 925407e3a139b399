"""get_robot_state: where the robot is and how it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from robot_tool_agent.core.geometry import Pose2D
from robot_tool_agent.core.outcomes import Effect, ErrorCode
from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.sensors import Instant, SensorView
from robot_tool_agent.core.skills.base import Json, Skill, Step, StepStatus, Verdict
from robot_tool_agent.core.skills.evidence import age_s, check, pose_json, rounded
from robot_tool_agent.core.skills.grasping import object_at_gripper
from robot_tool_agent.core.skills.look import NoArguments
from robot_tool_agent.core.skills.text import clean


class GetRobotState(Skill[NoArguments]):
    """Returns what the sensors last said. Values of stale sensors are left out and the sensor is named."""

    name = 'get_robot_state'
    description = """
        Return where the robot is, whether it moves, what its gripper holds, and its battery.
        Does: read the latest sensor values at once.
        Does not: move anything, look for objects (use look), or say what another call is doing.
        Use it before planning a motion, and after a failure to see what is true.
        Arguments: none; send an empty object.
        Example: {}
        Wrong: {"sensor": "odom"} (no field is known; everything is returned), [] (an array is not an object).
        Result fields, each left out when its sensor is missing or stale:
        pose: x_m, y_m in metres and yaw_rad in radians, in the map; yaw 0 looks along x, positive is to the left.
        nearest_place: name, distance_m and whether the robot is at it within tolerance.
        speed: v_mps and w_radps as measured.
        gripper: opening_m, state open, closed or holding, and held_object if it is seen between the fingers.
        battery_fraction: 0 to 1. bumper_pressed: true while in contact.
        stale_sensors: names of sensors whose last value is too old to be believed.
        places: the names that navigate_to and place take.
        Repeating it is harmless, and a repeat reads anew.
        Errors:
        STALE_SENSOR: odometry is too old, so nothing can be said about the pose; wait and call again.
        INVALID_ARGUMENT: a field was sent; send {}.
        """
    arguments_type = NoArguments
    reads_only = True
    idempotent = True
    timeout_s = 5.0
    required_topics = ('odom',)

    def tick(self, view: SensorView, now_s: float) -> Step:
        """Nothing moves: the verdict does all."""
        return Step(StepStatus.FINISHED, progress=1.0, detail='reading')

    def verify(self, view: SensorView, start: Mapping[str, Any], since: Instant) -> Verdict:
        """Report every sensor that is fresh at the moment of the call."""
        fresh = {topic for topic in self.robot.topics.inputs() if view.is_fresh(topic, since.received_s)}
        odom = view.odom
        if odom is None or 'odom' not in fresh:
            return Verdict(False, Effect.NONE, 'odometry is stale', {'topic': 'odom'}, error=ErrorCode.STALE_SENSOR)
        state = _state(view, fresh)
        proof = check('odom', odom, state.get('pose'), 'a fresh sample', {'age_s': self.robot.topics.odom.stale_s})
        return Verdict(True, Effect.NONE, _sentence(state), {**proof, 'age_s': age_s(odom, since)}, state)


def _state(view: SensorView, fresh: set[str]) -> Json:
    robot = view.robot
    state: Json = {'stale_sensors': sorted(set(robot.topics.inputs()) - fresh), 'places': sorted(robot.places)}
    if view.odom is not None:
        state['speed'] = {'v_mps': rounded(view.odom.twist.v_mps), 'w_radps': rounded(view.odom.twist.w_radps)}
    pose = view.map_pose()
    if pose is not None:
        state |= {'pose': pose_json(pose), 'nearest_place': _nearest_place(robot, pose)}
    if 'joint_states' in fresh and robot.gripper is not None:
        state['gripper'] = _gripper(view, 'detected_objects' in fresh)
    if 'battery_state' in fresh and view.battery is not None:
        state['battery_fraction'] = rounded(view.battery.fraction)
    if 'bumper' in fresh and view.bumper is not None:
        state['bumper_pressed'] = view.bumper.pressed
    return state


def _nearest_place(robot: RobotDescription, pose: Pose2D) -> Json | None:
    if not robot.places:
        return None
    name = min(robot.places, key=lambda place: pose.distance_to(robot.places[place].pose))
    distance_m = pose.distance_to(robot.places[name].pose)
    return {'name': name, 'distance_m': rounded(distance_m), 'at': distance_m <= robot.limits.position_tolerance_m}


def _gripper(view: SensorView, sees_objects: bool) -> Json:
    gripper, opening_m = view.robot.gripper, view.gripper_opening_m()
    if gripper is None or opening_m is None:
        return {'state': 'unknown'}
    state = 'holding' if gripper.holds(opening_m) else 'open' if gripper.is_open(opening_m) else 'closed'
    held = object_at_gripper(view) if sees_objects and state == 'holding' else None
    seen = {} if held is None else {'held_object': {'id': clean(held.id), 'label': clean(held.label)}}
    return {'opening_m': rounded(opening_m), 'state': state, **seen}


def _sentence(state: Json) -> str:
    place = state.get('nearest_place')
    where = '' if not place else f'{"at" if place["at"] else "nearest place"} {place["name"]}; '
    return f'{where}gripper {state.get("gripper", {}).get("state", "unknown")}'
