"""On a new machine two processes compile the kernels of a controller, and one is enough."""

import json
import os
import signal
import subprocess
import sys

import pytest

from controlit_ros.nodes import second_compiler
from controlit_ros.nodes.second_compiler import SecondCompiler

pytestmark = pytest.mark.processes

# kernels that were compiled in the first process, not found on disk, for a cache that is empty
SCRIPT = """
import json, os, sys, time
from numba.core import event
from controlit_ros.nodes.building import load_stack
from controlit_ros.nodes.second_compiler import SecondCompiler
from controlit_ros.nodes.warm_up import warm_up
from controlit_ros.share import share_directory

stack = load_stack(share_directory() / "config/dreamer/hands.yaml")
found = {}
with SecondCompiler(stack) as second:
    found["pid"] = second._pid
    os.waitid(os.P_PID, second._pid, os.WEXITED | os.WNOWAIT)
    with event.install_recorder("numba:compile") as recorder:
        warm_up(stack)
    found["compiled"] = len(recorder.buffer)
    second.end()
with SecondCompiler(stack) as second:
    found["again"] = second._pid
json.dump(found, sys.stdout)
"""


@pytest.mark.release
@pytest.mark.commands
def test_what_the_second_compiles_the_first_finds(tmp_path):
    output = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)},
    ).stdout
    found = json.loads(output)
    assert found["pid"] > 0
    assert found["compiled"] == 0
    assert found["again"] == 0, "there is nothing left to compile"


@pytest.fixture
def cold(monkeypatch):
    monkeypatch.setattr(second_compiler, "lacks_machine_code", lambda _kernel: True)


def test_there_is_no_second_beside_threads(cold, monkeypatch):
    monkeypatch.setattr(second_compiler.threading, "active_count", lambda: 2)
    with SecondCompiler(None) as second:
        assert second._pid == 0


def test_a_machine_without_room_for_it_goes_on(cold, monkeypatch):
    def refused():
        raise BlockingIOError

    monkeypatch.setattr(second_compiler.threading, "active_count", lambda: 1)
    monkeypatch.setattr(second_compiler.os, "fork", refused)
    with SecondCompiler(None) as second:
        assert second._pid == 0


def test_a_second_that_fails_ends_by_itself_without_a_word(cold, monkeypatch, capfd):
    monkeypatch.setattr(second_compiler.threading, "active_count", lambda: 1)
    monkeypatch.setattr(second_compiler, "warm_up_apart", lambda _stack: 1 / 0)
    with SecondCompiler(None) as second:
        os.waitid(os.P_PID, second._pid, os.WEXITED | os.WNOWAIT)
    assert capfd.readouterr() == ("", "")


def test_it_is_ended_while_it_compiles(cold, monkeypatch):
    monkeypatch.setattr(second_compiler.threading, "active_count", lambda: 1)
    monkeypatch.setattr(second_compiler, "warm_up_apart", lambda _stack: signal.pause())
    with SecondCompiler(None) as second:
        pid = second._pid
        os.kill(pid, 0)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
