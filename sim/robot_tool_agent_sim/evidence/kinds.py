"""The table of fault kinds. A kind is a row of the evidence; its variants are drawn by chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
import math
from random import Random

from robot_tool_agent_sim.evidence import model, variants
from robot_tool_agent_sim.evidence.model import Mistake
from robot_tool_agent_sim.evidence.person import Habits
from robot_tool_agent_sim.evidence.strike import Strike

Make = Callable[[Random], Strike]


@dataclass(frozen=True, slots=True)
class Kind:
    """One row. `task` is the kind of task it needs, empty for any; `mistake` replaces a reply of the model."""

    name: str
    makes: tuple[Make, ...] = ()
    task: str = ''
    mistake: Mistake | None = None
    habits: Habits = field(default_factory=Habits)
    asks_approval: bool = False

    def draw(self, chance: Random) -> Strike | None:
        """Return a variant, None for a kind that strikes through the model or the person alone."""
        return chance.choice(self.makes)(chance) if self.makes else None


def _world(name: str, bound_s: float | None = None, lasts_s: float = math.inf) -> Make:
    return lambda chance: variants.in_world(name, bound_s, lasts_s)


def _model(name: str, mistake: Mistake) -> Kind:
    return Kind(f'model_{name}', mistake=mistake)


# Bounds in seconds: time to notice (max(0.25 s, 3 periods) of a sensor, 0.2 s of a command) plus braking from full
# speed (0.34 s) plus the gate's period and the latency of the robot.
STALE_S, LATE_S, AT_ONCE_S = 0.9, 1.5, 0.6
KINDS: tuple[Kind, ...] = (
    Kind('sensor_lost', (_world('scan_lost', STALE_S), variants.lost('odom', STALE_S), variants.lost('bumper', STALE_S),
                         variants.lost('global_pose', None))),
    Kind('sensor_late', (_world('odom_late', LATE_S), _world('scan_late', LATE_S))),
    Kind('sensor_frozen', (_world('odom_frozen', STALE_S), _world('scan_frozen', STALE_S),
                           _world('odom_stuck_values'), _world('odom_frozen_on_goal'))),
    Kind('sensor_noisy', (_world('odom_noisy'),)),
    Kind('sensor_jumps', (_world('odom_jump', STALE_S),), 'moves'),
    Kind('sensor_lies', (_world('odom_nan', STALE_S), _world('scan_nan', STALE_S), _world('scan_short', STALE_S),
                         _world('scan_zero', STALE_S), _world('bumper_hit', AT_ONCE_S),
                         _world('bumper_stuck', AT_ONCE_S), _world('tilted', STALE_S), _world('battery_low', 7.0),
                         _world('motion_lies'))),
    Kind('sensor_wrong_frame', (variants.wrong_frame('odom', STALE_S), variants.wrong_frame('scan', STALE_S))),
    Kind('actuator_stuck', (_world('wheels_stuck', 0.1),)),
    Kind('actuator_slow', (_world('slow_wheels'),)),
    Kind('actuator_slips', (variants.slipping,)),
    Kind('actuator_ignores_stop', (_world('ignores_stop'),)),
    Kind('actuator_moves_alone', (_world('moves_alone', None, 6.0),)),
    Kind('gripper_slips', (variants.slips_once,), 'fetch'),
    Kind('gripper_drops', (variants.drops,), 'fetch'),
    Kind('gripper_lies', (_world('gripper_lies'),), 'fetch'),
    Kind('object_moved', (_world('object_moved'), variants.object_moved, variants.object_moved), 'fetch'),
    Kind('object_removed', (_world('object_removed'),), 'fetch'),
    Kind('door_shut', (variants.door_shut,), 'drive'),
    Kind('person_steps_in', (_world('person_steps_in'),)),
    Kind('obstacle_stays', (_world('obstacle_appears'),)),
    Kind('message_dropped', variants.DROPPED),
    Kind('message_delayed', variants.DELAYED),
    Kind('message_duplicated', variants.DUPLICATED),
    Kind('message_reordered', variants.REORDERED),
    Kind('process_killed', (variants.killed('executor', 1.0, 0.8), variants.killed('planner', 1.0, 1.0),
                            variants.killed('safety', None, 0.8))),
    Kind('process_stopped', (variants.frozen('executor'), variants.frozen('planner'), variants.frozen('safety'))),
    Kind('process_exits', (variants.exits('executor'),)),
    Kind('process_starts_slowly', (variants.killed('executor', 6.0, 0.8),)),
    Kind('process_respawns', (variants.killed('safety', 1.0, 0.8),)),
    Kind('clock_stops', (_world('clock_stop', 1.2, 4.0),)),
    Kind('clock_jumps', (_world('clock_jump', None),)),
    Kind('disk_full', (variants.disk('FULL'),)),
    Kind('disk_read_only', (variants.disk('READ_ONLY'),)),
    Kind('disk_locked', (variants.disk('LOCKED'), variants.disk('HANGS'))),
    _model('bad_json', model.bad_json),
    _model('wrong_type', model.wrong_type),
    _model('unknown_tool', model.unknown_tool),
    _model('out_of_range', model.out_of_range),
    _model('not_a_number', model.not_a_number),
    _model('empty', model.empty),
    _model('truncated', model.truncated),
    _model('hangs', model.hangs),
    _model('overloaded', model.overloaded),
    _model('false_claim', model.false_claim),
    _model('injected', model.injected),
    Kind('operator_double_reset', (variants.stop_request,), habits=Habits(resets=2)),
    Kind('operator_stop_button', (variants.stop_button,)),
    Kind('operator_no_approval', asks_approval=True, habits=Habits(approves=None)),
    Kind('operator_denies', asks_approval=True, habits=Habits(approves=False)),
    Kind('operator_cancels', (variants.cancels,)),
)  # fmt: skip
BY_NAME = {kind.name: kind for kind in KINDS}
# One of these must not keep a task from success.
RECOVERABLE: tuple[Kind, ...] = (
    Kind('object_moved', (variants.object_moved,), 'fetch'),
    BY_NAME['gripper_slips'],
    Kind('message_dropped', (variants.one_lost,)),
    BY_NAME['person_steps_in'],
    BY_NAME['model_bad_json'],
    BY_NAME['model_wrong_type'],
    BY_NAME['model_unknown_tool'],
    BY_NAME['model_out_of_range'],
    BY_NAME['model_overloaded'],
)
