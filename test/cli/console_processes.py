"""Running console commands from tests, in processes of their own or in this one."""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from dds_isolation import domain_environment
from installed_console import installed_console
from patience import GENEROUS

FOLDER = Path(__file__).parent
ROOT = FOLDER.parent.parent
CONTROLLERS = FOLDER / "controllers"
CONTROLIT = installed_console()
PATIENT = (sys.executable, str(FOLDER / "patient_console.py"))
"""The command for controllers that shall work whatever else the machine does."""


def poll(predicate, timeout=GENEROUS):
    """Return the first true value of a predicate; fail the test after the timeout."""
    deadline = time.monotonic() + timeout
    while not (value := predicate()):
        if time.monotonic() > deadline:
            pytest.fail(f"nothing happened within {timeout} s")
        time.sleep(0.02)
    return value


def clean_environment(domain):
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("ROS_", "CYCLONEDDS_", "CONTROLIT_", "COLUMNS"))
    }
    return {**kept, **domain_environment(domain)}


class Background:
    """A command that runs beside the test; its output is collected line by line.

    A controller among them is patient: it calls no servo stuck that the machine held up.
    """

    def __init__(self, arguments, domain):
        self.process = subprocess.Popen(
            [*(PATIENT if arguments[0] == "run" else (CONTROLIT,)), *arguments],
            env=clean_environment(domain),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        self.out: list[str] = []
        self.err: list[str] = []
        self._threads = [
            threading.Thread(target=self._collect, args=pipe, daemon=True)
            for pipe in ((self.process.stdout, self.out), (self.process.stderr, self.err))
        ]
        for thread in self._threads:
            thread.start()

    def _collect(self, pipe, lines):
        for line in pipe:
            lines.append(line.rstrip("\n"))

    @property
    def values(self):
        return [json.loads(line) for line in list(self.out)]

    def wait_for_log(self, text, after=0):
        """Wait for a line on the standard error and return the number of the next one."""

        def found():
            for number, line in enumerate(list(self.err)[after:], after):
                if text in line:
                    return number + 1
            if self.process.poll() is not None:
                pytest.fail(f"ended with {self.process.returncode}: {self.err}")
            return None

        return poll(found)

    def end(self, signal_number, timeout=GENEROUS):
        """Send a signal and return exit code and the time it took to end."""
        begin = time.monotonic()
        self.process.send_signal(signal_number)
        code = self.process.wait(timeout)
        elapsed = time.monotonic() - begin
        for thread in self._threads:
            thread.join()
        return code, elapsed

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10.0)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        for thread in self._threads:
            thread.join()
        self.process.stdout.close()
        self.process.stderr.close()


class Shell:
    """Runs commands in one ROS domain."""

    def __init__(self, domain):
        self.domain = domain
        self._started: list[Background] = []

    def run(self, *arguments, code=0):
        """Run a command to its end and return its standard output and error."""
        done = subprocess.run(
            [CONTROLIT, *map(str, arguments)],
            env=clean_environment(self.domain),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=2 * GENEROUS,
            cwd=ROOT,
            check=False,
        )
        assert done.returncode == code, (done.returncode, done.stdout, done.stderr)
        assert "Traceback" not in done.stderr
        return done.stdout, done.stderr

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--json")[0], parse_constant=pytest.fail)

    def start(self, *arguments):
        background = Background([str(argument) for argument in arguments], self.domain)
        self._started.append(background)
        return background

    def close(self):
        for background in reversed(self._started):
            background.close()


class Here:
    """Runs commands within this process, which saves a second for each."""

    def __init__(self, controlit):
        self._controlit = controlit

    def run(self, *arguments, code=0):
        found, out, err = self._controlit(*arguments)
        assert found == code, (found, out, err)
        assert "Traceback" not in err
        return out, err

    def attempt(self, *arguments):
        """Run a command that may fail; return exit code, standard output and error."""
        return self._controlit(*arguments)

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--json")[0], parse_constant=pytest.fail)
