"""Judges every step of the robot's motion by the world's truth: latches, limits, contacts, stops in time."""

from __future__ import annotations

import math

from robot_tool_agent.core.geometry import Twist2D, ZERO_TWIST
from robot_tool_agent.core.robot import Limits
from robot_tool_agent.core.safety_state import SafetyMode
from robot_tool_agent_sim.evidence.counts import Counts
from robot_tool_agent_sim.evidence.safety_process import SafetyProcess
from robot_tool_agent_sim.wheels import COMMAND_TIMEOUT_S
from robot_tool_agent_sim.world import World

LATCHED = frozenset({SafetyMode.STARTING, SafetyMode.SAFE, SafetyMode.HOLDING, SafetyMode.ESTOPPED})
STOPPED = LATCHED | {SafetyMode.STOPPING}
# Below these the robot counts as standing.
REST_MPS, REST_RADPS = 0.01, 0.03
# Slower than this a contact is a touch, not a collision.
STOP_SPEED_MPS = 0.05
EPSILON = 1e-6
FENCE_M = 0.15
# Two steps of the simulation, and a gate period.
LAG_S = 0.06
# Wheels that a saboteur drives obey no software; how long they may roll on after it has ended.
WILD = frozenset({'ignores_stop', 'moves_alone'})
CALM_S = 1.0


def brake_s(twist: Twist2D, limits: Limits) -> float:
    """Return how long braking to rest takes, s."""
    return max(abs(twist.v_mps) / limits.max_decel_mps2, abs(twist.w_radps) / limits.max_turn_decel_radps2)


def moves(twist: Twist2D) -> bool:
    """Tell whether a robot with this velocity moves."""
    return abs(twist.v_mps) > REST_MPS or abs(twist.w_radps) > REST_RADPS


def _steep(old: float, new: float, up: float, down: float) -> bool:
    return abs(new - old) > (up if abs(new) > abs(old) else down) + EPSILON


class MotionJudge:
    """`look` once a step, `on_output` for each output of the gate. `tampered`: commands may be lost on the way."""

    def __init__(self, world: World, safety: SafetyProcess | None, counts: Counts) -> None:
        self._world, self._safety, self._counts = world, safety, counts
        self._limits = world.robot.limits
        self.tampered = False
        self._mode: SafetyMode | None = None
        self._rest_by_s = math.inf
        self._stop_by_s = math.inf
        self._contacts = world.truth().contacts
        self._before = ZERO_TWIST
        self._wild_s = -math.inf
        self._open: set[tuple[str, str]] = set()
        self._output, self._output_s = ZERO_TWIST, 0.0

    def on_output(self, twist: Twist2D) -> None:
        """Judge what leaves the gate: limits, slopes, and zero wherever nothing else may be."""
        limits, now_s = self._limits, self._world.now_s
        assert self._safety is not None
        mode = self._safety.mode
        finite = twist.is_finite()
        top_mps = limits.max_speed_mps if twist.v_mps >= 0.0 else limits.max_reverse_mps
        if mode is SafetyMode.RETREATING:
            top_mps = min(top_mps, limits.retreat_speed_mps)
        turns = abs(twist.w_radps) > limits.max_turn_radps + EPSILON
        fast = not finite or turns or abs(twist.v_mps) > top_mps + EPSILON
        self._edge('limit_violations', 'speed', fast, mode, twist)
        self._edge('limit_violations', 'slope', finite and self._too_steep(twist, now_s), self._output, twist)
        self._edge('motion_while_latched', 'output', mode in LATCHED and not twist.is_zero(), mode, twist)
        self._output, self._output_s = twist, now_s

    def _too_steep(self, twist: Twist2D, now_s: float) -> bool:
        if twist.is_zero():
            return False
        dt_s, limits, old = max(now_s - self._output_s, 0.0) + 1e-6, self._limits, self._output
        forward = _steep(old.v_mps, twist.v_mps, limits.max_accel_mps2 * dt_s, limits.max_decel_mps2 * dt_s)
        turn_up, turn_down = limits.max_turn_accel_radps2 * dt_s, limits.max_turn_decel_radps2 * dt_s
        return forward or _steep(old.w_radps, twist.w_radps, turn_up, turn_down)

    def look(self) -> None:
        """Judge one step of the truth."""
        world = self._world
        if world.fault_name in WILD:
            self._wild_s = world.now_s
        wild = world.now_s - self._wild_s <= CALM_S
        self._look_at_mode()
        self._look_at_limits(wild)
        self._look_at_contact(wild)
        self._before = world.twist

    def _look_at_mode(self) -> None:
        safety, now_s = self._safety, self._world.now_s
        if safety is None:
            return
        mode = safety.mode if safety.alive else None
        slack_s = LAG_S + (COMMAND_TIMEOUT_S if self.tampered else 0.0)
        if mode is not self._mode:
            self._rest_by_s = self._stop_by_s = math.inf
            if mode in LATCHED:
                self._rest_by_s = now_s + brake_s(self._world.twist, self._limits) + slack_s
            elif mode is SafetyMode.STOPPING:
                self._stop_by_s = now_s + brake_s(self._before, self._limits) + self._limits.latency_s + slack_s
            self._mode = mode
        wild, rolls = now_s - self._wild_s <= CALM_S, moves(self._world.twist)
        latched = rolls and not wild and now_s > self._rest_by_s
        self._edge('motion_while_latched', 'truth', latched, mode, self._world.twist)
        late = rolls and not wild and mode is SafetyMode.STOPPING and now_s > self._stop_by_s
        self._edge('late_stops', 'stopping', late, self._world.twist)

    def _look_at_limits(self, wild: bool) -> None:
        twist, limits = self._world.twist, self._limits
        fast = (
            twist.v_mps > limits.max_speed_mps + EPSILON
            or twist.v_mps < -limits.max_reverse_mps - EPSILON
            or abs(twist.w_radps) > limits.max_turn_radps + EPSILON
        )
        self._edge('limit_violations', 'truth', fast and not wild, twist)
        out = not wild and not self._world.robot.inside_geofence(self._world.pose.point)
        self._edge('limit_violations', 'outside the geofence', out, self._world.pose)

    def _look_at_contact(self, wild: bool) -> None:
        contacts = self._world.truth().contacts
        hit = contacts > self._contacts and abs(self._before.v_mps) > STOP_SPEED_MPS and not wild
        self._contacts = contacts
        self._edge('collisions', 'contact', hit, self._before)

    def _edge(self, key: str, what: str, holds: bool, *seen: object) -> None:
        """Count an event when it begins."""
        name = (key, what)
        if not holds:
            self._open.discard(name)
        elif name not in self._open:
            self._open.add(name)
            self._counts.add(key, self._world.now_s, f'{what}: {", ".join(str(item) for item in seen)}')
