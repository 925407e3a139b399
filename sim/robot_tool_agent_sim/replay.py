"""
`rta replay SEED`: plays one episode of `make evidence` again, shows its timeline and draws it.

A command of `rta` by the entry-point group `robot_tool_agent.commands`.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

EXIT_OK, EXIT_NOT_DONE = 0, 1


def add_parser(commands: Any) -> None:
    """Declare the command."""
    text = 'Play one evidence episode again: timeline, verdict and a picture of it.'
    parser = commands.add_parser('replay', help=text, description=text)
    parser.add_argument('seed', type=_seed, metavar='SEED', help='number of the episode, 0 or more')
    parser.add_argument('--baseline', action='store_true', help='with the obvious agent instead of this suite')
    parser.add_argument('--out', type=Path, metavar='FILE', help='picture (build/replay/SEED.png)')
    parser.add_argument('--no-picture', action='store_true', help='only text')
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play, print, draw. Return 0 if the episode kept every invariant, else 1."""
    # Imported late: every other command of rta does without.
    from robot_tool_agent_sim.evidence.playing import play, text_of

    played = play(arguments.seed, arguments.baseline)
    print(text_of(played), flush=True)
    if not arguments.no_picture:
        _draw(played, arguments.out or Path('build/replay') / f'{arguments.seed}.png')
    return EXIT_NOT_DONE if played.broken else EXIT_OK


def _draw(played: Any, path: Path) -> None:
    try:
        from robot_tool_agent_sim.evidence.picture import draw
    except ImportError as error:
        print(f'no picture: {error}')
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    draw(played, path)
    print(f'picture: {path}')


def _seed(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = -1
    if value < 0:
        raise argparse.ArgumentTypeError(f'{text!r} is no seed: a whole number from 0 on')
    return value
