"""The state machine's table, walked over every pair of state and event."""

from __future__ import annotations

import pytest
from robot_tool_agent.core.safety.machine import Event, mermaid, SafetyMachine
from robot_tool_agent.core.safety_state import SafetyMode as M
from transitions import MachineError

ALLOWED = {
    (M.STARTING, Event.INPUTS_READY): M.READY,
    (M.READY, Event.STOP): M.STOPPING,
    (M.STOPPING, Event.RETREAT): M.RETREATING,
    (M.RETREATING, Event.ARRIVE): M.SAFE,
    (M.STARTING, Event.HOLD): M.HOLDING,
    (M.STOPPING, Event.HOLD): M.HOLDING,
    (M.RETREATING, Event.HOLD): M.HOLDING,
    (M.SAFE, Event.HOLD): M.HOLDING,
    (M.SAFE, Event.REARM): M.STARTING,
    (M.HOLDING, Event.REARM): M.STARTING,
    (M.SAFE, Event.RESET): M.STARTING,
    (M.HOLDING, Event.RESET): M.STARTING,
    (M.ESTOPPED, Event.RESET): M.STARTING,
    **{(mode, Event.OPERATOR_STOP): M.ESTOPPED for mode in M if mode is not M.ESTOPPED},
}
ROUTES = {
    M.STARTING: (),
    M.READY: (Event.INPUTS_READY,),
    M.STOPPING: (Event.INPUTS_READY, Event.STOP),
    M.RETREATING: (Event.INPUTS_READY, Event.STOP, Event.RETREAT),
    M.SAFE: (Event.INPUTS_READY, Event.STOP, Event.RETREAT, Event.ARRIVE),
    M.HOLDING: (Event.HOLD,),
    M.ESTOPPED: (Event.OPERATOR_STOP,),
}


def machine_in(mode: M) -> SafetyMachine:
    machine = SafetyMachine()
    for event in ROUTES[mode]:
        machine.fire(event)
    assert machine.state is mode
    return machine


@pytest.mark.parametrize('event', Event)
@pytest.mark.parametrize('mode', M)
def test_every_pair_leads_where_the_table_says_or_nowhere(mode: M, event: Event):
    machine = machine_in(mode)
    if (mode, event) in ALLOWED:
        machine.fire(event)
        assert machine.state is ALLOWED[mode, event]
    else:
        with pytest.raises(MachineError):
            machine.fire(event)
        assert machine.state is mode


def test_no_shortcut_to_a_state_exists():
    machine = SafetyMachine()
    shortcuts = [name for name in dir(machine) if name.startswith('to_')]
    assert shortcuts == []


def test_a_latched_state_leads_to_starting_only():
    assert {ALLOWED[mode, event] for mode, event in ALLOWED if mode is M.HOLDING} == {M.STARTING, M.ESTOPPED}
    assert {event for mode, event in ALLOWED if mode is M.ESTOPPED} == {Event.RESET}


def test_the_diagram_shows_every_transition_and_no_other():
    lines = mermaid().splitlines()
    arrows = {line.strip() for line in lines if '-->' in line}
    assert lines[0] == 'stateDiagram-v2'
    assert arrows == {
        '[*] --> STARTING',
        *(f'{mode.name} --> {target.name}: {event.value}' for (mode, event), target in ALLOWED.items()),
    }
