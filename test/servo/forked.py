"""Running a function in a forked process, as the servo does."""

import os
import traceback
from contextlib import contextmanager


@contextmanager
def forked(function):
    """Run a function in a process forked off, beside the block; it must not raise."""
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            function()
            code = 0
        except BaseException:  # noqa: BLE001 - nothing may leave the child
            traceback.print_exc()
        finally:
            os._exit(code)
    try:
        yield pid
    finally:
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
