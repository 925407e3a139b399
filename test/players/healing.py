"""Takes back what a scenario did to nodes and messages of a running system. A fresh start heals the robot."""

from __future__ import annotations

import signal

from players.stage import Stage
from robot_tool_agent.core.outcomes import Effect
from robot_tool_agent_sim.harness.fresh_start import unresolved


def heal(stage: Stage) -> None:
    """Let held nodes go on, take back every order, send saboteurs of messages away."""
    for name in sorted(stage.held):
        stage.signal(name, signal.SIGCONT)
    stage.held.clear()
    broken = stage.orders.read('disk')
    stage.orders.clear()
    if broken:
        _resolve_what_could_not_be_written(stage)
    while stage.intruders:
        stage.intruders.pop().close()
    if 'relay' in stage.set_up.cast:
        stage.probe.set_saboteur('none')
        # An end whose message was dropped never arrives: nobody waits for it.
        stage.probe.goals.clear()


def _resolve_what_could_not_be_written(stage: Stage) -> None:
    """Say of calls whose end the disk did not take what became of them; a call that is alive ends by itself."""
    for record in unresolved(stage.journal):
        stage.probe.resolve_call(record.admission.call_id, Effect.NONE, 'the world is put back')
