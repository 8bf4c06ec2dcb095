"""ControllerRun: what `controlit run` does."""

import json
import logging
import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

from controlit_ros.cli import output
from controlit_ros.cli.companion import companion, via
from controlit_ros.cli.interruption import POLL, StopRequest
from controlit_ros.cli.ros_start import start_of
from controlit_ros.cli.rosout import Rosout
from controlit_ros.cli.run_log import RunLog
from controlit_ros.cli.run_samples import RunSamples
from controlit_ros.cli.servo_watch import ServoWatch
from controlit_ros.cli.start_progress import StartProgress
from controlit_ros.cli.status_lines import StatusLines
from controlit_ros.collections_of_garbage import look_as_usual
from controlit_ros.configuration import load_configuration
from controlit_ros.environment import variable_set
from controlit_ros.errors import ControlItError
from controlit_ros.introspection.lifecycle_graph import ACTIVE, INACTIVE, UNCONFIGURED
from controlit_ros.kernels.compile import told_of_compilation
from controlit_ros.nodes.assembly import assemble
from controlit_ros.nodes.building import build_stack
from controlit_ros.nodes.controller_stack import ControllerStack
from controlit_ros.nodes.library_pages import UnusedLibraries
from controlit_ros.nodes.name_claim import claim_name
from controlit_ros.nodes.process_layout_choice import process_layout_of
from controlit_ros.nodes.second_compiler import SecondCompiler
from controlit_ros.nodes.servo_node import NODE_NAME, ServoNode
from controlit_ros.nodes.simulated_time import in_simulated_time
from controlit_ros.regular_file import check_writable, write_text
from controlit_ros.ros_arguments import NO_ROSOUT, RosArguments
from controlit_ros.servo import PHASES, LatencySummary
from controlit_ros.transport import (
    VARIABLE,
    DeferredTransport,
    choose_transport,
    open_transport,
)
from controlit_ros.transport.qos_overrides import QosOverrides

STATUS_PERIOD = 0.25  # [s] of the display: quick enough to read, slow enough to cost nothing
LOG_PERIOD = 10.0  # [s] between two lines of status in a log
SIMULATED_BATCH = 10  # [cycles] between two looks for a signal under a simulated clock
FAST = "simulated time (--fast) does not leave the process"

GOALS = {"unconfigured": UNCONFIGURED, "inactive": INACTIVE, "active": ACTIVE}

_log = logging.getLogger("controlit.run")


class RunOptions(NamedTuple):
    """What a user asked for.

    Attributes:
        file: Of the controller.
        overrides: Of its values, by key.
        duration: After which to end [s], `None` for never.
        fast: Whether time passes as fast as it is computed.
        summary: File for the statistics.
        quiet: Whether to show neither status nor table.
        goal: How far to go by itself, a key of `GOALS`.
        console: Whether the operator's screen is shown beside it.
        transport: By name, `None` for the best there is.
        ros: What the command line has for ROS 2.
    """

    file: Path
    overrides: dict[str, Any]
    duration: float | None
    fast: bool
    summary: Path | None
    quiet: bool
    goal: str
    console: bool
    transport: str | None
    ros: RosArguments


