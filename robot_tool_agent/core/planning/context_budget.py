"""
Keeps what a model is sent under a budget of tokens: old results go first, each call keeps its result.

Every chat protocol wants a result for each call it is shown. So a result is shortened, never taken out alone; if that
is not enough, whole old steps go, calls and results together. Instruction and newest step stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
import json

from robot_tool_agent.core.planning.conversation import Message, Role, ToolSpec
from robot_tool_agent.core.planning.untrusted import fence, unfence

# Tokenizers of current models need a token for three to four bytes of English and for about three bytes (one
# character) of Chinese; a third of the bytes errs on the safe side for both.
BYTES_PER_TOKEN = 3
TOKENS_PER_TURN = 8
OPENING = 2
KEPT = ('sent', 'outcome', 'effect', 'error_code', 'advice', 'message', 'replayed')
LEFT_OUT = 'older content was left out to save space; call the tool again if you need it'


def tokens_of(text: str) -> int:
    """Return how many tokens a text has at most, roughly."""
    return -(-len(text.encode('utf-8', 'surrogatepass')) // BYTES_PER_TOKEN)


def tokens_of_turn(turn: Message) -> int:
    """Return how many tokens a turn has, roughly."""
    calls = sum(tokens_of(call.name) + tokens_of(call.arguments_json) + tokens_of(call.ref) for call in turn.calls)
    return TOKENS_PER_TURN + tokens_of(turn.text) + tokens_of(turn.ref) + calls


def tokens_of_tools(tools: Sequence[ToolSpec]) -> int:
    """Return how many tokens the descriptions of tools have, roughly."""
    texts = (f'{tool.name}{tool.description}{json.dumps(dict(tool.parameters))}' for tool in tools)
    return sum(map(tokens_of, texts))


def fit(turns: Sequence[Message], max_tokens: int) -> tuple[Message, ...]:
    """Return the turns within a budget; over it, only what cannot be shortened any more is left."""
    kept = list(turns)
    spare = max_tokens - sum(map(tokens_of_turn, kept))
    newest = _newest_step(kept)
    for place in range(OPENING, newest):
        if spare >= 0:
            return tuple(kept)
        shorter = _shortened(kept[place])
        spare += tokens_of_turn(kept[place]) - tokens_of_turn(shorter)
        kept[place] = shorter
    return tuple(_without_old_steps(kept, spare))


def _newest_step(turns: Sequence[Message]) -> int:
    """Return where the newest step begins: the last turn of the model, behind the opening."""
    spoken = [place for place, turn in enumerate(turns) if turn.role is Role.ASSISTANT]
    return max(spoken[-1] if spoken else len(turns), OPENING)


def _shortened(turn: Message) -> Message:
    if turn.role is not Role.TOOL:
        return turn
    data = unfence(turn.text)
    short = {key: data[key] for key in KEPT if key in data} | {'left_out': LEFT_OUT}
    shorter = replace(turn, text=fence(short))
    return shorter if tokens_of_turn(shorter) < tokens_of_turn(turn) else turn


def _without_old_steps(turns: list[Message], spare: int) -> list[Message]:
    dropped = 0
    while spare < 0 and _newest_step(turns) > OPENING:
        until = next(
            (place for place in range(OPENING + 1, len(turns)) if turns[place].role is Role.ASSISTANT), len(turns)
        )
        spare += sum(map(tokens_of_turn, turns[OPENING:until]))
        del turns[OPENING:until]
        dropped += 1
    if dropped:
        note = f'\nThe first {dropped} steps of this task were left out to save space.'
        turns[0] = replace(turns[0], text=turns[0].text + note)
    return turns
