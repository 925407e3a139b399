"""Takes back what a scenario did to nodes and messages of a running system. A fresh start heals the robot."""

from __future__ import annotations

import signal

from players.stage import Stage


def heal(stage: Stage) -> None:
    """Let held nodes go on, take back every order, send saboteurs of messages away."""
    for name in sorted(stage.held):
        stage.signal(name, signal.SIGCONT)
    stage.held.clear()
    stage.orders.clear()
    while stage.intruders:
        stage.intruders.pop().close()
    if 'relay' in stage.set_up.cast:
        stage.probe.set_saboteur('none')
        # An end whose message was dropped never arrives: nobody waits for it.
        stage.probe.goals.clear()
