"""Real-time set-up of the servo thread and its process, as far as it is permitted."""

import ctypes
import gc
import os
import sys
from typing import NamedTuple

_MCL_CURRENT_AND_FUTURE = 1 | 2
SWITCH_INTERVAL = 1e-5  # [s] how long another Python thread may keep the interpreter from the servo


class RealTimeSettings(NamedTuple):
    """What the servo thread asks of the operating system.

    Attributes:
        priority: SCHED_FIFO priority, 1 to 99; 0 leaves the scheduler alone.
        affinity: Processors the thread may run on; empty leaves them alone.
    """

    priority: int
    affinity: tuple[int, ...]


NOT_REAL_TIME = RealTimeSettings(0, ())


def enter_real_time(settings: RealTimeSettings) -> tuple[str, ...]:
    """Set up the calling thread; return one sentence for each thing that was refused."""
    refused = []
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.collect()
    gc.freeze()
    if settings.affinity:
        try:
            os.sched_setaffinity(0, settings.affinity)
        except (AttributeError, OSError, ValueError, OverflowError) as error:
            refused.append(f"processor affinity {list(settings.affinity)}: {error}")
    if settings.priority > 0:
        try:
            os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(settings.priority))
        except (AttributeError, OSError) as error:
            refused.append(f"SCHED_FIFO priority {settings.priority}: {error}")
        if not _lock_memory():
            refused.append("locking memory (mlockall)")
    return tuple(refused)


def _lock_memory() -> bool:
    try:
        library = ctypes.CDLL(None, use_errno=True)  # the program itself has the C library
        return int(library.mlockall(_MCL_CURRENT_AND_FUTURE)) == 0
    except (AttributeError, OSError, TypeError):
        return False
