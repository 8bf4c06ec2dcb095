"""Watch the events of controllers, let them fire or not."""

import time
from datetime import datetime
from typing import Annotated

import typer

from controlit_ros.cli import output
from controlit_ros.cli.controller_services import ControllerOption, call
from controlit_ros.cli.entry_text import EntryArgument, add_entry
from controlit_ros.cli.interruption import interruptible
from controlit_ros.cli.message_stream import MessageStream
from controlit_ros.cli.options import CountOption, JsonLinesOption, TimeoutOption, TransportOption
from controlit_ros.cli.waiting import settled_graph
from controlit_ros.client.network import (
    PATIENCE,
    NotFoundError,
    connect,
    domain,
    find_topic,
)
from controlit_ros.transport import EVENTS, Transport

TOPIC = "events"
STRING = "std_msgs/msg/String"

app = typer.Typer()

EventArgument = Annotated[str, typer.Argument(metavar="EVENT", help="Name of the event.")]


@app.callback()
def group() -> None:
    """Watch, add and remove the events of controllers, let them fire or not."""


@app.command()
def echo(
    controller: Annotated[
        str | None,
        typer.Argument(metavar="CONTROLLER", help="Name of a controller; all when left out."),
    ] = None,
    *,
    count: CountOption = None,
    timeout: TimeoutOption = None,
    as_json: JsonLinesOption = False,
    transport: TransportOption = None,
) -> None:
    """Print events as they come, with the time."""
    with interruptible(), connect(transport) as network:
        topics = _topics(network, controller)
        stream = MessageStream(network)
        for topic in topics:
            stream.subscribe(topic, STRING, EVENTS)
        output.note(f"listening to {', '.join(topics)}")
        for arrival in stream.messages(count, timeout):
            name = arrival.topic.removesuffix(f"/{TOPIC}").strip("/")
            event = str(arrival.message.data)
            if as_json:
                output.json_value(
                    {"time": arrival.time, "controller": name, "event": event}, is_line=True
                )
            else:
                stamp = datetime.fromtimestamp(arrival.time).astimezone()
                output.text(f"{stamp:%H:%M:%S}.{stamp.microsecond // 1000:03d} {name} {event}")


@app.command()
def add(
    file: EntryArgument,
    *,
    controller: ControllerOption = None,
    transport: TransportOption = None,
) -> None:
    """Add an event to the running controller."""
    answer = add_entry("control/addEvent", file, controller, transport)
    output.text(f"{answer.event} is added")


@app.command()
def remove(
    event: EventArgument,
    *,
    controller: ControllerOption = None,
    transport: TransportOption = None,
) -> None:
    """Remove an event from the running controller."""
    call("control/removeEvent", controller, transport, event=event)
    output.text(f"{event} is removed")


@app.command()
def enable(
    event: EventArgument,
    *,
    controller: ControllerOption = None,
    transport: TransportOption = None,
) -> None:
    """Let an event fire; if its condition holds already, it fires now."""
    _set(event, controller, transport, enabled=True)


@app.command()
def disable(
    event: EventArgument,
    *,
    controller: ControllerOption = None,
    transport: TransportOption = None,
) -> None:
    """Keep an event from firing."""
    _set(event, controller, transport, enabled=False)


def _set(event: str, controller: str | None, transport: str | None, *, enabled: bool) -> None:
    call("control/setEventEnabled", controller, transport, event=event, enabled=enabled)
    output.text(f"{event} is {'enabled' if enabled else 'disabled'}")


def _topics(network: Transport, controller: str | None) -> list[str]:
    if controller is not None:
        return [find_topic(network, f"/{controller.strip('/')}/{TOPIC}").name]
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = [
            topic.name
            for topic in settled_graph(network).topics
            if topic.name.endswith(f"/{TOPIC}") and topic.publisher_count and STRING in topic.types
        ]
        if found:
            return found
    raise NotFoundError(f"no controller publishes events in {domain()}")
