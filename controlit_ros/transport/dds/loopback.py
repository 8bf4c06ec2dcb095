"""Keeping DDS on the loopback, where Cyclone itself listens on every address of the machine."""

import os
import socket
import sys
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

DESCRIPTORS = Path("/proc/self/fd")
DEVICE = b"lo\0"
_BIND_TO_DEVICE = getattr(socket, "SO_BINDTODEVICE", 25)


def own_sockets() -> frozenset[str]:
    """Return the names the system has for the sockets of this process."""
    return frozenset(_sockets().values())


def confine(before: frozenset[str]) -> str:
    """Bind the sockets that listen on all addresses to the loopback device.

    From then on the system drops what comes in from any other device before the socket sees it.

    Args:
        before: `own_sockets` before those in question were made.

    Returns:
        Why they still listen on all addresses; empty: they do not.
    """
    if not sys.platform.startswith("linux"):
        return "only Linux binds sockets to a device"
    listening = []
    with suppress(OSError):
        for found in _new_datagram_sockets(before):
            address = ip_address(found.getsockname()[0])
            if not (address.is_unspecified or address.is_loopback):
                found.close()
                return f"it was told to use {address}"
            listening.append(found)
    try:
        for found in listening:
            found.setsockopt(socket.SOL_SOCKET, _BIND_TO_DEVICE, DEVICE)
    except OSError as error:
        return f"the system refuses to bind its sockets to the loopback: {error.strerror}"
    finally:
        for found in listening:
            found.close()
    return "" if listening else "its sockets were not found"


def _sockets() -> dict[int, str]:
    """Return descriptors of sockets and what the system calls these."""
    found = {}
    with suppress(FileNotFoundError):  # no such folder on other systems
        for descriptor in DESCRIPTORS.iterdir():
            with suppress(OSError):  # closed meanwhile
                target = str(descriptor.readlink())
                if target.startswith("socket:"):
                    found[int(descriptor.name)] = target
    return found


def _new_datagram_sockets(before: frozenset[str]) -> Iterator[socket.socket]:
    for descriptor, name in _sockets().items():
        if name not in before:
            found = socket.socket(fileno=os.dup(descriptor))
            if found.type == socket.SOCK_DGRAM and found.family in (
                socket.AF_INET,
                socket.AF_INET6,
            ):
                yield found
            else:
                found.close()
