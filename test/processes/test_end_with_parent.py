"""Child processes of demonstrations and benchmarks end with their parent, however that ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from patience import GENEROUS

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(
        sys.platform != "linux", reason="only Linux signals children at the end of their parent"
    ),
]

FILE = Path(__file__).parent.parent / "cli" / "controllers" / "still.yaml"
PARENT = """
import sys, time
from pathlib import Path
from controlit_ros.processes.child_process import ChildProcess
child = ChildProcess("servo", ["run", sys.argv[1], "--transport", "local"], Path(sys.argv[2]))
child.start()
print(child.pid, flush=True)
time.sleep(6000)
"""


def is_alive(pid):
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
@pytest.mark.parametrize("is_up", [True, False], ids=["running", "starting"])
def test_child_ends_with_its_parent(tmp_path, poll, number, is_up):
    log = tmp_path / "child.log"
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, FILE, log], stdout=subprocess.PIPE, text=True
    )
    child = int(parent.stdout.readline())
    try:
        if is_up:
            poll(lambda: "control is active" in log.read_text())
        parent.send_signal(number)
        assert parent.wait(GENEROUS) == -number
        poll(lambda: not is_alive(child))
    finally:
        if is_alive(child):
            os.kill(child, signal.SIGKILL)
        parent.stdout.close()
