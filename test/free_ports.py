"""Ports of one's own, so that suites side by side do not meet."""

import random
import socket

PORTS = range(61_000, 65_536)
"""Above those that Linux gives away by itself, so that nobody gets one before it is used."""

_reserved: list[socket.socket] = []


def free_ports(count: int) -> list[int]:
    """Return UDP ports of the loopback that nobody uses now, and no other run of the tests later.

    Runs tell each other what they use by the TCP ports of the same numbers.
    """
    ports: list[int] = []
    for port in random.sample(PORTS, len(PORTS)):
        if len(ports) == count:
            break
        if _reserve(port):
            ports.append(port)
    assert len(ports) == count, "all ports are in use"
    return ports


def _reserve(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        held = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            held.bind(("127.0.0.1", port))
            probe.bind(("127.0.0.1", port))
        except OSError:
            held.close()
            return False
    _reserved.append(held)
    return True
