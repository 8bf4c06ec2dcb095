"""Commands of ROS 2, and processes for them to talk to."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from patience import GENEROUS

from controlit_bench.free_domain import free_domain

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


class Running:
    """A command of ROS 2 that runs until it is left, and what it has printed."""

    def __init__(self, *arguments: str) -> None:
        self.text = ""
        self.process = subprocess.Popen(
            ["ros2", *arguments],
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,  # `ros2 run` has a child
        )
        self._thread = threading.Thread(target=self._collect, daemon=True)
        self._thread.start()

    def says(self, pattern: str, timeout: float = GENEROUS) -> bool:
        """Wait until its output matches; return whether it does."""
        end = time.monotonic() + timeout
        while not re.search(pattern, self.text):
            if time.monotonic() > end or self.process.poll() is not None:
                return False
            time.sleep(0.05)
        return True

    def wait_for(self, pattern: str) -> None:
        """Wait until its output matches; fail the test if it never does."""
        assert self.says(pattern), f"{pattern!r} is not in: {self.text}"

    def interrupt(self) -> int:
        """Press Ctrl-C; return the exit code."""
        os.killpg(self.process.pid, signal.SIGINT)
        code = self.process.wait(GENEROUS)
        self._thread.join(GENEROUS)
        return code

    def close(self) -> None:
        """Kill what is left of it."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self._thread.join(GENEROUS)
        self.process.stdout.close()

    def __enter__(self) -> "Running":  # noqa: PYI034 (typing.Self needs Python 3.11)
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _collect(self) -> None:
        for line in self.process.stdout:
            self.text += line


def installed(package: str) -> bool:
    """Tell whether a package of ROS 2 is sourced."""
    prefixes = filter(None, os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep))
    index = Path("share", "ament_index", "resource_index", "packages", package)
    return any((Path(prefix) / index).exists() for prefix in prefixes)


def needs(*packages: str) -> pytest.MarkDecorator:
    """Return the mark of tests that are skipped unless packages of ROS 2 are sourced."""
    missing = [package for package in packages if not installed(package)]
    reason = f"not built or not sourced: {', '.join(missing)}"
    return pytest.mark.skipif(bool(missing), reason=reason)


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
