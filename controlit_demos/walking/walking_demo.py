"""WalkingDemo: a robot that walks in simulated time, on its own sensors, and is judged."""

import json
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from controlit_demos.comparison.criterion import Criterion
from controlit_demos.comparison.scenario_beat import ScenarioBeat
from controlit_demos.running.demo_error import DemoError
from controlit_demos.running.demonstration import FAILURE, SUCCESS, Demonstration
from controlit_demos.walking.gait_observer import Gait, GaitObserver
from controlit_demos.walking.unlikeness import Unlikeness
from controlit_ros.arrays import Array
from controlit_ros.client import ClientError, Robot, connect
from controlit_ros.kernels.compile import told_of_compilation
from controlit_ros.recording.report import NO_MATPLOTLIB, html_page
from controlit_ros.regular_file import opened_to_write, write_text
from controlit_ros.robots.mujoco_simulation import Simulation
from controlit_ros.scripting import SimulatedController

LOG = {"log_level": "ERROR"}  # the report tells of the rest
FALLEN = 0.8  # [-] of the height of the root link above the lower sole, at the start
MILLIMETRES, CENTIMETRES = 1e3, 1e2

HEIGHT = Criterion("least height of the root link above the lower sole", "%", least=90.0)
STILL = Criterion("speed of the root link at the end", "m/s", most=0.03)
ERROR_X = Criterion("ξ off its plan, forward, 99 %", "cm")
ERROR_Y = Criterion("ξ off its plan, sideways, 99 %", "cm")
ESTIMATE = Criterion("estimate off at the end, of the way", "%", most=2.0)
ESTIMATED_HEIGHT = Criterion("estimate of the height off", "mm", most=10.0)
TILT = Criterion("estimate of the tilt off", "°", most=0.5)
STEPS = Criterion("steps")
CHANGES = Criterion("changes of steps in the air")
COMMON = (HEIGHT, STILL, ERROR_X, ERROR_Y, ESTIMATE, ESTIMATED_HEIGHT, TILT, STEPS, CHANGES)
"""Criteria of every walk."""


class WalkEndedError(DemoError):
    """The robot fell, or its time is over."""


class Walked(NamedTuple):
    """How one run went.

    Attributes:
        seed: Of the run.
        friction: Of the floor.
        figures: By name of their criterion.
        problems: In words; empty after a success.
        gait: All that was seen.
        half_size: `(2,)` of a sole [m].
    """

    seed: int
    friction: float
    figures: Mapping[str, float]
    problems: Sequence[str]
    gait: Gait
    half_size: Array


class Trial:
    """What a run has beside its client: moments by name, for figures of its parts, and pushes.

    Args:
        simulation: The world.
        now: Tells the time since the run began [s].
    """

    def __init__(self, simulation: Simulation, now: Callable[[], float]) -> None:
        self._simulation, self._now = simulation, now
        self.times: dict[str, float] = {}

    def mark(self, name: str) -> None:
        """Remember the present moment."""
        self.times[name] = self._now()

    def push(self, link: str, force: Sequence[float], duration: float) -> None:
        """Push the robot from now on, see `Simulation.push` [N], [s]."""
        self._simulation.push(link, force, duration)


