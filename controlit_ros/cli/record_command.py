"""Record all topics of a controller into a bag of ROS 2 (MCAP) until Ctrl-C."""

import time
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from controlit_ros.cli import output
from controlit_ros.cli.interruption import POLL, StopRequest
from controlit_ros.cli.options import DurationOption, TransportOption
from controlit_ros.client.network import NotFoundError, connect, domain, settled_graph
from controlit_ros.errors import did_you_mean
from controlit_ros.recording.bag_recorder import BagRecorder
from controlit_ros.transport import Graph, Transport

MARK = "/diagnostics/jointState"
"""Topic by which a controller is known."""

LOOK = 1.0  # [s] between two looks for new topics
PATIENCE = 10.0  # [s] for a controller to appear


def command(
    controller: Annotated[
        str | None,
        typer.Argument(metavar="CONTROLLER", help="Which one.", show_default=False),
    ] = None,
    *,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FOLDER",
            help="Of the bag. [default: bags/CONTROLLER-TIME]",
            show_default=False,
        ),
    ] = None,
    duration: DurationOption = None,
    transport: TransportOption = None,
) -> None:
    """Record all topics of a controller into a bag of ROS 2 (MCAP) until Ctrl-C."""
    with StopRequest() as stop, connect(transport) as network:
        name = _find(network, controller)
        now = datetime.now().astimezone()
        target = folder or Path("bags") / f"{name}-{now:%Y%m%d-%H%M%S}"
        with BagRecorder(target, network) as recorder:
            stop.defer()
            _wait(network, recorder, name, stop, duration)
        _tell(recorder, network.health().lost)


def _find(network: Transport, wanted: str | None) -> str:
    begin = time.monotonic()
    while True:
        found = _controllers(settled_graph(network))
        if wanted in found:
            return str(wanted)
        if wanted is None and len(found) == 1:
            return found[0]
        if wanted is None and len(found) > 1:
            raise NotFoundError(f"found the controllers {', '.join(found)}; name one")
        if time.monotonic() - begin > PATIENCE:
            if wanted is None or not found:
                raise NotFoundError(f"there is no controller: does one run in {domain()}?")
            raise NotFoundError(f"there is no controller {wanted!r}{did_you_mean(wanted, found)}")


def _controllers(graph: Graph) -> list[str]:
    return [
        info.name.removesuffix(MARK).removeprefix("/")
        for info in graph.topics
        if info.name.endswith(MARK) and info.publisher_count
    ]


def _wait(
    network: Transport,
    recorder: BagRecorder,
    name: str,
    stop: StopRequest,
    duration: float | None,
) -> None:
    begin = time.monotonic()
    next_look = begin
    while not stop.is_set:
        now = time.monotonic()
        if duration is not None and now - begin >= duration:
            return
        if now >= next_look:
            next_look = now + LOOK
            recorder.add_all(network.graph(), f"/{name}")
            recorder.check()
        time.sleep(POLL)


def _tell(recorder: BagRecorder, lost: int) -> None:
    total = sum(recorder.written.values())
    heard = sum(count > 0 for count in recorder.written.values())
    output.rendered(
        f"{total} messages of {heard} topics in {recorder.folder}, {recorder.dropped} dropped, "
        f"{lost} lost on the way"
    )
    for topic, reason in recorder.unknown.items():
        output.rendered(f"not recorded: {topic} {reason}")
