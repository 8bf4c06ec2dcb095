"""ProcessRun: a run whose servo and simulator are processes of their own, in real time."""

import time
from typing import Any

from controlit_demos.running.demo_error import DemoError
from controlit_demos.running.demo_run import DemoRun, RunParts
from controlit_demos.running.demo_status import REFRESH_RATE
from controlit_demos.running.precedence import punctual
from controlit_ros.kernels.compile import COMPILING_NOTICE
from controlit_ros.processes.robot_process import RobotProcess
from controlit_ros.processes.servo_process import ServoProcess

START_TIMEOUT = 300.0  # [s] to start, compile kernels on a busy machine, and report a state
SILENCE = (
    10.0  # [s] without a message from the servo in the middle of the run, as long as DDS waits
)
SETTLE = 0.5  # [s] after the soft start
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
        super().__init__(parts)
        self._servo = servo
        self._children = (servo,) if robot is None else (robot, servo)

    def go(self) -> bool:
        """Wait for the servo and run the program; return whether a user ended it."""
        stream = self.parts.stream
        try:
            self._wait_for_servo()
            with punctual(wanted=self.parts.stack.clock.real_time.priority > 0):
                self._follow_program()
            if stream.failure is not None:
                raise DemoError(f"sending goals failed: {stream.failure!r}")
        except KeyboardInterrupt:
            return True
        finally:
            stream.stop()
            if self.origin is not None:
                elapsed = time.monotonic() - self.origin
                self.sent_for = min(elapsed, self.parts.duration)
        return False

    def summary(self) -> dict[str, Any] | None:
        """Return the summary the child has written."""
        return self._servo.summary()

    def _follow_program(self) -> None:
        """Send goals, watch and show how it goes until the program is over."""
        stream = self.parts.stream
        origin = self.origin = time.monotonic()
        stream.start(origin, self.parts.duration)
        next_show = 0.0
        while stream.is_running:
            elapsed = time.monotonic() - origin
            self.parts.evaluator.look(elapsed)
            if elapsed >= next_show:
                next_show = elapsed + 1.0 / REFRESH_RATE
                self._watch(elapsed)
            time.sleep(1.0 / WITNESS_RATE)

    def _wait_for_servo(self) -> None:
        """Wait until the servo controls the robot, its soft start is over and it hears us."""
        stream, recorder = self.parts.stream, self.parts.recorder
        begin = time.monotonic()
        ready: float | None = None
        while ready is None or time.monotonic() < ready:
            self._check()
            now = time.monotonic()
            heard = stream.subscribers == stream.topics
            if ready is None and heard and all(map(len, recorder.actual.values())):
                ready = now + self.parts.stack.servo.soft_start_time + SETTLE
            if ready is None and now - begin > START_TIMEOUT:
                raise DemoError(
                    f"the servo did not report within {START_TIMEOUT:g} s; the end of its log:\n"
                    f"{self._servo.log_tail()}"
                )
            self.show(0.0, self._start() if ready is None else "soft start")
            time.sleep(1.0 / REFRESH_RATE)

    def _check(self) -> None:
        for child in self._children:
            child.check()

    def _start(self) -> str:
        last = self._servo.log_tail().rpartition("\n")[2]
        return f"starts, {COMPILING_NOTICE}" if last.endswith(COMPILING_NOTICE) else "starts"

    def _watch(self, elapsed: float) -> None:
        self._check()
        age = time.monotonic() - self.parts.recorder.position.last_time
        if age > SILENCE:
            raise DemoError(
                f"nothing heard from the servo for {age:.1f} s; the end of its log:\n"
                f"{self._servo.log_tail()}"
            )
        self.show(elapsed, "active")
