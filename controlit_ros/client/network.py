"""Joining the network as a command, and finding what users name."""

import os
import time
from collections.abc import Callable, Iterable
from typing import TypeVar

from controlit_ros.awake_time import AwakeTime
from controlit_ros.errors import ControlItError, did_you_mean
from controlit_ros.interfaces import type_book
from controlit_ros.transport import (
    Client,
    Graph,
    ServiceInfo,
    TopicInfo,
    Transport,
    open_transport,
)

HIDDEN = "_"
"""First letter of the names of nodes that are tools, by a convention of ROS 2."""

PATIENCE = 5.0  # [s] to look for what was named while nothing is known
LITTLE_PATIENCE = 2.0  # [s] to look for it while all that others have is known
FIRST_LOOK = 0.4  # [s] nodes of one machine are known after about 0.2 s
QUIET = 0.3  # [s] without a change after which a graph without gaps is taken for complete
LONELY_LOOK = 1.5  # [s] while nobody else is known: a busy machine takes a second to tell
LONGEST_LOOK = 5.0  # [s] for a graph that does not come to rest
POLL = 0.02  # [s]

_T = TypeVar("_T", TopicInfo, ServiceInfo)


class NotFoundError(ControlItError):
    """What the user named is not there, or the name is not unique."""


class AmbiguousNameError(NotFoundError):
    """A short name fits several.

    Args:
        what: Kind of what was named.
        name: What the user wrote.
        fitting: Whole names of those it fits.

    Attributes:
        fitting: The same.
    """

    def __init__(self, what: str, name: str, fitting: Iterable[str]) -> None:
        self.fitting = tuple(fitting)
        super().__init__(
            f"the {what} {name!r} may be {' or '.join(self.fitting)}; give the whole name"
        )


def connect(transport: str | None) -> Transport:
    """Join the network as a node that other tools do not list.

    Raises:
        TransportError: There is no such transport, or it cannot be opened.
    """
    return open_transport(f"{HIDDEN}controlit_{os.getpid()}", name=transport)


def settled_graph(transport: Transport) -> Graph:
    """Return the graph once it has stopped to change."""
    waited, changed = AwakeTime(), 0.0
    graph = transport.graph()
    while True:
        time.sleep(POLL)
        now = waited.look()
        newest = transport.graph()
        if newest != graph:
            graph, changed = newest, now
        first_look = FIRST_LOOK if len(graph.nodes) > 1 else LONELY_LOOK
        is_quiet = now > first_look and now - changed > QUIET
        if (is_quiet and newest.is_complete) or now > LONGEST_LOOK:
            return graph


def find_topic(transport: Transport, name: str, patience: float | None = None) -> TopicInfo:
    """Return a topic that somebody publishes or subscribes to.

    Args:
        transport: Where to look.
        name: Absolute, or its end where that is unique.
        patience: How long to look [s]; `None`: shorter if there are others.

    Raises:
        NotFoundError: It does not appear, or the short name fits several.
    """
    return _find(transport, name, "topic", lambda graph: graph.topics, patience)


def find_service(transport: Transport, name: str) -> ServiceInfo:
    """Return a service that somebody serves.

    Raises:
        NotFoundError: It does not appear, or the short name fits several.
    """

    def served(graph: Graph) -> Iterable[ServiceInfo]:
        return (service for service in graph.services if service.server_count)

    return _find(transport, name, "service", served, None)


def single_type(info: TopicInfo | ServiceInfo) -> str:
    """Return the type of a topic or service.

    Raises:
        NotFoundError: Nodes disagree about it.
    """
    if len(info.types) != 1:
        raise NotFoundError(
            f"{info.name} is used with the types {', '.join(info.types)}; name the one you mean"
        )
    return info.types[0]


def full_type(name: str, kind: str) -> str:
    """Return the full name of a type: `Point`, `geometry_msgs/Point` or the full name itself.

    Args:
        name: What the user wrote.
        kind: `msg` or `srv`.

    Raises:
        UnknownTypeError: There is no such type.
        NotFoundError: The short name fits several.
    """
    book = type_book()
    names = book.message_types if kind == "msg" else book.service_types
    if name.count("/") == 1:
        name = name.replace("/", f"/{kind}/")
    if "/" not in name:
        fitting = [known for known in names if known.rsplit("/", 1)[1] == name]
        if len(fitting) > 1:
            raise AmbiguousNameError("type", name, fitting)
        name = fitting[0] if fitting else name
    if kind == "msg":
        return book.definition(name).name
    return book.service(name).name


def wait_for(predicate: Callable[[], bool], timeout: float) -> bool:
    """Wait until a predicate holds and return whether it does."""
    waited = AwakeTime()
    while not predicate():
        if waited.look() > timeout:
            return False
        time.sleep(POLL)
    return True


def client(transport: Transport, service: ServiceInfo, type_name: str | None = None) -> Client:
    """Return a client of a service that was found."""
    return transport.client(service.name, type_name or single_type(service))


def domain() -> str:
    """Return in which domain one looks, for messages."""
    return f"ROS_DOMAIN_ID {os.environ.get('ROS_DOMAIN_ID') or '0'}"


def _find(
    transport: Transport,
    name: str,
    what: str,
    candidates: Callable[[Graph], Iterable[_T]],
    patience: float | None,
) -> _T:
    waited = AwakeTime()
    absolute = name if name.startswith("/") else f"/{name}"
    graph = transport.graph()
    while True:
        known = {info.name: info for info in candidates(graph)}
        if absolute in known:
            return known[absolute]
        fitting = [full for full in known if full.endswith(absolute)]
        if fitting and name != absolute:
            # others of that name may be known a moment later
            graph = settled_graph(transport)
            known = {info.name: info for info in candidates(graph)}
            fitting = [full for full in known if full.endswith(absolute)]
            if absolute not in known and len(fitting) == 1:
                return known[fitting[0]]
            if absolute not in known and len(fitting) > 1:
                raise AmbiguousNameError(what, name, fitting)
            continue
        limit = patience or (LITTLE_PATIENCE if known and graph.is_complete else PATIENCE)
        if waited.look() > limit:
            raise NotFoundError(_not_found(name, what, known))
        time.sleep(POLL)
        graph = transport.graph()


def _not_found(name: str, what: str, known: Iterable[str]) -> str:
    names = sorted(known)
    if not names:
        return f"there is no {what} {name!r}, nor any other: does anything run in {domain()}?"
    return f"there is no {what} {name!r}{did_you_mean(name, names)}"
