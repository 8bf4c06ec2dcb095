"""What a test needs beside a processor: it says so by a mark, and who does not is told."""

import sys
import threading
import time
from pathlib import Path

import matplotlib.font_manager  # noqa: F401 - asks a process for fonts, once on a machine
import mujoco  # noqa: F401 - its window library starts a process when it is imported first
import pytest

MARK = "processes"
LONGEST_END = 5.0  # [s] of a thread that ends by itself, on a busy machine
LOOK = 0.01  # [s]
OF_OTHERS = {
    "subprocess.Popen": "starts a process",
    "os.fork": "starts a process",
    "os.forkpty": "starts a process",
    "os.posix_spawn": "starts a process",
    "socket.bind": "opens a socket",
    "time.sleep": "waits for time to pass",
}
"""Audit events after which a test is no arithmetic any more."""


class Needs:
    """Fails tests without a mark that start processes, open sockets, wait, or leave threads.

    Threads may last as long as the fixtures of a file.
    """

    def __init__(self) -> None:
        self._is_watching = False
        self._done: set[str] = set()
        self._file: Path | None = None
        self._threads: set[threading.Thread] = set()
        sys.addaudithook(self._see)

    def _see(self, event: str, _arguments: tuple[object, ...]) -> None:
        if self._is_watching and event in OF_OTHERS and _in_the_thread_of_tests():
            self._done.add(OF_OTHERS[event])

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item):
        """Watch a test from its fixtures on."""
        self._done.clear()
        if item.path != self._file:
            self._file = item.path
            self._threads = set(threading.enumerate())
        self._is_watching = item.get_closest_marker(MARK) is None
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self, item, nextitem):
        """Tell what it did."""
        result = yield
        if self._is_watching:
            self._is_watching = False
            is_last = nextitem is None or nextitem.path != self._file
            if is_last and self._has_left_threads():
                self._done.add("leaves a thread behind")
            if self._done:
                found = " and ".join(sorted(self._done))
                pytest.fail(f"{item.name} {found}: mark it `{MARK}`", pytrace=False)
        return result

    def _has_left_threads(self) -> bool:
        """Return whether threads go on that do not come to their end by themselves."""
        until = time.monotonic() + LONGEST_END
        while set(threading.enumerate()) - self._threads:
            if time.monotonic() > until:
                return True
            threading.Event().wait(LOOK)
        return False


def _in_the_thread_of_tests() -> bool:
    return threading.current_thread() is threading.main_thread()


def pytest_configure(config) -> None:
    """Watch what the tests ask of the system."""
    config.pluginmanager.register(Needs())
