"""Which step time and inputs allow in each state: from STARTING to READY, through a stop, back by itself."""

from __future__ import annotations

from robot_tool_agent.core.safety.awareness import Awareness
from robot_tool_agent.core.safety.config import SafetyConfig
from robot_tool_agent.core.safety.fault_watch import FaultWatch
from robot_tool_agent.core.safety.faults import FaultCode, Reaction, Rearm
from robot_tool_agent.core.safety.machine import Event
from robot_tool_agent.core.safety.motion_control import MotionControl
from robot_tool_agent.core.safety.parking import Parking, ParkingEnd
from robot_tool_agent.core.safety.reactor import Reactor
from robot_tool_agent.core.safety.rearm import RearmBudget
from robot_tool_agent.core.safety_state import SafetyMode

# Long enough for odometry to show a jump that came with the reset, such as that of a restarted driver.
START_S = 0.3


class Stages:
    """Takes the machine on, once a tick."""

    def __init__(
        self,
        config: SafetyConfig,
        reactor: Reactor,
        watch: FaultWatch,
        aware: Awareness,
        control: MotionControl,
        parking: Parking,
    ) -> None:
        self._config = config
        self._reactor = reactor
        self._watch = watch
        self._aware = aware
        self._control = control
        self._parking = parking
        self._rearm = RearmBudget(config.rearm_max, config.rearm_window_s)

    def advance(self, now_s: float) -> None:
        """Take the step that time and inputs allow in the present state."""
        mode, rearm = self._reactor.mode, self._reactor.latch.rearm
        if mode is SafetyMode.STARTING:
            self._advance_start(now_s)
        elif mode is SafetyMode.STOPPING:
            self._advance_stop(now_s)
        elif mode is SafetyMode.SAFE and rearm is Rearm.SELF:
            self._advance_rearm(now_s)
        elif mode in (SafetyMode.SAFE, SafetyMode.HOLDING) and rearm is Rearm.CLEARED:
            self._advance_cleared(now_s)

    def end_retreat(self, end: ParkingEnd, now_s: float) -> None:
        """Take note of how a retreat ended."""
        if end is ParkingEnd.ARRIVED:
            self._reactor.fire(Event.ARRIVE, now_s, f'parked at {self._parking.goal_name}')
            return
        code = FaultCode.RETREAT_TIMEOUT if end is ParkingEnd.LATE else FaultCode.RETREAT_BLOCKED
        self._reactor.hold_because(code, end.value, now_s)

    def _advance_start(self, now_s: float) -> None:
        clear = self._watch.clear_for_s(now_s) >= self._config.start_settle_s
        if clear and now_s - self._reactor.since_s >= START_S:
            self._reactor.fire(Event.INPUTS_READY, now_s)

    def _advance_stop(self, now_s: float) -> None:
        if not self._control.last.is_zero():
            self._reactor.since_s = now_s
        elif self._aware.standstill.held_s() >= self._config.settle_s:
            self._finish_stop(now_s)
        elif now_s - self._reactor.since_s >= self._config.stop_timeout_s:
            self._give_up_stop(now_s)

    def _finish_stop(self, now_s: float) -> None:
        if self._reactor.latch.reaction is not Reaction.RETREAT:
            self._reactor.fire(Event.HOLD, now_s)
            return
        refusal = self._parking.begin(now_s)
        if refusal:
            self._reactor.hold_because(FaultCode.RETREAT_BLOCKED, refusal, now_s)
        else:
            self._reactor.fire(Event.RETREAT, now_s)

    def _give_up_stop(self, now_s: float) -> None:
        """Hold without a confirmed standstill. If odometry is silent nothing can confirm it: that stays the fault."""
        if self._aware.stale('odom', now_s):
            self._reactor.fire(Event.HOLD, now_s, 'standstill not confirmed')
        else:
            self._reactor.hold_because(FaultCode.STOP_NOT_CONFIRMED, 'odometry still shows motion', now_s)

    def _advance_rearm(self, now_s: float) -> None:
        if not self._rearm.available(now_s):
            self._reactor.detail = f'{self._config.rearm_max} self re-arms used up, reset needed'
        elif now_s - self._reactor.since_s >= self._config.rearm_delay_s:
            self._rearm.take(now_s)
            self._reactor.come_back(Event.REARM, now_s)

    def _advance_cleared(self, now_s: float) -> None:
        clear_s = min(self._watch.clear_for_s(now_s), now_s - self._reactor.since_s)
        if clear_s >= self._config.rearm_delay_s and not self._aware.moves(now_s):
            self._reactor.come_back(Event.REARM, now_s)
