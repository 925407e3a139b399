"""Names of places and objects, learnt from what the tools and their results say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import re
from typing import Any

from robot_tool_agent.core.planning.conversation import ToolSpec

_ARTICLE = re.compile(r'^(?:the|a|an|my|our|this|that) ')
_CHINESE_ENDING = re.compile(r'(?:上面|上边|里面|那里|那儿|旁边|上|里|边)去?$|去$')
_NUMBERED = re.compile(r'_\d+$')
_OTHER_NAMES = 'Other names:'

_SAME_OBJECT = (
    ('cup', 'mug', 'coffee cup', '杯子', '杯', '水杯', '茶杯', '咖啡杯'),
    ('bottle', 'water bottle', 'flask', '瓶子', '瓶', '水瓶'),
    ('book', '书', '书本', '一本书'),
    ('box', '盒子', '箱子'),
    ('ball', '球'),
)


def plain(name: str) -> str:
    """Return a name as it is compared: lower case, blanks for underscores, no article, no ending of location."""
    text = ' '.join(name.casefold().replace('_', ' ').split())
    text = _ARTICLE.sub('', text)
    return _CHINESE_ENDING.sub('', text) or text


class Places:
    """The places a tool's argument takes, with their other names as its schema tells them."""

    def __init__(self, tool: ToolSpec | None) -> None:
        field = {} if tool is None else tool.parameters.get('properties', {}).get('place', {})
        self.names: tuple[str, ...] = tuple(str(name) for name in field.get('enum', ()))
        self._keys = {plain(name): name for name in self.names}
        for name, others in _other_names(str(field.get('description', ''))).items():
            if name in self.names:
                self._keys |= {plain(other): name for other in others if plain(other) not in self._keys}

    def find(self, words: str) -> str | None:
        """Return the place that is meant, None if there is none of that name."""
        return self._keys.get(' '.join(words.casefold().replace('_', ' ').split())) or self._keys.get(plain(words))

    def of_kind(self, plural: str) -> tuple[str, ...]:
        """Return the places named by the singular and a number, in order; only that place if one has this very name."""
        one, singular = self.find(plural), plural.removesuffix('s')
        return (one,) if one else tuple(name for name in self.names if _NUMBERED.sub('', name) == singular)


def _other_names(description: str) -> Mapping[str, Sequence[str]]:
    """Read `Other names: kitchen = a, b; table = c`."""
    _, _, listed = description.partition(_OTHER_NAMES)
    pairs = (part.partition('=') for part in listed.split(';') if '=' in part)
    return {name.strip(): [other.strip() for other in others.split(',')] for name, _, others in pairs}


def object_label(words: str) -> str:
    """Return the common label of an object's many names; the words themselves where it has none."""
    text = plain(words)
    for group in _SAME_OBJECT:
        if text in group or text.removesuffix('s') in group:
            return group[0]
    return text


def matching(objects: Any, words: str) -> list[dict[str, Any]]:
    """Return the seen objects that are meant by `words`: by id or by label, in the order they were seen."""
    wanted = object_label(words)
    rows = [item for item in objects if isinstance(item, dict)] if isinstance(objects, list) else []
    return [item for item in rows if wanted == object_label(str(item.get('label', ''))) or _is_id(item, words)]


def _is_id(item: Mapping[str, Any], words: str) -> bool:
    return plain(str(item.get('id', ''))) == plain(words)
