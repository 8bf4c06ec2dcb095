"""CompilerLock: one process compiles a kernel, others wait for what it stores."""

import fcntl
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

PATIENCE = 60.0  # [s] longer than any kernel takes; who stands still is not waited for any longer
POLL = 0.02  # [s]
LOCK = fcntl.LOCK_EX | fcntl.LOCK_NB


class BusyError(Exception):
    """Somebody else compiles the kernel, and here nobody waits.

    It is no failure of anything, so that nobody takes it for one and goes on.
    """


class CompilerLock:
    """Held by the process that compiles a kernel; it goes with the process, however that ends.

    Args:
        path: A file that is there meanwhile.

    Attributes:
        waits: Whether this process waits for others; where not, it leaves a kernel to them.
    """

    waits: ClassVar[bool] = True

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None

    def take(self) -> None:
        """Wait until nobody else compiles the kernel; go on without the lock if there is none.

        Raises:
            BusyError: Somebody does, and this process does not wait.
        """
        with suppress(OSError):  # nothing can be written there, or it knows no locks
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        deadline = time.monotonic() + PATIENCE
        while self._descriptor is not None:
            try:
                fcntl.flock(self._descriptor, LOCK)
            except BlockingIOError:
                if not self.waits:
                    self._close()
                    raise BusyError(f"somebody else compiles {self._path.stem}") from None
                if time.monotonic() > deadline:
                    self._close()
                time.sleep(POLL)
            except OSError:
                self._close()
            else:
                return

    def release(self) -> None:
        """Let others have it; idempotent."""
        if self._descriptor is not None:
            self._path.unlink(missing_ok=True)
            self._close()

    def _close(self) -> None:
        assert self._descriptor is not None
        os.close(self._descriptor)
        self._descriptor = None
