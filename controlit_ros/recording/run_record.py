"""RunRecord: everything a run of a demo leaves behind."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from controlit_ros.arrays import Array
from controlit_ros.recording.paper_figures import PaperFigures
from controlit_ros.recording.series import Track
from controlit_ros.recording.task_track import TaskTrack
from controlit_ros.regular_file import opened_to_write


@dataclass(frozen=True)
class RunRecord:
    """A run of a demo; all times count from the first goal [s].

    Attributes:
        name: Name of the demo.
        created: Date and time of the run, ISO 8601.
        tasks: Tracks of the tasks whose errors count, by task name.
        phases: Begin and name of each motion and pause.
        duration: Time goals were sent for [s].
        complete: Whether the program came to its end, where the goals rest.
        joint_names: Order of the joint arrays.
        position: Measured joint positions [rad].
        velocity: Measured joint velocities [rad/s].
        effort: Measured joint efforts [N m].
        velocity_limits: `(n,)` of the robot description [rad/s].
        effort_limits: `(n,)` of the robot description [N m].
        frequency: Servo frequency of single cycles, sampled [Hz].
        latency: Durations of the phases of single cycles, sampled [s].
        model_latency: Age of the active model, sampled [s].
        events: Time and name.
        notices: Time, level and text of the controller's complaints.
        goals: Rounds of goals sent, and the latest one's delay [s].
        summary: What the servo measured over all cycles, `None` if it left nothing.
        bounds: What the mean error of a task must not exceed, in cm or degrees, by task name.
        findings: Figures of this demo's own, by name.
        problems: What went wrong besides errors of tasks, in words.
        unreachable: How many goals of a task were out of reach on purpose, by task name.
        published: What the paper measured of the same run, `None` if it did not.
        expected_goals: Rounds of goals that a punctual client sends, 0 where nobody knows.
        servo_frequency: What was asked of the servo [Hz], 0 where nobody knows.
        measurement_period: Real time between two measurements of a simulation [s], 0 where
            nobody knows.
        idle_frequency: Mean, standard deviation, lowest and highest frequency of a servo without
            work on the same machine [Hz], `None` where nobody measured.
    """

    name: str
    created: str
    tasks: dict[str, TaskTrack]
    phases: tuple[tuple[float, str], ...]
    duration: float
    complete: bool
    joint_names: tuple[str, ...]
    position: Track
    velocity: Track
    effort: Track
    velocity_limits: Array
    effort_limits: Array
    frequency: Track
    latency: Track
    model_latency: Track
    events: tuple[tuple[float, str], ...]
    notices: tuple[tuple[float, str, str], ...]
    goals: tuple[int, float]
    summary: dict[str, Any] | None
    bounds: Mapping[str, float] = field(default_factory=dict)
    findings: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    unreachable: Mapping[str, int] = field(default_factory=dict)
    published: PaperFigures | None = None
    expected_goals: int = 0
    servo_frequency: float = 0.0
    measurement_period: float = 0.0
    idle_frequency: tuple[float, float, float, float] | None = None

    def save(self, path: Path) -> None:
        """Write all time series to a compressed `.npz` file."""
        arrays: dict[str, Any] = {"joint_names": np.array(self.joint_names)}
        for name, task in self.tasks.items():
            arrays |= {
                f"{name}/time": task.times,
                f"{name}/goal": task.goal,
                f"{name}/actual": task.actual,
            }
        for name in ("position", "velocity", "effort", "frequency", "latency", "model_latency"):
            track: Track = getattr(self, name)
            arrays |= {f"{name}/time": track.times, f"{name}/value": track.values}
        arrays["events/time"] = np.array([time for time, _ in self.events])
        arrays["events/name"] = np.array([name for _, name in self.events], dtype=str)
        with opened_to_write(path) as file:
            np.savez_compressed(file, **arrays)
