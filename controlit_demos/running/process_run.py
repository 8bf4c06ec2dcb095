"""ProcessRun: a run whose servo and simulator are processes of their own, in real time."""

import time
from typing import Any

from controlit_demos.running.demo_error import DemoError
from controlit_demos.running.demo_run import DemoRun, RunParts
from controlit_demos.running.demo_status import REFRESH_RATE
from controlit_demos.running.precedence import punctual
from controlit_ros.client import ControllerLostError, Robot, WallBeat, connect
from controlit_ros.errors import ControlItError
from controlit_ros.kernels.compile import COMPILING_NOTICE
from controlit_ros.processes.robot_process import RobotProcess
from controlit_ros.processes.servo_process import ServoProcess
from controlit_ros.recording.report import load_pictures
from controlit_ros.running_thread import running_thread

START_TIMEOUT = 300.0  # [s] to start, compile kernels on a busy machine, and report a state
END_TIME = 2.0  # [s] for a servo that is lost to be seen to have ended
WITNESS_RATE = 50.0  # [Hz] a thing that falls from a hand is in the air for longer


class ProcessRun(DemoRun):
    """Steers a servo in a child process over topics, in real time.

    Args:
        parts: What takes part.
        servo: The child, started.
        robot: The simulated robot, started, unless the servo has started one.
    """

    def __init__(
        self, parts: RunParts, servo: ServoProcess, robot: RobotProcess | None = None
    ) -> None:
        super().__init__(parts, WallBeat(), 1.0 / WITNESS_RATE, 1.0 / REFRESH_RATE)
        self._servo = servo
        self._children = (servo,) if robot is None else (robot, servo)

    def start(self) -> None:
        """Wait until the servo publishes what it measures."""
        begin = time.monotonic()
        while not all(map(len, self.parts.recorder.actual.values())):
            self.check()
            if time.monotonic() - begin > START_TIMEOUT:
                raise DemoError(f"the servo did not report within {START_TIMEOUT:g} s{self._log()}")
            self.show(0.0, self._starting())
            time.sleep(1.0 / REFRESH_RATE)
        running_thread(load_pictures, "pictures")  # while the servo starts softly

    def connect(self) -> Robot:
        """Return the servo as a program sees it."""
        name = self.parts.stack.configuration.name
        transport = self.parts.transport
        return connect(name, transport=transport, beat=self.beat, timeout=START_TIMEOUT)

    def run(self, robot: Robot) -> None:
        """Run the program, before other work of the machine where that is permitted."""
        with punctual(wanted=self.parts.stack.clock.real_time.priority > 0):
            super().run(robot)

    def check(self) -> str:
        """Return the state of a servo that has not ended."""
        for child in self._children:
            child.check()
        return "active"

    def lost(self, error: ControllerLostError) -> ControlItError:
        """Return why the servo is lost, with the end of its log."""
        deadline = time.monotonic() + END_TIME
        while time.monotonic() < deadline:
            try:
                self.check()
            except ControlItError as ended:
                return ended
            time.sleep(1.0 / REFRESH_RATE)
        return DemoError(f"{error}{self._log()}")

    def summary(self) -> dict[str, Any] | None:
        """Return the summary the child has written."""
        return self._servo.summary()

    def _log(self) -> str:
        return f"; the end of its log:\n{self._servo.log_tail()}"

    def _starting(self) -> str:
        last = self._servo.log_tail().rpartition("\n")[2]
        return f"starts, {COMPILING_NOTICE}" if last.endswith(COMPILING_NOTICE) else "starts"