class WalkingDemo(Demonstration):
    """Runs a controller in this process, in a world that is not as the controller thinks.

    Attributes:
        criteria: Its figures, in the order of the table.
    """

    criteria: ClassVar[Sequence[Criterion]]

    @abstractmethod
    def walk(self, robot: Robot, trial: Trial) -> None:
        """Steer the robot.

        Raises:
            ClientError: It cannot go on.
        """

    @abstractmethod
    def figures(self, gait: Gait, trial: Trial) -> Mapping[str, float]:
        """Return figures of its own, by the name of their criterion."""

    def settings(self) -> dict[str, Any]:
        """Return what else replaces values of the file."""
        return {}

    def show(self) -> int:
        """Run it as often as the user wants (see `Demonstration.show`)."""
        options = self.options
        if options.interface is not None or not self.is_within_process:
            raise DemoError(
                f"found --interface or --transport, expected neither: {self.name} runs in "
                "simulated time within its process"
            )
        walks = []
        for seed in range(options.seed, options.seed + options.runs):
            folder = self.folder if options.runs == 1 else self.folder / f"seed-{seed}"
            walks.append(self._run(seed, folder))
        self._tell_all(walks)
        return FAILURE if any(walk.problems for walk in walks) else SUCCESS

    def _run(self, seed: int, folder: Path) -> Walked:
        folder.mkdir(parents=True, exist_ok=True)
        with told_of_compilation(self.console.print):
            walked = self.walked(seed)
        self._report(walked, folder)
        return walked

    def walked(self, seed: int) -> Walked:
        """Make one run."""
        unlike = Unlikeness.drawn(seed)
        settings = LOG | unlike.settings | self.settings()
        controller = self.simulated(self.configuration, settings)
        observer = GaitObserver(controller)
        unlike.apply(observer.simulation)
        with controller:
            end, trial = self._played(controller, observer)
        return self._judged(unlike, observer, trial, end)

    def _played(self, controller: SimulatedController, observer: GaitObserver) -> tuple[str, Trial]:
        """Return why it ended before its time, and what the run had."""
        watch = _FallWatch(observer, self.options.duration)
        beat = ScenarioBeat(controller, watch.look)
        trial = Trial(observer.simulation, lambda: beat.elapsed)
        name = controller.stack.configuration.name
        with connect(name, transport=controller.transport, beat=beat) as robot:
            try:
                self.walk(robot, trial)
            except (ClientError, WalkEndedError) as error:
                watch.is_over = True
                return f"ended after {beat.elapsed:.1f} s: {error}", trial
        return "", trial

    def _judged(self, unlike: Unlikeness, observer: GaitObserver, trial: Trial, end: str) -> Walked:
        gait = observer.gait
        figures = {c.name: np.nan for c in self.criteria} | common_figures(gait)
        if not end:
            figures |= self.figures(gait, trial)
        missed = [c for c in self.criteria if not c.is_met(figures[c.name])]
        words = [f"{c.heading}: {figures[c.name]:.3g}, {c.bounds}" for c in missed]
        problems = [end] if end else words
        return Walked(unlike.seed, unlike.friction, figures, problems, gait, observer.half_size)

    def _report(self, walked: Walked, folder: Path) -> None:
        if not self.options.quiet:
            self.console.print(self._table(walked))
        content = {
            "demo": self.name,
            "created": self._created,
            "seed": walked.seed,
            "friction": walked.friction,
            "verdict": _verdict(walked),
            "problems": list(walked.problems),
            "criteria": [c._asdict() for c in self.criteria],
            "figures": dict(walked.figures),
        }
        write_text(folder / "report.json", json.dumps(content, indent=2) + "\n")
        with opened_to_write(folder / "data.npz") as file:
            np.savez_compressed(file, **walked.gait._asdict())
        try:
            from controlit_demos.walking.gait_pictures import write_gait_pictures  # noqa: PLC0415 - optional
        except ImportError:
            self.console.print(NO_MATPLOTLIB)
            pictures = []
        else:
            pictures = write_gait_pictures(walked.gait, walked.half_size, folder)
        text = self._markdown(walked, pictures)
        write_text(folder / "report.md", text)
        write_text(folder / "report.html", html_page(text, self.name))
        self.console.print(f"report: {folder / 'report.md'}", highlight=False)
        for problem in walked.problems:
            self.console.print(f"[red]failed:[/red] {escape(problem)}", highlight=False)
        self.console.print(_verdict(walked), highlight=False)

    def _rows(self, walked: Walked) -> list[tuple[str, str, str]]:
        return [
            (
                c.heading,
                c.bounds,
                f"{walked.figures[c.name]:.3g}"
                + ("" if c.is_met(walked.figures[c.name]) else " ✗"),
            )
            for c in self.criteria
        ]

    def _table(self, walked: Walked) -> Table:
        table = Table(title=f"{self.title}, seed {walked.seed}", title_justify="left")
        for heading in ("", "expected", "found"):
            table.add_column(heading, justify="right" if heading else "left")
        for row in self._rows(walked):
            table.add_row(*map(Text, row))  # text, not markup: units stand in brackets
        return table

    def _markdown(self, walked: Walked, pictures: Sequence[str]) -> str:
        lines = [
            f"# {self.title}, seed {walked.seed}, {self._created}",
            "",
            f"Masses off by up to 5 %, friction {walked.friction:.2f}, inertial unit biased, all",
            "sensors noisy. The controller knows nothing of it, nor where it truly is.",
            "",
            "| | expected | found |",
            "|---|---:|---:|",
            *(f"| {' | '.join(row)} |" for row in self._rows(walked)),
            *(f"\n![{name}]({name})" for name in pictures),
            "",
            *(f"* {problem}" for problem in walked.problems),
            _verdict(walked),
            "",
        ]
        return "\n".join(lines)

    def _tell_all(self, walks: Sequence[Walked]) -> None:
        if len(walks) == 1:
            return
        good = sum(not walk.problems for walk in walks)
        content = [
            {"seed": w.seed, "problems": list(w.problems), "figures": dict(w.figures)}
            for w in walks
        ]
        write_text(self.folder / "runs.json", json.dumps(content, indent=2) + "\n")
        self.console.print(f"{good} of {len(walks)} runs succeeded", highlight=False)


