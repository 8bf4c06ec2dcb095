"""Threads of the background."""

import threading
from collections.abc import Callable
from typing import Any


def running_thread(target: Callable[..., object], name: str, *arguments: Any) -> threading.Thread:
    """Return a thread that runs; a process does not wait for it.

    What holds a thread holds only ones that run, so that it can be stopped whatever failed before.

    Args:
        target: What it does.
        name: Of the thread.
        arguments: Of `target`.

    Raises:
        RuntimeError: The machine has no room for another thread.
    """
    thread = threading.Thread(target=target, name=name, args=arguments, daemon=True)
    thread.start()
    return thread
