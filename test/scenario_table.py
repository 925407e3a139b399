"""Writes the table of scenarios as Markdown: `python test/scenario_table.py` brings docs/scenarios.md up to date."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from scenario_field import FIELD_FAILURES
from scenario_setups import SET_UPS, SetUp
from scenario_types import (
    Act,
    CallEnds,
    Follow,
    Lost,
    Nothing,
    Over,
    Same,
    Scenario,
    SkillCall,
    Strike,
    Task,
    TaskEnds,
    Untold,
)
from scenarios import in_order, SCENARIOS

DOCUMENT = Path(__file__).resolve().parents[1] / 'docs' / 'scenarios.md'
README = DOCUMENT.parents[1] / 'README.md'
BEGIN, END = '<!-- {} begin -->', '<!-- {} end -->'
LONGEST = 60
Ends = CallEnds | TaskEnds | Lost | Untold | Over | Same | Nothing


def parts(row: Scenario) -> Iterator[Scenario]:
    """Yield a row and its sequels."""
    yield row
    if row.sequel is not None:
        yield from parts(row.sequel)


def ends_of(row: Scenario) -> Iterator[Ends]:
    """Yield every end that a row demands."""
    for part in parts(row):
        yield part.expected.ends if isinstance(part.expected, Untold) else part.expected
        yield from (strike.ends for strike in part.strikes if strike.ends is not None)
        yield from (follow.ends for follow in part.then)


def codes_of(row: Scenario) -> set[str]:
    """Return the error codes that a row proves: those of ends that leave no choice."""
    told = [end.errors for end in ends_of(row) if isinstance(end, CallEnds | TaskEnds)]
    return {errors[0] for errors in told if len(errors) == 1 and errors[0]}


def faults_of(row: Scenario) -> set[str]:
    """Return the safety faults that a row proves; one that stops nothing is only told."""
    return {part.fault or part.told for part in parts(row)} - {''}


def kinds() -> tuple[Scenario, ...]:
    """Return the rows that other systems can be measured on."""
    return tuple(row for row in SCENARIOS if row.name.startswith('kind_'))


def told(end: Ends) -> str:
    """Say how a call or task ends."""
    if isinstance(end, Lost):
        return 'nothing: who owed the answer is gone'
    if isinstance(end, Untold):
        return f'nothing; the journal says {told(end.ends)}'
    if isinstance(end, Over):
        return 'the system ends, exit code 0'
    if isinstance(end, Same):
        return 'as before (replayed)'
    if isinstance(end, Nothing):
        return '-'
    if isinstance(end, TaskEnds):
        return ' '.join(_words([' or '.join(status.name for status in end.statuses), _or(end.errors)]))
    words = [_or(outcome.name for outcome in end.outcomes), f'effect {_or(effect.name for effect in end.effects)}']
    return ' '.join(_words([*words, _or(end.errors), '(replayed)' if end.replayed else '']))


def _or(words: Iterable[str]) -> str:
    return ' or '.join(word for word in words if word)


def _words(words: Iterable[str]) -> list[str]:
    return [word for word in words if word]


def asked(what: SkillCall | Task | Nothing) -> str:
    """Say what is asked."""
    if isinstance(what, Nothing):
        return 'nothing'
    if isinstance(what, Task):
        return f'task: {what.instruction}'
    if what.again:
        return 'the same call again'
    text = what.arguments_json if len(what.arguments_json) <= LONGEST else f'{what.arguments_json[:LONGEST]}…'
    return f'`{what.skill} {text}`'


def struck(strike: Strike) -> str:
    """Say what strikes and when."""
    if strike.act is Act.CALL:
        assert strike.call is not None
        what = f'call {asked(strike.call)}'
    else:
        name, _, value = strike.subject.partition('=')
        shown = value if name and len(value) <= LONGEST else ''
        what = ' '.join(_words([strike.act.name.lower().replace('_', ' '), name.replace('_', ' '), shown]))
    moments = {
        'm': strike.after_m, 'rad': strike.after_rad, 's': strike.after_s, 'grasp': strike.after_picks,
    }  # fmt: skip
    when = [f'{value:g} {unit}' for unit, value in moments.items() if value is not None]
    when += [] if strike.in_mode is None else [strike.in_mode.name]
    return f'{what} (at {", ".join(when)})' if when else what


def _follow(follow: Follow) -> str:
    moves = '' if follow.distance_m[1] <= 1e-3 else f', moves {_span(follow.distance_m)} m'
    return f'{asked(follow.asked)}: {told(follow.ends)}{moves}'


def _span(span: tuple[float, float]) -> str:
    return f'{span[0]:g} to {span[1]:g}'


def kind_lines() -> list[str]:
    """Return our line for each kind of failure."""
    heads = ('kind', 'what goes wrong', 'the caller is told', 'true travel, retreat counted', 'afterwards')
    lines = [f'| {" | ".join(heads)} |', '|---|---|---|---|---|']
    for row in kinds():
        seen = list(parts(row))
        ends = '; '.join(dict.fromkeys(told(part.expected) for part in seen))
        ways = '; '.join(f'{_span(part.distance_m)} m' for part in seen)
        lines.append(f'| `{row.name}` | {row.says} | {ends} | {ways} | {_afterwards(row)} |')
    return lines


def _afterwards(row: Scenario) -> str:
    follows = [follow for part in parts(row) for follow in part.then]
    if len(follows) > 4:
        codes = sorted({told(follow.ends).rsplit(' ', 1)[-1] for follow in follows})
        return f'the other {len(follows)} are refused and move nothing: {", ".join(codes)}'
    told_true = ['; what it says of itself is what ground truth says' for follow in follows if follow.tells_truth]
    return '; '.join(dict.fromkeys(_follow(follow) for follow in follows)) + ''.join(told_true)


def field_lines() -> list[str]:
    """Return which rows play the failures that the field has met."""
    rows = [f'| {what} | {", ".join(f"`{name}`" for name in names)} |' for what, names in FIELD_FAILURES]
    return ['| failure | rows |', '|---|---|', *rows]


def row_lines(set_up: SetUp) -> list[str]:
    """Return the rows of a set-up."""
    lines = ['| row | asked | what strikes | the caller is told | safety fault |', '|---|---|---|---|---|']
    for row in in_order():
        if row.set_up == set_up:
            ill = [f'fault {row.ill_with.replace("_", " ")}'] if row.ill_with else []
            strikes = '; '.join(dict.fromkeys([*ill, *map(struck, row.strikes)])) or '-'
            name = f'`{row.name}`' + (' (short run)' if row.quick else '')
            cells = (name, asked(row.asked), strikes, told(row.expected), _fault(row))
            lines.append('| ' + ' | '.join(cell.replace('|', '\\|') for cell in cells) + ' |')
    return lines


def _fault(row: Scenario) -> str:
    if row.untroubled:
        return 'none at any time'
    return f'`{row.fault or row.told}`' if row.fault or row.told else '-'


def table_lines() -> list[str]:
    """Return every row, set-up by set-up."""
    lines: list[str] = []
    for set_up in SET_UPS:
        rows = row_lines(set_up)
        if len(rows) > 2:
            lines += [f'### {set_up.name}: {set_up.says}', '', *rows, '']
    return lines[:-1]


def between(text: str, mark: str) -> str:
    """Return what stands between two marks."""
    return text.split(BEGIN.format(mark), 1)[1].split(END.format(mark), 1)[0].strip()


def with_block(text: str, mark: str, lines: list[str]) -> str:
    """Return a text with the block between two marks replaced."""
    head, rest = text.split(BEGIN.format(mark), 1)
    tail = rest.split(END.format(mark), 1)[1]
    block = '\n'.join(['', *lines, ''])
    return f'{head}{BEGIN.format(mark)}{block}{END.format(mark)}{tail}'


if __name__ == '__main__':
    page = with_block(DOCUMENT.read_text(encoding='utf-8'), 'field', field_lines())
    page = with_block(page, 'rows', table_lines())
    DOCUMENT.write_text(page, encoding='utf-8')
    front = with_block(README.read_text(encoding='utf-8'), 'kinds', kind_lines())
    README.write_text(front, encoding='utf-8')
