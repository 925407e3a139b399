"""The table at the end: what was asked, what was claimed, what is true."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text
from robot_tool_agent_sim.demo.played import Played


def print_report(console: Console, played: Sequence[Played]) -> None:
    """Print the table and, for every act that went wrong, why."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for title in ('act', 'asked', 'claimed', 'true', 'verdict'):
        table.add_column(title, ratio={'asked': 3, 'claimed': 2, 'true': 4}.get(title))
    for act in played:
        good = act.verdict.agrees
        verdict = Text('as promised' if good else 'WRONG', style='bold green' if good else 'bold red')
        asked = Text(f'{act.asked}\n({act.title})')
        table.add_row(act.letter, asked, Text(act.claimed), Text(act.verdict.truth), verdict)
    console.print(table)
    for act in played:
        for fault in act.verdict.faults:
            console.print(Text(f'act {act.letter} ({act.title}): {fault}', style='red'))
