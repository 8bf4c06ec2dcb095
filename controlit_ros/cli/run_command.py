"""`controlit run`: run a controller until Ctrl-C."""

import json
import logging
import os
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from controlit_ros.cli import output
from controlit_ros.cli.interruption import StopRequest
from controlit_ros.cli.options import FileArgument, SetOption, TransportOption, overrides
from controlit_ros.cli.run_log import RunLog
from controlit_ros.cli.servo_watch import ServoWatch
from controlit_ros.cli.status_line import StatusLine
from controlit_ros.errors import ControlItError
from controlit_ros.introspection.lifecycle_graph import ACTIVE, INACTIVE, UNCONFIGURED
from controlit_ros.nodes.arrangement_choice import arrangement_of
from controlit_ros.nodes.controller_stack import load_stack
from controlit_ros.nodes.posture_trajectories import posture_task
from controlit_ros.nodes.servo_node import NODE_NAME, RESULTS_NODE_NAME, ServoNode
from controlit_ros.servo import PHASES, LatencySummary
from controlit_ros.servo.simulated_clock import SimulatedClock
from controlit_ros.transport import (
    VARIABLE,
    DeferredTransport,
    choose_transport,
    open_transport,
)

STATUS_PERIOD = 0.25  # [s] of the status line: quick enough to read, slow enough to cost nothing
LOG_PERIOD = 10.0  # [s] between two lines of status in a log
POLL = 0.02  # [s] how soon a signal is obeyed
SIMULATED_BATCH = 10  # [cycles] between two looks for a signal under a simulated clock


class StartState(str, Enum):
    """How far a controller goes before somebody asks it to go on."""

    UNCONFIGURED = "unconfigured"
    INACTIVE = "inactive"
    ACTIVE = "active"


START_STATES = {
    StartState.UNCONFIGURED: UNCONFIGURED,
    StartState.INACTIVE: INACTIVE,
    StartState.ACTIVE: ACTIVE,
}

_log = logging.getLogger("controlit.run")


def command(
    file: FileArgument,
    *,
    duration: Annotated[
        float | None,
        typer.Option(min=0.0, metavar="S", help="End after so long [s].", show_default=False),
    ] = None,
    settings: SetOption = None,
    summary: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the statistics as JSON.", show_default=False),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Neither status nor table.")] = False,
    lifecycle: Annotated[
        StartState,
        typer.Option(metavar="STATE", help="Go so far by itself: unconfigured, inactive, active."),
    ] = StartState.ACTIVE,
    transport: TransportOption = None,
) -> None:
    """Run a controller until Ctrl-C."""
    if transport is not None:
        os.environ[VARIABLE] = transport  # a simulator that this process starts talks the same way
    with StopRequest() as stop:
        _check_writable(summary)
        stack = load_stack(file, overrides(settings))
        configuration = stack.configuration
        status = StatusLine(sys.stdout)
        RunLog(configuration.parameters, status).install()
        for text in stack.warnings:
            _log.warning("%s:%s", configuration.source, text)
        namespace = f"/{configuration.name}"
        with ExitStack() as opened:
            network = opened.enter_context(DeferredTransport(NODE_NAME, namespace))
            results = None
            if posture_task(stack) is not None:
                results = opened.enter_context(DeferredTransport(RESULTS_NODE_NAME, namespace))
            arrangement = arrangement_of(stack, choose_transport(transport).name)
            node = ServoNode(stack, network, results, arrangement)
            watch = ServoWatch(node, is_sampling=status.is_live and not quiet)
            node.part()
            try:
                for node_network in (network, results):
                    if node_network is not None:
                        name = node_network.node_name
                        node_network.open(open_transport(name, namespace, name=transport))
                node.start(START_STATES[lifecycle])
                _log.info("%s runs at %g Hz", configuration.name, stack.clock.frequency)
                stop.defer()
                _wait(node, watch, None if quiet else status, lambda: stop.is_set, duration)
            finally:
                stop.defer()
                status.clear()
                node.stop()
        _tell(node, summary, quiet=quiet)


def _tell(node: ServoNode, path: Path | None, *, quiet: bool) -> None:
    result = node.summary()
    if path is not None:
        _write(path, result)
    if not quiet:
        _print(result, node)


def _wait(
    node: ServoNode,
    watch: ServoWatch,
    status: StatusLine | None,
    is_stopping: Callable[[], bool],
    duration: float | None,
) -> None:
    clock = node.stack.clock
    watch.begin()
    begin = time.monotonic()
    next_status = begin + STATUS_PERIOD
    next_log = begin + LOG_PERIOD
    while not is_stopping():
        if isinstance(clock, SimulatedClock):
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
        now = time.monotonic()
        if status is not None and status.is_live and now >= next_status:
            next_status = now + STATUS_PERIOD
            status.draw(watch.text())
        elif status is not None and not status.is_live and now >= next_log:
            next_log = now + LOG_PERIOD
            _log.info(watch.text())


def _check_writable(path: Path | None) -> None:
    """Find out before a long run whether its statistics can be kept."""
    if path is None:
        return
    try:
        with path.open("a"):
            pass
    except OSError as error:
        raise ControlItError(f"{path} cannot be written: {error.strerror}") from None


def _write(path: Path, summary: LatencySummary) -> None:
    text = json.dumps(output.finite(summary._asdict()), indent=2, allow_nan=False)
    try:
        path.write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise ControlItError(f"{path} cannot be written: {error.strerror}") from None


def _print(summary: LatencySummary, node: ServoNode) -> None:
    mean, deviation, lowest, highest = summary.frequency
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
