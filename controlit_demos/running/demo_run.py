"""DemoRun: one run of a demonstration, wherever the servo is."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from controlit_demos.programs.goal_program import GoalProgram, phase_at
from controlit_demos.programs.goal_stream import GOAL_RATE, GoalStream
from controlit_demos.running.demo_status import DemoStatus, HandError, Snapshot
from controlit_demos.running.evaluator import Evaluator
from controlit_demos.running.recorder import Recorder
from controlit_ros.arrays import Array
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


class RunParts(NamedTuple):
    """What takes part in a run.

    Attributes:
        stack: The controller; what it publishes and where.
        program: What shall be done.
        stream: Sends its goals.
        recorder: Hears what the controller publishes.
        evaluator: Judges the outcome.
        status: Shows how it goes.
        labels: How tasks whose errors count are shown, by task name.
        duration: How much of the program to run [s].
    """

    stack: ControllerStack
    program: GoalProgram
    stream: GoalStream
    recorder: Recorder
    evaluator: Evaluator
    status: DemoStatus
    labels: Mapping[str, str]
    duration: float


class DemoRun(ABC):
    """Runs a program on a controller and keeps a record.

    Attributes:
        origin: Time of the first goal on the recorder's clock [s], `None` before.
        sent_for: How long goals were sent [s].
    """

    def __init__(self, parts: RunParts) -> None:
        self.parts = parts
        self.origin: float | None = None
        self.sent_for = parts.duration
        self._kinds = {
            task.name: track_kind(task)
            for task in parts.stack.tasks.tasks
            if task.name in parts.labels
        }

    @abstractmethod
    def go(self) -> bool:
        """Run the program to its end; return whether a user ended it before.

        Raises:
            ControlItError: The servo ended or fell silent, or no goals could be sent.
        """

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
        assert self.origin is not None
        recorder, stream = self.parts.recorder, self.parts.stream
        program, robot = self.parts.program, self.parts.stack.robot
        begin, end = self.origin, self.origin + self.sent_for
        complete = program.is_over(self.sent_for)
        verdict = self.parts.evaluator.verdict() if complete else None

        def cut(series: Series) -> Track:
            track = series.track(begin, end)
            return Track(track.times - begin, track.values)

        return RunRecord(
            name=name,
            created=created,
            tasks={task: self.track(task, cut(recorder.actual[task])) for task in self._kinds},
            phases=tuple(program.phases),
            duration=self.sent_for,
            complete=complete,
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
            goals=(stream.sent, stream.lateness),
            summary=self.summary(),
            bounds=bounds,
            findings={} if verdict is None else verdict.findings,
            problems=(*program.problems, *(() if verdict is None else verdict.problems)),
            published=published,
            expected_goals=round(GOAL_RATE * self.sent_for),
            servo_frequency=self.parts.stack.clock.frequency,
            measurement_period=_measurement_period(self.parts.stack),
        )

    def track(self, name: str, actual: Track) -> TaskTrack:
        """Put the goals that were sent beside actual values; times since the first goal."""
        times, values = actual
        sent = self.parts.stream.goals.get(name)
        kind = self._kinds[name]
        goal = values if sent is None else interpolated(sent.track(), times, kind)
        return TaskTrack(times, goal, values, kind)

    def _present(self, name: str, actual: Array) -> TaskTrack:
        """Put the newest goal beside an actual value; what was before costs no time."""
        sent = self.parts.stream.goals.get(name)
        goal = actual if sent is None or sent.last is None else sent.last
        rows = actual.reshape(1, -1), goal.reshape(1, -1)
        return TaskTrack(np.zeros(1), rows[1], rows[0], self._kinds[name])

    def show(self, elapsed: float, servo: str) -> None:
        """Show how it goes at a time since the first goal [s]."""
        parts, recorder = self.parts, self.parts.recorder
        errors = []
        for name, label in parts.labels.items():
            last = recorder[name]
            if last is not None and self.origin is not None:
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
                phase="" if self.origin is None else phase_at(parts.program.phases, elapsed),
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
