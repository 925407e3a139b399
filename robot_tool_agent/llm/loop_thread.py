"""An event loop in a thread of its own, and a wait for it that ends at its deadline whatever hangs."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
import concurrent.futures
import threading
from typing import Any, TypeVar

Result = TypeVar('Result')


class LoopThread:
    """Runs coroutines. The thread starts with the first one and ends with the process."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self, work: Coroutine[Any, Any, Result], timeout_s: float) -> Result:
        """Return what a coroutine returns. Raise TimeoutError after `timeout_s` seconds; the coroutine is cancelled."""
        future = asyncio.run_coroutine_threadsafe(work, self._started())
        try:
            return future.result(timeout_s)
        except concurrent.futures.TimeoutError:
            if future.done():
                raise  # the coroutine itself raised it
            future.cancel()
            raise TimeoutError from None

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name=self._name, daemon=True).start()
            return self._loop
