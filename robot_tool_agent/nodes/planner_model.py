"""Asks the model in worker threads, so that the node never waits for it."""

import queue
import threading
from collections.abc import Callable

from robot_tool_agent.core.planning.conversation import ModelFailure, ModelReply, ModelRequest
from robot_tool_agent.llm.provider import Provider, ProviderError

Answer = tuple[str, int, ModelReply | ModelFailure]


class ModelWorker:
    """Runs each request in a thread of its own: one that hangs past its limit holds up no later one.

    `wake` is called from the worker thread when an answer waits in `take`.
    """

    def __init__(self, provider: Provider, wake: Callable[[], None]) -> None:
        self._provider = provider
        self._wake = wake
        self._answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()

    def ask(self, task_id: str, request_id: int, request: ModelRequest) -> None:
        """Start one request."""
        work = (task_id, request_id, request)
        threading.Thread(target=self._work, args=work, name=f'model-{request_id}', daemon=True).start()

    def take(self) -> list[Answer]:
        """Return the answers that came since the last time."""
        answers = []
        while not self._answers.empty():
            answers.append(self._answers.get_nowait())
        return answers

    def _work(self, task_id: str, request_id: int, request: ModelRequest) -> None:
        answer: ModelReply | ModelFailure
        try:
            answer = self._provider.complete(request)
        except ProviderError as error:
            answer = error.as_failure()
        except Exception as error:  # a provider's text may hold a key: only the kind of the error is told
            answer = ModelFailure(f'the provider {self._provider.name} failed: {type(error).__name__}', retry=False)
        self._answers.put((task_id, request_id, answer))
        self._wake()
