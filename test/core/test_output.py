"""The printer of many processes' lines on terminals of every kind."""

from __future__ import annotations

import io

import pytest
from robot_tool_agent.processes.output import LinePrinter


@pytest.mark.parametrize(
    ('encoding', 'shown'),
    [
        ('ascii', '[planner] \\u53a8\\u623f caf\\xe9'),
        ('latin-1', '[planner] \\u53a8\\u623f caf\xe9'),
        ('utf-8', '[planner] 厨房 café'),
    ],
)
def test_a_character_that_the_terminal_cannot_show_is_escaped_and_silences_nothing(encoding: str, shown: str):
    raw = io.BytesIO()
    terminal = io.TextIOWrapper(raw, encoding=encoding)
    printer = LinePrinter(terminal)
    printer.say('厨房 café', 'planner')
    printer.say('\ud800', 'planner')
    printer.say('RTA READY')
    printer.close(5.0)
    assert raw.getvalue().decode(encoding).splitlines() == [shown, '[planner] \\ud800', 'RTA READY']


def test_a_terminal_that_is_gone_is_given_up_without_an_error():
    terminal = io.TextIOWrapper(io.BytesIO(), encoding='utf-8')
    terminal.close()
    printer = LinePrinter(terminal)
    printer.say('nobody reads this')
    printer.close(5.0)
