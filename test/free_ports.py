"""Ports of one's own, so that suites side by side do not meet."""

import socket


def free_ports(count: int) -> list[int]:
    """Return UDP ports of the loopback that nobody uses now."""
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports
