"""From an instruction in English or Chinese to wishes in order."""

from __future__ import annotations

from dataclasses import dataclass

from robot_tool_agent.llm import chinese, english
from robot_tool_agent.llm.wishes import Wish


@dataclass(frozen=True, slots=True)
class Understanding:
    """The wishes of an instruction, or the first clause that was not understood."""

    wishes: tuple[Wish, ...] = ()
    unclear: str = ''


def is_chinese(text: str) -> bool:
    """Tell whether the text has Chinese characters (CJK Unified Ideographs)."""
    return any('\u4e00' <= character <= '\u9fff' for character in text)


def understand(instruction: str) -> Understanding:
    """Read an instruction as a whole: one clause that is not understood and nothing of it is."""
    language = chinese if is_chinese(instruction) else english
    wishes = []
    for clause in language.split(instruction):
        wish = language.read(clause)
        if wish is None:
            return Understanding(unclear=clause)
        wishes.append(wish)
    return Understanding(tuple(wishes), '' if wishes else instruction)
