"""List, print, publish and measure topics."""

import time
from dataclasses import replace
from itertools import pairwise
from statistics import fmean, pstdev
from typing import Annotated

import typer

from controlit_ros.cli import output
from controlit_ros.cli.arrival_times import ArrivalTimes
from controlit_ros.cli.graph_list import TypesOption, show_list, with_types
from controlit_ros.cli.interruption import interruptible
from controlit_ros.cli.message_stream import LOOK, MessageStream, SilenceError
from controlit_ros.cli.message_values import message_of
from controlit_ros.cli.options import (
    NUMBERS,
    CountOption,
    JsonLinesOption,
    JsonOption,
    TimeoutOption,
    TransportOption,
    TypeArgument,
)
from controlit_ros.cli.plain_values import read_value, write_flow, write_value
from controlit_ros.cli.waiting import settled_graph, waiting
from controlit_ros.client.network import (
    FIRST_LOOK,
    PATIENCE,
    connect,
    find_topic,
    full_type,
    single_type,
    wait_for,
)
from controlit_ros.errors import ControlItError
from controlit_ros.interfaces import to_dict, type_book
from controlit_ros.transport import (
    DEFAULT,
    LATCHED,
    Durability,
    Publisher,
    Qos,
    TopicInfo,
    Transport,
)

SLOW_RATE = 1.0  # [Hz] of repeated messages unless told otherwise, as ROS 2 has it
MATCHING = 0.1  # [s] after which a subscriber that was matched knows us, too
LINGER = 0.1  # [s] for a message that must be sent again
REPORT_PERIOD = 1.0  # [s] between two lines of `hz`
DEPTH = 1000  # [messages] a terminal may be slow for a second
WINDOW = 10_000  # [messages] that `hz` averages over


app = typer.Typer()

TopicArgument = Annotated[
    str, typer.Argument(metavar="TOPIC", help="Name, or its end where that is unique.")
]


@app.command("list")
def list_topics(
    *,
    types: TypesOption = False,
    as_json: JsonOption = False,
    transport: TransportOption = None,
) -> None:
    """List topics."""
    with connect(transport) as network:
        topics = settled_graph(network).topics
    topics = tuple(topic for topic in topics if not topic.name.startswith("/_"))
    rows = [
        {
            "name": topic.name,
            "types": topic.types,
            "publishers": topic.publisher_count,
            "subscriptions": topic.subscription_count,
        }
        for topic in topics
    ]
    lines = (with_types(topic.name, topic.types, shown=types) for topic in topics)
    show_list("topics", rows, lines, as_json=as_json)


@app.command()
def echo(
    topic: TopicArgument,
    type_name: TypeArgument = None,
    *,
    count: CountOption = None,
    timeout: TimeoutOption = None,
    latched: Annotated[
        bool,
        typer.Option("--latched", help="Hear only publishers that keep their last message."),
    ] = False,
    as_json: JsonLinesOption = False,
    transport: TransportOption = None,
) -> None:
    """Print the messages of a topic."""
    type_name = _full_type(type_name)
    with interruptible(), connect(transport) as network:
        name, type_name = _topic_and_type(network, topic, type_name, timeout)
        qos = _quality(network, name)
        stream = MessageStream(network)
        stream.subscribe(name, type_name, replace(LATCHED, depth=qos.depth) if latched else qos)
        try:
            for arrival in stream.messages(count, timeout):
                values = to_dict(arrival.message)
                if as_json:
                    output.json_value(values, is_line=True)
                else:
                    output.text(f"{write_value(values)}\n---")
        except SilenceError as error:
            raise SilenceError(f"{name}: {error}") from None


@app.command(context_settings=NUMBERS)
def pub(
    topic: TopicArgument,
    type_or_values: Annotated[
        str,
        typer.Argument(
            metavar="TYPE|VALUES", help="Type of the message, found out when left out; or VALUES."
        ),
    ],
    values: Annotated[
        str | None,
        typer.Argument(
            metavar="VALUES",
            help="YAML: {x: 1, y: 0, z: 0}, or [1, 0, 0] for types of a few numbers, or what the "
            "field data shall hold.",
        ),
    ] = None,
    *,
    rate: Annotated[
        float | None,
        typer.Option(min=0.001, max=10_000, metavar="HZ", help="Repeat at this rate [Hz]."),
    ] = None,
    count: CountOption = None,
    once: Annotated[
        bool, typer.Option("--once", help="Send one message; the default without rate and count.")
    ] = False,
    wait: Annotated[
        float, typer.Option(min=0.0, metavar="S", help="Wait so long for a subscriber [s].")
    ] = PATIENCE,
    latched: Annotated[
        bool, typer.Option("--latched", help="Keep the last message for those who come late.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not tell what is sent.")] = False,
    transport: TransportOption = None,
) -> None:
    """Publish a value on a topic."""
    if once and (count is not None or rate is not None):
        raise typer.BadParameter("excludes --rate and --count", param_hint="--once")
    type_name, text = _split(type_or_values, values)
    type_name = _full_type(type_name)
    value = read_value(text, "VALUES")
    if rate is None and count is None:
        count = 1
    with interruptible(), connect(transport) as network:
        name, type_name = _topic_and_type(network, topic, type_name, wait or None)
        message = message_of(type_name, value)
        publisher = network.publisher(name, type_name, LATCHED if latched else DEFAULT)
        if wait_for(lambda: publisher.subscriber_count() > 0, wait):
            time.sleep(MATCHING)
        elif count == 1 and wait and not latched:
            raise ControlItError(
                f"nobody subscribed to {name} within {wait:g} s: nothing was sent "
                "(--wait 0 sends all the same)"
            )
        elif wait:
            output.warning(f"nobody subscribed to {name} within {wait:g} s")
        plain = write_flow(to_dict(message))
        if count is None and not quiet:
            output.note(f"publishing on {name} until Ctrl-C")
        sent = 0
        start = time.monotonic()
        while count is None or sent < count:
            _sleep_until(start + sent / (rate or SLOW_RATE))
            publisher.publish(message)
            sent += 1
            if not quiet:
                output.text(f"sent to {_listeners(publisher)} of {name} [{type_name}]: {plain}")
        time.sleep(LINGER)


