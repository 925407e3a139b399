"""Asks the model in worker threads, so that the node never waits for it."""

from collections.abc import Callable, Mapping
import queue
import threading

from robot_tool_agent.core.planning.actions import AskModel
from robot_tool_agent.core.planning.conversation import ModelFailure, ModelReply
from robot_tool_agent.llm.provider import Provider, ProviderError

Answer = tuple[str, int, ModelReply | ModelFailure]


class ModelWorker:
    """
    Runs each request in a thread of its own: one that hangs past its limit holds up no later one.

    `wake` is called from the worker thread when an answer waits in `take`.
    """

    def __init__(self, providers: Mapping[str, Provider], wake: Callable[[], None]) -> None:
        self._providers = providers
        self._wake = wake
        self._answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()

    def ask(self, task_id: str, request: AskModel) -> None:
        """Start one request."""
        work = (task_id, request)
        threading.Thread(target=self._work, args=work, name=f'model-{request.request_id}', daemon=True).start()

    def take(self) -> list[Answer]:
        """Return the answers that came since the last time."""
        answers = []
        while not self._answers.empty():
            answers.append(self._answers.get_nowait())
        return answers

    def _work(self, task_id: str, asked: AskModel) -> None:
        answer: ModelReply | ModelFailure
        try:
            answer = self._providers[asked.provider].complete(asked.request)
        except ProviderError as error:
            answer = error.as_failure()
        except Exception as error:  # a provider's text may hold a key: only the kind of the error is told
            answer = ModelFailure(f'the provider {asked.provider} failed: {type(error).__name__}', retry=False)
        self._answers.put((task_id, asked.request_id, answer))
        self._wake()
