"""DemoRun: one run of a demonstration, wherever the servo is."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from controlit_demos.programs.demo_course import DemoCourse
from controlit_demos.programs.program import Program
from controlit_demos.running.demo_status import DemoStatus, HandError, Snapshot
from controlit_demos.running.evaluator import Evaluator
from controlit_demos.running.looking_beat import LookingBeat
from controlit_demos.running.recorder import Recorder
from controlit_ros.arrays import Array
from controlit_ros.client import Beat, ClientError, ControllerLostError, GoalRecord, Robot
from controlit_ros.client.connecting import GOAL_RATE
from controlit_ros.errors import ControlItError
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.simulated_robot import simulated_robot
from controlit_ros.parameters import Quantity
from controlit_ros.recording.paper_figures import PaperFigures
from controlit_ros.recording.run_record import RunRecord
from controlit_ros.recording.sent_goals import interpolated
from controlit_ros.recording.series import Series, Track
from controlit_ros.recording.task_track import TaskTrack, TrackKind
from controlit_ros.tasks import Task
from controlit_ros.transport import Transport

SETTLE = 0.5  # [s] after the soft start


class RunOverError(Exception):
    """Its time is over."""


class RunParts(NamedTuple):
    """What takes part in a run.

    Attributes:
        stack: The controller; what it publishes and where.
        program: What shall be done.
        transport: Carries what it sends and hears.
        recorder: Hears what the controller publishes.
        evaluator: Judges the outcome.
        status: Shows how it goes.
        labels: How tasks whose errors count are shown, by task name.
        duration: How much of the program to run [s].
    """

    stack: ControllerStack
    program: Program
    transport: Transport
    recorder: Recorder
    evaluator: Evaluator
    status: DemoStatus
    labels: Mapping[str, str]
    duration: float


class DemoRun(ABC):
    """Runs a program on a controller and keeps a record.

    Args:
        parts: What takes part.
        beat: Time of the program; the recorder's is the same.
        look_period: Between two looks at the world [s].
        show_period: Between two looks for the user [s].

    Attributes:
        course: How the program goes.
        sent_for: How long it ran [s].
        complete: Whether it came to its end.
    """

    def __init__(self, parts: RunParts, beat: Beat, look_period: float, show_period: float) -> None:
        self.parts = parts
        self.beat = LookingBeat(beat, look_period)
        self.course = DemoCourse(parts.transport, self.beat.now)
        self.sent_for = 0.0
        self.complete = False
        self._goals: GoalRecord | None = None
        self._starts: dict[str, Array] = {}
        self._show_period = show_period
        self._next_show = -np.inf
        self._kinds = {
            task.name: track_kind(task)
            for task in parts.stack.tasks.tasks
            if task.name in parts.labels
        }

    def go(self) -> bool:
        """Run the program to its end; return whether a user ended it before.

        Raises:
            ControlItError: The servo ended or fell silent.
        """
        try:
            self.start()
            with self.connect() as robot:
                try:
                    self._perform(robot)
                finally:
                    self.beat.look = lambda: None  # motions come to rest unwatched
        except KeyboardInterrupt:
            return True
        finally:
            self.stop()
        return False

    @abstractmethod
    def start(self) -> None:
        """Wait for the servo."""

    @abstractmethod
    def connect(self) -> Robot:
        """Return the servo as a program sees it."""

    @abstractmethod
    def check(self) -> str:
        """Return what the servo does.

        Raises:
            ControlItError: It has ended.
        """

    @abstractmethod
    def lost(self, error: ControllerLostError) -> ControlItError:
        """Return why the controller is lost, as far as it is known."""

    def stop(self) -> None:  # noqa: B027 - for those who have started something
        """End what `start` began."""

    def run(self, robot: Robot) -> None:
        """Run the program."""
        self.parts.program.run(robot, self.course)

    def _perform(self, robot: Robot) -> None:
        self.beat.look = self._look
        robot.sleep(self.parts.stack.servo.soft_start_time + SETTLE)
        self._starts = {name: robot.task(name).goal for name in self.parts.labels}
        self._goals = robot.record_goals()
        try:
            self.run(robot)
            self.complete = True
        except RunOverError:
            pass
        except ControllerLostError as error:
            raise self.lost(error) from error
        except ClientError as error:
            self.course.problems.append(str(error))
        finally:
            self.sent_for = min(self.course.elapsed, self.parts.duration)

    def _look(self) -> None:
        elapsed = self.course.elapsed
        if self.course.origin is not None:
            self.parts.evaluator.look(elapsed)
        if self.beat.now() >= self._next_show:
            self._next_show = self.beat.now() + self._show_period
            state = self.check()
            self.show(elapsed, "soft start" if self.course.origin is None else state)
        if elapsed >= self.parts.duration:
            raise RunOverError

    @abstractmethod
    def summary(self) -> dict[str, Any] | None:
        """Return what the servo measured over all its cycles, `None` if nothing is left."""

    def record(
        self,
        name: str,
        created: str,
        bounds: Mapping[str, float],
        published: PaperFigures | None = None,
    ) -> RunRecord:
        """Return what was recorded from the first goal to the last."""
        assert self.course.origin is not None
        assert self._goals is not None
        recorder, goals, robot = self.parts.recorder, self._goals, self.parts.stack.robot
        begin, end = self.course.origin, self.course.origin + self.sent_for
        verdict = self.parts.evaluator.verdict() if self.complete else None

        def cut(series: Series) -> Track:
            track = series.track(begin, end)
            return Track(track.times - begin, track.values)

        return RunRecord(
            name=name,
            created=created,
            tasks={task: self.track(task, cut(recorder.actual[task])) for task in self._kinds},
            phases=tuple(self.course.phases),
            duration=self.sent_for,
            complete=self.complete,
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
            goals=(goals.rounds, goals.latest),
            summary=self.summary(),
            bounds=bounds,
            findings={} if verdict is None else verdict.findings,
            problems=(*self.course.problems, *(() if verdict is None else verdict.problems)),
            published=published,
            expected_goals=round(GOAL_RATE * goals.moving),
            servo_frequency=self.parts.stack.clock.frequency,
            measurement_period=_measurement_period(self.parts.stack),
        )

    def track(self, name: str, actual: Track) -> TaskTrack:
        """Put the goals that were sent beside actual values; times since the first goal."""
        times, values = actual
        assert self._goals is not None
        sent, start, kind = self._goals.goals(name), self._starts[name], self._kinds[name]
        moments = np.append(0.0, sent.times - (self.course.origin or 0.0))
        rows = np.vstack([start, *sent.values])
        return TaskTrack(times, interpolated(Track(moments, rows), times, kind), values, kind)

    def _present(self, name: str, actual: Array) -> TaskTrack:
        """Put the newest goal beside an actual value; what was before costs no time."""
        newest = None if self._goals is None else self._goals.newest(name)
        goal = self._starts[name] if newest is None else newest
        rows = actual.reshape(1, -1), goal.reshape(1, -1)
        return TaskTrack(np.zeros(1), rows[1], rows[0], self._kinds[name])

    def show(self, elapsed: float, servo: str) -> None:
        """Show how it goes at a time since the first goal [s]."""
        parts, recorder = self.parts, self.parts.recorder
        errors = []
        for name, label in parts.labels.items():
            last = recorder.actual[name].last
            if last is not None and self.course.origin is not None:
                track = self._present(name, last)
                errors.append(HandError(label, float(track.errors()[0]), track.unit))
        frequency, latency = recorder.frequency.last, recorder.latency.last
        note = recorder.events[-1][1] if recorder.events else ""
        if recorder.notices:
            note = recorder.notices[-1][2]
        parts.status.show(
            Snapshot(
                time=elapsed,
                duration=min(parts.duration, parts.program.duration),
                phase=self.course.phase,
                servo=servo,
                errors=tuple(errors),
                frequency=None if frequency is None else float(frequency[0]),
                latency=None if latency is None else 1e3 * float(latency[-1]),
                note=note,
            )
        )


def track_kind(task: Task) -> TrackKind:
    """Return what goal and actual value of a task are."""
    goal = task.goal
    if goal.quantity is Quantity.QUATERNION:
        return TrackKind.ORIENTATION
    if goal.unit_length:
        return TrackKind.DIRECTION
    if goal.labels and set(goal.labels) <= set(task.robot.real_joints):
        return TrackKind.POSTURE
    return TrackKind.FORCE if goal.unit.startswith("N") else TrackKind.POSITION


def _measurement_period(stack: ControllerStack) -> float:
    """Return the real time between two measurements of a simulated robot [s], 0 of another."""
    try:
        simulator = simulated_robot(stack)
    except ControlItError:
        return 0.0
    return simulator.options().timestep / simulator.real_time_factor
