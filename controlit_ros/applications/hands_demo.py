"""HandsDemo: Dreamer's hands follow goals that another process sends over topics."""

import math
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from types import FrameType

import numpy as np
from rich.console import Console

from controlit_ros.applications.demo_status import (
    REFRESH_RATE,
    DemoStatus,
    HandError,
    Snapshot,
    demo_status,
)
from controlit_ros.applications.goal_plan import GoalPlan
from controlit_ros.applications.goal_stream import GoalStream
from controlit_ros.applications.hands_waypoints import HANDS_WAYPOINTS
from controlit_ros.applications.precedence import take_precedence
from controlit_ros.applications.recorder import Recorder
from controlit_ros.applications.report import rich_table, write_report
from controlit_ros.applications.run_record import RunRecord, TaskTrack
from controlit_ros.applications.run_statistics import run_statistics
from controlit_ros.applications.series import Series, Track
from controlit_ros.applications.servo_process import ServoProcess
from controlit_ros.applications.task_topics import task_topics
from controlit_ros.applications.unit_trajectory import UnitTrajectory
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.controller_stack import ControllerStack, load_stack
from controlit_ros.share import share_directory
from controlit_ros.transport import open_transport

SUCCESS, FAILURE, INTERRUPTED = 0, 1, 130
NODE_NAME = "hands_demo"
START_TIMEOUT = 60.0  # [s] for servo and simulator to start, compile and report a state
SILENCE = 3.0  # [s] without a message from the servo in the middle of the run
SETTLE = 0.5  # [s] after the soft start
CHILD_MARGIN = 60.0  # [s] by which the servo outlives a demo that was killed, at most
DOMAIN_VARIABLE = "ROS_DOMAIN_ID"
DOMAINS = range(1, 100)  # those whose ports no system hands out to others
HAND_TASKS = {
    "RightHandPosition": "right hand position",
    "LeftHandPosition": "left hand position",
    "RightHandOrientation": "right hand orientation",
    "LeftHandOrientation": "left hand orientation",
}
"""Names of the tasks, and how they are shown."""

POSTURE = "Posture"


class DemoError(ControlItError):
    """The demo cannot go on; the text says why."""


class HandsDemo:
    """Runs a servo in a child process, steers it over topics, and reports how well it followed.

    Args:
        configuration: File of the controller; its tasks carry the names of `HAND_TASKS`.
        transport: Name of the transport, `None` for the default.
        duration: End after so much of the plan [s]; `None` for all of it.
        folder: Of the report; `None` for `reports/hands-<timestamp>`.
        quiet: Show only the table at the end.
        console: Where to write.
    """

    def __init__(
        self,
        configuration: Path | None = None,
        *,
        transport: str | None = None,
        duration: float | None = None,
        folder: Path | None = None,
        quiet: bool = False,
        console: Console | None = None,
    ) -> None:
        now = datetime.now().astimezone()
        self.configuration = configuration or share_directory() / "config/dreamer/hands.yaml"
        self.folder = folder or Path("reports") / f"hands-{now:%Y%m%d-%H%M%S}"
        self._created = now.isoformat(timespec="seconds")
        self._transport = transport
        self._duration = duration
        self._quiet = quiet
        self._console = console or Console()

    def run(self) -> int:
        """Run the demo; return the exit code of the command."""
        try:
            with _own_domain(), _terminable():
                return self._run()
        except KeyboardInterrupt:
            self._console.print("interrupted")
            return INTERRUPTED
        except (ControlItError, OSError) as error:
            self._console.print(f"[red]demo failed:[/red] {error}", highlight=False)
            return FAILURE

    def _run(self) -> int:
        if self._duration is not None and not self._duration > 0.0:
            raise DemoError(f"found duration {self._duration:g} s, expected more than 0")
        stack = load_stack(self.configuration)
        plan = GoalPlan(stack, HANDS_WAYPOINTS)
        duration = min(self._duration or math.inf, plan.duration)
        self.folder.mkdir(parents=True, exist_ok=True)
        take_precedence(os.getpid())
        servo = ServoProcess(
            self.configuration,
            self.folder,
            duration=duration + START_TIMEOUT + CHILD_MARGIN,
            transport=self._transport,
        )
        with ExitStack() as exits:
            status = exits.enter_context(demo_status(self._console, quiet=self._quiet))
            exits.enter_context(servo)
            node = open_transport(NODE_NAME, f"/{stack.configuration.name}", name=self._transport)
            exits.enter_context(node)
            # accelerations, and velocities of the posture, gain less than their messages cost
            topics = {
                name: task_topics(stack, name)._replace(goal_acceleration=None)
                for name in plan.trajectories
            }
            topics[POSTURE] = topics[POSTURE]._replace(goal_velocity=None)
            recorder = Recorder(stack, {name: topics[name] for name in HAND_TASKS}, node)
            stream = GoalStream(plan, topics, node)
            run = _Run(stack, plan, stream, recorder, servo, status, duration)
            interrupted = run.go()
        if run.origin is None:
            raise KeyboardInterrupt
        return self._report(run, interrupted=interrupted)

    def _report(self, run: "_Run", *, interrupted: bool) -> int:
        record = run.record(self._created)
        statistics = run_statistics(record)
        self._console.print(rich_table(statistics))
        missing = write_report(record, statistics, self.folder)
        if missing is not None:
            self._console.print(missing)
        self._console.print(f"report: {self.folder / 'report.md'}", highlight=False)
        for problem in statistics.problems:
            self._console.print(f"[red]failed:[/red] {problem}", highlight=False)
        if interrupted:
            return INTERRUPTED
        return FAILURE if statistics.problems else SUCCESS