@app.command()
def hz(
    topic: TopicArgument,
    type_name: TypeArgument = None,
    *,
    window: Annotated[
        int, typer.Option("--window", "-w", min=2, metavar="N", help="Average over so many.")
    ] = WINDOW,
    count: Annotated[
        int | None,
        typer.Option(min=1, metavar="N", help="End after so many lines.", show_default=False),
    ] = None,
    timeout: TimeoutOption = None,
    as_json: JsonLinesOption = False,
    transport: TransportOption = None,
) -> None:
    """Measure how often messages come on a topic."""
    type_name = _full_type(type_name)
    with interruptible(), connect(transport) as network:
        name, type_name = _topic_and_type(network, topic, type_name, timeout)
        news = replace(_quality(network, name), durability=Durability.VOLATILE)
        times = ArrivalTimes(window)
        times.subscribe(network, name, type_name, news)
        printed = 0
        begin = time.monotonic()
        due = begin + REPORT_PERIOD
        while count is None or printed < count:
            _sleep_until(min(due, time.monotonic() + LOOK))
            if output.reader_is_gone():
                raise output.ReaderGoneError
            now, last = time.monotonic(), times.last
            if timeout is not None and now - (begin if last is None else last) > timeout:
                raise SilenceError(f"{name}: no message came within {timeout:g} s")
            if now >= due:
                due = max(due + REPORT_PERIOD, now)
                instants = times.instants
                if len(instants) > 1:
                    _report(instants, as_json=as_json)
                    printed += 1


def _report(instants: list[float], *, as_json: bool) -> None:
    periods = [later - earlier for earlier, later in pairwise(instants)]
    mean = fmean(periods)
    rate = 1.0 / mean if mean > 0.0 else 0.0
    if as_json:
        output.json_value(
            {
                "rate": rate,
                "shortest": min(periods),
                "longest": max(periods),
                "std": pstdev(periods),
                "window": len(instants),
            },
            is_line=True,
        )
        return
    output.text(
        f"{rate:.3f} Hz, period {1e3 * mean:.3f} ± {1e3 * pstdev(periods):.3f} ms, "
        f"{1e3 * min(periods):.3f} to {1e3 * max(periods):.3f} ms, {len(instants)} messages"
    )


def _topic_and_type(
    network: Transport, topic: str, type_name: str | None, patience: float | None
) -> tuple[str, str]:
    """Return the absolute name and the type; a topic whose type is given need not exist yet."""
    if type_name is not None and topic.startswith("/"):
        return topic, type_name
    with waiting(f"looking for {topic}"):
        info = find_topic(network, topic, patience)
    type_name = type_name or single_type(info)
    return info.name, type_book().definition(type_name).name


def _full_type(type_name: str | None) -> str | None:
    return None if type_name is None else full_type(type_name, "msg")


def _split(type_or_values: str, values: str | None) -> tuple[str | None, str]:
    """Tell apart `TYPE VALUES`, `TYPE` alone and `VALUES` alone."""
    if values is not None:
        return type_or_values, values
    if type_or_values in type_book().message_types:
        return type_or_values, ""
    return None, type_or_values


def _listeners(publisher: Publisher) -> str:
    count = publisher.subscriber_count()
    return f"{count} subscriber" if count == 1 else f"{count} subscribers"


def _quality(network: Transport, name: str) -> Qos:
    """Return the best quality that all publishers offer; without any, what hears everybody."""

    def published() -> TopicInfo | None:
        info = network.graph().topic(name)
        return info if info is not None and info.publisher_count else None

    wait_for(lambda: published() is not None, FIRST_LOOK)
    info = published()
    return Qos(reliable=False, depth=DEPTH) if info is None else info.offered(DEPTH)


def _sleep_until(instant: float) -> None:
    remaining = instant - time.monotonic()
    if remaining > 0.0:
        time.sleep(remaining)