class ControllerRun:
    """A controller from its file to its end.

    Args:
        options: What a user asked for.
        lines: At the bottom of the terminal.
        progress: Of the start.
        stop: Tells when to end.
    """

    def __init__(
        self,
        options: RunOptions,
        lines: StatusLines,
        progress: StartProgress,
        stop: StopRequest,
    ) -> None:
        self._options = options
        self._lines = lines
        self._progress = progress
        self._stop = stop
        self._rosout = Rosout()

    def go(self) -> None:
        """Run until somebody ends it.

        Raises:
            ControlItError: It cannot be started, or the servo ended by itself.
        """
        # a simulator that we start talks the same way
        with variable_set(VARIABLE, self._options.transport), closing(self._rosout):
            self._go()

    def _go(self) -> None:
        options = self._options
        if options.summary is not None:
            check_writable(options.summary)  # before a long run
        transport = choose_transport(options.transport).name
        stack, qos = self._loaded()
        self._progress.end()  # a fork finds no thread that holds a lock
        with SecondCompiler(stack) as second:
            self._progress.step("putting the node together")
            with told_of_compilation(_log.info):
                for text in stack.warnings:
                    _log.warning("%s:%s", stack.configuration.source, text)
                node = assemble(stack, process_layout_of(stack, transport), qos)
            for text in qos.unused:
                _log.warning(text)
            try:
                self._rosout.publish_by(node.transport)
                self._run(node, second)
            except KeyboardInterrupt:
                if not self._was_told_to_end(node):
                    _raise_failure(node)
                raise
            except ControlItError:
                if not self._was_told_to_end(node):
                    raise
        if self._was_told_to_end(node):
            return
        _raise_failure(node, options.summary)
        _tell(node, options.summary, quiet=options.quiet)

    def _loaded(self) -> tuple[ControllerStack, QosOverrides]:
        """Return what shall run and how it uses topics, and begin the log, which tells of it."""
        options = self._options
        start = start_of(options.file, NODE_NAME, options.overrides, options.ros)
        configuration = load_configuration(options.file, start.overrides)
        if options.fast:
            configuration = in_simulated_time(configuration, FAST)
        qos = QosOverrides(start.qos)
        stack = build_stack(configuration)
        RunLog(stack.configuration.parameters, self._lines, start.loggers).install()
        if not options.ros.has(NO_ROSOUT):
            self._rosout.install()
        _log.info(
            "loaded %s: %d joints, %d tasks, %d constraints",
            options.file,
            len(stack.robot.real_joints),
            len(stack.tasks.tasks),
            len(stack.constraints.constraints),
        )
        for text in start.warnings:
            _log.warning(text)
        return stack, qos

    def _was_told_to_end(self, node: ServoNode) -> bool:
        """Tell whether all processes were, as by a service manager; the summary is gone then."""
        return self._stop.is_set and node.layout.has_ended_in_order

    def _run(self, node: ServoNode, second: SecondCompiler) -> None:
        options, stop = self._options, self._stop
        network = node.transport
        assert isinstance(network, DeferredTransport)
        with network, ExitStack() as beside:
            is_shown = self._lines.is_live and not options.quiet
            samples = RunSamples(node) if is_shown else None
            watch = ServoWatch(node, samples)
            self._progress.end()  # a fork finds no thread that holds a lock
            try:
                stop.obey()  # nothing forks beside the thread that would send a signal again
                node.part()
                look_as_usual()
                self._progress.step("joining the transport")
                namespace = node.stack.configuration.name
                beside.enter_context(claim_name(NODE_NAME, namespace, options.transport))
                network.open(open_transport(NODE_NAME, namespace, name=options.transport))
                self._progress.step("starting the servo")
                node.start(GOALS[options.goal])
                second.end()
                self._progress.end()
                configuration = node.stack.configuration
                if options.console:
                    beside.enter_context(companion("console", [namespace, *via(options.transport)]))
                _log.info("%s runs at %g Hz", configuration.name, node.stack.clock.frequency)
                stop.defer()
                self._wait(node, watch)
            finally:
                stop.defer()
                self._lines.clear()
                node.stop()

    def _wait(self, node: ServoNode, watch: ServoWatch) -> None:
        """Wait until somebody ends it or its time is over, and tell of it meanwhile.

        Raises:
            ControlItError: The servo ended by itself.
        """
        clock, duration = node.stack.clock, self._options.duration
        libraries = UnusedLibraries(makes_cycles=not node.layout.is_shared)
        with libraries.noticed():
            watch.begin()
            begin = time.monotonic()
            telling = _Telling(watch, None if self._options.quiet else self._lines, begin)
            while not self._stop.is_set:
                libraries.look()
                if clock.is_stepped:
                    elapsed = node.lifecycle.advance(SIMULATED_BATCH)
                else:
                    time.sleep(POLL)
                    elapsed = time.monotonic() - begin
                if duration is not None and elapsed >= duration:
                    return
                if node.failure:
                    raise ControlItError(node.failure)
                if node.lifecycle.is_running:
                    watch.log_changes()
                else:
                    watch.begin()
                telling.tell()


class _Telling:
    """Tells the status of a servo now and then, on a terminal or in the log.

    Args:
        watch: Knows it.
        lines: Of the terminal; `None`: nothing is told.
        begin: Now, on the monotonic clock [s].
    """

    def __init__(self, watch: ServoWatch, lines: StatusLines | None, begin: float) -> None:
        self._watch = watch
        self._lines = lines
        self._next_status = begin + STATUS_PERIOD
        self._next_log = begin + LOG_PERIOD

    def tell(self) -> None:
        """Tell it if it is time to."""
        now, lines = time.monotonic(), self._lines
        if lines is not None and lines.is_live and now >= self._next_status:
            self._next_status = now + STATUS_PERIOD
            lines.draw(*self._watch.lines())
        elif lines is not None and not lines.is_live and now >= self._next_log:
            self._next_log = now + LOG_PERIOD
            _log.info(self._watch.text())


def _raise_failure(node: ServoNode, summary: Path | None = None) -> None:
    if node.failure:
        with suppress(ControlItError):  # what there is of it is not lost
            _tell(node, summary, quiet=True)
        raise ControlItError(node.failure)


def _tell(node: ServoNode, path: Path | None, *, quiet: bool) -> None:
    result = node.summary()
    if path is not None:
        _write(path, result)
    if not quiet:
        _print(result, node)


def _write(path: Path, summary: LatencySummary) -> None:
    text = json.dumps(output.finite(summary._asdict()), indent=2, allow_nan=False)
    write_text(path, f"{text}\n")


def _print(summary: LatencySummary, node: ServoNode) -> None:
    mean, deviation, lowest, highest = summary.frequency
    clock, rate = node.stack.clock, node.stack.servo.rate
    if lowest and not clock.is_stepped and clock.time_feed is None:
        shortfall = rate.shortfall(summary.rate, 1.0 / lowest, clock.frequency)
        if shortfall:
            output.warning(shortfall)
    rows = [
        (name.replace("_", " "), *(f"{1e6 * value:.0f}" for value in summary.phases[name]))
        for name in PHASES
    ]
    rows.append(("lateness", *(f"{1e6 * value:.0f}" for value in summary.lateness)))
    headings = ("phase", "p50 [µs]", "p99 [µs]", "p99.9 [µs]", "max [µs]")
    output.rendered(
        f"servo frequency {mean:.1f} ± {deviation:.1f} Hz, {lowest:.1f} to {highest:.1f} Hz",
        f"{summary.cycles} cycles, {summary.overruns} overruns, "
        f"{node.outbox.dropped + node.mailbox.dropped} messages dropped",
        "",
        output.table(headings, rows),
    )