class _Run:
    """One run, from the start of the servo to its end."""

    def __init__(
        self,
        stack: ControllerStack,
        plan: GoalPlan,
        stream: GoalStream,
        recorder: Recorder,
        servo: ServoProcess,
        status: DemoStatus,
        duration: float,
    ) -> None:
        self.origin: float | None = None
        self._stack = stack
        self._plan = plan
        self._stream = stream
        self._recorder = recorder
        self._servo = servo
        self._status = status
        self._duration = duration
        self._sent_for = duration

    def go(self) -> bool:
        """Wait for the servo and send all goals; return whether a user ended it.

        Raises:
            ControlItError: The servo ended or fell silent, or no goals could be sent.
        """
        try:
            self._wait_for_servo()
            self.origin = time.monotonic()
            self._stream.start(self.origin, self._duration)
            while self._stream.is_running:
                self._watch()
            if self._stream.failure is not None:
                raise DemoError(f"sending goals failed: {self._stream.failure!r}")
        except KeyboardInterrupt:
            if self.origin is not None:
                self._sent_for = min(time.monotonic() - self.origin, self._duration)
            return True
        finally:
            self._stream.stop()
        return False

    def record(self, created: str) -> RunRecord:
        """Return what was recorded from the first goal to the last."""
        assert self.origin is not None
        recorder, robot = self._recorder, self._stack.robot
        begin, end = self.origin, self.origin + self._sent_for

        def cut(series: Series) -> Track:
            track = series.track(begin, end)
            return Track(track.times - begin, track.values)

        return RunRecord(
            name="hands",
            created=created,
            tasks={
                name: self._track(name, cut(series)) for name, series in recorder.actual.items()
            },
            phases=tuple(self._plan.phases),
            duration=self._sent_for,
            complete=self._sent_for >= self._plan.duration,
            joint_names=robot.real_joints,
            position=cut(recorder.position),
            velocity=cut(recorder.velocity),
            effort=cut(recorder.effort),
            velocity_limits=np.array(robot.velocity_limits),
            effort_limits=np.array(robot.effort_limits),
            frequency=cut(recorder.frequency),
            latency=cut(recorder.latency),
            model_latency=cut(recorder.model_latency),
            events=tuple((t - begin, name) for t, name in recorder.events if begin <= t <= end),
            notices=tuple((t - begin, level, text) for t, level, text in recorder.notices),
            goals=(self._stream.sent, self._stream.lateness),
            summary=self._servo.summary(),
        )

    def _track(self, name: str, actual: Track) -> TaskTrack:
        """Put the goals of the plan beside actual values; times since the first goal."""
        times, values = actual
        path = self._plan.trajectories[name]
        goal = path.sample(times).value if len(times) else values
        return TaskTrack(times, goal, values, not isinstance(path, UnitTrajectory))

    def _wait_for_servo(self) -> None:
        """Wait until the servo controls the robot, its soft start is over and it hears us."""
        begin = time.monotonic()
        ready: float | None = None
        while ready is None or time.monotonic() < ready:
            self._servo.check()
            now = time.monotonic()
            heard = self._stream.subscribers == self._stream.topics
            if ready is None and heard and all(map(len, self._recorder.actual.values())):
                ready = now + self._stack.servo.soft_start_time + SETTLE
            if ready is None and now - begin > START_TIMEOUT:
                raise DemoError(
                    f"the servo did not report within {START_TIMEOUT:g} s; the end of its log:\n"
                    f"{self._servo.log_tail()}"
                )
            self._show(0.0, "starts" if ready is None else "soft start")
            time.sleep(1.0 / REFRESH_RATE)

    def _watch(self) -> None:
        assert self.origin is not None
        self._servo.check()
        now = time.monotonic()
        age = now - self._recorder.position.last_time
        if age > SILENCE:
            raise DemoError(
                f"nothing heard from the servo for {age:.1f} s; the end of its log:\n"
                f"{self._servo.log_tail()}"
            )
        self._show(now - self.origin, "active")
        time.sleep(1.0 / REFRESH_RATE)

    def _show(self, elapsed: float, servo: str) -> None:
        recorder = self._recorder
        errors = []
        for name, series in recorder.actual.items():
            if series.last is not None and self.origin is not None:
                track = self._track(name, Track(np.array([elapsed]), series.last.reshape(1, -1)))
                errors.append(HandError(HAND_TASKS[name], float(track.errors()[0]), track.unit))
        frequency, latency = recorder.frequency.last, recorder.latency.last
        note = recorder.events[-1][1] if recorder.events else ""
        if recorder.notices:
            note = recorder.notices[-1][2]
        self._status.show(
            Snapshot(
                time=elapsed,
                duration=self._duration,
                phase=self._plan.phase(elapsed) if self.origin is not None else "",
                servo=servo,
                errors=tuple(errors),
                frequency=None if frequency is None else float(frequency[0]),
                latency=None if latency is None else 1e3 * float(latency[-1]),
                note=note,
            )
        )


@contextmanager
def _own_domain() -> Iterator[None]:
    """Talk in a domain of our own, unless the user chose one: a demo must never meet a robot."""
    if os.environ.get(DOMAIN_VARIABLE):
        yield
        return
    os.environ[DOMAIN_VARIABLE] = str(DOMAINS[os.getpid() % len(DOMAINS)])
    try:
        yield
    finally:
        del os.environ[DOMAIN_VARIABLE]


@contextmanager
def _terminable() -> Iterator[None]:
    """Let SIGTERM end the demo as Ctrl-C does: with the servo stopped and the report written."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    previous = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, previous)
