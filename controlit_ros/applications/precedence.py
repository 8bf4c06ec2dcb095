"""Precedence over the machine's other work, where the system grants it."""

import os
from contextlib import suppress

NICENESS = -10  # [-] ten times the share of an ordinary process; below every real-time priority


def take_precedence(pid: int) -> None:
    """Put a process or thread before ordinary ones; threads it starts later inherit that.

    Without the right to do so nothing changes: on an idle machine nothing is lost.
    """
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, pid, NICENESS)
