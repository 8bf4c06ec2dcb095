"""Commands of ROS 2, and processes for them to talk to."""

import os
import subprocess
import sys
from pathlib import Path

from free_domain import free_domain
from patience import GENEROUS

PEERS = Path(__file__).parent / "peers"

SPIN_TIME = "1"
"""How long a command looks for nodes [s], for commands with a fixed time; tests repeat them."""

ENVIRONMENT = {
    **os.environ,
    "ROS_DOMAIN_ID": str(free_domain()),
    "ROS_AUTOMATIC_DISCOVERY_RANGE": "LOCALHOST",
    "RMW_IMPLEMENTATION": "rmw_cyclonedds_cpp",
    "PYTHONUNBUFFERED": "1",
}


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run `ros2 <arguments>` to its end."""
    return subprocess.run(
        ["ros2", *arguments],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=GENEROUS,
        check=False,
    )


def ros2(*arguments: str) -> str:
    """Run `ros2 <arguments>` and return what it printed; fail the test if it failed."""
    done = run(*arguments)
    assert done.returncode == 0, f"ros2 {' '.join(arguments)}: {done.stdout}{done.stderr}"
    return done.stdout


def start(script: str, *arguments: str) -> "subprocess.Popen[str]":
    """Start a script of `peers/` in the domain of these tests."""
    return subprocess.Popen(
        [sys.executable, str(PEERS / script), *arguments],
        env=ENVIRONMENT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def stop(process: "subprocess.Popen[str]") -> None:
    """Kill a process and free what belongs to it."""
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()
