"""Opening a transport: which one, and why."""

import logging
import os
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from typing import NamedTuple

from controlit_ros.errors import did_you_mean
from controlit_ros.installed import plugins

from .errors import TransportError
from .port import Transport
from .remapping import HIDDEN, own_name

logger = logging.getLogger(__name__)

ENTRY_POINTS = "controlit.transports"
"""Group of entry points: name of a transport to a callable that takes node name and namespace."""

VARIABLE = "CONTROLIT_TRANSPORT"
"""Environment variable that chooses the transport when the program does not."""

AUTOMATIC = "auto"


class Choice(NamedTuple):
    """The transport to use and the reason, for the log."""

    name: str
    reason: str


def available_transports() -> dict[str, EntryPoint]:
    """Return the transports that installed packages offer, by name."""
    return plugins(ENTRY_POINTS)


def choose_transport(name: str | None = None) -> Choice:
    """Return which transport `open_transport` would open.

    Args:
        name: of a transport, `auto`, or None for what the environment variable
            CONTROLIT_TRANSPORT says, which is `auto` if it is not set.

    Raises:
        TransportError: there is no transport of that name.
    """
    known = available_transports()
    reason = "asked for by the program"
    if name is None:
        name = os.environ.get(VARIABLE) or AUTOMATIC
        reason = f"asked for by {VARIABLE}"
    if name == AUTOMATIC:
        return _automatic(known)
    if name not in known:
        raise TransportError(f"unknown transport {name!r}{did_you_mean(name, [*known, AUTOMATIC])}")
    return Choice(name, reason)


def open_transport(node_name: str, namespace: str = "/", *, name: str | None = None) -> Transport:
    """Open a transport for a node and log which one and why.

    Args:
        node_name: name of the node, one token.
        namespace: absolute namespace of the node.
        name: which transport (see `choose_transport`).

    The command line of the process may give the node another name (see `own_name`).

    Raises:
        TransportError: there is no such transport, or it cannot be opened.
        RosArgumentError: the arguments of the process mean nothing to ROS 2.
    """
    choice = choose_transport(name)
    try:
        factory = available_transports()[choice.name].load()
    except ImportError as error:
        raise TransportError(f"transport {choice.name!r} cannot be used here: {error}") from error
    own = own_name(node_name, namespace)
    transport: Transport = factory(own.name, own.namespace)
    level = logging.DEBUG if node_name.startswith(HIDDEN) else logging.INFO
    logger.log(level, "transport %s: %s", choice.name, choice.reason)
    return transport


def _automatic(known: dict[str, EntryPoint]) -> Choice:
    """Prefer ROS 2 itself where it can be used; say what is missing where it cannot."""
    if "rclpy" not in known:
        return Choice("dds", "no rclpy adapter is installed")
    if find_spec("rclpy") is None:
        return Choice("dds", "rclpy cannot be imported")
    if not os.environ.get("AMENT_PREFIX_PATH"):
        return Choice("dds", "rclpy is installed, but the ROS 2 environment is not sourced")
    return Choice("rclpy", "the ROS 2 environment is sourced")
