"""A question at a pseudo-terminal: which keys are a yes."""

import sys

from terminal import Terminal

PROGRAM = """
import sys
import threading
from robot_tool_agent.commands.ask import YesNo
for number in range(int(sys.argv[1])):
    with YesNo(f'question {number}?', float(sys.argv[2])) as question:
        while (answer := question.poll()) is None and not question.late:
            threading.Event().wait(0.005)
    print(f'ANSWER {number} {answer}', flush=True)
"""
KEYS = {
    'y\r': True, 'Y\r': True, 'yes\r': True, ' yes \r': True, 'n\x7fy\r': True, 'y\n': True,
    '\r': False, 'n\r': False, 'no\r': False, 'yy\r': False, 'yeah\r': False, 'y\x7f\r': False, '\x04': False,
    'y\x04': False,    '\x1b[A\r': False, 'é\r': False, 'y' * 200 + '\r': False, '\x7f\x7fy\r': True, 'y\x00\r': True,
}  # fmt: skip


def ask(count: int, timeout_s: float) -> Terminal:
    return Terminal([sys.executable, '-c', PROGRAM, str(count), str(timeout_s)], domain_id=0)


def test_only_y_and_yes_are_a_yes() -> None:
    with ask(len(KEYS), 30.0) as terminal:
        for number, (keys, wanted) in enumerate(KEYS.items()):
            terminal.wait_text(rf'question {number}\?\s+approve\? \[y/N\] \(30 s left, then no\)')
            terminal.type(keys)
            terminal.wait_text(rf'ANSWER {number} \w+')
            assert f'ANSWER {number} {wanted}' in terminal.text, keys
        assert terminal.exit_code() == 0


def test_no_answer_in_time_is_none() -> None:
    with ask(1, 0.3) as terminal:
        terminal.type('y')
        terminal.wait_text('ANSWER 0 None')
        assert terminal.exit_code() == 0


def test_keys_of_before_the_question_are_thrown_away() -> None:
    with ask(1, 0.5) as terminal:
        terminal.type('y\r' * 5)
        terminal.wait_text(r'ANSWER 0 \w+')
        assert 'ANSWER 0 None' in terminal.text
