"""What the rule-based planner says, in the language it was asked in."""

from __future__ import annotations

_CHINESE = {
    'unclear': '我没有听懂“{clause}”。我会：去某地、拿东西、放东西、前进后退、转身、看四周、等待、回家。请换个说法？',
    'no_place': '我不知道“{place}”在哪里。我知道的地方有：{names}。要去哪一个？',
    'no_surface': '“{place}”那里不能放东西。可以放的地方有：{names}。放到哪里？',
    'where_to': '没有说放到哪里；可以放的地方有：{names}。已完成：{done}',
    'call_failed': '{tool} 没有成功：{code}，{message}。已完成：{done}',
    'not_found': '没有找到{thing}；找过的地方：{places}。已完成：{done}',
    'no_tool': '这台机器人没有 {tool} 这个技能。已完成：{done}',
    'at': '机器人在{place}',
    'home': '机器人在安全位置',
    'picked': '拿起了{thing}',
    'placed': '{thing}放到了{place}',
    'moved': '移动了 {value:g} 米',
    'turned': '转了 {value:g} 度',
    'waited': '等了 {value:g} 秒',
    'sees': '看到：{things}',
    'sees_nothing': '什么也没看到',
    'state': '{text}',
    'nothing': '无',
    'it': '东西',
    'here': '这里',
}
_ENGLISH = {
    'unclear': 'I do not understand "{clause}". I can go to a place, bring, pick up and put down things, move, turn, '
    'look around, wait and go home. Can you say it that way?',
    'no_place': 'I know no place "{place}". I know: {names}. Which one do you mean?',
    'no_surface': 'Nothing can be put down at "{place}". I can put things at: {names}. Which one do you mean?',
    'where_to': 'it was not said where to put it; possible: {names}. Done before: {done}',
    'call_failed': '{tool} did not succeed: {code}: {message}. Done before: {done}',
    'not_found': 'the {thing} was not found; looked at: {places}. Done before: {done}',
    'no_tool': 'this robot has no skill {tool}. Done before: {done}',
    'at': 'the robot is at {place}',
    'home': 'the robot is at a safe pose',
    'picked': 'the {thing} is in the gripper',
    'placed': 'the {thing} is at {place}',
    'moved': 'moved {value:g} m',
    'turned': 'turned {value:g} degrees',
    'waited': 'waited {value:g} s',
    'sees': 'I see {things}',
    'sees_nothing': 'I see nothing',
    'state': '{text}',
    'nothing': 'nothing',
    'it': 'object',
    'here': 'here',
}


def say(chinese: bool, key: str, **values: object) -> str:
    """Return a sentence of the table with its blanks filled."""
    return (_CHINESE if chinese else _ENGLISH)[key].format(**values)
