"""Demo: what all demonstrations have in common."""

import json
import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar

from rich.markup import escape
from rich.table import Table

from controlit_demos.programs.demo_course import DemoCourse
from controlit_demos.programs.program import Program
from controlit_demos.running.actual_place import actual_place
from controlit_demos.running.demo_error import DemoError
from controlit_demos.running.demo_run import DemoRun, RunParts
from controlit_demos.running.demo_status import DemoStatus, demo_status
from controlit_demos.running.demonstration import FAILURE, INTERRUPTED, SUCCESS, Demonstration
from controlit_demos.running.evaluator import BlindEvaluator, Evaluation, Evaluator
from controlit_demos.running.precedence import precedence
from controlit_demos.running.process_run import START_TIMEOUT, ProcessRun
from controlit_demos.running.recorder import Recorder
from controlit_demos.running.simulated_run import SimulatedRun
from controlit_ros.configuration import load_configuration
from controlit_ros.errors import ControlItError
from controlit_ros.kernels.compile import told_of_compilation
from controlit_ros.nodes.building import build_stack
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.simulated_robot import simulated_robot
from controlit_ros.processes.idle_loop import IdleLoop, measure_idle_loop
from controlit_ros.processes.robot_process import RobotProcess
from controlit_ros.processes.servo_process import ServoProcess
from controlit_ros.recording.paper_figures import PaperFigures
from controlit_ros.recording.report import rich_table, write_report
from controlit_ros.recording.run_record import RunRecord
from controlit_ros.recording.run_statistics import RunStatistics, run_statistics
from controlit_ros.regular_file import write_text
from controlit_ros.robots.mujoco import MuJoCo
from controlit_ros.robots.remote_robot import RemoteRobot
from controlit_ros.robots.topic import ROBOT_COMMAND, ROBOT_STATE, Topic
from controlit_ros.servo import ServoClock
from controlit_ros.servo.steady_clock import SteadyClock
from controlit_ros.transport import Transport, open_transport

IDLE_TIME = 2.0  # [s] of a servo without work, which shows what the machine gives
LONGEST = 600.0  # [s] of a run
CHILD_MARGIN = 60.0  # [s] more than run and start together, after which the servo ends by itself
SLACK = 2.0  # [-] how much longer than expected a program that decides as it goes may take
ADVICE = "run again with nothing beside it, or with --fast (simulated time)"

_Child = TypeVar("_Child", ServoProcess, RobotProcess)


class DemoOutcome(NamedTuple):
    """How a run ended.

    Attributes:
        seed: Of the run.
        code: Exit code.
        statistics: Figures.
    """

    seed: int
    code: int
    statistics: RunStatistics


class _Play(NamedTuple):
    """What is known of a run before it is known who takes part.

    Attributes:
        seed: Of the run.
        folder: Of its report.
        settings: Values that replace those of the configuration file, by key.
        status: Where it is shown how it goes.
        exits: Ends what was started.
    """

    seed: int
    folder: Path
    settings: Mapping[str, Any]
    status: DemoStatus
    exits: ExitStack


