"""Which provider gets the present request, whether a failed one is asked again, and what to tell when none answers."""

from __future__ import annotations

from dataclasses import dataclass

from robot_tool_agent.core.planning.conversation import ModelFailure
from robot_tool_agent.core.planning.limits import PlannerLimits
from robot_tool_agent.core.planning.model_chain import ModelChain
from robot_tool_agent.core.planning.untrusted import clean_text

MAX_REASON = 160


@dataclass(frozen=True, slots=True)
class NextTry:
    """Ask `provider` after `pause_s` seconds. `note` says why, for those who watch; empty where nothing failed."""

    provider: str
    pause_s: float = 0.0
    note: str = ''


class ModelTurn:
    """
    One turn of the model: the same request goes to provider after provider until one replies.

    Requests are numbered, so that an answer to an earlier one is known as late.
    """

    def __init__(self, limits: PlannerLimits, chain: ModelChain) -> None:
        self._limits = limits
        self._chain = chain
        self.request_id = 0
        self.provider = chain.providers[0]
        self._place = 0
        self._failures = 0
        self._gone: list[str] = []

    def begin(self, now_s: float) -> NextTry | None:
        """Start a turn with the preferred provider that may be asked; None if there is none."""
        self._gone = []
        return self._first_usable(0, now_s)

    def new_request(self) -> int:
        """Return the number of a new request."""
        self.request_id += 1
        return self.request_id

    def answered(self) -> None:
        """Take note of a reply."""
        self._chain.answered(self.provider)

    def failed(self, failure: ModelFailure, now_s: float) -> NextTry | None:
        """
        Take note of a failure and return the next try, None if nobody is left to ask.

        The same provider is asked again, where that may help, after a pause that doubles and is never shorter than the
        one it asks for; one that asks for more than `llm_max_pause_s` is passed over.
        """
        self._failures += 1
        self._chain.failed(self.provider, failure, now_s)
        reason = clean_text(failure.reason, MAX_REASON)
        pause_s = max(self._chain.pause_s(self._failures), failure.retry_after_s)
        if self._may_repeat(failure, pause_s, now_s):
            return NextTry(self.provider, pause_s, f'{self.provider}: {reason}; asking again in {pause_s:.1f} s')
        tries = '1 try' if self._failures == 1 else f'{self._failures} tries'
        self._gone.append(f'{self.provider} ({tries}): {reason}')
        return self._first_usable(self._place + 1, now_s, f'{self.provider}: {reason}; asking ')

    def tried(self) -> str:
        """Return what became of every provider in this turn."""
        return '; '.join(self._gone)

    def _may_repeat(self, failure: ModelFailure, pause_s: float, now_s: float) -> bool:
        within = self._failures <= self._limits.llm_retries and pause_s <= self._limits.llm_max_pause_s
        return failure.retry and within and not self._chain.refusal(self.provider, now_s)

    def _first_usable(self, start: int, now_s: float, note: str = '') -> NextTry | None:
        for place, name in enumerate(self._chain.providers[start:], start):
            wait_s = self._chain.wait_s(name, now_s)
            refusal = self._chain.refusal(name, now_s)
            if wait_s > self._limits.llm_max_pause_s:
                refusal = refusal or f'not asked: it wants to be left alone for {wait_s:.0f} s more'
            if not refusal:
                self.provider, self._place, self._failures = name, place, 0
                return NextTry(name, wait_s, f'{note}{name}' if note else '')
            self._gone.append(f'{name}: {refusal}')
        return None
