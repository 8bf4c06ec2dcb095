"""Interruptions, also those that libraries turn into something else."""

import logging
import signal
import subprocess
import sys
import threading
import time

import pytest
from patience import GENEROUS

from controlit_ros.cli.interruption import ENDING, StopRequest
from controlit_ros.errors import ControlItError

pytestmark = pytest.mark.processes

PROGRAM = """
import ctypes, signal, sys, types
from controlit_ros.cli import application, main

@ctypes.CFUNCTYPE(None)
def called_back():
    signal.raise_signal(signal.SIGINT)

def load(_arguments):
    def command(**_):
        if sys.argv[1] == "callback":
            called_back()
        else:
            try:
                signal.raise_signal(signal.SIGINT)
            except KeyboardInterrupt:
                pass
        raise RuntimeError("no compiled object yet")
    return command

application.application = load
main.console()
"""


@pytest.fixture(autouse=True)
def heard():
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup ignores it
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize("kind", [ImportError, RuntimeError, SystemError, ControlItError])
@pytest.mark.parametrize("is_chained", [True, False])
def test_what_became_of_an_interruption_ends_the_block(number, kind, is_chained):
    with StopRequest() as stop:
        try:
            signal.raise_signal(number)
        except KeyboardInterrupt as error:
            if is_chained:
                raise kind("initialization failed") from error
        raise kind("no compiled object yet")
    assert stop.is_set


@pytest.mark.parametrize("kind", [ImportError, RuntimeError, ControlItError])
def test_errors_nobody_interrupted_are_raised(kind):
    with pytest.raises(kind), StopRequest():
        raise kind


@pytest.mark.parametrize("kind", [ImportError, RuntimeError, ControlItError])
def test_errors_after_a_request_are_raised(kind):
    with pytest.raises(kind), StopRequest() as stop:  # noqa: PT012 - what is raised depends on what was asked before
        stop.defer()
        signal.raise_signal(signal.SIGINT)
        raise kind


def test_what_fails_while_an_interrupted_run_ends_is_told():
    with pytest.raises(ControlItError, match="stuck"), StopRequest() as stop:  # noqa: PT012 - what is raised depends on what was asked before
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            stop.defer()
            raise ControlItError("the servo thread is stuck")


@pytest.mark.parametrize("how", ["callback", "swallowed"])
def test_a_command_that_is_interrupted_says_nothing(how):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, how],
        capture_output=True,
        text=True,
        timeout=GENEROUS,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_signal_that_met_the_log_is_taken_before_a_fork():
    """What would send it again is a thread, and beside threads nothing forks."""

    class Interrupted(logging.Handler):
        def emit(self, record):
            signal.raise_signal(signal.SIGTERM)

    log, handler = logging.getLogger("interrupted"), Interrupted()
    log.addHandler(handler)
    try:
        with StopRequest() as stop:
            stop.obey()
            log.warning("begun")
            stop.obey()
            pytest.fail("nothing interrupted")
    finally:
        log.removeHandler(handler)
    assert stop.is_set


def test_an_interruption_leaves_the_log_open_to_all_threads():
    """Between taking the lock of a handler and its `try`, an error leaves it taken for ever."""
    log = logging.getLogger("interrupted")

    class Interrupted(logging.Handler):
        def acquire(self):
            super().acquire()
            signal.raise_signal(signal.SIGTERM)

        def emit(self, record):
            records.append(record)

    records, handler = [], Interrupted()
    log.addHandler(handler)
    try:
        with StopRequest() as stop:
            log.warning("begun")
            time.sleep(GENEROUS)  # ended by the signal
            pytest.fail("nothing interrupted")
        assert stop.is_set
        assert len(records) == 1
        taken = threading.Thread(target=handler.lock.acquire, daemon=True)
        taken.start()
        taken.join(GENEROUS)
        assert not taken.is_alive()
    finally:
        log.removeHandler(handler)
