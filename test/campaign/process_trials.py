"""Processes that die or are told to end at any moment."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from dds_isolation import domain_environment
from installed_console import installed_console
from patience import GENEROUS
from robots_for_tests import REPOSITORY
from trial import TrialClass

from controlit_bench.free_domain import free_domain
from controlit_ros.signals import ENDING

FILE = REPOSITORY / "config" / "panda" / "reach.yaml"
TRACEBACK = "Traceback"


class Started:
    """A command with its output in a file, in a process group of its own."""

    def __init__(self, domain: int, *arguments: str) -> None:
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("ROS_", "CYCLONEDDS_", "CONTROLIT_"))
        }
        self._output = tempfile.NamedTemporaryFile(mode="r", suffix=".log")  # noqa: SIM115 - closed with the process
        with Path(self._output.name).open("w") as output:
            self.process = subprocess.Popen(
                [installed_console(), *arguments],
                env={**environment, **domain_environment(domain)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def text(self) -> str:
        """What was printed so far."""
        return Path(self._output.name).read_text(errors="replace")

    @property
    def tail(self) -> str:
        """The last of what was printed."""
        return self.text[-600:]

    def children(self) -> list[int]:
        """Return the processes of the group that are not its head."""
        listed = subprocess.run(
            ["ps", "-o", "pid=", "-g", str(self.process.pid)],
            check=False,
            capture_output=True,
            text=True,
        )
        return [pid for pid in map(int, listed.stdout.split()) if pid != self.process.pid]

    def wait_for(self, count: int, text: str) -> str | None:
        """Wait until a text was printed so often; return what went wrong."""

        def seen() -> bool | str:
            if self.text.count(text) >= count:
                return True
            code = self.process.poll()
            return False if code is None else f"ended with {code} before {text!r}: {self.tail}"

        return _wait(seen, f"{text!r} was not printed") and f"{text!r}: {self.tail}"

    def close(self) -> None:
        """Kill what is left."""
        for pid in [*self.children(), self.process.pid]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait()
        self._output.close()


class KillTrials(TrialClass):
    """Kill the simulator, the servo or its front; what is left must say so, and come back."""

    name = "kills"
    share = 25
    least = 1

    def __init__(self) -> None:
        self._domain = free_domain()
        self._name = f"name=campaign_kill_{os.getpid()}"
        self._simulator: Started | None = None
        self._servo: Started | None = None

    def run(self, rng: np.random.Generator) -> str | None:
        """Kill one of the processes at some moment."""
        failure = self._start()
        if failure is not None:
            return failure
        assert self._simulator is not None
        assert self._servo is not None
        time.sleep(rng.uniform(0.0, 0.5))
        victim = str(rng.choice(["simulator", "servo", "front", "stopped simulator"]))
        return {
            "simulator": self._kill_simulator,
            "stopped simulator": self._stop_simulator,
            "servo": self._kill_servo,
            "front": self._kill_front,
        }[victim]()

    def close(self) -> None:
        """Kill everything."""
        for started in (self._servo, self._simulator):
            if started is not None:
                started.close()
        self._servo = self._simulator = None

    def _start(self) -> str | None:
        if self._simulator is None:
            self._simulator = self._simulate()
        if self._servo is None:
            self._servo = Started(
                self._domain, "run", str(FILE), "--set", self._name, "--set",
                "robot_interface_type=SharedMemory", "--quiet",
            )  # fmt: skip
            return self._servo.wait_for(1, "-> active")
        return None

    def _simulate(self) -> Started:
        return Started(
            self._domain, "simulate", str(FILE), "--interface", "shared_memory", "--set", self._name
        )

    def _kill_simulator(self) -> str | None:
        before = self._servo.text.count("safe -> active")
        os.kill(self._simulator.process.pid, signal.SIGKILL)
        failure = self._servo.wait_for(before + 1, "active -> safe")
        self._simulator.close()
        self._simulator = self._simulate()
        return failure or self._servo.wait_for(before + 1, "safe -> active")

    def _stop_simulator(self) -> str | None:
        before = self._servo.text.count("safe -> active")
        os.kill(self._simulator.process.pid, signal.SIGSTOP)
        failure = self._servo.wait_for(before + 1, "active -> safe")
        os.kill(self._simulator.process.pid, signal.SIGCONT)
        return failure or self._servo.wait_for(before + 1, "safe -> active")

    def _kill_servo(self) -> str | None:
        children = self._servo.children()
        if not children:
            return "the servo has no process of its own"
        os.kill(children[0], signal.SIGKILL)
        return self._see_the_end("the servo was killed", {1})

    def _kill_front(self) -> str | None:
        children = self._servo.children()
        os.kill(self._servo.process.pid, signal.SIGKILL)
        failure = _wait(
            lambda: not any(_is_alive(pid) for pid in children), "the servo outlived its front"
        )
        return failure or self._see_the_end("the front was killed", {-signal.SIGKILL})

    def _see_the_end(self, why: str, codes: set[int]) -> str | None:
        servo, self._servo = self._servo, None
        try:
            failure = _wait(lambda: servo.process.poll() is not None, f"{why}: it did not end")
            if failure is None and servo.process.returncode not in codes:
                failure = f"{why}: the exit code is {servo.process.returncode}"
            if failure is None and TRACEBACK in servo.text:
                failure = f"{why}: {servo.tail}"
            return failure
        finally:
            servo.close()


class SignalTrials(TrialClass):
    """Tell a run to end, at any moment after its start."""

    name = "signals"
    share = 25
    least = 1

    def run(self, rng: np.random.Generator) -> str | None:
        """Send a signal; there must be an end, without a traceback and without children."""
        started = Started(
            free_domain(), "run", str(FILE), "--set", f"name=campaign_signal_{os.getpid()}"
        )
        try:
            number = ENDING[rng.integers(len(ENDING))]
            time.sleep(rng.uniform(0.05, 6.0))
            children = started.children()
            started.process.send_signal(number)
            if rng.random() < 0.3:
                time.sleep(rng.uniform(0.0, 0.3))
                if started.process.poll() is None:
                    started.process.send_signal(number)
            return _look_at_the_end(started, number, children)
        finally:
            started.close()


def _look_at_the_end(started: Started, number: int, children: list[int]) -> str | None:
    name = signal.Signals(number).name
    failure = _wait(lambda: started.process.poll() is not None, f"{name} did not end it")
    if failure is None:
        failure = _wait(lambda: not any(_is_alive(pid) for pid in children), f"{name}: children")
    if failure is None and TRACEBACK in started.text:
        failure = f"{name}: {started.tail}"
    return failure


def _wait(predicate: Callable[[], object], text: str) -> str | None:
    """Wait until something is true; return the text if it does not become so, or its own words."""
    end = time.monotonic() + GENEROUS
    while not (found := predicate()):
        if time.monotonic() > end:
            return text
        time.sleep(0.02)
    return found if isinstance(found, str) else None


def _is_alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
