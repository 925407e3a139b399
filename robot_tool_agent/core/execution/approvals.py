"""Which calls need a person's yes, and what the person said. No answer is a no."""

from __future__ import annotations

from collections import deque
from typing import Any

from robot_tool_agent.core.robot import RobotDescription
from robot_tool_agent.core.skills.base import Risk

MAX_DENIED = 1000


class ApprovalDesk:
    """Open questions and their answers, by call_id. An answer counts once and only while its question is open."""

    def __init__(self, robot: RobotDescription) -> None:
        self._robot = robot
        self._used: set[str] = set()
        self._open: dict[str, tuple[bool, str] | None] = {}
        self._denied: deque[tuple[str, str]] = deque(maxlen=MAX_DENIED)

    def reason(self, skill: str, risk: Risk, arguments: dict[str, Any]) -> str | None:
        """Return why a call needs approval, None if it does not."""
        if risk is Risk.HIGH:
            return f'{skill} is high risk'
        for policy in self._robot.approvals:
            if policy.skill != skill or not self._is_at(policy.place, arguments.get('place')):
                continue
            if not policy.first_use or skill not in self._used:
                return f'policy for {skill}' + (f' at {policy.place}' if policy.place else '')
        return None

    def policies(self, skill: str, risk: Risk) -> list[dict[str, Any]]:
        """Return by which rules calls of a skill need approval from now on; no place stands for every place."""
        if risk is Risk.HIGH:
            return [{'place': None, 'first_use': False}]
        rules = [policy for policy in self._robot.approvals if policy.skill == skill]
        left = [rule for rule in rules if not rule.first_use or skill not in self._used]
        return [{'place': rule.place, 'first_use': rule.first_use} for rule in left]

    def _is_at(self, policy_place: str | None, place: Any) -> bool:
        """Tell whether a policy's place is the one a call names, under whatever name; none stands for every place."""
        if policy_place is None:
            return True
        return isinstance(place, str) and self._robot.find_place(place) == self._robot.find_place(policy_place)

    def note_use(self, skill: str) -> None:
        """Remember that a skill was started, for policies on first use."""
        self._used.add(skill)

    def ask(self, call_id: str) -> None:
        """Open a question."""
        self._open[call_id] = None

    def decide(self, call_id: str, approve: bool, operator: str) -> str | None:
        """Take a person's answer. Return why it does not count, None if it does."""
        if not operator.strip():
            return 'operator must not be empty'
        if call_id not in self._open:
            return f'no open approval request for call {call_id}'
        if self._open[call_id] is not None:
            return f'call {call_id} is decided already'
        self._open[call_id] = (approve, operator)
        return None

    def answer(self, call_id: str) -> tuple[bool, str] | None:
        """Return (approved, operator), None while nobody answered."""
        return self._open.get(call_id)

    def note_denied(self, key: tuple[str, str]) -> None:
        """Remember what a person refused: task and fingerprint of the call."""
        self._denied.append(key)

    def was_denied(self, key: tuple[str, str]) -> bool:
        """Tell whether the same was refused before within the same task. A call without a task is one of its own."""
        return bool(key[0]) and key in self._denied

    def close(self, call_id: str) -> None:
        """Close a question; later answers to it do not count."""
        self._open.pop(call_id, None)
