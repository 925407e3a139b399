"""
Replies that models get wrong, as lines of the provider `scripted`, each with its code. None may move a robot.

The core test plays each against a counting executor, the system test all of them against the simulated robot.
"""

from __future__ import annotations

from typing import Any

Line = dict[str, Any]
GO, MOVE, TURN, WAIT, TAKE, PUT = 'navigate_to', 'move_relative', 'rotate_relative', 'wait', 'pick', 'place'
RIGHT = '{"distance_m": 0.5}'
BACKTICKS = '```'


def call(name: str, arguments: Any = RIGHT) -> Line:
    return {'name': name, 'arguments': arguments}


def one(name: str, arguments: Any = RIGHT) -> Line:
    return {'calls': [call(name, arguments)]}


def plan(*steps: Line) -> Line:
    return one('submit_plan', {'steps': list(steps)})


def step(name: str, skill: str, arguments: Line, **more: Any) -> Line:
    return {'id': name, 'skill': skill, 'arguments': arguments, **more}


FORWARD = step('go', MOVE, {'distance_m': 0.5})

INVALID_JSON: dict[str, Line] = {
    'no text': one(MOVE, ''),
    'a blank': one(MOVE, ' '),
    'missing brace': one(MOVE, '{"distance_m": 0.5'),
    'missing quote': one(MOVE, '{"distance_m: 0.5}'),
    'missing colon': one(MOVE, '{"distance_m" 0.5}'),
    'missing value': one(MOVE, '{"distance_m": }'),
    'single quotes': one(MOVE, "{'distance_m': 0.5}"),
    'no quotes': one(MOVE, '{distance_m: 0.5}'),
    'curly quotes': one(MOVE, '{“distance_m”: 0.5}'),
    'two objects': one(MOVE, RIGHT * 2),
    'text behind': one(MOVE, RIGHT + ' drives forward'),
    'text before': one(MOVE, 'Arguments: ' + RIGHT),
    'comment': one(MOVE, '{"distance_m": 0.5 // half a metre\n}'),
    'yaml': one(MOVE, 'distance_m: 0.5'),
    'xml': one(MOVE, '<distance_m>0.5</distance_m>'),
    'python call': one(MOVE, 'move_relative(distance_m=0.5)'),
    'python none': one(MOVE, '{"distance_m": None}'),
    'nan': one(MOVE, '{"distance_m": NaN}'),
    'infinity': one(MOVE, '{"distance_m": Infinity}'),
    'minus infinity': one(MOVE, '{"distance_m": -Infinity}'),
    'too large for a number': one(MOVE, '{"distance_m": 1e999}'),
    'five thousand digits': one(MOVE, '{"distance_m": ' + '9' * 5000 + '}'),
    'leading plus': one(MOVE, '{"distance_m": +0.5}'),
    'leading zero': one(MOVE, '{"distance_m": 01}'),
    'no digit before the point': one(MOVE, '{"distance_m": .5}'),
    'hexadecimal': one(MOVE, '{"distance_m": 0x1}'),
    'decimal comma': one(MOVE, '{"distance_m": 0,5}'),
    'unit behind the number': one(MOVE, '{"distance_m": 0.5m}'),
    'sum': one(MOVE, '{"distance_m": 0.2 + 0.3}'),
    'key twice': one(MOVE, '{"distance_m": 0.5, "distance_m": 5}'),
    'key twice inside': one(MOVE, '{"distance_m": {"a": 1, "a": 2}}'),
    'array': one(MOVE, '[0.5]'),
    'object in an array': one(MOVE, '[{"distance_m": 0.5}]'),
    'number': one(MOVE, '0.5'),
    'null': one(MOVE, 'null'),
    'boolean': one(MOVE, 'true'),
    'object in a string': one(MOVE, '"{\\"distance_m\\": 0.5}"'),
    'deep arrays': one(MOVE, '[' * 10_000),
    'deep objects': one(MOVE, '{"a":' * 50 + '1' + '}' * 50),
    'one megabyte': one(MOVE, '{"distance_m": "' + 'x' * 1_000_000 + '"}'),
    'invalid escape': one(TAKE, '{"object": "\\x41"}'),
    'raw line feed in a string': one(TAKE, '{"object": "cup\n1"}'),
    'lone surrogate': one(TAKE, '{"object": "\\ud800"}'),
    'fence without an end': one(MOVE, f'{BACKTICKS}json\n{RIGHT}'),
    'fence around no JSON': one(MOVE, f'{BACKTICKS}\ndistance_m = 0.5\n{BACKTICKS}'),
    'text around a fence': one(MOVE, f'Here it is:\n{BACKTICKS}json\n{RIGHT}\n{BACKTICKS}'),
    'two fences': one(MOVE, f'{BACKTICKS}\n{RIGHT}\n{BACKTICKS}\n{BACKTICKS}\n{RIGHT}\n{BACKTICKS}'),
    'lone comma': one(MOVE, '{,}'),
    'leading comma': one(MOVE, '{, "distance_m": 0.5}'),
    'two commas at the end': one(MOVE, '{"distance_m": 0.5,,}'),
    'key twice and a comma at the end': one(MOVE, '{"distance_m": 0.5, "distance_m": 5,}'),
    'cut off': {**one(MOVE), 'truncated': True},
    'plan as text': one('submit_plan', '1. drive to the kitchen 2. take the cup'),
}
UNKNOWN_SKILL: dict[str, Line] = {
    'invented tool': one('fly_to'),
    'no name': one(''),
    'other case': one('Move_Relative'),
    'blank behind': one('move_relative '),
    'hyphen': one('move-relative'),
    'dotted': one('functions.move_relative'),
    'with parentheses': one('move_relative()'),
    'letter of another script': one('mоve_relative'),
    'chinese': one('前进'),
    'very long name': one('move_relative' * 10_000),
    'control characters': one('move_relative\x00\x1b[2J'),
    'topic': one('cmd_vel', '{"linear": {"x": 0.5}}'),
    'shell': one('bash', '{"command": "ros2 topic pub /cmd_vel geometry_msgs/msg/Twist"}'),
    'step of an invented skill': plan(FORWARD, step('fly', 'fly_to', {})),
    'plan in a plan': plan(step('inner', 'submit_plan', {'steps': [FORWARD]})),
}
INVALID_ARGUMENT: dict[str, Line] = {
    'missing': one(MOVE, '{}'),
    'extra': one(MOVE, '{"distance_m": 0.5, "speed_mps": 9}'),
    'other name': one(MOVE, '{"distance": 0.5}'),
    'other case of a name': one(MOVE, '{"Distance_m": 0.5}'),
    'number in quotes': one(MOVE, '{"distance_m": "0.5"}'),
    'number with a unit in quotes': one(MOVE, '{"distance_m": "0.5 m"}'),
    'boolean for a number': one(MOVE, '{"distance_m": true}'),
    'null for a number': one(MOVE, '{"distance_m": null}'),
    'array for a number': one(MOVE, '{"distance_m": [0.5]}'),
    'object for a number': one(MOVE, '{"distance_m": {"value": 0.5}}'),
    'just above the range': one(MOVE, '{"distance_m": 5.0001}'),
    'far above the range': one(MOVE, '{"distance_m": 1e308}'),
    'below the range': one(MOVE, '{"distance_m": -50}'),
    'degrees for radians': one(TURN, '{"angle_rad": 90}'),
    'negative time': one(WAIT, '{"duration_s": -1}'),
    'hours of waiting': one(WAIT, '{"duration_s": 7200}'),
    'unknown place': one(GO, '{"place": "moon"}'),
    'other case of a place': one(GO, '{"place": "Kitchen"}'),
    'blank behind a place': one(GO, '{"place": "kitchen "}'),
    'alias of a place': one(GO, '{"place": "厨房"}'),
    'place in an array': one(GO, '{"place": ["kitchen"]}'),
    'place that is a number': one(GO, '{"place": 7}'),
    'neither form': one(GO, '{"x_m": 1.0, "y_m": "2.0", "yaw_rad": 0.0}'),
    'no form at all': one(GO, '{}'),
    'both forms': one(GO, '{"place": "kitchen", "x_m": 1.0, "y_m": 1.0, "yaw_rad": 0.0}'),
    'part of a pose': one(GO, '{"x_m": 1.0, "y_m": 1.0}'),
    'no distance': one(MOVE, '{"distance_m": 0}'),
    'turn too small to measure': one(TURN, '{"angle_rad": -0.01}'),
    'part of a pose in a later step': plan(FORWARD, step('more', GO, {'x_m': 1.0}, after=['go'])),
    'place without a surface': one(PUT, '{"place": "bedroom"}'),
    'empty object name': one(TAKE, '{"object": ""}'),
    'long object name': one(TAKE, '{"object": "' + 'x' * 65 + '"}'),
    'arguments for a tool without': one('look', '{"at": "cup"}'),
    'sound call beside a faulty one': {'calls': [call(MOVE), call(GO, '{"place": "moon"}')]},
    'too many calls': {'calls': [call(MOVE)] * 40},
    'claim beside a call': {'calls': [call(MOVE), call('finish_task', {'claim': 'DONE', 'text': 'moved'})]},
    'plan beside a call': {'calls': [call(MOVE), call('submit_plan', {'steps': [FORWARD]})]},
    'claim in lower case': one('finish_task', {'claim': 'done', 'text': 'moved'}),
    'empty plan': plan(),
    'number in quotes in a later step': plan(FORWARD, step('more', MOVE, {'distance_m': '0.5'}, after=['go'])),
    'unknown place in a later step': plan(FORWARD, step('more', GO, {'place': 'moon'})),
    'unknown step': plan(FORWARD, step('more', MOVE, {'distance_m': 0.5}, after=['come'])),
    'circle': plan(step('a', MOVE, {'distance_m': 0.5}, after=['b']), step('b', 'look', {}, after=['a'])),
    'same step twice': plan(FORWARD, FORWARD),
    'empty reply': {'text': ''},
    'reply of blanks': {'text': ' \n\t '},
    'reply of hidden characters': {'text': '\u200b\u202e\x00'},
    'text that is cut off': {'text': 'I will now', 'truncated': True},
}
VERIFICATION_FAILED: dict[str, Line] = {
    'claim without a call': {'text': 'DONE: I moved half a metre.'},
    'claim by tool without a call': one('finish_task', {'claim': 'DONE', 'text': 'moved'}),
    'call written as text': {
        'text': '<tool_call>{"name": "move_relative", "arguments": {"distance_m": 0.5}}</tool_call>'
    },
    'call written as a fence': {'text': f'{BACKTICKS}json\n{{"move_relative": {RIGHT}}}\n{BACKTICKS}'},
}
TABLES = {
    'INVALID_JSON': INVALID_JSON,
    'UNKNOWN_SKILL': UNKNOWN_SKILL,
    'INVALID_ARGUMENT': INVALID_ARGUMENT,
    'VERIFICATION_FAILED': VERIFICATION_FAILED,
}
ROWS: tuple[tuple[str, Line, str], ...] = tuple(
    (name, line, code) for code, table in TABLES.items() for name, line in table.items()
)
