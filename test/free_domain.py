"""A DDS domain of one's own, so that suites and controllers side by side do not mix."""

import random
import socket

HIGHEST_SAFE_DOMAIN = 101
"""Ports of higher domains may be in use by ordinary programs on Linux."""

PORT_BASE, DOMAIN_GAIN, PARTICIPANT_GAIN, DISCOVERY_OFFSET = 7400, 250, 2, 10  # of RTPS
PARTICIPANTS = 10  # [-] looked for: whoever is in a domain took one of the first places

_RESERVED: list[socket.socket] = []
"""Names of domains that this process keeps from other runs of the suite, until it ends."""


def free_domain() -> int:
    """Return a number in whose domain no process of this machine is, reserved if any is left."""
    domains = random.sample(range(1, HIGHEST_SAFE_DOMAIN + 1), HIGHEST_SAFE_DOMAIN)
    free = [domain for domain in domains if _is_free(domain)]
    assert free, "there are processes in every domain"
    return next(filter(_reserve, free), free[0])


def _reserve(domain: int) -> bool:
    """Reserve a domain unless another run has: between two tests of it the ports are free."""
    name = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    try:
        name.bind(f"\0controlit.test.domain.{domain}")
    except OSError:
        name.close()
        return False
    _RESERVED.append(name)
    return True


def _is_free(domain: int) -> bool:
    first = PORT_BASE + DOMAIN_GAIN * domain + DISCOVERY_OFFSET
    for port in range(first, first + PARTICIPANT_GAIN * PARTICIPANTS, PARTICIPANT_GAIN):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.bind(("0.0.0.0", port))
            except OSError:
                return False
    return True
