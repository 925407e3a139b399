"""Text from elsewhere: what hides is removed, what is long is cut, and no content leaves its fence."""

from __future__ import annotations

import random
import unicodedata

import pytest
from robot_tool_agent.core.planning.untrusted import (
    clean_text,
    fence,
    FENCE_CLOSE,
    FENCE_OPEN,
    MAX_DATA,
    MAX_TEXT,
    unfence,
)

HIDDEN = {
    'nul': '\x00',
    'escape': '\x1b',
    'delete': '\x7f',
    'next line': '\x85',
    'soft hyphen': '\xad',
    'zero width space': '\u200b',
    'zero width joiner': '\u200d',
    'left-to-right mark': '\u200e',
    'right-to-left override': '\u202e',
    'word joiner': '\u2060',
    'isolate': '\u2066',
    'byte order mark': '\ufeff',
    'grapheme joiner': '\u034f',
    'hangul filler': '\u3164',
    'hangul choseong filler': '\u115f',
    'half-width filler': '\uffa0',
    'mongolian separator': '\u180e',
    'variation selector': '\ufe0f',
    'variation selector supplement': '\U000e0101',
    'tag': '\U000e0041',
    'private use': '\ue000',
    'lone surrogate': '\ud800',
    'blank braille': '\u2800',
}


@pytest.mark.parametrize('hidden', HIDDEN.values(), ids=HIDDEN)
def test_what_hides_is_removed(hidden: str) -> None:
    assert clean_text(f'pi{hidden}ck') in ('pick', 'pi ck')
    assert clean_text(hidden * 50) == ''
    assert hidden not in fence({f'a{hidden}': [f'{hidden}b']})


@pytest.mark.parametrize('text', ['cup', '杯子', 'Über-Tasse n° 3', 'é', 'cup 👍', 'ارفع الكوب', '한국어'])
def test_what_shows_stays(text: str) -> None:
    assert clean_text(text) == text


def test_whatever_goes_in_stays_inside_its_fence() -> None:
    chance = random.Random(11)
    parts = [FENCE_OPEN, FENCE_CLOSE, '<', '>', '/', '\\', '"', '\\u003c', 'data', '</da\u200bta>', '\n', '＜/data＞']
    parts.append('x' * 300)
    for _ in range(500):
        text = ''.join(chance.choices(parts, k=chance.randint(1, 12)))
        fenced = fence({text: [text, {text: text}], 'message': text})
        assert fenced.count(FENCE_OPEN) == fenced.count(FENCE_CLOSE) == 1
        assert fenced.startswith(FENCE_OPEN)
        assert fenced.endswith(FENCE_CLOSE)
        assert '<' not in fenced[len(FENCE_OPEN): -len(FENCE_CLOSE)]
        assert len(fenced) <= 6 * MAX_DATA
        assert unfence(fenced).get('message', clean_text(text)) == clean_text(text)


def test_long_text_is_cut_before_it_is_read_through() -> None:
    assert len(clean_text('x' * 10_000_000)) == MAX_TEXT
    assert clean_text('\u200b' * 10_000_000) == ''
    assert all(unicodedata.category(c) != 'Cc' for c in clean_text('a\tb\nc\r\x0b\x0c\u2028d'))