class _FallWatch:
    """Ends a run when the robot has fallen or its time is over."""

    def __init__(self, observer: GaitObserver, duration: float | None) -> None:
        self.is_over = False
        self._observer = observer
        self._duration = duration
        self._least = 0.0

    def look(self, elapsed: float) -> None:
        if self.is_over:
            return
        self._observer.look(elapsed)
        height = self._observer.height
        self._least = self._least or FALLEN * height
        if height < self._least:
            raise WalkEndedError("it fell")
        if self._duration is not None and elapsed > self._duration:
            raise WalkEndedError(f"found no end within {self._duration:g} s")


def common_figures(gait: Gait) -> dict[str, float]:
    """Return the figures of every walk."""
    last = gait.times[-1]
    heights = gait.base[:, 2] - gait.feet[:, [2, 6]].min(axis=1)
    errors = np.abs(along(gait.dcm - gait.dcm_goal, gait.yaw[:, 0]))
    off = gait.estimate - gait.base
    late = gait.between(last - 0.2, last)
    still = np.linalg.norm(late.base[-1] - late.base[0]) / (late.times[-1] - late.times[0])
    return {
        HEIGHT.name: float(100.0 * heights.min() / heights[0]),
        STILL.name: float(still),
        ERROR_X.name: float(CENTIMETRES * np.quantile(errors[:, 0], 0.99)),
        ERROR_Y.name: float(CENTIMETRES * np.quantile(errors[:, 1], 0.99)),
        ESTIMATE.name: float(100.0 * np.linalg.norm(off[-1]) / max(way(gait), 1e-9)),
        ESTIMATED_HEIGHT.name: float(MILLIMETRES * np.abs(off[:, 2]).max()),
        TILT.name: float(np.degrees(gait.tilt_error.max())),
        STEPS.name: float(gait.steps[-1, 0]),
        CHANGES.name: float(gait.changes[-1, 0]),
    }


def way(gait: Gait) -> float:
    """Return how far the robot went, from one second to the next [m]."""
    seconds = np.arange(gait.times[0], gait.times[-1], 1.0)
    places = np.array([np.interp(seconds, gait.times, gait.base[:, i]) for i in range(3)])
    return float(np.linalg.norm(np.diff(places, axis=1), axis=0).sum())


def along(ways: Array, yaw: Array) -> Array:
    """Return ways along the ground, `(n, 2)`, along the axes of a body that is turned."""
    c, s = np.cos(yaw), np.sin(yaw)
    return np.column_stack([c * ways[:, 0] + s * ways[:, 1], c * ways[:, 1] - s * ways[:, 0]])


def _verdict(walked: Walked) -> str:
    return "FAILED" if walked.problems else "PASSED"
