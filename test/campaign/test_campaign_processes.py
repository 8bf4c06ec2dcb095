"""A campaign that is ended by a signal leaves no process behind."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import left_behind
import pytest
from patience import GENEROUS

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(not left_behind.PROCESSES.exists(), reason="this system has no /proc"),
]

CAMPAIGN = Path(__file__).parent / "campaign.py"


def marked(run):
    """Return the command lines of the processes that a campaign started."""
    mark, found = f"{left_behind.VARIABLE}={run}".encode(), []
    for entry in left_behind.PROCESSES.glob("[0-9]*"):
        try:
            if mark in (entry / "environ").read_bytes().split(b"\0"):
                found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL], ids=lambda n: n.name
)
def test_no_process_outlives_a_campaign(number, poll):
    campaign = subprocess.Popen(
        [sys.executable, CAMPAIGN, "--only", "kills", "--trials", "9"],
        env={**os.environ, "PYTHONPATH": str(CAMPAIGN.parent.parent)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    poll(lambda: any(" simulate " in command for command in marked(campaign.pid)))
    campaign.send_signal(number)
    assert campaign.wait(GENEROUS) != 0
    poll(lambda: not marked(campaign.pid))
