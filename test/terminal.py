"""A command on a pseudo-terminal, as a person uses it: keys go in, what the screen shows comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
import os
import pty
import re
import subprocess
import threading
from types import TracebackType

from rta_process import wait_for

# Cursor, colour and title sequences of ECMA-48.
ESCAPES = re.compile(r'\x1b(\[[0-?]*[ -/]*[@-~]|[()].|\].*?\x07)')


class Terminal:
    """A running command. As a context manager it ends the process by its pid, whatever happens."""

    def __init__(self, command: Sequence[str], domain_id: int, environment: Mapping[str, str] | None = None) -> None:
        self._mine, theirs = pty.openpty()
        self._process = subprocess.Popen(
            list(command),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=_take_terminal,
            env={
                **os.environ,
                'TERM': 'xterm',
                'COLUMNS': '200',
                'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST',
                'ROS_DOMAIN_ID': str(domain_id),
                **(environment or {}),
            },
        )
        os.close(theirs)
        self._raw = bytearray()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._mine, 65_536)
            except OSError:  # Linux says EIO once the other end is closed
                return
            self._raw += data

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait(timeout=5.0)
        self._reader.join(timeout=5.0)
        os.close(self._mine)

    @property
    def text(self) -> str:
        """All that was shown so far, without escape sequences."""
        return ESCAPES.sub('', bytes(self._raw).decode(errors='replace'))

    def type(self, keys: str) -> None:
        """Press keys; Ctrl-C is the character with code 3."""
        os.write(self._mine, keys.encode())

    def wait_text(self, pattern: str, timeout_s: float = 30.0) -> None:
        """Wait until a pattern was shown."""
        wait_for(lambda: re.search(pattern, self.text), timeout_s, repr(pattern), [self.text[-3000:]])

    def exit_code(self, timeout_s: float = 30.0) -> int:
        """Wait for the end and return the exit code; all output has been read then."""
        code = self._process.wait(timeout=timeout_s)
        self._reader.join(timeout=5.0)
        return code


def _take_terminal() -> None:
    # Only the controlling terminal of a session turns Ctrl-C into a signal.
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
