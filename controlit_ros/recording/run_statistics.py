"""RunStatistics: the figures of a run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.recording.goal_rests import goal_rests
from controlit_ros.recording.lost_time import lost_time
from controlit_ros.recording.paper_figures import PaperFigures
from controlit_ros.recording.run_record import RunRecord
from controlit_ros.recording.task_track import TaskTrack, TrackKind
from controlit_ros.servo import PHASES

REST = 1.0  # [s] at the end of a complete run, when the goals have rested for a while
MOVED = 0.02  # [m] a hand that is asked to go further and does not has not moved
MOST_TROUBLES = 3  # [-] errors of the servo that are told beside a failure


@dataclass(frozen=True)
class ErrorFigures:
    """Errors of one task.

    Attributes:
        mean: Over the whole run where it has a bound; else without the goals that were missed, as
            long as others were not.
        deviation: Standard deviation of the same.
        highest: Largest of the same.
        at_rest: Mean over the last second, `None` unless the run came to rest.
        unit: Of all these.
        bound: What the mean must not exceed, `None` without one.
        rests: At how many places the goal rested.
        missed: At how many of them the robot came to rest elsewhere.
        nearest: Least error there, `None` without any.
    """

    mean: float
    deviation: float
    highest: float
    at_rest: float | None
    unit: str
    bound: float | None
    rests: int = 0
    missed: int = 0
    nearest: float | None = None


@dataclass(frozen=True)
class Spread:
    """Mean, standard deviation, lowest and highest of a quantity."""

    mean: float
    deviation: float
    lowest: float
    highest: float


@dataclass(frozen=True)
class Percentiles:
    """Median and 99th percentile of a duration [ms]."""

    p50: float
    p99: float


@dataclass(frozen=True)
class RunStatistics:
    """Figures of a run.

    Attributes:
        findings: The demo's own.
        errors: By task name.
        frequency: Of the servo [Hz], `None` if nothing was measured.
        idle_frequency: Of a servo without work on the same machine [Hz], `None` likewise.
        latency: By phase, empty if nothing was measured.
        every_cycle: Whether frequency and latency are of every cycle (the servo's own summary) or
            of the samples that came over the topics.
        cycles: How many servo cycles they are of.
        speeding: Joints that exceeded their velocity limit, and the highest ratio.
        straining: Joints that came to their effort limit, and the highest ratio.
        problems: What makes the run a failure, in words.
        lost_time: What a busy machine took from servo, simulation and client, in words.
        published: What the paper measured of the same run, `None` if it did not.
    """

    findings: Mapping[str, Any]
    errors: dict[str, ErrorFigures]
    frequency: Spread | None
    latency: dict[str, Percentiles]
    every_cycle: bool
    cycles: int
    speeding: dict[str, float]
    straining: dict[str, float]
    problems: tuple[str, ...]
    lost_time: tuple[str, ...] = ()
    published: PaperFigures | None = None
    idle_frequency: Spread | None = None

    @property
    def verdict(self) -> str:
        """PASSED, or FAILED with any of the `problems`: everywhere the only definition.

        A mean error with a bound counts every goal; of a task without one, no more goals may be
        missed than were out of reach on purpose.
        """
        return "FAILED" if self.problems else "PASSED"

    @property
    def excuse(self) -> str:
        """What is behind a failure that may be none of the controller; empty without."""
        if not self.problems or not self.lost_time:
            return ""
        return f"the machine was busy: {', '.join(self.lost_time)}"


def run_statistics(record: RunRecord) -> RunStatistics:
    """Compute the figures of a run."""
    errors = {
        name: _error_figures(name, task, record)
        for name, task in record.tasks.items()
        if len(task.times)
    }
    frequency, latency, every_cycle, cycles = _servo(record)
    return RunStatistics(
        findings=dict(record.findings),
        errors=errors,
        frequency=frequency,
        latency=latency,
        every_cycle=every_cycle,
        cycles=cycles,
        speeding=_above(record, record.velocity.values, record.velocity_limits, 1.0),
        straining=_above(record, record.effort.values, record.effort_limits, 0.999),
        problems=tuple(_problems(record, errors)),
        lost_time=lost_time(record),
        published=record.published,
        idle_frequency=None if record.idle_frequency is None else Spread(*record.idle_frequency),
    )


def _error_figures(name: str, task: TaskTrack, record: RunRecord) -> ErrorFigures:
    bound = record.bounds.get(name)
    rests = goal_rests(task)
    errors = task.errors()
    rest = errors[task.times >= record.duration - REST] if record.complete else errors[:0]
    counted = errors
    if bound is None and not rests.is_missed.all():
        counted = errors[~rests.is_missed]
    return ErrorFigures(
        mean=float(counted.mean()),
        deviation=float(counted.std()),
        highest=float(counted.max()),
        at_rest=float(rest.mean()) if len(rest) else None,
        unit=task.unit,
        bound=bound,
        rests=rests.places,
        missed=rests.missed,
        nearest=rests.nearest,
    )


def _servo(record: RunRecord) -> tuple[Spread | None, dict[str, Percentiles], bool, int]:
    if record.summary is not None:
        phases = record.summary["phases"]
        latency = {
            phase: Percentiles(1e3 * phases[phase][0], 1e3 * phases[phase][1])
            for phase in PHASES
            if phase in phases
        }
        spread = Spread(*(float(number) for number in record.summary["frequency"]))
        return spread, latency, True, int(record.summary["cycles"])
    sampled = record.frequency.values.reshape(-1)
    frequency = None
    if len(sampled):
        frequency = Spread(
            float(sampled.mean()), float(sampled.std()), float(sampled.min()), float(sampled.max())
        )
    latency = {}
    if len(record.latency.values):
        p50, p99 = 1e3 * np.percentile(record.latency.values, (50.0, 99.0), axis=0)
        latency = {
            phase: Percentiles(float(p50[i]), float(p99[i])) for i, phase in enumerate(PHASES)
        }
    return frequency, latency, False, len(sampled)


def _above(record: RunRecord, values: Array, limits: Array, ratio: float) -> dict[str, float]:
    if not len(values):
        return {}
    highest = np.abs(values).max(axis=0) / limits
    return {
        joint: float(highest[i]) for i, joint in enumerate(record.joint_names) if highest[i] > ratio
    }


def _problems(record: RunRecord, errors: dict[str, ErrorFigures]) -> list[str]:
    problems = list(record.problems)
    problems += [f"{name}: no actual value arrived" for name in record.tasks if name not in errors]
    for name, figures in errors.items():
        task = record.tasks[name]
        if task.kind is TrackKind.POSITION:
            asked, moved = (
                float(np.ptp(values, axis=0).max()) for values in (task.goal, task.actual)
            )
            if asked > MOVED > moved:
                problems.append(f"{name}: did not move ({moved:.3f} m, asked for {asked:.3f} m)")
        if figures.bound is not None and not figures.mean <= figures.bound:
            problems.append(
                f"{name}: mean error {figures.mean:.2f} {figures.unit}, expected at most "
                f"{figures.bound:.2f} {figures.unit}"
            )
        if figures.bound is None and figures.missed > record.unreachable.get(name, 0):
            problems.append(f"{name}: goals missed: {missed_goals(figures)}")
    return problems + _circumstances(record) if problems else problems


def missed_goals(figures: ErrorFigures) -> str:
    """Return how many goals were missed and by how much, in words."""
    return f"{figures.missed} of {figures.rests}, {figures.nearest:.2f} {figures.unit} off at least"


def _circumstances(record: RunRecord) -> list[str]:
    """Return what may be behind a failure: troubles of the servo."""
    troubles = [
        f"the servo at {time:.2f} s: {text}"
        for time, level, text in record.notices
        if level == "error" and time >= 0.0
    ]
    more = len(troubles) - MOST_TROUBLES
    if more > 0:
        troubles[MOST_TROUBLES:] = [f"the servo: {more} more errors"]
    return troubles
