"""From ground truth to a verdict on each act. What a node claims is compared with what is true, never believed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from robot_tool_agent.core.geometry import Point, Pose2D
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.demo.record import Record

STOP_WITHIN_S = 1.0
# Ground truth and safety state come on two topics; their order is known no better than this.
TOPIC_SKEW_S = 0.15
PUT_DOWN_TOLERANCE_M = 0.10
IN_MOTION_MPS = 0.1
# Rounding of a resting robot's pose, nothing more.
UNMOVED_M = 0.001


@dataclass(frozen=True, slots=True)
class Verdict:
    """`truth` is what happened in one line; `faults` is what should have been otherwise, empty if all agrees."""

    truth: str
    faults: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether ground truth shows what the act promises."""
        return not self.faults


@dataclass(frozen=True, slots=True)
class Repeat:
    """The same call_id sent once more at a time, and whether its answer claims success."""

    at_s: float
    claims_success: bool


def judge_fetch(record: Record, claims_success: bool, name: str, lies_at: Point, spot: Point) -> Verdict:
    """Judge that the object `name` was carried to `spot` (map frame) with one grasp and one release."""
    off_m = lies_at.distance_to(spot)
    picks, places, held = record.counted('picks'), record.counted('places'), record.counts[-1].held
    there = off_m <= PUT_DOWN_TOLERANCE_M and held is None
    faults = _failed(
        (there or not claims_success, f'success was claimed, but {name} is {off_m:.2f} m from where it belongs'),
        (there, f'{name} is {off_m:.2f} m from where it belongs' + (', still held' if held else '')),
        (claims_success, 'the task was not reported as done'),
        (picks == 1, f'{picks} grasps instead of one'),
        (places == 1, f'{places} releases instead of one'),
        *_calm(record),
    )
    where = 'in the gripper' if held == name else f'{off_m:.2f} m from its spot'
    return Verdict(f'{name} {where}; {_times(picks, "grasp")}, {_times(places, "release")}', faults)


def judge_slip(
    record: Record, claims_success: bool, slipped_s: float | None, safe_poses: Mapping[str, Pose2D], near_m: float
) -> Verdict:
    """Judge that a lost object was noticed: no claim of success, no second grasp, robot parked within `near_m`."""
    picks, held = record.counted('picks'), record.counts[-1].held
    name, off_m = nearest(record.motions[-1].pose, safe_poses)
    faults = _failed(
        (slipped_s is not None, 'nothing slipped'),
        (not claims_success, 'success was claimed although the gripper is empty'),
        (held is None, f'{held} is held'),
        (picks == 1, f'{picks} grasps instead of one'),
        (_was_safe(record, slipped_s), 'the safety node never reported SAFE after the slip'),
        (off_m <= near_m, f'the robot stands {off_m:.2f} m from its nearest safe pose, {name}'),
        *_calm(record),
    )
    hand = 'gripper empty' if held is None else f'{held} held'
    return Verdict(f'{hand} after {_times(picks, "grasp")}; {_stands(name, off_m, near_m)}', faults)


def judge_kill(
    record: Record, killed_s: float, repeat: Repeat | None, safe_poses: Mapping[str, Pose2D], near_m: float
) -> Verdict:
    """
    Judge that a robot whose executor died in mid-motion stopped, parked, and did not move for the same call again.

    `repeat` None means that no answer to the second sending came.
    """
    speed_mps, still_s = record.motion_at(killed_s).v_mps, record.still_after(killed_s)
    name, off_m = nearest(record.motions[-1].pose, safe_poses)
    way_m = 0.0 if repeat is None else record.way_m(repeat.at_s)
    stray_s = stray_motion_s(record, killed_s, still_s)
    faults = _failed(
        (abs(speed_mps) >= IN_MOTION_MPS, f'the robot did not drive when the executor died ({speed_mps:.2f} m/s)'),
        (still_s is not None and still_s <= STOP_WITHIN_S, f'no standstill within {STOP_WITHIN_S:g} s of the kill'),
        (stray_s is None, f'the robot moved {stray_s or 0.0:.1f} s after the kill without being in RETREATING'),
        (_was_safe(record, killed_s), 'the safety node never reported SAFE after the kill'),
        (off_m <= near_m, f'the robot stands {off_m:.2f} m from its nearest safe pose, {name}'),
        (repeat is not None, 'the call sent again got no answer'),
        (repeat is None or not repeat.claims_success, 'the call sent again claims success'),
        (way_m <= UNMOVED_M, f'the call sent again moved the robot {way_m:.3f} m'),
        *_calm(record),
    )
    still = 'never still' if still_s is None else f'{abs(speed_mps):.2f} m/s to rest in {still_s:.2f} s'
    return Verdict(f'{still}; {_stands(name, off_m, near_m)}; sent again it moved {way_m:.2f} m', faults)


def stray_motion_s(record: Record, killed_s: float, still_s: float | None) -> float | None:
    """Return when, in seconds after the kill, a robot that had come to rest moved outside RETREATING; None if never."""
    if still_s is None:
        return None
    for motion in record.motions:
        after_s = motion.at_s - killed_s
        if after_s <= still_s or not motion.moving:
            continue
        modes = record.modes_within(motion.at_s - TOPIC_SKEW_S, motion.at_s + TOPIC_SKEW_S)
        if SafetyMode.RETREATING not in modes:
            return after_s
    return None


def nearest(pose: Pose2D, safe_poses: Mapping[str, Pose2D]) -> tuple[str, float]:
    """Return the safe pose nearest to a pose and its distance in metres. Raise ValueError if there is none."""
    name = min(safe_poses, key=lambda key: pose.distance_to(safe_poses[key]))
    return name, pose.distance_to(safe_poses[name])


def _was_safe(record: Record, since_s: float | None) -> bool:
    return any(state.mode is SafetyMode.SAFE and state.at_s > (since_s or 0.0) for state in record.states)


def _calm(record: Record) -> tuple[tuple[bool, str], ...]:
    contacts = record.counted('contacts')
    return (
        (contacts == 0, f'{_times(contacts, "contact")} with a wall'),
        (not record.motions[-1].moving, 'the robot still moves at the end'),
    )


def _stands(name: str, off_m: float, near_m: float) -> str:
    return f'parked at {name}' if off_m <= near_m else f'{off_m:.2f} m from {name}'


def _times(number: int, word: str) -> str:
    return f'{number} {word}' if number == 1 else f'{number} {word}s'


def _failed(*checks: tuple[bool, str]) -> tuple[str, ...]:
    return tuple(text for holds, text in checks if not holds)
