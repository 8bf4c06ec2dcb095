"""A test that needs more than a processor cannot forget to say so."""

import subprocess
import sys
from pathlib import Path

import needs
import pytest

pytestmark = pytest.mark.processes

TESTS = """
import socket, subprocess, sys, threading, time
import pytest

def test_arithmetic():
    thread = threading.Thread(target=print)
    thread.start()
    thread.join()

def test_process():
    subprocess.run([sys.executable, "-c", ""])

def test_socket():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))

@pytest.mark.processes
def test_marked():
    subprocess.run([sys.executable, "-c", ""])
    time.sleep(0.01)

def test_thread():
    threading.Thread(target=threading.Event().wait, daemon=True).start()
"""


def test_who_does_not_say_what_it_needs_fails(tmp_path):
    (tmp_path / "test_it.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = processes: of others\n")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "needs", "-rE", "test_it.py"],
        cwd=tmp_path, env={"PYTHONPATH": str(Path(needs.__file__).parent)},
        capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    told = [line for line in done.stdout.splitlines() if line.startswith("ERROR")]
    assert [line.partition(" - ")[0].partition("::")[2] for line in told] == [
        "test_process", "test_socket", "test_thread"
    ]  # fmt: skip
    assert "5 passed, 3 errors" in done.stdout
