"""What a planner counts over all its tasks: replies and what was wrong with them, calls and how they ended."""

from __future__ import annotations

from collections import Counter
from typing import Any

from robot_tool_agent.core.outcomes import ErrorCode, Outcome, TaskStatus


class PlannerCounters:
    """
    Numbers that only grow. One instance serves all tasks of a planner; whoever publishes them reads `as_data`.

    An answer is a final text or the tool that ends a task. It counts as `answered_without_call` if it claims anything
    but a question while no call of the task was ever sent: the model talked about work instead of doing it.
    """

    def __init__(self) -> None:
        self.replies = 0
        self.repaired = 0
        self.answers = 0
        self.answered_without_call = 0
        self.unverified = 0
        self.faulty_replies: Counter[ErrorCode] = Counter()
        self.calls: Counter[tuple[str, Outcome]] = Counter()
        self.call_failures: Counter[tuple[str, str]] = Counter()
        self.model_failures: Counter[str] = Counter()
        self.tasks: Counter[TaskStatus] = Counter()

    @property
    def answered_without_call_rate(self) -> float:
        """Share of the answers that no call came before, 0 to 1; 0 without answers."""
        return self.answered_without_call / self.answers if self.answers else 0.0

    def replied(self) -> None:
        """Count a reply."""
        self.replies += 1

    def mended(self) -> None:
        """Count a reply in which something had to be mended before it could be read."""
        self.repaired += 1

    def answered(self, without_call: bool) -> None:
        """Count a final answer."""
        self.answers += 1
        self.answered_without_call += without_call

    def reply_refused(self, error: ErrorCode) -> None:
        """Count a reply of which nothing was sent."""
        self.faulty_replies[error] += 1

    def call_ended(self, skill: str, outcome: Outcome, error_code: str) -> None:
        """Count the end of a call that was sent."""
        self.calls[skill, outcome] += 1
        if outcome is not Outcome.SUCCEEDED:
            self.call_failures[skill, error_code] += 1

    def model_failed(self, provider: str) -> None:
        """Count a request that brought no reply."""
        self.model_failures[provider] += 1

    def task_ended(self, status: TaskStatus) -> None:
        """Count the end of a task."""
        self.tasks[status] += 1
        self.unverified += status is TaskStatus.UNVERIFIED

    def as_data(self) -> dict[str, Any]:
        """Return every number as JSON; keys of two parts are joined by a slash."""
        return {
            'replies': self.replies,
            'repaired': self.repaired,
            'answers': self.answers,
            'answered_without_call': self.answered_without_call,
            'answered_without_call_rate': round(self.answered_without_call_rate, 4),
            'unverified': self.unverified,
            'faulty_replies': {error.value: n for error, n in sorted(self.faulty_replies.items())},
            'calls': {f'{skill}/{outcome.name}': n for (skill, outcome), n in sorted(self.calls.items())},
            'call_failures': {f'{skill}/{code}': n for (skill, code), n in sorted(self.call_failures.items())},
            'model_failures': dict(sorted(self.model_failures.items())),
            'tasks': {status.name: n for status, n in sorted(self.tasks.items())},
        }
