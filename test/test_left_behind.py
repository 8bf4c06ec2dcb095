"""Nothing outlives a run of the tests, not even one that was killed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import left_behind
import pytest
from patience import GENEROUS

pytestmark = pytest.mark.processes

STARTS_ONE = """
import subprocess, sys, time
def test():
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(6000)"])
    with open("number", "w") as file:
        file.write(f"{child.pid}\\n")
    WHAT_NEXT
"""


def run(folder, what_next):
    (folder / "test_it.py").write_text(STARTS_ONE.replace("WHAT_NEXT", what_next))
    (folder / "pytest.ini").touch()
    return subprocess.Popen(
        [sys.executable, "-m", "pytest", "-q", "-p", "left_behind", "test_it.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(left_behind.__file__).parent)},
        stdout=subprocess.DEVNULL,
    )


def is_alive(number):
    try:
        status = Path(f"/proc/{number}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


@pytest.fixture
def child(tmp_path, poll):
    """Wait for the number of the process that the test of a run has started."""

    def wait():
        return int(poll(lambda: told.exists() and told.read_text()[:-1]))

    told = tmp_path / "number"
    return wait


@pytest.mark.skipif(not left_behind.PROCESSES.exists(), reason="this system has no /proc")
@pytest.mark.parametrize("is_killed", [True, False], ids=["killed", "ended"])
def test_what_a_run_leaves_behind_ends(tmp_path, child, poll, is_killed):
    process = run(tmp_path, "time.sleep(600)" if is_killed else "pass")
    number = child()
    if is_killed:
        assert is_alive(number)
        process.send_signal(signal.SIGKILL)
    process.wait(GENEROUS)
    poll(lambda: not is_alive(number))
