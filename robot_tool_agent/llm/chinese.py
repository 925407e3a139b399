"""Plain Chinese instructions: one clause, one wish."""

from __future__ import annotations

from collections.abc import Callable
import math
import re

from robot_tool_agent.llm.numbers_in_text import read_angle_rad, read_length_m, read_time_s
from robot_tool_agent.llm.wishes import (
    Fetch,
    GoHome,
    GoTo,
    LookAround,
    Move,
    PutDown,
    Square,
    TellState,
    Turn,
    Wait,
    Wish,
)

Match = re.Match[str]
Reading = Callable[[Match], Wish | None]

_POLITE = re.compile(r'^(?:请|麻烦|帮我|给我|帮忙|你|机器人|先|现在|最后)')
_NUMBER = r'(?P<n>\d+(?:\.\d+)?|[零一二两三四五六七八九十百半]+)'
_LENGTH = rf'{_NUMBER}(?P<unit>米|公尺|厘米|公分|cm|m)'
_COUNT = r'(?:(?:那|这|一|两)(?:个|只|瓶|本|杯)?)?'
_THING = rf'{_COUNT}(?P<thing>[^从到把去在它放拿]+?)'
_CARRY = r'(?:拿|取|带|送|搬|放|移|端|递|移动|运)'
_TO = r'(?:到|去|回|至|在|进)'
_PICK = r'(?:拿起|抓起|捡起|拾起|抓取|抓住|拿来|取来|拿|取|抓|捡)'


def _move(match: Match) -> Wish | None:
    length_m = read_length_m(match['n'], match['unit'])
    sign = -1.0 if match['side'] in ('后', '退') else 1.0
    return Move(sign * length_m) if length_m else None


def _square(match: Match) -> Wish | None:
    side_m = read_length_m(match['n'], match['unit']) if match['n'] else 1.0
    return Square(side_m) if side_m else None


def _turn(match: Match) -> Wish | None:
    number = match['n']
    angle_rad = read_angle_rad(number, match['unit'] or '') if number else math.pi / 2
    return Turn(angle_rad if match['side'] == '左' else -angle_rad) if angle_rad else None


def _wait(match: Match) -> Wish | None:
    time_s = read_time_s(match['n'], match['unit'])
    return Wait(time_s) if time_s else None


def _fetch(match: Match) -> Wish | None:
    found = match.groupdict()
    return Fetch(match['thing'], found.get('source') or '', found.get('target') or '')


_RULES: tuple[tuple[str, Reading], ...] = (
    (rf'(?:向|往|朝)?(?P<side>前|后)(?:面|方)?(?:走|移动|开|退|进|行驶)?{_LENGTH}', _move),
    (rf'倒?(?P<side>退){_LENGTH}', _move),
    (rf'(?:向|往|朝)?(?P<side>左|右)(?:边)?(?:转|旋转|拐)(?:弯)?(?:{_NUMBER}(?P<unit>度|弧度)?)?', _turn),
    (rf'(?:画|走)(?:一?个)?(?:边长(?:为|是)?{_LENGTH}的?)?正方形', _square),
    (r'转身|掉头|向后转|转过身去?', lambda _: Turn(math.pi)),
    (rf'(?:等待|等|停|暂停)(?:一下)?{_NUMBER}(?P<unit>秒钟|秒|分钟)', _wait),
    (r'(?:环顾|看看|看一下|看)(?:一下)?(?:四周|周围|这里)?|.*看到了?什么|.*看见了?什么', lambda _: LookAround()),
    (r'(?:在|你在)?(?:哪|哪里|哪儿)(?:呢|啊)?|(?:当前|现在)?(?:的)?(?:位置|状态)(?:在哪里?)?', lambda _: TellState()),
    (r'回家|回去|返回|回充|(?:回|去|回到|到)(?:充电座|充电桩|安全的?(?:地方|位置|点))', lambda _: GoHome()),
    (rf'把{_THING}从(?P<source>.+?){_CARRY}{_TO}(?P<target>.+)', _fetch),
    (rf'从(?P<source>.+?)把{_THING}{_CARRY}{_TO}(?P<target>.+)', _fetch),
    (rf'从(?P<source>.+?){_PICK}{_THING}{_CARRY}?{_TO}(?P<target>.+)', _fetch),
    (rf'(?:从|去|到)(?P<source>.+?){_PICK}{_THING}', _fetch),
    (rf'把(?:它|东西){_CARRY}{_TO}(?P<place>.+)', lambda match: PutDown(match['place'])),
    (r'把.{1,6}放下来?|放下.{0,6}|松开', lambda _: PutDown()),
    (rf'把{_THING}(?:拿|抓|捡|拾)(?:起来|起)', _fetch),
    (rf'把{_THING}{_CARRY}{_TO}(?P<target>.+)', _fetch),
    (r'放(?:到|在|回)(?P<place>.+)', lambda match: PutDown(match['place'])),
    (rf'{_PICK}{_THING}', _fetch),
    (r'(?:去|到|前往|走到|走去|开到|移动到|导航到|回到|来到|走进|进)(?P<place>.+)', lambda match: GoTo(match['place'])),
)
_COMPILED = tuple((re.compile(pattern), reading) for pattern, reading in _RULES)
_JOINTS = re.compile(r'[，,。；;！!\n]|然后|接着|随后|之后|并且|再')


def split(text: str) -> list[str]:
    """Return the clauses of an instruction, in order."""
    return [part for part in (piece.strip() for piece in _JOINTS.split(text)) if part]


def read(clause: str) -> Wish | None:
    """Return the wish of one clause, None if it is not understood."""
    text = re.sub(r'\s+', '', clause).strip('。！!？?吧了')
    while (shorter := _POLITE.sub('', text)) != text:
        text = shorter
    for pattern, reading in _COMPILED:
        match = pattern.fullmatch(text)
        wish = reading(match) if match else None
        if wish is not None:
            return wish
    return None