class Demo(Demonstration):
    """Runs a servo, steers it by a program, and reports how well it did.

    A demonstration names its configuration and the tasks whose errors count, and makes a
    `Program` of `controlit_ros.client`; servo, simulator, recording, display and report come with
    this class. There are two ways to run: servo and simulator in processes of their own in real
    time, or everything in this process in simulated time.

    Args:
        options: What the user wants.
        console: Where to write.

    Attributes:
        labels: How the tasks whose errors count are shown, by task name.
        bounds: What their mean errors must not exceed, in cm or degrees.
        published: What the paper measured of the same run, `None` if it did not.
    """

    labels: ClassVar[Mapping[str, str]]
    bounds: ClassVar[Mapping[str, float]] = {}
    published: ClassVar[PaperFigures | None] = None

    @abstractmethod
    def program(self, stack: ControllerStack, seed: int) -> Program:
        """Return what shall be done.

        Raises:
            ControlItError: The configuration does not fit the demonstration.
        """

    def settings(self, seed: int, folder: Path) -> dict[str, Any]:  # noqa: ARG002 - most have none
        """Return values that replace those of the configuration file, by key.

        Args:
            seed: Of the run.
            folder: Of its report, for files that the values name.
        """
        return {}

    def evaluator(self, stack: ControllerStack, seed: int) -> Evaluator:  # noqa: ARG002 - most have none
        """Return who judges the outcome."""
        return BlindEvaluator()

    def judge(self, record: RunRecord) -> Evaluation:  # noqa: ARG002 - for those with criteria
        """Judge a run by what the controller published, beside its errors and the evaluator."""
        return Evaluation({}, ())

    def illustrate(self, program: Program, course: DemoCourse, folder: Path) -> list[str]:  # noqa: ARG002 - most have none
        """Write pictures of the demonstration's own; return their file names."""
        return []

    def show(self) -> int:
        """Run it as often as the user wants (see `Demonstration.show`)."""
        options = self.options
        if options.duration is not None and not options.duration > 0.0:
            raise DemoError(f"found duration {options.duration:g} s, expected more than 0")
        if options.simulated_time and options.interface not in (None, MuJoCo.__name__):
            raise DemoError(
                f"found the robot interface {options.interface!r}, expected {MuJoCo.__name__!r}: "
                "simulated time (--fast) does not leave the process"
            )
        if options.runs == 1:
            return self._run(options.seed, self.folder).code
        outcomes = []
        for seed in range(options.seed, options.seed + options.runs):
            outcome = self._run(seed, self.folder / f"seed-{seed}")
            outcomes.append(outcome)
            if outcome.code == INTERRUPTED:
                break
        return self._tell_all(outcomes)

    def _run(self, seed: int, folder: Path) -> DemoOutcome:
        folder.mkdir(parents=True, exist_ok=True)
        simulated = self.options.simulated_time
        settings = self.settings(seed, folder) | _joined_by(self.options.interface)
        if not self.options.quiet:
            self.console.print(f"loading {self.configuration}", highlight=False, soft_wrap=True)
        with told_of_compilation(self.console.print), ExitStack() as exits:
            status = demo_status(self.console, quiet=self.options.quiet)
            exits.enter_context(status)
            play = _Play(seed, folder, settings, status, exits)
            run = self._simulated(play) if simulated else self._process(play)
            interrupted = run.go()
        if run.course.origin is None:
            raise KeyboardInterrupt
        idle = None
        if not simulated and not interrupted:
            try:
                idle = _idle_loop(run.parts.stack.clock)
            except KeyboardInterrupt:  # the run is over, and reported all the same
                interrupted = True
        return self._report(run, seed, folder, interrupted=interrupted, idle=idle)

    def _process(self, play: _Play) -> DemoRun:
        if self.options.transport == "local":
            raise DemoError(
                "found transport 'local', expected one that joins processes, such as 'dds', or "
                "simulated time (--fast), for which servo and client share one"
            )
        configuration = load_configuration(self.configuration, play.settings)
        is_real_time = configuration.parameters.realtime_priority > 0
        play.exits.enter_context(precedence(wanted=is_real_time))
        servo = self._child(ServoProcess, play)
        robot = None
        if self.options.interface is None:
            play.exits.enter_context(servo)  # it starts while the rest is put together here
            stack = build_stack(configuration)
        else:
            stack = build_stack(configuration)
            robot = self._robot(stack, play)
            play.exits.enter_context(servo)
        program = self.program(stack, play.seed)
        if self._duration(program) > LONGEST:
            raise DemoError(
                f"found a program that may take {self._duration(program):g} s, expected at most "
                f"{LONGEST:g} s, or a shorter --duration"
            )
        namespace = f"/{stack.configuration.name}"
        node = open_transport(f"{self.name}_demo", namespace, name=self.options.transport)
        play.exits.enter_context(node)
        return ProcessRun(self._parts(play, stack, program, node), servo, robot)

    def _robot(self, stack: ControllerStack, play: _Play) -> RobotProcess | None:
        """Return the simulated robot, started, unless the servo starts one itself."""
        simulated_robot(stack)  # or it is refused
        if not isinstance(stack.robot_interface, RemoteRobot):
            return None
        robot = self._child(RobotProcess, play)
        play.exits.enter_context(robot)
        return robot

    def _child(self, process: Callable[..., _Child], play: _Play) -> _Child:
        """Return a process that takes part, not started; it ends by itself after any run."""
        return process(
            self.configuration,
            play.folder,
            duration=min(self.options.duration or LONGEST, LONGEST) + START_TIMEOUT + CHILD_MARGIN,
            transport=self.options.transport,
            settings=play.settings,
        )

    def _simulated(self, play: _Play) -> DemoRun:
        controller = self.simulated(self.configuration, play.settings)
        stack = controller.stack
        if self.options.transport not in (None, "local"):
            raise DemoError(
                f"found transport {self.options.transport!r}, expected 'local': simulated time "
                "does not leave the process"
            )
        program = self.program(stack, play.seed)
        return SimulatedRun(self._parts(play, stack, program, controller.transport), controller)

    def _parts(
        self, play: _Play, stack: ControllerStack, program: Program, node: Transport
    ) -> RunParts:
        places = {name: actual_place(stack, name) for name in self.labels}
        if self.options.simulated_time:
            recorder = Recorder(stack, places, node, lambda: stack.clock.now)
        else:
            recorder = Recorder(stack, places, node)
        evaluator = self.evaluator(stack, play.seed)
        play.exits.callback(evaluator.close)
        return RunParts(
            stack=stack,
            program=program,
            transport=node,
            recorder=recorder,
            evaluator=evaluator,
            status=play.status,
            labels=self.labels,
            duration=self._duration(program),
        )

    def _duration(self, program: Program) -> float:
        return min(self.options.duration or math.inf, SLACK * program.duration)

    def _report(
        self, run: DemoRun, seed: int, folder: Path, *, interrupted: bool, idle: IdleLoop | None
    ) -> DemoOutcome:
        record = run.record(self.name, self._created, self.bounds, self.published)
        verdict = self.judge(record)
        record = replace(
            record,
            findings={**record.findings, **verdict.findings},
            problems=(*record.problems, *verdict.problems),
            unreachable=verdict.unreachable,
            idle_frequency=None if idle is None else idle.summary.frequency,
        )
        statistics = run_statistics(record)
        self.console.print(rich_table(statistics, self.title))
        pictures = self.illustrate(run.parts.program, run.course, folder)
        missing = write_report(record, statistics, folder, pictures)
        if missing is not None:
            self.console.print(missing)
        self.console.print(f"report: {folder / 'report.md'}", highlight=False)
        for problem in statistics.problems:
            self.console.print(f"[red]failed:[/red] {escape(problem)}", highlight=False)
        word = "INTERRUPTED" if interrupted else _last_word(statistics)
        self.console.print(word, highlight=False, soft_wrap=True)
        code = FAILURE if statistics.problems else SUCCESS
        return DemoOutcome(seed, INTERRUPTED if interrupted else code, statistics)

    def _tell_all(self, outcomes: list[DemoOutcome]) -> int:
        """Show and keep what several runs came to; return the exit code of all."""
        table = Table(title=f"{self.title}: {len(outcomes)} runs", title_justify="left")
        for heading in ("seed", "result", *(f"{name}" for name in self.labels)):
            table.add_column(heading, justify="right")
        content = []
        for seed, code, statistics in outcomes:
            errors = [
                f"{figures.mean:.2f} {figures.unit}"
                for name in self.labels
                if (figures := statistics.errors.get(name)) is not None
            ]
            table.add_row(str(seed), "success" if code == SUCCESS else "failure", *errors)
            content.append(
                {
                    "seed": seed,
                    "success": code == SUCCESS,
                    "problems": statistics.problems,
                    "findings": dict(statistics.findings),
                    "errors": {name: e.mean for name, e in statistics.errors.items()},
                }
            )
        self.console.print(table)
        successes = sum(outcome.code == SUCCESS for outcome in outcomes)
        self.console.print(f"{successes} of {self.options.runs} runs succeeded", highlight=False)
        path = self.folder / "runs.json"
        write_text(path, json.dumps(content, indent=2) + "\n")
        if any(outcome.code == INTERRUPTED for outcome in outcomes):
            return INTERRUPTED
        return SUCCESS if successes == self.options.runs else FAILURE


def _idle_loop(clock: ServoClock) -> IdleLoop | None:
    """Return what the machine gives to a clock without work; `None`: nobody knows."""
    if not isinstance(clock, SteadyClock):
        return None
    with suppress(ControlItError):
        return measure_idle_loop(IDLE_TIME, clock.frequency, clock.real_time)
    return None


def _last_word(statistics: RunStatistics) -> str:
    """Return the verdict, and what to do about a machine that was busy."""
    if not statistics.excuse:
        return statistics.verdict
    return f"{statistics.verdict} — {statistics.excuse}; {ADVICE}"


def _joined_by(interface: str | None) -> dict[str, Any]:
    """Return the settings of a robot interface that fit any robot, moving base or not."""
    if interface is None:
        return {}
    settings = {"robot_interface_type": interface}
    if interface == Topic.__name__:
        settings["robot_interface.state_type"] = ROBOT_STATE
        settings["robot_interface.command_type"] = ROBOT_COMMAND
    return settings
