"""What every model provider looks like to the planner."""

from __future__ import annotations

from typing import Protocol

from robot_tool_agent.core.planning.conversation import FailureKind, ModelFailure, ModelReply, ModelRequest


class Provider(Protocol):
    """A source of replies. One instance serves many tasks, one request at a time."""

    name: str

    def complete(self, request: ModelRequest) -> ModelReply:
        """
        Return the model's next turn. Blocks for at most `request.timeout_s` seconds; called in a worker thread.

        Raise a ProviderError, whose class says what the caller should do.
        """


class ProviderError(Exception):
    """No reply. The text is for a person and holds no key and no request."""

    retry = False

    def __init__(self, reason: str, kind: FailureKind = FailureKind.INTERNAL, retry_after_s: float = 0.0) -> None:
        super().__init__(reason)
        self.kind = kind
        self.retry_after_s = retry_after_s

    def as_failure(self) -> ModelFailure:
        """Return the error as the planner's loop takes it."""
        return ModelFailure(str(self), self.retry, self.retry_after_s, self.kind)


class RetryLater(ProviderError):
    """Send the same request again after `retry_after_s` seconds: overloaded, rate limited, timed out, server error."""

    retry = True

    def __init__(self, reason: str, retry_after_s: float = 0.0, kind: FailureKind = FailureKind.SERVER_ERROR) -> None:
        super().__init__(reason, kind, retry_after_s)


class UseAnotherProvider(ProviderError):
    """This provider will not serve the request whatever is done: bad key, no such model, refused by policy."""


class FixRequest(ProviderError):
    """The request itself is wrong: too long, a schema the provider does not take."""

    def __init__(self, reason: str, kind: FailureKind = FailureKind.BAD_REQUEST) -> None:
        super().__init__(reason, kind)
