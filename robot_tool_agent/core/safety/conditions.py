"""Which faults stand right now, as a pure question to what is known. The table decides what follows."""

from __future__ import annotations

from robot_tool_agent.core.safety.awareness import Awareness
from robot_tool_agent.core.safety.faults import FaultCode
from robot_tool_agent.core.safety.liveness import ExecutorWatch

Standing = dict[FaultCode, str]


def standing_faults(aware: Awareness, executor: ExecutorWatch, now_s: float) -> Standing:
    """Return the codes whose condition holds at now_s, each with what was seen."""
    standing: Standing = {}
    if aware.estop_pressed:
        standing[FaultCode.OPERATOR_STOP] = 'the stop button is pressed'
    if aware.contact.alarming:
        standing[FaultCode.BUMPER_CONTACT] = 'the bumper is pressed'
    for code, names in _INPUTS.items():
        silent = [_silence(aware, name, now_s) for name in names if aware.stale(name, now_s)]
        if silent:
            standing[code] = ', '.join(silent)
    if not executor.alive(now_s):
        standing[FaultCode.EXECUTOR_LOST] = 'no heartbeat from executor'
    return standing


_INPUTS = {
    FaultCode.ODOM_STALE: ('odom',),
    FaultCode.SCAN_STALE: ('scan',),
    FaultCode.INPUT_INVALID: ('bumper', 'estop'),
}


def _silence(aware: Awareness, name: str, now_s: float) -> str:
    return f'no fresh {name} for more than {aware.watches[name].limit_s:.2f} s'
