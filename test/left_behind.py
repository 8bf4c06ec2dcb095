"""End what a run of the tests leaves behind, however it ended: by kill -9, too.

A process beside the run waits for its end and then kills whoever has the run's name in its
environment, which children inherit. Linux only: elsewhere nobody tells another's environment.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

VARIABLE = "RUN_OF_TESTS"
PROCESSES = Path("/proc")
_watchers: list[subprocess.Popen] = []  # each ends with its standard input, so they are kept


def pytest_configure(config: pytest.Config) -> None:
    """Watch a run of pytest."""
    if not hasattr(config, "workerinput"):
        watch()


def watch() -> None:
    """Name this process in its environment and start the process that ends what it leaves behind.

    Where there is no `/proc`, nothing is watched.
    """
    if not (PROCESSES / "self" / "environ").exists():
        return
    # not inherited by the one that looks, lest it find itself
    others = {name: value for name, value in os.environ.items() if name != VARIABLE}
    os.environ[VARIABLE] = str(os.getpid())
    watcher = subprocess.Popen(
        [sys.executable, __file__, str(os.getpid())],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,  # who reads what the run prints need not wait
        stderr=subprocess.DEVNULL,
        env=others,
        start_new_session=True,  # whoever kills the group of the run does not mean it
    )
    _watchers.append(watcher)


def kill(run: str) -> bool:
    """Kill the processes of a run; return whether there were any."""
    mark = f"{VARIABLE}={run}".encode()
    found = False
    for entry in PROCESSES.glob("[0-9]*/environ"):
        try:
            if mark in entry.read_bytes().split(b"\0"):
                os.kill(int(entry.parent.name), signal.SIGKILL)
                found = True
        except OSError:  # another user's, or gone
            continue
    return found


if __name__ == "__main__":
    sys.stdin.read()  # ends with the run
    while kill(sys.argv[1]):
        time.sleep(0.1)
