"""`rta replay`: a command of another package, found by entry point; it shows an episode and draws it."""

from __future__ import annotations

import argparse
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest
from robot_tool_agent.cli import main
from robot_tool_agent.commands import plugins
from robot_tool_agent_sim.evidence.episode import Episode
from robot_tool_agent_sim.evidence.picture import draw
from robot_tool_agent_sim.evidence.plan import draw_plan
from robot_tool_agent_sim.evidence.playing import play, text_of

# Nothing goes wrong; the obvious agent drives into a person.
QUIET, PERSON = 10, 23


def test_rta_has_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['replay', str(QUIET), '--no-picture']) == 0
    printed = capsys.readouterr().out
    assert printed.startswith(f'seed {QUIET}, this suite: no fault')
    assert Episode(draw_plan(QUIET)).run().digest[:12] in printed
    assert 'claimed: success; true: the goal is reached' in printed
    assert printed.rstrip().endswith('no invariant was broken')


def test_the_obvious_agent_is_shown_with_what_it_broke(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(['replay', str(PERSON), '--baseline', '--no-picture']) == 1
    printed = capsys.readouterr().out
    assert 'person_steps_in strikes' in printed
    assert 'collisions: contact' in printed


@pytest.mark.parametrize('seed', ['-1', '1.5', 'ten'])
def test_what_is_no_seed_is_refused(seed: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match='2'):
        main(['replay', f' {seed}'])
    assert 'is no seed' in capsys.readouterr().err


def test_the_picture_is_a_png_of_the_path(tmp_path: Path) -> None:
    played = play(PERSON)
    assert played.timeline.path[0].mode == 'STARTING'
    assert {point.mode for point in played.timeline.path} >= {'READY'}
    path = tmp_path / '23.png'
    draw(played, path)
    assert path.read_bytes().startswith(b'\x89PNG')
    assert 'person_steps_in strikes' in text_of(played)


def test_a_command_that_cannot_be_loaded_leaves_the_others_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = EntryPoint('broken', 'no_such_module_anywhere', plugins.GROUP)
    whole = EntryPoint('replay', 'robot_tool_agent_sim.replay', plugins.GROUP)
    monkeypatch.setattr(plugins, 'entry_points', lambda group: [broken, whole])
    parser = argparse.ArgumentParser()
    plugins.add_plugin_parsers(parser.add_subparsers())
    assert 'rta: command broken' in capsys.readouterr().err
    assert parser.parse_args(['replay', '7']).seed == 7
