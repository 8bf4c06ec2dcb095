"""One process compiles a kernel, another waits for it or leaves it, and nobody waits for ever."""

import os
import subprocess
import sys
import time

import pytest
from copied_kernels import copy_kernels

from controlit_ros.kernels import compiler_lock
from controlit_ros.kernels.compiler_lock import BusyError, CompilerLock

KERNEL = """
from controlit_ros.kernels.compile import kernel

@kernel
def slow(x):
    return 2.0 * x
"""
CALL = """
import sys, time
from pathlib import Path
from controlit_ros.kernels.slow import slow
from controlit_ros.kernels.compiler_lock import CompilerLock

take = CompilerLock.take
def take_together(lock):
    Path(sys.argv[1], sys.argv[2]).touch()
    while len(list(Path(sys.argv[1]).iterdir())) < 2:
        time.sleep(0.01)
    take(lock)
CompilerLock.take = take_together
assert slow(1.0) == 2.0
print(sum(slow.stats.cache_misses.values()))
"""


@pytest.fixture
def path(tmp_path):
    return tmp_path / "kernel.lock"


@pytest.mark.processes
def test_of_two_processes_that_need_a_kernel_at_once_one_compiles_it(tmp_path):
    copy_kernels(tmp_path, {"slow": KERNEL})
    meeting = tmp_path / "meeting"
    meeting.mkdir()
    both = [
        subprocess.Popen(
            [sys.executable, "-c", CALL, str(meeting), name],
            cwd=tmp_path, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": ""},
        )
        for name in "ab"
    ]  # fmt: skip
    found = sorted(int(process.communicate()[0]) for process in both)
    assert found == [0, 1]
    assert not list(tmp_path.rglob("*.lock"))


def test_who_does_not_wait_leaves_it(path, monkeypatch):
    holder, other = CompilerLock(path), CompilerLock(path)
    holder.take()
    monkeypatch.setattr(CompilerLock, "waits", False)
    with pytest.raises(BusyError, match="kernel"):
        other.take()
    other.release()
    assert path.exists()
    holder.release()
    other.take()
    other.release()
    assert not path.exists()


def test_who_stands_still_is_not_waited_for_any_longer(path, monkeypatch):
    monkeypatch.setattr(compiler_lock, "PATIENCE", 0.1)
    holder, other = CompilerLock(path), CompilerLock(path)
    holder.take()
    begin = time.monotonic()
    other.take()
    assert time.monotonic() - begin >= 0.1
    other.release()
    with pytest.raises(BlockingIOError):
        compiler_lock.fcntl.flock(os.open(path, os.O_RDWR), compiler_lock.LOCK)
    holder.release()


@pytest.mark.processes
def test_the_lock_of_a_process_that_was_killed_is_free(path):
    script = (
        "import sys, time\nfrom pathlib import Path\n"
        "from controlit_ros.kernels.compiler_lock import CompilerLock\n"
        "CompilerLock(Path(sys.argv[1])).take()\nprint('held', flush=True)\ntime.sleep(600)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    process.kill()
    process.communicate()
    lock = CompilerLock(path)
    begin = time.monotonic()
    lock.take()
    assert time.monotonic() - begin < 0.5 * compiler_lock.PATIENCE
    lock.release()


def test_where_nothing_can_be_written_nobody_waits(tmp_path):
    lock = CompilerLock(tmp_path / "missing" / "kernel.lock")
    lock.take()
    lock.release()
