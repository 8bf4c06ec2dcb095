"""Measure how fast the controller is on this machine."""

import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Annotated

import typer

from controlit_bench.agreement import measure_agreement
from controlit_bench.changes import measure_changes
from controlit_bench.gate import gate_section, measure_gate
from controlit_bench.jitter import measure_jitter
from controlit_bench.lateness import measure_lateness
from controlit_bench.machine import describe_machine
from controlit_bench.message_latency import measure_latency
from controlit_bench.page import render_page
from controlit_bench.parts import measure_parts
from controlit_bench.peers import install_peers, measure_peers, peers_folder
from controlit_bench.programs import measure_programs
from controlit_bench.rows import measure_rows
from controlit_bench.scaling import measure_scaling
from controlit_bench.section import Section
from controlit_bench.solvers import measure_solvers
from controlit_bench.standing import measure_standing
from controlit_bench.start import measure_start
from controlit_bench.timing import processors
from controlit_bench.transports import measure_transports
from controlit_bench.walking import measure_walking
from controlit_ros.cli import output
from controlit_ros.cli.options import JsonOption
from controlit_ros.errors import did_you_mean
from controlit_ros.processes.idle_loop import FREQUENCY
from controlit_ros.regular_file import check_writable, write_text

NAMES = (
    "rows",
    "parts",
    "scaling",
    "changes",
    "solvers",
    "programs",
    "agreement",
    "lateness",
    "jitter",
    "transports",
    "latency",
    "start",
    "peers",
    "standing",
    "walking",
    "gate",
)
FULL_DURATION = 60.0  # [s] of `lateness` and `jitter`
QUICK_DURATION = 2.0  # [s]


def command(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME", help=f"Of {', '.join(NAMES)}. [default: all]", show_default=False
        ),
    ] = None,
    *,
    as_json: JsonOption = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page.", show_default=False)
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Seconds, to see that it works.")] = False,
    duration: Annotated[
        float | None,
        typer.Option(
            min=0.1, metavar="S", help="Of `lateness` and `jitter` [s].", show_default=False
        ),
    ] = None,
    core: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="N", help="Pin the servo of `rows` and `lateness`.", show_default=False
        ),
    ] = None,
    frequency: Annotated[
        float,
        typer.Option(min=10.0, max=10_000.0, metavar="HZ", help="Of the servo of `lateness` [Hz]."),
    ] = FREQUENCY,
    peers: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Environments of the peers. [default: CONTROLIT_PEERS, or the user's cache]",
            show_default=False,
        ),
    ] = None,
    install: Annotated[
        bool, typer.Option("--install-peers", help="Install the peers there, with pip.")
    ] = False,
) -> None:
    """Measure how fast the controller is on this machine."""
    _check(names or (), core)
    if html is not None:
        check_writable(html)  # before minutes of measurements
    if install:
        install_peers(peers_folder(peers))
    length = duration or (QUICK_DURATION if quick else FULL_DURATION)
    works: dict[str, Callable[[], Section]] = {
        "rows": lambda: measure_rows(quick=quick, core=core),
        "parts": lambda: measure_parts(quick=quick),
        "scaling": lambda: measure_scaling(quick=quick),
        "changes": lambda: measure_changes(quick=quick),
        "solvers": lambda: measure_solvers(quick=quick),
        "programs": lambda: measure_programs(quick=quick),
        "agreement": lambda: measure_agreement(quick=quick),
        "lateness": lambda: measure_lateness(duration=length, core=core, frequency=frequency),
        "jitter": lambda: measure_jitter(duration=length),
        "transports": lambda: measure_transports(quick=quick),
        "latency": lambda: measure_latency(quick=quick),
        "start": lambda: measure_start(quick=quick),
        "peers": lambda: measure_peers(quick=quick, folder=peers),
        "standing": lambda: measure_standing(quick=quick, folder=peers),
        "walking": lambda: measure_walking(quick=quick),
        "gate": lambda: gate_section(measure_gate(5) if quick else measure_gate()),
    }
    machine = describe_machine()
    sections = []
    for name in names or NAMES:
        if sys.stderr.isatty():
            output.note(f"{name} ...")
        sections.append(works[name]())
    if html is not None:
        write_text(html, render_page(machine, sections))
    if as_json:
        value = {section.name: section.as_dict() for section in sections}
        output.json_value({"machine": machine._asdict(), "benchmarks": value})
        return
    output.rendered(str(machine))
    for section in sections:
        table = output.table(section.columns, section.cells(), section.title)
        output.rendered("", table, *section.remarks)


def _check(names: Collection[str], core: int | None) -> None:
    """Say which benchmark or processor there is not."""
    for name in names:
        if name not in NAMES:
            raise typer.BadParameter(f"unknown benchmark {name!r}{did_you_mean(name, NAMES)}")
    known = processors()
    if core is not None and known and core not in known:
        raise typer.BadParameter(f"found processor {core}, expected one of {sorted(known)}")
