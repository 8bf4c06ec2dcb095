"""Signals that end a program, sent by people or at the end of its parent."""

import os
import signal
import sys

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

PARENT = "CONTROLIT_PARENT"
"""Environment variable: the process that starts a command which must not outlive it."""

PR_SET_PDEATHSIG = 1  # of <linux/prctl.h>


def end_with_parent() -> None:
    """Have this process ended by SIGTERM when the parent that asked for it ends.

    However that ends, kill -9 included; on Linux only. The variable is removed: it is not meant for
    processes that this one starts.
    """
    parent = os.environ.pop(PARENT, None)
    if parent is None or not sys.platform.startswith("linux"):
        return
    import ctypes  # noqa: PLC0415 - for children alone

    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
    if str(os.getppid()) != parent:  # it has ended already
        os.kill(os.getpid(), signal.SIGTERM)
